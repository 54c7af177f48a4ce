//! Masks of bits, such as those of CPUs.

use super::printf::{write_hex_byte, write_plain, Length, Radix};
use crate::bytes::Endian;

/// Hexadecimal digits, the highest first, with a comma every 32 bits.
pub(super) fn write_bitmask(bytes: &[u8], endian: Endian, out: &mut Vec<u8>) {
    for at in (0..bytes.len()).rev() {
        write_hex_byte(byte(bytes, endian, at), out);
        if at % 4 == 0 && at > 0 {
            out.push(b',');
        }
    }
}

/// The numbers of the bits that are set, as ranges: `0-3,16`.
pub(super) fn write_list(bytes: &[u8], endian: Endian, out: &mut Vec<u8>) {
    let is_set = |bit: usize| bit / 8 < bytes.len() && byte(bytes, endian, bit / 8) >> (bit % 8) & 1 != 0;
    let mut first = true;
    let mut bit = 0;
    while bit < bytes.len() * 8 {
        if !is_set(bit) {
            bit += 1;
            continue;
        }
        let start = bit;
        while is_set(bit + 1) {
            bit += 1;
        }
        if !std::mem::take(&mut first) {
            out.push(b',');
        }
        write_plain(start as u64, Radix::Unsigned, Length::Long, out);
        if bit > start {
            out.push(b'-');
            write_plain(bit as u64, Radix::Unsigned, Length::Long, out);
        }
        bit += 1;
    }
}

/// The `at`-th byte, counted from the lowest. The whole mask is one number to trace-cmd, which is not what a big-endian
/// kernel means by several words.
fn byte(bytes: &[u8], endian: Endian, at: usize) -> u8 {
    let place = match endian {
        Endian::Little => Some(at),
        Endian::Big => bytes.len().checked_sub(at + 1),
    };
    place.and_then(|place| bytes.get(place)).copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The expected texts are those that trace-cmd prints for `__get_bitmask` and `__get_cpumask` of the same bytes.
    #[test]
    fn masks_are_printed_as_numbers_and_as_lists() {
        let both = |bytes: &[u8], endian| {
            let mut out = Vec::new();
            write_bitmask(bytes, endian, &mut out);
            out.push(b'|');
            write_list(bytes, endian, &mut out);
            String::from_utf8(out).unwrap()
        };
        let mask = [0x0f, 0, 1, 0, 0, 0, 0, 0x80, 1, 2, 0, 0, 0, 0, 0, 0x40];
        assert_eq!(
            both(&mask, Endian::Little),
            "40000000,00000201,80000000,0001000f|0-3,16,63-64,73,126"
        );
        assert_eq!(
            both(&mask, Endian::Big),
            "0f000100,00000080,01020000,00000040|6,49,56,71,104,120-123"
        );
        assert_eq!(both(&[7, 0, 1], Endian::Little), "010007|0-2,16");
        assert_eq!(both(&[0xff; 8], Endian::Big), "ffffffff,ffffffff|0-63");
        assert_eq!(both(&[0; 8], Endian::Little), "00000000,00000000|");
    }
}
