//! Wakeup edges, waker -> wakee, as a struct of arrays grouped by wakee.

use super::codes::Codes;
use super::lengths::{Lengths, LongLengths};
use super::near::{NearBuilder, Times};
use super::task::TaskId;
use crate::named;
use crate::stored::stored;
use schedrows::CHUNK;
use std::num::NonZeroU32;
use std::ops::Range;

/// The event that a wake-up latency is counted from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WakeEvent {
    /// `sched_waking`: from the waker's CPU, before placement.
    Waking,
    /// `sched_wakeup`, where it has no `sched_waking`.
    Wakeup,
    /// `sched_wakeup_new`: the first wakeup of a forked task.
    WakeupNew,
}

/// What the waker's CPU was doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WakerContext {
    /// The waker is the task (or idle) itself.
    Task,
    /// A hardirq or NMI handler that interrupted the task.
    Hardirq,
    /// A softirq that interrupted the task.
    Softirq,
    /// Not known: the event may have been written on another CPU than the waker's.
    Unknown,
}

named!(WakeEvent as "WakeupEvent" {
    Waking = "sched_waking",
    Wakeup = "sched_wakeup",
    WakeupNew = "sched_wakeup_new",
});

named!(WakerContext as "WakerContext" {
    Task = "task",
    Hardirq = "hardirq",
    Softirq = "softirq",
    Unknown = "unknown",
});

impl WakerContext {
    /// Whether an interrupt made the wakeup, and not the task that it interrupted.
    pub fn is_interrupt(self) -> bool {
        matches!(self, WakerContext::Hardirq | WakerContext::Softirq)
    }
}

/// One wakeup.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    /// When the latency starts: at `sched_waking`, if there is one.
    pub at: u64,
    /// When the wakee became runnable (`sched_wakeup`); `None` if that was not recorded.
    pub woken: Option<u64>,
    /// The wakee's next switch-in; `None` if there is none or it was not seen.
    pub running: Option<u64>,
    /// The event that `at` is the time of.
    pub event: WakeEvent,
    /// What the waker's CPU was doing.
    pub context: WakerContext,
    /// The task on the waker's CPU; `None` for idle, and where the waker is unknown.
    pub waker: Option<TaskId>,
    /// The CPU on which the event at `at` was written.
    pub waker_cpu: u32,
    /// Where the wakee last ran, according to `sched_waking`.
    pub previous_cpu: Option<u32>,
    /// Where the wakee was put, according to `sched_wakeup`.
    pub chosen_cpu: Option<u32>,
    /// Where it was switched in.
    pub cpu: Option<u32>,
}

impl Edge {
    /// Whether only idle can be the waker (in task context: the idle loop itself).
    pub fn waker_is_idle(&self) -> bool {
        self.waker.is_none() && self.context != WakerContext::Unknown
    }

    /// Wake-up latency, for wakeups that led to a switch-in.
    pub fn latency(&self) -> Option<u64> {
        self.running.map(|running| running.saturating_sub(self.at))
    }
}

const NONE: u64 = u64::MAX;
const NO_TASK: u32 = u32::MAX;
const NO_CPU: u32 = u32::MAX;

/// Edges as a struct of arrays, in as few bytes as they fit. What is of the same kind lies together: edges are put in their places in the
/// order of events, and each array is another line of the cache.
#[derive(Clone, Debug, Default)]
struct Columns {
    at: Times,
    /// Of each edge, from `at` on, when its wakee was woken and when it was switched in.
    lengths: Lengths,
    waker: Codes,
    /// Of each edge its [`Cpus`].
    cpus: Codes,
    /// Event in the low nibble, context in the high one.
    kind: Vec<u8>,
}

/// The lengths of an edge, in their order.
const LENGTHS: usize = 2;
const WOKEN: usize = 0;
const RUNNING: usize = 1;

/// The CPUs of an edge, in their order.
const CPUS: usize = 4;
#[derive(Clone, Copy)]
enum Cpus {
    Waker,
    Previous,
    Chosen,
    Own,
}

