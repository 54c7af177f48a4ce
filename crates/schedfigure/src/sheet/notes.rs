//! Marks A and B with their distance, and notes: texts above a panel, with lines to their instants.

use crate::choices::spec::Note;
use crate::paint::axis::time;
use crate::paint::theme::{block, coloured, lines, HALF_CAP, LEGEND, MARK, PAPER};
use crate::paint::timescale::Timescale;
use paper::font;
use paper::{Anchor, Item, Label, Rgb, Stroke};
use std::cmp::Ordering;

/// Height of a line of notes, in mm.
pub(crate) const ROW: f64 = 2.9;
/// Gap between texts, in mm.
const GAP: f64 = 0.8;
/// Width of a tag with a letter, in mm.
const TAG: f64 = 2.4;

const DASHED: Stroke = Stroke {
    width: 0.25,
    colour: MARK,
    dash: Some((1.2, 0.8)),
};
const LEADER: Stroke = Stroke {
    width: 0.2,
    colour: MARK,
    dash: None,
};
/// A border that keeps a line visible on runs of any colour.
const HALO: Stroke = Stroke {
    width: 0.45,
    colour: PAPER,
    dash: None,
};

/// A text above the panel.
#[derive(Clone, Debug, PartialEq)]
struct Placed<'a> {
    note: &'a Note,
    x: f64,
    /// Left edge of the text.
    left: f64,
    right: f64,
    text: String,
    /// Number of its row; the lowest is 0.
    row: usize,
}

/// All marks and notes of a panel.
#[derive(Debug)]
pub(crate) struct Notes<'a> {
    scale: Timescale,
    clock_is_ns: bool,
    /// A and B if they are in the window, by time.
    marks: Vec<(&'a Note, f64)>,
    /// Time from A to B, if both are given.
    distance: Option<u64>,
    notes: Vec<Placed<'a>>,
}

