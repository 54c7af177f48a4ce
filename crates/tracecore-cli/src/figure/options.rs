//! The options of `corelane figure`, and the figure that they ask for.

use std::path::PathBuf;
use std::sync::Arc;

use clap::{Args, Subcommand};
use schedfigure::{Arrows, ColorBy, Kind, LegendOf, Note, Part, Place, Spec, TaskLanes};
use schedfigure::{DEFAULT_DPI, DEFAULT_HOPS};
use schedmodel::topology::Topology;
use schedquery::query::Selection;

use super::run_times::RunTimesArgs;
use super::values::{self, CpuTime, NoteAt, TaskArg};
use crate::filter::FilterText;
use crate::selection::{cpu_list, nanoseconds, CpuList, SelectionArgs, WindowArgs};
use crate::topology::read as topology;

#[derive(Args)]
pub struct FigureArgs {
    #[command(subcommand)]
    pub kind: KindArgs,
}

// There are never many of these values, and each is read once.
#[allow(clippy::large_enum_variant)]
#[derive(Subcommand)]
pub enum KindArgs {
    /// What ran on which CPU over time, one panel for each trace, all on one time scale
    Timeline(TimelineArgs),
    /// How many tasks run and wait over time, one panel for each trace, all on one time scale
    RunningWaiting(RunningWaitingArgs),
    /// A run, the wakeup that led to it, and the CPUs that took part
    Wakeup(WakeupArgs),
    /// A bar for each trace, as long as its run time, sorted
    RunTimes(RunTimesArgs),
}

/// What is drawn.
#[derive(Args)]
pub struct FilesArgs {
    /// The trace.dat files; `-` for standard input
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// The instance to look at, instead of the main buffer (whose name is empty)
    #[arg(long, value_name = "NAME")]
    pub buffer: Option<String>,
}

/// What it is drawn on.
#[derive(Args)]
pub struct PaperArgs {
    /// Millimetres [default: 178, the text's width of a two-column page; of run-times 85, a column]
    #[arg(long, value_name = "MM", value_parser = values::side)]
    pub width: Option<f64>,
    /// Millimetres [default: what is drawn decides]
    #[arg(long, value_name = "MM", value_parser = values::side)]
    pub height: Option<f64>,
    /// Above the figure
    #[arg(long, value_name = "TEXT")]
    pub title: Option<String>,
    /// Dots of a PNG for each inch
    #[arg(long, value_name = "N", default_value_t = DEFAULT_DPI, value_parser = clap::value_parser!(u32).range(36..=2400))]
    pub dpi: u32,
}

/// Traces as panels of a figure.
#[derive(Args)]
pub struct PanelsArgs {
    #[command(flatten)]
    pub files: FilesArgs,
    /// The file to write: its extension, .svg, .pdf or .png, is its format; `-` for SVG on standard output
    #[arg(short, long, value_name = "OUT")]
    pub output: PathBuf,
    #[command(flatten)]
    pub paper: PaperArgs,
    /// Above a panel, in the order of the files; may be repeated [default: the files' names, where there are several]
    #[arg(long, value_name = "TEXT")]
    name: Vec<String>,
    /// The machine, which orders the CPUs: SOCKETSxCORESxTHREADS, as in 2x16x2, or @FILE with the text of `lscpu -p`
    #[arg(long, value_name = "TOPOLOGY", value_parser = topology)]
    socket_order: Option<Arc<Topology>>,
    /// A mark, A or B, at S seconds of trace time, as events have it; may be repeated
    #[arg(long, value_name = "A=S", value_parser = values::mark)]
    mark: Vec<NoteAt>,
    /// A text at S seconds of trace time, on a CPU where one is given; may be repeated
    #[arg(long, value_name = "[CPU@]S=TEXT", value_parser = values::note)]
    note: Vec<NoteAt>,
}

/// Panels of whole machines.
#[derive(Args)]
pub struct OverviewArgs {
    /// Panels beside each other
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=64))]
    columns: Option<u32>,
    /// What colours tell
    #[arg(long, value_name = "WHAT", default_value = "pid", value_parser = values::one_of(&ColorBy::ALL, ColorBy::name))]
    color_by: ColorBy,
    /// Merge what falls within a printed dot so wide [default: 0.1 where there is much to draw, else nothing is merged]
    #[arg(long, value_name = "MM", value_parser = values::dot)]
    dot: Option<f64>,
    #[command(flatten)]
    selection: SelectionArgs,
}

