//! The topology that scxtop writes into the name of a track, as JSON.

use std::collections::BTreeMap;

use serde::Deserialize;
use topology::{Topology, MOST_CPUS};

/// How the track's name begins.
pub(super) const PREFIX: &str = "scxtop_topo:";

/// For each CPU, by its number as text, what it belongs to.
#[derive(Deserialize)]
struct Machine {
    #[serde(default)]
    nr_cpus: u32,
    #[serde(default)]
    cpu_to_llc: BTreeMap<String, u64>,
    #[serde(default)]
    cpu_to_numa: BTreeMap<String, u64>,
    #[serde(default)]
    cpu_to_core: BTreeMap<String, u64>,
}

/// What is known of the machine.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Known {
    pub cpu_count: u32,
    /// In canonical text.
    pub topology: Option<String>,
}

/// Reads what follows the prefix; nothing is known where it cannot be read. The JSON has no sockets: NUMA nodes stand for
/// them.
pub(super) fn read(json: &str) -> Known {
    let Ok(machine) = serde_json::from_str::<Machine>(json) else {
        return Known::default();
    };
    let (nodes, llcs) = (groups(&machine.cpu_to_numa), groups(&machine.cpu_to_llc));
    // Cores may be numbered anew in each LLC.
    let cores = by_key(&machine.cpu_to_core, |cpu, core| {
        (
            machine.cpu_to_numa.get(cpu).copied(),
            machine.cpu_to_llc.get(cpu).copied(),
            core,
        )
    });
    let levels = [("socket", nodes), ("llc", llcs), ("core", cores)];
    let text: Vec<String> = levels
        .into_iter()
        .filter(|(_, groups)| !groups.is_empty())
        .map(|(level, groups)| format!("{level}:{groups}"))
        .collect();
    Known {
        cpu_count: machine.nr_cpus.min(MOST_CPUS),
        topology: Topology::parse(text.join(",").as_bytes())
            .ok()
            .map(|topology| topology.canonical()),
    }
}

fn groups(of: &BTreeMap<String, u64>) -> String {
    by_key(of, |_, group| group)
}

/// CPUs with the same key, as the topology's text has them: `0.1/2.3`.
fn by_key<K: Ord>(of: &BTreeMap<String, u64>, key: impl Fn(&String, u64) -> K) -> String {
    let mut groups: BTreeMap<K, Vec<&str>> = BTreeMap::new();
    for (cpu, &group) in of {
        groups.entry(key(cpu, group)).or_default().push(cpu);
    }
    let groups: Vec<String> = groups.into_values().map(|cpus| cpus.join(".")).collect();
    groups.join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_llcs_are_found() {
        let json = r#"{"cpu_to_llc": {"0": 0, "1": 0, "2": 1, "3": 1}, "cpu_to_numa": {"0": 0, "1": 0, "2": 0, "3": 0},
            "cpu_to_core": {"0": 0, "1": 0, "2": 1, "3": 1}, "nr_cpus": 4, "nr_llcs": 2, "nr_numa_nodes": 1}"#;
        let known = read(json);
        assert_eq!(known.cpu_count, 4);
        let topology = Topology::parse(known.topology.unwrap().as_bytes()).unwrap();
        assert_eq!((topology.llcs(), topology.cores(), topology.sockets()), (2, 2, 1));
        assert_eq!(read("{"), Known::default());
        assert_eq!(read("{}"), Known::default());
        assert_eq!(read(r#"{"cpu_to_numa": {"x": 1}}"#).topology, None);
    }
}