impl Columns {
    /// Empty, with memory for so many edges.
    fn for_placing(edges: usize, Greatest { task, cpu }: Greatest) -> Columns {
        Columns {
            at: Times::default(),
            lengths: Lengths::with_capacity(edges * LENGTHS),
            waker: Codes::for_placing(edges, task.saturating_sub(1)),
            cpus: Codes::for_placing(edges * CPUS, u32::from(cpu).saturating_sub(1)),
            kind: Vec::with_capacity(edges),
        }
    }

    /// Makes room for the first edges, which can be [placed](Columns::place) in any order then.
    fn make_room(&mut self, edges: usize) {
        self.lengths.make_room(edges * LENGTHS);
        self.waker.make_room(edges);
        self.cpus.make_room(edges * CPUS);
        self.kind.resize(edges, 0);
    }

    /// All but the time of an edge, which was logged under a number.
    fn place(&mut self, index: usize, edge: &Logged, number: usize, EdgeLog { woken, running, .. }: &EdgeLog) {
        self.lengths
            .take(index * LENGTHS + WOKEN, edge.woken, || woken.ns(number, edge.woken));
        self.lengths.take(index * LENGTHS + RUNNING, edge.running, || {
            running.ns(number, edge.running)
        });
        self.waker.place(index, [edge.waker]);
        let cpus = [edge.waker_cpu, edge.previous_cpu, edge.chosen_cpu, edge.cpu];
        let cpus = cpus.map(|cpu| unpack_cpu(cpu).unwrap_or(NO_CPU));
        self.cpus.place(index * CPUS, cpus);
        if let Some(kind) = self.kind.get_mut(index) {
            *kind = edge.kind();
        }
    }

    /// Edge `index`; one of which nothing is known where there is none.
    fn get(&self, index: usize) -> Edge {
        let at = self.at.get(index).unwrap_or(NONE);
        let time = |length: usize| Some(at.saturating_add(self.length(index, length)?));
        let kind = self.kind.get(index).copied().unwrap_or(u8::MAX);
        let waker = self.waker.get(index).filter(|&task| task != NO_TASK);
        let cpu = |cpu: Cpus| Some(self.cpu(index, cpu)).filter(|&cpu| cpu != NO_CPU);
        Edge {
            at,
            woken: time(WOKEN),
            running: time(RUNNING),
            event: match kind & 15 {
                0 => WakeEvent::Waking,
                1 => WakeEvent::Wakeup,
                _ => WakeEvent::WakeupNew,
            },
            context: match kind >> 4 {
                0 => WakerContext::Task,
                1 => WakerContext::Hardirq,
                2 => WakerContext::Softirq,
                _ => WakerContext::Unknown,
            },
            waker: waker.map(TaskId),
            waker_cpu: self.cpu(index, Cpus::Waker),
            previous_cpu: cpu(Cpus::Previous),
            chosen_cpu: cpu(Cpus::Chosen),
            cpu: cpu(Cpus::Own),
        }
    }

    fn length(&self, index: usize, length: usize) -> Option<u64> {
        self.lengths.get(index * LENGTHS + length)
    }

    /// [`NO_CPU`] if there is none.
    fn cpu(&self, index: usize, cpu: Cpus) -> u32 {
        self.cpus.get(index * CPUS + cpu as usize).unwrap_or(NO_CPU)
    }

    fn memory_bytes(&self) -> usize {
        self.at.memory_bytes()
            + self.lengths.memory_bytes()
            + self.waker.memory_bytes()
            + self.cpus.memory_bytes()
            + self.kind.capacity()
    }
}

/// The number of an edge in the order of events.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct EdgeNumber(NonZeroU32);

impl EdgeNumber {
    fn index(self) -> usize {
        self.0.get() as usize - 1
    }
}

/// An edge while events come: half a line of the cache, since its wakee's switch-in is as good as anywhere behind it.
#[derive(Clone, Copy, Debug)]
struct Logged {
    /// In the lower bits when it starts, above the kind as columns have it.
    begun: u64,
    /// From its start on, as [`LongLengths`] shortens them.
    woken: u32,
    running: u32,
    waker: u32,
    wakee: u32,
    waker_cpu: u16,
    previous_cpu: u16,
    chosen_cpu: u16,
    cpu: u16,
}

