//! What `corelane replay` prints.

use std::fmt::{self, Write};

use ::replay::assume::Assumption;
use ::replay::compare::{Command, Metrics, Spread};
use ::replay::decisions::{Agreement, Decisions};
use ::replay::fit::Explained;
use ::replay::identity::{Difference, Identity};
use ::replay::machine::Machine;
use ::replay::policy::Spec;
use ::replay::Workload;
use serde::Serialize;

use crate::text::json;
use crate::visible::visible;
use crate::workload::WorkloadJson;
use crate::Failure;

/// The JSON of the command; its text is made of the same.
#[derive(Serialize)]
pub struct Answer {
    workload: WorkloadJson,
    policy: PolicyJson,
    machine: MachineJson,
    hash: String,
    recorded: Option<RunJson>,
    simulated: RunJson,
    accuracy: Option<AccuracyJson>,
    blocks_skipped: u64,
    engine_events: u64,
    commands: Vec<CommandJson>,
    assumptions: Vec<AssumptionJson>,
}

#[derive(Serialize)]
struct PolicyJson {
    name: &'static str,
    text: String,
}

#[derive(Serialize)]
struct MachineJson {
    cpus: u32,
    tick_ns: u64,
    wake_ns: u64,
    idle_exit_ns: u64,
    switch_ns: u64,
    migrate_core_ns: u64,
    migrate_llc_ns: u64,
    migrate_socket_ns: u64,
    smt: f64,
    topology_given: bool,
}

#[derive(Serialize)]
struct RunJson {
    switches: u64,
    migrations: u64,
    waits_ns: SpreadJson,
    preempted_runs_ns: SpreadJson,
    violation_ns: u64,
    jain: Option<f64>,
}

#[derive(Serialize)]
struct SpreadJson {
    count: u64,
    p50: u64,
    p90: u64,
    p99: u64,
    max: u64,
    sum: u64,
}

#[derive(Serialize)]
struct AccuracyJson {
    cpu_curve: Option<CurveJson>,
    wait_distance: Option<f64>,
    switch_ratio: Option<f64>,
}

#[derive(Serialize)]
struct CurveJson {
    mean: f64,
    max: f64,
}

#[derive(Serialize)]
struct CommandJson {
    comm: String,
    recorded: Option<SharesJson>,
    simulated: Option<SharesJson>,
}

#[derive(Serialize)]
struct SharesJson {
    execution_ns: u64,
    switches: u64,
    waits_ns: SpreadJson,
}

#[derive(Serialize)]
struct AssumptionJson {
    kind: &'static str,
    count: u64,
    text: String,
}

#[derive(Serialize)]
struct FittedJson {
    policy: PolicyJson,
    tick_ns: u64,
    cpu_curve: Option<CurveJson>,
    wait_distance: Option<f64>,
    switch_ratio: Option<f64>,
}

impl Answer {
    #[expect(clippy::too_many_arguments, reason = "each is a part of the answer")]
    pub fn new(
        workload: &Workload,
        policy: &Spec,
        machine: &Machine,
        (hash, blocks_skipped, engine_events): (u64, u64, u64),
        recorded: Option<(Metrics, Option<f64>)>,
        simulated: (Metrics, Option<f64>),
        accuracy: Option<Explained>,
        assumptions: Vec<Assumption>,
    ) -> Answer {
        let commands = commands(recorded.as_ref().map(|(metrics, _)| metrics), &simulated.0);
        Answer {
            workload: WorkloadJson::of(workload),
            policy: policy_json(policy),
            machine: MachineJson {
                cpus: machine.cpus(),
                tick_ns: machine.tick_ns,
                wake_ns: machine.wake_ns,
                idle_exit_ns: machine.idle_exit_ns,
                switch_ns: machine.switch_ns,
                migrate_core_ns: machine.migration.core_ns,
                migrate_llc_ns: machine.migration.llc_ns,
                migrate_socket_ns: machine.migration.socket_ns,
                smt: f64::from(machine.smt) / 1024.0,
                topology_given: machine.topology_given,
            },
            hash: format!("{hash:016x}"),
            recorded: recorded.map(run_json),
            simulated: run_json(simulated),
            accuracy: accuracy.map(|found| AccuracyJson {
                cpu_curve: found.cpu_curve.map(|curve| CurveJson {
                    mean: curve.mean,
                    max: curve.max,
                }),
                wait_distance: found.wait_distance,
                switch_ratio: found.switch_ratio,
            }),
            blocks_skipped,
            engine_events,
            commands,
            assumptions: assumptions
                .into_iter()
                .map(|Assumption { kind, count, text }| AssumptionJson { kind, count, text })
                .collect(),
        }
    }

