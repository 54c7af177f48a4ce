//! JSON with absolute times: answers count from the trace's first record, but scripts need times of the trace's clock.

use serde::ser::{
    Serialize, SerializeMap, SerializeSeq, SerializeStruct, SerializeStructVariant, SerializeTuple,
    SerializeTupleStruct, SerializeTupleVariant, Serializer,
};

/// An answer whose [`Time`](schedmodel::Time)s are written as the trace's clock had them.
pub struct Absolute<'a, T: ?Sized> {
    answer: &'a T,
    origin_ns: u64,
}

impl<'a, T: Serialize + ?Sized> Absolute<'a, T> {
    /// `origin_ns`: the absolute time at which the trace begins.
    pub fn new(answer: &'a T, origin_ns: u64) -> Self {
        Absolute { answer, origin_ns }
    }
}

impl<T: Serialize + ?Sized> Serialize for Absolute<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.answer.serialize(Adding {
            inner: serializer,
            origin_ns: self.origin_ns,
            is_instant: false,
        })
    }
}

/// The name by which serde knows the type of instants.
const INSTANT: &str = "Time";

/// A serializer, or one in the middle of a value, below which instants become absolute.
struct Adding<S> {
    inner: S,
    origin_ns: u64,
    /// Whether the next number is an instant.
    is_instant: bool,
}

impl<S> Adding<S> {
    fn below<'a, T: ?Sized>(&self, answer: &'a T) -> Absolute<'a, T> {
        Absolute {
            answer,
            origin_ns: self.origin_ns,
        }
    }

    fn inside<U>(origin_ns: u64, inner: U) -> Adding<U> {
        Adding {
            inner,
            origin_ns,
            is_instant: false,
        }
    }
}

macro_rules! as_they_are {
    ($($method:ident($value:ty)),*) => {
        $(fn $method(self, value: $value) -> Result<S::Ok, S::Error> {
            self.inner.$method(value)
        })*
    };
}

impl<S: Serializer> Serializer for Adding<S> {
    type Ok = S::Ok;
    type Error = S::Error;
    type SerializeSeq = Adding<S::SerializeSeq>;
    type SerializeTuple = Adding<S::SerializeTuple>;
    type SerializeTupleStruct = Adding<S::SerializeTupleStruct>;
    type SerializeTupleVariant = Adding<S::SerializeTupleVariant>;
    type SerializeMap = Adding<S::SerializeMap>;
    type SerializeStruct = Adding<S::SerializeStruct>;
    type SerializeStructVariant = Adding<S::SerializeStructVariant>;

