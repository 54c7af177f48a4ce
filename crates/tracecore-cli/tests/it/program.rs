//! Runs the program as a script would.

use std::ffi::OsStr;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// A file of `tests/fixtures`.
pub fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../tests/fixtures")
        .join(name)
}

/// Runs `corelane` with these arguments and this standard input. It keeps no models.
pub fn corelane(args: &[&str], stdin: &[u8]) -> Output {
    with_cache("", args, stdin)
}

/// The same with a folder for models.
pub fn with_cache(folder: impl AsRef<OsStr>, args: &[&str], stdin: &[u8]) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_corelane"))
        .args(args)
        .env("CORELANE_CACHE", folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A command that fails early closes its input before all of it is written.
    let _ = child.stdin.take().unwrap().write_all(stdin);
    child.wait_with_output().unwrap()
}
