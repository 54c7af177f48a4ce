//! The compact text of a topology: short enough for a URL, and the same for equal topologies.
//!
//! Regular machines: `SOCKETSxCORESxTHREADS[,NUMBERING][,llcs:N][,nodes:N]`, with the cores of one socket and the
//! threads of one core. N LLCs, or NUMA nodes, are those of the whole machine, each with the same number of consecutive
//! cores; the default is one per socket. The CPUs are numbered
//!
//! - by default as most kernels on x86 number them: first the first threads of all cores, socket by socket, then the
//!   second ones. CPU n is thread n / (sockets × cores) of core n mod (sockets × cores).
//! - `siblings`: the threads of a core have consecutive numbers, as in most virtual machines. CPU n is thread n mod
//!   threads of core n / threads.
//! - `alternate`: as by default, but the sockets take turns: CPU n is in socket n mod sockets.
//!
//! Other machines: `socket:GROUPS[,node:GROUPS][,llc:GROUPS][,core:GROUPS]`. A level that is left out has the groups of
//! the sockets; cores that are left out have one CPU each. Groups are separated by `/`; a group consists of CPUs and
//! ranges separated by `.`; `0-6~2` is 0, 2, 4, 6; `0.4*3~1` is three groups, each with numbers greater by 1 than the
//! previous one: `0.4/1.5/2.6`.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::error::quoted;
use super::{Claim, CpuPlace, Topology, TopologyError, MOST_CPUS};

/// Separators between the name of a field and its value: a colon, which URLs leave as it is, or what people may type
/// instead.
const NAMED: [char; 2] = [':', '='];
const EXPECTED: &str = "SOCKETSxCORESxTHREADS, as in 2x16x2";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Numbering {
    Usual,
    Siblings,
    Alternate,
}

const NUMBERINGS: [(Numbering, &str); 3] = [
    (Numbering::Usual, ""),
    (Numbering::Siblings, "siblings"),
    (Numbering::Alternate, "alternate"),
];

/// A machine whose parts are all alike.
#[derive(Clone, Copy, Debug)]
struct Regular {
    sockets: u32,
    cores: u32,
    threads: u32,
    numbering: Numbering,
    /// In the whole machine; a multiple of the sockets.
    llcs: u32,
    /// In the whole machine.
    nodes: u32,
}

pub(super) fn parse(text: &str) -> Result<Topology, TopologyError> {
    let text = text.trim();
    let claims = if text.contains([':', '=']) && !text.starts_with(|first: char| first.is_ascii_digit()) {
        lists(text)
    } else {
        Regular::parse(text).map(Regular::claims)
    };
    Topology::from_claims(claims.map_err(TopologyError::whole)?)
}

impl Regular {
    fn parse(text: &str) -> Result<Regular, String> {
        let mut fields = text.split(',').map(str::trim);
        let counts = fields.next().unwrap_or_default();
        let wrong = || format!("{}; expected {EXPECTED}, or the text of `lscpu -p`", quoted(text));
        let numbers: Option<Vec<u32>> = counts
            .split(['x', 'X', '×', '*'])
            .map(|part| {
                part.trim()
                    .parse()
                    .ok()
                    .filter(|&count| 0 < count && count <= MOST_CPUS)
            })
            .collect();
        let Some(&[sockets, cores, threads]) = numbers.as_deref() else {
            return Err(wrong());
        };
        let all = u64::from(sockets) * u64::from(cores) * u64::from(threads);
        if u64::from(MOST_CPUS) < all {
            return Err(format!(
                "{} is {all} CPUs; expected at most {MOST_CPUS}",
                quoted(counts)
            ));
        }
        let mut regular = Regular {
            sockets,
            cores,
            threads,
            numbering: Numbering::Usual,
            llcs: sockets,
            nodes: sockets,
        };
        for field in fields {
            match field.split_once(NAMED) {
                Some(("llcs", count)) => regular.llcs = parts(field, count, sockets, sockets * cores)?,
                Some(("nodes", count)) => regular.nodes = parts(field, count, 1, sockets * cores)?,
                _ => match NUMBERINGS.iter().find(|(_, name)| *name == field && !name.is_empty()) {
                    Some(&(numbering, _)) => regular.numbering = numbering,
                    None => {
                        return Err(format!(
                            "{}; expected siblings, alternate, llcs:N or nodes:N",
                            quoted(field)
                        ))
                    }
                },
            }
        }
        Ok(regular)
    }

