//! Which tasks wait behind another, which for an idle CPU, and which CPUs are spare, instant by instant.

use tracecore::index::{all_queued, Queued, Shown};
use tracecore::sched::{Trace, Who};

/// The parts of waits, looked at one by one.
pub struct Standings<'a> {
    trace: &'a Trace,
    shown: Vec<Queued>,
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
            all: parts(&Shown::all()),
        }
    }

    /// The counts for some CPUs at an instant: tasks behind another, spare CPUs, tasks whose CPU leaves idle.
    pub fn at(&self, cpus: &[u32], at: u64) -> (u64, Vec<u32>, u64) {
        let (mut behind, mut spare, mut leaving) = (0, Vec::new(), 0);
        for &cpu in cpus {
            let on = |parts: &[Queued]| {
                let here = parts.iter().filter(|part| part.cpu == Some(cpu));
                here.filter(|part| (part.from..part.to).contains(&at)).count() as u64
            };
            let lane = self.trace.lane(cpu).expect("a CPU of the trace");
            match lane.find(at).map(|index| lane.who(index)) {
                Some(Who::Run(_)) => behind += on(&self.shown),
                Some(Who::Idle) => {
                    leaving += on(&self.shown);
                    spare.extend((on(&self.all) == 0).then_some(cpu));
                }
                _ => {}
            }
        }
        (behind, spare, leaving)
    }
}
