//! Records as events of Perfetto: each event's fields bound once to the numbers of its message.

use std::collections::HashMap;

use schedrows::{Context, StateCode};
use tracedat::file::{ReadAt, TraceFile};
use tracedat::of_tasks::OfTasks;
use tracedat::scan::StateDecoder;
use traceevent::{slice, until_nul, Endian, EventFormat, Field, FieldShape, IntField};

use super::messages::{message, Message};
use super::proto::Proto;

// FtraceEvent.
const TIMESTAMP: u32 = 1;
const PID: u32 = 2;
const COMMON_FLAGS: u32 = 5;
const GENERIC: u32 = 327;
// GenericFtraceEvent, and its Field.
const EVENT_NAME: u32 = 1;
const FIELD: u32 = 2;
const FIELD_NAME: u32 = 1;
const STR_VALUE: u32 = 3;
const INT_VALUE: u32 = 4;
const UINT_VALUE: u32 = 5;

/// The fields that all events have; they are written in other places.
const COMMON: &str = "common_";

/// What is in a field.
#[derive(Clone, Copy)]
enum Value {
    Int {
        field: IntField,
        signed: bool,
    },
    /// Integers of `size` bytes, one behind the other.
    Ints {
        at: usize,
        size: usize,
        count: usize,
    },
    Text(Place),
    /// Bytes that no message has a type for.
    Hex(Place),
    PrevState(IntField),
}

/// Of an array.
#[derive(Clone, Copy)]
enum Place {
    Fixed {
        at: usize,
        size: usize,
    },
    /// A word with offset and length; `base` is added to the offset.
    Located {
        word: usize,
        base: usize,
    },
}

impl Place {
    fn of(field: &Field) -> Place {
        match field.shape {
            FieldShape::DataLoc => Place::Located {
                word: field.offset,
                base: 0,
            },
            FieldShape::RelLoc => Place::Located {
                word: field.offset,
                base: field.offset + field.size,
            },
            _ => Place::Fixed {
                at: field.offset,
                size: field.size,
            },
        }
    }

    fn load(self, record: &[u8], endian: Endian) -> Option<&[u8]> {
        match self {
            // Without a size it takes the rest.
            Place::Fixed { at, size: 0 } => record.get(at..),
            Place::Fixed { at, size } => slice(record, at, size),
            Place::Located { word, base } => {
                let word = endian.u32(record, word)?;
                slice(record, base + (word & 0xffff) as usize, (word >> 16) as usize)
            }
        }
    }
}

/// How an event is written.
struct Bound {
    pid: Option<IntField>,
    flags: Option<IntField>,
    body: Body,
}

enum Body {
    Own { number: u32, fields: Vec<(u32, Value)> },
    Generic { name: String, fields: Vec<(String, Value)> },
}

/// Writes the events of a file.
pub(super) struct Events<'f, R: ReadAt> {
    file: &'f TraceFile<R>,
    endian: Endian,
    by_id: HashMap<u16, Option<Bound>>,
    states: StateDecoder,
    of_tasks: Option<OfTasks>,
    tells_context: bool,
    body: Vec<u8>,
    field: Vec<u8>,
}

impl<'f, R: ReadAt> Events<'f, R> {
    /// Of these tasks, or of all. `tells_context`: whether flags without an interrupt say that there was none.
    pub fn new(file: &'f TraceFile<R>, of_tasks: Option<OfTasks>, tells_context: bool) -> Self {
        Events {
            of_tasks,
            tells_context,
            file,
            endian: file.endian(),
            by_id: HashMap::new(),
            states: StateDecoder::of_file(file),
            body: Vec::new(),
            field: Vec::new(),
        }
    }

    /// Whether it is to be written.
    pub fn has(&self, id: u16, data: &[u8]) -> bool {
        self.of_tasks.as_ref().is_none_or(|of| of.has(id, data))
    }

