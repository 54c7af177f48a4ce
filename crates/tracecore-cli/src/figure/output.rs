//! The destination of a figure: a file, which is written as a whole or not at all, or standard output.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tracecore::figure::{Drawing, FigureError, Format};

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
        replace(path, &bytes).map_err(|error| Failure(format!("{}: {error}", path.display())))?;
        Ok(String::new())
    }
}

/// Writes a file or replaces it in one step, so that a whole file is there, whatever fails.
fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    // A link stays a link.
    let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    if fs::metadata(&path).is_ok_and(|metadata| !metadata.is_file()) {
        // Devices and pipes have no contents that could be lost.
        return fs::write(path, bytes);
    }
    let new = beside(&path);
    let written = File::create_new(&new)
        .and_then(|mut file| file.write_all(bytes))
        .and_then(|()| fs::rename(&new, &path));
    if written.is_err() {
        // If the file does not exist, there is nothing to remove.
        let _ = fs::remove_file(&new);
    }
    written
}

/// A file name that no other program uses.
fn beside(path: &Path) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!(".{name}.{}", std::process::id()))
}
