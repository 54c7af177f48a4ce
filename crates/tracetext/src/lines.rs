//! Bytes to lines.

/// Longer lines are no lines of a trace.
const LONGEST: usize = 64 << 10;

/// Cuts bytes that come in pieces into lines.
#[derive(Debug, Default)]
pub(crate) struct Lines {
    /// The beginning of a line.
    held: Vec<u8>,
    /// The line is too long: what is left of it is skipped.
    skips: bool,
}

impl Lines {
    /// Hands each whole line to `take`, without its end.
    pub fn push(&mut self, mut bytes: &[u8], take: &mut dyn FnMut(&[u8])) {
        while let Some(end) = memchr::memchr(b'\n', bytes) {
            let (line, rest) = bytes.split_at_checked(end).unwrap_or((bytes, &[]));
            bytes = rest.get(1..).unwrap_or_default();
            if self.held.is_empty() {
                if !self.skips && line.len() <= LONGEST {
                    take(line);
                }
            } else {
                self.hold(line);
                self.end(take);
            }
            self.skips = false;
        }
        self.hold(bytes);
    }

    fn hold(&mut self, part: &[u8]) {
        if LONGEST < self.held.len() + part.len() {
            self.skips = true;
            self.held = Vec::new();
        }
        if !self.skips {
            self.held.extend_from_slice(part);
        }
    }

    /// The bytes end here.
    pub fn end(&mut self, take: &mut dyn FnMut(&[u8])) {
        let mut held = std::mem::take(&mut self.held);
        if !held.is_empty() && !self.skips {
            take(&held);
        }
        held.clear();
        self.held = held;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_come_whole_from_pieces_of_any_size() {
        let long = vec![b'x'; 3 * LONGEST];
        let text = [b"a\n\nbc\r\n", long.as_slice(), b"\nend"].concat();
        for size in [1, 2, 5, 1000, text.len()] {
            let (mut lines, mut found) = (Lines::default(), Vec::new());
            for piece in text.chunks(size) {
                lines.push(piece, &mut |line| found.push(line.to_vec()));
            }
            lines.end(&mut |line| found.push(line.to_vec()));
            let expected: [&[u8]; 4] = [b"a", b"", b"bc\r", b"end"];
            assert_eq!(found, expected, "{size}");
        }
    }
}
