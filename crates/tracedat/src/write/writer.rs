//! Numbers in the file's byte order, at the end of the output or at a place that was left for them.

use std::io::{self, Seek, SeekFrom, Write};

use traceevent::Endian;

pub(crate) struct Writer<'w, W> {
    out: &'w mut W,
    endian: Endian,
}

impl<'w, W: Write + Seek> Writer<'w, W> {
    pub fn new(out: &'w mut W, endian: Endian) -> Self {
        Writer { out, endian }
    }

    /// Where the next byte goes.
    pub fn at(&mut self) -> io::Result<u64> {
        self.out.stream_position()
    }

    pub fn bytes(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.out.write_all(bytes)
    }

    pub fn c_str(&mut self, text: &str) -> io::Result<()> {
        self.bytes(text.as_bytes())?;
        self.bytes(&[0])
    }

    pub fn u16(&mut self, number: u16) -> io::Result<()> {
        self.bytes(&match self.endian {
            Endian::Little => number.to_le_bytes(),
            Endian::Big => number.to_be_bytes(),
        })
    }

    pub fn u32(&mut self, number: u32) -> io::Result<()> {
        self.bytes(&match self.endian {
            Endian::Little => number.to_le_bytes(),
            Endian::Big => number.to_be_bytes(),
        })
    }

    pub fn u64(&mut self, number: u64) -> io::Result<()> {
        let bytes = self.of_u64(number);
        self.bytes(&bytes)
    }

    /// The bytes of a number of 32 bits.
    pub fn of_u32(&self, number: u32) -> [u8; 4] {
        match self.endian {
            Endian::Little => number.to_le_bytes(),
            Endian::Big => number.to_be_bytes(),
        }
    }

    /// The bytes of a number.
    pub fn of_u64(&self, number: u64) -> [u8; 8] {
        match self.endian {
            Endian::Little => number.to_le_bytes(),
            Endian::Big => number.to_be_bytes(),
        }
    }

    /// A number whose value is not known yet; gives its place.
    pub fn later_u64(&mut self) -> io::Result<u64> {
        let at = self.at()?;
        self.u64(0)?;
        Ok(at)
    }

    /// Writes at places that were passed; the output goes on at its end.
    pub fn go_back(&mut self, to: u64, write: impl FnOnce(&mut Self) -> io::Result<()>) -> io::Result<()> {
        let end = self.at()?;
        self.out.seek(SeekFrom::Start(to))?;
        write(self)?;
        self.out.seek(SeekFrom::Start(end)).map(drop)
    }

    /// Zeros up to a multiple of `size`; gives the place.
    pub fn align(&mut self, size: u64) -> io::Result<u64> {
        let at = self.at()?;
        let next = at.next_multiple_of(size.max(1));
        io::copy(&mut io::Read::take(io::repeat(0), next - at), self.out)?;
        Ok(next)
    }
}
