//! `corelane latency`: wake-up latencies, waits and run lengths.

use std::collections::BTreeMap;
use std::fmt::{self, Write};

use clap::{Args, ValueEnum};
use schedquery::query::{
    latency, missing_events, net_latency, schbench, ClockCounts, GroupBy, GroupName, Latency, LatencyGroup, Measured,
    RunLengths, Schbench, Spread, Uncertain, Waits,
};
use serde::Serialize;

use crate::edges::Worst;
use crate::input::FileArgs;
use crate::load::{Loaded, Loader};
use crate::selection::SelectionArgs;
use crate::text::{self, OfTrace, Times};
use crate::visible::{shown, visible};
use crate::Failure;

#[derive(Args)]
pub struct LatencyArgs {
    #[command(flatten)]
    file: FileArgs,
    /// As JSON, times in nanoseconds
    #[arg(long)]
    json: bool,
    /// How many of the worst latencies
    #[arg(long, value_name = "N", default_value_t = 10)]
    top: usize,
    /// What to tell apart
    #[arg(long, value_name = "WHAT", default_value = "command")]
    by: By,
    /// Percentiles of wake-up latencies in the buckets of schbench, in µs
    #[arg(long, conflicts_with_all = ["top", "by"])]
    schbench: bool,
    /// Leave out what interrupts took meanwhile on the CPU of the run that a duration is or led to
    #[arg(long, conflicts_with = "schbench")]
    net: bool,
    #[command(flatten)]
    selection: SelectionArgs,
}

#[derive(Clone, Copy, ValueEnum)]
enum By {
    Command,
    Task,
    Cpu,
}

pub fn run(args: &LatencyArgs, loader: &Loader) -> Result<String, Failure> {
    let (loaded, interrupts) = match args.net {
        true => loader.load_interrupts(&args.file)?,
        false => (loader.load(&args.file)?, None),
    };
    if let Some(sentence) = text::nothing_to_count(&loaded, args.json, &loader.options) {
        return Ok(sentence);
    }
    let selection = args.selection.selection(&loaded, &loader.options)?;
    if args.schbench {
        return print_schbench(&schbench(&loaded.trace, &selection), &loaded, args);
    }
    let by = match args.by {
        By::Command => GroupBy::Command,
        By::Task => GroupBy::Task,
        By::Cpu => GroupBy::Cpu,
    };
    let numbers = match &interrupts {
        Some(interrupts) => net_latency(&loaded.trace, &selection, by, args.top, interrupts),
        None => latency(&loaded.trace, &selection, by, args.top),
    };
    if args.json {
        return Times::of(&loaded).json(&OfTrace::new(LatencyJson::of(numbers, args.net), &loaded));
    }
    let mut out = String::new();
    if args.net {
        out.push_str(
            "Net: without what interrupts took meanwhile on the CPU of the run that a duration is or led to.\n",
        );
    }
    if missing_events(&loaded.trace).contains(&"sched_wakeup") {
        out.push_str("This file holds no wakeups, so there are no wake-up latencies; record with -e sched.\n");
    }
    let table = Table {
        numbers: &numbers,
        times: Times::of(&loaded),
    };
    table.write(&mut out).map_err(|error| Failure(error.to_string()))?;
    Ok(out)
}

fn print_schbench(numbers: &Schbench, loaded: &Loaded, args: &LatencyArgs) -> Result<String, Failure> {
    if !loaded.clock_is_ns {
        let name = shown(&args.file.file);
        return Err(Failure(format!(
            "{name}: schbench counts microseconds, which the trace's clock does not"
        )));
    }
    if args.json {
        return text::json(numbers);
    }
    let mut out = format!(
        "{:24}{:>9}{:>10}{:>10}{:>10}{:>10}{:>10}  (µs)\n",
        "wake-up latency", "count", "p20", "p50", "p90", "p99", "p99.9"
    );
    let commands = numbers
        .commands
        .iter()
        .map(|command| (command.comm.as_str(), &command.spread));
    for (name, spread) in std::iter::once(("all", &numbers.all)).chain(commands) {
        let percentiles = [spread.p20, spread.p50, spread.p90, spread.p99, spread.p999];
        let [p20, p50, p90, p99, p999] = percentiles.map(|us| us.map_or_else(|| "-".to_owned(), |us| us.to_string()));
        let name = visible(name);
        // Writing to a string does not fail.
        let _ = writeln!(
            out,
            "{name:24}{:>9}{p20:>10}{p50:>10}{p90:>10}{p99:>10}{p999:>10}",
            spread.count
        );
    }
    Ok(out)
}

