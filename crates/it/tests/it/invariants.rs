//! Properties that hold for every trace, however contradictory.

use crate::support::arbitrary;
use proptest::prelude::*;
use schedmodel::{Time, WakerContext, Who};
use schedquery::query::{
    stats, CellKey, CellsQuery, CurveQuery, Highlight, IndexSpec, Indexes, Selection, TimeWindow, Waker,
};
use std::sync::Arc;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn lanes_tile_the_trace(trace in arbitrary::trace()) {
        for lane in &trace.lanes {
            let mut at = 0;
            for interval in lane.intervals() {
                prop_assert_eq!(interval.start, at);
                prop_assert!(interval.start <= interval.end);
                at = interval.end;
            }
            prop_assert_eq!(at, trace.span_ns);
        }
    }

    #[test]
    fn a_task_runs_on_one_cpu_at_a_time_or_a_conflict_is_counted(trace in arbitrary::trace()) {
        let told = |what: &str| trace.diagnostics.iter().any(|found| found.text.contains(what));
        if told("while it runs on another CPU") || told("sched_switch away from a task other") {
            return Ok(());
        }
        let mut runs: Vec<_> = trace
            .lanes
            .iter()
            .flat_map(|lane| lane.intervals())
            .filter_map(|interval| match interval.who {
                Who::Run(id) if interval.start < interval.end => {
                    Some((trace.task_comm(id).task, interval.start, interval.end))
                }
                _ => None,
            })
            .collect();
        runs.sort_unstable();
        for pair in runs.windows(2) {
            let [(task, _, end), (next_task, start, _)] = [pair[0], pair[1]];
            prop_assert!(task != next_task || end <= start, "{task:?} runs at {start} and until {end}");
        }
    }

    #[test]
    fn conflicts_are_counted_with_their_first_places(trace in arbitrary::damage()) {
        for found in &trace.diagnostics {
            prop_assert!(0 < found.count);
            prop_assert!(found.more.len() <= 7);
            prop_assert!(found.at.is_some() || found.more.is_empty());
            prop_assert!((found.more.len() as u64) < found.count);
        }
    }

    #[test]
    fn time_adds_up_by_cpu_and_by_task(trace in arbitrary::trace()) {
        let numbers = stats(&trace, &Selection::default());
        for cpu in 0..trace.cpus.len() {
            let sum = numbers.busy_ns_per_cpu[cpu] + numbers.idle_ns_per_cpu[cpu] + numbers.unknown_ns_per_cpu[cpu];
            prop_assert_eq!(sum, trace.span_ns);
        }
        let busy: u64 = numbers.busy_ns_per_cpu.iter().sum();
        prop_assert_eq!(busy, numbers.tasks.iter().map(|task| task.execution_ns).sum::<u64>());
        prop_assert_eq!(busy, numbers.commands.iter().map(|command| command.execution_ns).sum::<u64>());
        let switches: u64 = numbers.tasks.iter().map(|task| task.switches_to).sum();
        prop_assert_eq!(switches, numbers.commands.iter().map(|command| command.switches_to).sum::<u64>());
        let span = trace.span_ns.max(1) as f64;
        let close = |mean: f64, sum: u64| (mean - sum as f64 / span).abs() <= 1e-9 * mean.abs();
        prop_assert!(close(numbers.running.mean, busy));
        prop_assert!(close(numbers.waiting.mean, numbers.tasks.iter().map(|task| task.waiting_ns).sum::<u64>()));
    }

    #[test]
    fn windows_add_up(trace in arbitrary::trace(), cut in 0.0..1.0) {
        let cut = (cut * trace.span_ns as f64) as u64;
        let whole = stats(&trace, &Selection::default());
        let before = stats(&trace, &Selection { max: Some(cut), ..Selection::default() });
        let after = stats(&trace, &Selection { min: Some(cut), ..Selection::default() });
        prop_assert_eq!(whole.migrations.total, before.migrations.total + after.migrations.total);
        prop_assert_eq!(whole.wakeups.count, before.wakeups.count + after.wakeups.count);
        prop_assert_eq!(whole.overload.cost_task_ns, before.overload.cost_task_ns + after.overload.cost_task_ns);
        for (index, task) in whole.tasks.iter().enumerate() {
            prop_assert_eq!(task.execution_ns, before.tasks[index].execution_ns + after.tasks[index].execution_ns);
            prop_assert_eq!(task.waiting_ns, before.tasks[index].waiting_ns + after.tasks[index].waiting_ns);
            prop_assert_eq!(task.switches_to, before.tasks[index].switches_to + after.tasks[index].switches_to);
        }
    }

    #[test]
    fn chains_go_back_in_time_and_are_made_of_forward_hops(trace in arbitrary::trace(), at in 0.0..1.0, cpu in 0_u32..4) {
        let at = (at * trace.span_ns as f64) as u64;
        let view = Indexes::new(Arc::new(trace), IndexSpec::default());
        let Some(chain) = view.chain(cpu, at, 50) else { return Ok(()) };
        prop_assert_eq!(view.pick(cpu, at), Some(chain.run.clone()));
        let mut until = chain.run.start;
        for hop in &chain.back {
            prop_assert!(hop.at_ns.0 <= until);
            prop_assert_eq!(hop.running_ns.map(|running| running - hop.at_ns), hop.latency_ns);
            until = hop.waker_run_ns.unwrap_or(hop.at_ns).0;
            if let (Some(Time(start)), WakerContext::Task, Waker::Task(_)) = (hop.waker_run_ns, hop.context, &hop.waker) {
                if let Some(waker) = view.chain(hop.waker_cpu, start, 0).filter(|waker| waker.run.start == start) {
                    prop_assert!(waker.forward_total > 200 || waker.forward.contains(hop));
                }
            }
        }
        prop_assert!(chain.forward.iter().all(|hop| chain.run.start <= hop.at_ns.0 && hop.at_ns.0 <= chain.run.end));
    }

    #[test]
    fn damage_makes_a_trace_all_the_same(
        trace in arbitrary::damage(),
        at in any::<u64>(),
        level in 0_u32..80,
        forked in any::<bool>(),
    ) {
        for lane in &trace.lanes {
            prop_assert_eq!(lane.intervals().map(|interval| interval.end - interval.start).sum::<u64>(), trace.span_ns);
        }
        stats(&trace, &Selection { min: Some(at / 2), forked, ..Selection::default() });
        let cpus = trace.cpus.clone();
        let highlight = Highlight::Prefix { prefix: "a".to_owned() };
        let view = Indexes::new(Arc::new(trace), IndexSpec { forked, movable: at % 2 == 0, highlight });
        for at in [0, 1, at % 1000, at, u64::MAX] {
            let (key, first_bucket) = (CellKey::Comm, at >> level.min(63));
            view.cells(&CellsQuery { level, first_bucket, buckets: 10, cpus: cpus.clone(), key });
            view.curve(&CurveQuery { level, first_bucket, buckets: 10 });
            let window = TimeWindow { start: at / 3, end: at };
            view.labels(window, at / 100, &cpus);
            view.commands(Some(window));
            view.window_stats(window);
            view.next_highlighted(at, true);
            view.next_highlighted(at, false);
            for &cpu in &cpus {
                view.pick(cpu, at);
                view.step(cpu, at, true);
                view.step(cpu, at, false);
                view.chain(cpu, at, 20);
            }
        }
    }
}
