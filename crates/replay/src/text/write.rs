//! A workload to text.

use std::io::{self, Write};

use super::line::{quoted, Ms};
use super::{NOTE, VERSION, WHOLE};
use crate::workload::{Ending, Start, Task, WorkEvent, WorkKind, Workload};
use std::collections::HashSet;

/// How many entries of a list stand in a line.
const A_LINE: usize = 64;

/// Writes WARP's text; `plain`: without the comment lines that make [`read`](super::read) its inverse.
pub fn write(workload: &Workload, plain: bool, out: &mut dyn Write) -> io::Result<()> {
    let pids = pids(workload);
    // All INIT first, all else by pid.
    let mut order: Vec<(i32, usize)> = pids.iter().copied().zip(0..).collect();
    order.sort_unstable();
    let mut eid = 1;
    let mut first_eid = vec![0_u64; pids.len()];
    eid += workload.tasks.iter().filter(|task| task.start != Start::Forked).count() as u64;
    for &(_, at) in &order {
        if let (Some(first), Some(task)) = (first_eid.get_mut(at), workload.tasks.get(at)) {
            *first = eid;
            let events = workload.events_of(task);
            eid += events.len() as u64 + u64::from(!exits(events));
        }
    }
    let pid_of = |task: u32| pids.get(task as usize).copied().unwrap_or_default();
    let eid_of = |task: u32, event: u32| {
        let first = first_eid.get(task as usize).copied().unwrap_or_default();
        let of_task = workload
            .tasks
            .get(task as usize)
            .map_or(0..0, |task| task.events.clone());
        // Without an event, its exit.
        first + u64::from(event.min(of_task.end).saturating_sub(of_task.start))
    };

    if !plain {
        note_whole(workload, out)?;
        for (task, &pid) in workload.tasks.iter().zip(&pids) {
            note(workload, task, pid, out)?;
        }
    }
    let begun = workload
        .tasks
        .iter()
        .zip(&pids)
        .filter(|(task, _)| task.start != Start::Forked);
    for (eid, (task, pid)) in (1..).zip(begun) {
        let state = if task.start == Start::Runnable { 'R' } else { 'S' };
        writeln!(out, "{eid} INIT {pid} 0 {pid} {state}")?;
    }
    for (pid, at) in order {
        let Some(task) = workload.tasks.get(at) else { continue };
        let mut eid = first_eid.get(at).copied().unwrap_or_default();
        let events = workload.events_of(task);
        for WorkEvent { length, kind } in events {
            let length = Ms(*length);
            match *kind {
                WorkKind::Fork { child } => writeln!(out, "{eid} FORK {pid} {length} {}", pid_of(child))?,
                WorkKind::Prio { prio } => writeln!(out, "{eid} PRIO {pid} {length} {prio}")?,
                WorkKind::Yield => writeln!(out, "{eid} YIELD {pid} {length}")?,
                WorkKind::Block { .. } => writeln!(out, "{eid} BLOCK {pid} {length}")?,
                WorkKind::Exit { .. } => writeln!(out, "{eid} EXIT {pid} {length}")?,
                WorkKind::Sleep { .. } => writeln!(out, "{eid} WAKEUP {pid} {length} 0 0 0")?,
                WorkKind::Woken {
                    waker, event, distance, ..
                } => {
                    let (deid, dpid, distance) = (eid_of(waker, event), pid_of(waker), Ms(distance));
                    writeln!(out, "{eid} WAKEUP {pid} {length} {deid} {dpid} {distance}")?;
                }
            }
            eid += 1;
        }
        if !exits(events) {
            writeln!(out, "{eid} EXIT {pid} {}", Ms(task.last_clock))?;
        }
    }
    Ok(())
}

/// Whether a task has an exit of its own.
fn exits(events: &[WorkEvent]) -> bool {
    events
        .last()
        .is_some_and(|last| matches!(last.kind, WorkKind::Exit { .. }))
}

/// A pid for each task. Those that an earlier task has are replaced by free ones.
fn pids(workload: &Workload) -> Vec<i32> {
    let all: HashSet<i32> = workload.tasks.iter().map(|task| task.pid).collect();
    let mut taken = HashSet::new();
    let mut free = (1..).filter(|pid| !all.contains(pid));
    let one_of = |task: &Task| match taken.insert(task.pid) {
        true => task.pid,
        false => free.next().unwrap_or_default(),
    };
    workload.tasks.iter().map(one_of).collect()
}

