//! `raw_data`: what a program wrote into `trace_marker_raw`.

use crate::format::EventFormat;
use crate::lookup::Env;
use crate::trace_cmd::bind::{load_uint, uint, UIntField};
use crate::trace_cmd::text::{push_hex, push_hex_padded};
use crate::trace_cmd::{Occasion, Outcome, PrintState, Printer};

pub(super) fn find(format: &EventFormat) -> Option<Box<dyn Printer>> {
    Some(Box::new(RawData {
        id: uint(format, "id")?,
        buf: format.field("buf")?.offset,
    }))
}

struct RawData {
    id: UIntField,
    /// Where the bytes start.
    buf: usize,
}

impl Printer for RawData {
    fn print(&self, env: &Env<'_>, _: &mut PrintState, at: &Occasion<'_>, out: &mut Vec<u8>) -> Outcome {
        out.extend_from_slice(b"# ");
        push_hex(out, load_uint(self.id, env, at.record));
        for byte in at.record.get(self.buf..).unwrap_or_default() {
            out.push(b' ');
            push_hex_padded(out, u64::from(*byte), 2);
        }
        Outcome::Whole
    }
}
