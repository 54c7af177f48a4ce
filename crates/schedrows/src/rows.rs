//! The rows of a CPU, packed into a third of their size or so. All rows together are larger than any cache, and memory
//! that is touched for the first time costs more than packing and unpacking.
//!
//! ```text
//! row: head | time | pid | comm | arg | comm2 | writer | context | state | prio
//!
//! head     u16: a RowKind in the lowest four bits; whether there is a writer, and a context; then two bits each for the
//!          size of time (1, 2, 4, 8 bytes), pid, comm, arg and comm2 (0, 1, 2, 4)
//! time     ts less that of the row before, modulo 2^64
//! writer   i32: common_pid, unless it is the task that the last switch put onto the CPU, or, at a switch, unless prev_prio is
//!          what next_prio of the last switch was
//! context  u8, unless it is 0
//! state    u8, of a switch
//! prio     u8, of the kinds that have one
//! ```
//! Rows lie in chunks, so that a reader can free what it has read. Numbers are little endian. Each chunk has eight bytes
//! more than its rows, so that a number of any size is one load.

use crate::row::{Row, RowKind};

/// Bytes of a chunk. The allocators in use keep blocks of this size for the next one that asks.
const CHUNK: usize = 64 << 10;
/// Bytes of the first chunk of a CPU: many have few rows.
const FIRST_CHUNK: usize = 2 << 10;
/// Bytes after the rows of a chunk.
const PAD: usize = 8;
/// More than the longest row and what follows a chunk's.
const LONGEST: usize = 48;
/// Bytes of most rows, at most.
const USUAL: usize = 16;
/// Bytes of a line of the processor's cache.
const LINE: usize = 64;

const HAS_WRITER: u16 = 1 << 4;
const HAS_CONTEXT: u16 = 1 << 5;
/// Where a size is in the head.
const TIME: u32 = 6;
const PID: u32 = 8;
const COMM: u32 = 10;
const ARG: u32 = 12;
const COMM2: u32 = 14;

/// The rows of one CPU in record order. Of fields that a kind does not have, `state` and `prio` are not kept.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rows {
    pub(crate) chunks: Vec<Vec<u8>>,
    /// Rows by [`RowKind`].
    pub(crate) counts: [u64; RowKind::ALL.len()],
    /// See [`Rows::takeovers`].
    pub(crate) takeovers: Vec<(i32, i32)>,
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

    /// `pid` and `arg` of each [`RowKind::Exec`] in which they differ: some readers have to know them beforehand.
    pub fn takeovers(&self) -> &[(i32, i32)] {
        &self.takeovers
    }

    /// All rows.
    pub fn iter(&self) -> impl Iterator<Item = Row> + '_ {
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
    /// Where in the chunk the next row begins.
    at: usize,
    before: Before,
}

/// What a row is packed relative to.
#[derive(Clone, Copy, Debug, Default)]
struct Before {
    /// The time of the row before.
    ts: u64,
    /// The task that the last switch put onto the CPU.
    running: i32,
    /// With which priority.
    prio: u8,
}

impl Before {
    #[inline]
    fn follow(&mut self, row: &Row) {
        self.ts = row.ts;
        if row.kind == RowKind::Switch {
            self.running = row.arg;
            self.prio = row.prio;
        }
    }

    /// The `common_pid` of most rows of a kind.
    #[inline]
    fn writer(&self, kind: RowKind) -> i32 {
        match kind {
            RowKind::Switch => Row::of_prev_prio(self.prio),
            _ => self.running,
        }
    }
}

