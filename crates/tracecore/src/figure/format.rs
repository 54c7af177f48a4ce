//! The files that a drawing can be written as.

use super::drawing::Drawing;
use super::{pdf, svg};

impl Drawing {
    /// As SVG.
    pub fn to_svg(&self) -> String {
        svg::write(self)
    }

    /// As PDF.
    pub fn to_pdf(&self) -> Vec<u8> {
        pdf::write(self)
    }
}
