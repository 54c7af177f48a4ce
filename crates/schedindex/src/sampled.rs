//! A lane that was read at some places only. Cells of what was read are exact; of the rest they are estimates, marked as
//! inferred: around each place the CPU is taken to have done what it did there.

use super::cells::{CellKey, CellWords, Detail, LaneCells, Span, CELL_INFERRED, CELL_MERGED, CELL_UNKNOWN, NO_KEY};
use super::tally::Tally;
use crate::Shown;
use schedmodel::{Lane, TaskComm, Who};
use std::cell::RefCell;
use std::ops::Range;

/// The places that were read, in time order.
#[derive(Debug, Default)]
pub struct Sampled {
    places: Vec<Place>,
}

/// What was read at once, and what it stands for.
#[derive(Debug)]
struct Place {
    /// The lane is known from here to its last switch. What that put on the CPU is known only by the next one, which may take
    /// another task off: then switches are missing in between.
    from: u64,
    lane: Lane,
    /// How much of that some task ran, 65535 being all; rounded up.
    busy: u16,
    /// What ran longest.
    task: u32,
    comm: u32,
}

impl Sampled {
    /// Adds a lane that is known towards its end. One of which nothing is known, or of a place that was read before, is
    /// left out.
    pub fn add(&mut self, lane: Lane, pairs: &[TaskComm], tally: &mut Tally) {
        let Some(place) = Place::new(lane, pairs, tally) else {
            return;
        };
        let at = self.places.partition_point(|other| other.from < place.from);
        let before = at.checked_sub(1).and_then(|before| self.places.get(before));
        let overlaps = before.is_some_and(|other| place.from < other.lane.end())
            || self.places.get(at).is_some_and(|other| other.from < place.lane.end());
        if !overlaps {
            self.places.insert(at, place);
        }
    }

    /// Where the last place ends.
    pub fn end(&self) -> u64 {
        self.places.last().map_or(0, |place| place.lane.end())
    }

    /// As [`LaneCells::fill`].
    pub fn fill(&self, pairs: &[TaskComm], shown: &Shown, tally: &RefCell<Tally>, span: Span, cells: &mut [CellWords]) {
        let mut rest = cells;
        let mut bucket = span.first;
        for (index, place) in self.places.iter().enumerate() {
            // Up to halfway to the next place.
            let until = self.places.get(index + 1).map_or(u64::MAX, |next| {
                (place.lane.end() + next.from.saturating_sub(place.lane.end()) / 2) >> span.level
            });
            let count = usize::try_from(until.saturating_sub(bucket)).unwrap_or(usize::MAX);
            let (now, later) = rest.split_at_mut(rest.len().min(count));
            place.fill(pairs, shown, tally, Span { first: bucket, ..span }, now);
            rest = later;
            bucket = bucket.max(until);
        }
        if self.places.is_empty() {
            rest.fill([NO_KEY, CELL_UNKNOWN]);
        }
    }
}

impl Place {
    fn new(lane: Lane, pairs: &[TaskComm], tally: &mut Tally) -> Option<Place> {
        let known = (0..lane.len())
            .rev()
            .take_while(|&index| lane.who(index) != Who::Unknown);
        let first = known.last()?;
        tally.fit(pairs);
        let mut total = 0;
        lane.each(first..lane.len(), |_, interval| {
            let ns = interval.end - interval.start;
            total += ns;
            if let Who::Run(id) = interval.who {
                tally.add(id, ns);
            }
        });
        let dominant = tally.dominant(pairs);
        let busy = (u128::from(dominant.busy) * 65535).div_ceil(u128::from(total).max(1));
        (0 < total).then(|| Place {
            from: lane.start_of(first),
            busy: busy.min(65535) as u16,
            task: dominant.task,
            comm: dominant.comm,
            lane,
        })
    }

