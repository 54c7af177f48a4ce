//! The command that a figure holds makes the same figure again; a real shell and the program's own parser read it.

use std::process::Command;
use std::sync::Arc;

use clap::Parser;
use proptest::prelude::*;
use proptest::{collection, option, sample};
use schedfigure::{Arrows, Call, ColorBy, Group, Kind, LegendOf, Note, Part, Place, RunTimes, Spec, TaskLanes};
use schedmodel::topology::Topology;
use schedquery::query::Selection;

use super::options::{KindArgs, Panels};
use crate::Cli;

/// The words into which the shell splits a line.
fn words(line: &str) -> Vec<String> {
    let program = format!(r"corelane() {{ printf '%s\0' corelane {}; }}; {line}", r#""$@""#);
    let output = Command::new("sh").args(["-c", &program]).output().unwrap();
    assert!(output.status.success(), "{line}");
    let text = String::from_utf8(output.stdout).unwrap();
    text.split_terminator('\0').map(str::to_owned).collect()
}

fn parse(line: &str) -> KindArgs {
    let words = words(line);
    let cli = Cli::try_parse_from(&words).unwrap_or_else(|error| panic!("{line}\n{words:?}\n{error}"));
    match cli.command {
        crate::Command::Figure(figure) => figure.kind,
        _ => panic!("{line}"),
    }
}

/// Any text that an argument can hold.
fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        "[^\u{0}]{0,8}",
        "[a-z =@:'\"$-]{0,8}",
        sample::select(vec!["12", "+5", "-", "--", "-x", "comm:1", "A", "~"]).prop_map(str::to_owned),
    ]
}

fn file() -> impl Strategy<Value = String> {
    text().prop_filter("a file has a name, and this one can be read twice", |name| {
        !name.is_empty() && name != "-"
    })
}

fn time() -> impl Strategy<Value = u64> {
    prop_oneof![0..5_000_000_000_u64, Just(0), Just(3_000_000_000), 0..1_u64 << 60]
}

fn place() -> impl Strategy<Value = Place> {
    (any::<u32>(), time()).prop_map(|(cpu, at)| Place { cpu, at })
}

fn window() -> impl Strategy<Value = Selection> {
    let cpus = option::of(collection::vec(0..65536_u32, 1..5));
    // A window has some length.
    (any::<bool>(), option::of(time()), option::of(time()), cpus).prop_map(|(after_sleep, min, length, cpus)| {
        Selection {
            after_sleep,
            min,
            max: length.map(|length| min.unwrap_or(0) + 1 + length),
            cpus,
            ..Selection::default()
        }
    })
}

fn selection() -> impl Strategy<Value = Selection> {
    let texts = collection::vec(text(), 0..3);
    let pids = collection::vec(any::<i32>(), 0..3);
    (window(), any::<[bool; 3]>(), option::of(text()), texts, pids).prop_map(
        |(window, [forked, movable, no_kernel_threads], target, comms, pids)| Selection {
            forked,
            movable,
            no_kernel_threads,
            target,
            comms,
            pids,
            ..window
        },
    )
}

/// Marks come before notes, whatever the order of the options.
fn notes() -> impl Strategy<Value = Vec<Note>> {
    let notes = collection::vec((option::of(any::<u32>()), time(), text()), 0..4);
    (option::of(time()), notes).prop_map(|(mark, notes)| {
        let mark = mark.map(|at| Note {
            cpu: None,
            at,
            text: "A".to_owned(),
        });
        let notes = notes.into_iter().map(|(cpu, at, text)| Note { cpu, at, text });
        let (mut marks, others): (Vec<Note>, Vec<Note>) = mark.into_iter().chain(notes).partition(Note::is_mark);
        marks.extend(others);
        marks
    })
}

fn topology() -> impl Strategy<Value = Option<Arc<Topology>>> {
    let texts = ["2x16x2", "1x4x1", "socket:0-6~2/1-7~2", "2x4x2,siblings"];
    let parsed = texts.map(|text| Arc::new(Topology::parse(text.as_bytes()).unwrap()));
    option::of(sample::select(parsed.to_vec()))
}

/// The options that every kind has.
fn sheet(kind: Kind) -> impl Strategy<Value = Spec> {
    let side = || option::of(20.0..2400.0);
    let names = collection::vec(text(), 0..3);
    (topology(), side(), side(), option::of(text()), names, notes()).prop_map(
        move |(topology, width, height, title, names, notes)| Spec {
            kind,
            topology,
            width,
            height,
            title,
            names,
            notes,
            ..Spec::default()
        },
    )
}

