//! The text of an event: as the kernel's print fmt writes it, in this order or as the option `fields` does; as the plugins of
//! trace-cmd and perf write it; as fields (`trace-cmd report -R`); in the words of kernels 2.6; and as tracers print it.

use crate::fields::{after, in_order, leading, number};
use crate::tracer;
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

/// The kind of row that a tracer's event tells: those of the wakeup tracers do not need the scheduler's events.
pub(crate) fn tracer_kind_of(system: Option<&str>, event: &str) -> Option<RowKind> {
    match event {
        _ if system.is_some_and(|system| system != tracer::SYSTEM) => None,
        "context_switch" => Some(RowKind::Switch),
        "wakeup" => Some(RowKind::Wakeup),
        _ => None,
    }
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
        RowKind::Migrate => return migration(plain, text),
        RowKind::Fork => return fork(plain, text),
        RowKind::Exec => {
            let keys = ["filename=", "pid=", "old_pid="];
            let [comm, pid, old_pid] = fields(text, keys)?;
            Told {
                pid: leading(pid)?,
                arg: leading(old_pid)?,
                comm,
                ..plain
            }
        }
        RowKind::Exit => {
            let [comm, pid, prio] = fields(text, ["comm=", "pid=", "prio="])
                .or_else(|| old_task(text).map(|task| [task.comm, task.pid, task.prio]))?;
            Told {
                pid: leading(pid)?,
                comm,
                prio: leading(prio),
                ..plain
            }
        }
        RowKind::Rename => {
            let keys = ["pid=", "oldcomm=", "newcomm=", "oom_score_adj="];
            let [pid, comm, newcomm, _] = fields(text, keys)?;
            Told {
                pid: leading(pid)?,
                comm,
                comm2: Second::Name(newcomm),
                ..plain
            }
        }
        RowKind::MoveNuma | RowKind::StickNuma | RowKind::SwapNuma => Told {
            pid: number(text, "pid=").or_else(|| number(text, "src_pid="))?,
            arg: number(text, "dst_cpu=")?,
            comm2: Second::Number(number(text, "src_cpu=")?),
            ..plain
        },
        RowKind::Lost => return None,
    })
}

