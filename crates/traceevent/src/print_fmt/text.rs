//! What `%s` prints.

use super::eval::Context;
use super::expr::{Expr, Slot};
use super::mask::{write_bitmask, write_list};
use super::printf::{write_hex, write_hex_byte, write_number, write_plain, write_text, Length, Radix, Shape};
use crate::bytes::{slice, until_nul};
use crate::functions::Function;

impl Context<'_> {
    /// Prints an expression as a string. Numbers that are no field print as nothing. `None` when the record is too short.
    pub fn print_text(self, expr: &Expr, shape: Shape, out: &mut Vec<u8>) -> Option<()> {
        match expr {
            Expr::Atom(atom) => write_text(atom.text.as_bytes(), shape, out),
            Expr::Field(slot) => self.print_field(*slot, shape, out)?,
            Expr::Text(Some(slot)) => {
                // Nothing of an empty one, not even its width; of others, whatever comes before a NUL.
                let (start, len) = self.locate(*slot)?;
                if len > 0 {
                    write_text(self.c_string(start)?, shape, out);
                }
            }
            Expr::Conditional(parts) => {
                let (condition, yes, no) = &**parts;
                let chosen = if self.number(condition)? != 0 { yes } else { no };
                self.print_text(chosen, shape, out)?;
            }
            Expr::Flags {
                value,
                separator,
                names,
            } => print_flags(self.number(value)?, separator.as_bytes(), names, shape, out),
            Expr::Symbolic { value, names } => {
                let value = self.number(value)?;
                match names.iter().find(|(number, _)| *number as u64 == value) {
                    Some((_, name)) => write_text(name.as_bytes(), shape, out),
                    None => {
                        out.extend_from_slice(b"0x");
                        write_hex(value, out);
                    }
                }
            }
            Expr::Hex { separator, bytes, len } => {
                let len = usize::try_from(self.number(len)?).unwrap_or(usize::MAX);
                let bytes = self.bytes_from(bytes)?;
                print_hex(bytes.get(..len).unwrap_or(bytes), separator, out);
            }
            Expr::Array(parts) => {
                let (array, count, size) = &**parts;
                self.print_array(array, self.number(count)?, self.number(size)?, out)?;
            }
            Expr::Bitmask(Some(slot)) => {
                let mut text = Vec::new();
                write_bitmask(self.dynamic(*slot)?, self.env.endian, &mut text);
                write_text(&text, shape, out);
            }
            Expr::CpuMask(Some(slot)) => {
                let mut text = Vec::new();
                write_list(self.dynamic(*slot)?, self.env.endian, &mut text);
                write_text(&text, shape, out);
            }
            Expr::Call(Function::Text(function), arguments) => {
                let mut text = Vec::new();
                function(self.env.endian, &self.arguments(arguments)?, &mut text);
                write_text(&text, shape, out);
            }
            _ => {}
        }
        Some(())
    }

    /// A field as a string: what is not an array and as large as a pointer is taken for one, to a string in the kernel.
    fn print_field(self, slot: Slot, shape: Shape, out: &mut Vec<u8>) -> Option<()> {
        if !slot.is_array && slot.size == usize::from(self.env.long_size) {
            let address = self.load_as_here(slot.offset, slot.size)?;
            match self.env.lookup.printk(address) {
                Some(text) => out.extend_from_slice(text.as_bytes()),
                None => write_hex(address, out),
            }
            return Some(());
        }
        let bytes = match slot.size {
            0 => self.record.get(slot.offset..)?,
            size => slice(self.record, slot.offset, size)?,
        };
        write_text(until_nul(bytes), shape, out);
        Some(())
    }

    /// `__print_array`: decimal numbers with blanks between them.
    fn print_array(self, array: &Expr, count: u64, size: u64, out: &mut Vec<u8>) -> Option<()> {
        let bytes = self.bytes_from(array)?;
        let step = match size {
            1 | 2 | 4 | 8 => size as usize,
            _ => 1,
        };
        // No more than the record has.
        let count = usize::try_from(count).unwrap_or(usize::MAX).min(bytes.len() / step);
        let len = count * step;
        let start = self.record.len().checked_sub(bytes.len())?;
        for offset in (0..len).step_by(step) {
            if offset > 0 {
                out.push(b' ');
            }
            let value = self.load_as_here(start + offset, step)?;
            if step as u64 == size {
                write_plain(value, Radix::Unsigned, Length::Long, out);
            } else {
                out.extend_from_slice(b"BAD SIZE:");
                write_plain(size, Radix::Signed, Length::Int, out);
                out.extend_from_slice(b" 0x");
                write_hex(value, out);
            }
        }
        Some(())
    }
}

/// Each mask that is wholly set, in order, then what is left.
fn print_flags(mut left: u64, separator: &[u8], names: &[(i64, String)], shape: Shape, out: &mut Vec<u8>) {
    let mut first = true;
    for (mask, name) in names {
        if left == 0 && *mask < 0 {
            write_text(name.as_bytes(), shape, out);
            break;
        }
        if *mask > 0 && left & *mask as u64 == *mask as u64 {
            if !std::mem::take(&mut first) {
                out.extend_from_slice(separator);
            }
            write_text(name.as_bytes(), shape, out);
            left &= !(*mask as u64);
        }
    }
    if left != 0 {
        if !first {
            out.extend_from_slice(separator);
        }
        let prefix = Shape {
            prefix: true,
            ..Shape::default()
        };
        write_number(left, Radix::Hex, Length::Long, prefix, out);
    }
}

/// Bytes as two hexadecimal digits each.
pub(super) fn print_hex(bytes: &[u8], separator: &str, out: &mut Vec<u8>) {
    for (at, byte) in bytes.iter().enumerate() {
        if at > 0 {
            out.extend_from_slice(separator.as_bytes());
        }
        write_hex_byte(*byte, out);
    }
}
