//! Tests of whole figures: positions of texts, scales, legends.

use super::*;
use paper::font;
use schedmodel::topology::Topology;
use schedmodel::{Meta, Trace, TraceBuilder};
use schedquery::query::{stats, Selection};
use std::path::Path;
use std::sync::Arc;
use tracedat::file::TraceFile;
use tracedat::scan::scan_cpu;

struct File {
    trace: Arc<Trace>,
    name: String,
}

fn fixture(name: &str) -> File {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../tests/fixtures")
        .join(name);
    let file = TraceFile::open(std::fs::read(path).unwrap()).unwrap();
    let scans: Vec<_> = (0..file.cpus().len())
        .map(|index| scan_cpu(&file, index).unwrap())
        .collect();
    let mut builder = TraceBuilder::new(scans.iter().filter_map(|scan| scan.first_ns).min().unwrap_or(0));
    for scan in scans {
        builder.add(scan);
    }
    let meta = Meta {
        cpus: (0..file.header().cpu_count).collect(),
        ..Meta::default()
    };
    File {
        trace: Arc::new(builder.finish(meta)),
        name: name.to_owned(),
    }
}

/// A trace of this many CPUs on which nothing is known to have run.
fn silent(cpus: u32, span_ns: u64) -> File {
    let mut trace = TraceBuilder::new(1_000).finish(Meta {
        cpus: (0..cpus).collect(),
        ..Meta::default()
    });
    trace.span_ns = span_ns;
    File {
        trace: Arc::new(trace),
        name: format!("silent-{cpus}.dat"),
    }
}

fn try_figure(spec: &Spec, files: &[&File]) -> Result<Drawing, FigureError> {
    let subjects: Vec<Subject> = files
        .iter()
        .map(|file| Subject {
            trace: &file.trace,
            file: &file.name,
            fingerprint: 0,
            clock_is_ns: true,
            calls: None,
            passing: None,
            counter: None,
        })
        .collect();
    let extents = subjects.iter().map(|subject| Extent::of(subject, spec)).collect();
    let mut plan = Plan::new(spec.clone(), extents)?;
    loop {
        let panels = subjects.iter().enumerate();
        let panels: Result<Vec<Panel>, FigureError> =
            panels.map(|(number, subject)| plan.panel(number, subject)).collect();
        let panels = panels?;
        match plan.roomier(&panels)? {
            Some(roomier) => plan = roomier,
            None => return Ok(plan.assemble(panels)),
        }
    }
}

fn figure(spec: &Spec, files: &[&File]) -> Drawing {
    try_figure(spec, files).unwrap()
}

fn texts(drawing: &Drawing) -> Vec<(&'static str, &Text)> {
    let texts = drawing.items.iter().filter_map(|item| match item {
        Item::Text { label, text } => Some((label.class, text)),
        _ => None,
    });
    texts.collect()
}

fn of_class(drawing: &Drawing, class: &str) -> Vec<String> {
    let of_class = texts(drawing).into_iter().filter(|(found, _)| *found == class);
    of_class.map(|(_, text)| text.content.clone()).collect()
}

/// Left, upper, right and lower edge of the letters.
fn extent_of(text: &Text) -> [f64; 4] {
    let width = font::width(&text.content, text.size);
    let before = match text.anchor {
        Anchor::Start => 0.0,
        Anchor::Middle => width / 2.0,
        Anchor::End => width,
    };
    let (above, below) = (0.7 * text.size, 0.2 * text.size);
    match text.upwards {
        false => [text.x - before, text.y - above, text.x - before + width, text.y + below],
        true => [text.x - above, text.y - width + before, text.x + below, text.y + before],
    }
}

fn overlap([l, t, r, b]: [f64; 4], [l2, t2, r2, b2]: [f64; 4]) -> bool {
    l < r2 && l2 < r && t < b2 && t2 < b
}

