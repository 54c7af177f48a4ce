//! The warning that every command prints about a trace with missing records.

use schedmodel::Trace;
use schedquery::query::{cpu_list, Damage};
use schedrows::words::counted;

use crate::text::Times;

/// The most CPUs that are named with the time at which their records end.
const MOST_ENDS: usize = 3;

/// The warning, if there is one: so much is missing that all numbers are affected, or something is missing or in
/// conflict somewhere.
pub fn warning(trace: &Trace, times: Times) -> Option<String> {
    if let Some(damage) = Damage::of(trace) {
        let what = in_words(&damage, times);
        return Some(format!(
            "{what}. What may be wrong for that is marked as uncertain; corelane info says more"
        ));
    }
    let found = trace.diagnostics.iter().map(|found| found.count).sum::<u64>();
    let warning = format!(
        "{} where events were lost, are missing or contradict others; corelane info says which",
        counted(found, "place")
    );
    (0 < found).then_some(warning)
}

/// A sentence such as `the file is cut off: CPUs 4-7 have no data, CPU 3 ends at 2.500000000 s`.
pub fn in_words(damage: &Damage, times: Times) -> String {
    let Damage {
        cut,
        unknown_share,
        cpus,
        without_data,
        ends,
    } = damage;
    let mut parts = Vec::new();
    if !without_data.is_empty() {
        let has = if without_data.len() == 1 { "has" } else { "have" };
        parts.push(format!("{} {has} no data", named(without_data)));
    }
    if ends.len() <= MOST_ENDS {
        parts.extend(
            ends.iter()
                .map(|end| format!("CPU {} ends at {}", end.cpu, times.at(end.at_ns))),
        );
    } else {
        let early: Vec<u32> = ends.iter().map(|end| end.cpu).collect();
        let first = ends.iter().map(|end| end.at_ns).min().unwrap_or_default();
        parts.push(format!("{} end early, the first at {}", named(&early), times.at(first)));
    }
    if !cut {
        let share = format!(
            "{} of all CPU time is unknown, on {}",
            percent(*unknown_share),
            named(cpus)
        );
        return format!("many events are missing: {}", [vec![share], parts].concat().join(", "));
    }
    if parts.is_empty() {
        parts.push("no CPU is known to lack events".to_owned());
    }
    format!("the file is cut off: {}", parts.join(", "))
}

/// A share as a whole number of percent; 100 % is all of it.
fn percent(share: f64) -> String {
    let percent = 100.0 * share;
    match percent {
        99.5..100.0 => "more than 99 %".to_owned(),
        _ => format!("{percent:.0} %"),
    }
}

fn named(cpus: &[u32]) -> String {
    let noun = if cpus.len() == 1 { "CPU" } else { "CPUs" };
    format!("{noun} {}", cpu_list(cpus))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_all_is_called_all() {
        for (share, words) in [
            (0.424, "42 %"),
            (0.994, "99 %"),
            (0.996, "more than 99 %"),
            (1.0, "100 %"),
        ] {
            assert_eq!(percent(share), words);
        }
    }
}
