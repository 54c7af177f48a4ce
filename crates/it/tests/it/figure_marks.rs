//! What figures have on and below the lanes: ×, arrows, the figure of a wakeup, lanes of tasks.

use crate::support::{arbitrary, selects, trace};
use proptest::prelude::*;
use schedfigure::{
    Arrows, Drawing, Extent, FigureError, Item, Kind, Label, Part, Place, Plan, Rect, Space, Spec, Subject, TaskLanes,
};
use schedmodel::topology::Topology;
use schedmodel::{TaskCommId, Trace};
use schedquery::query::{each_state, placements, Selection};
use std::collections::BTreeMap;
use std::sync::Arc;

fn figure(trace: &Trace, spec: &Spec) -> Result<Drawing, FigureError> {
    let trace = Arc::new(trace.clone());
    let subject = Subject {
        trace: &trace,
        file: "trace.dat",
        fingerprint: 0,
        clock_is_ns: true,
        calls: None,
        passing: None,
        counter: None,
    };
    let extent = Extent::of(&subject, spec);
    let plan = Plan::new(spec.clone(), vec![extent])?;
    let panel = plan.panel(0, &subject)?;
    Ok(plan.assemble(vec![panel]))
}

fn drawn(trace: &Trace, spec: &Spec) -> Drawing {
    figure(trace, spec).expect("a figure")
}

fn topology(text: &str) -> Option<Arc<Topology>> {
    Some(Arc::new(Topology::parse(text.as_bytes()).expect("a topology")))
}

fn label_of(item: &Item) -> Option<&Label> {
    match item {
        Item::Open(label)
        | Item::Rects { label, .. }
        | Item::Area { label, .. }
        | Item::Lines { label, .. }
        | Item::Polygons { label, .. }
        | Item::Text { label, .. } => Some(label),
        Item::Close => None,
    }
}

fn data<'a>(label: &'a Label, name: &str) -> &'a str {
    let found = label.data.iter().find(|(known, _)| *known == name);
    found.map_or("", |(_, value)| value)
}

fn number(label: &Label, name: &str) -> u64 {
    data(label, name)
        .parse()
        .unwrap_or_else(|_| panic!("{name} of {label:?}"))
}

/// All parts of a class, with their shapes.
fn of_class<'a>(drawing: &'a Drawing, class: &'a str) -> impl Iterator<Item = (&'a Label, &'a Item)> {
    let items = drawing.items.iter();
    items.filter_map(move |item| Some((label_of(item).filter(|label| label.class == class)?, item)))
}

fn texts(drawing: &Drawing) -> Vec<&str> {
    let texts = drawing.items.iter().filter_map(|item| match item {
        Item::Text { text, .. } => Some(text.content.as_str()),
        _ => None,
    });
    texts.collect()
}

/// The positions of instants and of the rows' middles, taken from the lanes' own rectangles.
struct Lanes {
    start: u64,
    rows: Vec<u32>,
    space: Space,
}

impl Lanes {
    fn of(drawing: &Drawing) -> Lanes {
        let (label, _) = of_class(drawing, "lanes").next().expect("lanes");
        assert_eq!(data(label, "unit-ns"), "1");
        let space = drawing.items.iter().find_map(|item| match item {
            Item::Rects { label, space, .. } if label.class == "runs" => Some(*space),
            _ => None,
        });
        Lanes {
            start: number(label, "start-ns"),
            rows: data(label, "rows")
                .split(' ')
                .map(|cpu| cpu.parse().expect("a CPU"))
                .collect(),
            space: space.expect("runs"),
        }
    }

    fn x(&self, at: u64) -> f64 {
        self.space.left + (at - self.start) as f64 * self.space.unit_x
    }

    fn middle(&self, cpu: u32) -> f64 {
        let row = self.rows.iter().position(|&row| row == cpu).expect("a row");
        self.space.top + (row as f64 + 0.5) * 100.0 * self.space.unit_y
    }
}

fn near(a: f64, b: f64) -> bool {
    (a - b).abs() < 1e-6
}

