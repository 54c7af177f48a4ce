//! Answers.

use crate::query::{Comparison, Instant, LatencyPoints, Side, SpareReport, TookReport, WakesReport};
use serde::Serialize;
use ts_rs::TS;

/// An answer; its type is its question's.
#[derive(Clone, Debug, Serialize, TS)]
#[serde(tag = "type", rename_all = "snake_case")]
#[allow(missing_docs, reason = "as the question of the same name")]
pub enum StudyAnswer {
    Wakes {
        report: Box<WakesReport>,
    },
    Took {
        report: Box<TookReport>,
    },
    SpareCpus {
        report: SpareReport,
    },
    LatencyPoints {
        found: LatencyPoints,
    },
    Side {
        side: Side,
    },
    Compare {
        comparison: Comparison,
    },
    Instant {
        instant: Instant,
    },
    /// Beside it, the words of [`run_places`](crate::query::run_places).
    RunPlaces,
    /// `runs`: how many pass, so far. Beside it, once finished, the words of [`Passing`](schedindex::Passing).
    PassingRuns {
        runs: usize,
    },
}
