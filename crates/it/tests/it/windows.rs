//! Tables of a window and runqueues equal their naive twins, which look at everything; and the sums over tasks, CPUs
//! and commands agree.

use crate::support::{self, arbitrary};
use proptest::prelude::*;
use schedindex::{all_queued, Depth, Queue, QueueWalk, Queued, Shown, Waiter};
use schedmodel::Trace;
use schedquery::query::{stats, CpuRow, DepthQuery, IndexSpec, Indexes, Selection, Stats, TaskRow, TimeWindow};
use std::ops::Range;
use std::sync::Arc;

fn view_of(trace: &Trace, forked: bool) -> Indexes {
    let spec = IndexSpec {
        forked,
        ..IndexSpec::default()
    };
    let view = Indexes::new(Arc::new(trace.clone()), spec);
    // Prepared as the page does it: in steps, which are short in debug builds.
    while !(view.prepare_waits() && view.prepare_runqueues()) {}
    view
}

/// The same window for the page and for the command line, which sums all intervals of all lanes.
fn both(trace: &Trace, window: Option<(u64, u64)>, forked: bool) -> (Option<TimeWindow>, Stats) {
    let selection = Selection {
        forked,
        min: window.map(|(start, _)| start),
        max: window.map(|(_, end)| end),
        ..Selection::default()
    };
    (
        window.map(|(start, end)| TimeWindow { start, end }),
        stats(trace, &selection),
    )
}

fn windows() -> impl Strategy<Value = Option<(f64, f64)>> {
    prop::option::weighted(0.8, (0.0..1.0, 0.0..1.0))
}

/// The parts of all waits of shown tasks.
fn parts(trace: &Trace, shown: &Shown) -> Vec<Queued> {
    let mut parts = Vec::new();
    all_queued(trace, shown, |part| parts.push(part));
    parts
}

fn shown(trace: &Trace, forked: bool) -> Shown {
    if forked {
        Shown::forked(trace)
    } else {
        Shown::all()
    }
}

/// How many of the parts are on a CPU's runqueue at an instant.
fn naive_depth(parts: &[Queued], cpu: Option<u32>, at: u64) -> u32 {
    let here = |part: &&Queued| part.cpu == cpu && part.from <= at && at < part.to;
    parts.iter().filter(here).count() as u32
}

/// The most in a window, and the integral over it.
fn naive_waiting(parts: &[Queued], cpu: u32, window: Range<u64>) -> (u32, u64) {
    let own = || parts.iter().filter(|part| part.cpu == Some(cpu));
    let clipped = |part: &Queued| part.to.min(window.end).saturating_sub(part.from.max(window.start));
    // The depth is greatest where some wait begins, or at the begin of the window.
    let begins = own().map(|part| part.from).filter(|from| window.contains(from));
    let most = begins
        .chain((!window.is_empty()).then_some(window.start))
        .map(|at| naive_depth(parts, Some(cpu), at));
    (most.max().unwrap_or(0), own().map(clipped).sum())
}

