//! Long questions as they come from outside, and the answers they get: `JobQuery` and its answers in
//! `web/engine/protocolExplain.ts`.

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

/// What can be asked.
#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum JobQuery {
    /// [`findings`](super::findings).
    Findings {
        /// Of what.
        selection: ModelSelection,
        /// Of each kind.
        top: usize,
    },
    /// [`latency`](super::latency).
    Latency {
        /// Of what.
        selection: ModelSelection,
        /// What makes a group.
        by: GroupBy,
        /// Worst latencies.
        top: usize,
    },
    /// [`overload`](super::overload).
    Overload {
        /// Of what.
        selection: ModelSelection,
        /// In ns.
        min_duration: f64,
        /// Violations.
        top: usize,
    },
    /// [`domain_overload`](super::domain_overload); nothing where the machine is not known.
    Domains {
        /// Of what.
        selection: ModelSelection,
    },
    /// [`Cascades::longest`](super::Cascades::longest).
    Cascades {
        /// Of what.
        selection: ModelSelection,
        /// Cascades.
        top: usize,
    },
    /// [`Cascades::of_run`](super::Cascades::of_run).
    CascadeOf {
        /// The run's CPU.
        cpu: u32,
        /// When it runs, since the trace's first record.
        at: f64,
    },
    /// [`waits`](super::waits).
    Waits {
        /// Of what.
        selection: ModelSelection,
        /// Waits.
        top: usize,
    },
}

/// A [`Selection`] as the page makes it.
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

/// Times are numbers of JavaScript; fractions of a ns and negative ones are cut off.
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
#[serde(tag = "type", rename_all = "camelCase")]
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

/// Groups that an answer has room for; the others are counted.
const MOST_GROUPS: usize = 500;
/// Tasks of each violation.
const MOST_TASKS: usize = 200;
/// Tasks that took the CPU in each wait.
const MOST_TOOK: usize = 50;

/// A query under way.
pub struct RunningJob {
    trace: Arc<Trace>,
    kept: Arc<Kept>,
    job: AnyJob,
    /// Kinds of findings in the last partial answer.
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

/// What to call, whatever the job.
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
    /// Begins to answer; `kept` belongs to the trace.
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
            } => AnyJob::Overload(Box::new(OverloadJob::new(scope(selection), min_duration as u64, top))),
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

    /// Goes on for a millisecond or so; false when nothing is left to do.
    pub fn step(&mut self) -> bool {
        let model = Model {
            trace: &self.trace,
            kept: &self.kept,
        };
        of_any!(&mut self.job, job => job.step(model))
    }

    /// How much is done, from 0 to 1.
    pub fn share(&self) -> f64 {
        let model = Model {
            trace: &self.trace,
            kept: &self.kept,
        };
        of_any!(&self.job, job => job.share(model))
    }

    /// What is known already, where that is worth telling and more than the last time.
    pub fn partial(&mut self) -> Option<JobAnswer> {
        let AnyJob::Findings(job) = &self.job else { return None };
        let kinds = job.kinds_found();
        (std::mem::replace(&mut self.told, kinds) < kinds).then(|| JobAnswer::Findings {
            findings: job.so_far(),
            done: false,
        })
    }

    /// The answer, once `step` has said that nothing is left.
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
