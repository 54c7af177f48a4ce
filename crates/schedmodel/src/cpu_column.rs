//! A column of CPU numbers.

use crate::stored::stored;

/// CPU numbers fit 16 bits in any kernel. A larger one is damage, and treated as unknown.
pub(super) fn pack_cpu(cpu: Option<u32>) -> u16 {
    cpu.and_then(|cpu| u16::try_from(cpu).ok()).unwrap_or(NO_CPU)
}

pub(super) fn unpack_cpu(cpu: u16) -> Option<u32> {
    (cpu != NO_CPU).then_some(u32::from(cpu))
}

/// Stands for no CPU.
const NO_CPU: u16 = u16::MAX;
/// The same, on machines whose numbers fit a byte.
const NO_SMALL_CPU: u8 = u8::MAX;

/// CPU numbers as [`pack_cpu`] makes them; in bytes, if they fit.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct CpuColumn {
    /// One of them is empty.
    small: Vec<u8>,
    large: Vec<u16>,
}

impl CpuColumn {
    pub(super) fn new(cpus: Vec<u16>) -> CpuColumn {
        let fits = |&cpu: &u16| cpu == NO_CPU || cpu < u16::from(NO_SMALL_CPU);
        if cpus.iter().all(fits) {
            // What stands for none is cut to what stands for none.
            CpuColumn {
                small: cpus.iter().map(|&cpu| cpu as u8).collect(),
                large: Vec::new(),
            }
        } else {
            CpuColumn {
                small: Vec::new(),
                large: cpus,
            }
        }
    }

    /// Number `index`; none where there is none.
    pub(super) fn get(&self, index: usize) -> u16 {
        match self.small.get(index) {
            Some(&NO_SMALL_CPU) => NO_CPU,
            Some(&small) => u16::from(small),
            None => self.large.get(index).copied().unwrap_or(NO_CPU),
        }
    }

    pub(super) fn memory_bytes(&self) -> usize {
        self.small.capacity() + self.large.capacity() * size_of::<u16>()
    }
}

stored!(CpuColumn {
    small: Vec<u8>,
    large: Vec<u16>,
});

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn numbers_come_back(cpus in prop::collection::vec(prop_oneof![0_u16..=256, any::<u16>()], 0..6)) {
            let column = CpuColumn::new(cpus.clone());
            prop_assert!(column.small.is_empty() || column.large.is_empty());
            for (index, &cpu) in cpus.iter().enumerate() {
                prop_assert_eq!(column.get(index), cpu);
            }
            prop_assert_eq!(column.get(cpus.len()), NO_CPU);
        }
    }

    #[test]
    fn the_numbers_of_most_machines_take_a_byte() {
        let column = CpuColumn::new(vec![0, 254, NO_CPU]);
        assert_eq!((column.small.len(), column.large.len()), (3, 0));
        assert_eq!(CpuColumn::new(vec![255]).large.len(), 1);
    }
}
