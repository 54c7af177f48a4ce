//! Text to a workload.

use std::collections::{HashMap, VecDeque};

use super::circle;
use super::line::{number, pid_of, prio, task_pid, time, TextError, WORDS};
use super::NOTE;
use crate::delay::Delay;
use crate::workload::{cpu_ns_of, Ending, Start, Task, WorkEvent, WorkKind, Workload};

/// A task as far as it was read.
pub(super) struct Draft {
    pub task: Task,
    /// The pid by which the text calls it.
    pid: i32,
    /// The line that first names it.
    line: u64,
    /// A line says how it is called.
    pub named: bool,
    /// INIT or FORK.
    begun: bool,
    blocked: bool,
    /// Its EXIT.
    exit: Option<Exit>,
    /// With their lines, and the place of the first one since the wakeup before.
    events: Vec<(WorkEvent, u64, usize)>,
    /// States' letters of blocks and the exit that are still to come, with how many of each.
    pub letters: VecDeque<(u64, u8)>,
    /// Delays of wakeups that are still to come.
    pub delays: VecDeque<Delay>,
    clock: u64,
    /// The place of the first event since the last wakeup.
    woken: usize,
}

struct Exit {
    eid: u64,
    /// Whether it is an event, and does not only say where the recording ends.
    is_event: bool,
}

/// What is read so far.
#[derive(Default)]
pub(super) struct Reader {
    pub workload: Workload,
    pub drafts: Vec<Draft>,
    by_pid: HashMap<i32, usize>,
    /// The task and, but for INIT, the place of each event.
    eids: HashMap<u64, (usize, Option<usize>)>,
    /// The numbers of names.
    comms: HashMap<String, u32>,
    /// Wakeups by tasks.
    dependencies: Vec<Dependency>,
    /// There are comment lines that say more than WARP has fields for.
    noted: bool,
}

struct Dependency {
    wakee: usize,
    at: usize,
    deid: u64,
    dpid: i32,
    line: u64,
}

/// Reads WARP's text, with or without the comment lines of [`write`](super::write()).
///
/// # Errors
///
/// The first line that is wrong.
pub fn read(text: &str) -> Result<Workload, TextError> {
    let mut reader = Reader {
        noted: text.lines().any(|line| line.trim_start().starts_with(NOTE)),
        ..Reader::default()
    };
    for (line, text) in (1..).zip(text.lines()) {
        let text = text.trim();
        let read = match text.strip_prefix(NOTE) {
            Some(note) => reader.note(note, line),
            None if text.is_empty() || text.starts_with('#') => Ok(()),
            None => reader.event(text, line),
        };
        read.map_err(|what| TextError { line, what })?;
    }
    reader.finish()
}

impl Reader {
    /// The task that the text calls so.
    pub(super) fn who(&mut self, pid: i32, line: u64) -> usize {
        *self.by_pid.entry(pid).or_insert_with(|| {
            self.drafts.push(Draft {
                task: Task::new(pid),
                pid,
                line,
                named: false,
                begun: false,
                blocked: false,
                exit: None,
                events: Vec::new(),
                letters: VecDeque::new(),
                delays: VecDeque::new(),
                clock: 0,
                woken: 0,
            });
            self.drafts.len() - 1
        })
    }

    /// The number of a name.
    pub(super) fn comm(&mut self, name: String) -> u32 {
        let comms = &mut self.workload.comms;
        *self.comms.entry(name).or_insert_with_key(|name| {
            comms.push(name.clone());
            comms.len() as u32 - 1
        })
    }

