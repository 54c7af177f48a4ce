//! Cascades of moves, and what is worth a look.

use crate::support::{arbitrary, standing::Standings, trace};
use proptest::prelude::*;
use schedindex::Shown;
use schedmodel::{Trace, Who};
use schedquery::query::{findings, Cascade, CascadeReport, Cascades, Finding, FindingKind, Selection};
use std::ops::Range;

fn all(trace: &Trace) -> CascadeReport {
    Cascades::new(trace).longest(&Selection::default(), usize::MAX)
}

/// `pid from>to kind cause` for each move.
fn drawn(cascade: &Cascade) -> Vec<String> {
    let moves = cascade.moves.iter().map(|each| {
        let from = each.from_cpu.map_or("-".to_owned(), |cpu| cpu.to_string());
        let by = each.displaced_by.map_or("-".to_owned(), |by| by.to_string());
        format!("{} {from}>{} {} {by}", each.task.pid, each.to_cpu, each.kind.name())
    });
    moves.collect()
}

/// Section 3.3 of the paper, on four CPUs: a task that a kernel thread preempted on CPU 0 is balanced to CPU 1, whose
/// usual task sleeps; that task wakes onto CPU 2, whose task sleeps; and that one wakes onto CPU 3.
const PAPER: &str = "
    0 cpu0 switch idle -> orange:10
    0 cpu1 switch idle -> b:11
    0 cpu2 switch idle -> c:12
    0 cpu3 switch d:13 S -> idle
    10 cpu0 switch orange:10 R+ -> kworker/0:7
    20 cpu1 switch b:11 S -> idle
    21 cpu2 switch c:12 S -> idle
    30 cpu1 migrate orange:10 from 0 to 1
    31 cpu1 switch idle -> orange:10
    35 cpu0 switch kworker/0:7 I -> idle
    40 cpu1 waking b:11 last 1 by orange:10
    41 cpu1 migrate b:11 from 1 to 2
    42 cpu1 wakeup b:11 on 2 by orange:10
    45 cpu2 switch idle -> b:11
    50 cpu1 waking c:12 last 2 by orange:10
    51 cpu1 migrate c:12 from 2 to 3
    52 cpu1 wakeup c:12 on 3 by orange:10
    60 cpu3 switch idle -> c:12
    90 cpu0 other";

#[test]
fn the_cascade_of_the_paper_is_found() {
    let trace = trace(4, PAPER);
    let report = all(&trace);
    assert_eq!(report.count, 1);
    let cascade = &report.cascades[0];
    assert_eq!(
        drawn(cascade),
        ["10 0>1 load_balance -", "11 1>2 placement 0", "12 2>3 placement 1"]
    );
    assert_eq!((cascade.length, cascade.start_ns.0, cascade.end_ns.0), (3, 30, 60));
    // Preempted at 10, ran at 31; woken at 42 and 52, ran at 45 and 60.
    assert_eq!(cascade.cost_ns, 21 + 3 + 8);
}

#[test]
fn a_cascade_is_found_from_any_of_its_runs() {
    let trace = trace(4, PAPER);
    let cascades = Cascades::new(&trace);
    for (cpu, at) in [(1, 35), (2, 46), (3, 70)] {
        let found = cascades.of_run(cpu, at).expect("a cascade");
        assert_eq!(found, all(&trace).cascades[0], "CPU {cpu} at {at}");
    }
    assert_eq!(cascades.of_run(0, 5), None, "nobody moved there");
    assert_eq!(cascades.of_run(1, 25), None, "idle");
}

