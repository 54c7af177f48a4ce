//! A [`CpuScan`] as one buffer, so that a scan worker can hand it over in one transfer.
//!
//! System calls and interrupts ([`CpuScan::kernel`]) go apart, as a [`KernelLog`]: others need them than need the scan.
//!
//! Both sides are the same build on the same machine: the layout may change at any time and numbers are little endian, as
//! wasm and every native target of ours are.
//!
//! ```text
//! rows' chunks, as they are | rest | fixed part
//!
//! rest: chunks' lengths (u32) | takeovers (two i32) | breaks (u32, two i32) | how many rows there are of each kind (u64)
//!       | events (u16 id, u64 count) | names (u32 length, UTF-8) | diagnostics
//!
//! log: what it has (u8) | names (u32 length, UTF-8) | numbers' names (i32, u32) | rows | fixed part
//! ```
//!
//! Nearly all of a scan is chunks, which nobody has to put together in order to copy them: see [`CpuScan::into_pieces`].

use crate::kernel::{KernelLog, KernelRows};
use crate::row::{CommTable, CpuScan, Diagnostic, DiagnosticKind, FileFacts};
use crate::rows::{Break, Rows};
use crate::source::{CannotTell, KnownTask};
use std::ops::Range;
use thiserror::Error;

/// Bytes of a scan's fixed part: thirteen 64-bit numbers.
pub const FIXED: usize = 13 * 8;
/// Bytes of a chunk's length, and of two numbers.
const LENGTH: usize = 4;
const PAIR: usize = 2 * 4;
/// Bytes of a broken chain.
const BREAK: usize = 3 * 4;
/// The least that a name and a diagnostic take.
const MIN_NAME: usize = 4;
const MIN_DIAGNOSTIC: usize = 1 + 1 + 1 + 8 + 4;
/// Bytes of an event's id and count.
pub const EVENT: usize = 2 + 8;

/// A buffer that [`CpuScan::to_bytes`] did not make.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum WireError {
    /// It ends early.
    #[error("a scan's bytes: they end early")]
    Short,
    /// A value that no scan has.
    #[error("a scan's bytes: {0}")]
    Value(&'static str),
}

/// Little-endian numbers and texts, one after the other.
#[derive(Clone, Copy, Debug)]
pub struct WireReader<'a>(&'a [u8]);

impl<'a> WireReader<'a> {
    /// Of all of `bytes`.
    pub fn new(bytes: &'a [u8]) -> Self {
        WireReader(bytes)
    }

    /// Of `bytes` that end with a part of fixed size: what comes before it, and a reader of it.
    pub fn split_fixed(bytes: &'a [u8], size: usize) -> Result<(&'a [u8], Self), WireError> {
        let at = bytes.len().checked_sub(size).ok_or(WireError::Short)?;
        let (body, fixed) = bytes.split_at_checked(at).ok_or(WireError::Short)?;
        Ok((body, WireReader(fixed)))
    }

    /// How many bytes are left.
    pub fn left(&self) -> usize {
        self.0.len()
    }

    /// The next `len` bytes.
    pub fn bytes(&mut self, len: usize) -> Result<&'a [u8], WireError> {
        let (found, rest) = self.0.split_at_checked(len).ok_or(WireError::Short)?;
        self.0 = rest;
        Ok(found)
    }

    /// An unsigned byte.
    pub fn u8(&mut self) -> Result<u8, WireError> {
        self.array().map(u8::from_le_bytes)
    }

    /// An unsigned 16-bit number.
    pub fn u16(&mut self) -> Result<u16, WireError> {
        self.array().map(u16::from_le_bytes)
    }

    /// An unsigned 32-bit number.
    pub fn u32(&mut self) -> Result<u32, WireError> {
        self.array().map(u32::from_le_bytes)
    }

    /// An unsigned 64-bit number.
    pub fn u64(&mut self) -> Result<u64, WireError> {
        self.array().map(u64::from_le_bytes)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], WireError> {
        let (&found, rest) = self.0.split_first_chunk().ok_or(WireError::Short)?;
        self.0 = rest;
        Ok(found)
    }
}

/// A scan's bytes in pieces, the first ones first.
#[derive(Clone, Debug)]
pub struct ScanPieces {
    /// The chunks of its rows.
    pub chunks: Vec<Vec<u8>>,
    /// All that follows.
    pub rest: Vec<u8>,
}

