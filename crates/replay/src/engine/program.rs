//! A workload as the engine runs it: for each task one list of what it does, the wakeups that it gives among them.

use crate::policy::{Ns, TaskId};
use crate::workload::{Ending, Task, WorkKind, Workload};

/// What a task does at a time of its clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// It wakes a task, whose wait is the step with this number.
    Wake {
        /// Whom.
        wakee: TaskId,
        /// A step.
        wait: u32,
    },
    /// It forks.
    Fork(TaskId),
    /// Its priority changes.
    Prio(i16),
    /// It yields.
    Yield,
    /// It blocks; what follows is its sleep, if it ever wakes.
    Block(u8),
    /// A wait for something outside.
    Sleep,
    /// It blocks until another task wakes it: most of what tasks do, and one step, since reading steps is what runs take longest for.
    Wait(u8),
    /// A wait for another task without a block before it.
    Await,
    /// It ends.
    Exit(u8),
    /// Its name changes.
    Rename(u32),
}

/// A step, packed: half of all memory of a run is these.
#[derive(Clone, Copy, Debug)]
pub struct Packed {
    /// The task's clock in ns; of a sleep, how long it is.
    pub at: Ns,
    arg: u32,
    /// The kind in the lowest four bits, then a task.
    what: u32,
}

const _: () = assert!(size_of::<Packed>() == 16);

/// A clock beyond all others: half of what fits, so that sums do.
const NEVER_ENDS: Ns = Ns::MAX / 2;

/// More tasks than that have no room in a packed step.
pub const MOST_TASKS: usize = 1 << 28;

impl Packed {
    fn new(at: Ns, step: Step) -> Packed {
        let (kind, task, arg) = match step {
            Step::Wake { wakee, wait } => (0, wakee, wait),
            Step::Fork(child) => (1, child, 0),
            Step::Prio(prio) => (2, 0, i32::from(prio) as u32),
            Step::Yield => (3, 0, 0),
            Step::Block(letter) => (4, 0, u32::from(letter)),
            Step::Sleep => (5, 0, 0),
            Step::Await => (6, 0, 0),
            Step::Exit(letter) => (7, 0, u32::from(letter)),
            Step::Rename(comm) => (8, 0, comm),
            Step::Wait(letter) => (9, 0, u32::from(letter)),
        };
        Packed {
            at,
            arg,
            what: kind | task << 4,
        }
    }

    /// The step.
    #[inline]
    pub fn step(&self) -> Step {
        let task = self.what >> 4;
        match self.what & 15 {
            0 => Step::Wake {
                wakee: task,
                wait: self.arg,
            },
            1 => Step::Fork(task),
            2 => Step::Prio(self.arg as i32 as i16),
            3 => Step::Yield,
            4 => Step::Block(self.arg as u8),
            5 => Step::Sleep,
            6 => Step::Await,
            7 => Step::Exit(self.arg as u8),
            8 => Step::Rename(self.arg),
            _ => Step::Wait(self.arg as u8),
        }
    }
}

/// The steps of all tasks.
#[derive(Debug, Default)]
pub struct Program {
    /// One task after the other.
    pub steps: Vec<Packed>,
    /// Where each task's steps begin, and behind the last one's end.
    pub starts: Vec<u32>,
    /// Whether any task's priority changes.
    pub has_prios: bool,
}

/// A wakeup that a task gives.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Gift {
    clock: Ns,
    /// The wakeup, as an event of the wakee.
    wakeup: u32,
    wakee: TaskId,
}

impl Program {
    /// Of a workload.
    pub fn new(workload: &Workload) -> Program {
        let mut gifts = Gifts::of(workload);
        let mut program = Program::default();
        program.steps.reserve(workload.events.len() + gifts.all.len());
        // Which step an event of the workload became.
        let mut waits = vec![u32::MAX; workload.events.len()];
        for (id, task) in (0..).zip(&workload.tasks) {
            program.starts.push(program.steps.len() as u32);
            program.add_task(id, task, &mut gifts, &mut waits);
        }
        program.starts.push(program.steps.len() as u32);
        for packed in &mut program.steps {
            if let Step::Wake { .. } = packed.step() {
                packed.arg = waits.get(packed.arg as usize).copied().unwrap_or(u32::MAX);
            }
        }
        program
    }

    /// A function of its own for each task: see `Engine::next_event`.
    #[inline(never)]
    fn add_task(&mut self, id: TaskId, task: &Task, gifts: &mut Gifts, waits: &mut [u32]) {
        let workload = gifts.workload;
        let mut names = task.renames.iter().copied().peekable();
        // CPU time before the last wakeup.
        let mut base = 0_u64;
        let mut last = 0;
        let range = task.events.clone();
        for (number, event) in range.zip(workload.events_of(task)) {
            for gift in gifts.before(id, number, event.length) {
                self.names_up_to(&mut names, base, gift.clock);
                self.give(gift);
            }
            let at = event.length;
            let step = match event.kind {
                WorkKind::Sleep { .. } => Step::Sleep,
                WorkKind::Woken { .. } => Step::Await,
                WorkKind::Fork { child } => Step::Fork(child),
                WorkKind::Prio { prio } => Step::Prio(prio),
                WorkKind::Yield => Step::Yield,
                WorkKind::Block { letter } => Step::Block(letter),
                WorkKind::Exit { .. } if task.endless => continue,
                WorkKind::Exit { letter } => Step::Exit(letter),
            };
            if event.kind.is_wakeup() {
                base = base.saturating_add(last);
                last = 0;
            } else {
                self.names_up_to(&mut names, base, at);
                last = at;
            }
            self.has_prios |= matches!(step, Step::Prio(_));
            if step != Step::Await || !self.waits_where_it_blocks() {
                self.steps.push(Packed::new(at, step));
            }
            if let Some(place) = waits.get_mut(number as usize) {
                *place = self.steps.len() as u32 - 1;
            }
        }
        for gift in gifts.before(id, WorkKind::NO_EVENT, task.last_clock) {
            self.names_up_to(&mut names, base, gift.clock);
            self.give(gift);
        }
        self.names_up_to(&mut names, base, NEVER_ENDS);
        if !task.endless && stops_short(workload, task) {
            self.steps.push(Packed::new(task.last_clock, Step::Exit(b'X')));
        }
    }

