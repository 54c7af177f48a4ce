//! `corelane pairs`: how long was between two events that belong together.

use std::collections::HashSet;
use std::fmt::{self, Write};

use clap::{Args, ValueEnum};
use eventpairs::{Again, Answer, By, Declaration, Durations, Home, Matched, PairError, Row, TABLE};
use schedmodel::{TaskCommId, Trace};
use schedquery::query::Selection;
use serde::Serialize;
use tracedat::file::TraceFile;
use tracedat::pairs::PairScan;

use crate::input::{FileArgs, Input};
use crate::load::Loader;
use crate::selection::SelectionArgs;
use crate::text::{json, quoted, task, Times};
use crate::visible::visible;
use crate::Failure;

#[derive(Args)]
pub struct PairsArgs {
    #[command(flatten)]
    file: FileArgs,
    /// As JSON, times in nanoseconds
    #[arg(long)]
    json: bool,
    /// As comma-separated values, a line for each group, times in nanoseconds
    #[arg(long, conflicts_with = "json")]
    csv: bool,
    /// Only this pair, such as softirq; may be repeated. Without it all that the trace has
    #[arg(long, value_name = "NAME", value_parser = known_pair)]
    pair: Vec<&'static Row>,
    /// A pair of your own: its first event, with a filter in brackets if need be
    #[arg(long, value_name = "SYSTEM:EVENT[FILTER]", conflicts_with = "pair")]
    start: Option<String>,
    /// Its second event; without one each first event has a --value of its own
    #[arg(long, value_name = "SYSTEM:EVENT[FILTER]", requires = "start", requires = "key")]
    end: Option<String>,
    /// What both events must share: fields, or pid, cpu, comm
    #[arg(long, value_name = "FIELD[=ENDFIELD],...", requires = "end")]
    key: Option<String>,
    /// What to tell apart: fields of the start, or of the end
    #[arg(long, value_name = "FIELD,...", requires = "start")]
    group: Option<String>,
    /// Which start counts where a second one comes before the end
    #[arg(long, value_name = "WHICH", default_value = "last", requires = "start")]
    again: Which,
    /// A field, or the difference of two, in place of the difference of times, as in end.now-start.expires
    #[arg(long, value_name = "EXPRESSION", requires = "start")]
    value: Option<String>,
    /// What to tell apart instead of the pair's own groups
    #[arg(long, value_name = "WHAT")]
    by: Option<ByWhat>,
    /// How many of the longest
    #[arg(long, value_name = "N", default_value_t = 10)]
    top: usize,
    #[command(flatten)]
    selection: SelectionArgs,
}

#[derive(Clone, Copy, ValueEnum)]
enum Which {
    Last,
    First,
    Nest,
}

#[derive(Clone, Copy, ValueEnum)]
enum ByWhat {
    Cpu,
    Task,
    Command,
}

/// The JSON of the command.
#[derive(Serialize)]
struct PairsJson {
    pairs: Vec<Answer>,
}

pub fn run(args: &PairsArgs, loader: &Loader) -> Result<String, Failure> {
    let file = args.file.open_trace_dat(&loader.options)?;
    let matched = matched(&file, &args.declarations().map_err(told)?)?;
    let by = match args.by {
        None => By::Group,
        Some(ByWhat::Cpu) => By::Cpu,
        Some(ByWhat::Task) => By::Task,
        Some(ByWhat::Command) => By::Command,
    };
    let pairs = if args.selection.is_whole() {
        matched.answer(by, args.top, |_| true)
    } else {
        let loaded = loader.load(&args.file)?;
        let selection = args.selection.selection(&loaded, &loader.options)?;
        let homes = Homes::of(&loaded.trace, &selection);
        matched.answer(by, args.top, |home| homes.has(home, matched.comm(home)))
    };
    if args.json {
        return json(&PairsJson { pairs });
    }
    let mut out = String::new();
    let written = match args.csv {
        true => write_csv(&pairs, &mut out),
        false => pairs
            .iter()
            .try_for_each(|pair| write_pair(pair, Times::with(file.clock_is_ns()), &mut out)),
    };
    written.map_err(|error| Failure(error.to_string()))?;
    if out.is_empty() {
        out.push_str(
            "no pair of events is in the trace: it was recorded without them, or its format does not hold them\n",
        );
    }
    Ok(out)
}

impl PairsArgs {
    /// Refuses a pair that no trace could have.
    pub fn check(&self) -> Result<(), String> {
        self.declarations().map(|_| ()).map_err(|error| pointed(&error))
    }

    fn declarations(&self) -> Result<Vec<Declaration>, PairError> {
        if let Some(start) = &self.start {
            if self.end.is_none() && self.value.is_none() {
                let what = "expected --end EVENT and --key, or --value FIELD";
                return Err(PairError::new("--start", start, what));
            }
            let text = |option: &Option<String>| option.clone().unwrap_or_default();
            let (end, key, group, value) = (text(&self.end), text(&self.key), text(&self.group), text(&self.value));
            let again = match self.again {
                Which::Last => Again::Last,
                Which::First => Again::First,
                Which::Nest => Again::Nest,
            };
            return Ok(vec![Declaration::parse(
                "pair",
                [start, &end],
                [&key, &group, &value],
                again,
            )?]);
        }
        match self.pair.is_empty() {
            true => TABLE.iter().map(Declaration::built_in).collect(),
            false => self.pair.iter().map(|row| Declaration::asked(row)).collect(),
        }
    }
}

