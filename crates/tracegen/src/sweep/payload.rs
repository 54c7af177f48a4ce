//! Invents the bytes of a record from its event's fields.

use super::printk::{self, Argument, Text};
use crate::bytes::Bytes;
use crate::layout::Layout;
use crate::random::Random;
use crate::recorded::{Event, Field, Use};

/// Bytes that a dynamic array has at least where the print fmt reads it without asking for its length: the largest
/// socket address.
const SOCKET_ADDRESS: usize = 28;
/// The longest dynamic array, in bytes.
const TAIL: u64 = 40;

/// The largest number of bytes or elements that a field gives.
const MOST_ELEMENTS: usize = 4;

const WORDS: &[&str] = &[
    "",
    "a",
    "sda",
    "eth0",
    "kworker/0:1",
    "a b",
    "tab\there",
    "100%",
    "\"q\"",
    "{x}",
    "sixteen bytes it",
    "Grüße",
    "/usr/bin/a/rather/long/name",
];

/// What payloads are made of.
pub(super) struct Payloads<'a> {
    pub(super) random: Random,
    pub(super) layout: Layout,
    pub(super) symbols: &'a [u64],
    pub(super) pids: &'a [u32],
    pub(super) printk: &'a [Text],
    /// Values without meaning too.
    pub(super) wild: bool,
}

