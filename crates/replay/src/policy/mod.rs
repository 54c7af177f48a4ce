//! Scheduling policies. They know neither traces nor files: only tasks, CPUs, and the time.
//!
//! The engine calls a [`Policy`] as the kernel calls a scheduling class, and checks each answer. The task that runs is in
//! no queue. Tasks of real time are not the policy's: they go before all that it has.

mod cfs;
mod ebs;
mod eevdf;
mod fifo;
mod heap;
mod levels;
mod linux24;
mod o1;
mod scx;
mod spec;
mod weight;

pub use cfs::Cfs;
pub use ebs::{Ebs, Usage};
pub use eevdf::Eevdf;
pub use fifo::Fifo;
pub use linux24::Linux24;
pub use o1::O1;
pub use scx::{Order, Scx};
pub use spec::{parse_switch, parse_time, PolicyError, Spec, WithPolicy};
pub use weight::{nice_of, weight_of};

use crate::arith::times;
use crate::table::Table;
use crate::workload::CpuSet;

/// The most that a policy keeps of each task, in bytes: its own, its place in a heap, and that place's number.
pub(crate) const MOST_PER_TASK: usize = {
    let (eevdf, o1) = (eevdf::PER_TASK, o1::PER_TASK);
    let own = if eevdf < o1 { o1 } else { eevdf };
    own + size_of::<heap::Item>() + size_of::<heap::Place>()
};

/// Nanoseconds.
pub type Ns = u64;
/// Number of a CPU, from 0.
pub type Cpu = u32;
/// Number of a task.
pub type TaskId = u32;

/// One millisecond.
pub const MS: Ns = 1_000_000;

/// What a policy may know of a task.
#[derive(Clone, Debug, Default)]
pub struct TaskView {
    /// Kernel priority: 100 to 139 fair, less for real time.
    pub prio: i16,
    /// The weight of its nice value.
    pub weight: u32,
    /// The CPU that it is on, or was on last.
    pub cpu: Cpu,
    /// The CPUs on which it may run; `None` for all.
    pub allowed: Option<CpuSet>,
    /// When it left a CPU last; 0 if it has not run.
    pub ran_until: Ns,
    /// Whether it waits for a CPU.
    pub waits: bool,
}

impl TaskView {
    /// Whether it may run on a CPU.
    #[inline]
    pub fn may_run_on(&self, cpu: Cpu) -> bool {
        self.allowed.as_ref().is_none_or(|allowed| allowed.contains(cpu))
    }

    /// From -20 to 19.
    pub fn nice(&self) -> i32 {
        nice_of(self.prio)
    }
}

/// What a policy may know of a CPU.
#[derive(Clone, Copy, Debug, Default)]
pub struct CpuView {
    /// The task that runs.
    pub current: Option<TaskId>,
    /// Whether that task is of real time, and thus none of the policy's.
    pub current_rt: bool,
    /// Whether a task is on its way onto this idle CPU.
    pub waking: bool,
    /// When the task that runs came onto the CPU, or when the CPU began to idle.
    pub since: Ns,
    /// How many tasks wait in its runqueue, those of real time too.
    pub waiting: u32,
}

impl CpuView {
    /// Whether it does nothing, and nothing is coming.
    #[inline]
    pub fn idle(&self) -> bool {
        self.current.is_none() && !self.waking && self.waiting == 0
    }
}

/// What a policy may know.
#[derive(Clone, Debug, Default)]
pub struct View {
    /// The time.
    pub now: Ns,
    /// Whether the ticks of this time are still to come.
    pub before_ticks: bool,
    /// Time between two ticks of a CPU.
    pub tick_ns: Ns,
    /// When the first tick of each CPU is.
    pub phases: Table<Ns>,
    /// By [`Cpu`].
    pub cpus: Table<CpuView>,
    /// By [`TaskId`].
    pub tasks: Table<TaskView>,
}

impl View {
    /// Number of CPUs.
    pub fn cpu_count(&self) -> u32 {
        self.cpus.len() as u32
    }

    /// What a task has used of its slice, `used` if no tick gave it a new one: of a task that has run alone for the last `ran`,
    /// whose ticks were not made, though each would have renewed a slice that is used up.
    pub(crate) fn used_alone(&self, cpu: Cpu, slice: Ns, used: Ns, ran: Ns) -> Ns {
        let Some(over) = used.checked_sub(slice) else {
            return used;
        };
        let tick = self.tick_ns.max(1);
        let phase = self.phases[cpu];
        let reached = (self.now - over.min(ran).min(self.now)).max(phase);
        let first = phase + (reached - phase).div_ceil(tick) * tick;
        let Some(since) = self.now.checked_sub(first + u64::from(self.before_ticks)) else {
            return used;
        };
        let period = slice.div_ceil(tick).max(1) * tick;
        self.now - (first + since / period * period)
    }

    /// By how much kernels scale their times with the number of CPUs: 1 + log2, for at most eight.
    pub fn scale(&self) -> u64 {
        1 + u64::from(self.cpu_count().clamp(1, 8).ilog2())
    }
}