#[test]
fn a_thread_that_only_passed_by_drives_nobody_out() {
    // A worker runs on CPU 1 and has left it when b is woken elsewhere.
    let trace = trace(
        3,
        "0 cpu0 switch idle -> worker:7
         0 cpu1 switch idle -> b:11
         10 cpu0 switch worker:7 S -> idle
         11 cpu1 switch b:11 S -> idle
         20 cpu1 wakeup worker:7 on 1
         21 cpu1 switch idle -> worker:7
         25 cpu1 switch worker:7 S -> idle
         30 cpu0 waking b:11 last 1
         31 cpu0 migrate b:11 from 1 to 0
         32 cpu0 wakeup b:11 on 0
         33 cpu0 switch idle -> b:11
         90 cpu0 other",
    );
    assert_eq!(all(&trace).count, 0);
}

#[test]
fn who_shared_the_cpu_before_drives_nobody_out() {
    // a came to CPU 1 while b was still there: b ran on there afterwards, and moves later for another reason.
    let trace = trace(
        3,
        "0 cpu0 switch idle -> a:10
         0 cpu1 switch idle -> b:11
         10 cpu0 switch a:10 R -> idle
         11 cpu1 migrate a:10 from 0 to 1
         12 cpu1 switch b:11 R+ -> a:10
         20 cpu1 switch a:10 R+ -> b:11
         30 cpu1 switch b:11 S -> a:10
         40 cpu0 waking b:11 last 1
         41 cpu0 migrate b:11 from 1 to 0
         42 cpu0 wakeup b:11 on 0
         43 cpu0 switch idle -> b:11
         90 cpu0 other",
    );
    assert_eq!(all(&trace).count, 0);
}

#[test]
fn a_task_on_its_way_to_an_idle_cpu_has_taken_it() {
    // b finds CPU 1 idle, but a was placed there and comes at 45.
    let text = PAPER.replace("31 cpu1 switch idle -> orange:10", "45 cpu1 switch idle -> orange:10");
    let text = text.replace("40 cpu1 waking b:11 last 1 by orange:10", "40 cpu0 waking b:11 last 1");
    let mut lines: Vec<&str> = text.lines().map(str::trim).collect();
    lines.sort_by_key(|line| line.split(' ').next().and_then(|time| time.parse::<u64>().ok()));
    let report = all(&trace(4, &lines.join("\n")));
    assert_eq!(
        drawn(&report.cascades[0])[..2],
        ["10 0>1 load_balance -", "11 1>2 placement 0"]
    );
}

#[test]
fn a_forked_task_may_begin_a_cascade() {
    let trace = trace(
        3,
        "0 cpu0 switch idle -> a:10
         0 cpu1 switch idle -> b:11
         5 cpu1 switch b:11 S -> idle
         10 cpu0 fork a:10 -> a:20
         11 cpu0 wakeup_new a:20 on 1 by a:10
         12 cpu1 switch idle -> a:20
         20 cpu0 waking b:11 last 1 by a:10
         21 cpu0 migrate b:11 from 1 to 2
         22 cpu0 wakeup b:11 on 2 by a:10
         23 cpu2 switch idle -> b:11
         90 cpu0 other",
    );
    assert_eq!(drawn(&all(&trace).cascades[0]), ["20 ->1 fork -", "11 1>2 placement 0"]);
}

#[test]
fn a_selection_keeps_the_cascades_that_touch_it() {
    let trace = trace(4, PAPER);
    let count = |selection| Cascades::new(&trace).longest(&selection, 10).count;
    let cpus = |cpus| Selection {
        cpus: Some(cpus),
        ..Selection::default()
    };
    assert_eq!((count(cpus(vec![3])), count(cpus(vec![]))), (1, 0));
    let later = Selection {
        min: Some(52),
        ..Selection::default()
    };
    assert_eq!(count(later), 0, "all moves were decided before");
}

