//! Allocations: the function that asked, before the text of the print fmt.

use super::bind::{load_uint, uint, UIntField};
use super::{Occasion, Outcome, PrintState, Printer};
use crate::format::EventFormat;
use crate::lookup::Env;
use crate::trace_cmd::text::push_hex;

pub(super) fn find(format: &EventFormat) -> Option<Box<dyn Printer>> {
    let known = matches!(
        format.name.as_str(),
        "kmalloc" | "kmalloc_node" | "kfree" | "kmem_cache_alloc" | "kmem_cache_alloc_node" | "kmem_cache_free"
    );
    let call_site = uint(format, "call_site").filter(|_| known)?;
    Some(Box::new(Allocation { call_site }))
}

struct Allocation {
    call_site: UIntField,
}

impl Printer for Allocation {
    fn print(&self, env: &Env<'_>, _: &mut PrintState, at: &Occasion<'_>, out: &mut Vec<u8>) -> Outcome {
        let address = load_uint(self.call_site, env, at.record);
        if let Some(symbol) = env.lookup.symbol(address) {
            out.push(b'(');
            out.extend_from_slice(symbol.name.as_bytes());
            out.extend_from_slice(b"+0x");
            // Cut to 32 bits, as trace-cmd does it.
            push_hex(out, address.wrapping_sub(symbol.start) & u64::from(u32::MAX));
            out.extend_from_slice(b") ");
        }
        Outcome::PrintFmt
    }
}
