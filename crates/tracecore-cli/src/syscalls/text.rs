//! The table of calls for people.

use std::fmt::{self, Write};

use schedquery::calls::{Calls, Recorded};
use schedquery::query::{CallReport, CallRow, CallThread, CallsBy, CallsQuery, Of};

use crate::text::{self, Times};
use crate::visible::visible;

/// The most threads that are listed; the JSON has all.
const MOST_THREADS: usize = 30;

pub fn table(report: &CallReport, calls: &Calls, query: &CallsQuery, times: Times) -> Result<String, fmt::Error> {
    let mut out = String::new();
    let table = Table {
        report,
        calls,
        query,
        times,
    };
    table.head(&mut out)?;
    table.rows(&mut out)?;
    table.threads(&mut out)?;
    Ok(out)
}

struct Table<'a> {
    report: &'a CallReport,
    calls: &'a Calls,
    query: &'a CallsQuery,
    times: Times,
}

impl Table<'_> {
    fn head(&self, out: &mut String) -> fmt::Result {
        let events = match self.report.events {
            Some(Recorded::Both) => "raw_syscalls, and syscalls, which lends names",
            Some(Recorded::Named) => "syscalls: others than the named ones may not have been recorded",
            Some(Recorded::Raw) => "raw_syscalls",
            None => "none",
        };
        writeln!(out, "events        {events}")?;
        let arch = self.report.arch.unwrap_or("not known (see --arch)");
        writeln!(out, "names         {arch}")?;
        writeln!(out, "from          {}", self.times.at(self.report.first_ns))?;
        writeln!(out, "to            {}", self.times.at(self.report.last_ns))?;
        let totals = &self.report.totals;
        let counts = [
            ("returned", totals.calls),
            ("returned without a number", totals.exits_without_id),
            ("returned in a child", totals.child_returns),
            ("begun before the trace", totals.before_trace),
            ("only an exit", totals.exit_only),
            ("exit lost", totals.lost_exits),
            ("never returned", totals.never_returned),
            ("open at the end", totals.open_at_end),
            ("across lost events", totals.across_loss),
        ];
        let counts = counts
            .into_iter()
            .filter(|&(name, count)| 0 < count || name == "returned");
        let counts: Vec<String> = counts.map(|(name, count)| format!("{count} {name}")).collect();
        writeln!(
            out,
            "whole trace   {} enters, {} exits: {}",
            totals.enters,
            totals.exits,
            counts.join(", ")
        )?;
        if !self.calls.has_sched {
            writeln!(out, "No sched_switch events: nothing tells what threads did in calls.")?;
        }
        self.interrupts(out)?;
        if self.query.by == CallsBy::Process {
            let by = match self.calls.processes.are_told() {
                true => "task_newtask",
                false => "the flags of clone (those of clone3 are not in the trace)",
            };
            writeln!(out, "processes     by {by}")?;
        }
        Ok(())
    }

    fn interrupts(&self, out: &mut String) -> fmt::Result {
        let interrupts = &self.calls.interrupts;
        let systems = [
            ("irq_handler", interrupts.hardirqs),
            ("softirq", interrupts.softirqs),
            ("irq_vectors", interrupts.vectors),
        ];
        let of = |recorded: bool| {
            let names = systems
                .iter()
                .filter(|(_, has)| *has == recorded)
                .map(|(name, _)| *name);
            names.collect::<Vec<_>>().join(", ")
        };
        match interrupts.recorded() {
            true if of(false).is_empty() => writeln!(out, "interrupts    {}", of(true)),
            true => writeln!(out, "interrupts    {}; none of {}", of(true), of(false)),
            false => Ok(()),
        }
    }

    fn whose(&self, row: &CallRow) -> String {
        match &row.of {
            Of::All {} => String::new(),
            Of::Command { comm } => format!("{:17}", visible(comm)),
            Of::Task { pid, generation: 0 } => format!("{pid:<17}"),
            Of::Task { pid, generation } => format!("{:17}", format!("{pid}#{generation}")),
            Of::Process { process } => format!("{:17}", process.map_or("unknown".to_owned(), |pid| pid.to_string())),
        }
    }

    fn rows(&self, out: &mut String) -> fmt::Result {
        let whose = match self.query.by {
            CallsBy::Call => "",
            CallsBy::Command => "command          ",
            CallsBy::Task => "thread           ",
            CallsBy::Process => "process          ",
        };
        let has_irq = self.calls.interrupts.recorded();
        let mut head = format!("\n{whose}{:22}{:>9}{:>8}", "call", "calls", "errors");
        for name in ["total", "mean", "p50", "p99", "max"] {
            head += &format!("{name:>15}");
        }
        if self.calls.has_sched {
            let oncpu = if self.query.net { "net on CPU" } else { "on CPU" };
            for name in [oncpu, "runnable", "sleeping", "blocked", "stopped", "unknown"] {
                head += &format!("{name:>15}");
            }
            head += &if has_irq {
                format!("{:>15}", "interrupts")
            } else {
                String::new()
            };
        }
        writeln!(out, "{head}{:>12}  longest at", "unfinished")?;
        for row in &self.report.rows {
            self.row(out, row, has_irq)?;
        }
        Ok(())
    }

    fn row(&self, out: &mut String, row: &CallRow, has_irq: bool) -> fmt::Result {
        let digits = |ns: Option<u64>| ns.map_or_else(|| "-".to_owned(), |ns| self.times.digits(ns));
        let spread = &row.duration_ns;
        write!(
            out,
            "{}{:22}{:>9}{:>8}",
            self.whose(row),
            row.call,
            row.calls,
            row.errors
        )?;
        let mean = spread.mean.map(|mean| mean.round() as u64);
        for ns in [Some(spread.sum), mean, spread.p50, spread.p99, spread.max] {
            write!(out, "{:>15}", digits(ns))?;
        }
        let split = &row.split;
        if self.calls.has_sched {
            let parts = [
                split.oncpu_ns,
                split.runnable_ns,
                split.sleeping_ns,
                split.blocked_ns,
                split.stopped_ns,
                split.unknown_ns,
            ];
            let irq = has_irq.then_some(split.irq_ns);
            for ns in parts.into_iter().chain(irq) {
                write!(out, "{:>15}", digits(ns))?;
            }
        }
        let longest = row.longest.map(|longest| {
            let at = self.times.at(longest.at_ns);
            format!("{at}, {} on CPU {}", longest.pid, longest.cpu)
        });
        writeln!(out, "{:>12}  {}", row.unfinished, longest.unwrap_or_default())
    }

    fn threads(&self, out: &mut String) -> fmt::Result {
        writeln!(
            out,
            "\n{:24}{:>15}{:>15}{:>15}{:>15}{:>15}",
            "thread", "lived", "in calls", "running", "in calls", "outside"
        )?;
        let mut threads: Vec<&CallThread> = self.report.threads.iter().collect();
        threads.sort_by_key(|thread| std::cmp::Reverse(thread.in_calls_ns));
        for thread in threads.iter().take(MOST_THREADS) {
            let digits = |ns: Option<u64>| ns.map_or_else(|| "-".to_owned(), |ns| self.times.digits(ns));
            let comm = thread.comms.last().map_or("", String::as_str);
            writeln!(
                out,
                "{:24}{:>15}{:>15}{:>15}{:>15}{:>15}",
                text::task(comm, thread.pid),
                self.times.digits(thread.last_ns - thread.first_ns),
                self.times.digits(thread.in_calls_ns),
                digits(thread.running_ns),
                digits(thread.oncpu_in_calls_ns),
                digits(thread.outside_oncpu_ns),
            )?;
        }
        if MOST_THREADS < threads.len() {
            writeln!(out, "and {} more (--json has all)", threads.len() - MOST_THREADS)?;
        }
        Ok(())
    }
}
