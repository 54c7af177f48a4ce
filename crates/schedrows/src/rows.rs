//! The rows of a CPU, packed into half of their size. All rows together are larger than any cache, and memory that is touched for the
//! first time costs more than packing and unpacking.
//!
//! ```text
//! short row: two words
//!   0   ts less that of the row before: 32 bits | a switch's state, others' context: 8 | prio: 8 | comm: 16
//!   1   pid: 23 | arg: 23 | comm2: 14 | RowKind: 4
//! long row: five words, where a number does not fit, or where what most rows do not say is not what is expected
//!   0   ts
//!   1   prio: 8 | state: 8 | context: 8 | RowKind: 8 | 0: 28 | LONG: 4
//!   2   pid, arg     3   comm, comm2     4   common_pid
//! ```
//! Each part begins at the lowest bit that is free; words are little endian. A row is read with two loads and without a branch
//! that depends on its numbers: rows with as many bytes as their numbers need are a third smaller, and take three times as long to
//! pack and unpack. Rows lie in chunks, so that a reader can free what it has read.

use crate::row::{Context, Row, RowKind, StateCode};

/// Bytes of a chunk. The allocators in use keep blocks of this size for the next one that asks.
pub const CHUNK: usize = 64 << 10;
/// Bytes of the first chunk of a CPU: many have few rows.
const FIRST_CHUNK: usize = 2 << 10;
/// Bytes of a word and of rows.
const WORD: usize = 8;
const SHORT_ROW: usize = 2 * WORD;
const LONG_ROW: usize = 5 * WORD;
/// Bytes that are brought into the cache at once.
const AHEAD: usize = 1 << 10;
/// Bytes of a line of the processor's cache.
const LINE: usize = 64;

/// Where parts of a short row begin in its words.
const BYTE: u32 = 32;
const PRIO: u32 = 40;
const COMM: u32 = 48;
const ARG: u32 = 23;
const COMM2: u32 = 46;
const KIND: u32 = 60;
/// In place of a kind: a long row.
const LONG: u64 = 15;

/// The rows of one CPU in record order. `state` is kept of switches alone.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rows {
    pub(crate) chunks: Vec<Vec<u8>>,
    /// Rows by [`RowKind`].
    pub(crate) counts: [u64; RowKind::ALL.len()],
    /// See [`Rows::takeovers`].
    pub(crate) takeovers: Vec<(i32, i32)>,
    /// See [`Rows::breaks`].
    pub(crate) breaks: Vec<Break>,
}

/// A broken chain of switches: the next switch of the CPU takes another task off it than this one put there. Switches between
/// the two are missing: a filter left them out, or they were dropped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Break {
    /// Number of the earlier switch among the rows that [open an interval](Row::opens_interval), from 0 on.
    pub opening: u32,
    /// The task that has the CPU since then: the one that was switched to, under the pid that its own execs gave it.
    pub on: i32,
    /// The task that the later switch takes off the CPU.
    pub prev: i32,
}

impl Rows {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.counts.iter().sum::<u64>() as usize
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many there are of a kind.
    pub fn count(&self, kind: RowKind) -> u64 {
        self.counts.get(kind as usize).copied().unwrap_or(0)
    }

    /// How many [open an interval](Row::opens_interval).
    pub fn openings(&self) -> u64 {
        self.count(RowKind::Switch) + self.count(RowKind::Lost)
    }

    /// `pid` and `arg` of each [`RowKind::Exec`] in which they differ: some readers have to know them beforehand.
    pub fn takeovers(&self) -> &[(i32, i32)] {
        &self.takeovers
    }

    /// Places where the chain of switches is broken, ascending. An exec that changes the pid of the running task may look like one if
    /// its event comes later; the [takeovers](Rows::takeovers) of all CPUs tell the two apart.
    pub fn breaks(&self) -> &[Break] {
        &self.breaks
    }

    /// Takes the breaks out, for the reader that needs them while the rows are drained.
    pub fn take_breaks(&mut self) -> Vec<Break> {
        std::mem::take(&mut self.breaks)
    }

    /// All rows.
    pub fn iter(&self) -> impl Iterator<Item = Row> + '_ {
        self.reader()
    }

    /// The same, for who reads very many.
    pub fn reader(&self) -> Unpacker<impl Iterator<Item = &[u8]>> {
        Unpacker::new(self.chunks.iter().map(Vec::as_slice))
    }

    /// All rows; what was read is freed on the way.
    pub fn drain(self) -> RowDrain {
        Unpacker::new(self.chunks.into_iter())
    }
}

