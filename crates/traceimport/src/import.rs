//! An opened file of any of the formats here.

use schedrows::{Diagnostic, DispatchQueue, ReadAt, ReadError, Scanner, Source, SourceError, SourceInfo, Stream, Want};

use crate::perfdata::{is_perf_data, PerfFile};
use crate::perfetto::{is_perfetto, PerfettoFile};

/// First bytes by which the formats are recognised.
pub const HEAD: u64 = 4096;

/// Whether a file that begins with these bytes is opened here.
pub fn opens(head: &[u8]) -> bool {
    is_perf_data(head) || is_perfetto(head)
}

/// An opened file.
pub enum Import<R> {
    /// perf.data.
    Perf(PerfFile<R>),
    /// A Perfetto trace.
    Perfetto(PerfettoFile<R>),
}

impl<R: ReadAt> Import<R> {
    /// Opens a file of which [`opens`] is true.
    pub fn open(input: R) -> Result<Self, SourceError> {
        let mut head = vec![0; input.len().min(HEAD) as usize];
        input.read_at(0, &mut head)?;
        match is_perfetto(&head) {
            true => PerfettoFile::open(input).map(Import::Perfetto),
            false => PerfFile::open(input).map(Import::Perf),
        }
    }

    /// The file's bytes, as they were given to [`Import::open`].
    pub fn bytes(&self) -> &R {
        match self {
            Import::Perf(file) => file.bytes(),
            Import::Perfetto(file) => file.bytes(),
        }
    }

    fn source(&self) -> &dyn Source {
        match self {
            Import::Perf(file) => file,
            Import::Perfetto(file) => file,
        }
    }
}

impl<R: ReadAt> Source for Import<R> {
    fn info(&self) -> SourceInfo {
        self.source().info()
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