fn overview(kind: Kind) -> impl Strategy<Value = Spec> {
    let colours = sample::select(ColorBy::ALL.to_vec());
    (
        sheet(kind),
        selection(),
        colours,
        option::of(1..=64_u32),
        option::of(0.01..5.0),
    )
        .prop_map(|(sheet, selection, color_by, columns, dot)| Spec {
            selection,
            color_by,
            columns,
            dot,
            ..sheet
        })
}

fn timeline() -> impl Strategy<Value = Spec> {
    let arrows = prop_oneof![
        (place(), any::<u32>()).prop_map(|(at, hops)| Arrows::Chain(at, hops)),
        place().prop_map(Arrows::Cascade),
    ];
    let lanes = (collection::vec(any::<i32>(), 0..3), collection::vec(text(), 0..3));
    let lanes = lanes.prop_map(|(pids, comms)| TaskLanes { pids, comms });
    let legend = sample::select(LegendOf::ALL.to_vec());
    let (with, highlight) = (
        sample::subsequence(Part::ALL.to_vec(), 0..=2),
        collection::vec(text(), 0..3),
    );
    (
        overview(Kind::Timeline),
        with,
        legend,
        highlight,
        any::<[bool; 5]>(),
        lanes,
        option::of(arrows),
    )
        .prop_map(
            |(
                overview,
                with,
                legend,
                highlight,
                [moves, top_down, runqueues, calls, interrupts],
                task_lanes,
                arrows,
            )| Spec {
                with,
                legend,
                highlight,
                moves,
                top_down,
                runqueues,
                task_lanes,
                calls,
                interrupts,
                arrows,
                ..overview
            },
        )
}

fn wakeup() -> impl Strategy<Value = Spec> {
    (sheet(Kind::Wakeup), window(), place(), any::<bool>()).prop_map(|(sheet, selection, at, top_down)| Spec {
        selection,
        wakeup: Some(at),
        top_down,
        ..sheet
    })
}

fn files() -> impl Strategy<Value = Vec<String>> {
    collection::vec(file(), 1..4)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(160))]

    #[test]
    fn a_figures_command_asks_for_the_same_figure(
        spec in prop_oneof![timeline(), overview(Kind::RunningWaiting), wakeup()],
        files in files(),
        buffer in option::of(text()),
        output in file(),
        dpi in 36..=2400_u32,
        first_ns in prop_oneof![Just(0), 0..1_u64 << 62],
    ) {
        let names: Vec<&str> = files.iter().map(String::as_str).collect();
        let output = format!("{output}.png");
        let call = Call { files: &names, buffer: buffer.as_deref(), output: &output, dpi, first_ns };
        let line = call.line(&spec);
        let parsed = parse(&line);
        let (found, panels) = match &parsed {
            KindArgs::Timeline(args) => (args.spec(first_ns), args.panels()),
            KindArgs::RunningWaiting(args) => (args.spec(first_ns), args.panels()),
            KindArgs::Wakeup(args) => (args.spec(first_ns), args.panels()),
            KindArgs::RunTimes(_) => panic!("{line}"),
        };
        prop_assert_eq!(found, spec, "{}", line);
        let paths: Vec<_> = panels.files.files.iter().map(|path| path.to_str().unwrap()).collect();
        prop_assert_eq!(paths, names);
        prop_assert_eq!(panels.output.to_str().unwrap(), output);
        prop_assert_eq!((&panels.files.buffer, panels.paper.dpi), (&buffer, dpi));
    }

    #[test]
    fn so_does_that_of_run_times(
        selection in selection(),
        sides in option::of((20.0..2400.0, 20.0..2400.0)),
        title in option::of(text()),
        filter in option::of(sample::select(&["next_prio < 100", "prev_comm == \"it's\""][..])),
        groups in collection::vec(("[^=\u{0}]{1,5}", "[^\u{0}]{1,5}"), 0..3),
        files in files(),
    ) {
        let groups = groups.into_iter().map(|(name, text)| Group { name, text }).collect();
        let (width, height) = sides.unzip();
        let chart = RunTimes { selection, filter: filter.map(str::to_owned), groups, width, height, title };
        let names: Vec<&str> = files.iter().map(String::as_str).collect();
        let line = chart.line(&Call { files: &names, buffer: None, output: "a.svg", dpi: 300, first_ns: 0 });
        match parse(&line) {
            KindArgs::RunTimes(args) => prop_assert_eq!(args.chart(), chart, "{}", line),
            _ => panic!("{line}"),
        }
    }
}

#[test]
fn what_is_not_said_is_as_it_is_by_itself() {
    let call = Call {
        files: &["a b.dat", "c.dat"],
        buffer: None,
        output: "out.svg",
        dpi: 72,
        first_ns: 5,
    };
    let line = call.line(&Spec::default());
    assert_eq!(line, "corelane figure timeline 'a b.dat' c.dat -o out.svg");
}
