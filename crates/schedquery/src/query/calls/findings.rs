//! Findings about calls: the costliest waits for a CPU in them, and the calls that were blocked longest.

use super::walk::{CallWalk, Here, Visitor};
use super::{Asked, CallModel, CallsQuery, Chosen};
use crate::calls::Call;
use crate::query::explain::finding::{Finding, FindingKind};
use crate::query::explain::ranking::{candidates, ranked};
use crate::query::select::refs::{RunPlace, TaskName};
use crate::query::select::selection::Selection;
use crate::query::select::top::Top;
use schedindex::TaskState;
use schedmodel::{Time, Trace};
use std::cmp::Reverse;

/// They, being looked for.
pub struct CallFindingsJob {
    chosen: Chosen,
    walk: CallWalk,
    found: Found,
    top: usize,
}

/// Uncertain, cost, then when and by whom the call was entered: the costliest first, then the earliest.
type Rank = (bool, Reverse<u64>, u64, i32, u32);

/// How many of each kind are kept, at least: many of them are folded.
const LEAST: usize = 1 << 12;

struct Found {
    waits: Top<(Rank, Candidate)>,
    blocked: Top<(Rank, Candidate)>,
}

/// A call, and the time of it to look at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Candidate {
    /// Index of its thread, and its own among the thread's.
    thread: usize,
    entered: u64,
    from: u64,
    to: u64,
    /// The run that the wait led to.
    run: Option<u32>,
}

impl Visitor for Found {
    fn begin(&mut self, _: &Asked<'_>, _: &Here<'_>) {}

    fn call(&mut self, asked: &Asked<'_>, at: &Here<'_>, call: &Call) {
        if !asked.has_call(call) {
            return;
        }
        let mut longest: Option<Candidate> = None;
        let mut blocked = 0;
        at.states.each(call.at..call.end(), |interval, part| {
            let ns = part.end - part.start;
            match interval.state {
                TaskState::Blocked => blocked += ns,
                TaskState::Runnable if longest.is_none_or(|longest| longest.to - longest.from < ns) => {
                    longest = Some(Candidate {
                        thread: at.index,
                        entered: call.at,
                        from: part.start,
                        to: part.end,
                        run: interval.run,
                    });
                }
                _ => {}
            }
        });
        let holes = &asked.trace.holes;
        let rank = |cost, uncertain| (uncertain, Reverse(cost), call.at, at.thread.pid, at.thread.generation);
        if let Some(wait) = longest {
            let uncertain = holes.any(wait.from, wait.to);
            self.waits.push((rank(wait.to - wait.from, uncertain), wait));
        }
        if 0 < blocked {
            let whole = Candidate {
                thread: at.index,
                entered: call.at,
                from: call.at,
                to: call.end(),
                run: at.states.run_after_wait(&(call.at..call.end())),
            };
            self.blocked
                .push((rank(blocked, holes.any(whole.from, whole.to)), whole));
        }
    }

    fn end(&mut self, _: &Asked<'_>, _: &Here<'_>) {}
}

impl CallFindingsJob {
    /// Begins, for a list of `top` of each kind.
    pub fn new(trace: &Trace, selection: Selection, top: usize) -> CallFindingsJob {
        let most = candidates(top).max(LEAST);
        let query = CallsQuery {
            selection,
            ..CallsQuery::default()
        };
        CallFindingsJob {
            chosen: Chosen::new(trace, query),
            walk: CallWalk::default(),
            found: Found {
                waits: Top::new(most),
                blocked: Top::new(most),
            },
            top,
        }
    }

    /// Works for some milliseconds; false once finished.
    pub fn step(&mut self, model: CallModel<'_>) -> bool {
        // Nothing tells what threads do.
        model.calls.has_sched && self.walk.step(&self.chosen.of(model), &mut self.found)
    }

    /// Share of the work that is done, from 0 to 1.
    pub fn share(&self, model: CallModel<'_>) -> f64 {
        self.walk.share(model.calls.threads.len())
    }

    /// The findings in their order, at most `top` of each kind, once `step` has returned false.
    pub fn answer(self, model: CallModel<'_>) -> Vec<Finding> {
        let top = self.top;
        ranked(self.all(model), top)
    }

    /// All that was found, in no order, to be ranked with others.
    pub(super) fn all(self, model: CallModel<'_>) -> Vec<Finding> {
        let asked = self.chosen.of(model);
        let kinds = [
            (FindingKind::CallWait, self.found.waits),
            (FindingKind::CallBlocked, self.found.blocked),
        ];
        let found = kinds.into_iter().flat_map(|(kind, found)| {
            let found = found.into_sorted().into_iter();
            found.map(move |((_, Reverse(cost), ..), candidate)| (kind, cost, candidate))
        });
        found
            .filter_map(|(kind, cost, candidate)| finding(&asked, kind, cost, &candidate))
            .collect()
    }
}

fn finding(asked: &Asked<'_>, kind: FindingKind, cost_ns: u64, found: &Candidate) -> Option<Finding> {
    let thread = asked.calls.threads.get(found.thread)?;
    let index = asked
        .calls
        .overlapping(thread, &(found.entered..found.entered.saturating_add(1)));
    let call = asked
        .calls
        .some(thread, index)
        .find(|call| call.at == found.entered && found.to <= call.end())?;
    let comm = asked.calls.comms.name(call.comm).to_owned();
    let run = found.run.map(|run| asked.runs.decode(run));
    let run = run.map(|run| RunPlace::of(asked.trace, run.lane, run.index));
    let cpu = match kind {
        FindingKind::CallWait => run.map(|run| run.cpu),
        _ => None,
    };
    let cpu = cpu.unwrap_or(asked.trace.cpu_at(call.lane));
    Some(Finding {
        kind,
        cost_ns,
        start_ns: Time(found.from),
        end_ns: Time(found.to),
        cpu: Some(cpu),
        cpus: vec![cpu],
        count: 1,
        comm: comm.clone(),
        tasks: vec![TaskName {
            pid: thread.pid,
            generation: thread.generation,
            comm,
        }],
        preempted: None,
        call: Some(
            asked
                .names
                .name(call.number, asked.names.is_compat(thread, call.comm))
                .into_owned(),
        ),
        run,
        slept_ns: None,
        folded: 0,
        uncertain: asked.trace.holes.any(found.from, found.to),
    })
}

/// All findings about the calls of a selection, in no order, to be ranked with [others](crate::query::Model::findings_beside):
/// enough of each kind to list `top`.
pub fn call_findings(model: CallModel<'_>, selection: &Selection, top: usize) -> Vec<Finding> {
    let mut job = CallFindingsJob::new(model.trace, selection.clone(), top);
    while job.step(model) {}
    job.all(model)
}
