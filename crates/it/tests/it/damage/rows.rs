//! Rows that make no sense: every question still has an answer, and every figure is drawn or refused.

use std::convert::Infallible;
use std::sync::Arc;

use proptest::prelude::*;
use schedfigure::{
    Arrows, ColorBy, Extent, Format, Kind, LegendOf, Note, Part, Place, Plan, RunTimes, Spec, Subject, TaskLanes,
};
use schedmodel::topology::Topology;
use schedmodel::Trace;
use schedquery::query::{
    domain_overload, each_state, findings, latency, overload, placements, stats, waits, Cascades, CurveQuery,
    DepthQuery, GroupBy, IndexSpec, Indexes, Selection, TaskCellsQuery, TimeWindow,
};

use crate::support::arbitrary;

fn machine() -> Arc<Topology> {
    Arc::new(Topology::parse(b"2x2x1").expect("a machine"))
}

fn ask_of_everything(trace: &Trace, selection: &Selection, at: u64) {
    stats(trace, selection);
    findings(trace, selection, 20);
    overload(trace, selection, at % 10, 20);
    waits(trace, selection, 20);
    placements(trace, selection, 20);
    domain_overload(trace, selection, &machine());
    for by in [GroupBy::Command, GroupBy::Task, GroupBy::Cpu] {
        latency(trace, selection, by, 20);
    }
    let all = each_state(trace, selection, |_| Ok::<(), Infallible>(()));
    assert!(all.is_ok());
}

fn ask_of_a_place(view: &Indexes, cpus: &[u32], at: u64) {
    let tasks: Vec<u32> = (0..view.trace().tasks.len() as u32).chain([u32::MAX]).collect();
    let window = TimeWindow { start: at / 3, end: at };
    view.task_table(Some(window));
    view.cpu_table(Some(window));
    view.task_runs(&tasks, window, at / 50);
    view.moves(window, cpus, 10);
    for level in [0, 7, 99] {
        let first_bucket = at >> level.min(63);
        view.conservation_shares(&CurveQuery {
            level,
            first_bucket,
            buckets: 5,
        });
        view.depth(&DepthQuery {
            level,
            first_bucket,
            buckets: 5,
            cpus: cpus.to_vec(),
        });
        let cells = view.task_cells(&TaskCellsQuery {
            level,
            first_bucket,
            buckets: 5,
            tasks: tasks.clone(),
        });
        assert_eq!(cells.cells.len(), 10 * tasks.len());
    }
    for &task in &tasks {
        view.task_state_at(task, at);
        view.task_step(task, at, true);
        view.task_step(task, at, false);
    }
    for &cpu in cpus {
        view.wait(cpu, at);
        view.placement(cpu, at);
        view.waiting_at(cpu, at);
    }
}

/// Draws the figure in all formats, if that is possible.
fn draw(trace: &Arc<Trace>, spec: Spec) {
    let subject = Subject {
        trace,
        file: "x.dat",
        fingerprint: 0,
        clock_is_ns: true,
        calls: None,
        passing: None,
        counter: None,
    };
    let extents = vec![Extent::of(&subject, &spec); 2];
    let Ok(plan) = Plan::new(spec, extents) else { return };
    let (Ok(one), Ok(other)) = (plan.panel(0, &subject), plan.panel(1, &subject)) else {
        return;
    };
    let drawing = plan.assemble(vec![one, other]);
    for format in Format::ALL {
        let _ = drawing.to(format, 20);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn every_question_has_an_answer(
        trace in arbitrary::damage(),
        selection in arbitrary::selection(),
        at in prop_oneof![0_u64..2000, any::<u64>()],
    ) {
        ask_of_everything(&trace, &Selection::default(), at);
        ask_of_everything(&trace, &selection, at);
        let cascades = Cascades::new(&trace);
        cascades.longest(&selection, 20);
        for &cpu in &trace.cpus {
            cascades.of_run(cpu, at);
        }
        let cpus: Vec<u32> = trace.cpus.iter().copied().chain([7]).collect();
        let trace = Arc::new(trace);
        for forked in [false, true] {
            let spec = IndexSpec { forked, movable: forked, ..IndexSpec::default() };
            let view = Indexes::new(Arc::clone(&trace), spec).with_topology(Some(machine()));
            view.tasks(None, None);
            view.tasks(None, Some("a"));
            view.task_table(None);
            view.cpu_table(None);
            for at in [0, at, u64::MAX] {
                ask_of_a_place(&view, &cpus, at);
            }
        }
    }

    #[test]
    fn every_figure_is_drawn_or_refused(
        trace in arbitrary::damage(),
        selection in arbitrary::selection(),
        at in prop_oneof![0_u64..2000, any::<u64>()],
        [first, last] in any::<[bool; 2]>(),
    ) {
        let place = Place { cpu: trace.cpus.first().copied().unwrap_or(0), at };
        let note = |cpu, at, text: &str| Note { cpu, at, text: text.to_owned() };
        let trace = Arc::new(trace);
        let timeline = Spec {
            with: vec![Part::RunningWaiting, Part::Tasks],
            selection: selection.clone(),
            color_by: if first { ColorBy::Command } else { ColorBy::Parent },
            legend: LegendOf::Window,
            topology: last.then(machine),
            columns: Some(1 + u32::from(first)),
            highlight: vec!["a".to_owned()],
            moves: true,
            runqueues: true,
            notes: vec![note(None, at / 2, "A"), note(None, at, "B"), note(Some(0), at / 3, "here")],
            arrows: Some(if last { Arrows::Chain(place, 9) } else { Arrows::Cascade(place) }),
            task_lanes: TaskLanes { pids: vec![1, -1], comms: vec!["a".to_owned()] },
            ..Spec::default()
        };
        draw(&trace, timeline.clone());
        draw(&trace, Spec { selection: Selection::default(), dot: Some(0.1), ..timeline.clone() });
        draw(&trace, Spec { kind: Kind::RunningWaiting, ..timeline.clone() });
        draw(&trace, Spec { kind: Kind::Wakeup, wakeup: Some(place), ..timeline });
        RunTimes { selection, ..RunTimes::default() }.run_time(&trace);
    }
}
