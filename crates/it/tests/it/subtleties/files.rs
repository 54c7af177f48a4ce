//! 9 and 10: strings, headers and clocks as kernels and recorders write them.

use super::story::check_in;
use tracedat::file::TraceFile;
use tracegen::Story;

const EVENTS: &str = r#"
    cpus 2
    0   cpu0 switch swapper/0:0 R -> "a b:10"
    5   cpu0 fork "a b:10" -> "a b:20"
    6   cpu0 wakeup_new "a b:20" on 1 prio 98
    8   cpu1 switch swapper/1:0 R -> "a b:20" prio 98
    10  cpu1 exec "a b:20" /usr/bin/something/long
    11  cpu1 rename 20 "a b" -> something
    15  cpu1 exit something:20
    16  cpu1 switch something:20 Z -> swapper/1:0
    20  cpu0 switch "a b:10" D -> swapper/0:0"#;

const STORY: &str = "
    cpu0: 0-20 a b:10 D, 20-20 idle
    cpu1: 0-8 ~idle, 8-16 a b:20 Z, 16-20 idle
    20 woken by 10 on cpu0: wakeup_new 6, runnable 6, running 8; ? -> cpu1
    20 waits 6-8 for cpu1, woken
    20 forked by 10";

#[test]
fn s09_strings_and_common_headers_of_every_kind_tell_the_same() {
    for strings in ["fixed", "data_loc", "rel_loc"] {
        for common in ["plain", "lazy"] {
            for endian in ["little", "big"] {
                for long in [4, 8] {
                    for version in [6, 7] {
                        let layout = format!(
                            "version {version}\nendian {endian}\nlong {long}\nstrings {strings}\ncommon {common}"
                        );
                        check_in(&layout, EVENTS, STORY);
                    }
                }
            }
        }
    }
}

#[test]
fn s10_the_clock_is_known_and_ticks_are_not_taken_for_nanoseconds() {
    for (clock, is_ns) in [
        ("local", true),
        ("global", true),
        ("mono", true),
        ("mono_raw", true),
        ("boot", true),
        ("tai", true),
        ("x86-tsc", false),
        ("counter", false),
        ("uptime", false),
    ] {
        let layout = format!("clock {clock}");
        let text = format!("{layout}\n{EVENTS}");
        let file = TraceFile::open(Story::parse(&text).unwrap().to_bytes()).unwrap();
        assert_eq!((file.clock_is_ns(), clock), (is_ns, clock));
        check_in(&layout, EVENTS, STORY);
    }
}
