//! All lines of a text to the rows of its CPUs.

use std::borrow::Cow;
use std::collections::HashMap;

use schedrows::{CpuScan, KernelStates, RowKind, Scan, Scanner, SchedExtKind, MOST_CPUS};

use crate::columns::Columns;
use crate::cpu::Cpu;
use crate::event::{kind_of, sched_ext_told, told, tracer_kind_of, Told};
use crate::facts::Facts;
use crate::graph;
use crate::head::{head, Head};
use crate::lines::Lines;
use crate::notes::{note, Note};
use crate::prefix::{may_have_prefix, unprefixed, unquoted};
use crate::unread::{lack, Lack};
use crate::usual::usual;

/// More events than any kernel has; further ones share a number.
const MOST_EVENTS: usize = 1 << 15;
/// An event that mails have broken into more lines, or that is longer, is none.
const MOST_JOINED: u32 = 6;
const LONGEST_JOINED: usize = 2048;
/// Places for what was read last, of tasks and of events, each a power of two: most lines repeat it.
const RECENT_TASKS: usize = 1024;
const RECENT_EVENTS: usize = 64;

/// How a text is read: what only the whole of it tells, once it was read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Settings {
    /// The instance whose lines are shown; the main buffer has no name.
    pub instance: String,
    /// It was chosen by its name.
    pub is_chosen: bool,
    /// What is known of the columns.
    pub columns: Columns,
    /// Times are since the line before: they are summed up.
    pub sums: bool,
    /// The switches and wakeups of tracers are not rows, since the scheduler's events say the same.
    pub without_tracer: bool,
    /// The kernels that the text may be of: they decide what states mean that are numbers.
    pub states: KernelStates,
}

/// What an event is read as.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Row(RowKind),
    /// A row that a tracer tells.
    Tracer(RowKind),
    SchedExt(SchedExtKind),
    /// perf lost records.
    Lost,
    /// A record of perf's that is no event.
    Record,
    /// It is only counted.
    Other,
}

impl Kind {
    fn of(head: &Head<'_>, row: Option<RowKind>) -> Kind {
        if let Some(kind) = row {
            return Kind::Row(kind);
        }
        if let Some(kind) = tracer_kind_of(head.system, head.event) {
            return Kind::Tracer(kind);
        }
        match SchedExtKind::of(head.system, head.event) {
            Some(kind) => Kind::SchedExt(kind),
            None if head.event.starts_with("PERF_RECORD_LOST") => Kind::Lost,
            None if head.event.starts_with("PERF_RECORD_") => Kind::Record,
            None => Kind::Other,
        }
    }
}

/// A task as a line names it: its pid, name and process.
#[derive(Clone, Default)]
struct Named {
    pid: i32,
    comm: String,
    tgid: Option<i32>,
}

/// An event as a line names it, and its number.
#[derive(Clone, Default)]
struct Numbered {
    system: Option<String>,
    event: String,
    id: u16,
}

/// Reads lines as they come.
pub(crate) struct Reader {
    lines: Lines,
    pub facts: Facts,
    settings: Settings,
    /// By name, for each system that has an event of it.
    ids: HashMap<String, Vec<(Option<String>, u16)>>,
    kinds: Vec<Kind>,
    recent_events: Vec<Numbered>,
    recent_tasks: Vec<Named>,
    /// The instance of the next event's line, if that does not name one: trace-cmd names it before the events that were lost, and
    /// not again.
    carried: Option<String>,
    /// The instance whose buffer the kernel's log shows.
    dumped: Option<String>,
    /// Events that were lost before the next line of the shown instance, whose CPU they do not name.
    lost: Option<Option<u64>>,
    /// The beginning of an event whose text may go on in the next line, and the number of lines it is of.
    begun: Option<(String, u32)>,
    /// Time and CPU of the last line.
    last: Option<(u64, u64, u32)>,
    /// By their numbers.
    cpus: Vec<Option<Box<Cpu>>>,
}

impl Reader {
    pub fn new(settings: Settings) -> Reader {
        Reader {
            lines: Lines::default(),
            facts: Facts {
                columns: settings.columns,
                states: settings.states,
                ..Facts::default()
            },
            settings,
            ids: HashMap::new(),
            kinds: Vec::new(),
            recent_events: vec![Numbered::default(); RECENT_EVENTS],
            recent_tasks: vec![Named::default(); RECENT_TASKS],
            carried: None,
            dumped: None,
            lost: None,
            begun: None,
            last: None,
            cpus: Vec::new(),
        }
    }

