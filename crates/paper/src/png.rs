//! A drawing as PNG, in pixels of the paper.

use super::coverage::{Layer, PIXEL};
use super::drawing::{About, Drawing, Item, Rgb, Stroke, Text};
use super::error::PaperError;
use super::font;
use super::sheet;
use png::{BitDepth, ColorType, Compression, Encoder, EncodingError, PixelDimensions, SrgbRenderingIntent, Unit};
use skrifa::outline::OutlinePen;
use std::ops::Range;
use tiny_skia::{Color, FillRule, LineJoin, Paint, PathBuilder, Pixmap, StrokeDash, Transform};

/// The most pixels of an image: a larger one takes gigabytes to draw and to view.
const MOST_PIXELS: f64 = 100e6;

/// Of resolutions in dots per inch.
pub const MM_PER_INCH: f64 = 25.4;

/// The file, with this resolution in dots per inch.
pub(crate) fn write(drawing: &Drawing, dpi: u32) -> Result<Vec<u8>, PaperError> {
    let scale = f64::from(dpi.max(1)) / MM_PER_INCH;
    let [width, height] = sheet::size(drawing).map(|side| (side * scale).round().max(1.0));
    if width * height > MOST_PIXELS {
        return Err(PaperError::Pixels { width, height });
    }
    let mut pixmap = Pixmap::new(width as u32, height as u32).ok_or(PaperError::Pixels { width, height })?;
    pixmap.fill(Color::WHITE);
    let mut image = Image { pixmap, scale };
    let mut items = drawing.items.as_slice();
    while let Some((first, rest)) = items.split_first() {
        let also = rest.iter().take_while(|item| on_one_layer(first, item)).count();
        let (layer, rest) = items.split_at(1 + also);
        image.draw(layer);
        items = rest;
    }
    // Encoding into memory fails only for an invalid description.
    encode(image.pixmap, dpi, &drawing.about).map_err(|_| PaperError::Pixels { width, height })
}

/// Class of marks that widen narrow rectangles to a dot; they overlap.
const MARKS: &str = "ticks";

/// Whether both are rectangles that do not overlap: of one kind, or parts of the time of a lane.
fn on_one_layer(a: &Item, b: &Item) -> bool {
    let part_of_lane = |class| matches!(class, "runs" | "inferred" | "merged" | "unknown");
    let tile = |a, b| a == b && a != MARKS || part_of_lane(a) && part_of_lane(b);
    match (a, b) {
        (
            Item::Rects { label, space, .. },
            Item::Rects {
                label: other,
                space: same,
                ..
            },
        ) => space == same && tile(label.class, other.class),
        _ => false,
    }
}

fn encode(pixmap: Pixmap, dpi: u32, about: &About) -> Result<Vec<u8>, EncodingError> {
    let (width, height) = (pixmap.width(), pixmap.height());
    let rgb: Vec<u8> = pixmap
        .data()
        .chunks_exact(PIXEL)
        .flat_map(|pixel| pixel.iter().take(3).copied())
        .collect();
    drop(pixmap);
    let mut file = Vec::new();
    let mut encoder = Encoder::new(&mut file, width, height);
    encoder.set_color(ColorType::Rgb);
    encoder.set_depth(BitDepth::Eight);
    encoder.set_compression(Compression::Balanced);
    encoder.set_source_srgb(SrgbRenderingIntent::RelativeColorimetric);
    let per_metre = (f64::from(dpi) / MM_PER_INCH * 1000.0).round() as u32;
    encoder.set_pixel_dims(Some(PixelDimensions {
        xppu: per_metre,
        yppu: per_metre,
        unit: Unit::Meter,
    }));
    let mut says = |keyword: &str, text: &str| match text {
        "" => Ok(()),
        text => encoder.add_itxt_chunk(keyword.to_owned(), font::printable(text).into_owned()),
    };
    says("Title", &about.title)?;
    says("Software", sheet::PRODUCER)?;
    says("Command", &about.command)?;
    for (number, view) in (1..).zip(&about.views) {
        says(&format!("View{number}"), view)?;
    }
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&rgb)?;
    writer.finish()?;
    Ok(file)
}

struct Image {
    pixmap: Pixmap,
    /// Pixels per mm.
    scale: f64,
}

