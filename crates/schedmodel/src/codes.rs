//! A column of codes: ids, most of which are small, and the two greatest numbers, which stand for something else.

use crate::stored::{invalid, Reader, Stored, Writer};
use std::io;
use std::ops::Range;

/// Codes in as few bytes as all of them fit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Codes {
    /// Of 8 bits each.
    Bytes(Vec<u8>),
    /// Of 16 bits.
    Halves(Vec<u16>),
    /// Of 32 bits.
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
    pub const NONE: Codes = Codes::Bytes(Vec::new());

    /// Room for codes that fit one byte each.
    pub fn with_capacity(codes: usize) -> Codes {
        Codes::Bytes(Vec::with_capacity(codes))
    }

    /// Adds a code. The first that needs more bytes gives them to all.
    #[inline]
    pub fn push(&mut self, code: u32) {
        match self {
            Codes::Bytes(bytes) if fits(code, u8::MAX.into()) => bytes.push(code as u8),
            Codes::Halves(halves) if fits(code, u16::MAX.into()) => halves.push(code as u16),
            Codes::Words(words) => words.push(code),
            _ => {
                self.widen();
                self.push(code);
            }
        }
    }

    /// Adds a code so many times.
    pub fn push_times(&mut self, code: u32, times: usize) {
        match self {
            Codes::Bytes(bytes) if fits(code, u8::MAX.into()) => bytes.resize(bytes.len() + times, code as u8),
            Codes::Halves(halves) if fits(code, u16::MAX.into()) => halves.resize(halves.len() + times, code as u16),
            Codes::Words(words) => words.resize(words.len() + times, code),
            _ => {
                self.widen();
                self.push_times(code, times);
            }
        }
    }

    /// Adds a range of others.
    pub fn extend(&mut self, others: &Codes, range: Range<usize>) {
        match (&mut *self, others) {
            (Codes::Bytes(bytes), Codes::Bytes(others)) => {
                bytes.extend_from_slice(others.get(range).unwrap_or_default());
            }
            (Codes::Halves(halves), Codes::Halves(others)) => {
                halves.extend_from_slice(others.get(range).unwrap_or_default());
            }
            (Codes::Words(words), Codes::Words(others)) => {
                words.extend_from_slice(others.get(range).unwrap_or_default());
            }
            _ => others.each(range, |code| self.push(code)),
        }
    }

    /// Empty, with memory for so many; `greatest` of them but those at the upper end.
    pub(crate) fn for_placing(codes: usize, greatest: u32) -> Codes {
        if fits(greatest, u8::MAX.into()) {
            Codes::Bytes(Vec::with_capacity(codes))
        } else if fits(greatest, u16::MAX.into()) {
            Codes::Halves(Vec::with_capacity(codes))
        } else {
            Codes::Words(Vec::with_capacity(codes))
        }
    }

    /// Makes room for the first codes, which can be [placed](Codes::place) in any order then.
    pub(crate) fn make_room(&mut self, codes: usize) {
        match self {
            Codes::Bytes(bytes) => bytes.resize(codes, 0),
            Codes::Halves(halves) => halves.resize(codes, 0),
            Codes::Words(words) => words.resize(codes, 0),
        }
    }

    /// Sets the codes from `index` on. What is special is cut to what is special in their size.
    #[inline]
    pub(crate) fn place<const N: usize>(&mut self, index: usize, codes: [u32; N]) {
        match self {
            Codes::Bytes(bytes) => set(bytes, index, codes, |code| code as u8),
            Codes::Halves(halves) => set(halves, index, codes, |code| code as u16),
            Codes::Words(words) => set(words, index, codes, |code| code),
        }
    }

    #[cold]
    fn widen(&mut self) {
        let (codes, room) = match self {
            Codes::Bytes(bytes) => (bytes.len(), bytes.capacity()),
            Codes::Halves(halves) => (halves.len(), halves.capacity()),
            Codes::Words(_) => return,
        };
        let codes = (0..codes).map(|index| self.get(index).unwrap_or(0));
        *self = if let Codes::Bytes(_) = self {
            let mut halves = Vec::with_capacity(room);
            halves.extend(codes.map(|code| code as u16));
            Codes::Halves(halves)
        } else {
            let mut words = Vec::with_capacity(room);
            words.extend(codes);
            Codes::Words(words)
        };
    }

    /// Gives back what is not needed.
    pub fn shrink_to_fit(&mut self) {
        match self {
            Codes::Bytes(bytes) => bytes.shrink_to_fit(),
            Codes::Halves(halves) => halves.shrink_to_fit(),
            Codes::Words(words) => words.shrink_to_fit(),
        }
    }

    /// Code `index`.
    #[inline]
    pub fn get(&self, index: usize) -> Option<u32> {
        match self {
            Codes::Bytes(bytes) => bytes.get(index).map(|&byte| widened(byte.into(), u8::MAX.into())),
            Codes::Halves(halves) => halves.get(index).map(|&half| widened(half.into(), u16::MAX.into())),
            Codes::Words(words) => words.get(index).copied(),
        }
    }

    /// Calls `each` with the codes of a range, one after the other.
    #[inline]
    pub fn each(&self, range: Range<usize>, mut each: impl FnMut(u32)) {
        match self {
            Codes::Bytes(bytes) => {
                let bytes = bytes.get(range).unwrap_or_default();
                bytes
                    .iter()
                    .for_each(|&byte| each(widened(byte.into(), u8::MAX.into())));
            }
            Codes::Halves(halves) => {
                let halves = halves.get(range).unwrap_or_default();
                halves
                    .iter()
                    .for_each(|&half| each(widened(half.into(), u16::MAX.into())));
            }
            Codes::Words(words) => words.get(range).unwrap_or_default().iter().for_each(|&code| each(code)),
        }
    }

    /// Reads codes of a range that lie `step` bytes apart; what it returns means nothing.
    pub(crate) fn read(&self, range: Range<usize>, step: usize) -> u32 {
        fn every<T: Copy + Into<u32>>(codes: &[T], range: Range<usize>, step: usize) -> u32 {
            let codes = codes.get(range).unwrap_or_default().iter();
            codes
                .step_by(step / size_of::<T>())
                .fold(0, |read, &code| read ^ code.into())
        }
        match self {
            Codes::Bytes(bytes) => every(bytes, range, step),
            Codes::Halves(halves) => every(halves, range, step),
            Codes::Words(words) => every(words, range, step),
        }
    }

    /// Size in bytes.
    pub fn memory_bytes(&self) -> usize {
        match self {
            Codes::Bytes(bytes) => bytes.capacity(),
            Codes::Halves(halves) => halves.capacity() * size_of::<u16>(),
            Codes::Words(words) => words.capacity() * size_of::<u32>(),
        }
    }
}

