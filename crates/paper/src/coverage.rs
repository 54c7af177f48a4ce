//! Rasterises rectangles by the share of each pixel that they cover.
//!
//! Rectangles that tile do not overlap, so their shares of a pixel add up: no paper shows through where two meet within
//! a pixel, and a hundred thin ones are as dark as they are wide.

use super::drawing::{Fill, Rgb};
use super::sheet::{HATCH_PERIOD, HATCH_STRIPE};
use std::ops::Range;

/// Bytes per pixel: red, green, blue, opacity.
pub(crate) const PIXEL: usize = 4;

/// The value of `Layer::taken` for a fully covered pixel.
const WHOLE: f32 = 65535.0;

/// Rows of an image on which rectangles are painted. Edges are in pixels: left, upper, right, lower.
pub(crate) struct Layer<'a> {
    pixels: &'a mut [u8],
    width: usize,
    /// First row.
    top: usize,
    /// The pixels before; empty if rectangles may overlap, in which case later ones cover earlier ones.
    below: Vec<u8>,
    /// The covered share of each pixel; empty likewise.
    taken: Vec<u16>,
    pixels_per_mm: f64,
    /// By column: the share that the current rectangles cover.
    row: Vec<f32>,
    /// Columns with a share other than 0.
    columns: Vec<usize>,
}

impl<'a> Layer<'a> {
    /// A layer for these rows of an image.
    pub(crate) fn new(
        image: &'a mut [u8],
        width: usize,
        rows: Range<usize>,
        pixels_per_mm: f64,
        tiles: bool,
    ) -> Layer<'a> {
        let bytes = rows.start * width * PIXEL..rows.end * width * PIXEL;
        let pixels = image.get_mut(bytes).unwrap_or_default();
        let known = if tiles { pixels.len() } else { 0 };
        Layer {
            below: pixels.get(..known).unwrap_or_default().to_vec(),
            taken: vec![0; known / PIXEL],
            pixels,
            width,
            top: rows.start,
            pixels_per_mm,
            row: vec![0.0; width],
            columns: Vec::new(),
        }
    }

    /// Paints rectangles; fastest if rectangles of the same height follow each other.
    pub(crate) fn paint(&mut self, rects: impl Iterator<Item = [f64; 4]>, fill: Fill) {
        let mut lane = (0.0, 0.0);
        for [left, top, right, bottom] in rects {
            if lane != (top, bottom) {
                self.flush(lane, fill);
                lane = (top, bottom);
            }
            let limit = self.width as f64;
            let (left, right) = (left.clamp(0.0, limit), right.clamp(0.0, limit));
            for (column, share) in shares(left, right) {
                if let Some(covered) = self.row.get_mut(column) {
                    if share > 0.0 && *covered == 0.0 {
                        self.columns.push(column);
                    }
                    *covered += share;
                }
            }
        }
        self.flush(lane, fill);
    }

    fn flush(&mut self, (top, bottom): (f64, f64), fill: Fill) {
        let (colour, hatched) = match fill {
            Fill::Solid(colour) => (colour, false),
            Fill::Hatch(colour) => (colour, true),
        };
        let first = self.top as f64;
        let rows = (self.pixels.len() / PIXEL / self.width.max(1)) as f64;
        let (from, to) = ((top - first).clamp(0.0, rows), (bottom - first).clamp(0.0, rows));
        let mut columns = std::mem::take(&mut self.columns);
        for (row, height) in shares(from, to) {
            for &column in &columns {
                let mut share = self.row.get(column).copied().unwrap_or(0.0).min(1.0) * height;
                if hatched {
                    share *= stripe(column, row + self.top, self.pixels_per_mm);
                }
                self.add(row * self.width + column, share, colour);
            }
        }
        for column in columns.drain(..) {
            if let Some(covered) = self.row.get_mut(column) {
                *covered = 0.0;
            }
        }
        self.columns = columns;
    }

    /// Adds a share of a colour to a pixel, up to its free share.
    fn add(&mut self, at: usize, share: f32, Rgb(r, g, b): Rgb) {
        let bytes = at * PIXEL..at * PIXEL + 3;
        let Some(pixel) = self.pixels.get_mut(bytes.clone()) else {
            return;
        };
        let mut share = (share * WHOLE).round();
        if let Some(taken) = self.taken.get_mut(at) {
            share = share.min(WHOLE - f32::from(*taken));
            *taken += share as u16;
        }
        let mut below = [0; 3];
        below.copy_from_slice(self.below.get(bytes).unwrap_or(pixel));
        for ((channel, below), colour) in pixel.iter_mut().zip(below).zip([r, g, b]) {
            let change = (f32::from(colour) - f32::from(below)) * share / WHOLE;
            *channel = (f32::from(*channel) + change).round() as u8;
        }
    }
}

