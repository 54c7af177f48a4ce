//! The text of an event: as the kernel's print fmt writes it, as the plugins of trace-cmd and perf do, and as fields
//! (`trace-cmd report -R`).

use schedrows::{KernelStates, RowKind, SchedExtKind, SchedExtTold, StateCode};

/// What an event says; the fields are those of [`schedrows::Row`], with names in place of their numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Told<'a> {
    pub kind: RowKind,
    pub pid: i32,
    pub arg: i32,
    pub comm: &'a str,
    pub comm2: Second<'a>,
    pub state: StateCode,
    pub prio: Option<i64>,
    /// `prev_state`, where it is a number, which the kernel says the meaning of.
    pub number: Option<u32>,
    /// In the words of a plugin, which say R for R+ in some versions.
    pub by_plugin: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Second<'a> {
    None,
    Name(&'a str),
    Number(i32),
}

/// The kind of an event that makes rows.
pub(crate) fn kind_of(system: Option<&str>, event: &str) -> Option<RowKind> {
    RowKind::ALL.into_iter().find(|kind| {
        kind.event_name()
            .is_some_and(|(of, name)| name == event && system.is_none_or(|system| system == of))
    })
}

impl Told<'_> {
    /// An event that says nothing.
    pub fn of(kind: RowKind) -> Self {
        Told {
            kind,
            pid: 0,
            arg: 0,
            comm: "",
            comm2: Second::None,
            state: StateCode(0),
            prio: None,
            number: None,
            by_plugin: false,
        }
    }
}

/// Reads a text; `None` where it does not say what the event needs.
#[cold]
pub(crate) fn told(kind: RowKind, text: &str) -> Option<Told<'_>> {
    let plain = Told::of(kind);
    Some(match kind {
        RowKind::Switch => return switch(plain, text),
        RowKind::Waking | RowKind::Wakeup | RowKind::WakeupNew => return wakeup(plain, text),
        RowKind::Migrate => Told {
            pid: pid(text, "pid=")?,
            arg: pid(text, "dest_cpu=")?,
            comm: name(text, "comm=", " pid=")?,
            comm2: Second::Number(pid(text, "orig_cpu=")?),
            prio: number(text, "prio="),
            ..plain
        },
        RowKind::Fork => {
            let is_raw = after(text, "parent_pid=").is_some();
            let (comm, parent) = if is_raw {
                ("parent_comm=", "parent_pid=")
            } else {
                ("comm=", "pid=")
            };
            Told {
                pid: pid(text, parent)?,
                arg: pid(text, "child_pid=")?,
                comm: name(text, comm, if is_raw { " parent_pid=" } else { " pid=" })?,
                comm2: Second::Name(name(text, "child_comm=", " child_pid=")?),
                ..plain
            }
        }
        RowKind::Exec => Told {
            pid: pid(text, "pid=")?,
            arg: pid(text, "old_pid=")?,
            comm: name(text, "filename=", " pid=")?,
            ..plain
        },
        RowKind::Exit => Told {
            pid: pid(text, "pid=")?,
            comm: name(text, "comm=", " pid=")?,
            prio: number(text, "prio="),
            ..plain
        },
        RowKind::Rename => Told {
            pid: pid(text, "pid=")?,
            comm: name(text, "oldcomm=", " newcomm=")?,
            comm2: Second::Name(name(text, "newcomm=", " oom_score_adj=")?),
            ..plain
        },
        RowKind::MoveNuma | RowKind::StickNuma | RowKind::SwapNuma => Told {
            pid: pid(text, "pid=").or_else(|| pid(text, "src_pid="))?,
            arg: pid(text, "dst_cpu=")?,
            comm2: Second::Number(pid(text, "src_cpu=")?),
            ..plain
        },
        RowKind::Lost => return None,
    })
}

/// What an event of sched_ext says: in the words of its print fmt, or as fields.
pub(crate) fn sched_ext_told(kind: SchedExtKind, text: &str) -> Option<SchedExtTold> {
    let field = |name: &str| text.strip_prefix(name).unwrap_or(text).trim_end().to_owned();
    Some(match kind {
        SchedExtKind::Counter => {
            let text = text
                .strip_prefix("name")
                .and_then(|text| text.strip_prefix([' ', '=']))?;
            let (name, delta) = text.split_once(" delta")?;
            SchedExtTold::Counter {
                name: name.trim_end().to_owned(),
                delta: leading(delta.strip_prefix([' ', '='])?)?,
            }
        }
        SchedExtKind::Dump => SchedExtTold::Dump(field("line=")),
        SchedExtKind::Exit => SchedExtTold::Exit(field("name=")),
    })
}

