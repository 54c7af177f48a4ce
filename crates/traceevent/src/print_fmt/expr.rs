//! The expressions of a print fmt, with field names resolved to places in the record.

use std::sync::OnceLock;

use crate::field::{Field, FieldShape};
use crate::functions::Function;
use crate::lookup::Lookup;

/// A C expression.
#[derive(Clone, Debug)]
pub(super) enum Expr {
    /// A number, a string, or a name that only the kernel's sources know (then its value is 0).
    Atom(Atom),
    /// `REC->name`.
    Field(Slot),
    /// `REC->name` of a field that the event does not have.
    NoField,
    /// `-x` (without `left`), `x + y` and the like.
    Operation {
        operator: Operator,
        left: Option<Box<Expr>>,
        right: Box<Expr>,
    },
    /// `condition ? yes : no`.
    Conditional(Box<(Expr, Expr, Expr)>),
    /// `array[index]`.
    Element(Box<(Expr, Expr)>),
    /// `(type)x`.
    Cast(Cast, Box<Expr>),
    /// `__print_flags(value, separator, {mask, name}...)`.
    Flags {
        value: Box<Expr>,
        separator: String,
        names: Vec<(i64, String)>,
    },
    /// `__print_symbolic(value, {number, name}...)`.
    Symbolic {
        value: Box<Expr>,
        names: Vec<(i64, String)>,
    },
    /// `__print_hex(bytes, length)`, `__print_hex_str`.
    Hex {
        separator: &'static str,
        bytes: Box<Expr>,
        len: Box<Expr>,
    },
    /// `__print_array(array, count, size of an element)`.
    Array(Box<(Expr, Expr, Expr)>),
    /// `__get_str(name)`.
    Text(Option<Slot>),
    /// `__get_bitmask(name)`.
    Bitmask(Option<Slot>),
    /// `__get_cpumask(name)`.
    CpuMask(Option<Slot>),
    /// `__get_dynamic_array(name)`: its bytes, which have no address here.
    DynamicArray(Option<Slot>),
    /// `__get_dynamic_array_len(name)`.
    DynamicArrayLen(Option<Slot>),
    /// A function of the kernel that a plugin knows.
    Call(Function, Vec<Expr>),
}

/// A constant.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Atom {
    pub text: String,
    value: AtomValue,
}

#[derive(Clone, Debug, PartialEq)]
enum AtomValue {
    Number(u64),
    /// The address of the symbol of that name, once it has been looked up.
    Symbol(OnceLock<u64>),
}

impl Atom {
    /// What C's `strtoull` makes of the text: digits of the base that the prefix says, whatever follows them; clamped. What
    /// has no digits may be a symbol's name.
    pub fn new(text: String) -> Self {
        let value = if text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
            AtomValue::Symbol(OnceLock::new())
        } else {
            AtomValue::Number(number(&text))
        };
        Atom { text, value }
    }

    /// A number that has been computed.
    pub fn of_number(number: u64) -> Self {
        Atom {
            text: (number as i64).to_string(),
            value: AtomValue::Number(number),
        }
    }

    /// The value where there are no symbols.
    pub fn constant(&self) -> u64 {
        match self.value {
            AtomValue::Number(number) => number,
            AtomValue::Symbol(_) => 0,
        }
    }

    /// The number, or the address of the symbol, 0 when there is none.
    pub fn number(&self, lookup: &dyn Lookup) -> u64 {
        match &self.value {
            AtomValue::Number(number) => *number,
            AtomValue::Symbol(address) => *address.get_or_init(|| lookup.address(&self.text).unwrap_or(0)),
        }
    }
}

