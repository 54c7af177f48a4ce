//! Answers.

use super::track::{Item, Label, Tile, TrackKind};
use crate::query::{
    Cascade, CascadeReport, Chain, CommandRow, CpuMoves, DomainReport, Finding, GroupName, Latency, OverloadReport,
    TaskInfo, TopologySummary, Violation, WaitInfo, WaitReport, WakeupEdge, WindowStats,
};
use serde::{Serialize, Serializer};
use ts_rs::TS;

/// An answer; its type is its question's.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[serde(tag = "type", rename_all = "snake_case")]
#[allow(missing_docs, reason = "as the question of the same name")]
pub enum Answer {
    SetView,
    /// As they were given.
    FilterRuns {
        runs: Option<usize>,
    },
    ParseTopology(TopologySummary),
    SetTopology(TopologySummary),
    Tile(TileAnswer),
    /// By track as asked for, then by start.
    Labels {
        kind: TrackKind,
        labels: Vec<Label>,
    },
    /// `item` is null where nothing is.
    At {
        kind: TrackKind,
        item: Option<Item>,
    },
    /// As for `at`.
    Step {
        kind: TrackKind,
        item: Option<Item>,
    },
    Chain {
        chain: Option<Box<Chain>>,
    },
    Commands {
        rows: Vec<CommandRow>,
    },
    Stats {
        stats: WindowStats,
    },
    /// `values[columns * row + column]`; a row for each task to which anything happens.
    TaskTable {
        values: Numbers,
    },
    /// The same; a row for each CPU, ascending.
    CpuTable {
        values: Numbers,
    },
    Tasks {
        tasks: Vec<TaskInfo>,
    },
    Moves(CpuMoves),
    Wait {
        wait: Option<WaitInfo>,
    },
    Placement {
        placement: Option<Box<WakeupEdge>>,
    },
    /// While not `done`, some kinds are still missing.
    Findings {
        findings: Vec<Finding>,
        done: bool,
    },
    /// `report` is without its groups, of which there can be hundreds: `groups` has their names, and `values` their numbers, one group
    /// after the other as [`LatencyGroup::put_numbers`](crate::query::LatencyGroup::put_numbers) lays them out.
    Latency {
        report: Box<Latency>,
        groups: Vec<GroupName>,
        values: Numbers,
    },
    Overload {
        report: OverloadReport,
    },
    /// Like `behind_ns` of [`OverloadReport`], and the first of its `behind`.
    Behind {
        behind_ns: u64,
        worst: Option<Violation>,
    },
    Domains {
        report: Option<DomainReport>,
    },
    Cascades {
        report: CascadeReport,
    },
    CascadeOf {
        cascade: Option<Cascade>,
    },
    Waits {
        report: WaitReport,
    },
}

/// The numbers of a tile.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
pub struct TileAnswer {
    /// As asked.
    pub kind: TrackKind,
    /// Some words for each track and bucket, as [`Track::tile`](super::Track::tile) lays them out.
    pub values: Words,
    /// The greatest value of the whole trace, for a scale that stays; 0 for kinds without one.
    pub most: u32,
}

impl TileAnswer {
    pub(crate) fn new(kind: TrackKind, Tile { values, most }: Tile) -> TileAnswer {
        TileAnswer {
            kind,
            values: Words(values),
            most,
        }
    }
}

/// Words that cross beside the JSON, in which they are null: [`Answer::take_words`].
#[derive(Clone, Debug, Default, PartialEq, Eq, TS)]
#[ts(type = "Uint32Array<ArrayBuffer>")]
pub struct Words(pub Vec<u32>);

impl Serialize for Words {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_unit()
    }
}

/// Numbers that cross beside the JSON, in which they are null: [`Answer::take_numbers`].
#[derive(Clone, Debug, Default, PartialEq, TS)]
#[ts(type = "Float64Array<ArrayBuffer>")]
pub struct Numbers(pub Vec<f64>);

impl Serialize for Numbers {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_unit()
    }
}

impl Answer {
    /// The words of a tile; none the second time, and for other answers.
    pub fn take_words(&mut self) -> Option<Vec<u32>> {
        match self {
            Answer::Tile(TileAnswer { values, .. }) => Some(std::mem::take(&mut values.0)),
            _ => None,
        }
    }

    /// The numbers of a table; none the second time, and for other answers.
    pub fn take_numbers(&mut self) -> Option<Vec<f64>> {
        match self {
            Answer::TaskTable { values } | Answer::CpuTable { values } | Answer::Latency { values, .. } => {
                Some(std::mem::take(&mut values.0))
            }
            _ => None,
        }
    }
}
