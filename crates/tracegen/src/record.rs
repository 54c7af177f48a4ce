//! One event's record, as the kernel's trace point would write it.

use crate::bytes::Bytes;
use crate::format::{common_size, Format, Type};
use crate::layout::Layout;

/// What a field holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Value {
    Text(String),
    Number(i64),
}

/// The fields that every event begins with, except for its type.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Common {
    /// The task that the CPU ran.
    pub(crate) pid: i32,
    /// Bits of `common_flags`.
    pub(crate) flags: u8,
}

/// Interrupts were off (`TRACE_FLAG_IRQS_OFF`), as they are wherever the scheduler traces.
pub(crate) const IRQS_OFF: u8 = 0x01;
/// `TRACE_FLAG_HARDIRQ`.
pub(crate) const HARDIRQ: u8 = 0x08;
/// `TRACE_FLAG_SOFTIRQ`.
pub(crate) const SOFTIRQ: u8 = 0x10;
/// `TRACE_FLAG_NMI`.
pub(crate) const NMI: u8 = 0x40;

/// Bytes of a record; `values` in the order of the format's fields.
pub(crate) fn record(layout: &Layout, format: &Format, common: Common, values: &[Value]) -> Vec<u8> {
    let (places, fixed_end) = format.places(layout);
    let mut fixed = Bytes::new(layout.endian);
    fixed.u16(format.id);
    fixed.raw(&[common.flags, 0]);
    fixed.u32(common.pid as u32);
    fixed.pad_to(common_size(layout));
    let mut dynamic = Vec::new();
    for (((_, kind), place), value) in format.fields.iter().zip(places).zip(values) {
        fixed.pad_to(place.offset);
        match (kind, value) {
            (Type::Tail, Value::Text(text)) => {
                dynamic.extend_from_slice(text.as_bytes());
                dynamic.push(0);
            }
            (_, Value::Text(text)) if place.size == 16 => {
                let name = text.as_bytes();
                // The kernel's names have 16 bytes with the NUL.
                fixed.raw(&name[..name.len().min(15)]);
                fixed.pad_to(place.offset + 16);
            }
            (_, Value::Text(text)) => {
                let from = match (kind, layout.strings) {
                    (Type::Comm, crate::Strings::RelLoc) => place.offset + 4,
                    _ => 0,
                };
                let offset = fixed_end + dynamic.len() - from;
                let len = text.len() + 1;
                fixed.u32((len as u32) << 16 | offset as u32);
                dynamic.extend_from_slice(text.as_bytes());
                dynamic.push(0);
            }
            (Type::Args, Value::Number(number)) => fixed.number(*number as u64, layout.long_size.into()),
            (_, Value::Number(number)) => fixed.number(*number as u64, place.size),
        }
    }
    fixed.pad_to(fixed_end);
    fixed.raw(&dynamic);
    fixed.data
}
