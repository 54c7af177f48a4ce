//! Crosses (×) at wakeups that put a task on another CPU than it last ran on: at the instant of the wakeup, on the lane
//! of the CPU that the task was put on.
//!
//! A task that comes from another socket leaves its caches and its memory behind: its × is larger, bolder and of
//! another colour. `query::placement` decides which wakeups these are.

use crate::paint::arrow_shapes::cross;
use crate::paint::frame::{Drawn, LanesFrame, Sample};
use crate::paint::theme::{self, text};
use paper::font;
use paper::{Anchor, Item, Label, Rgb, Stroke};
use schedindex::Shown;
use schedmodel::topology::{Distance, Topology};
use schedmodel::Trace;
use schedquery::query::{all_put_elsewhere, PutElsewhere};

/// How far a task was put; far ones are drawn above near ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Reach {
    Unknown,
    /// To a CPU of the same socket.
    Near,
    /// To another socket.
    Far,
}

/// If there are more ×, they are merged more coarsely: they would hide the lanes and make up most of the file.
const MOST_MARKS: usize = 4000;
/// × that are closer than this share of their width look like one.
const ALIKE: f64 = 0.2;
/// Least and greatest size of a near ×, depending on the pitch of the lanes, in mm.
const SIZES: (f64, f64) = (0.8, 1.5);
/// Width of the white border of a ×, in mm.
const HALO: f64 = 0.15;

impl Reach {
    fn between(topology: Option<&Topology>, from: u32, to: u32) -> Reach {
        match topology.and_then(|topology| topology.distance(from, to)) {
            None => Reach::Unknown,
            Some(Distance::Machine) => Reach::Far,
            Some(Distance::Cpu | Distance::Core | Distance::Llc | Distance::Socket) => Reach::Near,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Reach::Unknown => "unknown",
            Reach::Near => "near",
            Reach::Far => "far",
        }
    }

    /// Text in the key.
    fn words(self) -> &'static str {
        match self {
            Reach::Unknown => "wakeup that moved a task to this CPU",
            Reach::Near => "wakeup that moved a task, same socket",
            Reach::Far => "wakeup that moved a task from another socket",
        }
    }

    fn colour(self) -> Rgb {
        match self {
            Reach::Unknown => theme::INK,
            Reach::Near => theme::NEAR,
            Reach::Far => theme::FAR,
        }
    }

    /// Width of the ×, relative to a near one, and of its strokes in mm.
    fn form(self) -> (f64, f64) {
        match self {
            Reach::Unknown | Reach::Near => (1.0, 0.2),
            Reach::Far => (1.35, 0.4),
        }
    }

    fn stroke(self) -> Stroke {
        Stroke {
            width: self.form().1,
            colour: self.colour(),
            dash: None,
        }
    }
}

/// A ×, and the wakeups that it stands for.
#[derive(Clone, Debug)]
struct Mark {
    reach: Reach,
    row: usize,
    first: PutElsewhere,
    last: u64,
    count: usize,
}

/// The × on the rows of a frame, for wakeups in its window of the tasks that are shown.
pub(crate) fn crosses(trace: &Trace, frame: &LanesFrame<'_>, who: &Shown, topology: Option<&Topology>) -> Drawn {
    let mut row_of_lane = vec![None; trace.lanes.len()];
    for (row, &lane) in frame.rows.iter().enumerate() {
        if let Some(slot) = row_of_lane.get_mut(lane) {
            *slot = Some(row);
        }
    }
    let found = all_put_elsewhere(trace, frame.window.clone(), who).into_iter();
    let mut marks: Vec<Mark> = found
        .filter_map(|first| {
            Some(Mark {
                reach: Reach::between(topology, first.previous_cpu, first.chosen_cpu),
                row: (*row_of_lane.get(trace.lane_index(first.chosen_cpu)?)?)?,
                last: first.at,
                first,
                count: 1,
            })
        })
        .collect();
    marks.sort_by_key(|mark| (mark.reach, mark.row, mark.first.at, mark.first.previous_cpu));
    let size = size(frame.pitch);
    let mut dot = (size * ALIKE).max(frame.dot.unwrap_or(0.0));
    let mut merged = merge(&marks, frame, dot);
    while MOST_MARKS < merged.len() && dot < frame.width {
        dot *= 2.0;
        merged = merge(&marks, frame, dot);
    }
    let alike = merged.len() < marks.len();
    let said = alike.then(|| {
        format!(
            "{} wakeups that moved a task; × nearer than {dot:.1} mm are one",
            marks.len()
        )
    });
    Drawn {
        items: draw(trace, frame, &merged, size),
        small_print: said.into_iter().collect(),
    }
}

