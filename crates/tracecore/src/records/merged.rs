//! The records of many CPUs and buffers as one sequence.

use super::cpu::{CpuRecords, RecordRef};
use crate::error::ReadError;
use crate::merge::LoserTree;
use crate::tracedat::{ReadAt, TraceFile};

/// Records in the order of `trace-cmd report`: again and again the earliest of the CPUs' next records, of equally early
/// ones that of the buffer that the file lists first, then that of the CPU that it lists first. Where a CPU's time goes
/// back, its record comes at once.
pub struct MergedRecords<'f, R> {
    streams: Vec<CpuRecords<'f, R>>,
    /// Over the streams' next records; `None` before the first one was asked for.
    tree: Option<LoserTree>,
    /// The stream of the record that was given last, as long as the tree does not know what follows it.
    current: Option<Current>,
}

#[derive(Clone, Copy)]
struct Current {
    stream: usize,
    /// The stream has left that record.
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
            current: None,
        }
    }

    /// The next record; `None` at the end. After an error the sequence goes on where it was.
    #[inline]
    #[allow(
        clippy::should_implement_trait,
        reason = "what it gives lives only until the next call"
    )]
    pub fn next(&mut self) -> Result<Option<RecordRef<'_>>, ReadError> {
        let winner = match &mut self.tree {
            Some(tree) => {
                if let Some(current) = self.current {
                    let key = match self.streams.get_mut(current.stream) {
                        Some(stream) => {
                            if !current.left {
                                stream.advance();
                                self.current = Some(Current { left: true, ..current });
                            }
                            key_of(stream)?
                        }
                        None => None,
                    };
                    tree.replace(key);
                    self.current = None;
                }
                tree.winner()
            }
            None => {
                let heads: Result<Vec<_>, _> = self.streams.iter_mut().map(key_of).collect();
                self.tree.insert(LoserTree::new(heads?)).winner()
            }
        };
        let Some((stream, _)) = winner else {
            return Ok(None);
        };
        self.current = Some(Current { stream, left: false });
        match self.streams.get_mut(stream) {
            Some(records) => records.peek(),
            None => Ok(None),
        }
    }

    /// The record behind the current one on the same CPU of the same buffer. It comes in its turn, too, unless it is
    /// skipped.
    pub fn peek_cpu(&mut self) -> Result<Option<RecordRef<'_>>, ReadError> {
        match self.leave() {
            Some(stream) => stream.peek(),
            None => Ok(None),
        }
    }

    /// Leaves out the record that [`MergedRecords::peek_cpu`] shows.
    pub fn skip_cpu(&mut self) -> Result<(), ReadError> {
        if let Some(stream) = self.leave() {
            if stream.peek()?.is_some() {
                stream.advance();
            }
        }
        Ok(())
    }

    /// Goes to the first record at or after `ts` of each CPU, see [`CpuRecords::seek`].
    pub fn seek(&mut self, ts: u64) -> Result<(), ReadError> {
        self.tree = None;
        self.current = None;
        self.streams.iter_mut().try_for_each(|stream| stream.seek(ts))
    }

    /// The current record's stream, behind that record.
    fn leave(&mut self) -> Option<&mut CpuRecords<'f, R>> {
        let current = self.current.as_mut()?;
        let stream = self.streams.get_mut(current.stream)?;
        if !current.left {
            stream.advance();
            current.left = true;
        }
        Some(stream)
    }
}

/// The time of a stream's next record, as the tree takes it.
#[inline]
fn key_of<R: ReadAt>(stream: &mut CpuRecords<'_, R>) -> Result<Option<u64>, ReadError> {
    Ok(stream.peek_ts()?.map(|ts| ts.min(LoserTree::MAX_KEY)))
}
