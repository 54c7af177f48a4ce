//! The wire form of protocol buffers: fields of varints and lengths, walked in place. Nothing is copied or allocated, and
//! no message is known here.

/// What a field holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Value<'a> {
    Varint(u64),
    Fixed64(u64),
    Fixed32(u32),
    /// A text, bytes, a message or a packed array.
    Bytes(&'a [u8]),
    /// The same, of which the end is missing; the last field that there is.
    Cut(&'a [u8]),
}

/// The fields of a message, in the order of its bytes. Ends early where the bytes are no fields.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fields<'a> {
    bytes: &'a [u8],
    broken: bool,
}

impl<'a> Fields<'a> {
    #[inline]
    pub fn new(bytes: &'a [u8]) -> Self {
        Fields { bytes, broken: false }
    }

    /// Whether it ended early, or with a field that is cut.
    #[inline]
    pub fn broken(&self) -> bool {
        self.broken
    }

    #[cold]
    fn give_up(&mut self) -> Option<(u32, Value<'a>)> {
        self.broken = true;
        self.bytes = &[];
        None
    }

    #[inline]
    fn delimited(&mut self, field: u32, rest: &'a [u8]) -> Option<(u32, Value<'a>)> {
        let mut rest = rest;
        let Some(len) = take_varint(&mut rest) else {
            return self.give_up();
        };
        let split = usize::try_from(len).ok().and_then(|len| rest.split_at_checked(len));
        match split {
            Some((bytes, rest)) => {
                self.bytes = rest;
                Some((field, Value::Bytes(bytes)))
            }
            None => {
                self.give_up();
                Some((field, Value::Cut(rest)))
            }
        }
    }
}

impl<'a> Iterator for Fields<'a> {
    type Item = (u32, Value<'a>);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        if self.bytes.is_empty() {
            return None;
        }
        let mut rest = self.bytes;
        let Some(tag) = take_varint(&mut rest) else {
            return self.give_up();
        };
        let Some(field) = field_of(tag) else {
            return self.give_up();
        };
        let value = match tag & 7 {
            VARINT => take_varint(&mut rest).map(Value::Varint),
            DELIMITED => return self.delimited(field, rest),
            FIXED64 => take_array(&mut rest).map(|bytes| Value::Fixed64(u64::from_le_bytes(bytes))),
            FIXED32 => take_array(&mut rest).map(|bytes| Value::Fixed32(u32::from_le_bytes(bytes))),
            // Groups, which nobody writes.
            _ => None,
        };
        let Some(value) = value else {
            return self.give_up();
        };
        self.bytes = rest;
        Some((field, value))
    }
}

/// Wire types.
pub(super) const VARINT: u64 = 0;
pub(super) const FIXED64: u64 = 1;
pub(super) const DELIMITED: u64 = 2;
pub(super) const FIXED32: u64 = 5;

/// The field of a tag; fields have 29 bits, and there is no field 0.
#[inline]
pub(super) fn field_of(tag: u64) -> Option<u32> {
    u32::try_from(tag >> 3)
        .ok()
        .filter(|field| (1..1 << 29).contains(field))
}

/// Seven bits a byte, the lowest first, at most ten bytes; `None` where it does not end, and then nothing is taken.
#[inline]
pub(super) fn take_varint(bytes: &mut &[u8]) -> Option<u64> {
    let (&first, rest) = bytes.split_first()?;
    if first < 0x80 {
        *bytes = rest;
        return Some(u64::from(first));
    }
    let mut number = u64::from(first & 0x7f);
    let mut rest = rest;
    for shift in (7..64).step_by(7) {
        let (&byte, after) = rest.split_first()?;
        rest = after;
        // Of the tenth byte one bit fits; further ones are ignored, as protobuf's own readers do.
        number |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            *bytes = rest;
            return Some(number);
        }
    }
    None
}

#[inline]
fn take_array<const N: usize>(bytes: &mut &[u8]) -> Option<[u8; N]> {
    let (&array, rest) = bytes.split_first_chunk()?;
    *bytes = rest;
    Some(array)
}

/// The numbers of one repeated field: packed into arrays, or each as a field of its own, or both.
#[derive(Clone, Copy, Debug)]
pub(super) struct Column<'a> {
    /// Where the rest of the field is.
    message: Fields<'a>,
    field: u32,
    packed: &'a [u8],
}

impl<'a> Column<'a> {
    pub fn new(message: &'a [u8], field: u32) -> Self {
        Column {
            message: Fields::new(message),
            field,
            packed: &[],
        }
    }

    fn more(&mut self) -> Option<u64> {
        for (field, value) in self.message.by_ref() {
            if field != self.field {
                continue;
            }
            match value {
                Value::Varint(number) => return Some(number),
                Value::Bytes(mut packed) | Value::Cut(mut packed) => {
                    let first = take_varint(&mut packed);
                    if first.is_some() {
                        self.packed = packed;
                        return first;
                    }
                }
                Value::Fixed64(_) | Value::Fixed32(_) => {}
            }
        }
        None
    }
}

