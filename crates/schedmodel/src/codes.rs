//! A column of codes: ids, most of which are small, and the two greatest numbers, which stand for something else.

use crate::stored::{invalid, Reader, Stored, Writer};
use std::io;

/// Codes in as few bytes as all of them fit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Codes {
    Bytes(Vec<u8>),
    Halves(Vec<u16>),
    Words(Vec<u32>),
}

/// How many codes at the upper end of a size stand for the same at the upper end of all: none, idle, unknown.
const SPECIAL: u32 = 2;

impl Default for Codes {
    fn default() -> Self {
        Codes::NONE
    }
}

impl Codes {
    /// No codes.
    pub(crate) const NONE: Codes = Codes::Words(Vec::new());

    pub(crate) fn with_capacity(codes: usize) -> Codes {
        Codes::Words(Vec::with_capacity(codes))
    }

    /// Adds a code; only to those that were not [narrowed](Codes::narrow) yet.
    #[inline]
    pub(crate) fn push(&mut self, code: u32) {
        if let Codes::Words(words) = self {
            words.push(code);
        }
    }

    /// In as few bytes as all fit.
    pub(crate) fn narrow(self) -> Codes {
        let Codes::Words(mut words) = self else {
            return self;
        };
        let special = |code: u32| u32::MAX - SPECIAL < code;
        let greatest = words.iter().copied().filter(|&code| !special(code)).max();
        // What is special is cut to what is special in that size.
        match greatest.unwrap_or(0) {
            few if few <= u32::from(u8::MAX) - SPECIAL => Codes::Bytes(words.iter().map(|&code| code as u8).collect()),
            few if few <= u32::from(u16::MAX) - SPECIAL => {
                Codes::Halves(words.iter().map(|&code| code as u16).collect())
            }
            _ => {
                words.shrink_to_fit();
                Codes::Words(words)
            }
        }
    }

    /// Code `index`.
    #[inline]
    pub(crate) fn get(&self, index: usize) -> Option<u32> {
        match self {
            Codes::Bytes(bytes) => bytes.get(index).map(|&byte| widened(byte.into(), u8::MAX.into())),
            Codes::Halves(halves) => halves.get(index).map(|&half| widened(half.into(), u16::MAX.into())),
            Codes::Words(words) => words.get(index).copied(),
        }
    }

    pub(crate) fn memory_bytes(&self) -> usize {
        match self {
            Codes::Bytes(bytes) => bytes.capacity(),
            Codes::Halves(halves) => halves.capacity() * size_of::<u16>(),
            Codes::Words(words) => words.capacity() * size_of::<u32>(),
        }
    }
}

impl FromIterator<u32> for Codes {
    fn from_iter<I: IntoIterator<Item = u32>>(codes: I) -> Self {
        Codes::Words(codes.into_iter().collect()).narrow()
    }
}

/// A code of a size whose greatest number is `most`.
#[inline]
fn widened(code: u32, most: u32) -> u32 {
    match most - SPECIAL < code {
        true => code | !most,
        false => code,
    }
}

impl Stored for Codes {
    const LEAST: usize = 1 + Vec::<u8>::LEAST;

    fn put(&self, out: &mut Writer<'_>) -> io::Result<()> {
        let size = match self {
            Codes::Bytes(_) => 1_u8,
            Codes::Halves(_) => 2,
            Codes::Words(_) => 4,
        };
        size.put(out)?;
        match self {
            Codes::Bytes(bytes) => bytes.put(out),
            Codes::Halves(halves) => halves.put(out),
            Codes::Words(words) => words.put(out),
        }
    }

    fn get(reader: &mut Reader<'_>) -> io::Result<Self> {
        match <u8 as Stored>::get(reader)? {
            1 => Stored::get(reader).map(Codes::Bytes),
            2 => Stored::get(reader).map(Codes::Halves),
            4 => Stored::get(reader).map(Codes::Words),
            _ => Err(invalid("codes of a size that there is not")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn code() -> impl Strategy<Value = u32> {
        prop_oneof![0_u32..300, 65_500_u32..65_600, u32::MAX - 3..=u32::MAX, any::<u32>()]
    }

    proptest! {
        #[test]
        fn codes_come_back(codes in prop::collection::vec(code(), 0..6)) {
            let narrow: Codes = codes.iter().copied().collect();
            for (index, &code) in codes.iter().enumerate() {
                prop_assert_eq!(narrow.get(index), Some(code));
            }
            prop_assert_eq!(narrow.get(codes.len()), None);
        }
    }

    #[test]
    fn they_take_as_few_bytes_as_they_fit() {
        let bytes = |codes: &[u32]| codes.iter().copied().collect::<Codes>().memory_bytes() / codes.len();
        let (none, idle) = (u32::MAX, u32::MAX - 1);
        assert_eq!(bytes(&[0, 253, none, idle]), 1);
        assert_eq!(bytes(&[254, none]), 2);
        assert_eq!(bytes(&[65_533, idle]), 2);
        assert_eq!(bytes(&[65_534]), 4);
        assert_eq!(bytes(&[u32::MAX - 2]), 4);
    }
}
