//! How long many runs took: the numbers.

use super::command::{Call, Words};
use super::run_chart;
use super::{Drawing, FigureError};
use schedmodel::Trace;
use schedquery::query::Selection;
use serde::Serialize;

/// What decides a chart of run times, but for the traces.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RunTimes {
    /// Whose run time it is, and where time 0 is.
    pub selection: Selection,
    /// The series; none: all runs are one.
    pub groups: Vec<Group>,
    /// mm; `None`: 85, a column.
    pub width: Option<f64>,
    /// mm; `None`: 55.
    pub height: Option<f64>,
    /// Above the chart; `None`: none.
    pub title: Option<String>,
}

/// Runs that belong together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// In the legend.
    pub name: String,
    /// The paths of its files contain it.
    pub text: String,
}

/// How long one run took.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Run {
    /// As the command line names it.
    pub file: String,
    /// Its group's name; `None` where there are no groups.
    pub group: Option<String>,
    /// From time 0 to the end of the last run of a selected task.
    pub run_time_ns: u64,
    /// The page's view of its trace.
    #[serde(skip)]
    pub view: String,
}

/// Series that are told apart by their colours.
pub const MOST_GROUPS: usize = run_chart::COLOURS.len();

impl RunTimes {
    /// The run time of a trace: from time 0 to the last instant that a selected task ran in the window on a selected CPU.
    /// `None`: none did.
    pub fn run_time(&self, trace: &Trace) -> Option<u64> {
        let zero = self.selection.time_zero(trace);
        let (window, shown) = (self.selection.window(trace), self.selection.shown(trace));
        let chosen = self.selection.lanes(trace);
        let lanes = trace.lanes.iter().enumerate();
        let ends = lanes.filter(|(number, _)| chosen.as_ref().is_none_or(|chosen| chosen[*number]));
        let ends = ends.filter_map(|(_, lane)| {
            // Backwards: the last run is near the end. A switch that is the trace's last event begins a run of no time.
            let before = lane.starts().partition_point(|&start| start < window.end);
            let ran = |&index: &usize| {
                let (start, end) = (lane.starts()[index], lane.end_of(index));
                start < end && lane.run(index).is_some_and(|id| shown.has(id))
            };
            let last = (0..before).rev().find(ran)?;
            let end = lane.end_of(last).min(window.end);
            (window.start < end).then_some(end)
        });
        Some(ends.max()?.saturating_sub(zero))
    }

    /// The group of a file: the first whose text its path contains. `None`: it is in no group though there are some.
    pub fn group_of(&self, file: &str) -> Option<Option<&Group>> {
        if self.groups.is_empty() {
            return Some(None);
        }
        self.groups.iter().find(|group| file.contains(&group.text)).map(Some)
    }

    /// In the order of the chart: by group, then by run time; runs of the same time by file.
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

    /// The chart of runs that are sorted.
    pub fn draw(&self, runs: &[Run]) -> Result<Drawing, FigureError> {
        if runs.is_empty() {
            return Err(FigureError::NoTrace);
        }
        let series: Vec<&[Run]> = runs.chunk_by(|a, b| a.group == b.group).collect();
        run_chart::draw(self, &series)
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
        words.window(&self.selection);
        words.cpus("cpu", &self.selection);
        words.paper(self.width, self.height, self.title.as_deref());
        words.dpi(call.output, call.dpi);
        words.line()
    }
}
