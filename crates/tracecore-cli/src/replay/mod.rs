//! `corelane replay`: what a workload would do under another scheduler.

mod answer;
mod settings;

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use ::replay::affinity::{self, Pinned};
use ::replay::assume::{assumptions, Assumption};
use ::replay::compare::{cpu_curve, jain, metrics, wait_distance, Metrics, Only};
use ::replay::decisions::decisions;
use ::replay::engine::{self, Limits, Outcome};
use ::replay::fit::{self, Explained};
use ::replay::identity::identity;
use ::replay::machine::Machine;
use ::replay::policy::{Spec, MS};
use ::replay::preemptions::Preemptions;
use ::replay::recipe::Recipe;
use ::replay::{ideal, CpuSet, Workload};
use clap::{Args, ValueEnum};
use formats::AnySource;
use schedmodel::topology::Topology;
use schedmodel::{Meta, Trace, TraceBuilder};
use schedrows::Want;
use tracedat::write::{write, FileVersion, Marker, Recording};

use crate::input::FileArgs;
use crate::load::Loader;
use crate::output::{write_whole, Target};
use crate::progress::{fraction_bar, FRACTIONS};
use crate::scan::scan_all;
use crate::selection::SelectionArgs;
use crate::topology::read as read_topology;
use crate::visible::shown;
use crate::workload;
use crate::Failure;

use answer::Answer;
use settings::Setting;

#[derive(Args)]
pub struct ReplayArgs {
    /// A trace, a workload's text, a list of workloads (.wsf), or a workload that is made: fairbench, responsebench, pairs or gzip
    #[command(flatten)]
    file: FileArgs,
    /// The scheduler: fcfs, rr, rlfifo, linux24, o1, cfs, eevdf, ebs, scx, ideal or recorded, with its parameters
    #[arg(long, value_name = "NAME[:KEY=VALUE,...]", default_value = "eevdf")]
    policy: Spec,
    /// The machine: SOCKETSxCORESxTHREADS, or @FILE [default: the recording's CPUs, with one last-level cache]
    #[arg(long, value_name = "TEXT|@FILE", value_parser = read_topology)]
    topology: Option<Arc<Topology>>,
    /// So many CPUs, with one last-level cache [default: the recording's; 1 for what is made]
    #[arg(long, value_name = "N", conflicts_with = "topology", value_parser = clap::value_parser!(u32).range(1..=4096))]
    cpus: Option<u32>,
    /// Milliseconds between two ticks of a CPU
    #[arg(long, value_name = "MS", default_value = "4", value_parser = tick)]
    tick: u64,
    /// How CPUs are chosen, and what switching costs; may be repeated
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<Setting>,
    /// Tasks of this name may only run on these CPUs; may be repeated
    #[arg(long, value_name = "COMM=CPUS", value_parser = allow)]
    allow: Vec<(String, CpuSet)>,
    /// Who is taken to be pinned to a CPU, which a trace does not tell
    #[arg(long, value_name = "RULES", default_value = "infer")]
    affinity: Affinity,
    /// Where the replay ends, in seconds [default: where the recording does; 180 for what is made]
    #[arg(long, value_name = "S", value_parser = seconds)]
    until: Option<u64>,
    /// Compare only tasks whose last name starts so
    #[arg(long, value_name = "PREFIX")]
    only: Option<String>,
    /// Leave out the tasks of this name; may be repeated; `none` for nobody [default: those of the recorded scheduler,
    /// migration/N]
    #[arg(long, value_name = "COMM|none")]
    leave_out: Vec<String>,
    /// The last burst goes on for ever of tasks whose name starts so, as of programs that stop by the clock; may be repeated
    #[arg(long, value_name = "PREFIX")]
    endless: Vec<String>,
    /// Try policies and parameters, and rank them by how well they explain the recording
    #[arg(long)]
    fit: bool,
    /// Check that the workload, with the recorded decisions, comes out as recorded
    #[arg(long, conflicts_with = "fit")]
    identity: bool,
    /// Let the recording drive, and ask the policy at each switch and each wakeup what it would do
    #[arg(long, conflicts_with_all = ["fit", "identity"])]
    decisions: bool,
    /// Also write the replay as a trace.dat, for trace-cmd, KernelShark and all other commands
    #[arg(long, short, value_name = "OUT", conflicts_with_all = ["fit", "identity", "decisions"])]
    output: Option<PathBuf>,
    /// As JSON, times in nanoseconds
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    selection: SelectionArgs,
}

