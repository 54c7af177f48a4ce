//! The one matcher that decides what belongs together.

use std::collections::HashMap;

use eventfilter::{Clock, Context, KnownEvent, RecordToFilter};
use traceevent::{Endian, Env, IntField};

use crate::bind::{Formats, Role, Use};
use crate::comms::{Comms, Names};
use crate::declare::{Again, Declaration, PairError};
use crate::fields::{Key, Seen, Shown};

/// Where something is at home: the time, CPU and thread of its event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Home {
    /// Trace time.
    pub at: u64,
    /// The CPU's number.
    pub cpu: u32,
    /// The thread.
    pub pid: i32,
    pub(crate) comm: u32,
}

/// A start and an end that belong together, or a value of one event.
#[derive(Clone, Copy, Debug)]
pub struct Instance {
    /// Of the start.
    pub home: Home,
    /// Mostly the difference of times.
    pub value: i64,
    pub(crate) group: u32,
    pub(crate) across_loss: bool,
}

/// A start that waits for its end.
#[derive(Clone, Copy, Debug)]
struct Open {
    home: Home,
    group: u32,
    /// The start's part of the value.
    term: i64,
}

/// The open starts of a key: one, unless they nest.
#[derive(Debug)]
struct Slot {
    top: Open,
    below: Vec<Open>,
}

/// One pair while records come.
#[derive(Debug)]
struct Pair {
    again: Again,
    /// The value is the difference of times.
    is_time: bool,
    open: HashMap<Key, Slot>,
    groups: HashMap<Key, u32>,
    out: Pairs,
}

/// All that was found of one pair.
#[derive(Debug)]
pub(crate) struct Pairs {
    pub name: String,
    pub start: String,
    pub end: Option<String>,
    /// It was asked for, whether or not it is there.
    pub asked: bool,
    pub starts_seen: bool,
    pub ends_seen: bool,
    pub group_names: Vec<String>,
    pub instances: Vec<Instance>,
    pub left_open: Vec<Home>,
    pub unmatched_ends: Vec<Home>,
    pub restarted: Vec<Home>,
}

/// Finds pairs in the records of a trace.
#[derive(Debug)]
pub struct Matcher {
    pairs: Vec<Pair>,
    /// By event id.
    uses: Vec<Vec<Use>>,
    comms: Comms,
    /// By CPU: the time of the last record before which events were lost.
    losses: HashMap<u32, u64>,
    common_pid: Option<IntField>,
    endian: Endian,
}

/// What was found in a trace.
#[derive(Debug)]
pub struct Matched {
    pub(crate) pairs: Vec<Pairs>,
    pub(crate) names: Names,
}

impl Matched {
    /// The name of the thread then.
    pub fn comm(&self, home: &Home) -> &str {
        self.names.get(home.comm)
    }
}

impl Matcher {
    /// Binds pairs to the formats of a trace. What a pair of a user lacks is an error; one of the table is then not there.
    pub fn new(
        declarations: &[Declaration],
        events: &[KnownEvent<'_>],
        env: &Env<'_>,
        clock: Clock,
    ) -> Result<Matcher, PairError> {
        let formats = Formats {
            events,
            endian: env.endian,
            clock,
            long_size: env.long_size,
        };
        let mut matcher = Matcher {
            pairs: Vec::new(),
            uses: Vec::new(),
            comms: Comms::new(events),
            losses: HashMap::new(),
            common_pid: events
                .iter()
                .find_map(|event| event.format.field("common_pid")?.as_int()),
            endian: env.endian,
        };
        for declared in declarations {
            let bound = match formats.bind(matcher.pairs.len(), declared) {
                Err(error) if declared.asked => return Err(error),
                Err(_) => Vec::new(),
                Ok(bound) => bound,
            };
            for (id, each) in bound {
                let id = usize::from(id);
                if matcher.uses.len() <= id {
                    matcher.uses.resize_with(id + 1, Vec::new);
                }
                if let Some(uses) = matcher.uses.get_mut(id) {
                    uses.push(each);
                    uses.sort_by_key(|each| each.role);
                }
            }
            matcher.pairs.push(Pair::new(declared));
        }
        Ok(matcher)
    }

    /// Takes the next record in the order of time; `missed`: events were lost on its CPU just before.
    #[inline]
    pub fn take(&mut self, record: &RecordToFilter<'_>, missed: bool, env: &Env<'_>) {
        if missed {
            self.losses.insert(record.cpu, record.ts);
        }
        let pid = self.common_pid.and_then(|field| field.load(record.data, self.endian));
        let pid = pid.unwrap_or(0) as i32;
        if self
            .uses
            .get(usize::from(record.id))
            .is_some_and(|uses| !uses.is_empty())
        {
            self.use_record(record, pid, env);
        }
        self.comms.learn(record.id, pid, record.data, self.endian);
    }

    fn use_record(&mut self, record: &RecordToFilter<'_>, pid: i32, env: &Env<'_>) {
        let comm = self.comms.of(pid, record.cpu, env);
        let home = Home {
            at: record.ts,
            cpu: record.cpu,
            pid,
            comm,
        };
        let name = self.comms.names.get(comm);
        let seen = Seen {
            cpu: record.cpu,
            pid,
            comm: name,
            data: record.data,
            endian: self.endian,
        };
        for each in self.uses.get(usize::from(record.id)).into_iter().flatten() {
            let Some(pair) = self.pairs.get_mut(each.pair) else {
                continue;
            };
            match each.role {
                Role::Start | Role::Value => pair.out.starts_seen = true,
                Role::End => pair.out.ends_seen = true,
                Role::Cancel => {}
            }
            if each.filter.takes(record, &mut Named { env, comm: name }) {
                pair.take(each, home, &seen, env, &self.losses);
            }
        }
    }

    /// What was found, at the end of the trace.
    pub fn finish(self) -> Matched {
        let found = self.pairs.into_iter().map(|mut pair| {
            for slot in pair.open.values() {
                pair.out.left_open.push(slot.top.home);
                pair.out.left_open.extend(slot.below.iter().map(|open| open.home));
            }
            pair.out
        });
        Matched {
            pairs: found.collect(),
            names: self.comms.names,
        }
    }
}

impl Pair {
    fn new(declared: &Declaration) -> Pair {
        Pair {
            again: declared.again,
            is_time: declared.value.words.is_empty(),
            open: HashMap::new(),
            groups: HashMap::new(),
            out: Pairs {
                name: declared.name.clone(),
                start: declared.start().to_owned(),
                end: declared.end().map(str::to_owned),
                asked: declared.asked,
                starts_seen: false,
                ends_seen: declared.end.is_none(),
                group_names: Vec::new(),
                instances: Vec::new(),
                left_open: Vec::new(),
                unmatched_ends: Vec::new(),
                restarted: Vec::new(),
            },
        }
    }

