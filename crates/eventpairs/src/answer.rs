//! Counts, percentiles and histograms of what was found.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::matcher::{Home, Instance, Matched, Pairs};

/// What instances are put together by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, TS)]
#[serde(rename_all = "lowercase")]
#[ts(rename = "PairsBy")]
pub enum By {
    /// The pair's own group.
    #[default]
    Group,
    /// The CPU of the start.
    Cpu,
    /// Its thread, `comm-pid`.
    Task,
    /// Its thread's name.
    Command,
}

/// One pair.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(rename = "PairAnswer")]
pub struct Answer {
    /// Its name.
    pub name: String,
    /// The start, as it was declared.
    pub start: String,
    /// The end; nothing for a value of one event.
    pub end: Option<String>,
    /// Starts with an end.
    pub count: usize,
    /// Starts that were left open.
    pub unmatched_starts: usize,
    /// Ends without a start.
    pub unmatched_ends: usize,
    /// Second starts of a key whose first was open.
    pub restarted: usize,
    /// Pairs between whose events records were lost on one of their CPUs.
    pub across_loss: usize,
    /// How long.
    pub ns: Durations,
    /// The same by group: those with the largest sum first, then by name.
    pub groups: Vec<Group>,
    /// The longest ones.
    pub longest: Vec<Longest>,
}

/// One group of a pair.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(rename = "PairGroup")]
pub struct Group {
    /// Its name; empty where the pair has no groups.
    pub group: String,
    /// How many pairs.
    pub count: usize,
    /// How long.
    pub ns: Durations,
}

/// One of the longest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(rename = "LongestPair")]
pub struct Longest {
    /// When it began: trace time.
    #[ts(type = "Ns")]
    pub at_ns: u64,
    /// How long.
    pub ns: i64,
    /// The CPU of the start.
    pub cpu: u32,
    /// The thread of the start.
    pub pid: i32,
    /// Its name then.
    pub comm: String,
    /// Its group.
    pub group: String,
}

/// Distribution of durations. Percentiles are nearest-rank; nothing where there is no value.
#[derive(Clone, Debug, Default, PartialEq, Serialize, TS)]
#[ts(rename = "PairTimes")]
pub struct Durations {
    /// The sum of all.
    #[ts(type = "number")]
    pub sum: i128,
    /// The shortest.
    pub min: Option<i64>,
    /// The mean.
    pub mean: Option<f64>,
    /// Half are at most this.
    pub p50: Option<i64>,
    /// 90 % are at most this.
    pub p90: Option<i64>,
    /// 99 % are at most this.
    pub p99: Option<i64>,
    /// 99.9 % are at most this.
    pub p999: Option<i64>,
    /// The longest.
    pub max: Option<i64>,
    /// (from, count) for each bucket that is not empty: values of at least `from` and less than twice `from`; for 0 zeros; for
    /// negative ones at most `from` and more than twice `from`.
    #[ts(type = "[number, number][]")]
    pub histogram: Vec<(i64, u64)>,
}

impl Durations {
    fn of(mut values: Vec<i64>) -> Durations {
        values.sort_unstable();
        // 32 bits, as wasm has, do not hold the product.
        let rank = |permille: u64| {
            let rank = (values.len() as u64 * permille).div_ceil(1000) as usize;
            values.get(rank.checked_sub(1)?).copied()
        };
        let mut histogram = BTreeMap::<i64, u64>::new();
        for &value in &values {
            let floor = value.unsigned_abs().checked_ilog2().map_or(0, |log| 1_u64 << log);
            let floor = if value < 0 {
                (floor as i64).wrapping_neg()
            } else {
                floor as i64
            };
            *histogram.entry(floor).or_default() += 1;
        }
        let sum: i128 = values.iter().copied().map(i128::from).sum();
        Durations {
            sum,
            min: values.first().copied(),
            mean: (!values.is_empty()).then(|| sum as f64 / values.len() as f64),
            p50: rank(500),
            p90: rank(900),
            p99: rank(990),
            p999: rank(999),
            max: values.last().copied(),
            histogram: histogram.into_iter().collect(),
        }
    }
}

impl Matched {
    /// The pairs that are there, of the starts that are `selected`; `top` of the longest. Ends without a start count where
    /// they are.
    pub fn answer(&self, by: By, top: usize, selected: impl Fn(&Home) -> bool) -> Vec<Answer> {
        let there = |pairs: &&Pairs| pairs.asked || (pairs.starts_seen && pairs.ends_seen);
        let found = self.pairs.iter().filter(there);
        found.map(|pairs| self.of_pair(pairs, by, top, &selected)).collect()
    }

    fn of_pair(&self, pairs: &Pairs, by: By, top: usize, selected: &impl Fn(&Home) -> bool) -> Answer {
        let chosen: Vec<&Instance> = pairs.instances.iter().filter(|each| selected(&each.home)).collect();
        let count = |homes: &[Home]| homes.iter().filter(|home| selected(home)).count();
        let mut groups = BTreeMap::<String, Vec<i64>>::new();
        let own = |each: &Instance| pairs.group_names.get(each.group as usize).cloned().unwrap_or_default();
        // Names are made once for each group, not for each instance.
        let mut keyed = BTreeMap::<(i64, u32), Vec<&Instance>>::new();
        for each in &chosen {
            let key = match by {
                By::Group => (0, each.group),
                By::Cpu => (0, each.home.cpu),
                By::Task => (i64::from(each.home.pid), each.home.comm),
                By::Command => (0, each.home.comm),
            };
            keyed.entry(key).or_default().push(each);
        }
        for members in keyed.values() {
            let Some(first) = members.first() else {
                continue;
            };
            let name = match by {
                By::Group => own(first),
                By::Cpu => first.home.cpu.to_string(),
                By::Task => format!("{}-{}", self.comm(&first.home), first.home.pid),
                By::Command => self.comm(&first.home).to_owned(),
            };
            groups
                .entry(name)
                .or_default()
                .extend(members.iter().map(|each| each.value));
        }
        let mut groups: Vec<Group> = groups
            .into_iter()
            .map(|(group, values)| Group {
                group,
                count: values.len(),
                ns: Durations::of(values),
            })
            .collect();
        groups.sort_by(|a, b| b.ns.sum.cmp(&a.ns.sum).then_with(|| a.group.cmp(&b.group)));
        let mut longest = chosen.clone();
        let order = |each: &&Instance| (std::cmp::Reverse(each.value), each.home.at, each.home.cpu);
        if 0 < top && top < longest.len() {
            longest.select_nth_unstable_by_key(top - 1, order);
        }
        longest.truncate(top);
        longest.sort_by_key(order);
        let longest = longest.into_iter().map(|each| Longest {
            at_ns: each.home.at,
            ns: each.value,
            cpu: each.home.cpu,
            pid: each.home.pid,
            comm: self.comm(&each.home).to_owned(),
            group: own(each),
        });
        Answer {
            name: pairs.name.clone(),
            start: pairs.start.clone(),
            end: pairs.end.clone(),
            count: chosen.len(),
            unmatched_starts: count(&pairs.left_open),
            unmatched_ends: count(&pairs.unmatched_ends),
            restarted: count(&pairs.restarted),
            across_loss: chosen.iter().filter(|each| each.across_loss).count(),
            ns: Durations::of(chosen.iter().map(|each| each.value).collect()),
            groups,
            longest: longest.collect(),
        }
    }
}