fn switch<'a>(plain: Told<'a>, text: &'a str) -> Option<Told<'a>> {
    let (state, prev_prio, told) = if let Some(state) = after(text, "prev_state=") {
        let (before, rest) = around(text, " ==> next_comm=").or_else(|| around(text, " next_comm="))?;
        let told = Told {
            pid: pid(before, "prev_pid=")?,
            comm: name(before, "prev_comm=", " prev_pid=")?,
            arg: pid(rest, "next_pid=")?,
            comm2: Second::Name(around(rest, " next_pid=")?.0),
            prio: number(rest, "next_prio="),
            ..plain
        };
        (state.split_whitespace().next()?, number(before, "prev_prio="), told)
    } else {
        // `bash:169 [120] S ==> ls:645 [120]`
        let (before, next) = text.rsplit_once(" ==> ")?;
        let (prev, state) = before.rsplit_once(' ')?;
        let (comm, prev_pid, prev_prio) = task(prev)?;
        let (next_comm, next_pid, prio) = task(next)?;
        let told = Told {
            pid: prev_pid,
            comm,
            arg: next_pid,
            comm2: Second::Name(next_comm),
            prio,
            by_plugin: true,
            ..plain
        };
        (state, prev_prio, told)
    };
    let number = state_number(state);
    let state = state_of(state);
    let state = match (prev_prio, told.prio) {
        (Some(prev), Some(next)) => state.with_prios(prev, next),
        _ => state,
    };
    Some(Told { state, number, ..told })
}

fn wakeup<'a>(plain: Told<'a>, text: &'a str) -> Option<Told<'a>> {
    if let Some((before, cpu)) = text.rsplit_once(" CPU:") {
        // `ls:645 [120] CPU:001`, in older versions with `success=1` before the CPU.
        let end = before.rfind(']')?;
        let (comm, pid, prio) = task(before.get(..=end)?)?;
        return Some(Told {
            pid,
            comm,
            prio,
            arg: leading(cpu)?,
            ..plain
        });
    }
    Some(Told {
        pid: pid(text, "pid=")?,
        comm: name(text, "comm=", " pid=")?,
        prio: number(text, "prio="),
        arg: pid(text, "target_cpu=").or_else(|| pid(text, "cpu="))?,
        ..plain
    })
}

/// `bash:169 [120]`.
fn task(text: &str) -> Option<(&str, i32, Option<i64>)> {
    let (who, prio) = text.trim().rsplit_once(" [")?;
    let (comm, pid) = who.rsplit_once(':')?;
    Some((
        comm,
        pid.parse().ok()?,
        prio.strip_suffix(']').and_then(|prio| prio.parse().ok()),
    ))
}

/// What stands behind a key, which ends with `=`, that begins a word.
fn after<'a>(text: &'a str, key: &str) -> Option<&'a str> {
    memchr::memchr_iter(b'=', text.as_bytes()).find_map(|at| {
        let (found, rest) = text.split_at_checked(at + 1)?;
        let before = found.strip_suffix(key)?;
        (before.is_empty() || before.ends_with(' ')).then_some(rest)
    })
}

/// What stands before and behind the last place of a key, which ends with `=`.
fn around<'a>(text: &'a str, key: &str) -> Option<(&'a str, &'a str)> {
    memchr::memrchr_iter(b'=', text.as_bytes()).find_map(|at| {
        let (found, rest) = text.split_at_checked(at + 1)?;
        Some((found.strip_suffix(key)?, rest))
    })
}

/// The number that a text begins with.
fn leading<T: TryFrom<i64>>(text: &str) -> Option<T> {
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    let number = match (text.strip_prefix("0x"), text.strip_prefix('-')) {
        (Some(hex), _) => {
            let len = hex.bytes().take_while(u8::is_ascii_hexdigit).count();
            i64::from_str_radix(hex.get(..len)?, 16).ok()?
        }
        (None, Some(negative)) => negative.get(..digits(negative))?.parse::<i64>().ok()?.checked_neg()?,
        (None, None) => text.get(..digits(text))?.parse().ok()?,
    };
    T::try_from(number).ok()
}

fn number(text: &str, key: &str) -> Option<i64> {
    leading(after(text, key)?)
}

fn pid(text: &str, key: &str) -> Option<i32> {
    leading(after(text, key)?)
}

