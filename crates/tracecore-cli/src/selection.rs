//! The options that select a part of a trace.

use std::collections::BTreeSet;
use std::sync::Arc;

use clap::error::ErrorKind;
use clap::{ArgMatches, Args, Command, FromArgMatches};
use schedindex::Passing;
use schedmodel::Trace;
use schedquery::query::{cpu_list as listed, Selection};
use schedrows::ReadAt;
use tracedat::file::TraceFile;

use crate::filter::{filter, FilterText};
use crate::load::Loaded;
use crate::scan::ScanOptions;
use crate::text::Times;
use crate::time::{time, TimeOption};
use crate::visible::{visible, warn};
use crate::Failure;

#[derive(Args)]
pub struct SelectionArgs {
    #[command(flatten)]
    tasks: TaskArgs,
    #[command(flatten)]
    window: WindowArgs,
    /// Only these CPUs, as in 1,4-7
    #[arg(long, value_name = "LIST", value_parser = cpu_list)]
    cpu: Option<CpuList>,
}

/// Which tasks.
#[derive(Args)]
struct TaskArgs {
    /// Only tasks created after the trace began (children of a fork in it)
    #[arg(long)]
    forked: bool,
    /// Only tasks that were seen to run on at least two CPUs: the others may be pinned
    #[arg(long)]
    movable: bool,
    /// No kernel threads: none that kthreadd forked in the trace, none with the name of one
    #[arg(long)]
    no_kernel_threads: bool,
    /// Only runs whose command starts so; in a timeline these have colours, and all others are black
    #[arg(long, value_name = "PREFIX")]
    target: Option<String>,
    /// Only runs of this command; may be repeated
    #[arg(long, value_name = "NAME")]
    comm: Vec<String>,
    /// Only the task with this thread id; may be repeated
    #[arg(long, value_name = "N")]
    pid: Vec<i32>,
    /// Only runs with an event that passes, in ftrace's language (docs/cli/filters.md)
    #[arg(long, value_name = "EXPR", value_parser = filter)]
    filter: Option<FilterText>,
}

/// Which part of the time, which is not empty.
pub struct WindowArgs(WindowOptions);

#[derive(Args)]
struct WindowOptions {
    /// Skip the leading `sleep`: time 0 is the exit of the first task of that name
    #[arg(long)]
    after_sleep: bool,
    /// From S seconds after time 0 (ticks, where the trace's clock counts such)
    #[arg(long, value_name = "S", value_parser = time)]
    min: Option<TimeOption>,
    /// To S seconds after time 0
    #[arg(long, value_name = "S", value_parser = time)]
    max: Option<TimeOption>,
}

impl SelectionArgs {
    /// The selection for the core; prints on standard error what cannot be done.
    pub fn selection(&self, loaded: &Loaded, options: &ScanOptions) -> Result<Selection, Failure> {
        self.selection_of("", loaded, options)
    }

    /// The same for one of several traces; `name` begins what is printed.
    pub fn selection_of(&self, name: &str, loaded: &Loaded, options: &ScanOptions) -> Result<Selection, Failure> {
        let selection = Selection {
            runs: self.passing(loaded, options)?,
            ..self.within(self.window.of_clock(loaded.clock_is_ns)?)
        };
        if !options.quiet {
            for missing in missing(&selection, &loaded.trace, Times::with(loaded.clock_is_ns)) {
                warn(&format!("{name}{missing}"));
            }
        }
        Ok(selection)
    }

    /// The runs that pass the filter, if there is one.
    pub fn passing(&self, loaded: &Loaded, options: &ScanOptions) -> Result<Option<Arc<Passing>>, Failure> {
        self.filter().map(|filter| filter.passing(loaded, options)).transpose()
    }

    /// The filter that runs have to pass.
    pub fn filter(&self) -> Option<&FilterText> {
        self.tasks.filter.as_ref()
    }

    /// The filter as it was written.
    pub fn filter_text(&self) -> Option<&str> {
        self.filter().map(FilterText::text)
    }

    /// Whether anything is selected: the default is the whole trace.
    pub fn is_whole(&self) -> bool {
        self.filter().is_none() && self.whole() == Selection::default()
    }

