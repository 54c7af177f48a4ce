//! A drawing as PDF: one page of the drawing's size, with vectors and the font.
//!
//! It has no date and no random identifier: the same drawing makes the same bytes.

use super::drawing::{About, Drawing};
use super::font::{self, Glyph};
use super::pdf_content::{self, Used, FONT};
use super::sheet::{self, PRODUCER};
use flate2::write::ZlibEncoder;
use flate2::Compression;
use pdf_writer::types::{CidFontType, FontFlags, SystemInfo, UnicodeCmap};
use pdf_writer::{Filter, Finish, Name, Pdf, Rect, Ref, Settings, Str, TextStr};
use std::io::Write as _;

/// Six letters and the name: PDF's names for subsets of fonts.
const FONT_NAME: Name<'static> = Name(b"CORELN+Arimo-Regular");

const CATALOG: Ref = Ref::new(1);
const PAGES: Ref = Ref::new(2);
const PAGE: Ref = Ref::new(3);
const CONTENT: Ref = Ref::new(4);
const INFO: Ref = Ref::new(5);
const METADATA: Ref = Ref::new(6);
const TYPE0: Ref = Ref::new(7);
const CID_FONT: Ref = Ref::new(8);
const DESCRIPTOR: Ref = Ref::new(9);
const FONT_FILE: Ref = Ref::new(10);
const TO_UNICODE: Ref = Ref::new(11);

/// The file.
pub(crate) fn write(drawing: &Drawing) -> Vec<u8> {
    let mut pdf = Pdf::with_settings(Settings { pretty: false });
    pdf.set_version(1, 7);
    pdf.catalog(CATALOG).pages(PAGES).metadata(METADATA);
    pdf.pages(PAGES).kids([PAGE]).count(1);
    let [width, height] = sheet::size(drawing).map(pdf_content::points);
    let mut page = pdf.page(PAGE);
    page.parent(PAGES)
        .media_box(Rect::new(0.0, 0.0, width, height))
        .contents(CONTENT);
    page.resources().fonts().pair(FONT, TYPE0);
    page.finish();

    let (content, used) = pdf_content::content(drawing);
    pdf.stream(CONTENT, &deflated(&content)).filter(Filter::FlateDecode);
    embed_font(&mut pdf, &used);
    describe(&mut pdf, &drawing.about);
    pdf.finish()
}

fn embed_font(pdf: &mut Pdf, used: &Used) {
    let identity = SystemInfo {
        registry: Str(b"Adobe"),
        ordering: Str(b"Identity"),
        supplement: 0,
    };
    let per_em = f64::from(font::units_per_em());
    let thousandths = |units: f64| (units * 1000.0 / per_em).round() as f32;
    pdf.type0_font(TYPE0)
        .base_font(FONT_NAME)
        .encoding_predefined(Name(b"Identity-H"))
        .descendant_font(CID_FONT)
        .to_unicode(TO_UNICODE);
    let mut cid_font = pdf.cid_font(CID_FONT);
    cid_font
        .subtype(CidFontType::Type2)
        .base_font(FONT_NAME)
        .system_info(identity)
        .font_descriptor(DESCRIPTOR)
        .cid_to_gid_map_predefined(Name(b"Identity"));
    let mut widths = cid_font.widths();
    for &Glyph { id, advance } in used.keys() {
        widths.same(id, id, thousandths(f64::from(advance)));
    }
    widths.finish();
    cid_font.finish();
    let metrics = font::metrics();
    let [left, bottom, right, top] = metrics.bounds.map(thousandths);
    pdf.font_descriptor(DESCRIPTOR)
        .name(FONT_NAME)
        .flags(FontFlags::NON_SYMBOLIC)
        .bbox(Rect::new(left, bottom, right, top))
        .italic_angle(0.0)
        .ascent(thousandths(metrics.ascent))
        .descent(thousandths(metrics.descent))
        .cap_height(thousandths(metrics.cap_height))
        .stem_v(88.0)
        .font_file2(FONT_FILE);
    pdf.stream(FONT_FILE, &deflated(font::FILE))
        .filter(Filter::FlateDecode)
        .pair(Name(b"Length1"), i32::try_from(font::FILE.len()).unwrap_or(i32::MAX));
    let mut unicode = UnicodeCmap::new(Name(b"Corelane-Unicode"), identity);
    for (glyph, &character) in used {
        unicode.pair(glyph.id, character);
    }
    pdf.cmap(TO_UNICODE, &deflated(&unicode.finish()))
        .filter(Filter::FlateDecode);
}

/// Adds the metadata: for people, and as XMP for programs.
fn describe(pdf: &mut Pdf, about: &About) {
    let mut info = pdf.document_info(INFO);
    if !about.title.is_empty() {
        info.title(TextStr(&font::printable(&about.title)));
    }
    info.creator(TextStr(PRODUCER)).producer(TextStr(PRODUCER));
    if !about.command.is_empty() {
        info.pair(Name(b"Command"), TextStr(&about.command));
    }
    for (number, view) in (1..).zip(&about.views) {
        info.pair(Name(format!("View{number}").as_bytes()), TextStr(view));
    }
    info.finish();
    let xmp = format!(
        "<?xpacket begin=\"\u{feff}\" id=\"W5M0MpCehiHzreSzNTczkc9d\"?>\n\
         <x:xmpmeta xmlns:x=\"adobe:ns:meta/\">\n{}</x:xmpmeta>\n<?xpacket end=\"r\"?>",
        sheet::rdf(about)
    );
    pdf.metadata(METADATA, xmp.as_bytes());
}

fn deflated(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
    // Writing to memory does not fail.
    let _ = encoder.write_all(bytes);
    encoder.finish().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_drawings;

    /// The page's content, and everything else, as text. tests/figures checks with a reader how the file is shown.
    fn content(drawing: &Drawing) -> String {
        String::from_utf8_lossy(&pdf_content::content(drawing).0).into_owned()
    }

    #[test]
    fn edges_are_points_from_below_and_neighbours_share_them() {
        let content = content(&test_drawings::lanes());
        // 10 mm + 1 ms at 1 mm/ms, 2.5 mm + 10 units of 8 µm, from 50 mm of height.
        assert!(content.contains("31.181 132.604 5.669 1.815 re"), "{content}");
        // Nothing becomes so thin that it would vanish.
        assert!(content.contains("56.693 132.604 0.001 1.815 re"), "{content}");
        assert!(content.contains("[2.835 1.417]0 d"), "{content}");
    }

    #[test]
    fn nothing_odd_gets_into_a_file() {
        for odd in test_drawings::odd() {
            let content = content(&odd);
            assert!(!content.contains("NaN") && !content.contains("inf"), "{content}");
            assert!(write(&odd).len() < 200_000);
        }
    }

    /// A whole trace with 128 lanes, on a page of two columns.
    #[test]
    fn a_whole_trace_is_a_small_file() {
        let size = write(&test_drawings::whole_trace(200_000)).len();
        assert!(size < 1_500_000, "{size}");
    }
}
