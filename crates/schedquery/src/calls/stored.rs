//! Threads and their calls, as they are kept: 20 bytes a call.

use bytemuck::{Pod, Zeroable};
use schedmodel::stored::{stored, stored_plain, Reader, Stored, Writer};
use schedmodel::{CommId, TaskId};
use std::collections::{HashMap, HashSet};
use std::io;
use std::ops::Range;

/// A call that returned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Call {
    /// When it was entered.
    pub at: u64,
    /// How long it took.
    pub ns: u64,
    /// What it returned.
    pub ret: i64,
    /// Its number.
    pub number: i32,
    /// Index of the lane of the CPU on which it was entered.
    pub lane: usize,
    /// What its thread was called then.
    pub comm: CommId,
}

impl Call {
    /// When it returned.
    pub fn end(&self) -> u64 {
        self.at + self.ns
    }
}

/// What many calls share.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Kind {
    pub(crate) number: i32,
    pub(crate) comm: CommId,
    pub(crate) lane: u32,
}

stored!(Kind {
    number: i32,
    comm: CommId,
    lane: u32,
});

/// All kinds of a trace's calls.
#[derive(Debug, Default)]
pub(super) struct Kinds {
    all: Vec<Kind>,
    /// By kind: the first one of its number and comm.
    whats: Vec<u32>,
}

stored!(Kinds {
    all: Vec<Kind>,
    whats: Vec<u32>,
});

/// They, while calls come.
#[derive(Debug, Default)]
pub(super) struct KindsBuilder {
    kinds: Kinds,
    of: HashMap<Kind, u32>,
    what_of: HashMap<(i32, CommId), u32>,
    /// The last one, which is often the next one too.
    last: Option<(Kind, u32)>,
}

impl KindsBuilder {
    /// The index of a kind.
    pub(super) fn index(&mut self, kind: Kind) -> u32 {
        if let Some((_, index)) = self.last.filter(|(last, _)| *last == kind) {
            return index;
        }
        // There are no more than there are calls, which memory bounds.
        let next = self.kinds.all.len() as u32;
        let index = *self.of.entry(kind).or_insert(next);
        if index == next {
            let what = *self.what_of.entry((kind.number, kind.comm)).or_insert(next);
            self.kinds.all.push(kind);
            self.kinds.whats.push(what);
        }
        self.last = Some((kind, index));
        index
    }

    pub(super) fn kinds(&self) -> &Kinds {
        &self.kinds
    }

    pub(super) fn finish(self) -> Kinds {
        self.kinds
    }
}

impl Kinds {
    pub(super) fn len(&self) -> usize {
        self.all.len()
    }

    pub(super) fn get(&self, index: u32) -> Kind {
        let none = Kind {
            number: -1,
            comm: CommId(0),
            lane: 0,
        };
        self.all.get(index as usize).copied().unwrap_or(none)
    }

    /// The first kind of the same number and comm.
    pub(super) fn what(&self, index: u32) -> u32 {
        self.whats.get(index as usize).copied().unwrap_or(index)
    }

    /// The distinct numbers, in the order in which calls of them returned first.
    pub(super) fn numbers(&self) -> Vec<i32> {
        let mut seen = HashSet::new();
        let numbers = self.all.iter().map(|kind| kind.number);
        numbers.filter(|&number| seen.insert(number)).collect()
    }

    pub(super) fn memory_bytes(&self) -> usize {
        self.all.capacity() * size_of::<Kind>() + self.whats.capacity() * 4
    }
}

/// A [`Call`] as it is kept. Durations from two seconds on and large returns are elsewhere.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub(super) struct Packed {
    /// The low and the high half, so that calls are not aligned to 8 bytes.
    at: [u32; 2],
    ns: u32,
    ret: u32,
    pub(super) kind: u32,
}

const _: () = assert!(size_of::<Packed>() == 20, "what a call may take");

stored_plain!(Packed);

/// The bit that says that a number is elsewhere.
const LARGE: u32 = 1 << 31;

fn pack(value: u64, large: &mut Vec<u64>) -> u32 {
    match u32::try_from(value) {
        Ok(small) if small < LARGE => small,
        _ => {
            large.push(value);
            // Fewer than 2^31 of them fit memory.
            LARGE | (large.len() - 1) as u32
        }
    }
}

fn unpack(packed: u32, large: &[u64]) -> u64 {
    if packed < LARGE {
        return packed.into();
    }
    large.get((packed & !LARGE) as usize).copied().unwrap_or(0)
}

impl Packed {
    pub(super) fn new(call: &Call, kinds: &mut KindsBuilder, large: &mut Vec<u64>) -> Packed {
        let kind = Kind {
            number: call.number,
            comm: call.comm,
            lane: call.lane as u32,
        };
        Packed {
            at: [call.at as u32, (call.at >> 32) as u32],
            ns: pack(call.ns, large),
            ret: pack(((call.ret << 1) ^ (call.ret >> 63)) as u64, large),
            kind: kinds.index(kind),
        }
    }

    pub(super) fn unpack(&self, kinds: &Kinds, large: &[u64]) -> Call {
        let Kind { number, comm, lane } = kinds.get(self.kind);
        Call {
            at: self.at(),
            ns: self.ns(large),
            ret: self.ret(large),
            number,
            lane: lane as usize,
            comm,
        }
    }

    #[inline]
    pub(super) fn at(&self) -> u64 {
        let [low, high] = self.at;
        u64::from(low) | u64::from(high) << 32
    }

