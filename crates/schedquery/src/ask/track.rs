//! Tracks: lines of time that all answer the same four questions.

use super::question::{LabelsQuestion, PointQuestion, TileQuestion};
use crate::query::{
    CellKey, CellsQuery, CurveQuery, DepthQuery, Indexes, IntervalAnswer, LabelRun, RunName, TaskCellsQuery,
    TaskInterval, TaskRun,
};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// The kinds of tracks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum TrackKind {
    /// What runs on a CPU; the key is its number.
    Cpu,
    /// The states of a task; the key is its id.
    Task,
    /// How many tasks wait on a CPU's runqueue; the key is its number.
    Runqueue,
    /// How many tasks run and how many are runnable, in the whole trace.
    Curve,
    /// Whether tasks wait while CPUs idle, in the whole trace.
    Conservation,
}

/// What the keys in a CPU's cells are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum TileVariant {
    /// Ids of tasks.
    Task,
    /// Ids of comms.
    Comm,
}

/// A tile's numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tile {
    /// Words for each track and bucket.
    pub values: Vec<u32>,
    /// The greatest value of the whole trace; 0 for kinds without one.
    pub most: u32,
}

/// What a label is about.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[serde(untagged)]
pub enum Label {
    /// A run on a CPU.
    Cpu(LabelRun),
    /// A run of a task.
    Task(TaskRun),
}

/// What is at an instant of a track.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[serde(untagged)]
pub enum Item {
    /// An interval of a CPU.
    Cpu(#[ts(type = "Interval")] Box<IntervalAnswer>),
    /// The same while the trace loads.
    #[ts(skip)]
    Early(IntervalAnswer<RunName>),
    /// A state of a task.
    Task(TaskInterval),
    /// How many tasks wait.
    Waiting(u32),
}

/// One kind of track: what a screen, a figure or an export asks of its lines of time.
///
/// What a kind has no answer to is empty. Answers that need an index have it made by [`Track::prepare`] first.
pub trait Track: Sync {
    /// Works for about a millisecond on the indexes of this kind; true once they are there.
    fn prepare(&self, view: &Indexes) -> bool {
        let _ = view;
        true
    }

    /// How many tracks make a step that is not long, apart from how many numbers they have.
    fn at_a_time(&self, view: &Indexes, asked: &TileQuestion) -> usize {
        let _ = (view, asked);
        usize::MAX
    }

    /// Adds numbers for buckets of time to a tile; `None`: not yet, ask again.
    fn add(&self, view: &Indexes, asked: &TileQuestion, tile: &mut Tile) -> Option<()>;

    /// What is long enough for a label; `None`: not yet, ask again.
    fn labels(&self, view: &Indexes, asked: &LabelsQuestion) -> Option<Vec<Label>> {
        let _ = (view, asked);
        Some(Vec::new())
    }

    /// What is at an instant.
    fn at(&self, view: &Indexes, at: &PointQuestion) -> Option<Item> {
        let _ = (view, at);
        None
    }

    /// What comes after, or before, what is at an instant.
    fn step(&self, view: &Indexes, from: &PointQuestion, forward: bool) -> Option<Item> {
        let _ = (view, from, forward);
        None
    }
}

impl TrackKind {
    /// What answers for this kind.
    pub fn track(self) -> &'static dyn Track {
        match self {
            TrackKind::Cpu => &Cpus,
            TrackKind::Task => &Tasks,
            TrackKind::Runqueue => &Runqueues,
            TrackKind::Curve => &Curve,
            TrackKind::Conservation => &Conservation,
        }
    }
}

/// Tiles have 2 words a bucket: the key, and how busy it is, with flags ([`Indexes::cells`]).
struct Cpus;

impl TileQuestion {
    /// The cells of CPUs that this asks for.
    pub(crate) fn cells(&self) -> CellsQuery {
        CellsQuery {
            level: self.level,
            first_bucket: self.first_bucket,
            buckets: self.buckets,
            cpus: self.keys.clone(),
            key: match self.variant {
                Some(TileVariant::Comm) => CellKey::Comm,
                Some(TileVariant::Task) | None => CellKey::Task,
            },
        }
    }

    fn curve(&self) -> CurveQuery {
        CurveQuery {
            level: self.level,
            first_bucket: self.first_bucket,
            buckets: self.buckets,
        }
    }
}

impl Track for Cpus {
    fn prepare(&self, view: &Indexes) -> bool {
        view.prepare_lanes()
    }