impl<'a> Notes<'a> {
    /// The notes in the scale's window, placed without overlaps.
    pub(crate) fn new(notes: &'a [Note], zero: u64, scale: Timescale, clock_is_ns: bool) -> Notes<'a> {
        let in_window = |note: &&Note| scale.shows(note.at.checked_sub(zero));
        let x = |note: &Note| scale.x(note.at.saturating_sub(zero));
        let mut marks: Vec<(&Note, f64)> = Vec::new();
        for mark in notes.iter().filter(|note| note.is_mark()).filter(in_window) {
            if marks.iter().all(|(other, _)| other.text != mark.text) {
                marks.push((mark, x(mark)));
            }
        }
        marks.sort_by_key(|(mark, _)| (mark.at, mark.text.clone()));
        let at = |name: &str| notes.iter().find(|note| note.is_mark() && note.text == name);
        let distance = match (at("A"), at("B"), marks.first()) {
            (Some(a), Some(b), Some(_)) => Some(a.at.abs_diff(b.at)),
            _ => None,
        };
        let mut texts: Vec<(&Note, f64)> = notes
            .iter()
            .filter(|note| !note.is_mark())
            .filter(in_window)
            .map(|note| (note, x(note)))
            .collect();
        texts.sort_by_key(|&(note, _)| (note.at, note.cpu, &note.text));
        Notes {
            scale,
            clock_is_ns,
            marks,
            distance,
            notes: in_rows(beside_lines(&texts, scale)),
        }
    }

    /// Height above the panel, in mm.
    pub(crate) fn height(&self) -> f64 {
        let rows = self.notes.iter().map(|note| note.row + 1).max().unwrap_or(0);
        (rows + usize::from(!self.marks.is_empty())) as f64 * ROW
    }

    /// Draws them. `top` and `bottom`: of the panel; `lane_y`: the middle of a CPU's lane, if it is shown; `first_ns`:
    /// the trace's.
    pub(crate) fn draw(
        &self,
        [top, bottom]: [f64; 2],
        lane_y: impl Fn(u32) -> Option<f64>,
        first_ns: u64,
    ) -> Vec<Item> {
        let mut items = Vec::new();
        for (mark, x) in &self.marks {
            let label = Label::of("mark")
                .with("name", &mark.text)
                .with("at-ns", first_ns.saturating_add(mark.at));
            items.push(Item::Open(label));
            for stroke in [HALO, DASHED] {
                items.push(line("mark", stroke, [*x, top], [*x, bottom]));
            }
            let left = self.tag_left(mark, *x);
            items.push(block("mark", MARK, [left, top - ROW], [TAG, ROW - 0.3]));
            let at = [left + TAG / 2.0, middle_line(top - ROW)];
            items.push(coloured("mark", at, LEGEND, Anchor::Middle, PAPER, mark.text.as_str()));
            items.push(Item::Close);
        }
        items.extend(self.draw_distance(top));
        let above = if self.marks.is_empty() { top } else { top - ROW };
        for note in &self.notes {
            let mut label = Label::of("note").with("at-ns", first_ns.saturating_add(note.note.at));
            if let Some(cpu) = note.note.cpu {
                label = label.with("cpu", cpu);
            }
            items.push(Item::Open(label));
            let row_top = above - (note.row + 1) as f64 * ROW;
            let start = [note.x, row_top + 0.4];
            match note.note.cpu.and_then(&lane_y) {
                Some(y) => {
                    items.push(line("note", HALO, [note.x, top], [note.x, y]));
                    items.push(line("note", LEADER, start, [note.x, y]));
                    items.push(diamond([note.x, y], 0.95, PAPER));
                    items.push(diamond([note.x, y], 0.65, MARK));
                }
                None => items.push(line("note", LEADER, start, [note.x, top])),
            }
            let at = [note.left, middle_line(row_top)];
            items.push(coloured("note", at, LEGEND, Anchor::Start, MARK, note.text.as_str()));
            items.push(Item::Close);
        }
        items
    }

    /// Left edge of a mark's tag. Tags lie outside the two marks, so that there is room for the distance between them.
    fn tag_left(&self, mark: &Note, x: f64) -> f64 {
        let left = match self.marks.as_slice() {
            [(first, _), _] if first.text == mark.text => x - TAG,
            [_, _] => x,
            _ => x - TAG / 2.0,
        };
        left.max(0.0)
    }

    fn draw_distance(&self, top: f64) -> Vec<Item> {
        let (Some(distance), Some((first, from)), Some((_, to))) =
            (self.distance, self.marks.first(), self.marks.last())
        else {
            return Vec::new();
        };
        let text = time(distance, self.clock_is_ns);
        let width = font::width(&text, LEGEND);
        let y = middle_line(top - ROW);
        let write = |x: f64| coloured("mark-distance", [x, y], LEGEND, Anchor::Start, MARK, text.as_str());
        let right_end = self.scale.left + self.scale.width;
        if let Some(middle) = self.free_middle([*from, *to], width + 4.0 * GAP) {
            let (left, right) = (middle - width / 2.0 - GAP, middle + width / 2.0 + GAP);
            let y = top - ROW / 2.0;
            let ways = vec![vec![[*from, y], [left, y]], vec![[right, y], [*to, y]]];
            return vec![lines("mark-distance", LEADER, ways), write(left + GAP)];
        }
        let after = self.tag_left(self.marks.last().map_or(first, |(mark, _)| mark), *to) + TAG + GAP;
        let before = self.tag_left(first, *from) - GAP - width;
        vec![write(if after + width <= right_end {
            after
        } else {
            before.max(0.0)
        })]
    }

    /// Middle of a text of this width between the marks, where no line of a note passes; as near to the marks' middle
    /// as possible.
    fn free_middle(&self, [from, to]: [f64; 2], width: f64) -> Option<f64> {
        let lines = self.notes.iter().map(|note| note.x);
        let mut ends: Vec<f64> = lines.filter(|x| from < *x && *x < to).chain([from, to]).collect();
        ends.sort_by(f64::total_cmp);
        let middle = (from + to) / 2.0;
        let nearest = ends.windows(2).filter_map(|ends| match *ends {
            // Not `clamp`, which panics where rounding leaves a room that is just wide enough with its ends crossed.
            [from, to] if width <= to - from => Some(middle.max(from + width / 2.0).min(to - width / 2.0)),
            _ => None,
        });
        nearest.min_by(|a, b| (a - middle).abs().total_cmp(&(b - middle).abs()))
    }
}

/// Places each text right of its line, or left of it if it would reach the plot's end or the line of another such text;
/// sorted by time.
fn beside_lines<'a>(notes: &[(&'a Note, f64)], scale: Timescale) -> Vec<Placed<'a>> {
    let mut limit = scale.right();
    let mut placed = Vec::new();
    for &(note, x) in notes.iter().rev() {
        let half = GAP / 2.0;
        let (before, after) = (x - half - scale.left, limit - x - half);
        let width = font::width(&note.text, LEGEND);
        let is_right = width <= after || (before < width && before <= after);
        let text = font::ellipsize(&note.text, LEGEND, if is_right { after } else { before }).into_owned();
        let width = font::width(&text, LEGEND);
        let left = if is_right { x + half } else { x - half - width };
        if !is_right {
            limit = x - half;
        }
        placed.push(Placed {
            note,
            x,
            left,
            right: left + width,
            text,
            row: 0,
        });
    }
    placed.reverse();
    placed
}

