//! Numbers as text, appended without the machinery of `core::fmt`: a report is mostly numbers.

const HEX: &[u8; 16] = b"0123456789abcdef";

/// Appends a decimal number.
#[inline]
pub fn push_u64(out: &mut Vec<u8>, number: u64) {
    push_u64_padded(out, number, 1, b' ');
}

/// Appends a decimal number, with its sign when it is negative.
#[inline]
pub fn push_i64(out: &mut Vec<u8>, number: i64) {
    if number < 0 {
        out.push(b'-');
    }
    push_u64(out, number.unsigned_abs());
}

/// Appends a decimal number, right-aligned in `width` columns (at most 20).
#[inline]
pub fn push_u64_padded(out: &mut Vec<u8>, number: u64, width: usize, fill: u8) {
    let mut buffer = itoa::Buffer::new();
    let digits = buffer.format(number);
    let blanks = width.min(20).saturating_sub(digits.len());
    out.resize(out.len() + blanks, fill);
    out.extend_from_slice(digits.as_bytes());
}

/// Appends a hexadecimal number without prefix.
#[inline]
pub fn push_hex(out: &mut Vec<u8>, number: u64) {
    push_hex_padded(out, number, 1);
}

/// Appends a hexadecimal number without prefix, with zeros before it up to `width` digits (at most 16).
#[inline]
pub fn push_hex_padded(out: &mut Vec<u8>, mut number: u64, width: usize) {
    let mut buffer = [b'0'; 16];
    let mut len = 0;
    for slot in buffer.iter_mut().rev() {
        *slot = HEX.get((number & 15) as usize).copied().unwrap_or_default();
        number >>= 4;
        len += 1;
        if number == 0 {
            break;
        }
    }
    let start = buffer.len() - len.max(width).min(buffer.len());
    out.extend_from_slice(buffer.get(start..).unwrap_or_default());
}

/// Appends `count` blanks.
#[inline]
pub fn push_blanks(out: &mut Vec<u8>, count: usize) {
    out.resize(out.len() + count, b' ');
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(write: impl Fn(&mut Vec<u8>)) -> String {
        let mut out = Vec::new();
        write(&mut out);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn numbers_are_what_core_fmt_makes_of_them() {
        for number in [
            0,
            1,
            9,
            10,
            99,
            100,
            12345,
            u64::from(u32::MAX),
            u64::MAX / 10,
            u64::MAX,
        ] {
            assert_eq!(text(|out| push_u64(out, number)), number.to_string());
            assert_eq!(text(|out| push_i64(out, number as i64)), (number as i64).to_string());
            assert_eq!(text(|out| push_hex(out, number)), format!("{number:x}"));
            assert_eq!(text(|out| push_hex_padded(out, number, 8)), format!("{number:08x}"));
            assert_eq!(
                text(|out| push_u64_padded(out, number, 6, b'0')),
                format!("{number:06}")
            );
            assert_eq!(text(|out| push_u64_padded(out, number, 5, b' ')), format!("{number:5}"));
        }
        assert_eq!(text(|out| push_i64(out, i64::MIN)), i64::MIN.to_string());
        assert_eq!(text(|out| push_blanks(out, 3)), "   ");
    }
}
