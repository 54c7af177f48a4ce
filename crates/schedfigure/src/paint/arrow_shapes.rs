//! Shapes of arrows. Only + - * / and square roots are used, so that they are the same on every machine.

use super::theme;
use paper::{Item, Label, Rgb, Stroke};

/// How an arrow is drawn. Lengths are mm.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Style {
    pub(crate) colour: Rgb,
    pub(crate) width: f64,
    pub(crate) dashed: bool,
    /// Whether it leads to another socket: then it is a double line.
    pub(crate) double: bool,
    /// Whether it is an arch above the lane, in which it would be hidden otherwise.
    pub(crate) arched: bool,
    /// Whether the head is in sight.
    pub(crate) headed: bool,
}

/// Length of a head in mm, and its greatest share of the arrow.
const HEAD: (f64, f64) = (1.7, 0.75);
/// Height of an arch.
const ARCH: f64 = 3.0;
/// Line segments of an arch.
const PIECES: usize = 16;
/// Width of the white border on each side.
const HALO: f64 = 0.25;
/// Length of a dash and of the gap after it.
const DASH: (f64, f64) = (1.0, 0.7);

/// An arrow on a white halo that separates it from what is below.
pub(crate) fn arrow(tail: [f64; 2], head: [f64; 2], style: &Style) -> Vec<Item> {
    let mut path = if style.arched {
        arch(tail, head)
    } else {
        vec![tail, head]
    };
    let base = style.headed.then(|| base(&path)).flatten();
    if let (Some(base), Some(last)) = (&base, path.last_mut()) {
        // The line ends within the head, so that the point stays sharp.
        *last = base.middle;
    }
    let line = |width: f64, colour: Rgb, dash: Option<(f64, f64)>| Item::Lines {
        label: Label::default(),
        stroke: Stroke { width, colour, dash },
        lines: vec![path.clone()],
    };
    let dash = style.dashed.then_some(DASH);
    let width = if style.double { style.width * 2.6 } else { style.width };
    let mut items = vec![
        line(width + 2.0 * HALO, theme::PAPER, None),
        line(width, style.colour, dash),
    ];
    if style.double {
        items.push(line(style.width * 0.9, theme::PAPER, None));
    }
    if let Some(Base { left, right, .. }) = base {
        items.push(polygon(vec![head, left, right], style.colour));
    }
    items
}

/// The back of an arrow's head.
struct Base {
    left: [f64; 2],
    middle: [f64; 2],
    right: [f64; 2],
}

fn base(path: &[[f64; 2]]) -> Option<Base> {
    let [.., before, head] = path else { return None };
    let whole: f64 = path
        .iter()
        .zip(path.iter().skip(1))
        .map(|(from, to)| length(*from, *to))
        .sum();
    let last = length(*before, *head);
    if last <= 0.0 {
        return None;
    }
    let size = HEAD.0.min(whole * HEAD.1);
    let (dx, dy) = ((head[0] - before[0]) / last, (head[1] - before[1]) / last);
    let back = [head[0] - dx * size, head[1] - dy * size];
    let half = size * 0.38;
    Some(Base {
        left: [back[0] - dy * half, back[1] + dx * half],
        middle: [head[0] - dx * size * 0.8, head[1] - dy * size * 0.8],
        right: [back[0] + dy * half, back[1] - dx * half],
    })
}

fn length(a: [f64; 2], b: [f64; 2]) -> f64 {
    let (dx, dy) = (b[0] - a[0], b[1] - a[1]);
    (dx * dx + dy * dy).sqrt()
}

fn arch(tail: [f64; 2], head: [f64; 2]) -> Vec<[f64; 2]> {
    // A short hop needs no high arch.
    let height = ARCH.min(length(tail, head).max(1.2));
    let control = [(tail[0] + head[0]) / 2.0, tail[1].min(head[1]) - height];
    let point = |piece: usize| {
        let t = piece as f64 / PIECES as f64;
        let (a, b, c) = ((1.0 - t) * (1.0 - t), 2.0 * t * (1.0 - t), t * t);
        [
            a * tail[0] + b * control[0] + c * head[0],
            a * tail[1] + b * control[1] + c * head[1],
        ]
    };
    (0..=PIECES).map(point).collect()
}

/// A disc with a white border.
pub(crate) fn disc(middle: [f64; 2], radius: f64, colour: Rgb) -> Vec<Item> {
    vec![
        polygon(circle(middle, radius + HALO), theme::PAPER),
        polygon(circle(middle, radius), colour),
    ]
}

/// Points of a circle, computed from the tangents of half the angles.
fn circle([x, y]: [f64; 2], radius: f64) -> Vec<[f64; 2]> {
    let tangents = (-6..6).map(|step| f64::from(step) / 6.0);
    let right = tangents.map(|t| [(1.0 - t * t) / (1.0 + t * t), 2.0 * t / (1.0 + t * t)]);
    let right: Vec<_> = right.collect();
    let left = right.iter().map(|[x, y]| [-x, -y]);
    let all = right.iter().copied().chain(left);
    all.map(|[dx, dy]| [x + dx * radius, y + dy * radius]).collect()
}

/// A × of this width and height.
pub(crate) fn cross([x, y]: [f64; 2], size: f64) -> Vec<Vec<[f64; 2]>> {
    let half = size / 2.0;
    vec![
        vec![[x - half, y - half], [x + half, y + half]],
        vec![[x - half, y + half], [x + half, y - half]],
    ]
}

/// A white background for a text.
pub(crate) fn label_box([left, top, right, bottom]: [f64; 4]) -> Item {
    polygon(
        vec![[left, top], [right, top], [right, bottom], [left, bottom]],
        theme::PAPER,
    )
}

fn polygon(points: Vec<[f64; 2]>, fill: Rgb) -> Item {
    Item::Polygons {
        label: Label::default(),
        fill,
        polygons: vec![points],
    }
}
