//! The numbers of run times.

use crate::choices::command::{Call, Words};
use crate::paint::theme::SERIES;
use schedmodel::Trace;
use schedquery::query::Selection;
use serde::Serialize;

/// What determines a chart of run times, apart from the traces.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RunTimes {
    /// The tasks whose run time is measured, and time 0.
    pub selection: Selection,
    /// The filter of events that `selection.runs` pass, as it was written.
    pub filter: Option<String>,
    /// The series; if empty, all runs are one series.
    pub groups: Vec<Group>,
    /// Width in mm; `None`: 85, a column.
    pub width: Option<f64>,
    /// Height in mm; `None`: 55.
    pub height: Option<f64>,
    /// Title above the chart, if any.
    pub title: Option<String>,
}

/// A group of runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// Its name in the legend.
    pub name: String,
    /// A text that the paths of its files contain.
    pub text: String,
}

/// How long one run took.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Run {
    /// The file, as named on the command line.
    pub file: String,
    /// Its group's name; `None` if there are no groups.
    pub group: Option<String>,
    /// From time 0 to the end of the last run of a selected task.
    pub run_time_ns: u64,
    /// The page's view of its trace.
    #[serde(skip)]
    pub view: String,
}

/// The most series that colours can distinguish.
pub const MOST_GROUPS: usize = SERIES.len();

impl RunTimes {
    /// The run time of a trace: from time 0 to the last instant at which a selected task ran in the window on a
    /// selected CPU. `None` if none did.
    pub fn run_time(&self, trace: &Trace) -> Option<u64> {
        let zero = self.selection.time_zero(trace);
        let (window, shown) = (self.selection.window(trace), self.selection.shown(trace));
        let chosen = self.selection.lanes(trace);
        let lanes = trace.lanes.iter().enumerate();
        let ends = lanes.filter(|(number, _)| chosen.as_ref().is_none_or(|chosen| chosen.get(*number) == Some(&true)));
        let ends = ends.filter_map(|(number, lane)| {
            // Backwards: the last run is near the end. A switch that is the trace's last event begins a run of no time.
            let before = lane.starts().partition_point(|start| start < window.end);
            let ran = |&index: &usize| {
                let (start, end) = (lane.start_of(index), lane.end_of(index));
                start < end && lane.run(index).is_some_and(|id| shown.has_run(id, number, index))
            };
            let last = (0..before).rev().find(ran)?;
            let end = lane.end_of(last).min(window.end);
            (window.start < end).then_some(end)
        });
        Some(ends.max()?.saturating_sub(zero))
    }

    /// The group of a file: the first one whose text its path contains. The outer `None`: it is in no group although
    /// there are some.
    pub fn group_of(&self, file: &str) -> Option<Option<&Group>> {
        if self.groups.is_empty() {
            return Some(None);
        }
        self.groups.iter().find(|group| file.contains(&group.text)).map(Some)
    }

    /// Sorts runs for the chart: by group, then by run time, then by file.
    pub fn sort(&self, runs: &mut [Run]) {
        let number = |run: &Run| {
            let name = run.group.as_deref();
            self.groups.iter().position(|group| Some(group.name.as_str()) == name)
        };
        runs.sort_by(|a, b| {
            let key = |run: &Run| (number(run), run.run_time_ns);
            key(a).cmp(&key(b)).then_with(|| a.file.cmp(&b.file))
        });
    }

    /// The command line that makes the chart again.
    pub fn line(&self, call: &Call<'_>) -> String {
        let mut words = Words::new("run-times", call.files);
        words.value("output", call.output);
        words.maybe("buffer", call.buffer);
        for Group { name, text } in &self.groups {
            words.value("group", format!("{name}={text}"));
        }
        words.tasks(&self.selection);
        words.maybe("filter", self.filter.as_ref());
        words.window(&self.selection);
        words.cpus("cpu", &self.selection);
        words.paper(self.width, self.height, self.title.as_deref());
        words.dpi(call.output, call.dpi);
        words.line()
    }
}
