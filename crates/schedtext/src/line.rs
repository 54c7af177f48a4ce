//! One line of a scenario.

use schedrows::{Context, Row, RowKind, StateCode};

use crate::word::{cpu, name, number, task, time, Task, Words, MAX_CPUS};

/// What a line says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Line {
    /// Nothing: it is empty, or a comment.
    Nothing,
    /// Something about the whole trace.
    Setting(Setting),
    /// Something that happened on a CPU.
    Event(EventLine),
}

/// Stands before the first event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Setting {
    /// How many CPUs there are.
    Cpus(u32),
    /// The name of the clock.
    Clock(String),
    /// The system, as `uname` prints it.
    Uname(String),
}

/// When an event was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum When {
    /// By the trace's clock, in ns.
    At(u64),
    /// Nanoseconds after the event in the line before.
    After(u64),
}

/// An event on a CPU.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct EventLine {
    pub when: When,
    pub cpu: u32,
    pub what: What,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum What {
    /// Events were lost from then on until the CPU's next one; how many, where that is known.
    Lost(Option<u32>),
    /// A record.
    Record {
        /// The task that was on the CPU.
        current: Task,
        context: Context,
        action: Action,
    },
}

/// What a record says. `Row::prio` tells what `prio` is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Action {
    /// The current task makes room for the next one.
    Switch { state: StateCode, next: Task, prio: u8 },
    /// A task is woken; which of the three events, and on which CPU.
    Wake {
        kind: RowKind,
        task: Task,
        on: Option<u32>,
        prio: u8,
    },
    /// A task goes from one CPU's runqueue to another's; or one of the events that announce it on NUMA machines.
    Move {
        kind: RowKind,
        task: Task,
        from: Option<u32>,
        to: Option<u32>,
        prio: u8,
    },
    /// The current task forks.
    Fork { child: Task },
    /// The current task executes another program; `old_pid` is another one when a thread takes over its leader's PID.
    Exec { file: String, old_pid: Option<i32> },
    /// The current task ends.
    Exit { prio: u8 },
    /// The current task gets another name.
    Rename { comm: String },
    /// Any other record: it counts as one, and says nothing about scheduling.
    Other,
}

/// Every word for an event that names a task on CPUs, and its kind.
const WAKEUPS: [(&str, RowKind); 3] = [
    ("waking", RowKind::Waking),
    ("wakeup", RowKind::Wakeup),
    ("wakeup_new", RowKind::WakeupNew),
];
const MOVES: [(&str, RowKind); 4] = [
    ("migrate", RowKind::Migrate),
    ("move_numa", RowKind::MoveNuma),
    ("stick_numa", RowKind::StickNuma),
    ("swap_numa", RowKind::SwapNuma),
];

/// Reads a line, without its end.
pub(crate) fn line(text: &str) -> Result<Line, String> {
    let mut words = Words(text);
    let Some(first) = words.next() else {
        return Ok(Line::Nothing);
    };
    let line = match first {
        "cpus" => {
            let count = number(words.expect("the number of CPUs")?, "number of CPUs")?;
            if count == 0 || MAX_CPUS < count {
                return Err(format!("{count} CPUs: expected 1 to {MAX_CPUS}"));
            }
            Line::Setting(Setting::Cpus(count))
        }
        "clock" => Line::Setting(Setting::Clock(name(words.expect("the clock's name")?)?)),
        "uname" => Line::Setting(Setting::Uname(words.rest().to_owned())),
        _ => Line::Event(event(first, &mut words)?),
    };
    words.end()?;
    Ok(line)
}

fn event(first: &str, words: &mut Words<'_>) -> Result<EventLine, String> {
    let when = match first.strip_prefix('+') {
        Some(later) => When::After(time(later)?),
        None => When::At(time(first)?),
    };
    let cpu = cpu(words.expect("a CPU")?)?;
    let who = words.expect("the task that is on the CPU")?;
    if who == "lost" {
        let count = words
            .next()
            .map(|count| number(count, "number of events"))
            .transpose()?;
        let what = What::Lost(count);
        return Ok(EventLine { when, cpu, what });
    }
    let current = task(who)?;
    let mut event = words.expect("an event")?;
    let mut context = Context::default();
    if let Some(inside) = event.strip_prefix('[') {
        context = interrupts(inside).ok_or_else(|| {
            format!("`{event}` is no context: expected [hardirq], [softirq], [nmi] or several, as in [softirq+hardirq]")
        })?;
        event = words.expect("an event")?;
    }
    let what = What::Record {
        current,
        context,
        action: action(event, words)?,
    };
    Ok(EventLine { when, cpu, what })
}

