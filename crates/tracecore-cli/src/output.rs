//! Files that commands write: as a whole or not at all.

use std::fs::{self, Metadata};
use std::io::{self, BufWriter, Seek, Write};
use std::path::{Path, PathBuf};

use tracedat::cut::{CutError, Written};
use traceexport::perfetto::PerfettoError;

use crate::input::FileArgs;
use crate::part::Part;
use crate::visible::shown;
use crate::Failure;

/// Links that are followed to a file, as the kernel limits them.
const MOST_LINKS: usize = 40;

/// Where a command writes. What cannot be written is refused when this is made, before any work is done.
pub struct Target {
    /// As the user named it.
    name: PathBuf,
    kind: Kind,
}

enum Kind {
    /// Standard output, under whatever name.
    Standard,
    /// A pipe, a device or a file that is open already: it gets what is written at its end.
    Stream(fs::File),
    /// A file that is made, or replaced in one step.
    File {
        path: PathBuf,
        part: Part,
        replaced: Option<Box<Metadata>>,
    },
}

impl Target {
    /// A file that a command writes, which must not be one of the traces that it reads.
    pub fn new<'a>(output: &Path, traces: impl IntoIterator<Item = &'a Path>) -> Result<Target, Failure> {
        for trace in traces {
            refuse_same(trace, output)?;
        }
        let kind = Kind::of(output).map_err(|error| named(output, &error))?;
        Ok(Target {
            name: output.to_owned(),
            kind,
        })
    }

    /// A regular file; other targets are refused, with the reason `why`.
    pub fn file(output: &Path, why: &str) -> Result<Target, Failure> {
        let target = Target::new(output, [])?;
        match target.kind {
            Kind::File { .. } => Ok(target),
            _ => Err(Failure(format!("{}: {why}", shown(output)))),
        }
    }

    /// Whether it is standard output: what is said about it then goes to standard error.
    pub fn is_standard(&self) -> bool {
        matches!(self.kind, Kind::Standard)
    }

    /// The unfinished file, for what is written by another program.
    pub fn part(&self) -> Option<&Part> {
        match &self.kind {
            Kind::File { part, .. } => Some(part),
            _ => None,
        }
    }

    /// Writes the file, and puts it into its place if nothing failed.
    pub fn write<T>(self, write: impl FnOnce(&mut BufWriter<&fs::File>) -> io::Result<T>) -> Result<T, Failure> {
        let Target { name, kind } = self;
        let written = match kind {
            Kind::File { path, part, replaced } => {
                filled(&part, write).and_then(|written| part.replace(&path, replaced.as_deref()).map(|()| written))
            }
            Kind::Stream(stream) => spooled(write, &mut &stream),
            Kind::Standard => spooled(write, &mut io::stdout().lock()),
        };
        written.map_err(|error| named(&name, &error))
    }

    /// Puts the file into its place that another program has written.
    pub fn finish(self) -> Result<(), Failure> {
        self.write(|_| Ok(()))
    }
}

impl Kind {
    fn of(output: &Path) -> io::Result<Kind> {
        if is_standard_output(output) {
            return Ok(Kind::Standard);
        }
        let path = without_links(output)?;
        let replaced = match fs::metadata(&path) {
            Ok(metadata) => Some(metadata),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(error),
        };
        if let Some(metadata) = &replaced {
            if metadata.is_dir() {
                return Err(io::ErrorKind::IsADirectory.into());
            }
            if !metadata.is_file() || is_descriptor(&path) {
                return Ok(Kind::Stream(fs::File::options().append(true).open(&path)?));
            }
            if metadata.permissions().readonly() {
                let error = "the file is read-only; write to another file, or permit writing (chmod u+w)";
                return Err(io::Error::new(io::ErrorKind::PermissionDenied, error));
            }
            // Replacing it would not ask whether it may be written.
            fs::File::options().write(true).open(&path)?;
        }
        let part = Part::beside(&path, replaced.is_some())?;
        let replaced = replaced.map(Box::new);
        Ok(Kind::File { path, part, replaced })
    }
}

fn named(output: &Path, error: &io::Error) -> Failure {
    Failure(format!("{}: {error}", shown(output)))
}

