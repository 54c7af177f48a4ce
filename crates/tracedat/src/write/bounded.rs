//! Output that damaged sizes cannot make grow without end.

use std::io::{self, ErrorKind, Seek, SeekFrom, Write};

use schedrows::words::grouped;

/// How many times what is read may be written: a packed trace grows up to thirty times when it is unpacked for another viewer.
const TIMES: u64 = 64;
/// Bytes that may be written whatever is read: pages of many CPUs that hold little.
const LEAST: u64 = 16 << 20;

/// Passes on what is written, up to a limit.
pub struct Bounded<'w, W> {
    out: &'w mut W,
    limit: u64,
    /// Bytes that may still be written.
    left: u64,
}

impl<'w, W> Bounded<'w, W> {
    /// For what is made of `read` bytes.
    pub fn new(out: &'w mut W, read: u64) -> Bounded<'w, W> {
        let limit = read.saturating_mul(TIMES).saturating_add(LEAST);
        Bounded {
            out,
            limit,
            left: limit,
        }
    }
}

impl<W: Write> Write for Bounded<'_, W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.left < bytes.len() as u64 {
            let limit = grouped(self.limit);
            let error = format!("more than {limit} bytes would be written: the sizes in the trace are damaged");
            return Err(io::Error::new(ErrorKind::FileTooLarge, error));
        }
        let written = self.out.write(bytes)?;
        self.left = self.left.saturating_sub(written as u64);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

impl<W: Seek> Seek for Bounded<'_, W> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.out.seek(to)
    }

    fn stream_position(&mut self) -> io::Result<u64> {
        self.out.stream_position()
    }
}