impl FromIterator<Row> for Rows {
    fn from_iter<I: IntoIterator<Item = Row>>(rows: I) -> Rows {
        let mut packer = RowPacker::default();
        rows.into_iter().for_each(|row| packer.push(&row));
        packer.finish()
    }
}

/// Packs rows as they come.
#[derive(Debug, Default)]
pub struct RowPacker {
    rows: Rows,
    chunk: Vec<u8>,
    before: Before,
    /// The task that has the CPU, according to the last switch; `None` if events were lost since, and before the first.
    on: Option<i32>,
    yielding: Yielding,
}

/// The thread that is inside `sched_yield`.
#[derive(Clone, Copy, Debug, Default)]
struct Yielding {
    /// 0: none.
    pid: i32,
    /// Whether some system call has returned: only then a call that did not return is known to last.
    returns: bool,
}

/// What a short row is packed relative to: rows that say something else are long.
#[derive(Clone, Copy, Debug, Default)]
struct Before {
    /// The time of the row before.
    ts: u64,
    /// The task that the last switch put onto the CPU: it writes the next rows.
    running: i32,
    /// `common_pid` of the last row without a writer.
    nobody: i32,
    /// `common_pid` of the next switch: that the task goes with the priority that it came with, where switches tell.
    switch_writer: i32,
    /// Of the last switch: a source tells it for all switches, or for none.
    switch_context: u8,
}

impl Before {
    #[inline]
    fn follow(&mut self, row: &Row) {
        self.ts = row.ts;
        if row.kind == RowKind::Switch {
            self.running = row.arg;
            self.switch_context = row.context;
            self.switch_writer = match row.tells_prev_prio() {
                true => Row::of_prev_prio(row.prio),
                false => row.common_pid,
            };
        } else if row.context & Context::NO_WRITER != 0 {
            self.nobody = row.common_pid;
        }
    }

    /// The row of this kind that these words say.
    #[inline(always)]
    fn short_row(&self, both: u128, kind: RowKind) -> Row {
        let (first, second) = (both as u64, (both >> u64::BITS) as u64);
        let byte = (first >> BYTE) as u8;
        let (state, context) = match kind {
            RowKind::Switch => (byte, self.switch_context),
            _ => (0, byte),
        };
        Row {
            ts: self.ts.wrapping_add(first & ((1 << BYTE) - 1)),
            common_pid: self.writer(kind, context),
            pid: (second & ((1 << ARG) - 1)) as i32,
            arg: (second >> ARG & ((1 << (COMM2 - ARG)) - 1)) as i32,
            comm: (first >> COMM) as u32,
            comm2: (second >> COMM2 & ((1 << (KIND - COMM2)) - 1)) as u32,
            kind,
            context,
            state,
            prio: (first >> PRIO) as u8,
        }
    }

    /// The `common_pid` of most rows of a kind.
    #[inline]
    fn writer(&self, kind: RowKind, context: u8) -> i32 {
        match kind {
            RowKind::Switch => self.switch_writer,
            _ if context & Context::NO_WRITER != 0 => self.nobody,
            _ => self.running,
        }
    }
}

/// The kind of a short row; none of a long one.
#[inline(always)]
fn kind_of(both: u128) -> Option<RowKind> {
    RowKind::of_code((both >> (u64::BITS + KIND)) as u8)
}

