//! What is around a trace: packings (gzip, zstd, `atrace -z`), zip archives, UTF-16, line ends, mails (quoted-printable, base64),
//! and pages and JSON that hold the text of a trace.
//!
//! [`Place::find`] looks at a file's first bytes and says where in it a trace's bytes are and what is around them; a [`Peel`]
//! takes that off as the bytes come, layer by layer, so that nothing is held but what the layers themselves need. Formats that
//! are read at any place are unpacked into [`Blocks`] first, up to [`MOST`] bytes.
//!
//! `layer` recognises a layer by its first bytes, `peel` joins layers; `packed`, `utf16`, `carriage`, `mail`, `json` and `html` are
//! one layer each. `choice` finds the trace among the files of an archive, `zip` reads one.

mod blocks;
mod carriage;
mod choice;
mod html;
mod json;
mod layer;
mod mail;
mod packed;
mod peel;
mod place;
mod utf16;
mod zip;
mod zstd;

pub use blocks::Blocks;
pub use choice::{is_of_the_system, only_trace};
pub use packed::STEP;
pub use peel::{Peel, Problem, Take};
pub use place::{Place, Rank, Unpacked};
pub use zstd::{Damaged, ZstdStream};

/// The most bytes that are unpacked, but of Perfetto's traces: a bomb has more.
pub const MOST: u64 = 1 << 30;

/// First bytes by which what is in a container is recognised.
pub const HEAD: usize = 4096;

/// Whether a file with these first bytes, as many as [`HEAD`] or all, is in a container, as far as they tell.
pub fn is_container(head: &[u8]) -> bool {
    zip::is_zip(head) || place::other_packing(head).is_some() || layer::layer_of(head, 1).is_some()
}
