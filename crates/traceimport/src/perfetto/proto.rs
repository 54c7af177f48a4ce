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

impl<'a> Fields<'a> {
    /// The next field, where every event's are read: most tags and lengths are one byte.
    #[inline(always)]
    pub fn quick(&mut self) -> Option<(u32, Value<'a>)> {
        let (&tag, rest) = self.bytes.split_first()?;
        if (0x08..0x80).contains(&tag) {
            let field = u32::from(tag >> 3);
            match u64::from(tag & 7) {
                DELIMITED => {
                    if let Some((&len, rest)) = rest.split_first().filter(|(len, _)| **len < 0x80) {
                        if let Some((bytes, rest)) = rest.split_at_checked(usize::from(len)) {
                            self.bytes = rest;
                            return Some((field, Value::Bytes(bytes)));
                        }
                    }
                }
                VARINT => {
                    let mut rest = rest;
                    if let Some(number) = take_varint(&mut rest) {
                        self.bytes = rest;
                        return Some((field, Value::Varint(number)));
                    }
                }
                _ => {}
            }
        }
        self.any()
    }

    /// The next field, whatever it is.
    #[inline(never)]
    fn any(&mut self) -> Option<(u32, Value<'a>)> {
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

impl<'a> Iterator for Fields<'a> {
    type Item = (u32, Value<'a>);

    fn next(&mut self) -> Option<Self::Item> {
        match self.bytes.is_empty() {
            true => None,
            false => self.any(),
        }
    }
}

/// A message whose fields are read in the order in which everybody writes them, each where it is expected: no field is searched
/// for. What is in another order is left.
#[derive(Clone, Copy, Debug)]
pub(super) struct InOrder<'a>(&'a [u8]);

impl<'a> InOrder<'a> {
    #[inline(always)]
    pub fn new(bytes: &'a [u8]) -> Self {
        InOrder(bytes)
    }

    /// The number of this field (below 16), which is 0 where it is not next.
    #[inline(always)]
    pub fn number(&mut self, field: u8) -> u64 {
        self.optional(field).unwrap_or(0)
    }

    /// The number of this field, if it is next.
    #[inline(always)]
    pub fn optional(&mut self, field: u8) -> Option<u64> {
        let (tag, mut rest) = self.0.split_first()?;
        if *tag != field << 3 | VARINT as u8 {
            return None;
        }
        let number = take_varint(&mut rest)?;
        self.0 = rest;
        Some(number)
    }

    /// The text of this field (below 16), which is empty where it is not next, or longer than a few bytes.
    #[inline(always)]
    pub fn text(&mut self, field: u8) -> &'a [u8] {
        match self.0 {
            [tag, len, rest @ ..] if *tag == (field << 3 | DELIMITED as u8) => self.few(*len, rest),
            _ => &[],
        }
    }

    /// The next field, if it is a message of a few bytes.
    #[inline(always)]
    pub fn message(&mut self) -> Option<(u32, &'a [u8])> {
        let (tag, len, rest) = match *self.0 {
            [tag @ 0..0x80, len, ref rest @ ..] => (u32::from(tag), len, rest),
            [low, high @ 0..0x80, len, ref rest @ ..] => (u32::from(low & 0x7f) | u32::from(high) << 7, len, rest),
            _ => return None,
        };
        let is_message = u64::from(tag & 7) == DELIMITED && len < 0x80;
        let (message, rest) = rest.split_at_checked(usize::from(len)).filter(|_| is_message)?;
        self.0 = rest;
        Some((tag >> 3, message))
    }

    #[inline(always)]
    fn few(&mut self, len: u8, rest: &'a [u8]) -> &'a [u8] {
        match rest.split_at_checked(usize::from(len)) {
            Some((text, rest)) if len < 0x80 => {
                self.0 = rest;
                text
            }
            _ => &[],
        }
    }

    /// Whether that was all.
    #[inline(always)]
    pub fn is_all(self) -> bool {
        self.0.is_empty()
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
#[inline(always)]
pub(super) fn take_varint(bytes: &mut &[u8]) -> Option<u64> {
    let (&first, rest) = bytes.split_first()?;
    if first < 0x80 {
        *bytes = rest;
        return Some(u64::from(first));
    }
    let (number, rest) = long_varint(bytes)?;
    *bytes = rest;
    Some(number)
}

/// A number of more than one byte, and what follows it.
#[inline]
fn long_varint(bytes: &[u8]) -> Option<(u64, &[u8])> {
    /// The highest bit of each byte: clear in the last one of a number.
    const MORE: u64 = 0x8080_8080_8080_8080;
    if let Some(eight) = bytes.first_chunk() {
        let word = u64::from_le_bytes(*eight);
        let ends = !word & MORE;
        if ends != 0 {
            // Up to the first end; then groups of 7, 14 and 28 bits are moved together.
            let own = word & (ends ^ (ends - 1)) & !MORE;
            let own = (own & 0x007f_007f_007f_007f) | (own & 0x7f00_7f00_7f00_7f00) >> 1;
            let own = (own & 0x0000_3fff_0000_3fff) | (own & 0x3fff_0000_3fff_0000) >> 2;
            let own = (own & 0x0000_0000_0fff_ffff) | (own & 0x0fff_ffff_0000_0000) >> 4;
            return Some((own, bytes.get(ends.trailing_zeros() as usize / 8 + 1..)?));
        }
    }
    odd_varint(bytes)
}

/// Near the end of the bytes, and numbers of nine bytes and more.
#[inline(never)]
fn odd_varint(bytes: &[u8]) -> Option<(u64, &[u8])> {
    let mut number = 0;
    let mut rest = bytes;
    for shift in (0..64).step_by(7) {
        let (&byte, after) = rest.split_first()?;
        rest = after;
        // Of the tenth byte one bit fits; further ones are ignored, as protobuf's own readers do.
        number |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return Some((number, rest));
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

    #[inline(never)]
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
        fn fields_in_order_are_those_that_are_found(fields in values()) {
            let fields: Vec<_> = (1..16).zip(fields.into_iter().map(|(_, value)| value)).collect();
            let mut bytes = Vec::new();
            fields.iter().for_each(|(field, value)| put(&mut bytes, *field, value));
            let mut walk = InOrder::new(&bytes);
            for (field, value) in &fields {
                match value {
                    Owned::Varint(number) => prop_assert_eq!(walk.number(*field as u8), *number),
                    Owned::Bytes(text) if field % 2 == 0 => prop_assert_eq!(walk.text(*field as u8), text.as_slice()),
                    Owned::Bytes(text) => prop_assert_eq!(walk.message(), Some((*field, text.as_slice()))),
                    _ => {
                        let before = walk.0;
                        prop_assert_eq!((walk.number(*field as u8), walk.text(*field as u8)), (0, &[][..]));
                        prop_assert_eq!((walk.message(), walk.0), (None, before));
                        return Ok(());
                    }
                }
            }
            prop_assert!(walk.is_all());
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