    #[inline]
    pub(super) fn ns(&self, large: &[u64]) -> u64 {
        unpack(self.ns, large)
    }

    fn ret(&self, large: &[u64]) -> i64 {
        let ret = unpack(self.ret, large);
        (ret >> 1) as i64 ^ -((ret & 1) as i64)
    }

    pub(super) fn rename(&mut self, comm: CommId, kinds: &mut KindsBuilder) {
        let kind = kinds.kinds().get(self.kind);
        self.kind = kinds.index(Kind { comm, ..kind });
    }
}

/// What a stretch of a thread's time is, apart from complete calls and what is outside of calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StretchKind {
    /// In a call that began before the thread was seen, or in its parent.
    Begun,
    /// In a call that did not return; what it is, is an [`Unfinished`].
    Unfinished(Unfinished),
    /// In a call and outside: one of the events between is missing.
    Unknown,
}

/// A call that did not return.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unfinished {
    /// Its number.
    pub number: i32,
    /// Index of the lane of the CPU on which it was entered.
    pub lane: usize,
    /// What its thread was called then.
    pub comm: CommId,
}

stored!(Unfinished {
    number: i32,
    lane: usize,
    comm: CommId,
});

/// A stretch of a thread's time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stretch {
    /// From when to when.
    pub time: Range<u64>,
    /// What it is.
    pub kind: StretchKind,
}

stored!(Stretch {
    time: Range<u64>,
    kind: StretchKind,
});

/// Whether it is known what it is, and the call of one that did not return.
impl Stored for StretchKind {
    const LEAST: usize = <(bool, Option<Unfinished>)>::LEAST;

    fn put(&self, out: &mut Writer<'_>) -> io::Result<()> {
        match self {
            StretchKind::Begun => (true, None),
            StretchKind::Unfinished(what) => (true, Some(*what)),
            StretchKind::Unknown => (false, None),
        }
        .put(out)
    }

    fn get(reader: &mut Reader<'_>) -> io::Result<StretchKind> {
        Ok(match Stored::get(reader)? {
            (true, None) => StretchKind::Begun,
            (true, Some(what)) => StretchKind::Unfinished(what),
            (false, _) => StretchKind::Unknown,
        })
    }
}

impl Stretch {
    /// The number of the call, of one that did not return.
    pub(super) fn number(&self) -> Option<i32> {
        match self.kind {
            StretchKind::Unfinished(Unfinished { number, .. }) => Some(number),
            StretchKind::Begun | StretchKind::Unknown => None,
        }
    }
}

fn add_new(comms: &mut Vec<CommId>, comm: CommId) {
    if !comms.contains(&comm) {
        comms.push(comm);
    }
}

/// A thread that made calls.
#[derive(Debug)]
pub struct Thread {
    /// Its task in the trace; `None` for one of which only its calls tell.
    pub task: Option<TaskId>,
    /// Its thread id.
    pub pid: i32,
    /// Which of the tasks that had this pid.
    pub generation: u32,
    /// From its birth, or the trace's begin, to its death, or the trace's end.
    pub life: Range<u64>,
    /// The task as which it goes on after an exec, and from when.
    pub heir: Option<(TaskId, u64)>,
    /// Its complete calls, in order of time.
    pub(super) calls: Vec<Packed>,
    /// What else is known of its time, in order; nothing overlaps.
    pub stretches: Vec<Stretch>,
    /// What it was called when it entered calls: each name once, those of complete calls first.
    pub comms: Box<[CommId]>,
}

stored!(Thread {
    task: Option<TaskId>,
    pid: i32,
    generation: u32,
    life: Range<u64>,
    heir: Option<(TaskId, u64)>,
    calls: Vec<Packed>,
    stretches: Vec<Stretch>,
    comms: Box<[CommId]>,
});

impl Thread {
    /// What its calls say that it was called; see [`Thread::comms`].
    pub(super) fn comms_of_calls(&self, kinds: &Kinds) -> Box<[CommId]> {
        let mut found = Vec::new();
        let mut last = None;
        for call in &self.calls {
            if last != Some(call.kind) {
                last = Some(call.kind);
                add_new(&mut found, kinds.get(call.kind).comm);
            }
        }
        for stretch in &self.stretches {
            if let StretchKind::Unfinished(what) = stretch.kind {
                add_new(&mut found, what.comm);
            }
        }
        found.into()
    }

    /// Size in bytes.
    pub(super) fn memory_bytes(&self) -> usize {
        self.calls.capacity() * size_of::<Packed>()
            + self.stretches.capacity() * size_of::<Stretch>()
            + self.comms.len() * size_of::<CommId>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_packed_comes_back() {
        let (mut large, mut kinds) = (Vec::new(), KindsBuilder::default());
        for (ns, ret) in [
            (0, 0),
            (7, -2),
            (1 << 40, i64::MIN),
            (u64::MAX, i64::MAX),
            ((1 << 31) - 1, 1 << 30),
        ] {
            let call = Call {
                at: 5,
                ns,
                ret,
                number: 98,
                lane: 3,
                comm: CommId(9),
            };
            let mut packed = Packed::new(&call, &mut kinds, &mut large);
            assert_eq!(packed.unpack(kinds.kinds(), &large), call);
            packed.rename(CommId(4), &mut kinds);
            assert_eq!(packed.unpack(kinds.kinds(), &large).comm, CommId(4));
        }
        assert_eq!(kinds.finish().len(), 2);
    }
}
