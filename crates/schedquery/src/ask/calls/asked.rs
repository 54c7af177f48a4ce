//! A trace's calls, and a question about them that is being answered.

use super::answer::{CallFacts, CallName, CallsAnswer};
use super::question::{CallTileQuestion, CallTrack, CallsQuestion, CallsRowQuestion, StolenOf};
use crate::ask::Words;
use crate::calls::{Calls, KernelLog};
use crate::query::{
    call_at, interrupt_word, stolen_of_cpu, stolen_of_task, Buckets, CallCell, CallFindingsJob, CallLanes, CallModel,
    CallNames, CallStates, CallsJob, CallsQuery, OfRowJob, Selection, StepJob, StolenJob, ThreadTimesJob, ALL_TIME,
};
use schedindex::{Passing, Runs};
use schedmodel::{stored, Trace};
use staktau::ThreadTimes;
use std::cell::RefCell;
use std::io::{self, Read, Write};
use std::rc::Rc;
use std::sync::Arc;
use sysnames::Machine;

/// A trace and its calls.
pub struct CallTrace {
    trace: Arc<Trace>,
    runs: Runs,
    calls: Arc<Calls>,
    /// What the file says that it was recorded on.
    machine: Option<Machine>,
    /// What calls are named now; questions that were begun keep the names that they began with.
    names: RefCell<Rc<CallNames>>,
    states: CallStates,
}

impl CallTrace {
    /// `logs`: what the scans of its CPUs left, in any order; `machine`: what the file says that it was recorded on.
    pub fn new(trace: Trace, mut logs: Vec<KernelLog>, machine: Option<&str>) -> CallTrace {
        logs.sort_by_key(|log| log.cpu);
        let runs = Runs::new(&trace);
        let calls = Calls::new(&trace, &runs, &logs);
        CallTrace::of_parts(
            Arc::new(trace),
            runs,
            Arc::new(calls),
            machine.and_then(Machine::of_name),
        )
    }

    fn of_parts(trace: Arc<Trace>, runs: Runs, calls: Arc<Calls>, machine: Option<Machine>) -> CallTrace {
        let names = CallNames::new(&calls, None, || machine);
        CallTrace {
            trace,
            runs,
            calls,
            machine,
            names: RefCell::new(Rc::new(names)),
            states: CallStates::kept(),
        }
    }

    /// Writes all but the trace, for whoever has that; see [`stored::store`].
    pub fn store(&self, out: &mut dyn Write, key: &str) -> io::Result<()> {
        let machine = self.machine.map(|machine| machine.name().to_owned());
        stored::store(&(Arc::clone(&self.calls), machine), out, key)
    }

    /// Of what [`CallTrace::store`] wrote, and the trace. Calls are named as the trace tells.
    pub fn restore(trace: Arc<Trace>, input: &mut dyn Read, size: u64, key: &str) -> io::Result<CallTrace> {
        let (calls, machine): (Arc<Calls>, Option<String>) = stored::restore(input, size, key)?;
        let runs = Runs::new(&trace);
        let machine = machine.as_deref().and_then(Machine::of_name);
        Ok(CallTrace::of_parts(trace, runs, calls, machine))
    }

    /// What calls are named now.
    pub fn names(&self) -> Rc<CallNames> {
        Rc::clone(&self.names.borrow())
    }

    /// What figures and questions take them from, by the names of [`CallTrace::names`].
    pub fn model<'a>(&'a self, names: &'a CallNames) -> CallModel<'a> {
        CallModel {
            trace: &self.trace,
            runs: &self.runs,
            calls: &self.calls,
            names,
            states: &self.states,
        }
    }

    /// Names calls by the table of a machine, or by what the trace tells, and those of some tasks by that of 32-bit tasks;
    /// says what is wrong with the machine's name.
    fn rename(&self, arch: Option<&str>, compat: &[String]) -> Option<String> {
        let asked = arch.map(|name| Machine::of_name(name).ok_or(name)).transpose();
        let (asked, error) = match asked {
            Ok(machine) => (machine, None),
            Err(name) => (None, Some(format!("there is no table of calls for `{name}`"))),
        };
        let names = CallNames::new(&self.calls, asked, || self.machine).with_compat(&self.calls, compat);
        *self.names.borrow_mut() = Rc::new(names);
        error
    }