const _: () = assert!(size_of::<Logged>() == 32, "half a line of the cache");

impl Logged {
    /// Bits of a time, which is at most [`MAX_TIME`](super::merge::MAX_TIME).
    const TIME: u32 = 56;

    fn at(&self) -> u64 {
        self.begun & ((1 << Self::TIME) - 1)
    }

    fn kind(&self) -> u8 {
        (self.begun >> Self::TIME) as u8
    }
}

/// Edges of a part of the log: as many bytes as a chunk of rows has, so that it lies where rows were that have been read; fresh memory
/// costs more. Parts are gone through by one call each: engines of wasm run code that they compiled well from the next call on.
const PART: usize = CHUNK / size_of::<Logged>();

/// Wakeups in the order of their events.
#[derive(Debug, Default)]
pub(crate) struct EdgeLog {
    /// Each but the last has as many as fit.
    parts: Vec<Vec<Logged>>,
    woken: LongLengths,
    running: LongLengths,
    /// How many edges each task has, up to the last task that has any.
    counts: Vec<u32>,
    greatest: Greatest,
}

impl EdgeLog {
    fn len(&self) -> usize {
        let last = self.parts.last().map_or(PART, Vec::len);
        self.parts.len() * PART + last - PART
    }

    /// The number that the next edge will have.
    pub fn next(&self) -> EdgeNumber {
        EdgeNumber(NonZeroU32::MIN.saturating_add(self.len() as u32))
    }

    pub fn push(&mut self, wakee: TaskId, edge: &Edge) {
        let index = self.len();
        // Events are handled in the order of time: nothing is earlier than `at`.
        let after = |time: Option<u64>| time.map(|time| time.saturating_sub(edge.at));
        let kind = edge.event as u8 | (edge.context as u8) << 4;
        let logged = Logged {
            begun: edge.at | u64::from(kind) << Logged::TIME,
            woken: self.woken.shorten(index, after(edge.woken)),
            running: self.running.shorten(index, after(edge.running)),
            waker: edge.waker.map_or(NO_TASK, |task| task.0),
            wakee: wakee.0,
            waker_cpu: pack_cpu(Some(edge.waker_cpu)),
            previous_cpu: pack_cpu(edge.previous_cpu),
            chosen_cpu: pack_cpu(edge.chosen_cpu),
            cpu: pack_cpu(edge.cpu),
        };
        self.greatest.task = self.greatest.task.max(logged.waker.wrapping_add(1));
        self.greatest
            .see_cpus([logged.waker_cpu, logged.previous_cpu, logged.chosen_cpu, logged.cpu]);
        match self.counts.get_mut(wakee.0 as usize) {
            Some(count) => *count += 1,
            None => {
                self.counts.resize(wakee.0 as usize, 0);
                self.counts.push(1);
            }
        }
        match self.parts.last_mut() {
            Some(part) if part.len() < PART => part.push(logged),
            _ => self.begin_part(logged),
        }
    }

    #[cold]
    fn begin_part(&mut self, first: Logged) {
        let mut part = Vec::with_capacity(PART);
        part.push(first);
        self.parts.push(part);
    }

    /// The wakee of edge `number` was switched in on `cpu`.
    pub fn switched_in(&mut self, number: EdgeNumber, at: u64, cpu: u32) {
        let index = number.index();
        if let Some(edge) = logged(&mut self.parts, index) {
            edge.cpu = pack_cpu(Some(cpu));
            edge.running = self.running.shorten(index, Some(at.saturating_sub(edge.at())));
            self.greatest.see_cpus([edge.cpu]);
        }
    }

    /// Only a later event tells on which CPU the wakeup of edge `number` put its wakee.
    pub fn chose(&mut self, number: EdgeNumber, cpu: Option<u32>) {
        let edge = logged(&mut self.parts, number.index());
        if let Some(edge) = edge.filter(|edge| edge.chosen_cpu == NO_PACKED_CPU) {
            edge.chosen_cpu = pack_cpu(cpu);
            self.greatest.see_cpus([edge.chosen_cpu]);
        }
    }
}

