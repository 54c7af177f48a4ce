//! Questions about many tracks or tasks, answered some of them at a time: neither a large screen nor a long table is a long
//! step.

use super::answer::{Answer, Numbers, TileAnswer};
use super::question::{LabelsQuestion, Question, TileQuestion};
use super::short;
use super::track::{Label, Tile, TrackKind};
use crate::query::{CommandSums, Indexes, TaskRow};
use std::ops::Range;

/// Buckets of a step: about a millisecond, and some more where many runs begin in each.
const BUCKETS: usize = if cfg!(debug_assertions) { 1 << 8 } else { 1 << 16 };
/// Tracks of a step, where the work for each does not depend on buckets.
const TRACKS: usize = if cfg!(debug_assertions) { 2 } else { 32 };
/// Tasks, or tasks under one of their names, of a step.
const TASKS: usize = if cfg!(debug_assertions) { 2 } else { 512 };

/// A question, and the answer for the first of what it asks about.
pub(crate) struct Parts {
    view: Indexes,
    question: Question,
    /// How many are done.
    done: usize,
    all: usize,
    found: Found,
}

/// What is found so far.
enum Found {
    Tile(Tile),
    Labels(Vec<Label>),
    Tasks(Vec<f64>),
    Commands(CommandSums),
}

impl Parts {
    /// Starts to answer a question about many; `None` for any other.
    pub(crate) fn begin(view: &Indexes, question: &Question) -> Option<Parts> {
        let by_track = |kind| matches!(kind, TrackKind::Cpu | TrackKind::Task | TrackKind::Runqueue);
        let trace = view.trace();
        let (all, found) = match question {
            Question::Tile(asked) if by_track(asked.kind) => (asked.keys.len(), Found::Tile(Tile::default())),
            Question::Labels(asked) => (asked.keys.len(), Found::Labels(Vec::new())),
            Question::TaskTable { .. } => (trace.tasks.len(), Found::Tasks(Vec::new())),
            Question::Commands { .. } => (trace.task_comms.len(), Found::Commands(CommandSums::new(trace))),
            _ => return None,
        };
        (1 < all).then(|| Parts {
            view: view.clone(),
            question: question.clone(),
            done: 0,
            all,
            found,
        })
    }

    /// Answers for some; returns the answer for all once it is complete.
    pub(crate) fn step(&mut self) -> Option<Answer> {
        if !short::prepare(&self.view, &self.question) {
            return None;
        }
        let (view, found) = (&self.view, &mut self.found);
        let next = |done: usize, some: usize| done..self.all.min(done.saturating_add(some.max(1)));
        let part = match (&self.question, found) {
            (Question::Tile(asked), Found::Tile(tile)) => {
                let most = asked.kind.track().at_a_time(view, asked);
                let part = next(self.done, most.min(BUCKETS / (asked.buckets as usize).max(1)));
                let keys = some(&asked.keys, &part);
                let asked = TileQuestion { keys, ..asked.clone() };
                asked.kind.track().add(view, &asked, tile)?;
                if self.done == 0 {
                    let parts = self.all.div_ceil(part.len().max(1));
                    tile.values
                        .reserve_exact(tile.values.len().saturating_mul(parts.saturating_sub(1)));
                }
                part
            }
            (Question::Labels(asked), Found::Labels(labels)) => {
                let part = next(self.done, TRACKS);
                let keys = some(&asked.keys, &part);
                let asked = LabelsQuestion { keys, ..asked.clone() };
                labels.extend(asked.kind.track().labels(view, &asked)?);
                part
            }
            (Question::TaskTable { window }, Found::Tasks(values)) => {
                let part = next(self.done, TASKS);
                let rows = view.task_rows(*window, part.clone());
                values.extend(rows.iter().flat_map(TaskRow::values));
                part
            }
            (Question::Commands { window }, Found::Commands(sums)) => {
                let part = next(self.done, TASKS);
                view.add_commands(*window, part.clone(), sums);
                part
            }
            // Each question has its own.
            (question, _) => return short::answer(view, question),
        };
        self.done = part.end;
        if self.done < self.all {
            return None;
        }
        Some(match (&self.question, &mut self.found) {
            (Question::Tile(asked), Found::Tile(tile)) => {
                Answer::Tile(TileAnswer::new(asked.kind, std::mem::take(tile)))
            }
            (Question::Labels(asked), Found::Labels(labels)) => Answer::Labels {
                kind: asked.kind,
                labels: std::mem::take(labels),
            },
            (_, Found::Tasks(values)) => Answer::TaskTable {
                values: Numbers(std::mem::take(values)),
            },
            (_, Found::Commands(sums)) => Answer::Commands {
                rows: std::mem::take(sums).rows(view.trace()),
            },
            (question, _) => return short::answer(view, question),
        })
    }

    /// Share that is done.
    pub(crate) fn share(&self) -> f64 {
        self.done as f64 / self.all.max(1) as f64
    }
}

fn some(keys: &[u32], part: &Range<usize>) -> Vec<u32> {
    keys.get(part.clone()).unwrap_or_default().to_vec()
}
