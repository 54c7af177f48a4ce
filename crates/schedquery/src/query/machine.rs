//! A topology as `Topology` of `web/engine/protocolTopology.ts`: with what it means for the CPUs of a trace.

use schedmodel::topology::{CpuPlace, Topology};
use serde::Serialize;

/// What was understood of a text or a tar.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Understood {
    /// `None` when it was not.
    pub topology: Option<Machine>,
    /// What was found, where, and what was expected.
    pub error: Option<String>,
}

/// A machine's topology beside a trace's CPUs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Machine {
    /// The shortest text.
    pub canonical: String,
    /// In words.
    pub summary: String,
    /// How many.
    pub sockets: u32,
    /// How many NUMA nodes.
    pub nodes: u32,
    /// How many last-level caches.
    pub llcs: u32,
    /// How many.
    pub cores: u32,
    /// By number.
    pub cpus: Vec<CpuPlace>,
    /// The trace's CPUs by socket, LLC, core and number; those that are not known last.
    pub order: Vec<u32>,
    /// CPUs of the trace that are not known.
    pub unknown_cpus: Vec<u32>,
    /// CPUs that the trace does not have.
    pub other_cpus: Vec<u32>,
}

impl Understood {
    /// Of a trace with these CPUs.
    pub fn new(parsed: Result<&Topology, String>, trace_cpus: &[u32]) -> Understood {
        match parsed {
            Ok(topology) => Understood {
                topology: Some(Machine::new(topology, trace_cpus)),
                error: None,
            },
            Err(error) => Understood {
                topology: None,
                error: Some(error),
            },
        }
    }
}

impl Machine {
    fn new(topology: &Topology, trace_cpus: &[u32]) -> Machine {
        Machine {
            canonical: topology.canonical(),
            summary: topology.summary(),
            sockets: topology.sockets(),
            nodes: topology.nodes(),
            llcs: topology.llcs(),
            cores: topology.cores(),
            cpus: topology.places().to_vec(),
            order: topology.order(trace_cpus),
            unknown_cpus: topology.unknown_of(trace_cpus),
            other_cpus: topology.other_than(trace_cpus),
        }
    }
}
