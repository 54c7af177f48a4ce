//! The raw records: merged, in a window, and as the list of events.

use std::error::Error;

use serde::Serialize;
use tracedat::error::ReadError;
use tracedat::events::{EventFilter, EventList, EventSelection, EventTextMode, EventsQuery};
use tracedat::file::{ReadAt, TraceFile};
use tracedat::records::MergedRecords;
use tracedat::scan::{scan_cpu_indexed, RecordIndex};

use crate::allocation;
use crate::clock::cpu_ms;

/// How many events the list looks at between two looks at the clock, as in the browser.
const STEP: usize = 1000;
/// How many rows fill a screen, and how many screens are asked for.
const SCREEN: usize = 60;
const PLACES: usize = 100;

/// The numbers that `bench/measure.mjs` reads.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RecordTimes {
    /// Time to unpack and merge all of them.
    merge_ms: f64,
    /// Time to go to the middle and read all records of a millisecond.
    window_ms: f64,
    /// Time to put them in order, from what the scans left.
    order_ms: f64,
    /// Bytes for each record: of what the scans left, and of what the list keeps.
    index_bytes: f64,
    list_bytes: f64,
    /// Time for a screen of rows at a random place.
    rows_ms: f64,
    /// Events per second: of one name, of one task, with a text that no event has.
    name_filter_per_s: f64,
    task_filter_per_s: f64,
    text_search_per_s: f64,
}

/// Measures a file whose first record is at `base_ns`; also returns how many records were merged.
pub fn measure<R: ReadAt>(file: &TraceFile<R>, base_ns: u64) -> Result<(u64, RecordTimes), Box<dyn Error>> {
    let (merged, merge_ms) = timed(|| count_merged(file))?;
    let last_ns = last_ns(file)?;
    let middle = base_ns + (last_ns - base_ns) / 2;
    let (_, window_ms) = timed(|| read_window(file, middle, 1_000_000))?;

    let before = allocation::held();
    let mut indexes = Vec::new();
    for cpu in 0..file.cpus().len() {
        let bytes = scan_cpu_indexed(file, cpu)?.1;
        indexes.push(RecordIndex::from_bytes(&bytes)?);
    }
    let records = indexes.iter().map(|index| index.records).sum::<u64>() as f64;
    let index_bytes = (allocation::held() - before) as f64 / records;
    let (mut list, order_ms) = timed(|| Ok::<_, ReadError>(EventList::new(file, base_ns, indexes)))?;
    let list_bytes = (allocation::held() - before) as f64 / records;

    let all = EventFilter::default();
    let places = (0..PLACES).map(|place| (place as f64 * 0.618_033_988_75).fract() * records);
    let (_, places_ms) = timed(|| {
        places.clone().try_for_each(|place| {
            let rows = rows_of(&all, place as usize, SCREEN);
            list.ask(&rows, STEP).map(drop)
        })
    })?;
    let mut filter_per_s = |filter: EventFilter| -> Result<f64, ReadError> {
        let (_, ms) = timed(|| {
            list.ask(&rows_of(&filter, 0, 0), STEP)?;
            while !list.progress().0.complete {
                list.advance(STEP)?;
            }
            Ok::<_, ReadError>(())
        })?;
        Ok(records / ms * 1e3)
    };
    let name_filter_per_s = filter_per_s(EventFilter {
        events: Some(vec!["sched_wakeup_new".to_owned()]),
        ..all.clone()
    })?;
    let task_filter_per_s = filter_per_s(EventFilter {
        pids: Some(vec![1]),
        ..all.clone()
    })?;
    let search = EventsQuery::EventSearch {
        of: selection(&all),
        text: "not in any line".to_owned(),
        from: -1,
        direction: 1,
    };
    let (_, search_ms) = timed(|| {
        while list.ask(&search, STEP)?.is_none() {}
        Ok::<_, ReadError>(())
    })?;
    Ok((
        merged,
        RecordTimes {
            merge_ms,
            window_ms,
            order_ms,
            index_bytes,
            list_bytes,
            rows_ms: places_ms / PLACES as f64,
            name_filter_per_s,
            task_filter_per_s,
            text_search_per_s: records / search_ms * 1e3,
        },
    ))
}

fn timed<T, E>(run: impl FnOnce() -> Result<T, E>) -> Result<(T, f64), E> {
    let start = cpu_ms();
    let found = run()?;
    Ok((found, cpu_ms() - start))
}

/// Unpacks and merges all records of the main buffer, and looks at each.
fn count_merged<R: ReadAt>(file: &TraceFile<R>) -> Result<u64, ReadError> {
    let mut records = MergedRecords::new(file, |buffer, _| buffer == file.shown_buffer());
    let mut count = 0;
    while let Some(record) = records.next()? {
        std::hint::black_box(record.data.first());
        count += 1;
    }
    Ok(count)
}

fn read_window<R: ReadAt>(file: &TraceFile<R>, start: u64, len: u64) -> Result<u64, ReadError> {
    let mut records = MergedRecords::new(file, |buffer, _| buffer == file.shown_buffer());
    records.seek(start)?;
    let mut count = 0;
    while records.next()?.is_some_and(|record| record.ts < start + len) {
        count += 1;
    }
    Ok(count)
}

fn last_ns<R: ReadAt>(file: &TraceFile<R>) -> Result<u64, ReadError> {
    let mut last = 0;
    for cpu in 0..file.cpus().len() {
        last = last.max(scan_cpu_indexed(file, cpu)?.0.last_ns.unwrap_or(0));
    }
    Ok(last)
}

fn selection(filter: &EventFilter) -> EventSelection {
    EventSelection {
        filter: filter.clone(),
        mode: EventTextMode::TraceCmd,
    }
}

fn rows_of(filter: &EventFilter, first: usize, count: usize) -> EventsQuery {
    EventsQuery::EventRows {
        of: selection(filter),
        first,
        count,
    }
}
