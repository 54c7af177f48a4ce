//! The format string of a print fmt, compiled with its arguments into pieces.

use super::expr::Expr;
use super::pointer::Pointer;
use super::printf::{Length, Radix, Shape};
use super::PrintFmtError;

/// A part of what is printed.
#[derive(Clone, Debug)]
pub(super) enum Piece {
    Text(Vec<u8>),
    Conversion(Box<Conversion>),
    /// A number that nothing pads: nearly all are such.
    Number {
        value: Expr,
        radix: Radix,
        length: Length,
    },
}

#[derive(Clone, Debug)]
pub(super) struct Conversion {
    pub argument: Expr,
    pub kind: Kind,
    pub shape: Shape,
    /// What `*` stands for.
    pub star: Option<(Star, Expr)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Star {
    Width,
    Precision,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Number(Radix, Length),
    Text,
    Pointer(Pointer),
}

impl Kind {
    /// The conversion's letter.
    pub fn letter(&self) -> u8 {
        match self {
            Kind::Text => b's',
            Kind::Pointer(_) => b'p',
            Kind::Number(Radix::Signed, _) => b'd',
            Kind::Number(Radix::Unsigned, _) => b'u',
            Kind::Number(Radix::Octal, _) => b'o',
            Kind::Number(Radix::Hex, _) => b'x',
            Kind::Number(Radix::UpperHex, _) => b'X',
        }
    }
}

/// One `%...` of a format string, without its argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Spec {
    pub kind: Kind,
    pub shape: Shape,
    pub star: Option<Star>,
}

/// Copies what is in front of the next conversion, escapes resolved, and gives that; `None` at the end. What trace-cmd
/// prints of a letter that it does not know is text too.
pub(super) fn next_spec(rest: &mut &str, text: &mut Vec<u8>) -> Result<Option<Spec>, PrintFmtError> {
    while let Some(at) = rest.find(['\\', '%']) {
        let (before, behind) = rest.split_at_checked(at).unwrap_or((rest, ""));
        text.extend_from_slice(before.as_bytes());
        let mut chars = behind.chars();
        if chars.next() == Some('\\') {
            if let Some(escaped) = chars.next() {
                push_char(unescape(escaped), text);
            }
            *rest = chars.as_str();
            continue;
        }
        *rest = chars.as_str();
        if let Some(spec) = conversion(rest, text)? {
            return Ok(Some(spec));
        }
    }
    text.extend_from_slice(rest.as_bytes());
    *rest = "";
    Ok(None)
}

fn push_char(c: char, out: &mut Vec<u8>) {
    out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
}

fn unescape(c: char) -> char {
    match c {
        'n' => '\n',
        't' => '\t',
        'r' => '\r',
        other => other,
    }
}

/// What follows a `%`.
fn conversion(rest: &mut &str, text: &mut Vec<u8>) -> Result<Option<Spec>, PrintFmtError> {
    if let Some(behind) = rest.strip_prefix('%') {
        *rest = behind;
        text.push(b'%');
        return Ok(None);
    }
    let mut shape = Shape::default();
    let mut star = None;
    let mut longs = 0;
    let mut chars = rest.chars();
    while let Some(letter) = chars.next() {
        *rest = chars.as_str();
        let radix = match letter {
            '#' => {
                shape.prefix = true;
                continue;
            }
            '-' => {
                shape.left = true;
                continue;
            }
            '0'..='9' => {
                let digit = letter.to_digit(10).unwrap_or_default() as usize;
                match &mut shape.precision {
                    Some(precision) => *precision = precision.saturating_mul(10).saturating_add(digit),
                    None if shape.width == 0 && digit == 0 => shape.zeros = true,
                    None => shape.width = shape.width.saturating_mul(10).saturating_add(digit),
                }
                continue;
            }
            '.' => {
                shape.precision = Some(0);
                continue;
            }
            '*' => {
                let place = match shape.precision {
                    Some(_) => Star::Precision,
                    None => Star::Width,
                };
                if star.replace(place).is_some() {
                    return Err(PrintFmtError::Unsupported("two `*` in one conversion".to_owned()));
                }
                continue;
            }
            'h' => {
                longs -= 1;
                continue;
            }
            'l' => {
                longs += 1;
                continue;
            }
            'L' | 'z' | 'Z' => {
                longs = 2;
                continue;
            }
            's' => {
                let kind = Kind::Text;
                return Ok(Some(Spec { kind, shape, star }));
            }
            'p' => {
                let (pointer, behind) = Pointer::parse(rest);
                *rest = behind;
                let kind = Kind::Pointer(pointer);
                return Ok(Some(Spec { kind, shape, star }));
            }
            'd' | 'i' => Radix::Signed,
            'u' => Radix::Unsigned,
            'x' => Radix::Hex,
            'X' => Radix::UpperHex,
            'o' => Radix::Octal,
            other => {
                text.push(b'>');
                push_char(other, text);
                text.push(b'<');
                return Ok(None);
            }
        };
        let length = match longs {
            i32::MIN..=-2 => Length::Char,
            -1 => Length::Short,
            0 => Length::Int,
            1.. => Length::Long,
        };
        let kind = Kind::Number(radix, length);
        return Ok(Some(Spec { kind, shape, star }));
    }
    Ok(None)
}

