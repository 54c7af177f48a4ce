//! The runs that pass a filter of events, and what is told of them, against a walk over all runs.

use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

use proptest::prelude::*;
use schedindex::{Passing, PassingBuilder, PassingEvent, RunOf, Runs};
use schedmodel::Trace;
use schedquery::ask::studies::{NotBegun, StudiedTrace, StudyAsked};
use schedquery::query::{IndexSpec, Indexes, TimeWindow};

use crate::support::{arbitrary, doubt, view};

/// The view with a filter that these events pass.
fn filtered(view: &Indexes, events: &[(u32, u64, RunOf)]) -> Indexes {
    let (trace, runs) = (view.trace(), Runs::new(view.trace()));
    let mut builder = PassingBuilder::new(trace);
    for &(cpu, at, of) in events {
        builder.add(trace, &runs, cpu, std::iter::once(PassingEvent { at, of }));
    }
    let told = builder.runs();
    // By way of words, as from one copy of the trace to another.
    let passing = Passing::of_words(trace, builder.finish().words());
    let first_of = |&(lane, index, _): &(usize, usize, i32)| trace.lane_at(lane).whole_run(index).start == index;
    let all = self::runs(trace).into_iter().filter(first_of);
    assert_eq!(all.filter(|&(lane, index, _)| passing.has(lane, index)).count(), told);
    view.filtered(Some(Arc::new(passing)))
}

/// All runs: lane, index, pid.
fn runs(trace: &Trace) -> Vec<(usize, usize, i32)> {
    let of_lane = |lane: usize| {
        let intervals = 0..trace.lane_at(lane).len();
        intervals.filter_map(move |index| {
            let id = trace.lane_at(lane).run(index)?;
            Some((lane, index, trace.task_of(id).pid))
        })
    };
    (0..trace.lanes.len()).flat_map(of_lane).collect()
}

/// By comm: how long it ran and waited in a window, of the runs that pass.
fn naive(view: &Indexes, from: u64, to: u64) -> BTreeMap<String, (u64, u64)> {
    let trace = view.trace();
    let passing = view.passing().unwrap();
    let mut sums: BTreeMap<String, (u64, u64)> = BTreeMap::new();
    for (lane, index, _) in runs(trace) {
        if !passing.has(lane, index) {
            continue;
        }
        let lane = trace.lane_at(lane);
        let run = lane.interval(index);
        let comm = trace.comm_of(lane.run(index).unwrap()).to_owned();
        let sum = sums.entry(comm).or_default();
        sum.0 += run.end.min(to).saturating_sub(run.start.max(from));
        if let Some(wait) = lane.wait(index) {
            sum.1 += run.start.min(to).saturating_sub(wait.since.max(from));
        }
    }
    sums
}

proptest! {
    #[test]
    fn tables_and_curves_are_of_the_runs_that_pass(
        trace in arbitrary::trace(),
        picks in prop::collection::vec((any::<prop::sample::Index>(), 0_u8..3), 0..12),
        from in 0.0..1.0,
        width in 0.0..1.0,
    ) {
        let all = runs(&trace);
        let picked = if all.is_empty() { &[] } else { &picks[..] };
        let events: Vec<_> = picked
            .iter()
            .map(|(pick, place)| {
                let (lane, index, pid) = all[pick.index(all.len())];
                let run = trace.lane_at(lane).interval(index);
                let at = [run.start, u64::midpoint(run.start, run.end), run.end][usize::from(*place)];
                (trace.cpu_at(lane), at, RunOf::Here(pid))
            })
            .collect();
        let (from, to) = arbitrary::window(trace.span_ns, from, width);
        let view = filtered(&Indexes::new(Arc::new(trace), IndexSpec::default()), &events);
        let trace = view.trace();
        let passing = view.passing().unwrap();
        // Each event has a run of its task that it touches, and each run an event.
        for &(cpu, at, of) in &events {
            let RunOf::Here(pid) = of else { continue };
            let lane = trace.lane_index(cpu).unwrap();
            let touches = |&(of, index, run_of): &(usize, usize, i32)| {
                let run = trace.lane_at(lane).interval(index);
                of == lane && run_of == pid && run.start <= at && at <= run.end && passing.has(of, index)
            };
            prop_assert!(all.iter().any(touches));
        }
        let passing_runs = all.iter().filter(|&&(lane, index, _)| passing.has(lane, index));
        prop_assert!(passing_runs.count() <= events.len());

        let window = TimeWindow { start: from, end: to };
        let expected = naive(&view, from, to);
        let commands = view.commands(Some(window));
        for row in &commands {
            prop_assert_eq!(Some(&(row.execution_ns, row.waiting_ns)), expected.get(&row.comm));
        }
        let told: u64 = commands.iter().map(|row| row.execution_ns).sum();
        let ran: u64 = expected.values().map(|(ran, _)| ran).sum();
        prop_assert_eq!(told, ran);
        let by_task: u64 = view.task_table(Some(window)).iter().map(|row| row.execution).sum();
        prop_assert_eq!(by_task, ran);
        let end = to.min(trace.span_ns);
        if from < end {
            let within: u64 = naive(&view, from, end).values().map(|(ran, _)| ran).sum();
            let mean = view.window_stats(TimeWindow { start: from, end }).running.mean;
            prop_assert!((mean * (end - from) as f64 - within as f64).abs() < 1.0);
        }
    }
}

