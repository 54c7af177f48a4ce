//! The events of sched_ext (`include/trace/events/sched_ext.h`): its counters, and what its core does instead of the
//! scheduler that is loaded.

use std::collections::BTreeMap;

use schedrows::{CpuScan, SchedExtEvent, SchedExtTold};
use traceevent::{IntField, TextField};

use crate::error::ReadError;
use crate::file::{ReadAt, TraceFile};
use crate::records::MergedRecords;

const SYSTEM: &str = "sched_ext";
/// A bypass begins: the core runs all tasks first in, first out.
const BYPASS_BEGINS: &str = "SCX_EV_BYPASS_ACTIVATE";
/// A bypass ended; its delta is how long it took.
const BYPASS_ENDS: &str = "SCX_EV_BYPASS_DURATION";

/// How often a counter was raised, and by how much in all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sum {
    /// Events.
    pub count: u64,
    /// Of their deltas; saturates.
    pub sum: i64,
}

/// Something that the core said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Told {
    /// When, by the trace's clock.
    pub at: u64,
    /// Its words.
    pub text: String,
}

/// All that a trace, or a part of it, tells of sched_ext.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SchedExt {
    /// Counters by name, whatever names there are.
    pub events: BTreeMap<String, Sum>,
    /// From when to when the core bypassed the scheduler; without an end where the trace has none.
    pub bypasses: Vec<(u64, Option<u64>)>,
    /// Schedulers that ended, and why (`sched_ext_exit`).
    pub exits: Vec<Told>,
    /// Lines of dumps.
    pub dumps: Vec<Told>,
}

/// Fields of one event.
enum Event {
    Counter { name: TextField, delta: IntField },
    Dump(TextField),
    Exit(Vec<TextField>),
}

/// Reads the events of the buffer that is shown which were written from `from` on and before `to`. A bypass counts where a
/// part of it lies there, if its end was recorded.
pub fn sched_ext<R: ReadAt>(file: &TraceFile<R>, from: u64, to: Option<u64>) -> Result<SchedExt, ReadError> {
    let events: BTreeMap<u16, Event> = file.event_ids().filter_map(|id| Some((id, bind(file, id)?))).collect();
    let mut gather = Gather::new(from, to);
    if events.is_empty() {
        return Ok(gather.finish());
    }
    let shown = file.shown_buffer();
    let mut records = MergedRecords::new(file, |buffer, _| buffer == shown);
    let endian = file.endian();
    let text = |field: &TextField, data: &[u8]| {
        let bytes = field.load(data, endian).unwrap_or_default();
        String::from_utf8_lossy(bytes).trim_end().to_owned()
    };
    while let Some(record) = records.next()? {
        let Some(event) = events.get(&record.id) else { continue };
        let told = match event {
            Event::Counter { name, delta } => SchedExtTold::Counter {
                name: text(name, record.data),
                delta: delta.load(record.data, endian).unwrap_or(0),
            },
            Event::Dump(line) => SchedExtTold::Dump(text(line, record.data)),
            Event::Exit(fields) => {
                let words: Vec<String> = fields.iter().map(|field| text(field, record.data)).collect();
                SchedExtTold::Exit(words.join(" "))
            }
        };
        gather.take(record.ts, told);
    }
    Ok(gather.finish())
}

/// The same of scans that hold such events themselves, since their source has no records.
pub fn sched_ext_of_scans(scans: &[CpuScan], from: u64, to: Option<u64>) -> SchedExt {
    let mut events: Vec<&SchedExtEvent> = scans.iter().flat_map(|scan| &scan.sched_ext).collect();
    events.sort_by_key(|event| event.ts);
    let mut gather = Gather::new(from, to);
    for event in events {
        gather.take(event.ts, event.told.clone());
    }
    gather.finish()
}

/// Takes events in the order of time.
struct Gather {
    from: u64,
    to: Option<u64>,
    found: SchedExt,
    /// When the bypass began that has not ended yet.
    begun: Option<u64>,
}

impl Gather {
    fn new(from: u64, to: Option<u64>) -> Self {
        Gather {
            from,
            to,
            found: SchedExt::default(),
            begun: None,
        }
    }

    fn take(&mut self, at: u64, told: SchedExtTold) {
        let Gather { from, to, found, begun } = self;
        let is_in = *from <= at && to.is_none_or(|to| at < to);
        match told {
            SchedExtTold::Counter { name, delta } => {
                if name == BYPASS_BEGINS {
                    *begun = Some(at);
                }
                if name == BYPASS_ENDS {
                    let start = at.saturating_sub(u64::try_from(delta).unwrap_or(0));
                    *begun = None;
                    if *from <= at && to.is_none_or(|to| start < to) {
                        found.bypasses.push((start, Some(at)));
                    }
                }
                if is_in {
                    let sum = found.events.entry(name).or_default();
                    sum.count += 1;
                    sum.sum = sum.sum.saturating_add(delta);
                }
            }
            SchedExtTold::Dump(text) if is_in => found.dumps.push(Told { at, text }),
            SchedExtTold::Exit(text) if is_in => found.exits.push(Told { at, text }),
            _ => {}
        }
    }

    fn finish(self) -> SchedExt {
        let Gather {
            to, mut found, begun, ..
        } = self;
        // It lasts beyond the trace's end.
        let open = begun.filter(|begun| to.is_none_or(|to| *begun < to));
        found.bypasses.extend(open.map(|begun| (begun, None)));
        found
    }
}

fn bind<R: ReadAt>(file: &TraceFile<R>, id: u16) -> Option<Event> {
    let (system, name) = file.event_name(id)?;
    if system != SYSTEM {
        return None;
    }
    let format = file.event_format(id)?;
    let text = |name: &str| format.field(name)?.as_text();
    match name {
        "sched_ext_event" => Some(Event::Counter {
            name: text("name")?,
            delta: format.field("delta")?.as_int()?,
        }),
        "sched_ext_dump" => Some(Event::Dump(text("line")?)),
        "sched_ext_exit" => {
            let own = format.fields.iter().filter(|field| !field.name.starts_with("common_"));
            Some(Event::Exit(own.filter_map(|field| field.as_text()).collect()))
        }
        _ => None,
    }
}