/// Left, upper, right and lower edge of the lines of marks and notes.
fn lines_of_notes(drawing: &Drawing) -> Vec<[f64; 4]> {
    let lines = drawing.items.iter().filter_map(|item| match item {
        Item::Lines { label, lines, .. } if ["note", "mark"].contains(&label.class) => Some(lines),
        _ => None,
    });
    let edges = |line: &Vec<[f64; 2]>| {
        let fold = |axis: usize, pick: fn(f64, f64) -> f64, from| line.iter().map(|point| point[axis]).fold(from, pick);
        [
            fold(0, f64::min, f64::INFINITY),
            fold(1, f64::min, f64::INFINITY),
            fold(0, f64::max, 0.0),
            fold(1, f64::max, 0.0),
        ]
    };
    lines.flatten().map(edges).collect()
}

/// Checks that every text lies in the figure, that no two meet, and that no line of a note passes through the text of
/// another.
fn check_texts(what: &str, drawing: &Drawing) {
    let texts = texts(drawing);
    assert!(!texts.is_empty());
    let of_notes = texts
        .iter()
        .filter(|(class, _)| ["note", "mark-distance"].contains(class));
    for ((class, text), line) in
        of_notes.flat_map(|text| lines_of_notes(drawing).into_iter().map(move |line| (text, line)))
    {
        assert!(
            !overlap(extent_of(text), line),
            "{what}: a line through {class} “{}”",
            text.content
        );
    }
    for (index, (class, text)) in texts.iter().enumerate() {
        let [left, top, right, bottom] = extent_of(text);
        assert!(
            -0.001 <= left && -0.001 <= top && right <= drawing.width + 0.001 && bottom <= drawing.height + 0.001,
            "{what}: {class} “{}” at {:?} leaves {} × {}",
            text.content,
            extent_of(text),
            drawing.width,
            drawing.height
        );
        for (other_class, other) in &texts[..index] {
            assert!(
                !overlap(extent_of(text), extent_of(other)),
                "{what}: {class} “{}” meets {other_class} “{}”",
                text.content,
                other.content
            );
        }
    }
}

fn topology(text: &str) -> Option<Arc<Topology>> {
    Some(Arc::new(Topology::parse(text.as_bytes()).unwrap()))
}

fn notes(zero: u64) -> Vec<Note> {
    let note = |cpu, at: u64, text: &str| Note {
        cpu,
        at: zero + at,
        text: text.to_owned(),
    };
    vec![
        note(None, 200_000_000, "A"),
        note(None, 950_000_000, "B"),
        note(Some(3), 210_000_000, "the first to sleep"),
        note(None, 220_000_000, "here the others follow"),
        note(Some(999), 960_000_000, "a CPU that is not shown: its note is above"),
        note(
            Some(0),
            1_000_000_000,
            "a note so long that it would leave any figure at its right end",
        ),
    ]
}

#[test]
fn texts_lie_in_the_figure_and_never_meet() {
    let files = [
        (fixture("barrier32-badplace.dat"), "2x8x2,alternate,llcs:4"),
        (fixture("barrier128-after-sleep.dat"), "4x16x2"),
        (fixture("offline-4cpu.dat"), "2x2x1"),
        (silent(1, 5_000_000_000), "1x1x1"),
        (silent(512, 90_000_000_000), "8x32x2"),
    ];
    for (file, machine) in &files {
        for width in [85.0, 178.0] {
            for kind in [Kind::Timeline, Kind::RunningWaiting] {
                for color_by in [ColorBy::Pid, ColorBy::Command, ColorBy::Parent] {
                    let plain = Spec {
                        kind,
                        width: Some(width),
                        color_by,
                        ..Spec::default()
                    };
                    check_texts(&file.name, &figure(&plain, &[file]));
                    let full = Spec {
                        topology: topology(machine),
                        with: vec![Part::RunningWaiting],
                        title: Some(
                            "Ein Titel — länger, als die schmale Figur je breit sein kann: 日本語 ok".to_owned(),
                        ),
                        names: vec!["one".to_owned()],
                        notes: notes(0),
                        moves: true,
                        highlight: vec!["barrier".to_owned(), "kworker/0:1".to_owned()],
                        selection: Selection {
                            target: Some("barr".to_owned()),
                            ..Selection::default()
                        },
                        ..plain
                    };
                    check_texts(&file.name, &figure(&full, &[file]));
                }
            }
        }
    }
}