impl RowPacker {
    /// Adds a row. Of times that go back, and of odd numbers, nothing is lost.
    // In wasm not compiled anew in each crate: those of a small module would do it at their level of optimisation.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub fn push(&mut self, row: &Row) {
        // Its parts stay in registers, unless it is a long one.
        let mut row = *row;
        if self.yielding.pid != 0 {
            self.end_yield(&mut row);
        }
        if self.chunk.capacity() < self.chunk.len() + LONG_ROW {
            self.next_chunk();
        }
        let time = row.ts.wrapping_sub(self.before.ts);
        let (byte, expected) = match row.kind {
            RowKind::Switch => (row.state, row.context == self.before.switch_context),
            _ => (row.context, true),
        };
        let (pid, arg) = (u64::from(row.pid as u32), u64::from(row.arg as u32));
        let (comm, comm2) = (u64::from(row.comm), u64::from(row.comm2));
        let beyond = time >> BYTE | (pid | arg) >> ARG | comm >> (u64::BITS - COMM) | comm2 >> (KIND - COMM2);
        if beyond == 0 && expected && row.common_pid == self.before.writer(row.kind, row.context) {
            let first = time | u64::from(byte) << BYTE | u64::from(row.prio) << PRIO | comm << COMM;
            let second = pid | arg << ARG | comm2 << COMM2 | (row.kind as u64) << KIND;
            let both = u128::from(first) | u128::from(second) << u64::BITS;
            self.chunk.extend_from_slice(&both.to_le_bytes());
        } else {
            self.push_long(row);
        }
        self.before.follow(&row);
        match row.kind {
            RowKind::Switch => {
                if self.on != Some(row.pid) {
                    self.note_break(row.pid);
                }
                self.on = Some(row.arg);
            }
            RowKind::Lost => self.on = None,
            RowKind::Exec if row.pid != row.arg => {
                self.rows.takeovers.push((row.pid, row.arg));
                // A thread that executes a program takes its leader's pid.
                self.on = self.on.map(|on| if on == row.arg { row.pid } else { on });
            }
            _ => {}
        }
        if let Some(count) = self.rows.counts.get_mut(row.kind as usize) {
            *count += 1;
        }
    }

    /// The next switch takes `prev` off the CPU, which did not have it as far as the last one tells.
    #[cold]
    fn note_break(&mut self, prev: i32) {
        if let Some(on) = self.on.filter(|_| prev != Row::UNKNOWN_PID) {
            // The last row that opened an interval is the earlier switch: behind a gap nothing is known.
            let opening = self.rows.openings().saturating_sub(1) as u32;
            self.rows.breaks.push(Break { opening, on, prev });
        }
    }

    /// The thread that has the CPU enters `sched_yield`: if the next switch takes it off as `R`, it [yielded](StateCode::yielded).
    pub fn enters_yield(&mut self, pid: i32) {
        self.yielding.pid = if self.yielding.returns { pid } else { 0 };
    }

    /// A system call returns: the thread that has the CPU is not inside `sched_yield`.
    pub fn call_returns(&mut self) {
        self.yielding = Yielding { pid: 0, returns: true };
    }

    /// A thread that leaves the CPU may come back elsewhere, and so return there.
    #[cold]
    fn end_yield(&mut self, row: &mut Row) {
        if !row.opens_interval() {
            return;
        }
        if row.kind == RowKind::Switch && row.pid == self.yielding.pid {
            row.state = StateCode(row.state).in_yield().0;
        }
        self.yielding.pid = 0;
    }

    #[cold]
    fn push_long(&mut self, row: Row) {
        let state = if row.kind == RowKind::Switch { row.state } else { 0 };
        let small = [row.prio, state, row.context, row.kind as u8];
        let both = |low: u32, high: u32| u64::from(low) | u64::from(high) << 32;
        let words = [
            row.ts,
            u64::from(u32::from_le_bytes(small)) | LONG << KIND,
            both(row.pid as u32, row.arg as u32),
            both(row.comm, row.comm2),
            u64::from(row.common_pid as u32),
        ];
        for word in words {
            self.chunk.extend_from_slice(&word.to_le_bytes());
        }
    }

    #[cold]
    fn next_chunk(&mut self) {
        let size = if self.chunk.is_empty() { FIRST_CHUNK } else { CHUNK };
        self.end_chunk();
        self.chunk = Vec::with_capacity(size);
    }

    fn end_chunk(&mut self) {
        let full = std::mem::take(&mut self.chunk);
        if !full.is_empty() {
            self.rows.chunks.push(full);
        }
    }

    /// The rows that were added.
    pub fn finish(mut self) -> Rows {
        self.end_chunk();
        if let Some(last) = self.rows.chunks.last_mut() {
            last.shrink_to_fit();
        }
        self.rows
    }
}

/// All rows of a CPU, which are freed as they are read.
pub type RowDrain = Unpacker<std::vec::IntoIter<Vec<u8>>>;

/// Reads rows. Of bytes that are no rows it reads some, or none.
#[derive(Debug)]
pub struct Unpacker<C: Iterator> {
    chunks: C,
    chunk: Option<C::Item>,
    /// Where the next row begins.
    at: usize,
    /// Up to where the chunk was brought into the cache.
    ahead: usize,
    before: Before,
}

