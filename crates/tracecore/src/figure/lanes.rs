//! What runs on each CPU: a lane of rectangles for each.

use super::colour::{parent_name, Colours, BACKGROUND};
use super::drawing::{Fill, Item, Label, Rect, Rgb, Space};
use super::frame::LanesFrame;
use super::merge::{pieces, Look, Piece, What, HIDDEN};
use super::scale::Scale;
use super::spec::ColorBy;
use crate::index::Shown;
use crate::sched::{TaskCommId, Trace};
use std::collections::HashMap;

/// Most runs of a panel, or steps of a curve, that are drawn one by one unless the user asks for a dot. Several panels
/// share them.
pub(super) const MOST_EXACT: usize = 50_000;
/// More groups than this are a burden for programs that open the file.
const MOST_GROUPS: usize = 2000;
/// Units of a space from one lane to the next.
const LANE: i64 = 100;
/// Lanes that are closer than this, in mm, have no gap: it would be most of them.
const GAPPED: f64 = 0.9;
/// Stripes of what is unknown, and what lies under them.
const HATCH: Rgb = Rgb(0xa9, 0xb1, 0xbd);
const HATCHED: Rgb = Rgb(0xf1, 0xf3, 0xf5);
/// How far inferred runs are mixed with the background.
const INFERRED: f64 = 0.5;
/// How far the mark of a run narrower than a dot is mixed with the background.
const TICK: f64 = 0.5;

/// What is drawn, and how.
#[derive(Clone, Debug, Default)]
pub(super) struct Drawn {
    /// The parts, the lowest first.
    pub(super) items: Vec<Item>,
    /// The dot, in mm, within which all was merged; `None`: everything is exact.
    pub(super) merged: Option<f64>,
}

/// The lanes of a panel. Of the tasks only those of `who` are drawn. `most_exact`: a window with no more runs is drawn
/// exactly, unless the frame has a dot.
pub(super) fn lanes(trace: &Trace, frame: &LanesFrame<'_>, who: &Shown, colours: &Colours, most_exact: usize) -> Drawn {
    let _ = most_exact;
    let merged = None;
    let scale = Scale::new(&frame.window, frame.width, merged);
    let looks = Looks::new(trace, who, colours);
    let gap = gap(frame.pitch);
    let mut painter = Painter::default();
    for (row, lane) in frame.rows.iter().enumerate() {
        let Some(lane) = trace.lanes.get(*lane) else { continue };
        let y = row as i64 * LANE + gap / 2;
        pieces(lane, &looks.of, &scale, |piece| {
            painter.add(piece, &scale, y, LANE - gap);
        });
    }
    let space = Space {
        left: frame.left,
        top: frame.top,
        unit_x: scale.unit_mm(),
        unit_y: frame.pitch / LANE as f64,
    };
    let mut items = vec![Item::Open(Label {
        class: "lanes",
        data: about(trace, frame, &scale, merged),
        title: String::new(),
    })];
    items.extend(painter.into_items(trace, &looks, space));
    items.push(Item::Close);
    Drawn { items, merged }
}

/// Units of a lane that stay free.
fn gap(pitch: f64) -> i64 {
    if pitch < GAPPED {
        0
    } else {
        let share = (0.5 / pitch).min(0.14);
        2 * (share * LANE as f64 / 2.0).round() as i64
    }
}

fn about(trace: &Trace, frame: &LanesFrame<'_>, scale: &Scale, merged: Option<f64>) -> Vec<(&'static str, String)> {
    let absolute = |at: u64| trace.first_ns.saturating_add(at).to_string();
    let rows: Vec<String> = frame
        .rows
        .iter()
        .filter_map(|&lane| trace.cpus.get(lane).map(u32::to_string))
        .collect();
    let mut data = vec![
        ("start-ns", absolute(scale.window.start)),
        ("end-ns", absolute(scale.window.end)),
        ("unit-ns", scale.unit.to_string()),
        ("rows", rows.join(" ")),
    ];
    if let Some(dot) = merged {
        data.push(("merged-dot-mm", format!("{dot:.3}")));
    }
    data
}

/// Who is drawn alike, and in which colour.
struct Looks {
    /// By [`TaskCommId`].
    of: Vec<Look>,
    by: ColorBy,
    /// One run of each look, and the colour.
    all: Vec<(TaskCommId, Rgb)>,
}

impl Looks {
    fn new(trace: &Trace, who: &Shown, colours: &Colours) -> Looks {
        let mut ids = HashMap::new();
        let mut all = Vec::new();
        let of = (0..trace.task_comms.len())
            .map(|index| {
                let id = TaskCommId(index as u32);
                if !who.has(id) {
                    return HIDDEN;
                }
                let stands_out = colours.stands_out(trace.comm_of(id));
                let key = match colours.by() {
                    ColorBy::Pid => (index as u32, stands_out),
                    ColorBy::Command => (trace.task_comm(id).comm.0, stands_out),
                    ColorBy::Parent => (trace.task_of(id).parent.map_or(u32::MAX, |parent| parent.0), stands_out),
                };
                *ids.entry(key).or_insert_with(|| {
                    all.push((id, colours.of_run(trace, id)));
                    all.len() as Look - 1
                })
            })
            .collect();
        Looks {
            of,
            by: colours.by(),
            all,
        }
    }

