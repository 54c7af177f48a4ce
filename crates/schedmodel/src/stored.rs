//! A built [`Trace`], and what is made of it, as bytes: another instance of the engine takes it over, or it is kept for the
//! next opening of its file.
//!
//! The bytes are an index, not a format of traces: they are only good for the build that wrote them, on the file that they
//! were made of, and `key` says which those are. Columns lie in them as they lie in memory, so
//! that reading them is copying them.
//!
//! ```text
//! "CORELANE" | key (u32 length, UTF-8) | value | XXH64 of all before
//! ```

use std::collections::HashMap;
use std::hash::{Hash, Hasher};
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::ops::Range;

#[doc(hidden)]
pub use bytemuck;
use schedrows::{CannotTell, DiagnosticKind, StateCode};
use twox_hash::XxHash64;

use crate::task::{CommId, TaskComm, TaskCommId, TaskId};
use crate::time::Time;
use crate::trace::{LooseWait, Throttle, Trace};

const MAGIC: [u8; 8] = *b"CORELANE";
/// Bytes of the checksum.
const CHECKSUM: u64 = 8;
/// Small values are collected before they are written, and read ahead.
const BUFFER: usize = 1 << 16;

impl Trace {
    /// Writes all of it; see [`store`].
    pub fn store(&self, out: &mut dyn Write, key: &str) -> io::Result<()> {
        store(self, out, key)
    }

    /// Reads what [`Trace::store`] wrote; see [`restore`].
    pub fn restore(input: &mut dyn Read, size: u64, key: &str) -> io::Result<Trace> {
        restore(input, size, key)
    }
}

/// Writes all of a value. `key`: names what it is, the build that writes it, and the file that it was made from.
pub fn store(value: &impl Stored, out: &mut dyn Write, key: &str) -> io::Result<()> {
    let mut out = BufWriter::with_capacity(BUFFER, Summed::new(out));
    out.write_all(&MAGIC)?;
    key.to_owned().put(&mut out)?;
    value.put(&mut out)?;
    let Summed { inner, checksum } = out.into_inner()?;
    inner.write_all(&checksum.finish().to_le_bytes())
}

/// Reads what [`store`] wrote with the same key: `size` bytes. Other bytes, and those with another key, are an error of
/// kind [`InvalidData`](io::ErrorKind::InvalidData).
pub fn restore<T: Stored>(input: &mut dyn Read, size: u64, key: &str) -> io::Result<T> {
    let body = size.checked_sub(CHECKSUM).ok_or_else(|| invalid("too short"))?;
    let mut reader = Reader {
        inner: BufReader::with_capacity(BUFFER, Summed::new(input).take(body)),
        left: body,
    };
    if reader.array()? != MAGIC {
        return Err(invalid("no trace as it is stored"));
    }
    if String::get(&mut reader)? != key {
        return Err(invalid("stored by another build, or of another file"));
    }
    let value = T::get(&mut reader)?;
    if reader.left != 0 {
        return Err(invalid("more bytes than a trace has"));
    }
    let Summed { inner, checksum } = reader.inner.into_inner().into_inner();
    let mut expected = [0; CHECKSUM as usize];
    inner.read_exact(&mut expected)?;
    match checksum.finish() == u64::from_le_bytes(expected) {
        true => Ok(value),
        false => Err(invalid("a checksum that is wrong")),
    }
}

/// The error of bytes that no value has.
pub fn invalid(what: &'static str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what)
}

/// A stream, with the checksum of what went through.
pub struct Summed<T> {
    inner: T,
    checksum: XxHash64,
}

impl<T> Summed<T> {
    fn new(inner: T) -> Summed<T> {
        Summed {
            inner,
            checksum: XxHash64::with_seed(0),
        }
    }
}

impl Write for Summed<&mut dyn Write> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = self.inner.write(bytes)?;
        self.checksum.write(bytes.get(..count).unwrap_or_default());
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