#[test]
fn a_move_has_the_cpus_of_its_event() {
    // Put on CPU 1 by its wakeup, then pulled to CPU 2, from which d has just woken elsewhere.
    let moved = trace(
        4,
        "0 cpu0 switch idle -> a:10
         0 cpu1 switch idle -> b:11
         0 cpu2 switch idle -> d:13
         5 cpu0 switch a:10 S -> x:9
         5 cpu2 switch d:13 S -> idle
         0 cpu3 switch idle -> c:12
         10 cpu0 waking a:10 last 0 by x:9
         10 cpu0 migrate a:10 from 0 to 1
         11 cpu0 wakeup a:10 on 1 by x:9
         20 cpu2 migrate a:10 from 1 to 2
         21 cpu2 switch idle -> a:10
         30 cpu1 waking d:13 last 2 by b:11
         30 cpu1 migrate d:13 from 2 to 3
         31 cpu1 wakeup d:13 on 3 by b:11
         40 cpu3 switch c:12 S -> d:13
         90 cpu0 other",
    );
    let report = all(&moved);
    assert_eq!(report.count, 1);
    assert_eq!(
        drawn(&report.cascades[0]),
        ["10 1>2 load_balance -", "13 2>3 placement 0"]
    );
}

fn of_kind(trace: &Trace, kind: FindingKind) -> Vec<Finding> {
    let all = findings(trace, &Selection::default(), 10);
    all.into_iter().filter(|finding| finding.kind == kind).collect()
}

/// Two tasks run side by side for 100 ns, except for 20 ns in which one of them runs and 10 ns in which none does: then one sleeps,
/// and the other is taken off its CPU.
const GAP: &str = "
    0 cpu0 switch idle -> work:10
    0 cpu1 switch idle -> work:11
    40 cpu0 switch work:10 S -> idle
    50 cpu1 switch work:11 R+ -> else:13
    60 cpu0 switch idle -> work:10
    70 cpu1 switch else:13 S -> work:11
    100 cpu0 switch work:10 S -> idle
    100 cpu1 switch work:11 S -> idle
    # Once in a while: nothing that is missed.
    101 cpu0 switch idle -> cron:12
    102 cpu0 switch cron:12 S -> idle
    500 cpu0 switch idle -> cron:12
    501 cpu0 switch cron:12 S -> idle
    600 cpu0 other";

#[test]
fn a_gap_is_when_far_fewer_run_than_usually_and_some_wait() {
    let gaps = of_kind(&trace(2, GAP), FindingKind::Gap);
    assert_eq!(gaps.len(), 1);
    let gap = &gaps[0];
    assert_eq!((gap.comm.as_str(), gap.start_ns.0, gap.end_ns.0), ("work", 50, 60));
    assert_eq!(
        (gap.cost_ns, gap.slept_ns),
        (10, Some(6)),
        "1.6 tasks usually, one waits"
    );
}

#[test]
fn a_command_that_sleeps_has_no_gap() {
    let slept = trace(2, &GAP.replace("work:11 R+ -> else:13", "work:11 S -> else:13"));
    assert_eq!(of_kind(&slept, FindingKind::Gap), []);
}

#[test]
fn who_preempts_is_told_by_command() {
    let trace = trace(
        2,
        "0 cpu0 switch idle -> work:10
         0 cpu1 switch idle -> work:11
         10 cpu0 switch work:10 R+ -> kworker/0:1:7
         15 cpu0 switch kworker/0:1:7 I -> work:10
         20 cpu1 switch work:11 R+ -> kworker/1:0:8
         40 cpu1 switch kworker/1:0:8 I -> work:11
         # Of its own kind: no news.
         50 cpu0 switch work:10 R+ -> work:12
         90 cpu0 other"
            .replace("kworker/0:1:7", "kworker/0:7")
            .replace("kworker/1:0:8", "kworker/1:8")
            .as_str(),
    );
    assert_eq!(of_kind(&trace, FindingKind::Preemption), []);
    let found = of_kind(&trace, FindingKind::KernelPreemption);
    assert_eq!(found.len(), 1);
    assert_eq!(
        (found[0].comm.as_str(), found[0].count, found[0].cost_ns, found[0].cpu),
        ("kworker", 2, 25, Some(1))
    );
    assert_eq!((found[0].start_ns.0, found[0].end_ns.0), (20, 40));
}