impl ScanPieces {
    /// How many bytes they have.
    pub fn size(&self) -> usize {
        self.chunks.iter().map(Vec::len).sum::<usize>() + self.rest.len()
    }

    /// How many bytes [`ScanPieces::rest`] has, by the last [`FIXED`] ones of a scan.
    pub fn rest_len(fixed: &[u8]) -> Result<usize, WireError> {
        let (_, mut fixed) = WireReader::split_fixed(fixed, FIXED)?;
        let len = usize::try_from(fixed.u64()?).ok();
        len.and_then(|len| len.checked_add(FIXED)).ok_or(WireError::Short)
    }
}

impl CpuScan {
    /// All of it as bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let rest = self.rest();
        let packed = self.rows.chunks.iter().map(Vec::len).sum::<usize>();
        let mut out = Vec::with_capacity(packed + rest.len());
        self.rows.chunks.iter().for_each(|chunk| out.extend_from_slice(chunk));
        out.extend(rest);
        out
    }

    /// The same bytes, without a copy of the rows.
    pub fn into_pieces(self) -> ScanPieces {
        ScanPieces {
            rest: self.rest(),
            chunks: self.rows.chunks,
        }
    }

    /// What follows the rows' chunks.
    fn rest(&self) -> Vec<u8> {
        let rows = &self.rows;
        let of_breaks = rows.takeovers.len() * PAIR + rows.breaks.len() * BREAK;
        let of_rows = rows.chunks.len() * LENGTH + of_breaks + rows.counts.len() * 8;
        let others = self.comms.names.len() * 24 + self.events.len() * EVENT + FIXED;
        let mut out = Vec::with_capacity(of_rows + others);
        for chunk in &rows.chunks {
            out.extend((chunk.len() as u32).to_le_bytes());
        }
        for (pid, old_pid) in &rows.takeovers {
            out.extend(pid.to_le_bytes());
            out.extend(old_pid.to_le_bytes());
        }
        for Break { opening, on, prev } in &rows.breaks {
            out.extend(opening.to_le_bytes());
            out.extend(on.to_le_bytes());
            out.extend(prev.to_le_bytes());
        }
        for count in rows.counts {
            out.extend(count.to_le_bytes());
        }
        for (id, count) in &self.events {
            out.extend(id.to_le_bytes());
            out.extend(count.to_le_bytes());
        }
        for name in &self.comms.names {
            put_text(&mut out, name);
        }
        self.diagnostics
            .iter()
            .for_each(|found| put_diagnostic(&mut out, found));
        let lengths = [
            out.len(),
            rows.chunks.len(),
            rows.takeovers.len(),
            rows.breaks.len(),
            self.events.len(),
            self.comms.names.len(),
            self.diagnostics.len(),
        ];
        for length in lengths {
            out.extend((length as u64).to_le_bytes());
        }
        out.extend(u64::from(self.cpu).to_le_bytes());
        for number in [self.records, self.lost_events, self.lost_gaps] {
            out.extend(number.to_le_bytes());
        }
        out.extend(self.first_ns.unwrap_or(u64::MAX).to_le_bytes());
        out.extend(self.last_ns.unwrap_or(u64::MAX).to_le_bytes());
        out
    }

    /// What [`CpuScan::to_bytes`] made.
    pub fn from_bytes(bytes: &[u8]) -> Result<CpuScan, WireError> {
        let packed = bytes.len().checked_sub(ScanPieces::rest_len(bytes)?);
        let (packed, rest) = packed
            .and_then(|packed| bytes.split_at_checked(packed))
            .ok_or(WireError::Short)?;
        let chunk = |range: Range<usize>| packed.get(range).unwrap_or_default().to_vec();
        CpuScan::from_pieces(rest, packed.len(), chunk)
    }

    /// What [`CpuScan::into_pieces`] made: of `packed` bytes of rows, `chunk` gives each part that it is asked for.
    pub fn from_pieces(
        rest: &[u8],
        packed: usize,
        mut chunk: impl FnMut(Range<usize>) -> Vec<u8>,
    ) -> Result<CpuScan, WireError> {
        let (body, mut fixed) = WireReader::split_fixed(rest, FIXED)?;
        if fixed.u64()? != body.len() as u64 {
            return Err(WireError::Short);
        }
        let mut length = |item: usize| -> Result<usize, WireError> {
            usize::try_from(fixed.u64()?)
                .ok()
                .filter(|&count| count.checked_mul(item).is_some_and(|size| size <= body.len()))
                .ok_or(WireError::Value("a count beyond its bytes"))
        };
        let (chunks, takeovers, breaks) = (length(LENGTH)?, length(PAIR)?, length(BREAK)?);
        let event_count = length(EVENT)?;
        let name_count = length(MIN_NAME)?;
        let diagnostic_count = length(MIN_DIAGNOSTIC)?;
        let cpu = u32::try_from(fixed.u64()?).map_err(|_| WireError::Value("a CPU number beyond 32 bits"))?;
        let (records, lost_events, lost_gaps) = (fixed.u64()?, fixed.u64()?, fixed.u64()?);
        let (first_ns, last_ns) = (time(fixed.u64()?), time(fixed.u64()?));

        let mut body = WireReader::new(body);
        let mut rows = Rows::default();
        let mut end = 0_usize;
        for _ in 0..chunks {
            let begin = end;
            end = begin.saturating_add(body.u32()? as usize);
            if packed < end {
                return Err(WireError::Short);
            }
            rows.chunks.push(chunk(begin..end));
        }
        if end != packed {
            return Err(WireError::Value("more rows than its lengths say"));
        }
        for _ in 0..takeovers {
            rows.takeovers.push((body.u32()? as i32, body.u32()? as i32));
        }
        for _ in 0..breaks {
            let (opening, on, prev) = (body.u32()?, body.u32()? as i32, body.u32()? as i32);
            rows.breaks.push(Break { opening, on, prev });
        }
        for count in &mut rows.counts {
            *count = body.u64()?;
        }
        let events = (0..event_count)
            .map(|_| Ok((body.u16()?, body.u64()?)))
            .collect::<Result<_, WireError>>()?;
        let names = (0..name_count)
            .map(|_| get_text(&mut body))
            .collect::<Result<_, WireError>>()?;
        let diagnostics = (0..diagnostic_count)
            .map(|_| get_diagnostic(&mut body))
            .collect::<Result<_, WireError>>()?;
        if body.left() != 0 {
            return Err(WireError::Value("more bytes than its counts say"));
        }
        Ok(CpuScan {
            cpu,
            rows,
            kernel: KernelRows::default(),
            sched_ext: Vec::new(),
            comms: CommTable { names },
            events,
            records,
            first_ns,
            last_ns,
            lost_events,
            lost_gaps,
            diagnostics,
        })
    }
}

