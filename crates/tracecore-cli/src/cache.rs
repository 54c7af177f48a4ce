//! Models of traces that were opened before, in a folder of the user's: opening one again is reading it.
//!
//! A model is good for the same file (its path, buffer, size, time of change and fingerprint) and the same program. What
//! cannot be read or written is as if it were not there: a cache never makes a command fail.

use std::ffi::OsStr;
use std::fmt::Write as _;
use std::fs::{self, File};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{Builder, JoinHandle};
use std::time::{SystemTime, UNIX_EPOCH};

use clap::Args;
use indicatif::HumanBytes;
use schedmodel::Trace;
use schedrows::Source;

use crate::part::{Part, EXTENSION as EXTENSION_OF_PARTS};
use crate::visible::shown;
use crate::Failure;

/// Names the folder, in place of the system's; empty for no cache.
const FOLDER: &str = "CORELANE_CACHE";
/// Smaller files are read as quickly as their models.
const SMALLEST: u64 = 4 << 20;
/// Bytes of all models. When there are more, those that were used least recently go.
const LARGEST: u64 = 4 << 30;
/// How the files are called that the cache may remove. Those that are being written are [`Part`]s.
const EXTENSION: &str = "model";

/// Keeps models, in the end all of those that it was given: it waits for them when it is dropped.
#[derive(Debug, Default)]
pub struct Cache {
    folder: Folder,
    /// Whether models are written while their traces are asked already.
    aside: bool,
    /// The one that is being written; there is never another, so that at most one trace is in memory for nothing else.
    writing: Mutex<Option<JoinHandle<()>>>,
}

/// The folder of models; `None`: nothing is kept.
#[derive(Clone, Debug, Default)]
struct Folder(Option<PathBuf>);

impl Drop for Cache {
    fn drop(&mut self) {
        end(self.writing.get_mut().unwrap_or_else(PoisonError::into_inner));
    }
}

/// Waits until nothing is being written.
fn end(writing: &mut Option<JoinHandle<()>>) {
    // Where a panic does not end the program, it has said so.
    let _ = writing.take().map(JoinHandle::join);
}

impl Cache {
    /// Where the environment says; on so many threads.
    pub fn of_user(threads: usize) -> Cache {
        Cache {
            folder: Folder::of_user(),
            aside: 1 < threads,
            writing: Mutex::default(),
        }
    }

    /// The model of a trace: as it was kept, else as `make` makes it.
    pub fn trace(
        &self,
        path: &Path,
        buffer: Option<&str>,
        source: &impl Source,
        make: impl FnOnce() -> Result<Trace, Failure>,
    ) -> Result<Arc<Trace>, Failure> {
        let place = self.folder.place(path, buffer, source);
        if let Some(trace) = place.as_ref().and_then(Place::read) {
            return Ok(trace.into());
        }
        let trace = Arc::new(make()?);
        if let Some(place) = place {
            self.keep(place, Arc::clone(&trace));
        }
        Ok(trace)
    }

    fn keep(&self, place: Place, trace: Arc<Trace>) {
        let folder = self.folder.clone();
        let write = move || folder.write(&place, &trace);
        if !self.aside {
            return write();
        }
        let mut writing = self.writing.lock().unwrap_or_else(PoisonError::into_inner);
        end(&mut writing);
        // One that cannot be started is as if there were no room.
        *writing = Builder::new().spawn(write).ok();
    }
}

impl Folder {
    /// Where the environment says.
    fn of_user() -> Folder {
        let folder = match std::env::var_os(FOLDER) {
            Some(folder) if folder.is_empty() => None,
            Some(folder) => Some(PathBuf::from(folder)),
            None => dirs::cache_dir().map(|folder| folder.join("corelane")),
        };
        Folder(folder)
    }

