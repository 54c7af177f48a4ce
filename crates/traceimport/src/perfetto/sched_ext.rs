//! Events of sched_ext: Perfetto has no messages for them, so they are generic ones, or described in the file.

use schedrows::{SchedExtEvent, SchedExtKind, SchedExtTold};

use super::bundle::RawEvent;
use super::cpu::Cpu;
use super::events::GENERIC;
use super::proto::{Fields, Value};

/// A field's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Content<'a> {
    Text(&'a [u8]),
    Number(i64),
}

impl Cpu {
    /// Keeps the event, if it is one of sched_ext; `id` is that of an event with a name in the file.
    pub(super) fn sched_ext(&mut self, id: u16, event: &RawEvent<'_>) {
        let events = self.reading.events.clone();
        let Some(kind) = events.sched_ext(id) else { return };
        let told = match event.kind {
            GENERIC => told(kind, &mut generic(event.body)),
            _ => told(
                kind,
                &mut events
                    .described(id, event.body)
                    .map(|(name, value)| (name, content(value))),
            ),
        };
        match told {
            Some(told) => self.scan.sched_ext.push(SchedExtEvent {
                ts: event.ts,
                writer: event.pid,
                told,
            }),
            None => self.broken_events += 1,
        }
    }
}

fn content(value: Value<'_>) -> Option<Content<'_>> {
    match value {
        Value::Bytes(text) => Some(Content::Text(text)),
        Value::Varint(number) => Some(Content::Number(number as i64)),
        _ => None,
    }
}

/// The fields of a `GenericFtraceEvent`: name, and one of text, signed and unsigned number.
fn generic(event: &[u8]) -> impl Iterator<Item = (&[u8], Option<Content<'_>>)> {
    let fields = Fields::new(event).filter_map(|(field, value)| match (field, value) {
        (2, Value::Bytes(field)) => Some(field),
        _ => None,
    });
    fields.map(|field| {
        let (mut name, mut found) = (&[][..], None);
        for (number, value) in Fields::new(field) {
            match (number, value) {
                (1, Value::Bytes(text)) => name = text,
                (3..=5, value) => found = content(value),
                _ => {}
            }
        }
        (name, found)
    })
}

/// What it says; numbers that are 0 may be absent.
fn told<'a>(
    kind: SchedExtKind,
    fields: &mut dyn Iterator<Item = (&'a [u8], Option<Content<'a>>)>,
) -> Option<SchedExtTold> {
    let (mut texts, mut delta): (Vec<String>, i64) = (Vec::new(), 0);
    for (name, value) in fields {
        match value {
            Some(Content::Text(text)) => texts.push(String::from_utf8_lossy(text).trim_end().to_owned()),
            Some(Content::Number(number)) if name == b"delta" => delta = number,
            _ => {}
        }
    }
    let first = |texts: Vec<String>| texts.into_iter().next();
    Some(match kind {
        SchedExtKind::Counter => SchedExtTold::Counter {
            name: first(texts)?,
            delta,
        },
        SchedExtKind::Dump => SchedExtTold::Dump(first(texts).unwrap_or_default()),
        SchedExtKind::Exit => SchedExtTold::Exit(texts.join(" ")),
    })
}
