//! A text with a mistake does not open, and the error says what the mistake is and in which line.

use schedrows::ErrorKind;
use schedtext::ScenarioFile;

use crate::open;

#[test]
fn mistakes_are_named_with_their_line() {
    for (line, what) in [
        ("x", "`x` is no time"),
        ("1s", "the line ends where a CPU should be"),
        ("1s cpu", "`cpu` is no CPU"),
        ("1s cpu0", "the line ends where the task that is on the CPU should be"),
        ("1s cpu0 bash", "`bash` is no task"),
        ("1s cpu0 a:1", "the line ends where an event should be"),
        ("1s cpu0 a:1 swich", "`swich` is no event: expected switch, waking"),
        ("1s cpu0 a:1 [irq] exit", "`[irq]` is no context"),
        ("1s cpu0 a:1 switch Sleep -> b:2", "`Sleep` is no state"),
        ("1s cpu0 a:1 switch S b:2", "`b:2` where -> should be"),
        ("1s cpu0 a:1 switch S ->", "the line ends where the next task should be"),
        ("1s cpu0 a:1 waking b:2 on 3", "`3` is no CPU"),
        (
            "1s cpu0 a:1 waking b:2 from cpu3",
            "`from` where on, prio or the line's end should be",
        ),
        ("1s cpu0 a:1 waking b:2 on cpu1 on cpu2", "a second on"),
        ("1s cpu0 a:1 exit prio 1 prio 2", "a second prio"),
        ("1s cpu0 a:1 exit prio high", "`high` is no priority"),
        ("1s cpu0 a:1 exec", "the line ends where the program should be"),
        ("1s cpu0 a:1 exec x 5", "`5` where old_pid or the line's end should be"),
        ("1s cpu0 a:1 rename \"b", "the quotes of \"b do not close"),
        ("1s cpu0 a:1 fork b:2 3", "`3` where the line should end"),
        ("1s cpu0 lost many", "`many` is no number of events"),
        ("+1s cpu0 a:1 exit", "there is none"),
        ("cpus 0", "0 CPUs: expected 1 to 8192"),
        ("cpus 9000", "9000 CPUs"),
        ("cpus 2\n1s cpu2 a:1 exit", "an event on cpu2 of a machine with 2 CPUs"),
        (
            "1s cpu0 a:1 exit\nclock mono",
            "settings (cpus, clock, uname) come before the first event",
        ),
        (
            "2s cpu0 a:1 exit\n1s cpu0 a:1 exit",
            "time goes back on cpu0: 1000000000 ns after 2000000000 ns",
        ),
        ("9223372036s cpu0 a:1 exit\n+1s cpu0 a:1 exit", "more than 292 years"),
    ] {
        let error = open(line).unwrap_err();
        let last = line.lines().count() + 1;
        assert_eq!(error.kind, ErrorKind::Malformed, "{line}");
        assert!(error.what.contains(what), "{line}: {}", error.what);
        assert_eq!(error.place, Some(format!("line {last}")), "{line}");
        assert_eq!(error.to_string(), format!("line {last}: {}", error.what));
        assert!(error.advice.contains("docs/scenario.md"));
    }
}

#[test]
fn the_first_mistake_counts() {
    let error = open("1s cpu0 a:1 exit\n2s oops\n3s also wrong\n").unwrap_err();
    assert_eq!(error.place.as_deref(), Some("line 3"));
}

#[test]
fn other_versions_and_other_first_lines_are_told() {
    let error = |text: &str| ScenarioFile::open(text.as_bytes()).map(|_| ()).unwrap_err();
    let newer = error("# corelane scenario 2\n1s cpu0 later syntax");
    assert_eq!(
        (newer.kind, newer.place.as_deref()),
        (ErrorKind::Unsupported, Some("line 1"))
    );
    assert_eq!(newer.what, "version 2 of scenarios (1 is) is not supported");
    assert_eq!(error("# corelane scenario\n").kind, ErrorKind::Malformed);
    assert!(error("# corelane scenario one")
        .what
        .contains("`# corelane scenario 1` should be"));
    assert!(ScenarioFile::open(&b"# corelane scenario 1"[..]).is_ok());
}