fn known_pair(name: &str) -> Result<&'static Row, String> {
    TABLE.iter().find(|row| row.name == name).ok_or_else(|| {
        let names: Vec<&str> = TABLE.iter().map(|row| row.name).collect();
        format!("no pair of this name; there are {}", names.join(", "))
    })
}

/// Takes all records of the buffer that is shown.
fn matched(file: &TraceFile<Input>, declarations: &[Declaration]) -> Result<Matched, Failure> {
    let mut scan = PairScan::new(file, declarations).map_err(told)?;
    while scan.step(usize::MAX)? {}
    Ok(scan.finish())
}

fn told(error: PairError) -> Failure {
    Failure(pointed(&error))
}

fn pointed(PairError { option, text, error }: &PairError) -> String {
    format!("{option}: {error}\n{}", error.pointed(text))
}

/// Which homes a selection has.
struct Homes<'a> {
    cpus: Option<&'a [u32]>,
    /// Absolute.
    window: std::ops::Range<u64>,
    /// The tasks and their names; `None` for all.
    tasks: Option<HashSet<(i32, &'a str)>>,
    /// Pid 0 was asked for, which is no task.
    idle: bool,
}

impl<'a> Homes<'a> {
    fn of(trace: &'a Trace, selection: &'a Selection) -> Homes<'a> {
        let window = selection.window(trace);
        let shown = selection.shown(trace);
        let ids = (0..trace.task_comms.len() as u32).map(TaskCommId);
        let names = ids
            .filter(|&id| shown.has(id))
            .map(|id| (trace.task_of(id).pid, trace.comm_of(id)));
        Homes {
            cpus: selection.cpus.as_deref(),
            window: trace.origin_ns.saturating_add(window.start)..trace.origin_ns.saturating_add(window.end),
            tasks: (!shown.is_all()).then(|| names.collect()),
            idle: selection.pids.contains(&0),
        }
    }

    fn has(&self, home: &Home, comm: &str) -> bool {
        self.window.contains(&home.at)
            && self.cpus.is_none_or(|cpus| cpus.contains(&home.cpu))
            && self
                .tasks
                .as_ref()
                .is_none_or(|tasks| tasks.contains(&(home.pid, comm)) || (home.pid == 0 && self.idle))
    }
}

/// A duration, which may be negative, as an early timer's.
fn signed(times: Times, ns: Option<i64>) -> String {
    match ns {
        Some(ns) if ns < 0 => format!("-{}", times.time(ns.unsigned_abs())),
        ns => times.maybe(ns.map(i64::unsigned_abs)),
    }
}

fn write_pair(pair: &Answer, times: Times, out: &mut String) -> fmt::Result {
    let end = pair.end.as_ref().map_or(String::new(), |end| format!(" -> {end}"));
    writeln!(out, "{}: {}{end}", pair.name, pair.start)?;
    writeln!(
        out,
        "{} pairs, {} starts left open, {} ends without a start, {} starts again, {} across lost events",
        pair.count, pair.unmatched_starts, pair.unmatched_ends, pair.restarted, pair.across_loss
    )?;
    writeln!(
        out,
        "{:32}{:>9}{:>18}{:>16}{:>16}{:>16}{:>16}{:>16}",
        "", "count", "sum", "min", "mean", "p50", "p99", "max"
    )?;
    let mut line = |name: &str, count: usize, ns: &Durations| {
        let name = visible(name);
        let mean = ns.mean.map(|mean| mean.round() as i64);
        let sum = i64::try_from(ns.sum).ok().filter(|_| 0 < count);
        let [min, mean, p50, p99, max] = [ns.min, mean, ns.p50, ns.p99, ns.max].map(|ns| signed(times, ns));
        writeln!(
            out,
            "{name:32}{count:>9}{:>18}{min:>16}{mean:>16}{p50:>16}{p99:>16}{max:>16}",
            signed(times, sum)
        )
    };
    line("all", pair.count, &pair.ns)?;
    for group in pair.groups.iter().filter(|group| !group.group.is_empty()) {
        line(&group.group, group.count, &group.ns)?;
    }
    for each in &pair.longest {
        writeln!(
            out,
            "{:>24}{:>18}  CPU {:<4} {:24}{}",
            times.time(each.at_ns),
            signed(times, Some(each.ns)),
            each.cpu,
            task(&each.comm, each.pid),
            visible(&each.group)
        )?;
    }
    writeln!(out)
}

fn write_csv(pairs: &[Answer], out: &mut String) -> fmt::Result {
    writeln!(out, "pair,group,count,sum,min,mean,p50,p90,p99,p999,max")?;
    let maybe = |ns: Option<i64>| ns.map_or(String::new(), |ns| ns.to_string());
    for pair in pairs {
        for group in &pair.groups {
            let ns = &group.ns;
            let mean = ns.mean.map_or(String::new(), |mean| mean.to_string());
            let ranks = [ns.p50, ns.p90, ns.p99, ns.p999, ns.max].map(maybe).join(",");
            writeln!(
                out,
                "{},{},{},{},{},{mean},{ranks}",
                quoted(&pair.name),
                quoted(&group.group),
                group.count,
                ns.sum,
                maybe(ns.min)
            )?;
        }
    }
    Ok(())
}
