//! Long questions: walks over the trace, in steps.

use super::answer::{Answer, Numbers};
use super::question::{ModelSelection, Question};
use crate::query::{
    BehindJob, CascadeOfJob, CascadesJob, DomainsJob, FindingsJob, GroupBy, Indexes, Job, LatencyJob, OverloadJob,
    Scope, Selection, WaitsJob,
};
use std::sync::Arc;

/// The most groups in an answer; the others are counted.
const MOST_GROUPS: usize = 500;
/// The most tasks that violations list, shared by all of them, and of each at least.
const MOST_TASKS: usize = 200;
const LEAST_TASKS: usize = 8;
/// The most tasks per wait that took its CPU.
const MOST_TOOK: usize = 50;

/// A long question being answered.
pub(crate) enum Long {
    Findings {
        job: FindingsJob,
        /// Number of searches in the last partial answer.
        told: usize,
    },
    Latency(Box<LatencyJob>),
    Overload(Box<OverloadJob>),
    Behind(Box<BehindJob>),
    Domains(Option<Box<DomainsJob>>),
    Cascades(CascadesJob),
    CascadeOf(CascadeOfJob),
    Waits(WaitsJob),
}

/// Calls a method of the job, whichever it is.
macro_rules! of_any {
    ($long:expr, $job:ident => $call:expr) => {
        match $long {
            Long::Findings { job: $job, .. } => $call,
            Long::Latency($job) => $call,
            Long::Overload($job) => $call,
            Long::Behind($job) => $call,
            Long::Domains($job) => $call,
            Long::Cascades($job) => $call,
            Long::CascadeOf($job) => $call,
            Long::Waits($job) => $call,
        }
    };
}

impl Long {
    /// Starts to answer a question; `None` for one that is not long.
    pub(crate) fn begin(view: &Indexes, question: &Question) -> Option<Long> {
        let trace = view.trace();
        let scope = |selection: &ModelSelection| {
            let selection = Selection {
                runs: view.passing().cloned(),
                ..selection.clone().into()
            };
            Scope::new(trace, &selection)
        };
        Some(match question {
            Question::Findings { selection, top } => Long::Findings {
                job: FindingsJob::new(trace, scope(selection), *top),
                told: 0,
            },
            Question::Latency { selection, by, top } => {
                // CPUs are in order of their numbers: none of them is less worth than another.
                let most_groups = if *by == GroupBy::Cpu { usize::MAX } else { MOST_GROUPS };
                let job = LatencyJob::new(trace, scope(selection), *by, *top, most_groups);
                Long::Latency(Box::new(job))
            }
            Question::Overload {
                selection,
                min_duration,
                top,
            } => {
                let tasks = (MOST_TASKS / (*top).max(1)).max(LEAST_TASKS);
                let job = OverloadJob::new(trace, scope(selection), *min_duration, *top, tasks);
                Long::Overload(Box::new(job))
            }
            Question::Behind { selection } => {
                let job = BehindJob::new(trace, scope(selection), 0, 1, MOST_TASKS);
                Long::Behind(Box::new(job))
            }
            Question::Domains { selection } => {
                let topology = view.topology();
                let job = topology.map(|topology| DomainsJob::new(scope(selection), Arc::clone(topology)));
                Long::Domains(job.map(Box::new))
            }
            Question::Cascades { selection, top } => Long::Cascades(CascadesJob::new(trace, scope(selection), *top)),
            Question::CascadeOf { cpu, at } => Long::CascadeOf(CascadeOfJob::new(trace, *cpu, *at)),
            Question::Waits { selection, top } => Long::Waits(WaitsJob::new(scope(selection), *top)),
            Question::SetView { .. }
            | Question::FilterRuns { .. }
            | Question::ParseTopology { .. }
            | Question::SetTopology { .. }
            | Question::Tile(_)
            | Question::Labels(_)
            | Question::At(_)
            | Question::Step(_)
            | Question::Chain { .. }
            | Question::Commands { .. }
            | Question::Stats { .. }
            | Question::TaskTable { .. }
            | Question::CpuTable { .. }
            | Question::Tasks { .. }
            | Question::Moves { .. }
            | Question::Wait { .. }
            | Question::Placement { .. } => return None,
        })
    }

    /// Works for about a millisecond; false once finished.
    pub(crate) fn step(&mut self, view: &Indexes) -> bool {
        of_any!(self, job => job.step(view.model()))
    }

    /// Share of the work that is done, from 0 to 1.
    pub(crate) fn share(&self, view: &Indexes) -> f64 {
        of_any!(self, job => job.share(view.model()))
    }

    /// A partial answer, if there is one and it has more than the last one.
    pub(crate) fn partial(&mut self, view: &Indexes) -> Option<Answer> {
        let model = view.model();
        let Long::Findings { job, told } = self else {
            return None;
        };
        let kinds = job.searched();
        (std::mem::replace(told, kinds) < kinds).then(|| Answer::Findings {
            findings: job.so_far(model),
            done: false,
        })
    }

    /// The answer, once `step` has returned false.
    pub(crate) fn answer(self, view: &Indexes) -> Answer {
        let model = view.model();
        match self {
            Long::Findings { job, .. } => Answer::Findings {
                findings: job.answer(model),
                done: true,
            },
            Long::Latency(job) => {
                let mut report = Box::new(job.answer(model));
                let groups = std::mem::take(&mut report.groups);
                let mut values = Vec::new();
                groups.iter().for_each(|group| group.put_numbers(&mut values));
                Answer::Latency {
                    report,
                    groups: groups.into_iter().map(|group| group.name).collect(),
                    values: Numbers(values),
                }
            }
            Long::Overload(job) => Answer::Overload {
                report: job.answer(model),
            },
            Long::Behind(job) => {
                let found = job.answer(model);
                Answer::Behind {
                    behind_ns: found.ns,
                    worst: found.intervals.into_iter().next(),
                }
            }
            Long::Domains(job) => Answer::Domains {
                report: job.answer(model),
            },
            Long::Cascades(job) => Answer::Cascades {
                report: job.answer(model),
            },
            Long::CascadeOf(job) => Answer::CascadeOf {
                cascade: job.answer(model),
            },
            Long::Waits(job) => {
                let mut report = job.answer(model);
                for wait in &mut report.longest {
                    wait.took.truncate(MOST_TOOK);
                }
                Answer::Waits { report }
            }
        }
    }
}