fn number(text: &str) -> u64 {
    let (digits, base) = if let Some(hex) = text.strip_prefix("0x").or(text.strip_prefix("0X")) {
        (hex, 16)
    } else if text.starts_with('0') {
        (text, 8)
    } else {
        (text, 10)
    };
    let mut number: u64 = 0;
    for digit in digits.chars().map_while(|c| c.to_digit(base)) {
        match number
            .checked_mul(u64::from(base))
            .and_then(|n| n.checked_add(u64::from(digit)))
        {
            Some(next) => number = next,
            None => return u64::MAX,
        }
    }
    number
}

/// Where a field is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Slot {
    pub offset: usize,
    pub size: usize,
    /// Bytes of one element of an array, 0 when trace-cmd does not know; of the whole when it is none.
    pub element: usize,
    pub is_array: bool,
    /// What a dynamic field's word counts from.
    pub base: usize,
}

impl Slot {
    pub fn new(field: &Field) -> Self {
        let element = match (&field.brackets, field.shape) {
            (None, _) => field.size,
            (Some(inside), FieldShape::Array) => match array_len(inside) {
                0 if is_text(&field.type_name) => 1,
                0 => 0,
                count => field.size / count,
            },
            _ => element_size(&field.type_name),
        };
        Slot {
            offset: field.offset,
            size: field.size,
            element,
            is_array: field.brackets.is_some(),
            base: match field.shape {
                FieldShape::RelLoc => field.offset + field.size,
                _ => 0,
            },
        }
    }
}

/// How many elements a declaration like `[2 + 1]` has to trace-cmd, which takes the last word for the number.
fn array_len(inside: &str) -> usize {
    let last = inside.rsplit(|c: char| !c.is_ascii_alphanumeric()).next();
    last.map_or(0, |last| usize::try_from(number(last)).unwrap_or(0))
}

/// Whether an array of such elements may be a string.
pub(super) fn is_text(type_name: &str) -> bool {
    words(type_name).any(|word| matches!(word, "char" | "u8" | "s8" | "__u8" | "__s8"))
}

/// Bytes of one element of a dynamic array.
fn element_size(type_name: &str) -> usize {
    let size = |word| match word {
        "u16" | "s16" => Some(2),
        "u32" | "s32" => Some(4),
        "u64" | "s64" => Some(8),
        _ => None,
    };
    words(type_name)
        .find_map(size)
        .unwrap_or(usize::from(is_text(type_name)))
}

fn words(type_name: &str) -> impl Iterator<Item = &str> {
    type_name.split_whitespace()
}

/// What a cast does to a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Cast {
    /// Of the number that is cast.
    pub width: Width,
    /// Of an element of what is cast.
    pub element: Width,
}

/// How much of a number is kept. trace-cmd knows few types and takes all others as they are, and fills with zeros where C
/// would copy the sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Width {
    All,
    Bits8,
    Bits16,
    Bits32,
}

impl Cast {
    pub fn to_type(name: &str) -> Self {
        match name.strip_suffix('*') {
            Some(pointee) => Cast {
                width: Width::All,
                element: Width::of_type(pointee.trim_end()),
            },
            None => Cast {
                width: Width::of_type(name),
                element: Width::of_type(name),
            },
        }
    }
}

impl Width {
    fn of_type(name: &str) -> Self {
        match name {
            "char" | "unsigned char" | "u8" | "s8" => Width::Bits8,
            "short" | "unsigned short" | "u16" | "s16" => Width::Bits16,
            "int" | "unsigned int" | "u32" | "s32" => Width::Bits32,
            _ => Width::All,
        }
    }

    pub fn cut(self, number: u64) -> u64 {
        match self {
            Width::All => number,
            Width::Bits8 => u64::from(number as u8),
            Width::Bits16 => u64::from(number as u16),
            Width::Bits32 => u64::from(number as u32),
        }
    }
}

/// Operators with two operands, and those of them that may have one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "named as in C's grammar")]
pub(super) enum Operator {
    Or,
    And,
    BitOr,
    BitXor,
    BitAnd,
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    ShiftLeft,
    ShiftRight,
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
    Not,
    Complement,
}