#[test]
fn grids_and_stacks_have_room_for_their_texts() {
    let files = [
        fixture("barrier32-badplace.dat"),
        fixture("offline-4cpu.dat"),
        fixture("pinned-4cpu.dat"),
    ];
    let many: Vec<&File> = files.iter().cycle().take(10).collect();
    for (columns, width) in [
        (None, 178.0),
        (None, 85.0),
        (Some(2), 85.0),
        (Some(5), 178.0),
        (Some(99), 400.0),
    ] {
        for color_by in [ColorBy::Pid, ColorBy::Command] {
            let spec = Spec {
                columns,
                width: Some(width),
                color_by,
                with: vec![Part::RunningWaiting],
                notes: notes(0),
                ..Spec::default()
            };
            check_texts(&format!("{columns:?} columns"), &figure(&spec, &many));
        }
    }
}

/// ns per mm, and start of the window, of each panel.
fn scales(drawing: &Drawing) -> Vec<(f64, f64)> {
    let mut unit_ns = 0.0;
    let mut found = Vec::new();
    for item in &drawing.items {
        match item {
            Item::Open(label) if label.class == "lanes" => {
                let unit = label.data.iter().find(|(name, _)| *name == "precision-ns").unwrap();
                unit_ns = unit.1.parse().unwrap();
            }
            Item::Rects { label, space, .. } if label.class == "runs" && unit_ns != 0.0 => {
                found.push((unit_ns / space.unit_x, space.left));
                unit_ns = 0.0;
            }
            _ => {}
        }
    }
    found
}

#[test]
fn all_panels_have_the_scale_of_the_longest_trace() {
    let files = [
        fixture("offline-4cpu.dat"),
        fixture("pinned-4cpu.dat"),
        fixture("barrier32-badplace.dat"),
    ];
    let longest = files.iter().map(|file| file.trace.span_ns).max().unwrap();
    let spec = Spec::default();
    let drawing = figure(&spec, &files.iter().collect::<Vec<_>>());
    let scales = scales(&drawing);
    assert_eq!(scales.len(), 3);
    // All axes are as long as the longest trace.
    let ends: Vec<(f64, f64)> = drawing
        .items
        .iter()
        .filter_map(|item| match item {
            Item::Lines { label, lines, .. } if label.class == "axis" => match lines.as_slice() {
                [line] if line[0][1] == line[1][1] && 10.0 < line[1][0] - line[0][0] => Some((line[0][0], line[1][0])),
                _ => None,
            },
            _ => None,
        })
        .collect();
    assert_eq!(ends.len(), 3);
    for ((ns_per_mm, left), (from, to)) in scales.iter().zip(&ends) {
        assert!((left - from).abs() < 1e-9);
        assert!(
            (ns_per_mm * (to - from) / longest as f64 - 1.0).abs() < 1e-6,
            "{ns_per_mm}"
        );
        assert_eq!((from, to), (&ends[0].0, &ends[0].1));
    }
}

