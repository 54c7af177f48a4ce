//! In which order to look at findings.
//!
//! Kinds cost different things: a gap counts every task that did not run, a latency one wakeup. So the kinds take turns: the
//! n-th of its kind counts as a n²-th of its cost, and a list of twenty is not twenty times the same. What tells a story
//! that is told already is folded into the finding that tells it. That commands take CPUs from each other is how time is
//! shared: what is not known to be of the kernel's threads comes last. What may be none, since records are missing, comes
//! behind all that is certain, and takes no place from it.

use super::findings::{Finding, FindingKind};
use super::name::RunPlace;
use schedmodel::Trace;
use std::cmp::Reverse;
use std::collections::HashMap;

/// How many times as many findings of a kind to look for as are listed: some are folded.
const CANDIDATES: usize = 4;
/// The same where records are missing: what is certain costs less than what comes of that, often.
const CANDIDATES_IN_DOUBT: usize = 32;

/// How many findings of a kind to look for, of which `top` are listed.
pub(crate) fn candidates(trace: &Trace, top: usize) -> usize {
    let times = match trace.holes.all() {
        [] => CANDIDATES,
        _ => CANDIDATES_IN_DOUBT,
    };
    top.saturating_mul(times)
}

/// Kinds that are about one wait or one wakeup, the most telling first: of several about the same run the first is listed.
const ABOUT_A_WAIT: [FindingKind; 4] = [
    FindingKind::MovedOffIdle,
    FindingKind::Overload,
    FindingKind::Wait,
    FindingKind::Latency,
];

/// The findings to list, at most `top` of each kind, in order.
pub(crate) fn ranked(mut found: Vec<Finding>, top: usize) -> Vec<Finding> {
    let telling = |kind: FindingKind| ABOUT_A_WAIT.iter().position(|&other| other == kind);
    // Stable: ties stay in the order in which they were found.
    found.sort_by_key(|finding| {
        let Finding { kind, uncertain, .. } = *finding;
        (telling(kind), kind, uncertain, Reverse(finding.cost_ns))
    });
    let mut listed: Vec<(u64, Finding)> = Vec::new();
    let mut runs: HashMap<RunPlace, usize> = HashMap::new();
    for of_kind in found.chunk_by(|a, b| a.kind == b.kind) {
        let first = listed.len();
        for finding in of_kind {
            let run = finding.run.filter(|_| telling(finding.kind).is_some());
            let same_run = run.and_then(|run| runs.get(&run).copied());
            let told = same_run.or_else(|| (first..listed.len()).find(|&told| same_story(&listed[told].1, finding)));
            let told = told.filter(|&told| finding.uncertain || !listed[told].1.uncertain);
            if let Some(told) = told {
                listed[told].1.folded += 1;
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
    listed.sort_by_key(|(weight, finding)| {
        let Finding { kind, uncertain, .. } = *finding;
        (uncertain, usual(kind), Reverse(*weight), kind, finding.start_ns)
    });
    listed.into_iter().map(|(_, finding)| finding).collect()
}

/// Of two findings of a kind, whether the lesser one adds nothing: it is about the same command at about the same time.
fn same_story(told: &Finding, lesser: &Finding) -> bool {
    let (from, to) = (told.start_ns.max(lesser.start_ns), told.end_ns.min(lesser.end_ns));
    let shorter = (told.end_ns - told.start_ns).min(lesser.end_ns - lesser.start_ns);
    told.comm == lesser.comm && from < to && shorter <= 2 * (to - from)
}
