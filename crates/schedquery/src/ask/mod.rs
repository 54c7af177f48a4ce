//! What a client asks about an open trace, and what it is answered: the contract between the page and the engine.
//!
//! [`Question`] and [`Answer`] are the only types that cross. Both are JSON; long arrays of numbers cross beside it (see
//! [`Numbers`]). `web/engine/protocol/generated.ts` is written from these types by a test. Every question is answered by a
//! job, [`Asked`], which may be finished after its first step: which index a question needs, and whether it is long, is
//! known here and nowhere else.

mod answer;
mod asked;
pub mod calls;
mod long;
mod parts;
mod question;
mod short;
pub mod studies;
mod track;

pub use answer::{Answer, Numbers, TileAnswer, Words};
pub use asked::Asked;
pub use question::{FilterStep, LabelsQuestion, ModelSelection, PointQuestion, Question, StepQuestion, TileQuestion};
pub use track::{Item, Label, Tile, TileVariant, Track, TrackKind};