impl Iterator for Column<'_> {
    type Item = u64;

    #[inline]
    fn next(&mut self) -> Option<u64> {
        match take_varint(&mut self.packed) {
            Some(number) => Some(number),
            None => {
                self.packed = &[];
                self.more()
            }
        }
    }
}

/// A number as the signed one of 32 bits that it stands for.
#[inline]
pub(super) fn int32(number: u64) -> i32 {
    number as i32
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn put_varint(out: &mut Vec<u8>, mut number: u64) {
        while 0x80 <= number {
            out.push(number as u8 | 0x80);
            number >>= 7;
        }
        out.push(number as u8);
    }

    #[derive(Clone, Debug, PartialEq)]
    enum Owned {
        Varint(u64),
        Fixed64(u64),
        Fixed32(u32),
        Bytes(Vec<u8>),
    }

    fn put(out: &mut Vec<u8>, field: u32, value: &Owned) {
        let tag = |wire: u64| u64::from(field) << 3 | wire;
        match value {
            Owned::Varint(number) => {
                put_varint(out, tag(0));
                put_varint(out, *number);
            }
            Owned::Fixed64(number) => {
                put_varint(out, tag(1));
                out.extend(number.to_le_bytes());
            }
            Owned::Bytes(bytes) => {
                put_varint(out, tag(2));
                put_varint(out, bytes.len() as u64);
                out.extend(bytes);
            }
            Owned::Fixed32(number) => {
                put_varint(out, tag(5));
                out.extend(number.to_le_bytes());
            }
        }
    }

    fn owned(value: Value<'_>) -> Owned {
        match value {
            Value::Varint(number) => Owned::Varint(number),
            Value::Fixed64(number) => Owned::Fixed64(number),
            Value::Fixed32(number) => Owned::Fixed32(number),
            Value::Bytes(bytes) | Value::Cut(bytes) => Owned::Bytes(bytes.to_vec()),
        }
    }

    fn values() -> impl Strategy<Value = Vec<(u32, Owned)>> {
        let value = prop_oneof![
            any::<u64>().prop_map(Owned::Varint),
            (0_u64..300).prop_map(Owned::Varint),
            any::<u64>().prop_map(Owned::Fixed64),
            any::<u32>().prop_map(Owned::Fixed32),
            prop::collection::vec(any::<u8>(), 0..40).prop_map(Owned::Bytes),
        ];
        prop::collection::vec((1_u32..(1 << 29), value), 0..20)
    }

    proptest! {
        #[test]
        fn what_is_written_is_read(fields in values(), cut in 0_usize..200) {
            let mut bytes = Vec::new();
            fields.iter().for_each(|(field, value)| put(&mut bytes, *field, value));
            let mut walk = Fields::new(&bytes);
            let found: Vec<(u32, Owned)> = walk.by_ref().map(|(field, value)| (field, owned(value))).collect();
            prop_assert!(!walk.broken());
            prop_assert_eq!(&found, &fields);
            // A part of it begins with the same fields.
            let part = &bytes[..cut.min(bytes.len())];
            let whole = Fields::new(part).filter(|(_, value)| !matches!(value, Value::Cut(_)));
            for ((field, value), expected) in whole.zip(&fields) {
                prop_assert_eq!(&(field, owned(value)), expected);
            }
        }

        #[test]
        fn arbitrary_bytes_end(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            prop_assert!(Fields::new(&bytes).count() <= bytes.len());
            prop_assert!(Column::new(&bytes, 1).count() <= bytes.len());
        }

        #[test]
        fn a_column_is_packed_or_not(numbers in prop::collection::vec(any::<u64>(), 0..30), parts in 1_usize..9) {
            let mut bytes = Vec::new();
            for (index, part) in numbers.chunks(parts).enumerate() {
                put(&mut bytes, 2, &Owned::Varint(7));
                if index % 2 == 0 {
                    let mut packed = Vec::new();
                    part.iter().for_each(|&number| put_varint(&mut packed, number));
                    put(&mut bytes, 1, &Owned::Bytes(packed));
                } else {
                    part.iter().for_each(|&number| put(&mut bytes, 1, &Owned::Varint(number)));
                }
            }
            prop_assert_eq!(Column::new(&bytes, 1).collect::<Vec<_>>(), numbers);
        }
    }

    #[test]
    fn varints_that_do_not_end_are_none() {
        let mut bytes: &[u8] = &[0xff; 30];
        assert_eq!(take_varint(&mut bytes), None);
        assert_eq!(bytes.len(), 30);
        let mut negative: &[u8] = &[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01];
        assert_eq!(take_varint(&mut negative).map(int32), Some(-1));
    }

    #[test]
    fn a_length_beyond_the_end_is_cut() {
        let mut fields = Fields::new(&[0x0a, 0xff, 0xff, 0x03, 1, 2]);
        assert_eq!(fields.next(), Some((1, Value::Cut(&[1, 2]))));
        assert_eq!(fields.next(), None);
        assert!(fields.broken());
    }
}