/// The context in `[softirq+hardirq]`, without the first bracket.
fn interrupts(text: &str) -> Option<Context> {
    text.strip_suffix(']')?
        .split('+')
        .try_fold(Context::default(), |all, one| {
            Some(Context(
                all.0
                    | match one {
                        "hardirq" => Context::HARDIRQ,
                        "softirq" => Context::SOFTIRQ,
                        "nmi" => Context::NMI,
                        _ => return None,
                    },
            ))
        })
}

fn action(event: &str, words: &mut Words<'_>) -> Result<Action, String> {
    let kind_of = |table: &[(&str, RowKind)]| table.iter().find(|(word, _)| *word == event).map(|&(_, kind)| kind);
    if let Some(kind) = kind_of(&WAKEUPS) {
        let task = task(words.expect("the task that is woken")?)?;
        let Options { on, prio, .. } = options(words, &["on", "prio"])?;
        return Ok(Action::Wake { kind, task, on, prio });
    }
    if let Some(kind) = kind_of(&MOVES) {
        let task = task(words.expect("the task that moves")?)?;
        let Options { from, to, prio, .. } = options(words, &["from", "to", "prio"])?;
        return Ok(Action::Move {
            kind,
            task,
            from,
            to,
            prio,
        });
    }
    Ok(match event {
        "switch" => {
            let state = state(words.expect("a state")?)?;
            match words.expect("->")? {
                "->" => {}
                other => return Err(format!("`{other}` where -> should be")),
            }
            let next = task(words.expect("the next task")?)?;
            let Options { prio, .. } = options(words, &["prio"])?;
            Action::Switch { state, next, prio }
        }
        "fork" => Action::Fork {
            child: task(words.expect("the new task")?)?,
        },
        "exec" => {
            let file = name(words.expect("the program")?)?;
            let old_pid = match words.next() {
                None => None,
                Some("old_pid") => Some(number(words.expect("a PID")?, "PID")?),
                Some(other) => return Err(format!("`{other}` where old_pid or the line's end should be")),
            };
            Action::Exec { file, old_pid }
        }
        "exit" => Action::Exit {
            prio: options(words, &["prio"])?.prio,
        },
        "rename" => Action::Rename {
            comm: name(words.expect("the new name")?)?,
        },
        "other" => {
            words.rest();
            Action::Other
        }
        _ => {
            return Err(format!(
            "`{event}` is no event: expected switch, waking, wakeup, wakeup_new, migrate, fork, exec, exit, rename, \
                 move_numa, stick_numa, swap_numa or other"
        ))
        }
    })
}

/// The letter of a state, with a `+` where the task was preempted.
fn state(word: &str) -> Result<StateCode, String> {
    let (letter, preempted) = match word.strip_suffix('+') {
        Some(letter) => (letter, StateCode::PREEMPTED),
        None => (word, 0),
    };
    if letter == "throttled" {
        // A deadline task that is runnable and makes room for one of a lesser class.
        return Ok(StateCode(b'R' | preempted).with_prios(-1, 1));
    }
    if word == "yielded" {
        return Ok(StateCode(b'R').in_yield());
    }
    match letter.as_bytes() {
        &[letter] if letter.is_ascii_alphabetic() || letter == b'?' => Ok(StateCode(letter | preempted)),
        _ => Err(format!(
            "`{word}` is no state: expected a letter as in S, R+ or D, throttled or yielded"
        )),
    }
}

/// What follows an event's task, in any order.
struct Options {
    on: Option<u32>,
    from: Option<u32>,
    to: Option<u32>,
    prio: u8,
}

fn options(words: &mut Words<'_>, allowed: &[&str]) -> Result<Options, String> {
    let (mut on, mut from, mut to, mut prio) = (None, None, None, None);
    while let Some(key) = words.next() {
        let cpu_of = match key {
            _ if !allowed.contains(&key) => {
                return Err(format!(
                    "`{key}` where {} or the line's end should be",
                    allowed.join(", ")
                ))
            }
            "on" => &mut on,
            "from" => &mut from,
            "to" => &mut to,
            _ => {
                let value: i64 = number(words.expect("a priority")?, "priority")?;
                if prio.replace(Row::prio_code(value)).is_some() {
                    return Err("a second prio".to_owned());
                }
                continue;
            }
        };
        if cpu_of.replace(cpu(words.expect("a CPU")?)?).is_some() {
            return Err(format!("a second {key}"));
        }
    }
    let prio = prio.unwrap_or(Row::NO_PRIO);
    Ok(Options { on, from, to, prio })
}
