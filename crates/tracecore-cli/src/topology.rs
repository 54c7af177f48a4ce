//! `corelane topology`, and the option `--topology` of others: the machine that a trace was recorded on.

use std::fmt::{self, Write};
use std::path::Path;
use std::sync::Arc;

use clap::Args;
use schedmodel::topology::{CpuPlace, Domain, Topology};
use schedquery::query::TopologyFacts;

use crate::bounded::read_file;
use crate::load::Loaded;
use crate::text;
use crate::Failure;

#[derive(Args)]
pub struct TopologyArgs {
    /// SOCKETSxCORESxTHREADS, or @FILE with the text of `lscpu -p` or a tar of /sys/devices/system/cpu
    #[arg(value_name = "TEXT|@FILE", value_parser = read)]
    topology: Arc<Topology>,
    /// As JSON
    #[arg(long)]
    json: bool,
}

/// `--topology`, for commands that tell CPUs apart by how near they are.
#[derive(Args)]
pub struct TopologyOption {
    /// The machine: SOCKETSxCORESxTHREADS, or @FILE with the text of `lscpu -p` or a tar of /sys/devices/system/cpu
    #[arg(long = "topology", value_name = "TEXT|@FILE", value_parser = read)]
    pub topology: Option<Arc<Topology>>,
}

impl TopologyOption {
    /// What was given, else what the file says.
    pub fn or_of<'a>(&'a self, loaded: &'a Loaded) -> Option<&'a Arc<Topology>> {
        self.topology.as_ref().or(loaded.topology.as_ref())
    }
}

/// The most bytes of a topology's file: a tar of a machine with thousands of CPUs has less.
const MOST_BYTES: u64 = 256 << 20;

/// The topology that the argument describes, or that of the file that it names.
pub fn read(argument: &str) -> Result<Arc<Topology>, String> {
    let topology = match argument.strip_prefix('@') {
        None => Topology::parse(argument.as_bytes()).map_err(|error| error.to_string())?,
        Some(path) => {
            let bytes = read_file(Path::new(path), MOST_BYTES).map_err(|error| format!("{path}: {error}"))?;
            Topology::parse(&bytes).map_err(|error| format!("{path}: {error}"))?
        }
    };
    Ok(Arc::new(topology))
}

pub fn run(args: &TopologyArgs) -> Result<String, Failure> {
    let topology = &*args.topology;
    if args.json {
        return text::json(&TopologyFacts::new(topology));
    }
    let mut out = String::new();
    write(topology, &mut out).map_err(|error| Failure(error.to_string()))?;
    Ok(out)
}

fn write(topology: &Topology, out: &mut String) -> fmt::Result {
    writeln!(out, "{}\nas text       {}", topology.summary(), topology.canonical())?;
    for (socket, cpus) in topology.groups(Domain::Socket).iter().enumerate() {
        writeln!(out, "\nsocket {socket:<7}CPUs {}", text::cpu_list(cpus))?;
        let places: Vec<&CpuPlace> = cpus.iter().filter_map(|&cpu| topology.place(cpu)).collect();
        parts("  LLC", &places, |place| place.llc, out)?;
        parts("  core", &places, |place| place.core, out)?;
    }
    Ok(())
}

/// Prints a line for each part of a socket.
fn parts(name: &str, places: &[&CpuPlace], of: fn(&CpuPlace) -> u32, out: &mut String) -> fmt::Result {
    let mut places = places.to_vec();
    places.sort_by_key(|place| (of(place), place.cpu));
    for part in places.chunk_by(|a, b| of(a) == of(b)) {
        if let Some(first) = part.first() {
            let cpus: Vec<u32> = part.iter().map(|place| place.cpu).collect();
            writeln!(
                out,
                "{:<14}CPUs {}",
                format!("{name} {}", of(first)),
                text::cpu_list(&cpus)
            )?;
        }
    }
    Ok(())
}
