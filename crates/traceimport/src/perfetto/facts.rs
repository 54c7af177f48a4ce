//! What a file says besides the events of its CPUs, gathered from its packets.

use std::collections::BTreeMap;

use schedrows::{CannotTell, KnownTask};

use super::bundle::{Bundle, BundleHead};
use super::events as ev;
use super::packet::{Content, Packet};
use super::proto::{int32, Fields, Value};
use super::queues::Queues;
use super::scanner::MAX_CPUS;
use super::stats::Stats;
use super::topo;

/// The most tasks that are named: as many as a kernel can have (`PID_MAX_LIMIT`).
const MOST_TASKS: usize = 4 << 20;

/// A CPU's bundles.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct CpuFacts {
    /// Time of its first event.
    pub first_ns: Option<u64>,
    /// Where its first packet begins and its last one ends.
    pub start: u64,
    pub end: u64,
    /// Bytes of its packets.
    pub bytes: u64,
}

/// What is recorded.
#[derive(Clone, Copy, Debug, Default)]
struct Recorded {
    flags: bool,
    wakeups: bool,
    migrations: bool,
    irqs: bool,
    softirqs: bool,
}

impl Recorded {
    /// What is in either.
    fn or(self, other: Recorded) -> Recorded {
        Recorded {
            flags: self.flags || other.flags,
            wakeups: self.wakeups || other.wakeups,
            migrations: self.migrations || other.migrations,
            irqs: self.irqs || other.irqs,
            softirqs: self.softirqs || other.softirqs,
        }
    }
}

/// All that is known.
#[derive(Default)]
pub(super) struct Facts {
    pub cpus: BTreeMap<u32, CpuFacts>,
    /// As many CPUs as the file says.
    told_cpus: u32,
    stats: Stats,
    /// The clock of the first bundle, and bundles with another one.
    clock: Option<u64>,
    pub other_clocks: u64,
    sysname: String,
    version: String,
    machine: String,
    pub release: Option<String>,
    pub tasks: BTreeMap<i32, KnownTask>,
    pub queues: Queues,
    pub topology: Option<String>,
    pub scxtop: bool,
    pub has_config: bool,
    /// By the events that were seen, and by what the configuration asks for.
    recorded: Recorded,
    configured: Recorded,
    /// Packets of kernels that are not Linux.
    pub other_kernel: u64,
}

impl Facts {
    /// Takes a packet, which is, or is in, the one at this place.
    pub fn packet(&mut self, packet: &Packet<'_>, start: u64, end: u64) {
        match packet.content {
            Some(Content::Bundle(body) | Content::CutBundle(body)) => self.bundle(body, start, end),
            Some(Content::ProcessTree(tree)) => self.process_tree(tree),
            Some(Content::TrackEvent(event)) => {
                if let Some(at) = packet.timestamp {
                    self.queues.event(at, event);
                }
            }
            Some(Content::Track(track)) => self.track(track),
            Some(Content::Config(config)) => self.config(config),
            Some(Content::FtraceStats(stats)) => self.stats.take(stats),
            Some(Content::SystemInfo(info)) => self.system_info(info),
            Some(Content::CpuInfo(info)) => {
                let cpus = Fields::new(info).filter(|&(field, _)| field == 1).count();
                self.told_cpus = self.told_cpus.max(cpus.min(MAX_CPUS as usize) as u32);
            }
            Some(Content::OtherKernel) => self.other_kernel += 1,
            None => {}
        }
    }

    /// Whether the first event of this CPU is known.
    pub fn knows(&self, cpu: u64) -> bool {
        let cpu = u32::try_from(cpu).ok().and_then(|cpu| self.cpus.get(&cpu));
        cpu.is_some_and(|cpu| cpu.first_ns.is_some())
    }

    /// Takes a bundle of a CPU that is known, and of which nothing more is looked at.
    pub fn more(&mut self, cpu: u64, start: u64, end: u64) {
        if let Some(known) = u32::try_from(cpu).ok().and_then(|cpu| self.cpus.get_mut(&cpu)) {
            known.end = end;
            known.bytes += end - start;
        }
    }

