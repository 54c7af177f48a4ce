//! Bytes in memory that grow without being copied.

use schedrows::{ReadAt, ReadError};

/// Bytes of a block: growth costs at most one of them more than is held.
const BLOCK: usize = 1 << 20;

/// Bytes in blocks of the same size. Growing never copies what is held, which in one piece would take up to three times as
/// much memory for a moment.
#[derive(Debug, Default)]
pub struct Blocks {
    blocks: Vec<Vec<u8>>,
    len: u64,
}

impl Blocks {
    /// Adds bytes at the end.
    pub fn extend(&mut self, mut bytes: &[u8]) {
        self.len += bytes.len() as u64;
        while !bytes.is_empty() {
            match self.blocks.last_mut().filter(|last| last.len() < BLOCK) {
                Some(last) => {
                    let (part, rest) = bytes.split_at((BLOCK - last.len()).min(bytes.len()));
                    last.extend_from_slice(part);
                    bytes = rest;
                }
                None => self
                    .blocks
                    .push(Vec::with_capacity(BLOCK.min(bytes.len().next_power_of_two().max(4096)))),
            }
        }
    }

    /// The bytes in one piece.
    pub fn into_vec(self) -> Vec<u8> {
        let mut all = Vec::with_capacity(self.len as usize);
        for block in self.blocks {
            all.extend_from_slice(&block);
        }
        all
    }
}

impl ReadAt for Blocks {
    fn len(&self) -> u64 {
        self.len
    }

    fn read_at(&self, offset: u64, buf: &mut [u8]) -> Result<(), ReadError> {
        let len = buf.len();
        let beyond = || ReadError {
            offset,
            len,
            message: "beyond the end".to_owned(),
        };
        if offset.checked_add(len as u64).is_none_or(|end| self.len < end) {
            return Err(beyond());
        }
        let (mut at, mut rest) = (offset, buf);
        while !rest.is_empty() {
            let block = usize::try_from(at / BLOCK as u64)
                .ok()
                .and_then(|index| self.blocks.get(index));
            let there = block
                .and_then(|block| block.get((at % BLOCK as u64) as usize..))
                .unwrap_or_default();
            let (part, more) = rest.split_at_mut(there.len().min(rest.len()));
            let Some(from) = there.get(..part.len()).filter(|part| !part.is_empty()) else {
                return Err(beyond());
            };
            part.copy_from_slice(from);
            at += part.len() as u64;
            rest = more;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_come_back_from_any_place() {
        let bytes: Vec<u8> = (0..BLOCK * 2 + 77).map(|at| (at / 3) as u8).collect();
        let mut blocks = Blocks::default();
        for part in bytes.chunks(300_001) {
            blocks.extend(part);
        }
        assert_eq!(ReadAt::len(&blocks), bytes.len() as u64);
        for (at, len) in [
            (0, 10),
            (BLOCK - 3, 7),
            (BLOCK - 1, BLOCK + 2),
            (bytes.len() - 1, 1),
            (bytes.len(), 0),
        ] {
            let mut found = vec![0; len];
            blocks.read_at(at as u64, &mut found).unwrap();
            assert!(found == bytes[at..at + len], "{at}");
        }
        assert!(blocks.read_at(bytes.len() as u64, &mut [0]).is_err());
        assert!(blocks.read_at(u64::MAX, &mut [0]).is_err());
        assert!(blocks.into_vec() == bytes);
    }
}