    /// The place of a trace's model; `None` for what is not kept.
    fn place(&self, path: &Path, buffer: Option<&str>, source: &impl Source) -> Option<Place> {
        let folder = self.0.as_ref()?;
        let file = fs::metadata(path)
            .ok()
            .filter(|file| file.is_file() && SMALLEST <= file.len())?;
        let program = fs::metadata(std::env::current_exe().ok()?).ok()?;
        let path = path.canonicalize().ok()?;
        let mut name = DefaultHasher::new();
        (&path, buffer).hash(&mut name);
        let mut key = env!("CARGO_PKG_VERSION").to_owned();
        for (size, changed) in [
            (program.len(), program.modified().ok()?),
            (file.len(), file.modified().ok()?),
        ] {
            let changed = changed.duration_since(UNIX_EPOCH).ok()?.as_nanos();
            write!(key, " {size} {changed}").ok()?;
        }
        write!(key, " {:016x} {}", source.fingerprint().ok()?, path.display()).ok()?;
        Some(Place {
            file: folder.join(format!("{:016x}.{EXTENSION}", name.finish())),
            key,
        })
    }

    /// The models, those that were used least recently first.
    fn models(&self) -> Vec<Stored> {
        let mut models = self.files(EXTENSION);
        models.sort_by_key(|model| model.used);
        models
    }

    fn files(&self, extension: &str) -> Vec<Stored> {
        let entries = self.0.iter().filter_map(|folder| fs::read_dir(folder).ok()).flatten();
        entries
            .filter_map(|entry| {
                let path = entry.ok()?.path();
                let file = fs::metadata(&path).ok().filter(fs::Metadata::is_file)?;
                (path.extension() == Some(OsStr::new(extension))).then_some(Stored {
                    used: file.modified().unwrap_or(UNIX_EPOCH),
                    size: file.len(),
                    path,
                })
            })
            .collect()
    }

    /// Makes room for so many bytes.
    fn make_room(&self, size: u64) {
        let models = self.models();
        let mut all = size + models.iter().map(|model| model.size).sum::<u64>();
        for model in models {
            if all <= LARGEST {
                break;
            }
            if fs::remove_file(&model.path).is_ok() {
                all -= model.size;
            }
        }
    }

    /// Keeps a model, if there is room.
    fn write(&self, place: &Place, trace: &Trace) {
        let size = trace.memory_bytes() as u64;
        let is_ready = || {
            place
                .file
                .parent()
                .is_some_and(|folder| fs::create_dir_all(folder).is_ok())
        };
        if LARGEST < size || !is_ready() {
            return;
        }
        self.make_room(size);
        // Another process sees all of it, or nothing.
        let _ = Part::beside(&place.file, false).and_then(|part| {
            trace.store(&mut part.file(), &place.key)?;
            part.put(&place.file)
        });
    }
}

/// Where a trace's model is, and what it must be the model of.
#[derive(Clone, Debug)]
struct Place {
    file: PathBuf,
    key: String,
}

impl Place {
    /// Reads a model that was kept.
    fn read(&self) -> Option<Trace> {
        let mut file = File::open(&self.file).ok()?;
        let size = file.metadata().ok()?.len();
        let trace = Trace::restore(&mut file, size, &self.key).ok()?;
        // The time of its last use, by which models go.
        let _ = File::options()
            .append(true)
            .open(&self.file)
            .and_then(|file| file.set_modified(SystemTime::now()));
        Some(trace)
    }
}

struct Stored {
    path: PathBuf,
    size: u64,
    used: SystemTime,
}

#[derive(Args)]
pub struct CacheArgs {
    /// Remove all of them
    #[arg(long)]
    clear: bool,
}

/// `corelane cache`: where the models are, and how many.
pub fn run(args: &CacheArgs) -> Result<String, Failure> {
    let folder = Folder::of_user();
    let Some(place) = &folder.0 else {
        return Ok(format!(
            "no models are kept: {FOLDER} is empty, or the system has no folder for them\n"
        ));
    };
    let models = folder.models();
    let size: u64 = models.iter().map(|model| model.size).sum();
    let all = format!("{} models, {}", models.len(), HumanBytes(size));
    if !args.clear {
        return Ok(format!("{}: {all}\n", shown(place)));
    }
    for Stored { path, .. } in models.into_iter().chain(folder.files(EXTENSION_OF_PARTS)) {
        fs::remove_file(&path).map_err(|error| Failure(format!("{}: {error}", shown(&path))))?;
    }
    Ok(format!("{}: removed {all}\n", shown(place)))
}
