//! Long queries as the page sends them, and their answers: `JobQuery` in `web/engine/protocolExplain.ts`.

use super::cascade::{Cascade, CascadeOfJob, CascadeReport, CascadesJob};
use super::domains::{DomainReport, DomainsJob};
use super::findings::{Finding, FindingsJob};
use super::job::{Job, Model};
use super::kept::Kept;
use super::latency::{GroupBy, Latency};
use super::latency_job::LatencyJob;
use super::overload::{OverloadJob, OverloadReport};
use super::selected::Scope;
use super::selection::Selection;
use super::waits::{WaitReport, WaitsJob};
use schedmodel::topology::Topology;
use schedmodel::Trace;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A long query.
#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum JobQuery {
    /// [`findings`](super::findings).
    Findings {
        /// The part of the trace.
        selection: ModelSelection,
        /// How many of each kind.
        top: usize,
    },
    /// [`latency`](super::latency).
    Latency {
        /// The part of the trace.
        selection: ModelSelection,
        /// How to group.
        by: GroupBy,
        /// How many of the worst latencies.
        top: usize,
    },
    /// [`overload`](super::overload).
    Overload {
        /// The part of the trace.
        selection: ModelSelection,
        /// Minimum duration in ns.
        min_duration: f64,
        /// How many violations.
        top: usize,
    },
    /// [`domain_overload`](super::domain_overload); without a topology, the answer is empty.
    Domains {
        /// The part of the trace.
        selection: ModelSelection,
    },
    /// [`Cascades::longest`](super::Cascades::longest).
    Cascades {
        /// The part of the trace.
        selection: ModelSelection,
        /// How many cascades.
        top: usize,
    },
    /// [`Cascades::of_run`](super::Cascades::of_run).
    CascadeOf {
        /// The run's CPU.
        cpu: u32,
        /// A time at which it runs, since the trace's first record.
        at: f64,
    },
    /// [`waits`](super::waits).
    Waits {
        /// The part of the trace.
        selection: ModelSelection,
        /// How many waits.
        top: usize,
    },
}

/// A [`Selection`] as the page sends it.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct ModelSelection {
    window: Option<Window>,
    forked: bool,
    movable: bool,
    target: Option<String>,
    comms: Vec<String>,
    pids: Vec<i32>,
    cpus: Option<Vec<u32>>,
}

/// Times are JavaScript numbers; fractions of a ns and negative times are cut off.
#[derive(Clone, Copy, Debug, Deserialize)]
struct Window {
    start: f64,
    end: f64,
}

impl From<ModelSelection> for Selection {
    fn from(asked: ModelSelection) -> Selection {
        Selection {
            min: asked.window.map(|window| window.start as u64),
            max: asked.window.map(|window| window.end as u64),
            forked: asked.forked,
            movable: asked.movable,
            target: asked.target,
            comms: asked.comms,
            pids: asked.pids,
            cpus: asked.cpus,
            ..Selection::default()
        }
    }
}

/// An answer.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
#[allow(missing_docs, reason = "as the query of the same name")]
pub enum JobAnswer {
    Findings { findings: Vec<Finding>, done: bool },
    Latency { report: Box<Latency> },
    Overload { report: OverloadReport },
    Domains { report: Option<DomainReport> },
    Cascades { report: CascadeReport },
    CascadeOf { cascade: Option<Cascade> },
    Waits { report: WaitReport },
}

/// The most groups in an answer; the others are counted.
const MOST_GROUPS: usize = 500;
/// The most tasks per violation.
const MOST_TASKS: usize = 200;
/// The most tasks per wait that took its CPU.
const MOST_TOOK: usize = 50;

/// A query being answered.
pub struct RunningJob {
    trace: Arc<Trace>,
    kept: Arc<Kept>,
    job: AnyJob,
    /// Number of kinds of findings in the last partial answer.
    told: usize,
}

enum AnyJob {
    Findings(FindingsJob),
    Latency(Box<LatencyJob>),
    Overload(Box<OverloadJob>),
    Domains(Option<Box<DomainsJob>>),
    Cascades(CascadesJob),
    CascadeOf(CascadeOfJob),
    Waits(WaitsJob),
}