    fn facts(&self, names: &CallNames) -> CallFacts {
        let Calls {
            recorded,
            totals,
            interrupts,
            has_sched,
            ..
        } = &*self.calls;
        let named = CallLanes::new(self.model(names)).names();
        let named = named.map(|(nr, call)| CallName {
            nr,
            call: call.into_owned(),
        });
        CallFacts {
            events: *recorded,
            arch: names.machine().map(Machine::name),
            arch_compat: names.machine().and_then(Machine::compat).map(Machine::name),
            arch_told: CallNames::new(&self.calls, None, || self.machine)
                .machine()
                .map(Machine::name),
            machines: Machine::ALL.map(Machine::name).to_vec(),
            totals: *totals,
            has_sched: *has_sched,
            hardirqs: interrupts.hardirqs,
            softirqs: interrupts.softirqs,
            vectors: interrupts.vectors,
            processes_told: self.calls.processes.are_told(),
            names: named.collect(),
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
    names: Rc<CallNames>,
    work: Work,
}

enum Work {
    Table(Box<CallsJob>),
    OfRow(Box<OfRowJob>),
    Step(Box<StepJob>),
    Compare(Box<ThreadTimesJob>, Vec<ThreadTimes>),
    StolenIn(StolenJob),
    Findings(Box<CallFindingsJob>),
    Tile(CallTileQuestion, Vec<u32>),
    /// Answered at once, when the answer is fetched.
    Short(CallsQuestion),
}

impl CallsAsked {
    /// Begins. `words`: of [`Passing`], the runs that pass the filter; none if there is no filter.
    pub fn new(trace: &Rc<CallTrace>, question: CallsQuestion, words: &[u32]) -> CallsAsked {
        let passing = |selection: Selection| Selection {
            runs: Passing::beside(&trace.trace, words),
            ..selection
        };
        let of_row = |row: CallsRowQuestion| {
            let query = CallsQuery::from(row);
            CallsQuery {
                selection: passing(query.selection),
                ..query
            }
        };
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
                    selection: passing(selection.into()),
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
                Work::OfRow(Box::new(OfRowJob::new(&trace.trace, of_row(row), top, columns)))
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
                Work::Step(Box::new(StepJob::new(&trace.trace, of_row(row), step, from, ns)))
            }
            CallsQuestion::CallCompare { selection, text } => {
                let query = CallsQuery {
                    selection: selection.into(),
                    ..CallsQuery::default()
                };
                Work::Compare(Box::new(ThreadTimesJob::new(&trace.trace, query)), text)
            }
            CallsQuestion::StolenIn { window } => {
                let window = window.map_or(ALL_TIME, Into::into);
                Work::StolenIn(StolenJob::new(&trace.trace, window))
            }
            CallsQuestion::CallFindings { selection, top } => Work::Findings(Box::new(CallFindingsJob::new(
                &trace.trace,
                passing(selection.into()),
                top,
            ))),
            CallsQuestion::Tile(asked) => Work::Tile(asked, Vec::new()),
            question => Work::Short(question),
        };
        CallsAsked {
            trace: Rc::clone(trace),
            names: trace.names(),
            work,
        }
    }

    /// Whether somebody watches the screen for the answer.
    pub fn is_urgent(&self) -> bool {
        matches!(self.work, Work::Tile(..) | Work::Short(_))
    }

