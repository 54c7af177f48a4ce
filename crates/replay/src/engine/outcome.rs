//! What a run was; and what the two policies are that no engine could ask: the recording itself, and the ideal.

use super::output::Output;
use super::{Limits, TooLong};
use crate::assume::Mattered;
use crate::ideal;
use crate::policy::Ns;
use crate::workload::Workload;
use schedrows::{CpuScan, LoserTree, Row, RowKind};

/// What a run was.
#[derive(Debug)]
pub struct Outcome {
    /// Its rows, for a trace builder.
    pub scans: Vec<CpuScan>,
    /// The time of its beginning, by the recording's clock.
    pub first_ns: u64,
    /// How long it lasted.
    pub span_ns: Ns,
    /// Of all its rows: the same run has the same.
    pub hash: u64,
    /// How many rows it has.
    pub rows: u64,
    /// How many events the engine handled.
    pub engine_events: u64,
    /// How many switches there were.
    pub switches: u64,
    /// How often its assumptions mattered.
    pub mattered: Mattered,
    /// Whether it stopped at the limit of switches or events.
    pub cut_short: bool,
    /// CPU time of each task.
    pub cpu_ns: Vec<Ns>,
}

impl Outcome {
    /// A run that came to its end: one that stopped at its limits is an error.
    pub fn whole(self, limits: Limits) -> Result<Outcome, TooLong> {
        let until_ns = limits.until_ns.unwrap_or(Ns::MAX);
        match self.cut_short {
            true => Err(TooLong {
                events: self.engine_events,
                at_ns: self.span_ns,
                until_ns,
            }),
            false => Ok(self),
        }
    }

    /// The policy `recorded`: what was picked when it was recorded. These are the rows that the workload is made of; whether it
    /// comes out as they say is what [`identity`](crate::identity::identity) tells.
    pub fn recorded(scans: Vec<CpuScan>, workload: &Workload) -> Outcome {
        let first = scans.iter().filter_map(|scan| scan.first_ns).min();
        let last = scans.iter().filter_map(|scan| scan.last_ns).max();
        let first_ns = first.unwrap_or(workload.first_ns);
        let span_ns = last.map_or(0, |last| last.saturating_sub(first_ns));
        Outcome {
            first_ns,
            span_ns,
            hash: hash_of(&scans, first_ns),
            rows: scans.iter().map(|scan| scan.rows.len() as u64).sum(),
            switches: scans.iter().map(|scan| scan.rows.count(RowKind::Switch)).sum(),
            cpu_ns: workload.tasks.iter().map(|task| task.cpu_ns).collect(),
            scans,
            engine_events: 0,
            mattered: Mattered::default(),
            cut_short: false,
        }
    }

    /// The policy `ideal`: all that are runnable run at once, each at its share of so many CPUs. It has CPU times, and no rows.
    pub fn ideal(workload: &Workload, cpus: u32, until_ns: Ns) -> Outcome {
        let cpu_ns = ideal::cpu_times(workload, cpus, until_ns);
        let output = Output::new(cpus, workload.first_ns);
        let mix = |hash: u64, &ns: &Ns| (hash ^ ns).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
        Outcome {
            first_ns: workload.first_ns,
            span_ns: until_ns,
            hash: cpu_ns.iter().fold(output.hash, mix),
            scans: output.into_scans(until_ns, &[]),
            rows: 0,
            switches: 0,
            cpu_ns,
            engine_events: 0,
            mattered: Mattered::default(),
            cut_short: false,
        }
    }
}

/// Of rows in the order in which a run makes them: by time, then by CPU.
fn hash_of(scans: &[CpuScan], first_ns: u64) -> u64 {
    let mut cpus: Vec<(u32, _)> = scans
        .iter()
        .map(|scan| (scan.cpu, scan.rows.iter().peekable()))
        .collect();
    cpus.sort_by_key(|&(cpu, _)| cpu);
    let key = |row: &Row| row.ts.min(LoserTree::MAX_KEY);
    let mut order = LoserTree::new(cpus.iter_mut().map(|(_, rows)| rows.peek().map(key)));
    let mut hashed = Output::new(0, first_ns);
    while let Some((next, _)) = order.winner() {
        let Some((cpu, rows)) = cpus.get_mut(next) else { break };
        if let Some(row) = rows.next() {
            hashed.hash_row(*cpu, row.ts.saturating_sub(first_ns), &row);
        }
        order.replace(rows.peek().map(key));
    }
    hashed.hash
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::run;
    use crate::generate::{fairbench, responsebench};
    use crate::machine::Machine;

    const SECOND: Ns = 1_000_000_000;

    #[test]
    fn the_ideal_has_shares_and_no_switches() {
        let outcome = Outcome::ideal(&fairbench(), 1, 10 * SECOND);
        assert_eq!((outcome.switches, outcome.rows, outcome.span_ns), (0, 0, 10 * SECOND));
        let sum: Ns = outcome.cpu_ns.iter().sum();
        assert!(sum.abs_diff(10 * SECOND) < 100, "{sum}");
        assert!(outcome.cpu_ns.windows(2).all(|pair| pair[1] <= pair[0]));
    }

    /// A run whose rows are taken as a recording is the same run.
    #[test]
    fn a_recording_is_its_rows() {
        let limits = Limits {
            until_ns: Some(SECOND),
            ..Limits::default()
        };
        let workload = responsebench(SECOND);
        let made = || run(&workload, &Machine::flat(3), &"rr".parse().unwrap(), limits).unwrap();
        let (first, again) = (made(), made());
        let (hash, rows, switches) = (first.hash, first.rows, first.switches);
        let recorded = Outcome::recorded(again.scans, &workload);
        assert_eq!(
            (recorded.hash, recorded.rows, recorded.switches),
            (hash, rows, switches)
        );
        assert_eq!(recorded.span_ns, SECOND);
    }
}
