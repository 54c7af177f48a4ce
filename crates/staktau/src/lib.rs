//! STaKTAU's texts: what its SystemTap script writes, a line for each enter and exit of a system call, and the tables that are
//! made of that, wall time by thread and call (*STaKTAU: profiling HPC applications' operating system usage*,
//! arXiv 2304.11205).
//!
//! Both are read into a [`Profile`]. Lines that cannot be read are counted, and the rest counts.

mod compare;
mod lines;
mod names;
mod raw;
mod tables;

use std::io::{self, BufRead};

use serde::{Deserialize, Serialize};
use ts_rs::TS;

pub use compare::{compared, Both, CallPair, ThreadPair};
pub use names::canonical;
pub use tables::write;

/// A call in which a thread was.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct CallTime {
    /// Its name as the text has it; see [`canonical`].
    pub name: String,
    /// Wall time in it, ns.
    pub ns: u64,
}

/// A thread.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ThreadTimes {
    /// Its thread id.
    pub tid: i32,
    /// From its first record to its last, ns. In tables that the original script made it is the first record's time since
    /// the epoch.
    pub application_ns: Option<u64>,
    /// The calls that it returned from, in the order of their first enters.
    pub calls: Vec<CallTime>,
}

/// Which of the texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "lowercase")]
#[ts(rename = "StaktauLayout")]
pub enum Layout {
    /// Enters and exits.
    Raw,
    /// Sums.
    Tables,
}

/// A line that was not read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(rename = "DamagedLine")]
pub struct Damage {
    /// Its number, from 1 on.
    pub line: u64,
    /// What is wrong with it.
    pub reason: &'static str,
}

/// The most damaged lines that are kept: the others are only counted.
pub const MOST_DAMAGE: usize = 100;

/// What a text tells.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(rename = "StaktauText")]
pub struct Profile {
    /// Which text it was.
    pub layout: Layout,
    /// All threads, by their ids, or in the order of the tables.
    pub threads: Vec<ThreadTimes>,
    /// Enters and exits, without those that are repeated.
    pub records: u64,
    /// Records that an earlier dump had already.
    pub repeated: u64,
    /// Exits without an enter.
    pub unmatched_exits: u64,
    /// Enters without an exit; their time is in no sum.
    pub left_open: u64,
    /// How many lines were not read.
    pub damaged: u64,
    /// The first of them, at most [`MOST_DAMAGE`].
    pub damage: Vec<Damage>,
}

impl Profile {
    fn new(layout: Layout) -> Profile {
        Profile {
            layout,
            threads: Vec::new(),
            records: 0,
            repeated: 0,
            unmatched_exits: 0,
            left_open: 0,
            damaged: 0,
            damage: Vec::new(),
        }
    }

    fn damaged(&mut self, line: u64, reason: &'static str) {
        self.damaged += 1;
        if self.damage.len() < MOST_DAMAGE {
            self.damage.push(Damage { line, reason });
        }
    }
}

/// How many bytes tell which text a file is.
pub const HEAD: usize = 64;

/// Which text begins with these bytes, [`HEAD`] or all of it.
pub fn layout_of(head: &[u8]) -> Option<Layout> {
    let head = String::from_utf8_lossy(head);
    let first = head.trim_start().lines().next()?;
    if first.starts_with("----- TID ") {
        return Some(Layout::Tables);
    }
    raw::begins_record(first).then_some(Layout::Raw)
}

/// Reads a text. The only errors are the input's; memory is some 32 bytes for each record.
pub fn read(layout: Layout, input: &mut dyn BufRead) -> io::Result<Profile> {
    match layout {
        Layout::Raw => raw::read(input),
        Layout::Tables => tables::read(input),
    }
}
