//! Lanes as rectangles: their contents, and that they are well-formed.

use super::{lanes, Band, Drawn, LanesFrame, MOST_EXACT};
use crate::choices::colour::Colours;
use crate::choices::spec::{ColorBy, Spec};
use paper::{Fill, Item, Label, Rect};
use proptest::prelude::*;
use schedindex::Shown;
use schedmodel::{CommId, Comms, Lane, Task, TaskComm, TaskCommId, TaskId, Trace, Who};
use std::ops::Range;

const TASKS: u32 = 6;

/// A trace of tasks `0..tasks` with PIDs from 100 on and distinct comms.
fn trace(tasks: u32, intervals: &[Vec<(u64, Who)>]) -> Trace {
    let mut comms = Comms::default();
    let lanes: Vec<Lane> = intervals.iter().map(|intervals| Lane::of(intervals)).collect();
    let ids: Vec<CommId> = (0..tasks).map(|task| comms.intern(&format!("task-{task}"))).collect();
    Trace {
        origin_ns: 1_000_000,
        span_ns: lanes.iter().map(Lane::end).max().unwrap_or(0),
        cpus: (0..lanes.len() as u32).collect(),
        tasks: ids
            .iter()
            .zip(100..)
            .map(|(&comm, pid)| Task {
                pid,
                generation: 0,
                forked: true,
                parent: Some(TaskId(pid as u32 % 3)),
                continues: None,
                comm,
                migrations: 0,
                prio: None,
            })
            .collect(),
        task_comms: ids
            .iter()
            .zip(0..)
            .map(|(&comm, task)| TaskComm {
                task: TaskId(task),
                comm,
            })
            .collect(),
        lanes,
        comms,
        ..Trace::default()
    }
}

/// `width` is in mm; a dot is a tenth of a mm unless another is set.
fn draw(trace: &Trace, spec: &Spec, window: Range<u64>, width: f64, dot: Option<f64>) -> Drawn {
    let rows: Vec<usize> = (0..trace.lanes.len()).rev().collect();
    let frame = LanesFrame {
        window,
        left: 10.0,
        top: 5.0,
        width,
        pitch: 2.0,
        rows: &rows,
        dot,
    };
    let colours = Colours::new(spec, trace.comms.names());
    lanes(trace, &frame, &Shown::all(), &colours, MOST_EXACT, Band::of(2.0))
}

/// All groups of a class.
fn groups<'a>(drawn: &'a Drawn, classes: &'a [&str]) -> Vec<(&'a Label, &'a [Rect])> {
    let all = drawn.items.iter().filter_map(|item| match item {
        Item::Rects { label, rects, .. } => Some((label, rects.as_slice())),
        _ => None,
    });
    all.filter(|(label, _)| classes.contains(&label.class)).collect()
}

fn value<'a>(label: &'a Label, name: &str) -> Option<&'a str> {
    let found = label.data.iter().find(|(key, _)| *key == name);
    found.map(|(_, value)| value.as_str())
}

fn unit(drawn: &Drawn) -> u64 {
    match drawn.items.first() {
        Some(Item::Open(label)) => value(label, "precision-ns").unwrap().parse().unwrap(),
        other => panic!("no group of lanes: {other:?}"),
    }
}

fn who() -> impl Strategy<Value = Who> {
    prop_oneof![
        5 => (0..TASKS).prop_map(|id| Who::Run(TaskCommId(id))),
        3 => Just(Who::Idle),
        1 => Just(Who::Unknown),
    ]
}

fn intervals() -> impl Strategy<Value = Vec<Vec<(u64, Who)>>> {
    let length = prop_oneof![1 => Just(0_u64), 7 => 1_u64..9_000, 3 => 1_u64..400_000];
    prop::collection::vec(prop::collection::vec((length, who()), 0..60), 1..4)
}