    fn claims(self) -> Vec<Claim> {
        let Regular {
            sockets,
            cores,
            threads,
            ..
        } = self;
        let (all_cores, cpus) = (sockets * cores, sockets * cores * threads);
        let claim = |cpu| {
            let (socket, core) = match self.numbering {
                Numbering::Usual => (cpu % all_cores / cores, cpu % cores),
                Numbering::Siblings => (cpu / threads / cores, cpu / threads % cores),
                Numbering::Alternate => (cpu % sockets, cpu % all_cores / sockets),
            };
            Claim {
                cpu,
                socket: (0, 0, socket),
                node: Some((socket * cores + core) / (all_cores / self.nodes)),
                llc: Some((0, (socket * cores + core) / (all_cores / self.llcs))),
                core: Some((0, core)),
            }
        };
        (0..cpus).map(claim).collect()
    }
}

/// A number of equal parts, a multiple of `of`, into which `cores` can be divided.
fn parts(field: &str, count: &str, of: u32, cores: u32) -> Result<u32, String> {
    match count.parse::<u32>() {
        Ok(count) if 0 < count && cores.is_multiple_of(count) && count.is_multiple_of(of) => Ok(count),
        _ => Err(format!(
            "{}; expected a multiple of {of} that divides the {cores} cores of the machine",
            quoted(field)
        )),
    }
}

impl Topology {
    /// The shortest text of this topology.
    pub fn canonical(&self) -> String {
        self.regular().unwrap_or_else(|| self.lists())
    }

    fn regular(&self) -> Option<String> {
        let (sockets, cpus) = (self.sockets, self.places.len() as u32);
        let each = |all: u32, of: u32| (0 < of && all.is_multiple_of(of)).then(|| all / of);
        let (cores, threads) = (each(self.cores, sockets)?, each(cpus, self.cores)?);
        let (llcs, nodes) = (self.llcs, self.nodes);
        each(llcs, sockets).filter(|llcs| cores % llcs == 0)?;
        each(self.cores, nodes)?;
        NUMBERINGS.iter().find_map(|&(numbering, name)| {
            let regular = Regular {
                sockets,
                cores,
                threads,
                numbering,
                llcs,
                nodes,
            };
            let same = Topology::from_claims(regular.claims()).is_ok_and(|topology| topology == *self);
            same.then(|| {
                let mut text = format!("{sockets}x{cores}x{threads}");
                if !name.is_empty() {
                    let _ = write!(text, ",{name}");
                }
                for (part, count) in [("llcs", llcs), ("nodes", nodes)] {
                    if count != sockets {
                        let _ = write!(text, ",{part}:{count}");
                    }
                }
                text
            })
        })
    }

    fn lists(&self) -> String {
        let mut text = format!("socket:{}", self.groups_text(|place| place.socket));
        if self.places.iter().any(|place| place.node != place.socket) {
            let _ = write!(text, ",node:{}", self.groups_text(|place| place.node));
        }
        if self.llcs != self.sockets {
            let _ = write!(text, ",llc:{}", self.groups_text(|place| place.llc));
        }
        if self.cores as usize != self.places.len() {
            let _ = write!(text, ",core:{}", self.groups_text(|place| place.core));
        }
        text
    }

    fn groups_text(&self, of: fn(&CpuPlace) -> u32) -> String {
        let mut groups: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        for place in &self.places {
            groups.entry(of(place)).or_default().push(place.cpu);
        }
        let groups: Vec<Vec<u32>> = groups.into_values().collect();
        let mut texts = Vec::new();
        let mut rest = groups.as_slice();
        while let [first, others @ ..] = rest {
            let step = others.first().and_then(|second| shift(first, second));
            let alike = step.map_or(0, |step| {
                let pairs = rest.windows(2);
                pairs
                    .take_while(|pair| matches!(pair, [a, b] if shift(a, b) == Some(step)))
                    .count()
            });
            let list = group_text(first);
            match step {
                Some(step) if 0 < alike => texts.push(format!("{list}*{}~{step}", alike + 1)),
                _ => texts.push(list),
            }
            rest = rest.get(alike + 1..).unwrap_or_default();
        }
        texts.join("/")
    }
}

/// The constant difference between the CPUs of `b` and those of `a`, if there is one.
fn shift(a: &[u32], b: &[u32]) -> Option<u32> {
    let step = b.first()?.checked_sub(*a.first()?)?;
    let same = a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.checked_add(step) == Some(*b));
    (same && 0 < step).then_some(step)
}

