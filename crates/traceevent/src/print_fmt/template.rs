//! The format string of a print fmt: text and conversions.

use super::{PrintFmtError, Value};

/// A part of the format string.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Piece {
    Text(String),
    Conversion { argument: usize, kind: Conversion },
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Conversion {
    Text,
    Decimal,
    Hex {
        prefix: bool,
    },
    Character,
    /// Pointers, widths and the like: an error only when printed.
    Unsupported(String),
}

impl Conversion {
    pub(super) fn print(&self, value: Value, argument: usize, out: &mut String) -> Result<(), PrintFmtError> {
        match (self, value) {
            (Conversion::Text, Value::Text(text)) => out.push_str(&text),
            (Conversion::Decimal, Value::Int(number)) => out.push_str(&number.to_string()),
            (Conversion::Hex { prefix: true }, Value::Int(number)) => out.push_str(&format!("{number:#x}")),
            (Conversion::Hex { prefix: false }, Value::Int(number)) => out.push_str(&format!("{number:x}")),
            (Conversion::Character, Value::Int(number)) => out.push(char::from(number as u8)),
            (Conversion::Unsupported(text), _) => return Err(PrintFmtError::Unsupported(format!("`{text}`"))),
            _ => return Err(PrintFmtError::Argument(argument)),
        }
        Ok(())
    }
}

/// Splits a format string; each conversion takes the next argument, and one more for each `*`.
pub(super) fn parse_template(template: &str) -> Result<Vec<Piece>, PrintFmtError> {
    let mut pieces = Vec::new();
    let mut text = String::new();
    let mut argument = 0;
    let mut chars = template.chars();
    while let Some(c) = chars.next() {
        if c != '%' {
            text.push(c);
            continue;
        }
        let mut spec = String::new();
        let letter = loop {
            match chars.next() {
                Some(c) if "-+ #0123456789.*hlLqjzt".contains(c) => spec.push(c),
                Some(c) => break c,
                None => {
                    return Err(PrintFmtError::Syntax {
                        at: template.len(),
                        found: "the end".to_owned(),
                        expected: "a conversion's letter",
                    })
                }
            }
        };
        if letter == '%' {
            text.push('%');
            continue;
        }
        argument += spec.matches('*').count();
        let flags = spec.trim_matches(['h', 'l', 'L', 'q', 'j', 'z', 't']);
        let kind = match (letter, flags) {
            ('s', "") => Conversion::Text,
            ('d' | 'i' | 'u', "") => Conversion::Decimal,
            ('x', "") => Conversion::Hex { prefix: false },
            ('x', "#") => Conversion::Hex { prefix: true },
            ('c', "") => Conversion::Character,
            _ => Conversion::Unsupported(format!("%{spec}{letter}")),
        };
        if !text.is_empty() {
            pieces.push(Piece::Text(std::mem::take(&mut text)));
        }
        pieces.push(Piece::Conversion { argument, kind });
        argument += 1;
    }
    if !text.is_empty() {
        pieces.push(Piece::Text(text));
    }
    Ok(pieces)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conversions_take_arguments_in_order() {
        let conversion = |argument, kind| Piece::Conversion { argument, kind };
        assert_eq!(
            parse_template("a=%llu%% b=%*d c=%#lx%s").unwrap(),
            vec![
                Piece::Text("a=".into()),
                conversion(0, Conversion::Decimal),
                Piece::Text("% b=".into()),
                conversion(2, Conversion::Unsupported("%*d".into())),
                Piece::Text(" c=".into()),
                conversion(3, Conversion::Hex { prefix: true }),
                conversion(4, Conversion::Text),
            ]
        );
        assert!(parse_template("50%").is_err());
    }
}
