//! An opened file of any format.

use schedrows::{Diagnostic, DispatchQueue, ReadAt, ReadError, Scanner, Source, SourceError, SourceInfo, Stream, Want};
use schedtext::ScenarioFile;
use tracedat::file::TraceFile;
use traceimport::Import;

/// An opened file, by its format: what only one format has is asked of that variant.
pub enum AnySource<R: ReadAt> {
    /// A trace.dat file.
    TraceDat(Box<TraceFile<R>>),
    /// A scenario.
    Scenario(ScenarioFile<R>),
    /// A trace that another tool recorded.
    Import(Box<Import<R>>),
}

impl<R: ReadAt> AnySource<R> {
    /// The file's bytes, as they were given to [`open`](crate::open).
    pub fn bytes(&self) -> &R {
        match self {
            AnySource::TraceDat(file) => file.input(),
            AnySource::Scenario(file) => file.bytes(),
            AnySource::Import(file) => file.bytes(),
        }
    }

    fn source(&self) -> &dyn Source {
        match self {
            AnySource::TraceDat(file) => file.as_ref(),
            AnySource::Scenario(file) => file,
            AnySource::Import(file) => file.as_ref(),
        }
    }
}

impl<R: ReadAt> Source for AnySource<R> {
    fn info(&self) -> SourceInfo {
        self.source().info()
    }

    fn select_buffer(&mut self, name: &str) -> Result<(), SourceError> {
        match self {
            AnySource::TraceDat(file) => Source::select_buffer(file.as_mut(), name),
            AnySource::Scenario(file) => file.select_buffer(name),
            AnySource::Import(file) => file.select_buffer(name),
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
