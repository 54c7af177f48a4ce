//! Every indexed query equals its naive twin, which looks at all intervals.

use crate::support::{arbitrary, standing::Standings};
use proptest::prelude::*;
use schedindex::{filtered_steps, Shown};
use schedmodel::{Lane, TaskCommId, Trace, Who};
use schedquery::query::{
    stats, CellKey, CellsQuery, CurveQuery, Highlight, IndexSpec, Indexes, Selection, TimeWindow, CELL_HIGHLIGHT,
    CELL_INFERRED, CELL_MERGED, CELL_UNKNOWN, NO_KEY,
};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::Arc;

fn view_of(trace: &Trace, forked: bool, highlight: &str) -> Indexes {
    let highlight = Highlight::Prefix {
        prefix: highlight.to_owned(),
    };
    let movable = false;
    Indexes::new(
        Arc::new(trace.clone()),
        IndexSpec {
            forked,
            movable,
            highlight,
        },
    )
}

fn shown(trace: &Trace, forked: bool, id: TaskCommId) -> bool {
    !forked || trace.task_of(id).forked
}

/// How many PIDs had a run of a command in a window, of whatever task.
fn naive_pids(trace: &Trace, comm: &str, window: &Range<u64>) -> usize {
    let intervals = trace.lanes.iter().flat_map(Lane::intervals);
    let pids = intervals.filter_map(|interval| {
        let Who::Run(id) = interval.who else { return None };
        let within = window.contains(&interval.start) || interval.start < window.end && window.start < interval.end;
        (within && trace.comm_of(id) == comm).then(|| trace.task_of(id).pid)
    });
    pids.collect::<BTreeSet<_>>().len()
}

/// One cell, computed from all intervals of the lane.
fn naive_cell(trace: &Trace, cpu: u32, bucket: Range<u64>, key: CellKey, forked: bool, prefix: &str) -> (u32, u32) {
    let lane = trace.lane(cpu).expect("a CPU of the trace");
    if trace.span_ns <= bucket.start {
        return (NO_KEY, 0);
    }
    let (mut flags, mut busy, mut count) = (0, 0, 0);
    let mut sums = BTreeMap::<u32, u64>::new();
    let mut first_highlighted = None;
    for (index, interval) in lane.intervals().enumerate() {
        let (start, end) = (interval.start.max(bucket.start), interval.end.min(bucket.end));
        if !(start < end || bucket.contains(&interval.start)) {
            continue;
        }
        count += 1;
        let ns = end - start;
        match interval.who {
            Who::Run(id) if shown(trace, forked, id) => {
                let pair = trace.task_comm(id);
                let key = if key == CellKey::Task { pair.task.0 } else { pair.comm.0 };
                if trace.comm_of(id).starts_with(prefix) {
                    first_highlighted = first_highlighted.or(Some(key));
                }
                if 0 < ns {
                    *sums.entry(key).or_default() += ns;
                    busy += ns;
                    flags |= if lane.inferred(index) { CELL_INFERRED } else { 0 };
                }
            }
            Who::Unknown if 0 < ns => flags |= CELL_UNKNOWN,
            _ => {}
        }
    }
    let width = bucket.end - bucket.start;
    flags |= (busy * 65535).div_ceil(width) as u32;
    flags |= if 2 < count { CELL_MERGED } else { 0 };
    let mut dominant = (NO_KEY, 0);
    for (key, ns) in sums {
        if dominant.1 < ns {
            dominant = (key, ns);
        }
    }
    match first_highlighted {
        Some(key) => (key, flags | CELL_HIGHLIGHT),
        None => (dominant.0, flags),
    }
}

/// Whether the task ever ran on two CPUs.
fn naive_movable(trace: &Trace, id: TaskCommId) -> bool {
    let task = trace.task_comm(id).task;
    let ran_on = trace.lanes.iter().filter(|lane| {
        lane.intervals()
            .any(|interval| matches!(interval.who, Who::Run(id) if trace.task_comm(id).task == task))
    });
    1 < ran_on.count()
}

