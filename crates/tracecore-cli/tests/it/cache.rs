//! Models of large files are kept: the second opening answers as the first one did, and notices whatever has changed.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use tracegen::large::Large;
use tracegen::Layout;

use crate::program::{corelane, with_cache};

/// A folder for one test, with a trace that is large enough for its model to be kept.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        Folder(folder)
    }

    fn trace(&self, seed: u64) -> PathBuf {
        let path = self.0.join("large.dat");
        let large = Large {
            cpus: 4,
            events: 100_000,
            tasks_per_cpu: 3,
            seed,
            layout: Layout::default(),
        };
        large.write(&path).unwrap();
        assert!(4 << 20 < fs::metadata(&path).unwrap().len());
        path
    }

    fn cache(&self) -> PathBuf {
        self.0.join("models")
    }

    fn models(&self) -> Vec<PathBuf> {
        let entries = fs::read_dir(self.cache()).into_iter().flatten();
        entries.map(|entry| entry.unwrap().path()).collect()
    }

    /// What is printed with the models, after it was seen to be what is printed without.
    fn checked(&self, command: &str, trace: &Path) -> String {
        let args = [command, trace.to_str().unwrap(), "--quiet"];
        let output = with_cache(self.cache(), &args, b"");
        let plain = corelane(&args, b"");
        assert_eq!(output, plain);
        assert!(output.status.success());
        String::from_utf8(output.stdout).unwrap()
    }

    fn said(&self, args: &[&str]) -> String {
        String::from_utf8(with_cache(self.cache(), args, b"").stdout).unwrap()
    }
}

#[test]
fn a_model_answers_as_its_file_does() {
    let folder = Folder::new("cache-answers");
    let trace = folder.trace(1);
    for command in [
        "stats",
        "findings",
        "intervals",
        "waits",
        "latency",
        "placement",
        "states",
    ] {
        folder.checked(command, &trace);
        assert_eq!(folder.models().len(), 1, "{command}");
    }
}

/// On one thread a model is written before its trace is asked, on more meanwhile.
#[test]
fn a_model_is_there_when_the_command_ends_whatever_the_threads() {
    for threads in ["1", "2"] {
        let folder = Folder::new(&format!("cache-threads-{threads}"));
        let trace = folder.trace(1);
        let plain = folder.said(&["stats", trace.to_str().unwrap(), "--no-cache"]);
        let first = folder.said(&["stats", trace.to_str().unwrap(), "--threads", threads]);
        assert_eq!(first, plain);
        let models = folder.models();
        assert_eq!(models.len(), 1);
        assert_eq!(models[0].extension().unwrap(), "model");
    }
}

#[test]
fn what_a_program_that_was_stopped_has_left_is_removed() {
    let folder = Folder::new("cache-stopped");
    let trace = folder.trace(1);
    fs::create_dir_all(folder.cache()).unwrap();
    let part = |name: &str| {
        let path = folder.cache().join(name);
        fs::write(&path, "half of a model").unwrap();
        path
    };
    let (old, new) = (part(".corelane-1-0.part"), part(".corelane-1-1.part"));
    // A program that still writes its part holds the lock.
    let written = File::open(&new).unwrap();
    written.lock().unwrap();
    folder.checked("stats", &trace);
    assert!(!old.exists() && new.exists());
    assert!(folder.said(&["cache", "--clear"]).contains(": removed 1 models, "));
    assert_eq!(folder.models().len(), 0);
}

#[test]
fn a_file_that_was_changed_and_a_model_that_was_damaged_are_read_anew() {
    let folder = Folder::new("cache-changes");
    let trace = folder.trace(1);
    let first = folder.checked("stats", &trace);
    folder.trace(2);
    let second = folder.checked("stats", &trace);
    assert_ne!(first, second);
    let model = folder.models().remove(0);
    let whole = fs::read(&model).unwrap();
    for damaged in [&whole[..whole.len() / 2], b"", b"CORELANE"] {
        fs::write(&model, damaged).unwrap();
        assert_eq!(folder.checked("stats", &trace), second);
        // It was written again.
        assert_eq!(fs::read(&model).unwrap().len(), whole.len());
    }
    let mut flipped = whole.clone();
    flipped[whole.len() / 2] ^= 1;
    fs::write(&model, &flipped).unwrap();
    assert_eq!(folder.checked("stats", &trace), second);
}

#[test]
fn models_can_be_listed_and_removed() {
    let folder = Folder::new("cache-command");
    let trace = folder.trace(1);
    let path = folder.cache();
    assert_eq!(folder.said(&["cache"]), format!("{}: 0 models, 0 B\n", path.display()));
    folder.said(&["stats", trace.to_str().unwrap(), "--no-cache"]);
    assert_eq!(folder.models().len(), 0);
    folder.checked("stats", &trace);
    let other = folder.cache().join("not-ours.txt");
    fs::write(&other, "kept").unwrap();
    assert!(folder.said(&["cache"]).contains(": 1 models, "));
    assert!(folder.said(&["cache", "--clear"]).contains(": removed 1 models, "));
    assert_eq!(folder.models(), [other]);
    assert!(with_cache("", &["cache"], b"").status.success());
}

#[test]
fn a_folder_that_cannot_be_written_is_no_failure() {
    let folder = Folder::new("cache-unwritable");
    let trace = folder.trace(1);
    fs::write(folder.cache(), "a file where the folder would be").unwrap();
    folder.checked("stats", &trace);
}
