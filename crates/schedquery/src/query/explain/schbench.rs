//! Wake-up latencies in the buckets of schbench (`schbench.c`, which has them from fio): percentiles that can be put beside
//! those that the benchmark itself prints.

use crate::query::select::selected::Selected;
use crate::query::select::selection::Selection;
use schedindex::latency_in_doubt;
use schedmodel::{CommId, Trace};
use serde::Serialize;

/// Values below it have a bucket each.
const EXACT: u64 = 512;
/// The last bucket.
const LAST: u64 = 4863;

/// JSON of `corelane latency --schbench`; percentiles in µs, by schbench's buckets.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Schbench {
    /// All wakeups.
    #[serde(flatten)]
    pub all: SchbenchSpread,
    /// Those of each command, those with most first.
    pub commands: Vec<SchbenchCommand>,
}

/// Of one command.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SchbenchCommand {
    /// Its name.
    pub comm: String,
    /// Its wakeups.
    #[serde(flatten)]
    pub spread: SchbenchSpread,
}

/// Percentiles, in µs; `None` without a wakeup.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct SchbenchSpread {
    /// Wakeups that led to a switch-in.
    pub count: u64,
    /// 20 %.
    pub p20: Option<u64>,
    /// 50 %.
    pub p50: Option<u64>,
    /// 90 %.
    pub p90: Option<u64>,
    /// 99 %.
    pub p99: Option<u64>,
    /// 99.9 %.
    pub p999: Option<u64>,
}

/// Wake-up latencies of a selection, as schbench would report them.
pub fn schbench(trace: &Trace, selection: &Selection) -> Schbench {
    let selected = Selected::new(trace, selection);
    let mut all = Vec::new();
    let mut by_comm = vec![Vec::new(); trace.comms.names().len()];
    let certain = selected
        .wakeups()
        .filter(|woken| !latency_in_doubt(trace, woken.wakee, &woken.edge));
    for woken in certain {
        let bucket = bucket(woken.latency / 1000);
        all.push(bucket);
        if let Some(of) = by_comm.get_mut(trace.task_comm(woken.id).comm.0 as usize) {
            of.push(bucket);
        }
    }
    let named = by_comm.into_iter().zip(0..).filter(|(buckets, _)| !buckets.is_empty());
    let mut commands: Vec<SchbenchCommand> = named
        .map(|(buckets, comm)| SchbenchCommand {
            comm: trace.comms.name(CommId(comm)).to_owned(),
            spread: spread(buckets),
        })
        .collect();
    commands.sort_by_key(|command| std::cmp::Reverse(command.spread.count));
    Schbench {
        all: spread(all),
        commands,
    }
}

fn spread(mut buckets: Vec<u16>) -> SchbenchSpread {
    buckets.sort_unstable();
    let count = buckets.len() as u64;
    // The first bucket up to which there are so many thousandths of all.
    let at = |thousandths: u64| {
        let rank = (count * thousandths).div_ceil(1000).max(1);
        buckets.get(rank as usize - 1).map(|bucket| value(u64::from(*bucket)))
    };
    SchbenchSpread {
        count,
        p20: at(200),
        p50: at(500),
        p90: at(900),
        p99: at(990),
        p999: at(999),
    }
}

/// The bucket of a number of µs.
fn bucket(us: u64) -> u16 {
    if us < EXACT {
        return us as u16;
    }
    let shift = u64::from(us.ilog2()) - 8;
    ((shift + 1) * 256 + ((us >> shift) & 255)).min(LAST) as u16
}

/// The µs that stand for a bucket: their middle.
fn value(bucket: u64) -> u64 {
    if bucket < EXACT {
        return bucket;
    }
    let (shift, place) = ((bucket >> 8) - 1, bucket & 255);
    // (place + 1/2) * 2^shift, without the fraction; shift is at least 1.
    (1 << (shift + 8)) + (((2 * place + 1) << shift) >> 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buckets_are_schbench_s() {
        for us in 0..EXACT {
            assert_eq!((bucket(us), value(us)), (us as u16, us));
        }
        // 512 and 513 share one: e = 1, k = 0; its middle is 512 + (0 + 1/2) * 2.
        assert_eq!((bucket(512), bucket(513), bucket(514)), (512, 512, 513));
        assert_eq!((value(512), value(513)), (513, 515));
        // 10 ms: e = 5, k = (10000 >> 5) & 255 = 56.
        assert_eq!((bucket(10_000), value(6 * 256 + 56)), (1592, 8192 + 1808));
        assert_eq!(u64::from(bucket(u64::MAX)), LAST);
    }

    #[test]
    fn a_percentile_is_the_first_bucket_with_enough() {
        let of = spread((1..=10).collect());
        assert_eq!(
            (of.p20, of.p50, of.p90, of.p99, of.p999),
            (Some(2), Some(5), Some(9), Some(10), Some(10))
        );
        assert_eq!(spread(Vec::new()), SchbenchSpread::default());
    }
}
