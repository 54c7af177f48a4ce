//! Files that commands write: as a whole or not at all.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use crate::Failure;

/// Writes a file or replaces it in one step, so that a whole file is there, whatever fails.
pub fn replace_with<T>(path: &Path, write: impl FnOnce(&mut File) -> io::Result<T>) -> io::Result<T> {
    // A link stays a link.
    let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    if fs::metadata(&path).is_ok_and(|metadata| !metadata.is_file()) {
        // Devices and pipes have no contents that could be lost.
        return write(&mut File::options().write(true).open(&path)?);
    }
    let new = beside(&path);
    let written = File::create_new(&new)
        .and_then(|mut file| write(&mut file))
        .and_then(|written| fs::rename(&new, &path).map(|()| written));
    if written.is_err() {
        // If the file does not exist, there is nothing to remove.
        let _ = fs::remove_file(&new);
    }
    written
}

/// The trace itself is not overwritten: what is written may be a part of it, or a picture.
pub fn refuse_same(trace: &Path, output: &Path) -> Result<(), Failure> {
    let same = match (fs::canonicalize(trace), fs::canonicalize(output)) {
        (Ok(trace), Ok(output)) => trace == output,
        _ => false,
    };
    match same {
        true => Err(Failure(format!(
            "{}: is the trace itself; write to another file",
            output.display()
        ))),
        false => Ok(()),
    }
}

/// A file name that no other program uses.
fn beside(path: &Path) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!(".{name}.{}", std::process::id()))
}
