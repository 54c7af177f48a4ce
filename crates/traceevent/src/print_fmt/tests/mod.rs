//! Formats of one event with fields of all kinds, and one record of it.

mod conversions;
mod expressions;
mod raw;

use crate::bytes::Endian;
use crate::lookup::{Env, Lookup, NoLookup, Symbol};
use crate::print_fmt::RawHistory;
use crate::{EventFormat, EventText};

const FIELDS: &str = "\
    \tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n\
    \tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n\
    \tfield:int a;\toffset:8;\tsize:4;\tsigned:1;\n\
    \tfield:u8 b;\toffset:12;\tsize:1;\tsigned:0;\n\
    \tfield:s16 c;\toffset:14;\tsize:2;\tsigned:1;\n\
    \tfield:unsigned long d;\toffset:16;\tsize:8;\tsigned:0;\n\
    \tfield:char s[8];\toffset:24;\tsize:8;\tsigned:0;\n\
    \tfield:u32 e;\toffset:32;\tsize:4;\tsigned:0;\n\
    \tfield:u16 arr[2];\toffset:36;\tsize:4;\tsigned:0;\n\
    \tfield:long g;\toffset:40;\tsize:8;\tsigned:1;\n\
    \tfield:u8 mac[6];\toffset:48;\tsize:6;\tsigned:0;\n\
    \tfield:u8 ip[4];\toffset:56;\tsize:4;\tsigned:0;\n\
    \tfield:u8 ip6[16];\toffset:60;\tsize:16;\tsigned:0;\n\
    \tfield:u8 uuid[16];\toffset:76;\tsize:16;\tsigned:0;\n\
    \tfield:u8 sa[28];\toffset:92;\tsize:28;\tsigned:0;\n\
    \tfield:__data_loc u8[] dyn;\toffset:120;\tsize:4;\tsigned:0;\n\
    \tfield:__data_loc char[] str;\toffset:124;\tsize:4;\tsigned:0;\n\
    \tfield:__rel_loc u8[] rel;\toffset:128;\tsize:4;\tsigned:0;\n\
    \tfield:__data_loc unsigned long[] mask;\toffset:132;\tsize:4;\tsigned:0;\n";

fn event(print_fmt: &str, env: &Env<'_>) -> EventText {
    let text = format!("name: ev\nID: 1000\nformat:\n{FIELDS}\nprint fmt: {print_fmt}\n");
    EventText::compile(&EventFormat::parse(&text).unwrap(), env.long_size)
}

fn record(endian: Endian) -> Vec<u8> {
    let mut record = vec![0; 160];
    let mut put = |at: usize, bytes: &[u8]| record[at..at + bytes.len()].copy_from_slice(bytes);
    let number = |value: i64, size: usize| match endian {
        Endian::Little => value.to_le_bytes()[..size].to_vec(),
        Endian::Big => value.to_be_bytes()[8 - size..].to_vec(),
    };
    put(8, &number(-5, 4)); // a
    put(12, &[200]); // b
    put(14, &number(-3, 2)); // c
    put(16, &number(0xffff_ffff_8100_1010u64 as i64, 8)); // d
    put(24, b"hello\0xx"); // s
    put(32, &number(0xffff_fff0, 4)); // e
    put(36, &number(513, 2)); // arr
    put(38, &number(1027, 2));
    put(40, &number(-77, 8)); // g
    put(48, &[1, 2, 0xab, 0xcd, 0xef, 0x10]); // mac
    put(56, &[192, 168, 1, 20]); // ip
    put(
        60,
        &[0x20, 1, 0x0d, 0xb8, 0, 0, 0, 0, 0, 0, 0xff, 0, 0, 0x42, 0x83, 0x29],
    ); // ip6
    put(76, &std::array::from_fn::<u8, 16, _>(|at| 0xa0 + at as u8)); // uuid
    put(92, &[2, 0, 0x1f, 0x90, 10, 0, 0, 1]); // sa: an IPv4 address, its family in the order of x86
    put(120, &number(136 | 8 << 16, 4)); // dyn
    put(124, &number(144 | 7 << 16, 4)); // str
    put(128, &number(4 | 8 << 16, 4)); // rel: at 136 too
    put(132, &number(152 | 8 << 16, 4)); // mask
    put(136, &[10, 11, 12, 13, 14, 15, 16, 17]);
    put(144, b"string\0\0");
    put(152, &[0x0f, 0, 1, 0, 0, 0, 0, 0x80]);
    record
}

/// One symbol, with 4096 bytes.
struct OneSymbol;

const DO_ONE: u64 = 0xffff_ffff_8100_1000;

impl Lookup for OneSymbol {
    fn symbol(&self, address: u64) -> Option<Symbol<'_>> {
        (address & !0xfff == DO_ONE).then_some(Symbol {
            name: "do_one",
            module: None,
            start: DO_ONE,
        })
    }

    fn address(&self, name: &str) -> Option<u64> {
        (name == "do_one").then_some(DO_ONE)
    }

    fn printk(&self, address: u64) -> Option<&str> {
        NoLookup.printk(address)
    }

    fn comm(&self, pid: i32) -> Option<&[u8]> {
        NoLookup.comm(pid)
    }
}

