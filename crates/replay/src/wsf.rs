//! WARP's lists of workloads that run together (WSF): a file, or a workload that is made, in each line.
//!
//! ```text
//! #: workloads version=1
//! make.warp
//! server.dat offset=2s copies=3        begins two seconds later, three times
//! pairs:threads=8 speed=0.5            on CPUs half as fast
//! ```
//! Lines that begin with `#` are comments. `leave_out=COMM` and `endless=PREFIX` may be repeated. In names, a blank is `%20`, and
//! a percent sign `%25`.

use crate::policy::{parse_time, Ns};
use crate::text::{unquoted, TextError};

/// How a list begins that says what it is.
const HEAD: &str = "#: workloads";
/// The version of lists.
const VERSION: &str = "version=1";
/// The most lines: more than can run together.
const MOST: usize = 10_000;

/// A workload of a list.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// Its line; the first one is 1.
    pub line: u64,
    /// A file, or what is made.
    pub name: String,
    /// How much later than the first it begins.
    pub offset_ns: Ns,
    /// How many times it runs, at once.
    pub copies: u32,
    /// How fast its CPUs are, in thousandths of the recorded ones.
    pub speed: u32,
    /// Names of tasks that are left out.
    pub leave_out: Vec<String>,
    /// Names of tasks whose last burst goes on for ever begin so.
    pub endless: Vec<String>,
}

/// How fast CPUs are, in thousandths, from a factor as in `1.5`.
pub fn speed(text: &str) -> Option<u32> {
    let factor = text
        .parse::<f64>()
        .ok()
        .filter(|factor| (0.001..=1000.0).contains(factor));
    factor.map(|factor| (factor * 1000.0).round() as u32)
}

/// How many copies, from 1 to 10,000.
pub fn copies(text: &str) -> Option<u32> {
    text.parse().ok().filter(|copies| (1..=10_000).contains(copies))
}

/// What [`speed`] expects.
pub const SPEED: &str = "a factor from 0.001 to 1000";
/// What [`copies`] expects.
pub const COPIES: &str = "a number from 1 to 10000";

/// Whether a text says that it is a list.
pub fn is_list(bytes: &[u8]) -> bool {
    bytes.trim_ascii_start().starts_with(HEAD.as_bytes())
}

/// Reads a list.
pub fn read(text: &str) -> Result<Vec<Entry>, TextError> {
    let mut entries = Vec::new();
    for (line, text) in (1..).zip(text.lines()) {
        let text = text.trim();
        if let Some(rest) = text.strip_prefix(HEAD) {
            let version = rest.trim();
            if version != VERSION {
                let what = format!("`{version}` of lists of workloads: expected {VERSION}");
                return Err(TextError { line, what });
            }
            continue;
        }
        if text.is_empty() || text.starts_with('#') {
            continue;
        }
        if entries.len() == MOST {
            let what = format!("more than {MOST} workloads");
            return Err(TextError { line, what });
        }
        entries.push(entry(text, line).map_err(|what| TextError { line, what })?);
    }
    if entries.is_empty() {
        let what = "no workload: expected a file, or what is made, in each line".to_owned();
        return Err(TextError { line: 1, what });
    }
    Ok(entries)
}

fn entry(text: &str, line: u64) -> Result<Entry, String> {
    let mut words = text.split_ascii_whitespace();
    let mut entry = Entry {
        line,
        name: unquoted(words.next().unwrap_or_default())?,
        offset_ns: 0,
        copies: 1,
        speed: 1000,
        leave_out: Vec::new(),
        endless: Vec::new(),
    };
    for word in words {
        let (key, value) = word.split_once('=').unwrap_or((word, ""));
        let wrong = |expected: &str| format!("{key}=\"{value}\"; expected {expected}");
        match key {
            "offset" => {
                let offset = parse_time(value).filter(|&ns| ns <= schedmodel::MAX_TIME);
                entry.offset_ns = offset.ok_or_else(|| wrong("a time of at most 104 days, such as 2s"))?;
            }
            "copies" => entry.copies = copies(value).ok_or_else(|| wrong(COPIES))?,
            "speed" => entry.speed = speed(value).ok_or_else(|| wrong(SPEED))?,
            "leave_out" => entry.leave_out.push(unquoted(value)?),
            "endless" => entry.endless.push(unquoted(value)?),
            _ => {
                return Err(format!(
                    "`{word}` says nothing about a workload: expected offset, copies, speed, leave_out or endless"
                ))
            }
        }
    }
    Ok(entry)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_is_read() {
        let text = "#: workloads version=1\n# two\n\nmake%201.warp\npairs:threads=8 offset=2s copies=3 speed=0.5 leave_out=a endless=b%25\n";
        assert!(is_list(text.as_bytes()) && !is_list(b"make.warp"));
        let entries = read(text).unwrap();
        let names: Vec<_> = entries.iter().map(|entry| (entry.line, entry.name.as_str())).collect();
        assert_eq!(names, [(4, "make 1.warp"), (5, "pairs:threads=8")]);
        let second = &entries[1];
        assert_eq!((second.offset_ns, second.copies, second.speed), (2_000_000_000, 3, 500));
        assert_eq!(
            (&second.leave_out[..], &second.endless[..]),
            (&["a".to_owned()][..], &["b%".to_owned()][..])
        );
    }

    #[test]
    fn mistakes_are_told_with_their_line() {
        for (text, line, what) in [
            ("", 1, "no workload"),
            ("a\nb offset=2", 2, "such as 2s"),
            ("a copies=0", 1, "from 1 to 10000"),
            ("a speed=x", 1, "from 0.001 to 1000"),
            ("a\n\nb colour=red", 3, "`colour=red` says nothing about a workload"),
            ("#: workloads version=2\na", 1, "expected version=1"),
            ("%zz", 1, "is no name"),
        ] {
            let error = read(text).unwrap_err();
            assert!(error.line == line && error.what.contains(what), "{text}: {error}");
        }
    }
}
