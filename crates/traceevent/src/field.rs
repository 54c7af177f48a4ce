//! Fields of an event: what the `format` text declares, and loads bound to it once.

use crate::bytes::{load, slice, until_nul, Endian};

/// How a field's bytes are laid out in the record (`include/trace/stages` in the kernel).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FieldShape {
    /// One number.
    Scalar,
    /// `name[N]`: elements in place; a flexible array (`name[]` of size 0) extends to the end of the record.
    Array,
    /// `__data_loc`: a 32-bit word in place, offset from the record's start in the low half, length in the high half.
    DataLoc,
    /// `__rel_loc`: as `DataLoc`, but the offset counts from the end of the word itself.
    RelLoc,
}

/// One declared field. Offsets and sizes are in bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Field {
    /// Its name, without brackets.
    pub name: String,
    /// The C type, without `__data_loc`, name and brackets: `unsigned long`, `const char *`.
    pub type_name: String,
    /// Where it starts in the record.
    pub offset: usize,
    /// How many bytes it takes in the record (the word of a `__data_loc`, all elements of an array).
    pub size: usize,
    /// Whether numbers are signed.
    pub signed: bool,
    /// See [`FieldShape`].
    pub shape: FieldShape,
    /// What is between the brackets of the declaration (`16`, `TASK_COMM_LEN`, nothing); `None` when it has none.
    pub brackets: Option<String>,
}

impl Field {
    /// As a number; `None` for arrays, strings and sizes that no number has.
    pub fn as_int(&self) -> Option<IntField> {
        let width = match (self.shape, self.size) {
            (FieldShape::Scalar, 1) => IntWidth::One,
            (FieldShape::Scalar, 2) => IntWidth::Two,
            (FieldShape::Scalar, 4) => IntWidth::Four,
            (FieldShape::Scalar, 8) => IntWidth::Eight,
            _ => return None,
        };
        Some(IntField {
            offset: self.offset,
            width,
            signed: self.signed,
        })
    }

    /// As a string; `None` for a plain number.
    pub fn as_text(&self) -> Option<TextField> {
        let place = match self.shape {
            FieldShape::Scalar => return None,
            FieldShape::Array => Place::Fixed {
                offset: self.offset,
                size: self.size,
            },
            FieldShape::DataLoc => Place::Located {
                word: self.offset,
                base: 0,
            },
            FieldShape::RelLoc => Place::Located {
                word: self.offset,
                base: self.offset + self.size,
            },
        };
        Some(TextField(place))
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum IntWidth {
    One,
    Two,
    Four,
    Eight,
}

/// A number at a fixed place of the record; from [`Field::as_int`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IntField {
    offset: usize,
    width: IntWidth,
    signed: bool,
}

impl IntField {
    /// The number, sign- or zero-extended as the field is declared; `None` when the record is too short. An unsigned one of
    /// 8 bytes keeps its bits: cast it to `u64`.
    #[inline(always)]
    pub fn load(self, record: &[u8], endian: Endian) -> Option<i64> {
        let at = self.offset;
        Some(match (self.width, self.signed) {
            (IntWidth::Four, true) => i64::from(endian.u32(record, at)? as i32),
            (IntWidth::Four, false) => i64::from(endian.u32(record, at)?),
            (IntWidth::Eight, _) => endian.u64(record, at)? as i64,
            (IntWidth::Two, true) => i64::from(endian.u16(record, at)? as i16),
            (IntWidth::Two, false) => i64::from(endian.u16(record, at)?),
            (IntWidth::One, true) => i64::from(i8::from_ne_bytes(load(record, at)?)),
            (IntWidth::One, false) => i64::from(u8::from_ne_bytes(load(record, at)?)),
        })
    }

    /// Puts a number where [`IntField::load`] finds it, as far as it fits; nothing where the record is too short.
    pub(crate) fn store(self, record: &mut [u8], endian: Endian, number: u64) {
        let size = self.end() - self.offset;
        let Some(place) = record.get_mut(self.offset..self.end()) else {
            return;
        };
        let bytes = match endian {
            Endian::Little => number.to_le_bytes(),
            Endian::Big => (number << (64 - 8 * size)).to_be_bytes(),
        };
        place.iter_mut().zip(bytes).for_each(|(to, from)| *to = from);
    }

