//! Paper: shapes and texts in millimetres, written as SVG, PDF and PNG, independent of traces.
//!
//! A [`Drawing`] is a list of [`Item`]s. Each format writes all of it and decides nothing. Widths of texts are those of
//! one embedded font ([`font`]), so that a layout holds in every viewer.

mod coverage;
mod drawing;
mod error;
pub mod font;
mod format;
pub mod number;
mod pdf;
mod pdf_content;
mod png;
mod sheet;
mod svg;
#[cfg(test)]
mod test_drawings;

pub use drawing::*;
pub use error::PaperError;
pub use format::Format;
pub use png::MM_PER_INCH;
pub use sheet::{decimals, size};
