//! Wakeup edges, waker -> wakee, as a struct of arrays grouped by wakee.

use super::task::TaskId;
use std::ops::Range;

/// Which event started a wakeup's clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WakeEvent {
    /// `sched_waking`: from the waker's CPU, before placement.
    Waking,
    /// `sched_wakeup`: no `sched_waking` belongs to it.
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
    /// The event may have been written on another CPU than the waker's.
    Unknown,
}

/// One wakeup.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    /// Start of the clock: `sched_waking` where there is one.
    pub at: u64,
    /// `sched_wakeup`, when the wakee became runnable; `None` when it was not recorded.
    pub woken: Option<u64>,
    /// The wakee's next switch-in; `None` when it did not come or was not seen.
    pub running: Option<u64>,
    /// Which event `at` is.
    pub event: WakeEvent,
    /// In what context.
    pub context: WakerContext,
    /// The task on the waker's CPU; `None` for idle, and where the waker is unknown.
    pub waker: Option<TaskId>,
    /// Where the event at `at` was written.
    pub waker_cpu: u32,
    /// Where the wakee last ran, as `sched_waking` says.
    pub previous_cpu: Option<u32>,
    /// Where the wakee was put, as `sched_wakeup` says.
    pub chosen_cpu: Option<u32>,
    /// Where it was switched in.
    pub cpu: Option<u32>,
}

impl Edge {
    /// Nothing but idle was there to be the waker (in task context: the idle loop itself).
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
const NO_CPU: u16 = u16::MAX;

/// All wakeups of a trace that made a task runnable, grouped by wakee, in time order within a wakee.
#[derive(Clone, Debug, Default)]
pub struct Edges {
    at: Vec<u64>,
    woken: Vec<u64>,
    running: Vec<u64>,
    waker: Vec<u32>,
    waker_cpu: Vec<u16>,
    previous_cpu: Vec<u16>,
    chosen_cpu: Vec<u16>,
    cpu: Vec<u16>,
    /// Event in the low nibble, context in the high one.
    kind: Vec<u8>,
    /// First edge of each task, and one past the last of all.
    offsets: Vec<u32>,
}

impl Edges {
    /// Groups a log of (wakee, edge) in time order.
    pub(crate) fn group(log: &[(TaskId, Edge)], tasks: usize) -> Edges {
        let mut offsets = vec![0_u32; tasks + 1];
        for (wakee, _) in log {
            offsets[wakee.0 as usize + 1] += 1;
        }
        for task in 0..tasks {
            offsets[task + 1] += offsets[task];
        }
        let mut cursor = offsets.clone();
        let count = log.len();
        let mut edges = Edges {
            at: vec![0; count],
            woken: vec![NONE; count],
            running: vec![NONE; count],
            waker: vec![NO_TASK; count],
            waker_cpu: vec![0; count],
            previous_cpu: vec![NO_CPU; count],
            chosen_cpu: vec![NO_CPU; count],
            cpu: vec![NO_CPU; count],
            kind: vec![0; count],
            offsets,
        };
        for (wakee, edge) in log {
            let slot = cursor[wakee.0 as usize] as usize;
            cursor[wakee.0 as usize] += 1;
            edges.at[slot] = edge.at;
            edges.woken[slot] = edge.woken.unwrap_or(NONE);
            edges.running[slot] = edge.running.unwrap_or(NONE);
            edges.waker[slot] = edge.waker.map_or(NO_TASK, |task| task.0);
            edges.waker_cpu[slot] = pack_cpu(Some(edge.waker_cpu));
            edges.previous_cpu[slot] = pack_cpu(edge.previous_cpu);
            edges.chosen_cpu[slot] = pack_cpu(edge.chosen_cpu);
            edges.cpu[slot] = pack_cpu(edge.cpu);
            edges.kind[slot] = edge.event as u8 | (edge.context as u8) << 4;
        }
        edges
    }

    /// Number of edges.
    pub fn len(&self) -> usize {
        self.at.len()
    }

    /// No wakeup at all.
    pub fn is_empty(&self) -> bool {
        self.at.is_empty()
    }

    /// Edge `index`.
    pub fn get(&self, index: usize) -> Edge {
        let some = |time: u64| (time != NONE).then_some(time);
        let kind = self.kind[index];
        Edge {
            at: self.at[index],
            woken: some(self.woken[index]),
            running: some(self.running[index]),
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
            waker: (self.waker[index] != NO_TASK).then_some(TaskId(self.waker[index])),
            waker_cpu: u32::from(self.waker_cpu[index]),
            previous_cpu: unpack_cpu(self.previous_cpu[index]),
            chosen_cpu: unpack_cpu(self.chosen_cpu[index]),
            cpu: unpack_cpu(self.cpu[index]),
        }
    }

    /// The wakeups of `wakee`, in time order.
    pub fn of(&self, wakee: TaskId) -> Range<usize> {
        let offset = |slot: usize| self.offsets.get(slot).map_or(self.len(), |&offset| offset as usize);
        offset(wakee.0 as usize)..offset(wakee.0 as usize + 1)
    }

    /// The task that edge `index` woke.
    pub fn wakee(&self, index: usize) -> TaskId {
        TaskId(self.offsets.partition_point(|&offset| offset as usize <= index) as u32 - 1)
    }

    /// Of the wakeups of `wakee`, the last one that led to a switch-in at or before `start`.
    pub fn last_before(&self, wakee: TaskId, start: u64) -> Option<usize> {
        let range = self.of(wakee);
        let after = range.start + self.at[range.clone()].partition_point(|&at| at <= start);
        (range.start..after).rev().find(|&index| self.running[index] <= start)
    }

    /// Bytes held.
    pub(crate) fn memory_bytes(&self) -> usize {
        self.len() * (3 * 8 + 4 + 4 * 2 + 1) + self.offsets.len() * 4
    }
}

/// CPU numbers fit 16 bits in any kernel; one that does not is damage, and not known.
fn pack_cpu(cpu: Option<u32>) -> u16 {
    cpu.and_then(|cpu| u16::try_from(cpu).ok()).unwrap_or(NO_CPU)
}

fn unpack_cpu(cpu: u16) -> Option<u32> {
    (cpu != NO_CPU).then_some(u32::from(cpu))
}