/// `a` last ran on CPU 1, which idles; `w` on CPU 0 wakes it onto its own CPU, as in section 3.4 of the paper. Later an
/// interrupt wakes `a` there, and it is placed on CPU 4.
const STORY: &str = "
    1000 cpu0 switch idle -> w:9
    1000 cpu1 switch idle -> a:10
    1000 cpu2 switch x:8 S -> idle
    1005 cpu1 switch a:10 S -> idle
    1010 cpu0 waking a:10 last 1 by w:9
    1011 cpu0 migrate a:10 from 1 to 0
    1012 cpu0 wakeup a:10 on 0 by w:9
    1030 cpu0 switch w:9 R+ -> a:10
    1040 cpu0 switch a:10 S -> w:9
    1050 cpu2 waking a:10 last 0 by idle hardirq
    1051 cpu2 wakeup a:10 on 4 by idle hardirq
    1060 cpu4 switch idle -> a:10
    1062 cpu4 waking b:11 last 2 by a:10
    1063 cpu4 wakeup b:11 on 2 by a:10
    1066 cpu2 switch idle -> b:11
    1070 cpu2 switch b:11 S -> idle
    1090 cpu4 switch a:10 S -> idle
    1100 cpu0 other";

#[test]
fn a_cross_for_each_wakeup_that_moves_a_task() {
    let trace = trace(8, STORY);
    let spec = Spec {
        moves: true,
        topology: topology("2x2x2"),
        ..Spec::default()
    };
    let drawing = drawn(&trace, &spec);
    let lanes = Lanes::of(&drawing);
    let mut found = Vec::new();
    for (label, item) in of_class(&drawing, "move") {
        let Item::Lines { lines, .. } = item else {
            panic!("{item:?}")
        };
        let [first, second] = &lines[..] else {
            panic!("{lines:?}")
        };
        for line in [first, second] {
            let [[ax, ay], [bx, by]] = line[..] else {
                panic!("{line:?}")
            };
            assert!(near((ax + bx) / 2.0, lanes.x(number(label, "at-ns"))), "{label:?}");
            assert!(
                near((ay + by) / 2.0, lanes.middle(number(label, "cpu") as u32)),
                "{label:?}"
            );
        }
        let numbers = ["cpu", "from-cpu", "at-ns", "count"].map(|name| number(label, name));
        found.push((data(label, "reach"), numbers));
    }
    // Rows count from the top; CPUs 0, 1, 4 and 5 are one socket. Placing b where it last ran is no move.
    assert_eq!(found, [("near", [4, 0, 1050, 1]), ("near", [0, 1, 1010, 1])]);
    let far = Spec {
        topology: topology("socket:0.2/1.4"),
        ..spec.clone()
    };
    let drawing = drawn(&trace, &far);
    let reaches: Vec<_> = of_class(&drawing, "move")
        .map(|(label, _)| data(label, "reach"))
        .collect();
    assert_eq!(reaches, ["far", "far"]);
    assert!(texts(&drawing).contains(&"wakeup that moved a task from another socket"));
    let nothing_known = Spec { topology: None, ..spec };
    let drawing = drawn(&trace, &nothing_known);
    let reaches: Vec<_> = of_class(&drawing, "move")
        .map(|(label, _)| data(label, "reach"))
        .collect();
    assert_eq!(reaches, ["unknown", "unknown"]);
}

#[test]
fn crosses_within_a_dot_are_one_and_are_counted() {
    let spec = Spec {
        moves: true,
        // The wakeups are 40 ns apart: 0.4 of the time.
        dot: Some(80.0),
        ..Spec::default()
    };
    let story = STORY
        .replace("wakeup a:10 on 4", "wakeup a:10 on 0")
        .replace("last 0", "last 4");
    let drawing = drawn(&trace(8, &story), &spec);
    let all: Vec<_> = of_class(&drawing, "move").collect();
    let [(label, _)] = all[..] else { panic!("{all:?}") };
    let numbers = ["cpu", "at-ns", "last-ns", "count"].map(|name| number(label, name));
    assert_eq!(numbers, [0, 1010, 1050, 2]);
    assert_eq!(data(label, "from-cpu"), "");
    assert!(texts(&drawing)
        .iter()
        .any(|text| text.contains("2 wakeups that moved a task")));
}