    fn event(&mut self, text: &str, line: u64) -> Result<(), String> {
        let words: Vec<&str> = text.split_ascii_whitespace().collect();
        let [eid, event, pid, length, rest @ ..] = words.as_slice() else {
            return Err(format!(
                "`{text}` is no event: expected its number, its name, a pid and a length"
            ));
        };
        let eid: u64 = number(eid, "an event's number")?;
        if eid == 0 {
            return Err("event 0: expected a number from 1 on, since 0 is none".to_owned());
        }
        let pid = pid_of(pid)?;
        let length = time(length)?;
        let expect = |names: &str| {
            let count = names.split(' ').count() - usize::from(names.is_empty());
            match rest.len() == count {
                true => Ok(()),
                false => Err(format!(
                    "{event} with {} values more: expected {}",
                    rest.len(),
                    if names.is_empty() { "none" } else { names }
                )),
            }
        };
        let value = |at: usize| rest.get(at).copied().unwrap_or_default();
        let kind = match *event {
            "INIT" => {
                expect("cpid state")?;
                return self.init(eid, task_pid(value(0))?, value(1), line);
            }
            "FORK" => {
                expect("cpid")?;
                let child = self.who(task_pid(value(0))?, line);
                let parent = self.who(pid, line);
                self.begin(child, Start::Forked)?;
                if let Some(child) = self.drafts.get_mut(child) {
                    child.task.parent = Some(parent as u32);
                }
                WorkKind::Fork { child: child as u32 }
            }
            "PRIO" => {
                expect("sched_param")?;
                WorkKind::Prio {
                    prio: match self.noted {
                        true => prio(value(0))?,
                        false => nice_or_prio(value(0))?,
                    },
                }
            }
            "YIELD" => {
                expect("")?;
                WorkKind::Yield
            }
            "BLOCK" => {
                expect("")?;
                WorkKind::Block { letter: b'S' }
            }
            "WAKEUP" => {
                expect("deid dpid distance")?;
                let deid = number(value(0), "an event's number")?;
                let (dpid, distance) = (pid_of(value(1))?, time(value(2))?);
                if deid == 0 {
                    WorkKind::Sleep { delay: Delay::ZERO }
                } else {
                    let wakee = self.who(pid, line);
                    let at = self.drafts.get(wakee).map_or(0, |draft| draft.events.len());
                    self.dependencies.push(Dependency {
                        wakee,
                        at,
                        deid,
                        dpid,
                        line,
                    });
                    WorkKind::Woken {
                        delay: Delay::ZERO,
                        waker: 0,
                        event: WorkKind::NO_EVENT,
                        distance,
                    }
                }
            }
            "EXIT" => {
                expect("")?;
                WorkKind::Exit { letter: b'X' }
            }
            _ => return Err(format!("`{event}` is no event: expected {}", WORDS.join(", "))),
        };
        let who = self.who(pid, line);
        let place = self
            .drafts
            .get_mut(who)
            .map(|draft| draft.add(eid, WorkEvent { length, kind }, line));
        let place = place.transpose()?;
        self.number(eid, who, place)
    }

    fn number(&mut self, eid: u64, who: usize, place: Option<usize>) -> Result<(), String> {
        match self.eids.insert(eid, (who, place)) {
            Some(_) => Err(format!("a second event {eid}")),
            None => Ok(()),
        }
    }

    fn init(&mut self, eid: u64, pid: i32, state: &str, line: u64) -> Result<(), String> {
        let start = match state {
            "R" => Start::Runnable,
            "S" => Start::Sleeping,
            _ => return Err(format!("`{state}` is no state to begin in: expected R or S")),
        };
        let who = self.who(pid, line);
        self.begin(who, start)?;
        self.number(eid, who, None)
    }

    fn begin(&mut self, who: usize, start: Start) -> Result<(), String> {
        let Some(draft) = self.drafts.get_mut(who) else {
            return Ok(());
        };
        if draft.begun {
            return Err(format!(
                "a second beginning of {}: expected one INIT or FORK of each task",
                draft.pid
            ));
        }
        draft.begun = true;
        draft.task.start = start;
        // A child may stand before its parent.
        if start == Start::Sleeping {
            if !draft.events.is_empty() {
                return Err(format!("INIT of {} behind its events", draft.pid));
            }
            draft.blocked = true;
        }
        Ok(())
    }

