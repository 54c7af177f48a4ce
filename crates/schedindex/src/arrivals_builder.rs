//! Makes [`Arrivals`] in steps.

use super::arrivals::{Arrivals, Distances, LaneArrivals};
use super::group_sort::{GroupSort, Instant, Things};
use super::{RunId, Runs, Shown};
use schedmodel::topology::Topology;
use schedmodel::{TaskCommId, Trace};
use std::ops::Range;

/// Makes the arrivals of a trace.
#[derive(Debug)]
pub struct ArrivalsBuilder {
    sort: GroupSort,
    made: Arrivals,
}

impl ArrivalsBuilder {
    /// Of all lanes of a trace.
    pub fn new(trace: &Trace, topology: Option<&Topology>) -> ArrivalsBuilder {
        ArrivalsBuilder {
            sort: GroupSort::new(trace.lanes.len()),
            made: Arrivals {
                lanes: Vec::with_capacity(trace.lanes.len()),
                distances: Distances::new(&trace.cpus, topology),
            },
        }
    }

    /// Works for about a millisecond, longer for a lane with very many; those of the tasks that are shown, once all are there.
    pub fn step(&mut self, trace: &Trace, runs: &Runs, shown: &Shown) -> Option<Arrivals> {
        if self.sort.step(&Begun { trace, runs, shown }) {
            return None;
        }
        let lane = self.made.lanes.len();
        if lane < trace.lanes.len() {
            let instants = self.sort.offsets().part(lane, self.sort.instants()).iter();
            let arrivals = instants.map(|found| (found.at as u32, (found.number, found.more)));
            let arrivals = LaneArrivals::new(lane, arrivals, &self.made.distances);
            self.made.lanes.push(arrivals);
            return None;
        }
        (!self.sort.release()).then(|| std::mem::take(&mut self.made))
    }
}

/// All runs, by (task, comm): those that begin on another CPU than the task's run before, by lane. The instant is the index in the lane,
/// its number and what belongs to it are lane and index of the run before.
struct Begun<'a> {
    trace: &'a Trace,
    runs: &'a Runs,
    shown: &'a Shown,
}

impl Things for Begun<'_> {
    fn count(&self) -> usize {
        self.runs.len()
    }

    fn each(&self, range: Range<usize>, mut take: impl FnMut(u32, Instant)) {
        let mut slot = range.start;
        while slot < range.end {
            let pair = self.runs.pair_of(slot);
            let end = self.runs.slots(pair).end.min(range.end);
            if self.shown.has_pair(pair) {
                self.of_pair(pair, slot..end, &mut take);
            }
            slot = end.max(slot + 1);
        }
    }
}

impl Begun<'_> {
    fn of_pair(&self, pair: TaskCommId, slots: Range<usize>, take: &mut impl FnMut(u32, Instant)) {
        let first = self.runs.slots(pair).start;
        let own = slots.start.checked_sub(1).filter(|&before| first <= before);
        let mut own = own.and_then(|before| self.runs.run(before));
        let mut others = self
            .runs
            .run(slots.start)
            .map_or(Vec::new(), |run| self.others(pair, run));
        for run in slots.filter_map(|slot| self.runs.run(slot)) {
            let before = match others.is_empty() {
                true => own,
                false => {
                    let of_others = others.iter_mut().filter_map(|other| other.before(self, run));
                    of_others.chain(own).max_by_key(|&run| self.place(run))
                }
            };
            if let Some(before) = before.filter(|before| before.lane != run.lane) {
                let instant = Instant {
                    at: run.index as u64,
                    number: before.lane as u32,
                    more: before.index as u32,
                };
                take(run.lane as u32, instant);
            }
            own = Some(run);
            // All before it are before the next one's own, too.
            others.retain(|other| other.next_place.is_some());
        }
    }

    /// The other pairs of a pair's task, up to about a run.
    fn others(&self, pair: TaskCommId, run: RunId) -> Vec<Other> {
        let pairs = self.runs.pairs_of(self.trace.task_comm(pair).task).iter();
        let others = pairs.filter(|&&other| other != pair && self.shown.has_pair(other));
        let others = others.map(|&other| {
            let start = run.start(self.trace).unwrap_or(0);
            let slots = self.runs.slots(other);
            let next = self.runs.first_starting(self.trace, other, start);
            let run = |slot: usize| self.runs.run(slot).filter(|_| slots.contains(&slot));
            Other {
                before: next.checked_sub(1).and_then(run),
                next_place: run(next).map(|run| self.place(run)),
                next,
                end: slots.end,
            }
        });
        others.collect()
    }

    /// What a task's runs are in order of: where clocks disagree, several begin at once.
    fn place(&self, run: RunId) -> Place {
        (run.start(self.trace), run.lane, run.index)
    }
}

/// Begin, lane and index of a run.
type Place = (Option<u64>, usize, usize);

/// The runs of a task under another comm, up to those of the comm that is gone through.
struct Other {
    before: Option<RunId>,
    /// The slot of the run after that.
    next: usize,
    next_place: Option<Place>,
    end: usize,
}

impl Other {
    /// The last of these runs before another run, which is later than any asked about before.
    fn before(&mut self, all: &Begun, run: RunId) -> Option<RunId> {
        let place = all.place(run);
        while self.next_place.is_some_and(|next| next < place) {
            self.before = all.runs.run(self.next);
            self.next += 1;
            let next = all.runs.run(self.next).filter(|_| self.next < self.end);
            self.next_place = next.map(|run| all.place(run));
        }
        self.before
    }
}