/// The counts at an instant: running and waiting (of the tasks to keep), and idle CPUs.
fn naive_counts(trace: &Trace, at: u64, keep: impl Fn(TaskCommId) -> bool) -> [u32; 3] {
    let mut counts = [0; 3];
    for lane in &trace.lanes {
        for (index, interval) in lane.intervals().enumerate() {
            let here = interval.start <= at && at < interval.end;
            match interval.who {
                Who::Run(id) if keep(id) => {
                    counts[0] += u32::from(here);
                    let waits = lane
                        .wait(index)
                        .is_some_and(|wait| wait.since <= at && at < interval.start);
                    counts[1] += u32::from(waits);
                }
                Who::Idle => counts[2] += u32::from(here),
                _ => {}
            }
        }
    }
    for wait in trace.loose_waits.iter().filter(|wait| keep(wait.who)) {
        counts[1] += u32::from(wait.since <= at && at < wait.until);
    }
    counts
}

/// For how many CPUs it is known what they do.
fn naive_known(trace: &Trace, at: u64) -> u32 {
    let known = |lane: &&Lane| lane.find(at).is_some_and(|index| lane.who(index) != Who::Unknown);
    trace.lanes.iter().filter(known).count() as u32
}

/// Every instant at which a count may change.
fn instants(trace: &Trace) -> Vec<u64> {
    let mut instants = vec![0];
    for lane in &trace.lanes {
        for (index, interval) in lane.intervals().enumerate() {
            instants.push(interval.start);
            instants.extend(lane.wait(index).map(|wait| wait.since));
        }
    }
    instants.extend(trace.loose_waits.iter().flat_map(|wait| [wait.since, wait.until]));
    instants.sort_unstable();
    instants.dedup();
    instants.retain(|&at| at < trace.span_ns);
    instants
}

