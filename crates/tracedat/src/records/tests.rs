//! Pulled and merged records against naive twins: all pages pushed, all records collected.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::Arc;

use proptest::prelude::*;
use traceevent::Missed;

use super::turns::Turn;
use super::*;
use crate::error::ReadError;
use crate::file::{PageStream, Piece, ReadAt, TraceFile};
use crate::scan::{EventIds, RecordIndex};

const SHAPES: [&str; 7] = [
    "version 6",
    "version 6\nendian big\nlong 4",
    "version 7",
    "version 7\ncompression zlib\nendian big",
    "version 7\ncompression zstd",
    "version 7\ncompression zstd\nendian big\nlong 4",
    "version 7\ncompression zlib\noffset 1000",
];

/// A record with its own copy of the bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Owned {
    ts: u64,
    cpu: u32,
    buffer: usize,
    id: u16,
    data: Vec<u8>,
    missed: Option<Missed>,
}

impl Owned {
    fn of(record: RecordRef<'_>) -> Self {
        Owned {
            ts: record.ts,
            cpu: record.cpu,
            buffer: record.buffer,
            id: record.id,
            data: record.data.to_vec(),
            missed: record.missed,
        }
    }
}

/// An event on a CPU, and the time since the one before.
#[derive(Clone, Debug)]
enum Step {
    Print(usize),
    Lost(Option<u64>),
    Page,
    Absolute,
    Discarded(usize),
}

/// Steps as (CPU, ns since the step before, whether the clock instead goes back by these ns, step).
type Story = Vec<(u32, u64, bool, Step)>;

fn stories(backwards: bool) -> impl Strategy<Value = Story> {
    let step = prop_oneof![
        12 => (0_usize..300).prop_map(Step::Print),
        1 => prop::option::of(1_u64..9).prop_map(Step::Lost),
        2 => Just(Step::Page),
        1 => Just(Step::Absolute),
        1 => (0_usize..40).prop_map(Step::Discarded),
    ];
    let later = prop_oneof![3 => 0_u64..3, 2 => 0_u64..5000, 1 => Just(1 << 28)];
    let early = prop::bool::weighted(if backwards { 0.05 } else { 0.0 });
    prop::collection::vec((0_u32..4, later, early, step), 0..400)
}

/// A file of this shape; CPU 3 is as in the story, and CPU 4 is empty.
fn file_of(shape: &str, story: &Story) -> Vec<u8> {
    let mut text = format!("{shape}\ncpus 5\nstart 1s\n");
    let mut now = 100_000;
    for (cpu, later, early, step) in story {
        now += later;
        let at = if *early { now - 90_000 } else { now };
        let line = match step {
            Step::Print(len) => format!("print {}", "x".repeat(len + 1)),
            Step::Lost(None) => "lost".to_owned(),
            Step::Lost(Some(count)) => format!("lost {count}"),
            Step::Page => "page".to_owned(),
            Step::Absolute => "absolute".to_owned(),
            Step::Discarded(len) => format!("discarded {len}"),
        };
        writeln!(text, "{at} cpu{cpu} {line}").unwrap();
    }
    tracegen::Story::parse(&text).unwrap().to_bytes()
}

/// All records of a CPU, from its bytes pushed at once.
fn naive<R: ReadAt>(file: &TraceFile<R>, buffer: usize, index: usize) -> Vec<Owned> {
    let extent = file.header().buffers[buffer].cpus[index];
    let format = file.data_format(buffer, extent.cpu);
    let ids = EventIds::new(&format);
    let mut bytes = vec![0; extent.size as usize];
    if 0 < extent.size {
        file.input().read_at(extent.offset, &mut bytes).unwrap();
    }
    let (mut found, mut lost) = (Vec::new(), None);
    let mut take = |piece: Piece<'_>| {
        let Piece::Page(page, ..) = piece else {
            lost = Some(Missed::Unknown.after(lost));
            return;
        };
        let Ok((header, records)) = format.layout.open(page) else {
            lost = Some(Missed::Unknown.after(lost));
            return;
        };
        lost = header.missed.map_or(lost, |missed| Some(missed.after(lost)));
        for record in records {
            match record {
                Err(_) => lost = Some(Missed::Unknown.after(lost)),
                Ok(record) => {
                    if let Some(id) = ids.of(record.data) {
                        found.push(Owned {
                            ts: format.scale.apply(record.timestamp),
                            cpu: extent.cpu,
                            buffer,
                            id,
                            data: record.data.to_vec(),
                            missed: lost.take(),
                        });
                    }
                }
            }
        }
    };
    let mut stream = PageStream::new(&format);
    stream.push(&bytes, &mut take);
    stream.finish(&mut take);
    found
}

