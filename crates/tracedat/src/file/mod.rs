//! The trace.dat file: versions 6 and 7, all that `trace-cmd.dat.v6(5)` and `trace-cmd.dat.v7(5)` describe of metadata,
//! and the unpacking of trace data into pages.

mod clock;
mod compression;
mod cursor;
mod event_table;
mod header;
mod metadata;
mod option_value;
pub(crate) mod options;
mod page_size;
mod pages;
mod recover;
mod sections;
mod shown;
mod tables;
mod texts;
mod time_shift;
mod trace_file;
mod v6;
mod v7;
mod zstd;

pub use header::{Buffer, Compression, CpuExtent, Header, LatencyText, OptionInfo};
pub use option_value::{Guest, OptionValue};
pub use schedrows::NoBuffer;
pub use schedrows::ReadAt;
pub use sections::SectionInfo;
pub use tables::TableCounts;
pub use trace_file::{is_trace_dat, TraceFile};
pub use traceevent::Endian;

pub(crate) use clock::TimeScale;
pub(crate) use compression::{Codec, Unpacker};
pub(crate) use event_table::EventTable;
pub(crate) use pages::{Chunk, PageStream, Piece};
pub(crate) use trace_file::DataFormat;
pub(crate) use v6::{FLYRECORD, OPTIONS};
pub(crate) use v7::{Section, COMPRESSED, SECTION_HEADER};