/// Steps of the naive counts within a window: from, to, counts.
fn naive_steps(trace: &Trace, window: Range<u64>, keep: impl Fn(TaskCommId) -> bool) -> Vec<(u64, u64, [u32; 3])> {
    let instants = instants(trace);
    let ends = instants.iter().skip(1).copied().chain([trace.span_ns]);
    let clipped = instants
        .iter()
        .zip(ends)
        .map(|(&from, to)| (from.max(window.start), to.min(window.end)));
    let inside = clipped.filter(|(from, to)| from < to);
    inside
        .map(|(from, to)| (from, to, naive_counts(trace, from, &keep)))
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn cells(
        trace in arbitrary::trace(),
        level in 0_u32..16,
        from in 0.0..1.1,
        forked in any::<bool>(),
        by_comm in any::<bool>(),
        indexed in any::<bool>(),
        prefix in prop::sample::select(vec!["a", "ab", "b", "none"]),
    ) {
        let mut view = view_of(&trace, forked, prefix);
        if !indexed {
            // Cells are made of intervals, until there is something better.
            view = Indexes::of(Arc::new(trace.clone())).with(view.spec().clone());
        }
        let key = if by_comm { CellKey::Comm } else { CellKey::Task };
        let first_bucket = ((from * trace.span_ns as f64) as u64) >> level;
        let query = CellsQuery { level, first_bucket, buckets: 40, cpus: vec![2, 0, 3, 1, 77], key };
        let cells = view.cells(&query);
        prop_assert_eq!(cells.len(), 2 * 40 * 5);
        for (lane, &cpu) in query.cpus.iter().enumerate().take(4) {
            for bucket in 0..40 {
                let start = (first_bucket + bucket as u64) << level;
                let expected = naive_cell(&trace, cpu, start..start + (1 << level), key, forked, prefix);
                let slot = 2 * (lane * 40 + bucket);
                prop_assert_eq!((cells[slot], cells[slot + 1]), expected, "cpu {} bucket {}", cpu, bucket);
            }
        }
        prop_assert!(cells[2 * 40 * 4..].chunks(2).all(|cell| cell == [NO_KEY, 0]));
    }

    #[test]
    fn steps(trace in arbitrary::trace()) {
        // The steps are counted once while the trace is built, and once from the intervals of the built trace.
        prop_assert_eq!(&*trace.steps, &filtered_steps(&trace, &Shown::all(), None));
    }

    #[test]
    fn curve(
        trace in arbitrary::trace(),
        level in 0_u32..14,
        from in 0.0..1.1,
        forked in any::<bool>(),
        movable in any::<bool>(),
    ) {
        let view = view_of(&trace, !forked, "none").with(IndexSpec { forked, movable, highlight: Highlight::None });
        let first_bucket = ((from * trace.span_ns as f64) as u64) >> level;
        let values = view.curve(&CurveQuery { level, first_bucket, buckets: 30 });
        for bucket in 0..30 {
            let start = (first_bucket + bucket as u64) << level;
            let end = start + (1 << level);
            let steps = naive_steps(&trace, start..end, |id| shown(&trace, forked, id));
            let running = steps.iter().map(|step| step.2[0]);
            let runnable = steps.iter().map(|step| step.2[0] + step.2[1]);
            let known = steps.iter().map(|step| naive_known(&trace, step.0));
            let runs = [running.clone().min(), running.max(), runnable.clone().min(), runnable.max()];
            let expected = [runs.as_slice(), &[known.clone().min(), known.max()]].concat();
            let expected: Vec<u32> = expected.into_iter().map(Option::unwrap_or_default).collect();
            prop_assert_eq!(&values[6 * bucket..6 * bucket + 6], &expected);
        }
    }

    #[test]
    fn conservation(
        trace in arbitrary::short_trace(),
        level in 0_u32..9,
        from in 0.0..1.1,
        width in 0.0..1.0,
        forked in any::<bool>(),
        movable in any::<bool>(),
        prepared in any::<bool>(),
    ) {
        let view = view_of(&trace, !forked, "none").with(IndexSpec { forked, movable, highlight: Highlight::None });
        while prepared && !view.prepare_conservation() {}
        let keep = |id| shown(&trace, forked, id) && (!movable || naive_movable(&trace, id));
        let standings = Standings::new(&trace, &Shown::filter(&trace, keep));
        let naive = |window: Range<u64>| {
            let mut sums = [0; 4];
            for at in window.start..window.end.min(trace.span_ns) {
                let (behind, spare, leaving) = standings.at(&trace.cpus, at);
                let cost = behind.min(spare.len() as u64);
                for (sum, value) in sums.iter_mut().zip([cost.min(1), cost, leaving.min(1), leaving]) {
                    *sum += value;
                }
            }
            sums
        };
        let first_bucket = ((from * trace.span_ns as f64) as u64) >> level;
        let shares = view.conservation_shares(&CurveQuery { level, first_bucket, buckets: 12 });
        for (bucket, words) in shares.chunks_exact(2).enumerate() {
            let start = (first_bucket + bucket as u64) << level;
            let end = start + (1 << level);
            let known = end.min(trace.span_ns).saturating_sub(start).max(1);
            let [behind, _, leaving, _] = naive(start..end);
            let expected = [behind, leaving].map(|ns| (ns * 65535).div_ceil(known) as u32);
            prop_assert_eq!(words, expected);
        }
        let (start, end) = arbitrary::window(trace.span_ns, f64::min(from, 1.0), width);
        let found = view.window_stats(TimeWindow { start, end });
        let found = [
            found.behind_ns,
            found.behind_cost_task_ns,
            found.leaving_idle_ns,
            found.leaving_idle_task_ns,
        ];
        prop_assert_eq!(found, naive(start..end));
    }

    #[test]
    fn window_stats(trace in arbitrary::trace(), from in 0.0..1.0, width in 0.0..1.0, forked in any::<bool>()) {
        let view = view_of(&trace, forked, "none");
        let (start, end) = arbitrary::window(trace.span_ns, from, width);
        let found = view.window_stats(TimeWindow { start, end });
        let mut sums = [0_u64; 4];
        let mut max = [0_u32; 2];
        for (from, to, [running, waiting, idle]) in naive_steps(&trace, start..end, |id| shown(&trace, forked, id)) {
            let cost = waiting.min(idle);
            for (sum, count) in sums.iter_mut().zip([running, waiting, cost, cost.min(1)]) {
                *sum += (to - from) * u64::from(count);
            }
            max = [max[0].max(running), max[1].max(waiting)];
        }
        let ns = (end.min(trace.span_ns).saturating_sub(start)).max(1) as f64;
        prop_assert_eq!((found.running.max, found.waiting.max), (max[0], max[1]));
        prop_assert_eq!(found.running.mean, sums[0] as f64 / ns);
        prop_assert_eq!(found.waiting.mean, sums[1] as f64 / ns);
        prop_assert_eq!((found.cost_task_ns, found.violation_ns), (sums[2], sums[3]));
    }

    #[test]
    fn commands(trace in arbitrary::trace(), from in 0.0..1.0, width in 0.0..1.0, whole in any::<bool>()) {
        let view = view_of(&trace, false, "none");
        let (start, end) = arbitrary::window(trace.span_ns, from, width);
        let window = (!whole).then_some(TimeWindow { start, end });
        // `stats` adds up all intervals of all lanes.
        let (min, max) = if whole { (None, None) } else { (Some(start), Some(end)) };
        let numbers = stats(&trace, &Selection { min, max, ..Selection::default() });
        let rows = view.commands(window);
        for row in &rows {
            prop_assert_eq!(row.pids as usize, naive_pids(&trace, &row.comm, &(min.unwrap_or(0)..max.unwrap_or(u64::MAX))));
        }
        let found: Vec<_> = rows
            .into_iter()
            .map(|row| (row.comm, row.first, row.last, row.execution_ns, row.switches_to, row.pids))
            .collect();
        let expected: Vec<_> = numbers
            .commands
            .into_iter()
            .map(|row| {
                let relative = |at: schedmodel::Time| at.0;
                (row.comm, relative(row.first_ns), relative(row.last_ns), row.execution_ns, row.switches_to, row.pids)
            })
            .collect();
        prop_assert_eq!(found, expected);
    }

    #[test]
    fn labels(trace in arbitrary::trace(), from in 0.0..1.0, width in 0.0..1.0, min_width in 1_u64..400) {
        let view = view_of(&trace, false, "none");
        let (start, end) = arbitrary::window(trace.span_ns, from, width);
        let found = view.labels(TimeWindow { start, end }, min_width, &[1, 0]);
        // No screen has room for more labels.
        let min_width = min_width.max((end.min(trace.span_ns) - start) / 20_000);
        let mut expected = Vec::new();
        for cpu in [1, 0] {
            for interval in trace.lane(cpu).expect("a CPU of the trace").intervals() {
                let visible = interval.end.min(end).saturating_sub(interval.start.max(start));
                if min_width <= visible && matches!(interval.who, Who::Run(_)) {
                    expected.push((cpu, interval.start, interval.end));
                }
            }
        }
        prop_assert_eq!(found.iter().map(|run| (run.cpu, run.start, run.end)).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn pick(trace in arbitrary::trace(), from in 0.0..1.1, cpu in 0_u32..5) {
        let view = view_of(&trace, false, "none");
        let at = (from * trace.span_ns as f64) as u64;
        let lane = trace.lane(cpu);
        // If several intervals begin at one time, the last one is there; the trace's end is in none.
        let expected = lane.and_then(|lane| {
            let intervals: Vec<_> = lane.intervals().collect();
            let index = intervals.iter().rposition(|interval| interval.start <= at && at < interval.end)?;
            Some((intervals[index].start, intervals[index].end))
        });
        let found = view.pick(cpu, at);
        prop_assert_eq!(found.as_ref().map(|found| (found.start, found.end)), expected);
    }

    #[test]
    fn steps_and_highlights(trace in arbitrary::trace(), from in 0.0..1.1, forward in any::<bool>(), forked in any::<bool>()) {
        let view = view_of(&trace, forked, "b");
        let at = (from * trace.span_ns as f64) as u64;
        let lane = trace.lane(0).expect("CPU 0");
        let runs: Vec<(usize, u64)> = lane
            .intervals()
            .enumerate()
            .filter(|(_, interval)| matches!(interval.who, Who::Run(id) if shown(&trace, forked, id)))
            .map(|(index, interval)| (index, interval.start))
            .collect();
        let here = lane.find(at).unwrap_or(lane.len());
        let mut ordered: Box<dyn Iterator<Item = &(usize, u64)>> = if forward { Box::new(runs.iter()) } else { Box::new(runs.iter().rev()) };
        let expected = ordered.find(|run| if forward { here < run.0 } else { run.0 < here }).map(|run| run.1);
        prop_assert_eq!(view.step(0, at, forward).map(|run| run.start), expected);

        let starts = trace.lanes.iter().flat_map(|lane| lane.intervals());
        let highlighted = starts.filter(|interval| matches!(interval.who, Who::Run(id) if shown(&trace, forked, id) && trace.comm_of(id).starts_with('b')));
        let starts = highlighted.map(|interval| interval.start);
        let expected = if forward { starts.filter(|&start| at < start).min() } else { starts.filter(|&start| start < at).max() };
        prop_assert_eq!(view.next_highlighted(at, forward).map(|run| run.start), expected);
    }
}
