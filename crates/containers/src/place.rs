//! Where in a file a trace's bytes are, and what is around them.

use std::io::{self, Read};

use schedrows::{ErrorKind, ReadAt, ReadError, SourceError, Stream};

use crate::blocks::Blocks;
use crate::peel::{Peel, Problem};
use crate::zip::{is_zip, trace_in, Member};
use crate::HEAD;

/// Bytes read at a time.
const READ: u64 = 256 << 10;

/// What first bytes say about a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rank {
    /// It is no trace.
    No,
    /// It is a text whose beginning has no event.
    Prose,
    /// It is a text that begins with events.
    Text,
    /// It is a trace, or an archive that may hold one.
    Certain,
}

/// Where a trace's bytes are.
#[derive(Clone, Debug)]
pub struct Place {
    /// The bytes of the file that hold it.
    pub stream: Stream,
    /// The first bytes of the trace itself, as many as [`HEAD`] or all of it.
    pub head: Vec<u8>,
    /// What is around it, from the outermost.
    pub layers: Vec<&'static str>,
    member: Option<Member>,
}

/// A trace that was unpacked.
pub struct Unpacked {
    /// Its bytes.
    pub bytes: Blocks,
    /// What was wrong with what was around it.
    pub problems: Vec<Problem>,
}

impl Place {
    /// All of a file, without anything around it.
    pub fn whole(input: &dyn ReadAt) -> Place {
        Place {
            stream: Stream::whole(input),
            head: Vec::new(),
            layers: Vec::new(),
            member: None,
        }
    }

    /// Looks for what is around a trace; `None` if nothing is. Of an archive with several files the only trace is taken, by
    /// what `rank` says of their first bytes.
    pub fn find(input: &dyn ReadAt, rank: &dyn Fn(&[u8]) -> Rank) -> Result<Option<Place>, SourceError> {
        let mut head = vec![0; input.len().min(HEAD as u64) as usize];
        input.read_at(0, &mut head)?;
        let member = is_zip(&head).then(|| trace_in(input, rank)).transpose()?;
        let stream = member
            .as_ref()
            .map_or_else(|| Stream::whole(input), |member| member.stream);
        let peel = member.as_ref().map_or_else(Peel::new, Member::peel);
        let (head, layers) = first_bytes(input, stream, peel)?;
        if let Some(error) = other_packing(&head) {
            return Err(error);
        }
        if layers.last() == Some(&"JSON") && head.is_empty() {
            return Err(json());
        }
        Ok((!layers.is_empty()).then_some(Place {
            stream,
            head,
            layers,
            member,
        }))
    }

    /// Whether nothing is around the trace.
    pub fn is_plain(&self) -> bool {
        self.layers.is_empty()
    }

    /// Takes off what is around the trace; its bytes are those of [`Place::stream`].
    pub fn peel(&self) -> Peel {
        match &self.member {
            _ if self.layers.is_empty() => Peel::plain(),
            Some(member) => member.peel(),
            None => Peel::new(),
        }
    }

    /// Unpacks the trace into memory, up to [`MOST`](crate::MOST) bytes.
    pub fn unpack(&self, input: &dyn ReadAt) -> Result<Unpacked, ReadError> {
        let mut peel = self.peel();
        let mut bytes = Blocks::default();
        self.stream.read(input, READ, &mut |part| {
            peel.push(part, &mut |unpacked| bytes.extend(unpacked));
            !peel.is_done()
        })?;
        let problems = peel.finish(&mut |unpacked| bytes.extend(unpacked));
        Ok(Unpacked { bytes, problems })
    }

    /// The trace's bytes one after the other.
    pub fn reader<'a>(&self, input: &'a dyn ReadAt) -> PlaceReader<'a> {
        PlaceReader {
            input,
            stream: self.stream,
            peel: Some(self.peel()),
            ready: Vec::new(),
            at: 0,
            problems: Vec::new(),
        }
    }
}

