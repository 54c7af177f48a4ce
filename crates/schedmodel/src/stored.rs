//! A built [`Trace`] as bytes: another instance of the engine takes it over, or it is kept for the next opening of its file.
//!
//! The bytes are an index, not a format of traces: they are only good for the build that wrote them, on the file that they
//! were made of, and `key` says which those are. Numbers are little endian. Columns lie in them as they lie in memory, so
//! that reading them is copying them.
//!
//! ```text
//! "CORELANE" | key (u32 length, UTF-8) | trace | CRC-32 of all before
//! ```

use schedrows::wire::{WireError, WireReader};
use schedrows::{DiagnosticKind, StateCode};

use crate::task::{CommId, TaskComm, TaskCommId, TaskId};
use crate::time::Time;
use crate::trace::{LooseWait, Throttle, Trace};

const MAGIC: &[u8; 8] = b"CORELANE";
/// Bytes of the checksum.
const CHECKSUM: usize = 4;

impl Trace {
    /// All of it as bytes. `key`: names the build that writes them, and the file that the trace was built from.
    pub fn to_bytes(&self, key: &str) -> Vec<u8> {
        let mut out = Vec::with_capacity(self.memory_bytes() + (1 << 12));
        out.extend_from_slice(MAGIC);
        key.to_owned().put(&mut out);
        self.put(&mut out);
        let checksum = crc32fast::hash(&out);
        checksum.put(&mut out);
        out
    }

    /// What [`Trace::to_bytes`] made with the same key. Other bytes, and those with another key, are refused.
    pub fn from_bytes(bytes: &[u8], key: &str) -> Result<Trace, WireError> {
        let (body, mut checksum) = WireReader::split_fixed(bytes, CHECKSUM)?;
        let mut reader = WireReader::new(body);
        if reader.bytes(MAGIC.len())? != MAGIC {
            return Err(WireError::Value("no trace as it is stored"));
        }
        if String::get(&mut reader)? != key {
            return Err(WireError::Value("stored by another build, or of another file"));
        }
        if checksum.u32()? != crc32fast::hash(body) {
            return Err(WireError::Value("a checksum that is wrong"));
        }
        let trace = Trace::get(&mut reader)?;
        match reader.left() {
            0 => Ok(trace),
            _ => Err(WireError::Value("more bytes than a trace has")),
        }
    }
}

/// What can be written as bytes, and read again.
pub(crate) trait Stored: Sized {
    /// The least bytes that a value takes: bounds how many there can be in what is left.
    const LEAST: usize;

    fn put(&self, out: &mut Vec<u8>);

    fn get(reader: &mut WireReader<'_>) -> Result<Self, WireError>;

    /// Many of them. Numbers are copied as a whole.
    fn put_all(all: &[Self], out: &mut Vec<u8>) {
        all.iter().for_each(|each| each.put(out));
    }

    fn get_all(count: usize, reader: &mut WireReader<'_>) -> Result<Vec<Self>, WireError> {
        (0..count).map(|_| Self::get(reader)).collect()
    }
}

macro_rules! stored_numbers {
    ($($number:ident),*) => {
        $(impl Stored for $number {
            const LEAST: usize = size_of::<$number>();

            fn put(&self, out: &mut Vec<u8>) {
                out.extend_from_slice(&self.to_le_bytes());
            }

            fn get(reader: &mut WireReader<'_>) -> Result<Self, WireError> {
                let bytes = reader.bytes(size_of::<$number>())?;
                bytes.try_into().map($number::from_le_bytes).map_err(|_| WireError::Short)
            }

            fn put_all(all: &[Self], out: &mut Vec<u8>) {
                out.extend_from_slice(bytemuck::cast_slice(all));
            }

            fn get_all(count: usize, reader: &mut WireReader<'_>) -> Result<Vec<Self>, WireError> {
                let bytes = reader.bytes(count.saturating_mul(size_of::<$number>()))?;
                Ok(bytemuck::allocation::pod_collect_to_vec(bytes))
            }
        })*
    };
}

stored_numbers!(u8, u16, u32, u64, i32);

impl Stored for bool {
    const LEAST: usize = 1;

    fn put(&self, out: &mut Vec<u8>) {
        out.push(u8::from(*self));
    }

    fn get(reader: &mut WireReader<'_>) -> Result<Self, WireError> {
        Ok(reader.u8()? != 0)
    }
}

impl<T: Stored> Stored for Option<T> {
    const LEAST: usize = 1;

