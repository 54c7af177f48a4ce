//! A stream's bytes to the scans of its CPUs.

use std::collections::BTreeMap;
use std::sync::Arc;

use containers::{Peel, Problem};
use schedrows::words::{counted, grouped};
use schedrows::{CpuScan, Diagnostic, DiagnosticKind, Scan, Scanner};

use super::bundle::{Bundle, BundleHead};
use super::cpu::{Cpu, Reading};
use super::framing::{Framing, Piece};
use super::packet::{Content, Opener, Packet, HOST};
use super::stats::Stats;

/// CPUs from this number on are damage: Perfetto's own limit.
pub(super) const MAX_CPUS: u64 = 1024;
/// Damages that are reported one by one.
const MAX_DAMAGES: usize = 20;

/// Scans a stream.
pub(super) struct PacketScanner {
    peel: Peel,
    framing: Framing,
    inner: Inner,
}

/// What the packets are gathered into.
struct Inner {
    reading: Reading,
    /// The CPUs that are wanted; `None` for all.
    wanted: Option<Arc<[u32]>>,
    opener: Opener,
    cpus: BTreeMap<u32, Cpu>,
    stats: Stats,
    /// Whether this stream tells of damage that is not a CPU's.
    tells: bool,
    damages: u64,
    diagnostics: Vec<Diagnostic>,
    /// Bundles of CPUs that there cannot be.
    no_cpu: u64,
    /// Events of machines that are not shown, by machine.
    others: BTreeMap<u32, u64>,
    cut: bool,
}

impl PacketScanner {
    /// For a stream that begins at `at`, with all CPUs or those that are wanted.
    pub fn new(reading: Reading, peel: Peel, at: u64, wanted: Option<Arc<[u32]>>, tells: bool) -> Self {
        PacketScanner {
            peel,
            framing: Framing::at(at),
            inner: Inner {
                reading,
                wanted,
                opener: Opener::default(),
                cpus: BTreeMap::new(),
                stats: Stats::default(),
                tells,
                damages: 0,
                diagnostics: Vec::new(),
                no_cpu: 0,
                others: BTreeMap::new(),
                cut: false,
            },
        }
    }
}

/// How a machine is called.
pub(super) fn machine_name(machine: u32) -> String {
    match machine {
        HOST => "the host (machine 0)".to_owned(),
        other => format!("machine {other}"),
    }
}

impl Scanner for PacketScanner {
    fn push(&mut self, bytes: &[u8]) {
        let PacketScanner { peel, framing, inner } = self;
        peel.push(bytes, &mut |bytes| framing.push(bytes, &mut |piece| inner.take(piece)));
    }

    fn events(&self) -> u64 {
        self.inner.cpus.values().map(|cpu| cpu.scan.records).sum()
    }

    fn finish(self: Box<Self>) -> Scan {
        let PacketScanner {
            mut peel,
            mut framing,
            mut inner,
        } = *self;
        let problems = peel.finish(&mut |bytes| framing.push(bytes, &mut |piece| inner.take(piece)));
        framing.finish(&mut |piece| inner.take(piece));
        for Problem { kind, text } in problems {
            inner.cut = true;
            inner.tell(kind, text);
        }
        Scan {
            cpus: inner.finish(),
            index: None,
        }
    }
}

impl Inner {
    fn take(&mut self, piece: Piece<'_>) {
        match piece {
            Piece::Packet(bytes) => self.packet(bytes),
            Piece::Cut(bytes) => {
                self.packet(bytes);
                self.cut = true;
                self.tell(DiagnosticKind::Truncated, "the file ends within a packet".to_owned());
            }
            Piece::Damage { at, what } => {
                self.lose();
                self.tell(DiagnosticKind::Malformed, format!("at byte {}: {what}", grouped(at)));
            }
        }
    }

    /// Whatever CPU's events were there are missing.
    fn lose(&mut self) {
        self.cpus.values_mut().for_each(Cpu::lose);
    }

    fn tell(&mut self, kind: DiagnosticKind, text: String) {
        self.damages += 1;
        if self.diagnostics.len() < MAX_DAMAGES {
            self.diagnostics.push(Diagnostic {
                kind,
                cpu: None,
                at_ns: None,
                count: 1,
                text,
            });
        }
    }

