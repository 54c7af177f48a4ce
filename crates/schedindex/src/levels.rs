//! Level of detail of the cells of one lane.
//!
//! Of the coarser levels, down to about one bucket for two intervals, the cells of all buckets are stored: a screen with many intervals in each column reads the
//! cells one after the other, and neither the intervals nor the dense buckets, which are spread over memory. What levels with
//! more buckets have is in the [`Pyramid`].

use super::buckets::{Buckets, Summary};
use super::cells::{CellKey, Detail, LaneCells, What};
use super::pyramid::{Pyramid, PyramidBuilder};
use super::tally::Tally;
use crate::{Shown, MAX_LEVEL};
use schedmodel::stored::stored;
use schedmodel::{Lane, TaskComm};

/// As many levels are stored as take, with the dense buckets below them, so many bytes for each interval; where bursts take more
/// anyhow, those with which it is least.
const BYTES: usize = 9;
/// The bytes of a cell with ids of 16 and 8 bits (larger ones make it up to 11), and of a dense bucket, which has its first interval as well.
const CELL: usize = 6;
const BUCKET: usize = CELL + size_of::<u32>();
/// With at most one bucket for so many intervals, the first one of each is stored too: it would be looked for for long.
const MANY: usize = if cfg!(debug_assertions) { 4 } else { 16 };

/// What all levels of a lane have.
#[derive(Clone, Debug)]
pub struct Levels {
    /// Of the levels below those that are stored.
    pub pyramid: Pyramid,
    /// The lowest level of which all cells are stored.
    first_stored: u32,
    /// From there on, the cells of all buckets up to the lane's end.
    stored: Vec<Buckets>,
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
    pub fn stored(&self, level: u32) -> Option<&Buckets> {
        let index = level.checked_sub(self.first_stored)?;
        self.stored.get(index as usize)
    }

    /// Size in bytes.
    pub fn memory_bytes(&self) -> usize {
        let stored = self.stored.iter().map(Buckets::memory_bytes);
        self.pyramid.memory_bytes() + stored.sum::<usize>()
    }
}

stored!(Levels {
    pyramid: Pyramid,
    first_stored: u32,
    stored: Vec<Buckets>,
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
    Stored(Levels, Option<Buckets>),
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
            let levels = Levels {
                first_stored: lowest_stored(&pyramid, lane),
                pyramid,
                stored: Vec::new(),
            };
            self.making = Some(Making::Stored(levels, None));
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
        next: &mut Option<Buckets>,
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
        let all = buckets(lane, level) as usize;
        let with_first = all <= lane.len() / MANY;
        let mut cells = next.take().unwrap_or_else(|| Buckets::with_capacity(all, with_first));
        let before = cells.len();
        lane_cells.extend(&mut cells, level, all, with_first, most);
        let made = cells.len() - before;
        if cells.len() == all {
            self.stored.push(cells);
        } else {
            *next = Some(cells);
        }
        Some(1 + made)
    }
}

/// The lowest of the levels that are stored.
fn lowest_stored(pyramid: &Pyramid, lane: &Lane) -> u32 {
    if lane.is_empty() {
        return MAX_LEVEL + 1;
    }
    let dense = |level| pyramid.level(level).len() * BUCKET;
    let mut bytes = (0..=MAX_LEVEL).map(dense).sum::<usize>();
    let (mut lowest, mut least) = (MAX_LEVEL + 1, bytes);
    // With more cells than intervals one interval fills many.
    for level in (0..=MAX_LEVEL)
        .rev()
        .take_while(|&level| buckets(lane, level) <= lane.len() as u64)
    {
        bytes = bytes + CELL * buckets(lane, level) as usize - dense(level);
        if bytes <= least.max(BYTES * lane.len()) {
            (lowest, least) = (level, least.min(bytes));
        }
    }
    lowest
}

/// How many buckets of a level begin in a lane.
fn buckets(lane: &Lane, level: u32) -> u64 {
    lane.end().div_ceil(1 << level)
}

impl LaneCells<'_> {
    /// Adds up to about `most` to the cells of the first buckets of a level, of which `all` begin in the lane.
    fn extend(&self, cells: &mut Buckets, level: u32, all: usize, with_first: bool, most: usize) {
        let end = all.min(cells.len().saturating_add(most));
        let mut walk = self.walk(level, cells.len() as u64);
        while cells.len() < end {
            let part = self.part(&mut walk, level, end - cells.len());
            let count = usize::try_from(part.buckets).unwrap_or(all).min(all - cells.len());
            if let What::Dense(index) = part.what {
                cells.push_dense(walk.dense, index..index + count, with_first);
                continue;
            }
            let first = with_first.then_some(part.first);
            let summary = Summary {
                task: self.key(&walk, &part.what, CellKey::Task),
                comm: self.key(&walk, &part.what, CellKey::Comm),
                packed: part.packed,
            };
            match count {
                1 => cells.push(first, summary),
                _ => cells.push_times(first, summary, count),
            }
        }
    }
}
