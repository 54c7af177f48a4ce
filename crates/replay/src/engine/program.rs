//! A workload as the engine runs it: for each task one list of what it does, the wakeups that it gives among them.

use super::gifts::{Gift, Gifts};
use crate::policy::{Ns, TaskId};
use crate::workload::{Ending, Task, WorkKind, Workload};

/// What a task does at a time of its clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// It wakes the task whose wait is the step with this number.
    Wake(u32),
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

/// What a task does next.
#[derive(Clone, Copy, Debug)]
pub struct Due {
    /// The task's clock in ns; of a sleep, how long it is.
    pub at: Ns,
    packed: Packed,
}

impl Due {
    /// What it is.
    #[inline]
    pub fn step(&self) -> Step {
        self.packed.step()
    }
}

/// A step, packed: tasks take turns, so that most steps come from memory that no cache holds, and runs wait for it.
#[derive(Clone, Copy, Debug)]
struct Packed {
    /// The kind in the lowest four bits, then the time, or [`FAR`].
    what: u32,
    /// What a step says besides. Of a wait, the state's letter in the highest eight bits, and whose it is.
    arg: u32,
}

const _: () = assert!(size_of::<Packed>() == 8);

/// In place of a time that has no room in a packed step: one of 268 ms or more.
const FAR: u32 = (1 << 28) - 1;

/// A clock beyond all others: half of what fits, so that sums do.
const NEVER_ENDS: Ns = Ns::MAX / 2;

/// More tasks than that have no room in a packed step.
pub const MOST_TASKS: usize = 1 << 24;

impl Packed {
    /// A step of a task.
    fn new(at: u32, step: Step, task: TaskId) -> Packed {
        let (kind, arg) = match step {
            Step::Wake(wait) => (0, wait),
            Step::Fork(child) => (1, child),
            Step::Prio(prio) => (2, i32::from(prio) as u32),
            Step::Yield => (3, 0),
            Step::Block(letter) => (4, u32::from(letter)),
            Step::Sleep => (5, 0),
            Step::Await => (6, task),
            Step::Exit(letter) => (7, u32::from(letter)),
            Step::Rename(comm) => (8, comm),
            Step::Wait(letter) => (9, task | u32::from(letter) << 24),
        };
        Packed {
            what: kind | at << 4,
            arg,
        }
    }

    #[inline]
    fn step(self) -> Step {
        match self.what & 15 {
            0 => Step::Wake(self.arg),
            1 => Step::Fork(self.arg),
            2 => Step::Prio(self.arg as i32 as i16),
            3 => Step::Yield,
            4 => Step::Block(self.arg as u8),
            5 => Step::Sleep,
            6 => Step::Await,
            7 => Step::Exit(self.arg as u8),
            8 => Step::Rename(self.arg),
            _ => Step::Wait((self.arg >> 24) as u8),
        }
    }
}

/// The steps of all tasks.
#[derive(Debug, Default)]
pub struct Program {
    /// One task after the other.
    steps: Vec<Packed>,
    /// Times that have no room there, by the number of the step.
    far: Vec<(u32, Ns)>,
    /// Where each task's steps begin, and behind the last one's end.
    pub starts: Vec<u32>,
    /// Whether any task's priority changes: if none does, nobody looks for that at wakeups, when a task's steps are in no cache.
    pub has_prios: bool,
}

impl Program {
    /// Of a workload.
    pub fn new(workload: &Workload) -> Program {
        let mut gifts = Gifts::of(workload);
        let mut program = Program::default();
        program.steps.reserve(workload.events.len() + gifts.count());
        // Which step an event of the workload became.
        let mut waits = vec![u32::MAX; workload.events.len()];
        for (id, task) in (0..).zip(&workload.tasks) {
            program.starts.push(program.steps.len() as u32);
            program.add_task(workload, (id, task), &mut gifts, &mut waits);
        }
        program.starts.push(program.steps.len() as u32);
        for packed in &mut program.steps {
            if let Step::Wake(wakeup) = packed.step() {
                packed.arg = waits.get(wakeup as usize).copied().unwrap_or(u32::MAX);
            }
        }
        program
    }

    /// How many steps there are.
    pub fn count(&self) -> usize {
        self.steps.len()
    }

    fn push(&mut self, at: Ns, step: Step) {
        let near = u32::try_from(at).unwrap_or(FAR).min(FAR);
        if near == FAR {
            self.far.push((self.steps.len() as u32, at));
        }
        let task = self.starts.len() as TaskId - 1;
        self.steps.push(Packed::new(near, step, task));
    }

