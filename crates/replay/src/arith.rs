//! Arithmetic of each event of the engine. Products of 128 bits, also those by which others learn that they are too long, are calls
//! in wasm, and took a tenth of a run: here they are made only of numbers that need them.

/// `value * by / over` towards zero, where the product may be too long for 64 bits.
#[inline]
pub fn scaled(value: i64, by: i64, over: i64) -> i64 {
    let over = over.max(1);
    if 66 <= value.unsigned_abs().leading_zeros() + by.unsigned_abs().leading_zeros() {
        return value * by / over;
    }
    (i128::from(value) * i128::from(by) / i128::from(over)) as i64
}

/// `value * weight`, from two products of 64 bits.
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

/// `value * by`, or the most that there is.
#[inline]
pub fn times(value: u64, by: u64) -> u64 {
    match 64 <= value.leading_zeros() + by.leading_zeros() {
        true => value * by,
        false => value.saturating_mul(by),
    }
}

/// How often `per` goes into `value` and what was left before, where what is left now is kept: the sum of all answers does not depend
/// on the parts in which values come.
#[inline]
pub fn divided(value: u64, per: u64, left: &mut u64) -> u64 {
    let value = value.saturating_add(*left);
    let times = value / per.max(1);
    *left = value - times * per.max(1);
    times
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
            let (some, other) = (value.unsigned_abs(), by.unsigned_abs());
            prop_assert_eq!(times(some, other), some.saturating_mul(other));
            let long = i128::from(value) * i128::from(weight);
            prop_assert_eq!(product(value, weight), long);
            prop_assert_eq!(i128::from(average(long, over)), long.div_euclid(i128::from(over)) as i64 as i128);
        }
    }
}
