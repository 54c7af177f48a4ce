//! Reads a file's metadata, structure after structure, through a window: few reads, and never the whole file.

use traceevent::{slice, Endian};

use crate::error::{OpenError, Place};
use schedrows::ReadAt;

const WINDOW: usize = 64 * 1024;
/// Names in trace.dat are short; a bound keeps a damaged file from being searched to its end for a NUL.
const MAX_NAME: usize = 4096;

/// A position in the input. Every read names the structure, for the error that says where the file ends.
pub(super) struct Cursor<'r, R: ReadAt + ?Sized> {
    input: &'r R,
    endian: Endian,
    at: u64,
    end: u64,
    section: Option<u64>,
    window: Vec<u8>,
    window_at: u64,
}

impl<'r, R: ReadAt + ?Sized> Cursor<'r, R> {
    /// At `at`; the input ends at its length.
    pub fn new(input: &'r R, endian: Endian, at: u64) -> Self {
        Cursor {
            input,
            endian,
            at,
            end: input.len(),
            section: None,
            window: Vec::new(),
            window_at: 0,
        }
    }

    /// Over an unpacked section, which starts at `section` in the file.
    pub fn in_section(input: &'r R, endian: Endian, section: u64) -> Self {
        Cursor {
            section: Some(section),
            ..Cursor::new(input, endian, 0)
        }
    }

    pub fn move_to(&mut self, at: u64) {
        self.at = at;
    }

    pub fn at(&self) -> u64 {
        self.at
    }

    /// Where the input ends.
    pub fn end(&self) -> u64 {
        self.end
    }

    pub fn left(&self) -> u64 {
        self.end.saturating_sub(self.at)
    }

    pub fn place(&self) -> Place {
        Place {
            offset: self.at,
            section: self.section,
        }
    }

    pub fn set_endian(&mut self, endian: Endian) {
        self.endian = endian;
    }

    pub fn malformed(&self, what: impl Into<String>) -> OpenError {
        OpenError::Malformed {
            what: what.into(),
            place: self.place(),
        }
    }

    pub fn truncated(&self, structure: &'static str, needed: u64) -> OpenError {
        OpenError::Truncated {
            structure,
            place: self.place(),
            needed,
            size: self.end,
        }
    }

    /// The next `len` bytes, without moving on; in the window, so keep `len` small or use [`Cursor::bytes`].
    fn peek(&mut self, len: usize, structure: &'static str) -> Result<&[u8], OpenError> {
        if self.left() < len as u64 {
            return Err(self.truncated(structure, len as u64));
        }
        let inside = |window: &[u8], window_at: u64| {
            self.at >= window_at && self.at + len as u64 <= window_at + window.len() as u64
        };
        if !inside(&self.window, self.window_at) {
            let size = self.left().min(len.max(WINDOW) as u64) as usize;
            self.window.resize(size, 0);
            self.window_at = self.at;
            if let Err(error) = self.input.read_at(self.at, &mut self.window) {
                self.window.clear();
                return Err(error.into());
            }
        }
        let start = (self.at - self.window_at) as usize;
        slice(&self.window, start, len).ok_or(OpenError::Truncated {
            structure,
            place: Place {
                offset: self.at,
                section: self.section,
            },
            needed: len as u64,
            size: self.end,
        })
    }

    fn array<const N: usize>(&mut self, structure: &'static str) -> Result<[u8; N], OpenError> {
        let mut found = [0; N];
        found.copy_from_slice(self.peek(N, structure)?);
        self.at += N as u64;
        Ok(found)
    }

    pub fn u8(&mut self, structure: &'static str) -> Result<u8, OpenError> {
        self.array(structure).map(u8::from_le_bytes)
    }

    pub fn u16(&mut self, structure: &'static str) -> Result<u16, OpenError> {
        let raw = self.array(structure)?;
        Ok(match self.endian {
            Endian::Little => u16::from_le_bytes(raw),
            Endian::Big => u16::from_be_bytes(raw),
        })
    }

    pub fn u32(&mut self, structure: &'static str) -> Result<u32, OpenError> {
        let raw = self.array(structure)?;
        Ok(match self.endian {
            Endian::Little => u32::from_le_bytes(raw),
            Endian::Big => u32::from_be_bytes(raw),
        })
    }

    pub fn u64(&mut self, structure: &'static str) -> Result<u64, OpenError> {
        let raw = self.array(structure)?;
        Ok(match self.endian {
            Endian::Little => u64::from_le_bytes(raw),
            Endian::Big => u64::from_be_bytes(raw),
        })
    }

    /// The next `len` bytes; the length is checked against what is there before anything is reserved.
    pub fn bytes(&mut self, len: u64, structure: &'static str) -> Result<Vec<u8>, OpenError> {
        if len > self.left() {
            return Err(self.truncated(structure, len));
        }
        let size = usize::try_from(len).map_err(|_| self.truncated(structure, len))?;
        if size <= WINDOW {
            let found = self.peek(size, structure)?.to_vec();
            self.at += len;
            return Ok(found);
        }
        let mut found = vec![0; size];
        self.input.read_at(self.at, &mut found)?;
        self.at += len;
        Ok(found)
    }

    /// Steps over `len` bytes.
    pub fn skip(&mut self, len: u64, structure: &'static str) -> Result<(), OpenError> {
        if len > self.left() {
            return Err(self.truncated(structure, len));
        }
        self.at += len;
        Ok(())
    }

    /// The first of `needles` (none longer than [`MAX_NAME`]) at or behind `from`, within `limit` bytes: where it is, and
    /// which one.
    pub fn find(&mut self, needles: &[&[u8]], from: u64, limit: u64) -> Option<(u64, usize)> {
        let end = self.end.min(from.saturating_add(limit));
        let longest = needles.iter().copied().map(<[u8]>::len).max().unwrap_or(0);
        let mut at = from;
        while at < end {
            self.move_to(at);
            let len = (end - at).min(WINDOW as u64) as usize;
            let window = self.peek(len, "a tag").ok()?;
            let found = (0..window.len()).find_map(|start| {
                let rest = window.get(start..)?;
                let which = needles.iter().position(|needle| rest.starts_with(needle))?;
                Some((start as u64, which))
            });
            if let Some((start, which)) = found {
                return Some((at + start, which));
            }
            if at + len as u64 == end {
                return None;
            }
            // A needle may begin in this window and end in the next.
            at += (len - longest.min(len - 1)) as u64;
        }
        None
    }

    /// A NUL-terminated string; bytes that are not UTF-8 become U+FFFD.
    pub fn c_str(&mut self, structure: &'static str) -> Result<String, OpenError> {
        let len = self.left().min(MAX_NAME as u64) as usize;
        let bytes = self.peek(len, structure)?;
        let Some(end) = bytes.iter().position(|&b| b == 0) else {
            return Err(if len < MAX_NAME {
                self.truncated(structure, len as u64 + 1)
            } else {
                self.malformed(format!("{structure} is longer than {MAX_NAME} bytes"))
            });
        };
        let text = String::from_utf8_lossy(bytes.get(..end).unwrap_or_default()).into_owned();
        self.at += end as u64 + 1;
        Ok(text)
    }
}
