//! What is asked of events over time: those that pass an expression, and numbers in their fields.

use super::counters::Counter;
use super::hits::Hits;
use super::list::EventList;
use super::query::{
    CounterBy, EventCounterInfo, EventHit, EventNumber, EventProgress, EventTextMode, EventTileQuestion, EventTrack,
    EventsAnswer, MAX_BUCKETS, MAX_RUNS,
};
use crate::error::ReadError;
use crate::file::ReadAt;
use crate::records::Reads;

/// Expressions whose hits are kept: the current one, and the one before it.
const KEPT_HITS: usize = 2;

/// Counters whose values are kept.
const KEPT_COUNTERS: usize = 4;

impl<R: ReadAt> EventList<'_, R> {
    /// How far the hits are that were asked for last, as their answer.
    pub fn hits_progress(&self) -> EventsAnswer {
        let all = self.rows.order.len();
        let hits = self.hits.last();
        let done = hits.map_or(0, |hits| hits.done(all));
        EventsAnswer::EventHits {
            progress: EventProgress {
                done,
                all,
                complete: done == all,
            },
            total: hits.map_or(0, Hits::total),
            error: hits.and_then(Hits::error).cloned(),
        }
    }

    /// What is read next for the hits that were asked for last.
    pub fn hits_reads(&self) -> Reads {
        let hits = self.hits.last();
        hits.map_or_else(Reads::default, Hits::reads)
    }

    /// Makes the events that pass an expression the current ones.
    pub(super) fn choose_hits(&mut self, expression: &str) -> Option<&mut Hits> {
        let known = self.hits.iter().position(|hits| hits.expression == expression);
        let hits = match known {
            Some(index) => self.hits.remove(index),
            None => Hits::new(expression, &self.rows),
        };
        self.hits.push(hits);
        if KEPT_HITS < self.hits.len() {
            self.hits.remove(0);
        }
        self.hits.last_mut()
    }

    pub(super) fn hits(&mut self, expression: &str, budget: usize) -> Result<Option<EventsAnswer>, ReadError> {
        self.choose_hits(expression);
        if let Some(hits) = self.hits.last_mut() {
            hits.advance(&mut self.rows, &mut self.lines, budget)?;
        }
        let answer = self.hits_progress();
        let is_complete = matches!(&answer, EventsAnswer::EventHits { progress, .. } if progress.complete);
        Ok(is_complete.then_some(answer))
    }

    pub(super) fn hit_runs(&mut self, expression: &str, place: usize, first: usize) -> EventsAnswer {
        self.choose_hits(expression);
        let hits = self.hits.last_mut();
        let (values, more) = hits.map_or((Vec::new(), false), |hits| hits.runs(place, first, MAX_RUNS));
        EventsAnswer::EventHitRuns {
            cpu: self.rows.cpus.get(place).copied(),
            count: values.len() / 3,
            more,
            values,
        }
    }

    pub(super) fn hit_at(
        &mut self,
        expression: &str,
        (at, cpu): (f64, Option<u32>),
        forward: bool,
        budget: usize,
    ) -> Result<Option<EventsAnswer>, ReadError> {
        self.choose_hits(expression);
        let all = self.rows.order.len();
        let Some(hits) = self.hits.last_mut() else {
            return Ok(None);
        };
        hits.advance(&mut self.rows, &mut self.lines, budget)?;
        hits.reach(&self.rows);
        let stream = match cpu {
            Some(cpu) => self.rows.cpus.iter().position(|&known| known == cpu).unwrap_or(0),
            None if forward => usize::MAX,
            None => 0,
        };
        // Without a CPU, hits at the instant itself are beyond it.
        let at = match (cpu, forward) {
            (None, true) => (at.max(0.0).ceil() as u64).checked_sub(1),
            (None, false) => Some((at.max(0.0).floor() as u64).saturating_add(1)),
            (Some(_), _) => Some(at.max(0.0) as u64),
        };
        let is_complete = hits.done(all) == all;
        let found = match at {
            Some(at) => hits.step(at, stream, forward, is_complete),
            // From the very start on: as if behind nothing.
            None => hits.first(is_complete),
        };
        let Some(hit) = found else {
            return Ok(None);
        };
        let row = match &hit {
            Some(hit) => hits.row_of(hit, &mut self.rows, &mut self.lines)?,
            None => None,
        };
        let told = row.map(|row| self.row(row, 0, EventTextMode::TraceCmd)).transpose()?;
        let hit = hit.zip(told.flatten()).map(|(hit, row)| EventHit {
            number: hit.number,
            cpu: row.cpu,
            at: row.at,
            pid: row.pid,
            comm: row.comm,
            event: row.event,
            text: row.text,
        });
        Ok(Some(EventsAnswer::EventHitAt { hit }))
    }

    pub(super) fn counter(
        &mut self,
        number: &EventNumber,
        by: CounterBy,
        budget: usize,
    ) -> Result<Option<EventsAnswer>, ReadError> {
        let all = self.rows.order.len();
        let is_asked = |counter: &Counter| counter.by == by && counter.number == *number;
        let known = self.counters.iter().position(is_asked);
        let mut counter = match known {
            Some(index) => self.counters.remove(index),
            None => Counter::new(number, by, &self.rows),
        };
        let advanced = counter.advance(&mut self.rows, budget);
        let info = counter.info(all);
        self.counters.push(counter);
        if KEPT_COUNTERS < self.counters.len() {
            self.counters.remove(0);
        }
        advanced?;
        Ok(info.complete.then_some(EventsAnswer::EventCounter(info)))
    }

    /// How far the counter is that was asked for last.
    pub fn counter_progress(&self) -> Option<EventCounterInfo> {
        let counter = self.counters.last()?;
        Some(counter.info(self.rows.order.len()))
    }

    pub(super) fn tile(&mut self, asked: &EventTileQuestion) -> EventsAnswer {
        let buckets = asked.buckets.min(MAX_BUCKETS);
        let first = asked.first_bucket.max(0.0) as u64;
        let values = match asked.kind {
            EventTrack::Counter => self.counter_values(CounterBy::Cpu, asked, first, buckets),
            EventTrack::TaskCounter => self.counter_values(CounterBy::Task, asked, first, buckets),
            EventTrack::Hits => {
                let cpus = &self.rows.cpus;
                let stream = |key: &u32| cpus.iter().position(|cpu| cpu == key);
                let streams: Vec<Option<usize>> = asked.keys.iter().map(stream).collect();
                let hits = self.choose_hits(&asked.variant);
                hits.map(|hits| hits.counts(&streams, asked.level, first, buckets))
            }
            EventTrack::AllHits => {
                let hits = self.choose_hits(&asked.variant);
                hits.map(|hits| hits.counts_of_all(asked.level, first, buckets))
            }
        };
        EventsAnswer::Tile {
            values: values.unwrap_or_default(),
            most: 0,
        }
    }

    fn counter_values(&self, by: CounterBy, asked: &EventTileQuestion, first: u64, buckets: usize) -> Option<Vec<u32>> {
        let counter = self.counters.iter().find(|counter| {
            let EventNumber { system, event, field } = &counter.number;
            counter.by == by && asked.variant.split(':').eq([system, event, field])
        })?;
        Some(counter.buckets(&asked.keys, asked.level, first, buckets))
    }
}
