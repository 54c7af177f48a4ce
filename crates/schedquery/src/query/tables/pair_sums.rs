//! How long each task ran and waited under each of its names: the basis of the commands of `corelane stats` and of the
//! legends of figures.

use crate::calls::Interrupts;
use crate::query::select::selected::Selected;
use crate::query::tables::commands::{CommandRow, CommandSums};
use schedindex::{wait_in_doubt, RunSum};
use schedmodel::{TaskCommId, Trace};

/// Sums by (task, comm), over what is selected.
pub struct PairSums {
    /// Its runs; `None` if it did not run.
    pub ran: Vec<Option<RunSum>>,
    /// ns that it waited.
    pub waited: Vec<u64>,
    /// ns that interrupts took of its runs, which are left out there; none without interrupts.
    pub irq: Vec<u64>,
    /// ns of all waits that are uncertain: records are missing meanwhile.
    pub uncertain: u64,
}

impl PairSums {
    /// Computes the sums in one walk over all intervals.
    pub fn new(selected: &Selected) -> PairSums {
        PairSums::net(selected, None)
    }

    /// The same, of runs without what these interrupts took.
    pub fn net(selected: &Selected, interrupts: Option<&Interrupts>) -> PairSums {
        let pairs = selected.trace.task_comms.len();
        let mut sums = PairSums {
            ran: vec![None; pairs],
            waited: vec![0; pairs],
            irq: vec![0; interrupts.map_or(0, |_| pairs)],
            uncertain: 0,
        };
        for lane in (0..selected.trace.lanes.len()).filter(|&lane| selected.has_lane(lane)) {
            sums.add_lane(selected, lane, interrupts);
        }
        for wait in selected.loose_waits() {
            if let Some(waited) = sums.waited.get_mut(wait.who.0 as usize) {
                let ns = selected.clip(wait.since, wait.until);
                *waited += ns;
                if selected.trace.holes.any(wait.since, wait.until) {
                    sums.uncertain += ns;
                }
            }
        }
        sums
    }

    /// Adds the runs of a lane, and the waits before them.
    fn add_lane(&mut self, selected: &Selected, lane_index: usize, interrupts: Option<&Interrupts>) {
        let lane = selected.trace.lane_at(lane_index);
        for run in selected.runs_in(lane_index, 0..lane.len()) {
            let pair = run.id.0 as usize;
            // Every pair has both sums.
            let (Some(ran), Some(waited)) = (self.ran.get_mut(pair), self.waited.get_mut(pair)) else {
                continue;
            };
            if let Some(mut part) = RunSum::clipped(run.interval, lane.switched_to(run.index), &selected.window) {
                if let (Some(interrupts), Some(irq)) = (interrupts, self.irq.get_mut(pair)) {
                    let taken = interrupts.on(lane_index, part.first..part.last);
                    part.execution -= taken;
                    *irq += taken;
                }
                *ran = Some(ran.map_or(part, |sum| sum.and(part)));
            }
            if let Some(wait) = run.wait {
                let ns = selected.clip(wait.since, run.interval.start);
                *waited += ns;
                if 0 < ns && wait_in_doubt(selected.trace, lane_index, run.index) {
                    self.uncertain += ns;
                }
            }
        }
    }

    /// The sums by comm, longest execution first.
    pub fn commands(&self, trace: &Trace) -> Vec<CommandRow> {
        let mut sums = CommandSums::new(trace);
        for (id, (&ran, &waited)) in (0..).zip(self.ran.iter().zip(&self.waited)) {
            sums.add(trace, TaskCommId(id), ran, waited);
        }
        sums.rows(trace)
    }
}
