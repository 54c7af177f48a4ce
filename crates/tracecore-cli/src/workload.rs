//! `corelane workload`: a trace as a workload.

use std::collections::{HashMap, HashSet};
use std::fs::File;
use std::io::{BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use formats::AnySource;
use replay::combine::{combine, Part};
use replay::recipe::Recipe;
use replay::rtapp::{self, Dialect};
use replay::{from_rows, text, wsf, Counts, Recording, Workload};
use schedmodel::{TaskCommId, Trace};
use schedquery::query::Selection;
use schedrows::words::counted;
use schedrows::{CpuScan, KernelKind, ReadAt, Source, Want};
use serde::Serialize;

use crate::bounded::read_text;
use crate::input::FileArgs;
use crate::load::{build, Loaded, Loader};
use crate::output::Target;
use crate::scan::scan_all;
use crate::selection::SelectionArgs;
use crate::syscalls::machine_of;
use crate::text::{json, Times};
use crate::visible::{shown, Form, Visible};
use crate::{heard, Failure};

#[derive(Args)]
pub struct WorkloadArgs {
    #[command(flatten)]
    file: FileArgs,
    /// The counts as JSON, times in nanoseconds
    #[arg(long, conflicts_with_all = ["format", "output"])]
    json: bool,
    /// Write the workload instead of its counts: WARP's text, or rt-app's JSON
    #[arg(long, value_name = "FORMAT")]
    format: Option<Format>,
    /// Without comment lines, as WARP reads it; of rt-app only what simpler readers know: run, resume, suspend
    #[arg(long)]
    plain: bool,
    /// The file to write, instead of standard output
    #[arg(long, short, value_name = "OUT")]
    output: Option<PathBuf>,
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

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// WARP's text
    Warp,
    /// rt-app's JSON
    RtApp,
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

impl WorkloadArgs {
    pub fn output(&self) -> Option<&Path> {
        self.output.as_deref()
    }
}

pub fn run(args: &WorkloadArgs, loader: &Loader, out: &mut dyn Write) -> Result<(), Failure> {
    let target = |output: &PathBuf| Target::new(output, [args.file.file.as_path()]);
    let target = args.output.as_ref().map(target).transpose()?;
    let (workload, _) = recorded(&args.file, &args.selection, &args.leave_out, &args.endless, loader)?;
    let format = args
        .format
        .or((args.plain || args.output.is_some()).then_some(Format::Warp));
    let Some(format) = format else {
        let text = match args.json {
            true => json(&WorkloadJson::of(&workload))?,
            false => counts(&workload),
        };
        return heard(out.write_all(text.as_bytes())).map(|_| ());
    };
    let write = |out: &mut dyn Write| match format {
        Format::Warp => text::write(&workload, args.plain, out),
        Format::RtApp if args.plain => rtapp::write(&workload, Dialect::Plain, out),
        Format::RtApp => rtapp::write(&workload, Dialect::RtApp, out),
    };
    match target {
        None => {
            let form = if format == Format::RtApp {
                Form::Json
            } else {
                Form::Text
            };
            let mut out = BufWriter::new(Visible::new(out, form));
            heard(write(&mut out).and_then(|()| out.flush())).map(|_| ())
        }
        Some(target) => target.write(|out| write(out)),
    }
}

/// The counts for people.
fn counts(workload: &Workload) -> String {
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
    let times = Times::with(true);
    let notes = workload.notes;
    let mut lines = vec![
        format!("{tasks} tasks: {init_runnable} runnable and {init_sleeping} asleep at the beginning, {fork} forked"),
        format!(
            "{exit} exited; at the end {running_at_end} running, {runnable_at_end} runnable, {sleeping_at_end} asleep"
        ),
        format!("CPU time {}", times.time(cpu_ns)),
        format!(
            "{block} blocks, {prio} changes of priority, {yields} yields ({} inferred)",
            notes.inferred_yields
        ),
        format!(
            "{wakeup_external} external wakeups, after {} of sleep in all",
            times.time(external_sleep_ns)
        ),
        format!(
            "{wakeup_dependent} wakeups by tasks, {} before what those do next in all",
            times.time(distance_ns)
        ),
    ];
    if let (Some(span), Some(cpus)) = (workload.span_ns, workload.cpus) {
        lines.insert(
            0,
            format!("{} on {}", times.time(span), counted(u64::from(cpus), "CPU")),
        );
    }
    if 0 < notes.left_out {
        lines.push(format!("{} left out", counted(notes.left_out, "task")));
    }
    if 0 < notes.wakeup_missing {
        lines.push(format!(
            "{} that no known wakeup ended: taken for external",
            counted(notes.wakeup_missing, "block")
        ));
    }
    if 0 < notes.gaps {
        let clean = notes.clean.filter(|(from, to)| from < to);
        let clean = clean.map_or("no time is without".to_owned(), |(from, to)| {
            format!("without is {} to {}", times.time(from), times.time(to))
        });
        lines.push(format!(
            "{uncertain_tasks} tasks are uncertain, as events were lost in {}; {clean}",
            counted(notes.gaps, "gap")
        ));
    }
    lines.join("\n") + "\n"
}

/// The most bytes of a workload's text.
const MOST_TEXT: u64 = 1 << 30;

/// The workload of a text, if a file is one.
fn of_text(file: &FileArgs) -> Result<Option<Workload>, Failure> {
    if file.is_standard_input() {
        return Ok(None);
    }
    let failed = |error: &dyn std::fmt::Display| Failure(format!("{}: {error}", shown(&file.file)));
    let mut head = Vec::new();
    let opened = File::open(&file.file).map_err(|error| failed(&error))?;
    (&opened)
        .take(4096)
        .read_to_end(&mut head)
        .map_err(|error| failed(&error))?;
    if !text::is_workload(&head) {
        return Ok(None);
    }
    let text = read_text(&file.file, MOST_TEXT).map_err(|error| failed(&error))?;
    text::read(&text).map(Some).map_err(|error| failed(&error))
}

/// How long what a list has made runs, in ns.
const MADE_NS: u64 = 180_000_000_000;

/// The text of a list of workloads: a file named `.wsf`, or one that begins as lists do.
fn list_in(file: &FileArgs) -> Result<Option<String>, Failure> {
    let failed = |error: std::io::Error| Failure(format!("{}: {error}", shown(&file.file)));
    if file.is_standard_input() {
        return Ok(None);
    }
    let named = file
        .file
        .extension()
        .is_some_and(|extension| extension.eq_ignore_ascii_case("wsf"));
    let mut head = Vec::new();
    let opened = File::open(&file.file).map_err(failed)?;
    (&opened).take(64).read_to_end(&mut head).map_err(failed)?;
    (named || wsf::is_list(&head))
        .then(|| read_text(&file.file, MOST_TEXT).map_err(failed))
        .transpose()
}

/// All workloads of a list as one.
fn of_list(file: &FileArgs, text: &str, selection: &SelectionArgs, loader: &Loader) -> Result<Workload, Failure> {
    let failed = |error: &dyn std::fmt::Display| Failure(format!("{}: {error}", shown(&file.file)));
    let mut parts = Vec::new();
    for entry in wsf::read(text).map_err(|error| failed(&error))? {
        let at = |error: &dyn std::fmt::Display| failed(&format!("line {}: {error}", entry.line));
        let workload = match Recipe::of(&entry.name) {
            Some(recipe) => {
                let mut workload = recipe.map_err(|error| at(&error))?.make(MADE_NS);
                if !entry.leave_out.is_empty() {
                    workload = chosen(workload, None, &entry.leave_out);
                }
                entry.endless.iter().for_each(|prefix| workload.make_endless(prefix));
                workload
            }
            None => {
                let path = file
                    .file
                    .parent()
                    .map_or_else(|| PathBuf::from(&entry.name), |folder| folder.join(&entry.name));
                let part = FileArgs {
                    file: path,
                    buffer: None,
                };
                if list_in(&part)?.is_some() {
                    return Err(at(&format!(
                        "{} is a list too; expected a trace or a workload's text",
                        entry.name
                    )));
                }
                one(&part, selection, &entry.leave_out, &entry.endless, loader)?.0
            }
        };
        parts.push(Part {
            workload,
            offset_ns: entry.offset_ns,
            copies: entry.copies,
            speed: entry.speed,
        });
    }
    combine(&parts).map_err(|error| failed(&error))
}

/// The workload of a trace, a text or a list, and whether it is that of a whole trace, whose model tells what was recorded.
pub fn recorded(
    file: &FileArgs,
    selection: &SelectionArgs,
    leave_out: &[String],
    endless: &[String],
    loader: &Loader,
) -> Result<(Workload, bool), Failure> {
    let Some(text) = list_in(file)? else {
        return one(file, selection, leave_out, endless, loader);
    };
    if !selection.is_whole() {
        return Err(Failure(format!(
            "{}: a part is selected of a trace, before it becomes a workload",
            shown(&file.file)
        )));
    }
    let mut workload = of_list(file, &text, selection, loader)?;
    if !leave_out.is_empty() {
        workload = chosen(workload, None, leave_out);
    }
    endless.iter().for_each(|prefix| workload.make_endless(prefix));
    Ok((workload, false))
}

fn one(
    file: &FileArgs,
    selection: &SelectionArgs,
    leave_out: &[String],
    endless: &[String],
    loader: &Loader,
) -> Result<(Workload, bool), Failure> {
    if let Some(workload) = of_text(file)? {
        if !selection.is_whole() {
            return Err(Failure(format!(
                "{}: a part is selected of a trace, before it becomes a workload",
                shown(&file.file)
            )));
        }
        let mut workload = chosen(workload, None, leave_out);
        endless.iter().for_each(|prefix| workload.make_endless(prefix));
        return Ok((workload, false));
    }
    let source = file.open()?;
    let info = source.info();
    if !info.clock_is_ns {
        return Err(Failure(format!(
            "{}: its clock counts ticks, and how long one lasts is not in the file: a workload is made of times",
            shown(&file.file)
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
        return Ok((workload, true));
    }
    let trace = build(&source, scans.clone(), source.facts(), loader.options.thread_count());
    let loaded = Loaded::of(trace, true);
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
    Ok((workload, false))
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
