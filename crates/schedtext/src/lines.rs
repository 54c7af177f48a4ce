//! From pieces of a text to its lines.

/// The longest line, in bytes: far more than any event takes, and a bound on what is kept from one piece to the next.
const MAX_LINE: usize = 4096;

/// Cuts bytes into lines as they come.
#[derive(Default)]
pub(crate) struct Lines {
    /// The beginning of a line whose end has not come yet; of a line that is too long, no more than shows it.
    begun: Vec<u8>,
    /// Lines so far.
    count: u64,
}

/// A line without its end, or why it is none.
pub(crate) type LineText<'a> = Result<&'a str, String>;

impl Lines {
    /// Calls `take` with the number (the first is 1) and the text of each line that ends in `bytes`.
    pub fn push(&mut self, bytes: &[u8], take: &mut dyn FnMut(u64, LineText<'_>)) {
        let mut pieces = bytes.split(|&byte| byte == b'\n');
        // What follows the last line end is the beginning of the next line.
        let last = pieces.next_back().unwrap_or_default();
        for piece in pieces {
            if self.begun.is_empty() {
                self.line(piece, take);
            } else {
                self.keep(piece);
                let line = std::mem::take(&mut self.begun);
                self.line(&line, take);
            }
        }
        self.keep(last);
    }

    /// The text ends here, and its last line with it.
    pub fn finish(&mut self, take: &mut dyn FnMut(u64, LineText<'_>)) {
        let line = std::mem::take(&mut self.begun);
        if !line.is_empty() {
            self.line(&line, take);
        }
    }

    fn keep(&mut self, bytes: &[u8]) {
        let room = (MAX_LINE + 1).saturating_sub(self.begun.len());
        self.begun.extend(bytes.iter().take(room));
    }

    fn line(&mut self, line: &[u8], take: &mut dyn FnMut(u64, LineText<'_>)) {
        self.count += 1;
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        let text = if MAX_LINE < line.len() {
            Err(format!("a line of more than {MAX_LINE} bytes"))
        } else {
            std::str::from_utf8(line).map_err(|_| "bytes that are not UTF-8".to_owned())
        };
        take(self.count, text);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(pieces: &[&[u8]]) -> Vec<(u64, Result<String, String>)> {
        let mut found = Vec::new();
        let mut lines = Lines::default();
        let mut take = |number, text: LineText<'_>| found.push((number, text.map(str::to_owned)));
        for piece in pieces {
            lines.push(piece, &mut take);
        }
        lines.finish(&mut take);
        found
    }

    #[test]
    fn lines_are_the_same_however_their_bytes_come() {
        let text = b"one\r\n\ntwo \xc3\xa4\nthree";
        let whole = lines(&[text]);
        let texts: Vec<&str> = whole.iter().map(|(_, text)| text.as_deref().unwrap()).collect();
        assert_eq!(texts, ["one", "", "two ä", "three"]);
        assert_eq!(whole.iter().map(|line| line.0).collect::<Vec<_>>(), [1, 2, 3, 4]);
        for cut in 0..=text.len() {
            assert_eq!(lines(&[&text[..cut], &text[cut..]]), whole, "cut at {cut}");
        }
        assert_eq!(lines(&[b"a\n"]), lines(&[b"a"]));
        assert_eq!(lines(&[]), []);
    }

    #[test]
    fn a_long_line_is_refused_and_the_next_one_is_read() {
        let long = [b'x'; MAX_LINE + 1];
        for pieces in [
            vec![&long[..], b"\nnext"],
            vec![&long[..9], &long[..], &long[..], b"y\nnext"],
        ] {
            let found = lines(&pieces);
            assert_eq!(found[0].1, Err("a line of more than 4096 bytes".to_owned()));
            assert_eq!(found[1], (2, Ok("next".to_owned())));
        }
        assert!(lines(&[&long[1..]])[0].1.is_ok());
        assert!(lines(&[b"\xff"])[0].1.is_err());
    }
}