    /// The selection for the core without a trace, and so without a filter: a second is 10⁹ of what the trace's clock counts.
    pub fn whole(&self) -> Selection {
        self.within(self.window.in_seconds())
    }

    /// Adds the CPUs and the tasks to a selection of time.
    fn within(&self, window: Selection) -> Selection {
        Selection {
            cpus: self.cpu.as_ref().map(|list| list.0.clone()),
            ..self.tasks.selection(window)
        }
    }
}

impl TaskArgs {
    /// Adds the tasks to a selection of time.
    fn selection(&self, window: Selection) -> Selection {
        Selection {
            forked: self.forked,
            movable: self.movable,
            no_kernel_threads: self.no_kernel_threads,
            target: self.target.clone(),
            comms: self.comm.clone(),
            pids: self.pid.clone(),
            ..window
        }
    }
}

impl FromArgMatches for WindowArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<WindowArgs, clap::Error> {
        let options = WindowOptions::from_arg_matches(matches)?;
        let [min, max] = [options.min, options.max].map(|time| time.map(TimeOption::ns));
        match max.filter(|&max| max <= min.unwrap_or(0)) {
            None => Ok(WindowArgs(options)),
            Some(max) => {
                let times = Times::with(true);
                let (min, max) = (times.time(min.unwrap_or(0)), times.time(max));
                let message =
                    format!("the window begins at {min} and ends at {max}; expected `--min` before `--max`\n");
                Err(clap::Error::raw(ErrorKind::ValueValidation, message))
            }
        }
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = WindowArgs::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Args for WindowArgs {
    fn augment_args(command: Command) -> Command {
        WindowOptions::augment_args(command)
    }

    fn augment_args_for_update(command: Command) -> Command {
        WindowOptions::augment_args_for_update(command)
    }
}

impl WindowArgs {
    /// The selection of time, in a trace with such a clock.
    pub fn of_clock(&self, is_ns: bool) -> Result<Selection, Failure> {
        let of = |option, time: Option<TimeOption>| time.map(|time| time.of_clock(is_ns, option)).transpose();
        Ok(self.between(of("--min", self.0.min)?, of("--max", self.0.max)?))
    }

    /// The same without a trace: a second is 10⁹ of what its clock counts.
    pub fn in_seconds(&self) -> Selection {
        self.between(self.0.min.map(TimeOption::ns), self.0.max.map(TimeOption::ns))
    }

