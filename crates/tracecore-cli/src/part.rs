//! Files under a hidden name, until they are whole.
//!
//! A part is locked by the program that writes it. What a program leaves that was killed is thus known: the lock is free.
//! The next program that writes into the folder removes it.

use std::ffi::OsStr;
use std::fs::{self, File, Metadata};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use crate::signals::RemovedBySignal;

/// Names of parts are `.corelane-PID-NUMBER.part`.
const PREFIX: &str = ".corelane-";
pub const EXTENSION: &str = "part";
/// Names that are tried before giving up.
const TRIES: u32 = 1000;

/// A file that is being written. Dropping it removes it.
pub struct Part {
    file: File,
    path: PathBuf,
    _removed: RemovedBySignal,
}

impl Part {
    /// A new part in the folder of `target`. If it is `private`, only this user may read it while it is written.
    pub fn beside(target: &Path, private: bool) -> io::Result<Part> {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let folder = folder_of(target);
        sweep(folder);
        for _ in 0..TRIES {
            let number = NUMBER.fetch_add(1, Ordering::Relaxed);
            let path = folder.join(format!("{PREFIX}{}-{number}.{EXTENSION}", std::process::id()));
            match RemovedBySignal::with(&path, || create(&path, private)) {
                Ok(Some((file, _removed))) => return Ok(Part { file, path, _removed }),
                Ok(None) => {}
                // Of a program of another machine that shares the folder.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
        Err(io::ErrorKind::AlreadyExists.into())
    }

    pub fn file(&self) -> &File {
        &self.file
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Leaves the file open in programs that this one starts, which hold its lock from then on.
    #[cfg(unix)]
    pub fn share(&self) -> io::Result<()> {
        Ok(rustix::io::fcntl_setfd(&self.file, rustix::io::FdFlags::empty())?)
    }

    /// Puts the file into its place, with the permissions and the owner of the one that it replaces.
    pub fn replace(self, target: &Path, replaced: Option<&Metadata>) -> io::Result<()> {
        if let Some(old) = replaced {
            take_over(&self.path, old)?;
        }
        // Only now do some file systems say that they are full.
        self.file.sync_all()?;
        self.put(target)
    }

    /// Puts the file into its place, for what can be made again.
    pub fn put(mut self, target: &Path) -> io::Result<()> {
        fs::rename(&self.path, target)?;
        self.path.clear();
        Ok(())
    }
}

impl Drop for Part {
    fn drop(&mut self) {
        if !self.path.as_os_str().is_empty() {
            remove_part(&self.path);
        }
    }
}

/// The folder that a file is in.
pub fn folder_of(file: &Path) -> &Path {
    match file.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    }
}

/// Creates and locks a part; `None` if another program removed it in between.
fn create(path: &Path, private: bool) -> io::Result<Option<File>> {
    let mut options = File::options();
    options.read(true).write(true).create_new(true);
    #[cfg(unix)]
    if private {
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    }
    let file = options.open(path)?;
    match file.try_lock() {
        Err(fs::TryLockError::WouldBlock) => Ok(None),
        // Where there are no locks, nothing is ever removed as left over.
        Err(fs::TryLockError::Error(_)) => Ok(Some(file)),
        Ok(()) => Ok(is_same(&file, path).then_some(file)),
    }
}

/// Gives a file the owner, if that is permitted, and the permissions of another.
fn take_over(path: &Path, old: &Metadata) -> io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::{chown, MetadataExt};
        let new = fs::metadata(path)?;
        if (new.uid(), new.gid()) != (old.uid(), old.gid()) {
            let _ = chown(path, Some(old.uid()), Some(old.gid()));
        }
    }
    fs::set_permissions(path, old.permissions())
}

/// Removes a part, and what trace-cmd has put beside it (`NAME.cpu0` and so on).
pub fn remove_part(path: &Path) {
    // If it does not exist, there is nothing to remove.
    let _ = fs::remove_file(path);
    let Some(name) = path.file_name().and_then(OsStr::to_str) else {
        return;
    };
    let entries = fs::read_dir(folder_of(path)).into_iter().flatten().flatten();
    for entry in entries {
        let of_part = |other: &str| other.strip_prefix(name).is_some_and(|rest| rest.starts_with(".cpu"));
        if entry.file_name().to_str().is_some_and(of_part) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Removes the parts of programs that were killed. What cannot be removed stays.
fn sweep(folder: &Path) {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    for entry in entries {
        let is_part = |name: &str| name.starts_with(PREFIX) && name.ends_with(EXTENSION);
        let path = entry.path();
        if !entry.file_name().to_str().is_some_and(is_part) || !is_own(&path) {
            continue;
        }
        let Ok(file) = File::options().write(true).open(&path) else {
            continue;
        };
        // Locked, it is being written.
        if file.try_lock().is_ok() && is_same(&file, &path) {
            remove_part(&path);
        }
    }
}

/// Whether a path is that of a file, no link, of this user.
fn is_own(path: &Path) -> bool {
    let Ok(metadata) = fs::symlink_metadata(path) else {
        return false;
    };
    #[cfg(unix)]
    let is_own = std::os::unix::fs::MetadataExt::uid(&metadata) == rustix::process::geteuid().as_raw();
    #[cfg(not(unix))]
    let is_own = true;
    metadata.is_file() && is_own
}

/// Whether a path still is that of an open file.
#[cfg(unix)]
fn is_same(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let id = |metadata: Metadata| (metadata.dev(), metadata.ino());
    let of_path = fs::symlink_metadata(path).map(id);
    file.metadata()
        .map(id)
        .is_ok_and(|of_file| of_path.is_ok_and(|of_path| of_path == of_file))
}

#[cfg(not(unix))]
fn is_same(_: &File, path: &Path) -> bool {
    path.exists()
}