fn logged(parts: &mut [Vec<Logged>], index: usize) -> Option<&mut Logged> {
    parts.get_mut(index / PART)?.get_mut(index % PART)
}

/// The greatest task and CPU that are known of any edge, and one more; 0: none is known. So what is not known, the greatest number, is the
/// least one.
#[derive(Clone, Copy, Debug, Default)]
struct Greatest {
    task: u32,
    cpu: u16,
}

impl Greatest {
    #[inline]
    fn see_cpus<const N: usize>(&mut self, cpus: [u16; N]) {
        const { assert!(NO_PACKED_CPU.wrapping_add(1) == 0 && NO_TASK.wrapping_add(1) == 0) };
        self.cpu = cpus.iter().fold(self.cpu, |most, cpu| most.max(cpu.wrapping_add(1)));
    }
}

/// So many edges at a time are given room, or have their times packed.
const AT_ONCE: usize = if cfg!(debug_assertions) { 4 } else { 4 * PART };

/// Groups edges by wakee, a part of the log at a time. They are read in the order of events, and each is written behind the one before of
/// its wakee, which is in the cache.
#[derive(Debug)]
pub(crate) struct Grouping {
    edges: usize,
    /// Its parts are in `parts`.
    log: EdgeLog,
    /// Those that are not gone through yet, and the number of the first edge in them.
    parts: std::vec::IntoIter<Vec<Logged>>,
    number: usize,
    /// By task, where its next edge belongs.
    cursor: Vec<u32>,
    offsets: Vec<u32>,
    at: Vec<u64>,
    columns: Columns,
    /// Of the first edges in their places, once all are there.
    times: NearBuilder<u32>,
}

impl Grouping {
    /// The edges of so many tasks. Nothing is cleared yet: to touch fresh memory takes most of what making room does.
    pub(crate) fn of(mut log: EdgeLog, tasks: usize) -> Grouping {
        let edges = log.len();
        let counts = std::mem::take(&mut log.counts);
        let mut offsets = Vec::with_capacity(tasks + 1);
        offsets.push(0);
        let mut before = 0;
        offsets.extend((0..tasks).map(|task| {
            before += counts.get(task).copied().unwrap_or(0);
            before
        }));
        // Switch-ins are not in the order of their wakeups.
        log.running.sort();
        Grouping {
            cursor: offsets.clone(),
            offsets,
            at: Vec::with_capacity(edges),
            columns: Columns::for_placing(edges, log.greatest),
            times: NearBuilder::default(),
            edges,
            parts: std::mem::take(&mut log.parts).into_iter(),
            number: 0,
            log,
        }
    }

    /// Goes on by a part: makes room, then places edges, then packs their times. Whether there is more to do.
    pub(crate) fn step(&mut self) -> bool {
        if self.at.len() < self.edges {
            let room = self.edges.min(self.at.len() + AT_ONCE);
            self.at.resize(room, 0);
            self.columns.make_room(room);
        } else if let Some(part) = self.parts.next() {
            self.place(&part);
        } else {
            if self.times.is_empty() {
                // What was in the log is free by now.
                self.times = NearBuilder::with_capacity(self.edges);
            }
            let left = self.at.get(self.times.len()..).unwrap_or_default();
            left.iter().take(AT_ONCE).for_each(|&at| self.times.push(at));
            return AT_ONCE < left.len();
        }
        true
    }

    #[inline(never)]
    fn place(&mut self, edges: &[Logged]) {
        for (number, edge) in (self.number..).zip(edges) {
            let Some(slot) = self.cursor.get_mut(edge.wakee as usize) else {
                continue;
            };
            let index = *slot as usize;
            *slot += 1;
            if let Some(at) = self.at.get_mut(index) {
                *at = edge.at();
            }
            self.columns.place(index, edge, number, &self.log);
        }
        self.number += edges.len();
    }

    /// How much of it is done, from 0 to 1: placing takes about four times as long as making room, and as packing.
    pub(crate) fn share(&self) -> f64 {
        let done = self.at.len() + 4 * self.number + self.times.len();
        done as f64 / (6 * self.edges).max(1) as f64
    }

