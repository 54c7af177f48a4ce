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
use crate::query::lanes::edge::DESCRIBED;
use crate::query::lanes::pick::state_text;
use crate::query::select::refs::{RunPlace, TaskName};
use crate::query::select::selected::{Scope, Selected, Woken};
use crate::query::select::selection::Selection;
use schedindex::{latency_in_doubt, wait_in_doubt};
use schedmodel::{kernel_thread, Edge, KernelThread, Time, Trace};
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
    /// The findings of a selection, at most `top` of each kind, the costliest first, as [`ranked`] has it.
    pub fn findings(self, selection: &Selection, top: usize) -> Vec<Finding> {
        let scope = Scope::new(self.trace, selection);
        self.run(FindingsJob::new(self.trace, scope, top))
    }

    /// The same, with `others` of other kinds among them.
    pub fn findings_beside(self, selection: &Selection, top: usize, others: Vec<Finding>) -> Vec<Finding> {
        let scope = Scope::new(self.trace, selection);
        let mut job = FindingsJob::new(self.trace, scope, top);
        job.others = others;
        self.run(job)
    }
}

/// [`Model::findings`] as a job, one search after the other. If too many of what a search found are folded, it searches again for
/// more.
pub(crate) struct FindingsJob {
    scope: Arc<Scope>,
    top: usize,
    /// The remaining searches, the next one last, each with how many findings it keeps.
    left: Vec<(Search, usize, Box<dyn Finds>)>,
    searched: usize,
    /// By search: what it found, and how many it keeps if it left some out.
    found: [(Vec<Finding>, Option<usize>); SEARCHES.len()],
    others: Vec<Finding>,
    /// Those to list, once all are known, and how many of them are complete.
    listed: Option<(Vec<Finding>, usize)>,
}

/// A search for findings of one kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Search {
    Cascades,
    Gaps,
    MovedOffIdle,
    Latencies,
    Preemptions,
    Overloads,
    Waits,
}

/// The searches, the quickest last: the list is processed from its end.
const SEARCHES: [Search; 7] = [
    Search::Cascades,
    Search::Gaps,
    Search::MovedOffIdle,
    Search::Latencies,
    Search::Preemptions,
    Search::Overloads,
    Search::Waits,
];

/// The most findings of one search that are kept. If all of these are folded into fewer than wanted, the list is shorter.
const MOST_KEPT: usize = 1 << 14;
/// By how many times as many findings a search keeps when it searches again.
const MORE: usize = 16;

impl Search {
    /// A job that keeps the `most` costliest.
    fn job(self, trace: &Trace, scope: Arc<Scope>, most: usize) -> Box<dyn Finds> {
        match self {
            Search::Cascades => finds(CascadesJob::costliest(trace, scope, most), |job, model| {
                described(job.answer(model).cascades, |_, cascade| Some(of_cascade(cascade)))
            }),
            Search::Gaps => finds(GapsJob::new(trace, scope, most), |job, model| {
                described(job.answer(model), |model, gap| Some(of_gap(model, &gap)))
            }),
            Search::MovedOffIdle => finds(MovedOffIdleJob::new(scope, most).certain_first(), |job, _| {
                let (selected, wakeups) = job.into_longest();
                described(wakeups, move |model, number| {
                    Some(of_moved(model.trace, &woken(model, &selected, number)?))
                })
            }),
            Search::Latencies => finds(WorstJob::new(scope, most).certain_first(), |job, _| {
                let (selected, wakeups) = job.into_longest();
                described(wakeups, move |model, number| {
                    Some(of_woken(model.trace, &woken(model, &selected, number)?))
                })
            }),
            Search::Preemptions => finds(PreemptionsJob::new(trace, scope), |job, model| {
                described(job.answer(model), |model, preemptor| {
                    Some(of_preemptor(model, &preemptor))
                })
            }),
            Search::Overloads => finds(BehindJob::new(trace, scope, 0, most, MOST_TASKS), |job, model| {
                described(job.answer(model).intervals, |_, violation| Some(of_overload(violation)))
            }),
            Search::Waits => finds(BehindWaitsJob::new(scope, most), |job, model| {
                described(job.answer(model), |model, wait| Some(of_wait(model, wait)))
            }),
        }
    }

