//! Explanations of what is shown. They concern the trace, whatever the view leaves out.

use super::placement::woken_at;
use super::waits::{explain_wait, WaitInfo};
use crate::query::lanes::edge::WakeupEdge;
use crate::query::lanes::indexes::Indexes;

impl Indexes {
    /// The wait before the run on a CPU at an instant.
    pub fn wait(&self, cpu: u32, at: u64) -> Option<WaitInfo> {
        let trace = self.trace();
        let lane = trace.lane_index(cpu)?;
        let index = trace.lane_at(lane).find(at)?;
        explain_wait(self.model(), lane, index)
    }

    /// The placement of the wakeup that led to the run on a CPU at an instant.
    pub fn placement(&self, cpu: u32, at: u64) -> Option<WakeupEdge> {
        woken_at(self.trace(), cpu, at).map(|woken| WakeupEdge::of(self.model(), &woken))
    }

    /// Works for about a millisecond on the index that placements need; true once it is there.
    pub(crate) fn prepare_placement(&self) -> bool {
        self.shared().prepare_free(self.trace())
    }
}
