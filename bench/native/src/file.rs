//! A file as the reader's input.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::path::Path;

use tracedat::error::ReadError;
use tracedat::file::ReadAt;

/// An opened file and its size.
pub struct Input {
    file: File,
    pub len: u64,
}

impl Input {
    pub fn open(path: &Path) -> io::Result<Self> {
        let file = File::open(path)?;
        let len = file.metadata()?.len();
        Ok(Input { file, len })
    }
}

impl ReadAt for Input {
    fn len(&self) -> u64 {
        self.len
    }

    fn read_at(&self, offset: u64, buf: &mut [u8]) -> Result<(), ReadError> {
        self.file.read_exact_at(buf, offset).map_err(|error| ReadError {
            offset,
            len: buf.len(),
            message: error.to_string(),
        })
    }
}
