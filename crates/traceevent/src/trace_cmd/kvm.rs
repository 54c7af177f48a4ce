//! `kvm_exit`, `kvm_entry`, nested exits and emulated instructions, of x86.

use super::bind::{load_uint, uint, UIntField};
use super::kvm_exits::{push_reason, INTEL};
use super::{Occasion, Outcome, PrintState, Printer};
use crate::bytes::slice;
use crate::format::EventFormat;
use crate::lookup::Env;
use crate::trace_cmd::text::{push_hex, push_hex_padded, push_u64};

pub(super) fn find(format: &EventFormat) -> Option<Box<dyn Printer>> {
    Some(match format.name.as_str() {
        "kvm_exit" => Box::new(Exit {
            reason: Reason::bind(format, "exit_reason"),
            rip: uint(format, "guest_rip"),
            info: uint(format, "info1").zip(uint(format, "info2")),
        }),
        "kvm_entry" => Box::new(Entry {
            vcpu: uint(format, "vcpu_id"),
            rip: uint(format, "rip"),
        }),
        "kvm_nested_vmexit" => Box::new(NestedExit {
            rip: Some(uint(format, "rip")?),
            ..NestedExit::bind(format)?
        }),
        "kvm_nested_vmexit_inject" => Box::new(NestedExit::bind(format)?),
        "kvm_emulate_insn" => Box::new(Emulate {
            rip: uint(format, "rip")?,
            csbase: uint(format, "csbase")?,
            len: uint(format, "len")?,
            insn: format.field("insn")?.offset,
            failed: uint(format, "failed")?,
        }),
        _ => return None,
    })
}

/// Why the guest left, in the words of its instruction set.
struct Reason {
    exit_reason: UIntField,
    isa: Option<UIntField>,
}

impl Reason {
    fn bind(format: &EventFormat, name: &str) -> Option<Self> {
        Some(Reason {
            exit_reason: uint(format, name)?,
            isa: uint(format, "isa"),
        })
    }

    fn push(&self, out: &mut Vec<u8>, env: &Env<'_>, record: &[u8]) {
        let isa = self.isa.map_or(INTEL, |field| load_uint(field, env, record));
        out.extend_from_slice(b"reason ");
        push_reason(out, isa, load_uint(self.exit_reason, env, record) as u32);
    }
}

struct Exit {
    reason: Option<Reason>,
    rip: Option<UIntField>,
    info: Option<(UIntField, UIntField)>,
}

impl Printer for Exit {
    fn print(&self, env: &Env<'_>, _: &mut PrintState, at: &Occasion<'_>, out: &mut Vec<u8>) -> Outcome {
        let Some(reason) = &self.reason else {
            return without(out, b"exit_reason");
        };
        reason.push(out, env, at.record);
        let Some(rip) = self.rip else {
            return without(out, b"guest_rip");
        };
        out.extend_from_slice(b" rip 0x");
        push_hex(out, load_uint(rip, env, at.record));
        if let Some((info1, info2)) = self.info {
            out.extend_from_slice(b" info ");
            push_hex(out, load_uint(info1, env, at.record));
            out.push(b' ');
            push_hex(out, load_uint(info2, env, at.record));
        }
        Outcome::Whole
    }
}

struct Entry {
    vcpu: Option<UIntField>,
    rip: Option<UIntField>,
}

impl Printer for Entry {
    fn print(&self, env: &Env<'_>, _: &mut PrintState, at: &Occasion<'_>, out: &mut Vec<u8>) -> Outcome {
        match self.vcpu {
            Some(vcpu) => {
                // With a blank before it, as in trace-cmd.
                out.extend_from_slice(b" vcpu ");
                push_u64(out, load_uint(vcpu, env, at.record));
            }
            None => out.extend_from_slice(b"CAN'T FIND FIELD \"vcpu_id\""),
        }
        let Some(rip) = self.rip else {
            return without(out, b"rip");
        };
        out.extend_from_slice(b" rip 0x");
        push_hex(out, load_uint(rip, env, at.record));
        Outcome::Whole
    }
}

/// Other architectures have events of the same names. Of those trace-cmd says what it misses, then prints the print fmt.
fn without(out: &mut Vec<u8>, field: &[u8]) -> Outcome {
    out.extend_from_slice(b"<CANT FIND FIELD ");
    out.extend_from_slice(field);
    out.push(b'>');
    Outcome::PrintFmt
}

struct NestedExit {
    rip: Option<UIntField>,
    reason: Reason,
    details: [(&'static [u8], UIntField); 4],
}

impl NestedExit {
    fn bind(format: &EventFormat) -> Option<Self> {
        Some(NestedExit {
            rip: None,
            reason: Reason::bind(format, "exit_code")?,
            details: [
                (b" info1 ", uint(format, "exit_info1")?),
                (b" info2 ", uint(format, "exit_info2")?),
                (b" int_info ", uint(format, "exit_int_info")?),
                (b" int_info_err ", uint(format, "exit_int_info_err")?),
            ],
        })
    }
}

impl Printer for NestedExit {
    fn print(&self, env: &Env<'_>, _: &mut PrintState, at: &Occasion<'_>, out: &mut Vec<u8>) -> Outcome {
        if let Some(rip) = self.rip {
            // A blank before it and none behind: so it is in trace-cmd.
            out.extend_from_slice(b" rip ");
            push_hex(out, load_uint(rip, env, at.record));
        }
        self.reason.push(out, env, at.record);
        for (label, field) in self.details {
            out.extend_from_slice(label);
            push_hex(out, load_uint(field, env, at.record));
        }
        Outcome::Whole
    }
}

struct Emulate {
    rip: UIntField,
    csbase: UIntField,
    len: UIntField,
    insn: usize,
    failed: UIntField,
}

impl Printer for Emulate {
    fn print(&self, env: &Env<'_>, _: &mut PrintState, at: &Occasion<'_>, out: &mut Vec<u8>) -> Outcome {
        push_hex(out, load_uint(self.csbase, env, at.record));
        out.push(b':');
        push_hex(out, load_uint(self.rip, env, at.record));
        out.extend_from_slice(b": ");
        let len = load_uint(self.len, env, at.record) as usize;
        for (index, byte) in slice(at.record, self.insn, len).unwrap_or_default().iter().enumerate() {
            if index > 0 {
                out.push(b' ');
            }
            push_hex_padded(out, u64::from(*byte), 2);
        }
        if load_uint(self.failed, env, at.record) != 0 {
            out.extend_from_slice(b" FAIL");
        }
        Outcome::Whole
    }
}
