//! What is certain of a recording stays true of a better one: of schedules that a kernel could write, parts of which are
//! left out, no certain latency and no certain wait differs from the whole recording's.

use proptest::prelude::*;
use schedmodel::{Meta, Trace, TraceBuilder, WakeEvent};
use schedquery::query::{latency, waits, GroupBy, Selection};
use schedrows::{CommTable, CpuScan, Row, RowKind, Rows, StateCode};
use std::collections::BTreeMap;

const CPUS: usize = 3;
const TASKS: i32 = 6;
/// Time between two steps, so that there are waits that are long and others that are not.
const STEPS: [u64; 4] = [10, 700, 90_000, 30_000_000];

#[derive(Clone, Copy, PartialEq)]
enum State {
    Running(usize),
    Queued(usize),
    /// Where it last ran.
    Asleep(usize),
    /// Woken while it still runs: its `sched_wakeup` comes once it has left.
    Leaving(usize),
}

/// A scheduler that does at random what kernels may do, and writes events about it.
struct Kernel {
    at: u64,
    running: [i32; CPUS],
    states: BTreeMap<i32, State>,
    rows: [Vec<Row>; CPUS],
}

impl Kernel {
    fn new() -> Kernel {
        Kernel {
            at: 1000,
            running: [0; CPUS],
            states: (1..=TASKS)
                .map(|pid| (pid, State::Asleep(pid as usize % CPUS)))
                .collect(),
            rows: Default::default(),
        }
    }

    fn write(&mut self, cpu: usize, row: Row) {
        self.at += 1;
        self.rows[cpu].push(Row {
            ts: self.at,
            common_pid: self.running[cpu],
            ..row
        });
    }

    fn of(&mut self, cpu: usize, kind: RowKind, pid: i32, arg: usize) {
        let arg = arg as i32;
        self.write(
            cpu,
            Row {
                pid,
                arg,
                ..Row::of(kind, 0)
            },
        );
    }

    fn switch(&mut self, cpu: usize, next: i32, state: u8) {
        let row = Row {
            pid: self.running[cpu],
            arg: next,
            state,
            prio: 120,
            ..Row::of(RowKind::Switch, 0)
        };
        self.write(cpu, row);
        self.running[cpu] = next;
        if next != 0 {
            self.states.insert(next, State::Running(cpu));
        }
    }

    fn queued_on(&self, cpu: usize) -> i32 {
        let mut queued = self.states.iter().filter(|(_, state)| **state == State::Queued(cpu));
        queued.next().map_or(0, |(&pid, _)| pid)
    }

    /// The waker on `cpu` puts `pid` onto the runqueue of `chosen`.
    fn enqueue(&mut self, cpu: usize, pid: i32, last: usize, chosen: usize) {
        if last != chosen {
            let row = Row {
                pid,
                arg: chosen as i32,
                comm2: last as u32,
                ..Row::of(RowKind::Migrate, 0)
            };
            self.write(cpu, row);
        }
        self.of(cpu, RowKind::Wakeup, pid, chosen);
        self.states.insert(pid, State::Queued(chosen));
    }

    fn step(&mut self, (what, cpu, other, pid, later): (u8, usize, usize, i32, usize)) {
        self.at += STEPS[later];
        let running = self.running[cpu];
        match (what, self.states[&pid]) {
            // A wakeup, of a task that sleeps or of one that runs elsewhere.
            (0..=2, State::Asleep(last)) => {
                self.of(cpu, RowKind::Waking, pid, last);
                self.enqueue(cpu, pid, last, other);
            }
            (0, State::Running(on)) if on != cpu => {
                self.of(cpu, RowKind::Waking, pid, on);
                self.of(on, RowKind::Wakeup, pid, on);
            }
            (1, State::Running(on)) if on != cpu => {
                self.of(cpu, RowKind::Waking, pid, on);
                self.states.insert(pid, State::Leaving(on));
                self.at += STEPS[later];
                let next = self.queued_on(on);
                self.switch(on, next, b'S');
                self.enqueue(cpu, pid, on, on);
            }
            // The running task sleeps, or another preempts it.
            (3 | 4, _) if running != 0 => {
                let next = self.queued_on(cpu);
                self.states.insert(running, State::Asleep(cpu));
                self.switch(cpu, next, b'S');
            }
            (5, _) if running != 0 && self.queued_on(cpu) != 0 => {
                let next = self.queued_on(cpu);
                self.states.insert(running, State::Queued(cpu));
                self.switch(cpu, next, b'R' | StateCode::PREEMPTED);
            }
            (6 | 7, _) if running == 0 && self.queued_on(cpu) != 0 => {
                let next = self.queued_on(cpu);
                self.switch(cpu, next, b'R');
            }
            // A CPU pulls a task.
            (8, State::Queued(from)) if from != cpu => {
                let row = Row {
                    pid,
                    arg: cpu as i32,
                    comm2: from as u32,
                    ..Row::of(RowKind::Migrate, 0)
                };
                self.write(cpu, row);
                self.states.insert(pid, State::Queued(cpu));
            }
            _ => {}
        }
    }
}