    /// Appends the record of an event as an `FtraceEvent` without its tag; false for one whose format is not known.
    pub fn write(&mut self, id: u16, ts: u64, data: &[u8], out: &mut Vec<u8>) -> bool {
        let file = self.file;
        let Some(bound) = self.by_id.entry(id).or_insert_with(|| bind(file, id)) else {
            return false;
        };
        let endian = self.endian;
        let common = |field: Option<IntField>| field.and_then(|field| field.load(data, endian)).unwrap_or(0);
        out.number(TIMESTAMP, ts);
        out.number(PID, u64::from(common(bound.pid) as u32));
        self.body.clear();
        match &bound.body {
            Body::Own { number, fields } => {
                for (field, value) in fields {
                    put(*field, *value, data, endian, &mut self.states, &mut self.body);
                }
                out.bytes(*number, &self.body);
            }
            Body::Generic { name, fields } => {
                self.body.bytes(EVENT_NAME, name.as_bytes());
                for (name, value) in fields {
                    self.field.clear();
                    self.field.bytes(FIELD_NAME, name.as_bytes());
                    let number = match value {
                        Value::Text(_) | Value::Hex(_) | Value::Ints { .. } => STR_VALUE,
                        Value::Int { signed: false, .. } => UINT_VALUE,
                        Value::Int { .. } | Value::PrevState(_) => INT_VALUE,
                    };
                    put(number, *value, data, endian, &mut self.states, &mut self.field);
                    self.body.bytes(FIELD, &self.field);
                }
                out.bytes(GENERIC, &self.body);
            }
        }
        let flags = common(bound.flags) as u64;
        // An event without flags is one of which it is not known what interrupted its task.
        if self.tells_context || Context::of_flags(flags as u8) != Context::default() {
            out.number(COMMON_FLAGS, flags);
        }
        true
    }
}

fn put(number: u32, value: Value, data: &[u8], endian: Endian, states: &mut StateDecoder, out: &mut Vec<u8>) {
    match value {
        Value::Int { field, .. } => {
            if let Some(value) = field.load(data, endian) {
                out.number(number, value as u64);
            }
        }
        Value::PrevState(field) => {
            if let Some(value) = field.load(data, endian) {
                out.number(number, prev_state(states.decode(value)));
            }
        }
        Value::Ints { at, size, count } => {
            for at in (at..).step_by(size.max(1)).take(count) {
                if let Some(value) = unsigned(data, at, size, endian) {
                    out.number(number, value);
                }
            }
        }
        Value::Text(place) => {
            let text = place.load(data, endian).map(until_nul).unwrap_or_default();
            out.bytes(number, String::from_utf8_lossy(text).as_bytes());
        }
        Value::Hex(place) => {
            let bytes = place.load(data, endian).unwrap_or_default();
            let text: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
            out.bytes(number, text.as_bytes());
        }
    }
}

fn unsigned(data: &[u8], at: usize, size: usize, endian: Endian) -> Option<u64> {
    match size {
        4 => endian.u32(data, at).map(u64::from),
        _ => endian.u64(data, at),
    }
}

fn bind<R: ReadAt>(file: &TraceFile<R>, id: u16) -> Option<Bound> {
    let format = file.event_format(id)?;
    let (system, name) = file.event_name(id)?;
    let int = |name: &str| format.field(name).and_then(Field::as_int);
    let body = own(system, name, format).unwrap_or_else(|| generic(name, format));
    Some(Bound {
        pid: int("common_pid"),
        flags: int("common_flags"),
        body,
    })
}

/// Fields behind the common ones.
fn own_fields(format: &EventFormat) -> impl Iterator<Item = &Field> {
    format.fields.iter().filter(|field| !field.name.starts_with(COMMON))
}

