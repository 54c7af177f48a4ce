//! Long queries run in steps, so that the caller can interleave other work, report progress or cancel. [`run`] drives
//! one to completion, with the same result.

use super::shared::Shared;
use schedmodel::Trace;

/// A trace with what queries about it share. Its methods are the queries that make use of that; a query that stands alone
/// is a function.
#[derive(Clone, Copy, Debug)]
pub struct Model<'a> {
    pub(crate) trace: &'a Trace,
    pub(crate) shared: &'a Shared,
}

impl<'a> Model<'a> {
    /// `shared`: made for this trace, or new.
    pub fn new(trace: &'a Trace, shared: &'a Shared) -> Model<'a> {
        Model { trace, shared }
    }

    /// Runs a job to completion.
    pub(crate) fn run<J: Job>(self, mut job: J) -> J::Answer {
        while job.step(self) {}
        job.answer(self)
    }
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

/// Runs a job to completion, and shares nothing with other queries.
pub(crate) fn run<J: Job>(trace: &Trace, job: J) -> J::Answer {
    Model::new(trace, &Shared::default()).run(job)
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