impl Read for Summed<&mut dyn Read> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(bytes)?;
        self.checksum.write(bytes.get(..count).unwrap_or_default());
        Ok(count)
    }
}

/// The stored bytes, as they are read.
pub struct Reader<'a> {
    inner: BufReader<io::Take<Summed<&'a mut dyn Read>>>,
    /// How many are left: nothing is reserved for more.
    left: u64,
}

impl Reader<'_> {
    /// The next bytes, as many as there are room for.
    pub fn read(&mut self, bytes: &mut [u8]) -> io::Result<()> {
        let left = self.left.checked_sub(bytes.len() as u64);
        // An error is allocated: this is asked for each number.
        self.left = left.ok_or_else(|| invalid("too short"))?;
        self.inner.read_exact(bytes)
    }

    /// The next bytes.
    pub fn array<const N: usize>(&mut self) -> io::Result<[u8; N]> {
        let mut bytes = [0; N];
        self.read(&mut bytes)?;
        Ok(bytes)
    }

    /// A number of values that take at least so many bytes each.
    fn count(&self, count: u64, least: usize) -> io::Result<usize> {
        let fits = count.checked_mul(least as u64).is_some_and(|size| size <= self.left);
        let count = usize::try_from(count).ok().filter(|_| fits);
        count.ok_or_else(|| invalid("a count beyond its bytes"))
    }
}

/// What is collected before it is written.
pub type Writer<'a> = BufWriter<Summed<&'a mut dyn Write>>;

/// What can be written as bytes, and read again.
pub trait Stored: Sized {
    /// The least bytes that a value takes, which bounds how many there can be in what is left.
    const LEAST: usize;

