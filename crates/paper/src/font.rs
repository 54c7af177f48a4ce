//! The font of all figures: widths of texts and outlines of glyphs.
//!
//! PDF embeds it and PNG is drawn with it; SVG names it and fonts of the same widths.

use skrifa::instance::{LocationRef, Size};
use skrifa::outline::{DrawSettings, OutlinePen};
use skrifa::{FontRef, GlyphId, MetadataProvider};
use std::borrow::Cow;
use std::sync::OnceLock;

/// Arimo Regular, a subset: see scripts/font/README.md.
pub(crate) const FILE: &[u8] = include_bytes!("../assets/arimo/Arimo-Regular.ttf");

/// Replaces characters that no text may contain, and those without a glyph.
pub(crate) const REPLACEMENT: char = '\u{fffd}';

/// How a character is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Glyph {
    /// Its index in the font.
    pub(crate) id: u16,
    /// Its advance width, in [`units_per_em`].
    pub(crate) advance: u16,
}

/// Characters and their glyphs, in ascending order.
struct Glyphs {
    of: Vec<(char, Glyph)>,
    missing: Glyph,
    units_per_em: u16,
    metrics: Metrics,
}

/// Metrics of the font, in its units.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Metrics {
    /// From the base line to the top of the tallest letters.
    pub(crate) ascent: f64,
    /// From the base line to the bottom of the deepest letters; negative.
    pub(crate) descent: f64,
    /// Height of a capital letter.
    pub(crate) cap_height: f64,
    /// Left, lower, right and upper edge of the bounding box of all glyphs.
    pub(crate) bounds: [f64; 4],
}

fn font() -> Option<FontRef<'static>> {
    FontRef::new(FILE).ok()
}

fn table() -> &'static Glyphs {
    static GLYPHS: OnceLock<Glyphs> = OnceLock::new();
    GLYPHS.get_or_init(|| font().map_or(Glyphs::NONE, |font| Glyphs::read(&font)))
}

impl Glyphs {
    const NONE: Glyphs = Glyphs {
        of: Vec::new(),
        missing: Glyph { id: 0, advance: 0 },
        units_per_em: 1,
        metrics: Metrics {
            ascent: 0.0,
            descent: 0.0,
            cap_height: 0.0,
            bounds: [0.0; 4],
        },
    };

    fn read(font: &FontRef<'_>) -> Glyphs {
        let glyph_metrics = font.glyph_metrics(Size::unscaled(), LocationRef::default());
        let metrics = font.metrics(Size::unscaled(), LocationRef::default());
        let bounds = metrics.bounds.unwrap_or_default();
        let glyph = |id: GlyphId| Glyph {
            id: u16::try_from(id.to_u32()).unwrap_or(0),
            advance: glyph_metrics.advance_width(id).unwrap_or(0.0) as u16,
        };
        let chars = font.charmap().mappings();
        let mut of: Vec<(char, Glyph)> = chars
            .filter_map(|(code, id)| Some((char::from_u32(code)?, glyph(id))))
            .collect();
        of.sort_unstable();
        Glyphs {
            missing: find(&of, REPLACEMENT).unwrap_or_else(|| glyph(GlyphId::NOTDEF)),
            of,
            units_per_em: metrics.units_per_em.max(1),
            metrics: Metrics {
                ascent: f64::from(metrics.ascent),
                descent: f64::from(metrics.descent),
                cap_height: f64::from(metrics.cap_height.unwrap_or(metrics.ascent)),
                bounds: [bounds.x_min, bounds.y_min, bounds.x_max, bounds.y_max].map(f64::from),
            },
        }
    }
}

fn find(of: &[(char, Glyph)], c: char) -> Option<Glyph> {
    let at = of.binary_search_by_key(&c, |&(c, _)| c).ok()?;
    of.get(at).map(|&(_, glyph)| glyph)
}

/// Size of the em in the font's units.
pub(crate) fn units_per_em() -> u16 {
    table().units_per_em
}

/// Metrics of the font.
pub(crate) fn metrics() -> Metrics {
    table().metrics
}

/// The glyph that is drawn for characters that the font does not have.
pub(crate) fn missing() -> Glyph {
    table().missing
}

/// The glyphs of a text with their characters; those that the font does not have are drawn as [`REPLACEMENT`].
pub(crate) fn glyphs(text: &str) -> impl Iterator<Item = (char, Glyph)> + '_ {
    let glyphs = table();
    text.chars().map(|c| (c, find(&glyphs.of, c).unwrap_or(glyphs.missing)))
}

/// Draws the outline of a glyph, in the font's units, y upwards from the base line.
pub(crate) fn outline(glyph: Glyph, pen: &mut impl OutlinePen) {
    let outline = font().and_then(|font| font.outline_glyphs().get(GlyphId::from(glyph.id)));
    if let Some(outline) = outline {
        // A glyph that cannot be drawn leaves a gap; a test draws all of them.
        let _ = outline.draw(DrawSettings::unhinted(Size::unscaled(), LocationRef::default()), pen);
    }
}

/// Whether the font has a glyph for each character of a text, and the text is visible.
pub fn has_all(text: &str) -> bool {
    let glyphs = table();
    !text.trim().is_empty() && text.chars().all(|c| find(&glyphs.of, c).is_some())
}

