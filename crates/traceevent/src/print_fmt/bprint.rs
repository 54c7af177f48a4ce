//! `trace_printk`: a format that the kernel keeps, and its arguments packed as `vbin_printf` (`lib/vsprintf.c`) does it.

use super::eval::Context;
use super::pointer::{print_address, Pointer};
use super::printf::{write_hex, write_number, write_text, Shape};
use super::template::{next_spec, Kind, Spec, Star};
use crate::bytes::until_nul;
use crate::field::IntField;
use crate::format::EventFormat;
use crate::lookup::Env;

/// Appends a `trace_printk`: a format string with its arguments in a binary buffer, as trace-cmd prints a `bprint` behind `function: `.
///
/// trace-cmd looks for arguments in the buffer and for conversions in the format in two ways that agree on usual formats
/// only: `%hd`, `%-5d` and `%c` have arguments that it does not unpack, so that those of the next conversions are off. Of
/// a conversion that finds no argument its letter is printed.
pub fn print_bprint(env: &Env<'_>, format: &str, arguments: &[u8], out: &mut Vec<u8>) {
    print_all(env, format, arguments, out);
}

/// As [`print_bprint`]; whether there was an argument for each conversion.
fn print_all(env: &Env<'_>, format: &str, arguments: &[u8], out: &mut Vec<u8>) -> bool {
    let context = Context { env, record: arguments };
    let mut arguments = Arguments {
        format: format.chars(),
        inside: false,
        context,
        at: 0,
    };
    let mut rest = format;
    let mut enough = true;
    while let Ok(Some(spec)) = next_spec(&mut rest, out) {
        enough &= print(spec, &mut arguments, context, out);
    }
    enough
}

/// The record of a `trace_printk`: where it keeps its parts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BinaryPrint {
    /// Who called it.
    ip: IntField,
    /// The format's address.
    format: IntField,
    /// Where the arguments start.
    arguments: usize,
}

impl BinaryPrint {
    /// `None` for any other event: its format has no print fmt for the arguments.
    pub fn find(format: &EventFormat) -> Option<Self> {
        if format.name != "bprint" {
            return None;
        }
        Some(BinaryPrint {
            ip: format.field("ip")?.as_int()?,
            format: format.field("fmt")?.as_int()?,
            arguments: format.field("buf")?.offset,
        })
    }

    /// Appends `function: ` and the text; whether there was an argument for each conversion. `None` for a short record.
    pub fn print(self, env: &Env<'_>, record: &[u8], out: &mut Vec<u8>) -> Option<bool> {
        let ip = self.ip.load(record, env.endian)? as u64;
        let address = self.format.load(record, env.endian)? as u64;
        let context = Context { env, record };
        context.print_symbol(ip, false, out);
        out.extend_from_slice(b": ");
        let Some(format) = env.lookup.printk(address) else {
            out.extend_from_slice(b"(NO FORMAT FOUND at ");
            write_hex(address, out);
            out.push(b')');
            return Some(true);
        };
        Some(print_all(env, format, record.get(self.arguments..)?, out))
    }
}

/// Whether there were arguments for the conversion.
fn print(spec: Spec, arguments: &mut Arguments<'_>, context: Context<'_>, out: &mut Vec<u8>) -> bool {
    let mut shape = spec.shape;
    if let Some(place) = spec.star {
        let number = match arguments.next() {
            Some(Argument::Number(number)) => i64::from(number as i32),
            Some(Argument::Text(_)) => 0,
            None => {
                out.extend_from_slice(&[b'*', spec.kind.letter()]);
                return false;
            }
        };
        match place {
            Star::Width => shape.set_width(number),
            Star::Precision => shape.set_precision(number),
        }
    }
    match (spec.kind, arguments.next()) {
        (kind, None) => {
            out.push(kind.letter());
            return false;
        }
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
    true
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
    use crate::lookup::{Lookup, NoLookup, Symbol};
    use crate::print_fmt::RawHistory;
    use crate::EventText;

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

    /// The expected texts are those that `trace-cmd report` 3.1.6 prints for the same formats and bytes.
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

    /// The expected texts are trace-cmd's; see [`print_bprint`].
    #[test]
    fn what_trace_cmd_does_not_unpack_shifts_the_rest() {
        for (format, expected) in [
            ("%d %d %d", "7 8 d"),
            ("%hd %d", "7 d"),
            ("%-d %d %d", "7 8 d"),
            ("%c %d", ">c< 7"),
            ("%s|", "\x07|"),
            ("%d %d [%*d]", "7 8 [*d]"),
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

    /// The formats by their address.
    struct Formats;

    impl Lookup for Formats {
        fn symbol(&self, _: u64) -> Option<Symbol<'_>> {
            None
        }

        fn address(&self, _: &str) -> Option<u64> {
            None
        }

        fn printk(&self, address: u64) -> Option<&str> {
            match address {
                0x10 => Some("number %d\n"),
                0x20 => Some("two %d %d\n"),
                _ => None,
            }
        }

        fn comm(&self, _: i32) -> Option<&[u8]> {
            None
        }
    }

    /// As `trace-cmd report` prints consecutive records, beginning with the first whose arguments do not suffice.
    #[test]
    fn a_record_without_its_arguments_spoils_the_next() {
        let format = "name: bprint\nID: 6\nformat:\n\
            \tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n\n\
            \tfield:unsigned long ip;\toffset:8;\tsize:8;\tsigned:0;\n\
            \tfield:const char * fmt;\toffset:16;\tsize:8;\tsigned:0;\n\
            \tfield:u32 buf[];\toffset:24;\tsize:0;\tsigned:0;\n\n\
            print fmt: \"%ps: %s\", (void *)REC->ip, REC->fmt\n";
        let text = EventText::compile(&EventFormat::parse(format).unwrap(), 8);
        let env = Env {
            lookup: &Formats,
            ..ENV
        };
        let mut history = RawHistory::default();
        let print = |address: u8, history: &mut RawHistory| {
            let mut record = vec![0; 28];
            (record[8], record[16], record[24]) = (1, address, 7);
            let mut out = Vec::new();
            text.print_after(&env, &record, history, &mut out);
            String::from_utf8(out).unwrap()
        };
        let spoilt = "[FAILED TO PARSE] ip=0x1 fmt=0x10 buf=ARRAY[]";
        assert_eq!(print(0x10, &mut history), "0x1: number 7\n");
        assert_eq!(print(0x30, &mut history), "0x1: (NO FORMAT FOUND at 30)");
        assert_eq!(print(0x20, &mut history), "0x1: two 7 d\n");
        assert_eq!(print(0x10, &mut history), spoilt);
        assert_eq!(print(0x10, &mut RawHistory::default()), "0x1: number 7\n");
    }
}
