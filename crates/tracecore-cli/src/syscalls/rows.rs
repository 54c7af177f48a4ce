//! The rows of calls as comma-separated values.

use schedquery::query::{CallReport, CallRow, CallsBy, Of, Split};

use crate::text::{quoted, Times};

/// The names of a split's columns.
pub const SPLIT: &str = "oncpu_ns,runnable_ns,sleeping_ns,blocked_ns,stopped_ns,unknown_ns,irq_ns";

pub fn csv(report: &CallReport, by: CallsBy, times: Times) -> String {
    let whose = match by {
        CallsBy::Call => "",
        CallsBy::Command => ",comm",
        CallsBy::Task => ",pid,generation",
        CallsBy::Process => ",process",
    };
    let mut out = format!(
        "call,nr{whose},calls,errors,interrupted,unfinished,unfinished_ns,sum_ns,min_ns,mean_ns,p50_ns,p90_ns,p99_ns,p999_ns,\
         max_ns,{SPLIT},longest_at_ns,longest_pid,longest_generation,longest_cpu,longest_ret\n"
    );
    for row in &report.rows {
        out += &line(row, times).join(",");
        out.push('\n');
    }
    out
}

fn line(row: &CallRow, times: Times) -> Vec<String> {
    let mut values = vec![quoted(&row.call).into_owned(), row.nr.to_string()];
    match &row.of {
        Of::All {} => {}
        Of::Command { comm } => values.push(quoted(comm).into_owned()),
        Of::Task { pid, generation } => values.extend([pid.to_string(), generation.to_string()]),
        Of::Process { process } => values.push(maybe(*process)),
    }
    let counts = [
        row.calls,
        row.errors,
        row.interrupted,
        row.unfinished,
        row.unfinished_ns,
    ];
    values.extend(counts.map(|count| count.to_string()));
    let spread = &row.duration_ns;
    values.extend([spread.sum.to_string(), maybe(spread.min), maybe(spread.mean)]);
    values.extend([spread.p50, spread.p90, spread.p99, spread.p999, spread.max].map(maybe));
    values.extend(split(&row.split));
    let longest = row.longest;
    values.extend([
        maybe(longest.map(|longest| times.absolute(longest.at_ns))),
        maybe(longest.map(|longest| longest.pid)),
        maybe(longest.map(|longest| longest.generation)),
        maybe(longest.map(|longest| longest.cpu)),
        maybe(longest.map(|longest| longest.ret)),
    ]);
    values
}

/// The values of [`SPLIT`].
pub fn split(split: &Split) -> [String; 7] {
    [
        split.oncpu_ns,
        split.runnable_ns,
        split.sleeping_ns,
        split.blocked_ns,
        split.stopped_ns,
        split.unknown_ns,
        split.irq_ns,
    ]
    .map(maybe)
}

/// A value, or nothing.
pub fn maybe(value: Option<impl ToString>) -> String {
    value.map(|value| value.to_string()).unwrap_or_default()
}
