//! Numbers that take as few bytes as they need (LEB128).

/// Adds seven bits a byte, the lowest first; the highest bit says that more follow.
#[inline]
pub fn put(bytes: &mut Vec<u8>, mut number: u64) {
    while 0x80 <= number {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// Takes a number that [`put`] added; `None` where the bytes end, or are none.
#[inline]
pub fn take(bytes: &mut std::slice::Iter<'_, u8>) -> Option<u64> {
    let mut number = 0;
    for shift in (0..64).step_by(7) {
        let byte = *bytes.next()?;
        number |= u64::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            return Some(number);
        }
    }
    None
}

/// As [`take`], from a place in bytes, which moves behind the number.
#[inline]
pub fn take_at(bytes: &[u8], at: &mut usize) -> Option<u64> {
    let mut rest = bytes.get(*at..)?.iter();
    let number = take(&mut rest)?;
    *at = bytes.len() - rest.len();
    Some(number)
}
