//! Compares a chart with counts made by hand.

use super::{decimals, decimals_of, draw};
use crate::{Drawing, FigureError, Item, Rgb, Run, RunTimes};

fn runs(group: Option<&str>, times: &[u64]) -> Vec<Run> {
    let run = |&run_time_ns: &u64| Run {
        file: format!("{run_time_ns}.dat"),
        group: group.map(str::to_owned),
        run_time_ns,
        view: String::new(),
    };
    times.iter().map(run).collect()
}

/// The texts of a class.
fn texts(drawing: &Drawing, class: &str) -> Vec<String> {
    let content = |item: &Item| match item {
        Item::Text { label, text } if label.class == class => Some(text.content.clone()),
        _ => None,
    };
    drawing.items.iter().filter_map(content).collect()
}

/// Left, right, bottom and top edge of each bar in mm, and its colour.
fn bars(drawing: &Drawing) -> Vec<([f64; 4], Rgb)> {
    let bar = |item: &Item| match item {
        Item::Rects {
            label,
            space,
            fill: crate::Fill::Solid(colour),
            rects,
        } if label.class == "bar" => {
            let [x0, x1] = [rects[0].x, rects[0].x + rects[0].width].map(|x| space.left + x as f64 * space.unit_x);
            let [y0, y1] = [rects[0].y, rects[0].y + rects[0].height].map(|y| space.top + y as f64 * space.unit_y);
            Some(([x0, x1, y0, y1], *colour))
        }
        _ => None,
    };
    drawing.items.iter().filter_map(bar).collect()
}

#[test]
fn bars_are_as_high_as_runs_are_long_and_stand_side_by_side() {
    let (old, new) = (
        runs(Some("old"), &[2_000_000_000, 3_000_000_000]),
        runs(Some("new"), &[1_500_000_000]),
    );
    let drawing = draw(&RunTimes::default(), &[&old, &new]).unwrap();
    let bars = bars(&drawing);
    let heights: Vec<f64> = bars.iter().map(|([_, _, bottom, top], _)| bottom - top).collect();
    assert!((heights[0] / heights[1] - 2.0 / 3.0).abs() < 1e-9, "{heights:?}");
    assert!((heights[2] / heights[1] - 0.5).abs() < 1e-9, "{heights:?}");
    // All bars stand on one line; the first ones of both series are neighbours, in two colours.
    assert!(bars.iter().all(|([_, _, bottom, _], _)| *bottom == bars[0].0[2]));
    assert!(
        (bars[0].0[1] - bars[2].0[0]).abs() < 0.002 && bars[2].0[1] < bars[1].0[0],
        "{bars:?}"
    );
    assert!(bars[0].1 == bars[1].1 && bars[0].1 != bars[2].1);
    assert_eq!(texts(&drawing, "key-label"), ["old", "new"]);
    assert_eq!(texts(&drawing, "bar-label"), ["2.000", "3.000", "1.500"]);
    assert_eq!(texts(&drawing, "rank-label"), ["1", "2"]);
    // 3.0 / 2.0 = 1.50.
    assert_eq!(
        texts(&drawing, "small-print"),
        [
            "old: 2 runs, fastest 2.000 s, slowest 3.000 s, slowest / fastest 1.50×",
            "new: 1 run of 1.500 s"
        ]
    );
}

#[test]
fn labels_without_room_are_left_out() {
    let times: Vec<u64> = (1..=60).map(|number| number * 100_000_000).collect();
    let drawing = draw(&RunTimes::default(), &[&runs(None, &times)]).unwrap();
    assert_eq!(bars(&drawing).len(), 60);
    assert_eq!(texts(&drawing, "bar-label"), [""; 0]);
    assert_eq!(texts(&drawing, "key-label"), [""; 0]);
    let ranks = texts(&drawing, "rank-label");
    assert!(ranks.len() < 30 && ranks.ends_with(&["60".to_owned()]), "{ranks:?}");
    assert!(texts(&drawing, "value-label").starts_with(&["0".to_owned()]));
}

#[test]
fn what_does_not_fit_is_told() {
    let small = RunTimes {
        height: Some(20.0),
        ..RunTimes::default()
    };
    let Err(FigureError::Size { what, expected, .. }) = draw(&small, &[&runs(None, &[5])]) else {
        panic!("it fits");
    };
    assert_eq!(what, "height");
    let higher = RunTimes {
        height: Some(expected),
        ..RunTimes::default()
    };
    assert!(draw(&higher, &[&runs(None, &[5])]).is_ok());
    let many = vec![5; 2000];
    assert!(matches!(
        draw(&RunTimes::default(), &[&runs(None, &many)]),
        Err(FigureError::Size { what: "width", .. })
    ));
}

#[test]
fn times_have_four_digits_or_so() {
    for (longest, expected) in [
        (93_710_000_000, 2),
        (9_017_000_000, 3),
        (120_000_000, 4),
        (100_000_000_000, 1),
    ] {
        assert_eq!(decimals(longest), expected);
    }
    for (round, expected) in [(2_000_000_000, 0), (500_000_000, 1), (20_000_000, 2)] {
        assert_eq!(decimals_of(round), expected);
    }
}
