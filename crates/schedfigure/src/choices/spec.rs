//! The specification of a figure: everything that determines it, apart from the traces.

use schedmodel::topology::Topology;
use schedquery::query::Selection;
use serde::Deserialize;
use std::sync::Arc;
use ts_rs::TS;

/// Kind of figure.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, TS)]
#[serde(rename_all = "kebab-case")]
#[ts(rename = "FigureKind")]
pub enum Kind {
    /// What ran on which CPU, as `dat2graph` draws it.
    #[default]
    Timeline,
    /// How many tasks ran and were runnable, as `running_waiting` draws it.
    RunningWaiting,
    /// A run, the wakeup that led to it, and the CPUs that took part.
    Wakeup,
}

/// A panel below a timeline, on the same time axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, TS)]
#[serde(rename_all = "kebab-case")]
#[ts(rename = "FigurePart")]
pub enum Part {
    /// Running and runnable tasks.
    RunningWaiting,
    /// One lane with its states per task of `Spec::task_lanes`.
    Tasks,
}

/// What the colour of a run shows. With `Selection::target`, runs of other commands are black.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, TS)]
#[serde(rename_all = "kebab-case")]
pub enum ColorBy {
    /// The task, not uniquely.
    #[default]
    Pid,
    /// The command, with a legend.
    Command,
    /// The task that forked it, with a legend of the forking tasks.
    Parent,
}

/// What the legend of commands counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, TS)]
#[serde(rename_all = "kebab-case")]
pub enum LegendOf {
    /// What the figure shows.
    #[default]
    Window,
    /// From time 0 to the figure's right end, as dat2graph does.
    ToEnd,
    /// The whole trace.
    Trace,
    /// No legend.
    None,
}

/// A place on the lanes, in ns since the trace's first record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, TS)]
#[ts(rename = "FigurePlace")]
pub struct Place {
    /// The CPU.
    pub cpu: u32,
    /// The time.
    #[ts(type = "Ns")]
    pub at: u64,
}

/// A text at an instant.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, TS)]
#[ts(rename = "FigureNote")]
pub struct Note {
    /// CPU on whose lane it is; `None`: at the panel's upper edge.
    pub cpu: Option<u32>,
    /// ns since the trace's first record.
    #[ts(type = "Ns")]
    pub at: u64,
    /// The text; `A` and `B` are marks, whose distance is shown.
    pub text: String,
}

impl Note {
    /// Whether it is mark A or B.
    pub fn is_mark(&self) -> bool {
        self.cpu.is_none() && matches!(self.text.as_str(), "A" | "B")
    }
}

/// The arrows on the lanes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arrows {
    /// The wakeup chain of the run at this place, with at most this many hops.
    Chain(Place, u32),
    /// The cascade that the run at this place is part of.
    Cascade(Place),
}

/// Everything that determines a figure. Lengths are mm.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Spec {
    /// Kind of figure.
    pub kind: Kind,
    /// Panels below a timeline.
    pub with: Vec<Part>,
    /// Time, CPUs and tasks. In a timeline the target only affects colours: other runs are black.
    pub selection: Selection,
    /// The filter of events that [`Subject::passing`](super::subject::Subject) passes, as it was written. In lanes, runs that do not
    /// pass are pale; all else is of those that do, and of the waits before them.
    pub filter: Option<String>,
    /// What colours show.
    pub color_by: ColorBy,
    /// What the legend counts.
    pub legend: LegendOf,
    /// The machine: orders the CPUs, has brackets drawn, and distinguishes near from far.
    pub topology: Option<Arc<Topology>>,
    /// Width of the figure; `None`: 178, the text width of a two-column page.
    pub width: Option<f64>,
    /// Height of the figure; `None`: what its lanes need.
    pub height: Option<f64>,
    /// Title above the figure, if any.
    pub title: Option<String>,
    /// Names above the panels, in the order of the traces; by default the files' names if there are several.
    pub names: Vec<String>,
    /// Number of panels beside each other; `None`: one.
    pub columns: Option<u32>,
    /// Whether the first CPU is at the top, as in the page, rather than at the bottom.
    pub top_down: bool,
    /// Commands to highlight; all others are pale.
    pub highlight: Vec<String>,
    /// Whether to draw × at wakeups that put a task on another CPU than it last ran on.
    pub moves: bool,
    /// Marks and notes.
    pub notes: Vec<Note>,
    /// Arrows on the lanes, if any.
    pub arrows: Option<Arrows>,
    /// Whether to show at the lower edge of each lane how many tasks wait on the CPU.
    pub runqueues: bool,
    /// Tasks with lanes, by PID and command; see `Part::Tasks`.
    pub task_lanes: TaskLanes,
    /// Whether to show at the lower edge of each task's lane what system call it is in.
    pub calls: bool,
    /// Whether to show at the upper edge of each lane what interrupts took.
    pub interrupts: bool,
    /// A number in the fields of an event, as `system:event.field`, whose values are lines on the lanes.
    pub counter: Option<String>,
    /// The run that a `Kind::Wakeup` figure is about.
    pub wakeup: Option<Place>,
    /// Merge what falls within a printed dot of this width; `None`: 0.1 if there is much to draw, otherwise nothing is
    /// merged.
    pub dot: Option<f64>,
}

/// The tasks that have lanes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, TS)]
#[ts(rename = "FigureTaskLanes")]
pub struct TaskLanes {
    /// Tasks with these PIDs.
    pub pids: Vec<i32>,
    /// All tasks that ever had one of these comms.
    pub comms: Vec<String>,
}
