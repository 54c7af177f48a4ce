//! The expressions of a print fmt, and their values for one record.

use super::PrintFmtError;

/// What an expression gives. Numbers are 64 bits wide and wrap; the kernel's own types are narrower or as wide.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// A number.
    Int(i64),
    /// A string.
    Text(String),
}

/// The record that an expression is evaluated for.
pub trait Fields {
    /// The number in the field of that name.
    fn int(&self, name: &str) -> Option<i64>;
}

/// A C expression.
#[derive(Clone, Debug, PartialEq)]
pub enum Expr {
    /// A literal.
    Int(i64),
    /// A string literal.
    Text(String),
    /// `REC->name`.
    Field(String),
    /// `-x`, `~x`, `!x`, `+x`.
    Unary(Unary, Box<Expr>),
    /// `x + y` and the like.
    Binary(Binary, Box<(Expr, Expr)>),
    /// `condition ? yes : no`.
    Conditional(Box<(Expr, Expr, Expr)>),
    /// `(type)x`, with the words of the type.
    Cast(Vec<String>, Box<Expr>),
    /// `__print_flags(value, separator, {mask, name}...)`.
    Flags {
        /// What is told apart.
        value: Box<Expr>,
        /// What goes between two names.
        separator: String,
        /// Masks and their names, in the kernel's order.
        names: Vec<(Expr, String)>,
    },
    /// A call of a function that is not known here: an error only when its value is needed.
    UnknownCall(String),
}

/// Operators with one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unary {
    /// `-x`
    Negate,
    /// `~x`
    Complement,
    /// `!x`
    Not,
    /// `+x`
    Plus,
}

/// Operators with two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "named as in C's grammar")]
pub enum Binary {
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
}

impl Binary {
    /// The operator and how tightly it binds (more is tighter; all group to the left).
    pub(super) fn from_symbol(symbol: &str) -> Option<(Binary, u8)> {
        Some(match symbol {
            "||" => (Binary::Or, 0),
            "&&" => (Binary::And, 1),
            "|" => (Binary::BitOr, 2),
            "^" => (Binary::BitXor, 3),
            "&" => (Binary::BitAnd, 4),
            "==" => (Binary::Equal, 5),
            "!=" => (Binary::NotEqual, 5),
            "<" => (Binary::Less, 6),
            "<=" => (Binary::LessEqual, 6),
            ">" => (Binary::Greater, 6),
            ">=" => (Binary::GreaterEqual, 6),
            "<<" => (Binary::ShiftLeft, 7),
            ">>" => (Binary::ShiftRight, 7),
            "+" => (Binary::Add, 8),
            "-" => (Binary::Subtract, 8),
            "*" => (Binary::Multiply, 9),
            "/" => (Binary::Divide, 9),
            "%" => (Binary::Remainder, 9),
            _ => return None,
        })
    }

    fn apply(self, a: i64, b: i64) -> Option<i64> {
        let shift = (b & 63) as u32;
        Some(match self {
            Binary::Or => i64::from(a != 0 || b != 0),
            Binary::And => i64::from(a != 0 && b != 0),
            Binary::BitOr => a | b,
            Binary::BitXor => a ^ b,
            Binary::BitAnd => a & b,
            Binary::Equal => i64::from(a == b),
            Binary::NotEqual => i64::from(a != b),
            Binary::Less => i64::from(a < b),
            Binary::LessEqual => i64::from(a <= b),
            Binary::Greater => i64::from(a > b),
            Binary::GreaterEqual => i64::from(a >= b),
            Binary::ShiftLeft => a.wrapping_shl(shift),
            Binary::ShiftRight => a.wrapping_shr(shift),
            Binary::Add => a.wrapping_add(b),
            Binary::Subtract => a.wrapping_sub(b),
            Binary::Multiply => a.wrapping_mul(b),
            Binary::Divide => a.checked_div(b)?,
            Binary::Remainder => a.checked_rem(b)?,
        })
    }
}

impl Expr {
    /// The value for one record.
    pub fn evaluate(&self, fields: &dyn Fields) -> Result<Value, PrintFmtError> {
        Ok(match self {
            Expr::Text(text) => Value::Text(text.clone()),
            Expr::Conditional(parts) => {
                let (condition, yes, no) = parts.as_ref();
                let chosen = if condition.int(fields)? != 0 { yes } else { no };
                chosen.evaluate(fields)?
            }
            Expr::Flags {
                value,
                separator,
                names,
            } => Value::Text(print_flags(value.int(fields)?, separator, names, fields)?),
            Expr::UnknownCall(name) => return Err(PrintFmtError::Unsupported(format!("`{name}()`"))),
            Expr::Int(number) => Value::Int(*number),
            Expr::Field(name) => Value::Int(fields.int(name).ok_or_else(|| PrintFmtError::NoField(name.clone()))?),
            Expr::Unary(operator, operand) => {
                let operand = operand.int(fields)?;
                Value::Int(match operator {
                    Unary::Negate => operand.wrapping_neg(),
                    Unary::Complement => !operand,
                    Unary::Not => i64::from(operand == 0),
                    Unary::Plus => operand,
                })
            }
            Expr::Binary(operator, operands) => {
                let (left, right) = (operands.0.int(fields)?, operands.1.int(fields)?);
                let result = operator.apply(left, right);
                Value::Int(result.ok_or_else(|| PrintFmtError::Unsupported("a division by zero".to_owned()))?)
            }
            Expr::Cast(words, operand) => Value::Int(cast(words, operand.int(fields)?)),
        })
    }

