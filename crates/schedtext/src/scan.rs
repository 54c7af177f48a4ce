//! All lines of a scenario to rows.

use std::collections::{BTreeMap, HashMap};

use schedrows::words::counted;
use schedrows::{CpuScan, Diagnostic, DiagnosticKind, Row, RowKind, RowPacker, Scan, Scanner};

use crate::line::{line, Action, EventLine, Line, Setting, What, When};
use crate::lines::{LineText, Lines};
use crate::word::Task;

/// The version of the format that is read here.
pub const VERSION: u32 = 1;
/// The first line, before the version.
pub(crate) const TITLE: &str = "# corelane scenario";
/// Records that are no row, as `CpuScan::events` counts them.
pub(crate) const OTHER_EVENT: u16 = 0xff;

/// The first mistake of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Mistake {
    /// The first line is 1.
    pub line: u64,
    pub what: String,
    /// The version is another one.
    pub is_version: bool,
}

/// What the text says besides its rows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Facts {
    /// The highest CPU of an event, and one more; or the number that the text states.
    pub cpu_count: u32,
    pub clock: Option<String>,
    pub uname: Option<String>,
    /// Time of the earliest event.
    pub first_ns: Option<u64>,
    /// Events of every kind.
    pub events: u64,
    pub mistake: Option<Mistake>,
}

/// Reads the lines of a scenario as they come. What follows a mistake is not read.
#[derive(Default)]
pub(crate) struct Reader {
    lines: Lines,
    pub facts: Facts,
    /// The number of CPUs was stated.
    stated_cpus: bool,
    /// Time of the event in the line before.
    last_ns: Option<u64>,
    cpus: BTreeMap<u32, Cpu>,
    /// Whether rows are kept; else the text is only checked.
    keep: bool,
}

/// A CPU's scan under way.
#[derive(Default)]
struct Cpu {
    scan: CpuScan,
    rows: RowPacker,
    /// When the first of what was lost was lost.
    first_lost: Option<u64>,
    numbers: HashMap<String, u32>,
    counts: BTreeMap<u16, u64>,
}

impl Reader {
    /// Checks the text, and keeps nothing but its facts.
    pub fn checking() -> Reader {
        Reader::default()
    }

    /// Keeps the rows.
    pub fn scanning() -> Reader {
        Reader {
            keep: true,
            ..Reader::default()
        }
    }

    /// The next bytes of the text; false after a mistake.
    pub fn push(&mut self, bytes: &[u8]) -> bool {
        let mut lines = std::mem::take(&mut self.lines);
        lines.push(bytes, &mut |number, text| self.line(number, text));
        self.lines = lines;
        self.facts.mistake.is_none()
    }

    /// The text ends here.
    pub fn end(&mut self) {
        let mut lines = std::mem::take(&mut self.lines);
        lines.finish(&mut |number, text| self.line(number, text));
    }

    fn line(&mut self, number: u64, text: LineText<'_>) {
        if self.facts.mistake.is_some() {
            return;
        }
        let read = match text {
            Ok(title) if number == 1 => title_of(title),
            Ok(text) => self.text(text).map_err(|what| (what, false)),
            Err(what) => Err((what, false)),
        };
        if let Err((what, is_version)) = read {
            let line = number;
            self.facts.mistake = Some(Mistake { line, what, is_version });
        }
    }

    fn text(&mut self, text: &str) -> Result<(), String> {
        match line(text)? {
            Line::Nothing => Ok(()),
            Line::Setting(_) if 0 < self.facts.events => {
                Err("settings (cpus, clock, uname) come before the first event".to_owned())
            }
            Line::Setting(setting) => {
                self.set(setting);
                Ok(())
            }
            Line::Event(event) => self.event(event),
        }
    }

