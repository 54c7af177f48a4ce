//! Names that others chose, as text that a terminal only shows.
//!
//! Task names, texts of events and file names may hold escape sequences, which terminals obey, and characters that reverse
//! the order of what follows. [`Visible`] writes them as escapes in everything that is printed; [`visible`] also does it to
//! the line breaks and tabs of a single name.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::io::{self, Write};
use std::path::Path;

use crate::progress::note;

/// The most bytes of a character in UTF-8.
const CHARACTER: usize = 4;

/// How hidden characters are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// `\x1b` below U+0080, `\u{202e}` above. A backslash stays as it is.
    Text,
    /// `\u202e`, as strings of JSON have them: the JSON stays the same.
    Json,
}

/// Whether a terminal would do something else than show this character: controls (C0, DEL, C1), and marks that change the
/// direction of text or break lines.
pub fn is_hidden(character: char) -> bool {
    character.is_control()
        || matches!(character, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

impl Form {
    fn push(self, character: char, to: &mut String) {
        let code = u32::from(character);
        // Writing to a string does not fail.
        let _ = match self {
            Form::Text if code < 0x80 => write!(to, "\\x{code:02x}"),
            Form::Text => write!(to, "\\u{{{code:x}}}"),
            // No hidden character needs two of them.
            Form::Json => write!(to, "\\u{code:04x}"),
        };
    }

    /// The text without hidden characters, except those of `kept`.
    fn of(self, text: &str, kept: &[char]) -> String {
        let mut shown = String::with_capacity(text.len() + 16);
        for character in text.chars() {
            match is_hidden(character) && !kept.contains(&character) {
                true => self.push(character, &mut shown),
                false => shown.push(character),
            }
        }
        shown
    }
}

/// A single name or value, without hidden characters.
pub fn visible(name: &str) -> Cow<'_, str> {
    match name.contains(is_hidden) {
        true => Form::Text.of(name, &[]).into(),
        false => name.into(),
    }
}

/// A file's name for messages.
pub fn shown(path: &Path) -> String {
    visible(&path.to_string_lossy()).into_owned()
}

/// A message of several lines, without other hidden characters.
pub fn lines(message: &str) -> String {
    Form::Text.of(message, &['\n', '\t'])
}

/// Prints a warning on standard error.
pub fn warn(message: &str) {
    note(&format!("corelane: {}", lines(message)));
}

/// Writes text without hidden characters except line breaks and tabs, which it cannot tell from its own.
pub struct Visible<W: Write> {
    out: W,
    form: Form,
    /// The beginning of a character whose other bytes have not come.
    begun: Vec<u8>,
}

impl<W: Write> Visible<W> {
    pub fn new(out: W, form: Form) -> Visible<W> {
        Visible {
            out,
            form,
            begun: Vec::with_capacity(CHARACTER),
        }
    }

    fn write_text(&mut self, bytes: &[u8]) -> io::Result<()> {
        for chunk in bytes.utf8_chunks() {
            let text = self.form.of(chunk.valid(), &['\n', '\t']);
            self.out.write_all(text.as_bytes())?;
            // What is no UTF-8 may be a control character in another encoding.
            if !chunk.invalid().is_empty() {
                self.out.write_all("\u{fffd}".as_bytes())?;
            }
        }
        Ok(())
    }
}

/// Whether bytes are nothing but visible ASCII: nearly all are.
fn is_plain(bytes: &[u8]) -> bool {
    // No early end: the compiler makes it a few instructions for many bytes.
    let odd = bytes
        .iter()
        .fold(false, |odd, &byte| odd | (!matches!(byte, b' '..=b'~' | b'\n' | b'\t')));
    !odd
}

/// How many bytes at the end are the beginning of a character.
fn unfinished(bytes: &[u8]) -> usize {
    let tail = bytes.len().saturating_sub(CHARACTER - 1);
    let starts = (tail..bytes.len()).rev();
    let last = starts
        .into_iter()
        .find(|&at| bytes.get(at).is_some_and(|byte| byte & 0xc0 != 0x80));
    let Some(rest) = last.and_then(|at| bytes.get(at..)) else {
        return 0;
    };
    match std::str::from_utf8(rest) {
        Err(error) if error.error_len().is_none() => rest.len(),
        _ => 0,
    }
}

impl<W: Write> Write for Visible<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.begun.is_empty() && is_plain(bytes) {
            self.out.write_all(bytes)?;
            return Ok(bytes.len());
        }
        let mut all = std::mem::take(&mut self.begun);
        all.extend_from_slice(bytes);
        let rest = all.split_off(all.len() - unfinished(&all));
        self.begun = rest;
        self.write_text(&all)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

impl<W: Write> Drop for Visible<W> {
    fn drop(&mut self) {
        let rest = std::mem::take(&mut self.begun);
        // There is nowhere to report an error, and nothing but a broken character to lose.
        let _ = self.write_text(&rest);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(pieces: &[&[u8]], form: Form) -> Vec<u8> {
        let mut out = Vec::new();
        let mut visible = Visible::new(&mut out, form);
        for piece in pieces {
            visible.write_all(piece).unwrap();
        }
        drop(visible);
        out
    }

    #[test]
    fn hidden_characters_are_written_as_escapes() {
        for (text, shown, json) in [
            ("plain é 漢\tx\n", "plain é 漢\tx\n", "plain é 漢\tx\n"),
            ("\u{1b}[31m", "\\x1b[31m", "\\u001b[31m"),
            (
                "\r\u{7}\u{7f}\0",
                "\\x0d\\x07\\x7f\\x00",
                "\\u000d\\u0007\\u007f\\u0000",
            ),
            ("\u{9b}31m", "\\u{9b}31m", "\\u009b31m"),
            ("a\u{202e}b\u{2066}c", "a\\u{202e}b\\u{2066}c", "a\\u202eb\\u2066c"),
        ] {
            assert_eq!(written(&[text.as_bytes()], Form::Text), shown.as_bytes());
            assert_eq!(written(&[text.as_bytes()], Form::Json), json.as_bytes());
            // However the bytes come.
            let single: Vec<&[u8]> = text.as_bytes().chunks(1).collect();
            assert_eq!(written(&single, Form::Text), shown.as_bytes());
        }
        assert_eq!(visible("a\nb\tc"), "a\\x0ab\\x09c");
        assert_eq!(visible("plain"), "plain");
    }

    #[test]
    fn what_is_no_utf8_is_replaced() {
        assert_eq!(
            written(&[b"a\x9b31m\xff"], Form::Text),
            "a\u{fffd}31m\u{fffd}".as_bytes()
        );
        assert_eq!(written(&[b"a\xe2\x80"], Form::Text), "a\u{fffd}".as_bytes());
        assert_eq!(written(&[b"\xe2\x80", b"\xae"], Form::Text), b"\\u{202e}");
    }
}
