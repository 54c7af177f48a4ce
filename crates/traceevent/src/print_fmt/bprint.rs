//! `trace_printk`: a format that the kernel keeps, and its arguments packed as `vbin_printf` (`lib/vsprintf.c`) does it.

use super::eval::Context;
use super::pointer::{print_address, Pointer};
use super::printf::{write_number, write_text, Shape};
use super::template::{next_spec, Kind, Spec, Star};
use crate::bytes::until_nul;
use crate::lookup::Env;

/// Appends a format string with its arguments in a binary buffer, as trace-cmd prints a `bprint` behind `function: `.
///
/// trace-cmd looks for arguments in the buffer and for conversions in the format in two ways that agree on usual formats
/// only: `%hd`, `%-5d` and `%c` have arguments that it does not unpack, so that those of the next conversions are off. Of
/// a conversion that finds no argument its letter is printed.
pub fn print_bprint(env: &Env<'_>, format: &str, arguments: &[u8], out: &mut Vec<u8>) {
    let context = Context { env, record: arguments };
    let mut arguments = Arguments {
        format: format.chars(),
        inside: false,
        context,
        at: 0,
    };
    let mut rest = format;
    while let Ok(Some(spec)) = next_spec(&mut rest, out) {
        print(spec, &mut arguments, context, out);
    }
}

fn print(spec: Spec, arguments: &mut Arguments<'_>, context: Context<'_>, out: &mut Vec<u8>) {
    let mut shape = spec.shape;
    if let Some(place) = spec.star {
        let number = match arguments.next() {
            Some(Argument::Number(number)) => i64::from(number as i32),
            _ => 0,
        };
        match place {
            Star::Width => shape.set_width(number),
            Star::Precision => shape.set_precision(number),
        }
    }
    match (spec.kind, arguments.next()) {
        (kind, None) => out.push(kind.letter()),
        (Kind::Number(radix, length), Some(argument)) => {
            let number = match argument {
                Argument::Number(number) => number,
                Argument::Text(_) => 0,
            };
            write_number(number, radix, length, shape, out);
        }
        (Kind::Text, Some(Argument::Text(text))) => write_text(text, shape, out),
        (Kind::Text, Some(Argument::Number(number))) => {
            let mut digits = itoa::Buffer::new();
            write_text(digits.format(number as i64).as_bytes(), shape, out);
        }
        // Printed by the kernel already, when it recorded the event.
        (Kind::Pointer(_), Some(Argument::Text(text))) => write_text(text, Shape::default(), out),
        (Kind::Pointer(pointer), Some(Argument::Number(number))) => match pointer {
            Pointer::Address if number == 0 => out.extend_from_slice(b"(nil)"),
            Pointer::Address => print_address(number, out),
            Pointer::Symbol { offset } => context.print_symbol(number, offset, out),
            Pointer::Socket { .. } => out.extend_from_slice(b"ARG NOT FIELD NOR DYNAMIC ARRAY BUT TYPE 1"),
            _ => out.extend_from_slice(b"ARG TYPE NOT FIELD BUT 1"),
        },
    }
}

enum Argument<'a> {
    Number(u64),
    Text(&'a [u8]),
}

/// What is in the buffer for the conversions of a format.
struct Arguments<'a> {
    /// What has not been looked through yet.
    format: std::str::Chars<'a>,
    /// Whether that is the rest of a conversion, behind its `*`.
    inside: bool,
    /// The buffer.
    context: Context<'a>,
    at: usize,
}

