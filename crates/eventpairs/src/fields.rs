//! Fields of events as keys, groups and values.

use eventfilter::KnownEvent;
use traceevent::{Endian, Env, EventText, Field, IntField, TextField};

/// A record on its way through the matcher.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Seen<'a> {
    pub cpu: u32,
    pub pid: i32,
    pub comm: &'a str,
    pub data: &'a [u8],
    pub endian: Endian,
}

/// Where a value comes from.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Part {
    Int(IntField),
    Text(TextField),
    Cpu,
    Pid,
    Comm,
    /// The same for all records of the event: a number that stands for a text.
    Stem,
}

impl Part {
    /// A name in an event: its own field, else what every event has.
    pub fn find(name: &str, event: &KnownEvent<'_>) -> Option<Part> {
        if let Some(field) = own(name, event) {
            let text = || field.as_text().map(Part::Text);
            return field.as_int().map(Part::Int).or_else(text);
        }
        match name {
            "cpu" | "CPU" => Some(Part::Cpu),
            "pid" => Some(Part::Pid),
            "comm" | "COMM" => Some(Part::Comm),
            "event_stem" => Some(Part::Stem),
            _ => None,
        }
    }

    /// As a number; `None` for texts, and where the record is too short.
    #[inline]
    pub fn int(self, seen: &Seen<'_>) -> Option<i64> {
        match self {
            Part::Int(field) => field.load(seen.data, seen.endian),
            Part::Cpu => Some(i64::from(seen.cpu)),
            Part::Pid => Some(i64::from(seen.pid)),
            Part::Text(_) | Part::Comm | Part::Stem => None,
        }
    }

    fn text<'a>(self, seen: &Seen<'a>, stem: &'a str) -> Option<&'a [u8]> {
        match self {
            Part::Text(field) => field.load(seen.data, seen.endian),
            Part::Comm => Some(seen.comm.as_bytes()),
            Part::Stem => Some(stem.as_bytes()),
            Part::Int(_) | Part::Cpu | Part::Pid => None,
        }
    }
}

fn own<'a>(name: &str, event: &KnownEvent<'a>) -> Option<&'a Field> {
    event.format.fields.iter().find(|field| field.name == name)
}

/// What several fields of a record hold: numbers as they are, texts as texts.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Key {
    numbers: [i64; Key::MOST],
    texts: Box<[u8]>,
}

impl Key {
    /// The most numbers in a key.
    pub const MOST: usize = 4;

    /// Missing values are 0 and the empty text.
    pub fn of(parts: &[Part], seen: &Seen<'_>, stem: &str) -> Key {
        let mut numbers = [0; Key::MOST];
        let mut texts = Vec::new();
        for (number, part) in numbers.iter_mut().zip(parts) {
            match part.text(seen, stem) {
                Some(text) => {
                    texts.extend_from_slice(text);
                    texts.push(0);
                }
                None => *number = part.int(seen).unwrap_or(0),
            }
        }
        Key {
            numbers,
            texts: texts.into(),
        }
    }
}

/// What a field of a group reads as.
#[derive(Debug)]
pub(crate) struct Shown {
    part: Part,
    kind: ShownKind,
}

#[derive(Debug)]
enum ShownKind {
    Plain,
    /// `dev_t`: major and minor.
    Device,
    /// An address: a function, or a text of the kernel.
    Address,
    /// An offset from `_stext`.
    Offset,
    /// As the event's print fmt names it.
    Named(EventText),
}

impl Shown {
    pub fn find(name: &str, event: &KnownEvent<'_>, long_size: u8) -> Option<Shown> {
        let part = Part::find(name, event)?;
        let kind = match own(name, event).filter(|field| field.as_int().is_some()) {
            None => ShownKind::Plain,
            Some(field) => match named(event, name, long_size) {
                Some(text) => ShownKind::Named(text),
                None if field.type_name == "dev_t" => ShownKind::Device,
                None if field.type_name.ends_with('*') || name == "func" => ShownKind::Address,
                None if name == "caller_offs" => ShownKind::Offset,
                None => ShownKind::Plain,
            },
        };
        Some(Shown { part, kind })
    }

    pub fn part(&self) -> Part {
        self.part
    }

    /// The value as people read it.
    pub fn text(&self, seen: &Seen<'_>, stem: &str, env: &Env<'_>) -> String {
        if let Some(text) = self.part.text(seen, stem) {
            return String::from_utf8_lossy(text).into_owned();
        }
        let number = self.part.int(seen).unwrap_or(0);
        let function = |address: u64| env.lookup.symbol(address).map(|symbol| symbol.name.to_owned());
        match &self.kind {
            ShownKind::Plain => number.to_string(),
            ShownKind::Device => format!("{},{}", number >> 20, number & 0xf_ffff),
            ShownKind::Address => {
                let address = number as u64;
                let text = env.lookup.printk(address).map(str::to_owned);
                text.or_else(|| function(address))
                    .unwrap_or_else(|| format!("{address:#x}"))
            }
            ShownKind::Offset => {
                let base = env.lookup.address("_stext");
                let found = base.and_then(|base| function(base.wrapping_add(number as u64)));
                found.unwrap_or_else(|| format!("{number:#x}"))
            }
            ShownKind::Named(text) => {
                let mut out = Vec::new();
                text.print(env, seen.data, &mut out);
                String::from_utf8_lossy(&out).into_owned()
            }
        }
    }
}

/// What names a field in a print fmt, `__print_symbolic(REC->vec, { 1, "TIMER" }, …)`, made a text of its own.
fn named(event: &KnownEvent<'_>, field: &str, long_size: u8) -> Option<EventText> {
    let print_fmt = &event.format.print_fmt;
    let call = ["__print_symbolic(", "__print_flags("]
        .iter()
        .find_map(|call| print_fmt.find(&format!("{call}REC->{field},")))?;
    let call = print_fmt.get(call..)?;
    let (mut depth, mut quoted, mut before) = (0_usize, false, ' ');
    let end = call.char_indices().find_map(|(at, c)| {
        match c {
            '"' if before != '\\' => quoted = !quoted,
            '(' if !quoted => depth += 1,
            ')' if !quoted => depth = depth.saturating_sub(1),
            _ => {}
        }
        before = c;
        (c == ')' && !quoted && depth == 0).then_some(at + 1)
    })?;
    let mut format = event.format.clone();
    format.print_fmt = format!("\"%s\", {}", call.get(..end)?);
    Some(EventText::compile(&format, long_size))
}
