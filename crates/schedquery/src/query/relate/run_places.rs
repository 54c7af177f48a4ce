//! Where tasks ran, for filters of events.

use schedindex::Runs;
use schedmodel::topology::Topology;
use schedmodel::{TaskId, Trace};

/// On which CPUs tasks ran, and where these are, in the words of `eventfilter::Places::of_words`: the number of CPUs that
/// the topology has; the number, core, cache and socket of each; then, by task, pid, instant (low word first) and CPU for
/// each run on another CPU than the task's last one.
pub fn run_places(trace: &Trace, runs: &Runs, topology: Option<&Topology>) -> Vec<u32> {
    let places = topology.map_or(&[][..], |topology| topology.places());
    let mut words = vec![places.len() as u32];
    let of_cpus = places.iter();
    words.extend(of_cpus.flat_map(|place| [place.cpu, place.core, place.llc, place.socket]));
    // Tasks of a pid are one after the other in time: by id.
    let mut tasks: Vec<(i32, TaskId)> = trace.tasks.iter().map(|task| task.pid).zip((0..).map(TaskId)).collect();
    tasks.sort_by_key(|&(pid, _)| pid);
    let mut changes: Vec<(u64, u32)> = Vec::new();
    for (pid, task) in tasks {
        changes.clear();
        for &pair in runs.pairs_of(task) {
            let starts = runs.of(pair).map(|run| {
                let start = trace.lane_at(run.lane).start_of(run.index);
                (start, trace.cpu_at(run.lane))
            });
            changes.extend(starts);
        }
        changes.sort_unstable();
        changes.dedup_by_key(|&mut (_, cpu)| cpu);
        let of_task = changes.iter();
        words.extend(of_task.flat_map(|&(at, cpu)| [pid as u32, at as u32, (at >> 32) as u32, cpu]));
    }
    words
}
