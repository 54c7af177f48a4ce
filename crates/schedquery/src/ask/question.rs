//! Questions.
//!
//! Times arrive as JavaScript numbers: fractions of a ns and negative times are cut off.

use super::track::{TileVariant, TrackKind};
use crate::query::{whole, GroupBy, IndexSpec, Selection, TimeWindow};
use serde::Deserialize;
use ts_rs::TS;

/// A question about an open trace.
///
/// In JSON it is `{"chain": {"cpu": 0, ...}}`: with the type first, what follows is read as it comes, where a `type` among the
/// other fields would have all of them kept in memory first, by twice the code.
#[derive(Clone, Debug, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[ts(tag = "type")]
pub enum Question {
    /// From now on, show these runs, and highlight these.
    SetView {
        /// Which.
        spec: IndexSpec,
    },
    /// From now on only the runs count that pass a filter.
    FilterRuns {
        /// How many these are; with the question comes which, as `StudyAnswer::PassingRuns` has it. Null: there is no filter.
        runs: Option<usize>,
    },
    /// Understands a topology, for a preview; changes nothing.
    ParseTopology {
        /// A text; null: the bytes that come with the question.
        text: Option<String>,
    },
    /// From now on, the trace's machine has this topology. A text that is not understood changes nothing.
    SetTopology {
        /// A text; null: the topology is not known.
        text: Option<String>,
    },
    /// Numbers for buckets of time of some tracks.
    Tile(TileQuestion),
    /// What is long enough for a label on some tracks.
    Labels(LabelsQuestion),
    /// What is at an instant of a track.
    At(PointQuestion),
    /// What comes before or after what is at an instant of a track.
    Step(StepQuestion),
    /// The wakeup chain of the run on a CPU at an instant.
    Chain {
        /// The CPU.
        cpu: u32,
        /// The instant.
        #[serde(deserialize_with = "whole")]
        #[ts(type = "Ns")]
        at: u64,
        /// How many hops to go back at most.
        hops: u32,
    },
    /// The commands that ran in a window; null: in the trace.
    Commands {
        /// The window.
        window: Option<TimeWindow>,
    },
    /// Numbers of a window.
    Stats {
        /// The window.
        window: TimeWindow,
    },
    /// The tasks to which anything happens in a window; null: in the trace, with its very last ns.
    TaskTable {
        /// The window.
        window: Option<TimeWindow>,
    },
    /// The CPUs in a window, as for tasks.
    CpuTable {
        /// The window.
        window: Option<TimeWindow>,
    },
    /// Tasks with one of these ids that had this comm at any time; null: any. By id.
    Tasks {
        /// Task ids.
        ids: Option<Vec<u32>>,
        /// The comm.
        comm: Option<String>,
    },
    /// The runs in a window that began on another CPU than the task's last run, on the CPUs given.
    Moves {
        /// The window.
        window: TimeWindow,
        /// The CPUs.
        cpus: Vec<u32>,
        /// If there are more, they are only counted.
        most: usize,
    },
    /// The wait before the run on a CPU at an instant.
    Wait {
        /// The CPU.
        cpu: u32,
        /// The instant.
        #[serde(deserialize_with = "whole")]
        #[ts(type = "Ns")]
        at: u64,
    },
    /// The wakeup that led to the run on a CPU at an instant, with what could be chosen.
    Placement {
        /// The CPU.
        cpu: u32,
        /// The instant.
        #[serde(deserialize_with = "whole")]
        #[ts(type = "Ns")]
        at: u64,
    },
    /// The costliest findings. Answered several times, `done` last.
    Findings {
        /// The part of the trace.
        selection: ModelSelection,
        /// How many of each kind.
        top: usize,
    },
    /// Latencies, waits and run lengths.
    Latency {
        /// The part of the trace.
        selection: ModelSelection,
        /// How to group.
        by: GroupBy,
        /// How many of the worst latencies.
        top: usize,
    },
    /// Times in which tasks waited while CPUs were idle.
    Overload {
        /// The part of the trace.
        selection: ModelSelection,
        /// Shorter ones are not listed.
        #[serde(deserialize_with = "whole")]
        #[ts(type = "Ns")]
        min_duration: u64,
        /// How many.
        top: usize,
    },
    /// How long tasks waited behind others while CPUs were spare: what is told of a trace in a line.
    Behind {
        /// The part of the trace.
        selection: ModelSelection,
    },
    /// Overload within each socket and last-level cache; null where the topology is not known.
    Domains {
        /// The part of the trace.
        selection: ModelSelection,
    },
    /// The longest cascades.
    Cascades {
        /// The part of the trace.
        selection: ModelSelection,
        /// How many.
        top: usize,
    },
    /// The cascade that the run of a CPU at an instant is part of.
    CascadeOf {
        /// The CPU.
        cpu: u32,
        /// The instant.
        #[serde(deserialize_with = "whole")]
        #[ts(type = "Ns")]
        at: u64,
    },
    /// The longest waits.
    Waits {
        /// The part of the trace.
        selection: ModelSelection,
        /// How many.
        top: usize,
    },
}

