//! Queues in order of arrival: first come first served, round robin, and the global FIFO of WARP's students.

use super::{Cpu, NextTick, Ns, Off, On, Policy, Stop, TaskId, View};
use crate::table::Table;
use std::collections::VecDeque;

/// How long a task may run before the next one comes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Slice {
    /// Until it blocks: first come first served.
    None,
    /// Up to the first tick after so long.
    Ticks(Ns),
    /// So long, by how many wait: this divided by one more than those.
    Shared(Ns),
}

/// One queue for each CPU, or one for all.
#[derive(Clone, Debug)]
pub struct Fifo {
    slice: Slice,
    one_queue: bool,
    /// Waiting tasks: one queue for all CPUs, or one each.
    queues: Vec<VecDeque<TaskId>>,
    /// How many tasks of the one queue may run on every CPU.
    free: u64,
    /// By CPU: how many of its other tasks may run there.
    bound: Table<u64>,
    /// The running task of each CPU, and what it has used since it came.
    running: Vec<(Option<TaskId>, Ns)>,
}

impl Fifo {
    /// For so many CPUs.
    pub fn new(slice: Slice, one_queue: bool, cpus: u32) -> Fifo {
        let queues = if one_queue { 1 } else { cpus as usize };
        Fifo {
            slice,
            one_queue,
            queues: vec![VecDeque::new(); queues],
            free: 0,
            bound: Table::new(if one_queue { cpus as usize } else { 0 }),
            running: vec![(None, 0); cpus as usize],
        }
    }

    fn queue(&self, cpu: Cpu) -> Option<&VecDeque<TaskId>> {
        self.queues.get(if self.one_queue { 0 } else { cpu as usize })
    }

    fn queue_mut(&mut self, cpu: Cpu) -> Option<&mut VecDeque<TaskId>> {
        self.queues.get_mut(if self.one_queue { 0 } else { cpu as usize })
    }

    fn used(&self, cpu: Cpu) -> Ns {
        self.running.get(cpu as usize).map_or(0, |&(_, used)| used)
    }

    /// How many tasks wait that may run on a CPU: no slice ends for the others.
    fn waiting(&self, cpu: Cpu) -> u64 {
        match self.one_queue {
            true => self.free + self.bound[cpu],
            false => self.queue(cpu).map_or(0, VecDeque::len) as u64,
        }
    }

    /// A task has come to the one queue, or has left it.
    fn count(&mut self, view: &View, task: TaskId, came: bool) {
        let change = |count: &mut u64| *count = if came { *count + 1 } else { count.saturating_sub(1) };
        match &view.tasks[task].allowed {
            _ if !self.one_queue => {}
            None => change(&mut self.free),
            Some(allowed) => allowed.iter().for_each(|cpu| change(&mut self.bound[cpu])),
        }
    }

    /// How long a task may run now; `None` for ever.
    fn slice_now(&self, cpu: Cpu) -> Option<Ns> {
        let waiting = self.waiting(cpu);
        match self.slice {
            Slice::None => None,
            _ if waiting == 0 => None,
            Slice::Ticks(slice) => Some(slice),
            Slice::Shared(slice) => Some((slice / (waiting + 1)).max(1)),
        }
    }
}

impl Policy for Fifo {
    fn enqueue(&mut self, view: &View, cpu: Cpu, task: TaskId, _on: On) {
        if let Some(queue) = self.queue_mut(cpu) {
            queue.push_back(task);
        }
        self.count(view, task, true);
    }

    fn dequeue(&mut self, view: &View, cpu: Cpu, task: TaskId, _off: Off) {
        // Who runs is in no queue, and a queue may be long.
        let running = self.running.get_mut(cpu as usize).map(|(running, _)| running);
        if let Some(running) = running.filter(|running| **running == Some(task)) {
            *running = None;
            return;
        }
        let Some(queue) = self.queue_mut(cpu) else { return };
        if let Some(at) = queue.iter().position(|&waiting| waiting == task) {
            queue.remove(at);
            self.count(view, task, false);
        }
    }

    fn pick(&mut self, view: &View, cpu: Cpu, prev: Option<TaskId>) -> Option<TaskId> {
        let mut waiting = self.queue(cpu)?.iter().copied();
        let next = if self.one_queue {
            waiting.find(|&task| view.tasks[task].may_run_on(cpu))
        } else {
            waiting.next()
        };
        next.or(prev)
    }

    fn start(&mut self, view: &View, cpu: Cpu, task: TaskId) {
        self.dequeue(view, cpu, task, Off::Moves);
        if let Some(running) = self.running.get_mut(cpu as usize) {
            *running = (Some(task), 0);
        }
    }

    fn stop(&mut self, view: &View, cpu: Cpu, task: TaskId, why: Stop) {
        if let Some((running, _)) = self.running.get_mut(cpu as usize) {
            *running = None;
        }
        if let Some(queue) = self.queue_mut(cpu) {
            match why {
                // Only tasks of real time preempt: it is the next when they are done.
                Stop::Preempted => queue.push_front(task),
                Stop::Used | Stop::Yielded => queue.push_back(task),
            }
        }
        self.count(view, task, true);
    }

    fn ran(&mut self, _view: &View, cpu: Cpu, _task: TaskId, used: Ns) {
        if let Some((_, sum)) = self.running.get_mut(cpu as usize) {
            *sum += used;
        }
    }

    fn tick(&mut self, _view: &View, cpu: Cpu, _task: TaskId) -> bool {
        self.slice_now(cpu).is_some_and(|slice| slice <= self.used(cpu))
    }

    fn next_tick(&self, view: &View, cpu: Cpu, _task: TaskId) -> NextTick {
        let left = |slice: Ns| view.now + slice.saturating_sub(self.used(cpu));
        match (self.slice, self.slice_now(cpu)) {
            (_, None) => NextTick::Never,
            (Slice::Shared(_), Some(slice)) => NextTick::Exactly(left(slice)),
            (_, Some(slice)) => NextTick::From(left(slice)),
        }
    }

    fn one_queue(&self) -> bool {
        self.one_queue
    }
}