/// Merges marks, sorted by reach, row and time: those within a dot of the first one become one mark.
fn merge(marks: &[Mark], frame: &LanesFrame<'_>, dot: f64) -> Vec<Mark> {
    let mut merged: Vec<Mark> = Vec::new();
    for mark in marks {
        match merged.last_mut() {
            Some(before)
                if (before.reach, before.row) == (mark.reach, mark.row)
                    && frame.x(mark.first.at) - frame.x(before.first.at) < dot =>
            {
                before.last = mark.last;
                before.count += mark.count;
            }
            _ => merged.push(mark.clone()),
        }
    }
    merged
}

fn size(pitch: f64) -> f64 {
    (pitch * 0.8).clamp(SIZES.0, SIZES.1)
}

fn draw(trace: &Trace, frame: &LanesFrame<'_>, marks: &[Mark], size: f64) -> Vec<Item> {
    if marks.is_empty() {
        return Vec::new();
    }
    let at = |mark: &Mark| [frame.x(mark.first.at), frame.middle(mark.row)];
    let mut items = vec![Item::Open(Label::of("moves"))];
    for reach in [Reach::Unknown, Reach::Near, Reach::Far] {
        let alike = marks.iter().filter(|mark| mark.reach == reach);
        // On runs of any colour.
        let halos: Vec<_> = alike
            .clone()
            .flat_map(|mark| cross(at(mark), size * reach.form().0))
            .collect();
        if halos.is_empty() {
            continue;
        }
        items.push(Item::Lines {
            label: Label::of("move-halo"),
            stroke: Stroke {
                width: reach.stroke().width + 2.0 * HALO,
                colour: theme::PAPER,
                dash: None,
            },
            lines: halos,
        });
        items.extend(alike.map(|mark| Item::Lines {
            label: label(trace, mark),
            stroke: reach.stroke(),
            lines: cross(at(mark), size * reach.form().0),
        }));
    }
    items.push(Item::Close);
    items
}

fn label(trace: &Trace, mark: &Mark) -> Label {
    let PutElsewhere {
        at,
        previous_cpu,
        chosen_cpu,
    } = mark.first;
    let mut data = vec![
        ("reach", mark.reach.name().to_owned()),
        ("cpu", chosen_cpu.to_string()),
        ("at-ns", (trace.origin_ns + at).to_string()),
        ("count", mark.count.to_string()),
    ];
    let title = if mark.count == 1 {
        data.push(("from-cpu", previous_cpu.to_string()));
        format!("woken on CPU {chosen_cpu}, last ran on CPU {previous_cpu}")
    } else {
        data.push(("last-ns", (trace.origin_ns + mark.last).to_string()));
        format!("{} wakeups moved tasks to CPU {chosen_cpu}", mark.count)
    };
    Label {
        class: "move",
        data,
        title,
    }
}

/// Entries of the key for ×.
pub(crate) fn samples(topology_is_known: bool) -> Vec<Sample> {
    let reaches = if topology_is_known {
        vec![Reach::Near, Reach::Far]
    } else {
        vec![Reach::Unknown]
    };
    reaches.into_iter().map(sample).collect()
}

fn sample(reach: Reach) -> Sample {
    Box::new(move |[left, baseline], font_size| {
        let size = SIZES.1 * reach.form().0;
        let x = left + size + font_size * 0.4;
        let mark = Item::Lines {
            label: Label::of("move-key").with("reach", reach.name()),
            stroke: reach.stroke(),
            lines: cross([left + size / 2.0, baseline - font_size * 0.3], size),
        };
        let words = text("key-text", [x, baseline], font_size, Anchor::Start, reach.words());
        (vec![mark, words], x - left + font::width(reach.words(), font_size))
    })
}
