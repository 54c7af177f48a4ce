//! What two runs of the same tasks have in common: a recording and its replay, or two replays.

use std::collections::BTreeMap;

use schedmodel::{TaskId, Trace};
use schedquery::query::{overload, Selection};

/// Waits below are taken as this long: a recording's shortest ones are costs of switching.
const LEAST_WAIT: u64 = 10_000;

/// Which tasks are compared.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Only(pub Option<String>);

impl Only {
    /// Whether a task is: by its last name.
    fn has(&self, trace: &Trace, task: TaskId) -> bool {
        let name = || trace.comms.name(trace.task(task).comm);
        self.0.as_ref().is_none_or(|prefix| name().starts_with(prefix.as_str()))
    }
}

/// Quantiles of lengths in ns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Spread {
    /// How many there are.
    pub count: u64,
    /// The median.
    pub p50: u64,
    /// Nine of ten are at most so long.
    pub p90: u64,
    /// 99 of 100 are.
    pub p99: u64,
    /// The longest.
    pub max: u64,
    /// All together.
    pub sum: u64,
}

impl Spread {
    /// Of lengths in any order.
    pub fn of(lengths: &mut [u64]) -> Spread {
        lengths.sort_unstable();
        Spread {
            count: lengths.len() as u64,
            p50: quantile(lengths, 50),
            p90: quantile(lengths, 90),
            p99: quantile(lengths, 99),
            max: lengths.last().copied().unwrap_or(0),
            sum: lengths.iter().sum(),
        }
    }
}

/// Of sorted lengths: number `min(n - 1, ⌊n q⌋)`.
fn quantile(sorted: &[u64], percent: usize) -> u64 {
    let at = (sorted.len() * percent / 100).min(sorted.len().saturating_sub(1));
    sorted.get(at).copied().unwrap_or(0)
}

/// What a run did to its tasks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Metrics {
    /// Switches to them, or from them to idle.
    pub switches: u64,
    /// Their moves between CPUs.
    pub migrations: u64,
    /// From runnable to running.
    pub waits: Spread,
    /// How long runs lasted that were preempted.
    pub preempted_runs: Spread,
    /// How long somebody waited while some CPU idled.
    pub violation_ns: u64,
    /// By command.
    pub commands: BTreeMap<String, Command>,
}

/// What a run did to the tasks of a command.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Command {
    /// CPU time.
    pub execution_ns: u64,
    /// Switches to them.
    pub switches: u64,
    /// From runnable to running.
    pub waits: Spread,
}

/// What a run did to some tasks.
pub fn metrics(trace: &Trace, only: &Only) -> Metrics {
    let mut found = Metrics {
        violation_ns: overload(trace, &Selection::default(), 0, 0).violation_ns,
        ..Metrics::default()
    };
    let (mut waits, mut preempted) = (Vec::new(), Vec::new());
    let mut by_comm: BTreeMap<&str, (Command, Vec<u64>)> = BTreeMap::new();
    for lane in &trace.lanes {
        let mut counts = false;
        for index in 0..lane.len() {
            let Some(who) = lane.run(index) else {
                // To idle: counted with the task that leaves.
                found.switches += u64::from(counts && lane.switched_to(index));
                counts = false;
                continue;
            };
            counts = only.has(trace, trace.task_comm(who).task);
            if !counts {
                continue;
            }
            let switched = u64::from(lane.switched_to(index));
            let length = lane.end_of(index) - lane.start_of(index);
            found.switches += switched;
            let (command, own_waits) = by_comm.entry(trace.comm_of(who)).or_default();
            command.execution_ns += length;
            command.switches += switched;
            if let Some(wait) = lane.wait(index) {
                let waited = lane.start_of(index) - wait.since;
                waits.push(waited);
                own_waits.push(waited);
            }
            if lane.end_state(index).is_some_and(|state| state.letter() == b'R') {
                preempted.push(length);
            }
        }
    }
    found.migrations = trace
        .migrations
        .iter()
        .filter(|moved| only.has(trace, moved.task))
        .count() as u64;
    found.waits = Spread::of(&mut waits);
    found.preempted_runs = Spread::of(&mut preempted);
    let commands = by_comm.into_iter().map(|(comm, (mut command, mut waits))| {
        command.waits = Spread::of(&mut waits);
        (comm.to_owned(), command)
    });
    found.commands = commands.collect();
    found
}

