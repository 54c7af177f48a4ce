//! How all commands write numbers for people, and JSON for scripts.

use std::borrow::Cow;

pub use schedquery::query::cpu_list;
use serde::Serialize;

use schedmodel::Time;
use schedquery::query;

use crate::absolute::Absolute;
use crate::load::Loaded;
use crate::scan::ScanOptions;
use crate::visible::visible;
use crate::Failure;

/// What to print in place of numbers, for a trace that holds none of the events that they are made of. JSON keeps its form: then the
/// sentence goes to standard error.
pub fn nothing_to_count(loaded: &Loaded, json: bool, options: &ScanOptions) -> Option<String> {
    let sentence = query::nothing_to_count(&loaded.trace)?;
    if json && !options.quiet {
        eprintln!("corelane: {sentence}");
    }
    (!json).then(|| format!("{sentence}\n"))
}

/// An answer in JSON, with the events that the trace does not hold at all though the numbers are made of them.
#[derive(Serialize)]
pub struct OfTrace<T> {
    #[serde(flatten)]
    answer: T,
    missing_events: Vec<&'static str>,
}

impl<T> OfTrace<T> {
    /// An answer about that trace.
    pub fn new(answer: T, loaded: &Loaded) -> Self {
        OfTrace {
            answer,
            missing_events: query::missing_events(&loaded.trace),
        }
    }
}

/// Writes the times of one trace.
#[derive(Clone, Copy)]
pub struct Times {
    /// Whether times are nanoseconds; otherwise they are raw ticks of a clock without a scale.
    is_ns: bool,
    /// The absolute time at which the trace begins, which is added to its instants.
    origin_ns: u64,
}

impl Times {
    pub fn of(loaded: &Loaded) -> Times {
        Times::since(loaded.clock_is_ns, loaded.trace.origin_ns)
    }

    /// Times of a trace that begins at `origin_ns`.
    pub fn since(is_ns: bool, origin_ns: u64) -> Times {
        Times { is_ns, origin_ns }
    }

    /// Times of a clock.
    pub fn with(is_ns: bool) -> Times {
        Times::since(is_ns, 0)
    }

    /// Seconds with nine decimals, or ticks.
    pub fn time(self, ns: u64) -> String {
        let unit = match (self.is_ns, ns) {
            (true, _) => "s",
            (false, 1) => "tick",
            (false, _) => "ticks",
        };
        format!("{} {unit}", self.digits(ns))
    }

    /// The same without the unit.
    pub fn digits(self, ns: u64) -> String {
        if self.is_ns {
            format!("{}.{:09}", ns / 1_000_000_000, ns % 1_000_000_000)
        } else {
            ns.to_string()
        }
    }

    /// An instant as an absolute time of the trace's clock.
    pub fn at(self, at: Time) -> String {
        self.time(self.absolute(at))
    }

    /// The same as a number.
    pub fn absolute(self, at: Time) -> u64 {
        at.absolute(self.origin_ns)
    }

    /// An answer as JSON, its instants absolute.
    pub fn json(self, answer: &impl Serialize) -> Result<String, Failure> {
        json(&self.in_json(answer))
    }

    /// The same for a value that other code writes.
    pub fn in_json<T: Serialize + ?Sized>(self, answer: &T) -> Absolute<'_, T> {
        Absolute::new(answer, self.origin_ns)
    }

    /// A time, or `none`.
    pub fn maybe(self, ns: Option<u64>) -> String {
        ns.map_or_else(|| "none".to_owned(), |ns| self.time(ns))
    }

    /// A mean, to the nanosecond.
    pub fn mean(self, ns: Option<f64>) -> String {
        self.maybe(ns.map(|ns| ns.round() as u64))
    }
}

/// `comm-pid`, as trace-cmd names tasks.
pub fn task(comm: &str, pid: i32) -> String {
    match pid {
        -1 => "unknown".to_owned(),
        pid => format!("{}-{pid}", visible(comm)),
    }
}

/// A text as a field of CSV (RFC 4180), without hidden characters.
pub fn quoted(text: &str) -> Cow<'_, str> {
    let text = visible(text);
    match text.contains(['"', ',']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")).into(),
        false => text,
    }
}

/// A CPU, or a sign that it is not known.
pub fn cpu(cpu: Option<u32>) -> String {
    cpu.map_or_else(|| "?".to_owned(), |cpu| cpu.to_string())
}

/// The mark behind a line that may be wrong.
pub fn doubt(uncertain: bool) -> &'static str {
    match uncertain {
        true => "  (uncertain: records are missing)",
        false => "",
    }
}

/// An answer as JSON, its numbers as they are.
pub fn json(answer: &impl Serialize) -> Result<String, Failure> {
    serde_json::to_string_pretty(answer)
        .map(|json| json + "\n")
        .map_err(|error| Failure(error.to_string()))
}
