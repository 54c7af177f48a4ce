//! Reads a lane here and there, mostly forwards.

use super::lane::Lane;

/// Intervals that are brought into the cache at once.
const AHEAD: usize = 256;
/// Bytes of a line of the processor's cache.
const LINE: usize = 64;

/// Reads intervals of a lane in any order, and those a little farther on quickly: where each look decides where the next one is, each
/// line of the cache would be waited for. So they are read ahead, with loads that do not depend on each other.
#[derive(Clone, Copy, Debug)]
pub struct LaneReader<'a> {
    lane: &'a Lane,
    /// Starts from number `first` on, above a base.
    starts: &'a [u32],
    base: u64,
    first: usize,
}

impl<'a> LaneReader<'a> {
    /// Of `lane`, of which nothing is read yet.
    pub fn new(lane: &'a Lane) -> LaneReader<'a> {
        LaneReader {
            lane,
            starts: &[],
            base: 0,
            first: 0,
        }
    }

    /// Where interval `index` begins; the lane's end where there is none.
    #[inline]
    pub fn start_of(&mut self, index: usize) -> u64 {
        match self.starts.get(index.wrapping_sub(self.first)) {
            Some(&start) => self.base.saturating_add(start.into()),
            None => self.read_ahead(index),
        }
    }

    #[cold]
    fn read_ahead(&mut self, index: usize) -> u64 {
        let (base, starts) = self.lane.start.stretch(index);
        let starts = starts.get(..AHEAD).unwrap_or(starts);
        let lines = starts.iter().step_by(LINE / size_of::<u32>());
        let read = lines.fold(0, |read, start| read ^ start);
        std::hint::black_box(read ^ self.lane.who.read(index..index + starts.len(), LINE));
        (self.base, self.starts, self.first) = (base, starts, index);
        self.lane.start_of(index)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Who;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn it_says_what_the_lane_says(
            lengths in prop::collection::vec(prop_oneof![0_u64..9, Just(1 << 31)], 0..900),
            places in prop::collection::vec(0_usize..1000, 0..50),
        ) {
            let intervals: Vec<_> = lengths.into_iter().map(|length| (length, Who::Idle)).collect();
            let lane = Lane::of(&intervals);
            let mut reader = LaneReader::new(&lane);
            for index in places.into_iter().flat_map(|place| place..place + 5) {
                prop_assert_eq!(reader.start_of(index), lane.start_of(index));
            }
        }
    }
}
