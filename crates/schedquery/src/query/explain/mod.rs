//! Why it was so: findings, latencies, waits, placements, overload, cascades.
//! Imports `select`, `jobs` and `lanes`; nothing below imports it.

pub(super) mod cascade;
pub(super) mod domains;
pub(super) mod explanation;
pub(super) mod finding;
pub(super) mod findings;
pub(super) mod gaps;
pub(super) mod latency;
pub(super) mod latency_job;
pub(super) mod moves;
pub(super) mod of_run;
pub(super) mod overload;
pub(super) mod placement;
pub(super) mod preemption;
pub(super) mod ranking;
pub(super) mod schbench;
pub(super) mod slices;
pub(super) mod violations;
pub(super) mod waiting_behind;
pub(super) mod waits;
pub(super) mod worst;
