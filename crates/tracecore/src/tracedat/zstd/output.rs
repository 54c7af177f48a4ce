//! What is unpacked so far: every match copies from it.

use traceevent::bytes::load;

use super::ZstdError;

/// Copies go in steps of this many bytes, and may write as many beyond their end: faster than a copy of exact length.
pub(super) const STEP: usize = 16;

pub(super) struct Output {
    /// Longer than `len` by the room that was reserved, and by [`STEP`].
    bytes: Vec<u8>,
    len: usize,
    limit: usize,
    /// Where the frame began: no match reaches further back.
    frame: usize,
}

impl Output {
    /// Into a buffer whose content is of no use, up to `limit` bytes.
    pub fn new(bytes: Vec<u8>, limit: usize) -> Self {
        Output {
            bytes,
            len: 0,
            limit,
            frame: 0,
        }
    }

    pub fn begin_frame(&mut self) {
        self.frame = self.len;
    }

    /// Makes room for `more` bytes, but not for more than the limit allows.
    pub fn reserve(&mut self, more: usize) {
        let wanted = (self.len + more).min(self.limit) + STEP;
        if self.bytes.len() < wanted {
            self.bytes.resize(wanted, 0);
        }
    }

    pub fn into_vec(mut self) -> Vec<u8> {
        self.bytes.truncate(self.len);
        self.bytes
    }

    /// Room for `count` more bytes that are within the limit; gives where they end.
    #[inline(always)]
    fn grow(&mut self, count: usize) -> Result<usize, ZstdError> {
        let end = self.len + count;
        if end + STEP <= self.bytes.len() {
            return Ok(end);
        }
        self.grow_slowly(count, end)
    }

    #[cold]
    fn grow_slowly(&mut self, count: usize, end: usize) -> Result<usize, ZstdError> {
        if end > self.limit {
            return Err(ZstdError::TooLong(self.limit));
        }
        self.reserve(count);
        Ok(end)
    }

    pub fn push(&mut self, bytes: &[u8]) -> Result<(), ZstdError> {
        let end = self.grow(bytes.len())?;
        if let Some(target) = self.bytes.get_mut(self.len..end) {
            target.copy_from_slice(bytes);
        }
        self.len = end;
        Ok(())
    }

    pub fn fill(&mut self, byte: u8, count: usize) -> Result<(), ZstdError> {
        let end = self.grow(count)?;
        if let Some(target) = self.bytes.get_mut(self.len..end) {
            target.fill(byte);
        }
        self.len = end;
        Ok(())
    }

    /// `count` bytes at `at` of `literals`, which is longer than that by at least [`STEP`].
    #[inline(always)]
    pub fn push_literals(&mut self, literals: &[u8], at: usize, count: usize) -> Result<(), ZstdError> {
        let end = self.grow(count)?;
        let mut done = 0;
        while done < count {
            let step: [u8; STEP] =
                load(literals, at + done).ok_or(ZstdError::Damaged("a sequence takes literals that are not there"))?;
            self.store(self.len + done, step);
            done += STEP;
        }
        self.len = end;
        Ok(())
    }

    /// `count` bytes that came `distance` bytes before, some of which this copy itself may write.
    #[inline(always)]
    pub fn repeat(&mut self, distance: usize, count: usize) -> Result<(), ZstdError> {
        if distance == 0 || distance > self.len - self.frame {
            return Err(ZstdError::Damaged("a match from before the frame"));
        }
        let end = self.grow(count)?;
        let from = self.len - distance;
        if distance >= STEP {
            let mut done = 0;
            while done < count {
                let step: [u8; STEP] = load(&self.bytes, from + done).unwrap_or([0; STEP]);
                self.store(self.len + done, step);
                done += STEP;
            }
        } else {
            self.repeat_closely(distance, end);
        }
        self.len = end;
        Ok(())
    }

    /// The pattern of `distance` bytes again and again: each copy doubles what the next one can take at once.
    fn repeat_closely(&mut self, distance: usize, end: usize) {
        let from = self.len - distance;
        let mut at = self.len;
        while at < end {
            let count = (at - from).min(end - at);
            self.bytes.copy_within(from..from + count, at);
            at += count;
        }
    }

    #[inline(always)]
    fn store(&mut self, at: usize, step: [u8; STEP]) {
        if let Some(target) = self.bytes.get_mut(at..at + STEP) {
            target.copy_from_slice(&step);
        }
    }
}
