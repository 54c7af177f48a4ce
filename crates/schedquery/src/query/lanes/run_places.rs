//! Where tasks ran, for filters of events.

use super::indexes::Indexes;

impl Indexes {
    /// On which CPUs tasks ran, and where these are, in the words of `eventfilter::Places::of_words`: the number of CPUs that
    /// the topology has; the number, core, cache and socket of each; then, by task, pid, instant (low word first) and CPU for
    /// each run on another CPU than the task's last one.
    pub fn run_places(&self) -> Vec<u32> {
        let trace = self.trace();
        let places = self.topology().map_or(&[][..], |topology| topology.places());
        let mut words = vec![places.len() as u32];
        words.extend(
            places
                .iter()
                .flat_map(|place| [place.cpu, place.core, place.llc, place.socket]),
        );
        let mut tasks: Vec<(i32, u32)> = trace.tasks.iter().map(|task| task.pid).zip(0..).collect();
        // Tasks of a pid are one after the other in time: by id.
        tasks.sort_unstable();
        let mut runs: Vec<(u64, u32)> = Vec::new();
        for (pid, task) in tasks {
            runs.clear();
            for &pair in self.runs().pairs_of(schedmodel::TaskId(task)) {
                let starts = self.runs().of(pair).map(|run| {
                    let start = trace.lane_at(run.lane).start_of(run.index);
                    (start, trace.cpu_at(run.lane))
                });
                runs.extend(starts);
            }
            runs.sort_unstable();
            runs.dedup_by_key(|&mut (_, cpu)| cpu);
            words.extend(
                runs.iter()
                    .flat_map(|&(at, cpu)| [pid as u32, at as u32, (at >> 32) as u32, cpu]),
            );
        }
        words
    }
}
