//! The topology of the machine that a trace was recorded on: which CPUs share a core, a last-level cache, a socket.
//!
//! It is never in a trace; the user gives it in one of these forms:
//!
//! - the text of `lscpu -p` ([lscpu(1)](https://man7.org/linux/man-pages/man1/lscpu.1.html));
//! - a tar of `/sys/devices/system/cpu` (the kernel's `Documentation/admin-guide/cputopology.rst`, and
//!   `Documentation/ABI/stable/sysfs-devices-system-cpu`), packed by gzip or not;
//! - the compact text: `SOCKETSxCORESxTHREADS` for regular machines, lists of CPUs for others. Every topology has one,
//!   short enough for a URL.
//!
//! "LLC" is the last-level cache: the cache of the highest level that a CPU has. CPUs of different sockets never count as
//! sharing one, whatever a hypervisor says.

mod compact;
mod error;
mod lscpu;
mod sysfs;
pub mod tar;
mod words;

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use ts_rs::TS;

pub use error::{At, TopologyError};

/// The most CPUs of a machine, and the bound of their numbers: those of the largest kernels (`CONFIG_NR_CPUS`).
pub const MOST_CPUS: u32 = 8192;

/// Where a CPU is. Sockets, nodes, LLCs and cores are numbered over the whole machine from 0, by their lowest CPU (LLCs
/// within their socket, cores within their LLC), as `lscpu` numbers them on most machines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(rename = "TopologyCpu")]
pub struct CpuPlace {
    /// The logical CPU.
    pub cpu: u32,
    /// Its physical package.
    pub socket: u32,
    /// Its NUMA node.
    pub node: u32,
    /// Its last-level cache.
    pub llc: u32,
    /// Its core.
    pub core: u32,
}

/// Distance between two CPUs: the smallest part of the machine that they share.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, TS)]
#[serde(rename_all = "lowercase")]
#[ts(rename = "CpuDistance")]
pub enum Distance {
    /// The same CPU.
    Cpu,
    /// Threads of one core.
    Core,
    /// Cores with one last-level cache.
    Llc,
    /// One socket.
    Socket,
    /// Only the machine: two sockets.
    Machine,
}

/// A part of the machine within which tasks are balanced.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "lowercase")]
pub enum Domain {
    /// The CPUs of a socket.
    Socket,
    /// The CPUs that share a last-level cache.
    Llc,
}

/// A machine's topology; at least one CPU.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Topology {
    /// By number of the CPU.
    places: Vec<CpuPlace>,
    sockets: u32,
    nodes: u32,
    llcs: u32,
    cores: u32,
}

/// Die and id, within an LLC.
type CoreId = (u32, u32);

/// What a source says about a CPU: arbitrary numbers that are equal for the same part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Claim {
    cpu: u32,
    /// Drawer, book, socket: most machines have neither of the first two.
    socket: (u32, u32, u32),
    /// `None` if not given: then the socket's.
    node: Option<u32>,
    /// Level and id within the socket; `None` if not given: then the socket's.
    llc: Option<(u32, u32)>,
    /// `None` if not given: then one of its own.
    core: Option<CoreId>,
}

impl CpuPlace {
    /// The distance to another CPU of the same machine.
    pub fn distance(&self, other: &CpuPlace) -> Distance {
        match () {
            () if self.cpu == other.cpu => Distance::Cpu,
            () if self.core == other.core => Distance::Core,
            () if self.llc == other.llc => Distance::Llc,
            () if self.socket == other.socket => Distance::Socket,
            () => Distance::Machine,
        }
    }
}

impl Topology {
    /// Parses any of the forms.
    pub fn parse(bytes: &[u8]) -> Result<Topology, TopologyError> {
        if tar::is_tar(bytes) {
            return Topology::of_tar(bytes);
        }
        let text = std::str::from_utf8(bytes).map_err(|error| {
            TopologyError::new(
                At::Byte(error.valid_up_to() as u64),
                "neither text nor a tar file; expected the text of `lscpu -p`, a tar of /sys/devices/system/cpu, or \
                 SOCKETSxCORESxTHREADS",
            )
        })?;
        if lscpu::looks_like(text) {
            lscpu::parse(text)
        } else {
            Topology::of_compact(text)
        }
    }

    /// Parses the tree of sysfs in a tar file.
    pub fn of_tar(bytes: &[u8]) -> Result<Topology, TopologyError> {
        sysfs::parse(bytes)
    }

    /// Parses the tree of sysfs in a tar that is not packed, whose bytes come one after the other.
    pub fn of_tar_stream(read: impl std::io::Read) -> Result<Topology, TopologyError> {
        sysfs::parse_stream(read)
    }

    /// Parses a compact text.
    pub fn of_compact(text: &str) -> Result<Topology, TopologyError> {
        compact::parse(text)
    }