    pub fn push(&mut self, bytes: &[u8]) {
        let mut lines = std::mem::take(&mut self.lines);
        lines.push(bytes, &mut |line| self.line(line));
        self.lines = lines;
    }

    pub fn end(&mut self) {
        let mut lines = std::mem::take(&mut self.lines);
        lines.end(&mut |line| self.line(line));
        self.end_begun();
    }

    /// What was found; the facts are its own.
    pub fn into_scan(self, facts: &Facts) -> Scan {
        let mut cpus: Vec<CpuScan> = self.cpus.into_iter().flatten().map(|cpu| cpu.finish()).collect();
        if cpus.is_empty() {
            cpus.push(CpuScan::default());
        }
        if let Some(first) = cpus.first_mut() {
            first.lost_events = first.lost_events.saturating_add(facts.overwritten);
        }
        Scan { cpus, index: None }
    }

    fn line(&mut self, bytes: &[u8]) {
        self.facts.lines += 1;
        if bytes.is_empty() {
            return;
        }
        // The check of the whole is faster than the one that mends.
        let text = match std::str::from_utf8(bytes) {
            Ok(text) => Cow::Borrowed(text),
            Err(_) => String::from_utf8_lossy(bytes),
        };
        let mut line = unquoted(&text);
        if may_have_prefix(line) {
            line = unprefixed(line);
        }
        if line.is_empty() {
            return;
        }
        match head(line, &self.facts.columns) {
            Some(head) if head.place.cpu < MOST_CPUS => {
                self.end_begun();
                if !self.event(&head, line, false) {
                    self.begun = Some((line.to_owned(), 1));
                }
            }
            _ if self.goes_on(line) => {}
            _ => {
                self.end_begun();
                self.other(line);
            }
        }
    }

    /// Mails break long lines. Whether the line is what follows the one before, or the beginning of an event up to its name.
    fn goes_on(&mut self, line: &str) -> bool {
        let is_event = |line: &str, columns| head(line, columns).is_some_and(|head| head.place.cpu < MOST_CPUS);
        let Some((begun, lines)) = self.begun.take() else {
            let is_begun = line.ends_with(':') && is_event(&format!("{line} x: "), &self.facts.columns);
            self.begun = is_begun.then(|| (line.to_owned(), 1));
            return is_begun;
        };
        let is_known = || note(line).is_some() || graph::line(line, &self.facts.columns).is_some();
        let stands_alone = line.starts_with('#') || is_known();
        if stands_alone || lines == MOST_JOINED || LONGEST_JOINED < begun.len() + line.len() {
            self.begun = Some((begun, lines));
            return false;
        }
        let joined = format!("{begun} {line}");
        let is_whole = head(&joined, &self.facts.columns).is_some_and(|head| self.event(&head, &joined, false));
        if !is_whole {
            self.begun = Some((joined, lines + 1));
        }
        true
    }

    /// Nothing more of a begun event comes.
    fn end_begun(&mut self) {
        let Some((begun, _)) = self.begun.take() else { return };
        match head(&begun, &self.facts.columns) {
            Some(head) => {
                self.event(&head, &begun, true);
            }
            None => self.other(&begun),
        }
    }

    /// Takes an event; false, and nothing is done, if its text may go on in the next line, unless it `ends` here.
    fn event(&mut self, head: &Head<'_>, line: &str, ends: bool) -> bool {
        if !self.is_shown(head) {
            return true;
        }
        let id = self.id(head);
        let known = self.kinds.get(usize::from(id)).copied().unwrap_or(Kind::Other);
        let mut told = match known {
            Kind::Row(kind) => Some(usual(kind, head.text).or_else(|| told(kind, head.text)).ok_or(())),
            Kind::Tracer(kind) if !self.settings.without_tracer => Some(told(kind, head.text).ok_or(())),
            _ => None,
        };
        let may_go_on = match &told {
            Some(Err(())) => true,
            // The last field of a switch is its priority.
            Some(Ok(told)) => told.kind == RowKind::Switch && told.prio.is_none(),
            None => false,
        };
        if may_go_on && !ends {
            return false;
        }
        self.carried = None;
        let is_ticks = *self.facts.is_ticks.get_or_insert(head.time.is_ticks);
        if is_ticks != head.time.is_ticks {
            self.facts.unread.add(Lack::Unit, self.facts.lines, line);
            return true;
        }
        match known {
            Kind::Lost => self.lose(Some(head.place.cpu), count_of(head.text)),
            Kind::Record => {}
            _ => {
                if let Some(Ok(told)) = &mut told {
                    self.facts.state(told);
                }
                self.count(head, id, known, told);
            }
        }
        true
    }

