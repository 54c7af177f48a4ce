//! Large synthetic traces, for measuring speed only: their mix of events is like a busy machine's, their story is not.
//!
//! A simulation of run queues: tasks run for random times, wake each other (on the CPU they slept on, unless another is
//! idle), sleep, are preempted. Every switch follows from the events before it, so a model finds no contradiction. The same seed gives the
//! same file. Pages go to a scratch file per CPU, so that memory does not grow with the number of events.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};
use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Seek, Write};
use std::path::{Path, PathBuf};

use crate::container::{self, Contents, CpuPages};
use crate::format::Format;
use crate::formats::{MIGRATE, PREEMPTED, SWITCH, WAKEUP, WAKING};
use crate::layout::Layout;
use crate::random::Random;
use crate::record::{record, Common, Value, HARDIRQ, IRQS_OFF};
use crate::ring::RingWriter;

/// What to write.
#[derive(Clone, Debug)]
pub struct Large {
    /// Logical CPUs.
    pub cpus: u32,
    /// Records, all CPUs together.
    pub events: u64,
    /// Tasks for each CPU.
    pub tasks_per_cpu: u32,
    /// Start of the random numbers.
    pub seed: u64,
    /// Shape of the file.
    pub layout: Layout,
}

impl Large {
    /// Writes the trace to a file, with scratch files beside it until it is finished.
    pub fn write(&self, path: &Path) -> io::Result<()> {
        let scratch: Vec<PathBuf> = (0..self.cpus)
            .map(|cpu| path.with_extension(format!("cpu{cpu}.scratch")))
            .collect();
        let result = self.write_through(path, &scratch);
        for file in &scratch {
            // Missing when an error came early.
            let _ = fs::remove_file(file);
        }
        result
    }

    fn write_through(&self, path: &Path, scratch: &[PathBuf]) -> io::Result<()> {
        let mut machine = Machine::new(self, scratch)?;
        for _ in 0..self.events {
            if machine.pending.is_empty() {
                machine.step();
            }
            machine.emit()?;
        }
        let comms = machine.comms();
        let files = machine.finish()?;
        let pages = files.into_iter().enumerate().map(|(cpu, file)| {
            Ok(CpuPages {
                cpu: cpu as u32,
                len: file.metadata()?.len(),
                pages: Box::new(BufReader::new(file)),
            })
        });
        let contents = Contents::invented(&self.layout, self.cpus, &comms);
        let mut out = BufWriter::new(File::create(path)?);
        container::write(&mut out, &contents, pages.collect::<io::Result<_>>()?)?;
        out.flush()
    }
}

/// A record to be written: when, where, which.
struct Pending {
    at_ns: u64,
    cpu: u32,
    format: &'static Format,
    common: Common,
    values: Vec<Value>,
}

struct Cpu {
    /// Pid of the task that runs; 0 is idle.
    running: u32,
    /// Runnable tasks, and since when.
    queue: VecDeque<(u64, u32)>,
    /// When it acts next; a different time in the heap is out of date.
    next_ns: u64,
    ring: RingWriter,
    file: BufWriter<File>,
}

struct Machine<'a> {
    large: &'a Large,
    random: Random,
    cpus: Vec<Cpu>,
    /// When which CPU acts next, earliest first.
    agenda: BinaryHeap<Reverse<(u64, u32)>>,
    asleep: Vec<u32>,
    /// By pid: the CPU it ran on last.
    home: Vec<u32>,
    pending: VecDeque<Pending>,
}

impl<'a> Machine<'a> {
    fn new(large: &'a Large, scratch: &[PathBuf]) -> io::Result<Self> {
        let mut machine = Machine {
            large,
            random: Random::new(large.seed),
            cpus: Vec::new(),
            agenda: BinaryHeap::new(),
            asleep: (1..=large.cpus * large.tasks_per_cpu).collect(),
            home: (0..=large.cpus * large.tasks_per_cpu)
                .map(|pid| pid % large.cpus)
                .collect(),
            pending: VecDeque::new(),
        };
        for (cpu, path) in scratch.iter().enumerate() {
            let next_ns = 1_000_000_000 + machine.random.below(1_000_000);
            machine.agenda.push(Reverse((next_ns, cpu as u32)));
            let file = File::options()
                .create(true)
                .truncate(true)
                .read(true)
                .write(true)
                .open(path)?;
            machine.cpus.push(Cpu {
                running: 0,
                queue: VecDeque::new(),
                next_ns,
                ring: RingWriter::new(&large.layout),
                file: BufWriter::new(file),
            });
        }
        Ok(machine)
    }

