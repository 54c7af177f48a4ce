//! Why a guest was left: the basic exit reasons of Intel's manual (volume 3, appendix C) and the exit codes of AMD's
//! (volume 2, appendix C), as far as trace-cmd 3.1.6 has names for them.

use crate::trace_cmd::text::push_u64;

/// `KVM_ISA_VMX`.
pub(super) const INTEL: u64 = 1;
/// `KVM_ISA_SVM`.
const AMD: u64 = 2;

pub(super) fn push_reason(out: &mut Vec<u8>, isa: u64, reason: u32) {
    let name = match isa {
        INTEL => intel(reason),
        AMD => return push_amd(out, reason),
        _ => return out.extend_from_slice(b"UNKNOWN-ISA"),
    };
    match name {
        Some(name) => out.extend_from_slice(name.as_bytes()),
        None => push_unknown(out, reason),
    }
}

fn push_unknown(out: &mut Vec<u8>, reason: u32) {
    out.extend_from_slice(b"UNKNOWN (");
    push_u64(out, u64::from(reason));
    out.push(b')');
}

fn intel(reason: u32) -> Option<&'static str> {
    Some(match reason {
        0 => "EXCEPTION_NMI",
        1 => "EXTERNAL_INTERRUPT",
        2 => "TRIPLE_FAULT",
        7 => "PENDING_INTERRUPT",
        8 => "NMI_WINDOW",
        9 => "TASK_SWITCH",
        10 => "CPUID",
        12 => "HLT",
        13 => "INVD",
        14 => "INVLPG",
        15 => "RDPMC",
        16 => "RDTSC",
        18 => "VMCALL",
        19 => "VMCLEAR",
        20 => "VMLAUNCH",
        21 => "VMPTRLD",
        22 => "VMPTRST",
        23 => "VMREAD",
        24 => "VMRESUME",
        25 => "VMWRITE",
        26 => "VMOFF",
        27 => "VMON",
        28 => "CR_ACCESS",
        29 => "DR_ACCESS",
        30 => "IO_INSTRUCTION",
        31 => "MSR_READ",
        32 => "MSR_WRITE",
        36 => "MWAIT_INSTRUCTION",
        39 => "MONITOR_INSTRUCTION",
        40 => "PAUSE_INSTRUCTION",
        41 => "MCE_DURING_VMENTRY",
        43 => "TPR_BELOW_THRESHOLD",
        44 => "APIC_ACCESS",
        45 => "EOI_INDUCED",
        48 => "EPT_VIOLATION",
        49 => "EPT_MISCONFIG",
        50 => "INVEPT",
        52 => "PREEMPTION_TIMER",
        54 => "WBINVD",
        55 => "XSETBV",
        56 => "APIC_WRITE",
        58 => "INVPCID",
        62 => "PML_FULL",
        63 => "XSAVES",
        64 => "XRSTORS",
        _ => return None,
    })
}

/// The exceptions by vector, for codes from 0x40 on.
const EXCEPTIONS: [&str; 20] = [
    "DE", "DB", "", "BP", "OF", "BR", "UD", "NM", "DF", "", "TS", "NP", "SS", "GP", "PF", "", "MF", "AC", "MC", "XF",
];

/// Codes from 0x60 on.
const INTERCEPTS: [&str; 46] = [
    "INTR",
    "NMI",
    "SMI",
    "INIT",
    "VINTR",
    "CR0_SEL_WRITE",
    "IDTR_READ",
    "GDTR_READ",
    "LDTR_READ",
    "TR_READ",
    "IDTR_WRITE",
    "GDTR_WRITE",
    "LDTR_WRITE",
    "TR_WRITE",
    "RDTSC",
    "RDPMC",
    "PUSHF",
    "POPF",
    "CPUID",
    "RSM",
    "IRET",
    "SWINT",
    "INVD",
    "PAUSE",
    "HLT",
    "INVLPG",
    "INVLPGA",
    "IOIO",
    "MSR",
    "TASK_SWITCH",
    "FERR_FREEZE",
    "SHUTDOWN",
    "VMRUN",
    "VMMCALL",
    "VMLOAD",
    "VMSAVE",
    "STGI",
    "CLGI",
    "SKINIT",
    "RDTSCP",
    "ICEBP",
    "WBINVD",
    "MONITOR",
    "MWAIT",
    "MWAIT_COND",
    "XSETBV",
];

fn push_amd(out: &mut Vec<u8>, code: u32) {
    let (kind, number): (&str, u32) = match code {
        // Only these control registers exist.
        0 | 3 | 4 | 8 => ("READ_CR", code),
        0x10 | 0x13 | 0x14 | 0x18 => ("WRITE_CR", code - 0x10),
        0x20..=0x27 => ("READ_DR", code - 0x20),
        0x30..=0x37 => ("WRITE_DR", code - 0x30),
        _ => {
            let name = amd_name(code);
            return match name {
                Some((kind, name)) if !name.is_empty() => {
                    out.extend_from_slice(b"EXIT_");
                    out.extend_from_slice(kind.as_bytes());
                    out.extend_from_slice(name.as_bytes());
                }
                _ => push_unknown(out, code),
            };
        }
    };
    out.extend_from_slice(b"EXIT_");
    out.extend_from_slice(kind.as_bytes());
    push_u64(out, u64::from(number));
}

fn amd_name(code: u32) -> Option<(&'static str, &'static str)> {
    let behind = |first: u32| code.checked_sub(first).and_then(|at| usize::try_from(at).ok());
    Some(match code {
        0x40..0x60 => ("EXCP_", EXCEPTIONS.get(behind(0x40)?)?),
        0x60..0x90 => ("", INTERCEPTS.get(behind(0x60)?)?),
        0x400 => ("", "NPF"),
        0x401 => ("", "AVIC_INCOMPLETE_IPI"),
        0x402 => ("", "AVIC_UNACCELERATED_ACCESS"),
        u32::MAX => ("", "ERR"),
        _ => return None,
    })
}