#[test]
fn the_legend_has_the_numbers_of_stats() {
    let file = fixture("barrier128-after-sleep.dat");
    let trace = &file.trace;
    let second = 1_000_000_000;
    let zoomed = Selection {
        after_sleep: true,
        min: Some(2 * second),
        max: Some(3 * second),
        ..Selection::default()
    };
    let to_end = Selection {
        min: None,
        ..zoomed.clone()
    };
    let cases = [
        (
            LegendOf::Window,
            zoomed.clone(),
            "commands, 2–3 s (first–last in s from time 0)",
        ),
        (LegendOf::ToEnd, to_end, "commands, 0–3 s (first–last in s from time 0)"),
        (
            LegendOf::Trace,
            Selection::default(),
            "commands, whole trace (first–last in s from time 0)",
        ),
    ];
    for (legend, counted, heading) in cases {
        let spec = Spec {
            selection: zoomed.clone(),
            color_by: ColorBy::Command,
            legend,
            ..Spec::default()
        };
        let drawing = figure(&spec, &[&file]);
        assert_eq!(of_class(&drawing, "legend-heading"), [heading]);
        let expected = stats(trace, &counted).commands;
        let zero = trace.after_sleep.unwrap() as f64;
        let seconds = |at: schedmodel::Time| format!("{:.4}", (at.0 as f64 - zero) / 1e9).replace('-', "−");
        let cells = of_class(&drawing, "legend-cell");
        let rows: Vec<&[String]> = cells.chunks(5).collect();
        assert_eq!(rows.len(), expected.len().min(12));
        for (row, command) in rows.iter().zip(&expected) {
            assert_eq!(row[0], command.comm);
            assert_eq!(
                row[1],
                format!("{}–{}", seconds(command.first_ns), seconds(command.last_ns))
            );
            let (number, unit) = row[2].split_once(' ').unwrap();
            let unit = [("s", 1e9), ("ms", 1e6), ("µs", 1e3), ("ns", 1.0)]
                .iter()
                .find(|(name, _)| *name == unit);
            let shown = number.parse::<f64>().unwrap() * unit.unwrap().1;
            let exact = command.execution_ns as f64;
            assert!((shown - exact).abs() <= exact * 0.0005, "{} for {exact}", row[2]);
            assert_eq!(row[3], command.switches_to.to_string());
            assert_eq!(row[4], command.pids.to_string());
        }
        let more = expected.len().saturating_sub(12);
        let said = (0 < more).then(|| format!("{more} more command{}", if more == 1 { "" } else { "s" }));
        assert_eq!(of_class(&drawing, "legend-more"), said.into_iter().collect::<Vec<_>>());
    }
}

#[test]
fn the_legend_of_parents_counts_what_they_forked() {
    let file = fixture("barrier128-after-sleep.dat");
    let trace = &file.trace;
    let spec = Spec {
        color_by: ColorBy::Parent,
        ..Spec::default()
    };
    let cells = of_class(&figure(&spec, &[&file]), "legend-cell");
    let tasks = stats(trace, &Selection::default()).tasks;
    let forked = trace.tasks.iter().zip(&tasks).filter(|(task, _)| task.parent.is_none());
    let ran = forked.filter(|(_, stats)| 0 < stats.switches_to || 0 < stats.execution_ns);
    let row = cells.chunks(5).find(|row| row[0] == "not forked in the trace").unwrap();
    assert_eq!(row[4], ran.count().to_string());
}

#[test]
fn marks_tell_their_distance() {
    let file = fixture("offline-4cpu.dat");
    let spec = Spec {
        notes: notes(0),
        ..Spec::default()
    };
    let drawing = figure(&spec, &[&file]);
    assert_eq!(of_class(&drawing, "mark"), ["A", "B"]);
    assert_eq!(of_class(&drawing, "mark-distance"), ["750 ms"]);
    // The selection is far from the second one, which is then absent.
    let selection = Selection {
        max: Some(500_000_000),
        ..Selection::default()
    };
    let drawing = figure(&Spec { selection, ..spec }, &[&file]);
    assert_eq!(of_class(&drawing, "mark"), ["A"]);
    assert_eq!(of_class(&drawing, "mark-distance"), ["750 ms"]);
}

#[test]
fn the_first_cpu_is_lowest_unless_it_is_to_be_on_top() {
    let file = silent(4, 1_000);
    let cpus = |top_down| {
        let spec = Spec {
            top_down,
            topology: topology("2x2x1,alternate"),
            ..Spec::default()
        };
        let drawing = figure(&spec, &[&file]);
        let mut labels: Vec<(f64, String)> = texts(&drawing)
            .into_iter()
            .filter(|(class, _)| *class == "cpu-label")
            .map(|(_, text)| (text.y, text.content.clone()))
            .collect();
        labels.sort_by(|a, b| a.0.total_cmp(&b.0));
        labels.into_iter().map(|(_, label)| label).collect::<Vec<_>>()
    };
    assert_eq!(cpus(false), ["3", "1", "2", "0"], "from the top");
    assert_eq!(cpus(true), ["0", "2", "1", "3"], "from the top");
}

