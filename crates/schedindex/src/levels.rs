//! Level of detail of the cells of one lane.
//!
//! Of a level that has few buckets, the cells of all of them are stored: a screen with many intervals in each column reads the
//! cells one after the other, and neither the intervals nor the dense buckets, which are spread over memory. What levels with
//! more buckets have is in the [`Pyramid`].

use super::cells::{CellKey, LaneCells, Part};
use crate::{Pyramid, Shown, Tally, MAX_LEVEL};
use bytemuck::{Pod, Zeroable};
use schedmodel::stored::{stored, stored_plain};
use schedmodel::{Lane, TaskComm};

/// A level is stored if it has at most one bucket for so many intervals.
const INTERVALS: u64 = if cfg!(debug_assertions) { 2 } else { 16 };

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
    /// Summarises `lane`; runs that are not `shown` count as no task's.
    pub fn new(lane: &Lane, pairs: &[TaskComm], shown: &Shown) -> Levels {
        Levels::with_tally(lane, pairs, shown, &mut Tally::new(pairs))
    }

    /// Those of each lane.
    pub fn of_lanes(lanes: &[Lane], pairs: &[TaskComm], shown: &Shown) -> Vec<Levels> {
        let mut tally = Tally::new(pairs);
        let of_lane = |lane| Levels::with_tally(lane, pairs, shown, &mut tally);
        lanes.iter().map(of_lane).collect()
    }

    fn with_tally(lane: &Lane, pairs: &[TaskComm], shown: &Shown, tally: &mut Tally) -> Levels {
        let mut levels = Levels {
            pyramid: Pyramid::with_tally(lane, shown, tally),
            ..Levels::default()
        };
        let most = lane.len() as u64 / INTERVALS;
        let first_stored = (0..=MAX_LEVEL).find(|&level| buckets(lane, level) <= most);
        let Some(first_stored) = first_stored else {
            return levels;
        };
        levels.stored = (first_stored..=MAX_LEVEL)
            .map(|level| {
                let cells = LaneCells {
                    lane,
                    levels: &levels,
                    pairs,
                    shown,
                    highlighted: None,
                };
                cells.all(level, buckets(lane, level))
            })
            .collect();
        levels.first_stored = first_stored;
        levels.pyramid.forget_from(first_stored);
        levels
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

/// How many buckets of a level begin in a lane.
fn buckets(lane: &Lane, level: u32) -> u64 {
    lane.end().div_ceil(1 << level)
}

impl LaneCells<'_> {
    /// The cells of the first `count` buckets of a level, which all begin in the lane.
    fn all(&self, level: u32, count: u64) -> Vec<Cell> {
        let count = count as usize;
        let mut cells = Vec::with_capacity(count);
        let mut walk = self.walk(level, 0);
        while cells.len() < count {
            let Part {
                what,
                packed,
                buckets,
                first,
                ..
            } = self.part(&mut walk, level);
            let cell = Cell {
                first: first as u32,
                task: self.key(&what, CellKey::Task),
                comm: self.key(&what, CellKey::Comm),
                packed,
            };
            let more = usize::try_from(buckets).unwrap_or(count).min(count - cells.len());
            cells.extend(std::iter::repeat_n(cell, more));
        }
        cells
    }
}
