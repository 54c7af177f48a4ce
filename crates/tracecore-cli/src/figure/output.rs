//! The destination of a figure: a file, which is written as a whole or not at all, or standard output.

use std::io::Write;
use std::path::Path;

use tracecore::figure::{Drawing, FigureError, Format};

use crate::output::replace_with;
use crate::Failure;

/// The destination that `-o` names.
pub enum Output<'a> {
    /// Standard output, which gets SVG.
    Standard,
    File(&'a Path, Format),
}

impl Output<'_> {
    /// The output for a path, whose extension is the format.
    pub fn new(path: &Path) -> Result<Output<'_>, String> {
        if path == Path::new("-") {
            return Ok(Output::Standard);
        }
        let format = Format::of_file(&path.to_string_lossy()).ok_or_else(|| {
            let path = path.display();
            format!("`{path}` has no extension of a format that is known; expected .svg, .pdf or .png")
        })?;
        Ok(Output::File(path, format))
    }

    /// Writes the figure; returns what has to be printed.
    pub fn write(&self, drawing: &Drawing, dpi: u32) -> Result<String, Failure> {
        let (path, format) = match self {
            Output::Standard => return Ok(drawing.to_svg()),
            Output::File(path, format) => (path, *format),
        };
        let bytes = drawing.to(format, dpi).map_err(FigureError::from)?;
        replace_with(path, |file| file.write_all(&bytes))
            .map_err(|error| Failure(format!("{}: {error}", path.display())))?;
        Ok(String::new())
    }
}
