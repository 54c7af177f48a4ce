//! An opened Perfetto trace.

use std::collections::BTreeMap;
use std::sync::Arc;

use containers::Place;
use schedrows::{
    Diagnostic, DiagnosticKind, DispatchQueue, ErrorKind, KernelStates, KnownTask, ReadAt, ReadError, Scanner, Source,
    SourceError, SourceInfo, Stream, Want,
};

use sysnames::Machine;

use super::cpu::Reading;
use super::events::NamedEvents;
use super::facts::Facts;
use super::packet::HOST;
use super::plan::{plan, Part};
use super::proto::{Fields, Value};
use super::scanner::PacketScanner;
use super::skim::{skim, Skimmed};

/// The format's name.
pub const FORMAT: &str = "perfetto";

/// Whether a file with these first bytes is a Perfetto trace, without anything around it.
pub fn is_perfetto(head: &[u8]) -> bool {
    begins_with_packet(head)
}

/// A packet's tag and length, then fields of it. A text may begin with a line feed, which is that tag: but no text holds
/// the bytes that the tags of fields and small numbers are.
fn begins_with_packet(head: &[u8]) -> bool {
    let head = head.get(..head.len().min(64)).unwrap_or_default();
    let packet = match Fields::new(head).next() {
        Some((1, Value::Bytes(packet) | Value::Cut(packet))) => packet,
        _ => return false,
    };
    let is_known = |field: u32| field < 1000;
    head.first() == Some(&0x0a)
        && head.iter().any(|byte| matches!(byte, 0..=8 | 14..=31))
        && !packet.is_empty()
        && Fields::new(packet).next().is_some_and(|(field, _)| is_known(field))
}

/// A file whose packets were looked at.
pub struct PerfettoFile<R> {
    input: R,
    place: Place,
    /// What the file says of each machine; of the host, if nothing.
    machines: BTreeMap<u32, Facts>,
    /// Packets are in packets.
    packed: bool,
    shown: Shown,
}

/// The machine that is shown.
struct Shown {
    info: SourceInfo,
    diagnostics: Vec<Diagnostic>,
    first_ns: Option<u64>,
    queues: Vec<DispatchQueue>,
    parts: Vec<Part>,
    reading: Reading,
}

impl<R: ReadAt> PerfettoFile<R> {
    /// Looks at all packets; their events are read later, by scanners. Shows the host, if it has events; else the machine of
    /// the lowest id that has.
    pub fn open(input: R, place: Place) -> Result<Self, SourceError> {
        let Skimmed { machines, packed } = skim(&input, &place)?;
        let has_events = |id: &u32| machines.get(id).is_some_and(|facts| !facts.cpus.is_empty());
        let machine = machines.keys().copied().find(has_events).unwrap_or(HOST);
        let shown = Shown::of(&machines, machine, &place, packed)?;
        Ok(PerfettoFile {
            shown,
            machines,
            packed,
            place,
            input,
        })
    }

    /// Shows the machine with this id; `0`, or nothing, is the host.
    fn show_machine(&mut self, name: &str) -> Result<(), SourceError> {
        let machine = if name.is_empty() { Ok(HOST) } else { name.parse() };
        let known = machine.ok().filter(|machine| self.machines.contains_key(machine));
        let Some(machine) = known else {
            let ids: Vec<String> = self.machines.keys().map(u32::to_string).collect();
            let what = format!("the trace has no machine {name}; it has {}", ids.join(", "));
            return Err(SourceError {
                kind: ErrorKind::Unsupported,
                message: what.clone(),
                what,
                place: None,
                advice: "Name one of these: 0 is the host.",
            });
        };
        self.shown = Shown::of(&self.machines, machine, &self.place, self.packed)?;
        Ok(())
    }

    /// The file's bytes.
    pub fn bytes(&self) -> &R {
        &self.input
    }
}

impl Shown {
    fn of(machines: &BTreeMap<u32, Facts>, machine: u32, place: &Place, packed: bool) -> Result<Shown, SourceError> {
        let nothing = Facts::default();
        let facts = machines.get(&machine).unwrap_or(&nothing);
        if facts.cpus.is_empty() && 0 < facts.other_kernel {
            return Err(other_kernel());
        }
        let states = match &facts.release {
            _ if facts.scxtop => KernelStates::RAW,
            Some(release) => KernelStates::of_release(release).unwrap_or(KernelStates::NEWEST),
            None => KernelStates::NEWEST,
        };
        let host = machines.get(&HOST).filter(|_| machine != HOST);
        Ok(Shown {
            parts: plan(facts, place.stream, packed || !place.is_plain()),
            info: info(facts, host),
            diagnostics: diagnostics(facts),
            first_ns: facts.cpus.values().filter_map(|cpu| cpu.first_ns).min(),
            reading: Reading {
                states,
                scxtop: facts.scxtop,
                events: Arc::new(NamedEvents::default()),
                sched_yield: facts
                    .uname()
                    .and_then(|uname| Machine::of_uname(&uname))
                    .map(Machine::sched_yield),
                kernel: false,
                machine,
                several: 1 < machines.len(),
            },
            queues: facts.queues.clone().finish(),
        })
    }
}

