//! All lines of a text to the rows of its CPUs.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap};

use schedrows::{CpuScan, Diagnostic, DiagnosticKind, KernelStates, RowKind, Scan, Scanner, SchedExtKind, MOST_CPUS};

use crate::cpu::Cpu;
use crate::event::{kind_of, sched_ext_told, told, Told};
use crate::head::{head, unquoted, Head};
use crate::lines::Lines;
use crate::usual::usual;

/// More events than any kernel has; further ones share a number.
const MOST_EVENTS: usize = 1 << 15;
/// Names of tasks that are kept.
const MOST_TASKS: usize = 1 << 20;
/// Kinds of numbers of states that are kept.
const MOST_NUMBERS: usize = 64;
/// An event that mails have broken into more lines, or that is longer, is none.
const MOST_JOINED: u32 = 6;
const LONGEST_JOINED: usize = 2048;
/// Places for what was read last, of tasks and of events, each a power of two: most lines repeat it.
const RECENT_TASKS: usize = 1024;
const RECENT_EVENTS: usize = 64;

/// What a text says besides its rows.
#[derive(Clone, Debug, Default)]
pub(crate) struct Facts {
    /// The highest CPU, and one more.
    pub cpu_count: u32,
    pub first_ns: Option<u64>,
    /// Lines of events.
    pub events: u64,
    /// System and name, by number.
    pub names: Vec<(String, String)>,
    /// Name and, where it is told, the process of each task that wrote a line.
    pub tasks: BTreeMap<i32, (String, Option<i32>)>,
    pub has_flags: bool,
    pub lacks_flags: bool,
    /// A task was switched out as R, in the words of a plugin; or as R+.
    pub runnable: bool,
    pub preempted: bool,
    pub wakings: u64,
    pub wakeups: u64,
    /// The first line that is not empty, and the number of the first that looks like raw format.
    pub first_line: Option<String>,
    pub raw_line: Option<u64>,
    lines: u64,
    /// Lines of instances that are not shown.
    pub others: u64,
    /// Lost before the text begins.
    pub overwritten: u64,
    /// The kernels that the text may be of, by what it says and by the numbers of states in it.
    pub states: KernelStates,
    /// Numbers of states that do not mean the same in all of these, and the switches that have them.
    unclear: BTreeSet<u32>,
    pub unclear_switches: u64,
}

impl Facts {
    fn of_kernels(states: KernelStates) -> Facts {
        Facts {
            states,
            ..Facts::default()
        }
    }

    /// Whether states would be read otherwise by what is known in the end.
    pub fn would_read_otherwise(&self) -> bool {
        let is_clear = |&number: &u32| self.states.decode(number.into()).letter() != b'?';
        self.unclear.iter().any(is_clear)
    }
}

/// What an event is read as.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Row(RowKind),
    SchedExt(SchedExtKind),
    /// It is only counted.
    Other,
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
    /// By name, for each system that has an event of it.
    ids: HashMap<String, Vec<(Option<String>, u16)>>,
    kinds: Vec<Kind>,
    recent_events: Vec<Numbered>,
    recent_tasks: Vec<Named>,
    /// The instance whose lines are read: that of the first line.
    instance: Option<Option<String>>,
    /// The beginning of an event whose text may go on in the next line, and the number of lines it is of.
    begun: Option<(String, u32)>,
    /// Time and CPU of the last line.
    last: Option<(u64, u64, u32)>,
    /// By their numbers.
    cpus: Vec<Option<Box<Cpu>>>,
}

