//! The arguments of system calls, read from their records again: scans do not keep them.
//!
//! A raw event has six numbers; which of them are arguments, what they are called and of what type they are, the formats of the
//! named events tell, whether these were recorded or not. What arguments point to is not in a trace.

use serde::Serialize;
use sysnames::call_of_function;
use traceevent::{Endian, EventFormat, IntField};
use ts_rs::TS;

use crate::error::ReadError;
use crate::file::{ReadAt, TraceFile};
use crate::records::MergedRecords;

/// An argument of a system call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(rename = "CallArgument")]
pub struct Argument {
    /// Its name; null if no format tells.
    pub name: Option<String>,
    /// Hexadecimal (`0x1f`) if it is a pointer, an `unsigned long`, a set of bits or not known what, else decimal.
    pub value: String,
}

/// Which call's arguments are wanted.
#[derive(Clone, Copy, Debug)]
pub struct Entered<'a> {
    /// When it was entered, by the trace's clock.
    pub ts: u64,
    /// On which CPU.
    pub cpu: u32,
    /// By which thread.
    pub pid: i32,
    /// Its name.
    pub call: &'a str,
    /// Whether it is one of a 32-bit task of a 64-bit kernel, of which no format tells.
    pub compat: bool,
}

/// How a value is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shape {
    Hex,
    /// The low so many bytes count.
    Signed(usize),
    Unsigned(usize),
}

#[derive(Debug)]
struct Parameter {
    name: String,
    shape: Shape,
}

/// What a call's function takes.
#[derive(Debug)]
struct Signature {
    /// The call's name, and whether its function has another: of two functions of a call, the kernel calls that one.
    call: String,
    renamed: bool,
    parameters: Vec<Parameter>,
}

/// How an event's record holds arguments.
#[derive(Debug)]
enum Layout {
    /// Six numbers from an offset on, of so many bytes each.
    Raw { offset: usize, size: usize },
    /// A field each, for the parameters of the signature at that index.
    Named { fields: Vec<IntField>, signature: usize },
}

#[derive(Debug)]
struct Bound {
    id: u16,
    common_pid: IntField,
    layout: Layout,
}

/// The formats that tell of a file's arguments.
#[derive(Debug)]
pub struct Arguments {
    endian: Endian,
    long: usize,
    bound: Vec<Bound>,
    signatures: Vec<Signature>,
}

/// Arguments as a text: `fd=3, count=100`; without names where none are known.
pub fn text(arguments: &[Argument]) -> String {
    let told = arguments.iter().map(|argument| match &argument.name {
        Some(name) => format!("{name}={}", argument.value),
        None => argument.value.clone(),
    });
    told.collect::<Vec<_>>().join(", ")
}

/// Numbers that a raw event has.
const MOST: usize = 6;

impl Arguments {
    /// Of a file.
    pub fn new<R: ReadAt>(file: &TraceFile<R>) -> Arguments {
        let mut found = Arguments {
            endian: file.endian(),
            long: file.kernel_long_size(),
            bound: Vec::new(),
            signatures: Vec::new(),
        };
        let events = file
            .event_ids()
            .filter_map(|id| Some((id, file.event_name(id)?, file.event_format(id)?)));
        for (id, name, format) in events {
            let Some(layout) = found.layout(name, format) else {
                continue;
            };
            let common_pid = format.field("common_pid").and_then(|field| field.as_int());
            found
                .bound
                .extend(common_pid.map(|common_pid| Bound { id, common_pid, layout }));
        }
        found
    }

    /// Learns formats of another file of the same kernel, for calls of which this one has none.
    pub fn learn<R: ReadAt>(&mut self, other: &TraceFile<R>) {
        let (own, long) = (self.signatures.len(), other.kernel_long_size());
        let events = other
            .event_ids()
            .filter_map(|id| Some((other.event_name(id)?, other.event_format(id)?)));
        for (name, format) in events {
            if let Some(signature) = signature(name, format, long) {
                let known = self.signatures.iter().take(own);
                if known.clone().all(|known| known.call != signature.call) {
                    self.signatures.push(signature);
                }
            }
        }
    }

    fn layout(&mut self, (system, name): (&str, &str), format: &EventFormat) -> Option<Layout> {
        if (system, name) == ("raw_syscalls", "sys_enter") {
            let args = format.field("args")?;
            let size = args.size / MOST;
            return [4, 8].contains(&size).then_some(Layout::Raw {
                offset: args.offset,
                size,
            });
        }
        let signature = signature((system, name), format, self.long)?;
        let fields = parameters(format)
            .map(|field| field.as_int())
            .collect::<Option<Vec<_>>>()?;
        self.signatures.push(signature);
        Some(Layout::Named {
            fields,
            signature: self.signatures.len() - 1,
        })
    }

    /// What a record of a call's CPU at that instant says, if it is the one in which it was entered.
    pub(crate) fn of(&self, id: u16, data: &[u8], call: &Entered<'_>) -> Option<Vec<Argument>> {
        let bound = self.bound.iter().find(|bound| bound.id == id)?;
        if bound.common_pid.load(data, self.endian)? as i32 != call.pid {
            return None;
        }
        match &bound.layout {
            Layout::Raw { offset, size } => {
                let bytes = data.get(*offset..offset.checked_add(size * MOST)?)?;
                let values = bytes.chunks(*size).map(|bytes| number(bytes, self.endian));
                let signature = self.signature(call);
                Some(match signature {
                    Some(signature) => told(&signature.parameters, values),
                    None => values
                        .map(|value| Argument {
                            name: None,
                            value: format!("{value:#x}"),
                        })
                        .collect(),
                })
            }
            Layout::Named { fields, signature } => {
                let signature = self
                    .signatures
                    .get(*signature)
                    .filter(|signature| signature.call == call.call)?;
                let values = fields.iter().map(|field| field.load(data, self.endian));
                let values = values.collect::<Option<Vec<i64>>>()?;
                Some(told(
                    &signature.parameters,
                    values.into_iter().map(|value| value as u64),
                ))
            }
        }
    }

