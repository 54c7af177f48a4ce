//! Text whose lines end in a carriage return alone, as terminals and old programs write it.

use crate::peel::{Broken, Decode, Take};

/// Whether a text has such line ends and no others.
pub(crate) fn ends_lines(head: &[u8]) -> bool {
    memchr::memchr(b'\r', head).is_some() && memchr::memchr2(b'\n', 0, head).is_none()
}

/// Ends each line by a line feed.
#[derive(Default)]
pub(crate) struct Carriage(Vec<u8>);

impl Decode for Carriage {
    fn push(&mut self, bytes: &[u8], take: Take<'_>) -> Result<(), Broken> {
        let feed = |byte: &u8| if *byte == b'\r' { b'\n' } else { *byte };
        self.0.clear();
        self.0.extend(bytes.iter().map(feed));
        take(&self.0);
        Ok(())
    }

    fn finish(&mut self, _take: Take<'_>) -> Result<(), Broken> {
        Ok(())
    }
}