fn filled<T>(part: &Part, write: impl FnOnce(&mut BufWriter<&fs::File>) -> io::Result<T>) -> io::Result<T> {
    let mut out = BufWriter::new(part.file());
    let written = write(&mut out)?;
    out.flush()?;
    Ok(written)
}

/// Writes a file for what cannot be written at several places, as formats are, and copies it there.
fn spooled<T>(write: impl FnOnce(&mut BufWriter<&fs::File>) -> io::Result<T>, to: &mut impl Write) -> io::Result<T> {
    let folder = std::env::temp_dir();
    let of_folder = |error: io::Error| io::Error::new(error.kind(), format!("{}: {error}", shown(&folder)));
    let part = Part::beside(&folder.join("spool"), true).map_err(of_folder)?;
    let written = filled(&part, write)?;
    let mut file = part.file();
    file.rewind()?;
    match io::copy(&mut file, to).and_then(|_| to.flush()) {
        // A reader that has seen enough is no failure.
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error),
        _ => Ok(written),
    }
}

/// The file that a path leads to, which need not exist.
fn without_links(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..MOST_LINKS {
        match fs::read_link(&path) {
            Ok(to) if !is_descriptor(&path) => path = path.parent().unwrap_or(Path::new("")).join(to),
            _ => return Ok(path),
        }
    }
    Err(io::Error::other("too many links lead from one to the next"))
}

/// Whether a path names a file that is open.
fn is_descriptor(path: &Path) -> bool {
    cfg!(unix) && (path.starts_with("/dev/fd") || path.starts_with("/proc"))
}

/// Whether a path leads to the file or pipe that is standard output; `-` does.
#[cfg(unix)]
pub fn is_standard_output(path: &Path) -> bool {
    use std::os::fd::AsFd;
    use std::os::unix::fs::MetadataExt;
    let standard = io::stdout().as_fd().try_clone_to_owned().map(fs::File::from);
    match (standard.and_then(|file| file.metadata()), fs::metadata(path)) {
        _ if path == Path::new("-") => true,
        (Ok(standard), Ok(path)) => (standard.dev(), standard.ino()) == (path.dev(), path.ino()),
        _ => false,
    }
}

#[cfg(not(unix))]
pub fn is_standard_output(path: &Path) -> bool {
    path == Path::new("-")
}

/// Why a part of a trace was not written.
pub enum Fault {
    /// The trace could not be read, or has no such part.
    Trace(String),
    /// The file could not be written.
    Output(io::Error),
}

impl From<io::Error> for Fault {
    fn from(error: io::Error) -> Self {
        Fault::Output(error)
    }
}

impl From<CutError> for Fault {
    fn from(error: CutError) -> Self {
        match error {
            CutError::Write(error) => Fault::Output(error),
            error => Fault::Trace(error.to_string()),
        }
    }
}

impl From<PerfettoError> for Fault {
    fn from(error: PerfettoError) -> Self {
        match error {
            PerfettoError::Write(error) => Fault::Output(error),
            error => Fault::Trace(error.to_string()),
        }
    }
}

/// Writes a part of a trace. What goes wrong with the trace is no fault of the output, and the other way round.
pub fn write_whole<F: Into<Fault>>(
    trace: &FileArgs,
    target: Target,
    write: impl FnOnce(&mut BufWriter<&fs::File>) -> Result<Written, F>,
) -> Result<Written, Failure> {
    let mut failed = None;
    let written = target.write(|out| {
        write(out).map_err(|fault| match fault.into() {
            Fault::Output(error) => error,
            Fault::Trace(error) => {
                failed = Some(error);
                io::ErrorKind::Other.into()
            }
        })
    });
    match failed {
        Some(error) => Err(Failure(format!("{}: {error}", shown(&trace.file)))),
        None => written,
    }
}

/// The trace itself is not overwritten: what is written may be a part of it, or a picture.
fn refuse_same(trace: &Path, output: &Path) -> Result<(), Failure> {
    let same = match (fs::canonicalize(trace), fs::canonicalize(output)) {
        (Ok(trace), Ok(output)) => trace == output,
        _ => false,
    };
    match same {
        true => Err(Failure(format!(
            "{}: is the trace itself; write to another file",
            shown(output)
        ))),
        false => Ok(()),
    }
}