    fn at_a_time(&self, view: &Indexes, asked: &TileQuestion) -> usize {
        view.lanes_at_a_time(&asked.cells())
    }

    fn add(&self, view: &Indexes, asked: &TileQuestion, tile: &mut Tile) -> Option<()> {
        view.add_cells(&asked.cells(), &mut tile.values);
        Some(())
    }

    fn labels(&self, view: &Indexes, asked: &LabelsQuestion) -> Option<Vec<Label>> {
        let runs = view.labels(asked.window, asked.min_width, &asked.keys);
        Some(runs.into_iter().map(Label::Cpu).collect())
    }

    fn at(&self, view: &Indexes, at: &PointQuestion) -> Option<Item> {
        view.pick(at.key, at.at).map(Box::new).map(Item::Cpu)
    }

    fn step(&self, view: &Indexes, from: &PointQuestion, forward: bool) -> Option<Item> {
        view.step(from.key, from.at, forward).map(Box::new).map(Item::Cpu)
    }
}

/// Buckets of a step where each is summed up, which takes longer than to copy what is stored: a millisecond or two.
const SUMMED: usize = 1 << 15;

/// Tiles have 2 words a bucket: shares of the states ([`Indexes::task_cells`]).
struct Tasks;

impl Track for Tasks {
    fn prepare(&self, view: &Indexes) -> bool {
        view.prepare_runs()
    }

    fn at_a_time(&self, _: &Indexes, asked: &TileQuestion) -> usize {
        SUMMED / (asked.buckets as usize).max(1)
    }

    fn add(&self, view: &Indexes, asked: &TileQuestion, tile: &mut Tile) -> Option<()> {
        let found = view.task_cells(&TaskCellsQuery {
            level: asked.level,
            first_bucket: asked.first_bucket,
            buckets: asked.buckets,
            tasks: asked.keys.clone(),
        });
        tile.values.extend(found.missing.is_empty().then_some(found.cells)?);
        Some(())
    }

    fn labels(&self, view: &Indexes, asked: &LabelsQuestion) -> Option<Vec<Label>> {
        let found = view.task_runs(&asked.keys, asked.window, asked.min_width);
        let runs = found.missing.is_empty().then_some(found.runs)?;
        Some(runs.into_iter().map(Label::Task).collect())
    }

    fn at(&self, view: &Indexes, at: &PointQuestion) -> Option<Item> {
        view.task_state_at(at.key, at.at).map(Item::Task)
    }

    fn step(&self, view: &Indexes, from: &PointQuestion, forward: bool) -> Option<Item> {
        view.task_step(from.key, from.at, forward).map(Item::Task)
    }
}

/// Tiles have 1 word a bucket: the most and the mean number of waiting tasks ([`Indexes::depth`]).
struct Runqueues;

impl Track for Runqueues {
    fn prepare(&self, view: &Indexes) -> bool {
        view.prepare_runqueues()
    }

    fn at_a_time(&self, _: &Indexes, asked: &TileQuestion) -> usize {
        SUMMED / (asked.buckets as usize).max(1)
    }

    fn add(&self, view: &Indexes, asked: &TileQuestion, tile: &mut Tile) -> Option<()> {
        tile.values.extend(view.depth(&DepthQuery {
            level: asked.level,
            first_bucket: asked.first_bucket,
            buckets: asked.buckets,
            cpus: asked.keys.clone(),
        }));
        tile.most = view.most_waiting();
        Some(())
    }

    fn at(&self, view: &Indexes, at: &PointQuestion) -> Option<Item> {
        Some(Item::Waiting(view.waiting_at(at.key, at.at)))
    }
}

/// Tiles have 6 words a bucket ([`Indexes::curve`]).
struct Curve;

impl Track for Curve {
    fn prepare(&self, view: &Indexes) -> bool {
        view.prepare_curve() && view.prepare_known()
    }

    fn add(&self, view: &Indexes, asked: &TileQuestion, tile: &mut Tile) -> Option<()> {
        tile.values.extend(view.curve(&asked.curve()));
        tile.most = view.max_runnable();
        Some(())
    }
}

/// Tiles have 2 words a bucket ([`Indexes::conservation_shares`]).
struct Conservation;

impl Track for Conservation {
    fn prepare(&self, view: &Indexes) -> bool {
        view.prepare_conservation()
    }

    fn add(&self, view: &Indexes, asked: &TileQuestion, tile: &mut Tile) -> Option<()> {
        tile.values.extend(view.conservation_shares(&asked.curve()));
        Some(())
    }
}
