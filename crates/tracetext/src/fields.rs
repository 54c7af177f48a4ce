//! Fields `key=value` of an event's text.

/// The values of fields, whose keys come in this order, each with its `=`. A value may hold anything, also what looks like
/// fields: so the keys are looked for from the last one on. Values of keys that are not asked for are part of the one before.
pub(crate) fn in_order<'a, const N: usize>(text: &'a str, keys: [&str; N]) -> Option<[&'a str; N]> {
    let mut values = [""; N];
    let mut left = text;
    for (at, (value, key)) in values.iter_mut().zip(keys).enumerate().rev() {
        if at == 0 {
            *value = left.strip_prefix(key)?;
        } else {
            (left, *value) = around(left, key)?;
            left = left.strip_suffix(' ')?;
        }
    }
    Some(values)
}

/// What is behind a key, which ends with `=`, that begins a word.
pub(crate) fn after<'a>(text: &'a str, key: &str) -> Option<&'a str> {
    memchr::memchr_iter(b'=', text.as_bytes()).find_map(|at| {
        let (found, rest) = text.split_at_checked(at + 1)?;
        let before = found.strip_suffix(key)?;
        (before.is_empty() || before.ends_with(' ')).then_some(rest)
    })
}

/// What is before and behind the last place of a key, which ends with `=`, that begins a word behind another.
fn around<'a>(text: &'a str, key: &str) -> Option<(&'a str, &'a str)> {
    memchr::memrchr_iter(b'=', text.as_bytes()).find_map(|at| {
        let (found, rest) = text.split_at_checked(at + 1)?;
        let before = found.strip_suffix(key)?;
        before.ends_with(' ').then_some((before, rest))
    })
}

/// The number that a text begins with: `12`, `-1`, `0x1f`, and `0xffffffff (-1)` as the option `fields` prints it.
pub(crate) fn leading<T: TryFrom<i64>>(text: &str) -> Option<T> {
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    let decimal = |text: &str| -> Option<i64> {
        match text.strip_prefix('-') {
            Some(negative) => negative.get(..digits(negative))?.parse::<i64>().ok()?.checked_neg(),
            None => text.get(..digits(text))?.parse().ok(),
        }
    };
    let number = match text.strip_prefix("0x") {
        Some(hex) => {
            let len = hex.bytes().take_while(u8::is_ascii_hexdigit).count();
            let (hex, rest) = hex.split_at_checked(len)?;
            match rest.strip_prefix(" (") {
                Some(rest) => decimal(rest)?,
                None => i64::from_str_radix(hex, 16).ok()?,
            }
        }
        None => decimal(text)?,
    };
    T::try_from(number).ok()
}

/// The number behind a key.
pub(crate) fn number<T: TryFrom<i64>>(text: &str, key: &str) -> Option<T> {
    leading(after(text, key)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_may_look_like_fields() {
        let keys = ["comm=", "pid=", "prio="];
        assert_eq!(
            in_order("comm=a=b pid=7 pid=100 prio=120", keys),
            Some(["a=b pid=7", "100", "120"])
        );
        assert_eq!(in_order("comm= pid=1 prio=2 more=3", keys), Some(["", "1", "2 more=3"]));
        assert_eq!(in_order("comm=comm=x pid=1 prio=2", keys), Some(["comm=x", "1", "2"]));
        for text in ["", "comm=a prio=1 pid=2", "xcomm=a pid=1 prio=2", "comm=a pid=1prio=2"] {
            assert_eq!(in_order(text, keys), None, "{text}");
        }
    }

    #[test]
    fn numbers_are_read_as_the_kernel_prints_them() {
        let numbers = ["12", "-1 x", "0x1f", "0xffffffff (-1)", "0x64 (100) x"].map(leading::<i32>);
        assert_eq!(numbers, [Some(12), Some(-1), Some(31), Some(-1), Some(100)]);
        assert_eq!(["", "x", "-", "4294967296"].map(leading::<i32>), [None; 4]);
    }
}
