//! UTF-16, as Windows PowerShell's `>` writes it.

use crate::peel::{Broken, Decode, Take};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    Little,
    Big,
}

/// The order of bytes, and how many of them are the mark in front; `None` for what is not UTF-16.
pub(crate) fn order_of(head: &[u8]) -> Option<(Order, usize)> {
    match head {
        // With two zeros behind, it is the mark of UTF-32.
        [0xff, 0xfe, 0, 0, ..] => return None,
        [0xff, 0xfe, ..] => return Some((Order::Little, 2)),
        [0xfe, 0xff, ..] => return Some((Order::Big, 2)),
        _ => {}
    }
    // Without a mark: letters of ASCII, each with a zero.
    let head = head.get(..head.len().min(64) & !1).unwrap_or_default();
    let is_letter = |byte: u8| matches!(byte, b'\t' | b'\n' | b'\r' | 0x20..=0x7e);
    let all = |letter: usize, zero: usize| {
        let of = |pair: &[u8], at: usize| pair.get(at).copied().unwrap_or(1);
        head.chunks(2)
            .all(|pair| is_letter(of(pair, letter)) && of(pair, zero) == 0)
    };
    match head.len() {
        0..8 => None,
        _ if all(0, 1) => Some((Order::Little, 0)),
        _ if all(1, 0) => Some((Order::Big, 0)),
        _ => None,
    }
}

/// UTF-16 to UTF-8. What is no letter becomes U+FFFD.
pub(crate) struct Utf16 {
    order: Order,
    skip: usize,
    /// The first half of a unit.
    byte: Option<u8>,
    /// The first unit of a pair.
    high: Option<u16>,
}

impl Utf16 {
    pub fn new(order: Order, skip: usize) -> Utf16 {
        Utf16 {
            order,
            skip,
            byte: None,
            high: None,
        }
    }

    fn unit(&mut self, unit: u16, out: &mut String) {
        let mut one = |unit: u16| out.push(char::from_u32(u32::from(unit)).unwrap_or(char::REPLACEMENT_CHARACTER));
        match (self.high.take(), unit) {
            (None, 0xd800..=0xdbff) => self.high = Some(unit),
            (None, _) => one(unit),
            (Some(high), 0xdc00..=0xdfff) => {
                let code = 0x10000 + (u32::from(high - 0xd800) << 10) + u32::from(unit - 0xdc00);
                out.push(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER));
            }
            (Some(high), _) => {
                one(high);
                self.unit(unit, out);
            }
        }
    }
}

impl Decode for Utf16 {
    fn push(&mut self, bytes: &[u8], take: Take<'_>) -> Result<(), Broken> {
        let skipped = self.skip.min(bytes.len());
        self.skip -= skipped;
        let mut out = String::with_capacity(bytes.len() / 2 + 1);
        for &byte in bytes.get(skipped..).unwrap_or_default() {
            let Some(first) = self.byte.take() else {
                self.byte = Some(byte);
                continue;
            };
            let unit = match self.order {
                Order::Little => u16::from_le_bytes([first, byte]),
                Order::Big => u16::from_be_bytes([first, byte]),
            };
            self.unit(unit, &mut out);
        }
        take(out.as_bytes());
        Ok(())
    }

    fn finish(&mut self, take: Take<'_>) -> Result<(), Broken> {
        match self.byte.is_some() || self.high.is_some() {
            true => {
                take("\u{fffd}".as_bytes());
                Err(Broken::Short)
            }
            false => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn decoded(bytes: &[u8], step: usize) -> Option<String> {
        let (order, skip) = order_of(bytes)?;
        let (mut utf16, mut out) = (Utf16::new(order, skip), Vec::new());
        for part in bytes.chunks(step) {
            utf16.push(part, &mut |bytes| out.extend_from_slice(bytes)).unwrap();
        }
        let _ = utf16.finish(&mut |bytes| out.extend_from_slice(bytes));
        Some(String::from_utf8(out).unwrap())
    }

    proptest! {
        #[test]
        fn texts_come_back_from_pieces_of_any_size(text in "\\PC{0,40}", step in 1_usize..9) {
            for big in [false, true] {
                let units = std::iter::once(0xfeff).chain(text.encode_utf16());
                let bytes: Vec<u8> = units.flat_map(|unit| if big { unit.to_be_bytes() } else { unit.to_le_bytes() }).collect();
                prop_assume!(!bytes.starts_with(&[0xff, 0xfe, 0, 0]));
                prop_assert_eq!(decoded(&bytes, step).unwrap(), text.clone());
            }
        }
    }

    #[test]
    fn a_mark_is_not_needed_and_halves_are_no_letters() {
        let bytes: Vec<u8> = "worker-100".encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(decoded(&bytes, 3).unwrap(), "worker-100");
        assert_eq!(order_of(b"worker-100"), None);
        assert_eq!(order_of(b"\xff\xfe\0\0a\0\0\0"), None);
        assert_eq!(decoded(b"\xff\xfea\0\x00\xd8b\0c", 99).unwrap(), "a\u{fffd}b\u{fffd}");
    }
}