/// As the message of the event's name, if it has all that the event has: nothing is to be lost. Of the scheduler's events
/// what a newer kernel added is left out, since their messages are what everybody reads.
fn own(system: &str, name: &str, format: &EventFormat) -> Option<Body> {
    // Probes have any name.
    if matches!(system, "kprobes" | "uprobes" | "fprobes" | "synthetic" | "eprobes") {
        return None;
    }
    let Message {
        number,
        fields: numbers,
    } = message(name)?;
    let may_lack = system == "sched" || system == "task";
    let mut fields = Vec::new();
    for field in own_fields(format) {
        let value = match numbers.get(field.name.as_str()) {
            Some(to) => (to.number, value_of(field, name)),
            None if may_lack => continue,
            None => return None,
        };
        let is_text = numbers.get(field.name.as_str()).is_some_and(|to| to.is_text);
        match value.1 {
            Value::Text(_) if is_text => {}
            Value::Int { .. } | Value::Ints { .. } | Value::PrevState(_) if !is_text => {}
            _ => return None,
        }
        fields.push(value);
    }
    Some(Body::Own { number, fields })
}

fn generic(name: &str, format: &EventFormat) -> Body {
    let value = |field: &Field| match value_of(field, name) {
        // A field of a generic event holds one value.
        Value::Ints { .. } => Value::Hex(Place::of(field)),
        value => value,
    };
    Body::Generic {
        name: name.to_owned(),
        fields: own_fields(format)
            .map(|field| (field.name.clone(), value(field)))
            .collect(),
    }
}

fn value_of(field: &Field, event: &str) -> Value {
    if let Some(int) = field.as_int() {
        return if event == "sched_switch" && field.name == "prev_state" {
            Value::PrevState(int)
        } else {
            Value::Int {
                field: int,
                signed: field.signed,
            }
        };
    }
    let is_text = field.type_name.split(' ').any(|word| word == "char");
    if is_text && field.shape != FieldShape::Scalar {
        return Value::Text(Place::of(field));
    }
    let count = field.brackets.as_deref().and_then(|count| count.parse::<usize>().ok());
    match (field.shape, count) {
        (FieldShape::Array, Some(count)) if field.size == 8 * count || field.size == 4 * count => Value::Ints {
            at: field.offset,
            size: field.size / count.max(1),
            count,
        },
        _ => Value::Hex(Place::of(field)),
    }
}

/// As kernels from 4.14 on write it, whatever this one wrote.
fn prev_state(state: StateCode) -> u64 {
    let bits = match state.letter() {
        b'R' => 0,
        b'S' => 0x01,
        b'D' | b'K' | b'W' | b'N' => 0x02,
        b'T' => 0x04,
        b't' => 0x08,
        b'X' | b'x' => 0x10,
        b'Z' => 0x20,
        b'P' => 0x40,
        b'I' => 0x80,
        // No bit that has a letter.
        _ => 0x200,
    };
    bits | if state.preempted() { 0x100 } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn format(fields: &str) -> EventFormat {
        EventFormat::parse(&format!("name: x\nID: 300\nformat:\n{fields}\nprint fmt: \"\"\n")).unwrap()
    }

    #[test]
    fn events_that_a_message_cannot_hold_stay_whole() {
        let known = "\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\tfield:unsigned int vec;\toffset:8;\tsize:4;\tsigned:0;\n";
        let more = format!("{known}\tfield:int more;\toffset:12;\tsize:4;\tsigned:1;\n");
        assert!(matches!(
            own("irq", "softirq_entry", &format(known)),
            Some(Body::Own { number: 24, .. })
        ));
        assert!(own("irq", "softirq_entry", &format(&more)).is_none());
        assert!(own("kprobes", "softirq_entry", &format(known)).is_none());
        let of_scheduler = "\tfield:pid_t pid;\toffset:8;\tsize:4;\tsigned:1;\n\tfield:bool group_dead;\toffset:12;\tsize:1;\tsigned:0;\n";
        let Some(Body::Own { fields, .. }) = own("sched", "sched_process_exit", &format(of_scheduler)) else {
            panic!("no message");
        };
        assert_eq!(fields.len(), 1);
    }

    #[test]
    fn states_are_those_of_newer_kernels() {
        assert_eq!(prev_state(StateCode(b'R' | StateCode::PREEMPTED)), 0x100);
        assert_eq!(prev_state(StateCode(b'I')), 0x80);
        assert_eq!(prev_state(StateCode(b'?')), 0x200);
        assert_eq!(prev_state(StateCode(b'R').with_prios(-1, 120)), 0);
    }
}