/// Puts the texts into rows so that they meet neither texts nor lines. A text right of its line never reaches a line
/// whose text is left of it, so the latter are in the upper rows. Of texts right of their lines, those further left are
/// higher if they reach others' lines; of texts left of their lines, the other way round.
fn in_rows(notes: Vec<Placed<'_>>) -> Vec<Placed<'_>> {
    let (right, left): (Vec<_>, Vec<_>) = notes.into_iter().partition(|note| note.x < note.left);
    let mut rows = Vec::new();
    for note in right.into_iter().rev() {
        add(note, 0, &mut rows);
    }
    let above = rows.iter().map(|note| note.row + 1).max().unwrap_or(0);
    for note in left {
        add(note, above, &mut rows);
    }
    rows
}

/// Adds a note to the first row from `lowest` on in which it meets nothing of the rows above.
fn add<'a>(note: Placed<'a>, lowest: usize, rows: &mut Vec<Placed<'a>>) {
    let hits = |row: usize, other: &Placed| match other.row.cmp(&row) {
        Ordering::Equal => note.left < other.right + GAP && other.left < note.right + GAP,
        Ordering::Greater => note.left < other.x + GAP && other.x - GAP < note.right,
        Ordering::Less => false,
    };
    let is_free = |row: &usize| !rows.iter().any(|other| lowest <= other.row && hits(*row, other));
    let row = (lowest..=lowest + rows.len())
        .find(is_free)
        .unwrap_or(lowest + rows.len());
    rows.push(Placed { row, ..note });
}

/// The base line of a row of notes.
fn middle_line(row_top: f64) -> f64 {
    row_top + (ROW - 0.3) / 2.0 + HALF_CAP * LEGEND
}

fn line(class: &'static str, stroke: Stroke, from: [f64; 2], to: [f64; 2]) -> Item {
    lines(class, stroke, vec![vec![from, to]])
}

fn diamond([x, y]: [f64; 2], radius: f64, fill: Rgb) -> Item {
    Item::Polygons {
        label: Label::of("note"),
        fill,
        polygons: vec![vec![[x - radius, y], [x, y - radius], [x + radius, y], [x, y + radius]]],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_room_that_is_just_wide_enough_has_a_middle() {
        let scale = Timescale {
            from: 0,
            to: 1000,
            left: 0.0,
            width: 100.0,
        };
        let notes = Notes::new(&[], 0, scale, true);
        // Rounding puts the last place of the middle before the first one.
        let (from, to) = (7.9, 24.700000000000003);
        let middle = notes.free_middle([from, to], to - from);
        assert!(middle.is_some_and(|middle| (middle - 16.3).abs() < 1e-9));
        assert_eq!(notes.free_middle([from, to], 17.0), None);
    }
}