    pub fn print(&self, as_json: bool) -> Result<String, Failure> {
        if as_json {
            return json(self);
        }
        let mut out = String::new();
        self.write(&mut out).map_err(|error| Failure(error.to_string()))?;
        Ok(out)
    }

    fn write(&self, out: &mut String) -> fmt::Result {
        let machine = &self.machine;
        writeln!(
            out,
            "{} on {} CPUs, a tick every {} ms; run {}\n",
            self.policy.text,
            machine.cpus,
            machine.tick_ns as f64 / 1e6,
            self.hash
        )?;
        writeln!(out, "{:22}{:>16}{:>16}", "", "recorded", "simulated")?;
        let line = |out: &mut String, name: &str, of: &dyn Fn(&RunJson) -> String| {
            let recorded = self.recorded.as_ref().map_or("-".to_owned(), of);
            writeln!(out, "{name:22}{recorded:>16}{:>16}", of(&self.simulated))
        };
        line(out, "switches", &|run| run.switches.to_string())?;
        line(out, "migrations", &|run| run.migrations.to_string())?;
        line(out, "waits", &|run| run.waits_ns.count.to_string())?;
        line(out, "  median", &|run| ms(run.waits_ns.p50))?;
        line(out, "  90 %", &|run| ms(run.waits_ns.p90))?;
        line(out, "  99 %", &|run| ms(run.waits_ns.p99))?;
        line(out, "  longest", &|run| ms(run.waits_ns.max))?;
        line(out, "preempted runs", &|run| run.preempted_runs_ns.count.to_string())?;
        line(out, "  median", &|run| ms(run.preempted_runs_ns.p50))?;
        line(out, "waiting beside idle", &|run| ms(run.violation_ns))?;
        line(out, "Jain's index", &|run| ratio(run.jain))?;
        if let Some(accuracy) = &self.accuracy {
            let curve = accuracy.cpu_curve.as_ref();
            let percent = |part: f64| format!("{:.1} %", part * 100.0);
            writeln!(
                out,
                "\nCPU curves differ by {}, at most {}; waits by {}; switches: {} of those recorded",
                curve.map_or("-".to_owned(), |curve| percent(curve.mean)),
                curve.map_or("-".to_owned(), |curve| percent(curve.max)),
                ratio(accuracy.wait_distance),
                ratio(accuracy.switch_ratio)
            )?;
        }
        writeln!(
            out,
            "\n{:18}{:>16}{:>16}{:>16}{:>16}",
            "command", "CPU time", "", "longest wait", ""
        )?;
        for command in &self.commands {
            let both = |of: &dyn Fn(&SharesJson) -> u64| {
                let one = |shares: &Option<SharesJson>| shares.as_ref().map_or("-".to_owned(), |shares| ms(of(shares)));
                format!("{:>16}{:>16}", one(&command.recorded), one(&command.simulated))
            };
            let (used, waited) = (both(&|shares| shares.execution_ns), both(&|shares| shares.waits_ns.max));
            writeln!(out, "{:18}{used}{waited}", visible(&command.comm))?;
        }
        writeln!(out, "\nassumed:")?;
        for assumption in &self.assumptions {
            writeln!(
                out,
                "{:>10}  {}: {}",
                assumption.count, assumption.kind, assumption.text
            )?;
        }
        Ok(())
    }
}

fn ms(ns: u64) -> String {
    format!("{}.{:06} ms", ns / 1_000_000, ns % 1_000_000)
}

fn ratio(number: Option<f64>) -> String {
    number.map_or("-".to_owned(), |number| format!("{number:.3}"))
}

fn policy_json(policy: &Spec) -> PolicyJson {
    PolicyJson {
        name: policy.name(),
        text: policy.to_string(),
    }
}

fn run_json((metrics, jain): (Metrics, Option<f64>)) -> RunJson {
    RunJson {
        switches: metrics.switches,
        migrations: metrics.migrations,
        waits_ns: spread_json(metrics.waits),
        preempted_runs_ns: spread_json(metrics.preempted_runs),
        violation_ns: metrics.violation_ns,
        jain,
    }
}

fn spread_json(spread: Spread) -> SpreadJson {
    let Spread {
        count,
        p50,
        p90,
        p99,
        max,
        sum,
    } = spread;
    SpreadJson {
        count,
        p50,
        p90,
        p99,
        max,
        sum,
    }
}

