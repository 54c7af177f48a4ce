//! Makes a filter ready for the formats of a trace: each of its comparisons is resolved once for each event.

use std::collections::BTreeMap;

use traceevent::{Endian, EventFormat, Field};

use crate::ast::{Expr, Filter, Op, Test, Value};
use crate::bound::{BoundFilter, End, Int, Node, Span, TextOf};
use crate::closest::hint;
use crate::error::FilterError;
use crate::glob::{Case, Glob};
use crate::places::{DERIVED, DISTANCES};
use crate::BUILT_IN;

/// An event that the trace knows.
#[derive(Clone, Copy, Debug)]
pub struct KnownEvent<'a> {
    /// What `common_type` holds in its records.
    pub id: u16,
    /// The system.
    pub system: &'a str,
    /// The name.
    pub name: &'a str,
    /// The fields.
    pub format: &'a EventFormat,
}

/// What the trace's times count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clock {
    /// Nanoseconds: `time` is compared in seconds.
    Nanoseconds,
    /// Something else: `time` is compared as it is.
    Ticks,
}

impl Filter {
    /// Resolves names and types. What no event has, and what fits the type of no event, is an error.
    pub fn bind<'a>(
        &self,
        events: impl IntoIterator<Item = KnownEvent<'a>>,
        endian: Endian,
        clock: Clock,
    ) -> Result<BoundFilter, FilterError> {
        let events: Vec<KnownEvent<'a>> = events.into_iter().collect();
        for pattern in &self.events {
            if !events.iter().any(|event| pattern.matches(event.system, event.name)) {
                let systems = events.iter().map(|event| event.system);
                let name = match &pattern.system {
                    Some(system) if !systems.clone().any(|known| known == system) => {
                        let near = hint(system, systems);
                        return Err(FilterError::new(
                            pattern.at.clone(),
                            format!("the trace knows no system `{system}`{near}"),
                        ));
                    }
                    Some(system) => format!("{system}/{}", pattern.name),
                    None => pattern.name.clone(),
                };
                let near = hint(&pattern.name, events.iter().map(|event| event.name));
                let message = format!("the trace knows no event `{name}`{near}");
                return Err(FilterError::new(pattern.at.clone(), message));
            }
        }
        let chosen = |event: &KnownEvent<'_>| {
            self.events.is_empty()
                || self
                    .events
                    .iter()
                    .any(|pattern| pattern.matches(event.system, event.name))
        };
        let mut binder = Binder {
            clock,
            seen: BTreeMap::new(),
        };
        let mut nodes: Vec<Node> = Vec::new();
        for event in events.iter().filter(|event| chosen(event)) {
            let node = self.expr.as_ref().map_or(Node::True, |expr| binder.node(expr, event));
            let id = usize::from(event.id);
            if nodes.len() <= id {
                nodes.resize_with(id + 1, || Node::False);
            }
            if let Some(slot) = nodes.get_mut(id) {
                *slot = node;
            }
        }
        if let Some(expr) = &self.expr {
            let fields = events
                .iter()
                .filter(|event| chosen(event))
                .flat_map(|event| event.format.fields.iter().map(|field| field.name.as_str()));
            binder.check(expr, || {
                BUILT_IN.into_iter().chain(DERIVED).chain(fields.clone()).collect()
            })?;
        }
        let common_pid = events
            .iter()
            .find_map(|event| event.format.field("common_pid")?.as_int());
        Ok(BoundFilter::new(nodes, common_pid, endian))
    }
}

/// What is known of a comparison, by where it begins.
#[derive(Default)]
struct Seen {
    /// It fits some event.
    fits: bool,
    /// Why it did not fit the first event that has the field, if it did not.
    error: Option<FilterError>,
}

struct Binder {
    clock: Clock,
    seen: BTreeMap<usize, Seen>,
}