    fn finish(mut self) -> Result<Workload, TextError> {
        for draft in &self.drafts {
            if !draft.begun {
                let what = format!("{} has no INIT, and no FORK makes it", draft.pid);
                return Err(TextError { line: draft.line, what });
            }
        }
        let mut first_event = 0_u32;
        let mut starts = Vec::with_capacity(self.drafts.len());
        for draft in &mut self.drafts {
            starts.push(first_event);
            first_event = u32::try_from(draft.events.len())
                .ok()
                .and_then(|count| first_event.checked_add(count))
                .filter(|&end| end < WorkKind::NO_EVENT)
                .ok_or(TextError {
                    line: draft.line,
                    what: "more events than can be numbered (4294967294)".to_owned(),
                })?;
            draft.settle();
        }
        for dependency in &self.dependencies {
            let Dependency { wakee, at, line, .. } = *dependency;
            let kind = self
                .depends(dependency, &starts)
                .map_err(|what| TextError { line, what })?;
            let event = self.drafts.get_mut(wakee).and_then(|draft| draft.events.get_mut(at));
            if let Some((event, ..)) = event {
                event.kind = kind;
            }
        }
        for who in 0..self.drafts.len() {
            let Some(pid) = self.drafts.get(who).filter(|draft| !draft.named).map(|draft| draft.pid) else {
                continue;
            };
            let comm = self.comm(format!("task-{pid}"));
            if let Some(draft) = self.drafts.get_mut(who) {
                draft.task.comm = comm;
            }
        }
        let mut workload = self.workload;
        let mut lines = Vec::with_capacity(first_event as usize);
        for draft in self.drafts {
            let start = workload.events.len() as u32;
            let mut task = draft.task;
            for (event, line, _) in draft.events {
                workload.events.push(event);
                lines.push(line);
            }
            task.events = start..workload.events.len() as u32;
            let events = workload.events_of(&task);
            task.cpu_ns = cpu_ns_of(events, task.last_clock);
            workload.tasks.push(task);
        }
        workload.number_comms();
        match circle::find(&workload) {
            None => Ok(workload),
            Some(circle) => {
                let pids: Vec<String> = circle.tasks.iter().map(i32::to_string).collect();
                Err(TextError {
                    line: circle
                        .events
                        .iter()
                        .filter_map(|&at| lines.get(at as usize))
                        .copied()
                        .min()
                        .unwrap_or_default(),
                    what: format!(
                        "a circle: {} each wait for the next, and the last for the first",
                        pids.join(", ")
                    ),
                })
            }
        }
    }

    /// What a wakeup hangs on.
    fn depends(&self, dependency: &Dependency, starts: &[u32]) -> Result<WorkKind, String> {
        let &Dependency {
            wakee, at, deid, dpid, ..
        } = dependency;
        let wakeup = self.drafts.get(wakee).and_then(|draft| draft.events.get(at));
        let Some(&(
            WorkEvent {
                kind: WorkKind::Woken { delay, distance, .. },
                ..
            },
            ..,
        )) = wakeup
        else {
            return Err("no wakeup".to_owned());
        };
        let waker = self.by_pid.get(&dpid).copied();
        let waker = waker.ok_or_else(|| format!("a wakeup that depends on {dpid}: there is no such task"))?;
        let draft = self.drafts.get(waker).ok_or("no task")?;
        let exit = draft.exit.as_ref().filter(|exit| !exit.is_event && exit.eid == deid);
        let place = match (self.eids.get(&deid), exit) {
            (_, Some(_)) => draft.events.len(),
            (Some(&(who, Some(place))), None) if who == waker => place,
            (Some(&(who, None)), None) if who == waker => {
                return Err(format!("a wakeup that depends on event {deid}: an INIT wakes nobody"));
            }
            (Some(_), None) => {
                return Err(format!(
                    "a wakeup that depends on event {deid} of {dpid}: it is another task's"
                ))
            }
            (None, None) => return Err(format!("a wakeup that depends on event {deid}: there is none")),
        };
        let length = match draft.events.get(place) {
            Some((event, ..)) if event.kind.is_wakeup() => {
                return Err(format!(
                    "a wakeup that depends on event {deid}: a WAKEUP is nothing that its task does"
                ));
            }
            Some((event, ..)) => event.length,
            None => draft.task.last_clock,
        };
        let clock = length.checked_sub(distance).ok_or_else(|| {
            format!(
                "a distance beyond the length of event {deid}: expected at most {}",
                super::line::Ms(length)
            )
        })?;
        // What the waker does next may be an earlier event.
        let since = draft.events.get(place).map_or(draft.woken, |&(_, _, since)| since);
        let earlier = draft.events.get(since..place).unwrap_or_default();
        let next = since + earlier.partition_point(|(event, ..)| event.length <= clock);
        let (place, length) = match draft.events.get(next) {
            Some((event, ..)) if next < place => (next, event.length),
            _ => (place, length),
        };
        let event = match place < draft.events.len() {
            true => starts
                .get(waker)
                .map_or(WorkKind::NO_EVENT, |start| start + place as u32),
            false => WorkKind::NO_EVENT,
        };
        Ok(WorkKind::Woken {
            delay,
            waker: waker as u32,
            event,
            distance: length - clock,
        })
    }
}