impl FileFacts {
    /// All of it as bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = vec![self.cannot_tell.bits()];
        out.extend((self.tasks.len() as u64).to_le_bytes());
        for task in &self.tasks {
            out.extend(task.pid.to_le_bytes());
            put_option(&mut out, task.tgid.map(|tgid| u64::from(tgid as u32)));
            put_text(&mut out, &task.comm);
        }
        self.diagnostics
            .iter()
            .for_each(|found| put_diagnostic(&mut out, found));
        out
    }

    /// What [`FileFacts::to_bytes`] made.
    pub fn from_bytes(bytes: &[u8]) -> Result<FileFacts, WireError> {
        let mut reader = WireReader::new(bytes);
        let cannot_tell = CannotTell::of_bits(reader.u8()?);
        let mut facts = FileFacts {
            cannot_tell,
            ..FileFacts::default()
        };
        for _ in 0..reader.u64()? {
            facts.tasks.push(KnownTask {
                pid: reader.u32()? as i32,
                tgid: get_option(&mut reader)?.map(|tgid| tgid as i32),
                comm: get_text(&mut reader)?,
            });
        }
        while 0 < reader.left() {
            facts.diagnostics.push(get_diagnostic(&mut reader)?);
        }
        Ok(facts)
    }
}

fn put_diagnostic(out: &mut Vec<u8>, diagnostic: &Diagnostic) {
    out.push(kind_to_byte(diagnostic.kind));
    put_option(out, diagnostic.cpu.map(u64::from));
    put_option(out, diagnostic.at_ns);
    out.extend(diagnostic.count.to_le_bytes());
    put_text(out, &diagnostic.text);
}

fn get_diagnostic(body: &mut WireReader<'_>) -> Result<Diagnostic, WireError> {
    Ok(Diagnostic {
        kind: kind_from_byte(body.u8()?).ok_or(WireError::Value("an unknown kind of diagnostic"))?,
        cpu: get_option(body)?.map(|cpu| cpu as u32),
        at_ns: get_option(body)?,
        count: body.u64()?,
        text: get_text(body)?,
    })
}