/// Who is pinned.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Affinity {
    /// Kernel threads by their names, and tasks that waited beside idle CPUs
    Infer,
    /// Kernel threads by their names
    Names,
    /// Nobody
    None,
}

fn tick(text: &str) -> Result<u64, String> {
    let ms = text.parse::<f64>().ok().filter(|ms| (0.01..=1000.0).contains(ms));
    ms.map(|ms| (ms * MS as f64) as u64)
        .ok_or_else(|| format!("\"{text}\"; expected 0.01 to 1000 milliseconds"))
}

fn seconds(text: &str) -> Result<u64, String> {
    let s = text.parse::<f64>().ok().filter(|s| (0.0..=1e7).contains(s));
    s.map(|s| (s * 1e9) as u64)
        .ok_or_else(|| format!("\"{text}\"; expected seconds"))
}

fn allow(text: &str) -> Result<(String, CpuSet), String> {
    // A name may hold an equals sign, a list of CPUs does not.
    let found = text
        .rsplit_once('=')
        .and_then(|(comm, cpus)| Some((comm.to_owned(), CpuSet::parse(cpus)?)));
    found.ok_or_else(|| format!("\"{text}\"; expected COMM=CPUS, as in make=0-3"))
}

/// How long what is made runs.
const MADE_NS: u64 = 180_000 * MS;

/// What is replayed.
struct Subject {
    workload: Workload,
    recorded: Option<Arc<Trace>>,
    pinned: Pinned,
    machine: Machine,
    until_ns: u64,
}

impl ReplayArgs {
    pub fn output(&self) -> Option<&Path> {
        self.output.as_deref()
    }
}

pub fn run(args: &ReplayArgs, loader: &Loader) -> Result<String, Failure> {
    let target = |output: &PathBuf| Target::new(output, [args.file.file.as_path()]);
    let target = args.output.as_ref().map(target).transpose()?;
    if target.as_ref().is_some_and(Target::is_standard) {
        return Err(Failure(
            "standard output gets the numbers; write the trace to a file".to_owned(),
        ));
    }
    let subject = subject(args, loader)?;
    let only = Only(args.only.clone());
    if args.fit {
        let Some(recorded) = &subject.recorded else {
            return Err(Failure(
                "--fit compares with a whole recording; what is made, a text or a part has none".to_owned(),
            ));
        };
        let bar = fraction_bar(loader.options.quiet);
        let far = &mut |part| bar.set_position((part * FRACTIONS as f64) as u64);
        let limits = limits(args, &subject);
        let fitted = fit::fit(&subject.workload, recorded, &subject.machine, &only, limits, far);
        bar.finish_and_clear();
        let fitted = fitted.map_err(|error| Failure(error.to_string()))?;
        return answer::fitted(&fitted, args.json);
    }
    if args.identity {
        let Some(recorded) = &subject.recorded else {
            return Err(Failure(
                "--identity compares with a whole recording; what is made, a text or a part has none".to_owned(),
            ));
        };
        return answer::identical(identity(&subject.workload, recorded), args.json);
    }
    if args.decisions {
        let source = args.file.open()?;
        let scans = scan_all(&source, Want::default(), &loader.options)?;
        let preemptions = match &source {
            AnySource::TraceDat(file) => Preemptions::of_file(file)?,
            _ => None,
        };
        let found = decisions(scans, preemptions.as_ref(), &subject.machine, &args.policy);
        let found = found.ok_or_else(|| Failure(format!("{} decides nothing", args.policy.name())))?;
        return answer::decided(&found, args.json);
    }
    let outcome = simulate(args, loader, &subject, &args.policy)?;
    let ideal_ns = ideal::cpu_times(&subject.workload, subject.machine.cpus(), subject.until_ns);
    let simulated_jain = jain(&outcome.cpu_ns, &ideal_ns);
    let numbers = (outcome.hash, outcome.mattered.blocks_skipped, outcome.engine_events);
    let said = assumptions(&subject.workload, &subject.machine, &subject.pinned, outcome.mattered);
    if let Some(target) = target {
        write_trace(args, &outcome, subject.machine.cpus(), &said, target)?;
    }
    let used = outcome.cpu_ns.clone();
    let trace = trace_of(outcome);
    let mut simulated = metrics(&trace, &only);
    if args.policy == Spec::Ideal {
        // Which has no runs.
        for (task, used) in subject.workload.tasks.iter().zip(used) {
            let comm = subject.workload.comm_of(task).to_owned();
            simulated.commands.entry(comm).or_default().execution_ns += used;
        }
    }
    let recorded = subject.recorded.as_ref().map(|recorded| {
        let used: Vec<u64> = subject.workload.tasks.iter().map(|task| task.cpu_ns).collect();
        (metrics(recorded, &only), jain(&used, &ideal_ns))
    });
    let accuracy = match (&subject.recorded, &recorded) {
        (Some(trace_recorded), Some((metrics, _))) => Some(explained(
            args.policy,
            trace_recorded,
            metrics,
            &trace,
            &simulated,
            &only,
        )),
        _ => None,
    };
    let answer = Answer::new(
        &subject.workload,
        &args.policy,
        &subject.machine,
        numbers,
        recorded,
        (simulated, simulated_jain),
        accuracy,
        said,
    );
    answer.print(args.json)
}

