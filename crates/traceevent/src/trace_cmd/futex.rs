//! `sys_enter_futex`: the operation by name, and of the arguments those that it uses (futex(2)).

use super::bind::{load_uint, uint, UIntField};
use super::{Occasion, Outcome, PrintState, Printer};
use crate::format::EventFormat;
use crate::lookup::Env;
use crate::trace_cmd::text::{push_hex_padded, push_u64};

const PRIVATE: u64 = 128;
const CLOCK_REALTIME: u64 = 256;

/// An argument of futex(2), and how it is printed.
#[derive(Clone, Copy)]
enum Shown {
    /// The value that is waited for.
    Expected,
    /// How many.
    Count,
    /// How many more: the place of the timeout.
    Count2,
    Timeout,
    Address2,
    Mask,
}

use Shown::{Address2, Count, Count2, Expected, Mask, Timeout};

/// By number; all have `uaddr`.
const OPERATIONS: [(&str, &[Shown]); 13] = [
    ("FUTEX_WAIT", &[Expected, Timeout]),
    ("FUTEX_WAKE", &[Count]),
    ("FUTEX_FD", &[Count]),
    ("FUTEX_REQUEUE", &[Count, Count2, Address2]),
    ("FUTEX_CMP_REQUEUE", &[Count, Count2, Address2, Mask]),
    ("FUTEX_WAKE_OP", &[Count, Count2, Address2, Mask]),
    ("FUTEX_LOCK_PI", &[Timeout]),
    ("FUTEX_UNLOCK_PI", &[]),
    ("FUTEX_TRYLOCK_PI", &[]),
    ("FUTEX_WAIT_BITSET", &[Expected, Timeout, Mask]),
    ("FUTEX_WAKE_BITSET", &[Count, Mask]),
    ("FUTEX_WAIT_REQUEUE_PI", &[Expected, Timeout, Address2, Mask]),
    ("FUTEX_CMP_REQUEUE_PI", &[Count, Count2, Address2, Mask]),
];

pub(super) fn find(format: &EventFormat) -> Option<Box<dyn Printer>> {
    if format.name != "sys_enter_futex" {
        return None;
    }
    Some(Box::new(Futex {
        uaddr: uint(format, "uaddr")?,
        op: uint(format, "op")?,
        val: uint(format, "val")?,
        utime: uint(format, "utime")?,
        uaddr2: uint(format, "uaddr2")?,
        val3: uint(format, "val3")?,
    }))
}

struct Futex {
    uaddr: UIntField,
    op: UIntField,
    val: UIntField,
    utime: UIntField,
    uaddr2: UIntField,
    val3: UIntField,
}

impl Printer for Futex {
    fn print(&self, env: &Env<'_>, _: &mut PrintState, at: &Occasion<'_>, out: &mut Vec<u8>) -> Outcome {
        let argument = |field| load_uint(field, env, at.record);
        let op = argument(self.op);
        let operation = usize::try_from(op & !(PRIVATE | CLOCK_REALTIME)).unwrap_or(usize::MAX);
        let Some(&(name, shown)) = OPERATIONS.get(operation) else {
            return Outcome::PrintFmt;
        };
        out.extend_from_slice(b"op=");
        out.extend_from_slice(name.as_bytes());
        if op & PRIVATE != 0 {
            out.extend_from_slice(b"|FUTEX_PRIVATE_FLAG");
        }
        if op & CLOCK_REALTIME != 0 {
            out.extend_from_slice(b"|FUTEX_CLOCK_REALTIME");
        }
        push_address(out, b" uaddr=0x", argument(self.uaddr));
        for argument_shown in shown {
            match argument_shown {
                Expected => push_address(out, b" val=0x", argument(self.val)),
                Count => push_count(out, b" val=", argument(self.val)),
                Count2 => push_count(out, b" val2=", argument(self.utime)),
                Timeout => push_address(out, b" utime=0x", argument(self.utime)),
                Address2 => push_address(out, b" uaddr2=0x", argument(self.uaddr2)),
                Mask => push_address(out, b" val3=0x", argument(self.val3)),
            }
        }
        Outcome::Whole
    }
}

fn push_address(out: &mut Vec<u8>, label: &[u8], value: u64) {
    out.extend_from_slice(label);
    push_hex_padded(out, value, 8);
}

fn push_count(out: &mut Vec<u8>, label: &[u8], value: u64) {
    out.extend_from_slice(label);
    push_u64(out, value);
}
