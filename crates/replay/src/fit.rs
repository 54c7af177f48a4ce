//! Which policy explains a recording: each is replayed, and compared.

use tracecore::sched::{Meta, Trace, TraceBuilder};

use crate::compare::{cpu_curve, metrics, wait_distance, CurveError, Only};
use crate::engine::{run, EngineError, Limits};
use crate::machine::Machine;
use crate::policy::{Spec, MS};
use crate::workload::Workload;

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

/// Tries policies on a workload, and ranks them by how well each explains the recording.
pub fn fit(
    workload: &Workload,
    recorded: &Trace,
    machine: &Machine,
    only: &Only,
) -> Result<Vec<Explained>, EngineError> {
    let before = metrics(recorded, only);
    let mut found = Vec::new();
    for (policy, tick_ns) in candidates(machine) {
        let mut machine = Machine {
            tick_ns,
            ..machine.clone()
        };
        machine.tick_as(recorded, workload.first_ns);
        let limits = Limits {
            until_ns: Some(recorded.span_ns),
            ..Limits::default()
        };
        let outcome = run(workload, &machine, &policy, limits)?;
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
