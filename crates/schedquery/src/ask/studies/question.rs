//! Questions.

use crate::ask::ModelSelection;
use crate::query::{whole, GroupBy, PointsOf, Side};
use serde::Deserialize;
use ts_rs::TS;

/// A question about an open trace that takes a walk over it.
#[derive(Clone, Debug, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[ts(tag = "type")]
pub enum StudyQuestion {
    /// Who wakes whom, and how far.
    Wakes {
        /// The part of the trace.
        selection: ModelSelection,
        /// What to tell apart.
        by: GroupBy,
        /// How many pairs.
        top: usize,
        /// How many rows and columns of the matrix have a name.
        ends: usize,
        /// The machine, as `Topology.canonical`; null if it is not known.
        topology: Option<String>,
    },
    /// Who has the CPU while whom waits.
    Took {
        /// The part of the trace.
        selection: ModelSelection,
        /// What to tell apart.
        by: GroupBy,
        /// How many pairs.
        top: usize,
        /// How many rows and columns of the matrix have a name.
        ends: usize,
    },
    /// Which CPUs were spare, and where tasks waited behind others meanwhile.
    SpareCpus {
        /// The part of the trace.
        selection: ModelSelection,
    },
    /// Latencies, waits or runs against time.
    LatencyPoints {
        /// The part of the trace.
        selection: ModelSelection,
        /// What is measured.
        of: PointsOf,
        /// Over how many columns of time.
        columns: u32,
    },
    /// The trace summed up, so that another one can be compared with it.
    Side {
        /// The part of the trace.
        selection: ModelSelection,
    },
    /// The trace as the other one, compared with a first one.
    Compare {
        /// The part of the trace.
        selection: ModelSelection,
        /// The first one, as `side` answers.
        first: Side,
    },
    /// The machine at an instant.
    Instant {
        /// When.
        #[serde(deserialize_with = "whole")]
        #[ts(type = "Ns")]
        at: u64,
    },
    /// On which CPUs tasks ran, and where these are: for filters of events.
    RunPlaces {
        /// The machine, as `Topology.canonical`; null if it is not known.
        topology: Option<String>,
    },
    /// A step on the way to the runs that pass a filter.
    PassingRuns {
        /// Which.
        step: FilterStep,
    },
}

/// A step on the way to the runs that pass a filter, from the events that pass it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum FilterStep {
    /// Events follow, of another filter than before.
    Begin,
    /// These events of the CPU pass. With the question come three words for each: when it was written, low word first,
    /// and whose run it stands for, as [`RunOf::of_code`](schedindex::RunOf::of_code) reads it.
    Add(u32),
    /// That were all.
    Finish,
}