impl<C: Iterator<Item: AsRef<[u8]>>> Unpacker<C> {
    fn new(mut chunks: C) -> Self {
        Unpacker {
            chunk: chunks.next(),
            chunks,
            at: 0,
            ahead: 0,
            before: Before::default(),
        }
    }

    /// The first two words of the next row, the first of them below the other.
    #[inline(always)]
    fn words(&mut self) -> Option<u128> {
        if self.ahead <= self.at {
            self.read_ahead();
        }
        let bytes = self.chunk.as_ref()?.as_ref().get(self.at..)?;
        bytes.first_chunk().map(|words| u128::from_le_bytes(*words))
    }

    /// Puts the next row into `row`; returns whether there is one.
    ///
    /// A row that is handed on as an `Option` is copied in parts which the processor has to wait for.
    #[inline]
    pub fn read(&mut self, row: &mut Row) -> bool {
        let Some(both) = self.words() else {
            return false;
        };
        let Some(kind) = kind_of(both) else {
            return self.read_long(row);
        };
        *row = self.before.short_row(both, kind);
        self.at += SHORT_ROW;
        self.before.follow(row);
        true
    }

    /// Calls `take` with the next rows, until it says that it does not take one: that comes again.
    #[inline]
    pub fn read_while(&mut self, mut take: impl FnMut(&Row) -> bool) {
        loop {
            if self.ahead <= self.at {
                self.read_ahead();
            }
            let chunk = self.chunk.as_ref().map_or(&[][..], AsRef::as_ref);
            let ahead = chunk.get(self.at..self.ahead).unwrap_or_default();
            // In registers, as long as no row is long.
            let (mut at, mut before) = (self.at, self.before);
            let (mut taken, mut long) = (true, false);
            for words in ahead.as_chunks::<SHORT_ROW>().0 {
                let both = u128::from_le_bytes(*words);
                let Some(kind) = kind_of(both) else {
                    long = true;
                    break;
                };
                let row = before.short_row(both, kind);
                taken = take(&row);
                if !taken {
                    break;
                }
                before.follow(&row);
                at += SHORT_ROW;
            }
            let none = at == self.at;
            (self.at, self.before) = (at, before);
            // What is left before the end of what was read ahead is less than a row.
            if !taken || (long || none) && !self.read_if(&mut take) {
                return;
            }
        }
    }

    /// Reads the next row, if there is one and `take` takes it.
    #[cold]
    fn read_if(&mut self, mut take: impl FnMut(&Row) -> bool) -> bool {
        let mut row = Row::of(RowKind::Lost, 0);
        let (at, before) = (self.at, self.before);
        let taken = self.read(&mut row) && take(&row);
        if !taken {
            (self.at, self.before) = (at, before);
        }
        taken
    }

    /// As [`Unpacker::read`], of the next row that says what has the CPU from then on: a switch or a gap. Of those
    /// between only the times are read: `latest` becomes the greatest of them, if it was less. Who wrote a gap is not told.
    #[inline]
    pub fn read_opening(&mut self, row: &mut Row, latest: &mut u64) -> bool {
        loop {
            let Some(both) = self.words() else {
                return false;
            };
            let code = (both >> u64::BITS) as u64 >> KIND;
            // Switches have the least number, gaps and long rows the greatest.
            if (RowKind::Switch as u64) < code && code < RowKind::Lost as u64 {
                // Who wrote it, on which later rows depend, matters to rows of other kinds alone.
                self.before.ts = self.before.ts.wrapping_add(both as u64 & ((1 << BYTE) - 1));
                self.at += SHORT_ROW;
            } else if !self.read(row) {
                return false;
            } else if row.opens_interval() {
                return true;
            }
            *latest = self.before.ts.max(*latest);
        }
    }

