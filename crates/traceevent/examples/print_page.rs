//! Prints the records of a ring-buffer page by their events' own print fmts:
//!
//!     cargo run --example print_page
//!
//! The page is the last one of CPU 0 of a recording of Linux 5.10 on x86-64, without the empty rest behind its records;
//! the formats are those of the events in it. On a live machine the same comes from `per_cpu/cpu0/trace_pipe_raw` and
//! `events/*/*/format` below `/sys/kernel/tracing`.

use std::collections::HashMap;
use std::error::Error;

use ftrace_format::{Endian, Env, EventFormat, EventText, NoLookup, PageLayout};

const PAGE: &[u8] = include_bytes!("data/page.bin");
const HEADER_PAGE: &str = include_str!("data/header_page");
const FORMATS: [&str; 4] = [
    include_str!("data/sched_process_exit.format"),
    include_str!("data/sched_switch.format"),
    include_str!("data/sched_wakeup.format"),
    include_str!("data/sched_waking.format"),
];

/// Bytes of a `long` on x86-64.
const LONG_SIZE: u8 = 8;

/// One line for each record: the time in seconds, the event and its text.
pub fn lines() -> Result<String, Box<dyn Error>> {
    let env = Env {
        endian: Endian::Little,
        long_size: LONG_SIZE,
        lookup: &NoLookup,
    };
    let mut events = HashMap::new();
    for text in FORMATS {
        let format = EventFormat::parse(text)?;
        let text = EventText::compile(&format, LONG_SIZE);
        events.insert(format.id, (format, text));
    }
    let layout = PageLayout::parse(HEADER_PAGE, env.endian)?;
    let (_, records) = layout.open(PAGE)?;
    let mut out = Vec::new();
    for record in records {
        let record = record?;
        // Every record begins with `unsigned short common_type`, the event's id.
        let id = env.endian.u16(record.data, 0).ok_or("a record without common_type")?;
        let (format, text) = events.get(&id).ok_or("a record of an unknown event")?;
        let (seconds, ns) = (record.timestamp / 1_000_000_000, record.timestamp % 1_000_000_000);
        out.extend(format!("{seconds}.{ns:09}: {}: ", format.name).into_bytes());
        text.print(&env, record.data, &mut out);
        out.push(b'\n');
    }
    Ok(String::from_utf8(out)?)
}

fn main() -> Result<(), Box<dyn Error>> {
    print!("{}", lines()?);
    Ok(())
}