    fn set(&mut self, setting: Setting) {
        match setting {
            Setting::Cpus(count) => {
                self.facts.cpu_count = count;
                self.stated_cpus = true;
            }
            Setting::Clock(name) => self.facts.clock = Some(name),
            Setting::Uname(name) => self.facts.uname = Some(name),
        }
    }

    fn event(&mut self, event: EventLine) -> Result<(), String> {
        let ts = match (event.when, self.last_ns) {
            (When::At(ts), _) => ts,
            (When::After(later), Some(last)) => last
                .checked_add(later)
                .filter(|&ts| ts <= i64::MAX as u64)
                .ok_or("the time is more than 292 years")?,
            (When::After(_), None) => return Err("a time after the event before, and there is none".to_owned()),
        };
        let facts = &mut self.facts;
        if self.stated_cpus && facts.cpu_count <= event.cpu {
            let there = counted(u64::from(facts.cpu_count), "CPU");
            return Err(format!("an event on cpu{} of a machine with {there}", event.cpu));
        }
        let cpu = self.cpus.entry(event.cpu).or_insert_with(|| Cpu::new(event.cpu));
        if let Some(last) = cpu.scan.last_ns.filter(|&last| ts < last) {
            return Err(format!("time goes back on cpu{}: {ts} ns after {last} ns", event.cpu));
        }
        facts.cpu_count = facts.cpu_count.max(event.cpu + 1);
        facts.first_ns = Some(facts.first_ns.map_or(ts, |first| first.min(ts)));
        facts.events += 1;
        self.last_ns = Some(ts);
        cpu.scan.first_ns.get_or_insert(ts);
        cpu.scan.last_ns = Some(ts);
        if self.keep {
            cpu.take(ts, event.what);
        }
        Ok(())
    }
}

/// The first line.
fn title_of(text: &str) -> Result<(), (String, bool)> {
    let version = text.strip_prefix(TITLE).unwrap_or_default().trim();
    match version.parse() {
        Ok(VERSION) => Ok(()),
        Ok(_) => Err((format!("version {version} of scenarios ({VERSION} is)"), true)),
        Err(_) => Err((format!("`{text}` where `{TITLE} {VERSION}` should be"), false)),
    }
}

impl Cpu {
    fn new(cpu: u32) -> Cpu {
        let mut new = Cpu {
            scan: CpuScan {
                cpu,
                ..CpuScan::default()
            },
            ..Cpu::default()
        };
        new.intern("");
        new
    }

    fn intern(&mut self, name: &str) -> u32 {
        if let Some(&number) = self.numbers.get(name) {
            return number;
        }
        let names = &mut self.scan.comms.names;
        let number = names.len() as u32;
        names.push(name.to_owned());
        self.numbers.insert(name.to_owned(), number);
        number
    }

    /// PID and name; idle has the kernel's name of it.
    fn task(&mut self, task: &Task) -> (i32, u32) {
        match task {
            Task::Idle => (0, self.intern(&format!("swapper/{}", self.scan.cpu))),
            Task::Named { comm, pid } => (*pid, self.intern(comm)),
        }
    }

    fn take(&mut self, ts: u64, what: What) {
        let (current, context, action) = match what {
            What::Lost(count) => return self.lose(ts, count),
            What::Record {
                current,
                context,
                action,
            } => (current, context, action),
        };
        self.scan.records += 1;
        let (common_pid, comm) = self.task(&current);
        let row = Row {
            common_pid,
            pid: common_pid,
            comm,
            context: context.0,
            ..Row::of(RowKind::Exit, ts)
        };
        let row = self.row(row, action);
        let id = row.map_or(OTHER_EVENT, |row| row.kind as u16);
        *self.counts.entry(id).or_default() += 1;
        if let Some(row) = row {
            self.rows.push(&row);
        }
    }

