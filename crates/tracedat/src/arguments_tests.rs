//! Arguments of hand-made records, by formats as kernels write them.

use super::*;

/// A format with fields of (C type, name, size); the common fields are those of all events.
fn format(name: &str, id: u16, fields: &[(&str, &str, usize)]) -> EventFormat {
    let common = [
        ("unsigned short", "common_type", 2),
        ("unsigned char", "common_flags", 1),
        ("unsigned char", "common_preempt_count", 1),
        ("int", "common_pid", 4),
    ];
    let mut text = format!("name: {name}\nID: {id}\nformat:\n");
    let mut offset = 0_usize;
    for (of_type, name, size) in common.into_iter().chain(fields.iter().copied()) {
        // Six words are aligned as one is.
        let align = if name.ends_with(']') { size / MOST } else { size };
        offset = offset.next_multiple_of(align);
        let signed = usize::from(["int", "long"].contains(&of_type));
        text += &format!("\tfield:{of_type} {name};\toffset:{offset};\tsize:{size};\tsigned:{signed};\n");
        offset += size;
    }
    EventFormat::parse(&text).expect("a format")
}

const RAW: u16 = 1;
const OPENAT: u16 = 2;
const NEWFSTAT: u16 = 3;
const FSTAT: u16 = 4;

fn openat(id: u16) -> EventFormat {
    format(
        "sys_enter_openat",
        id,
        &[
            ("int", "__syscall_nr", 4),
            ("int", "dfd", 8),
            ("const char *", "filename", 8),
            ("int", "flags", 8),
            ("umode_t", "mode", 8),
        ],
    )
}

/// What formats of these events tell.
fn bound(endian: Endian, long: usize, events: &[(&str, &EventFormat, u16)]) -> Arguments {
    let mut found = Arguments {
        endian,
        long,
        bound: Vec::new(),
        signatures: Vec::new(),
    };
    for &(name, format, id) in events {
        let system = if name == "sys_enter" {
            "raw_syscalls"
        } else {
            "syscalls"
        };
        let layout = found.layout((system, name), format).expect("a layout");
        let common_pid = format.field("common_pid").unwrap().as_int().unwrap();
        found.bound.push(Bound { id, common_pid, layout });
    }
    found
}

/// A record of thread 10, with words after the common fields.
fn record(endian: Endian, words: &[(u64, usize)]) -> Vec<u8> {
    let mut bytes = vec![0; 4];
    let mut push = |word: u64, size: usize| {
        bytes.resize(bytes.len().next_multiple_of(size), 0);
        let all = word.to_be_bytes();
        let mut low = all[8 - size..].to_vec();
        if endian == Endian::Little {
            low.reverse();
        }
        bytes.extend(low);
    };
    push(10, 4);
    words.iter().for_each(|&(word, size)| push(word, size));
    bytes
}

fn entered(call: &str) -> Entered<'_> {
    Entered {
        ts: 0,
        cpu: 0,
        pid: 10,
        call,
        compat: false,
    }
}

fn told(arguments: &Arguments, id: u16, data: &[u8], call: &str) -> Option<String> {
    arguments.of(id, data, &entered(call)).map(|found| text(&found))
}

/// -100, a pointer, O_CLOEXEC, and two that `openat` does not have.
const OPENED: [u64; 6] = [(-100_i64) as u64, 0x7ffd_13a6, 0x80000, 0o644, 5, 6];

#[test]
fn numbers_of_raw_events_are_told_by_the_formats_of_named_ones() {
    let openat = openat(OPENAT);
    for (endian, long) in [
        (Endian::Little, 8),
        (Endian::Big, 8),
        (Endian::Little, 4),
        (Endian::Big, 4),
    ] {
        let raw = format(
            "sys_enter",
            RAW,
            &[("long", "id", long), ("unsigned long", "args[6]", 6 * long)],
        );
        let words: Vec<(u64, usize)> = [257].iter().chain(&OPENED).map(|&word| (word, long)).collect();
        let data = record(endian, &words);
        let alone = bound(endian, long, &[("sys_enter", &raw, RAW)]);
        let first = if long == 8 { "0xffffffffffffff9c" } else { "0xffffff9c" };
        assert_eq!(
            told(&alone, RAW, &data, "openat"),
            Some(format!("{first}, 0x7ffd13a6, 0x80000, 0x1a4, 0x5, 0x6"))
        );
        let both = bound(
            endian,
            long,
            &[("sys_enter", &raw, RAW), ("sys_enter_openat", &openat, OPENAT)],
        );
        // As many as the call has.
        let names = "dfd=-100, filename=0x7ffd13a6, flags=0x80000, mode=0x1a4";
        assert_eq!(told(&both, RAW, &data, "openat").as_deref(), Some(names));
        assert_eq!(told(&both, RAW, &data, "read"), told(&alone, RAW, &data, "read"));
        // The same number is another call in the 32-bit table.
        let compat = Entered {
            compat: true,
            ..entered("openat")
        };
        let found = both.of(RAW, &data, &compat).unwrap();
        assert!(found.iter().all(|argument| argument.name.is_none()));
    }
}