/// Ascending CPUs as `0-6~2.9`, with the longest steps of equal width from the left.
fn group_text(cpus: &[u32]) -> String {
    let mut texts = Vec::new();
    let mut rest = cpus;
    while let [first, others @ ..] = rest {
        let step = others.first().map_or(1, |second| second - first);
        let alike = 1 + rest
            .windows(2)
            .take_while(|pair| matches!(pair, [a, b] if b - a == step))
            .count();
        // Two CPUs that are far apart are no range.
        let taken = if alike == 2 && step != 1 { 1 } else { alike };
        texts.push(match (taken, step) {
            (1, _) => first.to_string(),
            (count, 1) => format!("{first}-{}", first + count as u32 - 1),
            (count, step) => format!("{first}-{}~{step}", first + (count as u32 - 1) * step),
        });
        rest = rest.get(taken..).unwrap_or_default();
    }
    texts.join(".")
}

/// The group of a level that each CPU is in.
type Level = BTreeMap<u32, u32>;

fn lists(text: &str) -> Result<Vec<Claim>, String> {
    let mut levels: BTreeMap<&str, Level> = BTreeMap::new();
    for field in text.split(',') {
        let (name, groups) = match field.trim().split_once(NAMED) {
            Some((name @ ("socket" | "node" | "llc" | "core"), groups)) => (name, groups),
            _ => {
                return Err(format!(
                    "{}; expected socket:, node:, llc: or core: and lists of CPUs",
                    quoted(field)
                ))
            }
        };
        if levels.insert(name, level(groups)?).is_some() {
            return Err(format!("{name}: is there twice; expected once"));
        }
    }
    let sockets = levels
        .get("socket")
        .ok_or("no socket:; expected the CPUs of each socket")?;
    for (name, level) in &levels {
        if let Some(cpu) = level.keys().find(|cpu| !sockets.contains_key(cpu)) {
            return Err(format!(
                "CPU {cpu} of {name}: is in no socket; expected it below socket:"
            ));
        }
        if let Some(cpu) = sockets.keys().find(|cpu| !level.contains_key(cpu)) {
            return Err(format!(
                "CPU {cpu} is missing in {name}:; expected every CPU of socket:"
            ));
        }
    }
    let of = |name: &str, cpu: u32| levels.get(name)?.get(&cpu).copied();
    let claims = sockets.iter().map(|(&cpu, &socket)| Claim {
        cpu,
        socket: (0, 0, socket),
        node: of("node", cpu),
        llc: of("llc", cpu).map(|llc| (0, llc)),
        core: of("core", cpu).map(|core| (0, core)),
    });
    Ok(claims.collect())
}

fn level(text: &str) -> Result<Level, String> {
    let mut level = Level::new();
    let mut number = 0;
    for repeated in text.split('/') {
        let (list, repeat) = repeated.split_once('*').unwrap_or((repeated, "1~1"));
        let wrong =
            |what: &str, expected: &str| format!("{} in {}; expected {expected}", quoted(what), quoted(repeated));
        let (times, step) = repeat
            .split_once('~')
            .and_then(|(times, step)| Some((cpu_number(times)?, cpu_number(step)?)))
            .ok_or_else(|| wrong(repeat, "a repetition, as in *8~2"))?;
        let cpus = group(list).ok_or_else(|| wrong(list, "CPUs and ranges, as in 0-3.8"))?;
        for repetition in 0..times {
            for &cpu in &cpus {
                let cpu = repetition
                    .checked_mul(step)
                    .and_then(|shift| shift.checked_add(cpu))
                    .filter(|&cpu| cpu < MOST_CPUS)
                    .ok_or_else(|| wrong(repeat, "numbers of CPUs that stay below 8192"))?;
                if level.insert(cpu, number).is_some() {
                    return Err(format!("CPU {cpu} is there twice; expected once"));
                }
            }
            number += 1;
        }
    }
    Ok(level)
}

fn cpu_number(text: &str) -> Option<u32> {
    text.parse().ok().filter(|&number| number < MOST_CPUS)
}

fn group(text: &str) -> Option<Vec<u32>> {
    let mut cpus = Vec::new();
    for part in text.split('.') {
        let (range, step) = part.split_once('~').unwrap_or((part, "1"));
        let (first, last) = range.split_once('-').unwrap_or((range, range));
        let (first, last, step) = (cpu_number(first)?, cpu_number(last)?, cpu_number(step)?);
        if last < first || step == 0 {
            return None;
        }
        cpus.extend((first..=last).step_by(step as usize));
        if MOST_CPUS as usize <= cpus.len() {
            return None;
        }
    }
    Some(cpus)
}
