//! Sums over ordered pairs of ends: as a list of the largest, and as a matrix in which the smaller ends are one.

use super::end::{end_of, End, Key, OTHERS};
use crate::query::explain::latency::GroupBy;
use crate::query::select::refs::RunPlace;
use crate::query::select::spread::Measured;
use schedmodel::Trace;
use serde::Serialize;
use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};
use ts_rs::TS;

/// Two ends and what is between them. Durations are in ns.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
pub struct RelatedPair {
    /// Who wakes, or who has the CPU; by CPU: on which.
    pub from: End,
    /// Who is woken, or who waits; by CPU: where it then runs.
    pub to: End,
    /// How many wakeups, or waits.
    pub count: u64,
    /// The sum of latencies, or how long it had the CPU while the other waited.
    pub ns: u64,
    /// Of waits: how much of it while some CPU was spare.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub behind_ns: Option<u64>,
    /// The longest one.
    pub longest_ns: u64,
    /// Of the longest: the run that the wakeup led to, or the run of who had the CPU.
    pub run: Option<RunPlace>,
    /// Of wakeups: how latencies are distributed.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub latency: Option<Measured>,
}

/// An end and its share of a matrix.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
pub struct EndSum {
    /// Which.
    pub end: End,
    /// The sum of counts of its row or column.
    pub count: u64,
    /// The sum of durations, in ns.
    pub ns: u64,
}

/// A cell that is not empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
pub struct MatrixCell {
    /// Index of its row.
    pub from: usize,
    /// Index of its column.
    pub to: usize,
    /// As in [`RelatedPair`].
    pub count: u64,
    /// As in [`RelatedPair`].
    pub ns: u64,
    /// As in [`RelatedPair`].
    pub behind_ns: u64,
    /// As in [`RelatedPair`].
    pub longest_ns: u64,
    /// As in [`RelatedPair`].
    pub run: Option<RunPlace>,
}

/// All pairs, with the smaller ends as one: the last row and the last column, where there are any.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, TS)]
pub struct Matrix {
    /// Its rows, the largest first.
    pub from: Vec<EndSum>,
    /// Its columns, the largest first.
    pub to: Vec<EndSum>,
    /// The cells, by row and column.
    pub cells: Vec<MatrixCell>,
}

/// What is summed up of a pair. `longest`: lane and index of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Sum {
    pub(super) count: u64,
    pub(super) ns: u64,
    pub(super) behind: u64,
    pub(super) longest_ns: u64,
    pub(super) longest: Option<(u32, u32)>,
}

impl Sum {
    /// One more of `ns`; of equally long ones the first in time, then in lanes, is kept.
    pub(super) fn add(&mut self, ns: u64, run: Option<(u32, u32)>) {
        self.ns = self.ns.saturating_add(ns);
        self.reach(ns, run);
    }

    fn reach(&mut self, ns: u64, run: Option<(u32, u32)>) {
        let is_longer = self.longest_ns < ns;
        // Of no run, such as idle time, any run is as long.
        let is_first = self.longest_ns == ns && run.is_some_and(|run| self.longest.is_none_or(|longest| run < longest));
        if is_longer || is_first {
            (self.longest_ns, self.longest) = (ns, run);
        }
    }

    fn and(&mut self, other: &Sum) {
        self.count += other.count;
        self.ns = self.ns.saturating_add(other.ns);
        self.behind = self.behind.saturating_add(other.behind);
        self.reach(other.longest_ns, other.longest);
    }
}

/// What pairs are ranked by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Weight {
    Count,
    Ns,
}

impl Weight {
    fn of(self, sum: &Sum) -> u64 {
        match self {
            Weight::Count => sum.count,
            Weight::Ns => sum.ns,
        }
    }
}

/// The pairs that were seen, numbered in order of appearance.
#[derive(Debug, Default)]
pub(super) struct Pairs {
    numbers: HashMap<(Key, Key), u32>,
    pub(super) sums: Vec<((Key, Key), Sum)>,
}

impl Pairs {
    /// The number of a pair.
    pub(super) fn number(&mut self, from: Key, to: Key) -> u32 {
        let sums = &mut self.sums;
        *self.numbers.entry((from, to)).or_insert_with(|| {
            sums.push(((from, to), Sum::default()));
            (sums.len() - 1) as u32
        })
    }