    /// Lets the CPU whose turn it is do one thing, and say when it does the next.
    fn step(&mut self) {
        let Some(Reverse((now, cpu))) = self.agenda.pop() else {
            return;
        };
        let this = &self.cpus[cpu as usize];
        if this.next_ns != now {
            return;
        }
        let running = this.running;
        let queued = this.queue.front().is_some_and(|(since, _)| *since <= now);
        let choice = self.random.below(100);
        let until = if running == 0 && queued {
            self.switch(now, cpu, 0);
            self.random.below(200_000)
        } else if running == 0 || choice < 40 {
            self.wake(now, cpu);
            match running {
                0 if self.cpus[cpu as usize].queue.is_empty() => self.random.below(2_000_000),
                0 => 0,
                _ => self.random.below(100_000),
            }
        } else if choice < 60 && queued {
            self.switch(now, cpu, PREEMPTED);
            self.random.below(200_000)
        } else {
            self.switch(now, cpu, 1);
            self.random.below(200_000)
        };
        // Its records take up to 3 us.
        self.call(cpu, now + 4_000 + until);
    }

    fn call(&mut self, cpu: u32, at_ns: u64) {
        self.cpus[cpu as usize].next_ns = at_ns;
        self.agenda.push(Reverse((at_ns, cpu)));
    }

    /// Switches to the next task of the queue, or to idle.
    fn switch(&mut self, now: u64, cpu: u32, state: i64) {
        let this = &mut self.cpus[cpu as usize];
        let prev = this.running;
        let next = match this.queue.front() {
            Some((since, pid)) if *since <= now => *pid,
            _ => 0,
        };
        if next != 0 {
            this.queue.pop_front();
        }
        this.running = next;
        if prev != 0 && state == PREEMPTED {
            this.queue.push_back((now, prev));
        } else if prev != 0 {
            self.asleep.push(prev);
        }
        self.home[next as usize] = cpu;
        let [prev_comm, prev_pid] = task(prev, cpu);
        let [next_comm, next_pid] = task(next, cpu);
        let (prio, state) = (Value::Number(120), Value::Number(state));
        let values = vec![prev_comm, prev_pid, prio.clone(), state, next_comm, next_pid, prio];
        self.push(now, cpu, &SWITCH, prev, values);
    }

    /// Wakes a sleeping task, on the CPU that it slept on, or on an idle one that was found instead.
    fn wake(&mut self, now: u64, cpu: u32) {
        if self.asleep.is_empty() {
            return;
        }
        let index = self.random.below(self.asleep.len() as u64) as usize;
        let wakee = self.asleep.swap_remove(index);
        let home = self.home[wakee as usize];
        let other = self.random.below(self.large.cpus.into()) as u32;
        let chosen = if self.cpus[home as usize].running != 0 && self.cpus[other as usize].running == 0 {
            other
        } else {
            home
        };
        let waker = self.cpus[cpu as usize].running;
        let woken = |cpu: u32| {
            let [comm, pid] = task(wakee, cpu);
            vec![comm, pid, Value::Number(120), Value::Number(cpu.into())]
        };
        self.push(now, cpu, &WAKING, waker, woken(home));
        if chosen != home {
            let mut values = woken(home);
            values.push(Value::Number(chosen.into()));
            self.push(now + 1_000, cpu, &MIGRATE, waker, values);
        }
        self.push(now + 2_000, cpu, &WAKEUP, waker, woken(chosen));
        let there = &mut self.cpus[chosen as usize];
        there.queue.push_back((now + 2_000, wakee));
        // An idle CPU is told at once.
        if there.running == 0 && chosen != cpu && there.next_ns > now + 5_000 {
            self.call(chosen, now + 5_000);
        }
    }

    fn push(&mut self, at_ns: u64, cpu: u32, format: &'static Format, pid: u32, values: Vec<Value>) {
        // Idle CPUs wake tasks from their timer's interrupt.
        let irq = if pid == 0 && format.id != SWITCH.id { HARDIRQ } else { 0 };
        let common = Common {
            pid: pid as i32,
            flags: IRQS_OFF | irq,
        };
        self.pending.push_back(Pending {
            at_ns,
            cpu,
            format,
            common,
            values,
        });
    }

    /// Writes one record; full pages go to the CPU's scratch file.
    fn emit(&mut self) -> io::Result<()> {
        while self.pending.is_empty() {
            self.step();
        }
        let Some(next) = self.pending.pop_front() else {
            return Ok(());
        };
        let payload = record(&self.large.layout, next.format, next.common, &next.values);
        let cpu = &mut self.cpus[next.cpu as usize];
        cpu.ring.record(next.at_ns, &payload);
        cpu.file.write_all(&cpu.ring.take_pages())
    }

    fn comms(&self) -> Vec<(i32, String)> {
        (1..self.home.len() as u32)
            .map(|pid| (pid as i32, comm(pid, 0)))
            .collect()
    }

    /// The scratch files, ready to be read.
    fn finish(self) -> io::Result<Vec<File>> {
        self.cpus
            .into_iter()
            .map(|mut cpu| {
                cpu.file.write_all(&cpu.ring.finish())?;
                let mut file = cpu.file.into_inner().map_err(|error| error.into_error())?;
                file.rewind()?;
                Ok(file)
            })
            .collect()
    }
}

fn comm(pid: u32, cpu: u32) -> String {
    match pid {
        0 => format!("swapper/{cpu}"),
        _ => format!("work-{}", pid % 40),
    }
}

fn task(pid: u32, cpu: u32) -> [Value; 2] {
    [Value::Text(comm(pid, cpu)), Value::Number(pid.into())]
}
