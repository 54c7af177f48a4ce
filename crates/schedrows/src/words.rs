//! Numbers in texts for people.

/// `937,948`
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if 0 < index && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// `1 event`, `1,234 events`; for nouns whose plural ends in a plain s.
pub fn counted(count: u64, noun: &str) -> String {
    match count {
        1 => format!("1 {noun}"),
        _ => format!("{} {noun}s", grouped(count)),
    }
}

/// `byte 1,234 (0x4d2)`: a place in a file.
pub fn byte_at(offset: u64) -> String {
    format!("byte {} (0x{offset:x})", grouped(offset))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped_and_nouns_follow_them() {
        let numbers = [0, 12, 123, 1234, 937_948, 1_036_474].map(grouped);
        assert_eq!(numbers, ["0", "12", "123", "1,234", "937,948", "1,036,474"]);
        assert_eq!(
            [0, 1, 2, 1000].map(|count| counted(count, "gap")),
            ["0 gaps", "1 gap", "2 gaps", "1,000 gaps"]
        );
        assert_eq!(byte_at(1234), "byte 1,234 (0x4d2)");
    }
}