    /// The edges; makes the steps that are left.
    pub(crate) fn finish(mut self) -> Edges {
        while self.step() {}
        self.columns.lengths.sort();
        self.columns.at = self.times.finish();
        Edges {
            columns: self.columns,
            offsets: self.offsets,
        }
    }
}

/// All wakeups of a trace that made a task runnable, grouped by wakee and sorted by time within a wakee.
#[derive(Clone, Debug, Default)]
pub struct Edges {
    columns: Columns,
    /// Offset of each task's first edge, and the end of the last task's.
    offsets: Vec<u32>,
}

impl Edges {
    /// Number of edges.
    pub fn len(&self) -> usize {
        self.columns.at.len()
    }

    /// Whether there are no wakeups.
    pub fn is_empty(&self) -> bool {
        self.columns.at.is_empty()
    }

    /// Edge `index`; one that no latency is known of where there is none.
    pub fn get(&self, index: usize) -> Edge {
        self.columns.get(index)
    }

    /// When the latency of edge `index` starts; never where there is none.
    pub fn at(&self, index: usize) -> u64 {
        self.columns.at.get(index).unwrap_or(NONE)
    }

    /// The CPU on which the event at the start of edge `index` was written; one that no machine has where there is none.
    pub fn waker_cpu(&self, index: usize) -> u32 {
        self.columns.cpu(index, Cpus::Waker)
    }

    /// Wake-up latency of edge `index`, if the wakeup led to a switch-in.
    pub fn latency(&self, index: usize) -> Option<u64> {
        self.columns.length(index, RUNNING)
    }

    /// The first edge in `range`, the wakeups of one wakee, whose latency starts at or after `at`; the end of `range`
    /// if there is none.
    pub fn first_from(&self, range: Range<usize>, at: u64) -> usize {
        self.columns.at.partition_point_in(range, |clock| clock < at)
    }

    /// The wakeups of `wakee`, in time order.
    pub fn of(&self, wakee: TaskId) -> Range<usize> {
        let offset = |slot: usize| self.offsets.get(slot).map_or(self.len(), |&offset| offset as usize);
        offset(wakee.0 as usize)..offset(wakee.0 as usize + 1)
    }

    /// The task that edge `index` woke.
    pub fn wakee(&self, index: usize) -> TaskId {
        let offsets = self.offsets.partition_point(|&offset| offset as usize <= index);
        // The first offset is 0.
        TaskId((offsets as u32).saturating_sub(1))
    }

    /// The last wakeup of `wakee` that led to a switch-in at or before `start`.
    pub fn last_before(&self, wakee: TaskId, start: u64) -> Option<usize> {
        let at = &self.columns.at;
        let range = self.of(wakee);
        let after = at.partition_point_in(range.clone(), |at| at <= start);
        let ran = |index: &usize| {
            let running = at.get(*index).zip(self.latency(*index));
            running.is_some_and(|(at, ns)| at.saturating_add(ns) <= start)
        };
        (range.start..after).rev().find(ran)
    }

    /// Size in bytes.
    pub fn memory_bytes(&self) -> usize {
        self.columns.memory_bytes() + self.offsets.capacity() * size_of::<u32>()
    }
}

/// Stands for no CPU in 16 bits.
const NO_PACKED_CPU: u16 = u16::MAX;

/// CPU numbers fit 16 bits in any kernel. A larger one is damage, and treated as unknown.
pub(super) fn pack_cpu(cpu: Option<u32>) -> u16 {
    cpu.and_then(|cpu| u16::try_from(cpu).ok()).unwrap_or(NO_PACKED_CPU)
}

pub(super) fn unpack_cpu(cpu: u16) -> Option<u32> {
    (cpu != NO_PACKED_CPU).then_some(u32::from(cpu))
}

stored!(Columns {
    at: Times,
    lengths: Lengths,
    waker: Codes,
    cpus: Codes,
    kind: Vec<u8>,
});
stored!(Edges {
    columns: Columns,
    offsets: Vec<u32>,
});