/// All CPUs' records: takes the smallest head again and again.
fn naive_merge(mut streams: Vec<Vec<Owned>>) -> Vec<Owned> {
    streams.iter_mut().for_each(|stream| stream.reverse());
    let mut merged = Vec::new();
    while let Some(stream) = (0..streams.len())
        .filter(|&stream| !streams[stream].is_empty())
        .min_by_key(|&stream| streams[stream].last().map(|record| record.ts))
    {
        merged.extend(streams[stream].pop());
    }
    merged
}

fn all_naive<R: ReadAt>(file: &TraceFile<R>) -> Vec<Vec<Owned>> {
    let buffers = file.header().buffers.iter().enumerate();
    let cpus = buffers.flat_map(|(buffer, found)| (0..found.cpus.len()).map(move |index| (buffer, index)));
    cpus.map(|(buffer, index)| naive(file, buffer, index)).collect()
}

fn rest_of<R: ReadAt>(records: &mut CpuRecords<'_, R>) -> Vec<Owned> {
    let mut found = Vec::new();
    while let Some(record) = records.peek().unwrap() {
        found.push(Owned::of(record));
        records.advance();
    }
    found
}

fn merged<R: ReadAt>(records: &mut MergedRecords<'_, R>) -> Vec<Owned> {
    let mut found = Vec::new();
    while let Some(record) = records.next().unwrap() {
        found.push(Owned::of(record));
    }
    found
}

/// Checks that pulled records equal pushed ones, and that merged records equal the twin's.
fn check<R: ReadAt>(file: &TraceFile<R>) -> Vec<Owned> {
    let streams = all_naive(file);
    for stream in &streams {
        let Some(Owned { buffer, cpu, .. }) = stream.first() else {
            continue;
        };
        let index = file.header().buffers[*buffer]
            .cpus
            .iter()
            .position(|extent| extent.cpu == *cpu);
        let mut records = CpuRecords::new(file, *buffer, index.unwrap()).unwrap();
        assert_eq!(&rest_of(&mut records), stream);
        assert!(records.peek().unwrap().is_none());
    }
    let main: Vec<Vec<Owned>> = streams.iter().take(file.cpus().len()).cloned().collect();
    check_indexed(file, &main);
    let expected = naive_merge(streams);
    assert_eq!(merged(&mut MergedRecords::new(file, |_, _| true)), expected);
    expected
}

/// Checks that what a scan leaves of the main buffer's CPUs leads to the same records, in any order of asking.
fn check_indexed<R: ReadAt>(file: &TraceFile<R>, streams: &[Vec<Owned>]) {
    let mut indexes: Vec<RecordIndex> = (0..streams.len()).map(|index| index_of(file, index)).collect();
    for (index, stream) in indexes.iter().zip(streams) {
        assert_eq!(index.records, stream.len() as u64);
    }
    let order = RowOrder::new(&mut indexes);
    let indexes = indexes.into_iter().map(Arc::new);
    let mut records: Vec<IndexedRecords> = indexes
        .map(|index| IndexedRecords::new(file, &index).unwrap())
        .collect();
    let expected = naive_merge(streams.to_vec());
    assert_eq!(order.len(), expected.len());
    let mut cursor = order.cursor(0);
    for expected in &expected {
        let row = cursor.next(&order).unwrap();
        assert_eq!(row.ts, expected.ts);
        let found = records[row.stream].record(file.input(), row.record).unwrap();
        assert_eq!(found.map(Owned::of).as_ref(), Some(expected));
    }
    for (records, stream) in records.iter_mut().zip(streams) {
        // A stride that is coprime to most lengths reaches every record, and rarely the next one.
        for step in 0..stream.len() {
            let number = step * 1009 % stream.len();
            let found = records.record(file.input(), number as u64).unwrap();
            assert_eq!(found.map(Owned::of).as_ref(), Some(&stream[number]));
        }
        assert_eq!(records.record(file.input(), stream.len() as u64).unwrap(), None);
    }
    let mut cursor = order.cursor(0);
    let places: Vec<Place> = std::iter::from_fn(|| cursor.next(&order).map(Place::from)).collect();
    for (budget, stride) in [(1, 1), (50, 7), (usize::MAX, 1), (usize::MAX, 90)] {
        for forward in [true, false] {
            check_turns(file, streams, (&mut records, &places), (forward, stride), budget);
        }
    }
}

/// An input that notes what is read of it.
struct Noted<'a, R>(&'a R, RefCell<Vec<(u64, u64)>>);

impl<R: ReadAt> ReadAt for Noted<'_, R> {
    fn len(&self) -> u64 {
        self.0.len()
    }

    fn read_at(&self, offset: u64, buf: &mut [u8]) -> Result<(), ReadError> {
        self.1.borrow_mut().push((offset, buf.len() as u64));
        self.0.read_at(offset, buf)
    }
}

