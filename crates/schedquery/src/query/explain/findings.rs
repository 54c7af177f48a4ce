//! Findings: what deserves a look, the costliest first, each with a time, a CPU and a run to go to.

use super::cascade::{Cascade, CascadeMove, CascadesJob};
use super::finding::{Finding, FindingKind, Preempted};
use super::gaps::{Gap, GapsJob};
use super::placement::MovedOffIdleJob;
use super::preemption::{command, PreemptionsJob, Preemptor};
use super::ranking::{candidates, ranked};
use super::violations::Violation;
use super::waiting_behind::BehindJob;
use super::waits::{explain_wait, BehindWaitsJob};
use super::worst::WorstJob;
use crate::query::jobs::job::{Job, Model};
use crate::query::jobs::shared::Shared;
use crate::query::lanes::edge::{WakeupEdge, DESCRIBED};
use crate::query::lanes::pick::state_text;
use crate::query::select::refs::{RunPlace, TaskName};
use crate::query::select::selected::{Scope, Selected};
use crate::query::select::selection::Selection;
use schedmodel::{kernel_thread, KernelThread, Time, Trace};
use schedrows::sort_by_keys;
use std::cmp::Reverse;
use std::sync::Arc;

/// The most tasks and CPUs that a finding names.
const MOST_TASKS: usize = 8;
const MOST_CPUS: usize = 16;

/// [`Model::findings`] of a trace about which nothing is kept.
pub fn findings(trace: &Trace, selection: &Selection, top: usize) -> Vec<Finding> {
    Model::new(trace, &Shared::default()).findings(selection, top)
}

impl Model<'_> {
    /// The findings of a selection, at most `top` of each kind, in the order in which to look at them.
    pub fn findings(self, selection: &Selection, top: usize) -> Vec<Finding> {
        let scope = Scope::new(self.trace, selection);
        self.run(FindingsJob::new(self.trace, scope, top))
    }

    /// The same, with `others` of other kinds among them.
    pub fn findings_beside(self, selection: &Selection, top: usize, others: Vec<Finding>) -> Vec<Finding> {
        let scope = Scope::new(self.trace, selection);
        let mut job = FindingsJob::new(self.trace, scope, top);
        job.found = others;
        self.run(job)
    }
}

/// [`Model::findings`] as a job, one kind after the other.
pub(crate) struct FindingsJob {
    top: usize,
    /// The remaining kinds, the next one last.
    left: Vec<Box<dyn Finds>>,
    kinds: usize,
    found: Vec<Finding>,
}

impl FindingsJob {
    pub(crate) fn new(trace: &Trace, scope: Arc<Scope>, top: usize) -> FindingsJob {
        let most = candidates(trace, top);
        let scope = || Arc::clone(&scope);
        // The list is processed from its end, so the quickest kinds come last.
        let left: Vec<Box<dyn Finds>> = vec![
            finds(CascadesJob::new(trace, scope(), most), |job, model| {
                described(job.answer(model).cascades, |_, cascade| Some(of_cascade(cascade)))
            }),
            finds(GapsJob::new(trace, scope(), most), |job, model| {
                described(job.answer(model), |model, gap| Some(of_gap(model, &gap)))
            }),
            finds(MovedOffIdleJob::new(scope(), most), |job, _| {
                let (selected, wakeups) = job.into_longest();
                described(wakeups, move |model, number| {
                    Some(of_moved(edge_of(model, &selected, number)?))
                })
            }),
            finds(WorstJob::new(scope(), most), |job, _| {
                let (selected, wakeups) = job.into_longest();
                described(wakeups, move |model, number| {
                    Some(of_edge(edge_of(model, &selected, number)?))
                })
            }),
            finds(PreemptionsJob::new(trace, scope()), |job, model| {
                described(job.answer(model), |model, preemptor| {
                    Some(of_preemptor(model, &preemptor))
                })
            }),
            finds(BehindJob::new(trace, scope(), 0, most, MOST_TASKS), |job, model| {
                described(job.answer(model).intervals, |_, violation| Some(of_overload(violation)))
            }),
            finds(BehindWaitsJob::new(scope(), most), |job, model| {
                described(job.answer(model), of_wait)
            }),
        ];
        FindingsJob {
            top,
            kinds: left.len(),
            left,
            found: Vec::new(),
        }
    }