impl Operator {
    /// An operator between two operands.
    pub fn binary(symbol: &str) -> Option<Self> {
        Some(match symbol {
            "||" => Operator::Or,
            "&&" => Operator::And,
            "|" => Operator::BitOr,
            "^" => Operator::BitXor,
            "&" => Operator::BitAnd,
            "==" => Operator::Equal,
            "!=" => Operator::NotEqual,
            "<" => Operator::Less,
            "<=" => Operator::LessEqual,
            ">" => Operator::Greater,
            ">=" => Operator::GreaterEqual,
            "<<" => Operator::ShiftLeft,
            ">>" => Operator::ShiftRight,
            "+" => Operator::Add,
            "-" => Operator::Subtract,
            "*" => Operator::Multiply,
            "/" => Operator::Divide,
            "%" => Operator::Remainder,
            _ => return None,
        })
    }

    /// An operator before its operand.
    pub fn unary(symbol: &str) -> Option<Self> {
        Some(match symbol {
            "-" => Operator::Subtract,
            "+" => Operator::Add,
            "!" => Operator::Not,
            "~" => Operator::Complement,
            _ => return None,
        })
    }

    /// How loosely it binds: less is tighter. The order is C's.
    pub fn looseness(self) -> u8 {
        match self {
            Operator::Not | Operator::Complement => 1,
            Operator::Multiply | Operator::Divide | Operator::Remainder => 2,
            Operator::Add | Operator::Subtract => 3,
            Operator::ShiftLeft | Operator::ShiftRight => 4,
            Operator::Less | Operator::LessEqual | Operator::Greater | Operator::GreaterEqual => 5,
            Operator::Equal | Operator::NotEqual => 6,
            Operator::BitAnd => 7,
            Operator::BitXor => 8,
            Operator::BitOr => 9,
            Operator::And => 10,
            Operator::Or => 11,
        }
    }

    /// With one operand.
    pub fn apply_unary(self, x: u64) -> u64 {
        match self {
            Operator::Subtract => x.wrapping_neg(),
            Operator::Complement => !x,
            Operator::Not => u64::from(x == 0),
            _ => x,
        }
    }

    /// Unsigned, 64 bits wide, whatever the operands' types in C: as trace-cmd does. `None` for a division by zero.
    pub fn apply(self, a: u64, b: u64) -> Option<u64> {
        let shift = (b & 63) as u32;
        Some(match self {
            Operator::Or => u64::from(a != 0 || b != 0),
            Operator::And => u64::from(a != 0 && b != 0),
            Operator::BitOr => a | b,
            Operator::BitXor => a ^ b,
            Operator::BitAnd => a & b,
            Operator::Equal => u64::from(a == b),
            Operator::NotEqual => u64::from(a != b),
            Operator::Less => u64::from(a < b),
            Operator::LessEqual => u64::from(a <= b),
            Operator::Greater => u64::from(a > b),
            Operator::GreaterEqual => u64::from(a >= b),
            Operator::ShiftLeft => a.wrapping_shl(shift),
            Operator::ShiftRight => a.wrapping_shr(shift),
            Operator::Add => a.wrapping_add(b),
            Operator::Subtract => a.wrapping_sub(b),
            Operator::Multiply => a.wrapping_mul(b),
            Operator::Divide => a.checked_div(b)?,
            Operator::Remainder => a.checked_rem(b)?,
            Operator::Not | Operator::Complement => 0,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_are_read_as_c_reads_them() {
        for (text, expected) in [
            ("10", 10),
            ("010", 8),
            ("0x10UL", 16),
            ("10ULL", 10),
            ("5u", 5),
            ("0xffffffffffffffff", u64::MAX),
            ("1000000000000000000000", u64::MAX),
            ("FOO", 0),
            ("0", 0),
            ("09", 0),
        ] {
            assert_eq!(number(text), expected, "{text}");
        }
    }
}