    /// Whether a finding is of this search.
    fn has(self, kind: FindingKind) -> bool {
        match self {
            Search::Cascades => kind == FindingKind::Cascade,
            Search::Gaps => kind == FindingKind::Gap,
            Search::MovedOffIdle => kind == FindingKind::MovedOffIdle,
            Search::Latencies => kind == FindingKind::Latency,
            Search::Preemptions => matches!(kind, FindingKind::Preemption | FindingKind::KernelPreemption),
            Search::Overloads => kind == FindingKind::Overload,
            Search::Waits => kind == FindingKind::Wait,
        }
    }

    /// Whether uncertain findings may take the place of certain ones that cost less.
    fn mixes(self) -> bool {
        self == Search::Overloads
    }
}

impl FindingsJob {
    pub(crate) fn new(trace: &Trace, scope: Arc<Scope>, top: usize) -> FindingsJob {
        let most = candidates(top);
        let left = SEARCHES.map(|search| {
            // Of what is not certain, much may come first.
            let is_mixed = search.mixes() && !trace.holes.all().is_empty();
            let most = if is_mixed { most.saturating_mul(MORE) } else { most };
            (search, most, search.job(trace, Arc::clone(&scope), most))
        });
        FindingsJob {
            scope,
            top,
            left: left.into(),
            searched: 0,
            found: [(); SEARCHES.len()].map(|()| (Vec::new(), None)),
            others: Vec::new(),
            listed: None,
        }
    }

    /// Number of searches that have ended.
    pub(crate) fn searched(&self) -> usize {
        self.searched
    }

    /// The findings so far.
    pub(crate) fn so_far(&self, model: Model<'_>) -> Vec<Finding> {
        let mut listed = self.ranked();
        listed.iter_mut().for_each(|finding| complete(model, finding));
        listed
    }

    fn ranked(&self) -> Vec<Finding> {
        let found = self.found.iter().flat_map(|(found, _)| found);
        ranked(found.chain(&self.others).cloned().collect(), self.top)
    }

    /// Continues with the next search; false once all have ended.
    fn search(&mut self, model: Model<'_>) -> bool {
        let Some((search, most, job)) = self.left.last_mut() else {
            return false;
        };
        if job.step(model) {
            return true;
        }
        let (search, most) = (*search, *most);
        let found = self.left.pop().map_or(Vec::new(), |(.., job)| job.findings());
        let found: Vec<Finding> = found.into_iter().filter(|finding| 0 < finding.cost_ns).collect();
        let is_full = most <= found.len();
        if let Some(of_search) = self.found.get_mut(search as usize) {
            *of_search = (found, is_full.then_some(most));
        }
        self.searched += 1;
        true
    }

    /// Begins those searches again of which too few findings are listed although there are more.
    fn search_more(&mut self, trace: &Trace, listed: &[Finding]) {
        for search in SEARCHES {
            let Some((_, Some(most))) = self.found.get(search as usize) else {
                continue;
            };
            let counts = |finding: &&Finding| search.has(finding.kind) && !(search.mixes() && finding.uncertain);
            if listed.iter().filter(counts).count() < self.top && *most < MOST_KEPT {
                let most = most.saturating_mul(MORE).min(MOST_KEPT);
                let job = search.job(trace, Arc::clone(&self.scope), most);
                self.left.push((search, most, job));
            }
        }
    }
}

impl Job for FindingsJob {
    type Answer = Vec<Finding>;

    fn step(&mut self, model: Model<'_>) -> bool {
        if self.search(model) {
            return true;
        }
        let Some((listed, completed)) = &mut self.listed else {
            let listed = self.ranked();
            self.search_more(model.trace, &listed);
            if self.left.is_empty() {
                self.listed = Some((listed, 0));
            }
            return true;
        };
        let next = listed.iter_mut().skip(*completed).take(DESCRIBED);
        *completed += next.map(|finding| complete(model, finding)).count();
        *completed < listed.len()
    }

