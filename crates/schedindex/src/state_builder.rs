//! Derives a task's states from its runs, waits and claims, in resumable steps.

use super::runs::{RunId, Runs};
use super::task_states::{Change, TaskState, TaskStates};
use schedmodel::{Claim, ClaimKind, TaskCommId, TaskId, Trace, WaitCause, Who};
use schedrows::StateCode;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::Range;

/// The place of an event in the merged order: by time, then by lane, then by place in the lane.
type Place = (u64, u64);

/// The end of a run that has begun, by its place.
type End = Reverse<(Place, u32)>;

/// Derives the states of a task in resumable steps.
#[derive(Debug)]
pub struct StateBuilder {
    task: TaskId,
    states: TaskStates,
    /// Whether the task began in the trace. If so, it did not run when the trace began, even where a lane infers that.
    began: bool,
    /// The lane on which the task runs, if it does.
    lane: Option<usize>,
    /// The next run of each pair: (start, number, slot in `Runs`, pair).
    starts: BinaryHeap<Reverse<(u64, u32, usize, TaskCommId)>>,
    ends: BinaryHeap<End>,
    /// The trace's claims that are still unused.
    claims: Range<usize>,
    /// The trace's loose waits that are still unused.
    loose: Range<usize>,
}

/// The next event.
enum Next {
    Start,
    End,
    Claim,
    Loose,
}

impl StateBuilder {
    pub fn new(trace: &Trace, runs: &Runs, task: TaskId) -> StateBuilder {
        let pairs = runs.pairs_of(task);
        let only = match pairs {
            &[only] => Some(only),
            _ => None,
        };
        let mut builder = StateBuilder {
            task,
            states: TaskStates::begin(only),
            began: false,
            lane: None,
            starts: BinaryHeap::new(),
            ends: BinaryHeap::new(),
            claims: trace.claims_of(task),
            loose: trace.loose_waits_of(task),
        };
        for &pair in pairs {
            builder.push_start(trace, runs, runs.slots(pair).start, pair);
        }
        builder.begin(trace);
        builder
    }

    /// Handles up to `steps` events of the task and counts `steps` down; returns the states once there are no more
    /// events.
    pub fn step(&mut self, trace: &Trace, runs: &Runs, steps: &mut usize) -> Option<TaskStates> {
        while 0 < *steps {
            match self.next(trace, runs) {
                Some(Next::Start) => self.start(trace, runs),
                Some(Next::End) => self.end(trace, runs),
                Some(Next::Claim) => self.claim(trace),
                Some(Next::Loose) => self.loose_wait(trace),
                None => return Some(self.finish(trace, runs)),
            }
            *steps -= 1;
        }
        None
    }

    /// Sets the state before the first event.
    fn begin(&mut self, trace: &Trace) {
        let first = self.next_claim(trace).map(|claim| claim.kind);
        self.began = true;
        self.states.change(0, Change::to(TaskState::Unborn));
        match first {
            Some(ClaimKind::Forked | ClaimKind::GoesOn) => {}
            // It was forked later, which was not recorded.
            Some(ClaimKind::Succeeds { since }) => self.states.change(since, Change::to(TaskState::Unknown)),
            _ => {
                self.began = false;
                self.states.change(0, Change::to(TaskState::Unknown));
            }
        }
    }

