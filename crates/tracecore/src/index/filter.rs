//! The steps of some tasks and CPUs only.

use super::shown::Shown;
use crate::sched::{Counts, Steps, Trace, Who};

/// Begins and ends, each a list of times.
type Periods = (Vec<u64>, Vec<u64>);

/// The steps of the `shown` runs and waits. `lanes`: only these CPUs (by index), and the waits that ended on them.
///
/// With everything shown on all lanes they equal [`Trace::steps`].
pub fn filtered_steps(trace: &Trace, shown: &Shown, lanes: Option<&[bool]>) -> Steps {
    let (mut running, mut waiting, mut idle) = (Periods::default(), Periods::default(), Periods::default());
    let chosen = |index: usize| lanes.is_none_or(|lanes| lanes[index]);
    for (_, lane) in trace.lanes.iter().enumerate().filter(|&(index, _)| chosen(index)) {
        for (index, interval) in lane.intervals().enumerate() {
            match interval.who {
                Who::Run(id) if shown.has(id) => {
                    add(&mut running, interval.start, interval.end);
                    if let Some(wait) = lane.wait(index) {
                        add(&mut waiting, wait.since, interval.start);
                    }
                }
                Who::Idle => add(&mut idle, interval.start, interval.end),
                Who::Run(_) | Who::Unknown => {}
            }
        }
    }
    if lanes.is_none() {
        for wait in trace.loose_waits.iter().filter(|wait| shown.has(wait.who)) {
            add(&mut waiting, wait.since, wait.until);
        }
    }
    let mut steps = Steps::default();
    merge([running, waiting, idle], |at, counts| steps.set(at, counts));
    steps.finish(trace.span_ns);
    steps
}

fn add(periods: &mut Periods, from: u64, to: u64) {
    if from < to {
        periods.0.push(from);
        periods.1.push(to);
    }
}

/// Calls `set` with the counts after all changes of each time, in time order, from 0 on.
fn merge(periods: [Periods; 3], mut set: impl FnMut(u64, Counts)) {
    // Stable sorts: the lists are made of one ascending sequence for each lane, which these merge.
    let sorted = periods.map(|(mut begins, mut ends)| {
        begins.sort();
        ends.sort();
        (begins, ends)
    });
    let mut heads = [(0_usize, 0_usize); 3];
    let mut at = 0;
    loop {
        for ((begins, ends), (begun, ended)) in sorted.iter().zip(&mut heads) {
            while begins.get(*begun) == Some(&at) {
                *begun += 1;
            }
            while ends.get(*ended) == Some(&at) {
                *ended += 1;
            }
        }
        let [running, waiting, idle] = heads.map(|(begun, ended)| (begun - ended) as u32);
        set(at, Counts { running, waiting, idle });
        let next = sorted.iter().zip(heads);
        let next = next.flat_map(|((begins, ends), (begun, ended))| [begins.get(begun), ends.get(ended)]);
        match next.flatten().min() {
            Some(&next) => at = next,
            None => return,
        }
    }
}
