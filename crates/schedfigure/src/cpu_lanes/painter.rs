//! Turns pieces of lanes into rectangles, grouped by what ran.

use super::colour_groups::ColourGroups;
use super::pieces::{ColourGroup, Mark, Piece, What, STANDING_OUT, TINTS};
use crate::paint::scale::Scale;
use crate::paint::theme::{HATCH, HATCHED, PAPER};
use paper::{Fill, Item, Label, Rect, Rgb, Space};
use schedmodel::Trace;
use std::collections::BTreeMap;

/// More groups than this burden programs that open the file; beyond, there is one group per colour.
const MOST_GROUPS: usize = 2000;

/// Kinds of rectangles, from the lowest layer to the topmost.
const LAYERS: [Layer; 9] = [
    // How much a look's colour is mixed with the paper: columns in four steps, of which the palest is clearly visible.
    Layer::new("ticks", 0.5),
    Layer::new("ticks", 0.0),
    Layer::new("merged", 0.60),
    Layer::new("merged", 0.42),
    Layer::new("merged", 0.24),
    Layer::new("merged", 0.06),
    Layer::new("inferred", 0.5),
    Layer::new("runs", 0.0),
    Layer::new("ticks", 0.0),
];
const FAINT_TICKS: usize = 0;
const TICKS: usize = 1;
/// Layer of tint 1; the others follow.
const MERGED: usize = 2;
const INFERRED: usize = 6;
const RUNS: usize = 7;
/// Layer of ticks that must be visible, above all others.
const TICKS_ABOVE: usize = 8;

struct Layer {
    class: &'static str,
    paper: f64,
}

impl Layer {
    const fn new(class: &'static str, paper: f64) -> Layer {
        Layer { class, paper }
    }
}

/// The rectangles of one layer and look.
struct Group {
    number: usize,
    layer: usize,
    look: ColourGroup,
    class: &'static str,
    colour: Rgb,
    /// Number of its rectangles.
    count: u32,
}

impl Group {
    /// The group of this number; `None` where `groups` has no such group.
    fn new(groups: &ColourGroups, number: usize, count: u32) -> Option<Group> {
        let layer = number.checked_div(groups.len())?;
        let look = number.checked_rem(groups.len())?;
        let Layer { class, paper } = LAYERS.get(layer)?;
        Some(Group {
            number,
            layer,
            look: look as ColourGroup,
            class,
            colour: groups.colour.get(look)?.mixed(PAPER, *paper),
            count,
        })
    }
}

/// Collects the rectangles of lanes, row by row from the top.
pub(crate) struct Painter<'a> {
    scale: Scale,
    groups: &'a ColourGroups,
    /// Upper edge and height of the lane in the row that is being painted.
    y: i64,
    height: i64,
    /// Width of a dot in units, and the last position of one.
    dot: i64,
    last: i64,
    /// Rectangles in ascending order of (y, x) within each layer and group.
    found: Vec<(u32, Rect)>,
    /// Number of rectangles by layer and group.
    counts: Vec<u32>,
    unknown: Vec<Rect>,
}

