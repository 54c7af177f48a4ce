//! Long queries run in steps, so that the caller can interleave other work, report progress or cancel. [`run`] drives
//! one to completion, with the same result.

use super::kept::Kept;
use schedmodel::Trace;

/// What jobs read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Model<'a> {
    /// The trace; the same in every call.
    pub(crate) trace: &'a Trace,
    /// Results that all queries about the trace share.
    pub(crate) kept: &'a Kept,
}

/// A query being answered.
pub(crate) trait Job {
    /// The result.
    type Answer;

    /// Works for about a millisecond; false once finished.
    fn step(&mut self, model: Model<'_>) -> bool;

    /// Share of the work that is done, from 0 to 1; it never decreases.
    fn share(&self, model: Model<'_>) -> f64;

    /// The answer, once `step` has returned false.
    fn answer(self, model: Model<'_>) -> Self::Answer;
}

/// Runs a job to completion.
pub(crate) fn run<J: Job>(trace: &Trace, mut job: J) -> J::Answer {
    let kept = Kept::default();
    let model = Model { trace, kept: &kept };
    while job.step(model) {}
    job.answer(model)
}

/// A query that cannot be asked has no answer.
impl<J: Job> Job for Option<Box<J>> {
    type Answer = Option<J::Answer>;

    fn step(&mut self, model: Model<'_>) -> bool {
        self.as_mut().is_some_and(|job| job.step(model))
    }

    fn share(&self, model: Model<'_>) -> f64 {
        self.as_ref().map_or(1.0, |job| job.share(model))
    }

    fn answer(self, model: Model<'_>) -> Self::Answer {
        self.map(|job| job.answer(model))
    }
}