/// Gives each conversion its argument, and one more for a `*`.
pub(super) fn pieces(template: &str, arguments: Vec<Expr>) -> Result<Vec<Piece>, PrintFmtError> {
    let mut taken = 0;
    let mut arguments = arguments.into_iter();
    let mut next = || {
        taken += 1;
        arguments.next().ok_or(PrintFmtError::Argument(taken - 1))
    };
    let mut pieces = Vec::new();
    let mut rest = template;
    loop {
        let mut text = Vec::new();
        let spec = next_spec(&mut rest, &mut text)?;
        if !text.is_empty() {
            pieces.push(Piece::Text(text));
        }
        let Some(Spec { kind, shape, star }) = spec else {
            return Ok(pieces);
        };
        let star = star.map(|place| Ok((place, next()?))).transpose()?;
        let argument = next()?;
        pieces.push(match kind {
            Kind::Number(radix, length) if shape == Shape::default() && star.is_none() => Piece::Number {
                value: argument,
                radix,
                length,
            },
            kind => Piece::Conversion(Box::new(Conversion {
                argument,
                kind,
                shape,
                star,
            })),
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each text with the conversion that follows it.
    fn specs(mut template: &str) -> Vec<(String, Option<Spec>)> {
        let mut specs = Vec::new();
        loop {
            let mut text = Vec::new();
            let spec = next_spec(&mut template, &mut text).unwrap();
            let last = spec.is_none();
            specs.push((String::from_utf8(text).unwrap(), spec));
            if last {
                return specs;
            }
        }
    }

    fn number(radix: Radix, length: Length, shape: Shape, star: Option<Star>) -> Option<Spec> {
        let kind = Kind::Number(radix, length);
        Some(Spec { kind, shape, star })
    }

    #[test]
    fn conversions_and_text_alternate() {
        let plain = Shape::default();
        let exact = Shape {
            left: true,
            width: 8,
            precision: Some(3),
            ..plain
        };
        let prefix = Shape { prefix: true, ..plain };
        let expected = [
            ("a=", number(Radix::Unsigned, Length::Long, plain, None)),
            ("% b=", number(Radix::Signed, Length::Int, plain, Some(Star::Width))),
            ("\n c=", number(Radix::Hex, Length::Long, prefix, None)),
            ("", number(Radix::Signed, Length::Char, plain, None)),
            ("x ", number(Radix::Hex, Length::Long, exact, None)),
            (".", None),
        ];
        let expected = expected.map(|(text, spec)| (text.to_owned(), spec));
        assert_eq!(specs(r"a=%llu%% b=%*d\n c=%#lx%hhd\x %-8.3zx."), expected);
    }

    /// The expected texts are trace-cmd's: it does not know `%c`, `+` or `j`.
    #[test]
    fn unknown_letters_are_printed() {
        for (template, expected) in [
            ("%c.", ">c<."),
            ("%+d", ">+<d"),
            ("%jd", ">j<d"),
            ("%l]", ">]<"),
            ("%5%|", ">%<|"),
            ("50%", "50"),
        ] {
            assert_eq!(specs(template), [(expected.to_owned(), None)], "{template}");
        }
    }
}
