//! The contents of a figure, independent of the file format.
//!
//! Lengths are millimetres from the drawing's upper left corner. What is drawn over time has a [`Space`] whose
//! coordinates are integers of time, so that a figure contains the trace's exact times.

use super::sheet::decimals;

/// A colour, in sRGB.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Rgb(pub u8, pub u8, pub u8);

impl Rgb {
    /// This colour with a share (0 to 1) of `other` mixed in, as the page mixes colours on lanes.
    pub fn mixed(self, other: Rgb, share: f64) -> Rgb {
        let mix = |a: u8, b: u8| (f64::from(a) + (f64::from(b) - f64::from(a)) * share).round() as u8;
        Rgb(mix(self.0, other.0), mix(self.1, other.1), mix(self.2, other.2))
    }
}

/// What fills a shape.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Fill {
    /// One colour.
    Solid(Rgb),
    /// Diagonal stripes of this colour over what is below. Only in spaces whose units are as wide as they are high.
    Hatch(Rgb),
}

/// What readers of the file learn about a part of it: in SVG a class, `data-` attributes and a tooltip; in other
/// formats nothing.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Label {
    /// One word per kind of part: `runs`, `merged`, `running-max`.
    pub class: &'static str,
    /// Names and values of the `data-` attributes.
    pub data: Vec<(&'static str, String)>,
    /// Text of the tooltip; empty for none.
    pub title: String,
}

impl Label {
    /// A label with only a class.
    pub fn of(class: &'static str) -> Label {
        Label {
            class,
            ..Label::default()
        }
    }

    /// The label with one more name and value.
    #[must_use]
    pub fn with(mut self, name: &'static str, value: impl ToString) -> Label {
        self.data.push((name, value.to_string()));
        self
    }
}

/// Maps integer coordinates to the paper: `left + x * unit_x`, `top + y * unit_y`, in mm.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Space {
    /// Position of x = 0 in mm.
    pub left: f64,
    /// Position of y = 0 in mm.
    pub top: f64,
    /// Width of a unit in mm.
    pub unit_x: f64,
    /// Height of a unit in mm; negative if y grows upwards.
    pub unit_y: f64,
}

impl Space {
    /// Number of decimals, across and downwards, of coordinates that are written in coarser units.
    pub(crate) fn decimals(&self) -> [u32; 2] {
        [self.unit_x, self.unit_y].map(decimals)
    }
}

/// A rectangle in a space.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Rect {
    /// Upper edge.
    pub y: i64,
    /// Left edge.
    pub x: i64,
    /// Positive.
    pub width: i64,
    /// Positive.
    pub height: i64,
}

/// How a text is anchored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Anchor {
    /// At its begin.
    #[default]
    Start,
    /// At its middle.
    Middle,
    /// At its end.
    End,
}

impl Anchor {
    /// The share of the text's width that lies before the anchor.
    pub(crate) fn before(self) -> f64 {
        match self {
            Anchor::Start => 0.0,
            Anchor::Middle => 0.5,
            Anchor::End => 1.0,
        }
    }
}

/// A line of text.
#[derive(Clone, Debug, PartialEq)]
pub struct Text {
    /// x of the anchor.
    pub x: f64,
    /// y of the base line.
    pub y: f64,
    /// Font size in mm.
    pub size: f64,
    /// The part of the text that is at `x`.
    pub anchor: Anchor,
    /// Whether it is turned about the anchor, to be read upwards.
    pub upwards: bool,
    /// Colour of the letters.
    pub colour: Rgb,
    /// The text.
    pub content: String,
}

/// How a line is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stroke {
    /// Width in mm.
    pub width: f64,
    /// Colour of the line.
    pub colour: Rgb,
    /// Lengths of a dash and of the gap after it, in mm; `None` for a solid line.
    pub dash: Option<(f64, f64)>,
}

/// A part of a drawing. Later items cover earlier ones.
#[derive(Clone, Debug, PartialEq)]
pub enum Item {
    /// Begins a group, which the matching [`Item::Close`] ends.
    Open(Label),
    /// Ends a group.
    Close,
    /// Rectangles of one colour.
    Rects {
        /// What they are.
        label: Label,
        /// Their coordinates.
        space: Space,
        /// Their colour.
        fill: Fill,
        /// In ascending order of (y, x).
        rects: Vec<Rect>,
    },
    /// The area below a staircase: from y = 0 to the height of each step.
    Area {
        /// What it is.
        label: Label,
        /// Its coordinates.
        space: Space,
        /// Its colour.
        fill: Fill,
        /// x of the first step.
        from: i64,
        /// End and height of each step, ascending.
        steps: Vec<(i64, i64)>,
    },
    /// Polylines, each a list of points.
    Lines {
        /// What they are.
        label: Label,
        /// How they are drawn.
        stroke: Stroke,
        /// In mm.
        lines: Vec<Vec<[f64; 2]>>,
    },
    /// Filled polygons.
    Polygons {
        /// What they are.
        label: Label,
        /// Their colour.
        fill: Rgb,
        /// In mm.
        polygons: Vec<Vec<[f64; 2]>>,
    },
    /// A line of text.
    Text {
        /// What it is.
        label: Label,
        /// The text.
        text: Text,
    },
}

/// Metadata of a file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct About {
    /// A one-line description.
    pub title: String,
    /// The command line that makes the figure again.
    pub command: String,
    /// The page's URL fragment of each trace's view.
    pub views: Vec<String>,
}

/// A finished figure.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Drawing {
    /// Width in mm.
    pub width: f64,
    /// Height in mm.
    pub height: f64,
    /// Its metadata.
    pub about: About,
    /// All items, from the lowest to the topmost, on white.
    pub items: Vec<Item>,
}
