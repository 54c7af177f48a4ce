//! Loads that need not be checked one by one: of a record that has so many bytes behind its start that whatever lies at an
//! offset of eight bits is inside.

use crate::bytes::load;
use crate::field::{IntField, TextField};

/// The most bytes of a [`Near`] place.
const WIDEST: usize = 16;
/// Bytes of a [`Window`].
const LEN: usize = (1 << 8) + WIDEST;

/// A record, and what follows it on its page. That a field is the record's own is asked once for all of them, by where the
/// last one ends.
#[derive(Clone, Copy, Debug)]
pub struct Window<'a>(&'a [u8; LEN]);

impl<'a> Window<'a> {
    /// What begins at `at`; `None` near the page's end.
    #[inline]
    pub fn new(page: &'a [u8], at: usize) -> Option<Window<'a>> {
        page.get(at..)?.first_chunk().map(Window)
    }

    /// The bytes at a place.
    #[inline(always)]
    pub fn load<const N: usize>(self, place: Near<N>) -> [u8; N] {
        // Always there: compilers see it.
        load(self.0, usize::from(place.0)).unwrap_or([0; N])
    }
}

/// A place of `N` bytes that begins among the first 256 of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Near<const N: usize>(u8);

impl<const N: usize> Near<N> {
    const FITS: () = assert!(N <= WIDEST, "a window has them at each offset");

    fn new(offset: usize) -> Option<Near<N>> {
        let () = Self::FITS;
        u8::try_from(offset).ok().map(Near)
    }

    /// That of a number of `N` bytes; `None` where it is further away, or has another size.
    pub fn of_int(field: IntField) -> Option<Near<N>> {
        Near::new(field.end().checked_sub(N).filter(|_| field.width() == N)?)
    }

    /// That of an array of `N` bytes; `None` where it is further away, and for other strings.
    pub fn of_array(field: TextField) -> Option<Near<N>> {
        Near::new(field.array_offset(N)?)
    }

    /// The offset of the byte behind it.
    pub fn end(self) -> usize {
        usize::from(self.0) + N
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bytes::Endian;
    use crate::field::{Field, FieldShape};

    fn field(offset: usize, size: usize, shape: FieldShape) -> Field {
        Field {
            name: "n".into(),
            type_name: "int".into(),
            offset,
            size,
            signed: true,
            shape,
            brackets: None,
        }
    }

    /// A page of all kinds of bytes.
    fn page() -> Vec<u8> {
        (0..3 * LEN as u32)
            .map(|at| (at.wrapping_mul(0x9e37_79b9) >> 13) as u8)
            .collect()
    }

    #[test]
    fn numbers_are_those_of_checked_loads() {
        let page = page();
        for (offset, start) in (0..300).flat_map(|offset| [(offset, 0), (offset, 1), (offset, LEN)]) {
            let int = |size| field(offset, size, FieldShape::Scalar).as_int().unwrap();
            let window = Window::new(&page, start).unwrap();
            let four = Near::of_int(int(4)).map(|near| (near.end(), i32::from_le_bytes(window.load(near)).into()));
            let checked = int(4).load(&page[start..], Endian::Little).unwrap();
            assert_eq!(four, (offset <= 255).then_some((offset + 4, checked)));
            assert_eq!(Near::<8>::of_int(int(4)), None);
            assert_eq!(Near::<2>::of_int(int(4)), None);
        }
    }

    #[test]
    fn arrays_are_their_bytes() {
        let page = page();
        let window = Window::new(&page, 3).unwrap();
        for offset in 0..300 {
            let array = |size| field(offset, size, FieldShape::Array).as_text().unwrap();
            let near = Near::<16>::of_array(array(16)).map(|near| window.load(near));
            assert_eq!(near.is_some(), offset <= 255);
            if let Some(bytes) = near {
                assert_eq!(bytes[..], page[3 + offset..][..16]);
            }
            assert_eq!(Near::<16>::of_array(array(32)), None);
        }
    }

    #[test]
    fn a_window_is_within_its_page() {
        let page = page();
        assert!(Window::new(&page, page.len() - LEN).is_some());
        assert!(Window::new(&page, page.len() - LEN + 1).is_none());
        assert!(Window::new(&page, usize::MAX).is_none());
    }
}
