//! How the values of a figure's options are read.

use std::ops::RangeInclusive;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use schedfigure::COMM;

use crate::selection::nanoseconds;

/// Reads one of some values that have names.
pub fn one_of<T: Copy + Send + Sync + 'static>(
    all: &'static [T],
    name: fn(T) -> &'static str,
) -> impl TypedValueParser<Value = T> {
    PossibleValuesParser::new(all.iter().map(|&one| name(one)))
        .try_map(move |word| all.iter().copied().find(|&one| name(one) == word).ok_or("not known"))
}

/// A CPU and a time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CpuTime {
    pub cpu: u32,
    /// The absolute time.
    pub at: u64,
}

/// Reads `3@12.5`.
pub fn cpu_time(text: &str) -> Result<CpuTime, String> {
    let parts = text
        .split_once('@')
        .and_then(|(cpu, at)| Some((cpu.parse().ok()?, nanoseconds(at).ok()?)));
    let (cpu, at) = parts.ok_or_else(|| format!("`{text}` is no place; expected a CPU and a time, as in 3@12.5"))?;
    Ok(CpuTime { cpu, at })
}

/// A text at a time.
#[derive(Clone, Debug, PartialEq)]
pub struct NoteAt {
    pub cpu: Option<u32>,
    /// The absolute time.
    pub at: u64,
    pub text: String,
}

/// Reads `12.5=slow here` and `3@12.5=slow here`.
pub fn note(argument: &str) -> Result<NoteAt, String> {
    let wrong = || format!("`{argument}` is no note; expected a time and a text, as in 12.5=slow or 3@12.5=slow");
    let (place, text) = argument.split_once('=').ok_or_else(wrong)?;
    let (cpu, at) = match place.split_once('@') {
        None => (None, place),
        Some((cpu, at)) => (Some(cpu.parse().map_err(|_| wrong())?), at),
    };
    let (at, text) = (nanoseconds(at).map_err(|_| wrong())?, text.to_owned());
    Ok(NoteAt { cpu, at, text })
}

/// Reads `A=12.5`.
pub fn mark(argument: &str) -> Result<NoteAt, String> {
    let parts = argument.split_once('=').and_then(|(name, at)| {
        let name = ["A", "B"].into_iter().find(|known| known.eq_ignore_ascii_case(name))?;
        Some((name, nanoseconds(at).ok()?))
    });
    let (name, at) =
        parts.ok_or_else(|| format!("`{argument}` is no mark; expected A or B and a time, as in A=12.5"))?;
    Ok(NoteAt {
        cpu: None,
        at,
        text: name.to_owned(),
    })
}

/// A task, or all tasks with a name.
#[derive(Clone, Debug, PartialEq)]
pub enum TaskArg {
    Pid(i32),
    Comm(String),
}

/// Reads `1234`, `hackbench` and, for commands with names like numbers, `comm:1234`.
pub fn task(text: &str) -> Result<TaskArg, String> {
    Ok(match (text.strip_prefix(COMM), text.parse()) {
        (Some(comm), _) => TaskArg::Comm(comm.to_owned()),
        (None, Ok(pid)) => TaskArg::Pid(pid),
        (None, Err(_)) => TaskArg::Comm(text.to_owned()),
    })
}

/// Reads the length of a figure's side in mm: at least that of a stamp, at most twice the longest side of A0.
pub fn side(text: &str) -> Result<f64, String> {
    millimetres(text, 20.0..=2400.0)
}

/// Reads the size of a printed dot in mm: at least what the best printers can do, at most what everybody sees.
pub fn dot(text: &str) -> Result<f64, String> {
    millimetres(text, 0.01..=5.0)
}

fn millimetres(text: &str, range: RangeInclusive<f64>) -> Result<f64, String> {
    let wrong = || {
        let (from, to) = (range.start(), range.end());
        format!("`{text}` is out of range; expected millimetres, from {from} to {to}")
    };
    text.parse()
        .ok()
        .filter(|length| range.contains(length))
        .ok_or_else(wrong)
}

#[cfg(test)]
mod tests {
    use super::{cpu_time, dot, mark, note, side, task, TaskArg};

    #[test]
    fn what_is_not_understood_says_what_is_expected() {
        for (error, expected) in [
            (cpu_time("3").unwrap_err(), "3@12.5"),
            (cpu_time("x@1").unwrap_err(), "3@12.5"),
            (note("12.5").unwrap_err(), "12.5=slow"),
            (note("-1@2=x").unwrap_err(), "12.5=slow"),
            (mark("C=1").unwrap_err(), "A=12.5"),
            (side("1e9").unwrap_err(), "from 20 to 2400"),
            (side("NaN").unwrap_err(), "from 20 to 2400"),
            (dot("0").unwrap_err(), "from 0.01 to 5"),
        ] {
            assert!(error.contains(expected), "{error}");
        }
    }

    #[test]
    fn notes_may_hold_what_parts_them() {
        let found = note("3@1.5=a=b@c").unwrap();
        assert_eq!(
            (found.cpu, found.at, found.text.as_str()),
            (Some(3), 1_500_000_000, "a=b@c")
        );
        assert_eq!(mark("b=2").unwrap().text, "B");
    }

    #[test]
    fn tasks_are_pids_or_names() {
        assert_eq!(task("12"), Ok(TaskArg::Pid(12)));
        assert_eq!(task("comm:12"), Ok(TaskArg::Comm("12".to_owned())));
        assert_eq!(task("ua.C.x"), Ok(TaskArg::Comm("ua.C.x".to_owned())));
    }
}