/// Bytes of a log's fixed part: four numbers of 64 bits, two of 32 and one of 16.
const LOG_FIXED: usize = 4 * 8 + 2 * 4 + 2;
/// In the first byte of a log: it has system calls, or interrupts.
const HAS_CALLS: u8 = 1;
const HAS_INTERRUPTS: u8 = 2;

impl KernelLog {
    /// All of it as bytes. The first says, for whoever only carries them, whether there are calls (1) and interrupts (2).
    pub fn to_bytes(&self) -> Vec<u8> {
        let KernelLog { cpu, rows, names } = self;
        let mut out = Vec::with_capacity(1 + rows.bytes.len() + names.len() * 24 + rows.names.len() * PAIR + LOG_FIXED);
        out.push(u8::from(self.has_calls()) * HAS_CALLS + u8::from(self.has_interrupts()) * HAS_INTERRUPTS);
        names.iter().for_each(|name| put_text(&mut out, name));
        for (number, name) in &rows.names {
            out.extend(number.to_le_bytes());
            out.extend(name.to_le_bytes());
        }
        out.extend_from_slice(&rows.bytes);
        for length in [names.len() as u64, rows.names.len() as u64, rows.len, rows.last.0] {
            out.extend(length.to_le_bytes());
        }
        out.extend(rows.last.1.to_le_bytes());
        out.extend(cpu.to_le_bytes());
        out.extend(rows.kinds.to_le_bytes());
        out
    }

    /// What [`KernelLog::to_bytes`] made.
    pub fn from_bytes(bytes: &[u8]) -> Result<KernelLog, WireError> {
        let (body, mut fixed) = WireReader::split_fixed(bytes, LOG_FIXED)?;
        let mut length = |item: usize| -> Result<usize, WireError> {
            usize::try_from(fixed.u64()?)
                .ok()
                .filter(|&count| count.checked_mul(item).is_some_and(|size| size <= body.len()))
                .ok_or(WireError::Value("a count beyond its bytes"))
        };
        let (name_count, number_count) = (length(MIN_NAME)?, length(PAIR)?);
        let (len, last_ns) = (fixed.u64()?, fixed.u64()?);
        let (last_pid, cpu, kinds) = (fixed.u32()? as i32, fixed.u32()?, fixed.u16()?);
        let mut body = WireReader::new(body);
        body.u8()?;
        let names = (0..name_count)
            .map(|_| get_text(&mut body))
            .collect::<Result<_, WireError>>()?;
        let numbers = (0..number_count)
            .map(|_| Ok((body.u32()? as i32, body.u32()?)))
            .collect::<Result<_, WireError>>()?;
        let bytes = body.bytes(body.left())?.to_vec();
        let rows = KernelRows {
            bytes,
            len,
            last: (last_ns, last_pid),
            kinds,
            names: numbers,
        };
        Ok(KernelLog { cpu, rows, names })
    }
}

/// `u64::MAX` stands for no time.
fn time(number: u64) -> Option<u64> {
    (number != u64::MAX).then_some(number)
}

fn put_text(out: &mut Vec<u8>, text: &str) {
    out.extend((text.len() as u32).to_le_bytes());
    out.extend_from_slice(text.as_bytes());
}

fn get_text(reader: &mut WireReader<'_>) -> Result<String, WireError> {
    let len = reader.u32()? as usize;
    let bytes = reader.bytes(len)?;
    String::from_utf8(bytes.to_vec()).map_err(|_| WireError::Value("a name that is not UTF-8"))
}

fn put_option(out: &mut Vec<u8>, value: Option<u64>) {
    out.push(u8::from(value.is_some()));
    if let Some(value) = value {
        out.extend(value.to_le_bytes());
    }
}

fn get_option(reader: &mut WireReader<'_>) -> Result<Option<u64>, WireError> {
    Ok(match reader.u8()? {
        0 => None,
        _ => Some(reader.u64()?),
    })
}

/// The byte that stands for a kind.
fn kind_to_byte(kind: DiagnosticKind) -> u8 {
    DiagnosticKind::ALL
        .iter()
        .position(|&known| known == kind)
        .unwrap_or(DiagnosticKind::ALL.len()) as u8
}

