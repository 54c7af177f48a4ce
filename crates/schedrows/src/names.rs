//! Interning of names: millions of short ones, of which a trace has a few hundred different ones.

use std::collections::HashMap;

use crate::row::CommTable;

/// Slots of the table in front of the map, a power of two.
const SLOTS: usize = 256;

/// Hands out one index for each name; 0 is the empty one's.
pub struct Names {
    table: CommTable,
    by_name: HashMap<Vec<u8>, u32>,
    /// Names of up to 15 bytes, filled up with zeros, and their indices: one probe; collisions go through the map.
    recent: Vec<(u128, u32)>,
}

impl Default for Names {
    fn default() -> Self {
        Names::new()
    }
}

impl Names {
    /// With the empty name.
    pub fn new() -> Self {
        let mut names = Names {
            table: CommTable::default(),
            by_name: HashMap::new(),
            recent: vec![(0, 0); SLOTS],
        };
        names.add(b"");
        names
    }

    /// The index of a name, which ends at the first NUL.
    pub fn intern(&mut self, name: &[u8]) -> u32 {
        let Some(key) = padded(name) else {
            return self.add(name);
        };
        let slot = slot(key);
        match self.recent.get(slot) {
            Some(&(known, index)) if known == key => index,
            _ => self.add_short(name, key, slot),
        }
    }

    #[cold]
    fn add_short(&mut self, name: &[u8], key: u128, slot: usize) -> u32 {
        let index = self.add(name);
        if let Some(entry) = self.recent.get_mut(slot) {
            *entry = (key, index);
        }
        index
    }

    /// What follows a NUL is no part of a name.
    fn add(&mut self, name: &[u8]) -> u32 {
        let name = name.split(|&byte| byte == 0).next().unwrap_or(name);
        if let Some(&index) = self.by_name.get(name) {
            return index;
        }
        let index = self.table.names.len() as u32;
        self.table.names.push(String::from_utf8_lossy(name).into_owned());
        self.by_name.insert(name.to_vec(), index);
        index
    }

    /// All names, by their indices.
    pub fn into_table(self) -> CommTable {
        self.table
    }
}

/// Up to 15 bytes, filled up with zeros; made of two loads that may overlap, since a copy of so many bytes costs a call.
#[inline]
fn padded(name: &[u8]) -> Option<u128> {
    let len = name.len();
    let both = |low: u64, high: u64, at: usize| u128::from(low) | u128::from(high) << (8 * at);
    Some(match len {
        0 => 0,
        1..4 => {
            let byte = |at: usize| name.get(at).copied().map(u64::from);
            let middle = len / 2;
            both(byte(0)?, byte(middle)?, middle) | u128::from(byte(len - 1)?) << (8 * (len - 1))
        }
        4..8 => {
            let (low, high) = (name.first_chunk()?, name.last_chunk()?);
            both(
                u32::from_le_bytes(*low).into(),
                u32::from_le_bytes(*high).into(),
                len - 4,
            )
        }
        8..16 => both(
            u64::from_le_bytes(*name.first_chunk()?),
            u64::from_le_bytes(*name.last_chunk()?),
            len - 8,
        ),
        _ => return None,
    })
}

#[inline]
fn slot(key: u128) -> usize {
    const MIX: u64 = 0x9e37_79b9_7f4a_7c15;
    let folded = (key as u64) ^ ((key >> 64) as u64).rotate_left(29);
    (folded.wrapping_mul(MIX) >> (64 - SLOTS.trailing_zeros())) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_filled_up() {
        let name = b"fifteen-letters";
        for len in 0..16 {
            let mut key = [0; 16];
            key[..len].copy_from_slice(&name[..len]);
            assert_eq!(padded(&name[..len]), Some(u128::from_le_bytes(key)), "{len}");
        }
        assert_eq!(padded(b"sixteen-letters!"), None);
    }

    #[test]
    fn equal_names_have_one_index() {
        let mut names = Names::new();
        let long = b"kworker/u16:3-events_unbound";
        let found = [
            &b""[..],
            b"a",
            b"a\0b",
            b"\0",
            b"",
            b"a",
            long,
            b"fifteen-letters",
            long,
            b"a\0",
        ];
        let found = found.map(|name| names.intern(name));
        assert_eq!(found, [0, 1, 1, 0, 0, 1, 2, 3, 2, 1]);
        assert_eq!(names.into_table().names[2], "kworker/u16:3-events_unbound");
    }
}
