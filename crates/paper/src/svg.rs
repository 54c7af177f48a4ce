//! A drawing as SVG: one self-contained file, without style sheets or scripts.
//!
//! What lies in a space is written below a transform, in decimals of a unit of about a thousandth of a mm: readers find
//! the trace's exact times in the file, and no program meets numbers that are too large for it. Everything else is in
//! mm.

use super::drawing::{Anchor, Drawing, Fill, Item, Label, Rect, Rgb, Space, Stroke, Text};
use super::font::{self, printable};
use super::number::{decimal, push_decimal, thousandths};
use super::sheet::{self, HATCH_PERIOD, HATCH_STRIPE};
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// Shapes after which a path uses absolute coordinates again: many readers compute in 32-bit floats, and their rounding
/// errors must not add up.
const SHAPES_FROM_ONE_PLACE: usize = 16;

const FONTS: &str = "Arimo, Helvetica, Arial, 'Liberation Sans', sans-serif";

/// The file.
pub(crate) fn write(drawing: &Drawing) -> String {
    let mut svg = Svg {
        out: String::new(),
        space: None,
        open: 0,
    };
    svg.head(drawing);
    for item in &drawing.items {
        svg.item(item);
    }
    svg.leave_space();
    for _ in 0..svg.open {
        svg.out.push_str("</g>\n");
    }
    svg.out.push_str("</svg>\n");
    svg.out
}

struct Svg {
    out: String,
    /// The space whose transform is open.
    space: Option<Space>,
    /// Number of open groups.
    open: usize,
}

