//! Which task a pid means at the current event, and what it is called.

use std::collections::HashMap;

use super::live::{Live, State};
use super::Builder;
use crate::workload::{WorkEvent, WorkKind};
use schedrows::{CpuScan, Event, Rows};

/// A name that no event had yet.
const UNUSED: u32 = u32::MAX;

/// The CPU, the names and their numbers in the workload of a scan.
struct Stream {
    cpu: u32,
    names: Vec<String>,
    ids: Vec<u32>,
}

/// All tasks so far.
pub(super) struct People {
    streams: Vec<Stream>,
    /// The latest task of a pid.
    pids: HashMap<i32, u32>,
    generations: HashMap<i32, u32>,
    pub lives: Vec<Live>,
    pub comms: Vec<String>,
    numbers: HashMap<String, u32>,
    takeovers: HashMap<(i32, i32), Takeover>,
}

/// Execs by which a thread takes over its leader's pid, of one pair of pids.
#[derive(Default)]
struct Takeover {
    /// How many are still to come.
    events: u32,
    /// Another event has shown the next one already.
    shown: bool,
}

impl People {
    pub fn new(scans: &[CpuScan], rows: &[Rows]) -> People {
        let stream = |scan: &CpuScan| Stream {
            cpu: scan.cpu,
            ids: vec![UNUSED; scan.comms.names.len()],
            names: scan.comms.names.clone(),
        };
        let mut takeovers = HashMap::<_, Takeover>::new();
        for &(pid, old) in rows.iter().flat_map(Rows::takeovers) {
            if pid != 0 && old != 0 {
                takeovers.entry((old, pid)).or_default().events += 1;
            }
        }
        People {
            streams: scans.iter().map(stream).collect(),
            pids: HashMap::new(),
            generations: HashMap::new(),
            lives: Vec::new(),
            comms: Vec::new(),
            numbers: HashMap::new(),
            takeovers,
        }
    }

    pub fn get(&self, who: u32) -> Option<&Live> {
        self.lives.get(who as usize)
    }

    pub fn get_mut(&mut self, who: u32) -> Option<&mut Live> {
        self.lives.get_mut(who as usize)
    }

    /// The CPU of a stream.
    pub fn cpu(&self, source: usize) -> u32 {
        self.streams.get(source).map_or(0, |stream| stream.cpu)
    }

    /// The latest task with this pid, dead or alive.
    pub fn find(&self, pid: i32) -> Option<u32> {
        self.pids.get(&pid).copied()
    }

    /// The same; begins one if there is none. An event of a stream names it.
    pub fn known(&mut self, source: usize, pid: i32, comm: u32, at: u64) -> u32 {
        let comm = self.comm(source, comm);
        match self.find(pid) {
            Some(who) => {
                if let Some(live) = self.get_mut(who).filter(|live| live.state != State::Dead) {
                    live.name(comm, at);
                }
                who
            }
            None => self.begin(pid, comm),
        }
    }

    /// The living task with this pid; begins one if there is none.
    pub fn living(&mut self, source: usize, pid: i32, comm: u32, at: u64) -> u32 {
        let who = self.known(source, pid, comm, at);
        match self.get(who).map(|live| live.state) {
            Some(State::Dead) => {
                let comm = self.comm(source, comm);
                self.begin(pid, comm)
            }
            _ => who,
        }
    }

    /// Begins the next generation of a pid.
    pub fn begin(&mut self, pid: i32, comm: u32) -> u32 {
        let generation = self.next_generation(pid);
        let who = self.lives.len() as u32;
        self.pids.insert(pid, who);
        self.lives.push(Live::new(pid, generation, comm));
        who
    }

    fn next_generation(&mut self, pid: i32) -> u32 {
        let next = self.generations.entry(pid).or_default();
        *next += 1;
        *next - 1
    }

    /// The workload's number of a scan's name.
    pub fn comm(&mut self, source: usize, index: u32) -> u32 {
        let stream = self.streams.get_mut(source);
        let known =
            stream.and_then(|stream| Some((stream.names.get(index as usize)?, stream.ids.get_mut(index as usize)?)));
        let (name, id) = match known {
            Some((_, &mut id)) if id != UNUSED => return id,
            Some((name, id)) => (name.as_str(), Some(id)),
            None => ("", None),
        };
        let number = match self.numbers.get(name) {
            Some(&number) => number,
            None => {
                let number = self.comms.len() as u32;
                self.comms.push(name.to_owned());
                self.numbers.insert(name.to_owned(), number);
                number
            }
        };
        if let Some(id) = id {
            *id = number;
        }
        number
    }

    pub fn expects_takeovers(&self) -> bool {
        !self.takeovers.is_empty()
    }

    /// Whether an exec by which a thread takes over its leader's pid is still to come, and no event has shown it.
    pub fn expects(&self, old: i32, new: i32) -> bool {
        let expected = self.takeovers.get(&(old, new));
        expected.is_some_and(|expected| 0 < expected.events && !expected.shown)
    }

    /// Gives a thread the pid of its leader, and the leader, which is exiting, that of the thread.
    fn take_over(&mut self, caller: u32, pid: i32) -> Option<u32> {
        let leader = self.find(pid);
        let generation = self.next_generation(pid);
        self.pids.insert(pid, caller);
        let live = self.get_mut(caller)?;
        let old = std::mem::replace(&mut live.pid, pid);
        live.task.aliases.push((pid, generation));
        if let Some(leader) = leader {
            self.pids.insert(old, leader);
        }
        leader
    }
}

impl Builder {
    /// Follows a thread that takes over its leader's pid, if this event is the first to show that; see the model's state
    /// machine.
    pub(super) fn follow_exec(&mut self, source: usize, at: u64, writer: Option<i32>, event: Event) {
        let running = self.streams.get(source).and_then(|stream| stream.running);
        let running = running.and_then(|who| Some((who, self.people.get(who)?.pid)));
        if let Some(((who, pid), writer)) = running.zip(writer) {
            let shown = if self.people.expects(pid, writer) {
                Some(((pid, writer), Some(who)))
            } else if self.people.expects(writer, pid) {
                // The leader, which exits, with the pid that the thread had.
                Some(((writer, pid), self.people.find(writer)))
            } else {
                None
            };
            if let Some((pids, caller)) = shown {
                if let Some(takeover) = self.people.takeovers.get_mut(&pids) {
                    takeover.shown = true;
                }
                self.take_over(caller, at, pids.1);
            }
        }
        if let Event::Exec { pid, old_pid } = event {
            let Some(takeover) = self.people.takeovers.get_mut(&(old_pid, pid)) else {
                return;
            };
            takeover.events = takeover.events.saturating_sub(1);
            if !std::mem::take(&mut takeover.shown) {
                let caller = self.people.find(old_pid);
                self.take_over(caller, at, pid);
            }
        }
    }

    fn take_over(&mut self, caller: Option<u32>, at: u64, pid: i32) {
        let leader = caller.and_then(|caller| self.people.take_over(caller, pid));
        let Some(leader) = leader else {
            return;
        };
        // One that sleeps died unseen, and so did one that is not known to do anything.
        let unseen = |live: &Live| matches!(live.state, State::Asleep | State::Unknown);
        if !self.people.get(leader).is_some_and(unseen) {
            return;
        }
        self.wake_unseen(leader, at);
        if let Some(live) = self.people.get_mut(leader) {
            let (length, kind) = (live.clock_at(at), WorkKind::Exit { letter: b'X' });
            self.log.push(&mut live.list, WorkEvent { length, kind });
            live.state = State::Dead;
            live.task.uncertain = true;
        }
    }
}
