//! Time that interrupts took from tasks: on each CPU, the times in hardirq and in softirq handlers, a ns once however they nest.

use schedmodel::stored::stored;
use schedmodel::Trace;
use schedrows::{KernelKind, KernelLog, KernelRow};
use std::collections::{HashMap, HashSet};
use std::ops::Range;

/// The handlers' times by lane, and which events told of them.
#[derive(Debug, Default)]
pub struct Interrupts {
    lanes: Vec<Stolen>,
    /// Hardirqs (`irq:irq_handler_entry`).
    pub hardirqs: bool,
    /// Softirqs.
    pub softirqs: bool,
    /// Interrupt vectors of x86, which the timer tick is.
    pub vectors: bool,
    /// The names of vectors.
    names: Vec<String>,
    /// The names of hardirqs' handlers, by their numbers.
    handlers: HashMap<u16, String>,
}

stored!(Interrupts {
    lanes: Vec<Stolen>,
    hardirqs: bool,
    softirqs: bool,
    vectors: bool,
    names: Vec<String>,
    handlers: HashMap<u16, String>,
});

/// ns in handlers: in those of hardirqs, and in those of softirqs while no hardirq was handled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct InterruptTime {
    /// In hardirqs and vectors.
    pub hard: u64,
    /// In softirqs, without the hardirqs that interrupted them.
    pub soft: u64,
}

/// What interrupted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interrupt<'a> {
    /// A hardirq, by its number, and the name of its handler, empty where that is not known.
    Hardirq(u16, &'a str),
    /// A vector, by its name.
    Vector(&'a str),
    /// A softirq, by its vector.
    Softirq(u16),
}

/// Entries from one stored sum to the next.
const BLOCK: usize = 16;
/// Which `what` of hardirqs are vectors: indexes of names.
const VECTOR: u16 = 1 << 15;

/// The times in one of the two, from one CPU: disjoint, in ascending order, in 14 bytes each and 8 for each block. Nested
/// handlers of a kind are the outermost one.
#[derive(Debug, Default)]
struct Times {
    at: Vec<u64>,
    ns: Vec<u32>,
    what: Vec<u16>,
    /// ns before each block, of softirqs without what hardirqs took of them.
    before: Vec<u64>,
}

impl Times {
    fn new(mut times: Vec<(u64, u64, u16)>) -> Times {
        times.sort_unstable();
        let mut found = Times::default();
        let mut open: Option<(u64, u64, u16)> = None;
        for (from, to, what) in times {
            match &mut open {
                Some(last) if from < last.1 => last.1 = last.1.max(to),
                _ => {
                    found.push(open);
                    open = Some((from, to, what));
                }
            }
        }
        found.push(open);
        found.at.shrink_to_fit();
        found.ns.shrink_to_fit();
        found.what.shrink_to_fit();
        found
    }

    /// What is longer than 32 bits hold, four seconds, is in pieces.
    fn push(&mut self, time: Option<(u64, u64, u16)>) {
        let Some((mut from, to, what)) = time else { return };
        while from < to {
            let ns = u32::try_from(to - from).unwrap_or(u32::MAX);
            self.at.push(from);
            self.ns.push(ns);
            self.what.push(what);
            from += u64::from(ns);
        }
    }

    fn len(&self) -> usize {
        self.at.len()
    }

    fn get(&self, index: usize) -> Option<Range<u64>> {
        let (&at, &ns) = (self.at.get(index)?, self.ns.get(index)?);
        Some(at..at + u64::from(ns))
    }

    /// How many begin before an instant.
    fn begun(&self, at: u64) -> usize {
        self.at.partition_point(|&from| from < at)
    }

    /// Stores the sums of `net`, which gives the ns of an entry.
    fn sum(&mut self, mut net: impl FnMut(Range<u64>) -> u64) {
        let mut sum = 0;
        let mut before = Vec::with_capacity(self.len().div_ceil(BLOCK));
        for index in 0..self.len() {
            if index % BLOCK == 0 {
                before.push(sum);
            }
            sum += self.get(index).map_or(0, &mut net);
        }
        self.before = before;
    }

    /// ns up to an instant; `net`: as for [`Times::sum`].
    fn until(&self, at: u64, mut net: impl FnMut(Range<u64>) -> u64) -> u64 {
        let begun = self.begun(at);
        let Some(last) = begun.checked_sub(1) else { return 0 };
        let block = last / BLOCK;
        let entries = (block * BLOCK..begun).filter_map(|index| self.get(index));
        let part: u64 = entries.map(|time| net(time.start..time.end.min(at))).sum();
        self.before.get(block).copied().unwrap_or(0) + part
    }

    /// ns within a time; `net`: makes what [`Times::sum`] takes.
    fn within<N: FnMut(Range<u64>) -> u64>(&self, time: &Range<u64>, net: impl Fn() -> N) -> u64 {
        let first = self.begun(time.start).saturating_sub(1);
        // Most runs and calls are short: what lies in them is read at once, and the sums are for longer times.
        let is_short = self.at.get(first + BLOCK).is_none_or(|&from| time.end <= from);
        if !is_short {
            return self.until(time.end, net()) - self.until(time.start, net());
        }
        let entries = (first..self.len()).map_while(|index| self.get(index));
        let parts = entries
            .take_while(|entry| entry.start < time.end)
            .map(|entry| entry.start.max(time.start)..entry.end.min(time.end));
        parts.filter(|part| !part.is_empty()).map(net()).sum()
    }

    /// Those that overlap a time, in order.
    fn overlapping(&self, time: &Range<u64>) -> impl Iterator<Item = (Range<u64>, u16)> + '_ {
        let Range { start, end } = *time;
        let first = self.begun(start).saturating_sub(1);
        (first..self.len())
            .map_while(|index| Some((self.get(index)?, *self.what.get(index)?)))
            .take_while(move |(found, _)| found.start < end)
            .filter(move |(found, _)| start < found.end)
    }

    /// Which one is under way at an instant.
    fn find(&self, at: u64) -> Option<(Range<u64>, u16)> {
        let last = self.begun(at + 1).checked_sub(1)?;
        let time = self.get(last)?;
        time.contains(&at).then_some((time, *self.what.get(last)?))
    }

    fn memory_bytes(&self) -> usize {
        self.at.capacity() * 8 + self.ns.capacity() * 4 + self.what.capacity() * 2 + self.before.capacity() * 8
    }
}

