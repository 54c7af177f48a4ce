//! Random filters, written as text in many ways, against an evaluator that knows no text and no formats.

#![allow(
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test that panics has failed"
)]

use std::collections::BTreeMap;

use eventfilter::{Clock, Context, Filter, KnownEvent, RecordToFilter};
use proptest::prelude::*;
use traceevent::{Endian, EventFormat};

const COMMON: &str = "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n\
    \tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n";

/// Two events that share some names: `a` in both, `u` and `s` in the first, `late` and `d` in the second.
fn formats() -> [EventFormat; 2] {
    let first = "\tfield:int a;\toffset:8;\tsize:4;\tsigned:1;\n\
        \tfield:unsigned long u;\toffset:16;\tsize:8;\tsigned:0;\n\
        \tfield:char s[8];\toffset:24;\tsize:8;\tsigned:0;\n";
    let second = "\tfield:short a;\toffset:8;\tsize:2;\tsigned:1;\n\
        \tfield:unsigned char late;\toffset:30;\tsize:1;\tsigned:0;\n\
        \tfield:__data_loc char[] d;\toffset:12;\tsize:4;\tsigned:0;\n";
    [("first", 1, first), ("second", 2, second)].map(|(name, id, fields)| {
        EventFormat::parse(&format!(
            "name: {name}\nID: {id}\nformat:\n{COMMON}{fields}\nprint fmt: \"\"\n"
        ))
        .unwrap()
    })
}

/// The fields of a record as the twin knows them.
#[derive(Clone, Debug)]
enum Known {
    Int(i128),
    Text(String),
}

#[derive(Clone, Debug)]
struct Made {
    id: u16,
    bytes: Vec<u8>,
    fields: BTreeMap<&'static str, Known>,
}

const CPU: u32 = 3;
const PID: i32 = 77;

fn record() -> impl Strategy<Value = Made> {
    let number = prop_oneof![0..4u64, Just(u64::MAX)];
    (any::<bool>(), -3..4i32, number, "[ab*]{0,7}", any::<bool>()).prop_map(|(first, a, u, text, cut)| {
        let mut bytes = vec![0; 48];
        let id: u16 = if first { 1 } else { 2 };
        bytes[..2].copy_from_slice(&id.to_le_bytes());
        bytes[4..8].copy_from_slice(&PID.to_le_bytes());
        let mut fields = BTreeMap::from([
            ("CPU", Known::Int(CPU.into())),
            ("pid", Known::Int(PID.into())),
            ("COMM", Known::Text("abba".into())),
            ("a", Known::Int(a.into())),
        ]);
        if first {
            bytes[8..12].copy_from_slice(&a.to_le_bytes());
            bytes[16..24].copy_from_slice(&u.to_le_bytes());
            bytes[24..24 + text.len()].copy_from_slice(text.as_bytes());
            fields.insert("u", Known::Int(u.into()));
            fields.insert("s", Known::Text(text));
        } else {
            bytes[8..10].copy_from_slice(&(a as i16).to_le_bytes());
            bytes[12..16].copy_from_slice(&(31 | (text.len() as u32 + 1) << 16).to_le_bytes());
            bytes[30] = u as u8;
            bytes[31..31 + text.len()].copy_from_slice(text.as_bytes());
            fields.insert("late", Known::Int((u as u8).into()));
            fields.insert("d", Known::Text(text));
            if cut {
                // A short record has neither.
                bytes.truncate(30);
                fields.remove("late");
                fields.remove("d");
            }
        }
        Made { id, bytes, fields }
    })
}

/// A filter as the twin knows it.
#[derive(Clone, Debug)]
enum Twin {
    Any(Vec<Twin>),
    All(Vec<Twin>),
    Not(Box<Twin>),
    Int(&'static str, &'static str, i128),
    Ints(&'static str, &'static str, &'static str),
    Text(&'static str, &'static str, String),
}

const INTS: [&str; 5] = ["a", "u", "late", "CPU", "pid"];
const TEXTS: [&str; 3] = ["s", "d", "COMM"];

fn twin() -> impl Strategy<Value = Twin> {
    let op = prop::sample::select(&["==", "!=", "<", "<=", ">", ">=", "&"][..]);
    let field = prop::sample::select(&INTS[..]);
    let value = prop_oneof![-4..5i128, Just(255), Just(u64::MAX.into()), Just(i64::MIN.into())];
    let test = prop_oneof![
        (field, op.clone(), value).prop_map(|(field, op, value)| Twin::Int(field, op, value)),
        (op, any::<bool>()).prop_map(|(op, turned)| match turned {
            true => Twin::Ints("pid", op, "a"),
            false => Twin::Ints("a", op, "CPU"),
        }),
        (
            prop::sample::select(&TEXTS[..]),
            prop::sample::select(&["==", "!=", "~", "!~"][..]),
            "[ab*?\"'\\\\]{0,4}"
        )
            .prop_map(|(field, op, text)| Twin::Text(field, op, text)),
    ];
    test.prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 2..4).prop_map(Twin::Any),
            prop::collection::vec(inner.clone(), 2..4).prop_map(Twin::All),
            inner.prop_map(|part| Twin::Not(Box::new(part))),
        ]
    })
}