proptest! {
    #[test]
    fn crosses_are_what_placements_count(
        trace in arbitrary::trace(),
        bounds in (0..6000_u64, 0..6000_u64),
        forked in any::<bool>(),
        few in any::<bool>(),
    ) {
        let window = (bounds.0.min(bounds.1), bounds.0.max(bounds.1));
        let selection = Selection {
            min: Some(window.0),
            max: Some(window.1),
            forked,
            cpus: few.then(|| vec![0, 2]),
            ..Selection::default()
        };
        let spec = Spec { moves: true, selection: selection.clone(), ..Spec::default() };
        let Ok(drawing) = figure(&trace, &spec) else { return Ok(()) };
        let mut found: Vec<(u64, u64)> = Vec::new();
        for (label, _) in of_class(&drawing, "move") {
            found.push((number(label, "cpu"), number(label, "count")));
        }
        let mut expected: BTreeMap<u64, u64> = BTreeMap::new();
        let any_cpu = Selection { cpus: None, ..selection.clone() };
        for task in 0..trace.tasks.len() {
            for number in trace.edges.of(schedmodel::TaskId(task as u32)) {
                let edge = trace.edges.get(number);
                let (Some(previous), Some(chosen), Some(running), Some(cpu)) =
                    (edge.previous_cpu, edge.chosen_cpu, edge.running, edge.cpu) else { continue };
                // The run to which it led, under its comm.
                let run = trace.lane(cpu).and_then(|lane| {
                    let same = (0..lane.len()).filter(|&index| lane.start_of(index) == running);
                    same.filter_map(|index| lane.run(index)).find(|&id| trace.task_comm(id).task.0 as usize == task)
                });
                let shown = run.is_some_and(|id: TaskCommId| selects(&trace, &any_cpu, cpu, id));
                let here = trace.lane(chosen).is_some() && (!few || [0, 2].contains(&chosen));
                let then = window.0 <= edge.at && edge.at < window.1.min(trace.span_ns);
                if previous != chosen && shown && here && then {
                    *expected.entry(u64::from(chosen)).or_default() += 1;
                }
            }
        }
        let mut sums: BTreeMap<u64, u64> = BTreeMap::new();
        for (cpu, count) in &found {
            *sums.entry(*cpu).or_default() += count;
        }
        prop_assert_eq!(&sums, &expected);
        if !few && trace.span_ns < window.1 {
            let placed = placements(&trace, &selection, 0);
            prop_assert_eq!(sums.values().sum::<u64>(), placed.to_waker + placed.elsewhere);
        }
    }
}

fn place(cpu: u32, at: u64) -> Place {
    // The story begins at 1000.
    Place { cpu, at: at - 1000 }
}

#[test]
fn arrows_go_from_the_waker_to_where_the_wakee_ran() {
    let trace = trace(8, STORY);
    let spec = Spec {
        arrows: Some(Arrows::Chain(place(4, 1065), 10)),
        ..Spec::default()
    };
    let drawing = drawn(&trace, &spec);
    let names = ["from-cpu", "from-ns", "to-cpu", "to-ns"];
    let found: Vec<_> = of_class(&drawing, "chain-arrow")
        .map(|(label, _)| {
            let words = ["direction", "interrupt", "waker", "task"].map(|name| data(label, name));
            (names.map(|name| number(label, name)), words)
        })
        .collect();
    assert_eq!(
        found,
        [
            ([4, 1062, 2, 1066], ["forward", "false", "a-10", "b-11"]),
            ([2, 1050, 4, 1060], ["back", "true", "interrupt of swapper/2", "a-10"]),
        ]
    );
    // Each consists of a halo, a line, and a head whose point is exactly at the instant, at the edge of the run.
    let lanes = Lanes::of(&drawing);
    let first = drawing
        .items
        .iter()
        .position(|item| matches!(item, Item::Open(label) if label.class == "chain-arrow"));
    let parts = &drawing.items[first.expect("an arrow")..];
    let Item::Lines { lines, .. } = &parts[2] else {
        panic!("{parts:?}")
    };
    assert!(near(lines[0][0][0], lanes.x(1062)) && near(lines[0][0][1], lanes.middle(4)));
    let Item::Polygons { polygons, .. } = &parts[3] else {
        panic!("{parts:?}")
    };
    let [x, y] = polygons[0][0];
    // CPU 2 is below CPU 4: the head comes from above.
    assert!(
        near(x, lanes.x(1066)) && y < lanes.middle(2) && lanes.middle(3) < y,
        "{x} {y}"
    );
}