#[derive(Args)]
pub struct TimelineArgs {
    #[command(flatten)]
    pub panels: PanelsArgs,
    #[command(flatten)]
    overview: OverviewArgs,
    /// What the legend of commands counts
    #[arg(long, value_name = "WHAT", default_value = "window", value_parser = values::one_of(&LegendOf::ALL, LegendOf::name))]
    legend: LegendOf,
    /// A command that stands out; may be repeated
    #[arg(long, value_name = "COMM")]
    highlight: Vec<String>,
    /// × where a wakeup puts a task on another CPU than it last ran on
    #[arg(long)]
    moves: bool,
    /// CPU 0 on top, as the page has it
    #[arg(long)]
    top_down: bool,
    /// Below the lanes, on the same time axis; may be repeated
    #[arg(long, value_name = "PART", value_parser = values::one_of(&Part::ALL, Part::name))]
    with: Vec<Part>,
    /// With `--with tasks`: a task, or all tasks of a command, that has a lane of its own; may be repeated
    #[arg(long, value_name = "PID|COMM", value_parser = values::task)]
    task: Vec<TaskArg>,
    /// With `--with tasks`: what system call each of these tasks is in
    #[arg(long)]
    calls: bool,
    /// What interrupts took, as bands on the lanes
    #[arg(long)]
    interrupts: bool,
    /// How many tasks wait on each CPU
    #[arg(long)]
    runqueues: bool,
    /// A number in the fields of an event as a line on the lanes, as in sched_stat_runtime.runtime
    #[arg(long, value_name = "EVENT.FIELD")]
    counter: Option<String>,
    /// Arrows of the wakeup chain of what runs on that CPU at S seconds of trace time
    #[arg(long, value_name = "CPU@S", value_parser = values::cpu_time)]
    chain: Option<CpuTime>,
    /// How many hops to follow back
    #[arg(long, value_name = "N", default_value_t = DEFAULT_HOPS, requires = "chain")]
    hops: u32,
    /// Arrows of the cascade of moves that is part of what runs on that CPU at S seconds of trace time
    #[arg(long, value_name = "CPU@S", value_parser = values::cpu_time, conflicts_with = "chain")]
    cascade: Option<CpuTime>,
}

#[derive(Args)]
pub struct RunningWaitingArgs {
    #[command(flatten)]
    pub panels: PanelsArgs,
    #[command(flatten)]
    overview: OverviewArgs,
}

#[derive(Args)]
pub struct WakeupArgs {
    #[command(flatten)]
    pub panels: PanelsArgs,
    /// The CPU of the run
    #[arg(long, value_name = "N")]
    cpu: u32,
    /// A time at which it runs, in seconds, as the trace's events have them
    #[arg(long, value_name = "SECONDS", value_parser = nanoseconds)]
    at: u64,
    /// The CPUs that are drawn, as in 1,4-7 [default: those that take part]
    #[arg(long, value_name = "LIST", value_parser = cpu_list)]
    cpus: Option<CpuList>,
    #[command(flatten)]
    window: WindowArgs,
    /// CPU 0 on top, as the page has it
    #[arg(long)]
    top_down: bool,
}

/// An absolute instant that an option names, and the option.
pub struct Named {
    /// The option as the user wrote it, or nearly so.
    pub option: &'static str,
    pub cpu: Option<u32>,
    pub at: u64,
}

/// The panels that a command asks for.
pub trait Panels {
    fn panels(&self) -> &PanelsArgs;

    /// The figure of a trace whose first record has this absolute time.
    fn spec(&self, first_ns: u64) -> Spec;

    /// The filter that runs have to pass.
    fn filter(&self) -> Option<&FilterText> {
        None
    }

    /// The places on lanes that options name, apart from marks and notes.
    fn places(&self) -> Vec<Named> {
        Vec::new()
    }

    /// What is wrong with the options by themselves, whatever the traces hold.
    fn contradiction(&self) -> Option<String> {
        None
    }
}

impl Panels for TimelineArgs {
    fn panels(&self) -> &PanelsArgs {
        &self.panels
    }

    fn filter(&self) -> Option<&FilterText> {
        self.overview.selection.filter()
    }

