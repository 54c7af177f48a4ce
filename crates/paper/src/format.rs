//! The file formats of drawings.

use super::drawing::Drawing;
use super::error::PaperError;
use super::{pdf, png, svg};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// A file format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "lowercase")]
#[ts(rename = "FigureFormat")]
pub enum Format {
    /// Vectors, for the web and for editing.
    Svg,
    /// Vectors, for papers.
    Pdf,
    /// Pixels.
    Png,
}

impl Format {
    /// All formats.
    pub const ALL: [Format; 3] = [Format::Svg, Format::Pdf, Format::Png];

    /// Extension of file names, without the dot.
    pub fn extension(self) -> &'static str {
        match self {
            Format::Svg => "svg",
            Format::Pdf => "pdf",
            Format::Png => "png",
        }
    }

    /// The format of a file, from its name.
    pub fn of_file(name: &str) -> Option<Format> {
        let (_, extension) = name.rsplit_once('.')?;
        Format::ALL
            .into_iter()
            .find(|format| extension.eq_ignore_ascii_case(format.extension()))
    }
}

impl Drawing {
    /// The drawing as a file; for PNG with this resolution in dots per inch.
    pub fn to(&self, format: Format, dpi: u32) -> Result<Vec<u8>, PaperError> {
        match format {
            Format::Svg => Ok(self.to_svg().into_bytes()),
            Format::Pdf => Ok(self.to_pdf()),
            Format::Png => self.to_png(dpi),
        }
    }

    /// As SVG.
    pub fn to_svg(&self) -> String {
        svg::write(self)
    }

    /// As PDF.
    pub fn to_pdf(&self) -> Vec<u8> {
        pdf::write(self)
    }

    /// As PNG with this resolution in dots per inch.
    pub fn to_png(&self, dpi: u32) -> Result<Vec<u8>, PaperError> {
        png::write(self, dpi)
    }
}