/// The first bytes inside, as many as [`HEAD`] or all, and the layers around them.
pub(crate) fn first_bytes(
    input: &dyn ReadAt,
    stream: Stream,
    mut peel: Peel,
) -> Result<(Vec<u8>, Vec<&'static str>), ReadError> {
    let mut head = Vec::new();
    let mut take = |bytes: &[u8]| {
        let room = HEAD.saturating_sub(head.len());
        head.extend_from_slice(bytes.get(..room).unwrap_or(bytes));
        HEAD <= head.len()
    };
    let mut enough = false;
    stream.read(input, 64 << 10, &mut |bytes| {
        peel.push(bytes, &mut |bytes| enough |= take(bytes));
        !enough && !peel.is_done()
    })?;
    if !enough {
        peel.finish(&mut |bytes| {
            take(bytes);
        });
    }
    let layers = peel.layers();
    Ok((head, layers))
}

/// Packings that are known by name alone.
pub(crate) fn other_packing(head: &[u8]) -> Option<SourceError> {
    let (what, advice) = match head {
        [0xfd, b'7', b'z', b'X', b'Z', 0, ..] => ("xz", "Unpack it first: `unxz FILE`."),
        [b'B', b'Z', b'h', b'1'..=b'9', 0x31, 0x41, ..] => ("bzip2", "Unpack it first: `bunzip2 FILE`."),
        [0x04, 0x22, 0x4d, 0x18, ..] => ("lz4", "Unpack it first: `unlz4 FILE`."),
        [b'7', b'z', 0xbc, 0xaf, ..] => ("7-Zip", "Unpack it first: `7z x FILE`."),
        [b'R', b'a', b'r', b'!', 0x1a, ..] => ("RAR", "Unpack it first: `unrar x FILE`."),
        [0x1f, 0x9d, ..] => ("compress", "Unpack it first: `uncompress FILE`."),
        _ => return None,
    };
    let what = format!("a file packed by {what}, which is not read here");
    Some(SourceError {
        kind: ErrorKind::Unsupported,
        message: what.clone(),
        what,
        place: None,
        advice,
    })
}

fn json() -> SourceError {
    let what = "JSON, as Chrome's traces and profiles are: slices of programs, and no scheduler's events";
    SourceError {
        kind: ErrorKind::Unsupported,
        message: what.to_owned(),
        what: what.to_owned(),
        place: None,
        advice: "Record the scheduler with `trace-cmd record -e sched`, `perf sched record` or Perfetto.",
    }
}

/// Reads a trace's bytes one after the other.
pub struct PlaceReader<'a> {
    input: &'a dyn ReadAt,
    /// What is left to be read.
    stream: Stream,
    peel: Option<Peel>,
    ready: Vec<u8>,
    at: usize,
    problems: Vec<Problem>,
}

impl PlaceReader<'_> {
    /// What was wrong with what is around the trace, as far as it was read.
    pub fn problems(self) -> Vec<Problem> {
        self.problems
    }

    fn more(&mut self) -> io::Result<()> {
        let PlaceReader {
            input,
            stream,
            peel,
            ready,
            at,
            problems,
        } = self;
        ready.clear();
        *at = 0;
        while let Some(open) = peel.as_mut().filter(|_| ready.is_empty()) {
            let mut take = |bytes: &[u8]| ready.extend_from_slice(bytes);
            if stream.size == 0 || open.is_done() {
                *problems = open.finish(&mut take);
                *peel = None;
            } else {
                let mut part = vec![0; stream.size.min(64 << 10) as usize];
                input.read_at(stream.offset, &mut part).map_err(io::Error::other)?;
                stream.offset += part.len() as u64;
                stream.size -= part.len() as u64;
                open.push(&part, &mut take);
            }
        }
        Ok(())
    }
}

impl Read for PlaceReader<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if self.ready.len() <= self.at {
            self.more()?;
        }
        let from = self.ready.get(self.at..).unwrap_or_default();
        let size = from.len().min(into.len());
        into.get_mut(..size)
            .unwrap_or_default()
            .copy_from_slice(from.get(..size).unwrap_or_default());
        self.at += size;
        Ok(size)
    }
}