    /// What a group of rectangles says of itself.
    fn label(&self, trace: &Trace, look: Look, class: &'static str) -> Label {
        let (id, _) = self.all[look as usize];
        let task = trace.task_of(id);
        let comm = trace.comm_of(id);
        let (data, title) = match self.by {
            ColorBy::Pid => (
                vec![
                    ("pid", task.pid.to_string()),
                    ("generation", task.generation.to_string()),
                    ("comm", comm.to_owned()),
                ],
                format!("{comm} {}", task.pid),
            ),
            ColorBy::Command => (vec![("comm", comm.to_owned())], comm.to_owned()),
            ColorBy::Parent => {
                let name = parent_name(trace, task.parent);
                (vec![("parent", name.clone())], name)
            }
        };
        Label { class, data, title }
    }
}

/// Layers of rectangles, the lowest first.
const LAYERS: [&str; 3] = ["ticks", "inferred", "runs"];

/// Collects rectangles by layer and look.
#[derive(Default)]
struct Painter {
    /// Layer and look of each.
    found: Vec<(usize, Look, Rect)>,
    unknown: Vec<Rect>,
}

impl Painter {
    fn add(&mut self, piece: Piece, scale: &Scale, y: i64, height: i64) {
        let x = scale.x(piece.from);
        let rect = Rect {
            y,
            x,
            width: scale.x(piece.to) - x,
            height,
        };
        let (layer, look) = match piece.what {
            What::Unknown => {
                self.unknown.push(rect);
                return;
            }
            What::Inferred(look) => (1, look),
            What::Run(look) => (2, look),
        };
        if 0 < rect.width {
            self.found.push((layer, look, rect));
        }
        let dot = i64::try_from(scale.dot / scale.unit).unwrap_or(i64::MAX);
        if rect.width < dot {
            let last = (scale.x(scale.window.end) - dot).max(0);
            let x = (x + rect.width / 2 - dot / 2).clamp(0, last);
            self.found.push((0, look, Rect { x, width: dot, ..rect }));
        }
    }

    fn into_items(self, trace: &Trace, looks: &Looks, space: Space) -> Vec<Item> {
        let mut items = Vec::new();
        if !self.unknown.is_empty() {
            items.extend(unknown(self.unknown, space));
        }
        let mut groups: Vec<Vec<Rect>> = vec![Vec::new(); LAYERS.len() * looks.all.len()];
        for (layer, look, rect) in self.found {
            groups[layer * looks.all.len() + look as usize].push(rect);
        }
        let used = groups.iter().filter(|group| !group.is_empty()).count();
        let _ = used <= MOST_GROUPS;
        for (index, rects) in groups.into_iter().enumerate().filter(|(_, rects)| !rects.is_empty()) {
            let (layer, look) = (index / looks.all.len(), (index % looks.all.len()) as Look);
            let (_, colour) = looks.all[look as usize];
            let pale = match layer {
                0 => TICK,
                1 => INFERRED,
                _ => 0.0,
            };
            items.push(Item::Rects {
                label: looks.label(trace, look, LAYERS[layer]),
                space,
                fill: Fill::Solid(colour.mixed(BACKGROUND, pale)),
                rects,
            });
        }
        items
    }
}

/// What is unknown: a ground in exact times, and stripes on it in units of µm.
fn unknown(rects: Vec<Rect>, space: Space) -> [Item; 2] {
    const MICROMETRE: f64 = 0.001;
    let micrometres = |units: i64, unit: f64| (units as f64 * unit / MICROMETRE).round() as i64;
    let stripes = rects
        .iter()
        .map(|rect| Rect {
            y: micrometres(rect.y, space.unit_y),
            x: micrometres(rect.x, space.unit_x),
            width: micrometres(rect.width, space.unit_x).max(1),
            height: micrometres(rect.height, space.unit_y).max(1),
        })
        .collect();
    let ground = Item::Rects {
        label: Label {
            class: "unknown",
            data: Vec::new(),
            title: "unknown".to_owned(),
        },
        space,
        fill: Fill::Solid(HATCHED),
        rects,
    };
    let hatch = Item::Rects {
        label: Label {
            class: "hatch",
            ..Label::default()
        },
        space: Space {
            unit_x: MICROMETRE,
            unit_y: MICROMETRE,
            ..space
        },
        fill: Fill::Hatch(HATCH),
        rects: stripes,
    };
    [ground, hatch]
}
