//! Where a figure goes: a file that is there as a whole or not at all, or standard output.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tracecore::figure::{Drawing, FigureError, Format};

use crate::Failure;

/// What `-o` names.
pub enum Output<'a> {
    /// SVG.
    Standard,
    File(&'a Path, Format),
}

impl Output<'_> {
    /// The file's extension is its format.
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

    /// Writes the figure; what is to be printed is the answer.
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

/// Puts bytes where a file was, or none: in one step, so that what is there is whole, whatever fails.
fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    // A link stays one.
    let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    if fs::metadata(&path).is_ok_and(|metadata| !metadata.is_file()) {
        // Devices and pipes hold nothing that could be lost.
        return fs::write(path, bytes);
    }
    let new = beside(&path);
    let written = File::create_new(&new)
        .and_then(|mut file| file.write_all(bytes))
        .and_then(|()| fs::rename(&new, &path));
    if written.is_err() {
        // Where there is none, there is nothing to take away.
        let _ = fs::remove_file(&new);
    }
    written
}

/// A name that no other program uses.
fn beside(path: &Path) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!(".{name}.{}", std::process::id()))
}