    /// Makes the block that is the task's last step its wait, too; false if there is none.
    fn waits_where_it_blocks(&mut self) -> bool {
        let first = self.starts.last().copied().unwrap_or(0);
        let of_task = self.steps.get_mut(first as usize..).unwrap_or_default();
        match of_task.last_mut().map(|last| (last.step(), last)) {
            Some((Step::Block(letter), last)) => {
                *last = Packed::new(last.at, Step::Wait(letter));
                true
            }
            _ => false,
        }
    }

    fn give(&mut self, gift: &Gift) {
        let step = Step::Wake {
            wakee: gift.wakee,
            wait: gift.wakeup,
        };
        self.steps.push(Packed::new(gift.clock, step));
    }

    /// The names that a task gets up to a clock, `base` after it began.
    fn names_up_to(&mut self, names: &mut std::iter::Peekable<impl Iterator<Item = (u64, u32)>>, base: u64, clock: Ns) {
        while let Some((since, comm)) = names.next_if(|&(since, _)| since <= base.saturating_add(clock)) {
            self.steps
                .push(Packed::new(since.saturating_sub(base), Step::Rename(comm)));
        }
    }

    /// A step.
    #[inline]
    pub fn get(&self, at: u32) -> Option<&Packed> {
        self.steps.get(at as usize)
    }
}

/// Whether a task ran when the recording ended, and is to stop there.
fn stops_short(workload: &Workload, task: &Task) -> bool {
    let last = workload.events_of(task).last().map(|event| event.kind);
    let gone = matches!(last, Some(WorkKind::Exit { .. } | WorkKind::Block { .. }));
    !gone && matches!(task.ending, Ending::Running | Ending::Runnable | Ending::Exited)
}

/// All wakeups by tasks, by the event that the waker does next; those behind which it does nothing more come last.
struct Gifts<'a> {
    workload: &'a Workload,
    /// The first wakeup before each event, then that behind the last event of each task.
    firsts: Vec<u32>,
    /// In no order.
    all: Vec<Listed>,
    /// Those that were asked for.
    found: Vec<Gift>,
}

/// A wakeup in its list.
struct Listed {
    /// From the wakeup to the event before which it comes, by the waker's clock.
    distance: Ns,
    wakee: TaskId,
    /// As an event of the wakee.
    wakeup: u32,
    /// The next one in [`Gifts::all`].
    next: u32,
}

/// Behind the last one of a list.
const NONE: u32 = u32::MAX;

impl<'a> Gifts<'a> {
    fn of(workload: &'a Workload) -> Gifts<'a> {
        let mut gifts = Gifts {
            workload,
            firsts: vec![NONE; workload.events.len() + workload.tasks.len()],
            all: Vec::new(),
            found: Vec::new(),
        };
        for (wakee, task) in (0..).zip(&workload.tasks) {
            gifts.add_task(wakee, task);
        }
        gifts
    }

    /// A function of its own for each task: see `Engine::next_event`.
    #[inline(never)]
    fn add_task(&mut self, wakee: TaskId, task: &Task) {
        for (wakeup, event) in task.events.clone().zip(self.workload.events_of(task)) {
            let WorkKind::Woken {
                waker, event, distance, ..
            } = event.kind
            else {
                continue;
            };
            let list = self.list(waker, event);
            if let Some(first) = self.firsts.get_mut(list) {
                let next = std::mem::replace(first, self.all.len() as u32);
                self.all.push(Listed {
                    distance,
                    wakee,
                    wakeup,
                    next,
                });
            }
        }
    }

    /// Where the list before an event begins, or behind the last one of a task.
    fn list(&self, waker: TaskId, event: u32) -> usize {
        let events = self.workload.events.len();
        match (event as usize) < events {
            true => event as usize,
            false => events + waker as usize,
        }
    }

    /// Those before an event of a task, or behind its last one, in order; and the clock from which they count back.
    #[inline]
    fn before(&mut self, waker: TaskId, event: u32, last: Ns) -> &[Gift] {
        let mut at = self.firsts.get(self.list(waker, event)).copied().unwrap_or(NONE);
        self.found.clear();
        while let Some(&Listed {
            distance,
            wakee,
            wakeup,
            next,
        }) = self.all.get(at as usize)
        {
            let clock = last.saturating_sub(distance);
            self.found.push(Gift { clock, wakeup, wakee });
            at = next;
        }
        if 1 < self.found.len() {
            self.found.sort_unstable();
        }
        &self.found
    }
}