impl Svg {
    fn head(&mut self, drawing: &Drawing) {
        let [width, height] = sheet::size(drawing).map(decimal);
        let _ = write!(
            self.out,
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
             <svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}mm\" height=\"{height}mm\" \
             viewBox=\"0 0 {width} {height}\" font-family=\"{FONTS}\" stroke-linejoin=\"round\">\n"
        );
        for (tag, content) in [("title", &drawing.about.title), ("desc", &drawing.about.command)] {
            if !content.is_empty() {
                let _ = write!(self.out, "<{tag}>");
                escape(&mut self.out, content);
                let _ = writeln!(self.out, "</{tag}>");
            }
        }
        self.out.push_str("<metadata>\n");
        self.out.push_str(&sheet::rdf(&drawing.about));
        self.out.push_str("</metadata>\n");
        self.hatches(drawing);
        let _ = writeln!(
            self.out,
            "<rect width=\"{width}\" height=\"{height}\" fill=\"#ffffff\"/>"
        );
    }

    /// Adds a pattern per colour of hatches. Its name depends on the colour alone, because several figures may be parts
    /// of one page.
    fn hatches(&mut self, drawing: &Drawing) {
        let colours: BTreeSet<Rgb> = drawing.items.iter().filter_map(hatch_of).collect();
        if colours.is_empty() {
            return;
        }
        self.out.push_str("<defs>\n");
        for colour in colours {
            let (id, fill) = (hatch_id(colour), hex(colour));
            let (period, stripe) = (decimal(HATCH_PERIOD), decimal(HATCH_STRIPE));
            let _ = writeln!(
                self.out,
                "<pattern id=\"{id}\" patternUnits=\"userSpaceOnUse\" width=\"{period}\" height=\"{period}\" \
                 patternTransform=\"rotate(45)\"><rect width=\"{stripe}\" height=\"{period}\" fill=\"{fill}\"/></pattern>"
            );
        }
        self.out.push_str("</defs>\n");
    }

    fn item(&mut self, item: &Item) {
        match item {
            Item::Open(label) => {
                self.leave_space();
                self.element("g", label);
                self.out.push('>');
                self.tooltip(label);
                self.out.push('\n');
                self.open += 1;
            }
            Item::Close => {
                self.leave_space();
                if self.open > 0 {
                    self.open -= 1;
                    self.out.push_str("</g>\n");
                }
            }
            Item::Rects {
                label,
                space,
                fill,
                rects,
            } => self.shape(label, space, *fill, &Shape::Rects(rects)),
            Item::Area {
                label,
                space,
                fill,
                from,
                steps,
            } => self.shape(label, space, *fill, &Shape::Area(*from, steps)),
            Item::Lines { label, stroke, lines } => {
                self.leave_space();
                self.element("path", label);
                self.stroke(stroke);
                self.polylines(lines, false);
                self.end("path", label);
            }
            Item::Polygons { label, fill, polygons } => {
                self.leave_space();
                self.element("path", label);
                let _ = write!(self.out, " fill=\"{}\"", hex(*fill));
                self.polylines(polygons, true);
                self.end("path", label);
            }
            Item::Text { label, text } => {
                self.leave_space();
                self.text(label, text);
            }
        }
    }

    fn shape(&mut self, label: &Label, space: &Space, fill: Fill, shape: &Shape<'_>) {
        match fill {
            Fill::Solid(colour) => {
                self.enter_space(space);
                self.element("path", label);
                let _ = write!(self.out, " fill=\"{}\" d=\"", hex(colour));
                shape.write(&mut self.out, space.decimals());
            }
            // In mm, so that the stripes are the same in every space.
            Fill::Hatch(colour) => {
                self.leave_space();
                self.element("path", label);
                let _ = write!(self.out, " fill=\"url(#{})\" d=\"", hatch_id(colour));
                shape.write_in_mm(&mut self.out, space);
            }
        }
        self.out.push('"');
        self.end("path", label);
    }

    fn enter_space(&mut self, space: &Space) {
        if self.space == Some(*space) {
            return;
        }
        self.leave_space();
        // All digits: the products with times of many digits have to be right.
        let [x, y] = space.decimals().map(|decimals| 10_u64.saturating_pow(decimals) as f64);
        let [a, d, e, f] = [space.unit_x * x, space.unit_y * y, space.left, space.top].map(sheet::finite);
        let _ = writeln!(self.out, "<g transform=\"matrix({a} 0 0 {d} {e} {f})\">");
        self.space = Some(*space);
    }

    fn leave_space(&mut self) {
        if self.space.take().is_some() {
            self.out.push_str("</g>\n");
        }
    }

    /// Begins a tag with a label's class and data.
    fn element(&mut self, tag: &str, label: &Label) {
        self.out.push('<');
        self.out.push_str(tag);
        if !label.class.is_empty() {
            self.out.push_str(" class=\"");
            escape(&mut self.out, label.class);
            self.out.push('"');
        }
        for (name, value) in &label.data {
            let _ = write!(self.out, " data-{name}=\"");
            escape(&mut self.out, value);
            self.out.push('"');
        }
    }

    fn tooltip(&mut self, label: &Label) {
        if !label.title.is_empty() {
            self.out.push_str("<title>");
            escape(&mut self.out, &label.title);
            self.out.push_str("</title>");
        }
    }

    fn end(&mut self, tag: &str, label: &Label) {
        if label.title.is_empty() {
            self.out.push_str("/>\n");
        } else {
            self.out.push('>');
            self.tooltip(label);
            let _ = writeln!(self.out, "</{tag}>");
        }
    }

    fn stroke(&mut self, stroke: &Stroke) {
        let (colour, width) = (hex(stroke.colour), decimal(sheet::near(stroke.width).max(0.0)));
        let _ = write!(self.out, " fill=\"none\" stroke=\"{colour}\" stroke-width=\"{width}\"");
        if let Some((dash, gap)) = sheet::dash(stroke) {
            let _ = write!(self.out, " stroke-dasharray=\"{} {}\"", decimal(dash), decimal(gap));
        }
    }

    fn polylines(&mut self, lines: &[Vec<[f64; 2]>], closed: bool) {
        let out = &mut self.out;
        out.push_str(" d=\"");
        for line in lines {
            let mut at = None;
            for (number, point) in line.iter().enumerate() {
                let [x, y] = point.map(sheet::near).map(thousandths);
                match at {
                    Some((x0, y0)) if number % SHAPES_FROM_ONE_PLACE != 0 => {
                        if y == y0 {
                            out.push('h');
                            push_decimal(out, x - x0, 3);
                        } else if x == x0 {
                            out.push('v');
                            push_decimal(out, y - y0, 3);
                        } else {
                            pair(out, 'l', x - x0, y - y0);
                        }
                    }
                    _ => pair(out, if number == 0 { 'M' } else { 'L' }, x, y),
                }
                at = Some((x, y));
            }
            if closed && at.is_some() {
                out.push('z');
            }
        }
        out.push('"');
    }

    fn text(&mut self, label: &Label, text: &Text) {
        let wrapped = !label.title.is_empty();
        if wrapped {
            self.element("g", label);
            self.out.push('>');
            self.tooltip(label);
            self.out.push_str("<text");
        } else {
            self.element("text", label);
        }
        let [x, y, size] = [text.x, text.y, text.size.max(0.0)].map(sheet::near).map(decimal);
        if text.upwards {
            let _ = write!(self.out, " transform=\"matrix(0 -1 1 0 {x} {y})\"");
        } else {
            let _ = write!(self.out, " x=\"{x}\" y=\"{y}\"");
        }
        let _ = write!(self.out, " font-size=\"{size}\"");
        self.out.push_str(match text.anchor {
            Anchor::Start => "",
            Anchor::Middle => " text-anchor=\"middle\"",
            Anchor::End => " text-anchor=\"end\"",
        });
        // If none of the fonts exists, another one keeps to the width that the layout assumes.
        if font::has_all(&text.content) {
            let length = decimal(font::width(&text.content, sheet::near(text.size.max(0.0))));
            let _ = write!(self.out, " textLength=\"{length}\" lengthAdjust=\"spacingAndGlyphs\"");
        }
        if text.content.starts_with(' ') || text.content.ends_with(' ') || text.content.contains("  ") {
            self.out.push_str(" xml:space=\"preserve\"");
        }
        let _ = write!(self.out, " fill=\"{}\">", hex(text.colour));
        escape(&mut self.out, &text.content);
        self.out.push_str(if wrapped { "</text></g>\n" } else { "</text>\n" });
    }
}