    fn packet(&mut self, bytes: &[u8]) {
        let first = Packet::new(bytes);
        if first.is_plain() {
            return self.content(&first);
        }
        let mut opener = std::mem::take(&mut self.opener);
        let whole = opener.open(bytes, &mut |packet| self.content(packet));
        self.opener = opener;
        if !whole {
            self.lose();
        }
    }

    fn content(&mut self, packet: &Packet<'_>) {
        if packet.machine != self.reading.machine {
            return self.of_another_machine(packet);
        }
        match packet.content {
            // The machine's id follows the bundle, and is cut off.
            Some(Content::CutBundle(_)) if self.reading.several => {}
            Some(Content::Bundle(body) | Content::CutBundle(body)) => self.bundle(body),
            Some(Content::FtraceStats(stats)) => self.stats.take(stats),
            _ => {}
        }
    }

    /// Counts the events of a machine that is not shown.
    #[cold]
    fn of_another_machine(&mut self, packet: &Packet<'_>) {
        if let (Some(Content::Bundle(body)), true) = (packet.content, self.tells) {
            if self.others.len() < MAX_DAMAGES || self.others.contains_key(&packet.machine) {
                let bundle = Bundle::new(body, &mut |_| {});
                *self.others.entry(packet.machine).or_default() += bundle.count();
            }
        }
    }

    fn bundle(&mut self, body: &[u8]) {
        // Of other CPUs nothing more is looked at: another stream goes over them.
        if BundleHead::cpu_at_start(body).is_some_and(|cpu| cpu < MAX_CPUS && !self.wants(cpu as u32)) {
            return;
        }
        let events = self.reading.events.clone();
        let bundle = Bundle::new(body, &mut |descriptor| events.describe(descriptor));
        if MAX_CPUS <= bundle.head.cpu {
            self.no_cpu += 1;
            return;
        }
        let number = bundle.head.cpu as u32;
        if !self.wants(number) {
            return;
        }
        let reading = &self.reading;
        let cpu = self.cpus.entry(number).or_insert_with(|| Cpu::new(number, reading));
        cpu.bundle(&bundle);
    }

    fn wants(&self, cpu: u32) -> bool {
        self.wanted.as_ref().is_none_or(|wanted| wanted.contains(&cpu))
    }

    fn finish(mut self) -> Vec<CpuScan> {
        let more = self.damages.saturating_sub(self.diagnostics.len() as u64);
        let damage = self.opener.damage;
        let counts = [
            (more, "more damaged place"),
            (damage.packets, "damaged packet"),
            (damage.packed, "packet that could not be unpacked"),
            (self.no_cpu, "bundle of a CPU that there cannot be"),
        ];
        for (count, what) in counts.into_iter().filter(|&(count, _)| 0 < count) {
            self.diagnostics.push(Diagnostic {
                kind: DiagnosticKind::Malformed,
                cpu: None,
                at_ns: None,
                count,
                text: counted(count, what),
            });
        }
        for (&machine, &count) in &self.others {
            self.diagnostics.push(Diagnostic {
                kind: DiagnosticKind::Unsupported,
                cpu: None,
                at_ns: None,
                count,
                text: format!(
                    "events of {}, which is not shown; `--buffer {machine}` shows it",
                    machine_name(machine)
                ),
            });
        }
        for (number, cpu) in &mut self.cpus {
            cpu.count_lost(self.stats.lost(*number));
        }
        if self.cpus.is_empty() && !self.diagnostics.is_empty() {
            let cpu = self
                .wanted
                .as_ref()
                .and_then(|wanted| wanted.first().copied())
                .unwrap_or(0);
            self.cpus.insert(cpu, Cpu::new(cpu, &self.reading));
        }
        let cut = self.cut;
        let mut scans: Vec<CpuScan> = self.cpus.into_values().map(|cpu| cpu.finish(cut)).collect();
        if let Some(first) = scans.first_mut().filter(|_| self.tells) {
            first.diagnostics.append(&mut self.diagnostics);
        }
        scans
    }
}
