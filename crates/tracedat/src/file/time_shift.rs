//! The TIME_SHIFT option: a guest's stamps to its host's time, as trace-cmd 3.1.6 applies them.
//!
//! Per CPU, samples of (time, offset, scaling), and at the end of the option, where the file has them, the fraction bits
//! of each scaling. A stamp takes the sample before it (the first one, if there is none; never the last one, if there are
//! several), and flag bit 0 says to interpolate the offset towards the next sample.

use schedrows::sort_by_keys;
use traceevent::{Endian, OutOfBytes, Reader};

const INTERPOLATE: u32 = 1;

/// The corrections of one CPU.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub(crate) struct TimeShift {
    /// Ascending by time, no two at one time.
    samples: Vec<Sample>,
    interpolate: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Sample {
    time: u64,
    offset: i64,
    scaling: u64,
    fraction: u32,
}

/// Reads the option's data: the corrections of CPU 0, 1, ...
pub(super) fn read(data: &[u8], endian: Endian) -> Result<Vec<TimeShift>, OutOfBytes> {
    let mut reader = Reader::new(data, endian);
    let _peer_trace_id = reader.u64()?;
    let flags = reader.u32()?;
    let cpus = reader.u32()?;
    let mut shifts = Vec::new();
    for _ in 0..cpus {
        shifts.push(TimeShift {
            samples: read_samples(&mut reader)?,
            interpolate: flags & INTERPOLATE != 0,
        });
    }
    // Older files end here: their scalings are whole numbers.
    if reader.left() > 0 {
        for sample in shifts.iter_mut().flat_map(|shift| &mut shift.samples) {
            sample.fraction = u32::try_from(reader.u64()?).unwrap_or(u32::MAX);
        }
    }
    for shift in &mut shifts {
        sort_by_keys(&mut shift.samples, |sample| [sample.time, 0]);
        shift.samples.dedup_by_key(|sample| sample.time);
    }
    Ok(shifts)
}

/// A count, then all times, all offsets, all scalings.
fn read_samples(reader: &mut Reader<'_>) -> Result<Vec<Sample>, OutOfBytes> {
    let count = reader.u32()?;
    let mut column = || -> Result<Vec<u64>, OutOfBytes> { (0..count).map(|_| reader.u64()).collect() };
    let (times, offsets, scalings) = (column()?, column()?, column()?);
    let rows = times.into_iter().zip(offsets).zip(scalings);
    Ok(rows
        .map(|((time, offset), scaling)| Sample {
            time,
            offset: offset as i64,
            scaling,
            fraction: 0,
        })
        .collect())
}

impl TimeShift {
    /// The host's time of a guest's stamp.
    pub fn apply(&self, stamp: u64) -> u64 {
        let (sample, next) = match self.samples.as_slice() {
            [] => return stamp,
            [only] => return stamp.wrapping_add_signed(only.offset),
            samples => {
                let after = samples.partition_point(|sample| sample.time <= stamp);
                let at = after.saturating_sub(1).min(samples.len() - 2);
                match samples.get(at..) {
                    Some([sample, next, ..]) => (sample, next),
                    _ => return stamp,
                }
            }
        };
        let offset = if self.interpolate {
            interpolate(stamp, sample, next)
        } else {
            sample.offset
        };
        let scaled = (u128::from(stamp) * u128::from(sample.scaling)) >> sample.fraction.min(127);
        (scaled as u64).wrapping_add_signed(offset)
    }
}

/// The offset between two samples, rounded as trace-cmd does.
fn interpolate(stamp: u64, sample: &Sample, next: &Sample) -> i64 {
    let span = i128::from(next.time) - i128::from(sample.time);
    let past = i128::from(stamp) - i128::from(sample.time);
    let rise = i128::from(next.offset) - i128::from(sample.offset);
    let rounded = past
        .checked_mul(rise)
        .and_then(|product| product.checked_add(span / 2)?.checked_div(span));
    sample.offset.wrapping_add(rounded.unwrap_or(0) as i64)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One CPU's part of an option; samples are (time, offset, scaling).
    fn shift(flags: u32, samples: &[(u64, i64, u64)], fractions: &[u64]) -> TimeShift {
        let mut data = 77u64.to_le_bytes().to_vec(); // peer's trace id
        data.extend(flags.to_le_bytes()); // flags
        data.extend(1u32.to_le_bytes()); // CPUs
        data.extend((samples.len() as u32).to_le_bytes()); // samples
        data.extend(samples.iter().flat_map(|sample| sample.0.to_le_bytes())); // times
        data.extend(samples.iter().flat_map(|sample| sample.1.to_le_bytes())); // offsets
        data.extend(samples.iter().flat_map(|sample| sample.2.to_le_bytes())); // scalings
        data.extend(fractions.iter().flat_map(|fraction| fraction.to_le_bytes())); // fraction bits
        read(&data, Endian::Little).unwrap().remove(0)
    }

    /// The expected values are those that `trace-cmd report` (3.1.6) printed for files with such options.
    #[test]
    fn stamps_move_as_trace_cmd_moves_them() {
        let t = 160_498_418_725;
        let later = t + 538_728;
        let moved = |shift: &TimeShift| [shift.apply(t) - t, shift.apply(later) - later];
        assert_eq!(moved(&shift(0, &[(0, 1000, 2)], &[])), [1000, 1000]);
        let two = [(t - 1_000_000, 1000, 1), (t + 1_000_000, 3000, 1)];
        assert_eq!(moved(&shift(0, &two, &[])), [1000, 1000]);
        assert_eq!(moved(&shift(1, &two, &[])), [2000, 2539]);
        assert_eq!(moved(&shift(1, &[two[1], two[0]], &[])), [2000, 2539]);
        let three = [(t - 1_000_000, 1000, 1), (t + 100, 3000, 1), (t + 1_000_000, 5000, 1)];
        assert_eq!(moved(&shift(0, &three, &[])), [1000, 3000]);
        assert_eq!(moved(&shift(1, &three, &[])), [3000, 4077]);
        let before = [(t - 30, 1000, 1), (t - 20, 3000, 1), (t - 10, 7000, 1)];
        assert_eq!(moved(&shift(0, &before, &[])), [3000, 3000]);
        assert_eq!(moved(&shift(1, &before, &[])), [11_000, 215_502_200]);
        let after = [(t + 10, 1000, 1), (t + 20, 3000, 1)];
        assert_eq!(shift(1, &after, &[]).apply(t), t - 999);
        assert_eq!(moved(&shift(0, &[(5, 1000, 1), (5, 3000, 1)], &[])), [1000, 1000]);
    }

    #[test]
    fn scalings_have_fraction_bits() {
        let samples = [(0, 1000, 4), (1 << 60, 1000, 4)];
        assert_eq!(shift(0, &samples, &[2, 2]).apply(5000), 6000);
        assert_eq!(shift(0, &samples, &[1, 1]).apply(5000), 11_000);
        assert_eq!(shift(0, &samples, &[]).apply(5000), 21_000);
    }

    #[test]
    fn odd_options_change_nothing_or_are_refused() {
        assert_eq!(TimeShift::default().apply(5), 5);
        assert_eq!(shift(0, &[], &[]).apply(5), 5);
        assert!(read(&[0; 12], Endian::Little).is_err());
        let extreme = shift(1, &[(0, i64::MIN, u64::MAX), (u64::MAX, i64::MAX, 1)], &[u64::MAX, 0]);
        extreme.apply(u64::MAX);
    }
}
