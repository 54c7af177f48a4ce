//! The plugins' texts equal those that trace-cmd printed for the same records (`plugins.txt`).

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::string_slice,
    clippy::unwrap_used,
    reason = "a test that panics has failed"
)]
#![cfg(feature = "trace-cmd-text")]

use ftrace_format::trace_cmd::{self, Occasion, Outcome, PrintState};
use ftrace_format::{Endian, Env, EventFormat, EventText, Lookup, Symbol};

/// The kallsyms of the recordings: `f0`, `f1`, ... each 0x100 bytes.
struct Symbols(Vec<String>);

const FIRST: u64 = 0xffff_ffff_8100_0000;
const SIZE: u64 = 0x100;

impl Symbols {
    fn new() -> Self {
        Symbols((0..40).map(|number| format!("f{number}")).collect())
    }
}

impl Lookup for Symbols {
    fn symbol(&self, address: u64) -> Option<Symbol<'_>> {
        let number = address.checked_sub(FIRST)? / SIZE;
        Some(Symbol {
            name: self.0.get(number as usize)?,
            module: None,
            start: FIRST + number * SIZE,
        })
    }

    fn address(&self, _: &str) -> Option<u64> {
        None
    }

    fn printk(&self, _: u64) -> Option<&str> {
        None
    }

    fn comm(&self, _: i32) -> Option<&[u8]> {
        None
    }
}

/// One event of the file: its system, format, byte order, and records with their texts.
struct Recorded {
    system: String,
    format: String,
    endian: Endian,
    records: Vec<(Vec<u8>, String)>,
}

fn recorded() -> Vec<Recorded> {
    let mut events: Vec<Recorded> = Vec::new();
    let mut in_format = false;
    for line in include_str!("plugins.txt").lines() {
        if let Some(system) = line.strip_prefix("event ") {
            in_format = true;
            events.push(Recorded {
                system: system.to_owned(),
                format: String::new(),
                endian: Endian::Little,
                records: Vec::new(),
            });
            continue;
        }
        let Some(event) = events.last_mut() else { continue };
        match line {
            "." => in_format = false,
            _ if in_format => event.format += &format!("{line}\n"),
            "big" => event.endian = Endian::Big,
            "little" | "" => {}
            _ => {
                let (hex, text) = line.split_once(" | ").unwrap();
                let byte = |at| u8::from_str_radix(&hex[at..at + 2], 16).unwrap();
                let record = (0..hex.len()).step_by(2).map(byte).collect();
                event
                    .records
                    .push((record, text.replace("\\n", "\n").replace("\\\\", "\\")));
            }
        }
    }
    events
}

#[test]
fn texts_are_those_of_trace_cmd() {
    let symbols = Symbols::new();
    let (mut compared, mut wrong) = (0, Vec::new());
    for event in recorded() {
        let env = Env {
            endian: event.endian,
            long_size: 8,
            lookup: &symbols,
        };
        let format = EventFormat::parse(&event.format).unwrap();
        let text = EventText::compile_with(&format, env.long_size, trace_cmd::find_function);
        let plugin = trace_cmd::find_plugin(&event.system, &format, &env);
        let mut state = PrintState::new(false);
        for (index, (record, expected)) in event.records.iter().enumerate() {
            let at = Occasion {
                cpu: 0,
                ts: 1_000_000_000 + 1000 * index as u64,
                record,
                next: None,
            };
            let mut out = Vec::new();
            let outcome = match &plugin {
                Some(plugin) => plugin.print(&env, &mut state, &at, &mut out),
                None => Outcome::PrintFmt,
            };
            if outcome == Outcome::PrintFmt {
                text.print(&env, record, &mut out);
            }
            let found = String::from_utf8_lossy(&out);
            let found = found.strip_suffix('\n').unwrap_or(&found);
            if found != expected {
                wrong.push(format!(
                    "{} {}: found\n{found}\nexpected\n{expected}",
                    format.name, index
                ));
            }
            compared += 1;
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
    assert!(compared > 400, "only {compared} records");
}
