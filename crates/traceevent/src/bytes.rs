//! Loads from damaged bytes. The only place that slices: everything else asks here and gets `None` or an error.

use thiserror::Error;

/// Byte order of a traced machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Endian {
    /// Least significant byte first.
    Little,
    /// Most significant byte first.
    Big,
}

/// There are fewer bytes than a structure needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
#[error("{left} bytes left at 0x{at:x}, {needed} needed")]
pub struct OutOfBytes {
    /// Offset in the bytes being read.
    pub at: usize,
    /// How many bytes the structure needs.
    pub needed: usize,
    /// How many are left.
    pub left: usize,
}

/// The `N` bytes at offset `at`; `None` when they are not all there.
#[inline(always)]
pub fn load<const N: usize>(bytes: &[u8], at: usize) -> Option<[u8; N]> {
    bytes.get(at..)?.first_chunk().copied()
}

/// `len` bytes at offset `at`; `None` when they are not all there.
#[inline(always)]
pub fn slice(bytes: &[u8], at: usize, len: usize) -> Option<&[u8]> {
    bytes.get(at..)?.get(..len)
}

/// The bytes before the first NUL; all of them when there is none.
pub fn until_nul(bytes: &[u8]) -> &[u8] {
    bytes.split(|&b| b == 0).next().unwrap_or_default()
}

impl Endian {
    /// The unsigned 16-bit number at offset `at`; `None` when its bytes are not all there.
    #[inline(always)]
    pub fn u16(self, bytes: &[u8], at: usize) -> Option<u16> {
        let raw = load(bytes, at)?;
        Some(match self {
            Endian::Little => u16::from_le_bytes(raw),
            Endian::Big => u16::from_be_bytes(raw),
        })
    }

    /// The unsigned 32-bit number at offset `at`; `None` when its bytes are not all there.
    #[inline(always)]
    pub fn u32(self, bytes: &[u8], at: usize) -> Option<u32> {
        let raw = load(bytes, at)?;
        Some(match self {
            Endian::Little => u32::from_le_bytes(raw),
            Endian::Big => u32::from_be_bytes(raw),
        })
    }

    /// The unsigned 64-bit number at offset `at`; `None` when its bytes are not all there.
    #[inline(always)]
    pub fn u64(self, bytes: &[u8], at: usize) -> Option<u64> {
        let raw = load(bytes, at)?;
        Some(match self {
            Endian::Little => u64::from_le_bytes(raw),
            Endian::Big => u64::from_be_bytes(raw),
        })
    }
}

/// Reads one structure after another. A read that fails leaves the place where it is.
#[derive(Clone, Debug)]
pub struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
    endian: Endian,
}

impl<'a> Reader<'a> {
    /// Starts at the first byte.
    pub fn new(bytes: &'a [u8], endian: Endian) -> Self {
        Reader { bytes, at: 0, endian }
    }

    /// Offset of the next byte.
    pub fn at(&self) -> usize {
        self.at
    }

    /// Bytes not read yet.
    pub fn left(&self) -> usize {
        self.bytes.len().saturating_sub(self.at)
    }

    fn short(&self, needed: usize) -> OutOfBytes {
        OutOfBytes {
            at: self.at,
            needed,
            left: self.left(),
        }
    }

    /// The next `len` bytes.
    pub fn bytes(&mut self, len: usize) -> Result<&'a [u8], OutOfBytes> {
        let found = slice(self.bytes, self.at, len).ok_or(self.short(len))?;
        self.at += len;
        Ok(found)
    }

    /// An unsigned byte.
    pub fn u8(&mut self) -> Result<u8, OutOfBytes> {
        let [found] = load(self.bytes, self.at).ok_or(self.short(1))?;
        self.at += 1;
        Ok(found)
    }

    /// An unsigned 16-bit number.
    pub fn u16(&mut self) -> Result<u16, OutOfBytes> {
        let found = self.endian.u16(self.bytes, self.at).ok_or(self.short(2))?;
        self.at += 2;
        Ok(found)
    }

    /// An unsigned 32-bit number.
    pub fn u32(&mut self) -> Result<u32, OutOfBytes> {
        let found = self.endian.u32(self.bytes, self.at).ok_or(self.short(4))?;
        self.at += 4;
        Ok(found)
    }

    /// An unsigned 64-bit number.
    pub fn u64(&mut self) -> Result<u64, OutOfBytes> {
        let found = self.endian.u64(self.bytes, self.at).ok_or(self.short(8))?;
        self.at += 8;
        Ok(found)
    }

    /// The bytes before the next NUL, which is skipped.
    pub fn c_str(&mut self) -> Result<&'a [u8], OutOfBytes> {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        let len = rest.iter().position(|&b| b == 0).ok_or(self.short(rest.len() + 1))?;
        let found = self.bytes(len)?;
        self.at += 1;
        Ok(found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_follow_the_byte_order() {
        let bytes = [1, 2, 3, 4, 5, 6, 7, 8];
        assert_eq!(Endian::Little.u16(&bytes, 1), Some(0x0302));
        assert_eq!(Endian::Big.u16(&bytes, 1), Some(0x0203));
        assert_eq!(Endian::Big.u32(&bytes, 4), Some(0x0506_0708));
        assert_eq!(Endian::Little.u64(&bytes, 0), Some(0x0807_0605_0403_0201));
        assert_eq!(Endian::Little.u32(&bytes, 5), None);
        assert_eq!(Endian::Little.u32(&bytes, usize::MAX), None);
    }

    #[test]
    fn a_reader_says_where_bytes_ran_out() {
        let mut reader = Reader::new(b"ab\0\x01\0\x02", Endian::Little);
        assert_eq!(reader.c_str(), Ok(&b"ab"[..]));
        assert_eq!(reader.u16(), Ok(1));
        assert_eq!(
            reader.u32(),
            Err(OutOfBytes {
                at: 5,
                needed: 4,
                left: 1
            })
        );
        assert_eq!(
            reader.c_str(),
            Err(OutOfBytes {
                at: 5,
                needed: 2,
                left: 1
            })
        );
        assert_eq!(reader.u8(), Ok(2));
    }

    #[test]
    fn text_ends_at_nul() {
        assert_eq!(until_nul(b"ab\0cd"), b"ab");
        assert_eq!(until_nul(b"ab"), b"ab");
        assert_eq!(until_nul(b""), b"");
    }
}