/// Width in mm of a text in letters of `size` mm.
pub fn width(text: &str, size: f64) -> f64 {
    let units: u64 = glyphs(text).map(|(_, glyph)| u64::from(glyph.advance)).sum();
    units as f64 * size / f64::from(units_per_em())
}

/// The text, or as much of its beginning as fits into `max` mm together with an ellipsis; empty if not even the
/// ellipsis fits.
pub fn ellipsize(text: &str, size: f64, max: f64) -> Cow<'_, str> {
    const ELLIPSIS: &str = "…";
    if width(text, size) <= max {
        return Cow::Borrowed(text);
    }
    let room = (max - width(ELLIPSIS, size)) * f64::from(units_per_em()) / size;
    if room.is_nan() || room < 0.0 {
        return Cow::Borrowed("");
    }
    let mut used = 0.0;
    let fits = text.char_indices().zip(glyphs(text)).find_map(|((at, _), (_, glyph))| {
        used += f64::from(glyph.advance);
        (used > room).then_some(at)
    });
    let kept = text.get(..fits.unwrap_or(text.len())).unwrap_or(text);
    Cow::Owned(format!("{}{ELLIPSIS}", kept.trim_end()))
}

/// The text without what some format cannot hold: XML has no control characters, and a line has no line breaks.
pub fn printable(text: &str) -> Cow<'_, str> {
    let odd = |c: char| c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}' | '\u{2028}' | '\u{2029}');
    if text.contains(odd) {
        Cow::Owned(text.replace(odd, "\u{fffd}"))
    } else {
        Cow::Borrowed(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Advance widths of Helvetica from Adobe's font metrics, in thousandths of an em; those of Arimo are the same.
    #[test]
    fn letters_are_as_wide_as_helveticas() {
        for (text, thousandths) in [
            ("0", 556.0),
            ("0123456789", 5560.0),
            (" ", 278.0),
            ("i", 222.0),
            ("W", 944.0),
            ("—", 1000.0),
            ("CPU", 722.0 + 667.0 + 722.0),
        ] {
            let wide = width(text, 1000.0);
            assert!((wide - thousandths).abs() < text.len() as f64, "{text}: {wide}");
        }
        assert_eq!(width("", 3.0), 0.0);
        assert_eq!(width("CPU", 2.0), 2.0 * width("CPU", 1.0));
    }

    #[test]
    fn what_figures_write_has_glyphs() {
        for text in [
            "µs × · – — … → ← ↑ ↓ ≥ ≤ ≠ ≈ − ′ ″ ‘’ “” • ▲ ▼ Δ",
            "ÄÖÜäöüßéèçñ ŁłřšĐ",
            REPLACEMENT.encode_utf8(&mut [0; 4]),
        ] {
            for c in text.chars() {
                assert!(find(&table().of, c).is_some(), "{c}");
            }
        }
        let missing = |text| glyphs(text).all(|(_, glyph)| glyph == table().missing);
        assert!(missing("中文\u{1F600}\u{7}"));
        assert!(width("中", 1.0) > 0.0);
    }

    #[test]
    fn every_glyph_can_be_drawn() {
        for &(c, glyph) in &table().of {
            let mut path = String::new();
            outline(glyph, &mut Svg(&mut path));
            assert_eq!(path.is_empty(), c.is_whitespace(), "{c:?}");
        }
    }

    struct Svg<'a>(&'a mut String);

    impl OutlinePen for Svg<'_> {
        fn move_to(&mut self, _: f32, _: f32) {
            self.0.push('M');
        }
        fn line_to(&mut self, _: f32, _: f32) {
            self.0.push('L');
        }
        fn quad_to(&mut self, _: f32, _: f32, _: f32, _: f32) {
            self.0.push('Q');
        }
        fn curve_to(&mut self, _: f32, _: f32, _: f32, _: f32, _: f32, _: f32) {
            self.0.push('C');
        }
        fn close(&mut self) {
            self.0.push('Z');
        }
    }

    #[test]
    fn what_is_too_wide_ends_in_an_ellipsis() {
        let fits = |text, max| ellipsize(text, 2.0, max).into_owned();
        assert_eq!(fits("ua.C.x", 100.0), "ua.C.x");
        assert_eq!(fits("ua.C.x", width("ua.C.x", 2.0)), "ua.C.x");
        assert_eq!(fits("ua.C.x", width("ua.C.x", 2.0) - 0.001), "ua.…");
        assert_eq!(fits("ua C x", width("ua …", 2.0)), "ua…", "no space before it");
        assert_eq!(fits("ua.C.x", width("…", 2.0)), "…");
        assert_eq!(fits("ua.C.x", 0.1), "");
        assert_eq!(fits("", 0.0), "");
        assert_eq!(fits("äöü", width("ä…", 2.0) + 0.001), "ä…");
        for odd in [f64::NAN, f64::NEG_INFINITY, -1.0] {
            assert_eq!(fits("ua.C.x", odd), "");
        }
        assert_eq!(ellipsize("ua", 0.0, 1.0), "ua");
    }

    #[test]
    fn no_text_holds_what_xml_cannot() {
        assert_eq!(printable("a\u{1b}[31m\n\u{ffff}b"), "a\u{fffd}[31m\u{fffd}\u{fffd}b");
        assert!(matches!(printable("<é…>"), Cow::Borrowed(_)));
    }
}
