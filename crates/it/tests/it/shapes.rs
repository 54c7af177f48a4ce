//! The answers as JSON have the field names and shapes of `web/engine/protocol/generated.ts` and of the command line.

use crate::support::{scans, trace, view};
use schedquery::query::{
    stats, CellKey, CellsQuery, Highlight, IndexSpec, IntervalAnswer, IntervalKind, Preview, RunName, Selection,
    Summary, TimeWindow,
};
use serde_json::{json, to_value};

const STORY: &str = "
    100 cpu0 switch a:10 S -> b:11
    110 cpu0 waking a:10 last 0 by b:11
    112 cpu0 wakeup a:10 on 1 by b:11
    115 cpu1 switch idle -> a:10
    130 cpu0 switch b:11 R+ -> idle
    140 cpu1 switch a:10 D -> idle";

#[test]
fn an_interval_and_its_wakeup() {
    let run = view(2, STORY).pick(1, 20);
    assert_eq!(
        to_value(run).ok(),
        Some(json!({
            "cpu": 1, "start": 15, "end": 40, "kind": "run", "inferred": false, "open": false,
            "task": 0, "pid": 10, "generation": 0, "comm": "a", "prio": 120, "class": "fair", "end_state": "D",
            "throttled": false, "yielded": false, "exec_from": null, "exec_to": null,
            "waited_since": 12, "wait_cause": "wakeup",
            "wakeup": {
                "event": "sched_waking", "at_ns": 10, "woken_ns": 12, "running_ns": 15, "latency_ns": 5, "cpu": 1,
                "wakee": {"task": 0, "pid": 10, "generation": 0, "comm": "a"},
                "waker": {"kind": "task", "task": 1, "pid": 11, "generation": 0, "comm": "b"},
                "context": "task", "waker_cpu": 0, "waker_run_ns": 0, "previous_cpu": 0, "chosen_cpu": 1,
                "choice": null, "uncertain": false,
            },
        }))
    );
    let placement = view(2, STORY)
        .placement(1, 20)
        .map(|placement| to_value(placement.choice).unwrap_or_default());
    assert_eq!(
        placement,
        Some(json!({"idle_cpus": [1], "previous_was_free": false, "chosen_was_free": true}))
    );
    let idle = view(2, STORY).pick(1, 5);
    assert_eq!(
        to_value(idle).ok(),
        Some(json!({"cpu": 1, "start": 0, "end": 15, "kind": "idle", "inferred": true, "open": false}))
    );
}

#[test]
fn a_chain() {
    let chain = view(2, STORY)
        .chain(1, 20, 10)
        .map(|chain| to_value(chain).unwrap_or_default());
    let chain = chain.unwrap_or_default();
    assert_eq!(
        chain["back"],
        json!([{
            "event": "sched_waking", "at_ns": 10, "woken_ns": 12, "running_ns": 15, "latency_ns": 5, "cpu": 1,
            "wakee": {"task": 0, "pid": 10, "generation": 0, "comm": "a"},
            "waker": {"kind": "task", "task": 1, "pid": 11, "generation": 0, "comm": "b"},
            "context": "task", "waker_cpu": 0, "waker_run_ns": 0, "previous_cpu": 0, "chosen_cpu": 1,
            "choice": null, "uncertain": false,
        }])
    );
    assert_eq!(
        (&chain["ends_at"], &chain["forward_total"]),
        (&json!("unknown"), &json!(0))
    );
}