    /// Writes it.
    fn put(&self, out: &mut Writer<'_>) -> io::Result<()>;

    /// Reads what [`Stored::put`] wrote.
    fn get(reader: &mut Reader<'_>) -> io::Result<Self>;

    /// Writes many of them. Numbers are copied as a whole.
    fn put_all(all: &[Self], out: &mut Writer<'_>) -> io::Result<()> {
        all.iter().try_for_each(|each| each.put(out))
    }

    /// Reads what [`Stored::put_all`] wrote.
    fn get_all(count: usize, reader: &mut Reader<'_>) -> io::Result<Vec<Self>> {
        let fit = usize::try_from(reader.left).unwrap_or(usize::MAX) / size_of::<Self>().max(1);
        let mut all = Vec::with_capacity(count.min(fit));
        for _ in 0..count {
            all.push(Self::get(reader)?);
        }
        Ok(all)
    }
}

/// Stores what is plain data: its bytes, as they lie in memory.
#[doc(hidden)]
#[macro_export]
macro_rules! stored_plain {
    ($($plain:ty),+ $(,)?) => {
        $(impl $crate::stored::Stored for $plain {
            const LEAST: usize = size_of::<$plain>();

            fn put(&self, out: &mut $crate::stored::Writer<'_>) -> std::io::Result<()> {
                std::io::Write::write_all(out, $crate::stored::bytemuck::bytes_of(self))
            }

            fn get(reader: &mut $crate::stored::Reader<'_>) -> std::io::Result<Self> {
                let mut value = <Self as $crate::stored::bytemuck::Zeroable>::zeroed();
                reader.read($crate::stored::bytemuck::bytes_of_mut(&mut value))?;
                Ok(value)
            }

            fn put_all(all: &[Self], out: &mut $crate::stored::Writer<'_>) -> std::io::Result<()> {
                std::io::Write::write_all(out, $crate::stored::bytemuck::cast_slice(all))
            }

            fn get_all(count: usize, reader: &mut $crate::stored::Reader<'_>) -> std::io::Result<Vec<Self>> {
                let mut all = $crate::stored::bytemuck::zeroed_vec(count);
                reader.read($crate::stored::bytemuck::cast_slice_mut(&mut all))?;
                Ok(all)
            }
        })+
    };
}
#[doc(inline)]
pub use stored_plain;

stored_plain!(u8, u16, u32, u64, i32, i64);

impl Stored for bool {
    const LEAST: usize = 1;

    fn put(&self, out: &mut Writer<'_>) -> io::Result<()> {
        u8::from(*self).put(out)
    }

    fn get(reader: &mut Reader<'_>) -> io::Result<Self> {
        Ok(u8::get(reader)? != 0)
    }
}

impl<T: Stored> Stored for Option<T> {
    const LEAST: usize = 1;

    fn put(&self, out: &mut Writer<'_>) -> io::Result<()> {
        self.is_some().put(out)?;
        self.iter().try_for_each(|value| value.put(out))
    }

    fn get(reader: &mut Reader<'_>) -> io::Result<Self> {
        bool::get(reader)?.then(|| T::get(reader)).transpose()
    }
}

impl<A: Stored, B: Stored> Stored for (A, B) {
    const LEAST: usize = A::LEAST + B::LEAST;

    fn put(&self, out: &mut Writer<'_>) -> io::Result<()> {
        self.0.put(out)?;
        self.1.put(out)
    }

    fn get(reader: &mut Reader<'_>) -> io::Result<Self> {
        Ok((A::get(reader)?, B::get(reader)?))
    }
}

impl<T: Stored> Stored for Vec<T> {
    const LEAST: usize = 8;

    fn put(&self, out: &mut Writer<'_>) -> io::Result<()> {
        (self.len() as u64).put(out)?;
        T::put_all(self, out)
    }

    fn get(reader: &mut Reader<'_>) -> io::Result<Self> {
        let count = u64::get(reader)?;
        T::get_all(reader.count(count, T::LEAST)?, reader)
    }
}

impl<T: Stored> Stored for Box<[T]> {
    const LEAST: usize = <Vec<T>>::LEAST;

    fn put(&self, out: &mut Writer<'_>) -> io::Result<()> {
        (self.len() as u64).put(out)?;
        T::put_all(self, out)
    }

    fn get(reader: &mut Reader<'_>) -> io::Result<Self> {
        Vec::get(reader).map(Vec::into_boxed_slice)
    }
}

impl<K: Stored + Clone + Ord + Hash, V: Stored + Clone> Stored for HashMap<K, V> {
    const LEAST: usize = <Vec<(K, V)>>::LEAST;

    fn put(&self, out: &mut Writer<'_>) -> io::Result<()> {
        let mut pairs: Vec<(K, V)> = self.iter().map(|(key, value)| (key.clone(), value.clone())).collect();
        pairs.sort_by(|(one, _), (other, _)| one.cmp(other));
        pairs.put(out)
    }

    fn get(reader: &mut Reader<'_>) -> io::Result<Self> {
        Vec::get(reader).map(|pairs: Vec<(K, V)>| pairs.into_iter().collect())
    }
}

impl Stored for Range<u64> {
    const LEAST: usize = <(u64, u64)>::LEAST;

    fn put(&self, out: &mut Writer<'_>) -> io::Result<()> {
        (self.start, self.end).put(out)
    }

    fn get(reader: &mut Reader<'_>) -> io::Result<Self> {
        <(u64, u64)>::get(reader).map(|(start, end)| start..end)
    }
}

/// 64 bits, wherever it was written.
impl Stored for usize {
    const LEAST: usize = u64::LEAST;

    fn put(&self, out: &mut Writer<'_>) -> io::Result<()> {
        (*self as u64).put(out)
    }

    fn get(reader: &mut Reader<'_>) -> io::Result<Self> {
        u64::get(reader)?
            .try_into()
            .map_err(|_| invalid("a number beyond memory"))
    }
}

impl<T: Stored> Stored for std::sync::Arc<T> {
    const LEAST: usize = T::LEAST;

    fn put(&self, out: &mut Writer<'_>) -> io::Result<()> {
        self.as_ref().put(out)
    }

    fn get(reader: &mut Reader<'_>) -> io::Result<Self> {
        T::get(reader).map(std::sync::Arc::new)
    }
}

impl Stored for String {
    const LEAST: usize = 4;

    fn put(&self, out: &mut Writer<'_>) -> io::Result<()> {
        (self.len() as u32).put(out)?;
        out.write_all(self.as_bytes())
    }

    fn get(reader: &mut Reader<'_>) -> io::Result<Self> {
        let len = u32::get(reader)?;
        let bytes = u8::get_all(reader.count(len.into(), 1)?, reader)?;
        String::from_utf8(bytes).map_err(|_| invalid("a text that is not UTF-8"))
    }
}

/// Stores a structure field by field: the fields in their order are its format.
#[doc(hidden)]
#[macro_export]
macro_rules! stored {
    ($type:ty { $($field:tt: $of:ty),+ $(,)? }) => {
        impl $crate::stored::Stored for $type {
            const LEAST: usize = 0 $(+ <$of as $crate::stored::Stored>::LEAST)+;

            fn put(&self, out: &mut $crate::stored::Writer<'_>) -> std::io::Result<()> {
                $(<$of as $crate::stored::Stored>::put(&self.$field, out)?;)+
                Ok(())
            }

            fn get(reader: &mut $crate::stored::Reader<'_>) -> std::io::Result<Self> {
                Ok(Self { $($field: <$of as $crate::stored::Stored>::get(reader)?),+ })
            }
        }
    };
}
#[doc(inline)]
pub use stored;

/// Stores an enum without values as a byte: its position in the list of all values.
macro_rules! stored_words {
    ($type:ty) => {
        impl $crate::stored::Stored for $type {
            const LEAST: usize = 1;

            fn put(&self, out: &mut $crate::stored::Writer<'_>) -> std::io::Result<()> {
                let position = <$type>::ALL.iter().position(|each| each == self);
                $crate::stored::Stored::put(&(position.unwrap_or(<$type>::ALL.len()) as u8), out)
            }

            fn get(reader: &mut $crate::stored::Reader<'_>) -> std::io::Result<Self> {
                let position = <u8 as $crate::stored::Stored>::get(reader)?;
                let found = <$type>::ALL.get(usize::from(position)).copied();
                found.ok_or_else(|| $crate::stored::invalid("a value that there is not"))
            }
        }
    };
}
pub(crate) use stored_words;

stored!(Time { 0: u64 });
stored!(TaskId { 0: u32 });
stored!(CommId { 0: u32 });
stored!(TaskCommId { 0: u32 });
stored!(StateCode { 0: u8 });
stored!(TaskComm {
    task: TaskId,
    comm: CommId
});

stored_words!(DiagnosticKind);

impl Stored for CannotTell {
    const LEAST: usize = 1;

    fn put(&self, out: &mut Writer<'_>) -> io::Result<()> {
        self.bits().put(out)
    }

    fn get(reader: &mut Reader<'_>) -> io::Result<Self> {
        u8::get(reader).map(CannotTell::of_bits)
    }
}

stored!(LooseWait {
    who: TaskCommId,
    since: u64,
    until: u64,
    cause: crate::WaitCause,
});
stored!(Throttle {
    who: TaskCommId,
    since: u64,
    until: u64,
});
stored!(Trace {
    origin_ns: u64,
    span_ns: u64,
    cpus: Vec<u32>,
    lanes: Vec<crate::Lane>,
    tasks: Vec<crate::Task>,
    task_comms: Vec<TaskComm>,
    comms: crate::Comms,
    edges: crate::Edges,
    migrations: Vec<crate::Migration>,
    loose_waits: Vec<LooseWait>,
    throttles: Vec<Throttle>,
    claims: Vec<crate::Claim>,
    steps: std::sync::Arc<crate::Steps>,
    holes: crate::Holes,
    after_sleep: Option<u64>,
    records: u64,
    sched_events: u64,
    lost_events: u64,
    lost_gaps: u64,
    chain_breaks: u64,
    cannot_tell: CannotTell,
    diagnostics: Vec<crate::Diagnostic>,
});