    /// Whether records with this id have arguments.
    pub(crate) fn has(&self, id: u16) -> bool {
        self.bound.iter().any(|bound| bound.id == id)
    }

    fn signature(&self, call: &Entered<'_>) -> Option<&Signature> {
        let known = self
            .signatures
            .iter()
            .filter(|signature| !call.compat && signature.call == call.call);
        known.max_by_key(|signature| signature.renamed)
    }
}

fn told(parameters: &[Parameter], values: impl Iterator<Item = u64>) -> Vec<Argument> {
    let pairs = parameters.iter().zip(values);
    pairs
        .map(|(parameter, value)| Argument {
            name: Some(parameter.name.clone()),
            value: parameter.shape.text(value),
        })
        .collect()
}

fn number(bytes: &[u8], endian: Endian) -> u64 {
    let add = |number: u64, byte: &u8| number << 8 | u64::from(*byte);
    match endian {
        Endian::Big => bytes.iter().fold(0, add),
        Endian::Little => bytes.iter().rev().fold(0, add),
    }
}

/// The fields that are a call's arguments.
fn parameters(format: &EventFormat) -> impl Iterator<Item = &traceevent::Field> {
    let is_argument = |name: &str| !name.starts_with("common_") && !["__syscall_nr", "nr"].contains(&name);
    // A call may have an argument that is called `nr`; the number comes first.
    let number = format
        .fields
        .iter()
        .position(|field| !is_argument(&field.name) && !field.name.starts_with("common_"));
    let fields = format.fields.iter().enumerate();
    fields
        .filter(move |&(index, field)| Some(index) != number && !field.name.starts_with("common_"))
        .map(|(_, field)| field)
}

fn signature((system, name): (&str, &str), format: &EventFormat, long: usize) -> Option<Signature> {
    let function = name.strip_prefix("sys_enter_").filter(|_| system == "syscalls")?;
    let call = call_of_function(function);
    let parameters = parameters(format).map(|field| Parameter {
        name: field.name.clone(),
        shape: Shape::of(&field.name, &field.type_name, long),
    });
    Some(Signature {
        call: call.to_owned(),
        renamed: call != function,
        parameters: parameters.collect(),
    })
}

impl Shape {
    fn of(name: &str, of_type: &str, long: usize) -> Shape {
        let is_bits = name == "prot" || ["flags", "mode", "mask"].iter().any(|bits| name.contains(bits));
        if is_bits || of_type.contains('*') {
            return Shape::Hex;
        }
        match of_type {
            "int" | "pid_t" | "clockid_t" | "key_t" | "timer_t" | "mqd_t" | "key_serial_t" | "rwf_t" | "s32"
            | "__s32" | "const clockid_t" => Shape::Signed(4),
            "unsigned int" | "unsigned" | "uid_t" | "gid_t" | "qid_t" | "u32" | "__u32" => Shape::Unsigned(4),
            "long" | "off_t" | "ssize_t" if long == 4 => Shape::Signed(4),
            "size_t" if long == 4 => Shape::Unsigned(4),
            "long" | "off_t" | "loff_t" | "ssize_t" | "long long" => Shape::Signed(8),
            "size_t" | "u64" | "__u64" => Shape::Unsigned(8),
            _ => Shape::Hex,
        }
    }

    fn text(self, value: u64) -> String {
        match self {
            Shape::Hex => format!("{value:#x}"),
            Shape::Signed(4) => (value as i32).to_string(),
            Shape::Unsigned(4) => (value as u32).to_string(),
            Shape::Signed(_) => (value as i64).to_string(),
            Shape::Unsigned(_) => value.to_string(),
        }
    }
}

/// A walk over a file's records, for calls in the order of time.
pub struct ArgumentsWalk<'f, R: ReadAt> {
    arguments: Arguments,
    records: MergedRecords<'f, R>,
    /// The records of the instant at which the walk is: CPU, id and bytes.
    now: Vec<(u32, u16, Vec<u8>)>,
    at: Option<u64>,
}

impl<'f, R: ReadAt> ArgumentsWalk<'f, R> {
    /// Before the first record of the buffer that is shown.
    pub fn new(file: &'f TraceFile<R>, arguments: Arguments) -> Self {
        let shown = file.shown_buffer();
        ArgumentsWalk {
            arguments,
            records: MergedRecords::new(file, |buffer, _| buffer == shown),
            now: Vec::new(),
            at: None,
        }
    }

    /// The arguments of a call that was not entered before those that were asked for; `None` if no record tells.
    pub fn find(&mut self, call: &Entered<'_>) -> Result<Option<Vec<Argument>>, ReadError> {
        if self.at != Some(call.ts) {
            self.now.clear();
            self.at = Some(call.ts);
            while let Some(record) = self.records.peek()? {
                if call.ts < record.ts {
                    break;
                }
                if call.ts == record.ts && self.arguments.has(record.id) {
                    self.now.push((record.cpu, record.id, record.data.to_vec()));
                }
                self.records.next()?;
            }
        }
        let on_cpu = self.now.iter().filter(|(cpu, ..)| *cpu == call.cpu);
        let mut found = on_cpu.filter_map(|(_, id, data)| self.arguments.of(*id, data, call));
        Ok(found.next())
    }
}

#[cfg(test)]
#[path = "arguments_tests.rs"]
mod tests;
