//! Drawings for the tests of the writers.

use super::drawing::{About, Anchor, Drawing, Fill, Item, Label, Rect, Rgb, Space, Stroke, Text};

const BLACK: Rgb = Rgb(0, 0, 0);

fn class(class: &'static str) -> Label {
    Label {
        class,
        ..Label::default()
    }
}

fn rect(x: i64, y: i64, width: i64, height: i64) -> Rect {
    Rect { y, x, width, height }
}

fn text(x: f64, y: f64, content: &str) -> Text {
    Text {
        x,
        y,
        size: 2.4694,
        anchor: Anchor::Middle,
        upwards: false,
        colour: BLACK,
        content: content.to_owned(),
    }
}

/// A drawing with one part of each kind, including all difficult cases.
pub(crate) fn lanes() -> Drawing {
    let space = Space {
        left: 10.0,
        top: 2.5,
        unit_x: 1e-6,
        unit_y: 0.008,
    };
    let micrometres = Space {
        unit_x: 0.001,
        unit_y: 0.001,
        ..space
    };
    let runs = Label {
        class: "runs",
        data: vec![("pid", "7".to_owned())],
        title: "a<b> & \"c\"\u{1b} 7".to_owned(),
    };
    Drawing {
        width: 120.0,
        height: 50.0,
        about: About {
            title: "CPUs & <tasks>".to_owned(),
            command: "corelane figure timeline 'a \"b\".dat' -o out.svg".to_owned(),
            views: vec!["v=1&cpu=3".to_owned(), "v=2".to_owned()],
        },
        items: vec![
            Item::Open(class("panel")),
            Item::Rects {
                label: runs,
                space,
                fill: Fill::Solid(Rgb(0x33, 0x66, 0xcc)),
                rects: vec![
                    rect(1_000_000, 10, 2_000_001, 80),
                    rect(10_000_000, 10, 1, 80),
                    rect(1_000_000, 110, 5, 80),
                ],
            },
            Item::Area {
                label: class("running"),
                space,
                fill: Fill::Solid(Rgb(0, 0xaa, 0)),
                from: 5,
                steps: vec![(10, 3), (20, 2), (25, 2), (26, 6)],
            },
            Item::Rects {
                label: class("unknown"),
                space: micrometres,
                fill: Fill::Hatch(Rgb(0xc9, 0xce, 0xd6)),
                rects: vec![rect(0, 0, 2000, 1000)],
            },
            Item::Close,
            Item::Lines {
                label: class("axis"),
                stroke: Stroke {
                    width: 0.15,
                    colour: BLACK,
                    dash: Some((1.0, 0.5)),
                },
                lines: vec![
                    vec![[10.0, 40.0], [110.0, 40.0], [110.0, 39.5]],
                    vec![[10.0, 20.123], [15.0, 26.0]],
                ],
            },
            Item::Polygons {
                label: Label::default(),
                fill: Rgb(255, 0, 0),
                polygons: vec![vec![[1.0, 1.0], [2.0, 1.0], [1.5, 2.0]]],
            },
            Item::Text {
                label: class("time-label"),
                text: text(60.0, 45.0, "3.25 µs"),
            },
            Item::Text {
                label: Label::default(),
                text: Text {
                    upwards: true,
                    anchor: Anchor::End,
                    ..text(4.0, 30.0, "  CPU 中")
                },
            },
        ],
    }
}

/// This many rectangles of irregular lengths, in 40 colours on 128 lanes.
pub(crate) fn whole_trace(rects: usize) -> Drawing {
    const LANES: usize = 128;
    const COLOURS: usize = 40;
    let mut by_colour = vec![Vec::new(); COLOURS];
    let mut random = 1_u32;
    let mut next = |below: u32| {
        random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        i64::from((random >> 8) % below)
    };
    for lane in 0..LANES {
        let mut x = 0;
        for _ in 0..rects / LANES {
            let (gap, width) = (next(20_000), 1 + next(20_000));
            let colour = next(COLOURS as u32) as usize;
            by_colour[colour].push(rect(x + gap, lane as i64 * 100 + 10, width, 80));
            x += gap + width;
        }
    }
    let space = Space {
        left: 10.0,
        top: 5.0,
        unit_x: 160.0 / (rects as f64 / LANES as f64 * 20_000.0),
        unit_y: 0.01,
    };
    let items = by_colour.into_iter().enumerate().map(|(colour, rects)| Item::Rects {
        label: class("runs"),
        space,
        fill: Fill::Solid(Rgb(colour as u8 * 6, 100, 255 - colour as u8 * 6)),
        rects,
    });
    Drawing {
        width: 178.0,
        height: 140.0,
        about: About::default(),
        items: items.collect(),
    }
}

/// Drawings that make no sense, but that no writer may fail on.
pub(crate) fn odd() -> Vec<Drawing> {
    let numbers = [
        f64::NAN,
        f64::INFINITY,
        f64::NEG_INFINITY,
        0.0,
        -1.0,
        1e300,
        5e-324,
        1e12,
    ];
    let mut drawings = vec![Drawing::default()];
    for number in numbers {
        let space = Space {
            left: number,
            top: -number,
            unit_x: number,
            unit_y: number,
        };
        let far = [i64::MIN, -1, 0, 1, i64::MAX];
        let rects: Vec<Rect> = far
            .iter()
            .flat_map(|&x| far.map(|width| rect(x, x, width, width)))
            .collect();
        let items = [Fill::Solid(BLACK), Fill::Hatch(BLACK)].into_iter().flat_map(|fill| {
            [
                Item::Rects {
                    label: Label::default(),
                    space,
                    fill,
                    rects: rects.clone(),
                },
                Item::Area {
                    label: Label::default(),
                    space,
                    fill,
                    from: i64::MAX,
                    steps: vec![(i64::MIN, i64::MAX), (0, i64::MIN), (0, 0), (i64::MAX, 7)],
                },
                Item::Area {
                    label: Label::default(),
                    space,
                    fill,
                    from: 0,
                    steps: Vec::new(),
                },
            ]
        });
        let stroke = |dash| Stroke {
            width: number,
            colour: BLACK,
            dash,
        };
        let line = vec![[number, -number], [1.0, 1.0], [1.0, number]];
        let others = [
            Item::Lines {
                label: Label::default(),
                stroke: stroke(Some((number, number))),
                lines: vec![line.clone(), Vec::new(), vec![[1.0, 1.0]]],
            },
            Item::Lines {
                label: Label::default(),
                stroke: stroke(None),
                lines: vec![vec![[0.0, 0.0], [10.0, 10.0]]],
            },
            Item::Polygons {
                label: Label::default(),
                fill: BLACK,
                polygons: vec![line, Vec::new()],
            },
            Item::Text {
                label: Label::default(),
                text: Text {
                    size: number,
                    ..text(number, 1.0, "\u{0}\u{feff}\u{202e}]]>é中\u{10ffff}(\\")
                },
            },
        ];
        for side in [10.0, number] {
            drawings.push(Drawing {
                width: side,
                height: 10.0,
                about: About::default(),
                items: items.clone().chain(others.clone()).collect(),
            });
        }
    }
    drawings
}
