//! A number of an event as a line for each CPU, or for each task: found step by step in the order of time, and told in buckets.

use std::collections::HashMap;

use traceevent::{EventFormat, IntField};

use super::list::Rows;
use super::query::{CounterBy, EventCounterInfo, EventNumber};
use crate::error::ReadError;
use crate::file::{ReadAt, TraceFile};
use crate::records::{Cursor, RecordRef};

/// Fields that name the CPU that an event is about, where it need not be the one that wrote it.
const CPU_FIELDS: [&str; 2] = ["cpu_id", "cpu"];
/// Words for each bucket: the least and the greatest value, each a double, low word first.
const WORDS: usize = 4;

/// A counter, as far as its values are known.
pub(super) struct Counter {
    pub number: EventNumber,
    pub by: CounterBy,
    /// `None`: the trace has no such number.
    bound: Option<Bound>,
    cursor: Cursor,
    /// By CPU or PID.
    lines: HashMap<u32, Line>,
    extremes: Option<(f64, f64)>,
    samples: usize,
}

struct Bound {
    id: u16,
    field: IntField,
    /// Unsigned, of 64 bits.
    wide: bool,
    /// All ones stand for -1, as where a CPU leaves idle.
    ones: bool,
    /// The CPU or the PID that the event is about; `None`: those of the record.
    key: Option<IntField>,
    by: CounterBy,
}

/// A value holds until the next one; instants ascend.
#[derive(Default)]
struct Line {
    times: Vec<u64>,
    values: Vec<f64>,
}

impl Counter {
    pub fn new<R: ReadAt>(number: &EventNumber, by: CounterBy, rows: &Rows<'_, R>) -> Self {
        Counter {
            number: number.clone(),
            by,
            bound: bound(rows.file, number, by),
            cursor: rows.order.cursor(0),
            lines: HashMap::new(),
            extremes: None,
            samples: 0,
        }
    }

    /// What is known, of `all` rows.
    pub fn info(&self, all: usize) -> EventCounterInfo {
        let done = self.bound.as_ref().map_or(all, |_| self.cursor.row());
        let (least, greatest) = self.extremes.unwrap_or((0.0, 0.0));
        EventCounterInfo {
            done,
            all,
            complete: done == all,
            samples: self.samples,
            least,
            greatest,
        }
    }

    /// Looks at some more rows.
    pub fn advance<R: ReadAt>(&mut self, rows: &mut Rows<'_, R>, budget: usize) -> Result<(), ReadError> {
        let Some(bound) = &self.bound else {
            return Ok(());
        };
        for _ in 0..budget {
            let Some(row) = self.cursor.next(&rows.order) else {
                break;
            };
            let (base_ns, file) = (rows.base_ns, rows.file);
            let found = match rows.far(row) {
                Ok(record) => record.and_then(|record| bound.read(file, &record)),
                Err(error) => {
                    // The row is looked at again when this is tried again.
                    self.cursor = rows.order.cursor(row.row);
                    return Err(error);
                }
            };
            let Some((key, value)) = found else { continue };
            self.samples += 1;
            let (least, greatest) = self.extremes.unwrap_or((value, value));
            self.extremes = Some((least.min(value), greatest.max(value)));
            let line = self.lines.entry(key).or_default();
            let at = row.ts.saturating_sub(base_ns);
            // Where a clock goes back, the line does not.
            line.times.push(line.times.last().map_or(at, |&last| last.max(at)));
            line.values.push(value);
        }
        Ok(())
    }

    /// The least and the greatest value in each bucket, of each of these CPUs or PIDs; not a number where none is known.
    pub fn buckets(&self, keys: &[u32], level: u32, first: u64, buckets: usize) -> Vec<u32> {
        let mut words = Vec::with_capacity(keys.len().saturating_mul(buckets).saturating_mul(WORDS));
        let empty = Line::default();
        for key in keys {
            let line = self.lines.get(key).unwrap_or(&empty);
            line.buckets(level, first, buckets, |least, greatest| {
                for value in [least, greatest] {
                    let bits = value.to_bits();
                    words.extend([bits as u32, (bits >> 32) as u32]);
                }
            });
        }
        words
    }
}

impl Line {
    fn buckets(&self, level: u32, first: u64, buckets: usize, mut each: impl FnMut(f64, f64)) {
        let start = |bucket: u64| bucket.saturating_mul(1_u64.checked_shl(level).unwrap_or(0));
        let mut at = self.times.partition_point(|&time| time < start(first));
        for bucket in (first..).take(buckets) {
            let (from, to) = (start(bucket), start(bucket.saturating_add(1)));
            // What held before holds in the bucket, unless it ends just where the bucket begins.
            let starts_within = self.times.get(at).is_some_and(|&time| time == from);
            let before = at.checked_sub(1).filter(|_| !starts_within);
            let held = before.and_then(|before| self.values.get(before)).copied();
            let (mut least, mut greatest) = (held.unwrap_or(f64::NAN), held.unwrap_or(f64::NAN));
            while self.times.get(at).is_some_and(|&time| time < to) {
                // The other operand where one is not a number.
                let value = self.values.get(at).copied().unwrap_or(f64::NAN);
                (least, greatest) = (least.min(value), greatest.max(value));
                at += 1;
            }
            each(least, greatest);
        }
    }
}

