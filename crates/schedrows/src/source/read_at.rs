//! Where the bytes of a trace come from.

use super::ReadError;

/// Random access to a file's bytes: a slice in memory, a native file, a dropped `File` of the browser.
#[allow(
    clippy::len_without_is_empty,
    reason = "a file's length is asked once; nobody asks whether it is empty"
)]
pub trait ReadAt {
    /// Bytes in the file.
    fn len(&self) -> u64;

    /// Fills `buf` with the bytes at `offset`. Callers stay within [`ReadAt::len`]; a file that shrank is an error.
    fn read_at(&self, offset: u64, buf: &mut [u8]) -> Result<(), ReadError>;
}

impl ReadAt for [u8] {
    fn len(&self) -> u64 {
        <[u8]>::len(self) as u64
    }

    fn read_at(&self, offset: u64, buf: &mut [u8]) -> Result<(), ReadError> {
        let found = usize::try_from(offset)
            .ok()
            .and_then(|at| self.get(at..at.checked_add(buf.len())?));
        match found {
            Some(bytes) => {
                buf.copy_from_slice(bytes);
                Ok(())
            }
            None => Err(ReadError {
                offset,
                len: buf.len(),
                message: "beyond the end".to_owned(),
            }),
        }
    }
}

impl ReadAt for Vec<u8> {
    fn len(&self) -> u64 {
        ReadAt::len(self.as_slice())
    }

    fn read_at(&self, offset: u64, buf: &mut [u8]) -> Result<(), ReadError> {
        self.as_slice().read_at(offset, buf)
    }
}

impl<T: ReadAt + ?Sized> ReadAt for &T {
    fn len(&self) -> u64 {
        T::len(self)
    }

    fn read_at(&self, offset: u64, buf: &mut [u8]) -> Result<(), ReadError> {
        T::read_at(self, offset, buf)
    }
}

impl<T: ReadAt + ?Sized> ReadAt for Box<T> {
    fn len(&self) -> u64 {
        T::len(self)
    }

    fn read_at(&self, offset: u64, buf: &mut [u8]) -> Result<(), ReadError> {
        T::read_at(self, offset, buf)
    }
}
