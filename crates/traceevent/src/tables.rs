//! What the three tables of text beside the records share: lines, numbers as C reads them, and bisecting.

use std::cmp::Ordering;

/// The lines of a table, without empty ones; a NUL ends it.
pub(crate) fn lines(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    crate::bytes::until_nul(text)
        .split(|&byte| byte == b'\n')
        .filter(|line| !line.is_empty())
}

/// The text without white space before it.
pub(crate) fn skip_space(text: &[u8]) -> &[u8] {
    text.trim_ascii_start()
}

/// Splits off what comes before the next white space.
pub(crate) fn word(text: &[u8]) -> (&[u8], &[u8]) {
    let end = text.iter().position(u8::is_ascii_whitespace).unwrap_or(text.len());
    text.split_at_checked(end).unwrap_or((text, &[]))
}

/// A hexadecimal number in at most `width` bytes behind white space, as `strtoull(..., 16)` reads it (a sign and `0x` may
/// come first, too large ones are `u64::MAX`); and what follows it. `None` where no digit is.
pub(crate) fn hex(text: &[u8], width: usize) -> Option<(u64, &[u8])> {
    let text = skip_space(text);
    let (field, _) = text.split_at_checked(width).unwrap_or((text, &[]));
    let (negative, unsigned) = sign(field);
    let digits = match unsigned {
        [b'0', b'x' | b'X', digit, ..] if digit.is_ascii_hexdigit() => unsigned.get(2..)?,
        _ => unsigned,
    };
    let len = digits.iter().take_while(|byte| byte.is_ascii_hexdigit()).count();
    if len == 0 {
        return None;
    }
    let value = digits.iter().take(len).try_fold(0u64, |value, &byte| {
        let digit = u64::from(char::from(byte).to_digit(16)?);
        value.checked_mul(16)?.checked_add(digit)
    });
    let value = match (value, negative) {
        (None, _) => u64::MAX,
        (Some(value), false) => value,
        (Some(value), true) => value.wrapping_neg(),
    };
    let read = field.len() - digits.len() + len;
    Some((value, text.get(read..)?))
}

/// A decimal number behind white space, as `sscanf("%d")` reads it (it wraps to 32 bits); and what follows it.
pub(crate) fn decimal(text: &[u8]) -> Option<(i32, &[u8])> {
    let (negative, unsigned) = sign(skip_space(text));
    let len = unsigned.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let (digits, rest) = unsigned.split_at_checked(len)?;
    if digits.is_empty() {
        return None;
    }
    let value = digits.iter().fold(0i64, |value, &byte| {
        value.saturating_mul(10).saturating_add(i64::from(byte - b'0'))
    });
    Some((if negative { value.wrapping_neg() } else { value } as i32, rest))
}

fn sign(text: &[u8]) -> (bool, &[u8]) {
    match text {
        [b'-', rest @ ..] => (true, rest),
        [b'+', rest @ ..] => (false, rest),
        _ => (false, text),
    }
}

/// Bisects `len` sorted entries. Of equal ones it finds the one that C's `bsearch` finds: trace-cmd keeps its tables in the
/// reverse of the file's order, sorts them by key only, and takes the first one it hits.
pub(crate) fn bisect(len: usize, mut compare: impl FnMut(usize) -> Ordering) -> Option<usize> {
    let (mut low, mut high) = (0, len);
    while low < high {
        let middle = low + (high - low) / 2;
        match compare(middle) {
            Ordering::Less => low = middle + 1,
            Ordering::Equal => return Some(middle),
            Ordering::Greater => high = middle,
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_as_c_reads_them() {
        assert_eq!(hex(b" ff T", 16), Some((255, &b" T"[..])));
        assert_eq!(hex(b"0xAbz", 16), Some((171, &b"z"[..])));
        assert_eq!(hex(b"0xz", 16), Some((0, &b"xz"[..])));
        assert_eq!(hex(b"-10", 16), Some((0x10u64.wrapping_neg(), &b""[..])));
        assert_eq!(
            hex(b"11112222333344445555 t", 16),
            Some((0x1111_2222_3333_4444, &b"5555 t"[..]))
        );
        assert_eq!(hex(b"1ffffffffffffffff ", usize::MAX), Some((u64::MAX, &b" "[..])));
        assert_eq!(hex(b"zz", 16), None);
        assert_eq!(decimal(b"  9 x"), Some((9, &b" x"[..])));
        assert_eq!(decimal(b"-5x"), Some((-5, &b"x"[..])));
        assert_eq!(decimal(b"99999999999"), Some((1_215_752_191, &b""[..])));
        assert_eq!(decimal(b"x"), None);
    }
}
