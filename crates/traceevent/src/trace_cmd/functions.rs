//! Functions that print fmts call and the kernel has, but no trace: what the plugins know of them.

use super::{scsi, xen};
use crate::bytes::Endian;

/// An argument of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arg<'a> {
    /// A number, or an address outside of the record.
    Int(i64),
    /// An address in the record: what is there, up to the record's end.
    Bytes(&'a [u8]),
}

impl<'a> Arg<'a> {
    fn number(self) -> i64 {
        match self {
            Arg::Int(number) => number,
            Arg::Bytes(_) => 0,
        }
    }

    fn bytes(self) -> &'a [u8] {
        match self {
            Arg::Int(_) => &[],
            Arg::Bytes(bytes) => bytes,
        }
    }
}

/// A function by what it gives.
#[derive(Clone, Copy, Debug)]
pub enum Function {
    /// A number.
    Int(fn(Endian, &[Arg<'_>]) -> i64),
    /// A string, which is appended.
    Text(fn(Endian, &[Arg<'_>], &mut Vec<u8>)),
}

/// The function of that name.
pub fn find(name: &str) -> Option<Function> {
    Some(match name {
        // The opcode says how long the block is; the third argument is not looked at.
        "scsi_trace_parse_cdb" => Function::Text(|_, args, out| scsi::parse_cdb(argument(args, 1).bytes(), out)),
        "xen_hypercall_name" => {
            Function::Text(|_, args, out| xen::hypercall_name(argument(args, 0).number() as u64, out))
        }
        // No trace says which device has a number, and trace-cmd prints the number.
        "jbd2_dev_to_name" => Function::Int(|_, args| argument(args, 0).number()),
        // Nor how many jiffies a second has: trace-cmd takes it for 1000.
        "jiffies_to_msecs" => Function::Int(|_, args| argument(args, 0).number()),
        // The bit of x86's page tables.
        "is_writable_pte" => Function::Int(|_, args| argument(args, 0).number() & 2),
        "__le16_to_cpup" => Function::Int(|_, args| {
            let number = Endian::Little.u16(argument(args, 0).bytes(), 0);
            i64::from(number.unwrap_or(0))
        }),
        _ => return None,
    })
}

fn argument<'a>(args: &[Arg<'a>], at: usize) -> Arg<'a> {
    args.get(at).copied().unwrap_or(Arg::Int(0))
}