    /// `row`, which says who was on the CPU, with what the record says.
    fn row(&mut self, row: Row, action: Action) -> Option<Row> {
        Some(match action {
            Action::Switch { state, next, prio } => {
                let (arg, comm2) = self.task(&next);
                let (kind, state) = (RowKind::Switch, state.0);
                Row {
                    kind,
                    arg,
                    comm2,
                    state,
                    prio,
                    ..row
                }
            }
            Action::Wake { kind, task, on, prio } => {
                let (pid, comm) = self.task(&task);
                let arg = cpu_field(on);
                Row {
                    kind,
                    pid,
                    comm,
                    arg,
                    prio,
                    ..row
                }
            }
            Action::Move {
                kind,
                task,
                from,
                to,
                prio,
            } => {
                let (pid, comm) = self.task(&task);
                let (arg, comm2) = (cpu_field(to), cpu_field(from) as u32);
                Row {
                    kind,
                    pid,
                    comm,
                    arg,
                    comm2,
                    prio,
                    ..row
                }
            }
            Action::Fork { child } => {
                let (arg, comm2) = self.task(&child);
                let kind = RowKind::Fork;
                Row {
                    kind,
                    arg,
                    comm2,
                    ..row
                }
            }
            Action::Exec { file, old_pid } => {
                let (kind, arg, comm) = (RowKind::Exec, old_pid.unwrap_or(row.pid), self.intern(&file));
                Row { kind, arg, comm, ..row }
            }
            Action::Exit { prio } => Row { prio, ..row },
            Action::Rename { comm } => {
                let (kind, comm2) = (RowKind::Rename, self.intern(&comm));
                Row { kind, comm2, ..row }
            }
            Action::Other => return None,
        })
    }

    fn lose(&mut self, ts: u64, count: Option<u32>) {
        self.scan.lost_gaps += 1;
        self.scan.lost_events = self.scan.lost_events.saturating_add(count.unwrap_or(0).into());
        self.first_lost.get_or_insert(ts);
        self.rows.push(&Row {
            arg: count.map_or(-1, |count| i32::try_from(count).unwrap_or(i32::MAX)),
            ..Row::of(RowKind::Lost, ts)
        });
    }

    fn finish(mut self) -> CpuScan {
        let scan = &mut self.scan;
        if 0 < scan.lost_gaps {
            let gaps = counted(scan.lost_gaps, "gap");
            scan.diagnostics.push(Diagnostic {
                kind: DiagnosticKind::LostEvents,
                cpu: Some(scan.cpu),
                at_ns: self.first_lost,
                count: scan.lost_gaps,
                text: format!("events of CPU {} were lost in {gaps}, as the scenario says", scan.cpu),
            });
        }
        scan.events = self.counts.into_iter().collect();
        scan.rows = self.rows.finish();
        self.scan
    }
}

/// A CPU as events hold it; none is negative.
fn cpu_field(cpu: Option<u32>) -> i32 {
    cpu.and_then(|cpu| i32::try_from(cpu).ok()).unwrap_or(-1)
}

/// The text, from its first byte: all CPUs are in one stream.
pub(crate) struct TextScanner(pub Reader);

impl Scanner for TextScanner {
    fn push(&mut self, bytes: &[u8]) {
        self.0.push(bytes);
    }

    fn events(&self) -> u64 {
        self.0.facts.events
    }

    fn finish(self: Box<Self>) -> Scan {
        let mut reader = self.0;
        reader.end();
        let mut cpus: Vec<CpuScan> = reader.cpus.into_values().map(Cpu::finish).collect();
        // The text was checked when it was opened: it is another one by now.
        if let Some(mistake) = reader.facts.mistake {
            if cpus.is_empty() {
                cpus.push(CpuScan::default());
            }
            cpus.iter_mut().take(1).for_each(|scan| {
                scan.diagnostics.push(Diagnostic {
                    kind: DiagnosticKind::Malformed,
                    cpu: None,
                    at_ns: None,
                    count: 1,
                    text: format!("line {}: {}; what follows is not read", mistake.line, mistake.what),
                });
            });
        }
        Scan { cpus, index: None }
    }
}
