//! Numbers and bytes of one record, as expressions ask for them.

use super::expr::{Expr, Slot};
use crate::bytes::{load, slice, until_nul};
use crate::lookup::Env;

/// A record, and what its numbers refer to.
#[derive(Clone, Copy)]
pub(super) struct Context<'a> {
    pub env: &'a Env<'a>,
    pub record: &'a [u8],
}

impl<'a> Context<'a> {
    /// The number at `offset`, filled with zeros; 0 for sizes that no number has. `None` behind the record's end.
    #[inline]
    pub fn load(self, offset: usize, size: usize) -> Option<u64> {
        let endian = self.env.endian;
        Some(match size {
            4 => u64::from(endian.u32(self.record, offset)?),
            8 => endian.u64(self.record, offset)?,
            2 => u64::from(endian.u16(self.record, offset)?),
            1 => u64::from(u8::from_ne_bytes(load(self.record, offset)?)),
            _ => 0,
        })
    }

    /// Where a dynamic field's bytes start and how many there are.
    pub fn locate(self, slot: Slot) -> Option<(usize, usize)> {
        let word = self.env.endian.u32(self.record, slot.offset)?;
        Some((slot.base + (word & 0xffff) as usize, (word >> 16) as usize))
    }

    /// The bytes of a dynamic field.
    pub fn dynamic(self, slot: Slot) -> Option<&'a [u8]> {
        let (start, len) = self.locate(slot)?;
        slice(self.record, start, len)
    }

    /// The string that starts at `offset`: up to the first NUL or the end of the record, whatever length is declared.
    pub fn c_string(self, offset: usize) -> Option<&'a [u8]> {
        self.record.get(offset..).map(until_nul)
    }

    /// The value of an expression. Strings and what prints as such are 0. `None` when the record is too short or divides
    /// by zero.
    pub fn number(self, expr: &Expr) -> Option<u64> {
        Some(match expr {
            Expr::Field(slot) => self.load(slot.offset, slot.size)?,
            Expr::Atom(atom) => atom.number,
            Expr::Operation { operator, left, right } => {
                let right = self.number(right)?;
                match left {
                    Some(left) => operator.apply(self.number(left)?, right)?,
                    None => operator.apply_unary(right),
                }
            }
            Expr::Conditional(parts) => {
                let (condition, yes, no) = &**parts;
                self.number(if self.number(condition)? != 0 { yes } else { no })?
            }
            Expr::Cast(cast, inside) => cast.apply(self.number(inside)?),
            Expr::Element(parts) => self.element(&parts.0, self.number(&parts.1)?)?,
            Expr::DynamicArrayLen(Some(slot)) => self.locate(*slot)?.1 as u64,
            // Its address, which only the traced machine knew.
            Expr::DynamicArray(Some(slot)) => self.locate(*slot)?.0 as u64,
            Expr::NoField(_)
            | Expr::Flags { .. }
            | Expr::Symbolic { .. }
            | Expr::Hex { .. }
            | Expr::Array(_)
            | Expr::Text(_)
            | Expr::Bitmask(_)
            | Expr::CpuMask(_)
            | Expr::DynamicArray(None)
            | Expr::DynamicArrayLen(None) => 0,
        })
    }

    /// `array[index]`: the width is that of the field's elements, whatever it is cast to. What is no array is taken as the
    /// number that it is.
    fn element(self, array: &Expr, index: u64) -> Option<u64> {
        let (start, slot) = match array {
            Expr::Cast(_, inside) => return self.element(inside, index),
            Expr::Field(slot) => (slot.offset, slot),
            Expr::DynamicArray(Some(slot)) => (self.locate(*slot)?.0, slot),
            _ => return self.number(array),
        };
        let offset = usize::try_from(index).ok()?.checked_mul(slot.element)?;
        self.load(start.checked_add(offset)?, slot.element)
    }

    /// The bytes that a `__print_hex` or a `%ph` is about: those of a field, or of a dynamic array.
    pub fn bytes_from(self, expr: &Expr) -> Option<&'a [u8]> {
        match expr {
            Expr::Cast(_, inside) => self.bytes_from(inside),
            Expr::Field(slot) => self.record.get(slot.offset..),
            Expr::DynamicArray(Some(slot)) => self.record.get(self.locate(*slot)?.0..),
            _ => None,
        }
    }
}