    /// The sum of a pair.
    pub(super) fn sum(&mut self, number: u32) -> Option<&mut Sum> {
        self.sums.get_mut(number as usize).map(|(_, sum)| sum)
    }

    /// The numbers of the largest pairs, largest first; ties in order of keys.
    pub(super) fn largest(&self, weight: Weight, top: usize) -> Vec<u32> {
        let mut numbers: Vec<u32> = (0..self.sums.len() as u32).collect();
        numbers.sort_by_key(|&number| {
            let pair = self.sums.get(number as usize);
            pair.map(|(keys, sum)| (Reverse(weight.of(sum)), Reverse(sum.ns), *keys))
        });
        numbers.truncate(top);
        numbers
    }

    /// Pair `number`, for an answer.
    pub(super) fn told(
        &self,
        trace: &Trace,
        by: GroupBy,
        number: u32,
        latency: Option<Measured>,
    ) -> Option<RelatedPair> {
        let &((from, to), sum) = self.sums.get(number as usize)?;
        Some(RelatedPair {
            from: end_of(trace, by, from),
            to: end_of(trace, by, to),
            count: sum.count,
            ns: sum.ns,
            behind_ns: latency.is_none().then_some(sum.behind),
            longest_ns: sum.longest_ns,
            run: place(trace, sum.longest),
            latency,
        })
    }

    /// The matrix with at most `ends` rows and columns of their own.
    pub(super) fn matrix(&self, trace: &Trace, by: GroupBy, weight: Weight, ends: usize) -> Matrix {
        let rows = self.axis(weight, ends, |(from, _)| from);
        let columns = self.axis(weight, ends, |(_, to)| to);
        let index = |axis: &[(Key, Sum)]| -> HashMap<Key, usize> {
            axis.iter().enumerate().map(|(index, &(key, _))| (key, index)).collect()
        };
        let (row_of, column_of) = (index(&rows), index(&columns));
        let mut cells = BTreeMap::<(usize, usize), Sum>::new();
        for ((from, to), sum) in &self.sums {
            let row = row_of.get(from).copied().unwrap_or(rows.len().saturating_sub(1));
            let column = column_of.get(to).copied().unwrap_or(columns.len().saturating_sub(1));
            cells.entry((row, column)).or_default().and(sum);
        }
        let told = |axis: Vec<(Key, Sum)>| {
            let ends = axis.into_iter().map(|(key, sum)| EndSum {
                end: end_of(trace, by, key),
                count: sum.count,
                ns: sum.ns,
            });
            ends.collect()
        };
        let cells = cells.into_iter().map(|((from, to), sum)| MatrixCell {
            from,
            to,
            count: sum.count,
            ns: sum.ns,
            behind_ns: sum.behind,
            longest_ns: sum.longest_ns,
            run: place(trace, sum.longest),
        });
        Matrix {
            cells: cells.collect(),
            from: told(rows),
            to: told(columns),
        }
    }

    /// The largest ends of one side, then the others as one.
    fn axis(&self, weight: Weight, most: usize, side: impl Fn((Key, Key)) -> Key) -> Vec<(Key, Sum)> {
        let mut sums = HashMap::<Key, Sum>::new();
        for (keys, sum) in &self.sums {
            sums.entry(side(*keys)).or_default().and(sum);
        }
        let mut axis: Vec<(Key, Sum)> = sums.into_iter().collect();
        axis.sort_unstable_by_key(|(key, sum)| (Reverse(weight.of(sum)), Reverse(sum.ns), *key));
        // A single one that is left over may as well have its own name.
        if axis.len() <= most.saturating_add(1) {
            return axis;
        }
        let mut others = Sum::default();
        axis.drain(most..).for_each(|(_, sum)| others.and(&sum));
        axis.push((OTHERS, others));
        axis
    }
}

fn place(trace: &Trace, run: Option<(u32, u32)>) -> Option<RunPlace> {
    run.map(|(lane, index)| RunPlace::of(trace, lane as usize, index as usize))
}
