//! An opened text.

use std::sync::Mutex;

use containers::{Peel, Place, Problem};
use schedrows::{
    Diagnostic, ErrorKind, KnownTask, NoBuffer, ReadAt, ReadError, Scan, Scanner, Source, SourceError, SourceInfo,
    Stream, Want,
};

use crate::facts::Facts;
use crate::scan::{Reader, Settings};

/// The format's name.
pub const FORMAT: &str = "text";

/// Bytes read at a time.
const READ: u64 = 1 << 20;

const ADVICE: &str = "Open the text of /sys/kernel/tracing/trace, trace_pipe, `trace-cmd report` or `perf script`.";

/// Whether a file with these first bytes is text: no other format is.
pub fn is_text(head: &[u8]) -> bool {
    let is_text = |&byte: &u8| matches!(byte, b'\t' | b'\n' | b'\r' | 0x0c | 0x1b | 0x20..=0x7e | 0x80..);
    let mostly = head.iter().filter(|byte| byte.is_ascii()).count() * 2;
    !head.is_empty() && head.iter().all(is_text) && head.len() <= mostly
}

/// Whether these first bytes of a text hold events.
pub fn begins_with_events(head: &[u8]) -> bool {
    let mut reader = Reader::new(Settings::default());
    reader.push(head);
    reader.end();
    0 < reader.facts.events
}

/// Times that a text is read, at most: each thing that only the whole text tells needs one more.
const MOST_READS: usize = 5;

/// A text that was read to its end, since only there it is known what it says as a whole, and has events.
pub struct TextFile<R> {
    input: R,
    place: Place,
    settings: Settings,
    facts: Facts,
    diagnostics: Vec<Diagnostic>,
    /// What was found on the way, for the first scanner that is asked for.
    found: Mutex<Option<Scan>>,
}

/// A scanner that has found all before it is given the bytes.
struct Found(Scan);

impl Scanner for Found {
    fn push(&mut self, _bytes: &[u8]) {}

    fn events(&self) -> u64 {
        self.0.cpus.iter().map(|cpu| cpu.records).sum()
    }

    fn finish(self: Box<Self>) -> Scan {
        self.0
    }
}

/// A scanner that reads the text out of what is around it.
struct Peeled {
    peel: Peel,
    reader: Box<Reader>,
}

impl Scanner for Peeled {
    fn push(&mut self, bytes: &[u8]) {
        let Peeled { peel, reader } = self;
        peel.push(bytes, &mut |text| reader.push(text));
    }

    fn events(&self) -> u64 {
        self.reader.events()
    }

    fn finish(mut self: Box<Self>) -> Scan {
        let Peeled { peel, reader } = self.as_mut();
        peel.finish(&mut |text| reader.push(text));
        self.reader.finish()
    }
}

impl<R: ReadAt> TextFile<R> {
    /// Reads the whole text, which is at a place of a file.
    pub fn open(input: R, place: Place) -> Result<Self, SourceError> {
        let (settings, reader, problems) = read(&input, &place, Settings::default())?;
        if reader.facts.events == 0 {
            return Err(refusal(&reader.facts, &problems));
        }
        let mut file = TextFile {
            input,
            place,
            settings: Settings::default(),
            facts: Facts::default(),
            diagnostics: Vec::new(),
            found: Mutex::default(),
        };
        file.show(settings, reader, problems);
        Ok(file)
    }

    /// Keeps what was read.
    fn show(&mut self, settings: Settings, mut reader: Reader, problems: Vec<Problem>) {
        self.facts = std::mem::take(&mut reader.facts);
        let of_place = problems.into_iter().map(|Problem { kind, text }| Diagnostic {
            kind,
            cpu: None,
            at_ns: None,
            count: 1,
            text,
        });
        self.diagnostics = of_place.chain(self.facts.diagnostics(&settings)).collect();
        self.found = Mutex::new(Some(reader.into_scan(&self.facts)));
        self.settings = settings;
    }

    /// Whether lines name instances.
    fn names_buffers(&self) -> bool {
        !self.settings.instance.is_empty() || !self.facts.others.is_empty()
    }

    /// The file's bytes.
    pub fn bytes(&self) -> &R {
        &self.input
    }
}

/// What a text was read as, and what was wrong with what is around it.
type Read = (Settings, Reader, Vec<Problem>);

