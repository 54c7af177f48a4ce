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

/// One `%...` of a format string, without its argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Spec {
    /// What is printed as it is: text, `%%`, and what trace-cmd prints of a letter that it does not know.
    Text(Vec<u8>),
    Conversion {
        kind: Kind,
        shape: Shape,
        star: Option<Star>,
    },
}

/// Splits a format string, resolving escapes.
pub(super) fn specs(template: &str) -> Result<Vec<Spec>, PrintFmtError> {
    let mut specs = Vec::new();
    let mut text = Vec::new();
    let mut rest = template;
    while let Some(at) = rest.find(['\\', '%']) {
        let (before, behind) = rest.split_at_checked(at).unwrap_or((rest, ""));
        text.extend_from_slice(before.as_bytes());
        let mut chars = behind.chars();
        if chars.next() == Some('\\') {
            if let Some(escaped) = chars.next() {
                push_char(unescape(escaped), &mut text);
            }
            rest = chars.as_str();
            continue;
        }
        let (spec, left) = conversion(chars.as_str())?;
        rest = left;
        match spec {
            Spec::Text(printed) => text.extend_from_slice(&printed),
            conversion => {
                if !text.is_empty() {
                    specs.push(Spec::Text(std::mem::take(&mut text)));
                }
                specs.push(conversion);
            }
        }
    }
    text.extend_from_slice(rest.as_bytes());
    if !text.is_empty() {
        specs.push(Spec::Text(text));
    }
    Ok(specs)
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

/// What follows a `%`, and what is left behind it.
fn conversion(behind: &str) -> Result<(Spec, &str), PrintFmtError> {
    let mut shape = Shape::default();
    let mut star = None;
    let mut longs = 0;
    let mut chars = behind.chars();
    while let Some(letter) = chars.next() {
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
            '%' => return Ok((Spec::Text(b"%".to_vec()), chars.as_str())),
            's' => {
                let kind = Kind::Text;
                return Ok((Spec::Conversion { kind, shape, star }, chars.as_str()));
            }
            'p' => {
                let (pointer, left) = Pointer::parse(chars.as_str());
                let kind = Kind::Pointer(pointer);
                return Ok((Spec::Conversion { kind, shape, star }, left));
            }
            'd' | 'i' => Radix::Signed,
            'u' => Radix::Unsigned,
            'x' => Radix::Hex,
            'X' => Radix::UpperHex,
            'o' => Radix::Octal,
            other => {
                let mut text = vec![b'>'];
                push_char(other, &mut text);
                text.push(b'<');
                return Ok((Spec::Text(text), chars.as_str()));
            }
        };
        let length = match longs {
            i32::MIN..=-2 => Length::Char,
            -1 => Length::Short,
            0 => Length::Int,
            1.. => Length::Long,
        };
        let kind = Kind::Number(radix, length);
        return Ok((Spec::Conversion { kind, shape, star }, chars.as_str()));
    }
    Ok((Spec::Text(Vec::new()), ""))
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
    for spec in specs(template)? {
        pieces.push(match spec {
            Spec::Text(text) => Piece::Text(text),
            Spec::Conversion { kind, shape, star } => {
                let star = star.map(|place| Ok((place, next()?))).transpose()?;
                let argument = next()?;
                match kind {
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
                }
            }
        });
    }
    Ok(pieces)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(radix: Radix, length: Length, shape: Shape, star: Option<Star>) -> Spec {
        let kind = Kind::Number(radix, length);
        Spec::Conversion { kind, shape, star }
    }

    #[test]
    fn conversions_and_text_alternate() {
        let plain = Shape::default();
        assert_eq!(
            specs(r"a=%llu%% b=%*d\n c=%#lx%hhd\x %-8.3zx").unwrap(),
            vec![
                Spec::Text(b"a=".to_vec()),
                number(Radix::Unsigned, Length::Long, plain, None),
                Spec::Text(b"% b=".to_vec()),
                number(Radix::Signed, Length::Int, plain, Some(Star::Width)),
                Spec::Text(b"\n c=".to_vec()),
                number(Radix::Hex, Length::Long, Shape { prefix: true, ..plain }, None),
                number(Radix::Signed, Length::Char, plain, None),
                Spec::Text(b"x ".to_vec()),
                number(
                    Radix::Hex,
                    Length::Long,
                    Shape {
                        left: true,
                        width: 8,
                        precision: Some(3),
                        ..plain
                    },
                    None
                ),
            ]
        );
    }

    /// As trace-cmd prints them: it knows no `%c`, no `+` and no `j`.
    #[test]
    fn unknown_letters_are_printed() {
        for (template, expected) in [
            ("%c.", ">c<."),
            ("%+d", ">+<d"),
            ("%jd", ">j<d"),
            ("%l]", ">]<"),
            ("50%", "50"),
        ] {
            assert_eq!(
                specs(template).unwrap(),
                vec![Spec::Text(expected.into())],
                "{template}"
            );
        }
    }
}