    /// Takes what an event says.
    fn count(&mut self, head: &Head<'_>, id: u16, known: Kind, told: Option<Result<Told<'_>, ()>>) {
        let ts = self.time(head);
        self.facts.learn(head, ts, &told, matches!(known, Kind::Tracer(_)));
        self.task(head);
        let lost = self.lost.take();
        if let Some(cpu) = self.cpu(head.place.cpu) {
            if let Some(count) = lost {
                cpu.lose(count);
            }
            cpu.line(id, ts, head, told);
            if let Kind::SchedExt(kind) = known {
                cpu.sched_ext(ts, head.pid, sched_ext_told(kind, head.text));
            }
        }
    }

    /// Whether the line is of the instance that is shown; those of others are counted.
    #[inline]
    fn is_shown(&mut self, head: &Head<'_>) -> bool {
        let instance = head.instance.or(self.carried.as_deref()).or(self.dumped.as_deref());
        let instance = instance.unwrap_or_default();
        if instance == self.settings.instance {
            return true;
        }
        let is_row = kind_of(head.system, head.event).is_some();
        self.facts.count_other(instance, is_row);
        self.carried = None;
        false
    }

    /// The task that wrote the line.
    fn task(&mut self, head: &Head<'_>) {
        let Some(recent) = self.recent_tasks.get_mut(head.pid as usize % RECENT_TASKS) else {
            return;
        };
        if recent.pid == head.pid && recent.tgid == head.tgid && recent.comm == head.comm {
            return;
        }
        *recent = Named {
            pid: head.pid,
            comm: head.comm.to_owned(),
            tgid: head.tgid,
        };
        self.facts.learn_task(head);
    }

    /// The number of the line's event.
    fn id(&mut self, head: &Head<'_>) -> u16 {
        let name = head.event.as_bytes();
        let [first, last] = [name.get(6), name.last()].map(|byte| byte.copied().map_or(0, usize::from));
        let slot = (name.len() + 8 * first + last) % RECENT_EVENTS;
        match self.recent_events.get(slot) {
            Some(recent) if recent.event == head.event && recent.system.as_deref() == head.system => recent.id,
            _ => {
                let id = self.find_id(head);
                if let Some(recent) = self.recent_events.get_mut(slot) {
                    *recent = Numbered {
                        system: head.system.map(str::to_owned),
                        event: head.event.to_owned(),
                        id,
                    };
                }
                id
            }
        }
    }

    fn find_id(&mut self, head: &Head<'_>) -> u16 {
        let of_name = self.ids.get(head.event).map_or(&[][..], Vec::as_slice);
        if let Some(&(_, id)) = of_name.iter().find(|(system, _)| system.as_deref() == head.system) {
            return id;
        }
        let kind = kind_of(head.system, head.event);
        let id = self.kinds.len().min(MOST_EVENTS);
        if id < MOST_EVENTS {
            let system = head
                .system
                .or(kind.and_then(|kind| kind.event_name()).map(|(system, _)| system));
            self.facts
                .names
                .push((system.unwrap_or_default().to_owned(), head.event.to_owned()));
            self.kinds.push(Kind::of(head, kind));
            let ids = self.ids.entry(head.event.to_owned()).or_default();
            ids.push((head.system.map(str::to_owned), id as u16));
        }
        id as u16
    }

