//! What makes queries cost what the screen can show: level of detail, curves, runs by task, sums of any window.

mod arrivals;
mod bits;
mod curve;
mod depth;
mod filter;
mod lane_sums;
mod moves;
mod pyramid;
mod queues;
mod range_sums;
mod run_waits;
mod runs;
mod shown;
mod tally;
mod wakers;
mod woken;

pub use arrivals::{Arrival, ArrivalCounts, Arrivals};
pub use bits::Bits;
pub use curve::{Curve, Extremes, Integral};
pub use depth::{Depth, Queue, Waiting};
pub use filter::filtered_steps;
pub use moves::{MoveCounts, Moves};
pub(crate) use pyramid::DENSE;
pub use pyramid::{busy_fraction, Bucket, Pyramid, MAX_LEVEL};
pub use queues::{all_queued, queued, Queued};
pub use range_sums::RangeSums;
pub use runs::{RunId, RunSum, Runs};
pub use shown::Shown;
pub use wakers::Wakers;
pub use woken::Woken;