impl Image {
    /// Draws one item, or rectangles of one kind.
    fn draw(&mut self, items: &[Item]) {
        match items {
            [Item::Rects { .. }, ..] => self.rects(items),
            [Item::Area {
                space,
                fill,
                from,
                steps,
                ..
            }] => {
                let scale = self.scale;
                let bars = || {
                    let starts = std::iter::once(*from).chain(steps.iter().map(|&(end, _)| end));
                    starts.zip(steps).map(|(start, &(end, height))| {
                        sheet::edges_between([start, 0], [end, height], space).map(|mm| mm * scale)
                    })
                };
                let rows = self.rows(bars());
                self.layer(rows, true).paint(bars(), *fill);
            }
            [Item::Lines { stroke, lines, .. }] => self.lines(stroke, lines),
            [Item::Polygons { fill, polygons, .. }] => {
                let mut path = PathBuilder::new();
                for polygon in polygons {
                    self.polyline(&mut path, polygon);
                    path.close();
                }
                self.fill(path, *fill, Transform::identity());
            }
            [Item::Text { text, .. }] => self.text(text),
            _ => {}
        }
    }

    fn rects(&mut self, items: &[Item]) {
        let scale = self.scale;
        let rects_of = |item| match item {
            &Item::Rects { ref rects, space, .. } => Some(
                rects
                    .iter()
                    .map(move |rect| sheet::edges(rect, &space).map(|mm| mm * scale)),
            ),
            _ => None,
        };
        let rows = self.rows(items.iter().filter_map(rects_of).flatten());
        let tiles = !matches!(items, [Item::Rects { label, .. }] if label.class == MARKS);
        let mut layer = self.layer(rows, tiles);
        for item in items {
            if let (Item::Rects { fill, .. }, Some(rects)) = (item, rects_of(item)) {
                layer.paint(rects, *fill);
            }
        }
    }

    /// The rows of the image that rectangles touch.
    fn rows(&self, rects: impl Iterator<Item = [f64; 4]>) -> Range<usize> {
        let (top, bottom) = rects.fold((f64::INFINITY, 0.0_f64), |(top, bottom), rect| {
            (top.min(rect[1]), bottom.max(rect[3]))
        });
        let height = f64::from(self.pixmap.height());
        let top = top.clamp(0.0, height);
        top as usize..bottom.clamp(top, height).ceil() as usize
    }

    fn layer(&mut self, rows: Range<usize>, tiles: bool) -> Layer<'_> {
        let width = self.pixmap.width() as usize;
        Layer::new(self.pixmap.data_mut(), width, rows, self.scale, tiles)
    }

    fn pixels(&self, mm: f64) -> f32 {
        (sheet::near(mm) * self.scale) as f32
    }

    fn polyline(&self, path: &mut PathBuilder, line: &[[f64; 2]]) {
        for (number, point) in line.iter().enumerate() {
            let [x, y] = point.map(|mm| self.pixels(mm));
            if number == 0 {
                path.move_to(x, y);
            } else {
                path.line_to(x, y);
            }
        }
    }

    fn lines(&mut self, stroke: &Stroke, lines: &[Vec<[f64; 2]>]) {
        let mut path = PathBuilder::new();
        for line in lines {
            self.polyline(&mut path, line);
        }
        let dash = sheet::dash(stroke).map(|(dash, gap)| vec![self.pixels(dash), self.pixels(gap)]);
        let look = tiny_skia::Stroke {
            width: self.pixels(stroke.width),
            line_join: LineJoin::Round,
            dash: dash.and_then(|dash| StrokeDash::new(dash, 0.0)),
            ..tiny_skia::Stroke::default()
        };
        if let (Some(path), true) = (path.finish(), look.width > 0.0) {
            self.pixmap
                .stroke_path(&path, &paint(stroke.colour), &look, Transform::identity(), None);
        }
    }

    fn fill(&mut self, path: PathBuilder, colour: Rgb, transform: Transform) {
        if let Some(path) = path.finish() {
            self.pixmap
                .fill_path(&path, &paint(colour), FillRule::Winding, transform, None);
        }
    }

    fn text(&mut self, text: &Text) {
        let content = font::printable(&text.content);
        let size = sheet::near(text.size).max(0.0);
        if size == 0.0 {
            return;
        }
        let before = text.anchor.before() * font::width(&content, size);
        let unit = (size * self.scale / f64::from(font::units_per_em())) as f32;
        let [x, y, before] = [text.x, text.y, before].map(|mm| self.pixels(mm));
        let transform = if text.upwards {
            Transform::from_row(0.0, -unit, -unit, 0.0, x, y + before)
        } else {
            Transform::from_row(unit, 0.0, 0.0, -unit, x - before, y)
        };
        let mut path = PathBuilder::new();
        let mut pen = Pen {
            path: &mut path,
            x: 0.0,
        };
        for (_, glyph) in font::glyphs(&content) {
            font::outline(glyph, &mut pen);
            pen.x += f32::from(glyph.advance);
        }
        self.fill(path, text.colour, transform);
    }
}

fn paint(Rgb(r, g, b): Rgb) -> Paint<'static> {
    let mut paint = Paint::default();
    paint.set_color_rgba8(r, g, b, 255);
    paint
}