    /// The time of a line. Streams of CPUs are merged by time, and then by CPU: where a line has the time of the line before
    /// and a lower CPU, it is put a nanosecond behind it, since the order of lines is the order of events.
    fn time(&mut self, head: &Head<'_>) -> u64 {
        let (time, cpu) = (head.time.value, head.place.cpu);
        let raw = match self.last {
            Some((last, ..)) if self.settings.sums => last.saturating_add(time),
            _ => time,
        };
        let ts = match self.last {
            Some((last, at, last_cpu)) if raw == last || raw < at && last <= raw => {
                let at = at.max(raw);
                if cpu < last_cpu {
                    at + 1
                } else {
                    at
                }
            }
            _ => raw,
        };
        self.facts.falls += u64::from(self.last.is_some_and(|(last, ..)| raw < last));
        self.last = Some((raw, ts, cpu));
        ts
    }

    /// A line that does not begin as those of events do.
    fn other(&mut self, line: &str) {
        match graph::line(line, &self.facts.columns) {
            Some(graph::Line::Event(head)) if head.place.cpu < MOST_CPUS => {
                self.event(&head, line, true);
                return;
            }
            Some(graph::Line::Unread(lack)) => return self.facts.unread.add(lack, self.facts.lines, line),
            Some(graph::Line::Function) => return,
            _ => {}
        }
        if let Some(states) = release_in(line).and_then(KernelStates::of_release) {
            self.facts.states = states;
        }
        if self.facts.first_line.is_none() {
            self.facts.first_line = Some(line.chars().take(80).collect());
        }
        self.facts.columns.learn(line);
        match note(line) {
            Some(Note::Lost { instance, cpu, count }) => {
                let shown = instance.or(self.dumped.as_deref()).unwrap_or_default() == self.settings.instance;
                self.carried = instance.map(str::to_owned);
                if shown {
                    self.lose(cpu, count);
                }
            }
            Some(Note::Started(cpu)) => {
                if let Some(cpu) = self.cpu(cpu) {
                    cpu.begin_unknown();
                }
            }
            Some(Note::Overwritten(count)) => self.facts.overwritten = count,
            Some(Note::Raw) => {
                self.facts.raw_line.get_or_insert(self.facts.lines);
            }
            Some(Note::Tracer(name)) => self.facts.tracer = Some(name.chars().take(80).collect()),
            Some(Note::Dump(instance)) => self.dumped = instance.map(str::to_owned),
            None => {
                if let Some(lack) = lack(line) {
                    self.facts.unread.add(lack, self.facts.lines, line);
                }
            }
        }
    }

    /// Events were lost, on the next line's CPU if `cpu` does not say.
    fn lose(&mut self, cpu: Option<u32>, count: Option<u64>) {
        match cpu {
            None => self.lost = Some(count),
            Some(cpu) => {
                if let Some(cpu) = self.cpu(cpu) {
                    cpu.lose(count);
                }
            }
        }
    }

    /// The CPU of this number, which is below [`MOST_CPUS`].
    fn cpu(&mut self, cpu: u32) -> Option<&mut Cpu> {
        let at = cpu as usize;
        if self.cpus.len() <= at {
            self.cpus.resize_with(at + 1, || None);
        }
        let place = self.cpus.get_mut(at)?;
        Some(place.get_or_insert_with(|| Box::new(Cpu::new(cpu))))
    }
}

/// The first number of a text.
fn count_of(text: &str) -> Option<u64> {
    let digits = |c: char| !c.is_ascii_digit();
    text.split(digits).find(|number| !number.is_empty())?.parse().ok()
}

/// The kernel's release: `# os release : 6.1.0` (`perf script --header`), `# irqsoff latency trace v1.1.5 on 3.18.0`, `Linux
/// version 3.18.0`, and what `uname -a` prints.
fn release_in(line: &str) -> Option<&str> {
    let after = |what: &str| line.split_once(what).map(|(_, rest)| rest);
    let of_latency = || after(" latency trace v")?.split_once(" on ").map(|(_, rest)| rest);
    let of_uname = || after("Linux ")?.split_once(' ').map(|(_, rest)| rest);
    let rest = after("os release : ").or_else(of_latency).or_else(of_uname)?;
    let word = rest.split_whitespace().next()?;
    word.starts_with(|c: char| c.is_ascii_digit()).then_some(word)
}

impl Scanner for Reader {
    fn push(&mut self, bytes: &[u8]) {
        Reader::push(self, bytes);
    }

    fn events(&self) -> u64 {
        self.facts.events
    }

    fn finish(mut self: Box<Self>) -> Scan {
        self.end();
        let facts = std::mem::take(&mut self.facts);
        self.into_scan(&facts)
    }
}
