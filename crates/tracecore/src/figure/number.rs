//! Lengths as text: thousandths, so that the same length is the same text everywhere.

/// The nearest number of thousandths; what is not a number is none, and what is beyond all paper is very far away.
pub(super) fn thousandths(value: f64) -> i64 {
    const FAR: f64 = 1e12;
    // `as` makes 0 of NaN.
    (value * 1000.0).clamp(-FAR, FAR).round() as i64
}

/// Appends thousandths as a decimal number without superfluous zeros.
pub(super) fn push_thousandths(out: &mut String, thousandths: i64) {
    if thousandths < 0 {
        out.push('-');
    }
    let n = thousandths.unsigned_abs();
    push_integer(out, n / 1000);
    let fraction = n % 1000;
    if fraction > 0 {
        let digits = [fraction / 100, fraction / 10 % 10, fraction % 10];
        let last = digits.iter().rposition(|&digit| digit > 0).unwrap_or(0);
        out.push('.');
        out.extend(
            digits
                .iter()
                .take(last + 1)
                .map(|&digit| char::from(b'0' + digit as u8)),
        );
    }
}

/// Appends an integer.
pub(super) fn push_integer(out: &mut String, n: impl itoa::Integer) {
    out.push_str(itoa::Buffer::new().format(n));
}

/// A length as text.
pub(super) fn decimal(value: f64) -> String {
    let mut out = String::new();
    push_thousandths(&mut out, thousandths(value));
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
            (0.0005, "0.001"),
            (-0.5, "-0.5"),
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
}
