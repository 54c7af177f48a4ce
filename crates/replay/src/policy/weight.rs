//! Nice values and their weights.

/// The weight of each nice value from -20 to 19 (`sched_prio_to_weight` in kernel/sched/core.c): each is about 1.25 times the
/// next, so that one step of nice is about 10 % of a CPU.
const WEIGHTS: [u32; 40] = [
    88761, 71755, 56483, 46273, 36291, 29154, 23254, 18705, 14949, 11916, 9548, 7620, 6100, 4904, 3906, 3121, 2501,
    1991, 1586, 1277, 1024, 820, 655, 526, 423, 335, 272, 215, 172, 137, 110, 87, 70, 56, 45, 36, 29, 23, 18, 15,
];

/// The weight of nice 0.
pub const NICE_0: u64 = 1024;

/// The nice value of a kernel priority: that of 100 to 139 is -20 to 19, others count as the nearest.
pub fn nice_of(prio: i16) -> i32 {
    i32::from(prio.clamp(100, 139)) - 120
}

/// The weight of a kernel priority.
pub fn weight_of(prio: i16) -> u32 {
    let at = usize::try_from(nice_of(prio) + 20).unwrap_or(0);
    WEIGHTS.get(at).copied().unwrap_or(15)
}

/// CPU time as virtual time of a task with this weight.
#[inline]
pub fn virtual_time(used: u64, weight: u32) -> i64 {
    if u64::from(weight) == NICE_0 {
        return used as i64;
    }
    (used.saturating_mul(NICE_0) / u64::from(weight.max(1))) as i64
}

/// `value * by / over` towards zero, where the product may be too long for 64 bits. In wasm those of 128 are calls, and slow.
#[inline]
pub fn scaled(value: i64, by: i64, over: i64) -> i64 {
    let over = over.max(1);
    if 66 <= value.unsigned_abs().leading_zeros() + by.unsigned_abs().leading_zeros() {
        return value * by / over;
    }
    (i128::from(value) * i128::from(by) / i128::from(over)) as i64
}

/// `value * weight`, of which 128 bits in wasm are made from two short products here instead of by a call.
#[inline]
pub fn product(value: i64, weight: u32) -> i128 {
    let low = u64::from(value as u32) * u64::from(weight);
    let high = (value >> 32) * i64::from(weight);
    (i128::from(high) << 32) + i128::from(low)
}

/// `sum / weight`, rounded down, as a number that has no more than 64 bits.
#[inline]
pub fn average(sum: i128, weight: i64) -> i64 {
    let weight = weight.max(1);
    match i64::try_from(sum) {
        Ok(sum) => sum.div_euclid(weight),
        Err(_) => sum.div_euclid(i128::from(weight)) as i64,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn number() -> impl Strategy<Value = i64> {
        prop_oneof![-300_i64..300, -(1_i64 << 33)..1 << 33, any::<i64>()]
    }

    proptest! {
        #[test]
        fn short_ways_are_the_long_ones(value in number(), by in number(), over in 1_i64..1 << 40, weight: u32) {
            let long = i128::from(value) * i128::from(by) / i128::from(over);
            prop_assert_eq!(scaled(value, by, over), long as i64);
            let long = i128::from(value) * i128::from(weight);
            prop_assert_eq!(product(value, weight), long);
            prop_assert_eq!(i128::from(average(long, over)), long.div_euclid(i128::from(over)) as i64 as i128);
        }
    }
}
