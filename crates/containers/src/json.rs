//! JSON of catapult (`{"traceEvents": […], "systemTraceEvents": "…"}`): the text of ftrace is inside one of its strings.

use crate::peel::{Broken, Decode, Take};

/// The key of that string.
const KEY: &[u8] = b"systemTraceEvents";

/// Finds the string, and gives what is in it.
#[derive(Default)]
pub(crate) struct Json {
    at: At,
    /// The first bytes of a string that may be the key.
    name: Vec<u8>,
    /// Digits of `\uXXXX`, and the first unit of a pair.
    digits: (u8, u16),
    high: Option<u16>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum At {
    #[default]
    Outside,
    /// In any string, or behind its backslash.
    String,
    StringEscape,
    /// Behind the key, and behind its colon.
    Key,
    Colon,
    /// In the string that is looked for, behind a backslash there, or in its number.
    Text,
    Escape,
    Number,
}

impl Json {
    fn outside(&mut self, byte: u8) {
        self.name.clear();
        self.at = match byte {
            b'"' => At::String,
            _ => At::Outside,
        };
    }

    fn byte(&mut self, byte: u8, out: &mut Vec<u8>) {
        match self.at {
            At::Outside => self.outside(byte),
            At::String => match byte {
                b'\\' => self.at = At::StringEscape,
                b'"' => self.at = if self.name == KEY { At::Key } else { At::Outside },
                _ if self.name.len() <= KEY.len() => self.name.push(byte),
                _ => {}
            },
            At::StringEscape => {
                // The key has no escapes.
                self.name.extend([0; 1]);
                self.at = At::String;
            }
            At::Key if byte == b':' => self.at = At::Colon,
            At::Colon if byte == b'"' => self.at = At::Text,
            At::Key | At::Colon if byte.is_ascii_whitespace() => {}
            At::Key | At::Colon => self.outside(byte),
            At::Text => match byte {
                b'"' => {
                    self.lone(out);
                    self.at = At::Outside;
                }
                b'\\' => self.at = At::Escape,
                _ => {
                    self.lone(out);
                    out.push(byte);
                }
            },
            At::Escape => {
                let plain = match byte {
                    b'n' => b'\n',
                    b't' => b'\t',
                    b'r' => b'\r',
                    b'b' => 8,
                    b'f' => 12,
                    b'u' => {
                        self.digits = (0, 0);
                        self.at = At::Number;
                        return;
                    }
                    other => other,
                };
                self.lone(out);
                out.push(plain);
                self.at = At::Text;
            }
            At::Number => {
                let digit = char::from(byte).to_digit(16).unwrap_or(0) as u16;
                let (count, number) = self.digits;
                self.digits = (count + 1, number << 4 | digit);
                if count == 3 {
                    self.unit(number << 4 | digit, out);
                    self.at = At::Text;
                }
            }
        }
    }

    /// A unit of UTF-16.
    fn unit(&mut self, unit: u16, out: &mut Vec<u8>) {
        match (self.high, unit) {
            (Some(high), 0xdc00..=0xdfff) => {
                self.high = None;
                put(
                    0x10000 + (u32::from(high - 0xd800) << 10) + u32::from(unit - 0xdc00),
                    out,
                );
            }
            (_, 0xd800..=0xdbff) => {
                self.lone(out);
                self.high = Some(unit);
            }
            _ => {
                self.lone(out);
                put(unit.into(), out);
            }
        }
    }

    /// The first unit of a pair whose second one does not come.
    fn lone(&mut self, out: &mut Vec<u8>) {
        if let Some(high) = self.high.take() {
            put(high.into(), out);
        }
    }
}

fn put(code: u32, out: &mut Vec<u8>) {
    let letter = char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER);
    out.extend_from_slice(letter.encode_utf8(&mut [0; 4]).as_bytes());
}

impl Decode for Json {
    fn push(&mut self, bytes: &[u8], take: Take<'_>) -> Result<(), Broken> {
        let mut out = Vec::new();
        let mut rest = bytes;
        // Most bytes are those of strings, in which only these two mean something.
        while let [first, more @ ..] = rest {
            let plain = match self.at {
                At::Text if self.high.is_none() => memchr::memchr2(b'"', b'\\', rest).unwrap_or(rest.len()),
                _ => 0,
            };
            if 0 < plain {
                let (text, behind) = rest.split_at_checked(plain).unwrap_or((rest, &[]));
                out.extend_from_slice(text);
                rest = behind;
            } else {
                self.byte(*first, &mut out);
                rest = more;
            }
        }
        take(&out);
        Ok(())
    }

    fn finish(&mut self, _take: Take<'_>) -> Result<(), Broken> {
        match self.at {
            At::Text | At::Escape | At::Number => Err(Broken::Short),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text_in(json: &str, step: usize) -> (String, Result<(), Broken>) {
        let (mut decode, mut out) = (Json::default(), Vec::new());
        for part in json.as_bytes().chunks(step) {
            decode.push(part, &mut |bytes| out.extend_from_slice(bytes)).unwrap();
        }
        let end = decode.finish(&mut |_| ());
        (String::from_utf8(out).unwrap(), end)
    }

    #[test]
    fn the_string_is_found_and_its_escapes_are_read() {
        for (json, expected) in [
            (
                r#"{"traceEvents": [{"a": 1}], "systemTraceEvents": "a\nb\t\"c\\\/"}"#,
                "a\nb\t\"c\\/",
            ),
            (
                r#"{"systemTraceEvents" : "\u003cidle\u003e \u00e9 \ud83d\ude00 \ud83d!"}"#,
                "<idle> é 😀 \u{fffd}!",
            ),
            (r#"{"a": "systemTraceEvents", "b": "x\"systemTraceEvents\": \"no"}"#, ""),
            (r#"{"systemTraceEvents": {"a": "b"}, "x": 3}"#, ""),
            (r#"{"systemTraceEventsX": "no", "\\systemTraceEvents": "no"}"#, ""),
        ] {
            for step in [1, 3, 1000] {
                assert_eq!(text_in(json, step), (expected.to_owned(), Ok(())), "{json}");
            }
        }
        assert_eq!(
            text_in(r#"{"systemTraceEvents": "a\n"#, 2),
            ("a\n".to_owned(), Err(Broken::Short))
        );
    }
}
