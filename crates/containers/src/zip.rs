//! Members of zip archives.

use std::io;

use rawzip::{CompressionMethod, ReaderAt, ZipArchive, ZipArchiveEntryWayfinder};
use schedrows::{ErrorKind, ReadAt, SourceError, Stream};

use crate::choice::{self, is_of_the_system, only_trace, UNPACK};
use crate::packed::{Packed, Packing, Sum};
use crate::peel::{Layer, Peel};
use crate::place::{first_bytes, Rank};

/// Members that are looked into.
const MOST_MEMBERS: usize = 256;
const ARCHIVE: &str = "zip archive";

/// A member of an archive: where its bytes are, and how they are packed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Member {
    pub name: String,
    pub stream: Stream,
    packing: Packing,
    sum: Option<Sum>,
}

impl Member {
    /// Unpacks it, and what it is packed in besides.
    pub fn peel(&self) -> Peel {
        Peel::within(Layer {
            what: "zip archive",
            decode: Box::new(Packed::new(self.packing).with_sum(self.sum)),
        })
    }
}

/// Whether a file with these first bytes is a zip archive.
pub(crate) fn is_zip(head: &[u8]) -> bool {
    head.starts_with(b"PK\x03\x04") || head.starts_with(b"PK\x05\x06")
}

struct Input<'a>(&'a dyn ReadAt);

impl ReaderAt for Input<'_> {
    fn read_at(&self, buf: &mut [u8], offset: u64) -> io::Result<usize> {
        let size = self.0.len().saturating_sub(offset).min(buf.len() as u64) as usize;
        let part = buf.get_mut(..size).unwrap_or_default();
        self.0.read_at(offset, part).map_err(io::Error::other)?;
        Ok(size)
    }
}

fn refusal(kind: ErrorKind, what: String, advice: &'static str) -> SourceError {
    choice::refusal(ARCHIVE, kind, what, advice)
}

/// A member as the archive's directory has it.
struct Listed {
    name: String,
    method: CompressionMethod,
    encrypted: bool,
    sum: Sum,
    place: ZipArchiveEntryWayfinder,
}

/// The trace in an archive: the only member that may be one, by what `rank` says of its first bytes.
pub(crate) fn trace_in(input: &dyn ReadAt, rank: &dyn Fn(&[u8]) -> Rank) -> Result<Member, SourceError> {
    let mut buffer = vec![0; rawzip::RECOMMENDED_BUFFER_SIZE];
    let located = rawzip::ZipLocator::new().locate_in_reader(Input(input), &mut buffer, input.len());
    let Ok(archive) = located.map_err(|_| ()) else {
        return first_member(input);
    };
    let mut members = Vec::new();
    let mut entries = archive.entries(&mut buffer);
    while let Ok(Some(entry)) = entries.next_entry() {
        let name = String::from_utf8_lossy(entry.file_path().as_bytes()).into_owned();
        if entry.is_dir() || is_of_the_system(&name) || entry.uncompressed_size_hint() == 0 {
            continue;
        }
        members.push(Listed {
            name,
            method: entry.compression_method(),
            encrypted: entry.flags().is_encrypted(),
            sum: Sum {
                crc: entry.crc32(),
                size: entry.uncompressed_size_hint(),
            },
            place: entry.wayfinder(),
        });
        if MOST_MEMBERS < members.len() {
            let what = format!("a zip archive of more than {MOST_MEMBERS} files");
            return Err(refusal(ErrorKind::Unsupported, what, UNPACK));
        }
    }
    if members.is_empty() {
        return Err(refusal(
            ErrorKind::NotATrace,
            "a zip archive without files".to_owned(),
            UNPACK,
        ));
    }
    let mut refused = None;
    let mut found: Vec<(Rank, Member)> = Vec::new();
    for listed in members {
        match open(&archive, listed) {
            Ok(member) => {
                let head = first_bytes(input, member.stream, member.peel())?.0;
                found.push((rank(&head), member));
            }
            Err(error) => refused = Some(error),
        }
    }
    choose(found, refused)
}