/// The JSON of the command.
#[derive(Serialize)]
struct LatencyJson {
    count: usize,
    clock: ClockCounts,
    latency_ns: Spread,
    worst: Vec<Worst>,
    waits: Waits,
    uncertain: Uncertain,
    runs: RunLengths,
    groups: Vec<LatencyGroup>,
    groups_total: usize,
}

impl LatencyJson {
    fn of(numbers: Latency, net: bool) -> LatencyJson {
        let worst = if net { Worst::net } else { Worst::from };
        LatencyJson {
            count: numbers.count,
            clock: numbers.clock,
            latency_ns: numbers.latency_ns,
            worst: numbers.worst.into_iter().map(worst).collect(),
            waits: numbers.waits,
            uncertain: numbers.uncertain,
            runs: numbers.runs,
            groups: numbers.groups,
            groups_total: numbers.groups_total,
        }
    }
}

struct Table<'a> {
    numbers: &'a Latency,
    times: Times,
}

/// The most groups that are listed; the JSON has all.
const MOST_GROUPS: usize = 30;
/// The length of the longest bar, in characters.
const BAR: u64 = 30;

impl Table<'_> {
    fn write(&self, out: &mut String) -> fmt::Result {
        self.spreads(out)?;
        self.definitions(out)?;
        self.histogram(out)?;
        self.worst(out)?;
        self.groups(out)
    }

    /// Prints one line for each kind of duration.
    fn spreads(&self, out: &mut String) -> fmt::Result {
        writeln!(
            out,
            "{:24}{:>9}{:>16}{:>16}{:>16}{:>16}{:>16}{:>16}",
            "", "count", "p50", "p90", "p99", "p99.9", "max", "mean"
        )?;
        let Latency { waits, runs, .. } = self.numbers;
        let wakeups = Measured {
            count: self.numbers.count,
            ns: self.numbers.latency_ns.clone(),
        };
        for (name, measured) in [
            ("wake-up latency", &wakeups),
            ("wait", &waits.all),
            ("  begun by a wakeup", &waits.woken),
            ("  begun still runnable", &waits.preempted),
            ("  begun by replenishment", &waits.replenished),
            ("run", &runs.all),
            ("  ended still runnable", &runs.preempted),
            ("  ended by yielding", &runs.yielded),
            ("  ended by sleeping", &runs.slept),
            ("  ended by exiting", &runs.exited),
            ("  ended throttled", &runs.throttled),
        ] {
            let rare = [&waits.replenished, &runs.yielded, &runs.throttled];
            if measured.count == 0 && rare.into_iter().any(|each| std::ptr::eq(each, measured)) {
                continue;
            }
            let ns = &measured.ns;
            let [p50, p90, p99, p999, max] = [ns.p50, ns.p90, ns.p99, ns.p999, ns.max].map(|ns| self.times.maybe(ns));
            let mean = self.times.mean(measured.mean());
            writeln!(
                out,
                "{name:24}{:>9}{p50:>16}{p90:>16}{p99:>16}{p999:>16}{max:>16}{mean:>16}",
                measured.count
            )?;
        }
        let Uncertain { wakeups, waits } = self.numbers.uncertain;
        if 0 < wakeups.count + waits.count {
            writeln!(
                out,
                "Left out as uncertain, because records are missing meanwhile: {} latencies ({} in all), {} waits ({}).",
                wakeups.count,
                self.times.time(wakeups.ns),
                waits.count,
                self.times.time(waits.ns)
            )?;
        }
        writeln!(
            out,
            "Percentiles are nearest-rank: values that were measured. {} runs whose begin or end is not in the trace \
             are not measured.\nStill runnable: preempted (R+), or switched out as R, which does not say whether the task was \
             preempted or gave up its CPU.",
            runs.cut
        )
    }

    /// Says from which events latencies count, and who wakers are.
    fn definitions(&self, out: &mut String) -> fmt::Result {
        let ClockCounts {
            sched_waking,
            sched_wakeup,
            sched_wakeup_new,
        } = self.numbers.clock;
        let events = [
            (sched_waking, "sched_waking"),
            (sched_wakeup, "sched_wakeup"),
            (sched_wakeup_new, "sched_wakeup_new"),
        ];
        let events = events.into_iter().filter(|&(count, _)| 0 < count);
        let events: Vec<String> = events.map(|(count, event)| format!("{event} ({count})")).collect();
        if events.is_empty() {
            return Ok(());
        }
        writeln!(
            out,
            "Latencies count from {}, waits from sched_wakeup. The waker of a wakeup is that of its sched_waking.",
            events.join(", ")
        )
    }

    fn histogram(&self, out: &mut String) -> fmt::Result {
        let Latency { waits, runs, .. } = self.numbers;
        let columns = [
            &self.numbers.latency_ns,
            &waits.all.ns,
            &runs.preempted.ns,
            &runs.slept.ns,
        ];
        let mut rows = BTreeMap::<u64, [u64; 4]>::new();
        for (column, spread) in columns.into_iter().enumerate() {
            for &(from, count) in &spread.histogram {
                if let Some(counted) = rows.entry(from).or_default().get_mut(column) {
                    *counted = count;
                }
            }
        }
        let most = rows.values().map(|counts| counts[0]).max().unwrap_or(0).max(1);
        writeln!(
            out,
            "\n{:>16}{:>10}{:>10}{:>16}{:>12}  latency",
            "from (to twice)", "latency", "wait", "run, runnable", "run, slept"
        )?;
        for (from, [latency, wait, preempted, slept]) in rows {
            let bar = "#".repeat((latency * BAR).div_ceil(most) as usize);
            let line = format!(
                "{:>16}{latency:>10}{wait:>10}{preempted:>16}{slept:>12}  {bar}",
                self.times.time(from)
            );
            writeln!(out, "{}", line.trim_end())?;
        }
        Ok(())
    }

    fn worst(&self, out: &mut String) -> fmt::Result {
        writeln!(
            out,
            "\n{:>20}{:>16}  {:24}{:24}{:10}{:>6}{:>6}{:>6}",
            "at", "latency", "wakee", "waker", "context", "on", "last", "CPU"
        )?;
        for worst in self.numbers.worst.iter().cloned().map(Worst::from) {
            writeln!(
                out,
                "{:>20}{:>16}  {:24}{:24}{:10}{:>6}{:>6}{:>6}{}",
                self.times.at(worst.at_ns),
                self.times.maybe(worst.latency_ns),
                text::task(&worst.wakee_comm, worst.wakee_pid),
                text::task(&worst.waker_comm, worst.waker_pid),
                worst.waker_context.name(),
                worst.waker_cpu,
                text::cpu(worst.previous_cpu),
                text::cpu(worst.cpu),
                text::doubt(worst.uncertain),
            )?;
        }
        Ok(())
    }

    fn groups(&self, out: &mut String) -> fmt::Result {
        writeln!(
            out,
            "\n{:24}{:>9}{:>16}{:>16}{:>16}{:>9}{:>16}{:>16}",
            "", "wakeups", "latency p50", "p99", "max", "runs", "mean slept", "runnable"
        )?;
        let groups = &self.numbers.groups;
        for LatencyGroup {
            name, wakeups, runs, ..
        } in groups.iter().take(MOST_GROUPS)
        {
            let name = match name {
                GroupName::Command { comm } => visible(comm).into_owned(),
                GroupName::Task(task) => text::task(&task.comm, task.pid),
                GroupName::Cpu { cpu } => format!("CPU {cpu}"),
            };
            let [p50, p99, max] = [wakeups.ns.p50, wakeups.ns.p99, wakeups.ns.max].map(|ns| self.times.maybe(ns));
            writeln!(
                out,
                "{name:24}{:>9}{p50:>16}{p99:>16}{max:>16}{:>9}{:>16}{:>16}",
                wakeups.count,
                runs.all.count,
                self.times.mean(runs.slept.mean()),
                self.times.mean(runs.preempted.mean()),
            )?;
        }
        if MOST_GROUPS < groups.len() {
            writeln!(out, "and {} more (--json has all)", groups.len() - MOST_GROUPS)?;
        }
        Ok(())
    }
}