/// A name, which may hold anything, between a key and the last place of the next one.
fn name<'a>(text: &'a str, key: &str, next: &str) -> Option<&'a str> {
    let rest = after(text, key)?;
    Some(around(rest, next).map_or(rest, |(name, _)| name))
}

/// `prev_state`: letters; of a number, what it means in all kernels that write it.
pub(crate) fn state_of(text: &str) -> StateCode {
    if let Some(number) = state_number(text) {
        return KernelStates::UNKNOWN.that_write(number.into()).decode(number.into());
    }
    let letter = text.bytes().next().filter(u8::is_ascii_alphabetic).unwrap_or(b'?');
    let plus = if text.ends_with('+') { StateCode::PREEMPTED } else { 0 };
    StateCode(letter | plus)
}

/// `prev_state` as a number, if it is one.
#[inline]
pub(crate) fn state_number(text: &str) -> Option<u32> {
    match text.as_bytes().first() {
        Some(b'0'..=b'9') => leading(text),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_switch_reads_the_same_in_every_form() {
        let kernel = "prev_comm=a b:1 prev_pid=7 prev_prio=120 prev_state=R+ ==> next_comm=c-d next_pid=8 next_prio=99";
        let plugin = "a b:1:7 [120] R+ ==> c-d:8 [99]";
        let raw = "prev_comm=a b:1 prev_pid=7 prev_prio=120 prev_state=256 next_comm=c-d next_pid=8 next_prio=99";
        let expected = told(RowKind::Switch, kernel).unwrap();
        assert_eq!((expected.comm, expected.pid, expected.arg), ("a b:1", 7, 8));
        assert_eq!((expected.comm2, expected.prio), (Second::Name("c-d"), Some(99)));
        assert!(expected.state.preempted() && expected.state.letter() == b'R');
        let by_plugin = Told {
            by_plugin: true,
            ..expected
        };
        assert_eq!(told(RowKind::Switch, plugin), Some(by_plugin));
        let number = Some(256);
        assert_eq!(told(RowKind::Switch, raw), Some(Told { number, ..expected }));
    }

    #[test]
    fn events_of_sched_ext_are_read_in_both_forms() {
        let expected = Some(SchedExtTold::Counter {
            name: "SCX_EV_BYPASS_DURATION".to_owned(),
            delta: 33_904_551,
        });
        for text in [
            "name SCX_EV_BYPASS_DURATION delta 33904551",
            "name=SCX_EV_BYPASS_DURATION delta=33904551",
        ] {
            assert_eq!(sched_ext_told(SchedExtKind::Counter, text), expected);
        }
        assert_eq!(sched_ext_told(SchedExtKind::Counter, "SCX_EV_X 1"), None);
        let line = Some(SchedExtTold::Dump("CPU states".to_owned()));
        assert_eq!(sched_ext_told(SchedExtKind::Dump, "line=CPU states"), line);
        assert_eq!(sched_ext_told(SchedExtKind::Dump, "CPU states "), line);
    }

    #[test]
    fn wakeups_and_others_are_read() {
        let kernel = told(RowKind::Wakeup, "comm=ls pid=645 prio=120 success=1 target_cpu=001").unwrap();
        assert_eq!(
            (kernel.comm, kernel.pid, kernel.arg, kernel.prio),
            ("ls", 645, 1, Some(120))
        );
        assert_eq!(told(RowKind::Wakeup, "ls:645 [120] success=1 CPU:001"), Some(kernel));
        let fork = told(RowKind::Fork, "comm=bash pid=169 child_comm=bash child_pid=645").unwrap();
        assert_eq!(
            told(
                RowKind::Fork,
                "parent_comm=bash parent_pid=169 child_comm=bash child_pid=645"
            ),
            Some(fork)
        );
        assert_eq!((fork.pid, fork.arg), (169, 645));
        let moved = told(RowKind::Migrate, "comm=k pid=12 prio=120 orig_cpu=0 dest_cpu=2").unwrap();
        assert_eq!((moved.arg, moved.comm2), (2, Second::Number(0)));
        let exec = told(RowKind::Exec, "filename=/bin/a b pid=5 old_pid=6").unwrap();
        assert_eq!((exec.comm, exec.pid, exec.arg), ("/bin/a b", 5, 6));
        assert_eq!(["2", "0x8", "64"].map(|number| state_of(number).letter()), *b"Dt?");
        assert_eq!(told(RowKind::Switch, "prev_comm=a prev_pid=7 prev_prio=1"), None);
    }
}
