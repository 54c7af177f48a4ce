//! Questions about many tracks, answered some tracks at a time: a screen of any size is no long step.

use super::answer::{Answer, TileAnswer};
use super::question::Question;
use super::short;
use super::track::{Label, Tile, TrackKind};
use crate::query::Indexes;

/// Buckets of a step: about a millisecond.
const BUCKETS: usize = if cfg!(debug_assertions) { 1 << 8 } else { 1 << 17 };
/// Tracks of a step, where the work for each does not depend on buckets.
const TRACKS: usize = if cfg!(debug_assertions) { 2 } else { 32 };

/// A question about tracks, and the answer for the first of them.
pub(crate) struct Parts {
    view: Indexes,
    question: Question,
    /// How many tracks are answered.
    done: usize,
    tile: Tile,
    labels: Vec<Label>,
}

impl Parts {
    /// Starts to answer a question about several tracks; gives back any other.
    pub(crate) fn begin(view: Indexes, question: Question) -> Result<Parts, (Indexes, Question)> {
        let by_track = |kind| matches!(kind, TrackKind::Cpu | TrackKind::Task | TrackKind::Runqueue);
        let several = match &question {
            Question::Tile(asked) => by_track(asked.kind) && 1 < asked.keys.len(),
            Question::Labels(asked) => 1 < asked.keys.len(),
            _ => false,
        };
        if !several {
            return Err((view, question));
        }
        Ok(Parts {
            view,
            question,
            done: 0,
            tile: Tile::default(),
            labels: Vec::new(),
        })
    }

    /// Answers for some tracks; returns the answer for all once it is complete.
    pub(crate) fn step(&mut self) -> Option<Answer> {
        if !short::prepare(&self.view, &self.question) {
            return None;
        }
        match &self.question {
            Question::Tile(asked) => {
                let tracks = (BUCKETS / (asked.buckets as usize).max(1)).max(1);
                let keys: Vec<u32> = asked.keys.iter().copied().skip(self.done).take(tracks).collect();
                let next = self.done + keys.len();
                let part = super::TileQuestion { keys, ..asked.clone() };
                let tile = asked.kind.track().tile(&self.view, &part)?;
                if self.done == 0 {
                    let tracks = asked.keys.len().div_ceil(part.keys.len().max(1));
                    self.tile.values.reserve_exact(tile.values.len().saturating_mul(tracks));
                }
                self.tile.values.extend_from_slice(&tile.values);
                self.tile.most = tile.most;
                self.done = next;
                (next == asked.keys.len())
                    .then(|| Answer::Tile(TileAnswer::new(asked.kind, std::mem::take(&mut self.tile))))
            }
            Question::Labels(asked) => {
                let keys: Vec<u32> = asked.keys.iter().copied().skip(self.done).take(TRACKS).collect();
                let next = self.done + keys.len();
                let part = super::LabelsQuestion { keys, ..asked.clone() };
                self.labels.extend(asked.kind.track().labels(&self.view, &part)?);
                self.done = next;
                (next == asked.keys.len()).then(|| Answer::Labels {
                    kind: asked.kind,
                    labels: std::mem::take(&mut self.labels),
                })
            }
            question => short::answer(&self.view, question),
        }
    }

    /// Share of the tracks that are done.
    pub(crate) fn share(&self) -> f64 {
        let tracks = match &self.question {
            Question::Tile(asked) => asked.keys.len(),
            Question::Labels(asked) => asked.keys.len(),
            _ => 1,
        };
        self.done as f64 / tracks.max(1) as f64
    }
}
