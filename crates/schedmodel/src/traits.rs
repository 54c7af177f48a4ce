//! A column of facts of which there are few different ones.

use super::codes::Codes;
use crate::stored::{stored, stored_plain};
use bytemuck::{Pod, Zeroable};
use std::collections::HashMap;

/// What is known of an interval beside its times and its task.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Pod, Zeroable)]
#[repr(C)]
pub(super) struct Trait {
    /// See `flag`.
    pub(super) flags: u8,
    /// As [`Row::prio`](schedrows::Row::prio).
    pub(super) prio: u8,
    /// The state in which a run ended; 0 if no switch ended it.
    pub(super) end_state: u8,
}

/// One trait per interval: each of the few different ones once, and which one it is.
#[derive(Clone, Debug, Default)]
pub(super) struct Traits {
    different: Vec<Trait>,
    which: Codes,
}

/// Slots of the table of traits that came before, a power of two.
const SLOTS: usize = 1024;

impl Traits {
    /// Those of no interval.
    pub(super) const NONE: Traits = Traits {
        different: Vec::new(),
        which: Codes::NONE,
    };

    pub(super) fn new(traits: &[Trait]) -> Traits {
        let mut different = Vec::new();
        let mut codes = HashMap::new();
        // In front of the map: one probe.
        let mut recent = vec![None; SLOTS];
        let which = traits.iter().map(|&each| {
            let Trait { flags, prio, end_state } = each;
            let hash = u32::from_le_bytes([flags, prio, end_state, 0]).wrapping_mul(0x9e37_79b1);
            let Some(slot) = recent.get_mut((hash >> (u32::BITS - SLOTS.trailing_zeros())) as usize) else {
                return 0;
            };
            match *slot {
                Some((found, code)) if found == each => code,
                _ => {
                    let code = *codes.entry(each).or_insert_with(|| {
                        different.push(each);
                        different.len() as u32 - 1
                    });
                    *slot = Some((each, code));
                    code
                }
            }
        });
        let which = which.collect();
        different.shrink_to_fit();
        Traits { different, which }
    }

    #[inline]
    pub(super) fn get(&self, index: usize) -> Option<Trait> {
        self.different.get(self.which.get(index)? as usize).copied()
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = Trait> + '_ {
        (0..).map_while(|index| self.get(index))
    }

    pub(super) fn memory_bytes(&self) -> usize {
        self.different.capacity() * size_of::<Trait>() + self.which.memory_bytes()
    }
}

stored_plain!(Trait);
stored!(Traits {
    different: Vec<Trait>,
    which: Codes,
});

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn traits_come_back(bytes in prop::collection::vec((0_u8..4, any::<u8>(), 0_u8..4), 0..3000)) {
            let traits: Vec<Trait> =
                bytes.iter().map(|&(flags, prio, end_state)| Trait { flags, prio, end_state }).collect();
            prop_assert!(Traits::new(&traits).iter().eq(traits.iter().copied()));
        }
    }

    #[test]
    fn they_take_a_byte_each() {
        let traits: Vec<Trait> = (0..90_000_u32)
            .map(|index| Trait {
                flags: (index % 7) as u8,
                prio: 120,
                end_state: [b'S', b'D', b'R'][index as usize % 3],
            })
            .collect();
        assert!(Traits::new(&traits).memory_bytes() < 91_000);
    }
}