    fn put(&self, out: &mut Vec<u8>) {
        self.is_some().put(out);
        if let Some(value) = self {
            value.put(out);
        }
    }

    fn get(reader: &mut WireReader<'_>) -> Result<Self, WireError> {
        Ok(if bool::get(reader)? {
            Some(T::get(reader)?)
        } else {
            None
        })
    }
}

impl<A: Stored, B: Stored> Stored for (A, B) {
    const LEAST: usize = A::LEAST + B::LEAST;

    fn put(&self, out: &mut Vec<u8>) {
        self.0.put(out);
        self.1.put(out);
    }

    fn get(reader: &mut WireReader<'_>) -> Result<Self, WireError> {
        Ok((A::get(reader)?, B::get(reader)?))
    }
}

impl<T: Stored> Stored for Vec<T> {
    const LEAST: usize = 8;

    fn put(&self, out: &mut Vec<u8>) {
        (self.len() as u64).put(out);
        T::put_all(self, out);
    }

    fn get(reader: &mut WireReader<'_>) -> Result<Self, WireError> {
        let count = usize::try_from(reader.u64()?).ok();
        // Nothing is reserved for what cannot be there.
        let count = count.filter(|count| count.saturating_mul(T::LEAST) <= reader.left());
        T::get_all(count.ok_or(WireError::Short)?, reader)
    }
}

impl<T: Stored> Stored for std::sync::Arc<T> {
    const LEAST: usize = T::LEAST;

    fn put(&self, out: &mut Vec<u8>) {
        self.as_ref().put(out);
    }

    fn get(reader: &mut WireReader<'_>) -> Result<Self, WireError> {
        T::get(reader).map(std::sync::Arc::new)
    }
}

impl Stored for String {
    const LEAST: usize = 4;

    fn put(&self, out: &mut Vec<u8>) {
        (self.len() as u32).put(out);
        out.extend_from_slice(self.as_bytes());
    }

    fn get(reader: &mut WireReader<'_>) -> Result<Self, WireError> {
        let len = reader.u32()? as usize;
        let text = String::from_utf8(reader.bytes(len)?.to_vec());
        text.map_err(|_| WireError::Value("a text that is not UTF-8"))
    }
}

/// Stores a structure field by field: the fields in their order are its format.
macro_rules! stored {
    ($type:ident { $($field:tt: $of:ty),+ $(,)? }) => {
        impl $crate::stored::Stored for $type {
            const LEAST: usize = 0 $(+ <$of as $crate::stored::Stored>::LEAST)+;

            fn put(&self, out: &mut Vec<u8>) {
                $(<$of as $crate::stored::Stored>::put(&self.$field, out);)+
            }

            fn get(reader: &mut schedrows::wire::WireReader<'_>) -> Result<Self, schedrows::wire::WireError> {
                Ok($type { $($field: <$of as $crate::stored::Stored>::get(reader)?),+ })
            }
        }
    };
}
pub(crate) use stored;

/// Stores an enum without values as a byte: its position in this list.
macro_rules! stored_words {
    ($type:ident { $first:ident $(, $variant:ident)* $(,)? }) => {
        impl $crate::stored::Stored for $type {
            const LEAST: usize = 1;

            fn put(&self, out: &mut Vec<u8>) {
                // The compiler refuses a list that is not whole.
                match self {
                    $type::$first $(| $type::$variant)* => {}
                }
                let all = [$type::$first $(, $type::$variant)*];
                out.push(all.iter().position(|each| each == self).unwrap_or_default() as u8);
            }

            fn get(reader: &mut schedrows::wire::WireReader<'_>) -> Result<Self, schedrows::wire::WireError> {
                let all = [$type::$first $(, $type::$variant)*];
                let found = all.get(usize::from(reader.u8()?)).copied();
                found.ok_or(schedrows::wire::WireError::Value(concat!("an unknown ", stringify!($type))))
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

impl Stored for DiagnosticKind {
    const LEAST: usize = 1;

    fn put(&self, out: &mut Vec<u8>) {
        let position = DiagnosticKind::ALL.iter().position(|each| each == self);
        out.push(position.unwrap_or(DiagnosticKind::ALL.len()) as u8);
    }

    fn get(reader: &mut WireReader<'_>) -> Result<Self, WireError> {
        let found = DiagnosticKind::ALL.get(usize::from(reader.u8()?)).copied();
        found.ok_or(WireError::Value("an unknown kind of diagnostic"))
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
    diagnostics: Vec<crate::Diagnostic>,
});