impl<'a> Painter<'a> {
    pub(crate) fn new(scale: Scale, groups: &'a ColourGroups) -> Painter<'a> {
        let dot = i64::try_from(scale.dot / scale.unit).unwrap_or(i64::MAX);
        Painter {
            groups,
            y: 0,
            height: 0,
            dot,
            last: scale.x(scale.window.end).saturating_sub(dot).max(0),
            scale,
            found: Vec::new(),
            counts: vec![0; LAYERS.len() * groups.len()],
            unknown: Vec::new(),
        }
    }

    /// Number of rectangles.
    pub(crate) fn len(&self) -> usize {
        self.found.len()
    }

    /// Starts a lane at this position.
    pub(crate) fn row(&mut self, y: i64, height: i64) {
        (self.y, self.height) = (y, height);
    }

    /// Adds a piece; pieces of a row come in ascending order.
    pub(crate) fn add(&mut self, piece: Piece) {
        let x = self.scale.x(piece.from);
        let rect = Rect {
            y: self.y,
            x,
            width: self.scale.x(piece.to) - x,
            height: self.height,
        };
        let (layer, look) = match piece.what {
            What::Unknown => {
                self.unknown.push(rect);
                return;
            }
            What::Run(look) => (RUNS, look),
            What::Inferred(look) => (INFERRED, look),
            What::Merged(look, tint) => (MERGED + usize::from(tint.clamp(1, TINTS)) - 1, look),
        };
        // A piece narrower than half a unit has its mark only.
        if 0 < rect.width {
            self.push(layer, look, rect);
        }
        let layer = match piece.mark {
            Mark::None => return,
            _ if self.groups.stands_out.get(look as usize) == Some(&true) => TICKS_ABOVE,
            Mark::Faint => FAINT_TICKS,
            Mark::Full => TICKS,
        };
        self.push(layer, look, self.widened(rect));
    }

    fn push(&mut self, layer: usize, look: ColourGroup, rect: Rect) {
        let group = layer * self.groups.len() + look as usize;
        if let Some(count) = self.counts.get_mut(group) {
            *count += 1;
            self.found.push((group as u32, rect));
        }
    }

    /// One item per layer and group or, if these are too many, per layer and colour.
    pub(crate) fn into_items(self, trace: &Trace, space: Space) -> Vec<Item> {
        let groups = self.groups;
        let widened = self.unknown.iter().map(|&rect| self.widened(rect));
        let stripes = widened.map(|rect| in_micrometres(rect, space)).collect();
        let striped = Space {
            unit_x: MICROMETRE,
            unit_y: MICROMETRE,
            ..space
        };
        let counted = self.counts.iter().enumerate().filter(|(_, &count)| 0 < count);
        let used = counted.filter_map(|(group, &count)| Group::new(groups, group, count));
        let used: Vec<Group> = used.collect();
        // By group, where its rectangles go.
        let mut slots = vec![0_usize; self.counts.len()];
        let mut items = Vec::new();
        let mut place = |group: &Group, place: usize| {
            if let Some(slot) = slots.get_mut(group.number) {
                *slot = place;
            }
        };
        if used.len() <= MOST_GROUPS {
            for group in &used {
                let mut label = groups.label(trace, group.look, group.class);
                let stands_out = groups.stands_out.get(group.look as usize) == Some(&true);
                label.data.extend(tint(group.layer, stands_out));
                place(group, items.len());
                items.push((label, group.colour, group.count));
            }
        } else {
            let mut by_colour: BTreeMap<(usize, Rgb), (&'static str, u32)> = BTreeMap::new();
            for group in &used {
                let (_, count) = by_colour.entry((group.layer, group.colour)).or_insert((group.class, 0));
                *count += group.count;
            }
            let places: BTreeMap<_, _> = by_colour.keys().copied().zip(0..).collect();
            for group in &used {
                let found = places.get(&(group.layer, group.colour));
                place(group, found.copied().unwrap_or_default());
            }
            items.extend(by_colour.into_iter().map(|((layer, colour), (class, count))| {
                let label = Label {
                    class,
                    data: tint(layer, groups.stands_out.contains(&true)),
                    title: String::new(),
                };
                (label, colour, count)
            }));
        }
        let mut rects: Vec<Vec<Rect>> = items
            .iter()
            .map(|&(.., count)| Vec::with_capacity(count as usize))
            .collect();
        for (group, rect) in self.found {
            let slot = slots.get(group as usize).copied().unwrap_or_default();
            if let Some(rects) = rects.get_mut(slot) {
                rects.push(rect);
            }
        }
        let groups = items
            .into_iter()
            .zip(rects)
            .map(|((label, colour, _), rects)| Item::Rects {
                label,
                space,
                fill: Fill::Solid(colour),
                rects,
            });
        let exact = self.unknown.into_iter().filter(|rect| 0 < rect.width).collect();
        let ground = unknown("unknown", space, Fill::Solid(HATCHED), exact);
        let hatched = unknown("stripes", striped, Fill::Hatch(HATCH), stripes);
        ground.into_iter().chain(groups).chain(hatched).collect()
    }

    /// The rectangle, widened to at least a dot.
    fn widened(&self, rect: Rect) -> Rect {
        if self.dot <= rect.width {
            return rect;
        }
        let x = (rect.x + rect.width / 2 - self.dot / 2).clamp(0, self.last);
        Rect {
            x,
            width: self.dot,
            ..rect
        }
    }
}

/// For a layer of columns: its tint, 4 being the busiest, and the shares that this stands for.
fn tint(layer: usize, stands_out: bool) -> Vec<(&'static str, String)> {
    if !(MERGED..INFERRED).contains(&layer) {
        return Vec::new();
    }
    let tint = layer + 1 - MERGED;
    let share = |tint: usize| tint as f64 / f64::from(TINTS);
    let least = if stands_out && tint == usize::from(STANDING_OUT) {
        0.0
    } else {
        share(tint - 1)
    };
    vec![
        ("tint", tint.to_string()),
        ("busy", format!("{least:.2}-{:.2}", share(tint))),
    ]
}

/// Unknown time, in a space of exact times: a ground with stripes.
pub(crate) fn hatched(space: Space, rects: Vec<Rect>) -> impl Iterator<Item = Item> {
    let striped = Space {
        unit_x: MICROMETRE,
        unit_y: MICROMETRE,
        ..space
    };
    let stripes = rects.iter().map(|&rect| in_micrometres(rect, space)).collect();
    let ground = unknown("unknown", space, Fill::Solid(HATCHED), rects);
    let stripes = unknown("stripes", striped, Fill::Hatch(HATCH), stripes);
    ground.into_iter().chain(stripes)
}

/// Unknown time: a ground in exact times, and stripes above everything else.
fn unknown(class: &'static str, space: Space, fill: Fill, rects: Vec<Rect>) -> Option<Item> {
    (!rects.is_empty()).then(|| Item::Rects {
        label: Label {
            class,
            data: Vec::new(),
            title: "unknown".to_owned(),
        },
        space,
        fill,
        rects,
    })
}

/// Unit in which stripes can be drawn.
pub(crate) const MICROMETRE: f64 = 0.001;

pub(crate) fn in_micrometres(rect: Rect, space: Space) -> Rect {
    let micrometres = |units: i64, unit: f64| (units as f64 * unit / MICROMETRE).round() as i64;
    Rect {
        y: micrometres(rect.y, space.unit_y),
        x: micrometres(rect.x, space.unit_x),
        width: micrometres(rect.width, space.unit_x).max(1),
        height: micrometres(rect.height, space.unit_y).max(1),
    }
}
