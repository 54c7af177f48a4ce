//! Lengths as text, in thousandths, so that equal lengths are equal texts on every machine.

/// The nearest integer of thousandths; 0 for NaN, and a large bound for anything far off the paper.
pub(crate) fn thousandths(value: f64) -> i64 {
    const FAR: f64 = 1e12;
    // `as` makes 0 of NaN.
    (value * 1000.0).clamp(-FAR, FAR).round() as i64
}

/// Appends an integer that counts units with `decimals` decimals, without superfluous zeros: 1200 with three is `1.2`,
/// 50 with three `.05`.
pub fn push_decimal(out: &mut String, n: i64, decimals: u32) {
    if n < 0 {
        out.push('-');
    }
    let n = n.unsigned_abs();
    let one = 10_u64.checked_pow(decimals).unwrap_or(u64::MAX);
    let (whole, mut fraction) = (n / one, n % one);
    if whole > 0 || fraction == 0 {
        out.push_str(itoa::Buffer::new().format(whole));
    }
    if fraction > 0 {
        out.push('.');
        let mut digit = one / 10;
        while fraction > 0 && digit > 0 {
            out.push(char::from(b'0' + (fraction / digit) as u8));
            fraction %= digit;
            digit /= 10;
        }
    }
}

/// A length as text.
pub(crate) fn decimal(value: f64) -> String {
    let mut out = String::new();
    push_decimal(&mut out, thousandths(value), 3);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_have_at_most_three_decimals() {
        for (value, text) in [
            (0.0, "0"),
            (-0.0, "0"),
            (0.0004, "0"),
            (-0.0004, "0"),
            (0.0005, ".001"),
            (-0.5, "-.5"),
            (1.05, "1.05"),
            (1.005, "1.005"),
            (178.0, "178"),
            (-12.3456, "-12.346"),
            (f64::NAN, "0"),
            (f64::INFINITY, "1000000000"),
            (-1e300, "-1000000000"),
        ] {
            assert_eq!(decimal(value), text);
        }
    }

    #[test]
    fn integers_are_decimals_of_coarser_units() {
        for (n, decimals, text) in [
            (0, 6, "0"),
            (7, 0, "7"),
            (-7, 1, "-.7"),
            (1_200, 3, "1.2"),
            (50, 3, ".05"),
            (-93_000_000_001, 6, "-93000.000001"),
            (i64::MIN, 18, "-9.223372036854775808"),
            (i64::MAX, 0, "9223372036854775807"),
        ] {
            let mut out = String::new();
            push_decimal(&mut out, n, decimals);
            assert_eq!(out, text);
        }
    }
}
