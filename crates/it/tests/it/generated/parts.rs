//! Parts of files besides the records of their main buffer: options, instances, texts of latency tracers, tables; and
//! sub-buffers of several sizes.

use schedrows::DiagnosticKind;
use tracedat::file::{Guest, OptionValue, TraceFile};
use tracedat::report::LineClock;
use tracedat::scan::scan_cpu;
use tracegen::{Endian, Layout, Story};

use super::told::{scans, told, STORY};

const EVERY_CONTAINER: [(&str, &str); 4] = [("6", "none"), ("7", "none"), ("7", "zlib"), ("7", "zstd")];

fn story(version: &str, compression: &str, change: impl FnOnce(&mut Layout)) -> Vec<u8> {
    let mut story = Story::parse(STORY).unwrap();
    story.layout.version = version.into();
    story.layout.compression = compression.into();
    change(&mut story.layout);
    story.to_bytes()
}

fn plain() -> Vec<String> {
    told(&scans(story("7", "none", |_| {})).unwrap())
}

#[test]
fn an_instance_is_shown_for_an_empty_main_buffer() {
    for (version, compression) in EVERY_CONTAINER {
        let bytes = story(version, compression, |layout| layout.instance = Some("sched".into()));
        let file = TraceFile::open(bytes.as_slice()).unwrap();
        let names: Vec<&str> = file.buffers().iter().map(|buffer| buffer.name.as_str()).collect();
        assert_eq!(names, ["", "sched"], "{version} {compression}");
        assert_eq!(file.shown_buffer(), 1);
        assert_eq!(file.diagnostics().len(), 1);
        assert_eq!(file.diagnostics()[0].kind, DiagnosticKind::MissingEvent);
        assert_eq!(
            file.diagnostics()[0].text,
            "the main buffer is empty; instance \"sched\" is shown instead of it"
        );
        assert_eq!(told(&scans(bytes).unwrap()), plain(), "{version} {compression}");
    }
}

#[test]
fn a_buffer_can_be_chosen() {
    let bytes = story("7", "zstd", |layout| layout.instance = Some("sched".into()));
    let mut file = TraceFile::open(bytes).unwrap();
    file.select_buffer("").unwrap();
    assert!(file.cpus().is_empty());
    assert_eq!(file.diagnostics(), [], "what was asked for is no surprise");
    file.select_buffer("sched").unwrap();
    assert_eq!(file.cpus().len(), 3);
    let error = file.select_buffer("other").unwrap_err();
    assert_eq!(
        error.to_string(),
        "no buffer \"other\" in the trace; it has \"\", \"sched\""
    );
    assert_eq!(file.cpus().len(), 3, "as before");
}

#[test]
fn a_clock_that_counts_ticks_is_known_by_any_of_its_names() {
    // These are the clocks with which `trace-cmd report` (3.1.6) prints such files: cycles if one of the names counts
    // cycles.
    let clock = |version: &str, clock: &str, option: &str| {
        let bytes = story(version, "none", |layout| {
            layout.clock = clock.into();
            layout.options = vec![(4, format!("{option}\0").into_bytes())];
        });
        let file = TraceFile::open(bytes).unwrap();
        (LineClock::new(&file, false), file.clock_is_ns())
    };
    for version in ["6", "7"] {
        assert_eq!(clock(version, "local", ""), (LineClock::Microseconds, true));
        assert_eq!(clock(version, "x86-tsc", ""), (LineClock::Ticks, false));
        assert_eq!(clock(version, "x86-tsc", "[local] mono").0, LineClock::Ticks);
        assert_eq!(clock(version, "local", "[counter] mono").0, LineClock::Ticks);
    }
}

#[test]
fn options_are_decoded() {
    for (version, compression) in EVERY_CONTAINER {
        let bytes = story(version, compression, |layout| {
            layout.endian = Endian::Big;
            layout.options = vec![
                (2, b"CPU: 0\nentries: 7\n\0".to_vec()),
                (6, b"sched:sched_switch,next_pid/sched:sched_switch,prev_pid\0".to_vec()),
                (10, b"42 1 /bin/ls\n1000 2000 /bin/ls\n\0".to_vec()),
                (11, 0xfeed_u64.to_be_bytes().to_vec()),
                (
                    13,
                    [
                        b"vm\0",
                        &7u64.to_be_bytes()[..],
                        &[0, 0, 0, 1, 0, 0, 0, 3, 0, 0, 0x12, 0x67],
                    ]
                    .concat(),
                ),
                (99, b"future".to_vec()),
                (11, b"short".to_vec()),
            ];
        });
        let file = TraceFile::open(bytes).unwrap();
        let header = file.header();
        assert_eq!(header.trace_id, Some(0xfeed));
        assert_eq!(header.uname.as_deref(), Some("Linux tracegen 6.1.0 synthetic"));
        let value = |name: &str| {
            &header
                .options
                .iter()
                .find(|option| option.name() == Some(name))
                .unwrap()
                .value
        };
        assert_eq!(value("CPUSTAT"), &OptionValue::Text("CPU: 0\nentries: 7\n".into()));
        assert_eq!(
            value("HOOK").to_string(),
            "sched:sched_switch,next_pid/sched:sched_switch,prev_pid"
        );
        assert_eq!(value("PROCMAPS").to_string(), "42 1 /bin/ls\n1000 2000 /bin/ls");
        let guest = Guest {
            name: "vm".into(),
            trace_id: 7,
            cpus: vec![(3, 0x1267)],
        };
        assert_eq!(value("GUEST"), &OptionValue::Guest(guest));
        let told: Vec<&str> = file
            .diagnostics()
            .iter()
            .map(|diagnostic| diagnostic.text.as_str())
            .collect();
        assert!(
            told[0].starts_with("option 99 at byte ") && told[0].ends_with("(6 bytes) is not known; it is skipped")
        );
        assert!(
            told[1].starts_with("option TRACEID at byte ") && told[1].contains("found 5 bytes"),
            "{}",
            told[1]
        );
    }
}

