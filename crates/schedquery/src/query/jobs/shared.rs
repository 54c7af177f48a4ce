//! Results that several explanations share, found once per trace.

use super::displacements::Displacements;
use super::on_demand::{Runqueues, Swept};
use schedindex::{
    add_lanes, Depth, FreeCpus, FreeCpusBuilder, IdleTime, LaneSums, Migrations, MigrationsBuilder, OnDemand, Shown,
};
use schedmodel::Trace;
use std::sync::{Arc, OnceLock};

/// Blocks of changes, or of intervals, per step of [`Shared::prepare_idle`] and [`Shared::prepare_lanes`].
const BLOCKS: usize = if cfg!(debug_assertions) { 1 } else { 1 << 10 };

/// Indexes over one trace that several queries share: each is made when first needed, and kept.
#[derive(Debug, Default)]
pub struct Shared {
    idle: OnDemand<IdleTime, IdleTime>,
    lanes: OnDemand<Vec<LaneSums>, Vec<LaneSums>>,
    migrations: OnDemand<Migrations, MigrationsBuilder>,
    free: OnDemand<FreeCpus, FreeCpusBuilder>,
    /// The runqueues of all tasks.
    pub(crate) runqueues: Arc<Runqueues>,
    /// Set by the job that finds them.
    pub(crate) displacements: OnceLock<Arc<Displacements>>,
}

impl Shared {
    pub(crate) fn idle(&self, trace: &Trace) -> &IdleTime {
        let step = |idle: &mut IdleTime| add_idle(idle, trace, usize::MAX);
        self.idle.get_or_make(IdleTime::default, step)
    }

    /// Works for about a millisecond on [`Shared::idle`]; true once it is there.
    pub(crate) fn prepare_idle(&self, trace: &Trace) -> bool {
        let step = |idle: &mut IdleTime| add_idle(idle, trace, BLOCKS);
        self.idle.step(IdleTime::default, step)
    }

    /// What the CPUs did, by lane.
    pub(crate) fn lanes(&self, trace: &Trace) -> &[LaneSums] {
        let step = |lanes: &mut Vec<LaneSums>| add_lanes(lanes, &trace.lanes, usize::MAX);
        self.lanes.get_or_make(Vec::new, step)
    }

    /// The same for [`Shared::lanes`].
    pub(crate) fn prepare_lanes(&self, trace: &Trace) -> bool {
        let step = |lanes: &mut Vec<LaneSums>| add_lanes(lanes, &trace.lanes, BLOCKS);
        self.lanes.step(Vec::new, step)
    }

    /// Size in bytes.
    pub(crate) fn memory_bytes(&self) -> usize {
        let idle = self.idle.made().map_or(0, IdleTime::memory_bytes);
        let migrations = self.migrations.made().map_or(0, Migrations::memory_bytes);
        let free = self.free.made().map_or(0, FreeCpus::memory_bytes);
        let lanes = self.lanes.made().into_iter().flatten().map(LaneSums::memory_bytes);
        idle + migrations
            + free
            + lanes.sum::<usize>()
            + self.runqueues.memory_bytes()
            + self.displacements.get().map_or(0, |found| found.memory_bytes())
    }

    /// Does some of the work for [`Shared::depth`] and [`Shared::swept`]; true once finished.
    pub(crate) fn prepare_swept(&self, trace: &Trace) -> bool {
        self.runqueues.prepare_swept(trace, &Shown::all(), None)
    }

    /// The runqueues of all tasks.
    pub(crate) fn depth(&self, trace: &Trace) -> &Depth {
        self.runqueues.depth(trace, &Shown::all())
    }

    /// What follows from the runqueues of all tasks about work conservation.
    pub(crate) fn swept(&self, trace: &Trace) -> &Swept {
        self.runqueues.swept(trace, &Shown::all(), None)
    }

    pub(crate) fn migrations(&self, trace: &Trace) -> &Migrations {
        let step = |builder: &mut MigrationsBuilder| builder.step(trace);
        self.migrations.get_or_make(|| MigrationsBuilder::new(trace), step)
    }

    /// Works for about a millisecond on [`Shared::migrations`]; true once they are there.
    pub(crate) fn prepare_migrations(&self, trace: &Trace) -> bool {
        let step = |builder: &mut MigrationsBuilder| builder.step(trace);
        self.migrations.step(|| MigrationsBuilder::new(trace), step)
    }

    /// Which CPUs are free.
    pub(crate) fn free(&self, trace: &Trace) -> &FreeCpus {
        let step = |builder: &mut FreeCpusBuilder| builder.step(trace);
        self.free.get_or_make(|| FreeCpusBuilder::new(trace), step)
    }

    /// Works for about a millisecond on [`Shared::free`]; true once it is there.
    pub(crate) fn prepare_free(&self, trace: &Trace) -> bool {
        let step = |builder: &mut FreeCpusBuilder| builder.step(trace);
        self.free.step(|| FreeCpusBuilder::new(trace), step)
    }

    /// The same for all that explains a wait.
    pub(crate) fn prepare_waits(&self, trace: &Trace) -> bool {
        self.prepare_swept(trace) && self.prepare_idle(trace) && self.prepare_migrations(trace)
    }
}

fn add_idle(idle: &mut IdleTime, trace: &Trace, blocks: usize) -> Option<IdleTime> {
    (!idle.step(&trace.steps, blocks)).then(|| std::mem::take(idle))
}