    #[cold]
    fn read_long(&mut self, row: &mut Row) -> bool {
        let bytes = self.chunk.as_ref().and_then(|chunk| chunk.as_ref().get(self.at..));
        let Some(bytes) = bytes.and_then(<[u8]>::first_chunk::<LONG_ROW>) else {
            return false;
        };
        let mut words = bytes
            .chunks_exact(WORD)
            .map(|word| word.first_chunk().map_or(0, |word| u64::from_le_bytes(*word)));
        let mut word = || words.next().unwrap_or(0);
        let (ts, small, tasks, comms, writer) = (word(), word(), word(), word(), word());
        let [prio, state, context, code, ..] = small.to_le_bytes();
        let Some(kind) = RowKind::of_code(code) else {
            return false;
        };
        *row = Row {
            ts,
            common_pid: writer as i32,
            pid: tasks as i32,
            arg: (tasks >> 32) as i32,
            comm: comms as u32,
            comm2: (comms >> 32) as u32,
            kind,
            context,
            state,
            prio,
        };
        self.at += LONG_ROW;
        self.before.follow(row);
        true
    }

    /// Goes on to a chunk that has a next row, if there is one, and brings the rows that follow into the cache: where a hundred
    /// streams are read in turn, each line would be waited for.
    #[cold]
    fn read_ahead(&mut self) {
        let mut chunk = self.chunk.as_ref().map_or(&[][..], AsRef::as_ref);
        while chunk.len() <= self.at && self.chunk.is_some() {
            self.chunk = self.chunks.next();
            self.at = 0;
            chunk = self.chunk.as_ref().map_or(&[][..], AsRef::as_ref);
        }
        let ahead = chunk.get(self.at..).unwrap_or_default();
        let ahead = ahead.get(..AHEAD).unwrap_or(ahead);
        let read = ahead.iter().step_by(LINE).fold(0, |read, byte| read ^ byte);
        std::hint::black_box(read);
        self.ahead = self.at + ahead.len();
    }
}

impl<C: Iterator<Item: AsRef<[u8]>>> Iterator for Unpacker<C> {
    type Item = Row;