enum Shape<'a> {
    Rects(&'a [Rect]),
    /// Start, and each step's end and height.
    Area(i64, &'a [(i64, i64)]),
}

impl Shape<'_> {
    /// Writes it in the space's coordinates, with these numbers of decimals.
    fn write(&self, out: &mut String, [across, down]: [u32; 2]) {
        let mut go = |command: char, numbers: &[(i64, u32)]| {
            out.push(command);
            for (at, &(n, decimals)) in numbers.iter().enumerate() {
                if at > 0 {
                    out.push(' ');
                }
                push_decimal(out, n, decimals);
            }
        };
        match *self {
            Shape::Rects(rects) => {
                let mut at = (0, 0);
                for (number, &Rect { x, y, width, height }) in rects.iter().enumerate() {
                    if number % SHAPES_FROM_ONE_PLACE == 0 {
                        go('M', &[(x, across), (y, down)]);
                    } else {
                        go('m', &[(x.saturating_sub(at.0), across), (y.saturating_sub(at.1), down)]);
                    }
                    go('h', &[(width, across)]);
                    go('v', &[(height, down)]);
                    go('h', &[(width.saturating_neg(), across)]);
                    go('z', &[]);
                    at = (x, y);
                }
            }
            Shape::Area(from, steps) => {
                let mut at = (from, 0_i64);
                go('M', &[(from, across), (0, down)]);
                for (number, &(end, height)) in steps.iter().enumerate() {
                    if height != at.1 {
                        go('v', &[(height.saturating_sub(at.1), down)]);
                    }
                    if number % SHAPES_FROM_ONE_PLACE == 0 {
                        go('H', &[(end, across)]);
                    } else {
                        go('h', &[(end.saturating_sub(at.0), across)]);
                    }
                    at = (end, height);
                }
                out.push_str("V0z");
            }
        }
    }

    /// Writes it in mm on the paper.
    fn write_in_mm(&self, out: &mut String, space: &Space) {
        let mut corners = |corners: &[[i64; 2]]| {
            for (number, [x, y]) in corners.iter().enumerate() {
                pair(out, if number == 0 { 'M' } else { 'L' }, *x, *y);
            }
            out.push('z');
        };
        match *self {
            Shape::Rects(rects) => {
                for rect in rects {
                    let [x0, y0, x1, y1] = sheet::edges(rect, space).map(thousandths);
                    corners(&[[x0, y0], [x1, y0], [x1, y1], [x0, y1]]);
                }
            }
            Shape::Area(from, steps) => {
                let points: Vec<_> = sheet::outline(from, steps, space)
                    .map(|point| point.map(thousandths))
                    .collect();
                corners(&points);
            }
        }
    }
}

fn hatch_of(item: &Item) -> Option<Rgb> {
    match item {
        Item::Rects { fill, .. } | Item::Area { fill, .. } => match fill {
            Fill::Hatch(colour) => Some(*colour),
            Fill::Solid(_) => None,
        },
        _ => None,
    }
}

fn hatch_id(colour: Rgb) -> String {
    format!("hatch-{}", hex(colour).trim_start_matches('#'))
}

fn hex(Rgb(r, g, b): Rgb) -> String {
    format!("#{r:02x}{g:02x}{b:02x}")
}

fn pair(out: &mut String, command: char, x: i64, y: i64) {
    out.push(command);
    push_decimal(out, x, 3);
    out.push(' ');
    push_decimal(out, y, 3);
}

