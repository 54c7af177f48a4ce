//! Which policy explains a recording: each is replayed, and compared.

use schedmodel::{Meta, Trace, TraceBuilder};

use crate::compare::{cpu_curve, metrics, wait_distance, CurveError, Only};
use crate::engine::{run_watched, EngineError, Limits, TooLong};
use crate::machine::Machine;
use crate::policy::{Ns, Spec, MS};
use crate::workload::Workload;
use thiserror::Error;

/// How well a policy explains a recording.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Explained {
    /// The policy with its parameters.
    pub policy: Spec,
    /// Time between two ticks.
    pub tick_ns: u64,
    /// See [`cpu_curve`].
    pub cpu_curve: Option<CurveError>,
    /// See [`wait_distance`].
    pub wait_distance: Option<f64>,
    /// Switches of the replay by those recorded.
    pub switch_ratio: Option<f64>,
}

impl Explained {
    /// For order: waits say most, then the number of switches, then the curve.
    fn badness(&self) -> f64 {
        let waits = self.wait_distance.unwrap_or(f64::MAX / 4.0);
        let switches = self.switch_ratio.map_or(0.0, |ratio| ratio.max(1e-9).ln().abs());
        waits + switches + self.cpu_curve.map_or(0.0, |curve| curve.mean)
    }
}

/// Policies that know no ticks of the machine, or whose slices are far longer.
const COARSE: [&str; 5] = ["fcfs", "rr", "linux24", "o1", "ebs"];
/// Ticks that kernels are built with: 1000, 300, 250 and 100 a second; and one between.
const TICKS: [u64; 6] = [MS, 2 * MS, 10 * MS / 3, 4 * MS, 5 * MS, 10 * MS];

/// The policies that are tried, with ticks.
fn candidates(machine: &Machine) -> Vec<(Spec, u64)> {
    let spec = |text: &str| text.parse::<Spec>().ok();
    let mut found: Vec<(Spec, u64)> = COARSE
        .iter()
        .filter_map(|text| Some((spec(text)?, machine.tick_ns)))
        .collect();
    for tick in TICKS {
        found.extend(spec("cfs").map(|spec| (spec, tick)));
        found.extend(spec("eevdf").map(|spec| (spec, tick)));
    }
    for slice in ["0.65ms", "0.7ms", "0.72ms", "0.75ms", "1ms", "2.8ms", "3ms"] {
        found.extend(spec(&format!("eevdf:base_slice={slice},exact_slices=on")).map(|spec| (spec, machine.tick_ns)));
        found.extend(spec(&format!("eevdf:base_slice={slice}")).map(|spec| (spec, machine.tick_ns)));
    }
    found.extend(spec("rr:slice=4ms").map(|spec| (spec, machine.tick_ns)));
    let mut once: Vec<(Spec, u64)> = Vec::new();
    for candidate in found {
        if !once.contains(&candidate) {
            once.push(candidate);
        }
    }
    once
}

/// Why nothing was fitted.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum FitError {
    /// A policy did what it must not do.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// A run stopped at its limits; the others would take as long.
    #[error("{policy}: {error}")]
    TooLong {
        /// Whose run.
        policy: Spec,
        /// Where it stopped.
        error: TooLong,
    },
}

/// Tries policies on a workload, and ranks them by how well each explains the recording. `watch` is called with which part of all has
/// been done, from 0 to 1.
pub fn fit(
    workload: &Workload,
    recorded: &Trace,
    machine: &Machine,
    only: &Only,
    limits: Limits,
    watch: &mut dyn FnMut(f64),
) -> Result<Vec<Explained>, FitError> {
    let before = metrics(recorded, only);
    let mut found = Vec::new();
    let candidates = candidates(machine);
    let count = candidates.len() as f64;
    for (number, (policy, tick_ns)) in candidates.into_iter().enumerate() {
        let mut machine = Machine {
            tick_ns,
            ..machine.clone()
        };
        machine.tick_as(recorded, workload.first_ns);
        let limits = Limits {
            until_ns: Some(recorded.span_ns),
            ..limits
        };
        let span = recorded.span_ns.max(1) as f64;
        let mut far = |now: Ns| watch((number as f64 + now as f64 / span) / count);
        far(0);
        let outcome = run_watched(workload, &machine, &policy, limits, &mut far)?;
        let too_long = |error| FitError::TooLong { policy, error };
        let outcome = outcome.whole(limits).map_err(too_long)?;
        let cpus = outcome.scans.iter().map(|scan| scan.cpu).collect();
        let mut builder = TraceBuilder::new(outcome.first_ns);
        outcome.scans.into_iter().for_each(|scan| builder.add(scan));
        let trace = builder.finish(Meta {
            cpus,
            ..Meta::default()
        });
        let after = metrics(&trace, only);
        found.push(Explained {
            policy,
            tick_ns,
            cpu_curve: cpu_curve(recorded, &trace, only),
            wait_distance: wait_distance(&before.waits, &after.waits),
            switch_ratio: (0 < before.switches).then(|| after.switches as f64 / before.switches as f64),
        });
    }
    found.sort_by(|a, b| a.badness().total_cmp(&b.badness()));
    Ok(found)
}
