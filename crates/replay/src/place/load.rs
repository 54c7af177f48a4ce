//! Decaying averages of runnable weight, as the kernel's per-entity load tracking has them (kernel/sched/pelt.c): what was
//! 32 ms ago counts half.

use crate::policy::Ns;

/// Steps in a half-life.
const STEPS: usize = 1024;
/// How long a step is: 32 ms / 1024.
const STEP: Ns = 31_250;
/// Bits behind the point of a load.
const FRACTION: u32 = 16;

/// 2^(-n/1024) for n below 1024, in 32 bits behind the point.
#[derive(Clone, Debug)]
pub struct Decay(Vec<u64>);

impl Decay {
    /// By square roots of one half, in integers: the same bits everywhere.
    pub fn new() -> Decay {
        // roots[k] = 2^(-1/2^(k+1)), with 62 bits behind the point.
        let mut root = (1_u128 << 62) / 2;
        let mut roots = Vec::new();
        for _ in 0..10 {
            root = (root << 62).isqrt();
            roots.push(root);
        }
        let power = |number: usize| {
            let bits = roots.iter().enumerate().filter(|(bit, _)| number >> (9 - bit) & 1 != 0);
            let product = bits.fold(1_u128 << 62, |product, (_, root)| (product * root) >> 62);
            (product >> 30) as u64
        };
        Decay((0..STEPS).map(power).collect())
    }

    fn after(&self, value: i64, steps: u64) -> i64 {
        let halvings = steps / STEPS as u64;
        if 62 < halvings {
            return 0;
        }
        let factor = self.0.get((steps % STEPS as u64) as usize).copied().unwrap_or(0);
        ((i128::from(value) * i128::from(factor)) >> (32 + halvings)) as i64
    }
}

/// One average: of a task, or of all that a CPU has.
#[derive(Clone, Copy, Debug, Default)]
pub struct Load {
    /// With [`FRACTION`] bits behind the point.
    value: i64,
    /// The weight that is runnable now.
    weight: i64,
    updated: Ns,
}

impl Load {
    /// What it is now.
    pub fn at(&mut self, now: Ns, decay: &Decay) -> i64 {
        let steps = now.saturating_sub(self.updated) / STEP;
        if 0 < steps {
            let target = self.weight << FRACTION;
            self.value = target + decay.after(self.value - target, steps);
            self.updated += steps * STEP;
        }
        self.value
    }

    /// So much more, or less, weight is runnable from now on.
    pub fn add_weight(&mut self, now: Ns, decay: &Decay, weight: i64) {
        self.at(now, decay);
        self.weight += weight;
    }

    /// A task comes with its load, or leaves with it.
    pub fn add(&mut self, now: Ns, decay: &Decay, value: i64) {
        self.at(now, decay);
        self.value = (self.value + value).max(0);
    }

    /// Its value as a whole number.
    pub fn whole(value: i64) -> i64 {
        value >> FRACTION
    }

    /// That of a task which has been runnable for ever.
    pub fn full(weight: u32, now: Ns) -> Load {
        Load {
            value: i64::from(weight) << FRACTION,
            weight: 0,
            updated: now,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_halves_in_32_ms() {
        let decay = Decay::new();
        for steps in [0_u64, 1, 17, 512, 1023, 1024, 5000] {
            let found = decay.after(1 << 40, steps) as f64 / (1_u64 << 40) as f64;
            let expected = (-(steps as f64) / 1024.0).exp2();
            assert!((found - expected).abs() < 1e-8, "{steps}: {found} {expected}");
        }
    }

    /// 1024 (1 - 2^(-100/32)) after 100 ms.
    #[test]
    fn it_grows_to_the_weight() {
        let decay = Decay::new();
        let mut load = Load::default();
        load.add_weight(0, &decay, 1024);
        // In many small steps, too.
        for ms in 1..=1000 {
            load.at(ms * 100_000, &decay);
        }
        assert_eq!(Load::whole(load.at(100_000_000, &decay)), 906);
    }
}
