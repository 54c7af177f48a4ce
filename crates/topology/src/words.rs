//! A topology in words.

use super::{CpuPlace, Topology};

fn plural(count: u32, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

impl Topology {
    /// As in `2 sockets × 1 LLC × 16 cores × 2 threads = 64 CPUs`, each a number per part of the one before; totals of
    /// the whole machine if its parts differ.
    pub fn summary(&self) -> String {
        let cpus = self.places().len() as u32;
        let count = plural(cpus, "CPU", "CPUs");
        let parts = [
            (self.sockets(), "socket", "sockets"),
            (self.llcs(), "LLC", "LLCs"),
            (self.cores(), "core", "cores"),
            (cpus, "thread", "threads"),
        ];
        let mut text = if self.is_even() {
            let mut holders = 1;
            let factors = parts.map(|(all, one, many)| {
                let each = all / holders;
                holders = all;
                plural(each, one, many)
            });
            format!("{} = {count}", factors.join(" × "))
        } else {
            let [sockets, llcs, cores, _] = parts.map(|(all, one, many)| plural(all, one, many));
            format!("{count} on {cores}, {llcs} and {sockets}, which are not all alike")
        };
        if self.nodes() != self.sockets() {
            text += &format!(", {}", plural(self.nodes(), "NUMA node", "NUMA nodes"));
        }
        text
    }

    /// Whether all sockets have equally many LLCs, all LLCs equally many cores, and all cores equally many threads.
    fn is_even(&self) -> bool {
        let places = self.places();
        let even = |all: u32, of: fn(&CpuPlace) -> u32| {
            let mut sizes = vec![0_u32; all as usize];
            for place in places {
                if let Some(size) = sizes.get_mut(of(place) as usize) {
                    *size += 1;
                }
            }
            sizes.windows(2).all(|pair| matches!(pair, [a, b] if a == b))
        };
        // As many CPUs in each of a level, at every level: then also as many of the next level.
        even(self.sockets(), |place| place.socket)
            && even(self.llcs(), |place| place.llc)
            && even(self.cores(), |place| place.core)
    }
}