fn kind_from_byte(byte: u8) -> Option<DiagnosticKind> {
    DiagnosticKind::ALL.get(usize::from(byte)).copied()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{KernelKind, KernelRow, Row, RowKind};

    fn sample() -> CpuScan {
        let row = Row {
            ts: 7,
            common_pid: 1,
            pid: -1,
            arg: 3,
            comm: 1,
            comm2: 0,
            kind: RowKind::Switch,
            context: 1,
            state: b'S',
            prio: 120,
        };
        CpuScan {
            cpu: 5,
            rows: Rows::from_iter([row, Row { ts: 9, ..row }]),
            kernel: KernelRows::default(),
            sched_ext: Vec::new(),
            comms: CommTable {
                names: vec![String::new(), "bash".to_owned()],
            },
            events: vec![(3, 2), (300, 1 << 40)],
            records: 11,
            first_ns: Some(7),
            last_ns: None,
            lost_events: 13,
            lost_gaps: 2,
            diagnostics: vec![Diagnostic {
                kind: DiagnosticKind::Contradiction,
                cpu: Some(5),
                at_ns: None,
                count: 2,
                text: "why".to_owned(),
            }],
        }
    }

    #[test]
    fn what_goes_out_comes_back() {
        let scan = sample();
        // The debug text contains every field, including the rows.
        let back = CpuScan::from_bytes(&scan.to_bytes()).unwrap();
        assert_eq!(format!("{back:?}"), format!("{scan:?}"));
        let empty = CpuScan::from_bytes(&CpuScan::default().to_bytes()).unwrap();
        assert_eq!(format!("{empty:?}"), format!("{:?}", CpuScan::default()));
    }

    fn log() -> KernelLog {
        let mut log = KernelLog {
            cpu: 3,
            rows: KernelRows::default(),
            names: vec![String::new(), "irq_vectors:local_timer".to_owned()],
        };
        let row = KernelRow {
            ts: 1 << 40,
            kind: KernelKind::NamedExit,
            pid: 12,
            number: -1,
            value: i64::MIN,
        };
        log.rows.push(row);
        log.rows.push(KernelRow { ts: 9, pid: -7, ..row });
        log.rows.name(202, 1);
        log
    }

    #[test]
    fn a_log_comes_back_and_its_first_byte_says_what_it_has() {
        let log = log();
        let bytes = log.to_bytes();
        assert_eq!(bytes.first(), Some(&HAS_CALLS));
        assert_eq!(KernelLog::from_bytes(&bytes), Ok(log.clone()));
        let mut both = log;
        both.rows.push(KernelRow {
            ts: 10,
            kind: KernelKind::VectorEntry,
            pid: 0,
            number: 1,
            value: 0,
        });
        assert_eq!(both.to_bytes().first(), Some(&(HAS_CALLS | HAS_INTERRUPTS)));
        let empty = KernelLog::default();
        assert_eq!(empty.to_bytes().first(), Some(&0));
        assert_eq!(KernelLog::from_bytes(&empty.to_bytes()), Ok(empty));
    }

    #[test]
    fn other_bytes_are_no_log_or_one_without_a_panic() {
        let bytes = log().to_bytes();
        for len in 0..LOG_FIXED {
            assert!(KernelLog::from_bytes(&bytes[..len]).is_err(), "{len}");
        }
        for at in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[at] ^= 0xff;
            let rows = KernelLog::from_bytes(&damaged).map(|log| log.rows.iter().count());
            assert!(rows.unwrap_or(0) <= bytes.len());
        }
    }

    #[test]
    fn what_a_file_says_goes_out_and_comes_back() {
        let task = |pid, tgid, comm: &str| KnownTask {
            pid,
            tgid,
            comm: comm.to_owned(),
        };
        let facts = FileFacts {
            diagnostics: sample().diagnostics,
            cannot_tell: CannotTell::WAKER.and(CannotTell::LOSS),
            tasks: vec![task(7, Some(5), "a b"), task(-1, None, "")],
        };
        let bytes = facts.to_bytes();
        assert_eq!(FileFacts::from_bytes(&bytes), Ok(facts));
        for len in 0..bytes.len() {
            // Between two diagnostics, a shorter one ends as well.
            let _ = FileFacts::from_bytes(&bytes[..len]);
        }
    }

    #[test]
    fn other_bytes_are_refused() {
        let bytes = sample().to_bytes();
        for len in 0..bytes.len() {
            assert!(CpuScan::from_bytes(&bytes[..len]).is_err(), "{len}");
        }
        for at in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[at] ^= 0xff;
            // The bytes may pass for a scan, but decoding must not panic or reserve memory for what is not there.
            let _ = CpuScan::from_bytes(&damaged);
        }
    }
}