    fn share(&self, model: Model<'_>) -> f64 {
        let current = self.left.last().map_or(0.0, |(.., job)| job.share(model));
        let all = self.searched + self.left.len();
        (self.searched as f64 + current) / all as f64
    }

    fn answer(self, _: Model<'_>) -> Vec<Finding> {
        self.listed.map_or(Vec::new(), |(listed, _)| listed)
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
fn woken(Model { trace, .. }: Model<'_>, scope: &Arc<Scope>, number: usize) -> Option<Woken> {
    Selected::of(trace, scope).woken(trace.edges.wakee(number), number)
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
        slept_ns: None,
        folded: 0,
        uncertain: violation.uncertain,
    }
}

/// A wait without what it takes longer to find; see [`complete`].
fn of_wait(Model { trace, .. }: Model<'_>, (cost_ns, lane_index, index): (u64, usize, usize)) -> Finding {
    let (lane, cpu) = (trace.lane_at(lane_index), trace.cpu_at(lane_index));
    let task = lane.run(index).map(|id| TaskName::of(trace, id));
    let until = lane.start_of(index);
    Finding {
        kind: FindingKind::Wait,
        cost_ns,
        start_ns: Time(lane.wait(index).map_or(until, |wait| wait.since)),
        end_ns: Time(until),
        cpu: Some(cpu),
        cpus: vec![cpu],
        count: 1,
        comm: task.as_ref().map_or(String::new(), |task| task.comm.clone()),
        tasks: task.into_iter().collect(),
        run: Some(RunPlace::of(trace, lane_index, index)),
        preempted: None,
        call: None,
        slept_ns: None,
        folded: 0,
        uncertain: wait_in_doubt(trace, lane_index, index),
    }
}

/// Adds to a wait where it was spent, and which task had that CPU longest.
fn complete(model: Model<'_>, finding: &mut Finding) {
    let Some(run) = finding.run.filter(|_| finding.kind == FindingKind::Wait) else {
        return;
    };
    let lane = model.trace.lane_index(run.cpu);
    let wait = lane.and_then(|lane| {
        let index = model.trace.lane_at(lane).find(run.start_ns.0)?;
        explain_wait(model, lane, index)
    });
    let Some(wait) = wait.filter(|wait| wait.until_ns == finding.end_ns) else {
        return;
    };
    for queue in wait.queues.iter().rev().take(MOST_CPUS) {
        if !finding.cpus.contains(&queue.cpu) {
            finding.cpus.push(queue.cpu);
        }
    }
    let took = wait.took.into_iter().map(|took| took.task);
    finding.tasks.truncate(1);
    finding.tasks.extend(took.take(1));
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
        slept_ns: Some(gap.slept),
        folded: 0,
        uncertain: gap.uncertain,
    }
}

fn of_moved(trace: &Trace, woken: &Woken) -> Finding {
    let Edge {
        previous_cpu,
        chosen_cpu,
        ..
    } = woken.edge;
    Finding {
        kind: FindingKind::MovedOffIdle,
        cpu: previous_cpu,
        cpus: previous_cpu.into_iter().chain(chosen_cpu).collect(),
        ..of_woken(trace, woken)
    }
}

/// The latency of a wakeup.
fn of_woken(trace: &Trace, woken: &Woken) -> Finding {
    let Edge { at, running, cpu, .. } = woken.edge;
    let task = TaskName::of(trace, woken.id);
    let run = cpu.zip(running);
    Finding {
        kind: FindingKind::Latency,
        cost_ns: woken.latency,
        start_ns: Time(at),
        end_ns: Time(running.unwrap_or(at)),
        cpu,
        cpus: cpu.into_iter().collect(),
        count: 1,
        comm: task.comm.clone(),
        tasks: vec![task],
        run: run.map(|(cpu, start)| RunPlace {
            cpu,
            start_ns: Time(start),
        }),
        preempted: None,
        call: None,
        slept_ns: None,
        folded: 0,
        uncertain: latency_in_doubt(trace, woken.wakee, &woken.edge),
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
        slept_ns: None,
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
        slept_ns: None,
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
