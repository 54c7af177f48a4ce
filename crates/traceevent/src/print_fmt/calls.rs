//! The functions that print fmts call.

use super::expr::{Atom, Expr};
use super::parser::{fold, Parser};
use super::PrintFmtError;

impl Parser<'_> {
    /// A call of `name`, behind its opening bracket. What trace-cmd does not know is an error here too.
    pub(super) fn call(&mut self, name: &str) -> Result<Expr, PrintFmtError> {
        match name {
            "__print_flags" => {
                let value = self.argument(",")?;
                let separator = self.constant(",")?.text;
                let names = self.names()?;
                Ok(Expr::Flags {
                    value,
                    separator,
                    names,
                })
            }
            "__print_symbolic" => {
                let value = self.argument(",")?;
                let names = self.names()?;
                Ok(Expr::Symbolic { value, names })
            }
            "__print_hex" => self.hex(" "),
            "__print_hex_str" => self.hex(""),
            "__print_array" => {
                let array = *self.argument(",")?;
                let count = *self.argument(",")?;
                let size = *self.argument(")")?;
                Ok(Expr::Array(Box::new((array, count, size))))
            }
            "__builtin_expect" => {
                let value = self.argument(",")?;
                self.argument(")")?;
                Ok(*value)
            }
            "sizeof" => self.sizeof(),
            "__get_str" | "__get_rel_str" => Ok(Expr::Text(self.field_name()?)),
            "__get_bitmask" | "__get_rel_bitmask" => Ok(Expr::Bitmask(self.field_name()?)),
            "__get_cpumask" | "__get_rel_cpumask" => Ok(Expr::CpuMask(self.field_name()?)),
            "__get_dynamic_array" | "__get_rel_dynamic_array" | "__get_sockaddr" | "__get_rel_sockaddr" => {
                let array = Expr::DynamicArray(self.field_name()?);
                // Elements are taken of a cast array only.
                match self.punctuation() {
                    Some("[") => self.fail("`,` or `)`"),
                    _ => Ok(array),
                }
            }
            "__get_dynamic_array_len" | "__get_rel_dynamic_array_len" => Ok(Expr::DynamicArrayLen(self.field_name()?)),
            _ => match (self.names.functions)(name) {
                Some(function) => Ok(Expr::Call(function, self.arguments()?)),
                None => Err(PrintFmtError::Unsupported(format!("`{name}()`"))),
            },
        }
    }

    fn arguments(&mut self) -> Result<Vec<Expr>, PrintFmtError> {
        let mut arguments = Vec::new();
        loop {
            let mut argument = self.expression()?;
            fold(&mut argument);
            arguments.push(argument);
            if !self.accept(",") {
                self.expect(")")?;
                return Ok(arguments);
            }
        }
    }

    fn argument(&mut self, end: &'static str) -> Result<Box<Expr>, PrintFmtError> {
        let mut argument = self.expression()?;
        self.expect(end)?;
        fold(&mut argument);
        Ok(Box::new(argument))
    }

    fn hex(&mut self, separator: &'static str) -> Result<Expr, PrintFmtError> {
        let bytes = self.argument(",")?;
        let len = self.argument(")")?;
        Ok(Expr::Hex { separator, bytes, len })
    }

    fn field_name(&mut self) -> Result<Option<super::expr::Slot>, PrintFmtError> {
        let Some(name) = self.word() else {
            return self.fail("a field name");
        };
        self.expect(")")?;
        Ok(self.slot(&name))
    }

    /// The types whose size trace-cmd knows.
    fn sizeof(&mut self) -> Result<Expr, PrintFmtError> {
        let Expr::Atom(type_name) = *self.argument(")")? else {
            return Err(PrintFmtError::Unsupported("`sizeof` of an expression".to_owned()));
        };
        let size = match type_name.text.as_str() {
            "int" | "unsigned int" => 4,
            "long" | "unsigned long" => u64::from(self.names.long_size),
            "long long" | "unsigned long long" => 8,
            other => return Err(PrintFmtError::Unsupported(format!("`sizeof({other})`"))),
        };
        Ok(Expr::Atom(Atom::of_number(size)))
    }

    /// `{number, name}, ...)`.
    fn names(&mut self) -> Result<Vec<(i64, String)>, PrintFmtError> {
        let mut names = Vec::new();
        while self.accept("{") {
            let number = self.constant(",")?;
            let name = self.constant("}")?;
            names.push((flag_number(&number), name.text));
            if !self.accept(",") {
                break;
            }
        }
        self.expect(")")?;
        Ok(names)
    }

    /// An expression of constants.
    fn constant(&mut self, end: &'static str) -> Result<Atom, PrintFmtError> {
        let expr = *self.argument(end)?;
        constant(&expr).ok_or_else(|| PrintFmtError::Unsupported("a flag or symbol that is no constant".to_owned()))
    }
}

/// The value of a constant expression; casts are looked through.
fn constant(expr: &Expr) -> Option<Atom> {
    let number = match expr {
        Expr::Atom(atom) => return Some(atom.clone()),
        Expr::Cast(_, inside) => return constant(inside),
        Expr::Operation { operator, left, right } => {
            let right = constant(right)?.constant();
            match left {
                Some(left) => operator.apply(constant(left)?.constant(), right)?,
                None => operator.apply_unary(right),
            }
        }
        _ => return None,
    };
    Some(Atom::of_number(number))
}

/// What trace-cmd compares with: names of its own list and numbers, and -1 for everything else, negative numbers among it.
fn flag_number(atom: &Atom) -> i64 {
    /// Of `softirq_vec` (`include/linux/interrupt.h`) and of `enum hrtimer_restart` (`include/linux/hrtimer.h`).
    const NAMES: [(&str, i64); 12] = [
        ("HI_SOFTIRQ", 0),
        ("TIMER_SOFTIRQ", 1),
        ("NET_TX_SOFTIRQ", 2),
        ("NET_RX_SOFTIRQ", 3),
        ("BLOCK_SOFTIRQ", 4),
        ("IRQ_POLL_SOFTIRQ", 5),
        ("TASKLET_SOFTIRQ", 6),
        ("SCHED_SOFTIRQ", 7),
        ("HRTIMER_SOFTIRQ", 8),
        ("RCU_SOFTIRQ", 9),
        ("HRTIMER_NORESTART", 0),
        ("HRTIMER_RESTART", 1),
    ];
    if atom.text.starts_with(|c: char| c.is_ascii_digit()) {
        return atom.constant() as i64;
    }
    NAMES
        .iter()
        .find(|(name, _)| *name == atom.text)
        .map_or(-1, |&(_, number)| number)
}
