//! The words of a line: numbers, times, CPUs, names and tasks.

/// CPUs that a kernel is built for, at most (`CONFIG_NR_CPUS`).
pub(crate) const MAX_CPUS: u32 = 8192;

/// What is not read yet of a line.
pub(crate) struct Words<'a>(pub &'a str);

impl<'a> Words<'a> {
    /// The next word, with its quotes; none at the end of the line or where a comment begins.
    pub fn next(&mut self) -> Option<&'a str> {
        let rest = self.0.trim_start();
        if rest.is_empty() || rest.starts_with('#') {
            self.0 = "";
            return None;
        }
        let quoted = quoted_len(rest).unwrap_or(0);
        let (_, tail) = rest.split_at_checked(quoted)?;
        let len = quoted + tail.find(char::is_whitespace).unwrap_or(tail.len());
        let (word, rest) = rest.split_at_checked(len)?;
        self.0 = rest;
        Some(word)
    }

    /// The next word, which the line needs.
    pub fn expect(&mut self, what: &str) -> Result<&'a str, String> {
        self.next()
            .ok_or_else(|| format!("the line ends where {what} should be"))
    }

    /// The rest of the line as it stands, without space at its ends.
    pub fn rest(&mut self) -> &'a str {
        std::mem::take(&mut self.0).trim()
    }

    /// Nothing but a comment may follow.
    pub fn end(&mut self) -> Result<(), String> {
        match self.next() {
            None => Ok(()),
            Some(word) => Err(format!("`{word}` where the line should end")),
        }
    }
}

/// Bytes of the quoted text that `text` begins with, quotes included.
fn quoted_len(text: &str) -> Option<usize> {
    let mut chars = text.strip_prefix('"')?.char_indices();
    while let Some((at, char)) = chars.next() {
        match char {
            '\\' => drop(chars.next()),
            '"' => return Some(at + 2),
            _ => {}
        }
    }
    None
}

/// A name, in quotes or without.
pub(crate) fn name(word: &str) -> Result<String, String> {
    let Some(quoted) = word.strip_prefix('"') else {
        return Ok(word.to_owned());
    };
    let inner = quoted
        .strip_suffix('"')
        .filter(|_| quoted_len(word) == Some(word.len()))
        .ok_or_else(|| format!("the quotes of {word} do not close at its end"))?;
    let mut name = String::new();
    let mut chars = inner.chars();
    while let Some(char) = chars.next() {
        name.push(match char {
            '\\' => {
                escaped(&mut chars).ok_or_else(|| format!("a \\ in {word} is followed by none of \" \\ u{{HEX}}"))?
            }
            _ => char,
        });
    }
    Ok(name)
}

/// What stands behind a backslash: `"`, `\`, or a character by its number, as in `u{7f}`.
fn escaped(chars: &mut std::str::Chars<'_>) -> Option<char> {
    match chars.next()? {
        plain @ ('"' | '\\') => Some(plain),
        'u' => {
            let (digits, rest) = chars.as_str().strip_prefix('{')?.split_once('}')?;
            *chars = rest.chars();
            char::from_u32(u32::from_str_radix(digits, 16).ok()?)
        }
        _ => None,
    }
}

/// A task as a line names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Task {
    /// What the CPU runs when there is nothing to run.
    Idle,
    /// `comm:pid`.
    Named { comm: String, pid: i32 },
}

/// `idle`, or a name and a PID.
pub(crate) fn task(word: &str) -> Result<Task, String> {
    if word == "idle" {
        return Ok(Task::Idle);
    }
    let parts = match quoted_len(word).and_then(|len| word.split_at_checked(len)) {
        Some((comm, pid)) => pid.strip_prefix(':').map(|pid| (comm, pid)),
        None => word.rsplit_once(':'),
    };
    let (comm, pid) = parts.ok_or_else(|| format!("`{word}` is no task: expected NAME:PID or idle"))?;
    Ok(Task::Named {
        comm: name(comm)?,
        pid: number(pid, "PID")?,
    })
}