stored!(Times {
    at: Vec<u64>,
    ns: Vec<u32>,
    what: Vec<u16>,
    before: Vec<u64>,
});

/// The times of one CPU.
#[derive(Debug, Default)]
struct Stolen {
    hard: Times,
    soft: Times,
}

stored!(Stolen {
    hard: Times,
    soft: Times
});

impl Stolen {
    fn new(hard: Vec<(u64, u64, u16)>, soft: Vec<(u64, u64, u16)>) -> Stolen {
        let (mut hard, mut soft) = (Times::new(hard), Times::new(soft));
        hard.sum(length);
        let mut next = 0;
        soft.sum(|time| without(time, &hard, &mut next));
        Stolen { hard, soft }
    }

    /// ns up to an instant.
    fn until(&self, at: u64) -> InterruptTime {
        InterruptTime {
            hard: self.hard.until(at, length),
            soft: self.soft.until(at, self.net_of_soft()),
        }
    }

    /// ns within a time.
    fn within(&self, time: &Range<u64>) -> InterruptTime {
        InterruptTime {
            hard: self.hard.within(time, || length),
            soft: self.soft.within(time, || self.net_of_soft()),
        }
    }

    /// How much of softirqs' times no hardirq took, of one time after the other.
    fn net_of_soft(&self) -> impl FnMut(Range<u64>) -> u64 + '_ {
        let mut next = usize::MAX;
        move |time| {
            if next == usize::MAX {
                next = self.hard.begun(time.start).saturating_sub(1);
            }
            without(time, &self.hard, &mut next)
        }
    }
}

fn length(time: Range<u64>) -> u64 {
    time.end - time.start
}

/// How much of a softirq's time no hardirq took. `next`: where to look from on, for times in ascending order.
fn without(time: Range<u64>, hard: &Times, next: &mut usize) -> u64 {
    let mut left = time.end - time.start;
    while let Some(taken) = hard.get(*next).filter(|taken| taken.start < time.end) {
        left -= taken.end.min(time.end).saturating_sub(taken.start.max(time.start));
        if time.end < taken.end {
            break;
        }
        *next += 1;
    }
    left
}

/// What has begun on a CPU and not ended.
#[derive(Default)]
struct Open {
    /// Hardirqs and vectors nest.
    stack: Vec<(KernelKind, i32, u64)>,
    softirq: Option<(i32, u64, bool)>,
    hard: Vec<(u64, u64, u16)>,
    soft: Vec<(u64, u64, u16)>,
}

impl Open {
    /// `vector`: the number of ours of a vector's name.
    fn take(&mut self, at: u64, row: KernelRow, is_own_work: bool, vector: impl FnOnce(i32) -> u16) {
        match row.kind {
            KernelKind::IrqEntry | KernelKind::VectorEntry => self.stack.push((row.kind, row.number, at)),
            KernelKind::IrqExit => self.end(KernelKind::IrqEntry, row.number, at, small),
            KernelKind::VectorExit => self.end(KernelKind::VectorEntry, row.number, at, |number| {
                vector(number) | VECTOR
            }),
            KernelKind::SoftirqEntry => self.softirq = Some((row.number, at, is_own_work)),
            KernelKind::SoftirqExit => {
                if let Some((_, from, false)) = self.softirq.take().filter(|&(vector, ..)| vector == row.number) {
                    self.soft.push((from, at, small(row.number)));
                }
            }
            // What has begun may have ended unseen.
            KernelKind::Lost => (self.stack, self.softirq) = (Vec::new(), None),
            _ => {}
        }
    }

