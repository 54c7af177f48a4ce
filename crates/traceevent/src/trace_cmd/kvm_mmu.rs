//! Shadow pages of x86 (`kvmmmu`): the bits of the page's role in words.

use super::bind::{load_uint, uint, UIntField};
use super::{Occasion, Outcome, PrintState, Printer};
use crate::format::EventFormat;
use crate::lookup::Env;
use crate::trace_cmd::text::{push_hex, push_u64};

pub(super) fn find(format: &EventFormat) -> Option<Box<dyn Printer>> {
    let got = match format.name.as_str() {
        "kvm_mmu_get_page" => Some((uint(format, "created")?, uint(format, "gfn")?)),
        "kvm_mmu_sync_page" | "kvm_mmu_unsync_page" | "kvm_mmu_zap_page" | "kvm_mmu_prepare_zap_page" => None,
        _ => return None,
    };
    Some(Box::new(ShadowPage {
        got,
        role: uint(format, "role")?,
        root_count: uint(format, "root_count")?,
        unsync: uint(format, "unsync")?,
    }))
}

struct ShadowPage {
    /// Whether the page is new, and of which guest frame.
    got: Option<(UIntField, UIntField)>,
    role: UIntField,
    root_count: UIntField,
    unsync: UIntField,
}

impl Printer for ShadowPage {
    fn print(&self, env: &Env<'_>, _: &mut PrintState, at: &Occasion<'_>, out: &mut Vec<u8>) -> Outcome {
        if let Some((created, gfn)) = self.got {
            let new = load_uint(created, env, at.record) != 0;
            out.extend_from_slice(if new { b"new" } else { b"existing" });
            out.extend_from_slice(b" sp gfn ");
            push_hex(out, load_uint(gfn, env, at.record));
            out.push(b' ');
        }
        push_role(out, load_uint(self.role, env, at.record));
        out.extend_from_slice(b" root ");
        push_u64(out, load_uint(self.root_count, env, at.record));
        let unsync = load_uint(self.unsync, env, at.record) != 0;
        out.extend_from_slice(if unsync { b" unsync" } else { b" sync" });
        Outcome::Whole
    }
}

/// The bits of `union kvm_mmu_page_role` as kernels before 4.20 had them, which is how trace-cmd reads them.
fn push_role(out: &mut Vec<u8>, role: u64) {
    let bit = |at: u32| role >> at & 1 != 0;
    push_u64(out, role & 0xf);
    out.extend_from_slice(b" q");
    push_u64(out, role >> 5 & 3);
    if bit(7) {
        out.extend_from_slice(b" direct");
    }
    out.push(b' ');
    for (at, letter) in [(9, b'w'), (10, b'u'), (8, b'x')] {
        out.push(if bit(at) { letter } else { b'-' });
    }
    if bit(11) {
        out.extend_from_slice(b" invalid");
    }
    for (at, name) in [(4, "pae"), (12, "nxe"), (13, "wp")] {
        out.extend_from_slice(if bit(at) { b" " } else { b" !" });
        out.extend_from_slice(name.as_bytes());
    }
    if bit(14) {
        out.extend_from_slice(b" smep");
    }
    if bit(15) {
        out.extend_from_slice(b" smap");
    }
    if role >> 24 & 0xff != 0 {
        out.extend_from_slice(b" smm");
    }
}
