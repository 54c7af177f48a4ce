//! Relations between commands, tasks and CPUs over a part of a trace: who wakes whom, who has the CPU while whom waits, which
//! CPUs are spare meanwhile; durations against time; and where tasks ran.

mod end;
mod matrix;
mod points;
mod run_places;
mod spare;
mod took;
mod wakes;

pub use end::{End, EndKind};
pub use matrix::{EndSum, Matrix, MatrixCell, RelatedPair};
pub use points::{latency_points, LatencyPoint, LatencyPoints, PointsOf};
pub use run_places::run_places;
pub use spare::{spare_cpus, SpareCpu, SpareReport};
pub use took::{took, TookReport};
pub use wakes::{wakes, Reach, ReachRow, Reached, WakesReport};

pub(crate) use points::PointsJob;
pub(crate) use spare::SpareJob;
pub(crate) use took::TookJob;
pub(crate) use wakes::WakesJob;
