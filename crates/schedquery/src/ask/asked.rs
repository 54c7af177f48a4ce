//! A question that is being answered.

use super::answer::{Answer, TileAnswer};
use super::long::Long;
use super::parts::Parts;
use super::question::{Question, StepQuestion};
use super::short;
use super::track::{Item, Label, Tile, TrackKind};
use crate::query::{Indexes, Preview, TopologySummary};
use schedindex::Passing;
use std::sync::Arc;

/// A question that is being answered. It may be finished after its first step.
pub struct Asked {
    work: Work,
}

enum Work {
    /// Waits for an index, or for states that are still being derived.
    Short(Box<(Indexes, Question)>),
    /// About several tracks.
    Parts(Box<Parts>),
    Long(Box<(Indexes, Long)>),
    Done(Box<Answer>),
}

impl Asked {
    /// Starts to answer a question about `view`, which questions that set something replace. `bytes`: what comes with the
    /// question and is no text.
    pub fn new(view: &mut Indexes, question: Question, bytes: &[u8]) -> Asked {
        match question {
            Question::SetView { spec } => {
                *view = view.with(spec);
                Asked::done(Answer::SetView)
            }
            Question::FilterRuns { runs } => {
                let words = || {
                    bytes
                        .chunks_exact(4)
                        .filter_map(|word| Some(u32::from_le_bytes(word.try_into().ok()?)))
                };
                let passing = runs.map(|_| Arc::new(Passing::of_words(view.trace(), words().collect())));
                *view = view.filtered(passing);
                Asked::done(Answer::FilterRuns { runs })
            }
            Question::ParseTopology { text } => {
                let bytes = text.as_deref().map_or(bytes, str::as_bytes);
                Asked::done(Answer::ParseTopology(short::understand(view, bytes).0))
            }
            Question::SetTopology { text } => Asked::done(Answer::SetTopology(set_topology(view, text.as_deref()))),
            question => {
                let view = view.clone();
                let work = match Long::begin(&view, &question) {
                    Some(long) => Work::Long(Box::new((view, long))),
                    None => match Parts::begin(&view, &question) {
                        Some(parts) => Work::Parts(Box::new(parts)),
                        None => Work::Short(Box::new((view, question))),
                    },
                };
                Asked { work }
            }
        }
    }

    /// Answers a question while the trace loads, from the CPUs that have been scanned; `None` where they do not say.
    pub fn preview(preview: &Preview, question: &Question) -> Option<Asked> {
        let kind = TrackKind::Cpu;
        let answer = match question {
            Question::Tile(asked) if asked.kind == kind => {
                let values = preview.cells(&asked.cells());
                Answer::Tile(TileAnswer::new(kind, Tile { values, most: 0 }))
            }
            Question::Labels(asked) if asked.kind == kind => {
                let runs = preview.labels(asked.window, asked.min_width, &asked.keys);
                let labels = runs.into_iter().map(Label::Cpu).collect();
                Answer::Labels { kind, labels }
            }
            Question::At(asked) if asked.kind == kind => {
                let item = preview.pick(asked.key, asked.at).map(Item::Early);
                Answer::At { kind, item }
            }
            Question::Step(StepQuestion { from, direction }) if from.kind == kind => {
                let item = preview.step(from.key, from.at, 0 < *direction).map(Item::Early);
                Answer::Step { kind, item }
            }
            _ => return None,
        };
        Some(Asked::done(answer))
    }

    fn done(answer: Answer) -> Asked {
        Asked {
            work: Work::Done(Box::new(answer)),
        }
    }

    /// Whether somebody watches the screen for the answer. Others take longer, and can wait.
    pub fn is_urgent(&self) -> bool {
        !matches!(self.work, Work::Long(_))
    }

    /// Works for about a millisecond; false once finished.
    pub fn step(&mut self) -> bool {
        match &mut self.work {
            Work::Short(work) => {
                let (view, question) = &**work;
                if !short::prepare(view, question) {
                    return true;
                }
                let Some(answer) = short::answer(view, question) else {
                    return true;
                };
                *self = Asked::done(answer);
                false
            }
            Work::Parts(parts) => {
                let Some(answer) = parts.step() else {
                    return true;
                };
                *self = Asked::done(answer);
                false
            }
            Work::Long(work) => {
                let (view, long) = &mut **work;
                long.step(view)
            }
            Work::Done(_) => false,
        }
    }

    /// Share of the work that is done, from 0 to 1.
    pub fn share(&self) -> f64 {
        match &self.work {
            Work::Short(_) => 0.0,
            Work::Parts(parts) => parts.share(),
            Work::Long(work) => work.1.share(&work.0),
            Work::Done(_) => 1.0,
        }
    }

    /// A partial answer, if there is one and it has more than the last one.
    pub fn partial(&mut self) -> Option<Answer> {
        match &mut self.work {
            Work::Long(work) => {
                let (view, long) = &mut **work;
                long.partial(view)
            }
            Work::Short(_) | Work::Parts(_) | Work::Done(_) => None,
        }
    }

    /// The answer, once `step` has returned false; `None` before.
    pub fn answer(self) -> Option<Answer> {
        match self.work {
            Work::Short(_) | Work::Parts(_) => None,
            Work::Long(work) => {
                let (view, long) = *work;
                Some(long.answer(&view))
            }
            Work::Done(answer) => Some(*answer),
        }
    }
}

/// What is understood of a topology's text, which then is the view's; without a text, it is not known.
fn set_topology(view: &mut Indexes, text: Option<&str>) -> TopologySummary {
    let Some(text) = text else {
        *view = view.with_topology(None);
        return TopologySummary::unknown();
    };
    let (understood, topology) = short::understand(view, text.as_bytes());
    if let Some(topology) = topology {
        *view = view.with_topology(Some(Arc::new(topology)));
    }
    understood
}
