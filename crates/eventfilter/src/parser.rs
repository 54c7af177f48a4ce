//! Reads a filter. What stands to the right of a comparison is read by other rules than names are, so there is no
//! separate lexer.

use std::ops::Range;

use crate::ast::{EventPattern, Expr, Filter, Name, Op, Test, Value};
use crate::error::FilterError;

/// The longest text, in bytes.
pub const MAX_LENGTH: usize = 8192;
/// How deep parentheses and `!` may nest.
pub const MAX_DEPTH: usize = 64;

impl Filter {
    /// Reads a filter, with or without events before it.
    pub fn parse(text: &str) -> Result<Filter, FilterError> {
        if MAX_LENGTH < text.len() {
            let message = format!("the filter has {} bytes; at most {MAX_LENGTH} are read", text.len());
            return Err(FilterError::new(0..text.len(), message));
        }
        let mut parser = Parser { text, at: 0 };
        let events = parser.events();
        parser.space();
        if parser.rest().is_empty() {
            let missing = || FilterError::new(parser.here(), "the filter is empty");
            return match events.is_empty() {
                true => Err(missing()),
                false => Ok(Filter { events, expr: None }),
            };
        }
        let expr = parser.any(0)?;
        match parser.rest().is_empty() {
            true => Ok(Filter {
                events,
                expr: Some(expr),
            }),
            false => Err(parser.wrong("expected `&&`, `||` or the end")),
        }
    }
}

struct Parser<'t> {
    text: &'t str,
    /// Always between two characters.
    at: usize,
}

impl<'t> Parser<'t> {
    fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn here(&self) -> Range<usize> {
        self.at..self.at
    }

    fn space(&mut self) {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start().len();
    }

    fn take(&mut self, sign: &str) -> bool {
        let found = self.rest().starts_with(sign);
        if found {
            self.at += sign.len();
        }
        found
    }

    fn take_while(&mut self, belongs: impl Fn(char) -> bool) -> &'t str {
        let rest = self.rest();
        let end = rest.find(|c| !belongs(c)).unwrap_or(rest.len());
        self.at += end;
        rest.get(..end).unwrap_or_default()
    }

    /// What is here is wrong.
    fn wrong(&self, expected: &str) -> FilterError {
        let rest = self.rest();
        let len = rest.find(|c: char| c.is_whitespace() || c == ')').unwrap_or(rest.len());
        let len = if len == 0 {
            rest.chars().next().map_or(0, char::len_utf8)
        } else {
            len
        };
        let found = rest.get(..len).unwrap_or_default();
        let found = match found {
            "" => "the end of the filter".to_owned(),
            found => format!("`{}`", found.chars().take(40).collect::<String>()),
        };
        FilterError::new(self.at..self.at + len, format!("{expected}, found {found}"))
    }

    /// The events before the first colon, or those that are all there is; none, and nothing read, where the text begins
    /// otherwise.
    fn events(&mut self) -> Vec<EventPattern> {
        let start = self.at;
        let mut events = Vec::new();
        loop {
            self.space();
            let from = self.at;
            let first = self.take_while(is_event);
            let slash = self.take("/");
            let second = if slash { self.take_while(is_event) } else { "" };
            let at = from..self.at;
            self.space();
            let colon = self.rest().starts_with(':');
            let last = colon || self.rest().is_empty();
            if first.is_empty() || (slash && second.is_empty()) || !(last || self.rest().starts_with(',')) {
                self.at = start;
                return Vec::new();
            }
            // The colon or the comma.
            self.at = self.text.len().min(self.at + 1);
            let (mut system, mut name, mut at) = match slash {
                true => (Some(first.to_owned()), second, at),
                false => (None, first, at),
            };
            if colon && !slash {
                // `sched:sched_switch`, as the kernel writes it, and `sched:sched_switch: next_prio < 100`.
                let behind = self.at;
                let more = self.take_while(is_event);
                let end = self.at;
                self.space();
                if !more.is_empty() && (self.rest().is_empty() || self.take(":")) {
                    (system, name, at) = (Some(first.to_owned()), more, from..end);
                } else {
                    self.at = behind;
                }
            }
            events.push(EventPattern {
                system,
                name: name.to_owned(),
                at,
            });
            if last {
                return events;
            }
        }
    }

    fn any(&mut self, depth: usize) -> Result<Expr, FilterError> {
        let mut parts = vec![self.all(depth)?];
        while self.take("||") {
            parts.push(self.all(depth)?);
        }
        Ok(joined(parts, Expr::Any))
    }

    fn all(&mut self, depth: usize) -> Result<Expr, FilterError> {
        let mut parts = vec![self.one(depth)?];
        while self.take("&&") {
            parts.push(self.one(depth)?);
        }
        Ok(joined(parts, Expr::All))
    }

    fn one(&mut self, depth: usize) -> Result<Expr, FilterError> {
        self.space();
        let from = self.at;
        if MAX_DEPTH <= depth {
            let message = format!("more than {MAX_DEPTH} parentheses and `!` within each other");
            return Err(FilterError::new(from..from + 1, message));
        }
        let expr = if self.take("!") {
            Expr::Not(Box::new(self.one(depth + 1)?))
        } else if self.take("(") {
            let inner = self.any(depth + 1)?;
            if !self.take(")") {
                return Err(match self.rest() {
                    "" => FilterError::new(from..from + 1, "this parenthesis is not closed"),
                    _ => self.wrong("expected `&&`, `||` or `)`"),
                });
            }
            inner
        } else {
            Expr::Test(self.test()?)
        };
        self.space();
        Ok(expr)
    }

    fn test(&mut self) -> Result<Test, FilterError> {
        let from = self.at;
        if !self.rest().starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
            return Err(self.wrong("expected a field"));
        }
        let name = self.take_while(is_name);
        let function = self.take(".function");
        let field = Name {
            text: name.to_owned(),
            function,
            at: from..self.at,
        };
        self.space();
        let op = self.op(&field)?;
        self.space();
        let value_from = self.at;
        let value = self.value(op)?;
        Ok(Test {
            field,
            op,
            value,
            value_at: value_from..self.at,
        })
    }

    fn op(&mut self, field: &Name) -> Result<Op, FilterError> {
        let rest = self.rest();
        if rest.starts_with("=~") {
            let message =
                "`=~` takes regular expressions, which are not read: `~` takes a pattern of `*`, `?` and `[a-z]`";
            return Err(FilterError::new(self.at..self.at + 2, message));
        }
        if rest.starts_with('=') && !rest.starts_with("==") {
            return Err(FilterError::new(
                self.at..self.at + 1,
                "`=` compares nothing: `==` does",
            ));
        }
        let found = Op::ALL
            .iter()
            .find(|(sign, _)| rest.starts_with(sign) && !rest.starts_with("&&"));
        match found {
            Some((sign, op)) => {
                self.at += sign.len();
                Ok(*op)
            }
            None if rest.is_empty() || rest.starts_with(['&', '|', ')']) => {
                let message = format!("`{}` is compared with nothing", field.text);
                Err(FilterError::new(field.at.clone(), message))
            }
            None => Err(self.wrong("expected one of == != < <= > >= & ~ !~")),
        }
    }

    fn value(&mut self, op: Op) -> Result<Value, FilterError> {
        if let Some(quote) = self.rest().chars().next().filter(|c| matches!(c, '"' | '\'')) {
            return self.quoted(quote).map(Value::Text);
        }
        let from = self.at;
        let is_pattern = matches!(op, Op::Like | Op::NotLike);
        let word = self.take_while(|c| is_word(c) || (is_pattern && c == '!'));
        if word.is_empty() {
            return Err(self.wrong("expected a number, a text or a field"));
        }
        let digits = word.strip_prefix(['-', '+']).unwrap_or(word);
        if !digits.starts_with(|c: char| c.is_ascii_digit()) {
            return Ok(Value::Word(word.to_owned()));
        }
        // `2048-bash` is a word; a number that is too large is an error.
        match number(word) {
            Some(Ok(value)) => Ok(value),
            Some(Err(())) => Err(FilterError::new(
                from..self.at,
                format!("`{word}` has more than 64 bits"),
            )),
            None => Ok(Value::Word(word.to_owned())),
        }
    }

    /// A text in quotes: `\` before a quote or another `\` is left out.
    fn quoted(&mut self, quote: char) -> Result<String, FilterError> {
        let from = self.at;
        self.at += 1;
        let mut out = String::new();
        let mut chars = self.rest().char_indices().peekable();
        while let Some((index, c)) = chars.next() {
            if c == quote {
                self.at += index + 1;
                return Ok(out);
            }
            let escaped = chars.next_if(|&(_, next)| c == '\\' && (next == quote || next == '\\'));
            out.push(escaped.map_or(c, |(_, next)| next));
        }
        Err(FilterError::new(
            from..self.text.len(),
            format!("the text has no {quote} at its end"),
        ))
    }
}

