//! What is read, what is refused and where, and what a filter decides on parts of the kernel's formats.

#![allow(
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test that panics has failed"
)]

use eventfilter::{Clock, Context, Filter, FilterError, KnownEvent, RecordToFilter, MAX_DEPTH, MAX_LENGTH};
use traceevent::{Endian, EventFormat};

const COMMON: &str = "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n\
    \tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n";

fn format(name: &str, id: u16, fields: &str) -> EventFormat {
    let text = format!("name: {name}\nID: {id}\nformat:\n{COMMON}{fields}\nprint fmt: \"\"\n");
    EventFormat::parse(&text).unwrap()
}

fn formats() -> Vec<(&'static str, EventFormat)> {
    let switch = "\tfield:char prev_comm[16];\toffset:8;\tsize:16;\tsigned:0;\n\
        \tfield:int prev_prio;\toffset:24;\tsize:4;\tsigned:1;\n\
        \tfield:int next_prio;\toffset:28;\tsize:4;\tsigned:1;\n";
    let wakeup = "\tfield:char comm[16];\toffset:8;\tsize:16;\tsigned:0;\n\
        \tfield:pid_t pid;\toffset:24;\tsize:4;\tsigned:1;\n";
    let timer = "\tfield:void * function;\toffset:8;\tsize:8;\tsigned:0;\n\
        \tfield:u32 list[4];\toffset:16;\tsize:16;\tsigned:0;\n";
    vec![
        ("sched", format("sched_switch", 1, switch)),
        ("sched", format("sched_wakeup", 2, wakeup)),
        ("timer", format("hrtimer_expire_entry", 3, timer)),
    ]
}

struct Names;

impl Context for Names {
    fn comm(&self, pid: i32) -> &[u8] {
        match pid {
            7 => b"bash",
            _ => b"<...>",
        }
    }

    fn function(&self, address: u64) -> Option<&str> {
        (address == 0xffff_ffff_8100_0000).then_some("hrtimer_wakeup")
    }

    fn line(&mut self) -> &[u8] {
        b"bash-7 sched_wakeup: Sleep:9 [120]"
    }
}

fn records() -> Vec<Vec<u8>> {
    let head = |id: u16, pid: i32| [&id.to_le_bytes()[..], &[0, 0], &pid.to_le_bytes()].concat();
    let comm = |name: &str| {
        let mut comm = name.as_bytes().to_vec();
        comm.resize(16, 0);
        comm
    };
    let int = |value: i32| value.to_le_bytes().to_vec();
    let function = 0xffff_ffff_8100_0000_u64.to_le_bytes().to_vec();
    vec![
        [head(1, 7), comm("bash"), int(120), int(-1)].concat(),
        [head(2, 7), comm("sleep"), int(9)].concat(),
        [head(3, 0), function, vec![0; 16]].concat(),
    ]
}

/// The ids of the three records that pass.
fn passing(text: &str) -> Result<Vec<u16>, String> {
    let formats = formats();
    let events = formats.iter().map(|(system, format)| KnownEvent {
        id: format.id,
        system,
        name: &format.name,
        format,
    });
    let shown = |error: FilterError| format!("{:?} {error}", error.at);
    let filter = Filter::parse(text).map_err(shown)?;
    let bound = filter.bind(events, Endian::Little, Clock::Nanoseconds).map_err(shown)?;
    let records = records();
    let passing = (1..).zip(&records).filter(|(id, data)| {
        let record = RecordToFilter {
            id: *id,
            cpu: 2,
            ts: 12_500_000_000,
            data,
        };
        bound.takes(&record, &mut Names)
    });
    Ok(passing.map(|(id, _)| id).collect())
}

