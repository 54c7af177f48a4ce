//! An opened Perfetto trace.

use std::sync::Arc;

use schedrows::{
    Diagnostic, DiagnosticKind, DispatchQueue, ErrorKind, KnownTask, ReadAt, ReadError, Scanner, Source, SourceError,
    SourceInfo, Stream, Want,
};

use sysnames::Machine;

use super::cpu::Reading;
use super::events::NamedEvents;
use super::facts::Facts;
use super::plan::{plan, Part};
use super::proto::{Fields, Value};
use super::scanner::PacketScanner;
use super::skim::{skim, Skimmed};
use super::state::States;
use crate::unwrap::{Unwrap, Wrapping};

/// The format's name.
pub const FORMAT: &str = "perfetto";

/// Whether a file with these first bytes is a Perfetto trace: packets, or packets inside gzip or zstd.
pub fn is_perfetto(head: &[u8]) -> bool {
    let wrapping = Wrapping::of(head);
    if wrapping == Wrapping::None {
        return begins_with_packet(head);
    }
    let mut inside = Vec::new();
    let mut unwrap = Unwrap::new(wrapping);
    let mut take = |bytes: &[u8]| inside.extend_from_slice(bytes);
    // The head ends in the middle: what came until then counts.
    let _ = unwrap.push(head, &mut take);
    unwrap.finish(&mut take);
    begins_with_packet(&inside)
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
    info: SourceInfo,
    diagnostics: Vec<Diagnostic>,
    first_ns: Option<u64>,
    queues: Vec<DispatchQueue>,
    parts: Vec<Part>,
    reading: Reading,
    wrapping: Wrapping,
}

impl<R: ReadAt> PerfettoFile<R> {
    /// Looks at all packets; their events are read later, by scanners.
    pub fn open(input: R) -> Result<Self, SourceError> {
        let mut start = vec![0; input.len().min(4) as usize];
        input.read_at(0, &mut start)?;
        let wrapping = Wrapping::of(&start);
        let Skimmed { facts, packed } = skim(&input, wrapping)?;
        if facts.cpus.is_empty() && 0 < facts.other_kernel {
            return Err(other_kernel());
        }
        let states = match &facts.release {
            _ if facts.scxtop => States::Raw,
            Some(release) => States::of_release(release),
            None => States::Since414,
        };
        let whole = wrapping != Wrapping::None || packed;
        Ok(PerfettoFile {
            parts: plan(&facts, input.len(), whole),
            info: info(&facts),
            diagnostics: diagnostics(&facts),
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
            },
            queues: facts.queues.finish(),
            wrapping,
            input,
        })
    }

    /// The file's bytes.
    pub fn bytes(&self) -> &R {
        &self.input
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

fn info(facts: &Facts) -> SourceInfo {
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
        cannot_tell: facts.cannot_tell(),
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
        self.info.clone()
    }

    fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }

    fn input(&self) -> &dyn ReadAt {
        &self.input
    }

    fn streams(&self) -> Vec<Stream> {
        self.parts.iter().map(|part| part.stream).collect()
    }

    fn scanner(&self, stream: usize, want: Want) -> Option<Box<dyn Scanner>> {
        let part = self.parts.get(stream)?;
        let reading = Reading {
            kernel: want.kernel,
            ..self.reading.clone()
        };
        let tells = stream == 0;
        let (at, cpus) = (part.stream.offset, part.cpus.clone());
        Some(Box::new(PacketScanner::new(reading, self.wrapping, at, cpus, tells)))
    }

    fn first_ns(&self) -> Result<Option<u64>, ReadError> {
        Ok(self.first_ns)
    }

    fn event_name(&self, id: u16) -> Option<(&str, &str)> {
        self.reading.events.name(id)
    }

    fn queues(&self) -> &[DispatchQueue] {
        &self.queues
    }
}