/// Mean over the quantiles 0.5, 0.9 and 0.99 of |ln(sim / rec)|; `None` where one of them has no waits.
pub fn wait_distance(recorded: &Spread, simulated: &Spread) -> Option<f64> {
    if recorded.count == 0 || simulated.count == 0 {
        return None;
    }
    let of = |pick: fn(&Spread) -> u64| {
        let at_least = |spread: &Spread| pick(spread).max(LEAST_WAIT) as f64;
        (at_least(simulated) / at_least(recorded)).ln().abs()
    };
    Some((of(|waits| waits.p50) + of(|waits| waits.p90) + of(|waits| waits.p99)) / 3.0)
}

/// How far the tasks' shares of CPU time are apart, over the run.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CurveError {
    /// Over all times that are looked at.
    pub mean: f64,
    /// The worst.
    pub max: f64,
}

/// Half the sum of what tasks' CPU times differ, by all CPU time, at 20, 30 ... 90 % of the span; `None` where nothing ran.
pub fn cpu_curve(recorded: &Trace, simulated: &Trace, only: &Only) -> Option<CurveError> {
    let times: Vec<u64> = (2..10).map(|tenth| recorded.span_ns / 10 * tenth).collect();
    let (a, b) = (used_by(recorded, only, &times), used_by(simulated, only, &times));
    let mut errors = Vec::new();
    for at in 0..times.len() {
        let used = |curves: &Curves, task| curves.get(task).and_then(|used| used.get(at)).copied().unwrap_or(0);
        let tasks = a.keys().chain(b.keys().filter(|task| !a.contains_key(task)));
        let differ: u64 = tasks.map(|task| used(&a, task).abs_diff(used(&b, task))).sum();
        let sum: u64 = a.keys().map(|task| used(&a, task)).sum();
        if 0 < sum {
            errors.push(differ as f64 / 2.0 / sum as f64);
        }
    }
    let max = errors.iter().copied().fold(0.0, f64::max);
    (!errors.is_empty()).then(|| CurveError {
        mean: errors.iter().sum::<f64>() / errors.len() as f64,
        max,
    })
}

/// CPU time up to some times, by pid and generation.
type Curves = BTreeMap<(i32, u32), Vec<u64>>;

fn used_by(trace: &Trace, only: &Only, times: &[u64]) -> Curves {
    let mut curves = Curves::new();
    for lane in &trace.lanes {
        for index in 0..lane.len() {
            let Some(who) = lane.run(index) else { continue };
            let id = trace.task_comm(who).task;
            if !only.has(trace, id) {
                continue;
            }
            let task = trace.task(id);
            let used = curves
                .entry((task.pid, task.generation))
                .or_insert_with(|| vec![0; times.len()]);
            let interval = lane.interval(index);
            for (used, &at) in used.iter_mut().zip(times) {
                *used += interval.end.min(at).saturating_sub(interval.start);
            }
        }
    }
    curves
}

/// Jain's index of what each got, by what it ideally gets: 1 if all got the same part of it, 1/n if one got everything.
pub fn jain(got: &[u64], ideal: &[u64]) -> Option<f64> {
    let parts: Vec<f64> = got
        .iter()
        .zip(ideal)
        .filter(|(_, &ideal)| 0 < ideal)
        .map(|(&got, &ideal)| got as f64 / ideal as f64)
        .collect();
    let sum: f64 = parts.iter().sum();
    let squares: f64 = parts.iter().map(|part| part * part).sum();
    (0.0 < squares).then(|| sum * sum / (parts.len() as f64 * squares))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_those_of_the_definition() {
        let mut lengths: Vec<u64> = (0..200).rev().collect();
        let spread = Spread::of(&mut lengths);
        assert_eq!((spread.p50, spread.p90, spread.p99, spread.max), (100, 180, 198, 199));
        assert_eq!(Spread::of(&mut [7]).p99, 7);
        assert_eq!(Spread::of(&mut []), Spread::default());
    }

    #[test]
    fn short_waits_are_all_alike() {
        let spread = |wait| Spread::of(&mut [wait]);
        assert_eq!(wait_distance(&spread(1), &spread(9_000)), Some(0.0));
        let e = wait_distance(&spread(10_000), &spread(27_183)).unwrap();
        assert!((e - 1.0).abs() < 1e-4, "{e}");
    }

    #[test]
    fn jains_index() {
        assert_eq!(jain(&[5, 10], &[10, 20]), Some(1.0));
        assert_eq!(jain(&[10, 0, 3], &[10, 10, 0]), Some(0.5));
        assert_eq!(jain(&[], &[]), None);
    }
}