/// All waits of shown tasks, and the parts of each.
fn waits(trace: &Trace, shown: &Shown, mut walk: QueueWalk, at_once: usize) -> Vec<(Waiter, Vec<Queued>)> {
    let mut waits: Vec<(Waiter, Vec<Queued>)> = Vec::new();
    // Of waits that no run ended, one may begin where the one before ended.
    let begins = |waiter: &Waiter, at: u64| {
        let mut loose = trace.loose_waits.iter();
        waiter.run.is_none() && loose.any(|wait| (wait.who, wait.since) == (waiter.who, at))
    };
    while walk.step(trace, shown, at_once, &mut |waiter, part| match waits.last_mut() {
        // The parts of a wait come one after the other, without a gap.
        Some((last, parts))
            if *last == waiter
                && parts.last().is_some_and(|last| last.to == part.from)
                && !begins(&waiter, part.from) =>
        {
            parts.push(part);
        }
        _ => waits.push((waiter, vec![part])),
    }) {}
    waits
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(192))]

    #[test]
    fn a_walk_within_a_time_finds_the_waits_that_overlap_it(
        trace in arbitrary::trace(),
        from in 0.0..1.0_f64,
        width in 0.0..1.0_f64,
        forked in any::<bool>(),
        at_once in 1_usize..9,
    ) {
        let (from, to) = arbitrary::window(trace.span_ns, from, width);
        let shown = shown(&trace, forked);
        let within = waits(&trace, &shown, QueueWalk::within(&trace, &shown, from..to), at_once);
        let mut all = waits(&trace, &shown, QueueWalk::new(&trace, &shown), usize::MAX);
        all.retain(|(_, parts)| parts[0].from < to && from < parts[parts.len() - 1].to);
        prop_assert_eq!(within, all);
    }

    #[test]
    fn tasks(trace in arbitrary::trace(), window in windows(), forked in any::<bool>()) {
        let window = window.map(|(from, width)| arbitrary::window(trace.span_ns, from, width));
        let (window, numbers) = both(&trace, window, forked);
        let found = view_of(&trace, forked).task_table(window);
        let expected = numbers.tasks.iter().map(|task| {
            let known = |id: &usize| (trace.tasks[*id].pid, trace.tasks[*id].generation) == (task.pid, task.generation);
            let mut row = TaskRow {
                task: (0..trace.tasks.len()).find(known).expect("a task of the trace") as u32,
                generation: task.generation,
                execution: task.execution_ns,
                waiting: task.waiting_ns,
                switches_to: task.switches_to,
                moves: task.migrations_by_kind,
                throttled: task.throttled_ns,
                ..TaskRow::default()
            };
            row.woken.count = task.wakeups.count;
            row.woken.latency = task.wakeups.latency_ns;
            row.woken.max = task.wakeups.max_latency_ns;
            row
        });
        let happened = |row: &TaskRow| row.values()[2..].iter().any(|&value| value != 0.0);
        prop_assert_eq!(found, expected.filter(happened).collect::<Vec<_>>());
    }

    #[test]
    fn cpus(trace in arbitrary::trace(), window in windows(), forked in any::<bool>()) {
        let window = window.map(|(from, width)| arbitrary::window(trace.span_ns, from, width));
        let (window, numbers) = both(&trace, window, forked);
        let found = view_of(&trace, forked).cpu_table(window);
        let parts = parts(&trace, &shown(&trace, forked));
        let range = window.map_or(0..u64::MAX, Range::from);
        for (index, row) in found.iter().enumerate() {
            let CpuRow { cpu, busy, idle, unknown, switches_to, waiting } = *row;
            prop_assert_eq!(cpu, trace.cpus[index]);
            prop_assert_eq!(
                (busy, idle, unknown, switches_to),
                (
                    numbers.busy_ns_per_cpu[index],
                    numbers.idle_ns_per_cpu[index],
                    numbers.unknown_ns_per_cpu[index],
                    numbers.switches_to_per_cpu[index],
                )
            );
            prop_assert_eq!(
                (waiting.max, waiting.integral),
                (numbers.max_waiting_per_cpu[index], numbers.waiting_ns_per_cpu[index])
            );
            prop_assert_eq!((waiting.max, waiting.integral), naive_waiting(&parts, cpu, range.clone()));
        }
    }

    #[test]
    fn sums_agree(trace in arbitrary::trace(), window in windows()) {
        let window = window.map(|(from, width)| arbitrary::window(trace.span_ns, from, width));
        let (window, numbers) = both(&trace, window, false);
        let view = view_of(&trace, false);
        let (tasks, cpus) = (view.task_table(window), view.cpu_table(window));
        let commands = view.commands(window);
        let busy: u64 = cpus.iter().map(|row| row.busy).sum();
        prop_assert_eq!(busy, tasks.iter().map(|row| row.execution).sum::<u64>());
        prop_assert_eq!(busy, commands.iter().map(|row| row.execution_ns).sum::<u64>());
        let switches: u64 = cpus.iter().map(|row| row.switches_to).sum();
        prop_assert_eq!(switches, tasks.iter().map(|row| row.switches_to).sum::<u64>());
        prop_assert_eq!(switches, commands.iter().map(|row| row.switches_to).sum::<u64>());
        let waiting: u64 = tasks.iter().map(|row| row.waiting).sum();
        let placed: u64 = cpus.iter().map(|row| row.waiting.integral).sum();
        prop_assert_eq!(waiting, placed + numbers.unplaced_waiting_ns);
        // Tasks that only waited in the window have no row among the commands, which are those that ran.
        prop_assert!(commands.iter().map(|row| row.waiting_ns).sum::<u64>() <= waiting);
        prop_assert_eq!(numbers.wakeups.count as u64, tasks.iter().map(|row| row.woken.count).sum::<u64>());
        prop_assert_eq!(numbers.migrations.total, tasks.iter().map(|row| row.moves.total()).sum::<u64>());
    }

    #[test]
    fn commands_wait(trace in arbitrary::trace(), window in windows()) {
        let window = window.map(|(from, width)| arbitrary::window(trace.span_ns, from, width));
        let (window, numbers) = both(&trace, window, false);
        let found: Vec<_> = view_of(&trace, false).commands(window).into_iter().map(|row| (row.comm, row.waiting_ns)).collect();
        let expected: Vec<_> = numbers.commands.into_iter().map(|row| (row.comm, row.waiting_ns)).collect();
        prop_assert_eq!(found, expected);
    }

    #[test]
    fn depths_add_up_to_who_waits(trace in arbitrary::short_trace(), forked in any::<bool>()) {
        let shown = shown(&trace, forked);
        let depth = Depth::new(&trace, &shown);
        let steps = schedindex::filtered_steps(&trace, &shown, None);
        let lanes = || (0..trace.lanes.len()).filter_map(|lane| depth.queue(lane));
        for at in 0..trace.span_ns {
            let placed: u32 = lanes().map(|queue| queue.at(at)).sum();
            let waiting = steps.at(at).map_or(0, |counts| counts.waiting);
            prop_assert_eq!(placed + depth.unplaced().at(at), waiting, "at {}", at);
        }
    }

    #[test]
    fn depth_by_bucket(trace in arbitrary::trace(), level in 0_u32..14, first in 0.0..1.0, forked in any::<bool>()) {
        let first_bucket = (first * trace.span_ns as f64) as u64 >> level;
        let query = DepthQuery { level, first_bucket, buckets: 40, cpus: vec![2, 0, 77, 1, 3] };
        let found = view_of(&trace, forked).depth(&query);
        let parts = parts(&trace, &shown(&trace, forked));
        for (lane, &cpu) in query.cpus.iter().enumerate() {
            for bucket in 0..40 {
                let start = (first_bucket + bucket) << level;
                let (max, integral) = naive_waiting(&parts, cpu, start..start + (1 << level));
                let word = found[40 * lane + bucket as usize];
                prop_assert_eq!((word >> 16, u64::from(word & 0xffff)), (max, (integral * 256).div_ceil(1 << level)));
            }
        }
    }

    #[test]
    fn damage_does_no_harm(trace in arbitrary::damage(), from in 0.0..1.0, width in 0.0..1.0) {
        let (start, end) = arbitrary::window(trace.span_ns, from, width);
        let view = view_of(&trace, false);
        for window in [None, Some(TimeWindow { start, end })] {
            let (tasks, cpus) = (view.task_table(window), view.cpu_table(window));
            prop_assert_eq!(
                cpus.iter().map(|row| row.busy).sum::<u64>(),
                tasks.iter().map(|row| row.execution).sum::<u64>()
            );
        }
        let query = DepthQuery { level: 63, first_bucket: u64::MAX, buckets: 3, cpus: trace.cpus.clone() };
        prop_assert_eq!(view.depth(&query), vec![0; 3 * trace.cpus.len()]);
    }
}