    as_they_are!(
        serialize_bool(bool),
        serialize_i8(i8),
        serialize_i16(i16),
        serialize_i32(i32),
        serialize_i64(i64),
        serialize_u8(u8),
        serialize_u16(u16),
        serialize_u32(u32),
        serialize_f32(f32),
        serialize_f64(f64),
        serialize_char(char),
        serialize_str(&str),
        serialize_bytes(&[u8]),
        serialize_unit_struct(&'static str)
    );

    fn serialize_u64(self, value: u64) -> Result<S::Ok, S::Error> {
        let origin_ns = if self.is_instant { self.origin_ns } else { 0 };
        self.inner.serialize_u64(origin_ns.saturating_add(value))
    }

    fn serialize_none(self) -> Result<S::Ok, S::Error> {
        self.inner.serialize_none()
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<S::Ok, S::Error> {
        let value = self.below(value);
        self.inner.serialize_some(&value)
    }

    fn serialize_unit(self) -> Result<S::Ok, S::Error> {
        self.inner.serialize_unit()
    }

    fn serialize_unit_variant(self, name: &'static str, index: u32, variant: &'static str) -> Result<S::Ok, S::Error> {
        self.inner.serialize_unit_variant(name, index, variant)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, name: &'static str, value: &T) -> Result<S::Ok, S::Error> {
        let is_instant = name == INSTANT;
        value.serialize(Adding { is_instant, ..self })
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        name: &'static str,
        index: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<S::Ok, S::Error> {
        let value = self.below(value);
        self.inner.serialize_newtype_variant(name, index, variant, &value)
    }

    fn serialize_seq(self, len: Option<usize>) -> Result<Self::SerializeSeq, S::Error> {
        Ok(Self::inside(self.origin_ns, self.inner.serialize_seq(len)?))
    }

    fn serialize_tuple(self, len: usize) -> Result<Self::SerializeTuple, S::Error> {
        Ok(Self::inside(self.origin_ns, self.inner.serialize_tuple(len)?))
    }

    fn serialize_tuple_struct(self, name: &'static str, len: usize) -> Result<Self::SerializeTupleStruct, S::Error> {
        let inner = self.inner.serialize_tuple_struct(name, len)?;
        Ok(Self::inside(self.origin_ns, inner))
    }

    fn serialize_tuple_variant(
        self,
        name: &'static str,
        index: u32,
        variant: &'static str,
        len: usize,
    ) -> Result<Self::SerializeTupleVariant, S::Error> {
        let inner = self.inner.serialize_tuple_variant(name, index, variant, len)?;
        Ok(Self::inside(self.origin_ns, inner))
    }

    fn serialize_map(self, len: Option<usize>) -> Result<Self::SerializeMap, S::Error> {
        Ok(Self::inside(self.origin_ns, self.inner.serialize_map(len)?))
    }

    fn serialize_struct(self, name: &'static str, len: usize) -> Result<Self::SerializeStruct, S::Error> {
        Ok(Self::inside(self.origin_ns, self.inner.serialize_struct(name, len)?))
    }

    fn serialize_struct_variant(
        self,
        name: &'static str,
        index: u32,
        variant: &'static str,
        len: usize,
    ) -> Result<Self::SerializeStructVariant, S::Error> {
        let inner = self.inner.serialize_struct_variant(name, index, variant, len)?;
        Ok(Self::inside(self.origin_ns, inner))
    }
}

/// Serializers in the middle of a list, each of whose items is written through this module.
macro_rules! items {
    ($trait:ident, $method:ident $(, $key:ident)?) => {
        impl<S: $trait> $trait for Adding<S> {
            type Ok = S::Ok;
            type Error = S::Error;

            fn $method<T: Serialize + ?Sized>(&mut self, $($key: &'static str,)? value: &T) -> Result<(), S::Error> {
                let value = self.below(value);
                self.inner.$method($($key,)? &value)
            }

            fn end(self) -> Result<S::Ok, S::Error> {
                self.inner.end()
            }
        }
    };
}

items!(SerializeSeq, serialize_element);
items!(SerializeTuple, serialize_element);
items!(SerializeTupleStruct, serialize_field);
items!(SerializeTupleVariant, serialize_field);
items!(SerializeStruct, serialize_field, key);
items!(SerializeStructVariant, serialize_field, key);

impl<S: SerializeMap> SerializeMap for Adding<S> {
    type Ok = S::Ok;
    type Error = S::Error;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), S::Error> {
        self.inner.serialize_key(key)
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), S::Error> {
        let value = self.below(value);
        self.inner.serialize_value(&value)
    }

    fn end(self) -> Result<S::Ok, S::Error> {
        self.inner.end()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use schedmodel::Time;
    use serde::Serialize;
    use std::collections::BTreeMap;

    #[derive(Serialize)]
    struct Shapes {
        at: Time,
        length: u64,
        maybe: Option<Time>,
        never: Option<Time>,
        pair: (Time, u64),
        #[serde(flatten)]
        flat: Flat,
        by_name: BTreeMap<&'static str, Vec<Time>>,
        kinds: Vec<Kind>,
    }

    #[derive(Serialize)]
    struct Flat {
        since: Time,
        count: u64,
    }

    #[derive(Serialize)]
    enum Kind {
        Unit,
        New(Time),
        Tuple(Time, u64),
        Struct { at: Time },
    }

    #[test]
    fn instants_and_nothing_else_become_absolute() {
        let shapes = Shapes {
            at: Time(1),
            length: 1,
            maybe: Some(Time(2)),
            never: None,
            pair: (Time(3), 3),
            flat: Flat {
                since: Time(4),
                count: 4,
            },
            by_name: BTreeMap::from([("a", vec![Time(5), Time(u64::MAX)])]),
            kinds: vec![
                Kind::Unit,
                Kind::New(Time(6)),
                Kind::Tuple(Time(7), 7),
                Kind::Struct { at: Time(8) },
            ],
        };
        let json = serde_json::to_string(&Absolute::new(&shapes, 100)).unwrap();
        let expected = r#"{"at":101,"length":1,"maybe":102,"never":null,"pair":[103,3],"since":104,"count":4,"by_name":{"a":[105,18446744073709551615]},"kinds":["Unit",{"New":106},{"Tuple":[107,7]},{"Struct":{"at":108}}]}"#;
        assert_eq!(json, expected);
    }
}