impl RowPacker {
    /// Adds a row. Of times that go back, and of odd numbers, nothing is lost.
    // In wasm not compiled anew in each crate: those of a small module would do it at their level of optimisation.
    #[cfg_attr(not(target_family = "wasm"), inline)]
    pub fn push(&mut self, row: &Row) {
        let time = row.ts.wrapping_sub(self.before.ts);
        let (time_size, pid_size, comm_size) = (time_size(time), number_size(row.pid as u32), number_size(row.comm));
        let (arg_size, comm2_size) = (number_size(row.arg as u32), number_size(row.comm2));
        let (has_writer, has_context) = (row.common_pid != self.before.writer(row.kind), row.context != 0);
        let head = row.kind as u16
            | (HAS_WRITER * u16::from(has_writer))
            | (HAS_CONTEXT * u16::from(has_context))
            | (time_size << TIME)
            | (pid_size << PID)
            | (comm_size << COMM)
            | (arg_size << ARG)
            | (comm2_size << COMM2);
        let mut task = Few::default();
        task.put_all(row.pid as u32, number_bytes(pid_size));
        task.put_all(row.comm, number_bytes(comm_size));
        let mut other = Few::default();
        other.put_all(row.arg as u32, number_bytes(arg_size));
        other.put_all(row.comm2, number_bytes(comm2_size));
        let mut rest = Few::default();
        rest.put(row.common_pid as u32, 4 * u32::from(has_writer));
        rest.put(u32::from(row.context), u32::from(has_context));
        rest.put(u32::from(row.state), u32::from(has_state(row.kind)));
        rest.put(u32::from(row.prio), u32::from(has_prio(row.kind)));
        if self.chunk.len() < self.at + LONGEST {
            self.next_chunk();
        }
        // Most rows are three such numbers, and some five.
        let time_len = time_bytes(time_size);
        if time_len < 8 {
            self.put(u64::from(head) | time << 16, 2 + time_len);
        } else {
            self.put(u64::from(head), 2);
            self.put(time, time_len);
        }
        if task.len + other.len <= 8 {
            self.put(task.bytes | other.bytes << ((8 * task.len) & 63), task.len + other.len);
        } else {
            self.put(task.bytes, task.len);
            self.put(other.bytes, other.len);
        }
        self.put(rest.bytes, rest.len);
        self.before.follow(row);
        if let Some(count) = self.rows.counts.get_mut(row.kind as usize) {
            *count += 1;
        }
        if row.kind == RowKind::Exec && row.pid != row.arg {
            self.rows.takeovers.push((row.pid, row.arg));
        }
    }

    /// Adds the lowest `size` bytes of a number. What is written beyond them is overwritten by the next number.
    #[inline]
    fn put(&mut self, number: u64, size: u32) {
        if let Some(place) = self.chunk.get_mut(self.at..self.at + 8) {
            place.copy_from_slice(&number.to_le_bytes());
        }
        self.at += size as usize;
    }

    #[cold]
    fn next_chunk(&mut self) {
        let size = if self.chunk.is_empty() { FIRST_CHUNK } else { CHUNK };
        self.end_chunk();
        self.chunk = vec![0; size];
    }