#[test]
fn arrows_outside_the_figure_are_told() {
    let trace = trace(8, STORY);
    let spec = Spec {
        arrows: Some(Arrows::Chain(place(4, 1065), 10)),
        selection: Selection {
            min: Some(55),
            cpus: Some(vec![0, 4, 5]),
            ..Selection::default()
        },
        ..Spec::default()
    };
    let drawing = drawn(&trace, &spec);
    assert_eq!(of_class(&drawing, "chain-arrow").count(), 0);
    assert!(texts(&drawing)
        .iter()
        .any(|text| text.contains("Arrows outside the figure: 2 of 2")));
    let cut = Spec {
        selection: Selection {
            min: Some(55),
            ..Selection::default()
        },
        ..spec
    };
    let drawing = drawn(&trace, &cut);
    let cut: Vec<_> = of_class(&drawing, "chain-arrow")
        .map(|(label, _)| data(label, "cut"))
        .collect();
    assert_eq!(
        cut,
        ["", "true"],
        "the wakeup at 1050 is before the window, the run at 1060 in it"
    );
}

#[test]
fn a_cascade_is_numbered() {
    // b takes the CPU of a, which is placed on the CPU of c, which is placed on CPU 3.
    let text = "
        0 cpu0 switch idle -> w:9
        0 cpu1 switch idle -> a:10
        0 cpu2 switch idle -> c:12
        0 cpu3 switch x:8 S -> idle
        10 cpu1 switch a:10 S -> idle
        20 cpu2 switch c:12 S -> idle
        30 cpu0 fork w:9 -> b:11
        31 cpu0 wakeup_new b:11 on 1 by w:9
        32 cpu1 switch idle -> b:11
        40 cpu0 waking a:10 last 1 by w:9
        41 cpu0 migrate a:10 from 1 to 2
        42 cpu0 wakeup a:10 on 2 by w:9
        45 cpu2 switch idle -> a:10
        50 cpu0 waking c:12 last 2 by w:9
        51 cpu0 migrate c:12 from 2 to 3
        52 cpu0 wakeup c:12 on 3 by w:9
        57 cpu3 switch idle -> c:12
        90 cpu0 other";
    let trace = trace(4, text);
    let spec = Spec {
        arrows: Some(Arrows::Cascade(Place { cpu: 3, at: 60 })),
        ..Spec::default()
    };
    let drawing = drawn(&trace, &spec);
    let names = ["number", "from-cpu", "from-ns", "to-cpu", "to-ns"];
    let found: Vec<_> = of_class(&drawing, "cascade-arrow")
        .map(|(label, _)| names.map(|name| number(label, name)))
        .collect();
    assert_eq!(
        found,
        [[2, 1, 41, 2, 45], [3, 2, 51, 3, 57]],
        "the fork came from nowhere"
    );
    let numbers: Vec<_> = of_class(&drawing, "arrow-number").collect();
    assert_eq!(numbers.len(), 2);
    let never_moved = Spec {
        arrows: Some(Arrows::Cascade(Place { cpu: 0, at: 60 })),
        ..Spec::default()
    };
    assert!(matches!(
        figure(&trace, &never_moved),
        Err(FigureError::NoMove { cpu: 0, .. })
    ));
}

fn of_wakeup(place: Place) -> Spec {
    Spec {
        kind: Kind::Wakeup,
        wakeup: Some(place),
        ..Spec::default()
    }
}