    /// The buckets that lie within what was read are exact, those around it are estimates.
    fn fill(&self, pairs: &[TaskComm], shown: &Shown, tally: &RefCell<Tally>, span: Span, cells: &mut [CellWords]) {
        let key = match span.key {
            CellKey::Task => self.task,
            CellKey::Comm => self.comm,
        };
        cells.fill([key, u32::from(self.busy) | CELL_INFERRED | CELL_MERGED]);
        let Range { start, end } = self.whole_buckets(span.level);
        let first = start.max(span.first);
        let at = |bucket: u64| usize::try_from(bucket.saturating_sub(span.first)).unwrap_or(usize::MAX);
        let range = at(first).min(cells.len())..at(end).min(cells.len());
        let exact = LaneCells {
            lane: &self.lane,
            detail: Detail::Intervals(tally),
            pairs,
            shown,
            highlighted: None,
        };
        if let Some(cells) = cells.get_mut(range) {
            exact.fill(Span { first, ..span }, cells);
        }
    }

    fn whole_buckets(&self, level: u32) -> Range<u64> {
        let first = (self.from >> level) + u64::from(self.from.trailing_zeros() < level);
        let known_until = self
            .lane
            .len()
            .checked_sub(1)
            .map_or(0, |last| self.lane.start_of(last));
        first..(known_until >> level).max(first)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use schedmodel::{CommId, TaskCommId, TaskId};

    const PAIRS: [TaskComm; 2] = [
        TaskComm {
            task: TaskId(5),
            comm: CommId(7),
        },
        TaskComm {
            task: TaskId(6),
            comm: CommId(8),
        },
    ];

    /// Two places, `[0, 32)` and `[96, 128)`, the first idle and busy, the other wholly busy.
    fn sampled() -> Sampled {
        let run = |id| Who::Run(TaskCommId(id));
        let mut sampled = Sampled::default();
        for intervals in [
            &[(96, Who::Unknown), (32, run(1))][..],
            &[(16, Who::Idle), (12, run(0)), (4, run(1))],
            &[(8, Who::Unknown), (8, run(1))],
        ] {
            let mut lane = Lane::of(intervals);
            lane.switch_all();
            sampled.add(lane, &PAIRS, &mut Tally::default());
        }
        sampled
    }

    fn tally() -> RefCell<Tally> {
        let mut tally = Tally::default();
        tally.fit(&PAIRS);
        RefCell::new(tally)
    }

    fn cells(level: u32, first: u64, count: usize) -> Vec<CellWords> {
        let mut cells = vec![[0; 2]; count];
        let span = Span {
            level,
            first,
            key: CellKey::Comm,
        };
        sampled().fill(&PAIRS, &Shown::all(), &tally(), span, &mut cells);
        cells
    }

    const ESTIMATE: u32 = CELL_INFERRED | CELL_MERGED;

    #[test]
    fn what_was_read_is_exact_and_the_rest_is_marked_as_inferred() {
        let half = 65535_u32.div_ceil(2);
        assert_eq!(
            cells(4, 0, 8),
            [
                [NO_KEY, 0],
                // From the last switch of a place on, nothing confirms what has the CPU.
                [7, half | ESTIMATE],
                [7, half | ESTIMATE],
                [7, half | ESTIMATE],
                [8, 65535 | ESTIMATE],
                [8, 65535 | ESTIMATE],
                [8, 65535 | ESTIMATE],
                [8, 65535 | ESTIMATE],
            ]
        );
    }

    #[test]
    fn a_bucket_that_is_not_wholly_known_is_an_estimate() {
        assert_eq!(
            cells(6, 0, 2),
            [[7, 65535_u32.div_ceil(2) | ESTIMATE], [8, 65535 | ESTIMATE]]
        );
    }

    #[test]
    fn any_part_of_a_lane_has_the_same_cells() {
        let all = cells(3, 0, 20);
        for first in 0..20 {
            for count in 0..20 - first {
                assert_eq!(cells(3, first as u64, count), all[first..first + count]);
            }
        }
    }

    #[test]
    fn a_lane_of_which_nothing_was_found_is_unknown() {
        let mut sampled = Sampled::default();
        sampled.add(Lane::of(&[(64, Who::Unknown)]), &PAIRS, &mut Tally::default());
        let mut cells = [[0; 2]; 2];
        let span = Span {
            level: 5,
            first: 0,
            key: CellKey::Task,
        };
        sampled.fill(&PAIRS, &Shown::all(), &tally(), span, &mut cells);
        assert_eq!(cells, [[NO_KEY, CELL_UNKNOWN]; 2]);
        assert_eq!(sampled.end(), 0);
    }
}
