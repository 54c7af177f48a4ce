//! A workload as rt-app's JSON, for running it on a real kernel.

use std::collections::HashSet;
use std::io::{self, Write};

use crate::workload::{Start, Task, WorkEvent, WorkKind, Workload};

/// How long what never ends runs where nothing says how long the recording lasted, in ns.
const ENDLESS: u64 = 180_000_000_000;

/// Which of rt-app's events are used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// CPU time as `runtime`; wakeups as `sem_post` and `sem_wait`, which remember one that comes early.
    RtApp,
    /// For readers that know less: `run`, `resume` and `suspend`.
    Plain,
}

/// Writes a thread object for each task.
pub fn write(workload: &Workload, dialect: Dialect, out: &mut dyn Write) -> io::Result<()> {
    let writer = Writer::new(workload, dialect);
    let seconds = workload.span_ns.map(|span| span.div_ceil(1_000_000_000));
    let duration = seconds.map_or("-1".to_owned(), |seconds| seconds.to_string());
    writeln!(
        out,
        "{{\n\"global\": {{\"duration\": {duration}, \"default_policy\": \"SCHED_OTHER\"}},\n\"tasks\": {{"
    )?;
    for (at, task) in (0_u32..).zip(&workload.tasks) {
        let comma = if at == 0 { "" } else { ",\n" };
        write!(out, "{comma}{}: {{", writer.name(at))?;
        writer.task(at, task, out)?;
        write!(out, "}}")?;
    }
    writeln!(out, "\n}}\n}}")
}

/// A wakeup that a task gives.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Given {
    /// The waker, and its next event.
    waker: u32,
    event: u32,
    /// The waker's clock.
    clock: u64,
    wakee: u32,
}

struct Writer<'a> {
    workload: &'a Workload,
    dialect: Dialect,
    /// Of each task, as JSON.
    names: Vec<String>,
    given: Vec<Given>,
}

