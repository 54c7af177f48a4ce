//! The destination of a figure: a file, which is written as a whole or not at all, or standard output.

use std::io::Write;
use std::path::{Path, PathBuf};

use schedfigure::{Drawing, FigureError, Format};

use crate::output::Target;
use crate::visible::shown;
use crate::Failure;

/// The destination that `-o` names, and its format. Standard output gets SVG.
pub struct Output<'a> {
    path: &'a Path,
    format: Format,
}

impl Output<'_> {
    /// The output for a path, whose extension is the format.
    pub fn new(path: &Path) -> Result<Output<'_>, String> {
        let format = match path == Path::new("-") {
            true => Some(Format::Svg),
            false => Format::of_file(&path.to_string_lossy()),
        };
        let format = format.ok_or_else(|| {
            let path = shown(path);
            format!("`{path}` has no extension of a format that is known; expected .svg, .pdf or .png")
        })?;
        Ok(Output { path, format })
    }

    /// The file, which none of these traces may be; `None`: what is drawn is printed.
    pub fn target(&self, traces: &[PathBuf]) -> Result<Option<Target>, Failure> {
        match self.path == Path::new("-") {
            true => Ok(None),
            false => Target::new(self.path, traces.iter().map(PathBuf::as_path)).map(Some),
        }
    }

    /// Writes the figure; returns what has to be printed.
    pub fn write(&self, target: Option<Target>, drawing: &Drawing, dpi: u32) -> Result<String, Failure> {
        let Some(target) = target else {
            return Ok(drawing.to_svg());
        };
        let bytes = drawing.to(self.format, dpi).map_err(FigureError::from)?;
        target.write(|out| out.write_all(&bytes))?;
        Ok(String::new())
    }
}
