//! Sources that had to be unpacked or put together in memory first.

use std::sync::Arc;

use containers::{Blocks, Problem};
use schedrows::{
    scan_stream, Diagnostic, DispatchQueue, ReadAt, ReadError, Scan, Scanner, Source, SourceError, SourceInfo, Stream,
    Want,
};
use schedtext::ScenarioFile;
use tracedat::file::TraceFile;

use crate::perfdata::PerfFile;
use crate::schedviz::SchedVizFile;
use crate::Import;

/// What is in memory.
pub(crate) enum Inner {
    TraceDat(Box<TraceFile<Blocks>>),
    Scenario(ScenarioFile<Blocks>),
    Perf(Box<PerfFile<Blocks>>),
    SchedViz(Box<SchedVizFile>),
    /// What was in an archive that was packed itself.
    Import(Box<Import<Blocks>>),
}

impl Inner {
    fn source_mut(&mut self) -> &mut dyn Source {
        match self {
            Inner::TraceDat(file) => file.as_mut(),
            Inner::Scenario(file) => file,
            Inner::Perf(file) => file.as_mut(),
            Inner::SchedViz(file) => file.as_mut(),
            Inner::Import(file) => file.as_mut(),
        }
    }

    fn source(&self) -> &dyn Source {
        match self {
            Inner::TraceDat(file) => file.as_ref(),
            Inner::Scenario(file) => file,
            Inner::Perf(file) => file.as_ref(),
            Inner::SchedViz(file) => file.as_ref(),
            Inner::Import(file) => file.as_ref(),
        }
    }
}

/// A file and what was made of it.
pub struct Held<R> {
    outer: R,
    inner: Arc<Inner>,
    diagnostics: Vec<Diagnostic>,
}

impl<R: ReadAt> Held<R> {
    /// `problems`: what was wrong with what was around it.
    pub(crate) fn new(outer: R, inner: Inner, problems: Vec<Problem>) -> Self {
        let mut diagnostics = inner.source().diagnostics().to_vec();
        diagnostics.extend(problems.into_iter().map(diagnostic));
        Held {
            outer,
            inner: Arc::new(inner),
            diagnostics,
        }
    }

    /// The file's bytes.
    pub fn bytes(&self) -> &R {
        &self.outer
    }

    /// The bytes of a trace.dat, if that is what was unpacked.
    pub fn into_trace_dat(self) -> Result<Blocks, Self> {
        let Held {
            outer,
            inner,
            diagnostics,
        } = self;
        let held = |inner| Held {
            outer,
            inner,
            diagnostics,
        };
        match Arc::try_unwrap(inner) {
            Ok(Inner::TraceDat(file)) => Ok(file.into_input()),
            Ok(other) => Err(held(Arc::new(other))),
            Err(inner) => Err(held(inner)),
        }
    }

    /// The same records and formats as a trace.dat file; `None` of a file that holds no formats.
    pub(crate) fn to_trace_dat(&self) -> Result<Option<Vec<u8>>, schedrows::SourceError> {
        match self.inner.as_ref() {
            Inner::TraceDat(file) => {
                let input = file.input();
                let mut bytes = vec![0; input.len() as usize];
                input.read_at(0, &mut bytes)?;
                Ok(Some(bytes))
            }
            Inner::Perf(file) => Ok(file.to_trace_dat()?),
            Inner::SchedViz(file) => Ok(Some(file.to_trace_dat()?)),
            Inner::Import(file) => file.to_trace_dat(),
            Inner::Scenario(_) => Ok(None),
        }
    }
}

/// What was wrong with what is around a trace, for people.
pub(crate) fn diagnostic(Problem { kind, text }: Problem) -> Diagnostic {
    Diagnostic {
        kind,
        cpu: None,
        at_ns: None,
        count: 1,
        text,
    }
}

/// Scans what is in memory; the file's bytes are only its progress.
struct HeldScanner {
    inner: Arc<Inner>,
    want: Want,
}

impl Scanner for HeldScanner {
    fn push(&mut self, _bytes: &[u8]) {}

    fn events(&self) -> u64 {
        0
    }

    fn finish(self: Box<Self>) -> Scan {
        let mut scan = Scan::default();
        let source = self.inner.source();
        for stream in 0..source.streams().len() {
            // Memory can be read.
            if let Ok(found) = scan_stream(source, stream, self.want, &mut |_| {}) {
                scan.cpus.extend(found.cpus);
            }
        }
        scan
    }
}

impl<R: ReadAt> Source for Held<R> {
    fn info(&self) -> SourceInfo {
        SourceInfo {
            // Where the records are would be said of the bytes in memory.
            has_text: false,
            ..self.inner.source().info()
        }
    }

    fn select_buffer(&mut self, name: &str) -> Result<(), SourceError> {
        match Arc::get_mut(&mut self.inner) {
            Some(inner) => inner.source_mut().select_buffer(name),
            // A scan has begun, which is of the buffer that was shown.
            None => Err(SourceError::no_buffers(self.inner.source().info().format)),
        }
    }

    fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }

    fn input(&self) -> &dyn ReadAt {
        &self.outer
    }

    fn streams(&self) -> Vec<Stream> {
        vec![Stream::whole(&self.outer)]
    }

    fn scanner(&self, stream: usize, want: Want) -> Option<Box<dyn Scanner>> {
        let inner = Arc::clone(&self.inner);
        let want = Want { index: false, ..want };
        (stream == 0).then(|| Box::new(HeldScanner { inner, want }) as Box<dyn Scanner>)
    }

    fn first_ns(&self) -> Result<Option<u64>, ReadError> {
        self.inner.source().first_ns()
    }

    fn event_name(&self, id: u16) -> Option<(&str, &str)> {
        self.inner.source().event_name(id)
    }

    fn queues(&self) -> &[DispatchQueue] {
        self.inner.source().queues()
    }
}