#[test]
fn a_record_of_another_thread_or_call_tells_nothing() {
    let openat = openat(OPENAT);
    let arguments = bound(Endian::Little, 8, &[("sys_enter_openat", &openat, OPENAT)]);
    let words: Vec<(u64, usize)> = std::iter::once((257, 4))
        .chain(OPENED.iter().take(4).map(|&word| (word, 8)))
        .collect();
    let data = record(Endian::Little, &words);
    assert_eq!(
        told(&arguments, OPENAT, &data, "openat").as_deref(),
        Some("dfd=-100, filename=0x7ffd13a6, flags=0x80000, mode=0x1a4")
    );
    assert_eq!(told(&arguments, OPENAT, &data, "open"), None);
    assert_eq!(told(&arguments, RAW, &data, "openat"), None);
    let of_other = Entered {
        pid: 11,
        ..entered("openat")
    };
    assert_eq!(arguments.of(OPENAT, &data, &of_other), None);
    // A record that ends before its last argument.
    for length in 0..data.len() {
        assert_eq!(told(&arguments, OPENAT, &data[..length], "openat"), None, "{length}");
    }
}

#[test]
fn of_two_functions_of_a_call_the_renamed_one_counts() {
    let of = |name: &str, id: u16, field: &str| {
        format(
            name,
            id,
            &[
                ("int", "__syscall_nr", 4),
                ("unsigned int", "fd", 8),
                ("struct stat *", field, 8),
            ],
        )
    };
    let (newfstat, fstat) = (
        of("sys_enter_newfstat", NEWFSTAT, "statbuf"),
        of("sys_enter_fstat", FSTAT, "old"),
    );
    let raw = format("sys_enter", RAW, &[("long", "id", 8), ("unsigned long", "args[6]", 48)]);
    let events = [
        ("sys_enter", &raw, RAW),
        ("sys_enter_newfstat", &newfstat, NEWFSTAT),
        ("sys_enter_fstat", &fstat, FSTAT),
    ];
    let words: Vec<(u64, usize)> = [5, 3, 0x1000, 0, 0, 0, 0].map(|word| (word, 8)).to_vec();
    let data = record(Endian::Little, &words);
    let mut events = events.to_vec();
    for _ in 0..2 {
        let arguments = bound(Endian::Little, 8, &events);
        assert_eq!(
            told(&arguments, RAW, &data, "fstat").as_deref(),
            Some("fd=3, statbuf=0x1000")
        );
        events.reverse();
    }
}

#[test]
fn values_have_the_shape_of_their_c_types() {
    let minus = (-2_i64) as u64;
    let high = 0xffff_fffe_0000_0003;
    for (name, of_type, long, value, expected) in [
        ("fd", "int", 8, minus, "-2"),
        // The upper half of a register means nothing to an int.
        ("fd", "int", 8, high, "3"),
        ("fd", "unsigned int", 8, high, "3"),
        ("uid", "uid_t", 8, minus, "4294967294"),
        ("count", "size_t", 8, 8192, "8192"),
        ("count", "size_t", 4, minus, "4294967294"),
        ("off", "off_t", 8, minus, "-2"),
        ("off", "off_t", 4, 0xffff_fffe, "-2"),
        ("pos", "loff_t", 4, minus, "-2"),
        ("buf", "char *", 8, 0x7ffd, "0x7ffd"),
        ("flags", "int", 8, 0x80000, "0x80000"),
        ("prot", "unsigned long", 8, 3, "0x3"),
        ("addr", "unsigned long", 8, 0, "0x0"),
        ("what", "some_type_t", 8, 16, "0x10"),
    ] {
        assert_eq!(Shape::of(name, of_type, long).text(value), expected, "{of_type} {name}");
    }
}

#[test]
fn the_number_of_the_call_is_no_argument() {
    // `io_submit` has an argument that is called `nr`; some kernels call the number so.
    let fields = [
        ("int", "nr", 4),
        ("aio_context_t", "ctx_id", 8),
        ("long", "nr", 8),
        ("struct iocb **", "iocbpp", 8),
    ];
    let format = format("sys_enter_io_submit", 9, &fields);
    let names: Vec<&str> = parameters(&format).map(|field| field.name.as_str()).collect();
    assert_eq!(names, ["ctx_id", "nr", "iocbpp"]);
}
