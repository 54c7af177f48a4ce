//! What every format of traces gives: a [`Source`] says what a file holds and in which [`Stream`]s; a [`Scanner`] turns a
//! stream's bytes into rows.
//!
//! Nothing here reads or waits: clients fetch a stream's bytes in any way (threads of the command line, a byte stream of a
//! browser's worker) and push them. Only blocks of bytes go through trait objects, never rows.

mod cannot_tell;
mod error;
mod fingerprint;
mod read_at;

pub use cannot_tell::CannotTell;
pub use error::{ErrorKind, NoBuffer, ReadError, SourceError};
pub use fingerprint::fingerprint;
pub use read_at::ReadAt;

use crate::queue::DispatchQueue;
use crate::row::{CpuScan, Diagnostic, DiagnosticKind, FileFacts};

/// Bytes read at a time: large enough for the input's overhead not to matter, small enough for a cache.
const READ_SIZE: u64 = 1 << 20;

/// What a file says about itself, whatever its format.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SourceInfo {
    /// The format's name, as in `trace.dat`.
    pub format: &'static str,
    /// The version of the format that the file has.
    pub version: u32,
    /// CPUs of the traced system, with or without data: `0..cpu_count`.
    pub cpu_count: u32,
    /// The trace clock's name, where the file says it.
    pub clock: Option<String>,
    /// Whether times are nanoseconds; else they are the clock's raw ticks.
    pub clock_is_ns: bool,
    /// The traced system, as `uname` prints it, where the file says it.
    pub uname: Option<String>,
    /// Whether the file holds the text of its records: then a scan can leave an index of them ([`Want::index`]).
    pub has_text: bool,
    /// The program that wrote the file, where it is one that does not write all that the format has.
    pub writer: Option<String>,
    /// What no row of the file can say. The model takes it for unknown.
    pub cannot_tell: CannotTell,
    /// The machine's topology in its canonical text, where the file has it.
    pub topology: Option<String>,
    /// What the file says of tasks besides its events.
    pub tasks: Vec<KnownTask>,
    /// The buffer that is shown, where the file names buffers; empty for the main one.
    pub buffer: Option<String>,
}

/// A task that a file names besides its events.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KnownTask {
    /// Its thread id.
    pub pid: i32,
    /// The thread id of its process's leader, where that is known.
    pub tgid: Option<i32>,
    /// Its name.
    pub comm: String,
}

/// Bytes that are scanned together and in order. A file's streams are scanned independently of each other, in parallel; all
/// that is known of a CPU is in one of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stream {
    /// The CPU whose bytes these are; `None` for those of several CPUs.
    pub cpu: Option<u32>,
    /// Where they begin in the file.
    pub offset: u64,
    /// How many there are.
    pub size: u64,
}

impl Stream {
    /// All of a file's bytes, which are of several CPUs.
    pub fn whole(input: &dyn ReadAt) -> Stream {
        Stream {
            cpu: None,
            offset: 0,
            size: input.len(),
        }
    }

    /// Hands the stream's bytes to `take`, at most `step` at a time, until it returns false.
    pub fn read(&self, input: &dyn ReadAt, step: u64, take: &mut dyn FnMut(&[u8]) -> bool) -> Result<(), ReadError> {
        let mut buffer = vec![0; self.size.min(step) as usize];
        let mut done = 0;
        while done < self.size {
            buffer.truncate((self.size - done).min(step) as usize);
            input.read_at(self.offset + done, &mut buffer)?;
            done += buffer.len() as u64;
            if !take(&buffer) {
                break;
            }
        }
        Ok(())
    }
}

/// What a scan is to leave besides rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Want {
    /// Where the records are, for the list of events; of sources with text alone.
    pub index: bool,
    /// System calls and interrupts ([`CpuScan::kernel`]). They do not cross to another worker: see [`wire`](crate::wire).
    pub kernel: bool,
}

