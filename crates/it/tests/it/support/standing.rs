//! Which tasks wait behind another, which for an idle CPU, and which CPUs are spare, instant by instant.

use schedindex::{all_queued, Queued, Shown};
use schedmodel::{TaskCommId, Trace, Who};

/// Whether a task is the kernel thread that is bound to CPU 1 in arbitrary traces: no other task has its name, none of its names is
/// another, and nobody was seen to fork it.
pub fn is_bound(trace: &Trace, id: TaskCommId) -> bool {
    let task = trace.task_of(id);
    let pairs = (0..trace.task_comms.len()).map(|pair| TaskCommId(pair as u32));
    let mut own = pairs.filter(|&pair| trace.task_comm(pair).task == trace.task_comm(id).task);
    task.parent.is_none() && task.continues.is_none() && own.all(|pair| trace.comm_of(pair) == "rcuc/1")
}

/// The parts of waits, looked at one by one.
pub struct Standings<'a> {
    trace: &'a Trace,
    shown: Vec<Queued>,
    bound: Vec<Queued>,
    all: Vec<Queued>,
}

impl Standings<'_> {
    pub fn new<'a>(trace: &'a Trace, shown: &Shown) -> Standings<'a> {
        let parts = |shown: &Shown| {
            let mut parts = Vec::new();
            all_queued(trace, shown, |part| parts.push(part));
            parts
        };
        Standings {
            trace,
            shown: parts(shown),
            bound: parts(&Shown::filter(trace, |id| shown.has(id) && is_bound(trace, id))),
            all: parts(&Shown::all()),
        }
    }

    /// The counts for some CPUs at an instant: tasks behind another without bound ones, spare CPUs, tasks whose CPU leaves idle.
    pub fn at(&self, cpus: &[u32], at: u64) -> (u64, Vec<u32>, u64) {
        let (mut behind, mut spare, mut leaving) = (0, Vec::new(), 0);
        for &cpu in cpus {
            let on = |parts: &[Queued]| {
                let here = parts.iter().filter(|part| part.cpu == Some(cpu));
                here.filter(|part| (part.from..part.to).contains(&at)).count() as u64
            };
            let lane = self.trace.lane(cpu).expect("a CPU of the trace");
            match lane.find(at).map(|index| lane.who(index)) {
                Some(Who::Run(_)) => {
                    let bound = if cpu == 1 { on(&self.bound) } else { 0 };
                    behind += on(&self.shown) - bound;
                }
                Some(Who::Idle) => {
                    leaving += on(&self.shown);
                    spare.extend((on(&self.all) == 0).then_some(cpu));
                }
                _ => {}
            }
        }
        (behind, spare, leaving)
    }

    /// Kernel threads that wait behind another on the CPU to which they are bound.
    pub fn bound_at(&self, cpus: &[u32], at: u64) -> u64 {
        let lane = self.trace.lane(1).filter(|_| cpus.contains(&1));
        let runs = lane.and_then(|lane| Some(matches!(lane.who(lane.find(at)?), Who::Run(_))));
        let here = self
            .bound
            .iter()
            .filter(|part| part.cpu == Some(1) && runs == Some(true));
        here.filter(|part| (part.from..part.to).contains(&at)).count() as u64
    }
}