    fn bundle(&mut self, body: &[u8], start: u64, end: u64) {
        let quick = BundleHead::cpu_at_start(body).filter(|&cpu| self.knows(cpu));
        let cpu = match quick {
            Some(cpu) => cpu,
            None => self.first_bundle(body),
        };
        if MAX_CPUS <= cpu {
            return;
        }
        let known = self.cpus.entry(cpu as u32).or_insert(CpuFacts {
            start,
            ..CpuFacts::default()
        });
        known.end = end;
        known.bytes += body.len() as u64;
        if quick.is_none() && known.first_ns.is_none() {
            known.first_ns = Bundle::new(body, &mut |_| {}).first_ns();
        }
    }

    /// Looks into a bundle: which CPU's it is, and what is recorded.
    fn first_bundle(&mut self, body: &[u8]) -> u64 {
        let bundle = Bundle::new(body, &mut |_| {});
        match self.clock {
            Some(clock) if clock != bundle.head.clock => self.other_clocks += 1,
            _ => self.clock = Some(bundle.head.clock),
        }
        let recorded = &mut self.recorded;
        for event in bundle.events() {
            recorded.flags |= event.flags.is_some();
            recorded.wakeups |= event.kind == ev::WAKEUP;
            recorded.migrations |= event.kind == ev::MIGRATE;
            recorded.irqs |= event.kind == ev::IRQ_ENTRY;
            recorded.softirqs |= event.kind == ev::SOFTIRQ_ENTRY;
        }
        let flags = super::compact::WAKING_FLAGS;
        let compact = bundle.compact.unwrap_or_default();
        recorded.flags |= super::proto::Column::new(compact, flags).next().is_some();
        bundle.head.cpu
    }

    fn process_tree(&mut self, tree: &[u8]) {
        for (field, value) in Fields::new(tree) {
            let Value::Bytes(entry) = value else { continue };
            let (mut pid, mut tgid, mut name, mut command, mut is_name) = (0, None, &[][..], None, false);
            for (number, value) in Fields::new(entry) {
                match (field, number, value) {
                    (1 | 2, 1, Value::Varint(id)) => pid = int32(id),
                    (1, 3, Value::Bytes(word)) => command = command.or(Some(word)),
                    // A kernel thread, or one without a command line: the name stands in its place.
                    (1, 8 | 9, Value::Varint(flag)) => is_name |= flag != 0,
                    (2, 2, Value::Bytes(text)) => name = text,
                    (2, 3, Value::Varint(id)) => tgid = Some(int32(id)),
                    _ => {}
                }
            }
            if let (1, Some(word)) = (field, command) {
                name = if is_name { word } else { comm_of_command(word) };
                tgid = Some(pid);
            }
            self.task(pid, tgid, name);
        }
    }

    fn task(&mut self, pid: i32, tgid: Option<i32>, name: &[u8]) {
        if pid <= 0 || MOST_TASKS <= self.tasks.len() {
            return;
        }
        let task = self.tasks.entry(pid).or_insert_with(|| KnownTask {
            pid,
            ..KnownTask::default()
        });
        task.tgid = tgid.or(task.tgid);
        if !name.is_empty() {
            task.comm = String::from_utf8_lossy(name).into_owned();
        }
    }

    fn track(&mut self, track: &[u8]) {
        let (mut uuid, mut name) = (0, None);
        for (field, value) in Fields::new(track) {
            match (field, value) {
                (1, Value::Varint(number)) => uuid = number,
                (2 | 10, Value::Bytes(text)) => name = std::str::from_utf8(text).ok(),
                (3, Value::Bytes(process)) => self.track_of_task(process, 1, None, 6),
                (4, Value::Bytes(thread)) => self.track_of_task(thread, 2, Some(1), 5),
                _ => {}
            }
        }
        let Some(name) = name else { return };
        if let Some(json) = name.strip_prefix(topo::PREFIX) {
            self.scxtop = true;
            let known = topo::read(json);
            self.told_cpus = self.told_cpus.max(known.cpu_count.min(MAX_CPUS as u32));
            self.topology = known.topology;
        }
        self.queues.track(uuid, name);
    }

    /// A track that is a process's or a thread's, with the fields of its pid, its process and its name.
    fn track_of_task(&mut self, task: &[u8], pid_field: u32, tgid_field: Option<u32>, name_field: u32) {
        let (mut pid, mut tgid, mut name) = (0, None, &[][..]);
        for (field, value) in Fields::new(task) {
            match value {
                Value::Varint(number) if field == pid_field => pid = int32(number),
                Value::Varint(number) if Some(field) == tgid_field => tgid = Some(int32(number)),
                Value::Bytes(text) if field == name_field => name = text,
                _ => {}
            }
        }
        let tgid = match tgid_field {
            Some(_) => tgid,
            None => Some(pid),
        };
        self.task(pid, tgid, name);
    }