    /// Works for some milliseconds; false once finished.
    pub fn step(&mut self) -> bool {
        let model = self.trace.model(&self.names);
        match &mut self.work {
            Work::Table(job) => job.step(model),
            Work::OfRow(job) => job.step(model),
            Work::Step(job) => job.step(model),
            Work::Compare(job, _) => job.step(model),
            Work::StolenIn(job) => job.step(model),
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
                let lanes = CallLanes::new(model);
                let bounds = buckets.bounds();
                let taken = match asked.kind {
                    CallTrack::Calls => {
                        words.extend(lanes.calls(key, &bounds).into_iter().flat_map(CallCell::words));
                        return true;
                    }
                    CallTrack::CpuIrqs => lanes.cpu_interrupts(key, &bounds),
                    CallTrack::TaskIrqs => lanes.task_interrupts(key, &bounds),
                };
                let taken = taken.into_iter().zip(&bounds);
                words.extend(taken.map(|(taken, time)| interrupt_word(taken, time.end - time.start)));
                true
            }
            Work::Short(_) => false,
        }
    }

    /// Share of the work that is done, from 0 to 1.
    pub fn share(&self) -> f64 {
        let model = self.trace.model(&self.names);
        match &self.work {
            Work::Table(job) => job.share(model),
            Work::OfRow(job) => job.share(model),
            Work::Step(job) => job.share(model),
            Work::Compare(job, _) => job.share(model),
            Work::StolenIn(job) => job.share(model.trace),
            Work::Findings(job) => job.share(model),
            Work::Tile(..) | Work::Short(_) => 0.0,
        }
    }

    /// The answer, once `step` has returned false.
    pub fn answer(self) -> Option<CallsAnswer> {
        let model = self.trace.model(&self.names);
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
            Work::Compare(job, text) => CallsAnswer::CallCompare {
                threads: staktau::compared(&job.answer(), &text),
            },
            Work::StolenIn(job) => CallsAnswer::StolenIn {
                stolen: Box::new(job.answer(model.trace)),
            },
            Work::Findings(job) => CallsAnswer::CallFindings {
                findings: job.answer(model),
            },
            Work::Tile(asked, words) => CallsAnswer::Tile {
                kind: asked.kind,
                values: Words(words),
                most: 0,
            },
            Work::Short(question) => return self.trace.short(&question, &self.names),
        })
    }
}

impl CallTrace {
    /// The answer to a question that takes no time; `None` for others.
    fn short(&self, question: &CallsQuestion, names: &CallNames) -> Option<CallsAnswer> {
        let model = self.model(names);
        Some(match question {
            CallsQuestion::SetCallNames { arch, compat } => CallsAnswer::SetCallNames {
                error: self.rename(arch.as_deref(), compat),
            },
            CallsQuestion::CallFacts {} => CallsAnswer::CallFacts(self.facts(names)),
            CallsQuestion::CallAt {
                pid,
                generation,
                at,
                net,
            } => CallsAnswer::CallAt {
                place: call_at(model, (*pid, *generation), *at, *net).map(Box::new),
            },
            CallsQuestion::Stolen { of, key, window } => {
                let time = (*window).into();
                let found = match of {
                    StolenOf::Cpu => stolen_of_cpu(model, *key, time),
                    StolenOf::Task => stolen_of_task(model, *key, time),
                };
                CallsAnswer::Stolen {
                    stolen: found.map(Box::new),
                }
            }
            CallsQuestion::Labels(asked) => {
                let lanes = CallLanes::new(model);
                let window = asked.window.into();
                let of = |&key: &u32| lanes.labels(key, &window, asked.min_width);
                CallsAnswer::Labels {
                    labels: asked.keys.iter().flat_map(of).collect(),
                }
            }
            CallsQuestion::At(asked) => CallsAnswer::At {
                item: CallLanes::new(model).at(asked.key, asked.at).map(Box::new),
            },
            CallsQuestion::CallTable { .. }
            | CallsQuestion::CallsOfRow { .. }
            | CallsQuestion::CallStep { .. }
            | CallsQuestion::CallCompare { .. }
            | CallsQuestion::StolenIn { .. }
            | CallsQuestion::CallFindings { .. }
            | CallsQuestion::Tile(_) => return None,
        })
    }
}