#[test]
fn the_costliest_finding_of_each_kind_comes_first() {
    let found = findings(&trace(4, PAPER), &Selection::default(), 10);
    let mut costs = std::collections::BTreeMap::new();
    for finding in &found {
        let before = costs.insert(finding.kind, finding.cost_ns);
        assert!(before.is_none_or(|before| finding.cost_ns <= before));
    }
    let cascade = found
        .iter()
        .find(|finding| finding.kind == FindingKind::Cascade)
        .expect("a cascade");
    assert_eq!((cascade.cpu, cascade.start_ns.0, cascade.count), (Some(1), 30, 3));
    assert!(found.iter().any(|finding| finding.kind == FindingKind::Overload));
    let json = serde_json::to_value(&found).expect("JSON");
    assert!(json[0]["kind"].is_string() && json[0]["tasks"].is_array());
}

/// A run that begins on another CPU than its task's run before: (decided, task, from, to).
type NaiveMove = (u64, i32, u32, u32);

/// The moves with their causes, found by comparing each with all others.
fn naive(trace: &Trace) -> Vec<(NaiveMove, Option<NaiveMove>)> {
    // (task, start, lane, index) of all runs.
    let mut runs = Vec::new();
    for (lane_index, lane) in trace.lanes.iter().enumerate() {
        for index in 0..lane.len() {
            if let Some(id) = lane.run(index) {
                runs.push((trace.task_comm(id).task, lane.start_of(index), lane_index, index));
            }
        }
    }
    runs.sort();
    let before = |run: usize| run.checked_sub(1).filter(|&last| runs[last].0 == runs[run].0);
    let is_move = |run: usize| match before(run) {
        Some(last) => runs[last].2 != runs[run].2,
        None => trace.task(runs[run].0).forked,
    };
    let decided = |run: usize| {
        let (task, start, ..) = runs[run];
        let migrations = trace.migrations.iter().filter(|migration| migration.task == task);
        let since = before(run).map(|last| runs[last].1);
        let moved =
            migrations.filter(|migration| since.is_some_and(|since| since < migration.at) && migration.at <= start);
        let edges = trace.edges.of(task).map(|number| trace.edges.get(number));
        let woken = edges
            .filter(|edge| edge.running == Some(start))
            .map(|edge| edge.at)
            .next_back();
        moved.map(|migration| migration.at).max().or(woken).unwrap_or(start)
    };
    // The CPUs of the last migration, if that is an event; else those of the runs.
    let cpus = |run: usize| {
        let (task, start, lane, _) = runs[run];
        let Some(last) = before(run) else {
            return (None, trace.cpus[lane]);
        };
        let migrations = trace.migrations.iter().filter(|migration| migration.task == task);
        let mut moved = migrations.filter(|migration| runs[last].1 < migration.at && migration.at <= start);
        let event = moved.next_back().filter(|moved| !moved.kind.is_derived());
        let (from, to) = (event.and_then(|moved| moved.from()), event.and_then(|moved| moved.to()));
        let from = from.unwrap_or(trace.cpus[runs[last].2]);
        (Some(from), to.unwrap_or(trace.cpus[lane]))
    };
    let describe = |run: usize| {
        let (from, to) = cpus(run);
        (decided(run), trace.task(runs[run].0).pid, from.unwrap_or(u32::MAX), to)
    };
    let rank = |run: usize| (decided(run), runs[run].2, runs[run].3);
    // The move that brought a run's task to its CPU.
    let arrival = |run: usize| {
        let mut at = run;
        while !is_move(at) {
            at = before(at)?;
        }
        Some(at)
    };
    let number = |lane: usize, index: usize| runs.iter().position(|run| (run.2, run.3) == (lane, index));
    let cause = |run: usize| {
        let last = before(run)?;
        let (task, _, last_lane, left_index) = runs[last];
        let left = trace.lanes[last_lane].end_of(left_index);
        let lane_index = trace.lane_index(cpus(run).0?)?;
        let lane = &trace.lanes[lane_index];
        let here = lane.find(decided(run))?;
        let (index, on_its_way) = match lane.who(here) {
            Who::Run(_) => (here, false),
            Who::Idle => (here + 1, true),
            Who::Unknown => return None,
        };
        let holder = number(lane_index, index).filter(|&holder| runs[holder].0 != task)?;
        let arrival = arrival(holder)?;
        let fits = rank(arrival) < rank(run)
            && left <= runs[arrival].1
            && (!on_its_way || (arrival == holder && decided(arrival) <= decided(run)));
        fits.then_some(arrival)
    };
    let moves = (0..runs.len()).filter(|&run| is_move(run));
    let mut found: Vec<_> = moves
        .map(|run| (rank(run), (describe(run), cause(run).map(describe))))
        .collect();
    found.sort();
    found.into_iter().map(|(_, found)| found).collect()
}

