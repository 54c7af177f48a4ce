//! What lines are made of: words, times, mistakes.

use std::fmt;
use std::str::FromStr;

/// The events.
pub(super) const WORDS: [&str; 7] = ["INIT", "FORK", "PRIO", "YIELD", "BLOCK", "WAKEUP", "EXIT"];

/// The longest time, in ns: 104 days, as in traces.
pub(super) const LONGEST: u64 = schedmodel::MAX_TIME;

/// A mistake in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextError {
    /// Its line; the first one is 1.
    pub line: u64,
    /// What was found, and what was expected.
    pub what: String,
}

impl fmt::Display for TextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.what)
    }
}

impl std::error::Error for TextError {}

/// Milliseconds, exactly.
pub(super) struct Ms(pub u64);

impl fmt::Display for Ms {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{:06}", self.0 / 1_000_000, self.0 % 1_000_000)
    }
}

/// Milliseconds with any number of decimals, in ns; what is less than a ns is left out.
pub(super) fn time(word: &str) -> Result<u64, String> {
    match ms(word)? {
        ns if LONGEST < ns => Err(format!("{word} ms is out of range: expected at most {}", Ms(LONGEST))),
        ns => Ok(ns),
    }
}

/// The same for a clock's reading, which may be any.
pub(super) fn instant(word: &str) -> Result<u64, String> {
    ms(word)
}

fn ms(word: &str) -> Result<u64, String> {
    let (whole, fraction) = word.split_once('.').unwrap_or((word, ""));
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if whole.is_empty() && fraction.is_empty() || !digits(whole) || !digits(fraction) {
        return Err(format!("`{word}` is no time: expected milliseconds, as in 12.5"));
    }
    let out_of_range = |_| format!("{word} ms is out of range");
    let whole: u64 = match whole {
        "" => 0,
        whole => whole.parse().map_err(out_of_range)?,
    };
    let (mut part, mut unit) = (0, 100_000);
    for digit in fraction.bytes() {
        part += u64::from(digit - b'0') * unit;
        unit /= 10;
    }
    let ns = whole.checked_mul(1_000_000).and_then(|ns| ns.checked_add(part));
    ns.ok_or_else(|| format!("{word} ms is out of range"))
}

/// A whole number.
pub(super) fn number<T: FromStr>(word: &str, what: &str) -> Result<T, String> {
    word.parse().map_err(|_| {
        let digits = word.strip_prefix('-').unwrap_or(word);
        match !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()) {
            true => format!("{word} is out of range for {what}"),
            false => format!("`{word}` is no number: expected {what}"),
        }
    })
}

/// A pid.
pub(super) fn pid_of(word: &str) -> Result<i32, String> {
    let pid: i32 = number(word, "a pid")?;
    match pid {
        0.. => Ok(pid),
        _ => Err(format!("{pid} is out of range for a pid")),
    }
}

/// The pid of a task.
pub(super) fn task_pid(word: &str) -> Result<i32, String> {
    match pid_of(word)? {
        0 => Err("pid 0 is that of idle CPUs: expected a task's".to_owned()),
        pid => Ok(pid),
    }
}

/// A kernel priority.
pub(super) fn prio(word: &str) -> Result<i16, String> {
    let prio = number(word, "a priority")?;
    match prio {
        -1..=139 => Ok(prio),
        _ => Err(format!("{prio} is out of range for a priority: expected -1 to 139")),
    }
}

/// A name without what would end it.
pub(super) fn quoted(name: &str) -> String {
    let mut text = String::with_capacity(name.len());
    for char in name.chars() {
        match char {
            '%' | ',' | ':' => text += &format!("%{:02X}", u32::from(char)),
            _ if char.is_ascii_graphic() || (!char.is_ascii() && !char.is_whitespace() && !char.is_control()) => {
                text.push(char);
            }
            _ => {
                let mut bytes = [0; 4];
                for byte in char.encode_utf8(&mut bytes).bytes() {
                    text += &format!("%{byte:02X}");
                }
            }
        }
    }
    text
}

/// What [`quoted`] wrote.
pub(crate) fn unquoted(word: &str) -> Result<String, String> {
    let mut bytes = Vec::with_capacity(word.len());
    let mut parts = word.split('%');
    bytes.extend(parts.next().unwrap_or_default().bytes());
    for part in parts {
        let code = part.get(..2).and_then(|code| u8::from_str_radix(code, 16).ok());
        bytes.push(code.ok_or_else(|| format!("`{word}` is no name: expected two hexadecimal digits after each %"))?);
        bytes.extend(part.bytes().skip(2));
    }
    String::from_utf8(bytes).map_err(|_| format!("`{word}` is no name: its bytes are not UTF-8"))
}