/// A text as XML, for elements and attributes.
pub(crate) fn escape(out: &mut String, text: &str) {
    for c in printable(text).chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            c => out.push(c),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_drawings;

    fn lines(drawing: &Drawing, with: &str) -> Vec<String> {
        let svg = write(drawing);
        svg.lines()
            .filter(|line| line.contains(with))
            .map(str::to_owned)
            .collect()
    }

    #[test]
    fn times_are_exact_decimals_below_one_transform() {
        let drawing = test_drawings::lanes();
        let svg = write(&drawing);
        assert_eq!(svg.matches("matrix(0.001 0 0 0.008 10 2.5)").count(), 1, "{svg}");
        assert_eq!(
            lines(&drawing, "data-pid=\"7\""),
            ["<path class=\"runs\" data-pid=\"7\" fill=\"#3366cc\" \
              d=\"M1000 10h2000.001v80h-2000.001zm9000 0h.001v80h-.001zm-9000 100h.005v80h-.005z\">\
              <title>a&lt;b&gt; &amp; &quot;c&quot;\u{fffd} 7</title></path>"]
        );
        assert_eq!(
            lines(&drawing, "class=\"running\""),
            ["<path class=\"running\" fill=\"#00aa00\" d=\"M.005 0v3H.01v-1h.01h.005v4h.001V0z\"/>"]
        );
        assert_eq!(
            lines(&drawing, "class=\"unknown\""),
            ["<path class=\"unknown\" fill=\"url(#hatch-c9ced6)\" d=\"M10 2.5L12 2.5L12 3.5L10 3.5z\"/>"]
        );
        assert_eq!(svg.matches("<pattern id=\"hatch-c9ced6\"").count(), 1);
    }

    /// The sum of at most 16 relative moves is precise enough even in 32-bit floats.
    #[test]
    fn long_paths_name_places_again() {
        let rects: Vec<Rect> = (0..100)
            .map(|i| Rect {
                x: 20_000_000_000 + 700 * i,
                y: 0,
                width: 300,
                height: 80,
            })
            .collect();
        let mut path = String::new();
        Shape::Rects(&rects).write(&mut path, [6, 0]);
        assert_eq!(path.matches('M').count(), 7);
        let (mut at, mut worst) = (0.0_f32, 0.0_f64);
        for (part, rect) in path.split_terminator('z').zip(&rects) {
            let x: f32 = part
                .split_at(1)
                .1
                .split(' ')
                .next()
                .map_or(0.0, |x| x.parse().expect("a number"));
            at = if part.starts_with('M') { x } else { at + x };
            worst = worst.max((f64::from(at) - rect.x as f64 / 1e6).abs());
        }
        assert!(worst < 20e3 / 1e5, "{worst}");
    }

    /// Programs that compute with few bits drop shapes with large coordinates.
    #[test]
    fn no_coordinate_is_large_however_long_the_time_is() {
        for unit_x in [1.0, 1e-3, 1e-6, 1e-9, 1e-12, 1e-15] {
            let space = Space {
                left: 0.0,
                top: 0.0,
                unit_x,
                unit_y: unit_x,
            };
            // The farthest point of any page.
            let far = (5080.0 / unit_x) as i64;
            let mut path = String::new();
            Shape::Rects(&[Rect {
                x: far,
                y: far,
                width: 1,
                height: 1,
            }])
            .write(&mut path, space.decimals());
            let (x, rest) = path.split_at(1).1.split_once(' ').expect("two numbers");
            let (y, _) = rest.split_once('h').expect("a width");
            for coordinate in [x, y] {
                let coordinate: f64 = coordinate.parse().expect("a number");
                assert!(coordinate < f64::from(1 << 23), "{unit_x}: {coordinate}");
            }
        }
    }

    #[test]
    fn lines_polygons_and_texts_are_in_mm() {
        let drawing = test_drawings::lanes();
        assert_eq!(
            lines(&drawing, "stroke=\"#000000\""),
            [
                "<path class=\"axis\" fill=\"none\" stroke=\"#000000\" stroke-width=\".15\" stroke-dasharray=\"1 .5\" \
              d=\"M10 40h100v-.5M10 20.123l5 5.877\"/>"
            ]
        );
        assert_eq!(
            lines(&drawing, "fill=\"#ff0000\""),
            ["<path fill=\"#ff0000\" d=\"M1 1h1l-.5 1z\"/>"]
        );
        assert_eq!(
            lines(&drawing, "<text"),
            [
                "<text class=\"time-label\" x=\"60\" y=\"45\" font-size=\"2.469\" text-anchor=\"middle\" \
                 textLength=\"8.15\" lengthAdjust=\"spacingAndGlyphs\" fill=\"#000000\">3.25 µs</text>",
                "<text transform=\"matrix(0 -1 1 0 4 30)\" font-size=\"2.469\" text-anchor=\"end\" xml:space=\"preserve\" \
                 fill=\"#000000\">  CPU 中</text>",
            ]
        );
        assert!(write(&drawing).contains("width=\"120mm\" height=\"50mm\" viewBox=\"0 0 120 50\""));
    }

    #[test]
    fn groups_are_closed_whatever_is_asked_for() {
        let mut drawing = test_drawings::lanes();
        drawing.items.insert(0, Item::Close);
        drawing.items.push(Item::Open(Label::default()));
        let svg = write(&drawing);
        assert_eq!(svg.matches("<g").count(), svg.matches("</g>").count());
        for odd in test_drawings::odd() {
            let svg = write(&odd);
            assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
        }
    }
}
