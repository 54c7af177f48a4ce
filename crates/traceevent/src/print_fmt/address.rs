//! Network addresses and UUIDs as the kernel's `%pI4`, `%pI6` and `%pU` write them.

use super::printf::{write_hex, write_hex_byte, write_plain, Length, Radix};
use crate::bytes::Endian;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Ip4 {
    /// `%pi4`: each number has three digits.
    pub padded: bool,
    pub order: Order,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    Network,
    Host,
    Little,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ip6 {
    Full { colons: bool },
    Compressed,
}

impl Ip4 {
    /// Prints the four bytes as they are in memory.
    pub fn print(self, mut bytes: [u8; 4], endian: Endian, out: &mut Vec<u8>) {
        if self.order == Order::Little || (self.order == Order::Host && endian == Endian::Little) {
            bytes.reverse();
        }
        for (at, byte) in bytes.into_iter().enumerate() {
            if at > 0 {
                out.push(b'.');
            }
            if self.padded {
                out.extend((byte < 100).then_some(b'0'));
                out.extend((byte < 10).then_some(b'0'));
            }
            write_plain(u64::from(byte), Radix::Unsigned, Length::Int, out);
        }
    }
}

impl Ip6 {
    pub fn print(self, bytes: [u8; 16], out: &mut Vec<u8>) {
        match self {
            Ip6::Full { colons } => {
                for (at, byte) in bytes.into_iter().enumerate() {
                    if colons && at > 0 && at % 2 == 0 {
                        out.push(b':');
                    }
                    write_hex_byte(byte, out);
                }
            }
            Ip6::Compressed => print_compressed(bytes, out),
        }
    }
}

/// As `ip6_compressed_string` of `lib/vsprintf.c`: the first longest run of two zero words or more becomes `::`, and mapped
/// (`::ffff:a.b.c.d`) and ISATAP addresses end in an IPv4 address.
fn print_compressed(bytes: [u8; 16], out: &mut Vec<u8>) {
    let words: Vec<u16> = (0..16)
        .step_by(2)
        .filter_map(|at| Endian::Big.u16(&bytes, at))
        .collect();
    let mapped = matches!(words.as_slice(), [0, 0, 0, 0, 0, 0xffff, ..]);
    let isatap = matches!(words.as_slice(), [_, _, _, _, 0 | 0x0200, 0x5efe, ..]);
    let words = words.get(..if mapped || isatap { 6 } else { 8 }).unwrap_or(&words);
    let (mut run, mut longest) = (0..0, 0..0);
    for (at, &word) in words.iter().enumerate() {
        run = if word != 0 { at + 1..at + 1 } else { run.start..at + 1 };
        if run.len() > longest.len() {
            longest = run.clone();
        }
    }
    if longest.len() < 2 {
        longest = usize::MAX..usize::MAX;
    }
    let mut colon = false;
    for (at, &word) in words.iter().enumerate() {
        if at == longest.start {
            out.extend_from_slice(b"::");
            colon = false;
        }
        if longest.contains(&at) {
            continue;
        }
        if colon {
            out.push(b':');
        }
        write_hex(u64::from(word), out);
        colon = true;
    }
    if words.len() == 6 {
        if colon {
            out.push(b':');
        }
        let [.., a, b, c, d] = bytes;
        let ip = Ip4 {
            padded: false,
            order: Order::Network,
        };
        ip.print([a, b, c, d], Endian::Big, out);
    }
}

pub(super) fn print_uuid(mut bytes: [u8; 16], upper: bool, swapped: bool, out: &mut Vec<u8>) {
    if swapped {
        // The first three numbers are little-endian.
        let [a, b, c, d, e, f, g, h, ..] = bytes;
        for (place, byte) in bytes.iter_mut().zip([d, c, b, a, f, e, h, g]) {
            *place = byte;
        }
    }
    let start = out.len();
    for (at, byte) in bytes.into_iter().enumerate() {
        if matches!(at, 4 | 6 | 8 | 10) {
            out.push(b'-');
        }
        write_hex_byte(byte, out);
    }
    if upper {
        out.get_mut(start..).unwrap_or_default().make_ascii_uppercase();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The expected texts are those that `trace-cmd report` 3.1.6 prints for `%pI6c`.
    #[test]
    fn runs_of_zeros_are_compressed() {
        for (words, expected) in [
            ([0; 8], "::"),
            ([0, 0, 0, 0, 0, 0, 0, 1], "::1"),
            ([0x2001, 0, 0, 1, 0, 0, 1, 0], "2001::1:0:0:1:0"),
            ([0, 0, 1, 0, 0, 0, 1, 0], "0:0:1::1:0"),
            ([0xfe80, 0, 0, 0, 0, 0, 0, 0], "fe80::"),
            ([1, 0, 0, 2, 3, 0, 4, 5], "1::2:3:0:4:5"),
            ([0, 2, 3, 4, 5, 6, 7, 8], "0:2:3:4:5:6:7:8"),
            ([1, 2, 3, 4, 5, 6, 0, 0], "1:2:3:4:5:6::"),
            ([0, 0, 0, 0, 0, 0, 0x102, 0x304], "::102:304"),
            ([0, 0, 0, 0, 0, 0xffff, 0x102, 0x304], "::ffff:1.2.3.4"),
            ([0, 0, 0, 0, 0, 0xffff, 0, 0], "::ffff:0.0.0.0"),
            ([0, 0, 0, 0, 0, 0x5efe, 0x102, 0x304], "::5efe:1.2.3.4"),
        ] as [([u16; 8], &str); 12]
        {
            let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_be_bytes()).collect();
            let mut out = Vec::new();
            Ip6::Compressed.print(bytes.try_into().unwrap(), &mut out);
            assert_eq!(String::from_utf8(out).unwrap(), expected);
        }
    }
}
