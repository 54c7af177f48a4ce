//! Colours, letter sizes and line widths: those of the page's light theme, on paper. Lengths are mm.

use paper::{Anchor, Item, Label, Rgb, Stroke, Text};

/// Background; also of idle time.
pub(crate) const PAPER: Rgb = Rgb(0xff, 0xff, 0xff);
/// Text and emphasis.
pub(crate) const INK: Rgb = Rgb(0x14, 0x18, 0x1f);
/// Axes.
pub(crate) const QUIET: Rgb = Rgb(0x5b, 0x64, 0x72);
/// Lines that only separate.
pub(crate) const FAINT: Rgb = Rgb(0xdd, 0xe0, 0xe5);
/// Areas past the end of a trace.
pub(crate) const NOWHERE: Rgb = Rgb(0xee, 0xef, 0xf1);
/// Wakeups and moves.
pub(crate) const ARROW: Rgb = Rgb(0x0b, 0x57, 0xd0);
/// Wakeups made by interrupts.
pub(crate) const ARROW_INTERRUPT: Rgb = Rgb(0xb3, 0x26, 0x1e);
/// Wakeups that put a task on another CPU of its socket.
pub(crate) const NEAR: Rgb = Rgb(0x00, 0x69, 0x5c);
/// Wakeups that put a task on another socket.
pub(crate) const FAR: Rgb = Rgb(0xb0, 0x00, 0x6d);
/// Runs of tasks that are not the target; with colours by parent, tasks that were not forked in the trace.
pub(crate) const OTHER: Rgb = Rgb(0x23, 0x27, 0x2e);
/// Stripes of unknown time, and the ground under them.
pub(crate) const HATCH: Rgb = Rgb(0xa9, 0xb1, 0xbd);
/// See [`HATCH`].
pub(crate) const HATCHED: Rgb = Rgb(0xf1, 0xf3, 0xf5);
/// Running tasks: the line along their number.
pub(crate) const RUNNING: Rgb = Rgb(0x00, 0x78, 0x5a);
/// Running tasks: the area below the line.
pub(crate) const RUNNING_FILL: Rgb = Rgb(0xbf, 0xe6, 0xd8);
/// Runnable tasks: the line along their number where some wait.
pub(crate) const RUNNABLE: Rgb = Rgb(0xd6, 0x30, 0x1f);
/// Tasks that wait: from the running to the runnable ones.
pub(crate) const WAITING_FILL: Rgb = Rgb(0xf4, 0x86, 0x6f);
/// A, B, and notes.
pub(crate) const MARK: Rgb = Rgb(0x8a, 0x53, 0x00);
/// Colours of a wakeup figure: the wakee, the waker, and all others. Orange and blue differ in hue and in lightness,
/// for all eyes.
pub(crate) const WAKEE: Rgb = Rgb(0xf0, 0xa0, 0x20);
/// See [`WAKEE`].
pub(crate) const WAKER: Rgb = Rgb(0x00, 0x62, 0xa8);
/// See [`WAKEE`].
pub(crate) const BYSTANDER: Rgb = Rgb(0x5b, 0x64, 0x72);
/// Tasks in uninterruptible sleep: the strong edge, and the area below it.
pub(crate) const BLOCKED: Rgb = Rgb(0x5f, 0x35, 0xb0);
/// See [`BLOCKED`].
pub(crate) const BLOCKED_FILL: Rgb = Rgb(0xc9, 0xb6, 0xee);
/// Time in hardirqs and interrupt vectors.
pub(crate) const HARDIRQ: Rgb = Rgb(0x8c, 0x0d, 0x16);
/// Time in softirqs.
pub(crate) const SOFTIRQ: Rgb = Rgb(0xe3, 0x8a, 0x00);

/// A printer's point in mm.
const POINT: f64 = 25.4 / 72.0;
/// Letter size of the title.
pub(crate) const TITLE: f64 = 8.0 * POINT;
/// Letter size of axes and names.
pub(crate) const LABEL: f64 = 7.0 * POINT;
/// Letter size of legends, keys and CPUs.
pub(crate) const LEGEND: f64 = 6.0 * POINT;
/// Letter size of small print, the smallest that is comfortable to read.
pub(crate) const SMALL: f64 = 5.0 * POINT;

/// Line spacing, in letter sizes.
pub(crate) const LEADING: f64 = 1.2;
/// From the base line to the middle of a digit, in letter sizes: half of Arimo's cap height.
pub(crate) const HALF_CAP: f64 = 0.344;
/// From the upper edge of a line of text to its base line, in letter sizes.
pub(crate) const ASCENT: f64 = 0.92;

/// Lines of axes.
pub(crate) const AXIS: Stroke = Stroke {
    width: 0.2,
    colour: QUIET,
    dash: None,
};
/// Lines between sockets.
pub(crate) const PARTING: Stroke = Stroke {
    width: 0.15,
    colour: FAINT,
    dash: None,
};

/// A line of text.
pub(crate) fn text(class: &'static str, at: [f64; 2], size: f64, anchor: Anchor, content: impl Into<String>) -> Item {
    coloured(class, at, size, anchor, INK, content)
}

/// A coloured line of text.
pub(crate) fn coloured(
    class: &'static str,
    [x, y]: [f64; 2],
    size: f64,
    anchor: Anchor,
    colour: Rgb,
    content: impl Into<String>,
) -> Item {
    Item::Text {
        label: Label::of(class),
        text: Text {
            x,
            y,
            size,
            anchor,
            upwards: false,
            colour,
            content: content.into(),
        },
    }
}

/// A line of text that is read upwards, with its base line at `x` and its middle at `y`.
pub(crate) fn upwards(class: &'static str, [x, y]: [f64; 2], size: f64, content: impl Into<String>) -> Item {
    Item::Text {
        label: Label::of(class),
        text: Text {
            x,
            y,
            size,
            anchor: Anchor::Middle,
            upwards: true,
            colour: INK,
            content: content.into(),
        },
    }
}

/// Straight lines.
pub(crate) fn lines(class: &'static str, stroke: Stroke, lines: Vec<Vec<[f64; 2]>>) -> Item {
    Item::Lines {
        label: Label::of(class),
        stroke,
        lines,
    }
}

/// A filled rectangle.
pub(crate) fn block(class: &'static str, fill: Rgb, [left, top]: [f64; 2], [width, height]: [f64; 2]) -> Item {
    let (right, bottom) = (left + width, top + height);
    Item::Polygons {
        label: Label::of(class),
        fill,
        polygons: vec![vec![[left, top], [right, top], [right, bottom], [left, bottom]]],
    }
}
/// Tasks that wait on a CPU's runqueue: 1, 2-3, 4-7, 8 or more.
pub(crate) const DEPTH: [Rgb; 4] = [
    Rgb(0xf4, 0x86, 0x6f),
    Rgb(0xd6, 0x30, 0x1f),
    Rgb(0x8f, 0x16, 0x0b),
    Rgb(0x4a, 0x09, 0x05),
];

/// Colours of the series: distinguishable to all eyes, and in grey, where neighbours alternate between dark and light.
pub(crate) const SERIES: [Rgb; 6] = [
    Rgb(0x1f, 0x5a, 0xa6),
    Rgb(0xf0, 0xa0, 0x30),
    Rgb(0x0b, 0x6e, 0x58),
    Rgb(0xe0, 0x8f, 0xb8),
    Rgb(0x4a, 0x4f, 0x58),
    Rgb(0x8f, 0xc7, 0xe8),
];
