//! The functions of print fmts that trace-cmd's plugins know.

use super::{scsi, xen};
use crate::bytes::Endian;
use crate::functions::{Arg, Function};

/// The function of that name, as trace-cmd's plugins compute it; for
/// [`EventText::compile_with`](crate::EventText::compile_with).
pub fn find_function(name: &str) -> Option<Function> {
    Some(match name {
        // The opcode says how long the block is; the third argument is not looked at.
        "scsi_trace_parse_cdb" => Function::Text(|_, args, out| scsi::parse_cdb(bytes(args, 1), out)),
        "xen_hypercall_name" => Function::Text(|_, args, out| xen::hypercall_name(number(args, 0) as u64, out)),
        // No trace says which device has a number, and trace-cmd prints the number.
        "jbd2_dev_to_name" => Function::Int(|_, args| number(args, 0)),
        // Nor how many jiffies a second has: trace-cmd takes it for 1000.
        "jiffies_to_msecs" => Function::Int(|_, args| number(args, 0)),
        // The bit of x86's page tables.
        "is_writable_pte" => Function::Int(|_, args| number(args, 0) & 2),
        "__le16_to_cpup" => Function::Int(|_, args| {
            let number = Endian::Little.u16(bytes(args, 0), 0);
            i64::from(number.unwrap_or(0))
        }),
        _ => return None,
    })
}

/// 0 for bytes, and where there are fewer arguments.
fn number(args: &[Arg<'_>], at: usize) -> i64 {
    match args.get(at) {
        Some(&Arg::Int(number)) => number,
        _ => 0,
    }
}

/// None for a number, and where there are fewer arguments.
fn bytes<'a>(args: &[Arg<'a>], at: usize) -> &'a [u8] {
    match args.get(at) {
        Some(&Arg::Bytes(bytes)) => bytes,
        _ => &[],
    }
}