/// Checks that turns give all records of the wanted rows' streams once, in the order of each stream, read just what they told before,
/// and that a record was looked at when they say so.
fn check_turns<R: ReadAt>(
    file: &TraceFile<R>,
    streams: &[Vec<Owned>],
    (records, places): (&mut [IndexedRecords], &[Place]),
    (forward, stride): (bool, usize),
    budget: usize,
) {
    let mut turns = Turns::new(streams.len(), forward);
    let mut found: Vec<BTreeMap<u64, Owned>> = vec![BTreeMap::new(); streams.len()];
    let input = Noted(file.input(), RefCell::default());
    let in_order: Vec<Place> = match forward {
        true => places.to_vec(),
        false => places.iter().rev().copied().collect(),
    };
    let is_wanted = |place: &Place| place.row.is_multiple_of(stride);
    let mut coming = in_order.iter().map(|place| is_wanted(place).then_some(*place));
    turns.plan(records, &mut coming);
    loop {
        let (reads, looked) = (turns.reads(), turns.looked());
        if reads.now && reads.coming.is_empty() {
            break;
        }
        let take = |turn: &Turn, number: u64, record: &RecordRef<'_>| {
            assert!(turn.records.contains(&number));
            assert_eq!(found[turn.stream].insert(number, Owned::of(*record)), None);
        };
        let ended = turns.advance(&input, records, budget, take).unwrap();
        let told = reads.coming.first().filter(|_| reads.now).copied();
        assert_eq!(input.1.take(), Vec::from_iter(told));
        assert!(looked < turns.looked());
        turns.plan(records, &mut coming);
        if let Some(turn) = ended {
            for record in turn.records {
                let (row, stream) = (0, turn.stream);
                assert!(turns.has_looked_at(Place { row, stream, record }));
            }
        }
    }
    for place in in_order.iter().filter(|place| is_wanted(place)) {
        assert!(turns.has_looked_at(*place) && found[place.stream].contains_key(&place.record));
    }
    for (number, record, stream) in found
        .iter()
        .zip(streams)
        .flat_map(|(found, stream)| found.iter().map(move |(number, record)| (*number, record, stream)))
    {
        assert_eq!(record, &stream[number as usize]);
    }
    if stride == 1 {
        assert_eq!(turns.looked(), places.len());
    }
}

