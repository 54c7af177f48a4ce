//! A trace, and a question about it that is being answered.

use super::answer::StudyAnswer;
use super::question::StudyQuestion;
use crate::query::{
    compare, Job, Model, PointsJob, Scope, Selection, Shared, Side, SideJob, SpareJob, Standpoint, StandpointBuilder,
    TookJob, WakesJob,
};
use schedindex::OnDemand;
use schedmodel::topology::Topology;
use schedmodel::Trace;
use std::rc::Rc;
use std::sync::Arc;

/// A trace, with what questions about it share.
pub struct StudiedTrace {
    trace: Trace,
    shared: Shared,
    standpoint: OnDemand<Standpoint, StandpointBuilder>,
}

impl StudiedTrace {
    /// Of a trace about which nothing was asked yet.
    pub fn new(trace: Trace) -> StudiedTrace {
        StudiedTrace {
            trace,
            shared: Shared::default(),
            standpoint: OnDemand::default(),
        }
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
}

/// Does the same with whichever job it is; an instant is none.
macro_rules! of_any {
    ($work:expr, $job:ident => $do:expr, $at:ident => $instant:expr) => {
        match $work {
            Work::Wakes($job) => $do,
            Work::Took($job) => $do,
            Work::Spare($job) => $do,
            Work::Points($job) => $do,
            Work::Side($job, _) => $do,
            Work::Instant($at) => $instant,
        }
    };
}

impl StudyAsked {
    /// Begins.
    pub fn new(studied: &Rc<StudiedTrace>, question: StudyQuestion) -> StudyAsked {
        let trace = &studied.trace;
        let scope = |selection| Scope::new(trace, &Selection::from(selection));
        let work = match question {
            StudyQuestion::Wakes {
                selection,
                by,
                top,
                ends,
                topology,
            } => {
                // What the page holds was understood before.
                let topology = topology
                    .and_then(|text| Topology::parse(text.as_bytes()).ok())
                    .map(Arc::new);
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
        };
        StudyAsked {
            trace: Rc::clone(studied),
            work,
        }
    }

    /// Works for some milliseconds; false once finished.
    pub fn step(&mut self) -> bool {
        let model = self.trace.model();
        let StudiedTrace { trace, standpoint, .. } = &*self.trace;
        of_any!(&mut self.work, job => job.step(model), _at => {
            !standpoint.step(|| StandpointBuilder::new(trace), |builder| builder.step(trace))
        })
    }

    /// Share of the work that is done, from 0 to 1.
    pub fn share(&self) -> f64 {
        let model = self.trace.model();
        of_any!(&self.work, job => job.share(model), _at => 0.0)
    }

    /// The answer, once `step` has returned false.
    pub fn answer(self) -> StudyAnswer {
        let model = self.trace.model();
        match self.work {
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
        }
    }
}
