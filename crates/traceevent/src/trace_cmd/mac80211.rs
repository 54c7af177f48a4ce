//! `drv_bss_info_changed`: some of its many fields, on four lines.

use super::bind::{load_text, load_uint, text, uint, UIntField};
use super::{Occasion, Outcome, PrintState, Printer};
use crate::field::TextField;
use crate::format::EventFormat;
use crate::lookup::Env;
use crate::trace_cmd::text::{push_blanks, push_hex, push_u64};

/// Where the lines behind the first begin.
const INDENT: usize = 65;

/// The numbers, line by line; `true` for those in hexadecimal.
const LINES: [&[(&str, bool)]; 3] = [
    &[
        ("assoc", false),
        ("aid", false),
        ("cts", false),
        ("shortpre", false),
        ("shortslot", false),
        ("dtimper", false),
    ],
    &[
        ("bcnint", false),
        ("assoc_cap", true),
        ("basic_rates", true),
        ("enable_beacon", false),
    ],
    &[("ht_operation_mode", false)],
];

pub(super) fn find(format: &EventFormat) -> Option<Box<dyn Printer>> {
    if format.name != "drv_bss_info_changed" {
        return None;
    }
    let bind = |&(name, hex): &(&'static str, bool)| Number {
        name,
        hex,
        field: uint(format, name),
    };
    Some(Box::new(BssInfoChanged {
        wiphy_name: text(format, "wiphy_name")?,
        vif_name: text(format, "vif_name")?,
        vif_type: uint(format, "vif_type")?,
        lines: LINES.map(|line| line.iter().map(bind).collect()),
    }))
}

struct Number {
    name: &'static str,
    hex: bool,
    /// Kernels differ in what they have.
    field: Option<UIntField>,
}

struct BssInfoChanged {
    wiphy_name: TextField,
    vif_name: TextField,
    vif_type: UIntField,
    lines: [Vec<Number>; 3],
}

impl Printer for BssInfoChanged {
    fn print(&self, env: &Env<'_>, _: &mut PrintState, at: &Occasion<'_>, out: &mut Vec<u8>) -> Outcome {
        out.extend_from_slice(load_text(self.wiphy_name, env, at.record));
        out.extend_from_slice(b" vif:");
        out.extend_from_slice(load_text(self.vif_name, env, at.record));
        out.push(b'(');
        push_u64(out, load_uint(self.vif_type, env, at.record));
        out.push(b')');
        for (at_line, line) in self.lines.iter().enumerate() {
            // The first of these lines ends in a blank.
            let blank_before_end = at_line == 0;
            out.push(b'\n');
            push_blanks(out, INDENT);
            for (index, number) in line.iter().enumerate() {
                if index > 0 {
                    out.push(b' ');
                }
                if let Some(field) = number.field {
                    push_number(out, number, load_uint(field, env, at.record));
                }
            }
            if blank_before_end {
                out.push(b' ');
            }
        }
        Outcome::Whole
    }
}

fn push_number(out: &mut Vec<u8>, number: &Number, value: u64) {
    out.extend_from_slice(number.name.as_bytes());
    out.push(b':');
    if number.hex && value != 0 {
        out.extend_from_slice(b"0x");
        push_hex(out, value);
    } else {
        push_u64(out, value);
    }
}