/// The whole trace, of a question.
const WHOLE: &str = r#"{"window":null,"forked":false,"movable":false,"target":null,"comms":[],"pids":[],"cpus":null}"#;

/// What is answered about a trace, of the runs with these words.
fn studied(trace: &Rc<StudiedTrace>, question: &str, words: &[u32]) -> serde_json::Value {
    let question = question.replace("WHOLE", WHOLE);
    let mut asked = StudyAsked::new(trace, serde_json::from_str(&question).unwrap(), words).unwrap();
    while asked.step() {}
    serde_json::to_value(asked.answer().0).unwrap()
}

/// The edges that led to a run that passes, without uncertain ones.
fn naive_wakeups(view: &Indexes) -> usize {
    let (trace, passing) = (view.trace(), view.passing().unwrap());
    let led_to_passing = |number: usize| {
        let (edge, wakee) = (trace.edges.get(number), trace.edges.wakee(number));
        let (Some(running), Some(lane)) = (edge.running, edge.cpu.and_then(|cpu| trace.lane_index(cpu))) else {
            return false;
        };
        let of = trace.lane_at(lane);
        let is_of = |&index: &usize| of.run(index).is_some_and(|id| trace.task_comm(id).task == wakee);
        let index = (0..of.len()).filter(|&index| of.start_of(index) == running).find(is_of);
        index.is_some_and(|index| passing.has(lane, index)) && !doubt::of_latency(trace, wakee, &edge)
    };
    (0..trace.edges.len()).filter(|&number| led_to_passing(number)).count()
}

