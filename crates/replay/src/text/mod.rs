//! Workloads as WARP's text, with what it has no field for in comment lines.
//!
//! ```text
//! #: workload version=1 first=16.000000 span=100.000000 cpus=2
//! #: 178 comm=make prio=120 cpu=0 end=asleep letters=2S
//! 1 INIT 178 0 178 R
//! 2 FORK 178 0.250000 179
//! 3 BLOCK 178 1.000000
//! 4 WAKEUP 178 3.000000 7 179 0.500000      3 ms later, 0.5 ms before 179 does its event 7
//! 5 BLOCK 178 2.000000
//! 6 EXIT 178 2.000000                       as it is asleep at the end, none
//! 7 EXIT 179 1.500000
//! ```
//! Times are milliseconds. [`write`](write()) and [`read`] are each other's inverse, unless the comment lines are left out.

mod circle;
mod line;
mod notes;
mod read;
mod write;

pub(crate) use line::unquoted;
pub use line::TextError;
pub use read::read;
pub use write::write;

/// The version of the comment lines.
const VERSION: u32 = 1;
/// What they begin with.
const NOTE: &str = "#:";
/// The word in place of a pid for what is about the whole workload.
const WHOLE: &str = "workload";

/// Whether bytes begin as a workload's text does: comments, then an event with its number.
pub fn is_workload(bytes: &[u8]) -> bool {
    let head = bytes.get(..4096).unwrap_or(bytes);
    let head = String::from_utf8_lossy(head);
    for line in head.lines().map(str::trim) {
        if line
            .strip_prefix(NOTE)
            .is_some_and(|rest| rest.trim_start().starts_with(WHOLE))
        {
            return true;
        }
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let mut words = line.split_ascii_whitespace();
        let number = words
            .next()
            .is_some_and(|word| word.bytes().all(|byte| byte.is_ascii_digit()));
        return number && words.next().is_some_and(|word| line::WORDS.contains(&word));
    }
    false
}