/// What an event's name and a pattern of such consist of.
fn is_event(c: char) -> bool {
    is_name(c) || matches!(c, '*' | '?' | '-' | '.')
}

fn is_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// What needs no quotes to the right of a comparison.
fn is_word(c: char) -> bool {
    !c.is_whitespace()
        && !c.is_control()
        && !matches!(c, '(' | ')' | '&' | '|' | '!' | '=' | '<' | '>' | '~' | '"' | '\'')
}

fn joined(mut parts: Vec<Expr>, join: impl Fn(Vec<Expr>) -> Expr) -> Expr {
    match (parts.len(), parts.pop()) {
        (1, Some(only)) => only,
        (_, last) => {
            parts.extend(last);
            join(parts)
        }
    }
}

/// A number: decimal, hexadecimal, with decimals, negative. `None` for a word that merely begins with a digit; an error for
/// what has more bits than any field.
fn number(word: &str) -> Option<Result<Value, ()>> {
    let (negative, digits) = match word.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, word.strip_prefix('+').unwrap_or(word)),
    };
    let signed = |value: i128| if negative { -value } else { value };
    let in_range = |value: i128| (i128::from(i64::MIN)..=i128::from(u64::MAX)).contains(&signed(value));
    let all = |digits: &str, radix: u32| !digits.is_empty() && digits.chars().all(|c| c.is_digit(radix));
    let parsed = |digits: &str, radix: u32| match i128::from_str_radix(digits, radix) {
        Ok(value) if in_range(value) => Ok(value),
        _ => Err(()),
    };
    if let Some(hex) = digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        return all(hex, 16).then(|| parsed(hex, 16).map(|value| Value::Int(signed(value))));
    }
    if let Some((whole, fraction)) = digits.split_once('.') {
        return (all(whole, 10) && all(fraction, 10)).then(|| {
            let nanos: String = fraction.chars().chain("000000000".chars()).take(9).collect();
            let ns = parsed(whole, 10)? * 1_000_000_000 + parsed(&nanos, 10)?;
            Ok(Value::Seconds(signed(ns)))
        });
    }
    all(digits, 10).then(|| parsed(digits, 10).map(|value| Value::Int(signed(value))))
}
