//! Cuts a lane into the pieces that are drawn: its runs or, if many fall within a printed dot, columns that stand for
//! them.
//!
//! A *stretch* is what lies between long pieces: runs shorter than a dot, with gaps shorter than a dot between them. A
//! single run is drawn as it is, and so are all runs if nothing is to be merged. Otherwise the stretch is cut into
//! columns at multiples of the dot, but not within half a dot of its ends, so that no column is too narrow to be
//! visible:
//!
//! ```text
//! dots      |       |       |       |       |       |
//! runs      ##########  # ## # #  ### #            #
//! pieces    [ long   ]  [stretch: 2 columns]       [lone: exact, with a mark one dot wide]
//! ```

use crate::paint::scale::Scale;
use schedindex::Passing;
use schedmodel::{Lane, TaskCommId, Who};

/// A group of runs with the same colour; dense.
pub(crate) type ColourGroup = u32;

/// The group of runs that are not drawn.
pub(crate) const HIDDEN: ColourGroup = ColourGroup::MAX;

/// The groups of runs.
#[derive(Clone, Copy)]
pub(crate) struct Looks<'a> {
    /// By [`TaskCommId`].
    pub(crate) of: &'a [ColourGroup],
    /// With a filter: what passes, and the groups of runs that do not.
    pub(crate) others: Option<(&'a Passing, &'a [ColourGroup])>,
}

impl Looks<'_> {
    /// The group of the run that is interval `index` of a lane.
    pub(crate) fn of_run(&self, id: TaskCommId, lane: usize, index: usize) -> ColourGroup {
        let groups = match self.others {
            Some((passing, others)) if !passing.has(lane, index) => others,
            _ => self.of,
        };
        groups.get(id.0 as usize).copied().unwrap_or(HIDDEN)
    }
}

/// Number of tints of columns, by how busy they are.
pub(crate) const TINTS: u8 = 4;
/// The lowest tint of a column in which something ran that must be visible.
pub(crate) const STANDING_OUT: u8 = 3;

/// What a piece is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum What {
    /// A run.
    Run(ColourGroup),
    /// What ran before the CPU's first switch.
    Inferred(ColourGroup),
    /// Columns in which this group ran most, with a tint of 1 to [`TINTS`].
    Merged(ColourGroup, u8),
    /// Unknown.
    Unknown,
}

/// What is drawn in addition to a piece that is too narrow to be visible.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mark {
    /// Nothing: it is wide enough, or its neighbours look the same.
    None,
    /// A pale dot, because other narrow pieces are near: one in full colour would suggest more than there is.
    Faint,
    /// A dot in full colour, because it is alone.
    Full,
}

/// A piece of a lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Piece {
    /// First ns.
    pub(crate) from: u64,
    /// First ns after it.
    pub(crate) to: u64,
    /// What it is.
    pub(crate) what: What,
    /// How it is made visible.
    pub(crate) mark: Mark,
}

/// Cuts lanes into pieces.
pub(crate) struct Cutter<'a> {
    looks: Looks<'a>,
    /// By group, whether it must be visible.
    stands_out: &'a [bool],
    scale: &'a Scale,
    merge: bool,
    column: Column,
}

impl<'a> Cutter<'a> {
    /// `merge`: merge what falls within a dot; otherwise every run is a piece.
    pub(crate) fn new(looks: Looks<'a>, stands_out: &'a [bool], scale: &'a Scale, merge: bool) -> Cutter<'a> {
        let column = Column {
            ran: vec![0; stands_out.len()],
            ..Column::default()
        };
        Cutter {
            looks,
            stands_out,
            scale,
            merge,
            column,
        }
    }

    /// Calls `each` with all pieces of lane `number` in order; unknown parts of a column come after it.
    pub(crate) fn lane(&mut self, number: usize, lane: &Lane, mut each: impl FnMut(Piece)) {
        let dot = self.scale.dot;
        let mut parts = Parts::new(number, lane, self.looks, self.scale);
        let mut next = parts.next();
        while let Some(first) = next {
            let Some(what) = first.what else {
                next = parts.next();
                continue;
            };
            if dot <= first.length() {
                each(first.piece(what, Mark::None));
                next = parts.next();
                continue;
            }
            let inside = parts.clone();
            let (mut end, mut several) = (first.to, false);
            loop {
                next = parts.next();
                match next.filter(|part| part.length() < dot) {
                    Some(part) if part.what.is_some() => (end, several) = (part.to, true),
                    Some(_) => {}
                    None => break,
                }
            }
            let narrow = end - first.from < dot;
            if self.merge && several {
                self.columns(first, inside, end, &mut each);
            } else {
                let mark = if narrow { Mark::Full } else { Mark::Faint };
                let stretch = std::iter::once(first).chain(inside).take_while(|part| part.to <= end);
                for part in stretch {
                    part.what.into_iter().for_each(|what| each(part.piece(what, mark)));
                }
            }
        }
    }

    /// The columns of a stretch; neighbours that look the same are joined.
    fn columns(&mut self, first: Part, inside: Parts<'_>, end: u64, each: &mut impl FnMut(Piece)) {
        let mark = if end - first.from < self.scale.dot {
            Mark::Full
        } else {
            Mark::None
        };
        let mut joined: Option<Piece> = None;
        let mut from = first.from;
        let mut border = self.border(from, end);
        for part in std::iter::once(first).chain(inside) {
            let mut at = part.from;
            while at < part.to {
                let to = part.to.min(border);
                if let Some(what) = part.what {
                    self.column.add(what, at, to);
                }
                at = to;
                if to < border {
                    continue;
                }
                let (merged, unknown) = self.column.finish(from, to, self.stands_out);
                match (&mut joined, merged) {
                    (Some(last), Some(what)) if last.what == what && last.to == from => last.to = to,
                    (_, Some(what)) => {
                        joined.into_iter().for_each(&mut *each);
                        joined = Some(Piece { from, to, what, mark });
                    }
                    (_, None) => {}
                }
                unknown.into_iter().for_each(|(from, to)| {
                    joined.take().into_iter().for_each(&mut *each);
                    each(Piece {
                        from,
                        to,
                        what: What::Unknown,
                        mark: Mark::Full,
                    });
                });
                from = border;
                border = self.border(from, end);
            }
            if end <= part.to {
                break;
            }
        }
        joined.into_iter().for_each(each);
    }

    /// The end of the column that begins at `from`, in a stretch that ends at `end`.
    fn border(&self, from: u64, end: u64) -> u64 {
        let Scale { dot, ref window, .. } = *self.scale;
        let half = dot / 2;
        let least = (from - window.start).saturating_add(half.max(1));
        let border = window.start.saturating_add(least.div_ceil(dot).saturating_mul(dot));
        if border.saturating_add(half) <= end {
            border
        } else {
            end
        }
    }
}

/// A part of a lane within the window: a run that is drawn, something unknown, or a gap.
#[derive(Clone, Copy, Debug)]
struct Part {
    from: u64,
    to: u64,
    /// `None` for a gap.
    what: Option<What>,
}

impl Part {
    fn length(&self) -> u64 {
        self.to - self.from
    }