/// The gaps of all commands in a window on some CPUs, found ns by ns: (comm, from, to, cost, slept).
pub fn naive_gaps(trace: &Trace, window: Range<u64>, cpus: Option<&[u32]>) -> Vec<(String, u64, u64, u64, u64)> {
    let mut found = Vec::new();
    let loose = trace.loose_waits.iter().filter(|_| cpus.is_none());
    let cpus = cpus.unwrap_or(&trace.cpus);
    for comm in trace.comms.names() {
        let mut runs: Vec<(u64, u64)> = Vec::new();
        let own = loose.clone().filter(|wait| trace.comm_of(wait.who) == comm);
        let mut waits: Vec<(u64, u64)> = own.map(|wait| (wait.since, wait.until)).collect();
        for (lane, _) in trace
            .lanes
            .iter()
            .zip(&trace.cpus)
            .filter(|(_, cpu)| cpus.contains(cpu))
        {
            let of_comm = lane
                .intervals()
                .filter(|interval| matches!(interval.who, Who::Run(id) if trace.comm_of(id) == comm));
            let clipped = of_comm.map(|interval| (interval.start.max(window.start), interval.end.min(window.end)));
            runs.extend(clipped.filter(|(from, to)| from < to));
            let own = (0..lane.len()).filter(|&index| lane.run(index).is_some_and(|id| trace.comm_of(id) == comm));
            waits.extend(own.filter_map(|index| Some((lane.wait(index)?.since, lane.start_of(index)))));
        }
        let (Some(first), Some(last)) = (runs.iter().map(|run| run.0).min(), runs.iter().map(|run| run.1).max()) else {
            continue;
        };
        let busy: u64 = runs.iter().map(|run| run.1 - run.0).sum();
        let span = last - first;
        if (busy as f64) < span as f64 / 2.0 {
            continue;
        }
        let mut gap: Option<(u64, u64, u64)> = None;
        for at in first..=last {
            let now = |some: &[(u64, u64)]| some.iter().filter(|one| one.0 <= at && at < one.1).count() as u64;
            let (running, waiting) = (now(&runs), now(&waits));
            if at < last && running * 2 * span < busy {
                let (_, ran, waited) = gap.get_or_insert((at, 0, 0));
                (*ran, *waited) = (*ran + running, *waited + waiting);
            } else if let Some((from, ran, waited)) = gap.take() {
                let missing = busy * (at - from) / span - ran;
                let cost = missing.min(waited);
                found.push((comm.clone(), from, at, cost, missing - cost));
            }
        }
    }
    found
}