/// Runs of a lane in a window, clipped to it: start, end, PID.
fn runs<'a>(lane: &'a Lane, window: &'a Range<u64>) -> impl Iterator<Item = (u64, u64, u32)> + 'a {
    lane.intervals().filter_map(|interval| {
        let (from, to) = (interval.start.max(window.start), interval.end.min(window.end));
        match interval.who {
            Who::Run(TaskCommId(id)) if from < to => Some((from, to, 100 + id)),
            _ => None,
        }
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn exact_rectangles_are_the_runs(
        intervals in intervals(),
        start in 0_u64..50_000,
        length in 1_u64..3_000_000,
    ) {
        let trace = trace(TASKS, &intervals);
        let window = start..start + length;
        let drawn = draw(&trace, &Spec::default(), window.clone(), 30.0, None);
        prop_assert_eq!(unit(&drawn), 1);
        let mut found: Vec<(i64, u64, u64, u32)> = Vec::new();
        for (label, rects) in groups(&drawn, &["runs", "inferred"]) {
            let pid: u32 = value(label, "pid").unwrap().parse().unwrap();
            found.extend(rects.iter().map(|rect| (rect.y / 100, rect.x as u64, rect.width as u64, pid)));
        }
        let mut expected: Vec<(i64, u64, u64, u32)> = Vec::new();
        for (row, lane) in trace.lanes.iter().rev().enumerate() {
            let runs = runs(lane, &window).map(|(from, to, pid)| (row as i64, from - start, to - from, pid));
            expected.extend(runs);
        }
        found.sort();
        expected.sort();
        prop_assert_eq!(found, expected);
    }

    #[test]
    fn rectangles_are_well_made_and_show_every_run(
        intervals in intervals(),
        start in 0_u64..50_000,
        length in 300_000_u64..3_000_000,
        merge in any::<bool>(),
        by in prop::sample::select(vec![ColorBy::Pid, ColorBy::Command, ColorBy::Parent]),
    ) {
        let trace = trace(TASKS, &intervals);
        let window = start..start + length;
        let mut spec = Spec { color_by: by, ..Spec::default() };
        spec.selection.target = Some("task-3".to_owned());
        let drawn = draw(&trace, &spec, window.clone(), 30.0, merge.then_some(1.0));
        let unit = unit(&drawn);
        let x = |at: u64| ((at - start) as f64 / unit as f64).round() as i64;
        for (_, rects) in groups(&drawn, &["runs", "inferred", "merged", "ticks", "unknown"]) {
            prop_assert!(rects.windows(2).all(|pair| (pair[0].y, pair[0].x) <= (pair[1].y, pair[1].x)));
            for rect in rects {
                prop_assert!(0 < rect.width && 0 <= rect.x && rect.x + rect.width <= x(window.end), "{:?}", rect);
            }
        }
        for (row, lane) in trace.lanes.iter().rev().enumerate() {
            let in_row = |classes: &[&str]| {
                let mut all: Vec<(i64, i64)> = groups(&drawn, classes)
                    .iter()
                    .flat_map(|(_, rects)| rects.iter())
                    .filter(|rect| rect.y / 100 == row as i64)
                    .map(|rect| (rect.x, rect.x + rect.width))
                    .collect();
                all.sort();
                all
            };
            let shown = in_row(&["runs", "inferred", "merged"]);
            prop_assert!(shown.windows(2).all(|pair| pair[0].1 <= pair[1].0), "{:?}", shown);
            let seen = in_row(&["runs", "inferred", "merged", "ticks"]);
            for (from, to, _) in runs(lane, &window) {
                // One run after the other, because a run may continue in the next column.
                let covered = seen.iter().fold(x(from), |at, &(begin, end)| if begin <= at { at.max(end) } else { at });
                // A run shorter than the unit may have no width; then it lies within a rectangle or at its edge.
                let touched = seen.iter().any(|&(begin, end)| begin <= x(from) && x(from) <= end);
                prop_assert!(touched && x(to) <= covered, "{}-{} in {:?}", x(from), x(to), seen);
            }
        }
    }
}

#[test]
fn what_must_be_seen_lies_over_all_else() {
    let [other, target] = [0, 3].map(|id| Who::Run(TaskCommId(id)));
    let trace = trace(TASKS, &[vec![(500_000, other), (10, target), (500_000, other)]]);
    let mut spec = Spec::default();
    spec.selection.target = Some("task-3".to_owned());
    let drawn = draw(&trace, &spec, 0..1_000_010, 100.0, None);
    let topmost = drawn.items.iter().rev().find_map(|item| match item {
        Item::Rects { label, fill, rects, .. } => Some((label, *fill, rects)),
        _ => None,
    });
    let (label, fill, rects) = topmost.unwrap();
    assert_eq!((label.class, value(label, "pid")), ("ticks", Some("103")));
    // A dot is 1000 ns wide, and its middle is the middle of the run.
    let (x, width) = (500_005 - 500, 1000);
    assert_eq!((rects[0].x, rects[0].width, rects.len()), (x, width, 1));
    assert_eq!(fill, Fill::Solid(Colours::new(&spec, &[]).of_pid(103)));
}

#[test]
fn dots_grow_where_there_are_too_many() {
    // A thousand dots of 1000 ns; in each, another task runs than in the one before.
    let runs = (0..1000).flat_map(|dot| [(500, Who::Run(TaskCommId(dot % TASKS))); 2]);
    let trace = trace(TASKS, &[runs.collect()]);
    let frame = |dot| LanesFrame {
        window: 0..1_000_000,
        left: 0.0,
        top: 0.0,
        width: 100.0,
        pitch: 2.0,
        rows: &[0],
        dot,
    };
    let colours = Colours::new(&Spec::default(), &[]);
    let merged = |most_exact: usize, dot: Option<f64>| {
        let drawn = lanes(&trace, &frame(dot), &Shown::all(), &colours, most_exact, Band::of(2.0));
        let count: usize = groups(&drawn, &["merged"]).iter().map(|(_, rects)| rects.len()).sum();
        (
            drawn.small_print[0].contains("0.1 mm"),
            drawn.small_print[0].contains("0.2 mm"),
            count,
        )
    };
    assert_eq!(merged(200, None), (true, false, 1000));
    assert_eq!(merged(199, None), (false, true, 500));
    assert_eq!(merged(199, Some(0.1)), (true, false, 1000));
}

#[test]
fn many_tasks_share_the_groups_of_their_colours() {
    let count = 2500;
    let runs = (0..count).flat_map(|id| [(9_000, Who::Run(TaskCommId(id))), (1_000, Who::Idle)]);
    let trace = trace(count, &[runs.collect()]);
    let window = 0..10_000 * u64::from(count);
    let drawn = draw(&trace, &Spec::default(), window, 2500.0, None);
    let groups = groups(&drawn, &["runs", "inferred"]);
    assert_eq!(
        groups.iter().map(|(_, rects)| rects.len()).sum::<usize>(),
        count as usize
    );
    assert!(groups.len() < count as usize, "{} groups", groups.len());
    for (label, rects) in groups {
        assert!(label.data.is_empty() && rects.windows(2).all(|pair| pair[0].x < pair[1].x));
    }
}