/// What a name stands for in an event.
enum Meaning<'a> {
    /// A number.
    Int(Int),
    /// Where the record tells a time.
    Time,
    /// A text.
    Text(TextOf),
    /// The same text for all its records.
    Always(&'a str),
    /// The line, which is searched.
    Line,
    /// An address, which may be named as well.
    Address(Int),
    /// What cannot be compared.
    Other(&'static str),
}

impl Binder {
    fn node(&mut self, expr: &Expr, event: &KnownEvent<'_>) -> Node {
        match expr {
            Expr::Any(parts) => Node::any(parts.iter().map(|part| self.node(part, event)).collect()),
            Expr::All(parts) => Node::all(parts.iter().map(|part| self.node(part, event)).collect()),
            Expr::Not(part) => self.node(part, event).not(),
            Expr::Test(test) => self.test(test, event),
        }
    }

    /// A comparison for an event; no record of an event that lacks the field passes.
    fn test(&mut self, test: &Test, event: &KnownEvent<'_>) -> Node {
        let found =
            meaning(&test.field.text, test.field.function, event).map(|meaning| self.compare(test, event, meaning));
        let seen = self.seen.entry(test.field.at.start).or_default();
        match found {
            None => Node::False,
            Some(Ok(node)) => {
                seen.fits = true;
                node
            }
            Some(Err(error)) => {
                seen.error.get_or_insert(error);
                Node::False
            }
        }
    }

    fn compare(&self, test: &Test, event: &KnownEvent<'_>, meaning: Meaning<'_>) -> Result<Node, FilterError> {
        let name = &test.field.text;
        let wrong = |message: String| FilterError::new(test.at(), message);
        let is_text = matches!(test.value, Value::Text(_) | Value::Word(_));
        match meaning {
            Meaning::Other(what) => Err(wrong(format!("`{name}` is {what}, which cannot be compared"))),
            Meaning::Line => match (test.op, text_of(&test.value)) {
                (Op::Like, Some(text)) => Ok(Node::Line(Glob::within(text, Case::Same))),
                (Op::NotLike, Some(text)) => Ok(Node::Line(Glob::within(text, Case::Same)).not()),
                (Op::Like | Op::NotLike, None) => Err(wrong(format!(
                    "`{name}` is a text and {} a number: put it in quotes",
                    test.value
                ))),
                _ => Err(wrong(format!("`{name}` is the whole line: it takes ~ and !~"))),
            },
            Meaning::Time => self.time(test).map_err(wrong),
            Meaning::Int(int) => self.int(test, event, int).map_err(wrong),
            Meaning::Address(int) if is_text => text_test(test, TextOf::Function(int)).map_err(wrong),
            Meaning::Address(int) => self.int(test, event, int).map_err(wrong),
            Meaning::Text(of) => text_test(test, of).map_err(wrong),
            Meaning::Always(text) => {
                let node = text_test(test, TextOf::Comm).map_err(wrong)?;
                Ok(Node::of(node.decides(text.as_bytes())))
            }
        }
    }

    fn int(&self, test: &Test, event: &KnownEvent<'_>, left: Int) -> Result<Node, String> {
        let name = &test.field.text;
        if matches!(test.op, Op::Like | Op::NotLike) {
            return Err(format!("`{name}` is a number: {} takes a text", test.op.sign()));
        }
        match &test.value {
            Value::Int(value) => Ok(Node::Int(left, test.op, *value)),
            Value::Seconds(_) => Err(format!("`{name}` is a whole number")),
            Value::Text(text) => Err(format!("`{name}` is a number, and \"{text}\" a text")),
            Value::Word(word) => match meaning(word, false, event) {
                Some(Meaning::Int(right) | Meaning::Address(right)) => Ok(Node::Ints(left, test.op, right)),
                Some(_) => Err(format!("`{name}` is a number, and `{word}` is not")),
                None => Err(format!(
                    "`{name}` is a number, and `{word}` neither a number nor a field of {}",
                    event.name
                )),
            },
        }
    }

    fn time(&self, test: &Test) -> Result<Node, String> {
        let name = &test.field.text;
        let value = match (&test.value, self.clock) {
            (Value::Int(seconds), Clock::Nanoseconds) => seconds.saturating_mul(1_000_000_000),
            (Value::Int(ticks), Clock::Ticks) => *ticks,
            (Value::Seconds(ns), Clock::Nanoseconds) => *ns,
            (Value::Seconds(_), Clock::Ticks) => return Err(format!("`{name}` counts ticks in this trace")),
            _ => return Err(format!("`{name}` is a number of seconds")),
        };
        match test.op {
            Op::Like | Op::NotLike | Op::Bits => Err(format!("`{name}` takes == != < <= > >=")),
            op => Ok(Node::Int(Int::Time, op, value)),
        }
    }

    /// The first comparison that fits no event, as an error.
    fn check<'n>(&self, expr: &Expr, names: impl Fn() -> Vec<&'n str> + Clone) -> Result<(), FilterError> {
        match expr {
            Expr::Any(parts) | Expr::All(parts) => parts.iter().try_for_each(|part| self.check(part, names.clone())),
            Expr::Not(part) => self.check(part, names),
            Expr::Test(test) => match self.seen.get(&test.field.at.start) {
                Some(Seen { fits: true, .. }) => Ok(()),
                Some(Seen { error: Some(error), .. }) => Err(error.clone()),
                _ => {
                    let name = &test.field.text;
                    let message = format!("no event has a field `{name}`{}", hint(name, names()));
                    Err(FilterError::new(test.field.at.clone(), message))
                }
            },
        }
    }
}

