//! Writes a trace with records of every event that a recorded file has a format for.
//!
//! The new file keeps the recorded one's formats, symbols, command lines and options; its records are invented, from
//! the fields that the formats describe. So readers of print fmts can be compared on events that nobody caused.

mod format;
mod payload;
mod printk;
mod source;

use thiserror::Error;

use self::format::Event;
use self::payload::Payloads;
use self::source::Source;
use crate::bytes::Bytes;
use crate::random::Random;
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
    #[error("at {at:#x}: {message}")]
    Input {
        /// Bytes from the file's beginning.
        at: usize,
        /// What is wrong there.
        message: String,
    },
    /// No event was chosen.
    #[error("no event of the file is chosen")]
    NoEvents,
}

/// Bytes of one CPU in the flyrecord table: offset and size.
const CPU_ENTRY: usize = 16;
/// Bytes of junk between two records.
const JUNK: usize = 64;

impl Sweep {
    /// The bytes of the trace, from those of a recorded one: version 6, uncompressed.
    pub fn to_bytes(&self, recorded: &[u8]) -> Result<Vec<u8>, SweepError> {
        let source = Source::read(recorded)?;
        let events: Vec<&Event> = source.events.iter().filter(|event| self.chooses(event)).collect();
        if events.is_empty() {
            return Err(SweepError::NoEvents);
        }
        let (section, texts) = printk::section(&source.layout);
        let mut random = Random::new(self.seed);
        let symbols: Vec<u64> = (0..500)
            .filter_map(|_| random.choose(&source.symbols).copied())
            .collect();
        let mut payloads = Payloads {
            random,
            layout: source.layout.clone(),
            symbols: &symbols,
            pids: &source.pids,
            printk: &texts,
            wild: self.wild,
        };
        let cpus = self.records(&events, source.cpus, &mut payloads);

        let mut file = Bytes::new(source.layout.endian);
        file.raw(source.before_printk);
        let section = [source.printk, section.as_bytes()].concat();
        file.u32(section.len() as u32);
        file.raw(&section);
        file.raw(source.after_printk);
        file.raw(b"options  \0");
        file.raw(&source.options);
        file.u16(crate::container::option::DONE);
        file.raw(b"flyrecord\0");
        let page_size = source.layout.page_size as usize;
        let mut offset = (file.len() + CPU_ENTRY * cpus.len()).next_multiple_of(page_size);
        let data = offset;
        for pages in &cpus {
            file.u64(offset as u64);
            file.u64(pages.len() as u64);
            offset += pages.len();
        }
        file.pad_to(data);
        cpus.iter().for_each(|pages| file.raw(pages));
        Ok(file.data)
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