/// Draws glyphs beside each other.
struct Pen<'a> {
    path: &'a mut PathBuilder,
    x: f32,
}

impl OutlinePen for Pen<'_> {
    fn move_to(&mut self, x: f32, y: f32) {
        self.path.move_to(self.x + x, y);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        self.path.line_to(self.x + x, y);
    }

    fn quad_to(&mut self, cx: f32, cy: f32, x: f32, y: f32) {
        self.path.quad_to(self.x + cx, cy, self.x + x, y);
    }

    fn curve_to(&mut self, ax: f32, ay: f32, bx: f32, by: f32, x: f32, y: f32) {
        self.path.cubic_to(self.x + ax, ay, self.x + bx, by, self.x + x, y);
    }

    fn close(&mut self) {
        self.path.close();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drawing::{Label, Rect};
    use crate::test_drawings;

    /// The pixels of a drawing at 10 pixels per mm, decoded.
    fn decoded(drawing: &Drawing) -> (Vec<u8>, png::OutputInfo) {
        let file = write(drawing, 254).expect("a file");
        let mut reader = png::Decoder::new(std::io::Cursor::new(file))
            .read_info()
            .expect("a header");
        let mut pixels = vec![0; reader.output_buffer_size().expect("a size")];
        let info = reader.next_frame(&mut pixels).expect("an image");
        (pixels, info)
    }

    fn ink(drawing: &Drawing, columns: Range<usize>, rows: Range<usize>) -> [u8; 3] {
        let (pixels, info) = decoded(drawing);
        let mut sums = [0_usize; 3];
        for row in rows.clone() {
            for column in columns.clone() {
                for (channel, sum) in sums.iter_mut().enumerate() {
                    *sum += usize::from(pixels[row * info.line_size + column * 3 + channel]);
                }
            }
        }
        sums.map(|sum| (sum / (rows.len() * columns.len())) as u8)
    }

    #[test]
    fn everything_is_where_it_belongs() {
        let drawing = test_drawings::lanes();
        let (_, info) = decoded(&drawing);
        assert_eq!((info.width, info.height), (1200, 500));
        // A run from 11 to 13 mm wide, and from 2.58 to 3.22 mm high.
        assert_eq!(ink(&drawing, 121..130, 27..32), [0x33, 0x66, 0xcc]);
        assert_eq!(ink(&drawing, 131..140, 27..32), [255, 255, 255]);
        // The triangle, which fills half of a square.
        let [r, g, b] = ink(&drawing, 10..20, 10..20);
        assert!(r == 255 && (120..136).contains(&g) && g == b, "{r} {g} {b}");
        // A label in the middle of 60 mm, from the base line upwards.
        let [label, beside] = [560..640, 640..720].map(|columns| ink(&drawing, columns, 432..450)[0]);
        assert!(label < 230 && beside == 255, "{label} {beside}");
        // A label that is read upwards and ends at 30 mm.
        let [label, below] = [300..400, 401..480].map(|rows| ink(&drawing, 22..42, rows)[0]);
        assert!(label < 250 && below == 255, "{label} {below}");
    }

    /// If a run ends within a pixel and merged ones begin there, no paper shows through.
    #[test]
    fn what_lanes_are_made_of_has_no_seams() {
        let mut drawing = test_drawings::lanes();
        let Some(Item::Rects { space, fill, .. }) = drawing.items.get(1).cloned() else {
            panic!("no runs");
        };
        // The first run ends at 13.000001 mm; the others follow from there, and they meet in the middle of a pixel.
        for (class, x, width) in [("merged", 3_000_001, 1_050_000), ("inferred", 4_050_001, 1_000_000)] {
            let label = Label {
                class,
                ..Label::default()
            };
            let rects = vec![rect(x, width)];
            drawing.items.insert(
                2,
                Item::Rects {
                    label,
                    space,
                    fill,
                    rects,
                },
            );
        }
        assert_eq!(ink(&drawing, 121..150, 27..32), [0x33, 0x66, 0xcc]);
    }

    fn rect(x: i64, width: i64) -> Rect {
        Rect {
            y: 10,
            x,
            width,
            height: 80,
        }
    }

    #[test]
    fn too_many_pixels_are_refused() {
        let drawing = test_drawings::lanes();
        assert_eq!(
            write(&drawing, 10_000),
            Err(PaperError::Pixels {
                width: 47244.0,
                height: 19685.0
            })
        );
        assert!(write(&drawing, 0).is_ok());
        assert!(write(&drawing, u32::MAX).is_err());
    }

    #[test]
    fn nothing_odd_fails() {
        for odd in test_drawings::odd() {
            assert!(write(&odd, 20).is_ok());
        }
    }
}
