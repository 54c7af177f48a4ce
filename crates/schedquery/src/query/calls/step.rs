//! From a call of a row to the next one of it that is longer, or that failed.

use super::instances::CallPlace;
use super::walk::{CallWalk, Here, Visitor};
use super::{Asked, CallModel, CallsQuery, Chosen};
use crate::calls::Call;
use schedmodel::Trace;
use serde::Deserialize;
use ts_rs::TS;

/// Which call to go to, from one that is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, TS)]
#[serde(rename_all = "lowercase")]
pub enum CallStep {
    /// The next one in time that took longer.
    Longer,
    /// The next one in time that failed.
    Error,
    /// The next one in time.
    Next,
    /// The one before.
    Previous,
}

/// When and by whom a call was entered: the order of calls.
type Place = (u64, i32, u32);

/// It, being looked for.
pub struct StepJob {
    chosen: Chosen,
    walk: CallWalk,
    search: Search,
}

struct Search {
    from: Place,
    ns: u64,
    step: CallStep,
    found: Option<(Place, Call, usize)>,
}

impl Visitor for Search {
    fn begin(&mut self, _: &Asked<'_>, _: &Here<'_>) {}

    fn call(&mut self, asked: &Asked<'_>, at: &Here<'_>, call: &Call) {
        let place = (call.at, at.thread.pid, at.thread.generation);
        let is_next = |best: Place| match self.step {
            CallStep::Previous => best < place,
            _ => place < best,
        };
        let is_beyond = match self.step {
            CallStep::Previous => place < self.from,
            CallStep::Next => self.from < place,
            CallStep::Longer => self.from < place && self.ns < call.ns,
            CallStep::Error => self.from < place && sysnames::is_error(call.ret),
        };
        let is_nearer = self.found.as_ref().is_none_or(|&(best, ..)| is_next(best));
        if is_beyond && is_nearer && at.is_wanted(asked, call) {
            self.found = Some((place, *call, at.index));
        }
    }

    fn end(&mut self, _: &Asked<'_>, _: &Here<'_>) {}
}

impl StepJob {
    /// From the call that a thread entered then, and that took so long.
    pub fn new(trace: &Trace, query: CallsQuery, step: CallStep, (at, pid, generation): Place, ns: u64) -> StepJob {
        StepJob {
            chosen: Chosen::new(trace, query),
            walk: CallWalk::default(),
            search: Search {
                from: (at, pid, generation),
                ns,
                step,
                found: None,
            },
        }
    }

    /// Works for some milliseconds; false once finished.
    pub fn step(&mut self, model: CallModel<'_>) -> bool {
        self.walk.step(&self.chosen.of(model), &mut self.search)
    }

    /// Share of the work that is done, from 0 to 1.
    pub fn share(&self, model: CallModel<'_>) -> f64 {
        self.walk.share(model.calls.threads.len())
    }

    /// The call, once `step` has returned false; `None` if there is none.
    pub fn answer(self, model: CallModel<'_>) -> Option<CallPlace> {
        let (_, call, thread) = self.search.found?;
        let thread = model.calls.threads.get(thread)?;
        Some(CallPlace::of(&self.chosen.of(model), thread, &call))
    }
}
