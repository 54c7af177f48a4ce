//! The machine on which a workload runs: its CPUs, its ticks, and what switching costs.

use crate::policy::{Cpu, Ns, MS};
use schedmodel::topology::{CpuPlace, Distance, Topology, TopologyError};
use schedmodel::Trace;

/// How a waking task finds its CPU.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// As Linux does: the waker's CPU or the last one, and an idle one near it.
    Linux,
    /// Where it was last.
    Stay,
    /// The CPU with the fewest tasks.
    Idlest,
    /// The last CPU if it idles, else any that does.
    Shared,
}

/// Whose wakeups say that the waker is about to sleep. A trace does not tell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sync {
    /// Nobody's.
    Off,
    /// All that tasks give.
    On,
    /// Those by tasks with one of these comms.
    By(Vec<String>),
}

/// The decisions about CPUs that can be turned on and off.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placement {
    /// How a CPU is chosen at a wakeup.
    pub place: Place,
    /// Whether an idle last CPU is taken before loads are compared (commit d8fcb81f1acf, Linux 5.11).
    pub idle_prev: bool,
    /// See [`Sync`].
    pub sync: Sync,
    /// Whether tasks that wake many others, and are woken by many, stay where they are.
    pub wake_wide: bool,
    /// Whether the children of one parent share one weight, as the tasks of a group do.
    pub groups: bool,
    /// Whether CPUs pull tasks from others.
    pub balance: bool,
}

impl Default for Placement {
    fn default() -> Self {
        Placement {
            place: Place::Linux,
            idle_prev: true,
            sync: Sync::Off,
            wake_wide: true,
            groups: false,
            balance: true,
        }
    }
}

/// Extra CPU time of the next burst of a task that was moved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MigrationCosts {
    /// To another core that shares the last-level cache.
    pub core_ns: Ns,
    /// To another last-level cache of the socket.
    pub llc_ns: Ns,
    /// To another socket.
    pub socket_ns: Ns,
}

/// See the module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Machine {
    /// Its CPUs: number `n` is the topology's `n`th.
    pub places: Vec<CpuPlace>,
    /// Whether the user gave the topology.
    pub topology_given: bool,
    /// Time between two ticks of a CPU.
    pub tick_ns: Ns,
    /// Whether all CPUs tick at once, instead of spread over the period.
    pub aligned: bool,
    /// Draws the phases of ticks, instead of spreading them evenly: how much a result depends on chance.
    pub seed: Option<u64>,
    /// When the ticks of each CPU are, in ns since the beginning, as far as that is known: see [`Machine::tick_as`].
    pub phases: Vec<Option<Ns>>,
    /// From the waking to the wakeup.
    pub wake_ns: Ns,
    /// From the wakeup to the switch-in on an idle CPU.
    pub idle_exit_ns: Ns,
    /// Extra CPU time of each burst that begins with a switch.
    pub switch_ns: Ns,
    /// See [`MigrationCosts`].
    pub migration: MigrationCosts,
    /// The speed of a CPU whose sibling is busy, in 1024ths.
    pub smt: u32,
    /// The speed of each CPU, in 1024ths; those beyond are at 1024.
    pub capacities: Vec<u32>,
    /// Which CPU a task gets.
    pub placement: Placement,
}

/// The most CPUs of a simulated machine.
pub const MOST_CPUS: u32 = 4096;

impl Machine {
    /// CPUs that share one last-level cache, each a core of its own; ticks every 4 ms, no costs.
    pub fn flat(cpus: u32) -> Machine {
        let place = |cpu| CpuPlace {
            cpu,
            socket: 0,
            node: 0,
            llc: 0,
            core: cpu,
        };
        Machine {
            places: (0..cpus.clamp(1, MOST_CPUS)).map(place).collect(),
            topology_given: false,
            tick_ns: 4 * MS,
            aligned: false,
            seed: None,
            phases: Vec::new(),
            wake_ns: 0,
            idle_exit_ns: 0,
            switch_ns: 0,
            migration: MigrationCosts::default(),
            smt: 1024,
            capacities: Vec::new(),
            placement: Placement::default(),
        }
    }

    /// With the CPUs of a topology.
    pub fn of(topology: &Topology) -> Machine {
        Machine {
            places: topology.places().iter().copied().take(MOST_CPUS as usize).collect(),
            topology_given: true,
            ..Machine::flat(1)
        }
    }

    /// With the CPUs of a topology as text.
    pub fn parse(topology: &[u8]) -> Result<Machine, TopologyError> {
        Ok(Machine::of(&Topology::parse(topology)?))
    }

    /// Number of CPUs.
    pub fn cpus(&self) -> u32 {
        self.places.len() as u32
    }