/// Calls a method of the job, whichever it is.
macro_rules! of_any {
    ($any:expr, $job:ident => $call:expr) => {
        match $any {
            AnyJob::Findings($job) => $call,
            AnyJob::Latency($job) => $call,
            AnyJob::Overload($job) => $call,
            AnyJob::Domains($job) => $call,
            AnyJob::Cascades($job) => $call,
            AnyJob::CascadeOf($job) => $call,
            AnyJob::Waits($job) => $call,
        }
    };
}

impl RunningJob {
    /// Starts a query; `kept` belongs to the trace.
    pub(crate) fn new(
        trace: Arc<Trace>,
        kept: Arc<Kept>,
        topology: Option<&Arc<Topology>>,
        query: JobQuery,
    ) -> RunningJob {
        let scope = |selection: ModelSelection| Scope::new(&trace, &selection.into());
        let job = match query {
            JobQuery::Findings { selection, top } => AnyJob::Findings(FindingsJob::new(&trace, scope(selection), top)),
            JobQuery::Latency { selection, by, top } => {
                let job = LatencyJob::new(&trace, scope(selection), by, top, MOST_GROUPS);
                AnyJob::Latency(Box::new(job))
            }
            JobQuery::Overload {
                selection,
                min_duration,
                top,
            } => AnyJob::Overload(Box::new(OverloadJob::new(
                &trace,
                scope(selection),
                min_duration as u64,
                top,
            ))),
            JobQuery::Domains { selection } => {
                let job = topology.map(|machine| DomainsJob::new(scope(selection), Arc::clone(machine)));
                AnyJob::Domains(job.map(Box::new))
            }
            JobQuery::Cascades { selection, top } => AnyJob::Cascades(CascadesJob::new(&trace, scope(selection), top)),
            JobQuery::CascadeOf { cpu, at } => AnyJob::CascadeOf(CascadeOfJob::new(&trace, cpu, at as u64)),
            JobQuery::Waits { selection, top } => AnyJob::Waits(WaitsJob::new(scope(selection), top)),
        };
        RunningJob {
            trace,
            kept,
            job,
            told: 0,
        }
    }

    /// Works for about a millisecond; false once finished.
    pub fn step(&mut self) -> bool {
        let model = Model {
            trace: &self.trace,
            kept: &self.kept,
        };
        of_any!(&mut self.job, job => job.step(model))
    }

    /// Share of the work that is done, from 0 to 1.
    pub fn share(&self) -> f64 {
        let model = Model {
            trace: &self.trace,
            kept: &self.kept,
        };
        of_any!(&self.job, job => job.share(model))
    }

    /// A partial answer, if there is one and it has more than the last one.
    pub fn partial(&mut self) -> Option<JobAnswer> {
        let AnyJob::Findings(job) = &self.job else { return None };
        let kinds = job.kinds_found();
        (std::mem::replace(&mut self.told, kinds) < kinds).then(|| JobAnswer::Findings {
            findings: job.so_far(),
            done: false,
        })
    }

    /// The answer, once `step` has returned false.
    pub fn answer(self) -> JobAnswer {
        let model = Model {
            trace: &self.trace,
            kept: &self.kept,
        };
        match self.job {
            AnyJob::Findings(job) => JobAnswer::Findings {
                findings: job.answer(model),
                done: true,
            },
            AnyJob::Latency(job) => JobAnswer::Latency {
                report: Box::new(job.answer(model)),
            },
            AnyJob::Overload(job) => {
                let mut report = job.answer(model);
                for violation in report.intervals.iter_mut().chain(&mut report.behind) {
                    violation.tasks.truncate(MOST_TASKS);
                }
                JobAnswer::Overload { report }
            }
            AnyJob::Domains(job) => JobAnswer::Domains {
                report: job.answer(model),
            },
            AnyJob::Cascades(job) => JobAnswer::Cascades {
                report: job.answer(model),
            },
            AnyJob::CascadeOf(job) => JobAnswer::CascadeOf {
                cascade: job.answer(model),
            },
            AnyJob::Waits(job) => {
                let mut report = job.answer(model);
                for wait in &mut report.longest {
                    wait.took.truncate(MOST_TOOK);
                }
                JobAnswer::Waits { report }
            }
        }
    }
}
