//! Base64 (RFC 4648), whatever is between its letters.

/// Groups of four letters.
#[derive(Debug, Default)]
pub(crate) struct Groups {
    /// Bits of the letters that came, and how many letters.
    bits: u32,
    letters: u32,
    /// `=` was seen: the data are over.
    ended: bool,
}

impl Groups {
    /// The bytes that these letters complete.
    pub fn decode(&mut self, letters: &[u8]) -> Vec<u8> {
        let mut out = Vec::with_capacity(letters.len() / 4 * 3 + 3);
        for &letter in letters {
            let value = match letter {
                _ if self.ended => break,
                b'A'..=b'Z' => letter - b'A',
                b'a'..=b'z' => letter - b'a' + 26,
                b'0'..=b'9' => letter - b'0' + 52,
                b'+' | b'-' => 62,
                b'/' | b'_' => 63,
                b'=' => {
                    let [_, first, second, _] = (self.bits << (6 * (4 - self.letters.min(4)))).to_be_bytes();
                    match self.letters {
                        2 => out.push(first),
                        3 => out.extend([first, second]),
                        _ => {}
                    }
                    self.ended = true;
                    continue;
                }
                _ => continue,
            };
            self.bits = self.bits << 6 | u32::from(value);
            self.letters += 1;
            if self.letters == 4 {
                let [_, first, second, third] = self.bits.to_be_bytes();
                out.extend([first, second, third]);
                (self.bits, self.letters) = (0, 0);
            }
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_examples_of_the_rfc_are_read_in_any_pieces() {
        for (text, expected) in [
            ("", ""),
            ("Zg==", "f"),
            ("Zm8=", "fo"),
            ("Zm9v", "foo"),
            ("Zm9vYg==", "foob"),
            ("Zm9v\r\nYmE=\n", "fooba"),
            ("Zm9vYmFy", "foobar"),
        ] {
            for step in [1, 3, 100] {
                let mut groups = Groups::default();
                let out: Vec<u8> = text
                    .as_bytes()
                    .chunks(step)
                    .flat_map(|part| groups.decode(part))
                    .collect();
                assert_eq!(out, expected.as_bytes());
            }
        }
    }
}