#[test]
fn the_text_of_a_latency_tracer_is_kept() {
    let text = "# tracer: wakeup\n".to_owned() + &"  <idle>-0  1d.h4  0us : try_to_wake_up\n".repeat(300);
    for (version, compression) in EVERY_CONTAINER {
        let bytes = story(version, compression, |layout| layout.latency_text = Some(text.clone()));
        let file = TraceFile::open(bytes).unwrap();
        assert_eq!(file.header().texts.len(), 1, "{version} {compression}");
        assert_eq!(
            file.latency_text(0).unwrap(),
            text.as_bytes(),
            "{version} {compression}"
        );
        assert_eq!(file.latency_text(1).unwrap(), b"");
        assert!(file.cpus().is_empty());
        assert_eq!(file.header().cpu_count, 3);
        let told = &file.diagnostics()[0];
        assert_eq!(told.kind, DiagnosticKind::Unsupported);
        assert!(told.text.contains("latency tracer"));
    }
}

#[test]
fn tables_of_text_are_found() {
    for (version, compression) in EVERY_CONTAINER {
        let bytes = story(version, compression, |layout| {
            layout.kallsyms = "1000 T start\n2000 t middle\t[mod]\n3000 T end\n".into();
            layout.printk_formats = "0x77 : \"pid %d\\n\"\n".into();
        });
        let file = TraceFile::open(bytes).unwrap();
        let found = file.lookup().symbol(0x2fff).unwrap();
        assert_eq!((found.name, found.module, found.start), ("middle", Some("mod"), 0x2000));
        assert_eq!(file.lookup().printk(0x77), Some("pid %d"));
        assert_eq!(file.lookup().comm(102), Some(&b"my comm"[..]));
    }
}

/// `buffer_subbuf_size_kb` changes header_page; a trace-cmd that does not know it still writes the page's size.
#[test]
fn sub_buffers_are_larger_than_a_page() {
    for (version, compression) in EVERY_CONTAINER {
        for size in [8192, 16384, 65536] {
            let bytes = story(version, compression, |layout| layout.subbuf_size = size);
            assert_eq!(told(&scans(bytes).unwrap()), plain(), "{version} {compression} {size}");
        }
    }
}

/// One story in pages of one size, where each of the three numbers that give the size is wrong in turn.
#[test]
fn the_data_says_how_large_its_pages_are() {
    let mut text = String::from("cpus 1\nstart 1s\n");
    for step in 0..2000 {
        text += &format!(
            "+{}us cpu0 switch a:{} S -> b:{}\n",
            1 + step % 7,
            100 + step % 3,
            200 + step % 5
        );
    }
    for real in [4096u32, 8192] {
        for version in ["6", "7"] {
            let mut story = Story::parse(&text).unwrap();
            story.layout.version = version.into();
            story.layout.page_size = real;
            let bytes = story.to_bytes();
            let expected = told(&scans(bytes.clone()).unwrap());
            for claimed in [4096u32, 8192, 65536] {
                let mut header = bytes.clone();
                header[14..18].copy_from_slice(&claimed.to_le_bytes());
                assert_eq!(
                    told(&scans(header).unwrap()),
                    expected,
                    "version {version}, {real}, header says {claimed}"
                );
            }
        }
    }
}

#[test]
fn a_file_without_header_page_is_read_by_the_usual_one() {
    for (version, long_size) in [("6", 8), ("6", 4), ("7", 8), ("7", 4)] {
        let mut bytes = story(version, "none", |layout| {
            layout.long_size = long_size;
            layout.user_long_size = long_size;
        });
        let at = bytes.windows(12).position(|window| window == b"field: local").unwrap();
        bytes[at] ^= 0x20;
        let file = TraceFile::open(bytes.as_slice()).unwrap();
        assert!(
            file.diagnostics()[0].text.contains("header_page"),
            "{:?}",
            file.diagnostics()
        );
        let scans = (0..file.cpus().len()).map(|cpu| scan_cpu(&file, cpu).unwrap().records);
        assert_eq!(scans.sum::<u64>(), 15, "{version}");
    }
}

#[test]
fn sections_are_listed() {
    let file = TraceFile::open(story("7", "zstd", |layout| layout.instance = Some("sched".into()))).unwrap();
    let listed: Vec<(u16, bool, String)> = file
        .sections()
        .into_iter()
        .map(|section| (section.id, section.packed, section.description))
        .collect();
    let expected = [
        (16, true, "headers"),
        (17, true, "ftrace events"),
        (18, true, "events format"),
        (19, true, "kallsyms"),
        (20, true, "printk"),
        (21, true, "command lines"),
        (0, false, "options"),
        (3, true, "buffer flyrecord"),
        (0, false, "options"),
        (3, true, "buffer flyrecord"),
        (0, false, "options"),
        (15, true, "strings"),
    ];
    assert_eq!(listed, expected.map(|(id, packed, text)| (id, packed, text.to_owned())));
    assert!(TraceFile::open(story("6", "none", |_| {}))
        .unwrap()
        .sections()
        .is_empty());
}