#[test]
fn tables_and_numbers() {
    let view = view(2, STORY);
    assert_eq!(
        to_value(view.commands(None)).ok(),
        Some(json!([
            {"comm": "b", "comm_id": 1, "first": 0, "last": 30, "execution_ns": 30, "waiting_ns": 10, "switches_to": 1, "pids": 1},
            {"comm": "a", "comm_id": 0, "first": 15, "last": 40, "execution_ns": 25, "waiting_ns": 3, "switches_to": 1, "pids": 1},
        ]))
    );
    assert_eq!(
        to_value(view.window_stats(TimeWindow { start: 0, end: 20 })).ok(),
        Some(json!({
            "running": {"mean": 1.25, "max": 2}, "waiting": {"mean": 0.15, "max": 1}, "utilisation": 0.625,
            "known_cpus": 2.0,
            "violation_ns": 3, "cost_task_ns": 3,
            "behind_ns": 0, "behind_cost_task_ns": 0, "leaving_idle_ns": 3, "leaving_idle_task_ns": 3,
        }))
    );
    assert_eq!(
        to_value(view.labels(TimeWindow { start: 0, end: 40 }, 26, &[0, 1])).ok(),
        Some(json!([{"cpu": 0, "start": 0, "end": 30, "pid": 11, "comm": "b"}]))
    );
    let summary = to_value(Summary::new(view.trace())).unwrap_or_default();
    assert_eq!(
        summary,
        json!({
            "span": 40, "records": 6, "sched_events": 6, "missing_events": [], "lost_events": 0, "lost_gaps": 0, "after_sleep": null, "damage": null,
            "diagnostics": [], "comms": ["a", "b"],
        })
    );
}

#[test]
fn stats_of_the_command_line() {
    let numbers = to_value(stats(&trace(2, STORY), &Selection::default())).unwrap_or_default();
    assert_eq!(
        numbers,
        json!({
            "cpus": 2, "first_ns": 0, "last_ns": 40, "known_cpus": {"mean": 2.0, "min": 2},
            "running": {"mean": 1.375, "max": 2}, "waiting": {"mean": 0.325, "max": 1},
            "idle_ns_per_cpu": [10, 15], "busy_ns_per_cpu": [30, 25], "unknown_ns_per_cpu": [0, 0],
            "switches_to_per_cpu": [1, 1], "waiting_ns_per_cpu": [10, 3], "max_waiting_per_cpu": [1, 1],
            "unplaced_waiting_ns": 0, "uncertain_waiting_ns": 0, "throttled_ns": 0,
            "overload": {
                "violation_ns": 13, "cost_task_ns": 13, "intervals": 2,
                "behind_ns": 0, "behind_cost_task_ns": 0, "behind_intervals": 0,
                "leaving_idle_ns": 13, "leaving_idle_task_ns": 13, "bound_ns": 0, "bound_task_ns": 0,
            },
            "chain_breaks": 0,
            "migrations": {"total": 0, "placement": 0, "load_balance": 0, "numa": 0, "other": 0, "derived": 0},
            "wakeups": {
                "count": 1, "uncertain": {"count": 0, "ns": 0},
                "latency_ns": {"p50": 5, "p90": 5, "p99": 5, "max": 5},
            },
            "commands": [
                {"comm": "b", "first_ns": 0, "last_ns": 30, "execution_ns": 30, "waiting_ns": 10, "switches_to": 1,
                 "pids": 1},
                {"comm": "a", "first_ns": 15, "last_ns": 40, "execution_ns": 25, "waiting_ns": 3, "switches_to": 1,
                 "pids": 1},
            ],
            "tasks": [
                {"pid": 10, "generation": 0, "continues": null, "comms": ["a"], "execution_ns": 25, "waiting_ns": 3,
                 "throttled_ns": 0, "switches_to": 1, "migrations": 0, "migrations_by_kind": {"placement": 0, "load_balance": 0, "numa": 0, "other": 0, "derived": 0},
                 "wakeups": {"count": 1, "latency_ns": 5, "max_latency_ns": 5}},
                {"pid": 11, "generation": 0, "continues": null, "comms": ["b"], "execution_ns": 30, "waiting_ns": 10,
                 "throttled_ns": 0, "switches_to": 1, "migrations": 0, "migrations_by_kind": {"placement": 0, "load_balance": 0, "numa": 0, "other": 0, "derived": 0},
                 "wakeups": {"count": 0, "latency_ns": 0, "max_latency_ns": 0}},
            ],
        })
    );
}

