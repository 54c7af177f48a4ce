//! `tlb_flush`.

use super::bind::{int, load, load_uint, uint, UIntField};
use super::{Occasion, Outcome, PrintState, Printer};
use crate::field::IntField;
use crate::format::EventFormat;
use crate::lookup::Env;
use crate::trace_cmd::text::{push_i64, push_u64};

/// `TLB_FLUSH_REASON` of the kernel, without those that came after 3.1.6 was written: they print as nothing.
const REASONS: [&str; 4] = [
    "flush on task switch",
    "remote shootdown",
    "local shootdown",
    "local mm shootdown",
];

pub(super) fn find(format: &EventFormat) -> Option<Box<dyn Printer>> {
    if format.name != "tlb_flush" {
        return None;
    }
    Some(Box::new(TlbFlush {
        pages: int(format, "pages")?,
        reason: uint(format, "reason")?,
    }))
}

struct TlbFlush {
    pages: IntField,
    reason: UIntField,
}

impl Printer for TlbFlush {
    fn print(&self, env: &Env<'_>, _: &mut PrintState, at: &Occasion<'_>, out: &mut Vec<u8>) -> Outcome {
        let reason = load_uint(self.reason, env, at.record);
        out.extend_from_slice(b"pages=");
        push_i64(out, load(self.pages, env, at.record));
        out.extend_from_slice(b" reason=");
        out.extend_from_slice(REASONS.get(reason as usize).copied().unwrap_or_default().as_bytes());
        out.extend_from_slice(b" (");
        push_u64(out, reason);
        out.push(b')');
        Outcome::Whole
    }
}
