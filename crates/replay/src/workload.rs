//! A workload: what each task does, in CPU time of its own, whatever the scheduler.
//!
//! A task's *clock* is the CPU time it has had since its last wakeup, or since it began; a wakeup sets it to 0. Lengths of
//! events are clocks, but that of a wakeup, which is wall time. To be preempted is no event.

use std::fmt;
use std::ops::Range;

use crate::delay::Delay;

/// One thing that a task does. They are in order; the next one's clock is never less, until a wakeup.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct WorkEvent {
    /// The task's clock in ns when it happens. Of a wakeup: wall time in ns since the task blocked (since the recording
    /// began, for one that slept then), as it was recorded; a dependent one only keeps it for those who need it.
    pub length: u64,
    /// What happens.
    pub kind: WorkKind,
}

const _: () = assert!(size_of::<WorkEvent>() <= 32);

/// What a task does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum WorkKind {
    /// It forks a task, which begins with the priority that this one has, and with a clock of 0.
    Fork {
        /// Index of the child in [`Workload::tasks`].
        child: u32,
    },
    /// Its kernel priority changes: 100 to 139 fair, 0 to 99 real time, -1 deadline. With a clock of 0 right behind a
    /// wakeup, it holds already when the task becomes runnable; at the beginning of a task, from when it first runs.
    Prio {
        /// The priority from now on.
        prio: i16,
    },
    /// `sched_yield`: it stays runnable.
    Yield,
    /// It is no longer runnable, until the next event, which is a wakeup, or for ever, if there is none.
    Block {
        /// Its state, as `sched_switch` letters it.
        letter: u8,
    },
    /// A timer, a device or another thing outside the workload wakes it: so long after it blocked.
    Sleep {
        /// From `sched_waking` to `sched_wakeup` in ns, which is part of the length; 0 without a `sched_waking`.
        delay: Delay,
    },
    /// A task wakes it: when that one's clock is `distance` less than the length of an event of its. If that comes before the
    /// block which this ends, it is remembered.
    Woken {
        /// Recorded, from `sched_waking` to `sched_wakeup`, in ns.
        delay: Delay,
        /// Index of the waker in [`Workload::tasks`].
        waker: u32,
        /// Index, in [`Workload::events`], of the event that the waker does next. Its [`WorkEvent::length`] is at least
        /// `distance`. [`WorkKind::NO_EVENT`] if it does nothing more: then `distance` counts back from its
        /// [`Task::last_clock`].
        event: u32,
        /// CPU time of the waker in ns from the waking to that event.
        distance: u64,
    },
    /// It ends. The last event.
    Exit {
        /// X or Z.
        letter: u8,
    },
}

impl WorkKind {
    /// No event has this index.
    pub const NO_EVENT: u32 = u32::MAX;

    /// Whether it ends a block, and sets the clock to 0.
    pub fn is_wakeup(self) -> bool {
        matches!(self, WorkKind::Sleep { .. } | WorkKind::Woken { .. })
    }
}

/// How a task begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Start {
    /// Older than the workload, runnable from the beginning.
    Runnable,
    /// Older than the workload, asleep at the beginning: its first event is a wakeup, if it has any.
    Sleeping,
    /// A [`WorkKind::Fork`] of another task begins it.
    Forked,
}

/// What a task did when the recording ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ending {
    /// It had ended.
    Exited,
    /// It ran.
    Running,
    /// It was runnable.
    Runnable,
    /// It was not runnable.
    Asleep,
}

/// A task and where its events are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Task {
    /// Thread id.
    pub pid: i32,
    /// 0 for the first task with this pid, then 1, 2 ...; as the model of the trace counts them.
    pub generation: u32,
    /// The pids that it gets later, with their generations: a thread that execs takes over its leader's.
    pub aliases: Vec<(i32, u32)>,
    /// Its name, an index into [`Workload::comms`].
    pub comm: u32,
    /// Its later names: from which CPU time on, in ns since it began, ascending.
    pub renames: Vec<(u64, u32)>,
    /// Its kernel priority at the beginning; `None` where no event tells (120 then). A forked task has its parent's.
    pub prio: Option<i16>,
    /// How it begins.
    pub start: Start,
    /// When it first was runnable, in ns since the workload began, as recorded.
    pub born_ns: u64,
    /// Recorded, from the fork to the time when it was runnable, in ns; 0 where the waking of it is the fork.
    pub birth_delay: u64,
    /// The task that forked it, if it is in the workload.
    pub parent: Option<u32>,
    /// The CPU on which it first ran, or was before.
    pub cpu: Option<u32>,
    /// The CPUs on which it may run; `None` for all. A trace does not tell.
    pub allowed: Option<CpuSet>,
    /// Its events in [`Workload::events`].
    pub events: Range<u32>,
    /// Its clock when the recording ended, or when it did.
    pub last_clock: u64,
    /// Its CPU time in ns.
    pub cpu_ns: u64,
    /// What it did when the recording ended.
    pub ending: Ending,
    /// Its last burst goes on for ever: the one behind its last event, or the one before its exit, which never comes.
    pub endless: bool,
    /// Some of it was lost, or depends on what was.
    pub uncertain: bool,
}