    fn between(&self, min: Option<u64>, max: Option<u64>) -> Selection {
        Selection {
            after_sleep: self.0.after_sleep,
            min,
            max,
            ..Selection::default()
        }
    }
}

/// What is selected and not in the trace: all numbers of it are 0, which may be true, or a typing error.
pub fn missing(selection: &Selection, trace: &Trace, times: Times) -> Vec<String> {
    let mut missing = Vec::new();
    if selection.after_sleep && trace.after_sleep.is_none() {
        missing.push(NO_SLEEP.to_owned());
    }
    let chosen = selection.cpus.as_deref().unwrap_or_default();
    missing.extend(missing_cpus(chosen, &trace.cpus));
    let names = trace.comms.names();
    let comms = selection.comms.iter().filter(|comm| trace.comms.find(comm).is_none());
    missing.extend(comms.map(|comm| format!("no command of this trace is called `{}`", visible(comm))));
    let target = selection.target.iter();
    let target = target.filter(|prefix| !names.iter().any(|name| name.starts_with(*prefix)));
    missing.extend(target.map(|prefix| format!("no command of this trace begins with `{}`", visible(prefix))));
    // 0 is the idle task's.
    let pids = selection.pids.iter().filter(|&&pid| pid != 0 && !has_pid(trace, pid));
    missing.extend(pids.map(|pid| format!("no task of this trace has PID {pid}")));
    let length = trace.span_ns.saturating_sub(selection.time_zero(trace));
    if let Some(min) = selection.min.filter(|&min| length < min) {
        let (min, length) = (times.time(min), times.time(length));
        missing.push(format!(
            "the window begins at {min}, behind the end of this trace at {length}"
        ));
    }
    missing
}

/// Whether some task of a trace has this PID.
pub fn has_pid(trace: &Trace, pid: i32) -> bool {
    trace.tasks.iter().any(|task| task.pid == pid)
}

/// The message about CPUs that were chosen and are not `known`, if there are such.
pub fn missing_cpus(chosen: &[u32], known: &[u32]) -> Option<String> {
    let missing: BTreeSet<u32> = chosen.iter().copied().filter(|cpu| !known.contains(cpu)).collect();
    let missing: Vec<u32> = missing.into_iter().collect();
    let list = listed(&missing);
    let are = match missing.len() {
        0 => return None,
        1 => format!("CPU {list} is"),
        _ => format!("CPUs {list} are"),
    };
    Some(format!("{are} not in this trace, which has {}", listed(known)))
}

/// The same on standard error, of a file that is not loaded.
pub fn warn_of_cpus<R: ReadAt>(chosen: Option<&CpuList>, file: &TraceFile<R>) {
    let known: Vec<u32> = file.cpus().iter().map(|cpu| cpu.cpu).collect();
    if let Some(missing) = chosen.and_then(|list| missing_cpus(&list.0, &known)) {
        warn(&missing);
    }
}

/// The message for a trace in which `--after-sleep` has no effect.
pub const NO_SLEEP: &str = "no task named sleep exits in this trace: time 0 is its first event";

/// CPU numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct CpuList(pub Vec<u32>);

/// One more than the highest CPU that a list may name, and the most that it may have; beyond, it is taken for a typing
/// error.
const MOST_CPUS: u32 = 1 << 16;

/// Reads a list such as `1,4-7`.
pub fn cpu_list(text: &str) -> Result<CpuList, String> {
    let number = |text: &str| match text.trim().parse::<u32>() {
        Ok(cpu) if cpu < MOST_CPUS => Ok(cpu),
        _ => Err(format!("`{text}` is no CPU number; expected a list as in 1,4-7")),
    };
    let mut cpus = Vec::new();
    for part in text.split(',') {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        let (first, last) = (number(first)?, number(last)?);
        if last < first {
            return Err(format!("`{part}` ends before it begins; expected `{last}-{first}`"));
        }
        cpus.extend(first..=last);
        if MOST_CPUS < cpus.len() as u32 {
            return Err(format!("it names more than {MOST_CPUS} CPUs; expected each CPU once"));
        }
    }
    Ok(CpuList(cpus))
}

/// Reads seconds with any number of decimals, exactly: a double would lose nanoseconds.
pub fn nanoseconds(text: &str) -> Result<u64, String> {
    let error = || format!("`{text}` is no time; expected seconds, as in 1.5");
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    if whole.len() + fraction.len() == 0 || !(whole.to_owned() + fraction).bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(error());
    }
    let digits: String = fraction.chars().chain(std::iter::repeat('0')).take(9).collect();
    let seconds: u64 = if whole.is_empty() {
        0
    } else {
        whole.parse().map_err(|_| error())?
    };
    let ns: u64 = digits.parse().map_err(|_| error())?;
    seconds
        .checked_mul(1_000_000_000)
        .and_then(|seconds| seconds.checked_add(ns))
        .ok_or_else(error)
}

#[cfg(test)]
mod tests {
    use super::{cpu_list, nanoseconds, CpuList, MOST_CPUS};

    #[test]
    fn times_are_exact() {
        let cases = [
            ("1", 1_000_000_000),
            ("0.000000001", 1),
            (".5", 500_000_000),
            ("3.", 3_000_000_000),
        ];
        for (text, ns) in cases {
            assert_eq!(nanoseconds(text), Ok(ns));
        }
        for text in ["", ".", "1s", "-1", "1.2.3", "99999999999999"] {
            assert!(nanoseconds(text).is_err(), "{text}");
        }
    }

    #[test]
    fn cpu_lists_have_numbers_and_ranges() {
        assert_eq!(cpu_list("1,4-7"), Ok(CpuList(vec![1, 4, 5, 6, 7])));
        assert_eq!(cpu_list(" 3 - 3 "), Ok(CpuList(vec![3])));
        let all_twice = format!("0-{0},0-{0}", MOST_CPUS - 1);
        for text in ["", "a", "1,,2", "3-", "4-99999999", "3-1", "0,7-4", &all_twice] {
            assert!(cpu_list(text).is_err(), "{text}");
        }
    }
}