impl FromIterator<u32> for Codes {
    fn from_iter<I: IntoIterator<Item = u32>>(from: I) -> Self {
        let from = from.into_iter();
        let mut codes = Codes::with_capacity(from.size_hint().0);
        from.for_each(|code| codes.push(code));
        codes
    }
}

#[inline]
fn set<T, const N: usize>(all: &mut [T], index: usize, codes: [u32; N], cut: impl Fn(u32) -> T) {
    if let Some(places) = all.get_mut(index..index + N) {
        for (place, code) in places.iter_mut().zip(codes) {
            *place = cut(code);
        }
    }
}

/// Whether a code, cut to a size whose greatest number is `most`, is [widened] to the same.
#[inline]
fn fits(code: u32, most: u32) -> bool {
    code <= most - SPECIAL || u32::MAX - SPECIAL < code
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
            let greatest = codes.iter().copied().filter(|&code| code <= u32::MAX - SPECIAL).max();
            let mut put = Codes::for_placing(codes.len(), greatest.unwrap_or(0));
            put.make_room(codes.len() / 2);
            put.make_room(codes.len());
            codes.iter().enumerate().rev().for_each(|(index, &code)| put.place(index, [code]));
            prop_assert_eq!(&put, &narrow);
            for (index, &code) in codes.iter().enumerate() {
                prop_assert_eq!(narrow.get(index), Some(code));
            }
            prop_assert_eq!(narrow.get(codes.len()), None);
            let mut each = Vec::new();
            narrow.each(1..codes.len(), |code| each.push(code));
            prop_assert_eq!(&each, codes.get(1..).unwrap_or_default());
        }

        #[test]
        fn codes_are_added_many_times(codes in prop::collection::vec((code(), 0_usize..4), 0..6)) {
            let mut many = Codes::default();
            codes.iter().for_each(|&(code, times)| many.push_times(code, times));
            let one: Vec<u32> = codes.iter().flat_map(|&(code, times)| vec![code; times]).collect();
            let mut each = Vec::new();
            many.each(0..one.len(), |code| each.push(code));
            prop_assert_eq!(&each, &one);
            let mut halved = Codes::default();
            halved.extend(&many, 0..one.len() / 2);
            halved.extend(&many, one.len() / 2..one.len());
            prop_assert_eq!(halved, one.into_iter().collect());
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