#[test]
fn filters_decide() {
    for (text, ids) in [
        ("next_prio < 100", &[1][..]),
        ("next_prio < 0 && prev_comm ~ \"ba*\"", &[1]),
        ("prev_comm == bash", &[1]),
        ("prev_prio & 0x8", &[1]),
        ("prev_prio != next_prio", &[1]),
        ("sched_switch:", &[1]),
        ("sched/sched_switch:", &[1]),
        ("sched:sched_switch", &[1]),
        ("sched_switch", &[1]),
        ("sched/sched_switch, hrtimer*", &[1, 3]),
        ("sched:sched_switch: prev_prio == 120", &[1]),
        ("sched/sched_switch, sched_wakeup : cpu == 2", &[1, 2]),
        ("sched/*:", &[1, 2]),
        ("sched:*", &[1, 2]),
        ("sched_*: CPU == 2", &[1, 2]),
        // The event's own field, or the task in which it happened.
        ("pid == 7", &[1]),
        ("pid == 9", &[2]),
        ("common_pid == 7", &[1, 2]),
        ("comm == sleep", &[2]),
        ("COMM == bash", &[1, 2]),
        ("comm == bash", &[1]),
        ("event ~ \"*wakeup\"", &[2]),
        ("system == timer", &[3]),
        ("event == hrtimer_expire_entry || pid == 9", &[2, 3]),
        ("time >= 12.5 && ts < 12.500000001", &[1, 2, 3]),
        ("time > 12.5", &[]),
        ("text ~ sLEEP", &[1, 2, 3]),
        ("text !~ sleep", &[]),
        ("function == hrtimer_wakeup", &[3]),
        ("function.function ~ 'hrtimer_*'", &[3]),
        ("function == 0xffffffff81000000", &[3]),
        // No record passes a comparison of a field that it does not have, but passes the contrary.
        ("prev_prio != 0", &[1]),
        ("!(prev_prio == 120)", &[2, 3]),
        ("!prev_prio == 120", &[2, 3]),
        // && binds closer.
        ("pid == 9 || prev_prio == 120 && next_prio == 0", &[2]),
        ("(pid == 9 || prev_prio == 120) && next_prio == 0", &[]),
    ] {
        assert_eq!(passing(text), Ok(ids.to_vec()), "{text}");
    }
}

#[test]
fn what_is_wrong_is_told_with_its_place() {
    for (text, expected) in [
        ("", "0..0 the filter is empty"),
        ("next_prio", "0..9 the trace knows no event `next_prio`"),
        ("pid == 1 && next_prio", "12..21 `next_prio` is compared with nothing"),
        (
            "next_prio <",
            "11..11 expected a number, a text or a field, found the end of the filter",
        ),
        ("next_prio = 1", "10..11 `=` compares nothing: `==` does"),
        (
            "next_prio == 1 bla",
            "15..18 expected `&&`, `||` or the end, found `bla`",
        ),
        ("(next_prio == 1", "0..1 this parenthesis is not closed"),
        ("prev_comm ~ \"x", "12..14 the text has no \" at its end"),
        (
            "next_prio == 99999999999999999999",
            "13..33 `99999999999999999999` has more than 64 bits",
        ),
        (
            "next_pro == 1",
            "0..8 no event has a field `next_pro`; the closest is next_prio",
        ),
        (
            "prev_prio == 1 && prev_com == 1",
            "18..26 no event has a field `prev_com`; the closest is prev_comm",
        ),
        (
            "sched_wakeup: prev_prio == 1",
            "14..23 no event has a field `prev_prio`",
        ),
        (
            "sched_swich: prev_prio == 1",
            "0..11 the trace knows no event `sched_swich`; the closest is sched_switch",
        ),
        (
            "shed/sched_switch:",
            "0..17 the trace knows no system `shed`; the closest is sched",
        ),
        (
            "next_prio == \"high\"",
            "0..19 `next_prio` is a number, and \"high\" a text",
        ),
        (
            "next_prio == high",
            "0..17 `next_prio` is a number, and `high` neither a number nor a field of sched_switch",
        ),
        (
            "prev_comm == 5",
            "0..14 `prev_comm` is a text, and 5 a number: put it in quotes",
        ),
        (
            "prev_comm < \"a\"",
            "0..15 `prev_comm` is a text: it takes == != ~ !~, and not <",
        ),
        ("next_prio ~ \"1*\"", "0..16 `next_prio` is a number: ~ takes a text"),
        (
            "list == 1",
            "0..9 `list` is a list of numbers, which cannot be compared",
        ),
        ("text == \"x\"", "0..11 `text` is the whole line: it takes ~ and !~"),
    ] {
        assert_eq!(passing(text), Err(expected.to_owned()), "{text}");
    }
}

#[test]
fn marks_stand_below_what_is_wrong() {
    let text = "comm == ä && (";
    let error = Filter::parse(text).unwrap_err();
    assert_eq!(error.pointed(text), "    comm == ä && (\n                  ^");
    let text = "ä ";
    let error = Filter::parse(text).unwrap_err();
    assert_eq!(error.pointed(text), "    ä \n    ^");
}

#[test]
fn depth_and_length_are_bounded() {
    let nested = |depth: usize| format!("{}pid == 9{}", "(".repeat(depth), ")".repeat(depth));
    assert_eq!(passing(&nested(MAX_DEPTH - 1)), Ok(vec![2]));
    assert!(passing(&nested(MAX_DEPTH)).unwrap_err().contains("within each other"));
    assert!(passing(&"!".repeat(MAX_LENGTH))
        .unwrap_err()
        .contains("within each other"));
    assert!(passing(&"x".repeat(MAX_LENGTH + 1)).unwrap_err().contains("at most"));
    let many = vec!["pid == 9"; 600].join(" || ");
    assert_eq!(passing(&many), Ok(vec![2]));
}
