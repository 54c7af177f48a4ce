//! Numbers and strings to bytes in the file's byte order.

use crate::layout::Endian;

/// A growing run of bytes.
#[derive(Clone, Debug)]
pub(crate) struct Bytes {
    pub(crate) endian: Endian,
    pub(crate) data: Vec<u8>,
}

impl Bytes {
    pub(crate) fn new(endian: Endian) -> Self {
        Bytes {
            endian,
            data: Vec::new(),
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.data.len()
    }

    pub(crate) fn raw(&mut self, bytes: &[u8]) {
        self.data.extend_from_slice(bytes);
    }

    /// The lowest `size` bytes of a number.
    pub(crate) fn number(&mut self, value: u64, size: usize) {
        let at = self.data.len();
        self.data.resize(at + size, 0);
        self.endian.put(&mut self.data[at..], value);
    }

    pub(crate) fn u16(&mut self, value: u16) {
        self.number(value.into(), 2);
    }

    pub(crate) fn u32(&mut self, value: u32) {
        self.number(value.into(), 4);
    }

    pub(crate) fn u64(&mut self, value: u64) {
        self.number(value, 8);
    }

    /// Text and a NUL.
    pub(crate) fn c_string(&mut self, text: &str) {
        self.raw(text.as_bytes());
        self.data.push(0);
    }

    /// An 8-byte length, then the text, without a NUL.
    pub(crate) fn file(&mut self, text: &str) {
        self.u64(text.len() as u64);
        self.raw(text.as_bytes());
    }

    /// Zeros up to a length.
    pub(crate) fn pad_to(&mut self, len: usize) {
        if self.data.len() < len {
            self.data.resize(len, 0);
        }
    }
}