/// Reads a text, and reads it again as long as it has said how to read it better.
fn read(input: &dyn ReadAt, place: &Place, mut settings: Settings) -> Result<Read, ReadError> {
    let mut reads = 1;
    loop {
        let mut reader = Reader::new(settings.clone());
        let mut peel = place.peel();
        place.stream.read(input, READ, &mut |bytes| {
            peel.push(bytes, &mut |text| reader.push(text));
            !peel.is_done()
        })?;
        let problems = peel.finish(&mut |text| reader.push(text));
        reader.end();
        match reader.facts.better(&settings).filter(|_| reads < MOST_READS) {
            Some(better) => settings = better,
            None => return Ok((settings, reader, problems)),
        }
        reads += 1;
    }
}

/// Why a text without events is not opened.
fn refusal(facts: &Facts, problems: &[Problem]) -> SourceError {
    let error = |kind, what: String, place: Option<u64>, advice| {
        let place = place.map(|line| format!("line {line}"));
        SourceError {
            kind,
            message: place
                .iter()
                .map(|place| format!("{place}: {what}"))
                .next()
                .unwrap_or_else(|| what.clone()),
            what,
            place,
            advice,
        }
    };
    if let Some(line) = facts.raw_line {
        return error(
            ErrorKind::Unsupported,
            "a trace in raw format, which holds no events' fields".to_owned(),
            Some(line),
            "Read the trace again without the option: `echo 0 > /sys/kernel/tracing/options/raw`.",
        );
    }
    if let Some((what, line, advice)) = facts.unread.refusal() {
        return error(ErrorKind::Unsupported, what, Some(line), advice);
    }
    let first = facts.first_line.clone().unwrap_or_default();
    if let Some(problem) = problems.first() {
        let advice = "Save what is in it, and open that.";
        return error(ErrorKind::Unsupported, problem.text.clone(), None, advice);
    }
    if first.starts_with('[') {
        return error(
            ErrorKind::Unsupported,
            "JSON, as Chrome's traces and profiles are: slices of programs, and no scheduler's events".to_owned(),
            None,
            "Record the scheduler with `trace-cmd record -e sched`, `perf sched record` or Perfetto.",
        );
    }
    if first.starts_with("/* CTF") {
        return error(
            ErrorKind::Unsupported,
            "the metadata of a CTF trace (LTTng)".to_owned(),
            None,
            "Open it with Trace Compass, or record with `trace-cmd record -e sched`.",
        );
    }
    error(
        ErrorKind::NotATrace,
        format!("not a trace.dat file, and no line of this text is one of a trace; it begins {first:?}"),
        Some(1),
        ADVICE,
    )
}

impl<R: ReadAt> Source for TextFile<R> {
    fn info(&self) -> SourceInfo {
        let facts = &self.facts;
        let tasks = facts.tasks.iter().map(|(&pid, (comm, tgid))| KnownTask {
            pid,
            tgid: *tgid,
            comm: comm.clone(),
        });
        SourceInfo {
            format: FORMAT,
            version: 1,
            cpu_count: facts.cpu_count,
            clock_is_ns: facts.is_ticks != Some(true),
            cannot_tell: facts.cannot_tell(),
            tasks: tasks.collect(),
            buffer: self.names_buffers().then(|| self.settings.instance.clone()),
            ..SourceInfo::default()
        }
    }

    fn select_buffer(&mut self, name: &str) -> Result<(), SourceError> {
        let settings = Settings {
            instance: name.to_owned(),
            is_chosen: true,
            ..self.settings.clone()
        };
        let (settings, reader, problems) = read(&self.input, &self.place, settings)?;
        if reader.facts.events == 0 {
            let there = reader.facts.others.keys().cloned().collect();
            let name = name.to_owned();
            return Err(NoBuffer { name, there }.into());
        }
        self.show(settings, reader, problems);
        Ok(())
    }

    fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }

    fn input(&self) -> &dyn ReadAt {
        &self.input
    }

    fn streams(&self) -> Vec<Stream> {
        vec![self.place.stream]
    }

    fn scanner(&self, stream: usize, _want: Want) -> Option<Box<dyn Scanner>> {
        let found = || self.found.lock().ok().and_then(|mut found| found.take());
        (stream == 0).then(|| match found() {
            Some(found) => Box::new(Found(found)) as Box<dyn Scanner>,
            None => Box::new(Peeled {
                peel: self.place.peel(),
                reader: Box::new(Reader::new(self.settings.clone())),
            }),
        })
    }

    fn first_ns(&self) -> Result<Option<u64>, ReadError> {
        Ok(self.facts.first_ns)
    }

    fn event_name(&self, id: u16) -> Option<(&str, &str)> {
        let (system, name) = self.facts.names.get(usize::from(id))?;
        Some((system, name))
    }
}