    fn end_chunk(&mut self) {
        let mut full = std::mem::take(&mut self.chunk);
        if 0 < self.at {
            full.truncate(self.at + PAD);
            self.rows.chunks.push(full);
        }
        self.at = 0;
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

#[inline]
fn has_state(kind: RowKind) -> bool {
    kind == RowKind::Switch
}

#[inline]
fn has_prio(kind: RowKind) -> bool {
    !matches!(kind, RowKind::Fork | RowKind::Exec | RowKind::Rename | RowKind::Lost)
}

/// The two bits for the size of a row's time.
#[inline]
fn time_size(time: u64) -> u16 {
    u16::from(0xff < time) + u16::from(0xffff < time) + u16::from(0xffff_ffff < time)
}

/// What those two bits stand for, in bytes: 1, 2, 4 or 8.
#[inline]
fn time_bytes(size: u16) -> u32 {
    1 << size
}

/// The two bits for the size of a number.
#[inline]
fn number_size(number: u32) -> u16 {
    u16::from(0 < number) + u16::from(0xff < number) + u16::from(0xffff < number)
}

/// What those two bits stand for, in bytes: 0, 1, 2 or 4.
#[inline]
fn number_bytes(size: u16) -> u32 {
    (1 << size) >> 1
}

/// Up to eight bytes of small numbers, in a register.
#[derive(Clone, Copy, Default)]
struct Few {
    bytes: u64,
    /// How many were put or taken.
    len: u32,
}

impl Few {
    fn of(bytes: u64) -> Few {
        Few { bytes, len: 0 }
    }

    /// Adds the lowest `size` bytes of a number that has no more; nothing if `size` is 0.
    #[inline]
    fn put(&mut self, number: u32, size: u32) {
        self.put_all(if size == 0 { 0 } else { number }, size);
    }

    /// Adds a number that has no more than `size` bytes.
    #[inline]
    fn put_all(&mut self, number: u32, size: u32) {
        self.bytes |= u64::from(number) << ((8 * self.len) & 63);
        self.len += size;
    }

    /// Takes the lowest `size` bytes, at most four; 0 if `size` is 0.
    #[inline]
    fn take(&mut self, size: u32) -> u32 {
        let taken = self.bytes & ((1 << ((8 * size) & 63)) - 1);
        self.bytes >>= (8 * size) & 63;
        self.len += size;
        taken as u32
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
    before: Before,
}

impl<C: Iterator<Item: AsRef<[u8]>>> Unpacker<C> {
    fn new(mut chunks: C) -> Self {
        Unpacker {
            chunk: chunks.next(),
            chunks,
            at: 0,
            before: Before::default(),
        }
    }

    /// Brings what `rows` further rows probably take into the cache. The place of a row is known when the one before was
    /// read, so without this each line of the cache would be waited for.
    #[inline]
    pub fn read_ahead(&self, rows: usize) {
        let chunk = self.chunk.as_ref().map_or(&[][..], AsRef::as_ref);
        let ahead = chunk.get(self.at..).unwrap_or_default();
        let ahead = ahead.get(..rows * USUAL).unwrap_or(ahead);
        let read = ahead.iter().step_by(LINE).fold(0, |read, byte| read ^ byte);
        std::hint::black_box(read);
    }

    /// Appends the next rows, at most as many as `rows` has room for without growing.
    ///
    /// This is faster than taking them one by one: a row that is handed on as an `Option` is copied in parts which the
    /// processor has to wait for.
    pub fn fill(&mut self, rows: &mut Vec<Row>) {
        while rows.len() < rows.capacity() && self.read(|row| rows.push(row)) {}
    }

    /// Calls `take` with the next row; returns whether there is one.
    #[inline(always)]
    fn read(&mut self, take: impl FnOnce(Row)) -> bool {
        self.skip_ended();
        let Some(chunk) = self.chunk.as_ref().map(AsRef::as_ref) else {
            return false;
        };
        let start = load(chunk, self.at);
        let head = start as u16;
        let Some(kind) = RowKind::of_code(head as u8 & 15) else {
            return false;
        };
        let mut at = self.at + 2;
        let time_bytes = time_bytes((head >> TIME) & 3);
        let time = match time_bytes {
            8 => load(chunk, at),
            // It is in the eight bytes that begin with the head.
            few => (start >> 16) & ((1 << (8 * few)) - 1),
        };
        at += time_bytes as usize;
        let bytes = |shift: u32| number_bytes((head >> shift) & 3);
        let mut task = Few::of(load(chunk, at));
        let (pid, comm) = (task.take(bytes(PID)), task.take(bytes(COMM)));
        at += task.len as usize;
        let mut other = Few::of(load(chunk, at));
        let (arg, comm2) = (other.take(bytes(ARG)), other.take(bytes(COMM2)));
        at += other.len as usize;
        let mut rest = Few::of(load(chunk, at));
        let has_writer = head & HAS_WRITER != 0;
        let writer = rest.take(4 * u32::from(has_writer)) as i32;
        let context = rest.take(u32::from(head & HAS_CONTEXT != 0)) as u8;
        let state = rest.take(u32::from(has_state(kind))) as u8;
        let prio = rest.take(u32::from(has_prio(kind))) as u8;
        at += rest.len as usize;
        let row = Row {
            ts: self.before.ts.wrapping_add(time),
            common_pid: if has_writer { writer } else { self.before.writer(kind) },
            pid: pid as i32,
            arg: arg as i32,
            comm,
            comm2,
            kind,
            context,
            state,
            prio: if has_prio(kind) { prio } else { Row::NO_PRIO },
        };
        self.at = at;
        self.before.follow(&row);
        take(row);
        true
    }

    /// Goes on to a chunk that has a next row, if there is one.
    #[inline(always)]
    fn skip_ended(&mut self) {
        while self
            .chunk
            .as_ref()
            .is_some_and(|chunk| chunk.as_ref().len() <= self.at + PAD)
        {
            self.chunk = self.chunks.next();
            self.at = 0;
        }
    }
}

impl<C: Iterator<Item: AsRef<[u8]>>> Iterator for Unpacker<C> {
    type Item = Row;

    fn next(&mut self) -> Option<Row> {
        let mut next = None;
        self.read(|row| next = Some(row));
        next
    }
}

/// The eight bytes at `at`; only bytes that are no rows have fewer.
#[inline]
fn load(chunk: &[u8], at: usize) -> u64 {
    let bytes = chunk.get(at..).and_then(<[u8]>::first_chunk);
    bytes.map_or(0, |bytes| u64::from_le_bytes(*bytes))
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
                let state = if has_state(kind) { state } else { 0 };
                let prio = if has_prio(kind) { prio } else { Row::NO_PRIO };
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

        #[test]
        fn other_bytes_do_no_harm(chunks in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..90), 0..4)) {
            let rows = Rows { chunks, ..Rows::default() };
            prop_assert!(rows.drain().count() <= 4 * 90);
        }
    }

    #[test]
    fn usual_rows_are_packed_to_less_than_half() {
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
        assert!(bytes * 2 < rows.len() * size_of::<Row>(), "{bytes}");
    }
}
