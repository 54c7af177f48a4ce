//! The order in which to look at findings: the costliest first, whatever its kind.
//!
//! Findings that missing records may have caused come after all certain ones. Preemptions by commands that are not known to be
//! kernel threads come after the others, because taking turns is how tasks share CPUs. A finding that repeats a costlier one is
//! folded into it.
//!
//! What is folded does not depend on how many findings are listed: of each kind, a short list is the beginning of a long one.

use super::finding::{Finding, FindingKind};
use crate::query::select::refs::RunPlace;
use schedrows::sort_by_keys;
use std::collections::HashMap;

/// Of so many of each kind other kinds are folded into them, and they are counted where they are folded: a number that does not depend
/// on the length of the list.
const LOOKED_AT: usize = if cfg!(debug_assertions) { 16 } else { 256 };
/// Multiple of the listed number of findings to look for, because some are folded.
const CANDIDATES: usize = 8;

/// How many findings of a kind to look for in order to list `top`.
pub(crate) fn candidates(top: usize) -> usize {
    top.saturating_mul(CANDIDATES).max(LOOKED_AT)
}

/// Kinds that are about one wait or one wakeup, the most telling first. A finding about a run is folded into a costlier one about the
/// same run if that says as much.
const ABOUT_A_WAIT: [FindingKind; 5] = [
    FindingKind::MovedOffIdle,
    FindingKind::Overload,
    FindingKind::Wait,
    FindingKind::Latency,
    FindingKind::CallWait,
];

fn telling(kind: FindingKind) -> Option<usize> {
    ABOUT_A_WAIT.iter().position(|&other| other == kind)
}

/// The findings to list, at most `top` of each kind, in order.
pub(crate) fn ranked(mut found: Vec<Finding>, top: usize) -> Vec<Finding> {
    // Stable: ties stay in the order in which they were found.
    sort_by_keys(&mut found, |finding| {
        let place = telling(finding.kind).unwrap_or(ABOUT_A_WAIT.len()) as u64;
        [place << 8 | finding.kind as u64, finding.start_ns.0]
    });
    sort_by_keys(&mut found, |finding| {
        let is_usual = finding.kind == FindingKind::Preemption;
        let class = u64::from(finding.uncertain) << 1 | u64::from(is_usual);
        [class, !finding.cost_ns]
    });
    let mut kept: Vec<Finding> = Vec::new();
    let mut kinds = [(); FindingKind::COUNT].map(|()| OfKind::default());
    let mut runs: HashMap<RunPlace, Vec<usize>> = HashMap::new();
    for finding in found {
        let Some(of_kind) = kinds.get_mut(finding.kind as usize) else {
            continue;
        };
        of_kind.looked_at += 1;
        let is_looked_at = of_kind.looked_at <= LOOKED_AT;
        let run = finding.run.filter(|_| telling(finding.kind).is_some());
        let of_run = run.and_then(|run| runs.get(&run)).into_iter().flatten();
        let mut costlier = of_kind.kept.iter().chain(of_run);
        let into = costlier.find(|&&number| kept.get(number).is_some_and(|kept| repeats(kept, &finding)));
        if let Some(&number) = into {
            if let Some(into) = kept.get_mut(number).filter(|_| is_looked_at) {
                into.folded += 1;
            }
        } else if of_kind.kept.len() < top.max(LOOKED_AT) {
            of_kind.kept.push(kept.len());
            if let Some(run) = run.filter(|_| is_looked_at) {
                runs.entry(run).or_default().push(kept.len());
            }
            kept.push(finding);
        }
    }
    let mut listed = [0; FindingKind::COUNT];
    kept.retain(|finding| {
        let of_kind = listed.get_mut(finding.kind as usize);
        of_kind.is_some_and(|listed| {
            *listed += 1;
            *listed <= top
        })
    });
    kept
}

/// Findings of one kind.
#[derive(Default)]
struct OfKind {
    looked_at: usize,
    /// The numbers of those that are not folded.
    kept: Vec<usize>,
}

/// Whether a finding repeats one that comes before it and costs no less: one of its kind that tells the same story, or one that says
/// as much about the same run.
fn repeats(costlier: &Finding, finding: &Finding) -> bool {
    let says_more = || match (telling(costlier.kind), telling(finding.kind)) {
        (Some(place), Some(other)) => place < other && costlier.run == finding.run,
        _ => false,
    };
    finding.cost_ns <= costlier.cost_ns
        && match costlier.kind == finding.kind {
            true => same_story(costlier, finding),
            false => says_more(),
        }
}

/// Whether the less costly of two findings of a kind repeats the other: about the same run, or the same command at about the same
/// time.
fn same_story(costlier: &Finding, lesser: &Finding) -> bool {
    let (from, to) = (
        costlier.start_ns.max(lesser.start_ns),
        costlier.end_ns.min(lesser.end_ns),
    );
    let shorter = (costlier.end_ns - costlier.start_ns).min(lesser.end_ns - lesser.start_ns);
    let same_run = lesser.run.is_some() && costlier.run == lesser.run && telling(lesser.kind).is_some();
    same_run || from < to && shorter <= 2 * (to - from) && costlier.comm == lesser.comm
}
