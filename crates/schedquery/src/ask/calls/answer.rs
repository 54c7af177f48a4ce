//! Answers about calls and interrupts.

use super::question::CallTrack;
use crate::ask::Words;
use crate::calls::{Recorded, Totals};
use crate::query::{CallItem, CallLabel, CallPlace, CallReport, CallsOfRow, Finding, Stolen, StolenIn};
use serde::Serialize;
use staktau::ThreadPair;
use ts_rs::TS;

/// An answer; its type is its question's.
#[derive(Clone, Debug, Serialize, TS)]
#[serde(tag = "type", rename_all = "snake_case")]
#[allow(missing_docs, reason = "as the question of the same name")]
pub enum CallsAnswer {
    /// What is wrong with the machine's name; null: nothing.
    SetCallNames {
        error: Option<String>,
    },
    CallFacts(CallFacts),
    CallTable {
        report: Box<CallReport>,
        /// How many rows there are, if not all are given.
        rows_total: usize,
    },
    CallsOfRow {
        of_row: Box<CallsOfRow>,
    },
    /// Null where it is in none.
    CallAt {
        place: Option<Box<CallPlace>>,
    },
    /// Null if there is none.
    CallStep {
        place: Option<Box<CallPlace>>,
    },
    /// By thread id, all of both.
    CallCompare {
        threads: Vec<ThreadPair>,
    },
    /// Null where there is no such CPU or task.
    Stolen {
        stolen: Option<Box<Stolen>>,
    },
    StolenIn {
        stolen: Box<StolenIn>,
    },
    CallFindings {
        findings: Vec<Finding>,
    },
    Tile {
        kind: CallTrack,
        values: Words,
        most: u32,
    },
    Labels {
        labels: Vec<CallLabel>,
    },
    /// Null where the task has no calls, or does not live.
    At {
        item: Option<Box<CallItem>>,
    },
}

impl CallsAnswer {
    /// The words of a tile; none the second time, and for other answers.
    pub fn take_words(&mut self) -> Option<Vec<u32>> {
        match self {
            CallsAnswer::Tile { values, .. } => Some(std::mem::take(&mut values.0)),
            _ => None,
        }
    }
}

/// What there is of calls and interrupts.
#[derive(Clone, Debug, Serialize, TS)]
pub struct CallFacts {
    /// Which events tell of calls; null if there are none.
    pub events: Option<Recorded>,
    /// Whose table names them; null if that is not known.
    pub arch: Option<&'static str>,
    /// Whose table is that of its 32-bit tasks; null if there is none.
    pub arch_compat: Option<&'static str>,
    /// The machine that the trace tells of, whatever was asked for; null if it tells of none.
    pub arch_told: Option<&'static str>,
    /// All machines whose tables are known.
    pub machines: Vec<&'static str>,
    /// What became of their events.
    pub totals: Totals,
    /// Whether events tell what threads do in calls.
    pub has_sched: bool,
    /// Whether there are hardirqs.
    pub hardirqs: bool,
    /// Whether there are softirqs.
    pub softirqs: bool,
    /// Whether there are interrupt vectors of x86.
    pub vectors: bool,
    /// Whether it is told which thread belongs to which process, and not only guessed from the flags of clones.
    pub processes_told: bool,
    /// The calls by the indexes that tiles have; where some tasks are read by the table of 32-bit tasks, followed by all of
    /// these as that names them.
    pub names: Vec<CallName>,
    /// Ids of the tasks that made calls.
    pub tasks: Vec<u32>,
}

/// A number, and what it is called.
#[derive(Clone, Debug, Serialize, TS)]
pub struct CallName {
    /// The number.
    pub nr: i32,
    /// Its name.
    pub call: String,
}
