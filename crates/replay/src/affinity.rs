//! Which tasks may run where: a trace does not tell, so it is inferred, and said.

use std::collections::{BTreeMap, HashMap};

use schedmodel::{cpu_of_name, Trace, Who};

use crate::workload::{CpuSet, Workload};

/// How long a task must have waited beside idle CPUs.
const WAITED: u64 = 100_000_000;

/// Why a task was taken to be pinned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rule {
    /// A kernel thread with `/N` in its name.
    Name,
    /// It waited while other CPUs idled.
    Waited,
    /// As most of its siblings.
    Siblings,
    /// The user said so.
    Given,
}

/// The tasks that each rule pinned, as indices of [`Workload::tasks`].
pub type Pinned = BTreeMap<Rule, Vec<usize>>;

/// Pins tasks whose names say so: `ksoftirqd/3`, `kworker/3:1H`.
pub fn by_name(workload: &mut Workload, pinned: &mut Pinned) {
    let named = workload.tasks.iter().map(|task| cpu_of_name(workload.comm_of(task)));
    let cpus: Vec<Option<u32>> = named.collect();
    for (index, (task, cpu)) in workload.tasks.iter_mut().zip(cpus).enumerate() {
        if let Some(cpu) = cpu.filter(|_| task.allowed.is_none()) {
            task.allowed = Some([cpu].into_iter().collect());
            pinned.entry(Rule::Name).or_default().push(index);
        }
    }
}

/// Pins tasks with these names to CPUs.
pub fn by_hand(workload: &mut Workload, comm: &str, cpus: &CpuSet, pinned: &mut Pinned) {
    let fits: Vec<bool> = workload
        .tasks
        .iter()
        .map(|task| workload.comms_of(task).any(|name| name == comm))
        .collect();
    for (index, (task, fits)) in workload.tasks.iter_mut().zip(fits).enumerate() {
        if fits {
            task.allowed = Some(cpus.clone());
            pinned.entry(Rule::Given).or_default().push(index);
        }
    }
}

#[derive(Clone, Copy, Default)]
struct Seen {
    last_cpu: u32,
    runs: bool,
    /// End of its last run on another CPU than its last.
    elsewhere: u64,
}

/// Pins tasks that waited while another CPU idled, and the siblings of such tasks.
pub fn by_waiting(workload: &mut Workload, trace: &Trace, pinned: &mut Pinned) {
    if trace.cpus.len() < 2 {
        return;
    }
    let mut by_id: HashMap<(i32, u32), usize> = HashMap::new();
    for (index, task) in workload.tasks.iter().enumerate() {
        by_id.insert((task.pid, task.generation), index);
        for &alias in &task.aliases {
            by_id.insert(alias, index);
        }
    }
    let task_of = |lane: &schedmodel::Lane, index: usize| {
        let who = trace.task_of(lane.run(index)?);
        by_id.get(&(who.pid, who.generation)).copied()
    };
    let mut seen = vec![Seen::default(); workload.tasks.len()];
    let mut last_end = vec![0; workload.tasks.len()];
    for (&cpu, lane) in trace.cpus.iter().zip(&trace.lanes) {
        for index in 0..lane.len() {
            let Some(task) = task_of(lane, index) else { continue };
            if let (Some(seen), Some(last)) = (seen.get_mut(task), last_end.get_mut(task)) {
                if *last <= lane.end_of(index) {
                    *last = lane.end_of(index);
                    seen.last_cpu = cpu;
                    seen.runs = true;
                }
            }
        }
    }
    for (&cpu, lane) in trace.cpus.iter().zip(&trace.lanes) {
        for index in 0..lane.len() {
            if let Some(seen) = task_of(lane, index).and_then(|task| seen.get_mut(task)) {
                if seen.last_cpu != cpu {
                    seen.elsewhere = seen.elsewhere.max(lane.end_of(index));
                }
            }
        }
    }
    let idle = idle_before(trace);
    let mut waited = vec![0_u64; workload.tasks.len()];
    let mut add = |task: usize, since: u64, until: u64| {
        if let (Some(seen), Some(waited)) = (seen.get(task), waited.get_mut(task)) {
            if seen.elsewhere <= since {
                *waited += idle_within(&idle, until).saturating_sub(idle_within(&idle, since));
            }
        }
    };
    for lane in &trace.lanes {
        for index in 0..lane.len() {
            if let (Some(task), Some(wait)) = (task_of(lane, index), lane.wait(index)) {
                add(task, wait.since, lane.start_of(index));
            }
        }
    }
    for wait in &trace.loose_waits {
        let who = trace.task_of(wait.who);
        if let Some(&task) = by_id.get(&(who.pid, who.generation)) {
            add(task, wait.since, wait.until);
        }
    }
    let pin = |workload: &mut Workload, pinned: &mut Pinned, rule: Rule, index: usize, cpu: u32| {
        if let Some(task) = workload.tasks.get_mut(index).filter(|task| task.allowed.is_none()) {
            task.allowed = Some([cpu].into_iter().collect());
            pinned.entry(rule).or_default().push(index);
        }
    };
    let mut shown: BTreeMap<(u32, u32), usize> = BTreeMap::new();
    for (index, (seen, waited)) in seen.iter().zip(&waited).enumerate() {
        let parent = workload.tasks.get(index).and_then(|task| task.parent);
        if seen.runs && WAITED <= *waited {
            pin(workload, pinned, Rule::Waited, index, seen.last_cpu);
            if let Some(parent) = parent {
                *shown.entry((parent, seen.last_cpu)).or_default() += 1;
            }
        }
    }
    let mut children: HashMap<u32, usize> = HashMap::new();
    for parent in workload.tasks.iter().filter_map(|task| task.parent) {
        *children.entry(parent).or_default() += 1;
    }
    for (index, seen) in seen.iter().enumerate().filter(|(_, seen)| seen.runs) {
        let Some(parent) = workload.tasks.get(index).and_then(|task| task.parent) else {
            continue;
        };
        // Half of the parent's children, whatever their CPU, and two of this one's.
        let of_parent: usize = shown
            .range((parent, 0)..=(parent, u32::MAX))
            .map(|(_, count)| count)
            .sum();
        let alike = shown.get(&(parent, seen.last_cpu)).copied().unwrap_or(0);
        if 2 <= alike && children.get(&parent).copied().unwrap_or(0) <= 2 * of_parent {
            pin(workload, pinned, Rule::Siblings, index, seen.last_cpu);
        }
    }
}

/// Times at which the number of idle CPUs changes from none or back, and how long some CPU has idled up to then.
fn idle_before(trace: &Trace) -> Vec<(u64, u64, bool)> {
    let mut changes: Vec<(u64, i32)> = Vec::new();
    for lane in &trace.lanes {
        for interval in lane.intervals().filter(|interval| interval.who == Who::Idle) {
            changes.extend([(interval.start, 1), (interval.end, -1)]);
        }
    }
    changes.sort_unstable();
    let (mut idle, mut sum, mut before) = (0, 0, 0);
    let mut found = Vec::new();
    for (at, change) in changes {
        sum += if 0 < idle { at - before } else { 0 };
        before = at;
        idle += change;
        found.push((at, sum, 0 < idle));
    }
    found
}

/// How long some CPU has idled up to a time.
fn idle_within(idle: &[(u64, u64, bool)], until: u64) -> u64 {
    let at = idle.partition_point(|&(at, ..)| at <= until);
    match at.checked_sub(1).and_then(|at| idle.get(at)) {
        Some(&(at, sum, true)) => sum + (until - at),
        Some(&(_, sum, false)) => sum,
        None => 0,
    }
}