    /// Which events a `TraceConfig` asks for: data_sources, config, ftrace_config, ftrace_events.
    fn config(&mut self, config: &[u8]) {
        let inside = |bytes, wanted| {
            Fields::new(bytes).filter_map(move |(field, value)| match value {
                Value::Bytes(bytes) if field == wanted => Some(bytes),
                _ => None,
            })
        };
        let ftrace = inside(config, 2)
            .flat_map(|source| inside(source, 1))
            .flat_map(|config| inside(config, 100));
        for config in ftrace {
            self.has_config = true;
            for event in inside(config, 1) {
                let name = event.rsplit(|&byte| byte == b'/').next().unwrap_or(event);
                let all_of = |system: &[u8]| name == b"*" && event.starts_with(system);
                let recorded = &mut self.configured;
                recorded.wakeups |= name == b"sched_wakeup" || all_of(b"sched/");
                recorded.migrations |= name == b"sched_migrate_task" || all_of(b"sched/");
                recorded.irqs |= name == b"irq_handler_entry" || all_of(b"irq/");
                recorded.softirqs |= name == b"softirq_entry" || all_of(b"irq/");
            }
        }
    }

    fn system_info(&mut self, info: &[u8]) {
        let text = |bytes| String::from_utf8_lossy(bytes).into_owned();
        for (field, value) in Fields::new(info) {
            match (field, value) {
                (1, Value::Bytes(utsname)) => {
                    for (field, value) in Fields::new(utsname) {
                        match (field, value) {
                            (1, Value::Bytes(bytes)) => self.sysname = text(bytes),
                            (2, Value::Bytes(bytes)) => self.version = text(bytes),
                            (3, Value::Bytes(bytes)) => self.release = Some(text(bytes)),
                            (4, Value::Bytes(bytes)) => self.machine = text(bytes),
                            _ => {}
                        }
                    }
                }
                (8, Value::Varint(count)) => self.told_cpus = self.told_cpus.max(count.min(MAX_CPUS) as u32),
                _ => {}
            }
        }
    }

    /// CPUs of the machine: at least those that have events.
    pub fn cpu_count(&self) -> u32 {
        let last = self.cpus.keys().next_back().map_or(0, |&cpu| cpu + 1);
        let counted = self.stats.cpus().max().map_or(0, |cpu| cpu + 1);
        self.told_cpus.max(last).max(counted)
    }

    /// The clock's name, as tracefs has it.
    pub fn clock(&self) -> Option<&'static str> {
        match self.clock? {
            0 => Some("boot"),
            2 => Some("global"),
            3 => Some("local"),
            4 => Some("mono_raw"),
            _ => None,
        }
    }

    /// As `uname` prints it.
    pub fn uname(&self) -> Option<String> {
        let release = self.release.as_deref()?;
        let words = [self.sysname.as_str(), release, &self.version, &self.machine];
        let words: Vec<&str> = words.into_iter().filter(|word| !word.is_empty()).collect();
        Some(words.join(" "))
    }

    /// What no event of the file says. `host`: what is recorded on other machines is configured there, too.
    pub fn cannot_tell(&self, host: Option<&Facts>) -> CannotTell {
        if self.scxtop {
            return CannotTell::ALL
                .into_iter()
                .fold(CannotTell::NOTHING, |all, (one, _)| all.and(one));
        }
        let Recorded {
            flags,
            wakeups,
            migrations,
            irqs,
            softirqs,
        } = self
            .recorded
            .or(self.configured)
            .or(host.map(|host| host.configured).unwrap_or_default());
        CannotTell::CONTEXT
            .if_so(!(flags || irqs && softirqs))
            .and(CannotTell::CHOSEN_CPU.if_so(!wakeups))
            .and(CannotTell::MIGRATIONS.if_so(!migrations))
    }
}

/// The name of the kernel's that a process with this first word of its command line has, most often.
fn comm_of_command(word: &[u8]) -> &[u8] {
    let name = word.rsplit(|&byte| byte == b'/').next().unwrap_or(word);
    name.get(..15).unwrap_or(name)
}