    fn end(&mut self, kind: KernelKind, number: i32, at: u64, what: impl FnOnce(i32) -> u16) {
        let begun = self
            .stack
            .iter()
            .rposition(|&(of, known, _)| (of, known) == (kind, number));
        if let Some(&(_, _, from)) = begun.and_then(|begun| self.stack.get(begun)) {
            self.stack.truncate(begun.unwrap_or(0));
            self.hard.push((from, at, what(number)));
        }
    }
}

/// A number as it is kept; those of real machines are small.
fn small(number: i32) -> u16 {
    u16::try_from(number).unwrap_or(u16::MAX).min(VECTOR - 1)
}

impl Interrupts {
    /// Of these logs.
    pub(super) fn new(trace: &Trace, logs: &[KernelLog]) -> Interrupts {
        let mut found = Interrupts::default();
        found.lanes.resize_with(trace.cpus.len(), Stolen::default);
        let daemons = softirq_daemons(trace);
        let mut numbers = HashMap::<&str, u16>::new();
        for log in logs {
            found.hardirqs |= log.rows.has(&[KernelKind::IrqEntry]);
            found.softirqs |= log.rows.has(&[KernelKind::SoftirqEntry]);
            found.vectors |= log.rows.has(&[KernelKind::VectorEntry]);
            if !log.has_interrupts() {
                continue;
            }
            let mut open = Open::default();
            let mut at = 0;
            for row in log.rows.iter() {
                at = row.ts.saturating_sub(trace.origin_ns).min(trace.span_ns).max(at);
                if row.kind == KernelKind::IrqEntry && row.value != 0 {
                    let name = || log.name(row.value as i32).to_owned();
                    found.handlers.entry(small(row.number)).or_insert_with(name);
                }
                open.take(at, row, daemons.contains(&row.pid), |number| {
                    let next = numbers.len() as u16;
                    *numbers.entry(log.name(number)).or_insert(next.min(VECTOR - 1))
                });
            }
            if let Some(lane) = trace.lane_index(log.cpu).and_then(|lane| found.lanes.get_mut(lane)) {
                *lane = Stolen::new(open.hard, open.soft);
            }
        }
        let mut names: Vec<(u16, &str)> = numbers.into_iter().map(|(name, number)| (number, name)).collect();
        names.sort_unstable();
        let short = |name: &str| name.rsplit(':').next().unwrap_or_default().to_owned();
        found.names = names.into_iter().map(|(_, name)| short(name)).collect();
        found
    }

    /// Whether any such event was recorded.
    pub fn recorded(&self) -> bool {
        self.hardirqs || self.softirqs || self.vectors
    }

    /// ns in handlers on a lane's CPU.
    pub fn on(&self, lane: usize, time: Range<u64>) -> u64 {
        let InterruptTime { hard, soft } = self.times_on(lane, time);
        hard + soft
    }

    /// The same, by kind.
    pub fn times_on(&self, lane: usize, time: Range<u64>) -> InterruptTime {
        self.lanes
            .get(lane)
            .map_or(InterruptTime::default(), |stolen| stolen.within(&time))
    }

    /// ns in handlers on a lane's CPU from the trace's begin to an instant.
    pub fn until(&self, lane: usize, at: u64) -> InterruptTime {
        self.lanes
            .get(lane)
            .map_or(InterruptTime::default(), |stolen| stolen.until(at))
    }

    /// What is handled on a lane's CPU at an instant, and from when to when; a hardirq rather than the softirq that it
    /// interrupts.
    pub fn at(&self, lane: usize, at: u64) -> Option<(Interrupt<'_>, Range<u64>)> {
        let Stolen { hard, soft } = self.lanes.get(lane)?;
        if let Some((time, what)) = hard.find(at) {
            return Some((self.hard(what), time));
        }
        soft.find(at).map(|(time, what)| (Interrupt::Softirq(what), time))
    }

