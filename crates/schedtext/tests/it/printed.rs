//! Rows printed as a scenario come back as the same rows.

use std::fmt::Write;

use proptest::prelude::*;
use schedrows::{Context, Row, RowKind, StateCode};

use crate::{open, scans};

/// A row with its names in place of their numbers.
#[derive(Clone, Debug, PartialEq)]
struct Told {
    row: Row32,
    comm: String,
    comm2: String,
}

/// Everything in a [`Row`] except the numbers of names.
type Row32 = (u64, i32, i32, i32, RowKind, u8, u8, u8);

/// A task in a generated event.
type Task = (String, i32);

#[derive(Clone, Debug)]
struct Made {
    cpu: u32,
    later: u64,
    current: Task,
    other: Task,
    kind: RowKind,
    context: u8,
    state: StateCode,
    prio: Option<i64>,
    from: Option<u32>,
    to: Option<u32>,
}

fn task() -> impl Strategy<Value = Task> {
    (
        prop_oneof![
            "[a-z]{1,5}",
            any::<String>().prop_filter("short", |name| name.len() < 99)
        ],
        any::<i32>(),
    )
}

fn made() -> impl Strategy<Value = Made> {
    let state = prop_oneof![
        (prop::sample::select(b"RSDTtXZPI?".to_vec()), any::<bool>())
            .prop_map(|(letter, preempted)| StateCode(letter | if preempted { StateCode::PREEMPTED } else { 0 })),
        Just(StateCode(b'R').with_prios(-1, 120)),
        Just(StateCode(b'R').in_yield()),
    ];
    let kind = prop::sample::select(RowKind::ALL.to_vec());
    let cpu = || prop::option::of(0_u32..8192);
    let what = (kind, 0_u8..8, state, prop::option::of(-1_i64..140), cpu(), cpu());
    (0_u32..4, 0_u64..5_000_000_000, task(), task(), what).prop_map(
        |(cpu, later, current, other, (kind, context, state, prio, from, to))| Made {
            cpu,
            later,
            current,
            other,
            kind,
            context,
            state,
            prio,
            from,
            to,
        },
    )
}

fn quoted(name: &str) -> String {
    let mut text = "\"".to_owned();
    for char in name.chars() {
        match char {
            '"' | '\\' => text.extend(['\\', char]),
            _ if char.is_control() => write!(text, "\\u{{{:x}}}", u32::from(char)).unwrap(),
            _ => text.push(char),
        }
    }
    text + "\""
}

/// The line, and what it has to be read as; the events are in order of time.
fn told(made: &Made, at: u64) -> (String, Told) {
    let Made {
        cpu,
        current,
        other,
        kind,
        state,
        ..
    } = made;
    let named = |(comm, pid): &Task| format!("{}:{pid}", quoted(comm));
    let contexts = [
        (Context::HARDIRQ, "hardirq"),
        (Context::SOFTIRQ, "softirq"),
        (Context::NMI, "nmi"),
    ];
    let contexts: Vec<&str> = contexts
        .iter()
        .filter(|(bit, _)| made.context & bit != 0)
        .map(|&(_, name)| name)
        .collect();
    let context = if contexts.is_empty() {
        String::new()
    } else {
        format!("[{}] ", contexts.join("+"))
    };
    let option = |name: &str, cpu: Option<u32>| cpu.map_or(String::new(), |cpu| format!(" {name} cpu{cpu}"));
    let field = |cpu: Option<u32>| cpu.map_or(-1, |cpu| cpu as i32);
    let prio = made.prio.map_or(String::new(), |prio| format!(" prio {prio}"));
    let code = made.prio.map_or(Row::NO_PRIO, Row::prio_code);
    let other_name = named(other);
    let mut row: Row32 = (at, current.1, current.1, 0, *kind, made.context, 0, Row::NO_PRIO);
    let (mut comm, mut comm2) = (current.0.clone(), String::new());
    let text = match kind {
        RowKind::Switch => {
            (row.3, row.6, row.7, comm2) = (other.1, state.0, code, other.0.clone());
            let plus = if state.preempted() { "+" } else { "" };
            let letter = match (state.throttled(), state.yielded()) {
                (true, _) => "throttled".to_owned(),
                (_, true) => "yielded".to_owned(),
                _ => char::from(state.letter()).to_string(),
            };
            format!("switch {letter}{plus} -> {other_name}{prio}")
        }
        RowKind::Waking | RowKind::Wakeup | RowKind::WakeupNew => {
            (row.2, row.3, row.7, comm) = (other.1, field(made.to), code, other.0.clone());
            let word = ["", "waking", "wakeup", "wakeup_new"][*kind as usize];
            format!("{word} {other_name}{prio}{}", option("on", made.to))
        }
        RowKind::Migrate | RowKind::MoveNuma | RowKind::StickNuma | RowKind::SwapNuma => {
            (row.2, row.3, row.7, comm) = (other.1, field(made.to), code, other.0.clone());
            comm2 = format!("CPU {}", field(made.from));
            let word = match kind {
                RowKind::Migrate => "migrate",
                RowKind::MoveNuma => "move_numa",
                RowKind::StickNuma => "stick_numa",
                _ => "swap_numa",
            };
            format!(
                "{word} {other_name}{}{prio}{}",
                option("to", made.to),
                option("from", made.from)
            )
        }
        RowKind::Fork => {
            (row.3, comm2) = (other.1, other.0.clone());
            format!("fork {other_name}")
        }
        RowKind::Exec => {
            (row.3, comm) = (other.1, other.0.clone());
            format!("exec {} old_pid {}", quoted(&other.0), other.1)
        }
        RowKind::Exit => {
            row.7 = code;
            format!("exit{prio}")
        }
        RowKind::Rename => {
            comm2.clone_from(&other.0);
            format!("rename {}", quoted(&other.0))
        }
        RowKind::Lost => {
            let count = made.to.map(|count| count as i32);
            row = (at, 0, 0, count.unwrap_or(-1), *kind, 0, 0, Row::NO_PRIO);
            comm.clear();
            let count = count.map_or(String::new(), |count| format!(" {count}"));
            return (format!("{at}ns cpu{cpu} lost{count}\n"), Told { row, comm, comm2 });
        }
    };
    let line = format!(
        "{}.{:09}s cpu{cpu} {} {context}{text}\n",
        at / 1_000_000_000,
        at % 1_000_000_000,
        named(current)
    );
    (line, Told { row, comm, comm2 })
}

proptest! {
    #[test]
    fn rows_come_back(all in prop::collection::vec(made(), 0..60)) {
        let (mut text, mut at) = (String::new(), 0);
        let mut expected: [Vec<Told>; 4] = Default::default();
        for made in &all {
            at += made.later;
            let (line, told) = told(made, at);
            text += &line;
            expected[made.cpu as usize].push(told);
        }
        let file = open(&text).unwrap();
        let mut found: [Vec<Told>; 4] = Default::default();
        for scan in scans(&file) {
            let name = |number: u32| scan.comms.names[number as usize].clone();
            found[scan.cpu as usize] = scan.rows.iter().map(|row| {
                let is_move = matches!(row.kind,
                    RowKind::Migrate | RowKind::MoveNuma | RowKind::StickNuma | RowKind::SwapNuma);
                Told {
                    row: (row.ts, row.common_pid, row.pid, row.arg, row.kind, row.context, row.state, row.prio),
                    comm: name(row.comm),
                    comm2: if is_move { format!("CPU {}", row.comm2 as i32) } else { name(row.comm2) },
                }
            }).collect();
        }
        prop_assert_eq!(found, expected);
    }
}