/// The pixels between two positions, and the share of each.
fn shares(from: f64, to: f64) -> impl Iterator<Item = (usize, f32)> {
    // Places are within the image: `as` only drops the fraction.
    let pixels = from as usize..to.max(from).ceil() as usize;
    pixels.map(move |pixel| {
        let start = pixel as f64;
        (pixel, (to.min(start + 1.0) - from.max(start)).max(0.0) as f32)
    })
}

/// The share of a pixel that lies on a stripe of a hatch; x + y is constant along a stripe.
fn stripe(column: usize, row: usize, pixels_per_mm: f64) -> f32 {
    use std::f64::consts::SQRT_2;
    let across = (column + row + 1) as f64 / SQRT_2 / pixels_per_mm;
    let place = across - (across / HATCH_PERIOD).floor() * HATCH_PERIOD;
    let (start, end) = (place, HATCH_STRIPE - place);
    let inside = start
        .min(end)
        .max(start.min(HATCH_PERIOD + HATCH_STRIPE - place) - HATCH_PERIOD);
    (inside * pixels_per_mm + 0.5).clamp(0.0, 1.0) as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    const RED: Fill = Fill::Solid(Rgb(255, 0, 0));
    const BLUE: Fill = Fill::Solid(Rgb(0, 0, 255));

    fn image(width: usize, height: usize, paint: impl FnOnce(&mut Layer<'_>)) -> Vec<[u8; 3]> {
        let mut image = vec![255; width * height * PIXEL];
        paint(&mut Layer::new(&mut image, width, 0..height, 10.0, true));
        image
            .chunks(PIXEL)
            .map(|pixel| [pixel[0], pixel[1], pixel[2]])
            .collect()
    }

    #[test]
    fn a_pixel_has_as_much_colour_as_is_covered() {
        let image = image(3, 2, |layer| layer.paint([[0.5, 0.0, 2.0, 1.5]].into_iter(), RED));
        let [half, full, none] = [[255, 127, 127], [255, 0, 0], [255, 255, 255]];
        assert_eq!(image, [half, full, none, [255, 191, 191], half, none]);
    }

    #[test]
    fn the_paper_does_not_shine_through_between_neighbours() {
        let image = image(1, 1, |layer| {
            layer.paint([[0.0, 0.0, 0.5, 1.0]].into_iter(), RED);
            layer.paint([[0.5, 0.0, 1.0, 1.0]].into_iter(), BLUE);
        });
        assert!(image[0][1] <= 1, "{image:?}");
    }

    #[test]
    fn many_thin_ones_are_as_dark_as_they_are_wide() {
        let thin = (0..1000)
            .map(|i| f64::from(i) / 1000.0)
            .map(|x| [x, 0.0, x + 0.0005, 1.0]);
        assert_eq!(image(1, 1, |layer| layer.paint(thin, RED)), [[255, 128, 128]]);
    }

    #[test]
    fn what_is_painted_twice_is_not_more_than_whole() {
        let image = image(1, 1, |layer| {
            for _ in 0..3 {
                layer.paint([[0.0, 0.0, 1.0, 1.0]].into_iter(), RED);
            }
        });
        assert_eq!(image, [[255, 0, 0]]);
    }

    #[test]
    fn where_they_may_overlap_the_last_is_on_top() {
        let mut image = vec![255; PIXEL];
        let mut layer = Layer::new(&mut image, 1, 0..1, 10.0, false);
        layer.paint([[0.0, 0.0, 1.0, 1.0]].into_iter(), RED);
        layer.paint([[0.0, 0.0, 1.0, 1.0]].into_iter(), BLUE);
        assert_eq!(image, [0, 0, 255, 255]);
    }

    #[test]
    fn a_hatch_covers_the_share_of_its_stripes() {
        let black = Fill::Hatch(Rgb(0, 0, 0));
        let image = image(140, 140, |layer| {
            layer.paint([[0.0, 0.0, 140.0, 140.0]].into_iter(), black)
        });
        let dark: f64 = image.iter().map(|pixel| 1.0 - f64::from(pixel[0]) / 255.0).sum();
        let share = dark / f64::from(140 * 140);
        assert!((share - HATCH_STRIPE / HATCH_PERIOD).abs() < 0.02, "{share}");
    }

    #[test]
    fn nothing_outside_the_image_or_without_extent_is_painted() {
        let odd = [
            [-9.0, -9.0, -1.0, 9.0],
            [5.0, 0.0, 1e9, 1.0],
            [0.0, 7.0, 1.0, 1e9],
            [1.0, 0.0, 0.0, 1.0],
            [0.0, 1.0, 1.0, 0.0],
            [f64::NAN; 4],
        ];
        let image = image(2, 2, |layer| layer.paint(odd.into_iter(), RED));
        assert!(image.iter().all(|pixel| *pixel == [255; 3]), "{image:?}");
    }
}