/// Of both runs, the one with most CPU time first.
fn commands(recorded: Option<&Metrics>, simulated: &Metrics) -> Vec<CommandJson> {
    let shares = |command: &Command| SharesJson {
        execution_ns: command.execution_ns,
        switches: command.switches,
        waits_ns: spread_json(command.waits),
    };
    let of_recorded = recorded.iter().flat_map(|metrics| metrics.commands.keys());
    let mut names: Vec<&String> = simulated.commands.keys().chain(of_recorded).collect();
    names.sort_unstable();
    names.dedup();
    let mut found: Vec<CommandJson> = names
        .into_iter()
        .map(|comm| CommandJson {
            comm: comm.clone(),
            recorded: recorded.and_then(|metrics| metrics.commands.get(comm)).map(shares),
            simulated: simulated.commands.get(comm).map(shares),
        })
        .collect();
    let used = |shares: &Option<SharesJson>| shares.as_ref().map_or(0, |shares| shares.execution_ns);
    found.sort_by_key(|command| std::cmp::Reverse(used(&command.recorded).max(used(&command.simulated))));
    found
}

/// What `--fit` prints.
pub fn fitted(found: &[Explained], as_json: bool) -> Result<String, Failure> {
    let rows: Vec<FittedJson> = found
        .iter()
        .map(|found| FittedJson {
            policy: policy_json(&found.policy),
            tick_ns: found.tick_ns,
            cpu_curve: found.cpu_curve.map(|curve| CurveJson {
                mean: curve.mean,
                max: curve.max,
            }),
            wait_distance: found.wait_distance,
            switch_ratio: found.switch_ratio,
        })
        .collect();
    if as_json {
        return json(&rows);
    }
    let mut out = format!(
        "{:>8}{:>10}{:>10}{:>10}  policy\n",
        "tick", "waits", "curve", "switches"
    );
    for row in rows {
        let curve = row
            .cpu_curve
            .map_or("-".to_owned(), |curve| format!("{:.1} %", curve.mean * 100.0));
        let line = writeln!(
            out,
            "{:>5} ms{:>10}{:>10}{:>10}  {}",
            row.tick_ns / 1_000_000,
            ratio(row.wait_distance),
            curve,
            ratio(row.switch_ratio),
            row.policy.text
        );
        line.map_err(|error| Failure(error.to_string()))?;
    }
    Ok(out)
}

#[derive(Serialize)]
struct IdentityJson {
    runs: u64,
    blocks: u64,
    wakeups: u64,
    differences: u64,
}

/// What `--identity` prints.
pub fn identical(found: Identity, as_json: bool) -> Result<String, Failure> {
    let Identity {
        runs,
        blocks,
        wakeups,
        differences,
        listed,
    } = found;
    if as_json {
        return json(&IdentityJson {
            runs,
            blocks,
            wakeups,
            differences,
        });
    }
    let mut out = format!("{runs} runs, {blocks} blocks, {wakeups} wakeups; {differences} differences\n");
    for Difference { pid, used_ns, kind } in listed {
        out.push_str(&format!(
            "  {pid}, after {} of CPU time: {}\n",
            ms(used_ns),
            kind.name()
        ));
    }
    Ok(out)
}

#[derive(Serialize)]
struct DecisionsJson {
    picks: AgreementJson,
    placement: AgreementJson,
    disagreements: Vec<DisagreementJson>,
}

#[derive(Serialize)]
struct AgreementJson {
    asked: u64,
    agreed: u64,
}

#[derive(Serialize)]
struct DisagreementJson {
    at_ns: u64,
    cpu: u32,
    recorded: i64,
    policy: i64,
    kind: &'static str,
}

/// How many disagreements a text lists.
const LISTED: usize = 20;

/// What `--decisions` prints.
pub fn decided(found: &Decisions, as_json: bool) -> Result<String, Failure> {
    let agreement = |Agreement { asked, agreed }| AgreementJson { asked, agreed };
    let disagreements = found.disagreements.iter().map(|found| DisagreementJson {
        at_ns: found.at_ns,
        cpu: found.cpu,
        recorded: found.recorded,
        policy: found.policy,
        kind: found.kind,
    });
    if as_json {
        return json(&DecisionsJson {
            picks: agreement(found.picks),
            placement: agreement(found.placement),
            disagreements: disagreements.collect(),
        });
    }
    let mut out = String::new();
    for (name, of) in [("picks", found.picks), ("placement", found.placement)] {
        let percent = if of.asked == 0 {
            0.0
        } else {
            of.agreed as f64 * 100.0 / of.asked as f64
        };
        out.push_str(&format!(
            "{name:10}{:>10} asked{:>10} agreed{percent:>8.1} %\n",
            of.asked, of.agreed
        ));
    }
    for one in disagreements.take(LISTED) {
        let at = one.at_ns as f64 / 1e9;
        let line = format!(
            "{at:>16.9}  CPU {:<4}{:10}recorded {}, policy {}\n",
            one.cpu, one.kind, one.recorded, one.policy
        );
        out.push_str(&line);
    }
    Ok(out)
}
