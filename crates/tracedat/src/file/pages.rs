//! One CPU's bytes, in pieces of any size, to pages. Sans-IO: the caller pushes the bytes.
//!
//! Unpacked data is pages, one behind the other. Packed data is a count of chunks, then for each chunk the packed size,
//! the unpacked size (some pages) and the packed bytes.

use bytemuck::{Pod, Zeroable};
use traceevent::Endian;

use super::compression::{Codec, Unpacker};
use super::trace_file::DataFormat;
use schedrows::words::{counted, grouped};

/// A stretch of the data that gives no pages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PageDamage {
    /// Where in the CPU's bytes.
    pub offset: u64,
    /// What was found.
    pub what: String,
    /// The bytes end too early, rather than being wrong.
    pub truncated: bool,
}

/// Where the bytes of some pages are: packed, or one page by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct Chunk {
    /// Of its first byte.
    pub offset: u64,
    /// Bytes that it should have there; the file may end before.
    pub packed: u32,
    /// Bytes of its pages.
    pub unpacked: u32,
}

impl Chunk {
    /// Sizes are 32-bit numbers in the file, page sizes smaller still.
    pub fn new(offset: u64, packed: usize, unpacked: usize) -> Self {
        Chunk {
            offset,
            packed: packed as u32,
            unpacked: unpacked as u32,
        }
    }
}

/// What comes out of a [`PageStream`].
pub(crate) enum Piece<'a> {
    /// A whole page; at the end of damaged data, or of a damaged chunk, a part of one. With its chunk, whose offset is
    /// that in the CPU's bytes, and its place there.
    Page(&'a [u8], Chunk, u32),
    /// Pages are missing here.
    Damage(PageDamage),
}

pub(crate) struct PageStream {
    page_size: usize,
    endian: Endian,
    unpacker: Unpacker,
    /// What the next structure is, when the data is packed.
    expect: Expect,
    /// Bytes of a structure whose end has not come yet.
    pending: Vec<u8>,
    /// Offset of the next byte that is not in `pending`.
    offset: u64,
    unpacked: Vec<u8>,
}

#[derive(Clone, Copy)]
enum Expect {
    Page,
    ChunkCount,
    ChunkHeader { left: u32 },
    Chunk { left: u32, packed: usize, unpacked: usize },
    End,
}

impl PageStream {
    pub fn new(format: &DataFormat) -> Self {
        PageStream {
            page_size: format.page_size,
            endian: format.layout.endian(),
            unpacker: Unpacker::new(format.codec),
            expect: if format.codec == Codec::None {
                Expect::Page
            } else {
                Expect::ChunkCount
            },
            pending: Vec::new(),
            offset: 0,
            unpacked: Vec::new(),
        }
    }

    /// Takes the next bytes; gives pages as they become whole.
    pub fn push(&mut self, mut bytes: &[u8], sink: &mut dyn FnMut(Piece<'_>)) {
        while let Some(needed) = self.needed() {
            if self.pending.is_empty() {
                // The usual case: a whole structure in the bytes, taken without copying.
                let Some((structure, rest)) = bytes.split_at_checked(needed) else {
                    break;
                };
                bytes = rest;
                self.take(structure, sink);
            } else {
                let missing = needed.saturating_sub(self.pending.len());
                let Some((head, rest)) = bytes.split_at_checked(missing) else {
                    break;
                };
                let mut structure = std::mem::take(&mut self.pending);
                structure.extend_from_slice(head);
                bytes = rest;
                self.take(&structure, sink);
                structure.clear();
                self.pending = structure;
            }
        }
        if self.needed().is_some() {
            self.pending.extend_from_slice(bytes);
        }
    }

    /// No more bytes come: gives what a cut structure still holds.
    pub fn finish(&mut self, sink: &mut dyn FnMut(Piece<'_>)) {
        let left = std::mem::take(&mut self.pending);
        let cut = |structure: &str, needed: usize| {
            Piece::Damage(PageDamage {
                offset: self.offset,
                what: format!(
                    "the file is cut off within {structure}: of {} it has {}",
                    counted(needed as u64, "byte"),
                    grouped(left.len() as u64)
                ),
                truncated: true,
            })
        };
        match self.expect {
            Expect::End => {}
            Expect::Page if left.is_empty() => {}
            Expect::ChunkCount if left.is_empty() => {}
            Expect::Page => {
                let whole = self.page_size;
                sink(Piece::Page(&left, Chunk::new(self.offset, whole, whole), 0));
                sink(cut("a page", self.page_size));
            }
            Expect::ChunkCount => sink(cut("the count of chunks", 4)),
            Expect::ChunkHeader { .. } => sink(cut("a chunk's header", 8)),
            Expect::Chunk { packed, unpacked, .. } => {
                let damage = cut("a chunk", packed);
                // What is there may be enough for some pages.
                let _ = self.unpacker.unpack(&left, unpacked, &mut self.unpacked);
                self.give_pages(self.offset, packed, unpacked, sink);
                sink(damage);
            }
        }
        self.expect = Expect::End;
    }

    /// Gives the pages of the chunk that was unpacked last.
    fn give_pages(&self, offset: u64, packed: usize, unpacked: usize, sink: &mut dyn FnMut(Piece<'_>)) {
        let chunk = Chunk::new(offset, packed, unpacked);
        for (page, index) in self.unpacked.chunks(self.page_size).zip(0..) {
            sink(Piece::Page(page, chunk, index));
        }
    }

    /// Bytes of the next structure.
    fn needed(&self) -> Option<usize> {
        match self.expect {
            Expect::Page => Some(self.page_size),
            Expect::ChunkCount => Some(4),
            Expect::ChunkHeader { .. } => Some(8),
            Expect::Chunk { packed, .. } => Some(packed),
            Expect::End => None,
        }
    }

    /// Takes in one whole structure.
    fn take(&mut self, structure: &[u8], sink: &mut dyn FnMut(Piece<'_>)) {
        let word = |at| self.endian.u32(structure, at).unwrap_or_default();
        let at = self.offset;
        self.offset += structure.len() as u64;
        self.expect = match self.expect {
            Expect::Page => {
                let whole = structure.len();
                sink(Piece::Page(structure, Chunk::new(at, whole, whole), 0));
                Expect::Page
            }
            Expect::ChunkCount => next_chunk(word(0)),
            Expect::ChunkHeader { left } => Expect::Chunk {
                left,
                packed: word(0) as usize,
                unpacked: word(4) as usize,
            },
            Expect::Chunk { left, unpacked, .. } => {
                let result = self.unpacker.unpack(structure, unpacked, &mut self.unpacked);
                self.give_pages(at, structure.len(), unpacked, sink);
                if let Err(error) = result {
                    sink(Piece::Damage(PageDamage {
                        offset: at,
                        what: format!(
                            "a chunk of {} does not unpack: {error}",
                            counted(structure.len() as u64, "byte")
                        ),
                        truncated: false,
                    }));
                }
                next_chunk(left - 1)
            }
            Expect::End => Expect::End,
        };
    }
}

fn next_chunk(left: u32) -> Expect {
    match left {
        0 => Expect::End,
        left => Expect::ChunkHeader { left },
    }
}
