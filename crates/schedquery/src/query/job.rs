//! Questions that walk over the whole trace, asked step by step: whoever asks can do something else in between, show how
//! far it is, and drop it. Who does not want that runs it to its end, and gets the same answer.

use super::kept::Kept;
use schedmodel::Trace;

/// What jobs work on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Model<'a> {
    /// The trace; the same in every call.
    pub(crate) trace: &'a Trace,
    /// What is found once for all questions about it.
    pub(crate) kept: &'a Kept,
}

/// A question under way.
pub(crate) trait Job {
    /// What comes of it.
    type Answer;

    /// Does some more, for a millisecond or so; false when nothing is left to do.
    fn step(&mut self, model: Model<'_>) -> bool;

    /// How much is done, from 0 to 1, never less than before.
    fn share(&self, model: Model<'_>) -> f64;

    /// The answer, once `step` has said that nothing is left.
    fn answer(self, model: Model<'_>) -> Self::Answer;
}

/// Runs a job to its end.
pub(crate) fn run<J: Job>(trace: &Trace, mut job: J) -> J::Answer {
    let kept = Kept::default();
    let model = Model { trace, kept: &kept };
    while job.step(model) {}
    job.answer(model)
}

/// A question that may not be asked has no answer.
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
