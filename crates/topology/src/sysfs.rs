//! A tar of `/sys/devices/system/cpu`, or of the parts of it that matter:
//!
//! - `cpuN/topology/physical_package_id`, `die_id`, `core_id` and `thread_siblings_list` (`core_cpus_list` is its newer
//!   name);
//! - `cpuN/cache/indexM/level`, `type` and `shared_cpu_list`;
//! - `cpuN/nodeM`, a link, or `/sys/devices/system/node/nodeM/cpulist`.
//!
//! Lists of CPUs stand for what they share: their lowest CPU names it. A CPU without a `topology` is offline.

use std::collections::BTreeMap;
use std::io::Read;

use super::error::quoted;
use super::tar::{walk, walk_stream, Member, MOST_CONTENT};
use super::{At, Claim, Topology, TopologyError, MOST_CPUS};

#[derive(Default)]
struct Cache {
    level: u32,
    is_for_code: bool,
    lowest: Option<u32>,
}

/// The contents of the files of one CPU.
#[derive(Default)]
struct Found {
    package: Option<u32>,
    die: Option<u32>,
    core_id: Option<u32>,
    lowest_sibling: Option<u32>,
    node: Option<u32>,
    caches: BTreeMap<u32, Cache>,
}

#[derive(Default)]
struct SysfsCpus {
    cpus: BTreeMap<u32, Found>,
    /// The CPUs of each NUMA node, as ranges.
    nodes: BTreeMap<u32, Vec<(u32, u32)>>,
    members: u64,
    wrong: Option<TopologyError>,
}

pub(super) fn parse(bytes: &[u8]) -> Result<Topology, TopologyError> {
    gather(|visit| walk(bytes, MOST_CONTENT, visit))
}

pub(super) fn parse_stream(read: impl Read) -> Result<Topology, TopologyError> {
    gather(|visit| walk_stream(read, MOST_CONTENT, visit))
}

fn gather(walk: impl FnOnce(&mut dyn FnMut(Member)) -> Result<(), TopologyError>) -> Result<Topology, TopologyError> {
    let mut machine = SysfsCpus::default();
    walk(&mut |member| {
        machine.members += 1;
        if let Err(what) = machine.learn(&member) {
            let error = TopologyError::new(At::Member(member.path), what);
            machine.wrong.get_or_insert(error);
        }
    })?;
    match machine.wrong {
        Some(error) => Err(error),
        None => machine.topology(),
    }
}

/// The number of `cpu12` after `cpu`: 12.
fn numbered(part: &str, name: &str) -> Option<u32> {
    part.strip_prefix(name)?.parse().ok()
}

/// An id; -1, which stands for one that the machine does not know, is 0.
fn id(content: &str) -> Result<u32, String> {
    match content.parse::<i64>() {
        Ok(id) => Ok(u32::try_from(id).unwrap_or(0)),
        Err(_) => Err(format!("{}; expected a number", quoted(content))),
    }
}

/// The ranges of a list as in `0,2-5`, ascending as the kernel writes them; empty for an empty one.
fn ranges(content: &str) -> Result<Vec<(u32, u32)>, String> {
    let mut next = 0;
    let number = |text: &str| text.parse::<u32>().ok().filter(|&cpu| cpu < MOST_CPUS);
    let parts = content.split(',').filter(|part| !part.is_empty()).map(|part| {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        match (number(first), number(last)) {
            (Some(first), Some(last)) if next <= first && first <= last => {
                next = last + 1;
                Ok((first, last))
            }
            _ => Err(format!("{}; expected a list of CPUs as in 0,2-5", quoted(content))),
        }
    });
    parts.collect()
}

/// The lowest CPU of a list; `None` for an empty one.
fn lowest(content: &str) -> Result<Option<u32>, String> {
    Ok(ranges(content)?.first().map(|&(first, _)| first))
}

impl SysfsCpus {
    fn learn(&mut self, member: &Member) -> Result<(), String> {
        let parts: Vec<&str> = member
            .path
            .split('/')
            .filter(|part| !matches!(*part, "" | "."))
            .collect();
        let content = member.text();
        let content = content.as_str();
        if let [.., node, "cpulist"] = parts.as_slice() {
            if let Some(node) = numbered(node, "node").filter(|&node| node < MOST_CPUS) {
                self.nodes.insert(node, ranges(content)?);
                return Ok(());
            }
        }
        // The last part that is a CPU's folder: below it is what is said of it.
        let Some((index, cpu)) = parts
            .iter()
            .enumerate()
            .rev()
            .find_map(|(index, part)| Some((index, numbered(part, "cpu")?)))
        else {
            return Ok(());
        };
        if MOST_CPUS <= cpu {
            return Err(format!("CPU {cpu}; expected a number below {MOST_CPUS}"));
        }
        let below = parts.get(index + 1..).unwrap_or_default();
        match below {
            ["topology", file] => self.cpu(cpu).learn_topology(file, content),
            ["cache", cache, file] => match numbered(cache, "index") {
                Some(cache) => self.cpu(cpu).caches.entry(cache).or_default().learn(file, content),
                None => Ok(()),
            },
            [node] => {
                if let Some(node) = numbered(node, "node") {
                    self.cpu(cpu).node = Some(node);
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn cpu(&mut self, cpu: u32) -> &mut Found {
        self.cpus.entry(cpu).or_default()
    }

    fn topology(mut self) -> Result<Topology, TopologyError> {
        for (node, ranges) in &self.nodes {
            for found in ranges.iter().flat_map(|&(first, last)| first..=last) {
                if let Some(found) = self.cpus.get_mut(&found) {
                    found.node = found.node.or(Some(*node));
                }
            }
        }
        let claims: Vec<Claim> = self.cpus.iter().filter_map(|(&cpu, found)| found.claim(cpu)).collect();
        if claims.is_empty() {
            return Err(TopologyError::whole(format!(
                "no cpuN/topology/physical_package_id among {} members; expected a tar of /sys/devices/system/cpu",
                self.members
            )));
        }
        Topology::from_claims(claims)
    }
}

impl Found {
    fn learn_topology(&mut self, file: &str, content: &str) -> Result<(), String> {
        match file {
            "physical_package_id" => self.package = Some(id(content)?),
            "die_id" => self.die = Some(id(content)?),
            "core_id" => self.core_id = Some(id(content)?),
            "thread_siblings_list" | "core_cpus_list" => self.lowest_sibling = lowest(content)?,
            _ => {}
        }
        Ok(())
    }

    /// `None` when it is offline.
    fn claim(&self, cpu: u32) -> Option<Claim> {
        let data = self.caches.values().filter(|cache| !cache.is_for_code);
        let llc = data
            .filter_map(|cache| Some((cache.level, cache.lowest?)))
            .max_by_key(|&(level, _)| level);
        let by_id = || Some((self.die.unwrap_or(0), self.core_id?));
        Some(Claim {
            cpu,
            socket: (0, 0, self.package?),
            node: self.node,
            llc,
            core: self.lowest_sibling.map(|lowest| (0, lowest)).or_else(by_id),
        })
    }
}

impl Cache {
    fn learn(&mut self, file: &str, content: &str) -> Result<(), String> {
        match file {
            "level" => self.level = id(content)?,
            "type" => self.is_for_code = content == "Instruction",
            "shared_cpu_list" => self.lowest = lowest(content)?,
            _ => {}
        }
        Ok(())
    }
}
