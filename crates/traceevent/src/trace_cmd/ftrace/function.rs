//! `function` and `func_repeats`: the function, indented below its caller.

use crate::format::EventFormat;
use crate::lookup::{Env, Symbol};
use crate::trace_cmd::bind::{load_uint, uint, UIntField};
use crate::trace_cmd::text::{push_blanks, push_hex, push_u64, push_u64_padded};
use crate::trace_cmd::{Occasion, Outcome, PrintState, Printer};

/// Columns of a call level.
const INDENT: usize = 3;

pub(super) fn find(format: &EventFormat) -> Option<Box<dyn Printer>> {
    Some(Box::new(Call::bind(format)?))
}

pub(super) fn find_repeats(format: &EventFormat) -> Option<Box<dyn Printer>> {
    Some(Box::new(Repeats {
        call: Call::bind(format)?,
        count: uint(format, "count")?,
        top_delta_ts: uint(format, "top_delta_ts")?,
        bottom_delta_ts: uint(format, "bottom_delta_ts")?,
    }))
}

struct Call {
    ip: UIntField,
    parent_ip: UIntField,
}

impl Call {
    fn bind(format: &EventFormat) -> Option<Self> {
        Some(Call {
            ip: uint(format, "ip")?,
            parent_ip: uint(format, "parent_ip")?,
        })
    }

    /// How deep the call is, and what was called.
    fn place<'e>(&self, env: &Env<'e>, state: &mut PrintState, at: &Occasion<'_>) -> (usize, Option<Symbol<'e>>, u64) {
        let ip = load_uint(self.ip, env, at.record);
        let callee = env.lookup.symbol(ip);
        let caller = env.lookup.symbol(load_uint(self.parent_ip, env, at.record));
        (state.depth(at.cpu, callee, caller), callee, ip)
    }
}

impl Printer for Call {
    fn print(&self, env: &Env<'_>, state: &mut PrintState, at: &Occasion<'_>, out: &mut Vec<u8>) -> Outcome {
        let (depth, callee, ip) = self.place(env, state, at);
        push_blanks(out, depth * INDENT);
        push_function(out, callee, ip);
        Outcome::Whole
    }

    fn note(&self, env: &Env<'_>, state: &mut PrintState, at: &Occasion<'_>) {
        self.place(env, state, at);
    }
}

struct Repeats {
    call: Call,
    count: UIntField,
    /// How long ago the last call was, in two parts.
    top_delta_ts: UIntField,
    bottom_delta_ts: UIntField,
}

impl Printer for Repeats {
    fn print(&self, env: &Env<'_>, state: &mut PrintState, at: &Occasion<'_>, out: &mut Vec<u8>) -> Outcome {
        self.call.print(env, state, at, out);
        out.extend_from_slice(b" (count: ");
        push_u64(out, load_uint(self.count, env, at.record));
        let top = load_uint(self.top_delta_ts, env, at.record);
        let delta = top << 32 | load_uint(self.bottom_delta_ts, env, at.record);
        // Rounded to microseconds even where the line's own time is not.
        let last = at.ts.wrapping_sub(delta);
        out.extend_from_slice(b"  last_ts: ");
        if state.nanoseconds {
            push_u64_padded(out, last / 1_000_000_000, 5, b' ');
            out.push(b'.');
            push_u64_padded(out, last % 1_000_000_000, 9, b'0');
        } else {
            let us = last.wrapping_add(500) / 1000;
            push_u64_padded(out, us / 1_000_000, 5, b' ');
            out.push(b'.');
            push_u64_padded(out, us % 1_000_000, 6, b'0');
        }
        out.push(b')');
        Outcome::Whole
    }

    fn note(&self, env: &Env<'_>, state: &mut PrintState, at: &Occasion<'_>) {
        self.call.note(env, state, at);
    }
}

/// A function's name; its address where it has none.
fn push_function(out: &mut Vec<u8>, symbol: Option<Symbol<'_>>, address: u64) {
    match symbol {
        Some(symbol) => out.extend_from_slice(symbol.name.as_bytes()),
        None => {
            out.extend_from_slice(b"0x");
            push_hex(out, address);
        }
    }
}
