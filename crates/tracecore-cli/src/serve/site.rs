//! The traces below a folder, and nothing else that is there.

use std::fs::{self, File, Metadata};
use std::io::Read;
use std::path::{Path, PathBuf};

use formats::{is_trace, HEAD};

use crate::visible::shown;
use crate::Failure;

/// Entries of a folder that are looked at; more are too many to choose from.
pub const MOST: usize = 10_000;

/// A folder whose traces are served.
pub struct Site {
    /// Without links.
    root: PathBuf,
}

/// What a path leads to.
pub enum Found {
    Folder(Listed),
    Trace(File, Metadata),
}

/// What a folder holds.
pub struct Listed {
    pub entries: Vec<Entry>,
    /// Whether all of the folder was looked at.
    pub is_all: bool,
}

/// A line of a listing.
pub struct Entry {
    pub name: String,
    /// `None` of a folder.
    pub size: Option<u64>,
}

impl Site {
    pub fn new(root: &Path) -> Result<Self, Failure> {
        let named = |error: String| Failure(format!("{}: {error}", shown(root)));
        let found = fs::canonicalize(root).map_err(|error| named(error.to_string()))?;
        if !found.is_dir() {
            return Err(named("this is no folder".to_owned()));
        }
        Ok(Site { root: found })
    }

    /// The folder or the trace of that path; `None` where there is none that may be seen. Reads the file system.
    pub fn find(&self, path: &[String]) -> Option<Found> {
        let found = self.inside(path)?;
        if found.is_dir() {
            return Some(Found::Folder(self.list(path, &found)));
        }
        let (file, metadata) = open_trace(&found)?;
        Some(Found::Trace(file, metadata))
    }

    /// The real place of a path, if every step to it stays below the root whatever links there are, and none is hidden.
    fn inside(&self, path: &[String]) -> Option<PathBuf> {
        path.iter().try_fold(self.root.clone(), |place, name| {
            let real = fs::canonicalize(is_plain(name).then(|| place.join(name))?).ok()?;
            let mut below = real.strip_prefix(&self.root).ok()?.iter();
            below.all(|part| is_plain(&part.to_string_lossy())).then_some(real)
        })
    }

    /// Folders, then traces, each by name. What cannot be asked for is not listed.
    fn list(&self, path: &[String], folder: &Path) -> Listed {
        let mut all = fs::read_dir(folder).into_iter().flatten();
        let names = all.by_ref().take(MOST);
        let names = names.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
        let mut entries: Vec<Entry> = names.filter_map(|name| self.entry(path, name)).collect();
        entries.sort_by(|a, b| (a.size.is_some(), &a.name).cmp(&(b.size.is_some(), &b.name)));
        Listed {
            entries,
            is_all: all.next().is_none(),
        }
    }

    fn entry(&self, path: &[String], name: String) -> Option<Entry> {
        let mut path = path.to_vec();
        path.push(name.clone());
        let place = self.inside(&path)?;
        if place.is_dir() {
            return Some(Entry { name, size: None });
        }
        let (_, metadata) = open_trace(&place)?;
        let size = Some(metadata.len());
        Some(Entry { name, size })
    }
}

/// Whether a name is that of one thing in a folder, and not hidden.
fn is_plain(name: &str) -> bool {
    !name.is_empty() && !name.starts_with('.') && !name.contains(['/', '\\', '\0'])
}

/// Opens a regular file that begins as a trace does.
fn open_trace(path: &Path) -> Option<(File, Metadata)> {
    // Opening a pipe would wait for who writes it.
    if !fs::metadata(path).ok()?.is_file() {
        return None;
    }
    let file = File::open(path).ok()?;
    let metadata = file.metadata().ok()?;
    let mut head = Vec::new();
    (&file).take(HEAD).read_to_end(&mut head).ok()?;
    (metadata.is_file() && is_trace(&head)).then_some((file, metadata))
}