/// Why a task comes to a runqueue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum On {
    /// It was runnable when the run began.
    First,
    /// Another task has just forked it.
    Forked(TaskId),
    /// It was woken.
    Woken,
    /// It comes from the runqueue of another CPU.
    Moved,
    /// It was of real time.
    Class,
}

/// Why a task leaves a runqueue, or the CPU.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Off {
    /// It blocks; the state's letter.
    Sleeps(u8),
    /// It has ended.
    Exits,
    /// It goes to another CPU's runqueue.
    Moves,
    /// It becomes a task of real time.
    Class,
}

/// Why a task that stays runnable leaves the CPU.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The policy said so at a tick, or at the end of a slice.
    Used,
    /// For a task that became runnable.
    Preempted,
    /// It yielded.
    Yielded,
}

/// When the next tick of a CPU could change something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NextTick {
    /// Not before something else happens.
    Never,
    /// At the first tick at this time or later.
    From(Ns),
    /// At the tick that is at this time, or the first that is still to come.
    At(Ns),
    /// At this very time, by a timer of its own.
    Exactly(Ns),
}

/// The ticks of a CPU, counted as if it had all of them.
#[derive(Clone, Copy, Debug, Default)]
struct Ticks {
    /// When the first one is that has not been counted; `None` before anything was.
    next: Option<Ns>,
}

impl Ticks {
    /// How many there have been since this was asked last.
    #[inline]
    fn count(&mut self, view: &View, cpu: Cpu) -> u64 {
        let next = self.next.get_or_insert(view.phases[cpu]);
        let Some(since) = view.now.checked_sub(*next + u64::from(view.before_ticks)) else {
            return 0;
        };
        let count = since / view.tick_ns.max(1) + 1;
        *next += count * view.tick_ns;
        count
    }

    /// When the one with this number is, from 1 for the first that has not been counted.
    #[inline]
    fn at(&self, view: &View, number: u64) -> Ns {
        let since = times(number.saturating_sub(1), view.tick_ns);
        self.next.unwrap_or(0).saturating_add(since)
    }
}

/// A wakeup, for whom chooses the CPU.
#[derive(Clone, Copy, Debug)]
pub struct Waking {
    /// The task that wakes, if it is one.
    pub waker: Option<TaskId>,
    /// The CPU on which the wakeup happens.
    pub cpu: Cpu,
    /// Whether the waker says that it is about to sleep.
    pub sync: bool,
}

/// A scheduling policy: which task, on which CPU, for how long.
///
/// Before each call that concerns a CPU, [`Policy::ran`] has told it all that the running task has used.
pub trait Policy {
    /// A task exists from now on. A forked one has its parent.
    fn attach(&mut self, _view: &View, _task: TaskId, _parent: Option<TaskId>) {}

    /// The CPU for a task that wakes up; `None` leaves it to the placement of the machine.
    fn select_cpu(&mut self, _view: &View, _task: TaskId, _waking: &Waking) -> Option<Cpu> {
        None
    }

    /// A task comes to the runqueue of a CPU.
    fn enqueue(&mut self, view: &View, cpu: Cpu, task: TaskId, on: On);

    /// A task that waits, or that runs, leaves the runqueue of a CPU.
    fn dequeue(&mut self, view: &View, cpu: Cpu, task: TaskId, off: Off);

    /// The task to run next on a CPU: one that waits, or `prev`, which runs and could continue.
    fn pick(&mut self, view: &View, cpu: Cpu, prev: Option<TaskId>) -> Option<TaskId>;

    /// A task that waited runs now.
    fn start(&mut self, view: &View, cpu: Cpu, task: TaskId);

    /// A task that ran waits now.
    fn stop(&mut self, view: &View, cpu: Cpu, task: TaskId, why: Stop);

    /// The running task has used CPU time.
    fn ran(&mut self, _view: &View, _cpu: Cpu, _task: TaskId, _used: Ns) {}

    /// Whether a task that has just been enqueued takes the CPU from the one that runs.
    fn preempts(&mut self, _view: &View, _cpu: Cpu, _task: TaskId) -> bool {
        false
    }

    /// A tick of a CPU: whether [`Policy::pick`] is to be asked.
    fn tick(&mut self, _view: &View, _cpu: Cpu, _task: TaskId) -> bool {
        false
    }

    /// From when on a tick of a CPU that runs this task could change something.
    fn next_tick(&self, _view: &View, _cpu: Cpu, _task: TaskId) -> NextTick {
        NextTick::Never
    }

    /// The running task yields: [`Policy::pick`] is asked next.
    fn yields(&mut self, _view: &View, _cpu: Cpu, _task: TaskId) {}

    /// The priority of a fair task, which waits or runs on a CPU or sleeps, has changed from `before`. Whether
    /// [`Policy::pick`] is to be asked, of one that runs.
    fn reprio(&mut self, _view: &View, _cpu: Cpu, _task: TaskId, _before: i16) -> bool {
        false
    }

    /// The period of its own ticks, if it does not take those of the machine.
    fn tick_ns(&self) -> Option<Ns> {
        None
    }

    /// Whether one queue serves all CPUs: any CPU may then pick any task that may run there.
    fn one_queue(&self) -> bool {
        false
    }
}
