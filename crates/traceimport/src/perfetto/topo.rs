//! The topology that scxtop writes into the name of a track, as JSON.

use std::collections::BTreeMap;

use topology::{Topology, MOST_CPUS};

/// How the track's name begins.
pub(super) const PREFIX: &str = "scxtop_topo:";

/// For each CPU, by its number as text, what it belongs to.
#[derive(Default)]
struct Machine {
    nr_cpus: u32,
    cpu_to_llc: BTreeMap<String, u64>,
    cpu_to_numa: BTreeMap<String, u64>,
    cpu_to_core: BTreeMap<String, u64>,
}

impl Machine {
    /// Reads the one object that scxtop writes: numbers, and objects of numbers. A library for all of JSON is a tenth of
    /// the page's module.
    fn parse(json: &str) -> Option<Machine> {
        let mut words = Words(json);
        let mut machine = Machine::default();
        words.object(&mut |words, name| {
            let place = match name {
                "cpu_to_llc" => &mut machine.cpu_to_llc,
                "cpu_to_numa" => &mut machine.cpu_to_numa,
                "cpu_to_core" => &mut machine.cpu_to_core,
                "nr_cpus" => {
                    machine.nr_cpus = words.number()?.try_into().ok()?;
                    return Some(());
                }
                // What another release may add.
                _ => {
                    let number = words.number().map(drop);
                    return number.or_else(|| words.object(&mut |words, _| words.number().map(drop)));
                }
            };
            words.object(&mut |words, cpu| {
                place.insert(cpu.to_owned(), words.number()?);
                Some(())
            })
        })?;
        words.rest().is_empty().then_some(machine)
    }
}

/// What is left of the text.
struct Words<'a>(&'a str);

impl<'a> Words<'a> {
    fn rest(&self) -> &'a str {
        self.0.trim_start()
    }

    fn skip(&mut self, mark: char) -> Option<()> {
        self.0 = self.rest().strip_prefix(mark)?;
        Some(())
    }

    fn number(&mut self) -> Option<u64> {
        let rest = self.rest();
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let (number, rest) = rest.split_at_checked(digits)?;
        self.0 = rest;
        number.parse().ok()
    }

    /// `{"name": ...}`; `value` reads what a name stands for. Names hold no escapes.
    fn object(&mut self, value: &mut dyn FnMut(&mut Words<'a>, &'a str) -> Option<()>) -> Option<()> {
        self.skip('{')?;
        if self.skip('}').is_some() {
            return Some(());
        }
        loop {
            self.skip('"')?;
            let (name, rest) = self.0.split_once('"')?;
            self.0 = rest;
            self.skip(':')?;
            value(self, name)?;
            if self.skip('}').is_some() {
                return Some(());
            }
            self.skip(',')?;
        }
    }
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
    let Some(machine) = Machine::parse(json) else {
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
        topology: Topology::of_compact(&text.join(","))
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
        for broken in [
            "",
            "[]",
            "{\"nr_cpus\"",
            "{\"nr_cpus\":}",
            "{\"nr_cpus\":1,}",
            "{\"nr_cpus\":1} x",
            "{\"cpu_to_llc\":{1:2}}",
        ] {
            assert_eq!(read(broken), Known::default(), "{broken}");
        }
        assert_eq!(read(r#"{"cpu_to_numa": {"x": 1}}"#).topology, None);
    }
}
