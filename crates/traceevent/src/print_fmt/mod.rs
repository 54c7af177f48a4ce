//! `print fmt`: how the kernel says an event is printed, a C format string and C expressions over the record's fields.
//!
//! Read here as the small language it is, so that meaning (the letters of `prev_state`, say) comes from the trace and not
//! from a table of ours. Layers: [`lexer`] -> [`parser`] -> [`expr`] (the tree and its evaluation) and [`template`] (the
//! format string).

mod expr;
mod lexer;
mod parser;
mod template;

use thiserror::Error;

pub use expr::{Expr, Fields, Value};
use template::{parse_template, Piece};

/// Why a print fmt cannot be read or evaluated.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PrintFmtError {
    /// Text that is not of the language.
    #[error("at byte {at} of the print fmt: {found} instead of {expected}")]
    Syntax {
        /// Offset in the print fmt.
        at: usize,
        /// What is there.
        found: String,
        /// What would be right.
        expected: &'static str,
    },
    /// Expressions inside expressions inside expressions.
    #[error("the print fmt is nested too deeply")]
    TooDeep,
    /// A function, operator or conversion that is not known here.
    #[error("the print fmt uses {0}, which is not supported")]
    Unsupported(String),
    /// A field that the record does not have.
    #[error("the print fmt uses the field `{0}`, which the record does not have")]
    NoField(String),
    /// A conversion without an argument, or with one of the wrong type.
    #[error("the print fmt's argument {0} is missing or of another type")]
    Argument(usize),
}

/// A parsed print fmt.
#[derive(Clone, Debug)]
pub struct PrintFmt {
    pieces: Vec<Piece>,
    arguments: Vec<Expr>,
}

impl PrintFmt {
    /// Reads what follows `print fmt: `.
    pub fn parse(text: &str) -> Result<Self, PrintFmtError> {
        let (template, arguments) = parser::parse(lexer::tokens(text)?)?;
        Ok(PrintFmt {
            pieces: parse_template(&template)?,
            arguments,
        })
    }

    /// What is printed behind `label` (such as `prev_state=`) up to the next blank; `None` when nothing is so labelled.
    pub fn labelled(&self, label: &str) -> Option<Labelled<'_>> {
        let start = self
            .pieces
            .iter()
            .position(|piece| matches!(piece, Piece::Text(text) if ends_with_word(text, label)))?;
        let behind = self.pieces.get(start + 1..)?;
        let len = behind
            .iter()
            .position(|piece| matches!(piece, Piece::Text(text) if text.contains(char::is_whitespace)))
            .map_or(behind.len(), |at| at + 1);
        Some(Labelled {
            pieces: behind.get(..len)?,
            arguments: &self.arguments,
        })
    }
}

/// `label` ends the text, and is not the tail of a longer word.
fn ends_with_word(text: &str, label: &str) -> bool {
    text.strip_suffix(label)
        .is_some_and(|before| !before.ends_with(|c: char| c.is_alphanumeric() || c == '_'))
}

/// The part of a print fmt behind a label.
#[derive(Clone, Copy, Debug)]
pub struct Labelled<'a> {
    pieces: &'a [Piece],
    arguments: &'a [Expr],
}

