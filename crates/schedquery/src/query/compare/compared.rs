//! Two sides beside each other.

use super::rank::{shift, Shift};
use super::sample::Sample;
use super::side::{Side, SideCommand};
use serde::Serialize;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use ts_rs::TS;

/// JSON of `corelane compare`; durations are in ns.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
pub struct Comparison {
    /// The first trace.
    pub first: SideTotals,
    /// The other one.
    pub other: SideTotals,
    /// The commands of both; those whose waiting differs most come first, then those whose execution does.
    pub commands: Vec<ComparedCommand>,
}

/// A trace as a whole.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, TS)]
pub struct SideTotals {
    /// How long it is.
    pub length_ns: u64,
    /// How many CPUs it has.
    pub cpus: u32,
    /// How long its tasks ran, summed over them.
    pub execution_ns: u64,
    /// How long they waited, summed over them.
    pub waiting_ns: u64,
    /// How long some task waited behind another while some CPU was spare.
    pub behind_ns: u64,
    /// The integral of min(tasks behind others, spare CPUs).
    pub behind_cost_task_ns: u64,
    /// Runs.
    pub runs: u64,
    /// Migrations.
    pub migrations: u64,
}

/// A command in both traces.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
pub struct ComparedCommand {
    /// Its comm.
    pub comm: String,
    /// In the first trace; all 0 where it is not there.
    pub first: CommandNumbers,
    /// In the other one.
    pub other: CommandNumbers,
    /// How wake-up latencies differ; null if there are fewer than eight in one of them.
    pub latency: Option<Shift>,
    /// How waits differ.
    pub wait: Option<Shift>,
}

/// The numbers of a command in one trace.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, TS)]
pub struct CommandNumbers {
    /// How long it ran.
    pub execution_ns: u64,
    /// How long its tasks waited.
    pub waiting_ns: u64,
    /// Of this, behind another while some CPU was spare.
    pub behind_ns: u64,
    /// Runs.
    pub runs: u64,
    /// Migrations.
    pub migrations: u64,
    /// Wake-up latencies.
    pub latency: Spot,
    /// Waits.
    pub wait: Spot,
}

/// What is said of a sample.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, TS)]
pub struct Spot {
    /// How many.
    pub count: u64,
    /// The median, and the 95 % confidence interval around it.
    pub p50: Option<u64>,
    /// Its begin; null for fewer than six.
    pub p50_low: Option<u64>,
    /// Its end.
    pub p50_high: Option<u64>,
    /// 99 % are at most this.
    pub p99: Option<u64>,
    /// The longest.
    pub max: Option<u64>,
}

impl From<&Sample> for Spot {
    fn from(sample: &Sample) -> Spot {
        let &Sample {
            count,
            p50,
            p50_low,
            p50_high,
            p99,
            max,
            ..
        } = sample;
        Spot {
            count,
            p50,
            p50_low,
            p50_high,
            p99,
            max,
        }
    }
}

impl From<&SideCommand> for CommandNumbers {
    fn from(of: &SideCommand) -> CommandNumbers {
        CommandNumbers {
            execution_ns: of.execution_ns,
            waiting_ns: of.waiting_ns,
            behind_ns: of.behind_ns,
            runs: of.runs,
            migrations: of.migrations,
            latency: Spot::from(&of.latency),
            wait: Spot::from(&of.wait),
        }
    }
}

/// Compares two sides.
pub fn compare(first: &Side, other: &Side) -> Comparison {
    let nothing = SideCommand::default();
    let mut both = BTreeMap::<&str, [&SideCommand; 2]>::new();
    for (place, side) in [first, other].into_iter().enumerate() {
        for command in &side.commands {
            let of = both.entry(&command.comm).or_insert([&nothing; 2]);
            if let Some(of) = of.get_mut(place) {
                *of = command;
            }
        }
    }
    let mut commands: Vec<ComparedCommand> = both
        .into_iter()
        .map(|(comm, [first, other])| ComparedCommand {
            comm: comm.to_owned(),
            first: CommandNumbers::from(first),
            other: CommandNumbers::from(other),
            latency: shift(&first.latency, &other.latency),
            wait: shift(&first.wait, &other.wait),
        })
        .collect();
    commands.sort_by_key(|of| {
        Reverse((
            of.first.waiting_ns.abs_diff(of.other.waiting_ns),
            of.first.execution_ns.abs_diff(of.other.execution_ns),
        ))
    });
    Comparison {
        first: totals(first),
        other: totals(other),
        commands,
    }
}

fn totals(side: &Side) -> SideTotals {
    let sum = |of: fn(&SideCommand) -> u64| side.commands.iter().map(of).fold(0, u64::saturating_add);
    SideTotals {
        length_ns: side.length_ns,
        cpus: side.cpus,
        execution_ns: sum(|of| of.execution_ns),
        waiting_ns: sum(|of| of.waiting_ns),
        behind_ns: side.behind_ns,
        behind_cost_task_ns: side.behind_cost_task_ns,
        runs: sum(|of| of.runs),
        migrations: sum(|of| of.migrations),
    }
}
