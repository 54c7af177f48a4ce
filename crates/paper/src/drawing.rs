//! What a figure consists of, whatever the format it is written in.
//!
//! Lengths are millimetres from the drawing's upper left corner. What is drawn over time is drawn in a [`Space`] of its
//! own, whose coordinates are integers of time, so that a figure holds the trace's exact times.

use super::sheet::decimals;

/// A colour, in sRGB.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Rgb(pub u8, pub u8, pub u8);

impl Rgb {
    /// This colour, with a share (0 to 1) of `other` mixed in, as the page's lanes mix them.
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
    /// Diagonal stripes of this colour on what is below. Only in spaces whose units are as wide as high.
    Hatch(Rgb),
}

/// What readers of the file can tell of a part of it: in SVG a class, `data-` attributes and a tooltip; elsewhere nothing.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Label {
    /// One word for each kind of part: `runs`, `merged`, `running-max`.
    pub class: &'static str,
    /// Names and values.
    pub data: Vec<(&'static str, String)>,
    /// What a tooltip says; empty: none.
    pub title: String,
}

impl Label {
    /// Of a class, with nothing else to say.
    pub fn of(class: &'static str) -> Label {
        Label {
            class,
            ..Label::default()
        }
    }

    /// With one more name and value.
    #[must_use]
    pub fn with(mut self, name: &'static str, value: impl ToString) -> Label {
        self.data.push((name, value.to_string()));
        self
    }
}

/// Where integer coordinates lie on the paper: `left + x * unit_x`, `top + y * unit_y`, in mm.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Space {
    /// mm of x = 0.
    pub left: f64,
    /// mm of y = 0.
    pub top: f64,
    /// mm of a unit.
    pub unit_x: f64,
    /// mm of a unit; less than 0 where y grows upwards.
    pub unit_y: f64,
}

impl Space {
    /// How many decimals coordinates have where they are written as numbers of coarser units, across and downwards.
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
    /// More than 0.
    pub width: i64,
    /// More than 0.
    pub height: i64,
}

/// How a text is anchored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Anchor {
    /// It begins there.
    #[default]
    Start,
    /// Its middle is there.
    Middle,
    /// It ends there.
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
    /// Where the anchor is.
    pub x: f64,
    /// The base line.
    pub y: f64,
    /// Height of the font in mm.
    pub size: f64,
    /// Which part of it is at `x`.
    pub anchor: Anchor,
    /// Read upwards, turned about the anchor.
    pub upwards: bool,
    /// Of the letters.
    pub colour: Rgb,
    /// What it says.
    pub content: String,
}

/// How a line is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stroke {
    /// mm.
    pub width: f64,
    /// Of the line.
    pub colour: Rgb,
    /// mm of a dash and of the gap after it; `None`: not dashed.
    pub dash: Option<(f64, f64)>,
}

/// A part of a drawing. Later ones lie on earlier ones.
#[derive(Clone, Debug, PartialEq)]
pub enum Item {
    /// All that follows until the matching [`Item::Close`] is one group.
    Open(Label),
    /// Ends a group.
    Close,
    /// Rectangles of one colour.
    Rects {
        /// What they are.
        label: Label,
        /// What their coordinates are.
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
        /// What its coordinates are.
        space: Space,
        /// Its colour.
        fill: Fill,
        /// x of the first step.
        from: i64,
        /// Where each step ends, and its height; ascending.
        steps: Vec<(i64, i64)>,
    },
    /// Connected straight lines, each list of points one of them.
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

/// What a file says of itself.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct About {
    /// What it shows, in a line.
    pub title: String,
    /// The command line that makes it again.
    pub command: String,
    /// The page's URL fragment of the view, one for each trace.
    pub views: Vec<String>,
}

/// A finished figure.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Drawing {
    /// mm.
    pub width: f64,
    /// mm.
    pub height: f64,
    /// What it says of itself.
    pub about: About,
    /// All parts, from the lowest to the topmost, on white.
    pub items: Vec<Item>,
}