    /// How far two CPUs are from each other.
    pub fn distance(&self, a: Cpu, b: Cpu) -> Distance {
        match (self.places.get(a as usize), self.places.get(b as usize)) {
            (Some(a), Some(b)) => a.distance(b),
            _ => Distance::Machine,
        }
    }

    /// Extra CPU time for a move.
    pub fn migration_ns(&self, from: Cpu, to: Cpu) -> Ns {
        match self.distance(from, to) {
            Distance::Cpu | Distance::Core => 0,
            Distance::Llc => self.migration.core_ns,
            Distance::Socket => self.migration.llc_ns,
            Distance::Machine => self.migration.socket_ns,
        }
    }

    /// When the first tick of each CPU is.
    pub fn phases(&self, tick_ns: Ns) -> Vec<Ns> {
        let cpus = u64::from(self.cpus().max(1));
        let spread = |cpu| match self.seed {
            _ if self.aligned => 0,
            Some(seed) => drawn(seed, cpu) % tick_ns.max(1),
            None => tick_ns * cpu / cpus,
        };
        let known = |cpu: u64| {
            self.phases
                .get(cpu as usize)
                .copied()
                .flatten()
                .filter(|_| self.seed.is_none())
        };
        (0..cpus)
            .map(|cpu| known(cpu).map_or_else(|| spread(cpu), |phase| phase % tick_ns.max(1)))
            .collect()
    }

    /// Ticks come when those of a recording came, which lasted from `first_ns` on by its own clock: most preempted runs end
    /// shortly behind a tick. Where they do not, the phase stays as it was.
    pub fn tick_as(&mut self, recorded: &Trace, first_ns: u64) {
        let before = first_ns.saturating_sub(recorded.origin_ns);
        let phase = |cpu: Cpu| {
            let lane = recorded.lane(cpu)?;
            let preempted = |&index: &usize| {
                let letter = lane.end_state(index).map(|state| state.letter());
                lane.run(index).is_some() && letter == Some(b'R')
            };
            let ends = (0..lane.len()).filter(preempted).map(|index| lane.end_of(index));
            phase_of(ends.map(|end| end.saturating_sub(before)), self.tick_ns)
        };
        self.phases = (0..self.cpus()).map(phase).collect();
    }

    /// The speed of a CPU in 1024ths.
    pub fn capacity(&self, cpu: Cpu) -> u64 {
        let given = self.capacities.get(cpu as usize).copied().unwrap_or(1024);
        u64::from(given.clamp(1, 1024))
    }
}

/// Number `at` of the numbers that a seed draws (SplitMix64, Steele, Lea and Flood).
fn drawn(seed: u64, at: u64) -> u64 {
    let mut bits = seed.wrapping_add((at + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}

/// Ends of runs that are so near to each other, modulo the tick, are those that ticks made.
const NEAR: Ns = 50_000;
/// So many of them are no chance.
const FEW: usize = 5;

/// When ticks come, if at least half of these times are near to each other, modulo the tick.
fn phase_of(ends: impl Iterator<Item = Ns>, tick_ns: Ns) -> Option<Ns> {
    let tick_ns = tick_ns.max(1);
    let mut offsets: Vec<Ns> = ends.map(|end| end % tick_ns).collect();
    offsets.sort_unstable();
    let count = offsets.len();
    // Once more, for those around 0.
    offsets.extend_from_within(..);
    offsets.iter_mut().skip(count).for_each(|offset| *offset += tick_ns);
    let near_to = |at: usize| {
        let rest = offsets.get(at..).unwrap_or_default();
        let first = rest.first().copied().unwrap_or(0);
        rest.get(..rest.partition_point(|&offset| offset < first + NEAR))
            .unwrap_or_default()
    };
    let most = (0..count).map(near_to).max_by_key(|near| near.len())?;
    let middle = most.get(most.len() / 2)?;
    (FEW.max(count.div_ceil(2)) <= most.len() && most.len() <= count).then(|| middle % tick_ns)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn most_ends_tell_when_ticks_come() {
        let ends = |times: &[Ns]| phase_of(times.iter().copied(), 4_000);
        let late = [3_999_990, 8_000_010, 12_000_020, 16_000_000, 19_999_995, 1_700_000];
        assert_eq!(phase_of(late.into_iter(), 4_000_000), Some(0));
        let other = late.map(|end| end + 3_195_000);
        assert_eq!(phase_of(other.into_iter(), 4_000_000), Some(3_195_000));
        // Too few, none, and no two near each other.
        assert_eq!(phase_of(late.into_iter().take(4), 4_000_000), None);
        assert_eq!(ends(&[]), None);
        let anywhere = (0..40).map(|number| number * 1_100_000);
        assert_eq!(phase_of(anywhere, 4_000_000), None);
    }
}
