//! `corelane workload`: a trace as a workload.

use std::collections::{HashMap, HashSet};

use clap::Args;
use formats::AnySource;
use replay::{from_rows, Counts, Recording, Workload};
use serde::Serialize;
use tracecore::query::Selection;
use tracecore::scan::{CpuScan, KernelKind, ReadAt, Source, Want};
use tracecore::sched::{TaskCommId, Trace};

use crate::input::FileArgs;
use crate::load::{build, Loaded, Loader};
use crate::scan::scan_all;
use crate::selection::SelectionArgs;
use crate::syscalls::machine_of;
use crate::text::json;
use crate::Failure;

#[derive(Args)]
pub struct WorkloadArgs {
    #[command(flatten)]
    file: FileArgs,
    /// As JSON, times in nanoseconds
    #[arg(long)]
    json: bool,
    /// Leave out the tasks of this name; may be repeated; `none` for nobody [default: those of the recorded scheduler,
    /// migration/N]
    #[arg(long, value_name = "COMM|none")]
    leave_out: Vec<String>,
    /// The last burst goes on for ever of tasks whose name starts so, as of programs that stop by the clock; may be repeated
    #[arg(long, value_name = "PREFIX")]
    endless: Vec<String>,
    #[command(flatten)]
    selection: SelectionArgs,
}

/// The JSON of the command.
#[derive(Serialize)]
pub struct WorkloadJson {
    span_ns: Option<u64>,
    cpus: Option<u32>,
    tasks: u64,
    init_runnable: u64,
    init_sleeping: u64,
    fork: u64,
    prio: u64,
    #[serde(rename = "yield")]
    yields: u64,
    block: u64,
    wakeup_external: u64,
    wakeup_dependent: u64,
    exit: u64,
    running_at_end: u64,
    runnable_at_end: u64,
    sleeping_at_end: u64,
    cpu_ns: u64,
    external_sleep_ns: u64,
    distance_ns: u64,
    wakeup_missing: u64,
    uncertain_tasks: u64,
}

impl WorkloadJson {
    pub fn of(workload: &Workload) -> WorkloadJson {
        let Counts {
            tasks,
            init_runnable,
            init_sleeping,
            fork,
            prio,
            yields,
            block,
            wakeup_external,
            wakeup_dependent,
            exit,
            running_at_end,
            runnable_at_end,
            sleeping_at_end,
            cpu_ns,
            external_sleep_ns,
            distance_ns,
            uncertain_tasks,
        } = workload.counts();
        WorkloadJson {
            span_ns: workload.span_ns,
            cpus: workload.cpus,
            tasks,
            init_runnable,
            init_sleeping,
            fork,
            prio,
            yields,
            block,
            wakeup_external,
            wakeup_dependent,
            exit,
            running_at_end,
            runnable_at_end,
            sleeping_at_end,
            cpu_ns,
            external_sleep_ns,
            distance_ns,
            wakeup_missing: workload.notes.wakeup_missing,
            uncertain_tasks,
        }
    }
}

pub fn run(args: &WorkloadArgs, loader: &Loader) -> Result<String, Failure> {
    let (workload, _) = recorded(&args.file, &args.selection, &args.leave_out, &args.endless, loader)?;
    json(&WorkloadJson::of(&workload))
}