/// Deep pyramids: more steps than any arbitrary trace has, in a story that can be counted by hand.
#[test]
fn long_queues_are_summarised() {
    // Two tasks take turns on CPU 0 every 10 ns, so one always waits. Every 100th turn, a third is woken and waits for
    // 5 ns.
    let mut story = String::from("0 cpu0 switch idle:0 R -> a:10\n0 cpu0 wakeup b:11 on 0 by a:10\n");
    for turn in 1..4000_u64 {
        let (prev, next) = if turn % 2 == 1 {
            ("a:10", "b:11")
        } else {
            ("b:11", "a:10")
        };
        story += &format!("{} cpu0 switch {prev} R -> {next}\n", 10 * turn);
        if turn % 100 == 0 {
            story += &format!("{} cpu0 wakeup c:12 on 0\n", 10 * turn);
            story += &format!("{} cpu0 switch {next} R -> c:12\n", 10 * turn + 5);
            story += &format!("{} cpu0 switch c:12 S -> {next}\n", 10 * turn + 5);
        }
    }
    let view = support::view(1, &story);
    let row = |start, end| view.cpu_table(Some(TimeWindow { start, end }))[0].waiting;
    let thirds = |start: u64, end: u64| (start..end).filter(|at| *at >= 1000 && at % 1000 < 5).count() as u64;
    for (start, end) in [
        (0, 39_000),
        (1, 38_999),
        (995, 1003),
        (1001, 25_003),
        (1005, 1999),
        (12_345, 12_346),
    ] {
        let waiting = row(start, end);
        assert_eq!(waiting.integral, end - start + thirds(start, end), "{start}-{end}");
        assert_eq!(waiting.max, if thirds(start, end) > 0 { 2 } else { 1 }, "{start}-{end}");
    }
    assert_eq!(view.waiting_at(0, 1004), 2);
    assert_eq!(view.waiting_at(0, 1005), 1);
    assert_eq!(view.waiting_at(7, 1005), 0);
}