const LITTLE: Env<'static> = Env {
    endian: Endian::Little,
    long_size: 8,
    lookup: &OneSymbol,
};
const BIG: Env<'static> = Env {
    endian: Endian::Big,
    ..LITTLE
};
const LITTLE32: Env<'static> = Env { long_size: 4, ..LITTLE };

fn check(env: &Env<'_>, cases: &[(&str, &[u8])]) {
    for (print_fmt, expected) in cases {
        let event = event(print_fmt, env);
        assert_eq!(event.problem(), None, "{print_fmt}");
        let mut out = Vec::new();
        event.print(env, &record(env.endian), &mut out);
        assert_eq!(
            out.escape_ascii().to_string(),
            expected.escape_ascii().to_string(),
            "{print_fmt}"
        );
    }
}

/// `expected` is the start of the text.
fn check_raw(env: &Env<'_>, cases: &[(&str, &[u8])]) {
    for (print_fmt, expected) in cases {
        let mut out = Vec::new();
        event(print_fmt, env).print_raw(env, &record(env.endian), &mut out);
        out.truncate(expected.len());
        assert_eq!(
            out.escape_ascii().to_string(),
            expected.escape_ascii().to_string(),
            "{print_fmt}"
        );
    }
}

fn assert_fails(print_fmt: &str) {
    let event = event(print_fmt, &LITTLE);
    assert!(event.problem().is_some(), "{print_fmt}");
    let mut out = Vec::new();
    event.print(&LITTLE, &record(Endian::Little), &mut out);
    assert!(
        out.starts_with(b"[FAILED TO PARSE] a=-5 b=200 c=-3 d=0xffffffff81001010 s=hello e="),
        "{print_fmt}"
    );
}

#[test]
fn what_the_record_lacks_prints_as_fields() {
    let print = |print_fmt, len| {
        let mut out = Vec::new();
        event(print_fmt, &LITTLE).print(&LITTLE, &record(Endian::Little)[..len], &mut out);
        String::from_utf8(out).unwrap()
    };
    assert_eq!(
        print(r#""a=%d d=%lx", REC->a, REC->d"#, 20),
        "[FAILED TO PARSE] a=-5 b=200 c=-3"
    );
    assert_eq!(
        print(r#""%d", REC->b / REC->dyn[1]"#, 13),
        "[FAILED TO PARSE] a=-5 b=200"
    );
    assert_eq!(
        print(r#""%s", __get_str(str)"#, 126),
        "[FAILED TO PARSE]".to_owned() + &raw_until(126)
    );
    assert_eq!(print(r#""x""#, 0), "x");
}

fn raw_until(len: usize) -> String {
    let mut out = Vec::new();
    event(r#""x""#, &LITTLE).print_raw(&LITTLE, &record(Endian::Little)[..len], &mut out);
    String::from_utf8(out).unwrap()
}

#[test]
fn divisions_by_zero_print_as_fields() {
    for print_fmt in [r#""%d", REC->b / 0"#, r#""%d", REC->b % REC->nope"#] {
        let mut out = Vec::new();
        event(print_fmt, &LITTLE).print(&LITTLE, &record(Endian::Little), &mut out);
        assert!(out.starts_with(b"[FAILED TO PARSE] a=-5"), "{print_fmt}");
    }
}

#[test]
fn nesting_is_bounded() {
    for print_fmt in ["(", "-", "1+", "1?", "(u8)", "REC->s["] {
        let print_fmt = format!("\"%d\", {}", print_fmt.repeat(100_000));
        assert!(event(&print_fmt, &LITTLE).problem().is_some());
    }
}

#[test]
fn what_stands_behind_a_label_is_a_text_of_its_own() {
    let print = |print_fmt, label| {
        let labelled = event(print_fmt, &LITTLE).labelled(label)?;
        let mut out = Vec::new();
        labelled.print(&LITTLE, &record(Endian::Little), &mut out);
        Some(String::from_utf8(out).unwrap())
    };
    let print_fmt = r#""x prev_b=%d,%#x%% y=%d", REC->b, REC->b, REC->e"#;
    assert_eq!(print(print_fmt, "prev_b=").as_deref(), Some("200,0xc8%"));
    assert_eq!(print(print_fmt, "b="), None);
    assert_eq!(print(print_fmt, "y=").as_deref(), Some("-16"));
}

/// As `trace-cmd report -R` prints three records of one event.
#[test]
fn what_was_no_text_once_never_is_again() {
    let event = event(r#""x""#, &LITTLE);
    let mut history = RawHistory::default();
    let mut print = |s: &[u8]| {
        let mut record = record(Endian::Little)[..32].to_vec();
        record[24..24 + s.len()].copy_from_slice(s);
        let mut out = Vec::new();
        event.print_raw_after(&LITTLE, &record, &mut history, &mut out);
        String::from_utf8(out).unwrap().split_once(" s=").unwrap().1.to_owned()
    };
    assert_eq!(print(b"abc\0"), "abc");
    assert_eq!(print(b"a\xffc\0defg"), "ARRAY[61, ff, 63, 00, 64, 65, 66, 67]");
    assert_eq!(print(b"abc\0defg"), "ARRAY[61, 62, 63, 00, 64, 65, 66, 67]");
}