    fn take(&mut self, each: &Use, home: Home, seen: &Seen<'_>, env: &Env<'_>, losses: &HashMap<u32, u64>) {
        let key = Key::of(&each.key, seen, &each.stem);
        let terms = each.terms.iter();
        let terms = terms.map(|(part, factor)| part.int(seen).unwrap_or(0).wrapping_mul(*factor));
        let term = terms.fold(0, i64::wrapping_add);
        let group = each
            .group
            .as_ref()
            .map(|shown| self.group(shown, &each.stem, seen, env));
        match each.role {
            Role::Value => self.out.instances.push(Instance {
                home,
                value: term,
                group: group.unwrap_or(0),
                across_loss: false,
            }),
            Role::Start => self.start(
                key,
                Open {
                    home,
                    group: group.unwrap_or(0),
                    term,
                },
            ),
            Role::Cancel => {
                self.close(&key);
            }
            Role::End => match self.close(&key) {
                None => self.out.unmatched_ends.push(home),
                Some(open) => {
                    let lost = |cpu| losses.get(&cpu).is_some_and(|&lost| open.home.at < lost);
                    self.out.instances.push(Instance {
                        home: open.home,
                        value: match self.is_time {
                            true => home.at.wrapping_sub(open.home.at) as i64,
                            false => open.term.wrapping_add(term),
                        },
                        group: group.unwrap_or(open.group),
                        across_loss: lost(open.home.cpu) || lost(home.cpu),
                    });
                }
            },
        }
    }

    fn start(&mut self, key: Key, open: Open) {
        let again = self.again;
        let Some(slot) = self.open.get_mut(&key) else {
            let below = Vec::new();
            self.open.insert(key, Slot { top: open, below });
            return;
        };
        match again {
            Again::Nest => slot.below.push(std::mem::replace(&mut slot.top, open)),
            Again::Last => {
                slot.top = open;
                self.out.restarted.push(open.home);
            }
            Again::First => self.out.restarted.push(open.home),
        }
    }

    /// Takes out the start that an end of this key ends.
    fn close(&mut self, key: &Key) -> Option<Open> {
        let slot = self.open.get_mut(key)?;
        match slot.below.pop() {
            Some(below) => Some(std::mem::replace(&mut slot.top, below)),
            None => self.open.remove(key).map(|slot| slot.top),
        }
    }

    fn group(&mut self, shown: &[Shown], stem: &str, seen: &Seen<'_>, env: &Env<'_>) -> u32 {
        let parts: Vec<_> = shown.iter().map(Shown::part).collect();
        let names = &mut self.out.group_names;
        let key = Key::of(&parts, seen, stem);
        *self.groups.entry(key).or_insert_with(|| {
            let texts: Vec<String> = shown.iter().map(|shown| shown.text(seen, stem, env)).collect();
            names.push(texts.join(","));
            (names.len() - 1) as u32
        })
    }
}

/// What filters ask about the thread and the trace.
struct Named<'a> {
    env: &'a Env<'a>,
    comm: &'a str,
}

impl Context for Named<'_> {
    fn comm(&self, _: i32) -> &[u8] {
        self.comm.as_bytes()
    }

    fn function(&self, address: u64) -> Option<&str> {
        self.env.lookup.symbol(address).map(|symbol| symbol.name)
    }

    fn line(&mut self) -> &[u8] {
        b""
    }
}
