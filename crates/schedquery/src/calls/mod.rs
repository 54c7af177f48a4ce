//! Threads' system calls, and the interrupts that take time from them: rows of a scan in, [`Calls`] out.
//!
//! A thread, a pid and a generation, has at most one call open, so calls are paired by thread and never by number. Nothing is
//! dropped: what cannot be paired is counted by what it is ([`Totals`]), and is a stretch of the thread's time in a call, or
//! unknown. The states that a call is split into are those of [`TaskStates`](schedindex::TaskStates).

mod comms;
mod interrupts;
mod lives;
mod log;
mod matcher;
mod processes;
mod stored;
mod totals;

pub use interrupts::{Interrupt, InterruptTime, Interrupts};
pub use log::Recorded;
pub use processes::Processes;
pub use schedrows::KernelLog;
pub use stored::{Call, Stretch, StretchKind, Thread, Unfinished};
pub use totals::Totals;

pub(crate) use stored::Kind;

use schedindex::Runs;
use schedmodel::stored::{Reader, Stored, Writer};
use schedmodel::{Comms, TaskId, Trace};
use std::collections::HashMap;
use std::io;
use std::ops::Range;
use std::sync::Arc;

/// All system calls of a trace.
#[derive(Debug)]
pub struct Calls {
    /// Which events tell of them; `None` if there are none.
    pub recorded: Option<Recorded>,
    /// What was counted, of the whole trace.
    pub totals: Totals,
    /// All threads that made one, by pid and generation.
    pub threads: Vec<Thread>,
    /// The names that calls refer to: those of the trace, and what was seen between switches.
    pub comms: Comms,
    /// What took time from tasks; shared with long questions that leave it out.
    pub interrupts: Arc<Interrupts>,
    /// Which thread belongs to which process.
    pub processes: Processes,
    /// What named events call the numbers: function names.
    pub functions: Vec<(i32, String)>,
    /// Whether the trace has switches, without which nothing tells what threads do in calls.
    pub has_sched: bool,
    /// By task, its place among the threads.
    of_tasks: HashMap<TaskId, usize>,
    kinds: stored::Kinds,
    /// The distinct numbers of calls, returned or not, ascending.
    numbers: Vec<i32>,
    /// What does not fit a [`stored::Packed`].
    large: Vec<u64>,
}

impl Stored for Calls {
    const LEAST: usize = Totals::LEAST;

    fn put(&self, out: &mut Writer<'_>) -> io::Result<()> {
        self.recorded.put(out)?;
        self.totals.put(out)?;
        self.threads.put(out)?;
        self.comms.put(out)?;
        self.interrupts.put(out)?;
        self.processes.put(out)?;
        self.functions.put(out)?;
        self.has_sched.put(out)?;
        self.kinds.put(out)?;
        self.numbers.put(out)?;
        self.large.put(out)
    }

    fn get(reader: &mut Reader<'_>) -> io::Result<Calls> {
        let mut calls = Calls {
            recorded: Stored::get(reader)?,
            totals: Stored::get(reader)?,
            threads: Stored::get(reader)?,
            comms: Stored::get(reader)?,
            interrupts: Stored::get(reader)?,
            processes: Stored::get(reader)?,
            functions: Stored::get(reader)?,
            has_sched: Stored::get(reader)?,
            of_tasks: HashMap::new(),
            kinds: Stored::get(reader)?,
            numbers: Stored::get(reader)?,
            large: Stored::get(reader)?,
        };
        calls.find_tasks();
        Ok(calls)
    }
}

impl Calls {
    /// Pairs the events of `logs`, whose trace and runs these are.
    pub fn new(trace: &Trace, runs: &Runs, logs: &[KernelLog]) -> Calls {
        matcher::pair(trace, runs, logs)
    }

    /// Makes [`Calls::thread_of`] know the threads.
    fn find_tasks(&mut self) {
        let threads = self.threads.iter().enumerate();
        self.of_tasks = threads
            .filter_map(|(index, thread)| Some((thread.task?, index)))
            .collect();
    }

    /// The thread of a task.
    pub fn thread_of(&self, task: TaskId) -> Option<&Thread> {
        self.threads.get(*self.of_tasks.get(&task)?)
    }

    /// A thread's complete calls, in order of time.
    pub fn of<'a>(&'a self, thread: &'a Thread) -> impl ExactSizeIterator<Item = Call> + 'a {
        thread.calls.iter().map(|call| call.unpack(&self.kinds, &self.large))
    }

    /// Some of a thread's complete calls, in order of time.
    pub(crate) fn some<'a>(
        &'a self,
        thread: &'a Thread,
        range: Range<usize>,
    ) -> impl ExactSizeIterator<Item = Call> + 'a {
        let some = thread.calls.get(range).unwrap_or_default();
        some.iter().map(|call| call.unpack(&self.kinds, &self.large))
    }

    /// Which complete calls of a thread overlap a window: from the one in which it begins.
    pub(crate) fn overlapping(&self, thread: &Thread, window: &Range<u64>) -> Range<usize> {
        let before = |end: u64| thread.calls.partition_point(|call| call.at() < end);
        before(window.start).saturating_sub(1)..before(window.end)
    }

    /// Calls `each` with some of a thread's complete calls, in order of time: what kind it is, when it was entered and how long it
    /// took.
    #[inline]
    pub(crate) fn each_time(&self, thread: &Thread, range: Range<usize>, mut each: impl FnMut(u32, u64, u64)) {
        for call in thread.calls.get(range).unwrap_or_default() {
            each(call.kind, call.at(), call.ns(&self.large));
        }
    }

    /// Calls `each` with some of a thread's complete calls, in order of time, and their kinds.
    pub(crate) fn each_kind(&self, thread: &Thread, range: Range<usize>, mut each: impl FnMut(u32, Call)) {
        for call in thread.calls.get(range).unwrap_or_default() {
            each(call.kind, call.unpack(&self.kinds, &self.large));
        }
    }

    /// How many kinds of calls there are.
    pub(crate) fn kinds(&self) -> usize {
        self.kinds.len()
    }

    /// What calls of a kind share.
    pub(crate) fn kind(&self, kind: u32) -> Kind {
        self.kinds.get(kind)
    }

    /// The first kind that has the number and the comm of a kind.
    pub(crate) fn what(&self, kind: u32) -> u32 {
        self.kinds.what(kind)
    }

    /// How long interrupts' times are kept, in bytes; the rest of [`Calls::memory_bytes`] is for calls.
    pub fn interrupt_bytes(&self) -> usize {
        self.interrupts.memory_bytes()
    }

    /// The distinct numbers of calls, returned or not, ascending.
    pub(crate) fn numbers(&self) -> &[i32] {
        &self.numbers
    }

    /// How many complete calls there are.
    pub fn len(&self) -> u64 {
        self.totals.calls
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Size in bytes.
    pub fn memory_bytes(&self) -> usize {
        let threads = self.threads.iter().map(Thread::memory_bytes).sum::<usize>();
        threads + self.large.capacity() * 8 + self.kinds.memory_bytes() + self.interrupts.memory_bytes()
    }
}