fn explained(
    policy: Spec,
    recorded: &Trace,
    before: &Metrics,
    simulated: &Trace,
    after: &Metrics,
    only: &Only,
) -> Explained {
    Explained {
        policy,
        tick_ns: 0,
        cpu_curve: cpu_curve(recorded, simulated, only),
        wait_distance: wait_distance(&before.waits, &after.waits),
        switch_ratio: (0 < before.switches).then(|| after.switches as f64 / before.switches as f64),
    }
}

fn simulate(args: &ReplayArgs, loader: &Loader, subject: &Subject, policy: &Spec) -> Result<Outcome, Failure> {
    match policy {
        Spec::Ideal if args.output.is_some() => Err(Failure(
            "the ideal schedule has no switches, of which a trace could be written".to_owned(),
        )),
        Spec::Ideal => Ok(Outcome::ideal(
            &subject.workload,
            subject.machine.cpus(),
            subject.until_ns,
        )),
        Spec::Recorded if subject.recorded.is_none() => Err(Failure(
            "--policy recorded needs a whole recording; what is made, a text or a part has none".to_owned(),
        )),
        Spec::Recorded => {
            let scans = scan_all(&args.file.open()?, Want::default(), &loader.options)?;
            Ok(Outcome::recorded(scans, &subject.workload))
        }
        _ => {
            let limits = limits(args, subject);
            let bar = fraction_bar(loader.options.quiet);
            let span = subject.until_ns.max(1) as f64;
            let far = &mut |now| bar.set_position((now as f64 / span * FRACTIONS as f64) as u64);
            let outcome = engine::run_watched(&subject.workload, &subject.machine, policy, limits, far);
            bar.finish_and_clear();
            let outcome = outcome.map_err(|error| Failure(error.to_string()))?;
            outcome
                .whole(limits)
                .map_err(|error| Failure(format!("{policy}: {error}")))
        }
    }
}

/// How far a run goes: a recording's takes no more than its events say, unless the user gives the end.
fn limits(args: &ReplayArgs, subject: &Subject) -> Limits {
    match &subject.recorded {
        Some(recorded) if args.until.is_none() => {
            let switches = recorded.lanes.iter().map(|lane| lane.len() as u64).sum();
            Limits::of_recording(switches, subject.until_ns)
        }
        _ => Limits {
            until_ns: Some(subject.until_ns),
            ..Limits::default()
        },
    }
}

