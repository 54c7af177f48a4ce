//! Fractions of times as small integers, rounded up, so that a little is never nothing.
//!
//! Some are worked out for each cell on the screen. A division of 128 bits takes dozens of ns, in wasm more; what fits 64 bits is
//! divided there.

/// `part` in units of a `scale`th of `whole`, rounded up; all of it for an empty `whole`.
#[inline]
pub fn of_time(part: u64, scale: u32, whole: u64) -> u64 {
    let whole = whole.max(1);
    match part.checked_mul(u64::from(scale)) {
        Some(scaled) => scaled.div_ceil(whole),
        None => wide(part, scale, u128::from(whole)),
    }
}

/// The same for a `whole` of `2^level`, at most 2^63.
#[inline]
pub fn of_bucket(part: u64, scale: u32, level: u32) -> u64 {
    let whole = 1_u64 << (level & 63);
    let scaled = part.checked_mul(u64::from(scale));
    match scaled.and_then(|scaled| scaled.checked_add(whole - 1)) {
        Some(above) => above >> (level & 63),
        None => wide(part, scale, u128::from(whole)),
    }
}

#[cold]
fn wide(part: u64, scale: u32, whole: u128) -> u64 {
    let units = (u128::from(part) * u128::from(scale)).div_ceil(whole);
    u64::try_from(units).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn time() -> impl Strategy<Value = u64> {
        (any::<u64>(), 0_u32..64).prop_map(|(bits, fewer)| bits >> fewer)
    }

    proptest! {
        #[test]
        fn are_exact(part in time(), whole in time(), level in 0_u32..64, scale in prop::sample::select(vec![255, 256, 65535])) {
            let exact = |whole: u64| {
                let units = (u128::from(part) * u128::from(scale)).div_ceil(u128::from(whole));
                u64::try_from(units).unwrap_or(u64::MAX)
            };
            prop_assert_eq!(of_time(part, scale, whole), exact(whole.max(1)));
            prop_assert_eq!(of_bucket(part, scale, level), exact(1 << level));
        }
    }
}
