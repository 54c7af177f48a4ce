//! Indexes that make the cost of a query depend on the screen, not on the trace: level of detail, curves, runs by task,
//! sums over windows.

mod arrivals;
mod arrivals_builder;
mod bits;
mod blocks;
mod buckets;
mod cells;
mod conservation;
mod curve;
mod depth;
mod filter;
pub mod fraction;
mod free;
mod group_sort;
mod grouped;
mod idle;
mod lane_sums;
mod levels;
mod migrations;
mod on_demand;
mod passing;
mod pyramid;
mod queues;
mod range_sums;
mod run_waits;
mod runs;
mod runs_builder;
mod sampled;
mod seeds;
mod shown;
mod sort;
mod state_builder;
mod state_cache;
mod state_spans;
mod sweep;
mod tally;
mod task_states;
mod uncertain;
mod wakers;
mod woken;

pub use arrivals::{Arrival, ArrivalCounts, Arrivals};
pub use arrivals_builder::ArrivalsBuilder;
pub use bits::Bits;
pub use cells::{
    CellKey, CellWords, CellsQuery, Detail, LaneCells, Span, CELL_HIGHLIGHT, CELL_INFERRED, CELL_MERGED, CELL_UNKNOWN,
    NO_KEY,
};
pub use conservation::{Conservation, ConservationBuilder, ConservationSums, SpareTime, CHANGES};
pub use curve::{Curve, CurveBuilder, Extremes, Integral};
pub use depth::{Depth, DepthBuilder, Queue, Waiting};
pub use filter::{filtered_steps, known_steps, KnownBuilder, StepsFilter};
pub use free::{FreeCpus, FreeCpusBuilder};
pub use grouped::{Grouped, Grouping, Offsets};
pub use idle::IdleTime;
pub use lane_sums::{add_lanes, LaneSums};
pub use levels::{Levels, LevelsBuilder};
pub use migrations::{MigrationCounts, Migrations, MigrationsBuilder};
pub use on_demand::OnDemand;
pub use passing::{Passing, PassingBuilder, PassingEvent, RunOf};
pub use pyramid::MAX_LEVEL;
pub use queues::{all_queued, queued, QueueWalk, Queued, Waiter};
pub use range_sums::RangeSums;
pub use runs::{RunId, RunSum, Runs};
pub use runs_builder::RunsBuilder;
pub use sampled::Sampled;
pub use shown::Shown;
pub use sort::{release, Keyed, Pieces, SteppedSort};
pub use state_builder::states_of;
pub use state_cache::StateCache;
pub use state_spans::{StateSpans, StateTimes, TimesWalk};
pub use sweep::{Queues, Standing, Sweep};
pub use tally::Tally;
pub use task_states::{StateInterval, TaskState, TaskStates};
pub use uncertain::{latency_in_doubt, wait_in_doubt, waiter_in_doubt};
pub use wakers::{Wakers, WakersBuilder};
pub use woken::Woken;
