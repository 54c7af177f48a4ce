//! The arithmetic of scx_rusty's features: averages and weights in integers, ns.

/// What a frequency counts: occurrences in 100 ms.
const FREQ_PER: u64 = 100_000_000;
/// The most that a frequency counts as.
const MAX_FREQ: u64 = 100_000;
/// The most of an average run that the latency criticality looks at.
const MAX_RUN: u64 = 50_000_000;
const MAX_LATENCY_PRIO: u64 = 39;
/// The greatest weight.
const MAX_WEIGHT: u64 = 10_000;
/// Of nice 0.
pub const USUAL_WEIGHT: u64 = 100;

/// The kernel's weights by nice, from -20 to 19 (`sched_prio_to_weight`, `kernel/sched/core.c`).
const WEIGHTS: [u64; 40] = [
    88761, 71755, 56483, 46273, 36291, 29154, 23254, 18705, 14949, 11916, 9548, 7620, 6100, 4904, 3906, 3121, 2501,
    1991, 1586, 1277, 1024, 820, 655, 526, 423, 335, 272, 215, 172, 137, 110, 87, 70, 56, 45, 36, 29, 23, 18, 15,
];

/// The average after a new value: three quarters of the old one and a quarter of that.
pub fn average(old: u64, new: u64) -> u64 {
    (old - (old >> 2)).saturating_add(new >> 2)
}

/// The average frequency after something happened `since` ns after it last did.
pub fn frequency(old: u64, since: u64) -> u64 {
    average(old, FREQ_PER / since.max(1))
}

/// The weight of a task of the fair class, 100 for nice 0; `None` for real-time and deadline tasks.
pub fn weight(prio: i32) -> Option<u64> {
    let nice = usize::try_from(prio.checked_sub(100)?).ok()?;
    let kernel = WEIGHTS.get(nice)?;
    Some(((kernel * 100 + 512) / 1024).clamp(1, MAX_WEIGHT))
}

/// The position of the highest bit, from 1 on; 1 for 0.
fn log2(value: u64) -> u64 {
    u64::from(value.max(1).ilog2()) + 1
}

/// deadline − vtime.
pub fn request(blocked_freq: u64, waker_freq: u64, avg_runtime: u64, weight: u64) -> u64 {
    let (blocked, waker) = (blocked_freq.min(MAX_FREQ), waker_freq.min(MAX_FREQ));
    // At most 10^5 cubed times 10^4, which fits.
    let freq = (blocked * waker * waker).saturating_mul(weight) / 100;
    let run = (avg_runtime / 2).min(MAX_RUN) * 100 / weight.max(1);
    let prio = log2(freq + 1).min(MAX_LATENCY_PRIO).saturating_sub(log2(run + 1));
    // No logarithm is 0, so there are 39 of them.
    let place = 38_usize.saturating_sub(prio as usize);
    let scale = WEIGHTS.get(place).map_or(1, |weight| (*weight).min(MAX_WEIGHT));
    avg_runtime.saturating_mul(100) / scale
}

/// Bits of a share of one behind the point.
const SHARE_BITS: u32 = 32;
const ONE: u64 = 1 << SHARE_BITS;
/// The half-life of the share.
const PERIOD: u64 = 1_000_000_000;

/// The running average of how much of the time a task is runnable: at the end of each period the old average halves, and half
/// of the period's mean is added.
#[derive(Clone, Copy, Debug, Default)]
pub struct Duty {
    /// At the begin of the period, of [`ONE`].
    old: u64,
    /// When, by the trace's clock, the state is from.
    at: u64,
    /// Runnable ns of the period so far.
    in_period: u64,
    is_runnable: bool,
}

impl Duty {
    /// Of a task that is known from `at` on, and not runnable.
    pub fn new(at: u64) -> Duty {
        Duty { at, ..Duty::default() }
    }

    /// The task is runnable from `at` on, or no more.
    pub fn set(&mut self, at: u64, is_runnable: bool) {
        self.go_to(at);
        self.is_runnable = is_runnable;
    }

    fn go_to(&mut self, at: u64) {
        let Some(passed) = at.checked_sub(self.at).filter(|&passed| 0 < passed) else {
            return;
        };
        let ends = at / PERIOD - self.at / PERIOD;
        let rest = if ends == 0 { passed } else { PERIOD - self.at % PERIOD };
        self.in_period += if self.is_runnable { rest } else { 0 };
        if 0 < ends {
            self.old = self.old / 2 + share(self.in_period) / 2;
            self.skip(ends - 1);
            self.in_period = if self.is_runnable { at % PERIOD } else { 0 };
        }
        self.at = at;
    }

    /// Whole periods, in all of which the task is runnable, or in none: after some, the average no longer changes.
    fn skip(&mut self, periods: u64) {
        let mean = if self.is_runnable { ONE / 2 } else { 0 };
        for _ in 0..periods {
            let next = self.old / 2 + mean;
            if next == self.old {
                return;
            }
            self.old = next;
        }
    }

