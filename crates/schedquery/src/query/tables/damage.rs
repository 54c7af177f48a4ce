//! How much of a trace is missing, if that is enough to concern every number.

use schedmodel::{Hole, Time, Trace};
use serde::Serialize;
use std::collections::BTreeSet;
use ts_rs::TS;

/// The share of all CPU time above which missing records concern the whole trace, and not only their places.
const LARGE_SHARE: f64 = 0.05;

/// What is missing. Times have the same origin as the trace's other answers.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
pub struct Damage {
    /// Whether the file ends before its data does.
    pub cut: bool,
    /// Share of all CPU time that is unknown because records are missing, from 0 to 1.
    pub unknown_share: f64,
    /// CPUs with missing records, ascending.
    pub cpus: Vec<u32>,
    /// Those that are unknown from the first to the last record of the trace.
    pub without_data: Vec<u32>,
    /// Others that are unknown from some time to the end, by CPU.
    pub ends: Vec<CpuEnd>,
}

/// From when on a CPU is unknown until the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
pub struct CpuEnd {
    /// The CPU.
    pub cpu: u32,
    /// When its known part ends.
    pub at_ns: Time,
}

impl Damage {
    /// The damage of a truncated file, or of a trace with a large share of its CPU time missing; otherwise `None`.
    pub fn of(trace: &Trace) -> Option<Damage> {
        let (holes, span) = (&trace.holes, trace.span_ns);
        let cpu_time = span as f64 * trace.cpus.len() as f64;
        let unknown_share = if cpu_time > 0.0 {
            holes.ns() as f64 / cpu_time
        } else {
            0.0
        };
        if !holes.cut() && unknown_share < LARGE_SHARE {
            return None;
        }
        let cpus: BTreeSet<u32> = holes.all().iter().map(|hole| hole.cpu).collect();
        let to_the_end = || holes.all().iter().filter(|hole| hole.to == span);
        let end = |hole: &Hole| CpuEnd {
            cpu: hole.cpu,
            at_ns: Time(hole.from),
        };
        Some(Damage {
            cut: holes.cut(),
            unknown_share,
            cpus: cpus.into_iter().collect(),
            without_data: to_the_end()
                .filter(|hole| hole.from == 0)
                .map(|hole| hole.cpu)
                .collect(),
            ends: to_the_end().filter(|hole| 0 < hole.from).map(end).collect(),
        })
    }
}