/// The commands that took a CPU from a preempted task of another command: (comm up to a slash, count, ns).
fn naive_preemptors(trace: &Trace) -> Vec<(String, u64, u64)> {
    let mut sums = std::collections::BTreeMap::<String, (u64, u64)>::new();
    for lane in &trace.lanes {
        for index in 1..lane.len() {
            let (Some(of), Some(by)) = (lane.run(index - 1), lane.run(index)) else {
                continue;
            };
            let runnable = lane
                .end_state(index - 1)
                .is_some_and(|state| !state.throttled() && (state.letter() == b'R' || state.preempted()));
            if runnable && trace.comm_of(of) != trace.comm_of(by) {
                let sum = sums.entry(trace.comm_of(by).to_owned()).or_default();
                sum.0 += 1;
                sum.1 += lane.end_of(index) - lane.start_of(index);
            }
        }
    }
    sums.into_iter().map(|(comm, (count, ns))| (comm, count, ns)).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn gaps(
        trace in arbitrary::short_trace(),
        min in prop::option::of(0_u64..400),
        length in prop::option::of(0_u64..400),
        cpu in prop::option::weighted(0.3, 0_u32..3),
    ) {
        let selection = Selection {
            min,
            max: length.map(|length| min.unwrap_or(0) + length),
            cpus: cpu.map(|cpu| vec![cpu]),
            ..Selection::default()
        };
        let all = findings(&trace, &selection, usize::MAX);
        let mut found: Vec<_> = all
            .iter()
            .filter(|finding| finding.kind == FindingKind::Gap)
            .map(|gap| (gap.comm.clone(), gap.start_ns.0, gap.end_ns.0, gap.cost_ns, gap.slept_ns.unwrap()))
            .collect();
        found.sort();
        let mut expected = naive_gaps(&trace, selection.window(&trace), selection.cpus.as_deref());
        expected.retain(|gap| 0 < gap.3);
        expected.sort();
        prop_assert_eq!(found, expected);
    }

    #[test]
    fn preemptions(trace in arbitrary::trace()) {
        let all = findings(&trace, &Selection::default(), usize::MAX);
        let mut found: Vec<_> = all
            .iter()
            .filter(|finding| finding.kind == FindingKind::Preemption)
            .map(|finding| (finding.comm.clone(), finding.count, finding.cost_ns))
            .collect();
        found.sort();
        // What is a kernel thread is another question.
        found.retain(|preemptor| preemptor.0 != "rcuc");
        let mut expected = naive_preemptors(&trace);
        expected.retain(|preemptor| 0 < preemptor.2 && preemptor.0 != "rcuc/1");
        prop_assert_eq!(found, expected);
    }

    #[test]
    fn waits_cost_what_spare_cpus_could_have_run(trace in arbitrary::short_trace()) {
        let all = findings(&trace, &Selection::default(), usize::MAX);
        for wait in all.iter().filter(|finding| finding.kind == FindingKind::Wait) {
            let waiter = &wait.tasks[0];
            let only = Shown::filter(&trace, |id| {
                let task = trace.task_of(id);
                (task.pid, task.generation) == (waiter.pid, waiter.generation)
            });
            let standings = Standings::new(&trace, &only);
            let costs = |at: &u64| {
                let (behind, spare, _) = standings.at(&trace.cpus, *at);
                0 < behind && !spare.is_empty()
            };
            prop_assert_eq!(wait.cost_ns, (wait.start_ns.0..wait.end_ns.0).filter(costs).count() as u64);
        }
    }

    #[test]
    fn causes(trace in arbitrary::trace()) {
        let describe = |each: &schedquery::query::CascadeMove| {
            (each.at_ns.0, each.task.pid, each.from_cpu.unwrap_or(u32::MAX), each.to_cpu)
        };
        let mut found: Vec<_> = all(&trace)
            .cascades
            .iter()
            .flat_map(|cascade| {
                cascade.moves.iter().map(|each| (describe(each), each.displaced_by.map(|by| describe(&cascade.moves[by]))))
            })
            .filter(|(_, by)| by.is_some())
            .collect();
        found.sort();
        let mut expected: Vec<_> = naive(&trace).into_iter().filter(|(_, by)| by.is_some()).collect();
        expected.sort();
        prop_assert_eq!(found, expected);
    }

    #[test]
    fn damage_makes_no_panic(trace in arbitrary::damage()) {
        let _ = findings(&trace, &Selection::default(), 5);
    }
}
