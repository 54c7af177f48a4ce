//! Writes a trace with records of every event that a recorded file has a format for.
//!
//! The new file keeps the recorded one's formats, symbols, command lines and options; its records are invented, from
//! the fields that the formats describe. So readers of print fmts can be compared on events that nobody caused.

mod payload;
mod printk;

use std::io::Cursor;

use thiserror::Error;

use self::payload::Payloads;
use crate::bytes::Bytes;
use crate::container::{self, push_option, Contents, CpuPages};
use crate::layout::Layout;
use crate::random::Random;
use crate::recorded::{Event, Recorded, RecordedError};
use crate::ring::RingWriter;

/// What to write.
#[derive(Clone, Debug)]
pub struct Sweep {
    /// Records of each event.
    pub records: u32,
    /// Start of the random numbers: the same seed gives the same file.
    pub seed: u64,
    /// `NAME`, `SYSTEM:NAME` or `SYSTEM:*`; all events where the list is empty.
    pub events: Vec<String>,
    /// The same, of events to leave out.
    pub skip: Vec<String>,
    /// Also values that no kernel writes: lengths beyond the record, text without an end.
    pub wild: bool,
    /// Puts discarded records full of this byte behind each record: what a reader prints must not depend on it.
    pub junk: Option<u8>,
}

/// Why there is no sweep.
#[derive(Debug, Error)]
pub enum SweepError {
    /// The recorded file cannot be used.
    #[error(transparent)]
    Input(#[from] RecordedError),
    /// No event was chosen.
    #[error("no event of the file is chosen")]
    NoEvents,
}

/// Bytes of junk between two records.
const JUNK: usize = 64;

impl Sweep {
    /// The bytes of the trace, from those of a recorded one; version 6.
    pub fn to_bytes(&self, recorded: &[u8]) -> Result<Vec<u8>, SweepError> {
        let mut recorded = Recorded::read(Cursor::new(recorded))?;
        let all = recorded.events()?;
        let events: Vec<&Event> = all.iter().filter(|event| self.chooses(event)).collect();
        if events.is_empty() {
            return Err(SweepError::NoEvents);
        }
        let layout = Layout {
            version: "6".into(),
            ..recorded.layout.clone()
        };
        let (section, texts) = printk::section(&layout);
        let mut random = Random::new(self.seed);
        let symbols = symbols(&recorded.metadata.kallsyms);
        let symbols: Vec<u64> = (0..500).filter_map(|_| random.choose(&symbols).copied()).collect();
        let mut payloads = Payloads {
            random,
            layout: layout.clone(),
            symbols: &symbols,
            pids: &recorded
                .comms()
                .into_iter()
                .map(|(pid, _)| pid as u32)
                .collect::<Vec<_>>(),
            printk: &texts,
            wild: self.wild,
        };
        let cpus = recorded.cpus.len() as u32;
        let pages = self.records(&events, cpus, &mut payloads);

        let printk = [
            recorded.metadata.printk.data.get(4..).unwrap_or(&[]),
            section.as_bytes(),
        ]
        .concat();
        recorded.metadata.printk = container::text(&layout, &printk);
        let mut options = Bytes::new(layout.endian);
        for (id, data) in &recorded.options {
            let mut bytes = Bytes::new(layout.endian);
            bytes.raw(data);
            push_option(&mut options, *id, &bytes);
        }
        let contents = Contents {
            layout: &layout,
            cpus,
            metadata: recorded.metadata,
            options,
            chunk_pages: 1,
        };
        let pages = pages.iter().enumerate().map(|(cpu, pages)| CpuPages {
            cpu: cpu as u32,
            len: pages.len() as u64,
            pages: Box::new(pages.as_slice()),
        });
        let mut file = Cursor::new(Vec::new());
        container::write(&mut file, &contents, pages.collect()).expect("a Vec takes all that is written");
        Ok(file.into_inner())
    }

    fn chooses(&self, event: &Event) -> bool {
        let listed = |list: &[String]| {
            let names = [
                event.name.clone(),
                format!("{}:{}", event.system, event.name),
                format!("{}:*", event.system),
            ];
            list.iter().any(|entry| names.contains(entry))
        };
        (self.events.is_empty() || listed(&self.events)) && !listed(&self.skip)
    }

    /// The pages of each CPU: the events in turn, each on some CPU, with increasing times.
    fn records(&self, events: &[&Event], cpus: u32, payloads: &mut Payloads) -> Vec<Vec<u8>> {
        let mut rings: Vec<RingWriter> = (0..cpus).map(|_| RingWriter::new(&payloads.layout)).collect();
        let mut now = 100_000_000_000;
        for _ in 0..self.records {
            for event in events {
                let record = payloads.record(event);
                let ring = &mut rings[payloads.random.below(cpus.into()) as usize];
                now += match payloads.random.below(20) {
                    // CPUs do things at the same time.
                    0 => 0,
                    1 => 400_000_000,
                    _ => 1 + payloads.random.below(100_000),
                };
                if payloads.random.one_in(200) {
                    ring.lose(payloads.random.one_in(2).then_some(7));
                }
                ring.record(now, &record);
                // A function that calls no other one is left at once.
                let exit = events.iter().find(|event| event.name == "funcgraph_exit");
                if let (Some(exit), "funcgraph_entry", true) = (exit, event.name.as_str(), payloads.random.one_in(2)) {
                    now += 1 + payloads.random.below(20_000_000) / 7;
                    let left = payloads.exit_of(exit, event, &record);
                    ring.record(now, &left);
                }
                if let Some(byte) = self.junk {
                    ring.discarded_as(now, JUNK, byte);
                }
            }
        }
        rings.into_iter().map(RingWriter::finish).collect()
    }
}

/// Addresses of `/proc/kallsyms`: `ffffffff81000000 T name`.
fn symbols(kallsyms: &Bytes) -> Vec<u64> {
    String::from_utf8_lossy(kallsyms.data.get(4..).unwrap_or(&[]))
        .lines()
        .filter_map(|line| u64::from_str_radix(line.split_whitespace().next()?, 16).ok())
        .filter(|address| *address != 0)
        .collect()
}