/// Numbers for each track and bucket. Bucket `i` is `[i * 2^level, (i + 1) * 2^level)` ns since the trace's first event, so
/// buckets of one level tile and can be cached.
#[derive(Clone, Debug, Deserialize, TS)]
pub struct TileQuestion {
    /// What kind of tracks.
    pub kind: TrackKind,
    /// For kinds whose tiles come in variants.
    pub variant: Option<TileVariant>,
    /// Tracks from top to bottom; empty where a trace has one of the kind.
    pub keys: Vec<u32>,
    /// The width of a bucket, as a power of two.
    pub level: u32,
    /// The first bucket.
    #[serde(deserialize_with = "whole")]
    pub first_bucket: u64,
    /// How many buckets.
    pub buckets: u32,
}

/// Runs of at least `min_width` that overlap a window, for texts in them.
#[derive(Clone, Debug, Deserialize, TS)]
pub struct LabelsQuestion {
    /// What kind of tracks.
    pub kind: TrackKind,
    /// Tracks from top to bottom.
    pub keys: Vec<u32>,
    /// The window.
    pub window: TimeWindow,
    /// The shortest.
    #[serde(deserialize_with = "whole")]
    #[ts(type = "Ns")]
    pub min_width: u64,
}

/// An instant on a track.
#[derive(Clone, Debug, Deserialize, TS)]
pub struct PointQuestion {
    /// What kind of track.
    pub kind: TrackKind,
    /// Which one.
    pub key: u32,
    /// The instant.
    #[serde(deserialize_with = "whole")]
    #[ts(type = "Ns")]
    pub at: u64,
}

/// A step from what is at an instant on a track.
#[derive(Clone, Debug, Deserialize, TS)]
pub struct StepQuestion {
    /// Where from.
    #[serde(flatten)]
    pub from: PointQuestion,
    /// To what comes before (-1) or after (1).
    #[ts(type = "-1 | 1")]
    pub direction: i8,
}

/// The part of the trace that is asked about; all of it must hold.
#[derive(Clone, Debug, Default, Deserialize, TS)]
pub struct ModelSelection {
    /// Only this part of its time.
    pub window: Option<TimeWindow>,
    /// Only tasks that were forked in the trace.
    pub forked: bool,
    /// Only tasks that ran on at least two CPUs: the others may be pinned.
    pub movable: bool,
    /// Only runs whose comm starts so.
    pub target: Option<String>,
    /// Only runs with one of these comms; empty for all.
    pub comms: Vec<String>,
    /// Only tasks with one of these pids; empty for all.
    pub pids: Vec<i32>,
    /// Only these CPUs.
    pub cpus: Option<Vec<u32>>,
}

impl From<ModelSelection> for Selection {
    fn from(asked: ModelSelection) -> Selection {
        Selection {
            min: asked.window.map(|window| window.start),
            max: asked.window.map(|window| window.end),
            forked: asked.forked,
            movable: asked.movable,
            target: asked.target,
            comms: asked.comms,
            pids: asked.pids,
            cpus: asked.cpus,
            ..Selection::default()
        }
    }
}