#[test]
fn a_wakeup_shows_who_took_part() {
    let trace = trace(8, STORY);
    let drawing = drawn(&trace, &of_wakeup(place(0, 1035)));
    let lanes = Lanes::of(&drawing);
    assert_eq!(lanes.rows, [1, 0]);
    let (label, _) = of_class(&drawing, "lanes").next().expect("lanes");
    // The window goes from the end of the run before to the end of this one, and a bit further.
    assert!(number(label, "start-ns") < 1005 && 1040 < number(label, "end-ns"));
    assert!(1000 < number(label, "start-ns") && number(label, "end-ns") < 1050);
    let waits: Vec<_> = of_class(&drawing, "wait")
        .map(|(label, _)| ["cpu", "from-ns", "to-ns"].map(|name| number(label, name)))
        .collect();
    assert_eq!(waits, [[0, 1010, 1030]]);
    let mark = of_class(&drawing, "wakeup-mark").next().expect("a mark");
    assert_eq!(["cpu", "at-ns"].map(|name| number(mark.0, name)), [0, 1010]);
    let Item::Lines { lines, .. } = mark.1 else { panic!() };
    assert!(near((lines[0][0][0] + lines[0][1][0]) / 2.0, lanes.x(1010)));
    let arrow = of_class(&drawing, "wakeup-arrow").next().expect("an arrow").0;
    let names = ["from-cpu", "from-ns", "to-cpu", "to-ns"];
    assert_eq!(names.map(|name| number(arrow, name)), [0, 1010, 0, 1030]);
    let roles: BTreeMap<_, _> = of_class(&drawing, "runs")
        .map(|(label, _)| (data(label, "comm"), data(label, "role")))
        .collect();
    assert_eq!(roles, BTreeMap::from([("a", "wakee"), ("w", "waker")]));
    let caption: Vec<_> = of_class(&drawing, "caption").collect();
    assert!(!caption.is_empty());
    let said = texts(&drawing).join(" ");
    for sentence in [
        "a-10 was woken at 0.000001010 s by w-9, running on CPU 0; it ran on CPU 0 after 20 ns.",
        "CPU 1, where it last ran, was idle.",
        "3 of 8 CPUs were idle: 1-2,4.",
    ] {
        assert!(said.contains(sentence), "{sentence} not in {said}");
    }
}

#[test]
fn an_interrupt_is_no_waker() {
    let drawing = drawn(&trace(8, STORY), &of_wakeup(place(4, 1065)));
    assert_eq!(Lanes::of(&drawing).rows, [4, 2, 0]);
    let arrow = of_class(&drawing, "wakeup-arrow").next().expect("an arrow").0;
    assert_eq!(data(arrow, "interrupt"), "true");
    let said = texts(&drawing).join(" ");
    assert!(said.contains("by a hardirq on CPU 2, where swapper/2 ran; it ran on CPU 4 after 10 ns. CPU 0, where it last ran, ran w-9."), "{said}");
    // The figure has only some lanes, and another window.
    let spec = Spec {
        selection: Selection {
            cpus: Some(vec![4, 2]),
            min: Some(45),
            max: Some(80),
            ..Selection::default()
        },
        top_down: true,
        ..of_wakeup(place(4, 1065))
    };
    let drawing = drawn(&trace(8, STORY), &spec);
    assert_eq!(Lanes::of(&drawing).rows, [2, 4]);
    let (label, _) = of_class(&drawing, "lanes").next().expect("lanes");
    assert_eq!(["start-ns", "end-ns"].map(|name| number(label, name)), [1045, 1080]);
}

