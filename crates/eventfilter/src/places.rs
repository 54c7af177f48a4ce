//! Where tasks ran, for fields that no record has: the CPU that a task ran on last, and how far that is.

use std::collections::HashMap;

/// The fields of scheduling events that are derived from where tasks ran.
pub const DERIVED: [&str; 2] = ["orig_cpu", "distance"];

/// How far two CPUs are from each other: the smallest part of the machine that has both.
pub const DISTANCES: [&str; 5] = ["cpu", "core", "llc", "socket", "machine"];

/// On which CPUs tasks ran, and how far these are from each other.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Places {
    /// By pid: since when it ran on which CPU, for each change of CPU, ascending.
    ran: HashMap<i32, Vec<(u64, u32)>>,
    /// By CPU: the numbers of its core, last-level cache and socket.
    parts: HashMap<u32, [u32; 3]>,
}

impl Places {
    /// Adds that the task runs on `cpu` from `ts` on, as records count time; of each task in the order of time.
    pub fn ran(&mut self, pid: i32, ts: u64, cpu: u32) {
        let places = self.ran.entry(pid).or_default();
        if places.last().is_none_or(|&(_, last)| last != cpu) {
            places.push((ts, cpu));
        }
    }

    /// Adds where a CPU is: numbers of its core, last-level cache and socket.
    pub fn place(&mut self, cpu: u32, parts: [u32; 3]) {
        self.parts.insert(cpu, parts);
    }

    /// From words: the number of CPUs, then for each its number, core, cache and socket; then for each change of CPU the pid,
    /// the time (low word first, since `base_ns`) and the CPU. What is cut off is left out.
    pub fn of_words(words: &[u32], base_ns: u64) -> Places {
        let mut places = Places::default();
        let (&cpus, rest) = words.split_first().unwrap_or((&0, &[]));
        let (cpus, changes) = rest.split_at(rest.len().min((cpus as usize).saturating_mul(4)));
        for cpu in cpus.chunks_exact(4) {
            if let &[cpu, core, llc, socket] = cpu {
                places.place(cpu, [core, llc, socket]);
            }
        }
        for change in changes.chunks_exact(4) {
            if let &[pid, low, high, cpu] = change {
                let at = u64::from(low) | u64::from(high) << 32;
                places.ran(pid as i32, base_ns.saturating_add(at), cpu);
            }
        }
        places
    }

    /// The CPU on which the task ran last before `ts`.
    pub fn last_cpu(&self, pid: i32, ts: u64) -> Option<u32> {
        let places = self.ran.get(&pid)?;
        let after = places.partition_point(|&(since, _)| since < ts);
        places.get(after.checked_sub(1)?).map(|&(_, cpu)| cpu)
    }

    /// How far two CPUs are from each other, one of [`DISTANCES`]; `None` if that is not known.
    pub fn distance(&self, from: u32, to: u32) -> Option<&'static str> {
        if from == to {
            return Some("cpu");
        }
        let (from, to) = (self.parts.get(&from)?, self.parts.get(&to)?);
        let shared = from.iter().zip(to).position(|(from, to)| from == to);
        DISTANCES.get(1 + shared.unwrap_or(3)).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::Places;

    #[test]
    fn places_are_those_before() {
        // Two sockets of one core with two threads each; task 7 on CPU 0 from 10 on, on CPU 2 from 30 on.
        let cpus = [4, 0, 0, 0, 0, 1, 0, 0, 0, 2, 1, 1, 1, 3, 1, 1, 1];
        let changes = [7, 10, 0, 0, 7, 30, 0, 2, 7, 40, 0, 2, 9, 5];
        let places = Places::of_words(&[&cpus[..], &changes].concat(), 1000);
        assert_eq!(places.last_cpu(7, 1010), None);
        assert_eq!(places.last_cpu(7, 1011), Some(0));
        assert_eq!(places.last_cpu(7, 1030), Some(0));
        assert_eq!(places.last_cpu(7, 2000), Some(2));
        assert_eq!(places.last_cpu(9, 2000), None);
        assert_eq!(places.distance(0, 0), Some("cpu"));
        assert_eq!(places.distance(0, 1), Some("core"));
        assert_eq!(places.distance(1, 2), Some("machine"));
        assert_eq!(places.distance(1, 9), None);
    }
}