impl Draft {
    /// Adds an event; returns its place.
    fn add(&mut self, eid: u64, event: WorkEvent, line: u64) -> Result<usize, String> {
        if self.exit.is_some() {
            return Err(format!("an event of {} behind its EXIT", self.pid));
        }
        let is_exit = matches!(event.kind, WorkKind::Exit { .. });
        match (event.kind.is_wakeup(), self.blocked) {
            (true, true) => (self.clock, self.woken) = (0, self.events.len() + 1),
            (true, false) => return Err(format!("a WAKEUP of {}, which has not blocked", self.pid)),
            (false, true) if !is_exit => {
                return Err(format!(
                    "an event of {}, which has blocked: expected a WAKEUP",
                    self.pid
                ));
            }
            (false, _) if event.length < self.clock => {
                let (before, now) = (super::line::Ms(self.clock), super::line::Ms(event.length));
                return Err(format!(
                    "the length goes back, from {before} to {now} ms: expected CPU time since the last WAKEUP"
                ));
            }
            (false, _) => self.clock = event.length,
        }
        if is_exit {
            // Of tasks that are alive when the recording ends, it only says where.
            let is_event = self.task.ending == Ending::Exited && !self.blocked;
            self.exit = Some(Exit { eid, is_event });
            self.task.last_clock = event.length;
            if !is_event {
                return Ok(self.events.len());
            }
        }
        self.blocked = matches!(event.kind, WorkKind::Block { .. });
        self.events.push((event, line, self.woken));
        Ok(self.events.len() - 1)
    }

    /// All lines were read.
    fn settle(&mut self) {
        for (event, ..) in &mut self.events {
            match &mut event.kind {
                WorkKind::Block { letter } | WorkKind::Exit { letter } => {
                    while self.letters.front().is_some_and(|&(count, _)| count == 0) {
                        self.letters.pop_front();
                    }
                    if let Some((count, told)) = self.letters.front_mut() {
                        *count -= 1;
                        *letter = *told;
                    }
                }
                WorkKind::Sleep { delay } | WorkKind::Woken { delay, .. } => {
                    *delay = self.delays.pop_front().unwrap_or_default();
                }
                _ => {}
            }
        }
        if self.exit.is_none() {
            self.task.last_clock = self.clock;
        }
        let exited = self.exit.as_ref().is_some_and(|exit| exit.is_event);
        if self.task.ending == Ending::Exited && !exited {
            // Nothing says more than the events do.
            (self.task.ending, self.task.endless) = match self.blocked {
                true => (Ending::Asleep, self.task.endless),
                false => (Ending::Runnable, true),
            };
        }
    }
}

/// WARP's `sched_param` where nothing says that it is a kernel priority: a nice value, if it is below 40.
fn nice_or_prio(word: &str) -> Result<i16, String> {
    let value: i16 = number(word, "a priority")?;
    match value {
        -20..=19 => Ok(120 + value),
        40..=139 => Ok(value),
        _ => Err(format!(
            "{value} is out of range: expected a nice value, -20 to 19, or a kernel priority, 40 to 139"
        )),
    }
}
