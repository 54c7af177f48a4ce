//! What all formats share: positions of shapes on the paper, and metadata.

use super::drawing::{About, Drawing, Rect, Space, Stroke};
use super::svg::escape;
use std::fmt::Write as _;

/// Distance from a stripe of a hatch to the next, and width of a stripe, in mm.
pub(crate) const HATCH_PERIOD: f64 = 0.7;
pub(crate) const HATCH_STRIPE: f64 = 0.25;

/// The program that made a file.
pub(crate) const PRODUCER: &str = concat!("Corelane ", env!("CARGO_PKG_VERSION"));

/// The longest side of a page in mm: PDF allows no more (14 400 points).
const LONGEST: f64 = 5080.0;

/// Least unit of coordinates, in mm, for programs that count in few bits: Firefox drops what begins beyond 2^24 units,
/// Chromium beyond 2^31. With this unit no page has more than five million.
const FINEST_UNIT: f64 = 0.001;

/// Number of decimals of coordinates that are exact multiples of this length: their unit is a power of ten of it, and
/// at least [`FINEST_UNIT`].
pub fn decimals(mm: f64) -> u32 {
    let mut unit = mm.abs();
    let mut decimals = 0;
    while 0.0 < unit && unit < FINEST_UNIT && decimals < MOST_DECIMALS {
        unit *= 10.0;
        decimals += 1;
    }
    decimals
}

/// The most decimals that 64-bit integers have.
const MOST_DECIMALS: u32 = 18;

/// Width and height in mm: positive, and within the limits of all formats.
pub fn size(drawing: &Drawing) -> [f64; 2] {
    [drawing.width, drawing.height].map(|side| finite(side).clamp(1.0, LONGEST))
}

/// The number, or 0 if it is not finite.
pub(crate) fn finite(value: f64) -> f64 {
    if value.is_finite() {
        value
    } else {
        0.0
    }
}

/// A length, limited to the paper and its surroundings.
pub(crate) fn near(mm: f64) -> f64 {
    finite(mm).clamp(-LONGEST, 2.0 * LONGEST)
}

/// Left, upper, right and lower edge in mm.
pub(crate) fn edges(rect: &Rect, space: &Space) -> [f64; 4] {
    let [x, y] = [rect.x.saturating_add(rect.width), rect.y.saturating_add(rect.height)];
    edges_between([rect.x, rect.y], [x, y], space)
}

/// The same for the rectangle between two corners.
pub(crate) fn edges_between(a: [i64; 2], b: [i64; 2], space: &Space) -> [f64; 4] {
    let at = |[x, y]: [i64; 2]| {
        [
            near(space.left + x as f64 * space.unit_x),
            near(space.top + y as f64 * space.unit_y),
        ]
    };
    let ([x0, y0], [x1, y1]) = (at(a), at(b));
    [x0.min(x1), y0.min(y1), x0.max(x1), y0.max(y1)]
}

/// The corners of the area below a staircase, in mm.
pub(crate) fn outline<'a>(from: i64, steps: &'a [(i64, i64)], space: &'a Space) -> impl Iterator<Item = [f64; 2]> + 'a {
    let at = |x: i64, y: i64| {
        let (x, y) = (
            space.left + x as f64 * space.unit_x,
            space.top + y as f64 * space.unit_y,
        );
        [near(x), near(y)]
    };
    let starts = std::iter::once(from).chain(steps.iter().map(|&(end, _)| end));
    let stairs = starts
        .zip(steps)
        .flat_map(move |(start, &(end, height))| [at(start, height), at(end, height)]);
    let last = steps.last().map_or(from, |&(end, _)| end);
    [at(from, 0)].into_iter().chain(stairs).chain([at(last, 0)])
}

/// The middles of the stripes of a hatch, over the whole paper.
pub(crate) fn stripes([width, height]: [f64; 2]) -> impl Iterator<Item = [[f64; 2]; 2]> {
    use std::f64::consts::SQRT_2;
    // A stripe is where x + y is one number.
    (0..)
        .map(|number| (f64::from(number) * HATCH_PERIOD + HATCH_STRIPE / 2.0) * SQRT_2)
        .take_while(move |sum| sum - HATCH_PERIOD < width + height)
        .map(|sum| [[sum, 0.0], [0.0, sum]])
}

/// The dash and gap, if they can be drawn.
pub(crate) fn dash(stroke: &Stroke) -> Option<(f64, f64)> {
    stroke
        .dash
        .filter(|&(dash, gap)| dash >= 0.001 && gap >= 0.001 && dash < LONGEST && gap < LONGEST)
}

/// Metadata as RDF, which is metadata in SVG and XMP in PDF.
pub(crate) fn rdf(about: &About) -> String {
    let mut out = String::from(
        "<rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\" \
         xmlns:dc=\"http://purl.org/dc/elements/1.1/\" xmlns:xmp=\"http://ns.adobe.com/xap/1.0/\" \
         xmlns:corelane=\"urn:corelane:figure:\">\n<rdf:Description rdf:about=\"\">\n",
    );
    if !about.title.is_empty() {
        out.push_str("<dc:title><rdf:Alt><rdf:li xml:lang=\"x-default\">");
        escape(&mut out, &about.title);
        out.push_str("</rdf:li></rdf:Alt></dc:title>\n");
    }
    let _ = writeln!(out, "<xmp:CreatorTool>{PRODUCER}</xmp:CreatorTool>");
    if !about.command.is_empty() {
        out.push_str("<corelane:command>");
        escape(&mut out, &about.command);
        out.push_str("</corelane:command>\n");
    }
    if !about.views.is_empty() {
        out.push_str("<corelane:views><rdf:Seq>");
        for view in &about.views {
            out.push_str("<rdf:li>");
            escape(&mut out, view);
            out.push_str("</rdf:li>");
        }
        out.push_str("</rdf:Seq></corelane:views>\n");
    }
    out.push_str("</rdf:Description>\n</rdf:RDF>\n");
    out
}