impl Payloads<'_> {
    /// A record of `event`.
    pub(super) fn record(&mut self, event: &Event) -> Vec<u8> {
        let fixed = event.fixed_size();
        let mut record = Bytes::new(self.layout.endian);
        record.pad_to(fixed);
        let mut tails = Bytes::new(self.layout.endian);
        for field in &event.fields {
            let bytes = self.field(event, field, fixed + tails.len(), &mut tails);
            record.data[field.offset..field.offset + bytes.len()].copy_from_slice(&bytes);
        }
        self.tell_truth(event, &mut record);
        record.raw(&tails.data);
        if !self.wild {
            end_texts(event, &mut record.data);
        }
        record.data
    }

    /// The exit of the function in an entry's record: same function, depth and task.
    pub(super) fn exit_of(&mut self, exit: &Event, entry: &Event, record: &[u8]) -> Vec<u8> {
        let mut left = self.record(exit);
        for field in exit.fields.iter().filter(|field| field.name != "common_type") {
            let same = |of: &&Field| of.name == field.name && of.size == field.size;
            if let Some(from) = entry.fields.iter().find(same) {
                let bytes = &record[from.offset..from.offset + from.size];
                left[field.offset..field.offset + field.size].copy_from_slice(bytes);
            }
        }
        let find = |name: &str| exit.fields.iter().find(|field| field.name == name);
        if let (Some(call), Some(ret)) = (find("calltime"), find("rettime")) {
            let began = self.random.next() >> 20;
            let took = self.random.next() >> (30 + self.random.below(30));
            for (field, value) in [(call, began), (ret, began + took)] {
                let bytes = self.number(value, field.size);
                left[field.offset..field.offset + field.size].copy_from_slice(&bytes);
            }
        }
        left
    }

    /// The bytes of a field; what it points to goes to the tails, which begin `tail_at` bytes into the record.
    fn field(&mut self, event: &Event, field: &Field, tail_at: usize, tails: &mut Bytes) -> Vec<u8> {
        let declaration = field.declaration.as_str();
        if declaration.contains("__data_loc") || declaration.contains("__rel_loc") {
            let tail = self.tail(event, field);
            let base = if declaration.contains("__rel_loc") {
                field.offset + field.size
            } else {
                0
            };
            let mut len = tail.len() as u64;
            let mut at = (tail_at - base) as u64;
            if self.wild && self.random.one_in(4) {
                len = self.random.below(1 << 16);
                at = self.random.below(1 << 16);
            }
            tails.raw(&tail);
            return self.number(len << 16 | at, field.size);
        }
        match field.elements {
            Some(0) => {
                let rest = self.rest(event, field);
                tails.raw(&rest);
                Vec::new()
            }
            Some(_) if is_text(field) => self.fixed_text(field.size),
            Some(count) => {
                let count = if count > 1 && field.size.is_multiple_of(count) {
                    count
                } else {
                    field.size
                };
                let size = field.size / count;
                (0..count)
                    .flat_map(|_| {
                        let value = self.integer(event, field, size);
                        self.number(value, size)
                    })
                    .collect()
            }
            None => {
                let value = self
                    .common(event, field)
                    .unwrap_or_else(|| self.integer(event, field, field.size));
                self.number(value, field.size)
            }
        }
    }

    /// The fields that every event begins with.
    fn common(&mut self, event: &Event, field: &Field) -> Option<u64> {
        let value = match field.name.as_str() {
            "common_type" => event.id.into(),
            // Interrupts off, need to reschedule, in interrupts, and whatever else there may be.
            "common_flags" => match self.random.below(4) {
                0 => 0,
                1 => 1 << self.random.below(8),
                2 => *self
                    .random
                    .choose(&[1, 4, 8, 0x10, 0x18, 0x20, 0x24, 0x40, 0x48, 0x80])?,
                _ => self.random.below(256),
            },
            "common_preempt_count" => match self.random.below(3) {
                0 => 0,
                1 => self.random.below(16),
                _ => self.random.below(256),
            },
            "common_pid" => self.pid(),
            name if name.starts_with("common_") => self.random.below(4),
            _ => return None,
        };
        Some(value)
    }

    /// A pid with a saved command line, or another.
    fn pid(&mut self) -> u64 {
        match self.random.below(8) {
            0 => 0,
            1 => 4_000 + self.random.below(30_000),
            _ => self.random.choose(self.pids).copied().unwrap_or(1).into(),
        }
    }

    fn integer(&mut self, event: &Event, field: &Field, size: usize) -> u64 {
        if !self.wild {
            match event.use_of(field) {
                Use::Any => {}
                Use::Length => return self.random.below(1 + MOST_ELEMENTS as u64),
                Use::Shift => return self.random.below(32),
                Use::Divisor => return 1 + self.random.below(100),
            }
        }
        if field.name.ends_with("pid") && !self.random.one_in(4) {
            return self.pid();
        }
        if !event.named.is_empty() && self.random.one_in(2) {
            let one = |random: &mut Random| random.choose(&event.named).copied().unwrap_or(0);
            let value = one(&mut self.random);
            return if self.random.one_in(3) {
                value | one(&mut self.random)
            } else {
                value
            };
        }
        if size == usize::from(self.layout.long_size) && size > 1 && self.random.one_in(3) {
            let symbol = self.random.choose(self.symbols).copied().unwrap_or(0);
            return symbol.wrapping_add(*self.random.choose(&[0, 0, 1, 0x1f]).unwrap_or(&0));
        }
        match self.random.below(8) {
            0 => 0,
            1 => 1,
            2 => 2,
            3 => u64::MAX,
            4 => self.random.below(200),
            5 => 1 << self.random.below(64),
            6 => (self.random.below(200)).wrapping_neg(),
            _ => self.random.next(),
        }
    }

    /// What a `__data_loc` or `__rel_loc` points to.
    fn tail(&mut self, event: &Event, field: &Field) -> Vec<u8> {
        let declaration = field.declaration.as_str();
        if declaration.contains("char[]") && !declaration.contains("unsigned char") && !event.shows_socket() {
            let mut text = self.word().to_vec();
            text.push(0);
            if event.reads_whole(field) {
                text.resize(text.len().max(MOST_ELEMENTS), 0);
            }
            return text;
        }
        let element = match () {
            () if declaration.contains("long") => self.layout.long_size.into(),
            () if declaration.contains("64") => 8,
            () if declaration.contains("32") || declaration.contains("int") => 4,
            () if declaration.contains("16") => 2,
            () => 1,
        };
        let mut len = self.random.below(TAIL + 1) as usize;
        if event.reads_whole(field) || event.shows_socket() {
            len = len.max(SOCKET_ADDRESS + 4);
        }
        let count = len / element;
        let mut bytes: Vec<u8> = (0..count)
            .flat_map(|_| {
                let value = self.random.next() >> self.random.below(64);
                self.number(value, element)
            })
            .collect();
        if event.shows_socket() && bytes.len() >= 2 && !self.random.one_in(8) {
            // AF_INET, AF_INET6
            let family = *self.random.choose(&[2, 10]).unwrap_or(&2);
            let family = self.number(family, 2);
            bytes[..2].copy_from_slice(&family);
        }
        bytes
    }

    /// What follows a record's fields where the last is `TYPE name[]`.
    fn rest(&mut self, event: &Event, field: &Field) -> Vec<u8> {
        match event.name.as_str() {
            // A trace marker ends its lines.
            "print" => {
                let end: &[u8] = if self.random.one_in(5) { b"\0" } else { b"\n\0" };
                [self.word(), end].concat()
            }
            "raw_data" => {
                let len = self.random.below(TAIL) as usize;
                (0..len).map(|_| self.random.next() as u8).collect()
            }
            // Its text is chosen with its arguments, below.
            "bprint" => Vec::new(),
            _ if field.declaration.contains("long") => self.stack(),
            _ => {
                let mut text = self.word().to_vec();
                text.push(0);
                text
            }
        }
    }

    /// Return addresses.
    fn stack(&mut self) -> Vec<u8> {
        let size = self.layout.long_size.into();
        let mut bytes = Vec::new();
        for _ in 0..self.random.below(9) {
            let symbol = self.random.choose(self.symbols).copied().unwrap_or(0);
            let offset = self.random.below(64);
            bytes.extend(self.number(symbol.wrapping_add(offset), size));
        }
        bytes
    }

    fn fixed_text(&mut self, size: usize) -> Vec<u8> {
        let mut text = match self.random.below(8) {
            0 => b"0123456789abcdef".iter().copied().cycle().take(size).collect(),
            _ => self.word().to_vec(),
        };
        // Names end with a NUL, but a full one is text up to the last byte.
        if text.len() > size {
            text.truncate(size - 1);
        }
        if self.wild && self.random.one_in(3) {
            text = (0..size).map(|_| self.random.next() as u8).collect();
        }
        text.resize(size, 0);
        text
    }

    fn word(&mut self) -> &'static [u8] {
        self.random.choose(WORDS).unwrap_or(&"").as_bytes()
    }

    fn number(&self, value: u64, size: usize) -> Vec<u8> {
        let mut bytes = Bytes::new(self.layout.endian);
        // Wider than any number: the lower bytes count.
        bytes.number(value, size.min(8));
        bytes.pad_to(size);
        bytes.data
    }

    /// Makes fields that describe the rest of the record true, and gives texts their arguments.
    fn tell_truth(&mut self, event: &Event, record: &mut Bytes) {
        let long = usize::from(self.layout.long_size);
        let find = |name: &str| event.fields.iter().find(|field| field.name == name);
        let mut put = |payloads: &Self, field: &Field, value: u64| {
            let bytes = payloads.number(value, field.size);
            record.data[field.offset..field.offset + field.size].copy_from_slice(&bytes);
        };
        match event.name.as_str() {
            "kernel_stack" | "user_stack" => {
                if let (Some(size), Some(caller)) = (find("size"), find("caller")) {
                    let count = self.random.below(1 + (caller.size / long) as u64);
                    put(self, size, count);
                }
            }
            "bprint" => {
                let (Some(format), Some(text)) = (find("fmt"), self.random.choose(self.printk)) else {
                    return;
                };
                let address = if self.random.one_in(16) { 1 } else { text.address };
                let arguments: Vec<Argument> = text.arguments.clone();
                put(self, format, address);
                let arguments = printk::arguments(&self.layout, &arguments, &mut self.random, self.symbols);
                record.raw(&arguments);
            }
            "bputs" => {
                if let (Some(text), Some(chosen)) = (find("str"), self.random.choose(self.printk)) {
                    let address = if self.random.one_in(4) { 1 } else { chosen.address };
                    put(self, text, address);
                }
            }
            _ => {}
        }
    }
}

/// Is this a text of fixed size?
fn is_text(field: &Field) -> bool {
    let declaration = field.declaration.as_str();
    field.elements.is_some_and(|count| count > 0)
        && declaration.contains("char ")
        && !declaration.contains("unsigned char")
}

/// Ends texts: a text may fill its field, but not continue to the record's end and beyond.
fn end_texts(event: &Event, record: &mut [u8]) {
    for field in event.fields.iter().filter(|field| is_text(field)) {
        if !record[field.offset..].contains(&0) {
            record[field.offset + field.size - 1] = 0;
        }
    }
}