fn build(rows: &[Vec<Row>], first: u64, last: u64) -> Trace {
    let mut builder = TraceBuilder::new(first);
    for (cpu, rows) in (0..).zip(rows) {
        builder.add(CpuScan {
            cpu,
            rows: Rows::from_iter(rows.iter().copied()),
            comms: CommTable {
                names: vec![String::new()],
            },
            first_ns: Some(first),
            last_ns: Some(last),
            ..CpuScan::default()
        });
    }
    builder.finish(Meta {
        cpus: (0..rows.len() as u32).collect(),
        ..Meta::default()
    })
}

/// By task and when it was switched in: since when its latency counts, with the event at that time.
type Latencies = BTreeMap<(i32, u64), (u64, WakeEvent)>;
/// By task and when it was switched in: since when it waited.
type AllWaits = BTreeMap<(i32, u64), u64>;

/// The latencies and waits that are certain, in times of the trace's clock.
fn certain(trace: &Trace) -> (Latencies, AllWaits) {
    let selection = Selection::default();
    let at = |time: u64| time + trace.origin_ns;
    let worst = latency(trace, &selection, GroupBy::Task, usize::MAX).worst;
    let latencies = worst.into_iter().filter(|edge| !edge.uncertain).map(|edge| {
        let running = at(edge.running_ns.unwrap().0);
        ((edge.wakee.pid, running), (at(edge.at_ns.0), edge.event))
    });
    let longest = waits(trace, &selection, usize::MAX).longest;
    let waits = longest.into_iter().filter(|wait| !wait.uncertain);
    let waits = waits.map(|wait| ((wait.task.pid, at(wait.until_ns.0)), at(wait.since_ns.0)));
    (latencies.collect(), waits.collect())
}

/// Leaves out rows of each CPU.
fn only(rows: &[Vec<Row>], stays: impl Fn(&Row) -> bool) -> Vec<Vec<Row>> {
    let kept = |rows: &Vec<Row>| rows.iter().copied().filter(&stays).collect();
    rows.iter().map(kept).collect()
}

fn is_switch_of(row: &Row, pid: i32) -> bool {
    row.kind == RowKind::Switch && (row.pid == pid || row.arg == pid)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn what_is_certain_is_true(
        steps in prop::collection::vec((0_u8..9, 0_usize..CPUS, 0_usize..CPUS, 1..=TASKS, 0_usize..STEPS.len()), 20..200),
        cut in 0.0..1.0_f64,
        pid in 1..=TASKS,
    ) {
        let mut kernel = Kernel::new();
        steps.into_iter().for_each(|step| kernel.step(step));
        let (first, last) = (0, kernel.at + 50);
        let all = build(&kernel.rows, first, last);
        let (whole, whole_waits) = certain(&all);
        prop_assert_eq!(all.chain_breaks, 0);
        // A CPU to which a task was sent may not have switched to it yet.
        prop_assume!(all.holes.all().is_empty());
        prop_assert_eq!(
            all.edges.len(),
            kernel.rows.iter().flatten().filter(|row| row.kind == RowKind::Waking).count()
                - cancelled(&kernel.rows)
        );

        // Without sched_wakeup: latencies are the same, and waits begin at the waking.
        let (found, _) = certain(&build(&only(&kernel.rows, |row| row.kind != RowKind::Wakeup), first, last));
        for (run, latency) in found {
            prop_assert_eq!(whole.get(&run), Some(&latency), "without wakeups: {:?}", run);
        }
        // The head is cut off.
        let from = (kernel.at as f64 * cut) as u64;
        let (found, waits) = certain(&build(&only(&kernel.rows, |row| from <= row.ts), from, last));
        for (run, latency) in found {
            // A sched_waking may be cut off, and then the latency is said to count from the sched_wakeup.
            if latency.1 == WakeEvent::Waking {
                prop_assert_eq!(whole.get(&run), Some(&latency), "cut: {:?}", run);
            }
        }
        for (run, since) in waits {
            prop_assert_eq!(whole_waits.get(&run), Some(&since), "cut: {:?}", run);
        }
        // Only the switches of one task.
        let filtered = only(&kernel.rows, |row| row.kind != RowKind::Switch || is_switch_of(row, pid));
        let (found, waits) = certain(&build(&filtered, first, last));
        for (run, latency) in found.into_iter().filter(|(run, _)| run.0 == pid) {
            prop_assert_eq!(whole.get(&run), Some(&latency), "filtered: {:?}", run);
        }
        for (run, since) in waits.into_iter().filter(|(run, _)| run.0 == pid) {
            prop_assert_eq!(whole_waits.get(&run), Some(&since), "filtered: {:?}", run);
        }
    }
}

/// How many wakeups found their task running.
fn cancelled(rows: &[Vec<Row>]) -> usize {
    let mut all: Vec<&Row> = rows.iter().flatten().collect();
    all.sort_by_key(|row| row.ts);
    let mut running = BTreeMap::new();
    let mut cancelled = 0;
    for row in all {
        match row.kind {
            RowKind::Switch => {
                running.insert(row.pid, false);
                running.insert(row.arg, true);
            }
            RowKind::Wakeup if running.get(&row.pid) == Some(&true) => cancelled += 1,
            _ => {}
        }
    }
    cancelled
}
