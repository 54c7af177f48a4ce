//! The hits of a filter by CPU and time: found step by step about in the order of time, counted for tiles, and walked through.

use std::sync::Arc;

use eventfilter::BoundFilter;

use super::lines::Lines;
use super::list::Rows;
use super::query::{EventFilterError, EventTextMode};
use super::times::Times;
use crate::error::ReadError;
use crate::file::ReadAt;
use crate::filter::{bind, Filter};
use crate::records::{Cursor, Place, Reads, RecordRef, Row, Turn, Turns};
use crate::run_codes::RunCodes;

/// How lines are printed for filters that look into them.
const MODE: EventTextMode = EventTextMode::TraceCmd;

/// Rows that are gone through at once to find out which were looked at.
const REACHED: usize = 1 << 16;

/// A filter's hits, as far as they are known.
pub(super) struct Hits {
    pub expression: String,
    /// The filter, or what is wrong with it: nothing passes a wrong one.
    filter: Result<(BoundFilter, RunCodes), EventFilterError>,
    turns: Turns,
    /// At the first row that was not planned.
    ahead: Cursor,
    /// Behind the first row that was not looked at.
    cursor: Cursor,
    /// That row.
    next: Option<Row>,
    /// By stream.
    times: Vec<Times>,
    total: usize,
    /// All rows before this time were looked at, and maybe more.
    reached: u64,
}

/// A hit, by its CPU's stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Hit {
    /// How many come before it.
    pub number: usize,
    pub stream: usize,
    /// Since the trace's first record.
    pub at: u64,
}

impl Hits {
    pub fn new<R: ReadAt>(expression: &str, rows: &Rows<'_, R>) -> Self {
        let bound = Filter::parse(expression).and_then(|filter| {
            let bound = bind(rows.file, &filter)?.knowing(Arc::clone(&rows.places));
            Ok((bound, RunCodes::new(rows.file, &filter)))
        });
        Hits {
            expression: expression.to_owned(),
            filter: bound.map_err(|error| EventFilterError::of(expression, &error)),
            turns: Turns::new(rows.order.streams(), true),
            ahead: rows.order.cursor(0),
            cursor: rows.order.cursor(0),
            next: None,
            times: rows.cpus.iter().map(|_| Times::default()).collect(),
            total: 0,
            reached: 0,
        }
    }

    /// What is wrong with the expression.
    pub fn error(&self) -> Option<&EventFilterError> {
        self.filter.as_ref().err()
    }

    /// Hits that are known.
    pub fn total(&self) -> usize {
        self.total
    }

    /// Rows that were looked at, of `all`.
    pub fn done(&self, all: usize) -> usize {
        match self.filter {
            Ok(_) if self.ahead.row() < all || !self.turns.is_idle() => self.turns.looked().min(all.saturating_sub(1)),
            _ => all,
        }
    }

    /// What is read next to find more of them.
    pub fn reads(&self) -> Reads {
        match self.filter {
            Ok(_) => self.turns.reads(),
            Err(_) => Reads::default(),
        }
    }

    /// A turn that another worker is to look at.
    pub fn hand_out(&mut self) -> Option<Turn> {
        self.turns.hand_out()
    }

    /// The hits in a turn, two words each: when, and the code of their run.
    pub fn seek<R: ReadAt>(
        &self,
        turn: &Turn,
        rows: &mut Rows<'_, R>,
        lines: &mut Lines<'_, R>,
    ) -> Result<Vec<u64>, ReadError> {
        let mut words = Vec::new();
        let Ok((filter, codes)) = &self.filter else {
            return Ok(words);
        };
        let (file, base_ns) = (rows.file, rows.base_ns);
        Turns::of(turn.clone()).advance(file.input(), &mut rows.far, usize::MAX, |_, _, record| {
            if takes(filter, record, lines) {
                let code = codes.of(file, record) as u32;
                words.extend([record.ts.saturating_sub(base_ns), u64::from(code)]);
            }
        })?;
        Ok(words)
    }

    /// What another worker found in such a turn; `None`: it could not look at it.
    pub fn found(&mut self, turn: &Turn, words: Option<&[u64]>) {
        let was_asked = self.turns.take_back(turn, words.is_some());
        let times = self.times.get_mut(turn.stream).filter(|_| was_asked);
        if let (Some(times), Some(words)) = (times, words) {
            for pair in words.chunks_exact(2) {
                if let &[at, code] = pair {
                    times.push(at, code as u32 as i32);
                    self.total += 1;
                }
            }
        }
    }

    /// Looks at some more rows.
    pub fn advance<R: ReadAt>(
        &mut self,
        rows: &mut Rows<'_, R>,
        lines: &mut Lines<'_, R>,
        budget: usize,
    ) -> Result<(), ReadError> {
        let Ok((filter, codes)) = &self.filter else {
            return Ok(());
        };
        let (file, base_ns, order) = (rows.file, rows.base_ns, &rows.order);
        let mut coming = std::iter::from_fn(|| self.ahead.next(order).map(|row| Some(Place::from(row))));
        self.turns.plan(&rows.far, &mut coming);
        self.turns
            .advance(file.input(), &mut rows.far, budget, |turn, _, record| {
                if takes(filter, record, lines) {
                    if let Some(times) = self.times.get_mut(turn.stream) {
                        times.push(record.ts.saturating_sub(base_ns), codes.of(file, record));
                        self.total += 1;
                    }
                }
            })?;
        self.turns.plan(&rows.far, &mut coming);
        Ok(())
    }

