//! Which runs end by a yield, as system calls show, and what that makes of lengths of runs and of preemptions.

use crate::syscalls::load;
use schedmodel::Trace;
use schedquery::query::{findings, latency, Finding, FindingKind, GroupBy, RunLengths, Selection};

/// `a` and `b` share a CPU. Number 24 is `sched_yield`.
const STORY: &str = "cpus 1
    0   cpu0 switch swapper/0:0 R -> a:10
    5   cpu0 sys_enter 39
    6   cpu0 sys_exit 39 10
    10  cpu0 sys_enter 24
    # It yields.
    20  cpu0 switch a:10 R -> b:11
    30  cpu0 switch b:11 R+ -> a:10
    35  cpu0 sys_exit 24 0
    # Outside of calls: preempted on the way to user space, as an R does not say.
    40  cpu0 switch a:10 R -> b:11
    50  cpu0 sys_enter 24
    # Preempted inside sched_yield.
    60  cpu0 switch b:11 R+ -> a:10
    70  cpu0 switch a:10 S -> b:11
    # It is still in the call that it entered in an earlier run.
    80  cpu0 switch b:11 R -> a:10
    90  cpu0 switch a:10 S -> swapper/0:0";

fn runs(trace: &Trace) -> RunLengths {
    latency(trace, &Selection::default(), GroupBy::Command, 0).runs
}

/// Count and sum of the runs that ended still runnable, and of those that yielded.
fn told(runs: &RunLengths) -> [(usize, u64); 2] {
    [&runs.preempted, &runs.yielded].map(|measured| (measured.count, measured.ns.sum))
}

fn preemptions(trace: &Trace) -> Vec<Finding> {
    let mut found = findings(trace, &Selection::default(), 100);
    found.retain(|finding| finding.kind == FindingKind::Preemption);
    found
}

#[test]
fn a_run_that_ends_inside_sched_yield_yielded() {
    for layout in [
        "version 7",
        "version 6\nendian big",
        "version 7\nlong 4\nstrings data_loc\ncommon lazy",
    ] {
        let (trace, _) = load(&format!("{layout}\nmachine x86_64"), STORY);
        let runs = runs(&trace);
        assert_eq!(told(&runs), [(4, 50), (1, 20)], "{layout}");
        assert_eq!((runs.all.count, runs.slept.count), (7, 2));
        let [first, second] = &preemptions(&trace)[..] else {
            panic!("a and b")
        };
        let known = |finding: &Finding| {
            finding
                .preempted
                .clone()
                .map(|known| (known.involuntary, known.end_state))
        };
        assert_eq!((first.comm.as_str(), first.count, first.cost_ns), ("a", 3, 30));
        assert_eq!(known(first), Some((2, "R+".to_owned())));
        assert_eq!((second.comm.as_str(), second.count, second.cost_ns), ("b", 1, 20));
        assert_eq!(known(second), Some((0, "R".to_owned())));
    }
}

#[test]
fn numbers_of_calls_are_those_of_the_machine() {
    let (trace, _) = load("version 7", STORY);
    assert_eq!(told(&runs(&trace)), [(5, 70), (0, 0)]);
    let arm = STORY.replace("sys_enter 24", "sys_enter 124");
    let (trace, _) = load("version 7\nmachine aarch64", &arm);
    assert_eq!(told(&runs(&trace)), [(4, 50), (1, 20)]);
}

#[test]
fn without_returns_a_call_is_not_known_to_last() {
    let entered: Vec<&str> = STORY.lines().filter(|line| !line.contains("sys_exit")).collect();
    let (trace, _) = load("version 7\nmachine x86_64", &entered.join("\n"));
    assert_eq!(told(&runs(&trace)), [(5, 70), (0, 0)]);
}

#[test]
fn lost_events_may_have_been_a_return() {
    let lost = STORY.replace("20  cpu0 switch a:10 R", "15  cpu0 lost\n    20  cpu0 switch a:10 R");
    let (trace, _) = load("version 7\nmachine x86_64", &lost);
    assert_eq!(told(&runs(&trace))[1], (0, 0));
}
