//! The ideal schedule.

use super::MS;
use crate::properties::{recipes, workload, Recipe};
use proptest::prelude::*;
use replay::ideal::cpu_times;

/// A task of the ideal schedule.
#[derive(Clone, Copy, Default)]
struct Flowing {
    burst: usize,
    clock: f64,
    used: f64,
    /// Until when it sleeps; for ever, if another task wakes it.
    asleep: Option<f64>,
    given: bool,
    dead: bool,
}

/// CPU times of the ideal schedule, from one event to the next in floating point, with everybody looked at.
fn flow(recipes: &[Recipe], cpus: u32, until: f64) -> Vec<f64> {
    let mut all = vec![Flowing::default(); recipes.len()];
    let mut woken: Vec<Vec<bool>> = recipes.iter().map(|(bursts, _)| vec![false; bursts.len()]).collect();
    let length = |task: usize, burst: usize| recipes[task].0.get(burst).map(|burst| burst.0 as f64);
    // The task before wakes the one behind in the same burst, where that has one.
    let dependent =
        |task: usize, burst: usize| 0 < task && recipes[task].0[burst].2 && length(task - 1, burst).is_some();
    let gives_at = |task: usize, burst: usize| {
        let own = length(task, burst)?;
        let next = recipes.get(task + 1)?.0.get(burst)?;
        next.2.then(|| own - own.min(next.0 as f64))
    };
    let mut now = 0.0;
    while now < until {
        let mut rates = vec![0.0; all.len()];
        let mut running: Vec<usize> = (0..all.len())
            .filter(|&at| !all[at].dead && all[at].asleep.is_none())
            .collect();
        let weigh = |at: usize| f64::from(replay::policy::weight_of(recipes[at].1));
        running.sort_by(|&a, &b| weigh(b).total_cmp(&weigh(a)));
        let mut left = f64::from(cpus);
        let mut sum: f64 = running.iter().map(|&at| weigh(at)).sum();
        for &at in &running {
            rates[at] = (left * weigh(at) / sum).min(1.0);
            left -= rates[at];
            sum -= weigh(at);
        }
        let next_point = |at: usize| {
            let it: &Flowing = &all[at];
            let end = length(at, it.burst).unwrap_or(MS as f64);
            gives_at(at, it.burst).filter(|_| !it.given).unwrap_or(end)
        };
        let due = running
            .iter()
            .map(|&at| now + (next_point(at) - all[at].clock) / rates[at]);
        let wakeups = all.iter().filter_map(|it| it.asleep);
        let next = due.chain(wakeups).fold(until, f64::min);
        let points: Vec<f64> = (0..all.len()).map(next_point).collect();
        for (it, rate) in all.iter_mut().zip(&rates) {
            it.clock += rate * (next - now);
            it.used += rate * (next - now);
        }
        now = next;
        for at in 0..all.len() {
            if all[at].asleep.is_some_and(|until| until <= now) {
                (all[at].asleep, all[at].clock, all[at].given) = (None, 0.0, false);
            } else if 0.0 < rates[at] && points[at] - all[at].clock < 1e-3 {
                let burst = all[at].burst;
                if gives_at(at, burst).is_some() && !all[at].given {
                    all[at].given = true;
                    woken[at + 1][burst] = true;
                    if all[at + 1].asleep == Some(f64::INFINITY) && all[at + 1].burst == burst + 1 {
                        (all[at + 1].asleep, all[at + 1].clock, all[at + 1].given) = (None, 0.0, false);
                    }
                } else if burst == recipes[at].0.len() {
                    all[at].dead = true;
                } else {
                    all[at].burst += 1;
                    all[at].asleep = match dependent(at, burst) {
                        true if woken[at][burst] => None,
                        true => Some(f64::INFINITY),
                        false => Some(now + recipes[at].0[burst].1 as f64),
                    };
                    (all[at].clock, all[at].given) = (0.0, false);
                }
            }
        }
    }
    all.iter().map(|it| it.used).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(crate::common::cases(24)))]

    /// Within a microsecond.
    #[test]
    fn the_ideal_flows(recipes in recipes(), cpus in 1_u32..5, until in 1_u64..60_000_000) {
        let fair: Vec<Recipe> = recipes.into_iter().map(|(bursts, prio)| (bursts, prio.max(100))).collect();
        let found = cpu_times(&workload(fair.clone()), cpus, until);
        for (found, expected) in found.iter().zip(flow(&fair, cpus, until as f64)) {
            prop_assert!((*found as f64 - expected).abs() < 1000.0, "{} {}", found, expected);
        }
    }
}
