//! An opened file of any of the formats here.

use containers::{Blocks, Place, Rank, Unpacked};
use schedrows::{
    Diagnostic, DispatchQueue, ErrorKind, ReadAt, ReadError, Scanner, Source, SourceError, SourceInfo, Stream, Want,
};
use schedtext::{is_scenario, ScenarioFile};
use tracedat::file::{is_trace_dat, TraceFile};

use crate::held::{Held, Inner};
use crate::perfdata::{is_perf_data, PerfFile};
use crate::perfetto::{is_perfetto, PerfettoFile};
use crate::schedviz::{is_tar, SchedVizFile};
use crate::tar;
use crate::text::{begins_with_events, is_text, TextFile};

/// First bytes by which the formats are recognised.
pub const HEAD: u64 = containers::HEAD as u64;

/// Archives in packed files, one in the other.
const MOST_ARCHIVES: u8 = 2;

/// What the first bytes of a file in an archive say about it.
fn rank(head: &[u8]) -> Rank {
    let is_certain = is_trace_dat(head) || is_scenario(head) || is_perf_data(head) || is_perfetto(head) || is_tar(head);
    match () {
        () if is_certain => Rank::Certain,
        () if is_text(head) && begins_with_events(head) => Rank::Text,
        () if is_text(head) => Rank::Prose,
        () => Rank::No,
    }
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
    /// Opens a file of any of the formats; inside of containers, a trace.dat and a scenario, too.
    pub fn open(input: R) -> Result<Self, SourceError> {
        Import::open_in(input, MOST_ARCHIVES)
    }

    /// `archives`: how many archives may follow that are packed themselves.
    fn open_in(input: R, archives: u8) -> Result<Self, SourceError> {
        let mut head = vec![0; input.len().min(HEAD) as usize];
        input.read_at(0, &mut head)?;
        if is_perf_data(&head) {
            return PerfFile::open(input).map(Import::Perf);
        }
        if is_perfetto(&head) {
            let place = Place::whole(&input);
            return PerfettoFile::open(input, place).map(Import::Perfetto);
        }
        if is_tar(&head) {
            let place = Place::whole(&input);
            return Import::open_tar(input, &place, archives);
        }
        let Some(place) = Place::find(&input, &rank)? else {
            let place = Place::whole(&input);
            return Ok(Import::Text(Box::new(TextFile::open(input, place)?)));
        };
        let head = place.head.as_slice();
        if is_perfetto(head) {
            return PerfettoFile::open(input, place).map(Import::Perfetto);
        }
        if is_tar(head) {
            return Import::open_tar(input, &place, archives);
        }
        if is_text(head) && !is_scenario(head) {
            return Ok(Import::Text(Box::new(TextFile::open(input, place)?)));
        }
        let is_archive = containers::is_container(head) && 0 < archives;
        if !is_archive && !is_trace_dat(head) && !is_scenario(head) && !is_perf_data(head) {
            return Err(unknown(head));
        }
        let Unpacked { bytes, problems } = place.unpack(&input)?;
        let inner = Inner::open(bytes, archives.saturating_sub(1))?;
        Ok(Import::Held(Held::new(input, inner, problems)))
    }

    /// Opens a tar: SchedViz's, whose pages are put together in memory, or one with a trace among its files.
    fn open_tar(input: R, place: &Place, archives: u8) -> Result<Self, SourceError> {
        let (inner, problems) = match SchedVizFile::open(&input, place) {
            Ok((file, problems)) => (Inner::SchedViz(Box::new(file)), problems),
            Err(error) if error.kind == ErrorKind::NotATrace && 0 < archives => {
                let Unpacked { bytes, problems } = tar::trace_in(&input, place, &rank)?.ok_or(error)?;
                (Inner::open(bytes, archives - 1)?, problems)
            }
            Err(error) => return Err(error),
        };
        Ok(Import::Held(Held::new(input, inner, problems)))
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
            Import::Perf(file) => Ok(file.to_trace_dat()?),
            Import::Perfetto(_) | Import::Text(_) => Ok(None),
            Import::Held(file) => file.to_trace_dat(),
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

impl Inner {
    /// Opens what was unpacked. `archives`: how many archives may follow.
    fn open(bytes: Blocks, archives: u8) -> Result<Inner, SourceError> {
        let mut head = vec![0; bytes.len().min(HEAD) as usize];
        bytes.read_at(0, &mut head)?;
        Ok(match head.as_slice() {
            head if is_trace_dat(head) => Inner::TraceDat(Box::new(TraceFile::open(bytes)?)),
            head if is_scenario(head) => Inner::Scenario(ScenarioFile::open(bytes)?),
            head if is_perf_data(head) => Inner::Perf(Box::new(PerfFile::open(bytes)?)),
            _ => Inner::Import(Box::new(Import::open_in(bytes, archives)?)),
        })
    }
}

fn unknown(head: &[u8]) -> SourceError {
    let what = match head.is_empty() {
        true => "a packed file with nothing in it".to_owned(),
        false => "a packed file that holds no trace".to_owned(),
    };
    SourceError {
        kind: ErrorKind::NotATrace,
        message: what.clone(),
        what,
        // It is this file that is meant, whatever else was tried.
        place: Some("in the packed file".to_owned()),
        advice: "Unpack it, and look at what is in it.",
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