const _: () = assert!(size_of::<Task>() <= 512);

impl Task {
    /// A task without events, runnable from the beginning.
    pub fn new(pid: i32) -> Task {
        Task {
            pid,
            generation: 0,
            aliases: Vec::new(),
            comm: 0,
            renames: Vec::new(),
            prio: None,
            start: Start::Runnable,
            born_ns: 0,
            birth_delay: 0,
            parent: None,
            cpu: None,
            allowed: None,
            events: 0..0,
            last_clock: 0,
            cpu_ns: 0,
            ending: Ending::Exited,
            endless: false,
            uncertain: false,
        }
    }

    /// Its pid, and those that it gets later.
    pub fn pids(&self) -> impl Iterator<Item = i32> + Clone + '_ {
        [self.pid].into_iter().chain(self.aliases.iter().map(|&(pid, _)| pid))
    }
}

/// What switching costs the machine that was recorded: medians, in ns. `None` where the trace has no such event.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Costs {
    /// From `sched_waking` to `sched_wakeup`.
    pub wake_ns: Option<u64>,
    /// From `sched_wakeup` to the switch-in, on a CPU that idled at the wakeup.
    pub idle_exit_ns: Option<u64>,
}

/// What tasks do, and what is known of the machine on which they did it.
///
/// The recorded runs (who ran when, and where) are not here: they are the lanes of the
/// [`Trace`](schedmodel::Trace) of the same rows, whose times count from [`Workload::first_ns`] less its
/// [`origin_ns`](schedmodel::Trace::origin_ns); its tasks have the same pids and generations.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Workload {
    /// All tasks, in the order in which the recording shows them.
    pub tasks: Vec<Task>,
    /// The events of all tasks: grouped by task, in order.
    pub events: Vec<WorkEvent>,
    /// The names of tasks.
    pub comms: Vec<String>,
    /// When the recording began, by its own clock; 0 without one.
    pub first_ns: u64,
    /// How long it lasted; `None` without one.
    pub span_ns: Option<u64>,
    /// Number of CPUs of the recording; `None` without one.
    pub cpus: Option<u32>,
    /// Recorded costs.
    pub costs: Costs,
    /// What was inferred, left out, or is uncertain.
    pub notes: Notes,
}

/// How often a workload says something that the trace does not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Notes {
    /// Yields that no system call tells: all of them are inferred.
    pub inferred_yields: u64,
    /// Blocks after which the task was switched in without a wakeup.
    pub wakeup_missing: u64,
    /// Tasks that were left out.
    pub left_out: u64,
    /// Wakeups and forks by tasks that were left out.
    pub cut_dependencies: u64,
    /// Gaps in which events were lost.
    pub gaps: u64,
    /// The longest stretch without a gap, in ns since the beginning; `None` where there are no gaps.
    pub clean: Option<(u64, u64)>,
}

impl Notes {
    /// Adds the counts of so many copies of another workload.
    pub(crate) fn add(&mut self, other: &Notes, copies: u32) {
        let add = |sum: &mut u64, count: u64| *sum = sum.saturating_add(count.saturating_mul(copies.into()));
        add(&mut self.inferred_yields, other.inferred_yields);
        add(&mut self.wakeup_missing, other.wakeup_missing);
        add(&mut self.left_out, other.left_out);
        add(&mut self.cut_dependencies, other.cut_dependencies);
        add(&mut self.gaps, other.gaps);
    }
}

/// The CPU time of a task with these events: the clocks at which it blocked, and the last one.
pub(crate) fn cpu_ns_of(events: &[WorkEvent], last_clock: u64) -> u64 {
    let blocks = events
        .iter()
        .filter(|event| matches!(event.kind, WorkKind::Block { .. }));
    let blocked = events
        .last()
        .is_some_and(|last| matches!(last.kind, WorkKind::Block { .. }));
    let last = if blocked { 0 } else { last_clock };
    blocks.fold(last, |sum, event| sum.saturating_add(event.length))
}