#[test]
fn a_figure_has_the_size_that_is_asked_for() {
    let files = [fixture("offline-4cpu.dat"), fixture("pinned-4cpu.dat")];
    for height in [60.0, 100.0, 240.0] {
        for kind in [Kind::Timeline, Kind::RunningWaiting] {
            let spec = Spec {
                kind,
                width: Some(120.0),
                height: Some(height),
                with: vec![Part::RunningWaiting],
                color_by: ColorBy::Pid,
                ..Spec::default()
            };
            let drawing = figure(&spec, &[&files[0], &files[1]]);
            assert_eq!((drawing.width, drawing.height), (120.0, height));
            check_texts(&format!("{height} mm"), &drawing);
            let lowest = texts(&drawing).iter().map(|(_, text)| text.y).fold(0.0, f64::max);
            assert!(height - 10.0 < lowest, "{lowest} of {height}");
        }
    }
}

#[test]
fn what_cannot_be_drawn_is_told() {
    let file = silent(4, 2_000_000_000);
    let error = |spec: Spec| try_figure(&spec, &[&file]).unwrap_err().to_string();
    let window = |min, max| Spec {
        selection: Selection {
            min,
            max,
            ..Selection::default()
        },
        ..Spec::default()
    };
    assert_eq!(
        error(window(Some(2_500_000_000), None)),
        "the figure's window is 2.5 s to 2 s, the longest trace lasts 2 s; expected a part of that"
    );
    assert_eq!(
        error(window(Some(3_000_000_000), Some(4_000_000_000))),
        "the figure's window is 3 s to 4 s, the longest trace lasts 2 s; expected a part of that"
    );
    assert_eq!(
        error(window(Some(1_000_000_000), Some(1_000_000_000))),
        "the figure's window is 1 s to 1 s, the longest trace lasts 2 s; expected a part of that"
    );
    let cpus = Spec {
        selection: Selection {
            cpus: Some(vec![4]),
            ..Selection::default()
        },
        ..Spec::default()
    };
    assert_eq!(
        error(cpus),
        "trace 1 has none of the CPUs asked for; expected at least one to draw"
    );
    let narrow = Spec {
        width: Some(10.0),
        ..Spec::default()
    };
    assert!(matches!(
        try_figure(&narrow, &[&file]),
        Err(FigureError::Size { what: "width", .. })
    ));
    let low = Spec {
        height: Some(10.0),
        ..Spec::default()
    };
    let Err(FigureError::Size {
        what: "height",
        expected,
        ..
    }) = try_figure(&low, &[&file])
    else {
        panic!("10 mm are not enough")
    };
    let enough = Spec {
        height: Some(expected),
        ..Spec::default()
    };
    assert_eq!(figure(&enough, &[&file]).height, expected);
    assert_eq!(try_figure(&Spec::default(), &[]).unwrap_err(), FigureError::NoTrace);
}

#[test]
fn a_curve_tells_of_cpus_that_it_cannot_count() {
    let file = fixture("lost-s390x.dat");
    let unknown = stats(&file.trace, &Selection::default()).unknown_ns_per_cpu;
    let cpus = unknown.iter().filter(|&&ns| 0 < ns).count();
    assert!(1 < cpus, "{unknown:?}");
    let spec = Spec {
        kind: Kind::RunningWaiting,
        ..Spec::default()
    };
    let told = of_class(&figure(&spec, &[&file]), "small-print").join(" ");
    assert!(
        told.contains(&format!("Not counted: what ran on {cpus} CPUs")),
        "{told}"
    );
    let known = of_class(&figure(&spec, &[&fixture("forkpipe-8cpu.dat")]), "small-print").join(" ");
    assert!(!known.contains("Not counted"), "{known}");
}

#[test]
fn a_window_may_go_beyond_a_trace() {
    let file = silent(4, 2_000_000_000);
    let spec = Spec {
        selection: Selection {
            max: Some(4_000_000_000),
            ..Selection::default()
        },
        ..Spec::default()
    };
    let drawing = figure(&spec, &[&file]);
    assert_eq!(of_class(&drawing, "time-label").last().unwrap(), "4.0");
    assert!(of_class(&drawing, "small-print")[0].contains("Grey: after the end of the trace."));
}
