//! Just enough of tar to walk over the small files of sysfs: POSIX ustar with GNU's and pax's long names, packed by gzip
//! or not. A stream: what is skipped is never held.
//!
//! sysfs says that each of its files has 4096 bytes; tar pads what is less with zeros.

use std::io::{self, Read};

use flate2::bufread::GzDecoder;

use super::{At, TopologyError};

const BLOCK: usize = 512;
/// The most bytes that are read of a file of sysfs, which gives no more at once.
pub(super) const MOST_CONTENT: u64 = 4096;
/// The most bytes of what says how the next member is called.
const MOST_NAME: u64 = 4096;
/// The most bytes of a tar: all of /sys of a large machine has fewer; a decompression bomb has more.
const MOST_BYTES: u64 = 2 << 30;
const GZIP: [u8; 2] = [0x1f, 0x8b];

/// A member of a tar.
#[derive(Debug, PartialEq, Eq)]
pub struct Member {
    /// Its path as the tar has it.
    pub path: String,
    /// The beginning of its content; empty for links and folders.
    pub content: Vec<u8>,
}

impl Member {
    /// The content up to a zero byte, without white space around it.
    pub fn text(&self) -> String {
        text(&self.content).trim().to_owned()
    }
}

/// Whether the bytes begin like a tar, packed or not.
pub fn is_tar(bytes: &[u8]) -> bool {
    bytes.starts_with(&GZIP) || bytes.get(257..262) == Some(b"ustar")
}

/// Calls `visit` with each member, of which at most `most` bytes are read.
pub fn walk(bytes: &[u8], most: u64, visit: &mut dyn FnMut(Member)) -> Result<(), TopologyError> {
    if bytes.starts_with(&GZIP) {
        walk_stream(GzDecoder::new(bytes), most, visit)
    } else {
        walk_stream(bytes, most, visit)
    }
}

/// The same of bytes that come one after the other, which are not packed.
pub fn walk_stream(read: impl Read, most: u64, visit: &mut dyn FnMut(Member)) -> Result<(), TopologyError> {
    let mut stream = Stream::new(read);
    let mut long_name: Option<String> = None;
    loop {
        let at = stream.offset;
        let Some(header) = stream.header()? else {
            return Ok(());
        };
        let header = Header(&header);
        let size = header.check(at)?;
        let kind = header.kind();
        let is_file = matches!(kind, b'0' | 0 | b'7');
        let content = stream.content(size, if is_file { most } else { MOST_NAME }, at)?;
        match kind {
            b'L' => long_name = Some(text(&content)),
            b'x' => long_name = pax_path(&content).or(long_name),
            // GNU's long target of a link, and what pax says of all members: neither is asked for.
            b'K' | b'g' => {}
            _ => visit(Member {
                path: long_name.take().unwrap_or_else(|| header.path()),
                content: if is_file { content } else { Vec::new() },
            }),
        }
    }
}

/// Up to the first zero byte.
fn text(bytes: &[u8]) -> String {
    let end = bytes.iter().position(|&byte| byte == 0).unwrap_or(bytes.len());
    String::from_utf8_lossy(bytes.get(..end).unwrap_or_default()).into_owned()
}

/// The path in pax's records, each `LENGTH KEY=VALUE\n`.
fn pax_path(content: &[u8]) -> Option<String> {
    let text = text(content);
    let mut paths = text
        .lines()
        .filter_map(|line| line.split_once(' ')?.1.strip_prefix("path="));
    paths.next_back().map(str::to_owned)
}

struct Header<'a>(&'a [u8; BLOCK]);