/// A whole number that fits.
pub(crate) fn number<T: std::str::FromStr>(word: &str, what: &str) -> Result<T, String> {
    word.parse().map_err(|_| format!("`{word}` is no {what}"))
}

/// `cpu3`.
pub(crate) fn cpu(word: &str) -> Result<u32, String> {
    let number = word.strip_prefix("cpu").and_then(|digits| digits.parse().ok());
    number
        .filter(|&cpu| cpu < MAX_CPUS)
        .ok_or_else(|| format!("`{word}` is no CPU: expected cpu0 to cpu{}", MAX_CPUS - 1))
}

/// Nanoseconds of a time with its unit: `1.5s`, `20ms`, `3us`, `7ns`.
pub(crate) fn time(word: &str) -> Result<u64, String> {
    let wrong = || format!("`{word}` is no time: expected a number with s, ms, us or ns behind it, as in 1.25s");
    let (number, decimals) = [("ns", 0), ("us", 3), ("ms", 6), ("s", 9)]
        .iter()
        .find_map(|&(unit, decimals)| Some((word.strip_suffix(unit)?, decimals)))
        .ok_or_else(wrong)?;
    let (whole, fraction) = number.split_once('.').unwrap_or((number, "0"));
    let is_number = |digits: &str| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    if !is_number(whole) || !is_number(fraction) {
        return Err(wrong());
    }
    let fraction = fraction.trim_end_matches('0');
    if decimals < fraction.len() {
        return Err(format!("`{word}` has a part of a nanosecond"));
    }
    // As many digits as nanoseconds take: then there is one number to read.
    format!("{whole}{fraction:0<decimals$}")
        .parse()
        .ok()
        .filter(|&ns| ns <= i64::MAX as u64)
        .ok_or_else(|| format!("`{word}` is more than 292 years"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_exact() {
        for (text, ns) in [
            ("0s", 0),
            ("1.5s", 1_500_000_000),
            ("0.000000001s", 1),
            ("12.25ms", 12_250_000),
            ("3us", 3000),
            ("7.000ns", 7),
            ("9223372036.854775807s", i64::MAX as u64),
        ] {
            assert_eq!(time(text), Ok(ns), "{text}");
        }
        for text in [
            "3.1415us",
            "1",
            "s",
            "1.s",
            ".5s",
            "-1s",
            "+1s",
            "1e3s",
            "9223372037s",
            "1.5ns",
            "1 s",
        ] {
            assert!(time(text).is_err(), "{text}");
        }
    }

    #[test]
    fn words_keep_what_is_in_quotes_together() {
        let mut words = Words(r##" a  "b \" c":7 -> # d"##);
        let found: Vec<&str> = std::iter::from_fn(|| words.next()).collect();
        assert_eq!(found, ["a", r#""b \" c":7"#, "->"]);
        // An unclosed quote makes a word like any other, but one that is no name.
        assert_eq!(Words("\"a b").next(), Some("\"a"));
        assert!(name("\"a").is_err());
    }

    #[test]
    fn tasks_have_names_with_anything_in_them() {
        let named = |comm: &str, pid| {
            Ok(Task::Named {
                comm: comm.to_owned(),
                pid,
            })
        };
        assert_eq!(task("idle"), Ok(Task::Idle));
        assert_eq!(task("kworker/0:1H:33"), named("kworker/0:1H", 33));
        assert_eq!(task(":5"), named("", 5));
        assert_eq!(task(r#""my \"task\" \\ \u{e4}:1":-2"#), named("my \"task\" \\ ä:1", -2));
        for wrong in [
            "bash",
            "bash:",
            "bash:x",
            "bash:99999999999",
            r#""a"b:1"#,
            r#""a\n":1"#,
            r#""\u{d800}":1"#,
            "\"a:1",
        ] {
            assert!(task(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn cpus_are_bounded() {
        assert_eq!(cpu("cpu8191"), Ok(8191));
        for wrong in ["cpu8192", "cpu", "cpu-1", "1", "CPU1"] {
            assert!(cpu(wrong).is_err(), "{wrong}");
        }
    }
}
