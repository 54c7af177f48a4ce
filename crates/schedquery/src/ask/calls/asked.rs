//! A trace's calls, and a question about them that is being answered.

use super::answer::{CallFacts, CallName, CallsAnswer};
use super::question::{CallTileQuestion, CallTrack, CallsQuestion};
use crate::ask::Words;
use crate::calls::{Calls, KernelLog};
use crate::index::Runs;
use crate::query::{
    call_at, Buckets, CallFindingsJob, CallModel, CallNames, CallStates, CallsJob, CallsQuery, Lanes, OfRowJob, StepJob,
};
use schedmodel::Trace;
use std::rc::Rc;
use sysnames::Machine;

/// A trace and its calls.
pub struct CallTrace {
    trace: Trace,
    runs: Runs,
    calls: Calls,
    names: CallNames,
    states: CallStates,
}

impl CallTrace {
    /// `logs`: what the scans of its CPUs left, in any order; `machine`: what the file says that it was recorded on.
    pub fn new(trace: Trace, mut logs: Vec<KernelLog>, machine: Option<&str>) -> CallTrace {
        logs.sort_by_key(|log| log.cpu);
        let runs = Runs::new(&trace);
        let calls = Calls::new(&trace, &runs, &logs);
        let names = CallNames::new(&calls, None, || machine.and_then(Machine::of_name));
        CallTrace {
            trace,
            runs,
            calls,
            names,
            states: CallStates::kept(),
        }
    }

    fn model(&self) -> CallModel<'_> {
        CallModel {
            trace: &self.trace,
            runs: &self.runs,
            calls: &self.calls,
            names: &self.names,
            states: &self.states,
        }
    }

    fn facts(&self) -> CallFacts {
        let Calls {
            recorded,
            totals,
            interrupts,
            has_sched,
            ..
        } = &self.calls;
        let named = |&nr: &i32| CallName {
            nr,
            call: self.names.name(nr, false).into_owned(),
        };
        CallFacts {
            events: *recorded,
            arch: self.names.machine().map(Machine::name),
            totals: *totals,
            has_sched: *has_sched,
            hardirqs: interrupts.hardirqs,
            softirqs: interrupts.softirqs,
            vectors: interrupts.vectors,
            processes_told: self.calls.processes.are_told(),
            names: self.calls.numbers().iter().map(named).collect(),
            tasks: self
                .calls
                .threads
                .iter()
                .filter_map(|thread| Some(thread.task?.0))
                .collect(),
        }
    }
}

/// A question that is being answered.
pub struct CallsAsked {
    trace: Rc<CallTrace>,
    work: Work,
}

enum Work {
    Table(Box<CallsJob>),
    OfRow(Box<OfRowJob>),
    Step(Box<StepJob>),
    Findings(Box<CallFindingsJob>),
    Tile(CallTileQuestion, Vec<u32>),
    /// Answered at once, when the answer is fetched.
    Short(CallsQuestion),
}

impl CallsAsked {
    /// Begins.
    pub fn new(trace: &Rc<CallTrace>, question: CallsQuestion) -> CallsAsked {
        let work = match question {
            CallsQuestion::CallTable {
                selection,
                by,
                errors,
                net,
                sums_only,
                top,
            } => {
                let query = CallsQuery {
                    selection: selection.into(),
                    by,
                    errors,
                    net,
                    sums_only,
                    top: Some(top),
                    ..CallsQuery::default()
                };
                Work::Table(Box::new(CallsJob::new(&trace.trace, query)))
            }
            CallsQuestion::CallsOfRow { row, top, columns } => {
                Work::OfRow(Box::new(OfRowJob::new(&trace.trace, row.into(), top, columns)))
            }
            CallsQuestion::CallStep {
                row,
                step,
                at,
                ns,
                pid,
                generation,
            } => {
                let from = (at, pid, generation);
                Work::Step(Box::new(StepJob::new(&trace.trace, row.into(), step, from, ns)))
            }
            CallsQuestion::CallFindings { selection, top } => {
                Work::Findings(Box::new(CallFindingsJob::new(&trace.trace, selection.into(), top)))
            }
            CallsQuestion::Tile(asked) => Work::Tile(asked, Vec::new()),
            question => Work::Short(question),
        };
        CallsAsked {
            trace: Rc::clone(trace),
            work,
        }
    }

