//! Numbers and strings as C's `printf` writes them.

/// Wider padding than this only comes from damaged records.
const MAX_PADDING: usize = 1024;

/// How a number is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Radix {
    Signed,
    Unsigned,
    Octal,
    Hex,
    UpperHex,
}

/// How many of a number's bits count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Length {
    Char,
    Short,
    Int,
    Long,
}

/// Flags, width and precision of a conversion.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Shape {
    pub left: bool,
    pub zeros: bool,
    pub prefix: bool,
    pub width: usize,
    pub precision: Option<usize>,
}

impl Shape {
    /// Sets the width that an argument gives; a negative one means the flag `-`.
    pub fn set_width(&mut self, width: i64) {
        self.left |= width < 0;
        self.width = width.unsigned_abs() as usize;
    }

    /// Sets the precision that an argument gives; a negative one means none.
    pub fn set_precision(&mut self, precision: i64) {
        self.precision = usize::try_from(precision).ok();
    }
}

/// A number that nothing pads.
#[inline]
pub(super) fn write_plain(value: u64, radix: Radix, length: Length, out: &mut Vec<u8>) {
    let mut digits = itoa::Buffer::new();
    match (radix, length) {
        (Radix::Signed, Length::Int) => out.extend_from_slice(digits.format(value as i32).as_bytes()),
        (Radix::Unsigned, Length::Int) => out.extend_from_slice(digits.format(value as u32).as_bytes()),
        (Radix::Signed, Length::Long) => out.extend_from_slice(digits.format(value as i64).as_bytes()),
        (Radix::Unsigned, Length::Long) => out.extend_from_slice(digits.format(value).as_bytes()),
        (Radix::Hex, _) => write_hex(cut(value, length), out),
        _ => write_number(value, radix, length, Shape::default(), out),
    }
}

/// Lower-case hexadecimal digits, at least one.
pub(super) fn write_hex(value: u64, out: &mut Vec<u8>) {
    let mut digits = [0; DIGITS];
    out.extend_from_slice(digits_of(value, 16, b'a', &mut digits));
}

/// `%02x`
pub(super) fn write_hex_byte(byte: u8, out: &mut Vec<u8>) {
    let digit = |nibble: u8| nibble + if nibble < 10 { b'0' } else { b'a' - 10 };
    out.extend_from_slice(&[digit(byte >> 4), digit(byte & 15)]);
}

/// Any number.
pub(super) fn write_number(value: u64, radix: Radix, length: Length, shape: Shape, out: &mut Vec<u8>) {
    let value = cut(value, length);
    let (negative, value) = match radix {
        Radix::Signed => {
            let signed = extend(value, length);
            (signed < 0, signed.unsigned_abs())
        }
        _ => (false, value),
    };
    let (base, ten) = match radix {
        Radix::Signed | Radix::Unsigned => (10, b'a'),
        Radix::Octal => (8, b'a'),
        Radix::Hex => (16, b'a'),
        Radix::UpperHex => (16, b'A'),
    };
    let mut buffer = [0; DIGITS];
    let digits: &[u8] = match (value, shape.precision) {
        (0, Some(0)) => &[],
        _ => digits_of(value, base, ten, &mut buffer),
    };
    let sign: &[u8] = match radix {
        _ if negative => b"-",
        Radix::Hex if shape.prefix && value != 0 => b"0x",
        Radix::UpperHex if shape.prefix && value != 0 => b"0X",
        _ => b"",
    };
    let mut zeros = shape.precision.unwrap_or(0).saturating_sub(digits.len());
    if radix == Radix::Octal && shape.prefix && zeros == 0 && digits.first() != Some(&b'0') {
        zeros = 1;
    }
    let mut blanks = shape.width.saturating_sub(sign.len() + zeros + digits.len());
    if shape.zeros && !shape.left && shape.precision.is_none() {
        zeros += std::mem::take(&mut blanks);
    }
    if !shape.left {
        pad(b' ', blanks, out);
    }
    out.extend_from_slice(sign);
    pad(b'0', zeros, out);
    out.extend_from_slice(digits);
    if shape.left {
        pad(b' ', blanks, out);
    }
}

/// A string.
pub(super) fn write_text(text: &[u8], shape: Shape, out: &mut Vec<u8>) {
    let text = text.get(..shape.precision.unwrap_or(text.len())).unwrap_or(text);
    let blanks = shape.width.saturating_sub(text.len());
    if !shape.left {
        pad(b' ', blanks, out);
    }
    out.extend_from_slice(text);
    if shape.left {
        pad(b' ', blanks, out);
    }
}

fn pad(byte: u8, count: usize, out: &mut Vec<u8>) {
    out.resize(out.len() + count.min(MAX_PADDING), byte);
}

fn cut(value: u64, length: Length) -> u64 {
    match length {
        Length::Char => u64::from(value as u8),
        Length::Short => u64::from(value as u16),
        Length::Int => u64::from(value as u32),
        Length::Long => value,
    }
}

