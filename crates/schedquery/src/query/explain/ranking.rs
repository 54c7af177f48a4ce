//! The order in which to look at findings.
//!
//! Costs of different kinds are not comparable: a gap counts every task that did not run, a latency one wakeup. So the
//! kinds take turns: the n-th finding of a kind is ranked as if it cost its n²-th part, so that a list of twenty is not
//! twenty times the same. A finding that repeats another is folded into it. Preemptions by commands that are not known
//! to be kernel threads come last, because taking turns is how tasks share CPUs. Findings that missing records may have
//! caused come after all certain ones, and take no place from them.

use super::finding::{Finding, FindingKind};
use crate::query::select::refs::RunPlace;
use schedmodel::Trace;
use schedrows::sort_by_keys;
use std::collections::HashMap;

/// Multiple of the listed number of findings to look for, because some are folded.
const CANDIDATES: usize = 4;
/// The same if records are missing: false findings often cost more than certain ones.
const CANDIDATES_IN_DOUBT: usize = 32;

/// How many findings of a kind to look for in order to list `top`.
pub(crate) fn candidates(trace: &Trace, top: usize) -> usize {
    let times = match trace.holes.all() {
        [] => CANDIDATES,
        _ => CANDIDATES_IN_DOUBT,
    };
    top.saturating_mul(times)
}

/// Kinds that are about one wait or one wakeup, the most telling first. Of several about the same run, only the first
/// is listed.
const ABOUT_A_WAIT: [FindingKind; 5] = [
    FindingKind::MovedOffIdle,
    FindingKind::Overload,
    FindingKind::Wait,
    FindingKind::Latency,
    FindingKind::CallWait,
];

/// The findings to list, at most `top` of each kind, in order.
pub(crate) fn ranked(mut found: Vec<Finding>, top: usize) -> Vec<Finding> {
    let telling = |kind: FindingKind| ABOUT_A_WAIT.iter().position(|&other| other == kind);
    // Stable: ties stay in the order in which they were found.
    sort_by_keys(&mut found, |finding| {
        let Finding { kind, uncertain, .. } = *finding;
        let telling = telling(kind).map_or(0, |place| place as u64 + 1);
        [
            telling << 16 | (kind as u64) << 8 | u64::from(uncertain),
            !finding.cost_ns,
        ]
    });
    let mut listed: Vec<(u64, Finding)> = Vec::new();
    let mut runs: HashMap<RunPlace, usize> = HashMap::new();
    for of_kind in found.chunk_by(|a, b| a.kind == b.kind) {
        let first = listed.len();
        for finding in of_kind {
            let run = finding.run.filter(|_| telling(finding.kind).is_some());
            let same_run = run.and_then(|run| runs.get(&run).copied());
            let of_kind = || listed.iter().enumerate().skip(first);
            let same = || of_kind().find(|(_, (_, told))| same_story(told, finding));
            let told = same_run.or_else(|| same().map(|(told, _)| told));
            let told = told.and_then(|told| listed.get_mut(told));
            if let Some((_, told)) = told.filter(|(_, told)| finding.uncertain || !told.uncertain) {
                told.folded += 1;
                continue;
            }
            let before = listed.len() - first;
            if top <= before {
                continue;
            }
            let nth = before as u64 + 1;
            runs.extend(run.map(|run| (run, listed.len())));
            listed.push((finding.cost_ns / nth.saturating_mul(nth), finding.clone()));
        }
    }
    let usual = |kind| kind == FindingKind::Preemption;
    sort_by_keys(&mut listed, |(_, finding)| [finding.kind as u64, finding.start_ns.0]);
    sort_by_keys(&mut listed, |(weight, finding)| {
        let last = u64::from(finding.uncertain) << 1 | u64::from(usual(finding.kind));
        [last, !weight]
    });
    listed.into_iter().map(|(_, finding)| finding).collect()
}

/// Whether the less costly of two findings of a kind repeats the other: same command, about the same time.
fn same_story(told: &Finding, lesser: &Finding) -> bool {
    let (from, to) = (told.start_ns.max(lesser.start_ns), told.end_ns.min(lesser.end_ns));
    let shorter = (told.end_ns - told.start_ns).min(lesser.end_ns - lesser.start_ns);
    told.comm == lesser.comm && from < to && shorter <= 2 * (to - from)
}