impl Header<'_> {
    fn field(&self, from: usize, len: usize) -> &[u8] {
        self.0.get(from..from + len).unwrap_or_default()
    }

    fn kind(&self) -> u8 {
        self.field(156, 1).first().copied().unwrap_or(0)
    }

    fn path(&self) -> String {
        let name = text(self.field(0, 100));
        // GNU's own magic, `ustar  `, has something else in the prefix's place.
        match text(self.field(345, 155)) {
            prefix if self.field(257, 6) == b"ustar\0" && !prefix.is_empty() => format!("{prefix}/{name}"),
            _ => name,
        }
    }

    /// The member's size, if its checksum is right.
    fn check(&self, at: u64) -> Result<u64, TopologyError> {
        let broken = |what: &str| TopologyError::new(At::Byte(at), format!("{what}; expected a member of a tar"));
        let sum: u64 = self.0.iter().map(|&byte| u64::from(byte)).sum();
        let own: u64 = self.field(148, 8).iter().map(|&byte| u64::from(byte)).sum();
        // The sum counts its own field as spaces.
        if octal(self.field(148, 8)) != Some(sum - own + 8 * u64::from(b' ')) {
            return Err(broken("a header whose check sum is wrong"));
        }
        octal(self.field(124, 12)).ok_or_else(|| broken("a size that is not octal"))
    }
}

fn octal(field: &[u8]) -> Option<u64> {
    let text = text(field);
    u64::from_str_radix(text.trim(), 8).ok()
}

struct Stream<R> {
    read: io::Take<R>,
    offset: u64,
}

impl<R: Read> Stream<R> {
    fn new(read: R) -> Self {
        Stream {
            read: read.take(MOST_BYTES),
            offset: 0,
        }
    }

    /// The next header; `None` at the end.
    fn header(&mut self) -> Result<Option<[u8; BLOCK]>, TopologyError> {
        let mut block = [0; BLOCK];
        let got = self.fill(&mut block)?;
        if got == 0 || block.iter().all(|&byte| byte == 0) {
            return Ok(None);
        }
        if got < BLOCK {
            return Err(self.cut());
        }
        Ok(Some(block))
    }

    /// The beginning of the content that follows a header; advances to the next header.
    fn content(&mut self, size: u64, most: u64, header_at: u64) -> Result<Vec<u8>, TopologyError> {
        let wanted = size.min(most);
        // What a header claims is not reserved before it is there.
        let mut content = vec![0; wanted.min(1 << 20) as usize];
        let mut got = self.fill(&mut content)?;
        while got == content.len() && (got as u64) < wanted {
            content.resize((2 * got as u64).min(wanted) as usize, 0);
            got += self.fill(content.get_mut(got..).unwrap_or_default())?;
        }
        if got < content.len() {
            return Err(self.cut());
        }
        let padded = size.checked_next_multiple_of(BLOCK as u64);
        let mut rest = padded
            .and_then(|padded| padded.checked_sub(content.len() as u64))
            .ok_or_else(|| {
                TopologyError::new(
                    At::Byte(header_at),
                    "a size beyond all bounds; expected a member of a tar",
                )
            })?;
        let mut skipped = [0; 4096];
        while 0 < rest {
            let part = skipped.get_mut(..rest.min(4096) as usize).unwrap_or_default();
            let (wanted, got) = (part.len(), self.fill(part)?);
            if got < wanted {
                return Err(self.cut());
            }
            rest -= got as u64;
        }
        Ok(content)
    }

    /// Fills the buffer as far as there are bytes; returns how many there were.
    fn fill(&mut self, buffer: &mut [u8]) -> Result<usize, TopologyError> {
        let mut filled = 0;
        while let Some(rest) = buffer.get_mut(filled..).filter(|rest| !rest.is_empty()) {
            match self.read.read(rest) {
                Ok(0) => break,
                Ok(got) => filled += got,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => {
                    return Err(TopologyError::new(
                        At::Byte(self.offset),
                        format!("it cannot be unpacked: {error}"),
                    ))
                }
            }
        }
        self.offset += filled as u64;
        Ok(filled)
    }

    fn cut(&self) -> TopologyError {
        let what = if self.read.limit() == 0 {
            "more than 2 GiB; expected a tar of /sys/devices/system/cpu"
        } else {
            "the tar ends inside a member; expected the rest of it"
        };
        TopologyError::new(At::Byte(self.offset), what)
    }
}