fn note_whole(workload: &Workload, out: &mut dyn Write) -> io::Result<()> {
    let Workload {
        first_ns, costs, notes, ..
    } = workload;
    write!(out, "{NOTE} {WHOLE} version={VERSION} first={}", Ms(*first_ns))?;
    for (key, ns) in [
        ("span", workload.span_ns),
        ("wake", costs.wake_ns),
        ("idle_exit", costs.idle_exit_ns),
    ] {
        if let Some(ns) = ns {
            write!(out, " {key}={}", Ms(ns))?;
        }
    }
    if let Some(cpus) = workload.cpus {
        write!(out, " cpus={cpus}")?;
    }
    for (key, count) in [
        ("yields", notes.inferred_yields),
        ("missing", notes.wakeup_missing),
        ("left_out", notes.left_out),
        ("cut", notes.cut_dependencies),
        ("gaps", notes.gaps),
    ] {
        if 0 < count {
            write!(out, " {key}={count}")?;
        }
    }
    if let Some((from, to)) = notes.clean {
        write!(out, " clean={}-{}", Ms(from), Ms(to))?;
    }
    writeln!(out)
}

fn note(workload: &Workload, task: &Task, pid: i32, out: &mut dyn Write) -> io::Result<()> {
    write!(out, "{NOTE} {pid} comm={}", quoted(workload.comm(task.comm)))?;
    if task.pid != pid {
        write!(out, " pid={}", task.pid)?;
    }
    if task.generation != 0 {
        write!(out, " gen={}", task.generation)?;
    }
    if let Some(prio) = task.prio {
        write!(out, " prio={prio}")?;
    }
    if let Some(cpu) = task.cpu {
        write!(out, " cpu={cpu}")?;
    }
    if let Some(allowed) = &task.allowed {
        write!(out, " allowed={allowed}")?;
    }
    if 0 < task.born_ns {
        write!(out, " born={}", Ms(task.born_ns))?;
    }
    if 0 < task.birth_delay {
        write!(out, " birth={}", Ms(task.birth_delay))?;
    }
    match task.ending {
        Ending::Exited => {}
        Ending::Running => write!(out, " end=running")?,
        Ending::Runnable => write!(out, " end=runnable")?,
        Ending::Asleep => write!(out, " end=asleep")?,
    }
    let flags = [("endless", task.endless), ("uncertain", task.uncertain)];
    for (flag, _) in flags.into_iter().filter(|&(_, is)| is) {
        write!(out, " {flag}")?;
    }
    writeln!(out)?;
    let aliases = task
        .aliases
        .iter()
        .map(|(pid, generation)| format!("{pid}:{generation}"));
    list(pid, "aliases", aliases, out)?;
    let names = task
        .renames
        .iter()
        .map(|&(since, comm)| format!("{}:{}", Ms(since), quoted(workload.comm(comm))));
    list(pid, "names", names, out)?;
    let events = workload.events_of(task);
    let letters = events.iter().filter_map(|event| match event.kind {
        WorkKind::Block { letter } | WorkKind::Exit { letter } => Some(u64::from(letter)),
        _ => None,
    });
    let usual = |event: &WorkEvent| match event.kind {
        WorkKind::Block { letter } => letter == b'S',
        WorkKind::Exit { letter } => letter == b'X',
        _ => true,
    };
    if !events.iter().all(usual) {
        let runs = runs(letters);
        list(
            pid,
            "letters",
            runs.into_iter()
                .map(|(count, letter)| format!("{count}{}", letter_text(letter as u8))),
            out,
        )?;
    }
    let delays = events.iter().filter_map(|event| match event.kind {
        WorkKind::Sleep { delay } | WorkKind::Woken { delay, .. } => Some(delay.ns()),
        _ => None,
    });
    if delays.clone().any(|delay| 0 < delay) {
        list(pid, "delays", delays.map(|delay| Ms(delay).to_string()), out)?;
    }
    Ok(())
}

/// A state's letter; any other byte as a number behind a `#`.
fn letter_text(letter: u8) -> String {
    match letter {
        b'?' => "?".to_owned(),
        _ if letter.is_ascii_alphabetic() => char::from(letter).to_string(),
        _ => format!("#{letter}"),
    }
}

/// Equal neighbours, counted.
fn runs(values: impl Iterator<Item = u64>) -> Vec<(u64, u64)> {
    let mut runs: Vec<(u64, u64)> = Vec::new();
    for value in values {
        match runs.last_mut().filter(|(_, last)| *last == value) {
            Some((count, _)) => *count += 1,
            None => runs.push((1, value)),
        }
    }
    runs
}

fn list(pid: i32, key: &str, entries: impl Iterator<Item = String>, out: &mut dyn Write) -> io::Result<()> {
    let mut in_line = 0;
    for entry in entries {
        match in_line {
            0 => write!(out, "{NOTE} {pid} {key}={entry}")?,
            _ => write!(out, ",{entry}")?,
        }
        in_line = (in_line + 1) % A_LINE;
        if in_line == 0 {
            writeln!(out)?;
        }
    }
    match in_line {
        0 => Ok(()),
        _ => writeln!(out),
    }
}
