//! Gaps of commands that are otherwise busy: when far fewer of a command's tasks run than usually.
//!
//! Usually is the time-weighted mean between the command's first and last run. A command is busy when that is at least a
//! half; a gap is a maximal interval in which fewer than half of it run. So a few stragglers do not close a gap, and a
//! daemon that hardly ever runs has none.

use super::selected::Selected;
use crate::sched::CommId;

/// Some time in which a busy command hardly ran.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Gap {
    pub(crate) comm: CommId,
    pub(crate) from: u64,
    pub(crate) to: u64,
    /// What would have run meanwhile, had it been as usual, less what ran; in ns times tasks.
    pub(crate) cost: u64,
}

/// The gaps of all commands of a selection, by command and time. Runs are clipped to the window.
pub(crate) fn gaps(selected: &Selected) -> Vec<Gap> {
    let window = selected.closed_window();
    let mut runs: Vec<(CommId, u64, u64)> = selected
        .runs()
        .filter_map(|run| {
            let (from, to) = (run.interval.start.max(window.start), run.interval.end.min(window.end));
            (from < to).then(|| (selected.trace.task_comm(run.id).comm, from, to))
        })
        .collect();
    runs.sort_unstable();
    let commands = runs.chunk_by(|a, b| a.0 == b.0);
    commands.flat_map(of_command).collect()
}

/// The gaps of one command, from its runs in order of their begin.
fn of_command(runs: &[(CommId, u64, u64)]) -> Vec<Gap> {
    let Some(&(comm, first, _)) = runs.first() else {
        return Vec::new();
    };
    let mut ends: Vec<u64> = runs.iter().map(|&(_, _, to)| to).collect();
    ends.sort_unstable();
    let last = ends.last().copied().unwrap_or(first);
    let (span, busy) = (
        u128::from(last - first),
        runs.iter().map(|&(_, from, to)| u128::from(to - from)).sum::<u128>(),
    );
    if 2 * busy < span {
        return Vec::new();
    }
    // From, to, and how long tasks ran meanwhile.
    let mut found: Vec<(u64, u64, u128)> = Vec::new();
    let (mut begun, mut ended, mut at) = (0, 0, first);
    while at < last {
        begun += runs[begun..].iter().take_while(|run| run.1 <= at).count();
        ended += ends[ended..].iter().take_while(|&&end| end <= at).count();
        let next_begin = runs.get(begun).map_or(last, |run| run.1);
        let to = ends.get(ended).map_or(last, |&end| end.min(next_begin)).min(last);
        let running = (begun - ended) as u128;
        // Fewer than half of the mean, `busy / span`.
        if 2 * running * span < busy {
            let ran = running * u128::from(to - at);
            match found.last_mut().filter(|gap| gap.1 == at) {
                Some(gap) => {
                    gap.1 = to;
                    gap.2 += ran;
                }
                None => found.push((at, to, ran)),
            }
        }
        at = to;
    }
    let gap = |(from, to, ran)| Gap {
        comm,
        from,
        to,
        cost: u64::try_from(busy * u128::from(to - from) / span - ran).unwrap_or(u64::MAX),
    };
    found.into_iter().map(gap).collect()
}