    /// Where the number ends in the record: the offset of the byte behind it.
    pub fn end(self) -> usize {
        self.offset + self.width()
    }

    /// Bytes of the number.
    pub fn width(self) -> usize {
        match self.width {
            IntWidth::One => 1,
            IntWidth::Two => 2,
            IntWidth::Four => 4,
            IntWidth::Eight => 8,
        }
    }

    /// Whether it is sign-extended.
    pub fn is_signed(self) -> bool {
        self.signed
    }
}

/// A string of the record, in place or elsewhere in it; from [`Field::as_text`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextField(Place);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// In place; NUL-terminated unless it fills the array.
    Fixed {
        /// Where it starts.
        offset: usize,
        /// The array's size.
        size: usize,
    },
    /// Elsewhere in the record, as a 32-bit word says.
    Located {
        /// Where the word is.
        word: usize,
        /// What the word's offset counts from.
        base: usize,
    },
}

impl TextField {
    /// The string's bytes before its first NUL, in no particular encoding; `None` when the record is too short.
    #[inline]
    pub fn load(self, record: &[u8], endian: Endian) -> Option<&[u8]> {
        let bytes = match self.0 {
            Place::Fixed { offset, size: 0 } => record.get(offset..)?,
            Place::Fixed { offset, size } => slice(record, offset, size)?,
            Place::Located { word, base } => {
                let word = endian.u32(record, word)?;
                let (offset, len) = (word & 0xffff, word >> 16);
                slice(record, base + offset as usize, len as usize)?
            }
        };
        Some(until_nul(bytes))
    }

    /// Where the array starts, when the string is an array of `size` bytes in place: most comms have 16
    /// (`TASK_COMM_LEN`), which can be loaded and compared at once.
    #[inline]
    pub fn array_offset(self, size: usize) -> Option<usize> {
        match self.0 {
            Place::Fixed { offset, size: declared } if declared == size => Some(offset),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn int(offset: usize, size: usize, signed: bool) -> IntField {
        Field {
            name: "n".into(),
            type_name: "int".into(),
            offset,
            size,
            signed,
            shape: FieldShape::Scalar,
            brackets: None,
        }
        .as_int()
        .unwrap()
    }

    #[test]
    fn numbers_are_extended_by_their_sign() {
        let record = [0xff, 0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff];
        assert_eq!(int(0, 1, true).load(&record, Endian::Little), Some(-1));
        assert_eq!(int(0, 1, false).load(&record, Endian::Little), Some(255));
        assert_eq!(int(1, 4, true).load(&record, Endian::Little), Some(-2));
        assert_eq!(int(1, 4, false).load(&record, Endian::Little), Some(0xffff_fffe));
        assert_eq!(int(1, 2, true).load(&record, Endian::Big), Some(-257));
        assert_eq!(int(1, 8, false).load(&record, Endian::Little), Some(-2));
        assert_eq!(int(8, 2, false).load(&record, Endian::Little), None);
        assert_eq!(int(1, 8, false).end(), 9);
    }

    #[test]
    fn strings_are_found_in_place_and_by_word() {
        let mut record = [0u8; 20];
        // a __data_loc word at 0: offset 12, length 4; a __rel_loc word at 4: 4 bytes after its end (= 12), length 3
        record[..4].copy_from_slice(&(12u32 | 4 << 16).to_le_bytes());
        record[4..8].copy_from_slice(&(4u32 | 3 << 16).to_le_bytes());
        record[12..16].copy_from_slice(b"abc\0");
        let data_loc = TextField(Place::Located { word: 0, base: 0 });
        let rel_loc = TextField(Place::Located { word: 4, base: 8 });
        let fixed = TextField(Place::Fixed { offset: 12, size: 2 });
        let flexible = TextField(Place::Fixed { offset: 13, size: 0 });
        assert_eq!(data_loc.load(&record, Endian::Little), Some(&b"abc"[..]));
        assert_eq!(rel_loc.load(&record, Endian::Little), Some(&b"abc"[..]));
        assert_eq!(fixed.load(&record, Endian::Little), Some(&b"ab"[..]));
        assert_eq!(flexible.load(&record, Endian::Little), Some(&b"bc"[..]));
        assert_eq!(data_loc.load(&record[..14], Endian::Little), None);
    }
}