#[test]
fn a_wait_is_drawn_on_each_cpu_where_it_was_spent() {
    // a is placed on CPU 1, where it last ran, and is pulled to CPU 2 after 40 of 50 ns.
    let text = "
        0 cpu0 switch idle -> w:9
        0 cpu1 switch idle -> a:10
        0 cpu2 switch x:8 S -> idle
        5 cpu1 switch a:10 S -> b:11
        10 cpu0 waking a:10 last 1 by w:9
        10 cpu0 wakeup a:10 on 1 by w:9
        50 cpu2 migrate a:10 from 1 to 2
        60 cpu2 switch idle -> a:10
        70 cpu2 switch a:10 S -> idle
        90 cpu0 other";
    let drawing = drawn(&trace(3, text), &of_wakeup(Place { cpu: 2, at: 65 }));
    assert_eq!(Lanes::of(&drawing).rows, [2, 1, 0]);
    let waits: Vec<_> = of_class(&drawing, "wait")
        .map(|(label, _)| ["cpu", "from-ns", "to-ns"].map(|name| number(label, name)))
        .collect();
    assert_eq!(waits, [[1, 10, 50], [2, 50, 60]]);
    let said = texts(&drawing).join(" ");
    for words in [
        "it was put on CPU 1, and ran on CPU 2 after 50 ns. CPU 1, where it last ran, ran b-11.",
        "1 of 3 CPUs was idle: 2.",
        "wake-up latency 50 ns",
    ] {
        assert!(said.contains(words), "{words} not in {said}");
    }
}

#[test]
fn what_is_no_run_or_was_not_woken_has_no_figure() {
    let trace = trace(8, STORY);
    let error = |spec| figure(&trace, &spec).expect_err("an error");
    assert!(matches!(
        error(of_wakeup(place(1, 1035))),
        FigureError::NoRun { cpu: 1, .. }
    ));
    assert!(matches!(
        error(of_wakeup(place(9, 1035))),
        FigureError::NoRun { cpu: 9, .. }
    ));
    // w runs on after it was preempted.
    let preempted = error(of_wakeup(place(0, 1045)));
    assert!(matches!(preempted, FigureError::NoWakeup { cpu: 0, .. }));
    assert!(preempted.to_string().contains("0.000001045 s"), "{preempted}");
    let nothing = Spec {
        kind: Kind::Wakeup,
        ..Spec::default()
    };
    assert_eq!(error(nothing), FigureError::NoPlace);
}

/// Lanes of tasks: (pid, generation), and by state the times from..to of its rectangles.
type StateRects = BTreeMap<(i64, u64), BTreeMap<String, Vec<(u64, u64)>>>;

fn task_lanes(drawing: &Drawing) -> StateRects {
    let mut lanes = StateRects::new();
    let mut current = None;
    for item in &drawing.items {
        match item {
            Item::Open(label) if label.class == "task-lane" => {
                let pid: i64 = data(label, "pid").parse().expect("a pid");
                current = Some(((pid, number(label, "generation")), number(label, "start-ns")));
                lanes.entry((pid, number(label, "generation"))).or_default();
            }
            Item::Rects { label, rects, .. } => {
                let state = label
                    .class
                    .strip_prefix("state-")
                    .filter(|state| !["edge", "key"].contains(state));
                let state = if label.class == "unknown" {
                    Some("unknown")
                } else {
                    state
                };
                if let (Some((lane, start)), Some(state)) = (current, state) {
                    let times = |rect: &Rect| (start + rect.x as u64, start + (rect.x + rect.width) as u64);
                    let all = lanes.entry(lane).or_default().entry(state.to_owned()).or_default();
                    all.extend(rects.iter().map(times));
                    all.sort_unstable();
                }
            }
            Item::Text { label, .. } if label.class == "key-text" => current = None,
            _ => {}
        }
    }
    lanes
}

fn with_tasks(pids: Vec<i32>, selection: Selection) -> Spec {
    Spec {
        with: vec![Part::Tasks],
        task_lanes: TaskLanes {
            pids,
            comms: Vec::new(),
        },
        selection,
        ..Spec::default()
    }
}