#[test]
fn view_specs_are_read_as_the_page_writes_them() {
    let spec =
        |highlight| serde_json::from_value(json!({"forked": true, "movable": true, "highlight": highlight})).ok();
    let expected = |highlight| {
        Some(IndexSpec {
            forked: true,
            movable: true,
            highlight,
        })
    };
    assert_eq!(spec(json!({"kind": "none"})), expected(Highlight::None));
    let prefix = "ua".to_owned();
    assert_eq!(
        spec(json!({"kind": "prefix", "prefix": "ua"})),
        expected(Highlight::Prefix { prefix })
    );
    let comms = vec!["a".to_owned()];
    assert_eq!(
        spec(json!({"kind": "comms", "comms": ["a"]})),
        expected(Highlight::Comms { comms })
    );
    assert_eq!(
        spec(json!({"kind": "task", "task": 3})),
        expected(Highlight::Task { task: 3 })
    );
}

type Told = (u32, u64, Option<u64>, IntervalKind, bool, bool, Option<(i32, String)>);

/// What is told of an interval, but the end of the last one of a lane.
fn told<Run>(interval: Option<IntervalAnswer<Run>>, name: impl Fn(Run) -> (i32, String)) -> Option<Told> {
    interval.map(|it| {
        let end = (!it.open).then_some(it.end);
        (it.cpu, it.start, end, it.kind, it.inferred, it.open, it.run.map(name))
    })
}

#[test]
fn a_preview_shows_the_cells_that_the_trace_will_show() {
    let mut preview = Preview::new(100);
    for scan in scans(STORY) {
        preview.add(&scan);
    }
    let query = CellsQuery {
        level: 2,
        first_bucket: 0,
        buckets: 12,
        cpus: vec![1, 0, 7],
        key: CellKey::Task,
    };
    // The provisional tasks are the same here, in another order.
    let pids = preview.pids().to_vec();
    let by_pid = |cells: Vec<u32>, pid: &dyn Fn(usize) -> i32| -> Vec<(i32, u32)> {
        let pid = |key: u32| if key == u32::MAX { -1 } else { pid(key as usize) };
        cells.chunks(2).map(|cell| (pid(cell[0]), cell[1])).collect()
    };
    let view = view(2, STORY);
    let check = |query: &CellsQuery| {
        let expected = by_pid(view.cells(query), &|task| view.trace().tasks[task].pid);
        assert_eq!(by_pid(preview.cells(query), &|task| pids[task]), expected, "{query:?}");
    };
    check(&query);
    // Tiles of several levels, again and again: more than are kept, and fewer.
    for (level, round) in [(0, 0), (2, 0), (2, 1), (3, 1), (2, 2), (0, 2), (3, 3)] {
        for first_bucket in (0..40 >> level).step_by(5) {
            for buckets in [5, 4 + round] {
                check(&CellsQuery {
                    level,
                    first_bucket,
                    buckets,
                    ..query.clone()
                });
            }
        }
    }
    assert_eq!((preview.end(), preview.cpus().collect::<Vec<_>>()), (40, vec![0, 1]));
    // What is on the lanes is told, too: of an open run only until the CPU's last event.
    let known = |interval: Option<IntervalAnswer>| told(interval, |run| (run.pid, run.comm));
    let early = |interval: Option<IntervalAnswer<RunName>>| told(interval, |run| (run.pid, run.comm));
    for cpu in [0, 1, 7] {
        for at in 0..40 {
            let found = early(preview.pick(cpu, at));
            // A lane ends with its CPU's last event.
            if found.is_some() || cpu == 7 {
                assert_eq!(found, known(view.pick(cpu, at)), "CPU {cpu} at {at}");
            }
            for forward in [false, true] {
                let step = early(preview.step(cpu, at, forward));
                assert_eq!(step, known(view.step(cpu, at, forward)), "CPU {cpu} from {at}");
            }
        }
    }
    assert!(preview.pick(0, 0).is_some());
}