impl Reader {
    /// Of a text of one of these kernels.
    pub fn new(states: KernelStates) -> Reader {
        Reader {
            lines: Lines::default(),
            facts: Facts::of_kernels(states),
            ids: HashMap::new(),
            kinds: Vec::new(),
            recent_events: vec![Numbered::default(); RECENT_EVENTS],
            recent_tasks: vec![Named::default(); RECENT_TASKS],
            instance: None,
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
        let others = (0 < facts.others).then(|| Diagnostic {
            kind: DiagnosticKind::Unsupported,
            cpu: None,
            at_ns: None,
            count: facts.others,
            text: "lines of other instances than that of the first line; they are not shown".to_owned(),
        });
        let overwritten = (0 < facts.overwritten).then(|| Diagnostic {
            kind: DiagnosticKind::LostEvents,
            cpu: None,
            at_ns: None,
            count: facts.overwritten,
            text: "events that were written and are not in the text: the buffer was full".to_owned(),
        });
        cpus.iter_mut().take(1).for_each(|scan| {
            scan.lost_events = scan.lost_events.saturating_add(facts.overwritten);
            scan.diagnostics.extend(others.clone());
            scan.diagnostics.extend(overwritten.clone());
        });
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
        let line = unquoted(&text);
        if line.is_empty() {
            return;
        }
        match head(line) {
            Some(head) if head.cpu < MOST_CPUS => {
                self.end_begun();
                if !self.event(&head, false) {
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
        let Some((begun, lines)) = self.begun.take() else {
            let is_begun = line.ends_with(':') && head(&format!("{line} x: ")).is_some_and(|head| head.cpu < MOST_CPUS);
            self.begun = is_begun.then(|| (line.to_owned(), 1));
            return is_begun;
        };
        let stands_alone = line.starts_with('#') || lost(line).is_some();
        if stands_alone || lines == MOST_JOINED || LONGEST_JOINED < begun.len() + line.len() {
            self.begun = Some((begun, lines));
            return false;
        }
        let joined = format!("{begun} {line}");
        let is_whole = head(&joined).is_some_and(|head| self.event(&head, false));
        if !is_whole {
            self.begun = Some((joined, lines + 1));
        }
        true
    }

    /// Nothing more of a begun event comes.
    fn end_begun(&mut self) {
        if let Some((begun, _)) = self.begun.take() {
            if let Some(head) = head(&begun) {
                self.event(&head, true);
            }
        }
    }

    /// Takes an event; false, and nothing is done, if its text may go on in the next line, unless it `ends` here.
    fn event(&mut self, head: &Head<'_>, ends: bool) -> bool {
        let shown = self.instance.get_or_insert_with(|| head.instance.map(str::to_owned));
        if shown.as_deref() != head.instance {
            self.facts.others += 1;
            return true;
        }
        let id = self.id(head);
        let known = self.kinds.get(usize::from(id)).copied().unwrap_or(Kind::Other);
        let mut told = match known {
            Kind::Row(kind) => Some(usual(kind, head.text).or_else(|| told(kind, head.text)).ok_or(())),
            _ => None,
        };
        match &mut told {
            Some(Err(())) if !ends => return false,
            // The last field of a switch is its priority.
            Some(Ok(told)) if told.kind == RowKind::Switch && told.prio.is_none() && !ends => return false,
            Some(Ok(told)) => self.facts.state(told),
            _ => {}
        }
        let ts = self.time(head);
        self.facts.learn(head, ts, &told);
        self.task(head);
        if let Some(cpu) = self.cpu(head.cpu) {
            cpu.line(id, ts, head, told);
            if let Kind::SchedExt(kind) = known {
                cpu.sched_ext(ts, head.pid, sched_ext_told(kind, head.text));
            }
        }
        true
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
            let sched_ext = || SchedExtKind::of(head.system, head.event).map(Kind::SchedExt);
            self.kinds
                .push(kind.map(Kind::Row).or_else(sched_ext).unwrap_or(Kind::Other));
            let ids = self.ids.entry(head.event.to_owned()).or_default();
            ids.push((head.system.map(str::to_owned), id as u16));
        }
        id as u16
    }

    /// The time of a line. Streams of CPUs are merged by time, and then by CPU: where a line has the time of the line before
    /// and a lower CPU, it is put a nanosecond behind it, since the order of lines is the order of events.
    fn time(&mut self, head: &Head<'_>) -> u64 {
        let ts = match self.last {
            Some((raw, at, cpu)) if head.ns == raw || head.ns < at && raw <= head.ns => {
                let at = at.max(head.ns);
                if head.cpu < cpu {
                    at + 1
                } else {
                    at
                }
            }
            _ => head.ns,
        };
        self.last = Some((head.ns, ts, head.cpu));
        ts
    }

    /// A line that is no event.
    fn other(&mut self, line: &str) {
        if let Some(states) = release_in(line).and_then(KernelStates::of_release) {
            self.facts.states = states;
        }
        if self.facts.first_line.is_none() {
            self.facts.first_line = Some(line.chars().take(80).collect());
        }
        if let Some((cpu, count)) = lost(line) {
            if let Some(cpu) = self.cpu(cpu) {
                cpu.lose(count);
            }
        } else if let Some(cpu) = buffer_started(line) {
            if let Some(cpu) = self.cpu(cpu) {
                cpu.begin_unknown();
            }
        } else if let Some((there, written)) = entries(line) {
            self.facts.overwritten = written.saturating_sub(there);
        } else if self.facts.raw_line.is_none() && is_raw(line) {
            self.facts.raw_line = Some(self.facts.lines);
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

impl Facts {
    /// Reads a state that is a number, and learns from it which kernel the text is of.
    fn state(&mut self, told: &mut Told<'_>) {
        let Some(number) = told.number else { return };
        self.states = self.states.that_write(number.into());
        let state = self.states.decode(number.into());
        // A throttled task's letter is the same.
        if told.state.letter() != state.letter() || told.state.preempted() != state.preempted() {
            told.state = state;
        }
        if told.state.letter() == b'?' {
            self.unclear_switches += 1;
            if self.unclear.len() < MOST_NUMBERS {
                self.unclear.insert(number);
            }
        }
    }

    fn learn(&mut self, head: &Head<'_>, ts: u64, told: &Option<Result<Told<'_>, ()>>) {
        self.cpu_count = self.cpu_count.max(head.cpu + 1);
        self.first_ns = Some(self.first_ns.map_or(ts, |first| first.min(ts)));
        self.events += 1;
        match head.context {
            Some(_) => self.has_flags = true,
            None => self.lacks_flags = true,
        }
        let Some(Ok(told)) = told else { return };
        match told.kind {
            RowKind::Waking => self.wakings += 1,
            RowKind::Wakeup => self.wakeups += 1,
            RowKind::Switch if told.pid != 0 && told.state.letter() == b'R' => {
                self.runnable |= told.by_plugin;
                self.preempted |= told.state.preempted();
            }
            _ => {}
        }
    }

    fn learn_task(&mut self, head: &Head<'_>) {
        // `<idle>` and `<...>`, which stands for a name that was forgotten.
        let is_named = 0 < head.pid && !head.comm.starts_with('<');
        if is_named && (self.tasks.len() < MOST_TASKS || self.tasks.contains_key(&head.pid)) {
            let task = self.tasks.entry(head.pid).or_default();
            if task.0 != head.comm {
                head.comm.clone_into(&mut task.0);
            }
            task.1 = head.tgid.or(task.1);
        }
    }
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

/// `CPU:3 [LOST 390 EVENTS]`, `CPU:3 [390 EVENTS DROPPED]`, or without a number.
fn lost(line: &str) -> Option<(u32, Option<u64>)> {
    let (cpu, what) = line.strip_prefix("CPU:")?.split_once(" [")?;
    if !what.contains("LOST") && !what.contains("DROPPED") {
        return None;
    }
    let cpu = cpu.parse().ok().filter(|&cpu| cpu < MOST_CPUS)?;
    Some((cpu, what.split_whitespace().find_map(|word| word.parse().ok())))
}

/// `##### CPU 2 buffer started ####`
fn buffer_started(line: &str) -> Option<u32> {
    let rest = line.trim_start_matches('#').trim_start().strip_prefix("CPU ")?;
    let (cpu, _) = rest.split_once(" buffer started")?;
    cpu.parse().ok().filter(|&cpu| cpu < MOST_CPUS)
}

/// `# entries-in-buffer/entries-written: 10/2154   #P:4`
fn entries(line: &str) -> Option<(u64, u64)> {
    let (_, rest) = line.split_once("entries-in-buffer/entries-written: ")?;
    let (there, written) = rest.split_whitespace().next()?.split_once('/')?;
    Some((there.parse().ok()?, written.parse().ok()?))
}

/// `0 2 453911280796 type: 312`
fn is_raw(line: &str) -> bool {
    let words: Vec<&str> = line.split_whitespace().collect();
    matches!(words.as_slice(), [pid, cpu, time, "type:", id]
        if [pid, cpu, time, id].iter().all(|word| word.parse::<u64>().is_ok()))
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