impl<'a> Arguments<'a> {
    /// The next argument; `None` when the buffer or the format has no more.
    fn next(&mut self) -> Option<Argument<'a>> {
        loop {
            if !std::mem::take(&mut self.inside) {
                self.format.find(|&letter| letter == '%')?;
            }
            let mut size = 4;
            let mut is_long = false;
            loop {
                match self.format.next()? {
                    '0'..='9' | '.' | '#' => {}
                    'l' => {
                        size = if std::mem::replace(&mut is_long, true) {
                            8
                        } else {
                            self.long_size()
                        }
                    }
                    'L' => size = 8,
                    'z' | 'Z' => size = self.long_size(),
                    '*' => {
                        self.inside = true;
                        return self.number(4);
                    }
                    'd' | 'i' | 'u' | 'x' | 'X' | 'o' => return self.number(size),
                    's' => return self.text(),
                    'p' => {
                        let kind = self.format.clone().next().filter(char::is_ascii_alphanumeric);
                        let is_address = matches!(kind, None | Some('s' | 'S' | 'f' | 'F' | 'x'));
                        return if is_address || !self.starts_with_text() {
                            self.number(self.long_size())
                        } else {
                            self.text()
                        };
                    }
                    _ => break,
                }
            }
        }
    }

    fn long_size(&self) -> usize {
        usize::from(self.context.env.long_size)
    }

    fn starts_with_text(&self) -> bool {
        let first = self.context.record.get(self.at);
        first.is_some_and(|byte| matches!(byte, b' '..=b'~'))
    }

    fn number(&mut self, size: usize) -> Option<Argument<'a>> {
        let at = self.at.next_multiple_of(4);
        let number = self.context.load(at, size)?;
        self.at = at + size;
        Some(Argument::Number(number))
    }

    fn text(&mut self) -> Option<Argument<'a>> {
        let bytes = self.context.record.get(self.at..).filter(|bytes| !bytes.is_empty())?;
        let text = until_nul(bytes);
        self.at += text.len() + 1;
        Some(Argument::Text(text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bytes::Endian;
    use crate::lookup::NoLookup;

    fn print(env: &Env<'_>, format: &str, arguments: &[u8]) -> String {
        let mut out = Vec::new();
        print_bprint(env, format, arguments, &mut out);
        String::from_utf8(out).unwrap()
    }

    const ENV: Env<'static> = Env {
        endian: Endian::Little,
        long_size: 8,
        lookup: &NoLookup,
    };

    /// What `trace-cmd report` 3.1.6 prints of the same formats and bytes.
    #[test]
    fn arguments_are_unpacked() {
        for (format, arguments, expected) in [
            ("plain", &b""[..], "plain"),
            ("%d %u", b"\xfb\xff\xff\xff\x07\0\0\0", "-5 7"),
            (
                "%d %llx",
                b"\x01\0\0\0\xf0\xde\xbc\x9a\x78\x56\x34\x12",
                "1 123456789abcdef0",
            ),
            ("%lu%s", b"\x09\0\0\0\0\0\0\0cd\0\0", "9cd"),
            ("%s%s %d", b"ab\0cde\0\0\x07\0\0\0", "abcde 7"),
            ("%*d %d", b"\x05\0\0\0\x07\0\0\0\x08\0\0\0", "    7 8"),
            ("%.*s %d", b"\x02\0\0\0abcd\0\0\0\0\x09\0\0\0", "ab 9"),
            (
                "%p|%p",
                b"\x10\x10\0\x81\xff\xff\xff\xff\0\0\0\0\0\0\0\0",
                "0xffffffff81001010|(nil)",
            ),
            ("%pI4 %d", b"10.0.0.1\0\0\0\0\x07\0\0\0", "10.0.0.1 7"),
            (
                "%pI4 %d",
                b"\x10\x10\0\x81\xff\xff\xff\xff\x07\0\0\0",
                "ARG TYPE NOT FIELD BUT 1 7",
            ),
            ("%pS", b"do_one+0x1\0\0", "0x302b656e6f5f6f64"),
            ("%*ph %d", b"\x03\0\0\0aa bb cc\0\0\0\0\x07\0\0\0", "aa bb cc 7"),
        ] {
            assert_eq!(print(&ENV, format, arguments), expected, "{format}");
        }
    }

    /// As trace-cmd prints them; see [`print_bprint`].
    #[test]
    fn what_trace_cmd_does_not_unpack_shifts_the_rest() {
        for (format, expected) in [
            ("%d %d %d", "7 8 d"),
            ("%hd %d", "7 d"),
            ("%-d %d %d", "7 8 d"),
            ("%c %d", ">c< 7"),
            ("%s|", "\x07|"),
        ] {
            assert_eq!(print(&ENV, format, &[7, 0, 0, 0, 8, 0, 0, 0]), expected, "{format}");
        }
    }

    #[test]
    fn longs_are_those_of_the_traced_machine() {
        let env = Env {
            endian: Endian::Big,
            long_size: 4,
            lookup: &NoLookup,
        };
        assert_eq!(
            print(&env, "%ld %zx %d", &[0, 0, 0, 5, 0, 0, 1, 0, 0, 0, 0, 7]),
            "5 100 7"
        );
    }
}
