//! Level of detail of the cells of one lane.
//!
//! Of a level that has few buckets, the cells of all of them are stored: a screen with many intervals in each column reads the
//! cells one after the other, and neither the intervals nor the dense buckets, which are spread over memory. What levels with
//! more buckets have is in the [`Pyramid`].

use super::cells::{CellKey, Detail, LaneCells, Part};
use super::pyramid::{Pyramid, PyramidBuilder};
use super::tally::Tally;
use crate::{Shown, MAX_LEVEL};
use bytemuck::{Pod, Zeroable};
use schedmodel::stored::{stored, stored_plain};
use schedmodel::{Lane, TaskComm};

/// A level is stored if it has at most one bucket for so many intervals.
const INTERVALS: usize = if cfg!(debug_assertions) { 2 } else { 16 };
/// And if nearly all of its buckets are dense, so that their cells take no more memory: of so many one may not be.
const DENSE_OF: usize = 8;

/// The cell of a bucket, for every key.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub struct Cell {
    /// The first interval that begins in the bucket or after it.
    pub first: u32,
    task: u32,
    comm: u32,
    /// The second word of the cell.
    pub packed: u32,
}

impl Cell {
    pub fn key(&self, key: CellKey) -> u32 {
        match key {
            CellKey::Task => self.task,
            CellKey::Comm => self.comm,
        }
    }
}

/// What all levels of a lane have.
#[derive(Clone, Debug)]
pub struct Levels {
    /// Of the levels below those that are stored.
    pub pyramid: Pyramid,
    /// The lowest level of which all cells are stored.
    first_stored: u32,
    /// From there on, the cells of all buckets up to the lane's end.
    stored: Vec<Vec<Cell>>,
}

/// Those of no lane.
impl Default for Levels {
    fn default() -> Levels {
        Levels {
            pyramid: Pyramid::default(),
            first_stored: MAX_LEVEL + 1,
            stored: Vec::new(),
        }
    }
}

impl Levels {
    /// Summarises each of some lanes; runs that are not `shown` count as no task's.
    pub fn of_lanes(lanes: &[Lane], pairs: &[TaskComm], shown: &Shown) -> Vec<Levels> {
        let mut builder = LevelsBuilder::default();
        loop {
            if let Some(levels) = builder.step(lanes, pairs, shown) {
                return levels;
            }
        }
    }

    /// The cells of all buckets of a level, if they are stored.
    pub fn stored(&self, level: u32) -> Option<&[Cell]> {
        let index = level.checked_sub(self.first_stored)?;
        self.stored.get(index as usize).map(Vec::as_slice)
    }

    /// Size in bytes.
    pub fn memory_bytes(&self) -> usize {
        let stored = self.stored.iter();
        let stored = stored.map(|cells| cells.capacity() * size_of::<Cell>() + size_of::<Vec<Cell>>());
        self.pyramid.memory_bytes() + stored.sum::<usize>()
    }
}

stored_plain!(Cell);
stored!(Levels {
    pyramid: Pyramid,
    first_stored: u32,
    stored: Vec<Vec<Cell>>,
});

/// About how many sums, or stored cells, are made in a step.
const STEP: usize = if cfg!(debug_assertions) { 8 } else { 1 << 14 };

/// Makes the levels of lanes in steps.
#[derive(Debug, Default)]
pub struct LevelsBuilder {
    made: Vec<Levels>,
    /// Those of the next lane.
    making: Option<Making>,
    tally: Tally,
}

#[derive(Debug)]
enum Making {
    Pyramid(PyramidBuilder),
    /// From one stored level to the next; with the next one's first cells.
    Stored(Levels, Vec<Cell>),
}

impl LevelsBuilder {
    /// Works for about a millisecond; the levels, once all are made.
    pub fn step(&mut self, lanes: &[Lane], pairs: &[TaskComm], shown: &Shown) -> Option<Vec<Levels>> {
        self.tally.fit(pairs);
        let mut work = 0;
        while work < STEP {
            let Some(lane) = lanes.get(self.made.len()) else {
                return Some(std::mem::take(&mut self.made));
            };
            work += match &mut self.making {
                None => {
                    self.making = Some(Making::Pyramid(PyramidBuilder::default()));
                    1
                }
                Some(Making::Pyramid(builder)) => {
                    match builder.step(lane, pairs, shown, &mut self.tally, STEP - work) {
                        Some(sums) => sums,
                        None => self.end_pyramid(lane),
                    }
                }
                Some(Making::Stored(levels, next)) => match levels.store(next, lane, pairs, shown, STEP - work) {
                    Some(cells) => cells,
                    None => self.end_lane(),
                },
            };
        }
        None
    }

    fn end_pyramid(&mut self, lane: &Lane) -> usize {
        if let Some(Making::Pyramid(builder)) = self.making.take() {
            let pyramid = builder.finish();
            let is_stored = |&level: &u32| {
                let dense = pyramid.level(level).len();
                let most = (lane.len() / INTERVALS).max(dense + dense / DENSE_OF);
                buckets(lane, level) <= most as u64
            };
            let stored = (0..=MAX_LEVEL).rev().take_while(is_stored);
            let levels = Levels {
                first_stored: stored.last().unwrap_or(MAX_LEVEL + 1),
                pyramid,
                stored: Vec::new(),
            };
            self.making = Some(Making::Stored(levels, Vec::new()));
        }
        1
    }

    fn end_lane(&mut self) -> usize {
        if let Some(Making::Stored(mut levels, _)) = self.making.take() {
            levels.pyramid.forget_from(levels.first_stored);
            self.made.push(levels);
        }
        1
    }
}

impl Levels {
    /// Adds up to about `most` cells to those of the next level, which is stored with the last of them; how many there are.
    /// `None` after the last level.
    fn store(
        &mut self,
        next: &mut Vec<Cell>,
        lane: &Lane,
        pairs: &[TaskComm],
        shown: &Shown,
        most: usize,
    ) -> Option<usize> {
        let level = self.first_stored + self.stored.len() as u32;
        if MAX_LEVEL < level {
            return None;
        }
        // What is stored is not looked at here: this level is not.
        let lane_cells = LaneCells {
            lane,
            detail: Detail::Levels(self),
            pairs,
            shown,
            highlighted: None,
        };
        let (before, all) = (next.len(), buckets(lane, level) as usize);
        lane_cells.extend(next, level, all, most);
        let made = next.len() - before;
        if next.len() == all {
            self.stored.push(std::mem::take(next));
        }
        Some(1 + made)
    }
}

/// How many buckets of a level begin in a lane.
fn buckets(lane: &Lane, level: u32) -> u64 {
    lane.end().div_ceil(1 << level)
}

impl LaneCells<'_> {
    /// Adds up to about `most` to the cells of the first buckets of a level, of which `all` begin in the lane.
    fn extend(&self, cells: &mut Vec<Cell>, level: u32, all: usize, most: usize) {
        cells.reserve_exact(all - cells.len());
        let end = all.min(cells.len().saturating_add(most));
        let mut walk = self.walk(level, cells.len() as u64);
        while cells.len() < end {
            let Part {
                what,
                packed,
                buckets,
                first,
                ..
            } = self.part(&mut walk, level);
            let cell = Cell {
                first: first as u32,
                task: self.key(&walk, &what, CellKey::Task),
                comm: self.key(&walk, &what, CellKey::Comm),
                packed,
            };
            let more = usize::try_from(buckets).unwrap_or(all).min(all - cells.len());
            cells.extend(std::iter::repeat_n(cell, more));
        }
    }
}
