//! What is left to do when all rows were seen.

use super::live::{Cpu, State};
use super::Builder;
use crate::workload::{Costs, Ending, Task, WorkKind, Workload};

/// As long as this, a CPU that went offline has written nothing when the trace ends: as the model has it.
const SILENT_NS: u64 = 10_000_000;

impl Builder {
    /// Forgets what CPUs do that are offline when the trace ends. The stopper of such a CPU, `migration/N`, has been switched to, and no
    /// switch away from it is recorded (`takedown_cpu`).
    fn end_offline(&mut self, span: u64) {
        for source in 0..self.streams.len() {
            let silent = |stream: &&Cpu| stream.last_ns.saturating_add(SILENT_NS) <= span;
            let stream = self.streams.get(source).filter(silent);
            let running = stream.and_then(|stream| self.people.get(stream.running?));
            let Some(live) = running else { continue };
            let comm = self.people.comms.get(live.comm as usize);
            let number = comm.and_then(|comm| comm.strip_prefix("migration/"));
            if number.is_some_and(|number| number.parse() == Ok(self.people.cpu(source))) {
                let since = live.since;
                self.lost(source, since);
            }
        }
    }

    /// The workload; the trace ends at `span`.
    pub(super) fn finish(mut self, span: u64) -> Workload {
        for source in 0..self.streams.len() {
            self.yield_until(source, span);
        }
        self.end_offline(span);
        for who in 0..self.people.lives.len() as u32 {
            self.be_born(who, None);
        }
        let holes = self.streams.iter().filter_map(|stream| Some((stream.lost?, span)));
        self.holes.extend(holes);
        let lists: Vec<_> = self.people.lives.iter().map(|live| live.list).collect();
        let (mut events, ends) = self.log.finish(&lists);
        let mut tasks = Vec::with_capacity(ends.len());
        let mut kept = Vec::with_capacity(ends.len());
        let mut start = 0;
        for (mut live, end) in self.people.lives.into_iter().zip(ends) {
            live.end_run(span);
            let ending = match live.state {
                State::Dead => Ending::Exited,
                State::Running(_) => Ending::Running,
                State::Asleep => Ending::Asleep,
                State::Runnable | State::New | State::Unknown | State::Unseen => Ending::Runnable,
            };
            // Of others it is not known that they did anything.
            kept.push(live.state != State::Unseen && (live.state != State::Dead || start < end));
            tasks.push(Task {
                events: start..end,
                last_clock: live.clock,
                ending,
                endless: matches!(ending, Ending::Running | Ending::Runnable),
                ..live.task
            });
            start = end;
        }
        for event in &mut events {
            let WorkKind::Woken {
                waker, event, distance, ..
            } = &mut event.kind
            else {
                continue;
            };
            if let (WorkKind::NO_EVENT, Some(waker)) = (*event, tasks.get(*waker as usize)) {
                *distance = waker.last_clock.saturating_sub(*distance);
            }
        }
        let mut workload = Workload {
            tasks,
            events,
            comms: self.people.comms,
            costs: Costs {
                wake_ns: median(&mut self.wake_delays),
                idle_exit_ns: median(&mut self.idle_exits),
            },
            ..self.workload
        };
        workload.notes.clean = (0 < workload.notes.gaps).then(|| longest_between(self.holes, span));
        let mut workload = workload.with_only(&kept);
        workload.spread_uncertainty();
        workload.number_comms();
        workload
    }
}

fn median(values: &mut [u32]) -> Option<u64> {
    let middle = values.len() / 2;
    let (_, median, _) = (!values.is_empty()).then(|| values.select_nth_unstable(middle))?;
    Some(u64::from(*median))
}

/// The longest stretch in `[0, span)` that no hole touches; empty if there is none.
fn longest_between(mut holes: Vec<(u64, u64)>, span: u64) -> (u64, u64) {
    holes.sort_unstable();
    holes.push((span, span));
    let mut longest = (0, 0);
    let mut end = 0;
    for (from, to) in holes {
        if end < from && longest.1 - longest.0 < from - end {
            longest = (end, from);
        }
        end = end.max(to);
    }
    longest
}