    /// Number of kinds that are finished.
    pub(crate) fn kinds_found(&self) -> usize {
        self.kinds - self.left.len()
    }

    /// The findings so far.
    pub(crate) fn so_far(&self) -> Vec<Finding> {
        ranked(self.found.clone(), self.top)
    }
}

impl Job for FindingsJob {
    type Answer = Vec<Finding>;

    fn step(&mut self, model: Model<'_>) -> bool {
        let Some(kind) = self.left.last_mut() else {
            return false;
        };
        if !kind.step(model) {
            let found = self.left.pop().map_or(Vec::new(), |kind| kind.findings());
            self.found
                .extend(found.into_iter().filter(|finding| 0 < finding.cost_ns));
        }
        !self.left.is_empty()
    }

    fn share(&self, model: Model<'_>) -> f64 {
        let current = self.left.last().map_or(0.0, |kind| kind.share(model));
        (self.kinds_found() as f64 + current) / self.kinds as f64
    }

    fn answer(self, _: Model<'_>) -> Vec<Finding> {
        ranked(self.found, self.top)
    }
}

/// A job whose answer becomes findings.
trait Finds {
    fn step(&mut self, model: Model<'_>) -> bool;
    fn share(&self, model: Model<'_>) -> f64;
    fn findings(self: Box<Self>) -> Vec<Finding>;
}

/// Describes more of what was found; `None` once there is nothing left.
type Describe = Box<dyn FnMut(Model<'_>) -> Option<Option<Finding>>>;

/// What a job found, one finding after the other.
fn described<A: 'static>(
    found: Vec<A>,
    mut describe: impl FnMut(Model<'_>, A) -> Option<Finding> + 'static,
) -> Describe {
    let mut found = found.into_iter();
    Box::new(move |model| found.next().map(|one| describe(model, one)))
}

struct OfJob<J: Job, D> {
    /// `None` once it is finished.
    job: Option<J>,
    describe: D,
    left: Option<Describe>,
    findings: Vec<Finding>,
}

impl<J: Job, D: Fn(J, Model<'_>) -> Describe> Finds for OfJob<J, D> {
    fn step(&mut self, model: Model<'_>) -> bool {
        if let Some(job) = &mut self.job {
            if !job.step(model) {
                self.left = self.job.take().map(|job| (self.describe)(job, model));
            }
            return true;
        }
        for _ in 0..DESCRIBED {
            let Some(finding) = self.left.as_mut().and_then(|left| left(model)) else {
                return false;
            };
            self.findings.extend(finding);
        }
        true
    }

    fn share(&self, model: Model<'_>) -> f64 {
        self.job.as_ref().map_or(1.0, |job| job.share(model))
    }

    fn findings(self: Box<Self>) -> Vec<Finding> {
        self.findings
    }
}

fn finds<J: Job + 'static>(job: J, describe: impl Fn(J, Model<'_>) -> Describe + 'static) -> Box<dyn Finds> {
    Box::new(OfJob {
        job: Some(job),
        describe,
        left: None,
        findings: Vec::new(),
    })
}

/// The wakeup with this number.
fn edge_of(Model { trace, .. }: Model<'_>, scope: &Arc<Scope>, number: usize) -> Option<WakeupEdge> {
    let woken = Selected::of(trace, scope).woken(trace.edges.wakee(number), number)?;
    Some(WakeupEdge::of(trace, &woken))
}

fn of_overload(violation: Violation) -> Finding {
    let mut idle = violation.idle_cpus;
    sort_by_keys(&mut idle, |idled| [!idled.idle_ns, idled.cpu.into()]);
    let cpus: Vec<u32> = idle.into_iter().take(MOST_CPUS).map(|idled| idled.cpu).collect();
    let longest = violation.tasks.first();
    Finding {
        kind: FindingKind::Overload,
        cost_ns: violation.cost_task_ns,
        start_ns: violation.start_ns,
        end_ns: violation.end_ns,
        cpu: cpus.first().copied(),
        cpus,
        count: violation.tasks_total as u64,
        comm: longest.map_or(String::new(), |waited| waited.task.comm.clone()),
        run: longest.and_then(|waited| waited.run),
        tasks: violation.tasks.into_iter().map(|waited| waited.task).collect(),
        preempted: None,
        call: None,
        folded: 0,
        uncertain: violation.uncertain,
    }
}

fn of_wait(model: Model<'_>, (cost_ns, lane, index): (u64, usize, usize)) -> Option<Finding> {
    let wait = explain_wait(model, lane, index)?;
    let mut cpus = vec![wait.cpu];
    for queue in wait.queues.iter().rev().take(MOST_CPUS) {
        if !cpus.contains(&queue.cpu) {
            cpus.push(queue.cpu);
        }
    }
    Some(Finding {
        kind: FindingKind::Wait,
        cost_ns,
        start_ns: wait.since_ns,
        end_ns: wait.until_ns,
        cpu: Some(wait.cpu),
        cpus,
        count: 1,
        comm: wait.task.comm.clone(),
        tasks: [wait.task]
            .into_iter()
            .chain(wait.took.into_iter().map(|took| took.task).take(1))
            .collect(),
        run: Some(RunPlace::of(model.trace, lane, index)),
        preempted: None,
        call: None,
        folded: 0,
        uncertain: wait.uncertain,
    })
}

fn of_gap(Model { trace, .. }: Model<'_>, gap: &Gap) -> Finding {
    Finding {
        kind: FindingKind::Gap,
        cost_ns: gap.cost,
        start_ns: Time(gap.from),
        end_ns: Time(gap.to),
        cpu: None,
        cpus: Vec::new(),
        count: 1,
        comm: trace.comms.name(gap.comm).to_owned(),
        tasks: Vec::new(),
        run: None,
        preempted: None,
        call: None,
        folded: 0,
        uncertain: trace.holes.any(gap.from, gap.to),
    }
}

fn of_moved(edge: WakeupEdge) -> Finding {
    Finding {
        kind: FindingKind::MovedOffIdle,
        cpu: edge.previous_cpu,
        cpus: edge.previous_cpu.into_iter().chain(edge.chosen_cpu).collect(),
        ..of_edge(edge)
    }
}

/// The latency of a wakeup.
fn of_edge(edge: WakeupEdge) -> Finding {
    let run = edge.cpu.zip(edge.running_ns);
    Finding {
        kind: FindingKind::Latency,
        cost_ns: edge.latency_ns.unwrap_or(0),
        start_ns: edge.at_ns,
        end_ns: edge.running_ns.unwrap_or(edge.at_ns),
        cpu: edge.cpu,
        cpus: edge.cpu.into_iter().collect(),
        count: 1,
        comm: edge.wakee.comm.clone(),
        tasks: vec![TaskName {
            pid: edge.wakee.pid,
            generation: edge.wakee.generation,
            comm: edge.wakee.comm,
        }],
        run: run.map(|(cpu, start_ns)| RunPlace { cpu, start_ns }),
        preempted: None,
        call: None,
        folded: 0,
        uncertain: edge.uncertain,
    }
}

fn of_cascade(cascade: Cascade) -> Finding {
    let first = cascade.moves.first();
    let cpus = way(&cascade.moves);
    Finding {
        kind: FindingKind::Cascade,
        cost_ns: cascade.cost_ns,
        start_ns: cascade.start_ns,
        end_ns: cascade.end_ns,
        cpu: first.map(|first| first.to_cpu),
        cpus,
        count: cascade.moves_total as u64,
        comm: first.map_or(String::new(), |first| first.task.comm.clone()),
        run: first.map(|first| RunPlace {
            cpu: first.to_cpu,
            start_ns: first.running_ns,
        }),
        tasks: cascade
            .moves
            .into_iter()
            .take(MOST_TASKS)
            .map(|each| each.task)
            .collect(),
        preempted: None,
        call: None,
        folded: 0,
        uncertain: cascade.uncertain,
    }
}

/// The CPUs of the longest path of moves that displaced one another, from where the first task was.
fn way(moves: &[CascadeMove]) -> Vec<u32> {
    let mut lengths: Vec<usize> = Vec::with_capacity(moves.len());
    for each in moves {
        let before = each.displaced_by.and_then(|by| lengths.get(by));
        lengths.push(before.map_or(1, |before| before + 1));
    }
    let mut cpus = Vec::new();
    // The earliest of the longest ones.
    let longest = lengths.iter().enumerate();
    let longest = longest.max_by_key(|&(index, &length)| (length, Reverse(index)));
    let mut at = longest.map(|(index, _)| index);
    while let Some(each) = at.and_then(|index| moves.get(index)) {
        cpus.push(each.to_cpu);
        if each.displaced_by.is_none() {
            cpus.extend(each.from_cpu);
        }
        at = each.displaced_by;
    }
    cpus.reverse();
    cpus.truncate(MOST_CPUS);
    cpus
}

fn of_preemptor(Model { trace, .. }: Model<'_>, preemptor: &Preemptor) -> Finding {
    let longest = &preemptor.longest;
    let cpu = trace.cpu_at(longest.lane);
    Finding {
        kind: match kernel_thread(trace, trace.task_comm(longest.by).task) {
            KernelThread::Yes | KernelThread::Likely => FindingKind::KernelPreemption,
            KernelThread::Unknown => FindingKind::Preemption,
        },
        cost_ns: preemptor.ns,
        start_ns: Time(longest.from),
        end_ns: Time(longest.to),
        cpu: Some(cpu),
        cpus: vec![cpu],
        count: preemptor.count,
        comm: command(trace.comms.name(preemptor.command)).to_owned(),
        tasks: [longest.by, longest.of].map(|id| TaskName::of(trace, id)).to_vec(),
        run: Some(RunPlace::of(trace, longest.lane, longest.index)),
        preempted: Some(Preempted {
            involuntary: preemptor.involuntary,
            end_state: state_text(longest.left),
        }),
        call: None,
        folded: 0,
        uncertain: false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::explain::cascade::CascadeMoveKind;

    fn a_move(from_cpu: Option<u32>, to_cpu: u32, displaced_by: Option<usize>) -> CascadeMove {
        let comm = "a".to_owned();
        CascadeMove {
            task: TaskName {
                pid: 1,
                generation: 0,
                comm,
            },
            at_ns: Time(0),
            running_ns: Time(0),
            wait_ns: 0,
            from_cpu,
            to_cpu,
            kind: CascadeMoveKind::Placement,
            displaced_by,
        }
    }

    #[test]
    fn the_way_of_a_cascade_is_the_longest() {
        let paper = [
            a_move(Some(0), 96, None),
            a_move(Some(96), 99, Some(0)),
            a_move(Some(96), 5, Some(0)),
            a_move(Some(99), 100, Some(1)),
            a_move(Some(100), 111, Some(3)),
            a_move(Some(5), 6, Some(2)),
        ];
        assert_eq!(way(&paper), [0, 96, 99, 100, 111]);
        let fork = [
            a_move(None, 3, None),
            a_move(Some(3), 4, Some(0)),
            a_move(Some(3), 5, Some(0)),
        ];
        assert_eq!(way(&fork), [3, 4]);
        assert!(way(&[]).is_empty());
    }
}
