//! A trace, and a question about it that is being answered.

use super::answer::StudyAnswer;
use super::question::FilterStep;
use super::question::StudyQuestion;
use crate::ask::ModelSelection;
use crate::query::{
    compare, run_places, Job, Model, PointsJob, Scope, Selection, Shared, Side, SideJob, SpareJob, Standpoint,
    StandpointBuilder, TookJob, WakesJob,
};
use schedindex::{OnDemand, Passing, PassingBuilder, PassingEvent, RunOf, Runs};
use schedmodel::topology::Topology;
use schedmodel::Trace;
use std::cell::{OnceCell, RefCell};
use std::fmt;
use std::rc::Rc;
use std::sync::Arc;

/// A trace, with what questions about it share.
pub struct StudiedTrace {
    trace: Trace,
    shared: Shared,
    standpoint: OnDemand<Standpoint, StandpointBuilder>,
    runs: OnceCell<Runs>,
    /// The runs of a filter whose events are still coming.
    passing: RefCell<Option<PassingBuilder>>,
}

/// The steps of a filter whose first one another copy of the trace got: this one has not heard of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotBegun;

impl fmt::Display for NotBegun {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the runs that pass the filter were lost")
    }
}

impl std::error::Error for NotBegun {}

impl StudiedTrace {
    /// Of a trace about which nothing was asked yet.
    pub fn new(trace: Trace) -> StudiedTrace {
        StudiedTrace {
            trace,
            shared: Shared::default(),
            standpoint: OnDemand::default(),
            runs: OnceCell::new(),
            passing: RefCell::default(),
        }
    }

    fn runs(&self) -> &Runs {
        self.runs.get_or_init(|| Runs::new(&self.trace))
    }

    /// Does a step; returns what is told of it, and the runs once there are no more.
    fn passing_runs(&self, step: FilterStep, words: &[u32]) -> Result<(StudyAnswer, Vec<u32>), NotBegun> {
        let mut begun = self.passing.borrow_mut();
        let (runs, found) = match step {
            FilterStep::Begin => {
                *begun = Some(PassingBuilder::new(&self.trace));
                (0, Vec::new())
            }
            FilterStep::Add(cpu) => {
                let passing = begun.as_mut().ok_or(NotBegun)?;
                let events = words.chunks_exact(3).filter_map(passing_event);
                passing.add(&self.trace, self.runs(), cpu, events);
                (passing.runs(), Vec::new())
            }
            FilterStep::Finish => {
                let passing = begun.take().ok_or(NotBegun)?;
                (passing.runs(), passing.finish().words())
            }
        };
        Ok((StudyAnswer::PassingRuns { runs }, found))
    }

    fn model(&self) -> Model<'_> {
        Model::new(&self.trace, &self.shared)
    }
}

/// A question that is being answered.
pub struct StudyAsked {
    trace: Rc<StudiedTrace>,
    work: Work,
}

enum Work {
    Wakes(Box<WakesJob>),
    Took(Box<TookJob>),
    Spare(Box<SpareJob>),
    Points(Box<PointsJob>),
    /// With the first side, if two are compared.
    Side(Box<SideJob>, Option<Box<Side>>),
    Instant(u64),
    /// With what comes beside it.
    Done(StudyAnswer, Vec<u32>),
}

/// Does the same with whichever job it is; the others are none.
macro_rules! of_any {
    ($work:expr, $job:ident => $do:expr, instant => $instant:expr, done => $done:expr) => {
        match $work {
            Work::Wakes($job) => $do,
            Work::Took($job) => $do,
            Work::Spare($job) => $do,
            Work::Points($job) => $do,
            Work::Side($job, _) => $do,
            Work::Instant(_) => $instant,
            Work::Done(..) => $done,
        }
    };
}

