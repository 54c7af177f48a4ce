//! `corelane stats`: the numbers of a trace or of a part of it.

use std::fmt::{self, Write};

use clap::Args;
use schedmodel::Time;
use schedquery::query::{missing_events, Stats};

use crate::input::FileArgs;
use crate::load::Loader;
use crate::selection::SelectionArgs;
use crate::text::{self, OfTrace, Times};
use crate::visible::visible;
use crate::Failure;

#[derive(Args)]
pub struct StatsArgs {
    #[command(flatten)]
    file: FileArgs,
    /// As JSON, times in nanoseconds
    #[arg(long)]
    json: bool,
    /// Leave out what interrupts took of the time on CPU, and say how much that is
    #[arg(long)]
    net: bool,
    #[command(flatten)]
    selection: SelectionArgs,
}

pub fn run(args: &StatsArgs, loader: &Loader) -> Result<String, Failure> {
    let (loaded, interrupts) = match args.net {
        true => loader.load_interrupts(&args.file)?,
        false => (loader.load(&args.file)?, None),
    };
    if let Some(sentence) = text::nothing_to_count(&loaded, args.json, &loader.options) {
        return Ok(sentence);
    }
    let selection = args.selection.selection(&loaded, &loader.options)?;
    let numbers = match &interrupts {
        Some(interrupts) => loaded.model().net_stats(&selection, interrupts),
        None => loaded.model().stats(&selection),
    };
    if args.json {
        return Times::of(&loaded).json(&OfTrace::new(numbers, &loaded));
    }
    let mut out = String::new();
    let table = Table {
        numbers: &numbers,
        zero: Time(selection.time_zero(&loaded.trace)),
        has_wakeups: !missing_events(&loaded.trace).contains(&"sched_wakeup"),
        times: Times::of(&loaded),
    };
    table.write(&mut out).map_err(|error| Failure(error.to_string()))?;
    Ok(out)
}

struct Table<'a> {
    numbers: &'a Stats,
    /// Time 0, to which the times of commands and of the selection are relative.
    zero: Time,
    /// Whether some wakeup made a task runnable.
    has_wakeups: bool,
    times: Times,
}

impl Table<'_> {
    fn write(&self, out: &mut String) -> fmt::Result {
        let numbers = self.numbers;
        writeln!(out, "CPUs          {}", numbers.cpus)?;
        writeln!(out, "from          {}", self.times.at(numbers.first_ns))?;
        writeln!(out, "to            {}", self.times.at(numbers.last_ns))?;
        let known = numbers.known_cpus;
        if f64::from(known.min) < numbers.cpus as f64 {
            writeln!(out, "known CPUs    mean {:.3}, min {}", known.mean, known.min)?;
        }
        writeln!(
            out,
            "running       mean {:.3}, max {}",
            numbers.running.mean, numbers.running.max
        )?;
        writeln!(
            out,
            "waiting       mean {:.3}, max {}",
            numbers.waiting.mean, numbers.waiting.max
        )?;
        let overload = &numbers.overload;
        let [violation, cost, behind, behind_cost, leaving, tasks] = [
            overload.violation_ns,
            overload.cost_task_ns,
            overload.behind_ns,
            overload.behind_cost_task_ns,
            overload.leaving_idle_ns,
            overload.leaving_idle_task_ns,
        ]
        .map(|ns| self.times.time(ns));
        writeln!(
            out,
            "overload      {violation} with tasks waiting while CPUs idle, in {} intervals; cost {cost} x tasks",
            overload.intervals
        )?;
        writeln!(
            out,
            "  behind      {behind} of that behind other tasks, in {} intervals; cost {behind_cost} x tasks",
            overload.behind_intervals
        )?;
        if overload.bound_ns != 0 {
            let [bound, tasks] = [overload.bound_ns, overload.bound_task_ns].map(|ns| self.times.time(ns));
            writeln!(
                out,
                "  bound       {bound} with kernel threads bound to a busy CPU waiting there: no failure; {tasks} x tasks"
            )?;
        }
        writeln!(
            out,
            "  leaving     {leaving} of that for their own CPU to leave idle; {tasks} x tasks"
        )?;
        if numbers.throttled_ns != 0 {
            writeln!(
                out,
                "throttled     {} x tasks, of the deadline class",
                self.times.time(numbers.throttled_ns)
            )?;
        }
        let kinds = &numbers.migrations;
        writeln!(
            out,
            "migrations    {}: {} placement, {} load balance, {} NUMA, {} other",
            kinds.total, kinds.by_kind.placement, kinds.by_kind.load_balance, kinds.by_kind.numa, kinds.by_kind.other
        )?;
        if 0 < kinds.by_kind.derived {
            let derived = kinds.by_kind.derived;
            writeln!(
                out,
                "  derived     {derived} more, from where tasks run: no event tells of them"
            )?;
        }
        if 0 < numbers.chain_breaks {
            writeln!(out, "chain breaks  {} in the whole trace", numbers.chain_breaks)?;
        }
        if !self.has_wakeups {
            writeln!(out, "wakeups       none in this file; record with -e sched")?;
            self.cpus(out)?;
            return self.commands(out);
        }
        let latency = &numbers.wakeups.latency_ns;
        let [p50, p90, p99, max] = [latency.p50, latency.p90, latency.p99, latency.max].map(|ns| self.times.maybe(ns));
        writeln!(
            out,
            "wakeups       {}; latency p50 {p50}, p90 {p90}, p99 {p99}, max {max}",
            numbers.wakeups.count
        )?;
        let uncertain = numbers.wakeups.uncertain.count;
        if 0 < uncertain || 0 < numbers.uncertain_waiting_ns {
            writeln!(
                out,
                "uncertain     {} of the waiting; {uncertain} more wakeups, left out: records are missing meanwhile",
                self.times.time(numbers.uncertain_waiting_ns)
            )?;
        }
        self.cpus(out)?;
        self.commands(out)
    }

    fn cpus(&self, out: &mut String) -> fmt::Result {
        writeln!(out, "\n{:>22}  {:>20}  {:>20}", "busy", "idle", "unknown")?;
        let sum = |ns: &[u64]| self.times.time(ns.iter().sum());
        let numbers = self.numbers;
        let sums = [
            &numbers.busy_ns_per_cpu,
            &numbers.idle_ns_per_cpu,
            &numbers.unknown_ns_per_cpu,
        ]
        .map(|ns| sum(ns));
        writeln!(out, "{:>22}  {:>20}  {:>20}", sums[0], sums[1], sums[2])?;
        match &numbers.irq_ns_per_cpu {
            Some(irq) => writeln!(
                out,
                "busy and execution are net: interrupts took {} more of it",
                sum(irq)
            ),
            None => Ok(()),
        }
    }

    fn commands(&self, out: &mut String) -> fmt::Result {
        writeln!(
            out,
            "\n{:16}  {:>20}  {:>20}  {:>20}  {:>20}  {:>10}  {:>6}",
            "command", "first", "last", "execution", "waiting", "switches", "PIDs"
        )?;
        for command in &self.numbers.commands {
            writeln!(
                out,
                "{:16}  {:>20}  {:>20}  {:>20}  {:>20}  {:>10}  {:>6}",
                visible(&command.comm),
                self.times.time(command.first_ns - self.zero),
                self.times.time(command.last_ns - self.zero),
                self.times.time(command.execution_ns),
                self.times.time(command.waiting_ns),
                command.switches_to,
                command.pids
            )?;
        }
        Ok(())
    }
}
