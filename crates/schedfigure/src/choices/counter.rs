//! The values of a number in the fields of an event, wherever they are kept.

use serde::Deserialize;
use std::fmt::Debug;
use std::ops::Range;
use ts_rs::TS;

/// Whose values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Whose {
    /// A CPU's, by its number.
    Cpu(u32),
    /// A task's, by its PID.
    Task(i32),
}

/// The values of a figure's counter over time.
pub trait CounterValues: Debug {
    /// The number, as `system:event:field`.
    fn name(&self) -> &str;

    /// The least and the greatest value of the trace; `None`: there is none.
    fn range(&self) -> Option<[f64; 2]>;

    /// The least and the greatest value that holds in each bucket; not a number where none is known.
    fn extremes(&self, whose: Whose, grid: &CounterGrid) -> Vec<[f64; 2]>;
}

/// Buckets of time: the n-th is `[(first + n) * 2^level, (first + n + 1) * 2^level)` ns since the trace's first record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, TS)]
pub struct CounterGrid {
    /// The width of a bucket, as a power of two.
    pub level: u32,
    /// The first bucket.
    #[ts(type = "number")]
    pub first: u64,
    /// How many.
    pub buckets: usize,
}

/// The most buckets of a window, but for those that its edges cut: some for each printed dot of a wide page.
pub const MOST_COUNTER_BUCKETS: u64 = 1 << 13;

impl CounterGrid {
    /// The finest buckets for a window of ns since the trace's first record.
    pub fn of(window: &Range<u64>) -> CounterGrid {
        let length = window.end.saturating_sub(window.start);
        let mut level = 0;
        while MOST_COUNTER_BUCKETS << level < length {
            level += 1;
        }
        let first = window.start >> level;
        let end = window.end.div_ceil(1 << level);
        CounterGrid {
            level,
            first,
            buckets: end.saturating_sub(first) as usize,
        }
    }
}

/// The counter of a figure of the page, whose values are given beside the request: two for each bucket, of each CPU, then of each
/// task.
#[derive(Clone, Debug, Deserialize, TS)]
#[ts(rename = "FigureCounter")]
pub struct AskedCounter {
    name: String,
    range: Option<[f64; 2]>,
    grid: CounterGrid,
    cpus: Vec<u32>,
    pids: Vec<i32>,
    #[serde(skip)]
    #[ts(skip)]
    values: Vec<f64>,
}

impl AskedCounter {
    /// With its values.
    pub(crate) fn with(self, values: Vec<f64>) -> AskedCounter {
        AskedCounter { values, ..self }
    }
}

impl CounterValues for AskedCounter {
    fn name(&self) -> &str {
        &self.name
    }

    fn range(&self) -> Option<[f64; 2]> {
        self.range
    }

    fn extremes(&self, whose: Whose, grid: &CounterGrid) -> Vec<[f64; 2]> {
        let line = match whose {
            Whose::Cpu(cpu) => self.cpus.iter().position(|&known| known == cpu),
            Whose::Task(pid) => {
                let place = self.pids.iter().position(|&known| known == pid);
                place.map(|place| self.cpus.len() + place)
            }
        };
        let each = 2 * self.grid.buckets;
        // The page computes the same buckets; of others it knows nothing.
        let line = line.filter(|_| self.grid == *grid);
        let values = line.and_then(|line| self.values.get(line * each..(line + 1) * each));
        match values {
            Some(values) => values
                .chunks_exact(2)
                .filter_map(|pair| <[f64; 2]>::try_from(pair).ok())
                .collect(),
            None => vec![[f64::NAN; 2]; grid.buckets],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{CounterGrid, MOST_COUNTER_BUCKETS};

    #[test]
    fn the_buckets_cover_the_window() {
        for window in [0..1, 5..5, 7..8192, 1..8194, 1_000_003..9_000_000_000, 0..u64::MAX >> 2] {
            let CounterGrid { level, first, buckets } = CounterGrid::of(&window);
            assert!(first << level <= window.start, "{window:?}");
            assert!(window.end <= (first + buckets as u64) << level, "{window:?}");
            assert!(buckets as u64 <= MOST_COUNTER_BUCKETS + 2, "{window:?}");
            assert!(
                level == 0 || MOST_COUNTER_BUCKETS < (window.end - window.start) >> (level - 1),
                "{window:?}"
            );
        }
    }
}