impl Bound {
    fn read<R: ReadAt>(&self, file: &TraceFile<R>, record: &RecordRef<'_>) -> Option<(u32, f64)> {
        if record.id != self.id {
            return None;
        }
        let load = |field: IntField| field.load(record.data, file.endian());
        let value = load(self.field)?;
        let value = match value {
            value if self.ones && value == i64::from(u32::MAX) => -1.0,
            value if self.wide => value as u64 as f64,
            value => value as f64,
        };
        let key = match (self.key, self.by) {
            (Some(field), CounterBy::Cpu) => u32::try_from(load(field)?).ok()?,
            (Some(field), CounterBy::Task) => load(field)? as u32,
            (None, CounterBy::Cpu) => record.cpu,
            (None, CounterBy::Task) => return None,
        };
        Some((key, value))
    }
}

fn bound<R: ReadAt>(file: &TraceFile<R>, number: &EventNumber, by: CounterBy) -> Option<Bound> {
    let id = file.event_ids().find(|&id| {
        let name = file.event_name(id);
        name == Some((number.system.as_str(), number.event.as_str()))
    })?;
    let format = file.event_format(id)?;
    let field = format.field(&number.field)?;
    Some(Bound {
        id,
        field: field.as_int()?,
        wide: !field.signed && field.size == 8,
        ones: number.event == "cpu_idle",
        key: match by {
            CounterBy::Cpu => CPU_FIELDS.iter().find_map(|name| format.field(name)?.as_int()),
            CounterBy::Task => task_field(format, &number.field),
        },
        by,
    })
}

/// The field with the PID of the task that a number is about: `next_pid` of `next_prio`, and of the like; else `pid`; else
/// that of the task which wrote the event.
fn task_field(format: &EventFormat, number: &str) -> Option<IntField> {
    let load = |name: &str| format.field(name)?.as_int();
    let same = number.split_once('_');
    let same = same.and_then(|(whose, _)| load(&format!("{whose}_pid")));
    same.or_else(|| load("pid")).or_else(|| load("common_pid"))
}

/// The numbers in these events' own fields.
pub(super) fn event_numbers<R: ReadAt>(file: &TraceFile<R>, ids: &[u16]) -> Vec<EventNumber> {
    let of_event = |&id: &u16| {
        let (system, event) = file.event_name(id)?;
        let format: &EventFormat = file.event_format(id)?;
        let fields = format.fields.iter().filter(|field| {
            let is_own = !field.name.starts_with("common_") && !CPU_FIELDS.contains(&field.name.as_str());
            is_own && field.as_int().is_some() && !field.type_name.ends_with('*')
        });
        Some(fields.map(move |field| EventNumber {
            system: system.to_owned(),
            event: event.to_owned(),
            field: field.name.clone(),
        }))
    };
    let mut numbers: Vec<EventNumber> = ids.iter().filter_map(of_event).flatten().collect();
    numbers.sort();
    numbers
}

#[cfg(test)]
mod tests {
    use super::Line;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn buckets_have_the_extremes_of_what_holds(
            samples in prop::collection::vec((0_u64..400, -50_i32..50), 0..60),
            level in 0_u32..7,
            first in 0_u64..40,
            buckets in 0_usize..50,
        ) {
            let mut samples = samples;
            samples.sort_by_key(|&(at, _)| at);
            let line = Line {
                times: samples.iter().map(|&(at, _)| at).collect(),
                values: samples.iter().map(|&(_, value)| f64::from(value)).collect(),
            };
            let mut found = Vec::new();
            line.buckets(level, first, buckets, |least, greatest| found.push((least, greatest)));
            for (index, &(least, greatest)) in (0_u64..).zip(&found) {
                let width = 1 << level;
                let (from, to) = ((first + index) * width, (first + index + 1) * width);
                // What holds at any ns of it, and every value that is set in it, though it hold for no time.
                let held = (from..to).filter_map(|at| samples.iter().rev().find(|&&(time, _)| time <= at));
                let set = samples.iter().filter(|&&(time, _)| from <= time && time < to);
                let values: Vec<f64> = held.chain(set).map(|&(_, value)| f64::from(value)).collect();
                let naive = |pick: fn(f64, f64) -> f64| values.iter().copied().reduce(pick);
                prop_assert_eq!(naive(f64::min), Some(least).filter(|value| !value.is_nan()));
                prop_assert_eq!(naive(f64::max), Some(greatest).filter(|value| !value.is_nan()));
            }
            prop_assert_eq!(found.len(), buckets);
        }
    }
}