/// The values of these fields: in the kernel's order, or in the reverse, as the option `fields` printed them at first.
fn fields<'a, const N: usize>(text: &'a str, mut keys: [&str; N]) -> Option<[&'a str; N]> {
    in_order(text, keys).or_else(|| {
        keys.reverse();
        let mut values = in_order(text, keys)?;
        values.reverse();
        Some(values)
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
    if after(text, "prev_state=").is_some() {
        return switch_of_fields(plain, text);
    }
    // `bash:169 [120] S ==> ls:645 [120]`; `trace-cmd report -w` adds how long the task waited.
    let text = match text.rsplit_once(" Latency: ") {
        Some((text, latency)) if latency.ends_with(" usecs") => text,
        _ => text,
    };
    let by_plugin = || {
        let (before, next) = text.rsplit_once(" ==> ")?;
        let (prev, state) = before.rsplit_once(' ')?;
        // Kernels 2.6: `task bash:169 [120] (S) ==> ls:645 [120]`.
        let (prev, state) = match state.strip_prefix('(').and_then(|state| state.strip_suffix(')')) {
            Some(state) => (prev.strip_prefix("task ").unwrap_or(prev), state),
            None => (prev, state),
        };
        let (prev, next) = (task(prev)?, task(next)?);
        Some(Told {
            pid: leading(prev.pid)?,
            comm: prev.comm,
            arg: leading(next.pid)?,
            comm2: Second::Name(next.comm),
            state: state_between(state, prev.prio, next.prio),
            number: state_number(state),
            prio: leading(next.prio),
            by_plugin: true,
            ..plain
        })
    };
    by_plugin().or_else(|| tracer::switch_or_wakeup(text).filter(|told| told.kind == RowKind::Switch))
}

fn switch_of_fields<'a>(plain: Told<'a>, text: &'a str) -> Option<Told<'a>> {
    const PREV: [&str; 4] = ["prev_comm=", "prev_pid=", "prev_prio=", "prev_state="];
    const NEXT: [&str; 3] = ["next_comm=", "next_pid=", "next_prio="];
    // The arrow is as long as a comm may be: no comm holds it and more.
    let halves = match text.rsplit_once(" ==> next_comm=") {
        Some((prev, next)) => {
            let next = text.get(text.len() - next.len() - "next_comm=".len()..)?;
            in_order(prev, PREV).zip(in_order(next, NEXT))
        }
        None => {
            let ([a, b, c, d], [e, f, g]) = (PREV, NEXT);
            fields(text, [a, b, c, d, e, f, g]).map(|[a, b, c, d, e, f, g]| ([a, b, c, d], [e, f, g]))
        }
    };
    let ([comm, pid, prev_prio, state], [next_comm, next_pid, prio]) = halves?;
    let state = state.split_whitespace().next()?;
    Some(Told {
        pid: leading(pid)?,
        comm,
        arg: leading(next_pid)?,
        comm2: Second::Name(next_comm),
        state: state_between(state, prev_prio, prio),
        number: state_number(state),
        prio: leading(prio),
        ..plain
    })
}

/// The state that a switch tells, with the priorities of both tasks, where these are numbers.
fn state_between(state: &str, prev_prio: &str, prio: &str) -> StateCode {
    let state = state_of(state);
    match (leading(prev_prio), leading(prio)) {
        (Some(prev), Some(next)) => state.with_prios(prev, next),
        _ => state,
    }
}

fn wakeup<'a>(plain: Told<'a>, text: &'a str) -> Option<Told<'a>> {
    let of_fields = || {
        let [comm, pid, prio, cpu] = fields(text, ["comm=", "pid=", "prio=", "target_cpu="])
            .or_else(|| fields(text, ["comm=", "pid=", "prio=", "cpu="]))?;
        woken(plain, comm, pid, prio, cpu)
    };
    // `ls:645 [120] CPU:001`, in older versions with `success=1` before the CPU.
    let by_plugin = || {
        let (before, cpu) = text.rsplit_once(" CPU:")?;
        let task = task(before.get(..=before.rfind(']')?)?)?;
        woken(plain, task.comm, task.pid, task.prio, cpu)
    };
    // Kernels 2.6: `task ls:645 [120] success=1 [001]`, then `comm=ls pid=645 prio=120 success=1 [001]`.
    let old = || {
        let (before, cpu) = text.strip_suffix(']')?.rsplit_once(" [")?;
        if let Some([comm, pid, prio]) = in_order(before, ["comm=", "pid=", "prio="]) {
            return woken(plain, comm, pid, prio, cpu);
        }
        let task = old_task(before)?;
        woken(plain, task.comm, task.pid, task.prio, cpu)
    };
    let by_tracer = || tracer::switch_or_wakeup(text).filter(|told| told.kind == plain.kind);
    of_fields().or_else(by_plugin).or_else(old).or_else(by_tracer)
}

fn woken<'a>(plain: Told<'a>, comm: &'a str, pid: &str, prio: &str, cpu: &str) -> Option<Told<'a>> {
    Some(Told {
        pid: leading(pid)?,
        comm,
        prio: leading(prio),
        arg: leading(cpu)?,
        ..plain
    })
}

fn migration<'a>(plain: Told<'a>, text: &'a str) -> Option<Told<'a>> {
    let keys = ["comm=", "pid=", "prio=", "orig_cpu=", "dest_cpu="];
    // Kernels 2.6: `task ls:645 [120] from: 0  to: 1`.
    let old = || {
        let (before, to) = text.rsplit_once(" to: ")?;
        let (before, from) = before.rsplit_once(" from: ")?;
        let task = old_task(before)?;
        Some([task.comm, task.pid, task.prio, from, to])
    };
    let [comm, pid, prio, from, to] = fields(text, keys).or_else(old)?;
    Some(Told {
        pid: leading(pid)?,
        arg: leading(to)?,
        comm,
        comm2: Second::Number(leading(from)?),
        prio: leading(prio),
        ..plain
    })
}

fn fork<'a>(plain: Told<'a>, text: &'a str) -> Option<Told<'a>> {
    // Kernels 2.6: `parent bash:169  child bash:645`.
    let old = || {
        let (parent, child) = text.strip_prefix("parent ")?.rsplit_once(" child ")?;
        let (comm, pid) = parent.trim_end().rsplit_once(':')?;
        let (child_comm, child) = child.rsplit_once(':')?;
        Some([comm, pid, child_comm, child])
    };
    let [comm, pid, child_comm, child] = fields(text, ["comm=", "pid=", "child_comm=", "child_pid="])
        .or_else(|| fields(text, ["parent_comm=", "parent_pid=", "child_comm=", "child_pid="]))
        .or_else(old)?;
    Some(Told {
        pid: leading(pid)?,
        arg: leading(child)?,
        comm,
        comm2: Second::Name(child_comm),
        ..plain
    })
}

/// A task as plugins print it.
struct Task<'a> {
    comm: &'a str,
    pid: &'a str,
    prio: &'a str,
}

/// `bash:169 [120]`.
fn task(text: &str) -> Option<Task<'_>> {
    let (who, prio) = text.trim().rsplit_once(" [")?;
    let (comm, pid) = who.rsplit_once(':')?;
    let prio = prio.strip_suffix(']').unwrap_or_default();
    Some(Task { comm, pid, prio })
}

/// `task bash:169 [120]`, with or without more behind it, as kernels 2.6 print it.
fn old_task(text: &str) -> Option<Task<'_>> {
    let text = text.strip_prefix("task ")?;
    task(text.get(..=text.rfind(']')?)?)
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
