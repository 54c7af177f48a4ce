//! A topology, applied to the CPUs of a trace.

use schedmodel::topology::{CpuPlace, Topology};
use serde::Serialize;
use ts_rs::TS;

/// Result of parsing a text or a tar.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
pub struct TopologySummary {
    /// `None` if it was not understood.
    pub topology: Option<TraceTopology>,
    /// What was found, where, and what was expected instead.
    pub error: Option<String>,
}

/// A topology.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
pub struct TopologyFacts {
    /// Its shortest description.
    pub canonical: String,
    /// The topology in words.
    pub summary: String,
    /// Number of sockets.
    pub sockets: u32,
    /// Number of NUMA nodes.
    pub nodes: u32,
    /// Number of last-level caches.
    pub llcs: u32,
    /// Number of cores.
    pub cores: u32,
    /// The CPUs by number.
    pub cpus: Vec<CpuPlace>,
}

/// A topology, applied to the CPUs of a trace.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(rename = "Topology")]
pub struct TraceTopology {
    /// What holds for any trace.
    #[serde(flatten)]
    pub facts: TopologyFacts,
    /// The trace's CPUs by socket, LLC, core and number; those that the topology does not have come last.
    pub order: Vec<u32>,
    /// CPUs of the trace that the topology does not have.
    pub unknown_cpus: Vec<u32>,
    /// CPUs of the topology that the trace does not have.
    pub other_cpus: Vec<u32>,
}

impl TopologySummary {
    /// No topology is known.
    pub fn unknown() -> TopologySummary {
        TopologySummary {
            topology: None,
            error: None,
        }
    }

    /// For a trace with these CPUs.
    pub fn new(parsed: Result<&Topology, String>, trace_cpus: &[u32]) -> TopologySummary {
        match parsed {
            Ok(topology) => TopologySummary {
                topology: Some(TraceTopology::new(topology, trace_cpus)),
                error: None,
            },
            Err(error) => TopologySummary {
                topology: None,
                error: Some(error),
            },
        }
    }
}

impl TopologyFacts {
    /// Of a topology.
    pub fn new(topology: &Topology) -> TopologyFacts {
        TopologyFacts {
            canonical: topology.canonical(),
            summary: topology.summary(),
            sockets: topology.sockets(),
            nodes: topology.nodes(),
            llcs: topology.llcs(),
            cores: topology.cores(),
            cpus: topology.places().to_vec(),
        }
    }
}

impl TraceTopology {
    fn new(topology: &Topology, trace_cpus: &[u32]) -> TraceTopology {
        TraceTopology {
            facts: TopologyFacts::new(topology),
            order: topology.order(trace_cpus),
            unknown_cpus: topology.unknown_of(trace_cpus),
            other_cpus: topology.other_than(trace_cpus),
        }
    }
}