    /// A function of its own for each task: see `Engine::next_event`.
    #[inline(never)]
    fn add_task(&mut self, workload: &Workload, (id, task): (TaskId, &Task), gifts: &mut Gifts, waits: &mut [u32]) {
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
                self.push(at, step);
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
            self.push(task.last_clock, Step::Exit(b'X'));
        }
    }

    /// Makes the block that is the task's last step its wait, too; false if there is none.
    fn waits_where_it_blocks(&mut self) -> bool {
        let first = self.starts.last().copied().unwrap_or(0);
        let task = self.starts.len() as TaskId - 1;
        let of_task = self.steps.get_mut(first as usize..).unwrap_or_default();
        match of_task.last_mut().map(|last| (last.step(), last)) {
            Some((Step::Block(letter), last)) => {
                *last = Packed::new(last.what >> 4, Step::Wait(letter), task);
                true
            }
            _ => false,
        }
    }

    /// A wakeup, as an event of the wakee until all of those are steps.
    fn give(&mut self, gift: &Gift) {
        self.push(gift.clock, Step::Wake(gift.wakeup));
    }

    /// The names that a task gets up to a clock, `base` after it began.
    fn names_up_to(&mut self, names: &mut std::iter::Peekable<impl Iterator<Item = (u64, u32)>>, base: u64, clock: Ns) {
        while let Some((since, comm)) = names.next_if(|&(since, _)| since <= base.saturating_add(clock)) {
            self.push(since.saturating_sub(base), Step::Rename(comm));
        }
    }

    /// A step.
    #[inline]
    pub fn get(&self, number: u32) -> Option<Due> {
        let packed = *self.steps.get(number as usize)?;
        let at = match packed.what >> 4 {
            FAR => self.far_at(number),
            near => Ns::from(near),
        };
        Some(Due { at, packed })
    }

    #[cold]
    fn far_at(&self, number: u32) -> Ns {
        let found = self.far.binary_search_by_key(&number, |&(number, _)| number);
        found.ok().and_then(|at| self.far.get(at)).map_or(0, |&(_, at)| at)
    }

    /// Whose wait a step is; `None` if it is none.
    #[inline]
    pub fn waits(&self, number: u32) -> Option<TaskId> {
        let packed = self.steps.get(number as usize)?;
        match packed.step() {
            Step::Await | Step::Wait(_) => Some(packed.arg & (MOST_TASKS as u32 - 1)),
            _ => None,
        }
    }
}

/// Whether a task ran when the recording ended, and is to stop there.
fn stops_short(workload: &Workload, task: &Task) -> bool {
    let last = workload.events_of(task).last().map(|event| event.kind);
    let gone = matches!(last, Some(WorkKind::Exit { .. } | WorkKind::Block { .. }));
    !gone && matches!(task.ending, Ending::Running | Ending::Runnable | Ending::Exited)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::{pairs, runs_and_sleeps};

    const SECOND: Ns = 1_000_000_000;

    /// Also at times that have no room in a packed step.
    #[test]
    fn steps_say_when() {
        let far = Ns::from(FAR);
        for (run, sleep) in [(20, 1), (far - 1, far), (far + 1, 5 * SECOND), (SECOND, 1 << 40)] {
            let program = Program::new(&runs_and_sleeps(run, sleep, 2 * (run + sleep)));
            let steps = (0..4).filter_map(|number| program.get(number));
            let steps: Vec<(Ns, Step)> = steps.map(|due| (due.at, due.step())).collect();
            let round = [(run, Step::Block(b'S')), (sleep, Step::Sleep)];
            assert_eq!(steps, [round, round].concat());
        }
    }

    #[test]
    fn waits_say_whose_they_are() {
        let program = Program::new(&pairs(6, SECOND, 24 * SECOND));
        let mut wakes = 0;
        for (task, bounds) in (0..).zip(program.starts.windows(2)) {
            for number in bounds[0]..bounds[1] {
                let step = program.get(number).unwrap().step();
                let is_wait = matches!(step, Step::Wait(b'S') | Step::Await);
                assert_eq!(program.waits(number), is_wait.then_some(task));
                if let Step::Wake(wait) = step {
                    assert_eq!(program.waits(wait), Some(task ^ 1));
                    wakes += 1;
                }
            }
        }
        assert_eq!(wakes, 24);
    }
}