/// What a name stands for: the event's own field, else what every event has.
fn meaning<'a>(name: &str, function: bool, event: &KnownEvent<'a>) -> Option<Meaning<'a>> {
    let own = |name: &str| event.format.fields.iter().find(|field| field.name == name);
    if let Some(field) = own(name) {
        return Some(match field_meaning(field) {
            Meaning::Int(int) | Meaning::Address(int) if function => Meaning::Text(TextOf::Function(int)),
            _ if function => Meaning::Other("no address"),
            found => found,
        });
    }
    let found = match name {
        "comm" | "COMM" => Meaning::Text(TextOf::Comm),
        "cpu" | "CPU" => Meaning::Int(Int::Cpu),
        "pid" => field_meaning(own("common_pid")?),
        "event" => Meaning::Always(event.name),
        "system" => Meaning::Always(event.system),
        "time" | "ts" => Meaning::Time,
        "text" => Meaning::Line,
        "orig_cpu" | "distance" => return derived(name, function, event),
        _ => return None,
    };
    Some(if function { Meaning::Other("no address") } else { found })
}

/// A field that is derived from where tasks ran: of wakeups, switches and migrations.
fn derived(name: &str, function: bool, event: &KnownEvent<'_>) -> Option<Meaning<'static>> {
    let own = |name: &str| event.format.field(name)?.as_int();
    if event.system != "sched" {
        return None;
    }
    let span = match (own("orig_cpu"), own("dest_cpu"), own("target_cpu"), own("next_pid")) {
        (Some(from), Some(to), ..) => Span {
            from: End::Field(from),
            to: End::Field(to),
        },
        (_, _, Some(to), _) => Span {
            from: End::Last(own("pid")?),
            to: End::Field(to),
        },
        (.., Some(next)) => Span {
            from: End::Last(next),
            to: End::Cpu,
        },
        _ => return None,
    };
    Some(match (name, span.from) {
        _ if function => Meaning::Other("no address"),
        ("distance", _) => Meaning::Text(TextOf::Distance(span)),
        (_, End::Last(pid)) => Meaning::Int(Int::LastCpu(pid)),
        _ => return None,
    })
}

fn field_meaning(field: &Field) -> Meaning<'static> {
    if let Some(load) = field.as_int() {
        let int = Int::Field {
            load,
            unsigned: !field.signed && field.size == 8,
        };
        return match field.type_name.ends_with('*') {
            true => Meaning::Address(int),
            false => Meaning::Int(int),
        };
    }
    let is_char = field
        .type_name
        .split_whitespace()
        .any(|word| word == "char" || word == "char[]");
    match field.as_text() {
        Some(text) if is_char => Meaning::Text(TextOf::Field(text)),
        Some(_) => Meaning::Other("a list of numbers"),
        None => Meaning::Other("no number"),
    }
}

fn text_of(value: &Value) -> Option<&str> {
    match value {
        Value::Text(text) | Value::Word(text) => Some(text),
        Value::Int(_) | Value::Seconds(_) => None,
    }
}

fn text_test(test: &Test, of: TextOf) -> Result<Node, String> {
    let name = &test.field.text;
    let Some(text) = text_of(&test.value) else {
        return Err(format!(
            "`{name}` is a text, and {} a number: put it in quotes",
            test.value
        ));
    };
    if matches!(of, TextOf::Distance(_)) && matches!(test.op, Op::Equal | Op::NotEqual) && !DISTANCES.contains(&text) {
        return Err(format!("`{name}` is one of {}", DISTANCES.join(", ")));
    }
    match test.op {
        Op::Equal => Ok(Node::Same(of, text.as_bytes().into(), true)),
        Op::NotEqual => Ok(Node::Same(of, text.as_bytes().into(), false)),
        Op::Like => Ok(Node::Like(of, Glob::new(text, Case::Told), true)),
        Op::NotLike => Ok(Node::Like(of, Glob::new(text, Case::Told), false)),
        _ => Err(format!(
            "`{name}` is a text: it takes == != ~ !~, and not {}",
            test.op.sign()
        )),
    }
}
