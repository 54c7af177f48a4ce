//! The records of many CPUs and buffers as one sequence.

use super::cpu::{CpuRecords, RecordRef};
use crate::error::ReadError;
use crate::file::{ReadAt, TraceFile};
use schedrows::LoserTree;

/// Records in the order of `trace-cmd report`: again and again the earliest of the CPUs' next records, of equally early
/// ones that of the buffer that the file lists first, then that of the CPU that it lists first. Where a CPU's time goes
/// back, its record comes at once.
pub struct MergedRecords<'f, R> {
    streams: Vec<CpuRecords<'f, R>>,
    /// Over the streams' next records; `None` before the first one was asked for.
    tree: Option<LoserTree>,
    /// The stream of the record that was given last, as long as the tree does not know what follows it.
    given: Option<usize>,
    /// That stream has left the record: only an error keeps the tree from knowing.
    left: bool,
}

impl<'f, R: ReadAt> MergedRecords<'f, R> {
    /// From the first record on; of the CPUs for which `chosen` holds, by the position of their buffer and by number.
    pub fn new(file: &'f TraceFile<R>, chosen: impl Fn(usize, u32) -> bool) -> Self {
        let buffers = file.header().buffers.iter().enumerate();
        let all =
            buffers.flat_map(|(at, buffer)| buffer.cpus.iter().enumerate().map(move |(index, cpu)| (at, index, cpu)));
        let streams = all
            .filter(|(buffer, _, extent)| chosen(*buffer, extent.cpu))
            .filter_map(|(buffer, index, _)| CpuRecords::new(file, buffer, index));
        MergedRecords {
            streams: streams.collect(),
            tree: None,
            given: None,
            left: false,
        }
    }

    /// The next record; `None` at the end. After an error the sequence continues.
    #[inline]
    #[allow(
        clippy::should_implement_trait,
        reason = "what it gives lives only until the next call"
    )]
    pub fn next(&mut self) -> Result<Option<RecordRef<'_>>, ReadError> {
        self.settle()?;
        self.given = self.head();
        match self.given.and_then(|stream| self.streams.get_mut(stream)) {
            Some(records) => records.peek(),
            None => Ok(None),
        }
    }

    /// What [`MergedRecords::next`] will give.
    #[inline]
    pub fn peek(&mut self) -> Result<Option<RecordRef<'_>>, ReadError> {
        self.settle()?;
        match self.head().and_then(|stream| self.streams.get_mut(stream)) {
            Some(records) => records.peek(),
            None => Ok(None),
        }
    }

    /// Goes to the first record at or after `ts` of each CPU, see [`CpuRecords::seek`].
    pub fn seek(&mut self, ts: u64) -> Result<(), ReadError> {
        self.tree = None;
        self.given = None;
        self.left = false;
        self.streams.iter_mut().try_for_each(|stream| stream.seek(ts))
    }

    /// Leaves the record that was given last, and lets the tree know what follows it.
    #[inline]
    fn settle(&mut self) -> Result<(), ReadError> {
        let Some(tree) = &mut self.tree else {
            let heads: Result<Vec<_>, _> = self.streams.iter_mut().map(key_of).collect();
            self.tree = Some(LoserTree::new(heads?));
            return Ok(());
        };
        if let Some(stream) = self.given.and_then(|stream| self.streams.get_mut(stream)) {
            if !self.left {
                stream.advance();
                self.left = true;
            }
            tree.replace(key_of(stream)?);
            self.given = None;
            self.left = false;
        }
        Ok(())
    }

    /// The stream that is next.
    #[inline]
    fn head(&self) -> Option<usize> {
        self.tree.as_ref()?.winner().map(|(stream, _)| stream)
    }
}

/// The time of a stream's next record, as the tree takes it.
#[inline]
fn key_of<R: ReadAt>(stream: &mut CpuRecords<'_, R>) -> Result<Option<u64>, ReadError> {
    Ok(stream.peek_ts()?.map(|ts| ts.min(LoserTree::MAX_KEY)))
}