proptest! {
    #[test]
    fn lanes_of_tasks_are_their_states(trace in arbitrary::trace(), bounds in (0..6000_u64, 0..6000_u64)) {
        let mut pids: Vec<i32> = trace.tasks.iter().map(|task| task.pid).collect();
        pids.truncate(5);
        let (min, max) = (bounds.0.min(bounds.1), bounds.0.max(bounds.1).min(trace.span_ns));
        let selection = Selection { min: Some(min), max: Some(max), ..Selection::default() };
        let spec = with_tasks(pids.clone(), selection.clone());
        let Ok(drawing) = figure(&trace, &spec) else { return Ok(()) };
        let mut expected = StateRects::new();
        for task in trace.tasks.iter().filter(|task| pids.contains(&task.pid)) {
            expected.entry((i64::from(task.pid), u64::from(task.generation))).or_default();
        }
        let states = Selection { pids, ..selection };
        let absolute = |at: schedmodel::Time| at.absolute(trace.origin_ns);
        each_state(&trace, &states, |row| {
            let (task, state) = (row.task(), row.state.name());
            if !["unborn", "new", "dead"].contains(&state) {
                let lane = expected.entry((i64::from(task.pid), u64::from(task.generation))).or_default();
                lane.entry(state.to_owned()).or_default().push((absolute(row.start_ns), absolute(row.end_ns)));
            }
            Ok::<(), ()>(())
        }).expect("states");
        prop_assert_eq!(task_lanes(&drawing), expected);
    }
}

#[test]
fn merged_states_stack_by_their_share_of_the_time() {
    // The lane shows 1000 ns on about 100 mm: a dot of a tenth of that holds everything but the last part.
    let text = "
        0 cpu0 switch idle -> a:10
        30 cpu0 switch a:10 R+ -> b:11
        60 cpu0 switch b:11 S -> a:10
        90 cpu0 switch a:10 D -> idle
        1000 cpu0 other";
    let trace = trace(1, text);
    let spec = Spec {
        dot: Some(10.0),
        ..with_tasks(vec![10], Selection::default())
    };
    let drawing = drawn(&trace, &spec);
    let (label, _) = of_class(&drawing, "task-lane").next().expect("a lane");
    let (unit, dot) = (number(label, "unit-ns"), number(label, "merged-dot-units"));
    assert!(50 < unit * dot && unit * dot < 70, "{unit} {dot}");
    // The lane is 86 units high. These are the heights at 0 and after a dot (of about 59 ns): 1 for running, 0.55 for
    // runnable, 0.34 for blocked.
    let first = |class: &str, x: i64| {
        let mut all = of_class(&drawing, class).flat_map(|(_, item)| match item {
            Item::Rects { rects, .. } => rects.clone(),
            _ => Vec::new(),
        });
        all.find(|rect| rect.x == x).map(|rect| rect.height)
    };
    let ns = (unit * dot) as f64;
    let units = |share: f64, height: f64| (((share * height * 100.0).round() / 100.0) * 86.0).round() as i64;
    let close = |found: Option<i64>, expected: i64| found.is_some_and(|found| (found - expected).abs() <= 1);
    assert!(close(first("state-running", 0), units(30.0 / ns, 1.0)));
    assert!(close(first("state-runnable", 0), units((ns - 30.0) / ns, 0.55)));
    let x = dot as i64;
    assert!(close(first("state-running", x), units(30.0 / ns, 1.0)));
    assert!(close(first("state-blocked", x), units((2.0 * ns - 90.0) / ns, 0.34)));
    // A wait of 1 ns is not lost: it has the least height.
    assert!(
        close(first("state-runnable", x), (0.14 * 86.0_f64).round() as i64),
        "{:?}",
        first("state-runnable", x)
    );
    assert!(texts(&drawing)
        .iter()
        .any(|text| text.contains("merged: bars are as high as each state")));
}

#[test]
fn tasks_that_are_not_there_are_told() {
    let drawing = drawn(&trace(8, STORY), &with_tasks(vec![4711], Selection::default()));
    assert_eq!(of_class(&drawing, "task-lane").count(), 0);
    assert!(texts(&drawing)
        .iter()
        .any(|text| text.contains("None of the tasks asked for is in the trace")));
    let spec = Spec {
        task_lanes: TaskLanes {
            pids: vec![9],
            comms: vec!["a".to_owned(), "w".to_owned()],
        },
        ..with_tasks(Vec::new(), Selection::default())
    };
    let drawing = drawn(&trace(8, STORY), &spec);
    let lanes: Vec<_> = of_class(&drawing, "task-lane")
        .map(|(label, _)| data(label, "pid"))
        .collect();
    assert_eq!(lanes, ["9", "10"], "by PID first, each once");
    let cpus: Vec<_> = of_class(&drawing, "task-cpu").collect();
    assert!(!cpus.is_empty());
}