/// The workload of a trace, and the trace if it is needed for the selection.
pub fn recorded(
    file: &FileArgs,
    selection: &SelectionArgs,
    leave_out: &[String],
    endless: &[String],
    loader: &Loader,
) -> Result<(Workload, Option<Loaded>), Failure> {
    let source = file.open()?;
    let info = source.info();
    if !info.clock_is_ns {
        return Err(Failure(format!(
            "{}: its clock counts ticks, and how long one lasts is not in the file: a workload is made of times",
            file.file.display()
        )));
    }
    let want = Want {
        kernel: true,
        ..Want::default()
    };
    let scans = scan_all(&source, want, &loader.options)?;
    let mut recording = Recording {
        cpus: info.cpu_count,
        yields: yields(&source, &scans),
        ..Recording::default()
    };
    if selection.is_whole() {
        let mut workload = from_rows(scans, &recording);
        workload = chosen(workload, None, leave_out);
        endless.iter().for_each(|prefix| workload.make_endless(prefix));
        return Ok((workload, None));
    }
    let loaded = Loaded::of(build(&source, scans.clone(), source.facts()), true);
    let selection = selection.selection(&loaded, &loader.options)?;
    let window = selection.window(&loaded.trace);
    let origin = loaded.trace.origin_ns;
    recording.window = (
        (0 < window.start).then(|| origin.saturating_add(window.start)),
        (window.end < loaded.trace.span_ns).then(|| origin.saturating_add(window.end)),
    );
    let workload = from_rows(scans, &recording);
    let mut workload = chosen(workload, Some((&loaded.trace, &selection)), leave_out);
    endless.iter().for_each(|prefix| workload.make_endless(prefix));
    Ok((workload, Some(loaded)))
}

/// Without the tasks that are left out, or not selected.
fn chosen(workload: Workload, selected: Option<(&Trace, &Selection)>, leave_out: &[String]) -> Workload {
    let shown = selected.and_then(|(trace, selection)| names_shown(trace, selection));
    workload.leave_out(|workload, task| {
        let out = match leave_out {
            [] => workload.is_of_scheduler(task),
            names => workload
                .comms_of(task)
                .any(|comm| names.iter().any(|name| name == comm)),
        };
        out || shown.as_ref().is_some_and(|shown| {
            let pids = task.pids();
            !workload
                .comms_of(task)
                .any(|comm| pids.clone().any(|pid| shown.contains(&(pid, comm.to_owned()))))
        })
    })
}

/// The pids and names that a selection has; `None` for all.
fn names_shown(trace: &Trace, selection: &Selection) -> Option<HashSet<(i32, String)>> {
    let shown = selection.shown(trace);
    let mut ids: HashSet<TaskCommId> = (0..trace.task_comms.len() as u32)
        .map(TaskCommId)
        .filter(|&id| shown.has(id))
        .collect();
    if let Some(cpus) = &selection.cpus {
        let lanes = trace
            .cpus
            .iter()
            .zip(&trace.lanes)
            .filter(|(cpu, _)| cpus.contains(cpu));
        let window = selection.window(trace);
        let on: HashSet<TaskCommId> = lanes
            .flat_map(|(_, lane)| (0..lane.len()).map(move |index| (lane, index)))
            .filter(|(lane, index)| {
                let interval = lane.interval(*index);
                interval.start < window.end && window.start < interval.end
            })
            .filter_map(|(lane, index)| lane.run(index))
            .collect();
        ids.retain(|id| on.contains(id));
    } else if shown.is_all() {
        return None;
    }
    Some(
        ids.into_iter()
            .map(|id| (trace.task_of(id).pid, trace.comm_of(id).to_owned()))
            .collect(),
    )
}

/// The `sched_yield`s of each CPU, if system calls were recorded.
fn yields<R: ReadAt>(source: &AnySource<R>, scans: &[CpuScan]) -> Option<HashMap<u32, Vec<(u64, i32)>>> {
    let machine = machine_of(source);
    let number = machine.and_then(|machine| machine.number("sched_yield"));
    let mut recorded = false;
    let mut found = HashMap::new();
    for scan in scans {
        let named = |number: i32| {
            scan.kernel.names.iter().any(|&(known, name)| {
                known == number
                    && scan
                        .comms
                        .names
                        .get(name as usize)
                        .is_some_and(|name| name == "sched_yield")
            })
        };
        let mut of_cpu = Vec::new();
        for row in scan.kernel.iter() {
            recorded |= row.kind == KernelKind::Enter && number.is_some();
            let yields = match row.kind {
                KernelKind::Enter => number == Some(row.number),
                KernelKind::NamedEnter => named(row.number),
                _ => false,
            };
            if yields {
                of_cpu.push((row.ts, row.pid));
            }
        }
        recorded |= !of_cpu.is_empty();
        found.insert(scan.cpu, of_cpu);
    }
    recorded.then_some(found)
}