    fn next(&mut self) -> Option<Row> {
        let mut row = Row::of(RowKind::Lost, 0);
        self.read(&mut row).then_some(row)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn row() -> impl Strategy<Value = Row> {
        let odd = || {
            prop_oneof![
                Just(0),
                Just(-1),
                Just(i32::MAX),
                i32::MIN..i32::MIN + 300,
                0..300,
                any::<i32>()
            ]
        };
        let time = prop_oneof![0_u64..300, 0_u64..1 << 40, any::<u64>()];
        let tasks = (odd(), odd(), 0_u32..1000, 0_u32..70_000);
        let bytes = (any::<u8>(), any::<u8>(), any::<u8>());
        (time, odd(), tasks, prop::sample::select(RowKind::ALL.to_vec()), bytes).prop_map(
            |(ts, common_pid, (pid, arg, comm, comm2), kind, (context, state, prio))| {
                let state = if kind == RowKind::Switch { state } else { 0 };
                Row {
                    ts,
                    common_pid,
                    pid,
                    arg,
                    comm,
                    comm2,
                    kind,
                    context,
                    state,
                    prio,
                }
            },
        )
    }

    proptest! {
        // Each fills more than one chunk, now and then.
        #![proptest_config(ProptestConfig::with_cases(30))]

        #[test]
        fn what_is_packed_comes_back(rows in prop::collection::vec(row(), 0..9000)) {
            let packed: Rows = rows.iter().copied().collect();
            prop_assert_eq!(packed.len(), rows.len());
            for kind in RowKind::ALL {
                prop_assert_eq!(packed.count(kind), rows.iter().filter(|row| row.kind == kind).count() as u64);
            }
            let taken: Vec<_> = rows.iter().filter(|row| row.kind == RowKind::Exec && row.pid != row.arg).collect();
            prop_assert_eq!(packed.takeovers(), taken.iter().map(|row| (row.pid, row.arg)).collect::<Vec<_>>());
            prop_assert!(packed.iter().eq(rows.iter().copied()));
            prop_assert!(packed.drain().eq(rows));
        }

        /// Now and then one is not taken; it comes again.
        #[test]
        fn rows_are_read_as_long_as_they_are_taken(
            rows in prop::collection::vec(row(), 0..3000),
            taken in prop::collection::vec(0_usize..90, 1..40),
        ) {
            let packed: Rows = rows.iter().copied().collect();
            let (mut drain, mut found, mut most) = (packed.drain(), Vec::new(), taken.iter().cycle());
            loop {
                let (before, most) = (found.len(), *most.next().unwrap());
                let mut refused = None;
                drain.read_while(|row| {
                    let take = found.len() < before + most;
                    if take { found.push(*row) } else { refused = Some(*row) }
                    take
                });
                prop_assert_eq!(refused, rows.get(found.len()).copied());
                if refused.is_none() { break }
            }
            prop_assert_eq!(found, rows);
        }

        /// Told with a plain walk over the rows.
        #[test]
        fn breaks_are_where_another_task_leaves(rows in prop::collection::vec((0_usize..6, 0_i32..3, 0_i32..3), 0..60)) {
            let rows: Vec<Row> = rows.into_iter().map(|(kind, pid, arg)| {
                let kind = [RowKind::Switch, RowKind::Switch, RowKind::Switch, RowKind::Lost, RowKind::Exec, RowKind::Waking][kind];
                let pid = if kind == RowKind::Switch && pid == 2 && arg == 2 { Row::UNKNOWN_PID } else { pid };
                Row { pid, arg, ..Row::of(kind, 9) }
            }).collect();
            let openings: Vec<usize> = (0..rows.len()).filter(|&index| rows[index].opens_interval()).collect();
            let mut expected = Vec::new();
            for (number, pair) in openings.windows(2).enumerate() {
                let (earlier, later) = (rows[pair[0]], rows[pair[1]]);
                if earlier.kind == RowKind::Lost || later.kind == RowKind::Lost || later.pid == Row::UNKNOWN_PID {
                    continue;
                }
                let execs = rows[pair[0]..pair[1]].iter().filter(|row| row.kind == RowKind::Exec);
                let on = execs.fold(earlier.arg, |on, exec| if exec.arg == on { exec.pid } else { on });
                if on != later.pid {
                    expected.push(Break { opening: number as u32, on, prev: later.pid });
                }
            }
            let packed = Rows::from_iter(rows);
            prop_assert_eq!(packed.breaks(), expected);
        }

        #[test]
        fn switches_and_gaps_are_found_among_others(rows in prop::collection::vec(row(), 0..300)) {
            let packed: Rows = rows.iter().copied().collect();
            let (mut reader, mut row, mut latest, mut rest) = (packed.reader(), Row::of(RowKind::Lost, 0), 0, &rows[..]);
            let mut passed = Vec::new();
            while reader.read_opening(&mut row, &mut latest) {
                let before = rest.iter().position(Row::opens_interval).unwrap();
                passed.extend(rest[..before].iter().map(|row| row.ts));
                let expected = rest[before];
                let common_pid = if row.kind == RowKind::Lost { row.common_pid } else { expected.common_pid };
                prop_assert_eq!(row, Row { common_pid, ..expected });
                prop_assert_eq!(latest, passed.iter().copied().max().unwrap_or(0));
                rest = &rest[before + 1..];
            }
            prop_assert!(!rest.iter().any(Row::opens_interval));
            passed.extend(rest.iter().map(|row| row.ts));
            prop_assert_eq!(latest, passed.into_iter().max().unwrap_or(0));
        }

        #[test]
        fn other_bytes_do_no_harm(chunks in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..90), 0..4)) {
            let rows = Rows { chunks, ..Rows::default() };
            let (mut reader, mut row, mut latest) = (rows.clone().drain(), Row::of(RowKind::Lost, 0), 0);
            let found = std::iter::repeat_with(|| reader.read_opening(&mut row, &mut latest));
            prop_assert!(found.take_while(|&found| found).count() <= 4 * 90);
            let mut count = 0;
            rows.clone().drain().read_while(|_| {
                count += 1;
                true
            });
            prop_assert_eq!(rows.drain().count(), count);
            prop_assert!(count <= 4 * 90);
        }
    }

    #[test]
    fn usual_rows_are_short() {
        let rows: Vec<Row> = (0..10_000_u32)
            .map(|number| Row {
                ts: 1_000_000 + u64::from(number) * 7_321,
                common_pid: Row::of_prev_prio(120),
                pid: 1000 + number as i32 % 50,
                arg: 1000 + (number as i32 + 1) % 50,
                comm: number % 50,
                comm2: (number + 1) % 50,
                kind: RowKind::Switch,
                context: 0,
                state: b'S',
                prio: 120,
            })
            .collect();
        let packed: Rows = rows.iter().copied().collect();
        let bytes: usize = packed.chunks.iter().map(Vec::len).sum();
        // The first does not know yet what is expected.
        assert_eq!(bytes, rows.len() * SHORT_ROW + LONG_ROW - SHORT_ROW);
    }
}