fn other_kernel() -> SourceError {
    let what = "a Perfetto trace of a kernel that is not Linux";
    SourceError {
        kind: ErrorKind::Unsupported,
        what: what.to_owned(),
        place: None,
        advice: "Open it in the Perfetto UI: its generic task states are not read here.",
        message: what.to_owned(),
    }
}

/// `host`: its packets hold the configuration of the recording on all machines.
fn info(facts: &Facts, host: Option<&Facts>) -> SourceInfo {
    SourceInfo {
        buffer: None,
        format: FORMAT,
        version: 1,
        cpu_count: facts.cpu_count(),
        clock: facts.clock().map(str::to_owned),
        clock_is_ns: true,
        uname: facts.uname(),
        has_text: false,
        writer: facts.scxtop.then(|| "scxtop".to_owned()),
        cannot_tell: facts.cannot_tell(host),
        topology: facts.topology.clone(),
        tasks: facts
            .tasks
            .values()
            .filter(|task| !task.comm.is_empty() || task.tgid.is_some())
            .cloned()
            .collect::<Vec<KnownTask>>(),
    }
}

fn diagnostics(facts: &Facts) -> Vec<Diagnostic> {
    let one = |kind, count, text: &str| Diagnostic {
        kind,
        cpu: None,
        at_ns: None,
        count,
        text: text.to_owned(),
    };
    let mut found = Vec::new();
    if facts.cpus.is_empty() {
        let text =
            "the trace has no events of the kernel's: record with the data source `linux.ftrace` and the events \
                    sched/sched_switch, sched/sched_waking, sched/sched_wakeup and sched/sched_migrate_task";
        found.push(one(DiagnosticKind::MissingEvent, 1, text));
    } else if facts.release.is_none() && !facts.scxtop {
        let text =
            "the file does not say which kernel it is of: the states of tasks are read as those of Linux 4.14 and \
                    later; record with the data source `linux.system_info`, too";
        found.push(one(DiagnosticKind::MissingEvent, 1, text));
    }
    if 0 < facts.other_clocks {
        let text = "bundles of events have another clock than the first one: their times are not comparable";
        found.push(one(DiagnosticKind::Unsupported, facts.other_clocks, text));
    }
    if 0 < facts.other_kernel {
        let text = "task states of kernels that are not Linux are not read";
        found.push(one(DiagnosticKind::Unsupported, facts.other_kernel, text));
    }
    found
}

impl<R: ReadAt> Source for PerfettoFile<R> {
    fn info(&self) -> SourceInfo {
        self.shown.info.clone()
    }

    /// The machines of a trace are its buffers.
    fn select_buffer(&mut self, name: &str) -> Result<(), SourceError> {
        self.show_machine(name)
    }

    fn diagnostics(&self) -> &[Diagnostic] {
        &self.shown.diagnostics
    }

    fn input(&self) -> &dyn ReadAt {
        &self.input
    }

    fn streams(&self) -> Vec<Stream> {
        self.shown.parts.iter().map(|part| part.stream).collect()
    }

    fn scanner(&self, stream: usize, want: Want) -> Option<Box<dyn Scanner>> {
        let part = self.shown.parts.get(stream)?;
        let reading = Reading {
            kernel: want.kernel,
            ..self.shown.reading.clone()
        };
        let tells = stream == 0;
        // Places in a packed file are those of what is in it.
        let at = if self.place.is_plain() { part.stream.offset } else { 0 };
        let peel = self.place.peel().unbounded();
        Some(Box::new(PacketScanner::new(
            reading,
            peel,
            at,
            part.cpus.clone(),
            tells,
        )))
    }

    fn first_ns(&self) -> Result<Option<u64>, ReadError> {
        Ok(self.shown.first_ns)
    }

    fn event_name(&self, id: u16) -> Option<(&str, &str)> {
        self.shown.reading.events.name(id)
    }

    fn queues(&self) -> &[DispatchQueue] {
        &self.shown.queues
    }
}
