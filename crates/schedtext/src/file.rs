//! An opened scenario.

use schedrows::{Diagnostic, RowKind};
use schedrows::{ErrorKind, ReadAt, ReadError, Scanner, Source, SourceError, SourceInfo, Stream, Want};

use crate::scan::{Facts, Mistake, Reader, TextScanner, OTHER_EVENT, TITLE, VERSION};

/// The format's name.
pub const FORMAT: &str = "scenario";

/// Bytes read at a time.
const READ_SIZE: u64 = 64 << 10;

/// Whether a file with these first bytes is a scenario.
pub fn is_scenario(head: &[u8]) -> bool {
    head.starts_with(TITLE.as_bytes())
}

/// A scenario that was read once, to its end, and found without a mistake.
#[derive(Debug)]
pub struct ScenarioFile<R> {
    input: R,
    facts: Facts,
}

impl<R: ReadAt> ScenarioFile<R> {
    /// Checks the whole text; its rows are made later, by scanners.
    pub fn open(input: R) -> Result<Self, SourceError> {
        let mut reader = Reader::checking();
        Stream::whole(&input).read(&input, READ_SIZE, &mut |bytes| reader.push(bytes))?;
        reader.end();
        let facts = reader.facts;
        match facts.mistake {
            Some(mistake) => Err(error(mistake)),
            None => Ok(ScenarioFile { input, facts }),
        }
    }

    /// The file's bytes.
    pub fn bytes(&self) -> &R {
        &self.input
    }
}

fn error(mistake: Mistake) -> SourceError {
    let Mistake { line, what, is_version } = mistake;
    let (kind, what, advice) = match is_version {
        true => (
            ErrorKind::Unsupported,
            format!("{what} is not supported"),
            "Open it with a newer Corelane.",
        ),
        false => (
            ErrorKind::Malformed,
            what,
            "Correct that line; docs/scenario.md describes the format.",
        ),
    };
    let place = format!("line {line}");
    SourceError {
        kind,
        message: format!("{place}: {what}"),
        what,
        place: Some(place),
        advice,
    }
}

impl<R: ReadAt> Source for ScenarioFile<R> {
    fn info(&self) -> SourceInfo {
        SourceInfo {
            format: FORMAT,
            version: VERSION,
            cpu_count: self.facts.cpu_count,
            clock: self.facts.clock.clone(),
            clock_is_ns: true,
            uname: self.facts.uname.clone(),
            has_text: false,
            ..SourceInfo::default()
        }
    }

    fn diagnostics(&self) -> &[Diagnostic] {
        &[]
    }

    fn input(&self) -> &dyn ReadAt {
        &self.input
    }

    fn streams(&self) -> Vec<Stream> {
        vec![Stream::whole(&self.input)]
    }

    fn scanner(&self, stream: usize, _want: Want) -> Option<Box<dyn Scanner>> {
        (stream == 0).then(|| Box::new(TextScanner(Reader::scanning())) as Box<dyn Scanner>)
    }

    fn first_ns(&self) -> Result<Option<u64>, ReadError> {
        Ok(self.facts.first_ns)
    }

    fn event_name(&self, id: u16) -> Option<(&str, &str)> {
        if id == OTHER_EVENT {
            return Some(("scenario", "other"));
        }
        RowKind::of_code(u8::try_from(id).ok()?)?.event_name()
    }
}
