//! Checks the request for a figure; the errors say what is wrong, where, and what to do.

use std::collections::BTreeSet;

use schedfigure::{Spec, Subject};
use schedmodel::{Trace, Who};
use schedquery::query::cpu_list;

use super::options::{Named, Panels};
use crate::damage;
use crate::selection::{has_pid, missing};
use crate::text::Times;
use crate::Failure;

/// Checks the options against each other, whatever the traces hold.
pub fn options(asked: &dyn Panels) -> Result<(), String> {
    let panels = asked.panels();
    let files = panels.files.files.len();
    // Times are not checked here.
    let spec = asked.spec(0);
    if let Some(error) = asked.contradiction() {
        return Err(error);
    }
    for name in ["A", "B"] {
        if 1 < spec
            .notes
            .iter()
            .filter(|note| note.is_mark() && note.text == name)
            .count()
        {
            return Err(format!("mark {name} stands there twice; expected one of each"));
        }
    }
    if files < spec.names.len() {
        return Err(format!(
            "{} times `--name` for {files} files; expected at most one for each file",
            spec.names.len()
        ));
    }
    if 1 < files {
        if let Some(Named { option, .. }) = asked.places().into_iter().chain(panels.noted()).next() {
            return Err(format!(
                "`{option}` is a time of one trace, but there are {files} files; name one of them"
            ));
        }
    }
    input_once(panels.files.files.iter().filter(|file| file.as_os_str() == "-").count())
}

/// Checks that standard input is read at most once.
pub fn input_once(times: usize) -> Result<(), String> {
    if times <= 1 {
        return Ok(());
    }
    Err(format!(
        "`-`, standard input, stands there {times} times; it can be read once"
    ))
}

/// Checks that everything that is asked for lies in the trace.
pub fn trace(asked: &impl Panels, spec: &Spec, subject: &Subject<'_>) -> Result<(), Failure> {
    let (file, trace) = (subject.file, subject.trace);
    let times = Times::with(subject.clock_is_ns);
    let (first, last) = (trace.origin_ns, trace.origin_ns + trace.span_ns);
    for Named { option, cpu, at } in asked.places().into_iter().chain(asked.panels().noted()) {
        if !(first..=last).contains(&at) {
            let [at, first, last] = [at, first, last].map(|time| times.time(time));
            return Err(Failure(format!(
                "{file}: `{option}` at {at} is not in the trace, which goes from {first} to {last}"
            )));
        }
        if let Some(cpu) = cpu.filter(|&cpu| trace.lane(cpu).is_none()) {
            let cpus = cpu_list(&trace.cpus);
            return Err(Failure(format!(
                "{file}: `{option}` on CPU {cpu}, which is not in the trace; it has CPUs {cpus}"
            )));
        }
    }
    for Named { option, cpu, at } in asked.places() {
        let lane = cpu.and_then(|cpu| trace.lane(cpu));
        let found = lane.and_then(|lane| Some(lane.who(lane.find(at - first)?)));
        let what = match found {
            Some(Who::Run(_)) => continue,
            Some(Who::Unknown) => "what runs there is not known",
            Some(Who::Idle) | None => "no task runs there",
        };
        let (cpu, at) = (cpu.unwrap_or_default(), times.time(at));
        return Err(Failure(format!(
            "{file}: `{option}` on CPU {cpu} at {at}: {what}; `corelane intervals` lists what runs when"
        )));
    }
    let outside = spec.task_lanes.pids.iter().find(|pid| !has_pid(trace, **pid));
    if let Some(pid) = outside {
        return Err(Failure(format!("{file}: no task has PID {pid}, which `--task` names")));
    }
    Ok(())
}

/// Warnings where a figure differs from what one may expect.
pub fn warnings(spec: &Spec, trace: &Trace, times: Times) -> Vec<String> {
    let mut warnings: Vec<String> = damage::warning(trace, times).into_iter().collect();
    warnings.extend(missing(&spec.selection, trace, times));
    let unknown = spec.topology.as_ref().map(|topology| topology.unknown_of(&trace.cpus));
    if let Some(cpus) = unknown.filter(|cpus| !cpus.is_empty()) {
        let cpus = cpu_list(&cpus);
        warnings.push(format!("`--socket-order` does not know CPUs {cpus}: they come last"));
    }
    let zero = spec.selection.time_zero(trace);
    let from = zero.saturating_add(spec.selection.min.unwrap_or(0));
    let to = spec.selection.max.map_or(u64::MAX, |max| zero.saturating_add(max));
    for note in spec.notes.iter().filter(|note| note.at < from || to < note.at) {
        warnings.push(format!(
            "`{}` lies outside the figure's window: it is left out",
            note.text
        ));
    }
    warnings
}

/// Checks that every chosen CPU is in some trace.
pub fn cpus(spec: &Spec, traces: impl Iterator<Item = u32>) -> Result<(), Failure> {
    let known: BTreeSet<u32> = traces.collect();
    let chosen = spec.selection.cpus.iter().flatten();
    let missing: Vec<u32> = chosen.copied().filter(|cpu| !known.contains(cpu)).collect();
    if missing.is_empty() {
        return Ok(());
    }
    let known: Vec<u32> = known.into_iter().collect();
    Err(Failure(format!(
        "CPUs {} are in no trace; expected some of {}",
        cpu_list(&missing),
        cpu_list(&known)
    )))
}