proptest! {
    #[test]
    fn relations_comparisons_and_durations_are_of_the_runs_that_pass(
        trace in arbitrary::trace(),
        picks in prop::collection::vec(any::<prop::sample::Index>(), 0..12),
    ) {
        let all = runs(&trace);
        let picked = if all.is_empty() { &[] } else { &picks[..] };
        let events: Vec<_> = picked.iter().map(|pick| {
            let (lane, index, pid) = all[pick.index(all.len())];
            (trace.cpu_at(lane), trace.lane_at(lane).start_of(index), RunOf::Here(pid))
        }).collect();
        let study = Rc::new(StudiedTrace::new(trace.clone()));
        let view = filtered(&Indexes::new(Arc::new(trace), IndexSpec::default()), &events);
        let words = Passing::clone(view.passing().unwrap()).words();
        prop_assume!(!words.is_empty());
        let ask = |question: &str| studied(&study, question, &words);
        let expected = naive(&view, 0, u64::MAX);
        let waiting: u64 = expected.values().map(|(_, waited)| waited).sum();

        let wakes = ask(r#"{"wakes":{"selection":WHOLE,"by":"command","top":9,"ends":9,"topology":null}}"#);
        prop_assert_eq!(&wakes["report"]["count"], naive_wakeups(&view));
        let took = ask(r#"{"took":{"selection":WHOLE,"by":"task","top":9,"ends":9}}"#);
        prop_assert_eq!(&took["report"]["waiting_ns"], waiting);
        let spare = ask(r#"{"spare_cpus":{"selection":WHOLE}}"#);
        let on_cpus = spare["report"]["cpus"].as_array().unwrap().iter();
        let on_cpus: u64 = on_cpus.map(|cpu| cpu["waiting_task_ns"].as_u64().unwrap()).sum();
        // Where no event recorded a migration, it is not known on which CPU a task waited before.
        let derived = view.trace().migrations.iter().any(|moved| moved.kind.is_derived());
        prop_assert!(on_cpus == waiting || derived && on_cpus < waiting);
        let points = ask(r#"{"latency_points":{"selection":WHOLE,"of":"wait","columns":7}}"#);
        let (trace, passing) = (view.trace(), view.passing().unwrap());
        let waited = |&&(lane, index, _): &&(usize, usize, i32)| {
            passing.has(lane, index) && trace.lane_at(lane).wait(index).is_some() && !doubt::of_wait(trace, lane, index)
        };
        prop_assert_eq!(&points["found"]["count"], all.iter().filter(waited).count());

        let side = ask(r#"{"side":{"selection":WHOLE}}"#);
        let number = |row: &serde_json::Value, name: &str| row[name].as_u64().unwrap();
        let commands: BTreeMap<String, (u64, u64)> = side["side"]["commands"].as_array().unwrap().iter()
            .map(|row| (row["comm"].as_str().unwrap().to_owned(), (number(row, "execution_ns"), number(row, "waiting_ns"))))
            .collect();
        for (comm, sums) in &commands {
            prop_assert_eq!(sums, expected.get(comm).unwrap_or(&(0, 0)));
        }
        prop_assert!(expected.keys().all(|comm| commands.contains_key(comm)));
        // Compared with itself, nothing differs; without words, all runs count.
        let first = side["side"].to_string();
        let compared = ask(&format!(r#"{{"compare":{{"selection":WHOLE,"first":{first}}}}}"#));
        prop_assert_eq!(compared["type"].as_str(), Some("compare"));
        let everything = studied(&study, r#"{"took":{"selection":WHOLE,"by":"task","top":9,"ends":9}}"#, &[]);
        prop_assert!(everything["report"]["waiting_ns"].as_u64().unwrap() >= waiting);
    }
}

/// Two CPUs; task 7 wakes 8, which runs on the other CPU.
fn story() -> Indexes {
    view(
        2,
        "0 cpu0 switch idle -> a:7
         10 cpu0 waking b:8 last 1 by a:7
         20 cpu1 switch idle -> b:8
         30 cpu1 switch b:8 S -> idle
         40 cpu0 switch a:7 S -> idle
         50 cpu1 switch idle -> b:8
         60 cpu1 switch b:8 S -> idle",
    )
}

#[test]
fn a_wakeup_stands_for_the_next_run_of_its_task() {
    let passing = |events: &[(u32, u64, RunOf)]| {
        let view = filtered(&story(), events);
        let trace = view.trace();
        let found = runs(trace).into_iter();
        let starts = found.filter(|&(lane, index, _)| view.passing().unwrap().has(lane, index));
        starts
            .map(|(lane, index, pid)| (pid, trace.lane_at(lane).start_of(index)))
            .collect::<Vec<_>>()
    };
    assert_eq!(passing(&[(0, 10, RunOf::Woken(8))]), [(8, 20)]);
    assert_eq!(passing(&[(0, 10, RunOf::Here(7))]), [(7, 0)]);
    // In the middle of its run: that one.
    assert_eq!(passing(&[(0, 25, RunOf::Woken(8))]), [(8, 20)]);
    assert_eq!(passing(&[(0, 31, RunOf::Woken(8))]), [(8, 50)]);
    // After its last run, and of an unknown task: none.
    assert_eq!(passing(&[(0, 70, RunOf::Woken(8)), (0, 10, RunOf::Woken(99))]), []);
    assert_eq!(RunOf::of_code(!8), RunOf::Woken(8));
}

#[test]
fn without_events_there_is_no_filter_any_more() {
    let view = filtered(&story(), &[(0, 10, RunOf::Here(7))]);
    assert_eq!(view.commands(None).len(), 1);
    let view = view.filtered(None);
    assert!(view.passing().is_none());
    assert_eq!(view.commands(None).len(), 2);
}

#[test]
fn steps_of_a_filter_that_was_not_begun_are_refused() {
    let study = Rc::new(StudiedTrace::new(Trace::default()));
    let ask = |step: &str| {
        let question = format!(r#"{{"passing_runs":{{"step":{step}}}}}"#);
        StudyAsked::new(&study, serde_json::from_str(&question).unwrap(), &[]).err()
    };
    for step in [r#"{"add":0}"#, r#""finish""#] {
        assert_eq!(ask(step), Some(NotBegun));
    }
    for step in [r#""begin""#, r#"{"add":0}"#, r#""finish""#] {
        assert_eq!(ask(step), None);
    }
    // The end of a filter is that of all its steps.
    assert_eq!(ask(r#"{"add":0}"#), Some(NotBegun));
}