impl StudyAsked {
    /// Begins. `words`: what comes with the question, of [`Passing`] with one that has a selection: the runs that pass the filter; none if
    /// there is no filter. [`NotBegun`]: of a step of a filter, where no first one came.
    pub fn new(studied: &Rc<StudiedTrace>, question: StudyQuestion, words: &[u32]) -> Result<StudyAsked, NotBegun> {
        let trace = &studied.trace;
        let scope = |selection: ModelSelection| {
            let selection = Selection {
                runs: Passing::beside(trace, words),
                ..selection.into()
            };
            Scope::new(trace, &selection)
        };
        // What the page holds was understood before.
        let parsed = |text: Option<String>| text.and_then(|text| Topology::parse(text.as_bytes()).ok());
        let work = match question {
            StudyQuestion::Wakes {
                selection,
                by,
                top,
                ends,
                topology,
            } => {
                let topology = parsed(topology).map(Arc::new);
                Work::Wakes(Box::new(WakesJob::new(scope(selection), by, (top, ends), topology)))
            }
            StudyQuestion::Took {
                selection,
                by,
                top,
                ends,
            } => Work::Took(Box::new(TookJob::new(trace, scope(selection), by, (top, ends)))),
            StudyQuestion::SpareCpus { selection } => Work::Spare(Box::new(SpareJob::new(scope(selection)))),
            StudyQuestion::LatencyPoints { selection, of, columns } => {
                Work::Points(Box::new(PointsJob::new(trace, scope(selection), of, columns)))
            }
            StudyQuestion::Side { selection } => Work::Side(Box::new(SideJob::new(trace, scope(selection))), None),
            StudyQuestion::Compare { selection, first } => {
                let job = SideJob::new(trace, scope(selection));
                Work::Side(Box::new(job), Some(Box::new(first)))
            }
            StudyQuestion::Instant { at } => Work::Instant(at),
            StudyQuestion::RunPlaces { topology } => {
                let words = run_places(trace, studied.runs(), parsed(topology).as_ref());
                Work::Done(StudyAnswer::RunPlaces, words)
            }
            StudyQuestion::PassingRuns { step } => {
                let (answer, found) = studied.passing_runs(step, words)?;
                Work::Done(answer, found)
            }
        };
        Ok(StudyAsked {
            trace: Rc::clone(studied),
            work,
        })
    }

    /// Works for some milliseconds; false once finished.
    pub fn step(&mut self) -> bool {
        let model = self.trace.model();
        let StudiedTrace { trace, standpoint, .. } = &*self.trace;
        of_any!(&mut self.work, job => job.step(model), instant => {
            !standpoint.step(|| StandpointBuilder::new(trace), |builder| builder.step(trace))
        }, done => false)
    }

    /// Share of the work that is done, from 0 to 1.
    pub fn share(&self) -> f64 {
        let model = self.trace.model();
        of_any!(&self.work, job => job.share(model), instant => 0.0, done => 1.0)
    }

    /// The answer, once `step` has returned false, and the words that come beside it.
    pub fn answer(self) -> (StudyAnswer, Vec<u32>) {
        let model = self.trace.model();
        let answer = match self.work {
            Work::Done(answer, words) => return (answer, words),
            Work::Wakes(job) => StudyAnswer::Wakes {
                report: Box::new(job.answer(model)),
            },
            Work::Took(job) => StudyAnswer::Took {
                report: Box::new(job.answer(model)),
            },
            Work::Spare(job) => StudyAnswer::SpareCpus {
                report: job.answer(model),
            },
            Work::Points(job) => StudyAnswer::LatencyPoints {
                found: job.answer(model),
            },
            Work::Side(job, None) => StudyAnswer::Side {
                side: job.answer(model),
            },
            Work::Side(job, Some(first)) => StudyAnswer::Compare {
                comparison: compare(&first, &job.answer(model)),
            },
            Work::Instant(at) => {
                let StudiedTrace { trace, standpoint, .. } = &*self.trace;
                let begin = || StandpointBuilder::new(trace);
                let standpoint = standpoint.get_or_make(begin, |builder| builder.step(trace));
                StudyAnswer::Instant {
                    instant: standpoint.at(trace, at),
                }
            }
        };
        (answer, Vec::new())
    }
}

fn passing_event(words: &[u32]) -> Option<PassingEvent> {
    let &[low, high, code] = words else { return None };
    Some(PassingEvent {
        at: u64::from(low) | u64::from(high) << 32,
        of: RunOf::of_code(code as i32),
    })
}
