//! Interning of comms: millions of 16-byte names, of which a trace has a few hundred different ones.

use std::collections::HashMap;

use traceevent::{load, until_nul};

use schedrows::CommTable;

/// Slots of the table in front of the map, a power of two: it must leave room in the first level of the cache.
const SLOTS: usize = 256;

/// Hands out one index for each name.
pub(super) struct Names {
    table: CommTable,
    by_name: HashMap<String, u32>,
    /// The 16 bytes of names and their indices: one probe, no second chances; collisions go through the map. What follows
    /// the first NUL counts here, though not in the name: the kernel copies all 16 bytes, with what an older, longer name
    /// left there, and a task's bytes stay the same.
    recent: Vec<(u128, u32)>,
}

impl Names {
    pub fn new() -> Self {
        let mut names = Names {
            table: CommTable::default(),
            by_name: HashMap::new(),
            recent: vec![(0, 0); SLOTS],
        };
        names.intern(b"");
        names
    }

    /// A name of any length.
    pub fn intern(&mut self, name: &[u8]) -> u32 {
        let name = String::from_utf8_lossy(name);
        if let Some(&index) = self.by_name.get(name.as_ref()) {
            return index;
        }
        let index = self.table.names.len() as u32;
        self.table.names.push(name.clone().into_owned());
        self.by_name.insert(name.into_owned(), index);
        index
    }

    /// A `char[16]` at `at` of the record: what comes before its first NUL.
    #[inline]
    pub fn intern_comm(&mut self, record: &[u8], at: usize) -> Option<u32> {
        load(record, at).map(|bytes| self.intern_bytes(bytes))
    }

    /// The same, of its bytes.
    #[inline]
    pub fn intern_bytes(&mut self, bytes: [u8; 16]) -> u32 {
        let key = u128::from_le_bytes(bytes);
        let slot = slot(key);
        match self.recent.get(slot) {
            Some(&(known, index)) if known == key => index,
            _ => self.intern_new(key, slot),
        }
    }

    /// A name of any length; of short ones, too, a few hundred come again and again.
    #[inline]
    pub fn intern_text(&mut self, name: &[u8]) -> u32 {
        let mut key = [0; 16];
        let Some(place) = key.get_mut(..name.len()).filter(|_| name.len() < 16) else {
            return self.intern(name);
        };
        place.copy_from_slice(name);
        self.intern_bytes(key)
    }

    #[cold]
    fn intern_new(&mut self, key: u128, slot: usize) -> u32 {
        let index = self.intern(until_nul(&key.to_le_bytes()));
        if let Some(entry) = self.recent.get_mut(slot) {
            *entry = (key, index);
        }
        index
    }

    pub fn into_table(self) -> CommTable {
        self.table
    }
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
    fn equal_names_have_one_index() {
        let mut names = Names::new();
        let a = names.intern_comm(b"bash\0\0\0\0\0\0\0\0\0\0\0\0", 0);
        // What an older name left behind does not count.
        let b = names.intern_comm(b"xbash\0ld-name\0\0\0\0", 1);
        let c = names.intern(b"bash");
        assert_eq!((a, b, c), (Some(1), Some(1), 1));
        assert_eq!((names.intern_text(b"bash"), names.intern_text(b"")), (1, 0));
        assert_eq!(names.intern_comm(&[0; 16], 0), Some(0));
        assert_eq!(names.intern_comm(b"sixteen-letters!", 0), Some(2));
        assert_eq!(names.intern_comm(b"short", 0), None);
        assert_eq!(names.into_table().names, ["", "bash", "sixteen-letters!"]);
    }

    #[test]
    fn names_that_are_not_utf8_are_told_apart_from_none() {
        let mut names = Names::new();
        let first = names.intern_comm(b"a\xff\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 0);
        assert_eq!(names.intern(b"a\xff"), first.unwrap());
        assert_eq!(names.into_table().names, ["", "a\u{fffd}"]);
    }
}