/// The CPUs on which waits are spent: `cpu: from-to` for every part.
fn queues(cpus: u32, story: &str) -> Vec<String> {
    let trace = support::trace(cpus, story);
    let mut parts = parts(&trace, &Shown::all());
    parts.sort_by_key(|part| (part.from, part.to));
    let name = |cpu: Option<u32>| cpu.map_or("nowhere".to_owned(), |cpu| format!("cpu{cpu}"));
    let of = |part: Queued| format!("{}: {}-{}", name(part.cpu), part.from, part.to);
    parts.into_iter().map(of).collect()
}

#[test]
fn a_wait_is_on_the_runqueue_that_events_name() {
    let story = "
        0  cpu0 switch idle:0 R -> a:10
        0  cpu1 switch idle:0 R -> b:11
        5  cpu1 wakeup c:12 on 0 by b:11
        # Balanced to CPU 1 at 9, where it runs from 20 on.
        9  cpu1 migrate c:12 from 0 to 1
        20 cpu1 switch b:11 R+ -> c:12
        # b waits on CPU 1, is pulled to CPU 0 and runs there.
        24 cpu0 migrate b:11 from 1 to 0
        30 cpu0 switch a:10 S -> b:11
        40 cpu0 other";
    assert_eq!(
        queues(2, story),
        ["cpu0: 5-9", "cpu1: 9-20", "cpu1: 20-24", "cpu0: 24-30"]
    );
}

#[test]
fn waits_that_no_run_ends_are_where_the_task_was_last_seen() {
    let story = "
        0  cpu0 switch idle:0 R -> a:10
        0  cpu1 switch idle:0 R -> b:11
        # Preempted on CPU 0, and not seen again.
        10 cpu0 switch a:10 R -> d:13
        # Woken on CPU 1.
        12 cpu0 wakeup c:12 on 1 by d:13
        # Preempted on CPU 1, then moved to CPU 0.
        20 cpu1 switch b:11 R -> e:14
        26 cpu0 migrate b:11 from 1 to 0
        40 cpu0 other";
    assert_eq!(
        queues(2, story),
        ["cpu0: 10-40", "cpu1: 12-40", "cpu1: 20-26", "cpu0: 26-40"]
    );
}

#[test]
fn a_cpu_that_there_is_not_is_nowhere() {
    let story = "
        0  cpu0 switch idle:0 R -> a:10
        5  cpu0 wakeup c:12 on 7 by a:10
        40 cpu0 other";
    assert_eq!(queues(1, story), ["cpu7: 5-40"]);
    let trace = support::trace(1, story);
    let depth = Depth::new(&trace, &Shown::all());
    assert_eq!(depth.queue(0).map(|queue| queue.at(10)), Some(0));
    assert_eq!([4, 5, 39, 40].map(|at| Queue::at(depth.unplaced(), at)), [0, 1, 1, 0]);
}