    /// Whether somebody watches the screen for the answer.
    pub fn is_urgent(&self) -> bool {
        matches!(self.work, Work::Tile(..) | Work::Short(_))
    }

    /// Works for some milliseconds; false once finished.
    pub fn step(&mut self) -> bool {
        let model = self.trace.model();
        match &mut self.work {
            Work::Table(job) => job.step(model),
            Work::OfRow(job) => job.step(model),
            Work::Step(job) => job.step(model),
            Work::Findings(job) => job.step(model),
            // A track is a step.
            Work::Tile(asked, words) => {
                let per_track = asked.buckets as usize * if asked.kind == CallTrack::Calls { 2 } else { 1 };
                let done = words.len().checked_div(per_track).unwrap_or(asked.keys.len());
                let Some(&key) = asked.keys.get(done) else {
                    return false;
                };
                let buckets = Buckets {
                    level: asked.level,
                    first: asked.first_bucket,
                    count: asked.buckets,
                };
                let lanes = Lanes::new(model);
                words.extend(match asked.kind {
                    CallTrack::Calls => lanes.calls(key, buckets),
                    CallTrack::CpuIrqs => lanes.cpu_interrupts(key, buckets),
                    CallTrack::TaskIrqs => lanes.task_interrupts(key, buckets),
                });
                true
            }
            Work::Short(_) => false,
        }
    }

    /// Share of the work that is done, from 0 to 1.
    pub fn share(&self) -> f64 {
        let model = self.trace.model();
        match &self.work {
            Work::Table(job) => job.share(model),
            Work::OfRow(job) => job.share(model),
            Work::Step(job) => job.share(model),
            Work::Findings(job) => job.share(model),
            Work::Tile(..) | Work::Short(_) => 0.0,
        }
    }

    /// The answer, once `step` has returned false.
    pub fn answer(self) -> Option<CallsAnswer> {
        let model = self.trace.model();
        Some(match self.work {
            Work::Table(job) => {
                let report = job.answer(model);
                CallsAnswer::CallTable {
                    rows_total: report.rows_total,
                    report: Box::new(report),
                }
            }
            Work::OfRow(job) => CallsAnswer::CallsOfRow {
                of_row: Box::new(job.answer(model)),
            },
            Work::Step(job) => CallsAnswer::CallStep {
                place: job.answer(model).map(Box::new),
            },
            Work::Findings(job) => CallsAnswer::CallFindings {
                findings: job.answer(model),
            },
            Work::Tile(asked, words) => CallsAnswer::Tile {
                kind: asked.kind,
                values: Words(words),
                most: 0,
            },
            Work::Short(question) => return self.trace.short(&question),
        })
    }
}

impl CallTrace {
    /// The answer to a question that takes no time; `None` for others.
    fn short(&self, question: &CallsQuestion) -> Option<CallsAnswer> {
        let model = self.model();
        Some(match question {
            CallsQuestion::CallFacts {} => CallsAnswer::CallFacts(self.facts()),
            CallsQuestion::CallAt { pid, generation, at } => CallsAnswer::CallAt {
                place: call_at(model, *pid, *generation, *at).map(Box::new),
            },
            CallsQuestion::Labels(asked) => {
                let lanes = Lanes::new(model);
                let window = asked.window.into();
                let of = |&key: &u32| lanes.labels(key, &window, asked.min_width);
                CallsAnswer::Labels {
                    labels: asked.keys.iter().flat_map(of).collect(),
                }
            }
            CallsQuestion::At(asked) => CallsAnswer::At {
                item: Lanes::new(model).at(asked.key, asked.at).map(Box::new),
            },
            CallsQuestion::CallTable { .. }
            | CallsQuestion::CallsOfRow { .. }
            | CallsQuestion::CallStep { .. }
            | CallsQuestion::CallFindings { .. }
            | CallsQuestion::Tile(_) => return None,
        })
    }
}