    /// Calls `each` with the handlers on a lane's CPU that overlap `time`, hardirqs before softirqs, each kind in order of
    /// time: when it began and ended, and how many ns of `time` it took, softirqs without the hardirqs that interrupted them.
    pub fn handlers(&self, lane: usize, time: &Range<u64>, mut each: impl FnMut(Interrupt<'_>, Range<u64>, u64)) {
        let Some(Stolen { hard, soft }) = self.lanes.get(lane) else {
            return;
        };
        let within = |found: &Range<u64>| found.start.max(time.start)..found.end.min(time.end);
        for (found, what) in hard.overlapping(time) {
            let part = within(&found);
            each(self.hard(what), found, part.end - part.start);
        }
        let mut next = hard.begun(time.start).saturating_sub(1);
        for (found, what) in soft.overlapping(time) {
            let ns = without(within(&found), hard, &mut next);
            each(Interrupt::Softirq(what), found, ns);
        }
    }

    fn hard(&self, what: u16) -> Interrupt<'_> {
        match what & VECTOR {
            0 => Interrupt::Hardirq(what, self.handlers.get(&what).map_or("", String::as_str)),
            _ => Interrupt::Vector(self.names.get(usize::from(what & !VECTOR)).map_or("", String::as_str)),
        }
    }

    pub(super) fn memory_bytes(&self) -> usize {
        let lanes = self.lanes.iter();
        lanes
            .map(|lane| lane.hard.memory_bytes() + lane.soft.memory_bytes())
            .sum()
    }
}

/// The pids of the threads whose own work softirqs are.
fn softirq_daemons(trace: &Trace) -> HashSet<i32> {
    let of = trace.task_comms.iter();
    let daemons = of.filter(|pair| trace.comms.name(pair.comm).starts_with("ksoftirqd/"));
    daemons.map(|pair| trace.task(pair.task).pid).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn row(kind: KernelKind, number: i32) -> KernelRow {
        KernelRow {
            ts: 0,
            kind,
            pid: 1,
            number,
            value: 0,
        }
    }

    fn stolen(events: &[(u64, KernelKind, i32)]) -> Stolen {
        let mut open = Open::default();
        for &(at, kind, number) in events {
            open.take(at, row(kind, number), false, |number| number as u16);
        }
        Stolen::new(open.hard, open.soft)
    }

    #[test]
    fn what_nests_counts_once() {
        use KernelKind::{IrqEntry, IrqExit, Lost, SoftirqEntry, SoftirqExit, VectorEntry, VectorExit};
        let stolen = stolen(&[
            (10, IrqEntry, 5),
            (12, VectorEntry, 7),
            (15, VectorExit, 7),
            (20, IrqExit, 5),
            (25, SoftirqEntry, 1),
            (26, IrqEntry, 5),
            (28, IrqExit, 5),
            (30, SoftirqExit, 1),
            (31, SoftirqExit, 1),
            (40, IrqEntry, 5),
            (45, Lost, 0),
            (50, IrqExit, 5),
        ]);
        let at = |at| {
            let InterruptTime { hard, soft } = stolen.until(at);
            (hard, soft)
        };
        assert_eq!(
            [9, 10, 12, 20, 26, 27, 29, 99].map(at),
            [(0, 0), (0, 0), (2, 0), (10, 0), (10, 1), (11, 1), (12, 2), (12, 3)]
        );
        assert_eq!(stolen.hard.find(14), Some((10..20, 5)));
        assert_eq!(stolen.hard.find(20), None);
        assert_eq!(stolen.soft.find(27), Some((25..30, 1)));
    }

    #[test]
    fn softirqs_are_a_daemons_own_work() {
        let mut open = Open::default();
        open.take(1, row(KernelKind::SoftirqEntry, 3), true, |_| 0);
        open.take(9, row(KernelKind::SoftirqExit, 3), false, |_| 0);
        assert!(open.soft.is_empty());
    }

    #[test]
    fn more_than_32_bits_of_ns_are_kept() {
        use KernelKind::{SoftirqEntry, SoftirqExit};
        let stolen = stolen(&[(0, SoftirqEntry, 1), (10 << 32, SoftirqExit, 1)]);
        assert_eq!(stolen.until(9 << 32).soft, 9 << 32);
        assert_eq!(stolen.until(11 << 32).soft, 10 << 32);
    }

    proptest! {
        /// ns by ns: a hardirq has it, or else a softirq has.
        #[test]
        fn sums_are_those_of_single_ns(
            hard in prop::collection::vec((0_u64..300, 0_u64..12), 0..60),
            soft in prop::collection::vec((0_u64..300, 0_u64..30), 0..60),
        ) {
            let of = |times: &[(u64, u64)]| times.iter().map(|&(at, ns)| (at, at + ns, 0)).collect::<Vec<_>>();
            let stolen = Stolen::new(of(&hard), of(&soft));
            let inside = |times: &[(u64, u64)], at: u64| times.iter().any(|&(from, ns)| (from..from + ns).contains(&at));
            let mut naive = InterruptTime::default();
            for at in 0..340 {
                prop_assert_eq!(stolen.until(at), naive);
                match (inside(&hard, at), inside(&soft, at)) {
                    (true, _) => naive.hard += 1,
                    (false, true) => naive.soft += 1,
                    _ => {}
                }
            }
        }
    }
}
