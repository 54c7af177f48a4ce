//! An opened file of any of the formats here.

use std::sync::Arc;

use schedrows::{
    Diagnostic, DispatchQueue, ErrorKind, ReadAt, ReadError, Scanner, Source, SourceError, SourceInfo, Stream, Want,
};

use crate::held::{read_all, unpack, Held};
use crate::perfdata::{is_perf_data, PerfFile};
use crate::perfetto::{is_perfetto, PerfettoFile};
use crate::schedviz::{is_tar, SchedVizFile};
use crate::text::{is_text, TextFile};
use crate::unwrap::Wrapping;

/// First bytes by which the formats are recognised.
pub const HEAD: u64 = 4096;
/// First bytes of a packed file by which what is in it is recognised.
const PACKED_HEAD: u64 = 256 << 10;

/// Whether a file with these first bytes is packed as a whole. Perfetto traces that are need not be unpacked in memory.
pub fn is_packed(head: &[u8]) -> bool {
    Wrapping::of(head) != Wrapping::None && !is_perfetto(head)
}

/// An opened file.
pub enum Import<R> {
    /// perf.data.
    Perf(PerfFile<R>),
    /// A Perfetto trace.
    Perfetto(PerfettoFile<R>),
    /// Text.
    Text(Box<TextFile<R>>),
    /// What had to be unpacked or put together in memory first.
    Held(Held<R>),
}

impl<R: ReadAt> Import<R> {
    /// Opens a file of any of the formats.
    pub fn open(input: R) -> Result<Self, SourceError> {
        let mut head = vec![0; input.len().min(HEAD) as usize];
        input.read_at(0, &mut head)?;
        if is_perf_data(&head) {
            return PerfFile::open(input).map(Import::Perf);
        }
        if is_perfetto(&head) {
            return PerfettoFile::open(input).map(Import::Perfetto);
        }
        // Of zstd nothing comes out before a block is all there.
        if is_packed(&head) {
            let mut head = vec![0; input.len().min(PACKED_HEAD) as usize];
            input.read_at(0, &mut head)?;
            if is_perfetto(&head) {
                return PerfettoFile::open(input).map(Import::Perfetto);
            }
        }
        if !is_packed(&head) && !is_tar(&head) {
            return Ok(Import::Text(Box::new(TextFile::open(input)?)));
        }
        let bytes = unpack(read_all(&input)?);
        let head = bytes.get(..HEAD as usize).unwrap_or(&bytes);
        let inner: Arc<crate::held::Inner> = match () {
            () if is_tar(head) => Arc::new(SchedVizFile::open(&bytes)?),
            () if is_perf_data(head) => Arc::new(PerfFile::open(bytes)?),
            () if is_text(head) => Arc::new(TextFile::open(bytes)?),
            () => return Err(unknown()),
        };
        Ok(Import::Held(Held::new(input, inner)))
    }

    /// The file's bytes, as they were given to [`Import::open`].
    pub fn bytes(&self) -> &R {
        match self {
            Import::Perf(file) => file.bytes(),
            Import::Perfetto(file) => file.bytes(),
            Import::Text(file) => file.bytes(),
            Import::Held(file) => file.bytes(),
        }
    }

    /// The same records and formats as a trace.dat file, in memory; `None` of a file that holds no formats.
    pub fn to_trace_dat(&self) -> Result<Option<Vec<u8>>, SourceError> {
        match self {
            Import::Perf(file) => Ok(Some(file.to_trace_dat()?)),
            Import::Perfetto(_) | Import::Text(_) => Ok(None),
            Import::Held(file) => {
                let bytes = unpack(read_all(file.bytes())?);
                match () {
                    () if is_tar(&bytes) => Ok(Some(SchedVizFile::open(&bytes)?.to_trace_dat())),
                    () if is_perf_data(&bytes) => Ok(Some(PerfFile::open(bytes)?.to_trace_dat()?)),
                    () => Ok(None),
                }
            }
        }
    }

    fn source(&self) -> &dyn Source {
        match self {
            Import::Perf(file) => file,
            Import::Perfetto(file) => file,
            Import::Text(file) => file.as_ref(),
            Import::Held(file) => file,
        }
    }
}

fn unknown() -> SourceError {
    let what = "a packed file of a format that is not read from packed files".to_owned();
    SourceError {
        kind: ErrorKind::NotATrace,
        message: what.clone(),
        what,
        place: None,
        advice: "Unpack it, and open what is in it.",
    }
}

impl<R: ReadAt> Source for Import<R> {
    fn info(&self) -> SourceInfo {
        self.source().info()
    }

    fn select_buffer(&mut self, name: &str) -> Result<(), SourceError> {
        match self {
            Import::Perf(file) => file.select_buffer(name),
            Import::Perfetto(file) => file.select_buffer(name),
            Import::Text(file) => file.select_buffer(name),
            Import::Held(file) => file.select_buffer(name),
        }
    }

    fn diagnostics(&self) -> &[Diagnostic] {
        self.source().diagnostics()
    }

    fn input(&self) -> &dyn ReadAt {
        self.source().input()
    }

    fn streams(&self) -> Vec<Stream> {
        self.source().streams()
    }

    fn scanner(&self, stream: usize, want: Want) -> Option<Box<dyn Scanner>> {
        self.source().scanner(stream, want)
    }

    fn first_ns(&self) -> Result<Option<u64>, ReadError> {
        self.source().first_ns()
    }

    fn event_name(&self, id: u16) -> Option<(&str, &str)> {
        self.source().event_name(id)
    }

    fn queues(&self) -> &[DispatchQueue] {
        self.source().queues()
    }
}