    /// The load at `at`: the average, times the weight.
    pub fn load(&mut self, at: u64, weight: u64) -> u64 {
        self.go_to(at);
        let elapsed = share(at % PERIOD);
        let old = (u128::from(self.old) * u128::from(2 * ONE - elapsed)) >> (SHARE_BITS + 1);
        let now = old + u128::from(share(self.in_period) / 2);
        ((now * u128::from(weight)) >> SHARE_BITS) as u64
    }
}

/// A part of a period, of [`ONE`].
fn share(ns: u64) -> u64 {
    ((u128::from(ns) << SHARE_BITS) / u128::from(PERIOD)) as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn weights_are_hundredths_of_nice_0() {
        assert_eq!(weight(120), Some(USUAL_WEIGHT));
        assert_eq!(weight(100), Some(8668));
        assert_eq!(weight(139), Some(1));
        for prio in [-1, 0, 99, 140, i32::MIN] {
            assert_eq!(weight(prio), None, "{prio}");
        }
    }

    #[test]
    fn averages_move_by_a_quarter() {
        assert_eq!(average(0, 400), 100);
        assert_eq!(average(100, 400), 175);
        // 1 ms: 100 in 100 ms.
        assert_eq!(frequency(0, 1_000_000), 25);
        assert_eq!(frequency(25, 0), 25 - 6 + 25_000_000);
        assert_eq!(
            average(u64::MAX, u64::MAX),
            u64::MAX - (u64::MAX >> 2) + (u64::MAX >> 2)
        );
    }

    /// By hand: F = 10·20·20 = 4000, whose 4001 has 12 bits; A = 2000, whose 2001 has 11; so 1, whose weight is that of nice
    /// 17: 23. A long run leaves no priority: nice 18, 18.
    #[test]
    fn a_deadline_is_near_for_those_who_wake_and_sleep_often() {
        assert_eq!(request(10, 20, 4000, 100), 4000 * 100 / 23);
        assert_eq!(request(0, 0, 4_000_000, 100), 4_000_000 * 100 / 18);
        // 39 − 1, the nearest: weight 88761, of which 10000 count.
        assert_eq!(request(u64::MAX, u64::MAX, 0, 10_000), 0);
        assert_eq!(request(u64::MAX, u64::MAX, 199, 10_000), 1);
    }

    /// The naive twin of [`Duty`]: period by period.
    fn go_period_by_period(duty: &mut Duty, at: u64) {
        while duty.at < at {
            let end = (duty.at / PERIOD + 1) * PERIOD;
            let until = end.min(at);
            if duty.is_runnable {
                duty.in_period += until - duty.at;
            }
            duty.at = until;
            if until == end {
                duty.old = duty.old / 2 + share(duty.in_period) / 2;
                duty.in_period = 0;
            }
        }
    }

    proptest! {
        /// Steps within a period, to its end, and over up to some hundred periods.
        #[test]
        fn averages_are_those_of_each_period(
            from in 0..3 * PERIOD,
            steps in prop::collection::vec((prop_oneof![0..PERIOD, 0..200 * PERIOD, (0_u64..90).prop_map(|n| n * PERIOD)], any::<bool>()), 1..20)
        ) {
            let mut duty = Duty::new(from);
            let mut naive = duty;
            let mut at = from;
            for (step, is_runnable) in steps {
                at += step;
                go_period_by_period(&mut naive, at);
                naive.is_runnable = is_runnable;
                duty.set(at, is_runnable);
                prop_assert_eq!((duty.old, duty.in_period, duty.at), (naive.old, naive.in_period, naive.at));
                prop_assert_eq!(duty.load(at, 100), naive.load(at, 100));
            }
        }
    }

    /// One wild time: by periods, these are 18 billion.
    #[test]
    fn centuries_take_no_time() {
        let mut duty = Duty::new(0);
        duty.set(0, true);
        duty.set(u64::MAX - PERIOD, false);
        assert_eq!(duty.load(u64::MAX - PERIOD, 100), 99);
        assert_eq!(duty.load(u64::MAX, 100), 55);
    }

    #[test]
    fn the_share_halves_in_a_second() {
        let second = PERIOD;
        let mut duty = Duty::new(10 * second);
        duty.set(10 * second, true);
        // Half a period: cur is a half, of which a half counts.
        assert_eq!(duty.load(10 * second + second / 2, 100), 25);
        duty.set(11 * second, false);
        assert_eq!(duty.load(11 * second, 100), 50);
        // Old halves by the end of a period.
        assert_eq!(duty.load(11 * second + second / 2, 100), 37);
        assert_eq!(duty.load(13 * second, 100), 12);
    }
}
