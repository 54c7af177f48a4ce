//! The content of a PDF page: points with three decimals, y upwards.

use super::drawing::{Drawing, Fill, Item, Rect, Rgb, Space, Stroke, Text};
use super::font::{self, Glyph};
use super::number::thousandths;
use super::sheet;
use pdf_writer::types::LineJoinStyle;
use pdf_writer::{Content, Name, Settings, Str, TextStr};
use std::collections::BTreeMap;

/// The font's name in the page's resources.
pub(crate) const FONT: Name<'static> = Name(b"F");

/// The glyphs of a page, and the characters that they stand for.
pub(crate) type Used = BTreeMap<Glyph, char>;

/// Rectangles per path, because viewers keep a path in memory as a whole.
const RECTS_IN_A_PATH: usize = 500;

/// mm as points.
pub(crate) fn points(mm: f64) -> f32 {
    decimal(point_thousandths(mm))
}

fn point_thousandths(mm: f64) -> i64 {
    thousandths(mm * 72.0 / 25.4)
}

fn decimal(thousandths: i64) -> f32 {
    (thousandths as f64 / 1000.0) as f32
}

/// The page's content, and the glyphs that it uses.
pub(crate) fn content(drawing: &Drawing) -> (Vec<u8>, Used) {
    let [_, height] = sheet::size(drawing);
    let mut page = Page {
        out: Content::with_settings(Settings { pretty: false }),
        height: point_thousandths(height),
        fill: None,
        used: Used::new(),
    };
    page.out.set_line_join(LineJoinStyle::RoundJoin);
    for item in &drawing.items {
        page.item(item, sheet::size(drawing));
    }
    (page.out.finish().into_vec(), page.used)
}

struct Page {
    out: Content,
    /// Height in thousandths of a point.
    height: i64,
    /// The current fill colour.
    fill: Option<Rgb>,
    used: Used,
}

impl Page {
    fn item(&mut self, item: &Item, paper: [f64; 2]) {
        match item {
            Item::Open(_) | Item::Close => {}
            Item::Rects { space, fill, rects, .. } => match fill {
                Fill::Solid(colour) => {
                    self.set_fill(*colour);
                    for some in rects.chunks(RECTS_IN_A_PATH) {
                        self.rects(some, space);
                        self.out.fill_nonzero();
                    }
                }
                Fill::Hatch(colour) => {
                    self.out.save_state();
                    self.rects(rects, space);
                    self.stripes(*colour, paper);
                }
            },
            Item::Area {
                space,
                fill,
                from,
                steps,
                ..
            } => match fill {
                Fill::Solid(colour) => {
                    self.set_fill(*colour);
                    self.path(sheet::outline(*from, steps, space), true);
                    self.out.fill_nonzero();
                }
                Fill::Hatch(colour) => {
                    self.out.save_state();
                    self.path(sheet::outline(*from, steps, space), true);
                    self.stripes(*colour, paper);
                }
            },
            Item::Lines { stroke, lines, .. } => {
                self.set_stroke(stroke);
                for line in lines {
                    self.path(line.iter().copied(), false);
                }
                self.out.stroke();
            }
            Item::Polygons { fill, polygons, .. } => {
                self.set_fill(*fill);
                for polygon in polygons {
                    self.path(polygon.iter().copied(), true);
                }
                self.out.fill_nonzero();
            }
            Item::Text { text, .. } => self.text(text),
        }
    }

    fn point(&self, [x, y]: [f64; 2]) -> [i64; 2] {
        [
            point_thousandths(sheet::near(x)),
            self.height - point_thousandths(sheet::near(y)),
        ]
    }

    /// Adds rectangles. Neighbours share their edges, and no rectangle is so thin that it vanishes.
    fn rects(&mut self, rects: &[Rect], space: &Space) {
        for rect in rects {
            let [left, top, right, bottom] = sheet::edges(rect, space);
            let [x0, y1] = self.point([left, top]);
            let [x1, y0] = self.point([right, bottom]);
            let [x, y, width, height] = [x0, y0, (x1 - x0).max(1), (y1 - y0).max(1)].map(decimal);
            self.out.rect(x, y, width, height);
        }
    }

    fn path(&mut self, points: impl Iterator<Item = [f64; 2]>, closed: bool) {
        let mut last = None;
        for point in points {
            let point = self.point(point);
            if last == Some(point) {
                continue;
            }
            let [x, y] = point.map(decimal);
            match last {
                None => self.out.move_to(x, y),
                Some(_) => self.out.line_to(x, y),
            };
            last = Some(point);
        }
        if closed && last.is_some() {
            self.out.close_path();
        }
    }

    /// Fills the path with stripes, which ends it.
    fn stripes(&mut self, colour: Rgb, paper: [f64; 2]) {
        self.out.clip_nonzero().end_path();
        self.set_stroke(&Stroke {
            width: sheet::HATCH_STRIPE,
            colour,
            dash: None,
        });
        for line in sheet::stripes(paper) {
            self.path(line.into_iter(), false);
        }
        self.out.stroke();
        self.out.restore_state();
    }

    fn set_fill(&mut self, colour: Rgb) {
        if self.fill != Some(colour) {
            let [r, g, b] = rgb(colour);
            self.out.set_fill_rgb(r, g, b);
            self.fill = Some(colour);
        }
    }

    fn set_stroke(&mut self, stroke: &Stroke) {
        let [r, g, b] = rgb(stroke.colour);
        self.out.set_stroke_rgb(r, g, b);
        self.out.set_line_width(points(sheet::near(stroke.width).max(0.0)));
        let dash = sheet::dash(stroke).map(|(dash, gap)| [points(dash), points(gap)]);
        self.out.set_dash_pattern(dash.iter().flatten().copied(), 0.0);
    }

    fn text(&mut self, text: &Text) {
        let size = sheet::near(text.size).max(0.0);
        let content = font::printable(&text.content);
        let mut codes = Vec::new();
        let mut substituted = false;
        for (character, glyph) in font::glyphs(&content) {
            let known = glyph != font::missing();
            substituted |= !known;
            self.used
                .entry(glyph)
                .or_insert(if known { character } else { font::REPLACEMENT });
            codes.extend(glyph.id.to_be_bytes());
        }
        if codes.is_empty() || size == 0.0 {
            return;
        }
        let before = text.anchor.before() * font::width(&content, size);
        let [x, y] = if text.upwards {
            self.point([text.x, text.y + before])
        } else {
            self.point([text.x - before, text.y])
        }
        .map(decimal);
        self.set_fill(text.colour);
        if substituted {
            // What a selection copies although the font has no glyph for it.
            self.out
                .begin_marked_content_with_properties(Name(b"Span"))
                .properties()
                .actual_text(TextStr(&content));
        }
        self.out.begin_text().set_font(FONT, points(size));
        self.out.set_text_matrix(if text.upwards {
            [0.0, 1.0, -1.0, 0.0, x, y]
        } else {
            [1.0, 0.0, 0.0, 1.0, x, y]
        });
        self.out.show(Str(&codes)).end_text();
        if substituted {
            self.out.end_marked_content();
        }
    }
}

/// Components with three decimals, enough to recover each byte.
fn rgb(Rgb(r, g, b): Rgb) -> [f32; 3] {
    [r, g, b].map(|part| decimal(thousandths(f64::from(part) / 255.0)))
}
