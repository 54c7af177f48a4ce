//! Opening arbitrary bytes may fail, but never panics and never takes more room than the bytes do.

use proptest::prelude::*;
use schedrows::{Source, Want};
use schedtext::ScenarioFile;

/// Words of which lines consist, and some others.
const WORDS: [&str; 41] = [
    "1s",
    "2.5ms",
    "+3us",
    "+0ns",
    "cpu0",
    "cpu1",
    "cpu8191",
    "cpu8192",
    "idle",
    "a:1",
    "b c:2",
    "\"d e\":3",
    "\"",
    "\\",
    "lost",
    "[softirq]",
    "[nmi+hardirq]",
    "[",
    "switch",
    "S",
    "R+",
    "throttled",
    "yielded",
    "->",
    "waking",
    "wakeup_new",
    "migrate",
    "fork",
    "exec",
    "exit",
    "rename",
    "swap_numa",
    "other",
    "on",
    "from",
    "to",
    "prio",
    "-1",
    "cpus",
    "clock",
    "uname",
];

fn line() -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(WORDS.to_vec()), 0..9).prop_map(|words| words.join(" "))
}

fn text() -> impl Strategy<Value = Vec<u8>> {
    let lines = prop::collection::vec(line(), 0..30).prop_map(|lines| lines.join("\n").into_bytes());
    prop_oneof![lines, prop::collection::vec(any::<u8>(), 0..300)]
}

proptest! {
    #[test]
    fn any_text_is_scanned(text in text(), titled in any::<bool>(), piece in 1_usize..50) {
        let mut bytes = Vec::new();
        if titled {
            bytes.extend_from_slice(b"# corelane scenario 1\n");
        }
        bytes.extend(&text);
        let opened = ScenarioFile::open(bytes.as_slice());
        // A scanner may be given another text than the one that was opened.
        let empty = ScenarioFile::open(&b"# corelane scenario 1"[..]).unwrap();
        let mut scanner = empty.scanner(0, Want::default()).unwrap();
        bytes.chunks(piece).for_each(|piece| scanner.push(piece));
        let events = scanner.events();
        let scan = scanner.finish();
        let rows: usize = scan.cpus.iter().map(|cpu| cpu.rows.len()).sum();
        prop_assert!(rows as u64 <= events + 1 && rows <= bytes.len());
        match opened {
            Ok(file) => {
                prop_assert_eq!(file.first_ns().unwrap(), scan.cpus.iter().filter_map(|cpu| cpu.first_ns).min());
                prop_assert!(scan.cpus.iter().all(|cpu| cpu.cpu < file.info().cpu_count));
            }
            Err(error) => {
                prop_assert!(error.place.is_some());
                prop_assert!(scan.cpus.iter().flat_map(|cpu| &cpu.diagnostics).any(|told| told.text.starts_with("line ")));
            }
        }
    }
}
