//! What comes next: the earliest of a fixed number of times.

use crate::policy::Ns;

/// It never comes.
pub const NEVER: Ns = Ns::MAX;

/// Times by number, and a tournament between them; of equal times, the lowest number wins.
#[derive(Clone, Debug)]
pub struct Timeline {
    times: Vec<Ns>,
    /// The winner of each match: node `n` is that between nodes `2n` and `2n + 1`, the leaves come behind.
    winners: Vec<u32>,
    leaves: usize,
}

impl Timeline {
    /// So many times, all of which are never.
    pub fn new(len: usize) -> Timeline {
        let leaves = len.next_power_of_two().max(1);
        let mut winners = vec![0; 2 * leaves];
        for (leaf, winner) in (0..).zip(winners.iter_mut().skip(leaves)) {
            *winner = leaf;
        }
        let mut timeline = Timeline {
            times: vec![NEVER; leaves],
            winners,
            leaves,
        };
        for leaf in (0..leaves as u32).rev() {
            timeline.set_anew(leaf, NEVER);
        }
        timeline
    }

    /// The time with a number.
    #[inline]
    pub fn get(&self, leaf: u32) -> Ns {
        self.times.get(leaf as usize).copied().unwrap_or(NEVER)
    }

    /// The earliest, and its number.
    #[inline]
    pub fn first(&self) -> (Ns, u32) {
        let leaf = self.winners.get(1).copied().unwrap_or(0);
        (self.get(leaf), leaf)
    }

    /// Changes a time.
    #[inline]
    pub fn set(&mut self, leaf: u32, time: Ns) {
        if self.get(leaf) != time {
            self.set_anew(leaf, time);
        }
    }

    fn set_anew(&mut self, leaf: u32, time: Ns) {
        match self.times.get_mut(leaf as usize) {
            Some(old) => *old = time,
            None => return,
        }
        let mut node = (self.leaves + leaf as usize) / 2;
        while 0 < node {
            let (left, right) = match self.winners.get(2 * node..2 * node + 2) {
                Some(&[left, right]) => (left, right),
                _ => return,
            };
            let winner = if self.get(right) < self.get(left) { right } else { left };
            if let Some(old) = self.winners.get_mut(node) {
                *old = winner;
            }
            node /= 2;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Against a look at all of them.
        #[test]
        fn the_earliest_is_first(len in 1_usize..20, changes in prop::collection::vec((0_u32..20, 0_u64..9), 0..60)) {
            let mut timeline = Timeline::new(len);
            let mut times = vec![NEVER; len];
            for (leaf, time) in changes {
                if (leaf as usize) < len {
                    timeline.set(leaf, time);
                    times[leaf as usize] = time;
                }
                let first = times.iter().copied().zip(0_u32..).min().unwrap();
                prop_assert_eq!(timeline.first(), first);
            }
        }
    }
}