    fn int(&self, fields: &dyn Fields) -> Result<i64, PrintFmtError> {
        match self.evaluate(fields)? {
            Value::Int(number) => Ok(number),
            Value::Text(_) => Err(PrintFmtError::Unsupported("a string as a number".to_owned())),
        }
    }
}

/// As `trace_print_flags_seq` in `kernel/trace/trace_output.c`: each mask that is wholly set, in order, then what is left.
fn print_flags(
    mut left: i64,
    separator: &str,
    names: &[(Expr, String)],
    fields: &dyn Fields,
) -> Result<String, PrintFmtError> {
    let mut out = String::new();
    for (mask, name) in names {
        let mask = mask.int(fields)?;
        if left == 0 {
            break;
        }
        if left & mask != mask {
            continue;
        }
        left &= !mask;
        if !out.is_empty() {
            out.push_str(separator);
        }
        out.push_str(name);
    }
    if left != 0 {
        if !out.is_empty() {
            out.push_str(separator);
        }
        out.push_str(&format!("{left:#x}"));
    }
    Ok(out)
}

/// Cuts to the type's width; `long` and pointers keep all 64 bits, as a 32-bit kernel's values fit anyway.
fn cast(words: &[String], value: i64) -> i64 {
    let unsigned = words.iter().any(|word| word == "unsigned");
    let mut cut = value;
    for word in words {
        cut = match (word.as_str(), unsigned) {
            ("char", true) | ("u8" | "__u8" | "uint8_t", _) => i64::from(value as u8),
            ("char", false) | ("s8" | "__s8" | "int8_t", _) => i64::from(value as i8),
            ("short", true) | ("u16" | "__u16" | "uint16_t", _) => i64::from(value as u16),
            ("short", false) | ("s16" | "__s16" | "int16_t", _) => i64::from(value as i16),
            ("int", true) | ("u32" | "__u32" | "uint32_t", _) => i64::from(value as u32),
            ("int", false) | ("s32" | "__s32" | "int32_t" | "pid_t", _) => i64::from(value as i32),
            ("bool", _) => i64::from(value != 0),
            _ => cut,
        };
    }
    match words {
        [only] if only == "unsigned" => i64::from(value as u32),
        _ => cut,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::print_fmt::{lexer, parser};

    struct NoFields;

    impl Fields for NoFields {
        fn int(&self, _: &str) -> Option<i64> {
            None
        }
    }

    fn value(expr: &str) -> Result<Value, PrintFmtError> {
        let (_, arguments) = parser::parse(lexer::tokens(&format!("\"%d\", {expr}"))?)?;
        arguments[0].evaluate(&NoFields)
    }

    #[test]
    fn operators_bind_as_in_c() {
        for (expr, expected) in [
            ("1 + 2 * 3", 7),
            ("(1 + 2) * 3", 9),
            ("10 - 4 - 3", 3),
            ("1 << 2 + 1", 8),
            ("6 & 3 == 3", 0),
            ("4 | 1 ^ 3 & 2", 7),
            ("1 || 0 && 0", 1),
            ("-1 < 0 ? 5 : 6", 5),
            ("0 ? 1 : 0 ? 2 : 3", 3),
            ("~0 & 0xff", 255),
            ("!3 + !0", 1),
            ("-7 / 2", -3),
            ("7 % 4", 3),
            ("(unsigned char)0x1ff", 255),
            ("(short)0xffff", -1),
            ("(unsigned)-1", 0xffff_ffff),
            ("(unsigned long)-1", -1),
            ("(const struct foo *)5", 5),
            ("(u32)(s8)0xff", 0xffff_ffff),
        ] {
            assert_eq!(value(expr), Ok(Value::Int(expected)), "{expr}");
        }
    }

    #[test]
    fn flags_are_printed_in_order_and_the_rest_in_hex() {
        let flags = |n| value(&format!(r#"__print_flags({n}, "|", {{ 1, "a" }}, {{ 6, "b" }})"#));
        assert_eq!(flags(7), Ok(Value::Text("a|b".into())));
        assert_eq!(flags(2), Ok(Value::Text("0x2".into())));
        assert_eq!(flags(9), Ok(Value::Text("a|0x8".into())));
        assert_eq!(flags(0), Ok(Value::Text(String::new())));
    }

    #[test]
    fn what_cannot_be_evaluated_is_an_error() {
        assert!(value("1 / 0").is_err());
        assert!(value("__get_str(x)").is_err());
        assert!(value("FOO").is_err());
        assert!(value("(1").is_err());
        assert!(value("1 +").is_err());
        assert_eq!(value(&"(".repeat(10_000)), Err(PrintFmtError::TooDeep));
        assert_eq!(value(&"-".repeat(10_000)), Err(PrintFmtError::TooDeep));
        assert_eq!(value(&"1+".repeat(10_000)), Err(PrintFmtError::TooDeep));
    }
}