    fn next_claim<'a>(&self, trace: &'a Trace) -> Option<&'a Claim> {
        trace.claims.get(self.claims.clone())?.first()
    }

    fn next(&self, trace: &Trace, runs: &Runs) -> Option<Next> {
        let start = self.starts.peek().map(|&Reverse((at, number, _, _))| {
            let run = runs.decode(number);
            let RunId { lane, index } = run;
            let place = if run.lane(trace).is_some_and(|lane| lane.inferred(index)) {
                // Before any event.
                lane as u64
            } else {
                place(lane, index, 1)
            };
            ((at, place), Next::Start)
        });
        let end = self.ends.peek().map(|&Reverse((place, _))| (place, Next::End));
        let claim = self.next_claim(trace).map(|claim| {
            let lane = trace.lane_index(claim.cpu).unwrap_or(0);
            // A switch-out begins the lane's last interval; a fork comes after whatever began that.
            let (index, part) = (claim.intervals as usize, if is_switch(claim.kind) { 0 } else { 2 });
            ((claim.at, place(lane, index, part) - 4), Next::Claim)
        });
        // A wait that begins with its wakeup comes after all else of that time: otherwise it would have ended then.
        let loose = trace.loose_waits.get(self.loose.clone()).and_then(<[_]>::first);
        let loose = loose.map(|wait| ((wait.since, u64::MAX), Next::Loose));
        let all = [start, end, claim, loose].into_iter().flatten();
        all.min_by_key(|&(place, _)| place).map(|(_, next)| next)
    }

    fn push_start(&mut self, trace: &Trace, runs: &Runs, slot: usize, pair: TaskCommId) {
        let number = runs.number(slot).filter(|_| runs.slots(pair).contains(&slot));
        let start = number.and_then(|number| Some((runs.decode(number).start(trace)?, number)));
        self.starts
            .extend(start.map(|(start, number)| Reverse((start, number, slot, pair))));
    }

    fn start(&mut self, trace: &Trace, runs: &Runs) {
        let Some(Reverse((start, number, slot, pair))) = self.starts.pop() else {
            return;
        };
        self.push_start(trace, runs, slot + 1, pair);
        let run = runs.decode(number);
        let RunId { lane: at, index } = run;
        let Some(lane) = run.lane(trace) else {
            return;
        };
        if !lane.open(index) {
            let end = (lane.end_of(index), place(at, index + 1, 0));
            self.ends.push(Reverse((end, number)));
        }
        let known = self.states.last().is_some_and(|(_, state)| state != TaskState::Unknown);
        if lane.inferred(index) && (self.began || known) {
            return;
        }
        if let Some(wait) = lane.wait(index).filter(|wait| wait.since < start) {
            self.runnable(wait.since, wait.cause);
            self.states.led_to(number);
        }
        self.lane = Some(at);
        let run = Change {
            run: Some(number),
            who: Some(pair),
            ..Change::to(TaskState::Running)
        };
        self.states.change(start, run);
    }

    fn end(&mut self, trace: &Trace, runs: &Runs) {
        let Some(Reverse(((at, _), number))) = self.ends.pop() else {
            return;
        };
        let run = runs.decode(number);
        let here = self.lane == Some(run.lane);
        match run.lane(trace).and_then(|lane| lane.end_state(run.index)) {
            // Switched in on another CPU meanwhile: its run continues there.
            Some(_) if self.lane.is_some() && !here => {}
            Some(code) => self.switched_out(at, code),
            None if here => self.leave(at, Change::to(TaskState::Unknown)),
            None => {}
        }
    }

    fn claim(&mut self, trace: &Trace) {
        let Some(claim) = self.claims.next().and_then(|index| trace.claims.get(index)) else {
            return;
        };
        match claim.kind {
            ClaimKind::Succeeds { .. } => {}
            // On the lane where its run continues, if there is one.
            ClaimKind::GoesOn if self.lane.is_some() => {}
            ClaimKind::GoesOn => self.leave(claim.at, Change::to(TaskState::Unknown)),
            ClaimKind::Forked => self.leave(claim.at, Change::to(TaskState::New)),
            ClaimKind::Replaced => self.leave(claim.at, Change::to(TaskState::Dead)),
            ClaimKind::RanUnseen { since } => self.leave(since, Change::to(TaskState::Unknown)),
            ClaimKind::SwitchedOut(code) => {
                self.ran_unseen(trace, claim.cpu, claim.intervals);
                self.switched_out(claim.at, code);
            }
        }
    }

    /// Handles a switch away from a task that was last seen asleep, after lost events: it was woken and ran unseen.
    fn ran_unseen(&mut self, trace: &Trace, cpu: u32, intervals: u32) {
        let Some((since, TaskState::New | TaskState::Sleeping | TaskState::Blocked | TaskState::Stopped)) =
            self.states.last()
        else {
            return;
        };
        let lane = trace.lane(cpu);
        let before = (intervals as usize).checked_sub(2);
        if let Some((lane, before)) = lane
            .zip(before)
            .filter(|(lane, before)| lane.who(*before) == Who::Unknown)
        {
            let gap = lane.interval(before).start.max(since);
            self.states.change(gap, Change::to(TaskState::Unknown));
        }
    }

    fn loose_wait(&mut self, trace: &Trace) {
        let wait = self.loose.next().and_then(|index| trace.loose_waits.get(index));
        if let Some(wait) = wait.filter(|wait| wait.since < wait.until) {
            self.runnable(wait.since, wait.cause);
        }
    }

    /// Makes the task wait from `since` on; a switch-out may have done so already.
    fn runnable(&mut self, since: u64, cause: WaitCause) {
        if self.states.last() != Some((since, TaskState::Runnable)) {
            let wait = Change {
                cause: Some(cause),
                ..Change::to(TaskState::Runnable)
            };
            self.leave(since, wait);
        }
    }

    fn switched_out(&mut self, at: u64, code: StateCode) {
        let state = TaskState::after_switch_out(code);
        let change = Change {
            code: Some(code),
            cause: (state == TaskState::Runnable).then_some(WaitCause::Preempted),
            ..Change::to(state)
        };
        self.leave(at, change);
    }

    /// Ends running at `at`.
    fn leave(&mut self, at: u64, to: Change) {
        self.lane = None;
        self.states.change(at, to);
    }

    fn finish(&mut self, trace: &Trace, runs: &Runs) -> TaskStates {
        let mut states = std::mem::take(&mut self.states);
        let comm = trace.task(self.task).comm;
        let pairs = runs.pairs_of(self.task);
        let last = pairs.iter().find(|&&pair| trace.task_comm(pair).comm == comm);
        if let Some(&last) = last.or(pairs.first()) {
            states.finish(trace.span_ns, last);
        }
        states
    }
}

/// All states of a task.
pub fn states_of(trace: &Trace, runs: &Runs, task: TaskId) -> TaskStates {
    let mut steps = usize::MAX;
    let states = StateBuilder::new(trace, runs, task).step(trace, runs, &mut steps);
    states.unwrap_or_default()
}

fn is_switch(kind: ClaimKind) -> bool {
    matches!(kind, ClaimKind::SwitchedOut(_))
}

/// The place of the event that begins interval `index` of a lane: `part` 0 is the task that it takes off the CPU, 1 the
/// one that it puts there, 2 what follows.
fn place(lane: usize, index: usize, part: u64) -> u64 {
    (lane as u64 + 1) << 36 | (index as u64 + 1) << 2 | part
}
