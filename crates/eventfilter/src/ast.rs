//! A filter as it was read, and its text again.

use std::fmt::{self, Display, Formatter};
use std::ops::Range;

use crate::glob::{Case, Glob};

/// A filter that was read. Its text is again a filter, and the same one.
#[derive(Clone, Debug)]
pub struct Filter {
    /// Which events; all when there are none.
    pub events: Vec<EventPattern>,
    /// Which of their records; all when there is none.
    pub expr: Option<Expr>,
}

impl Filter {
    /// Whether it names a field for which this is true.
    pub fn names(&self, is_meant: impl Fn(&str) -> bool) -> bool {
        fn in_expr(expr: &Expr, is_meant: &impl Fn(&str) -> bool) -> bool {
            match expr {
                Expr::Any(parts) | Expr::All(parts) => parts.iter().any(|part| in_expr(part, is_meant)),
                Expr::Not(part) => in_expr(part, is_meant),
                Expr::Test(Test { field, value, .. }) => {
                    is_meant(&field.text) || matches!(value, Value::Word(word) if is_meant(word))
                }
            }
        }
        self.expr.as_ref().is_some_and(|expr| in_expr(expr, &is_meant))
    }
}

/// Events by name: `sched/sched_switch`, `sched:sched_switch`, `sched_*`.
#[derive(Clone, Debug)]
pub struct EventPattern {
    /// A pattern of systems; any when there is none.
    pub system: Option<String>,
    /// A pattern of names.
    pub name: String,
    /// Where it is in the text.
    pub at: Range<usize>,
}

impl EventPattern {
    /// Whether it is one of these events.
    pub fn matches(&self, system: &str, name: &str) -> bool {
        let fits = |pattern: &str, text: &str| Glob::new(pattern, Case::Told).matches(text.as_bytes());
        fits(&self.name, name) && self.system.as_deref().is_none_or(|of| fits(of, system))
    }
}

/// A condition.
#[derive(Clone, Debug)]
pub enum Expr {
    /// One of several, joined by `||`.
    Any(Vec<Expr>),
    /// All of several, joined by `&&`.
    All(Vec<Expr>),
    /// The contrary.
    Not(Box<Expr>),
    /// A comparison.
    Test(Test),
}

/// A field compared with a value.
#[derive(Clone, Debug)]
pub struct Test {
    /// The field.
    pub field: Name,
    /// How they are compared.
    pub op: Op,
    /// With what.
    pub value: Value,
    /// Where the value is in the text.
    pub value_at: Range<usize>,
}

impl Test {
    /// Where it is in the text.
    pub fn at(&self) -> Range<usize> {
        self.field.at.start..self.value_at.end
    }
}

/// The name of a field.
#[derive(Clone, Debug)]
pub struct Name {
    /// Without what follows.
    pub text: String,
    /// `.function` follows: the address as the name of the function that it falls into.
    pub function: bool,
    /// Where it is in the text.
    pub at: Range<usize>,
}

/// A comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Op {
    /// `==`
    Equal,
    /// `!=`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    LessOrEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterOrEqual,
    /// `&`: some bit is in both
    Bits,
    /// `~`: a text fits a pattern
    Like,
    /// `!~`: it does not
    NotLike,
}

impl Op {
    /// Those of more signs first.
    pub(crate) const ALL: [(&'static str, Op); 9] = [
        ("==", Op::Equal),
        ("!=", Op::NotEqual),
        ("!~", Op::NotLike),
        ("<=", Op::LessOrEqual),
        (">=", Op::GreaterOrEqual),
        ("<", Op::Less),
        (">", Op::Greater),
        ("~", Op::Like),
        ("&", Op::Bits),
    ];

    /// As it is written.
    pub fn sign(self) -> &'static str {
        Op::ALL.iter().find(|(_, op)| *op == self).map_or("", |(sign, _)| sign)
    }
}

/// What a field is compared with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// A whole number.
    Int(i128),
    /// A number of seconds with decimals, in nanoseconds.
    Seconds(i128),
    /// A text in quotes.
    Text(String),
    /// A word without quotes: a text beside a text, a field beside a number.
    Word(String),
}

impl Display for Filter {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for (index, event) in self.events.iter().enumerate() {
            let comma = if index == 0 { "" } else { "," };
            match &event.system {
                Some(system) => write!(f, "{comma}{system}/{}", event.name)?,
                None => write!(f, "{comma}{}", event.name)?,
            }
        }
        match (&self.expr, self.events.is_empty()) {
            (Some(expr), true) => write!(f, "{expr}"),
            (Some(expr), false) => write!(f, ": {expr}"),
            (None, false) => f.write_str(":"),
            (None, true) => Ok(()),
        }
    }
}

impl Display for Expr {
    /// With no parentheses that are not needed: the text nests no deeper than the one that was read.
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let part = |f: &mut Formatter<'_>, part: &Expr, bare: bool| match bare {
            true => write!(f, "{part}"),
            false => write!(f, "({part})"),
        };
        match self {
            Expr::Any(parts) => {
                for (index, each) in parts.iter().enumerate() {
                    f.write_str(if index == 0 { "" } else { " || " })?;
                    part(f, each, !matches!(each, Expr::Any(_)))?;
                }
                Ok(())
            }
            Expr::All(parts) => {
                for (index, each) in parts.iter().enumerate() {
                    f.write_str(if index == 0 { "" } else { " && " })?;
                    part(f, each, matches!(each, Expr::Not(_) | Expr::Test(_)))?;
                }
                Ok(())
            }
            Expr::Not(each) => {
                f.write_str("!")?;
                part(f, each, matches!(**each, Expr::Not(_) | Expr::Test(_)))
            }
            Expr::Test(test) => write!(f, "{test}"),
        }
    }
}

impl Display for Test {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let function = if self.field.function { ".function" } else { "" };
        write!(f, "{}{function} {} {}", self.field.text, self.op.sign(), self.value)
    }
}

impl Display for Value {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Value::Int(value) => write!(f, "{value}"),
            Value::Seconds(ns) => {
                let sign = if *ns < 0 { "-" } else { "" };
                let ns = ns.unsigned_abs();
                write!(f, "{sign}{}.{:09}", ns / 1_000_000_000, ns % 1_000_000_000)
            }
            Value::Text(text) => write!(f, "\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"")),
            Value::Word(word) => f.write_str(word),
        }
    }
}
