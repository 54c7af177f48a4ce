//! Lines of a text, one after another, however long they are.

use std::io::{self, BufRead};

/// The longest line that is kept: a record's arguments are at most some kilobytes.
const LONGEST: usize = 1 << 20;

/// A line, without its end.
pub enum Line<'a> {
    /// Bytes that are not UTF-8 are U+FFFD.
    Text(std::borrow::Cow<'a, str>),
    /// It has more than [`LONGEST`] bytes.
    TooLong,
}

/// Calls `each` with every line and its number, from 1 on.
pub fn each(input: &mut dyn BufRead, mut each: impl FnMut(u64, Line<'_>)) -> io::Result<()> {
    let mut line = Vec::new();
    let mut number = 0;
    loop {
        line.clear();
        let (mut ended, mut too_long) = (false, false);
        while !ended {
            let piece = input.fill_buf()?;
            if piece.is_empty() {
                break;
            }
            let end = piece.iter().position(|&byte| byte == b'\n');
            ended = end.is_some();
            let (text, used) = match end {
                Some(end) => (piece.get(..end), end + 1),
                None => (Some(piece), piece.len()),
            };
            let text = text.unwrap_or_default();
            too_long |= LONGEST - line.len() < text.len();
            if !too_long {
                line.extend_from_slice(text);
            }
            input.consume(used);
        }
        if !ended && line.is_empty() && !too_long {
            return Ok(());
        }
        number += 1;
        each(
            number,
            match too_long {
                true => Line::TooLong,
                false => Line::Text(String::from_utf8_lossy(&line)),
            },
        );
    }
}
