//! Where the records of a CPU are, and when: what random access to them needs, some 4 bytes for each.

use bytemuck::{Pod, Zeroable};
use traceevent::Missed;

use crate::file::Chunk;
use schedrows::varint;
use schedrows::wire::{WireError, WireReader, EVENT};

/// A page that has records.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct IndexedPage {
    /// Records of the CPU before its first one.
    pub before: u64,
    /// Index into [`RecordIndex::chunks`].
    pub chunk: u32,
    /// Which page of the chunk.
    pub page: u32,
    /// What was lost before its first record: [`NOTHING`], [`UNKNOWN`], or that many more than [`COUNTED`].
    pub missed: u32,
    /// So that all bytes are named.
    pub padding: u32,
}

const NOTHING: u32 = 0;
const UNKNOWN: u32 = 1;
const COUNTED: u32 = 2;

impl IndexedPage {
    /// What was lost before the page's first record.
    pub fn missed(&self) -> Option<Missed> {
        match self.missed {
            NOTHING => None,
            UNKNOWN => Some(Missed::Unknown),
            counted => Some(Missed::Count(u64::from(counted - COUNTED))),
        }
    }
}

/// The records of one CPU of the main buffer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RecordIndex {
    /// The CPU's number.
    pub cpu: u32,
    /// How many there are.
    pub records: u64,
    /// Of every kind by event id, ascending by id.
    pub events: Vec<(u16, u64)>,
    pub(crate) chunks: Vec<Chunk>,
    pub(crate) pages: Vec<IndexedPage>,
    /// Each record's time since the one before it (the first one's since 0), see [`Times`].
    pub(crate) times: Vec<u8>,
}

/// The end of an index as bytes: the CPU, then how many pages, chunks, events and records there are.
const FIXED: usize = 5 * 8;

impl RecordIndex {
    /// As bytes, for a worker to hand over in one transfer; of the same build on both sides, as a scan's are.
    ///
    /// ```text
    /// pages (24 bytes each) | chunks (16 bytes each) | events (u16 id, u64 count) | times | fixed part
    /// ```
    pub fn to_bytes(&self) -> Vec<u8> {
        let (pages, chunks): (&[u8], &[u8]) = (bytemuck::cast_slice(&self.pages), bytemuck::cast_slice(&self.chunks));
        let mut out =
            Vec::with_capacity(pages.len() + chunks.len() + self.times.len() + self.events.len() * 10 + FIXED);
        out.extend_from_slice(pages);
        out.extend_from_slice(chunks);
        for (id, count) in &self.events {
            out.extend(id.to_le_bytes());
            out.extend(count.to_le_bytes());
        }
        out.extend_from_slice(&self.times);
        let lengths = [self.pages.len(), self.chunks.len(), self.events.len()].map(|length| length as u64);
        for number in [u64::from(self.cpu)].into_iter().chain(lengths).chain([self.records]) {
            out.extend(number.to_le_bytes());
        }
        out
    }

    /// What [`RecordIndex::to_bytes`] made.
    pub fn from_bytes(bytes: &[u8]) -> Result<RecordIndex, WireError> {
        let (body, mut fixed) = WireReader::split_fixed(bytes, FIXED)?;
        let cpu = u32::try_from(fixed.u64()?).map_err(|_| WireError::Value("a CPU number beyond 32 bits"))?;
        let mut bytes_of = |item: usize| -> Result<usize, WireError> {
            let count = usize::try_from(fixed.u64()?).ok();
            let size = count.and_then(|count| count.checked_mul(item));
            size.ok_or(WireError::Value("a count beyond its bytes"))
        };
        let (pages, chunks) = (bytes_of(size_of::<IndexedPage>())?, bytes_of(size_of::<Chunk>())?);
        let events = bytes_of(EVENT)? / EVENT;
        let records = fixed.u64()?;
        let mut body = WireReader::new(body);
        Ok(RecordIndex {
            cpu,
            records,
            pages: bytemuck::allocation::pod_collect_to_vec(body.bytes(pages)?),
            chunks: bytemuck::allocation::pod_collect_to_vec(body.bytes(chunks)?),
            events: (0..events)
                .map(|_| Ok((body.u16()?, body.u64()?)))
                .collect::<Result<_, WireError>>()?,
            times: body.bytes(body.left())?.to_vec(),
        })
    }
}

