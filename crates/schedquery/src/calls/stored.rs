//! Threads and their calls, as they are kept: 24 bytes a call.

use schedmodel::{CommId, TaskId};
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

/// A [`Call`] as it is kept. Durations from two seconds on and large returns are elsewhere.
#[derive(Clone, Copy, Debug)]
pub(super) struct Packed {
    at: u64,
    ns: u32,
    ret: u32,
    comm: CommId,
    number: u16,
    lane: u16,
}

const _: () = assert!(size_of::<Packed>() == 24, "what a call may take");

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
    /// `number`: its index among those of all calls.
    pub(super) fn new(call: &Call, number: u16, large: &mut Vec<u64>) -> Packed {
        Packed {
            at: call.at,
            ns: pack(call.ns, large),
            ret: pack(((call.ret << 1) ^ (call.ret >> 63)) as u64, large),
            comm: call.comm,
            number,
            lane: call.lane as u16,
        }
    }

    pub(super) fn unpack(&self, numbers: &[i32], large: &[u64]) -> Call {
        let ret = unpack(self.ret, large);
        Call {
            at: self.at,
            ns: unpack(self.ns, large),
            ret: (ret >> 1) as i64 ^ -((ret & 1) as i64),
            number: numbers.get(usize::from(self.number)).copied().unwrap_or(-1),
            lane: self.lane.into(),
            comm: self.comm,
        }
    }

    pub(super) fn at(&self) -> u64 {
        self.at
    }

    pub(super) fn rename(&mut self, comm: CommId) {
        self.comm = comm;
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

/// A stretch of a thread's time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stretch {
    /// From when to when.
    pub time: Range<u64>,
    /// What it is.
    pub kind: StretchKind,
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
}

impl Thread {
    /// Size in bytes.
    pub(super) fn memory_bytes(&self) -> usize {
        self.calls.capacity() * size_of::<Packed>() + self.stretches.capacity() * size_of::<Stretch>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_packed_comes_back() {
        let mut large = Vec::new();
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
            let packed = Packed::new(&call, 1, &mut large);
            assert_eq!(packed.unpack(&[0, 98], &large), call);
        }
    }
}