impl Workload {
    /// Numbers names in the order in which tasks have them; those that no task has are left out.
    pub(crate) fn number_comms(&mut self) {
        let names = std::mem::take(&mut self.comms);
        let mut numbers: Vec<Option<u32>> = vec![None; names.len()];
        for task in &mut self.tasks {
            let later = task.renames.iter_mut().map(|(_, comm)| comm);
            for comm in [&mut task.comm].into_iter().chain(later) {
                let Some(number) = numbers.get_mut(*comm as usize) else {
                    continue;
                };
                *comm = *number.get_or_insert_with(|| {
                    self.comms.push(names.get(*comm as usize).cloned().unwrap_or_default());
                    self.comms.len() as u32 - 1
                });
            }
        }
    }

    /// The events of a task.
    pub fn events_of(&self, task: &Task) -> &[WorkEvent] {
        let range = task.events.start as usize..task.events.end as usize;
        self.events.get(range).unwrap_or_default()
    }

    /// The number of a name, which is added if it is new.
    pub(crate) fn intern(&mut self, name: &str) -> u32 {
        let known = self.comms.iter().position(|known| known == name);
        let number = known.unwrap_or(self.comms.len());
        if known.is_none() {
            self.comms.push(name.to_owned());
        }
        number as u32
    }

    /// The first name of a task.
    pub fn comm_of(&self, task: &Task) -> &str {
        self.comm(task.comm)
    }

    /// A name.
    pub fn comm(&self, comm: u32) -> &str {
        self.comms.get(comm as usize).map_or("", String::as_str)
    }
}

/// A set of CPUs.
#[derive(Clone, Default, PartialEq, Eq, Hash)]
pub struct CpuSet {
    /// 64 CPUs in each; the last is not 0.
    words: Vec<u64>,
}

impl CpuSet {
    /// CPUs beyond are none: more than any kernel has.
    pub const MAX: u32 = 1 << 16;

    /// Adds a CPU; one that no kernel has is not.
    pub fn insert(&mut self, cpu: u32) {
        let (word, bit) = ((cpu / 64) as usize, cpu % 64);
        if Self::MAX <= cpu {
            return;
        }
        if self.words.len() <= word {
            self.words.resize(word + 1, 0);
        }
        if let Some(word) = self.words.get_mut(word) {
            *word |= 1 << bit;
        }
    }

    /// Whether it has a CPU.
    pub fn contains(&self, cpu: u32) -> bool {
        let word = self.words.get((cpu / 64) as usize);
        word.is_some_and(|word| word >> (cpu % 64) & 1 != 0)
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// Its CPUs, ascending.
    pub fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        let words = (0_u32..).zip(&self.words);
        words.flat_map(|(at, word)| {
            (0..64)
                .filter(move |bit| word >> bit & 1 != 0)
                .map(move |bit| 64 * at + bit)
        })
    }

    /// A list as the kernel writes it: `0,2-5`.
    pub fn parse(text: &str) -> Option<CpuSet> {
        let mut set = CpuSet::default();
        for part in text.split(',') {
            let (first, last) = part.split_once('-').unwrap_or((part, part));
            let (first, last) = (first.parse::<u32>().ok()?, last.parse::<u32>().ok()?);
            if last < first || Self::MAX <= last {
                return None;
            }
            (first..=last).for_each(|cpu| set.insert(cpu));
        }
        Some(set)
    }
}

impl FromIterator<u32> for CpuSet {
    fn from_iter<I: IntoIterator<Item = u32>>(cpus: I) -> CpuSet {
        let mut set = CpuSet::default();
        cpus.into_iter().for_each(|cpu| set.insert(cpu));
        set
    }
}

/// As [`CpuSet::parse`] reads it.
impl fmt::Display for CpuSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut cpus = self.iter().peekable();
        let mut comma = "";
        while let Some(first) = cpus.next() {
            let mut last = first;
            while let Some(next) = cpus.next_if(|&next| next == last + 1) {
                last = next;
            }
            write!(f, "{comma}{first}")?;
            if first < last {
                write!(f, "-{last}")?;
            }
            comma = ",";
        }
        Ok(())
    }
}

impl fmt::Debug for CpuSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