    fn from_claims(mut claims: Vec<Claim>) -> Result<Topology, TopologyError> {
        claims.sort_by_cached_key(|claim| claim.cpu);
        if let Some(twice) = claims.windows(2).find_map(|pair| match pair {
            [a, b] if a.cpu == b.cpu => Some(a.cpu),
            _ => None,
        }) {
            return Err(TopologyError::whole(format!(
                "CPU {twice} is there twice; expected once"
            )));
        }
        if claims.is_empty() {
            return Err(TopologyError::whole("no CPU; expected at least one"));
        }
        let mut numbers = Numbers::default();
        let mut places: Vec<CpuPlace> = Vec::with_capacity(claims.len());
        for claim in &claims {
            let socket = numbers.sockets.of(claim.socket);
            let node = numbers.nodes.of(claim.node.ok_or(socket));
            places.push(CpuPlace {
                cpu: claim.cpu,
                socket,
                node,
                llc: 0,
                core: 0,
            });
        }
        // A thing's number is that of the first CPU that has it, in the order of what holds it.
        let mut both: Vec<(&Claim, &mut CpuPlace)> = claims.iter().zip(places.iter_mut()).collect();
        both.sort_by_cached_key(|(_, place)| place.socket);
        for (claim, place) in &mut both {
            place.llc = numbers.llcs.of((place.socket, claim.llc));
        }
        both.sort_by_cached_key(|(_, place)| place.llc);
        for (claim, place) in &mut both {
            place.core = numbers.cores.of((place.llc, claim.core.ok_or(place.cpu)));
        }
        Ok(Topology {
            sockets: numbers.sockets.count(),
            nodes: numbers.nodes.count(),
            llcs: numbers.llcs.count(),
            cores: numbers.cores.count(),
            places,
        })
    }

    /// The place of each CPU, by number.
    pub fn places(&self) -> &[CpuPlace] {
        &self.places
    }

    /// The place of a CPU.
    pub fn place(&self, cpu: u32) -> Option<&CpuPlace> {
        let index = self.places.binary_search_by_key(&cpu, |place| place.cpu).ok()?;
        self.places.get(index)
    }

    /// Number of sockets.
    pub fn sockets(&self) -> u32 {
        self.sockets
    }

    /// Number of NUMA nodes; that of sockets if the source does not say.
    pub fn nodes(&self) -> u32 {
        self.nodes
    }

    /// Number of last-level caches; that of sockets if the source does not say.
    pub fn llcs(&self) -> u32 {
        self.llcs
    }

    /// Number of cores.
    pub fn cores(&self) -> u32 {
        self.cores
    }

    /// The distance between two CPUs; `None` if one of them is not in the topology.
    pub fn distance(&self, a: u32, b: u32) -> Option<Distance> {
        if a == b {
            return Some(Distance::Cpu);
        }
        Some(self.place(a)?.distance(self.place(b)?))
    }

    /// CPUs by distance from `from`, the nearest first; those with unknown distance come last.
    pub fn by_distance(&self, from: u32, cpus: &[u32]) -> Vec<(Option<Distance>, Vec<u32>)> {
        let mut groups: BTreeMap<(bool, Option<Distance>), Vec<u32>> = BTreeMap::new();
        for &cpu in cpus {
            let distance = self.distance(from, cpu);
            groups.entry((distance.is_none(), distance)).or_default().push(cpu);
        }
        groups
            .into_iter()
            .map(|((_, distance), cpus)| (distance, cpus))
            .collect()
    }

    /// CPUs by socket, LLC, core and number; those that are not in the topology come last, by number.
    pub fn order(&self, cpus: &[u32]) -> Vec<u32> {
        let mut order = cpus.to_vec();
        order.sort_by_cached_key(|&cpu| cpu);
        // What counts most comes last: each of these sorts keeps the order of equals. Sorts by one number share their code, of which
        // wasm modules would have kilobytes for other keys.
        let keys: [fn(&CpuPlace) -> u32; 3] = [|place| place.core, |place| place.llc, |place| place.socket];
        for key in keys {
            order.sort_by_cached_key(|&cpu| self.place(cpu).map_or(u32::MAX, key));
        }
        order
    }

    /// Those of some CPUs that are not in the topology.
    pub fn unknown_of(&self, cpus: &[u32]) -> Vec<u32> {
        cpus.iter().copied().filter(|&cpu| self.place(cpu).is_none()).collect()
    }

    /// The CPUs of the topology that are not among some others.
    pub fn other_than(&self, cpus: &[u32]) -> Vec<u32> {
        let known: BTreeSet<u32> = cpus.iter().copied().collect();
        let all = self.places.iter().map(|place| place.cpu);
        all.filter(|cpu| !known.contains(cpu)).collect()
    }

    /// The CPUs of each socket or LLC, by its number.
    pub fn groups(&self, domain: Domain) -> Vec<Vec<u32>> {
        let mut groups: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        for place in &self.places {
            let number = match domain {
                Domain::Socket => place.socket,
                Domain::Llc => place.llc,
            };
            groups.entry(number).or_default().push(place.cpu);
        }
        groups.into_values().collect()
    }
}

/// Dense numbers for keys, in order of first appearance.
struct Dense<K>(BTreeMap<K, u32>);

impl<K: Ord> Default for Dense<K> {
    fn default() -> Self {
        Dense(BTreeMap::new())
    }
}

impl<K: Ord> Dense<K> {
    fn of(&mut self, key: K) -> u32 {
        let next = self.count();
        *self.0.entry(key).or_insert(next)
    }

    fn count(&self) -> u32 {
        self.0.len() as u32
    }
}

#[derive(Default)]
struct Numbers {
    sockets: Dense<(u32, u32, u32)>,
    nodes: Dense<Result<u32, u32>>,
    llcs: Dense<(u32, Option<(u32, u32)>)>,
    cores: Dense<(u32, Result<CoreId, u32>)>,
}

#[cfg(test)]
mod tests;