/// What a scan of a stream leaves.
#[derive(Clone, Debug, Default)]
pub struct Scan {
    /// Each CPU of the stream.
    pub cpus: Vec<CpuScan>,
    /// If it was wanted and the source has text: where the records are, as bytes that the format itself understands.
    pub index: Option<Vec<u8>>,
}

/// A stream's scan under way. It never fails: damage becomes diagnostics and lost stretches.
pub trait Scanner {
    /// Takes the next bytes of the stream, in pieces of any size.
    fn push(&mut self, bytes: &[u8]);

    /// Records so far, of every kind.
    fn events(&self) -> u64;

    /// No more bytes come: what was found.
    fn finish(self: Box<Self>) -> Scan;
}

/// An opened file of any format.
pub trait Source {
    /// What the file says about itself.
    fn info(&self) -> SourceInfo;

    /// What was wrong with the file as a whole.
    fn diagnostics(&self) -> &[Diagnostic];

    /// The file's bytes.
    fn input(&self) -> &dyn ReadAt;

    /// What is to be scanned.
    fn streams(&self) -> Vec<Stream>;

    /// A scanner for the stream at this position of [`Source::streams`]; `None` when there is no such stream. It owns what
    /// it needs, and waits for the stream's bytes, from their start.
    fn scanner(&self, stream: usize, want: Want) -> Option<Box<dyn Scanner>>;

    /// Time of the earliest record of any CPU, without reading more than it takes to find it.
    fn first_ns(&self) -> Result<Option<u64>, ReadError>;

    /// Scans what is at `share` of a stream's bytes, 0 being its begin and 1 its end: what the trace is like before it is
    /// scanned. The scan tells of what is missing before it as it does of lost events. `None` where the format cannot tell
    /// where in a stream its rows begin, and where nothing is.
    fn sample(&self, stream: usize, share: f64) -> Result<Option<CpuScan>, ReadError> {
        let _ = (stream, share);
        Ok(None)
    }

    /// System and name of the events that [`CpuScan::events`] counts by this id; `None` where the format has no names for
    /// them.
    fn event_name(&self, id: u16) -> Option<(&str, &str)> {
        let _ = id;
        None
    }

    /// What the file has of dispatch queues, ascending by their numbers.
    fn queues(&self) -> &[DispatchQueue] {
        &[]
    }

    /// Shows the buffer of this name; the main one has the empty name. Scans that were made before are of another buffer.
    fn select_buffer(&mut self, name: &str) -> Result<(), SourceError> {
        let _ = name;
        Err(SourceError::no_buffers(self.info().format))
    }

    /// What the model is to know of the file besides its streams.
    fn facts(&self) -> FileFacts {
        let SourceInfo {
            format,
            cannot_tell,
            tasks,
            ..
        } = self.info();
        let mut diagnostics = self.diagnostics().to_vec();
        diagnostics.extend(cannot_tell.texts().map(|text| Diagnostic {
            kind: DiagnosticKind::MissingEvent,
            cpu: None,
            at_ns: None,
            count: 1,
            text: format!("this {format} does not tell {text}"),
        }));
        FileFacts {
            diagnostics,
            cannot_tell,
            tasks,
        }
    }

    /// Tells whether a link belongs to this file; see [`fingerprint`].
    fn fingerprint(&self) -> Result<u64, ReadError> {
        fingerprint(self.input())
    }
}

/// Scans all of a stream; `watch` is called with the size of each piece that is finished. The only errors are the input's.
pub fn scan_stream(
    source: &(impl Source + ?Sized),
    stream: usize,
    want: Want,
    watch: &mut dyn FnMut(u64),
) -> Result<Scan, ReadError> {
    let streams = source.streams();
    let (Some(bytes), Some(mut scanner)) = (streams.get(stream), source.scanner(stream, want)) else {
        return Ok(Scan::default());
    };
    bytes.read(source.input(), READ_SIZE, &mut |piece| {
        scanner.push(piece);
        watch(piece.len() as u64);
        true
    })?;
    Ok(scanner.finish())
}