    fn piece(self, what: What, mark: Mark) -> Piece {
        let Part { from, to, .. } = self;
        Piece { from, to, what, mark }
    }
}

/// The parts of a lane in order; neighbouring gaps are joined.
#[derive(Clone)]
struct Parts<'a> {
    number: usize,
    lane: &'a Lane,
    looks: Looks<'a>,
    start: u64,
    end: u64,
    index: usize,
}

impl<'a> Parts<'a> {
    fn new(number: usize, lane: &'a Lane, looks: Looks<'a>, scale: &Scale) -> Parts<'a> {
        let window = &scale.window;
        Parts {
            number,
            lane,
            looks,
            start: window.start,
            end: window.end.min(lane.end()),
            index: lane.find(window.start).unwrap_or(lane.len()),
        }
    }

    fn what(&self, index: usize) -> Option<What> {
        match self.lane.who(index) {
            Who::Idle => None,
            Who::Unknown => Some(What::Unknown),
            Who::Run(id) => match self.looks.of_run(id, self.number, index) {
                HIDDEN => None,
                look if self.lane.inferred(index) => Some(What::Inferred(look)),
                look => Some(What::Run(look)),
            },
        }
    }
}

impl Iterator for Parts<'_> {
    type Item = Part;

    fn next(&mut self) -> Option<Part> {
        let starts = self.lane.starts();
        let mut part: Option<Part> = None;
        while let Some(start) = starts.get(self.index) {
            if self.end <= start {
                break;
            }
            let (from, to) = (start.max(self.start), self.lane.end_of(self.index).min(self.end));
            if to <= from {
                self.index += 1;
                continue;
            }
            let what = self.what(self.index);
            match &mut part {
                None => part = Some(Part { from, to, what }),
                Some(gap) if what.is_none() => gap.to = to,
                Some(_) => break,
            }
            self.index += 1;
            if what.is_some() {
                break;
            }
        }
        part
    }
}

/// What ran in a column.
#[derive(Default)]
struct Column {
    /// ns by group.
    ran: Vec<u64>,
    /// The groups that ran, in order.
    seen: Vec<ColourGroup>,
    busy: u64,
    /// From the first unknown ns to the last.
    unknown: Option<(u64, u64)>,
}

impl Column {
    fn add(&mut self, what: What, from: u64, to: u64) {
        let (What::Run(look) | What::Inferred(look) | What::Merged(look, _)) = what else {
            self.unknown = Some((self.unknown.map_or(from, |(first, _)| first), to));
            return;
        };
        let Some(ran) = self.ran.get_mut(look as usize) else {
            return;
        };
        if *ran == 0 {
            self.seen.push(look);
        }
        *ran += to - from;
        self.busy += to - from;
    }

    /// The pieces of the column, which is empty afterwards. Of groups that ran equally long, the first one wins.
    fn finish(&mut self, from: u64, to: u64, stands_out: &[bool]) -> (Option<What>, Option<(u64, u64)>) {
        let mut best: Option<(bool, u64, ColourGroup)> = None;
        for look in self.seen.drain(..) {
            let ran = self.ran.get_mut(look as usize).map_or(0, std::mem::take);
            let rank = (stands_out.get(look as usize) == Some(&true), ran, look);
            if best.is_none_or(|best| (best.0, best.1) < (rank.0, rank.1)) {
                best = Some(rank);
            }
        }
        let busy = std::mem::take(&mut self.busy);
        let merged = best.map(|(stands_out, _, look)| {
            let tint = (busy * u64::from(TINTS)).div_ceil(to - from) as u8;
            What::Merged(look, if stands_out { tint.max(STANDING_OUT) } else { tint })
        });
        (merged, self.unknown.take())
    }
}

#[cfg(test)]
#[path = "pieces_tests.rs"]
mod tests;
