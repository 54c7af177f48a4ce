//! The files that a drawing can be written as.

use super::drawing::Drawing;
use super::svg;

impl Drawing {
    /// As SVG.
    pub fn to_svg(&self) -> String {
        svg::write(self)
    }
}
