//! Numbers and bytes of one record, as expressions ask for them.

use super::expr::{Expr, Operator, Slot, Width};
use crate::bytes::{load, slice, until_nul, Endian};
use crate::functions::{Arg, Function};
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
        load_number(self.record, offset, size, self.env.endian)
    }

    /// A number that trace-cmd reads in the byte order of the machine it runs on, whatever the one traced had: what
    /// `__print_array` prints, and addresses of strings.
    pub fn load_as_here(self, offset: usize, size: usize) -> Option<u64> {
        load_number(self.record, offset, size, Endian::Little)
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
            Expr::Atom(atom) => atom.number(self.env.lookup),
            // trace-cmd computes it of constants only.
            Expr::Operation {
                operator: Operator::BitXor,
                ..
            } => 0,
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
            Expr::Cast(cast, inside) => cast.width.cut(self.number(inside)?),
            Expr::Element(parts) => self.element(&parts.0, self.number(&parts.1)?)?,
            Expr::DynamicArrayLen(Some(slot)) => self.locate(*slot)?.1 as u64,
            Expr::Call(Function::Int(function), arguments) => {
                function(self.env.endian, &self.arguments(arguments)?) as u64
            }
            // Its address, which only the traced machine knew.
            Expr::DynamicArray(Some(slot)) => self.locate(*slot)?.0 as u64,
            Expr::NoField
            | Expr::Flags { .. }
            | Expr::Symbolic { .. }
            | Expr::Hex { .. }
            | Expr::Array(_)
            | Expr::Text(_)
            | Expr::Bitmask(_)
            | Expr::CpuMask(_)
            | Expr::Call(Function::Text(_), _)
            | Expr::DynamicArray(None)
            | Expr::DynamicArrayLen(None) => 0,
        })
    }

    /// The arguments of a plugin's function.
    pub fn arguments(self, arguments: &[Expr]) -> Option<Vec<Arg<'a>>> {
        let argument = |expr: &Expr| match self.pointed_to(expr) {
            Some(bytes) => Some(Arg::Bytes(bytes)),
            None => Some(Arg::Int(self.number(expr)? as i64)),
        };
        arguments.iter().map(argument).collect()
    }

    /// `array[index]`. The index into a dynamic array counts bytes, whatever it is cast to.
    fn element(self, array: &Expr, index: u64) -> Option<u64> {
        let mut element = Width::All;
        let mut place = array;
        while let Expr::Cast(cast, inside) = place {
            if std::ptr::eq(place, array) {
                element = cast.element;
            }
            place = inside;
        }
        let index = usize::try_from(index).ok()?;
        let (start, step, size) = match place {
            Expr::Field(slot) => (slot.offset, slot.element, slot.element),
            Expr::DynamicArray(Some(slot)) => {
                let size = match slot.element {
                    0 => usize::from(self.env.long_size),
                    size => size,
                };
                (self.locate(*slot)?.0, 1, size)
            }
            _ => return Some(0),
        };
        let offset = start.checked_add(index.checked_mul(step)?)?;
        Some(element.cut(self.load(offset, size)?))
    }

    /// The bytes in the record that an expression points to: those of an array, up to the record's end.
    fn pointed_to(self, expr: &Expr) -> Option<&'a [u8]> {
        match expr {
            Expr::Cast(_, inside) => self.pointed_to(inside),
            Expr::Field(slot) if !slot.is_array => None,
            other => self.bytes_from(other),
        }
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

#[inline]
fn load_number(record: &[u8], offset: usize, size: usize, endian: Endian) -> Option<u64> {
    Some(match size {
        4 => u64::from(endian.u32(record, offset)?),
        8 => endian.u64(record, offset)?,
        2 => u64::from(endian.u16(record, offset)?),
        1 => u64::from(u8::from_ne_bytes(load(record, offset)?)),
        _ => 0,
    })
}