/// Writes a run as a trace.dat, whose first event says what it is.
fn write_trace(
    args: &ReplayArgs,
    outcome: &Outcome,
    cpu_count: u32,
    said: &[Assumption],
    target: Target,
) -> Result<(), Failure> {
    if outcome.rows == 0 {
        return Err(Failure(
            "nothing is scheduled, of which a trace could be written".to_owned(),
        ));
    }
    let mut marker = format!(
        "corelane replay {} --policy {}: {}; run {:016x}; assumed:",
        shown(&args.file.file),
        args.policy,
        if args.policy == Spec::Recorded {
            "as it was recorded"
        } else {
            "simulated, not recorded"
        },
        outcome.hash
    );
    for Assumption { kind, count, .. } in said {
        // Writing to a string cannot fail.
        let _ = write!(marker, " {kind}={count}");
    }
    let recording = Recording {
        scans: &outcome.scans,
        window: Default::default(),
        cpu_count,
        clock: None,
        uname: None,
        comms: &[],
        marker: Some(Marker {
            text: &marker,
            span: (outcome.first_ns, outcome.first_ns.saturating_add(outcome.span_ns)),
        }),
    };
    write_whole(&args.file, target, |out| write(&recording, FileVersion::V7, out))?;
    Ok(())
}

/// The trace of a run.
fn trace_of(outcome: Outcome) -> Trace {
    let cpus = outcome.scans.iter().map(|scan| scan.cpu).collect();
    let mut builder = TraceBuilder::new(outcome.first_ns);
    outcome.scans.into_iter().for_each(|scan| builder.add(scan));
    builder.finish(Meta {
        cpus,
        ..Meta::default()
    })
}

fn subject(args: &ReplayArgs, loader: &Loader) -> Result<Subject, Failure> {
    let name = args.file.file.to_str().unwrap_or_default();
    let until = args.until.unwrap_or(MADE_NS);
    let recipe = Recipe::of(name).transpose().map_err(Failure)?;
    let made = recipe.map(|recipe| recipe.make(until));
    let is_made = made.is_some();
    // What is left out would be missing from the recorded runs.
    let nobody = ["none".to_owned()];
    let leave_out = if args.identity { &nobody[..] } else { &args.leave_out };
    let (mut workload, recorded) = match made {
        Some(workload) => (workload, None),
        None => {
            let (workload, whole) = workload::recorded(&args.file, &args.selection, leave_out, &args.endless, loader)?;
            // Of a part of a trace, and of a text, there is no model to compare with.
            let recorded = match whole {
                false => None,
                true => Some(Arc::clone(&loader.load(&args.file)?.trace)),
            };
            (workload, recorded)
        }
    };
    if is_made {
        args.endless.iter().for_each(|prefix| workload.make_endless(prefix));
    }
    let mut machine = match &args.topology {
        Some(topology) => Machine::of(topology),
        None => Machine::flat(args.cpus.or(workload.cpus).unwrap_or(1)),
    };
    machine.tick_ns = args.tick;
    machine.wake_ns = workload.costs.wake_ns.unwrap_or(0);
    machine.idle_exit_ns = workload.costs.idle_exit_ns.unwrap_or(0);
    args.set.iter().for_each(|setting| setting.apply(&mut machine));
    if let Some(recorded) = &recorded {
        machine.tick_as(recorded, workload.first_ns);
    }
    let mut pinned = Pinned::new();
    for (comm, cpus) in &args.allow {
        affinity::by_hand(&mut workload, comm, cpus, &mut pinned);
    }
    if args.affinity != Affinity::None {
        affinity::by_name(&mut workload, &mut pinned);
    }
    if let (Affinity::Infer, Some(recorded)) = (args.affinity, &recorded) {
        affinity::by_waiting(&mut workload, recorded, &mut pinned);
    }
    let until_ns = args.until.unwrap_or(workload.span_ns.unwrap_or(MADE_NS));
    Ok(Subject {
        workload,
        recorded,
        pinned,
        machine,
        until_ns,
    })
}