/// As text; `style` chooses among the ways to write the same.
fn written(twin: &Twin, style: &mut dyn FnMut() -> usize) -> String {
    let space = |style: &mut dyn FnMut() -> usize| ["", " ", "  ", "\t"][style() % 4];
    match twin {
        Twin::Any(parts) | Twin::All(parts) => {
            let sign = if matches!(twin, Twin::Any(_)) { "||" } else { "&&" };
            let mut out = String::new();
            for (index, part) in parts.iter().enumerate() {
                if 0 < index {
                    out += &format!("{}{sign}{}", space(style), space(style));
                }
                out += &match part {
                    // && binds closer than ||.
                    Twin::All(_) if sign == "||" && style().is_multiple_of(2) => written(part, style),
                    Twin::Any(_) | Twin::All(_) => format!("({})", written(part, style)),
                    _ => written(part, style),
                };
            }
            out
        }
        Twin::Not(part) => format!("!{}({})", space(style), written(part, style)),
        Twin::Int(field, op, value) => {
            let value = match style() % 2 {
                0 => value.to_string(),
                _ if *value < 0 => format!("-0x{:X}", -value),
                _ => format!("0x{value:x}"),
            };
            format!("{field}{}{op}{}{value}", space(style), space(style))
        }
        Twin::Ints(left, op, right) => format!("{left}{}{op} {right}", space(style)),
        Twin::Text(field, op, text) => {
            let plain = !text.is_empty() && text.chars().all(|c| c.is_ascii_alphabetic() || c == '*');
            let value = match style() % 3 {
                0 if plain => text.clone(),
                1 => format!("'{}'", text.replace('\\', "\\\\").replace('\'', "\\'")),
                _ => format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"")),
            };
            format!("{field} {op}{}{value}", space(style))
        }
    }
}

fn decides(twin: &Twin, record: &Made) -> bool {
    let int = |name: &str| match record.fields.get(name) {
        Some(Known::Int(value)) => Some(*value),
        _ => None,
    };
    let compare = |left: i128, op: &str, right: i128| match op {
        "==" => left == right,
        "!=" => left != right,
        "<" => left < right,
        "<=" => left <= right,
        ">" => left > right,
        ">=" => left >= right,
        _ => (left as u64) & (right as u64) != 0,
    };
    match twin {
        Twin::Any(parts) => parts.iter().any(|part| decides(part, record)),
        Twin::All(parts) => parts.iter().all(|part| decides(part, record)),
        Twin::Not(part) => !decides(part, record),
        Twin::Int(field, op, right) => int(field).is_some_and(|left| compare(left, op, *right)),
        Twin::Ints(left, op, right) => {
            let both = int(left).zip(int(right));
            both.is_some_and(|(left, right)| compare(left, op, right))
        }
        Twin::Text(field, op, wanted) => match record.fields.get(field) {
            Some(Known::Text(text)) => match *op {
                "==" => text == wanted,
                "!=" => text != wanted,
                "~" => fits(&pattern(wanted), text.as_bytes()),
                _ => !fits(&pattern(wanted), text.as_bytes()),
            },
            _ => false,
        },
    }
}

/// A pattern as its characters, each with whether it is special.
fn pattern(text: &str) -> Vec<(u8, bool)> {
    let mut parts = Vec::new();
    let mut bytes = text.bytes();
    while let Some(byte) = bytes.next() {
        match byte {
            b'\\' => parts.push((bytes.next().unwrap_or(b'\\'), false)),
            b'*' | b'?' => parts.push((byte, true)),
            _ => parts.push((byte, false)),
        }
    }
    parts
}

fn fits(pattern: &[(u8, bool)], text: &[u8]) -> bool {
    match pattern {
        [] => text.is_empty(),
        [(b'*', true), rest @ ..] => (0..=text.len()).any(|at| fits(rest, &text[at..])),
        [(b'?', true), rest @ ..] => !text.is_empty() && fits(rest, &text[1..]),
        [(byte, _), rest @ ..] => text.first() == Some(byte) && fits(rest, &text[1..]),
    }
}

struct Names;

impl Context for Names {
    fn comm(&self, _: i32) -> &[u8] {
        b"abba"
    }

    fn function(&self, _: u64) -> Option<&str> {
        None
    }

    fn line(&mut self) -> &[u8] {
        b""
    }
}

proptest! {
    #[test]
    fn the_text_decides_as_its_meaning_does(
        twin in twin(),
        styles in prop::collection::vec(0..12usize, 1..20),
        records in prop::collection::vec(record(), 1..12),
    ) {
        let mut at = 0;
        let mut style = || { at += 1; styles[at % styles.len()] };
        let text = written(&twin, &mut style);
        let filter = Filter::parse(&text).unwrap();
        let again = Filter::parse(&filter.to_string()).unwrap();
        prop_assert_eq!(filter.to_string(), again.to_string());
        let formats = formats();
        let events = formats.iter().map(|format| KnownEvent { id: format.id, system: "made", name: &format.name, format });
        for filter in [filter, again] {
            let bound = filter.bind(events.clone(), Endian::Little, Clock::Ticks).unwrap();
            for made in &records {
                let record = RecordToFilter { id: made.id, cpu: CPU, ts: 0, data: &made.bytes };
                prop_assert_eq!(bound.takes(&record, &mut Names), decides(&twin, made), "{} of {:?}", text, made);
            }
        }
    }

    #[test]
    fn any_text_is_read_or_refused_at_a_place_in_it(text in "[a-c0-9 .:/,*?!~&|()<>='\"\\\\\u{e4}-]{0,60}") {
        match Filter::parse(&text) {
            Ok(filter) => {
                let printed = filter.to_string();
                let again = Filter::parse(&printed).map(|again| again.to_string());
                prop_assert_eq!(again, Ok(printed));
            }
            Err(error) => {
                prop_assert!(text.get(error.at.clone()).is_some(), "{:?} of {}", error, text);
                error.pointed(&text);
            }
        }
    }
}
