//! The machine that a perf.data file was recorded on, from its features.

use std::collections::BTreeMap;

use topology::Topology;
use traceevent::Endian;

use super::header::{feature, text, Header};

/// More than any machine has of anything.
const MOST: u32 = 1 << 16;

/// `uname` as far as the file has it.
pub(super) fn uname(header: &Header) -> Option<String> {
    let release = header.text(feature::RELEASE)?;
    let others = [feature::HOSTNAME, feature::ARCH].map(|number| header.text(number).unwrap_or_default());
    let [host, arch] = others;
    let words = ["Linux", &host, &release, &arch];
    let words: Vec<&str> = words.into_iter().filter(|word| !word.is_empty()).collect();
    Some(words.join(" "))
}

/// CPUs that were online.
pub(super) fn cpus(header: &Header) -> Option<u32> {
    let bytes = header.features.get(&feature::CPUS)?;
    // There are those that the machine could have before.
    header.endian.u32(bytes, 4).filter(|&count| 0 < count && count < MOST)
}

/// The command that recorded the file, word by word.
pub(super) fn command(header: &Header) -> Option<Vec<String>> {
    let (words, _) = texts(header.features.get(&feature::COMMAND)?, header.endian)?;
    Some(words).filter(|words| !words.is_empty())
}

/// Describes the tasks or events that the recording leaves out; `None` if the file does not say that it leaves any out.
pub(super) fn left_out(header: &Header) -> Option<String> {
    let command = command(header).unwrap_or_default();
    // What follows is the program's own.
    let options: Vec<&str> = command
        .iter()
        .map(String::as_str)
        .take_while(|word| *word != "--")
        .collect();
    let has = |short: &str, long: &str| {
        let is_it = |word: &&str| word.starts_with(long) || word.starts_with(short) && !word.starts_with("--");
        options.iter().any(is_it)
    };
    let chosen = [("-p", "--pid"), ("-t", "--tid"), ("-u", "--uid")];
    let what = if header.attrs.all().iter().any(|attr| attr.begins_with_exec()) {
        "it is of one program and what that starts (perf record without -a): a switch to it is not in it"
    } else if chosen.into_iter().any(|(short, long)| has(short, long)) {
        "it is of the tasks that were named (perf record -p, -t or -u): a switch to them is not in it"
    } else if has("--filter", "--filter") {
        "it was recorded with a filter, and what that leaves out is not in it"
    } else {
        return None;
    };
    let command = match command.is_empty() {
        true => String::new(),
        false => format!("; the command was `{}`", command.join(" ")),
    };
    Some(format!("{what}{command}"))
}

/// Times of the first sample and of the last.
pub(super) fn times(header: &Header) -> Option<(u64, u64)> {
    let bytes = header.features.get(&feature::SAMPLE_TIME)?;
    let (first, last) = (header.endian.u64(bytes, 0)?, header.endian.u64(bytes, 8)?);
    (0 < first && first <= last).then_some((first, last))
}

/// The canonical text of the topology.
pub(super) fn topology(header: &Header) -> Option<String> {
    let endian = header.endian;
    let mut levels = BTreeMap::new();
    let cpu_topology = header.features.get(&feature::CPU_TOPOLOGY)?;
    let (sockets, rest) = lists(cpu_topology, endian)?;
    let (cores, _) = lists(rest, endian)?;
    levels.insert("socket", sockets);
    levels.insert("core", cores);
    if let Some(nodes) = header.features.get(&feature::NUMA_TOPOLOGY) {
        levels.insert("node", nodes_of(nodes, endian).unwrap_or_default());
    }
    if let Some(caches) = header.features.get(&feature::CACHE) {
        levels.insert("llc", last_level(caches, endian).unwrap_or_default());
    }
    let named = |name| {
        let groups: &Vec<String> = levels.get(name).filter(|groups| !groups.is_empty())?;
        Some(format!("{name}:{}", groups.join("/")))
    };
    let text: Vec<String> = ["socket", "node", "llc", "core"]
        .into_iter()
        .filter_map(named)
        .collect();
    let topology = Topology::of_compact(&text.join(",")).ok()?;
    Some(topology.canonical())
}

/// A list of CPUs as the compact text of topologies has it: `0-3,8` is `0-3.8`.
fn group(list: &str) -> String {
    list.trim().replace(',', ".")
}

/// A count, and as many lists of CPUs.
fn lists(bytes: &[u8], endian: Endian) -> Option<(Vec<String>, &[u8])> {
    let (texts, rest) = texts(bytes, endian)?;
    Some((texts.iter().map(|list| group(list)).collect(), rest))
}

/// A count, and as many texts.
fn texts(bytes: &[u8], endian: Endian) -> Option<(Vec<String>, &[u8])> {
    let count = endian.u32(bytes, 0)?;
    let mut rest = bytes.get(4..)?;
    let mut texts = Vec::new();
    for _ in 0..count.min(MOST) {
        let (one, behind) = text(rest, endian)?;
        rest = behind;
        texts.push(one);
    }
    Some((texts, rest))
}

fn nodes_of(bytes: &[u8], endian: Endian) -> Option<Vec<String>> {
    let count = endian.u32(bytes, 0)?;
    let mut rest = bytes.get(4..)?;
    let mut nodes = Vec::new();
    for _ in 0..count.min(MOST) {
        // Its number, its memory and how much of it is free.
        let (list, behind) = text(rest.get(4 + 8 + 8..)?, endian)?;
        rest = behind;
        // A node may have memory alone.
        nodes.extend(Some(group(&list)).filter(|list| !list.is_empty()));
    }
    Some(nodes)
}

/// The CPUs of each cache of the highest level.
fn last_level(bytes: &[u8], endian: Endian) -> Option<Vec<String>> {
    let count = endian.u32(bytes, 4)?;
    let mut rest = bytes.get(8..)?;
    let mut caches: Vec<(u32, String)> = Vec::new();
    for _ in 0..count.min(MOST) {
        let level = endian.u32(rest, 0)?;
        // Level, line, sets and ways, then type, size and CPUs as texts.
        let (_, behind) = text(rest.get(16..)?, endian)?;
        let (_, behind) = text(behind, endian)?;
        let (list, behind) = text(behind, endian)?;
        rest = behind;
        caches.push((level, group(&list)));
    }
    let highest = caches.iter().map(|&(level, _)| level).max()?;
    let mut last: Vec<String> = caches
        .into_iter()
        .filter(|&(level, _)| level == highest)
        .map(|(_, list)| list)
        .collect();
    last.dedup();
    Some(last)
}
