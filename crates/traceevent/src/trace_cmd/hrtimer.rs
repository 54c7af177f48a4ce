//! `hrtimer_expire_entry` and `hrtimer_start`.

use super::bind::{load_uint, uint, UIntField};
use super::{Occasion, Outcome, PrintState, Printer};
use crate::format::EventFormat;
use crate::lookup::Env;
use crate::trace_cmd::text::{push_hex, push_hex_padded, push_u64};

pub(super) fn find(format: &EventFormat) -> Option<Box<dyn Printer>> {
    let hrtimer = uint(format, "hrtimer")?;
    let function = uint(format, "function")?;
    Some(match format.name.as_str() {
        "hrtimer_expire_entry" => Box::new(Expire {
            hrtimer,
            now: uint(format, "now")?,
            function,
        }),
        "hrtimer_start" => Box::new(Start {
            hrtimer,
            function,
            expires: uint(format, "expires")?,
            softexpires: uint(format, "softexpires")?,
        }),
        _ => return None,
    })
}

struct Expire {
    hrtimer: UIntField,
    now: UIntField,
    function: UIntField,
}

impl Printer for Expire {
    fn print(&self, env: &Env<'_>, _: &mut PrintState, at: &Occasion<'_>, out: &mut Vec<u8>) -> Outcome {
        out.extend_from_slice(b"hrtimer=0x");
        push_hex(out, load_uint(self.hrtimer, env, at.record));
        out.extend_from_slice(b" now=");
        push_u64(out, load_uint(self.now, env, at.record));
        push_function(out, env, load_uint(self.function, env, at.record));
        Outcome::Whole
    }
}

struct Start {
    hrtimer: UIntField,
    function: UIntField,
    expires: UIntField,
    softexpires: UIntField,
}

impl Printer for Start {
    fn print(&self, env: &Env<'_>, _: &mut PrintState, at: &Occasion<'_>, out: &mut Vec<u8>) -> Outcome {
        out.extend_from_slice(b"hrtimer=0x");
        push_hex(out, load_uint(self.hrtimer, env, at.record));
        push_function(out, env, load_uint(self.function, env, at.record));
        out.extend_from_slice(b" expires=");
        push_u64(out, load_uint(self.expires, env, at.record));
        out.extend_from_slice(b" softexpires=");
        push_u64(out, load_uint(self.softexpires, env, at.record));
        Outcome::Whole
    }
}

/// The function's name, and behind the slash how far its start is beyond the address: trace-cmd subtracts this way.
fn push_function(out: &mut Vec<u8>, env: &Env<'_>, address: u64) {
    out.extend_from_slice(b" function=");
    match env.lookup.symbol(address) {
        Some(symbol) => {
            out.extend_from_slice(symbol.name.as_bytes());
            out.extend_from_slice(b"/0x");
            push_hex(out, symbol.start.wrapping_sub(address));
        }
        None => {
            out.extend_from_slice(b"0x");
            push_hex_padded(out, address, 8);
        }
    }
}