impl Labelled<'_> {
    /// Prints it for one record.
    pub fn print(&self, fields: &dyn Fields) -> Result<String, PrintFmtError> {
        let mut out = String::new();
        for piece in self.pieces {
            match piece {
                Piece::Text(text) => match text.find(char::is_whitespace) {
                    Some(end) => {
                        out.push_str(text.get(..end).unwrap_or_default());
                        break;
                    }
                    None => out.push_str(text),
                },
                Piece::Conversion { argument, kind } => {
                    let expr = self
                        .arguments
                        .get(*argument)
                        .ok_or(PrintFmtError::Argument(*argument))?;
                    kind.print(expr.evaluate(fields)?, *argument, &mut out)?;
                }
            }
        }
        Ok(out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct State(i64);

    impl Fields for State {
        fn int(&self, name: &str) -> Option<i64> {
            (name == "prev_state").then_some(self.0)
        }
    }

    fn state(print_fmt: &str, value: i64) -> String {
        let print_fmt = PrintFmt::parse(print_fmt).unwrap();
        let labelled = print_fmt.labelled("prev_state=").unwrap();
        labelled.print(&State(value)).unwrap()
    }

    /// Kernel 6.1 and 6.12, as recorded.
    const NEW: &str = r#""prev_comm=%s prev_pid=%d prev_prio=%d prev_state=%s%s ==> next_comm=%s next_pid=%d next_prio=%d", REC->prev_comm, REC->prev_pid, REC->prev_prio, (REC->prev_state & ((((0x00000000 | 0x00000001 | 0x00000002 | 0x00000004 | 0x00000008 | 0x00000010 | 0x00000020 | 0x00000040) + 1) << 1) - 1)) ? __print_flags(REC->prev_state & ((((0x00000000 | 0x00000001 | 0x00000002 | 0x00000004 | 0x00000008 | 0x00000010 | 0x00000020 | 0x00000040) + 1) << 1) - 1), "|", { 0x00000001, "S" }, { 0x00000002, "D" }, { 0x00000004, "T" }, { 0x00000008, "t" }, { 0x00000010, "X" }, { 0x00000020, "Z" }, { 0x00000040, "P" }, { 0x00000080, "I" }) : "R", REC->prev_state & (((0x00000000 | 0x00000001 | 0x00000002 | 0x00000004 | 0x00000008 | 0x00000010 | 0x00000020 | 0x00000040) + 1) << 1) ? "+" : "", REC->next_comm, REC->next_pid, REC->next_prio"#;

    /// Kernels 3.x, with a cast and a string in two parts added.
    const OLD: &str = r#""prev_comm=%s prev_pid=%d prev_prio=%d " "prev_state=%s%s ==> next_comm=%s", REC->prev_comm, REC->prev_pid, REC->prev_prio, (unsigned int)REC->prev_state & (1024-1) ? __print_flags(REC->prev_state & (1024-1), "|", { 1, "S"} , { 2, "D" }, { 4, "T" }, { 8, "t" }, { 16, "Z" }, { 32, "X" }, { 64, "x" }, { 128, "K"}, { 256, "W" }, { 512, "P" }) : "R", REC->prev_state & 1024 ? "+" : "", REC->next_comm"#;

    #[test]
    fn prev_state_is_what_the_kernel_prints() {
        for (value, text) in [
            (0, "R"),
            (1, "S"),
            (2, "D"),
            (0x80, "I"),
            (0x100, "R+"),
            (0x20, "Z"),
            (0x81, "S|I"),
        ] {
            assert_eq!(state(NEW, value), text, "{value:#x}");
        }
        for (value, text) in [(0, "R"), (256, "W"), (1024, "R+"), (1 | 1024, "S+")] {
            assert_eq!(state(OLD, value), text, "{value:#x}");
        }
    }

    #[test]
    fn a_plain_number_is_printed_too() {
        assert_eq!(
            state(r#""x prev_state=%ld,%#x%% y", REC->prev_state, REC->prev_state"#, 17),
            "17,0x11%"
        );
    }

    #[test]
    fn a_label_is_a_whole_word() {
        let print_fmt = PrintFmt::parse(r#""next_state=%d", REC->x"#).unwrap();
        assert!(print_fmt.labelled("state=").is_none());
        assert!(print_fmt.labelled("next_state=").is_some());
    }

    #[test]
    fn errors_say_what_is_missing() {
        let print_fmt = PrintFmt::parse(r#""a=%d b=%s c=%d", REC->nope, REC->prev_state"#).unwrap();
        let print = |label| print_fmt.labelled(label).unwrap().print(&State(1)).unwrap_err();
        assert_eq!(print("a="), PrintFmtError::NoField("nope".into()));
        assert_eq!(print("b="), PrintFmtError::Argument(1));
        assert_eq!(print("c="), PrintFmtError::Argument(2));
    }
}