/// Gathers a [`RecordIndex`] on the way.
#[derive(Default)]
pub(super) struct Indexer {
    index: RecordIndex,
    last_ts: u64,
    /// Where the records that come next are, as long as none came.
    page: Option<(Chunk, u32)>,
}

impl Indexer {
    pub fn page(&mut self, chunk: Chunk, page: u32) {
        self.page = Some((chunk, page));
    }

    #[inline]
    pub fn record(&mut self, ts: u64, missed: Option<Missed>) {
        if let Some((chunk, page)) = self.page.take() {
            self.first_of(chunk, page, missed);
        }
        self.index.records += 1;
        varint::put(&mut self.index.times, ts.wrapping_sub(self.last_ts));
        self.last_ts = ts;
    }

    fn first_of(&mut self, chunk: Chunk, page: u32, missed: Option<Missed>) {
        let chunks = &mut self.index.chunks;
        if chunks.last() != Some(&chunk) {
            chunks.push(chunk);
        }
        self.index.pages.push(IndexedPage {
            before: self.index.records,
            chunk: (chunks.len() - 1) as u32,
            page,
            missed: match missed {
                None => NOTHING,
                Some(Missed::Unknown) => UNKNOWN,
                // More than 32 bits can say is as good as unknown.
                Some(Missed::Count(count)) => {
                    u32::try_from(count.saturating_add(u64::from(COUNTED))).unwrap_or(UNKNOWN)
                }
            },
            padding: 0,
        });
    }

    pub fn finish(self, cpu: u32, events: &[(u16, u64)]) -> RecordIndex {
        RecordIndex {
            cpu,
            events: events.to_vec(),
            ..self.index
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn all_numbers(bytes: &[u8]) -> Vec<u64> {
        let mut at = 0;
        std::iter::from_fn(|| varint::take_at(bytes, &mut at)).collect()
    }

    proptest! {
        #[test]
        fn numbers_come_back(numbers in prop::collection::vec(prop_oneof![0_u64..300, any::<u64>()], 0..50)) {
            let mut bytes = Vec::new();
            numbers.iter().for_each(|&number| varint::put(&mut bytes, number));
            prop_assert_eq!(all_numbers(&bytes), numbers);
        }

        #[test]
        fn any_bytes_are_numbers(bytes in prop::collection::vec(any::<u8>(), 0..50)) {
            prop_assert!(all_numbers(&bytes).len() <= bytes.len());
        }
    }

    fn sample() -> RecordIndex {
        let mut indexer = Indexer::default();
        for (page, missed) in (0..5).zip([None, Some(Missed::Unknown), Some(Missed::Count(7)), None, None]) {
            indexer.page(Chunk::new(100 + u64::from(page / 2), 50, 8192), page % 2);
            indexer.record(1000 + u64::from(page), missed);
            indexer.record(900, None);
        }
        indexer.finish(9, &[(3, 4), (300, 6)])
    }

    #[test]
    fn pages_know_what_was_lost_before_them() {
        let index = sample();
        let missed: Vec<Option<Missed>> = index.pages.iter().map(IndexedPage::missed).collect();
        assert_eq!(
            missed,
            [None, Some(Missed::Unknown), Some(Missed::Count(7)), None, None]
        );
        assert_eq!(
            index.pages.iter().map(|page| page.before).collect::<Vec<_>>(),
            [0, 2, 4, 6, 8]
        );
        assert_eq!(
            index.pages.iter().map(|page| page.chunk).collect::<Vec<_>>(),
            [0, 0, 1, 1, 2]
        );
        assert_eq!((index.records, index.chunks.len()), (10, 3));
    }

    #[test]
    fn what_goes_out_comes_back_and_other_bytes_do_no_harm() {
        let bytes = sample().to_bytes();
        assert_eq!(RecordIndex::from_bytes(&bytes), Ok(sample()));
        let empty = RecordIndex::default();
        assert_eq!(RecordIndex::from_bytes(&empty.to_bytes()), Ok(empty));
        for len in 0..bytes.len() {
            let _ = RecordIndex::from_bytes(&bytes[..len]);
        }
        for at in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[at] ^= 0xff;
            let _ = RecordIndex::from_bytes(&damaged);
        }
        assert!(RecordIndex::from_bytes(&[0; FIXED - 1]).is_err());
    }
}