fn extend(value: u64, length: Length) -> i64 {
    match length {
        Length::Char => i64::from(value as i8),
        Length::Short => i64::from(value as i16),
        Length::Int => i64::from(value as i32),
        Length::Long => value as i64,
    }
}

/// Octal digits of 64 bits.
const DIGITS: usize = 22;

fn digits_of(mut value: u64, base: u64, ten: u8, buffer: &mut [u8; DIGITS]) -> &[u8] {
    let mut start = DIGITS;
    for (at, place) in buffer.iter_mut().enumerate().rev() {
        let digit = (value % base) as u8;
        *place = digit + if digit < 10 { b'0' } else { ten - 10 };
        start = at;
        value /= base;
        if value == 0 {
            break;
        }
    }
    buffer.get(start..).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(value: i64, radix: Radix, length: Length, shape: Shape) -> String {
        let mut out = Vec::new();
        write_number(value as u64, radix, length, shape, &mut out);
        String::from_utf8(out).unwrap()
    }

    /// The expected texts are those that glibc's `printf` prints.
    #[test]
    fn numbers_are_written_as_by_printf() {
        let plain = Shape::default();
        let wide = Shape { width: 8, ..plain };
        let zeros = Shape { zeros: true, ..wide };
        let left = Shape { left: true, ..wide };
        let precise = Shape {
            precision: Some(3),
            ..plain
        };
        let prefix = Shape { prefix: true, ..plain };
        for (value, radix, length, shape, expected) in [
            (-5, Radix::Signed, Length::Int, plain, "-5"),
            (-5, Radix::Unsigned, Length::Int, plain, "4294967291"),
            (-5, Radix::Unsigned, Length::Long, plain, "18446744073709551611"),
            (200, Radix::Signed, Length::Char, plain, "-56"),
            (-5, Radix::Hex, Length::Short, plain, "fffb"),
            (-5, Radix::Octal, Length::Int, plain, "37777777773"),
            (-1, Radix::Octal, Length::Long, plain, "1777777777777777777777"),
            (i64::MIN, Radix::Signed, Length::Long, plain, "-9223372036854775808"),
            (-5, Radix::Signed, Length::Int, wide, "      -5"),
            (-5, Radix::Signed, Length::Int, zeros, "-0000005"),
            (-5, Radix::Signed, Length::Int, left, "-5      "),
            (-5, Radix::Signed, Length::Int, precise, "-005"),
            (200, Radix::UpperHex, Length::Int, precise, "0C8"),
            (200, Radix::Hex, Length::Int, prefix, "0xc8"),
            (0, Radix::Hex, Length::Int, prefix, "0"),
            (200, Radix::Octal, Length::Int, prefix, "0310"),
            (0, Radix::Octal, Length::Int, prefix, "0"),
        ] {
            assert_eq!(
                number(value, radix, length, shape),
                expected,
                "{value} {radix:?} {shape:?}"
            );
        }
        let nothing = Shape {
            precision: Some(0),
            ..plain
        };
        assert_eq!(number(0, Radix::Signed, Length::Int, nothing), "");
        let prefixed = Shape { prefix: true, ..zeros };
        assert_eq!(number(200, Radix::Hex, Length::Int, prefixed), "0x0000c8");
    }

    #[test]
    fn strings_are_padded_and_cut() {
        let text = |shape| {
            let mut out = Vec::new();
            write_text(b"hello", shape, &mut out);
            String::from_utf8(out).unwrap()
        };
        let shape = Shape::default();
        assert_eq!(text(Shape { width: 7, ..shape }), "  hello");
        assert_eq!(
            text(Shape {
                width: 7,
                left: true,
                ..shape
            }),
            "hello  "
        );
        assert_eq!(
            text(Shape {
                precision: Some(2),
                ..shape
            }),
            "he"
        );
    }

    #[test]
    fn plain_numbers_are_those_without_a_shape() {
        for value in [0, 1, 77, u64::MAX, 0x8000_0000, 0xffff_ffff_8100_1010] {
            for length in [Length::Char, Length::Short, Length::Int, Length::Long] {
                for radix in [
                    Radix::Signed,
                    Radix::Unsigned,
                    Radix::Hex,
                    Radix::UpperHex,
                    Radix::Octal,
                ] {
                    let (mut plain, mut shaped) = (Vec::new(), Vec::new());
                    write_plain(value, radix, length, &mut plain);
                    write_number(value, radix, length, Shape::default(), &mut shaped);
                    assert_eq!(plain, shaped);
                }
            }
        }
    }

    #[test]
    fn damaged_widths_cost_little() {
        let shape = Shape {
            width: usize::MAX,
            ..Shape::default()
        };
        assert!(number(1, Radix::Signed, Length::Int, shape).len() <= MAX_PADDING + 1);
    }
}
