//! One round of the bench, natively and on one thread: prints JSON for `bench/measure.mjs`.
//!
//!     corelane-bench FILE

#![allow(clippy::indexing_slicing, reason = "a bench that panics is seen at once")]

mod allocation;
mod clock;
mod file;
mod jobs;
mod records;
mod round;

use std::path::PathBuf;
use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: allocation::Counted = allocation::Counted;

fn main() -> ExitCode {
    let Some(path) = std::env::args_os().nth(1).map(PathBuf::from) else {
        eprintln!("usage: corelane-bench FILE");
        return ExitCode::from(2);
    };
    match round::run(&path) {
        Ok(round) => {
            println!("{round}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{}: {error}", path.display());
            ExitCode::FAILURE
        }
    }
}
