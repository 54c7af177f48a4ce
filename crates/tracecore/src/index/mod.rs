//! What makes queries cost what the screen can show: level of detail, curves, runs by task.

mod bits;
mod curve;
mod filter;
mod pyramid;
mod runs;
mod shown;
mod tally;
mod wakers;

pub use bits::Bits;
pub use curve::{Curve, Extremes, Integral};
pub use filter::filtered_steps;
pub(crate) use pyramid::DENSE;
pub use pyramid::{busy_fraction, Bucket, Pyramid, MAX_LEVEL};
pub use runs::{RunId, RunSum, Runs};
pub use shown::Shown;
pub use wakers::Wakers;