    fn spec(&self, first_ns: u64) -> Spec {
        let place = |CpuTime { cpu, at }: CpuTime| Place {
            cpu,
            at: at.saturating_sub(first_ns),
        };
        let mut task_lanes = TaskLanes::default();
        for task in &self.task {
            match task {
                TaskArg::Pid(pid) => task_lanes.pids.push(*pid),
                TaskArg::Comm(comm) => task_lanes.comms.push(comm.clone()),
            }
        }
        let chain = self.chain.map(|at| Arrows::Chain(place(at), self.hops));
        Spec {
            with: self.with.clone(),
            legend: self.legend,
            highlight: self.highlight.clone(),
            moves: self.moves,
            top_down: self.top_down,
            task_lanes,
            calls: self.calls,
            interrupts: self.interrupts,
            runqueues: self.runqueues,
            counter: self.counter.clone(),
            arrows: chain.or_else(|| self.cascade.map(|at| Arrows::Cascade(place(at)))),
            ..self.overview.spec(Kind::Timeline, &self.panels, first_ns)
        }
    }

    fn places(&self) -> Vec<Named> {
        let options = [("--chain", self.chain), ("--cascade", self.cascade)];
        let named = |(option, place): (&'static str, Option<CpuTime>)| {
            let CpuTime { cpu, at } = place?;
            Some(Named {
                option,
                cpu: Some(cpu),
                at,
            })
        };
        options.into_iter().filter_map(named).collect()
    }

    fn contradiction(&self) -> Option<String> {
        let lanes = self.with.contains(&Part::Tasks);
        let twice = Part::ALL
            .into_iter()
            .find(|part| 1 < self.with.iter().filter(|with| *with == part).count());
        match () {
            () if lanes && self.task.is_empty() => {
                Some("`--with tasks` draws no task; name some with `--task PID|COMM`".to_owned())
            }
            () if !lanes && !self.task.is_empty() => Some("`--task` needs `--with tasks`, which draws it".to_owned()),
            () if !lanes && self.calls => {
                Some("`--calls` needs `--with tasks`, on whose lanes calls are drawn".to_owned())
            }
            () => twice.map(|part| format!("`--with {}` stands there twice; once is enough", part.name())),
        }
    }
}

impl Panels for RunningWaitingArgs {
    fn panels(&self) -> &PanelsArgs {
        &self.panels
    }

    fn filter(&self) -> Option<&FilterText> {
        self.overview.selection.filter()
    }

    fn spec(&self, first_ns: u64) -> Spec {
        self.overview.spec(Kind::RunningWaiting, &self.panels, first_ns)
    }
}

impl Panels for WakeupArgs {
    fn panels(&self) -> &PanelsArgs {
        &self.panels
    }

    fn spec(&self, first_ns: u64) -> Spec {
        Spec {
            selection: Selection {
                cpus: self.cpus.as_ref().map(|list| list.0.clone()),
                ..self.window.in_seconds()
            },
            wakeup: Some(Place {
                cpu: self.cpu,
                at: self.at.saturating_sub(first_ns),
            }),
            top_down: self.top_down,
            ..self.panels.spec(Kind::Wakeup, first_ns)
        }
    }

    fn places(&self) -> Vec<Named> {
        vec![Named {
            option: "--at",
            cpu: Some(self.cpu),
            at: self.at,
        }]
    }
}

impl OverviewArgs {
    fn spec(&self, kind: Kind, panels: &PanelsArgs, first_ns: u64) -> Spec {
        Spec {
            selection: self.selection.whole(),
            filter: self.selection.filter_text().map(str::to_owned),
            color_by: self.color_by,
            columns: self.columns,
            dot: self.dot,
            ..panels.spec(kind, first_ns)
        }
    }
}

impl PanelsArgs {
    fn spec(&self, kind: Kind, first_ns: u64) -> Spec {
        let since = |note: &NoteAt| Note {
            cpu: note.cpu,
            at: note.at.saturating_sub(first_ns),
            text: note.text.clone(),
        };
        Spec {
            kind,
            topology: self.socket_order.clone(),
            width: self.paper.width,
            height: self.paper.height,
            title: self.paper.title.clone(),
            names: self.name.clone(),
            notes: self.mark.iter().chain(&self.note).map(since).collect(),
            ..Spec::default()
        }
    }

    /// The instants of marks and notes.
    pub fn noted(&self) -> impl Iterator<Item = Named> + '_ {
        let named = |option| {
            move |note: &NoteAt| Named {
                option,
                cpu: note.cpu,
                at: note.at,
            }
        };
        let marks = self.mark.iter().map(named("--mark"));
        marks.chain(self.note.iter().map(named("--note")))
    }
}