fn index_of<R: ReadAt>(file: &TraceFile<R>, cpu_index: usize) -> RecordIndex {
    let mut scanner = file.cpu_scanner(cpu_index).unwrap().indexed();
    let extent = file.cpus()[cpu_index];
    let mut bytes = vec![0; extent.size as usize];
    if 0 < extent.size {
        file.input().read_at(extent.offset, &mut bytes).unwrap();
    }
    // The pieces match no structure of the file.
    bytes.chunks(1013).for_each(|piece| scanner.push(piece));
    let (_, index) = scanner.finish_indexed();
    RecordIndex::from_bytes(&index.to_bytes()).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn pulled_records_are_the_pushed_ones(shape in prop::sample::select(&SHAPES[..]), story in stories(true)) {
        check(&TraceFile::open(file_of(shape, &story)).unwrap());
    }

    #[test]
    fn damage_costs_what_it_costs_a_scan(
        shape in prop::sample::select(&SHAPES[..]),
        story in stories(true),
        places in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4),
        cut in prop::option::of(any::<prop::sample::Index>()),
    ) {
        let mut bytes = file_of(shape, &story);
        let data: Vec<u64> = TraceFile::open(bytes.as_slice()).unwrap().cpus().iter().map(|extent| extent.offset).collect();
        let first = data.into_iter().filter(|&at| 0 < at).min().unwrap() as usize;
        for (place, byte) in places {
            if first < bytes.len() {
                let at = first + place.index(bytes.len() - first);
                bytes[at] = byte;
            }
        }
        if let Some(cut) = cut {
            bytes.truncate(bytes.len() - cut.index(bytes.len()) / 3);
        }
        // In version 7 the changed bytes may belong to headers: then the file may not open.
        if let Ok(file) = TraceFile::open(bytes) {
            check(&file);
        }
    }

    #[test]
    fn seeking_finds_what_a_linear_search_finds(
        shape in prop::sample::select(&SHAPES[..]),
        story in stories(false),
        places in prop::collection::vec((any::<prop::sample::Index>(), 0_u64..3), 1..9),
    ) {
        let file = TraceFile::open(file_of(shape, &story)).unwrap();
        let all = check(&file);
        let mut records = MergedRecords::new(&file, |_, _| true);
        for (place, offset) in places {
            let near = if all.is_empty() { 0 } else { all[place.index(all.len())].ts };
            let ts = (near + offset).saturating_sub(1);
            records.seek(ts).unwrap();
            let expected: Vec<&Owned> = all.iter().filter(|record| ts <= record.ts).collect();
            // If reading begins at a chunk, it is not known what was lost before it.
            let found = merged(&mut records);
            prop_assert_eq!(found.len(), expected.len());
            for (found, expected) in found.iter().zip(expected) {
                prop_assert_eq!((found.ts, found.cpu, &found.data), (expected.ts, expected.cpu, &expected.data));
            }
        }
    }

    #[test]
    fn a_seek_ends_between_earlier_and_later_even_where_time_goes_back(
        shape in prop::sample::select(&SHAPES[..]),
        story in stories(true),
        ts in 1_000_000_000_u64..1_001_000_000,
    ) {
        let file = TraceFile::open(file_of(shape, &story)).unwrap();
        for index in 0..file.cpus().len() {
            let all = naive(&file, 0, index);
            let mut records = CpuRecords::new(&file, 0, index).unwrap();
            records.seek(ts).unwrap();
            let rest = rest_of(&mut records).len();
            let (before, behind) = all.split_at(all.len() - rest);
            prop_assert!(before.last().is_none_or(|record| record.ts < ts));
            prop_assert!(behind.first().is_none_or(|record| ts <= record.ts));
        }
    }

    #[test]
    fn the_record_behind_can_be_seen_before_its_turn(
        story in stories(true),
        choices in prop::collection::vec(any::<bool>(), 1..50),
    ) {
        let file = TraceFile::open(file_of("version 7\ncompression zstd", &story)).unwrap();
        let mut streams = all_naive(&file);
        let mut records = MergedRecords::new(&file, |_, _| true);
        for &peeks in choices.iter().cycle() {
            let heads = (0..streams.len()).filter(|&stream| !streams[stream].is_empty());
            let expected = heads.min_by_key(|&stream| streams[stream][0].ts).map(|stream| streams[stream].remove(0));
            if peeks {
                prop_assert_eq!(records.peek().unwrap().map(Owned::of), expected.clone());
            }
            prop_assert_eq!(records.next().unwrap().map(Owned::of), expected.clone());
            if expected.is_none() {
                break;
            }
        }
    }
}

/// An input of which every third read fails, once that is switched on.
struct Failing {
    bytes: Vec<u8>,
    reads: std::cell::Cell<Option<u32>>,
}

impl ReadAt for Failing {
    fn len(&self) -> u64 {
        self.bytes.len() as u64
    }

    fn read_at(&self, offset: u64, buf: &mut [u8]) -> Result<(), crate::error::ReadError> {
        self.reads.set(self.reads.get().map(|reads| reads + 1));
        let fails = self.reads.get().is_some_and(|reads| reads % 3 == 0);
        self.bytes.read_at(if fails { u64::MAX } else { offset }, buf)
    }
}

#[test]
fn reading_goes_on_after_an_error() {
    let story: Story = (0..500).map(|step| (step % 4, 7, false, Step::Print(100))).collect();
    let bytes = file_of("version 7\ncompression zstd", &story);
    let expected = check(&TraceFile::open(bytes.as_slice()).unwrap());
    let reads = std::cell::Cell::new(None);
    let file = TraceFile::open(Failing { bytes, reads }).unwrap();
    file.input().reads.set(Some(0));
    let mut records = MergedRecords::new(&file, |_, _| true);
    let (mut found, mut errors) = (Vec::new(), 0);
    loop {
        match records.next() {
            Ok(Some(record)) => found.push(Owned::of(record)),
            Ok(None) => break,
            Err(_) => errors += 1,
        }
    }
    assert!(0 < errors);
    assert_eq!(found, expected);
}

#[test]
fn buffers_are_merged_in_the_order_of_the_file() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures/instances-4cpu.dat");
    let file = TraceFile::open(std::fs::read(path).unwrap()).unwrap();
    assert_eq!(file.header().buffers.len(), 3);
    let all = check(&file);
    // The number of lines that `trace-cmd report` prints.
    assert_eq!(all.len(), 16_004);
    let mut main = MergedRecords::new(&file, |buffer, _| buffer == 0);
    let expected: Vec<Owned> = all.iter().filter(|record| record.buffer == 0).cloned().collect();
    assert_eq!(merged(&mut main), expected);
    let mut one = MergedRecords::new(&file, |buffer, cpu| buffer == 1 && cpu == 2);
    let expected: Vec<Owned> = all
        .into_iter()
        .filter(|record| (record.buffer, record.cpu) == (1, 2))
        .collect();
    assert_eq!(merged(&mut one), expected);
}