/// Of the only member, if there is one, what it is does not matter: who opens it says what is wrong.
fn choose(mut found: Vec<(Rank, Member)>, refused: Option<SourceError>) -> Result<Member, SourceError> {
    let ranks: Vec<(Rank, &str)> = found
        .iter()
        .map(|(rank, member)| (*rank, member.name.as_str()))
        .collect();
    let index = match (ranks.len(), &refused) {
        (1, None) => Some(0),
        _ => only_trace(ARCHIVE, &ranks)?,
    };
    match index.filter(|&index| index < found.len()) {
        Some(index) => Ok(found.swap_remove(index).1),
        None => Err(refused.unwrap_or_else(|| nothing(" that is a trace"))),
    }
}

fn nothing(what: &str) -> SourceError {
    refusal(
        ErrorKind::NotATrace,
        format!("a zip archive without a file{what}"),
        UNPACK,
    )
}

fn open(archive: &ZipArchive<Input<'_>>, listed: Listed) -> Result<Member, SourceError> {
    let Listed {
        name,
        method,
        encrypted,
        sum,
        place,
    } = listed;
    if encrypted {
        let what = format!("{name} in the zip archive is encrypted");
        return Err(refusal(ErrorKind::Unsupported, what, UNPACK));
    }
    let packing = packing_of(method).ok_or_else(|| {
        let method = method
            .name()
            .map_or_else(|| format!("method {}", method.as_u16()), str::to_owned);
        refusal(
            ErrorKind::Unsupported,
            format!("{name} in the zip archive is packed by {method}"),
            UNPACK,
        )
    })?;
    let damaged = |error| {
        refusal(
            ErrorKind::Malformed,
            format!("{name} in the zip archive is damaged: {error}"),
            UNPACK,
        )
    };
    let (start, end) = archive.get_entry(place).map_err(damaged)?.compressed_data_range();
    Ok(Member {
        name,
        stream: Stream {
            cpu: None,
            offset: start,
            size: end.saturating_sub(start),
        },
        packing,
        sum: Some(sum),
    })
}

fn packing_of(method: CompressionMethod) -> Option<Packing> {
    match method {
        CompressionMethod::STORE => Some(Packing::Stored),
        CompressionMethod::DEFLATE => Some(Packing::Deflate),
        CompressionMethod::ZSTD => Some(Packing::Zstd),
        _ => None,
    }
}

/// An archive that was cut off has lost its directory: what is left of its first member.
fn first_member(input: &dyn ReadAt) -> Result<Member, SourceError> {
    let cut = || {
        let what = "a zip archive without its directory, which is at its end".to_owned();
        refusal(ErrorKind::Truncated, what, "Copy the archive again.")
    };
    let mut header = [0; 30];
    if input.len() < header.len() as u64 {
        return Err(cut());
    }
    input.read_at(0, &mut header)?;
    let word = |at: usize| match (header.get(at), header.get(at + 1)) {
        (Some(&low), Some(&high)) => u16::from_le_bytes([low, high]),
        _ => 0,
    };
    let packing = packing_of(CompressionMethod::new(word(8))).ok_or_else(cut)?;
    // Bit 0 of the flags: encrypted. Bit 3: sizes come behind the data, so that a stored member has no known end.
    if word(6) & 1 == 1 || packing == Packing::Stored && word(6) & 8 == 8 {
        return Err(cut());
    }
    let offset = 30 + u64::from(word(26)) + u64::from(word(28));
    Ok(Member {
        name: String::new(),
        stream: Stream {
            cpu: None,
            offset,
            size: input.len().saturating_sub(offset),
        },
        packing,
        // It ends early, which is said then; what follows a stored one is not known.
        sum: Some(Sum {
            crc: 0,
            size: u64::from(u32::MAX),
        }),
    })
}
