//! `kernel_stack`: one line for each return address.

use crate::format::EventFormat;
use crate::lookup::Env;
use crate::trace_cmd::text::push_hex;
use crate::trace_cmd::{Occasion, Outcome, PrintState, Printer};

pub(super) fn find(format: &EventFormat, env: &Env<'_>) -> Option<Box<dyn Printer>> {
    Some(Box::new(KernelStack {
        caller: format.field("caller")?.offset,
        long_size: usize::from(env.long_size),
    }))
}

struct KernelStack {
    /// Where the addresses start; how many there are is told by the record's end.
    caller: usize,
    long_size: usize,
}

impl Printer for KernelStack {
    fn print(&self, env: &Env<'_>, _: &mut PrintState, at: &Occasion<'_>, out: &mut Vec<u8>) -> Outcome {
        out.extend_from_slice(b"<stack trace >");
        let addresses = at.record.get(self.caller..).unwrap_or_default();
        for bytes in addresses.chunks_exact(self.long_size.max(1)) {
            let address = match self.long_size {
                4 => env.endian.u32(bytes, 0).map(u64::from),
                _ => env.endian.u64(bytes, 0),
            };
            // trace-cmd looks for the end mark, -1, in the lower 32 bits.
            let Some(address) = address.filter(|&address| address as u32 != u32::MAX) else {
                break;
            };
            out.extend_from_slice(b"\n=> ");
            match env.lookup.symbol(address) {
                Some(symbol) => {
                    out.extend_from_slice(symbol.name.as_bytes());
                    out.extend_from_slice(b" (");
                    push_hex(out, address);
                    out.push(b')');
                }
                None => push_hex(out, address),
            }
        }
        out.push(b'\n');
        Outcome::Whole
    }
}