    /// Finds out up to which time all rows were looked at, or a part of the way there.
    pub fn reach<R: ReadAt>(&mut self, rows: &Rows<'_, R>) {
        for _ in 0..REACHED {
            let Some(row) = self.next.take().or_else(|| self.cursor.next(&rows.order)) else {
                return;
            };
            self.reached = row.ts.saturating_sub(rows.base_ns);
            if !self.turns.has_looked_at(row.into()) {
                self.next = Some(row);
                return;
            }
        }
    }

    /// Some hits of a stream, three words each: when, low word first, and the code of their run; and whether there are more.
    pub fn runs(&mut self, stream: usize, first: usize, count: usize) -> (Vec<u32>, bool) {
        let Some(times) = self.times.get_mut(stream) else {
            return (Vec::new(), false);
        };
        let more = first.saturating_add(count) < times.len();
        let part = times.part(first, count);
        let words = part.flat_map(|(at, code)| [at as u32, (at >> 32) as u32, code as u32]);
        (words.collect(), more)
    }

    /// How many hits begin in each bucket, of each of these streams; of streams that are `None` there are none.
    pub fn counts(&mut self, streams: &[Option<usize>], level: u32, first: u64, buckets: usize) -> Vec<u32> {
        let mut values = vec![0; streams.len().saturating_mul(buckets)];
        for (stream, out) in streams.iter().zip(values.chunks_mut(buckets.max(1))) {
            if let Some(times) = stream.and_then(|stream| self.times.get_mut(stream)) {
                times.count(level, first, out);
            }
        }
        values
    }

    /// The same of all streams together.
    pub fn counts_of_all(&mut self, level: u32, first: u64, buckets: usize) -> Vec<u32> {
        let mut values = vec![0; buckets];
        for times in &mut self.times {
            times.count(level, first, &mut values);
        }
        values
    }

    /// The next hit after an instant of a CPU, or the one before it; equally early ones are in the order of streams. The
    /// outer `None`: it is not known yet.
    pub fn step(&mut self, at: u64, stream: usize, forward: bool, is_complete: bool) -> Option<Option<Hit>> {
        let mut best: Option<(u64, usize)> = None;
        for (of, times) in self.times.iter_mut().enumerate() {
            let found = match forward {
                // At the same instant, the streams behind this one come next.
                true if stream < of => times.first_from(at),
                true => times.first_from(at.saturating_add(1)),
                false if of < stream => times.last_before(at.saturating_add(1)),
                false => times.last_before(at),
            };
            let Some(found) = found.map(|ts| (ts, of)) else {
                continue;
            };
            best = Some(match best {
                Some(other) if forward => other.min(found),
                Some(other) => other.max(found),
                None => found,
            });
        }
        // What was not looked at yet is later, or as late.
        let settled = is_complete
            || match (forward, best) {
                (true, Some((ts, _))) => ts < self.reached,
                (true, None) => false,
                (false, _) => at < self.reached,
            };
        settled.then(|| {
            best.map(|(at, stream)| Hit {
                number: self.before(at, stream),
                stream,
                at,
            })
        })
    }

    /// The first of all hits. The outer `None`: it is not known yet.
    pub fn first(&mut self, is_complete: bool) -> Option<Option<Hit>> {
        let firsts = self.times.iter_mut().enumerate();
        let first = firsts
            .filter_map(|(stream, times)| Some((times.first_from(0)?, stream)))
            .min();
        let settled = is_complete || first.is_some_and(|(at, _)| at < self.reached);
        settled.then(|| first.map(|(at, stream)| Hit { number: 0, stream, at }))
    }

    /// Hits before the first one of a stream at an instant.
    fn before(&mut self, at: u64, stream: usize) -> usize {
        let earlier = |(of, times): (usize, &mut Times)| match of < stream {
            true => times.rank(at.saturating_add(1)),
            false => times.rank(at),
        };
        self.times.iter_mut().enumerate().map(earlier).sum()
    }

    /// The first row of a hit.
    pub fn row_of<R: ReadAt>(
        &self,
        hit: &Hit,
        rows: &mut Rows<'_, R>,
        lines: &mut Lines<'_, R>,
    ) -> Result<Option<Row>, ReadError> {
        let Ok((filter, _)) = &self.filter else {
            return Ok(None);
        };
        let ts = rows.base_ns.saturating_add(hit.at);
        let mut cursor = rows.order.cursor(rows.order.row_at(ts));
        while let Some(row) = cursor.next(&rows.order) {
            if ts < row.ts {
                break;
            }
            if row.stream == hit.stream
                && row.ts == ts
                && rows.far(row)?.is_some_and(|record| takes(filter, &record, lines))
            {
                return Ok(Some(row));
            }
        }
        Ok(None)
    }
}

#[inline]
fn takes<R: ReadAt>(filter: &BoundFilter, record: &RecordRef<'_>, lines: &mut Lines<'_, R>) -> bool {
    filter.may_take(record.id) && lines.passes(filter, MODE, record)
}