impl Writer<'_> {
    fn new(workload: &Workload, dialect: Dialect) -> Writer<'_> {
        let mut taken = HashSet::new();
        let mut names = Vec::with_capacity(workload.tasks.len());
        let mut given = Vec::new();
        for (wakee, task) in (0..).zip(&workload.tasks) {
            let plain = format!("{}-{}", workload.comm_of(task), task.pid);
            let numbered = (1..).map(|number: u32| format!("{plain}.{number}"));
            let name = [plain.clone()]
                .into_iter()
                .chain(numbered)
                .find(|name| taken.insert(name.clone()));
            names.push(serde_json::Value::from(name.unwrap_or(plain)).to_string());
            for event in workload.events_of(task) {
                if let WorkKind::Woken {
                    waker, event, distance, ..
                } = event.kind
                {
                    let next = workload.events.get(event as usize).map(|next| next.length);
                    let last = workload.tasks.get(waker as usize).map(|waker| waker.last_clock);
                    let clock = next.or(last).unwrap_or(0).saturating_sub(distance);
                    given.push(Given {
                        waker,
                        event,
                        clock,
                        wakee,
                    });
                }
            }
        }
        given.sort_unstable();
        Writer {
            workload,
            dialect,
            names,
            given,
        }
    }

    fn name(&self, task: u32) -> &str {
        self.names.get(task as usize).map_or("\"\"", String::as_str)
    }

    fn task(&self, at: u32, task: &Task, out: &mut dyn Write) -> io::Result<()> {
        let events = self.workload.events_of(task);
        if task.start == Start::Forked {
            // Only forks make it.
            write!(out, "\"instance\": 0, ")?;
        }
        if let Some(allowed) = &task.allowed {
            let cpus: Vec<String> = allowed.iter().map(|cpu| cpu.to_string()).collect();
            write!(out, "\"cpus\": [{}], ", cpus.join(", "))?;
        }
        let mut events = (task.events.start..).zip(events).peekable();
        let asleep =
            events.next_if(|(_, event)| task.start == Start::Sleeping && matches!(event.kind, WorkKind::Sleep { .. }));
        if let Some((_, WorkEvent { length, .. })) = asleep {
            write!(out, "\"delay\": {}, ", length / 1000)?;
        }
        let changes = events
            .clone()
            .any(|(_, event)| matches!(event.kind, WorkKind::Prio { .. }));
        let mut phase = Phase { number: 0, clock: 0 };
        if changes {
            write!(out, "\"phases\": {{\"p0\": {{")?;
        }
        write!(out, "{}, \"loop\": 1", priority(task.prio.unwrap_or(120)))?;
        let mut phases = 1;
        let mut blocked = false;
        for (place, &WorkEvent { length, kind }) in events {
            if !kind.is_wakeup() {
                self.run_until(at, place, length, &mut phase, out)?;
            }
            blocked = matches!(kind, WorkKind::Block { .. });
            match kind {
                WorkKind::Fork { child } => phase.event("fork", self.name(child), out)?,
                WorkKind::Yield => phase.event("yield", "\"\"", out)?,
                WorkKind::Prio { prio } => {
                    write!(out, "}}, \"p{phases}\": {{{}, \"loop\": 1", priority(prio))?;
                    phases += 1;
                }
                WorkKind::Sleep { .. } => phase.event("sleep", &(length / 1000).to_string(), out)?,
                WorkKind::Woken { .. } => phase.event(self.words().1, self.name(at), out)?,
                WorkKind::Block { .. } | WorkKind::Exit { .. } => {}
            }
            if kind.is_wakeup() {
                phase.clock = 0;
            }
        }
        if !blocked {
            self.run_until(
                at,
                WorkKind::NO_EVENT,
                task.last_clock.max(phase.clock),
                &mut phase,
                out,
            )?;
            if task.endless {
                let more = self.workload.span_ns.unwrap_or(ENDLESS);
                self.run_until(
                    at,
                    WorkKind::NO_EVENT - 1,
                    phase.clock.saturating_add(more),
                    &mut phase,
                    out,
                )?;
            }
        }
        if changes {
            write!(out, "}}}}")?;
        }
        Ok(())
    }

    /// To wake, and to wait.
    fn words(&self) -> (&'static str, &'static str) {
        match self.dialect {
            Dialect::RtApp => ("sem_post", "sem_wait"),
            Dialect::Plain => ("resume", "suspend"),
        }
    }

    /// Runs up to a clock, and gives the wakeups that hang on the event there.
    fn run_until(&self, who: u32, event: u32, length: u64, phase: &mut Phase, out: &mut dyn Write) -> io::Result<()> {
        let first = self
            .given
            .partition_point(|given| (given.waker, given.event) < (who, event));
        let given = self.given.iter().skip(first);
        for given in given.take_while(|given| (given.waker, given.event) == (who, event)) {
            self.run(given.clock, phase, out)?;
            phase.event(self.words().0, self.name(given.wakee), out)?;
        }
        self.run(length, phase, out)
    }

    fn run(&self, clock: u64, phase: &mut Phase, out: &mut dyn Write) -> io::Result<()> {
        // Whole microseconds of the clock, so that what is left out does not add up.
        let us = (clock / 1000).saturating_sub(phase.clock / 1000);
        phase.clock = phase.clock.max(clock);
        let word = match self.dialect {
            Dialect::RtApp => "runtime",
            Dialect::Plain => "run",
        };
        match us {
            0 => Ok(()),
            us => phase.event(word, &us.to_string(), out),
        }
    }
}

/// Where in a task's object the writer is.
struct Phase {
    /// Events so far: keys must be unique.
    number: u64,
    clock: u64,
}

impl Phase {
    fn event(&mut self, word: &str, value: &str, out: &mut dyn Write) -> io::Result<()> {
        self.number += 1;
        write!(out, ",\n  \"{word}{}\": {value}", self.number)
    }
}

/// Policy and priority as rt-app has them: a nice value, or 1 to 99 of real time. Deadline tasks have no parameters in a
/// trace, and become the highest of those.
fn priority(prio: i16) -> String {
    match prio {
        100.. => format!("\"priority\": {}", prio - 120),
        _ => format!("\"policy\": \"SCHED_FIFO\", \"priority\": {}", 99 - prio.clamp(0, 98)),
    }
}
