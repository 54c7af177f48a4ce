//! Two traces in numbers: each side equals what other queries say of it.

use crate::support::{arbitrary, trace};
use proptest::prelude::*;
use schedquery::query::{compare, latency, side, spare_cpus, stats, took, GroupBy, GroupName, Selection, Side};

#[test]
fn commands_of_both_are_compared() {
    let slow = "0 cpu0 switch idle -> a:10
         10 cpu0 wakeup b:11 on 0
         40 cpu0 switch a:10 S -> b:11
         60 cpu0 switch b:11 S -> idle
         90 cpu0 other";
    let fast = "0 cpu0 switch idle -> a:10
         10 cpu0 wakeup b:11 on 0
         15 cpu0 switch a:10 S -> b:11
         20 cpu0 switch b:11 S -> c:12
         90 cpu0 other";
    let of = |text| side(&trace(1, text), &Selection::default());
    let (slow, fast) = (of(slow), of(fast));
    let found = compare(&slow, &fast);
    let commands: Vec<_> = found
        .commands
        .iter()
        .map(|of| {
            (
                of.comm.as_str(),
                of.first.execution_ns,
                of.other.execution_ns,
                of.first.waiting_ns,
                of.other.waiting_ns,
            )
        })
        .collect();
    // Those whose waiting differs most come first, then those whose execution does.
    assert_eq!(commands, [("b", 20, 5, 30, 5), ("c", 0, 70, 0, 0), ("a", 40, 15, 0, 0)]);
    assert_eq!((found.first.execution_ns, found.other.execution_ns), (60, 90));
    assert_eq!(found.commands[0].wait, None, "one of each says nothing");
    assert_eq!(found.commands[0].first.wait.p50, Some(30));
    // A side goes through JSON unchanged.
    let text = serde_json::to_string(&slow).unwrap();
    assert_eq!(serde_json::from_str::<Side>(&text).unwrap(), slow);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn a_side_equals_what_other_queries_say(trace in arbitrary::trace(), selection in arbitrary::selection()) {
        let found = side(&trace, &selection);
        let all = stats(&trace, &selection);
        let sum = |of: fn(&schedquery::query::SideCommand) -> u64| found.commands.iter().map(of).sum::<u64>();
        prop_assert_eq!(sum(|of| of.execution_ns), all.commands.iter().map(|of| of.execution_ns).sum::<u64>());
        for of in all.commands.iter().filter(|of| 0 < of.execution_ns) {
            let same = found.commands.iter().find(|same| same.comm == of.comm).expect("a command that ran");
            prop_assert_eq!(same.execution_ns, of.execution_ns, "{}", of.comm);
        }
        let waits = took(&trace, &selection, GroupBy::Command, (0, 0));
        prop_assert_eq!(sum(|of| of.waiting_ns), waits.waiting_ns);
        prop_assert_eq!(sum(|of| of.behind_ns), waits.behind_ns);
        let spare = spare_cpus(&trace, &selection);
        prop_assert_eq!((found.behind_ns, found.behind_cost_task_ns), (spare.behind_ns, spare.behind_cost_task_ns));
        let latencies = latency(&trace, &selection, GroupBy::Command, 0);
        for group in &latencies.groups {
            let GroupName::Command { comm } = &group.name else { panic!("a command") };
            let Some(same) = found.commands.iter().find(|same| same.comm == *comm) else {
                continue;
            };
            for (sample, measured) in [(&same.latency, &group.wakeups), (&same.wait, &group.waits.all)] {
                prop_assert_eq!((sample.count as usize, sample.sum), (measured.count, measured.ns.sum));
                prop_assert_eq!((sample.p50, sample.p99, sample.max), (measured.ns.p50, measured.ns.p99, measured.ns.max));
                prop_assert_eq!(sample.buckets.iter().map(|one| one.1).sum::<u64>(), sample.count);
                prop_assert!(sample.p50_low.is_none_or(|low| low <= sample.p50.unwrap()));
                prop_assert!(sample.p50_high.is_none_or(|high| sample.p50.unwrap() <= high));
            }
        }
        // Compared with itself, nothing differs.
        for of in compare(&found, &found).commands {
            prop_assert_eq!(of.first, of.other);
            for shift in [of.latency, of.wait].into_iter().flatten() {
                prop_assert!((shift.other_longer - 0.5).abs() < 1e-9 && 0.999 < shift.p);
            }
        }
    }
}
