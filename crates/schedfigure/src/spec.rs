//! What decides a figure, but for the traces themselves.

use schedmodel::topology::Topology;
use schedquery::query::Selection;
use serde::Deserialize;
use std::sync::Arc;

/// Which figure.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Part {
    /// Running and runnable tasks.
    RunningWaiting,
    /// A lane for each of `Spec::task_lanes`, with its states.
    Tasks,
}

/// What a run's colour tells. With `Selection::target` all but the target's runs are black.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
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
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub struct Place {
    /// The CPU.
    pub cpu: u32,
    /// When.
    pub at: u64,
}

/// A text at an instant.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Note {
    /// On the lane of this CPU; `None`: at the panel's upper edge.
    pub cpu: Option<u32>,
    /// ns since the trace's first record.
    pub at: u64,
    /// What it says; `A` and `B` are marks whose distance is told.
    pub text: String,
}

impl Note {
    /// Whether it is mark A or B.
    pub fn is_mark(&self) -> bool {
        self.cpu.is_none() && matches!(self.text.as_str(), "A" | "B")
    }
}

/// Whose arrows are drawn on the lanes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arrows {
    /// The wakeup chain of the run there, at most so many hops back.
    Chain(Place, u32),
    /// The cascade of moves that the run there is part of.
    Cascade(Place),
}

/// Everything that decides a figure. Lengths are mm.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Spec {
    /// Which one.
    pub kind: Kind,
    /// What else is below a timeline.
    pub with: Vec<Part>,
    /// Time, CPUs and tasks. In a timeline the target is a matter of colour: the others are black.
    pub selection: Selection,
    /// What colours tell.
    pub color_by: ColorBy,
    /// What the legend counts.
    pub legend: LegendOf,
    /// Orders the CPUs, draws brackets, and tells near from far.
    pub topology: Option<Arc<Topology>>,
    /// Of the whole figure; `None`: 178, the text's width of a two-column page.
    pub width: Option<f64>,
    /// Of the whole figure; `None`: what its lanes need.
    pub height: Option<f64>,
    /// Above the figure; `None`: none.
    pub title: Option<String>,
    /// Above each panel, in the order of the traces; missing ones are the files' names where there are several.
    pub names: Vec<String>,
    /// Panels beside each other; `None`: one.
    pub columns: Option<u32>,
    /// The first CPU is on top, as the page has it, not at the bottom.
    pub top_down: bool,
    /// Commands that stand out; all others are pale.
    pub highlight: Vec<String>,
    /// × at wakeups that put a task on another CPU than it last ran on.
    pub moves: bool,
    /// Marks and notes.
    pub notes: Vec<Note>,
    /// Arrows, and what they are of.
    pub arrows: Option<Arrows>,
    /// How many tasks wait on each CPU, at the lower edge of its lane.
    pub runqueues: bool,
    /// Tasks with lanes of their own, by PID and command; see `Part::Tasks`.
    pub task_lanes: TaskLanes,
    /// The run that a `Kind::Wakeup` figure is about.
    pub wakeup: Option<Place>,
    /// What falls within a printed dot so wide is merged; `None`: 0.1 where there is much to draw, else nothing is.
    pub dot: Option<f64>,
}

/// Which tasks have lanes of their own.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
pub struct TaskLanes {
    /// Tasks with these PIDs.
    pub pids: Vec<i32>,
    /// All tasks that ever had one of these comms.
    pub comms: Vec<String>,
}
