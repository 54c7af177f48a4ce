//! Parts of a file: the headers Range and If-Range (RFC 9110, 13 and 14), for one range at a time.

use std::ops::Range;
use std::time::SystemTime;

/// What is sent of a file.
#[derive(Debug, PartialEq, Eq)]
pub enum Part {
    Whole,
    Range(Range<u64>),
    /// No byte of the file was asked for.
    None,
}

impl Part {
    /// What a request for a file of this size asks for. Several ranges, and what is no range of bytes, are ignored, as they
    /// may be: then the whole is sent.
    pub fn of(range: Option<&str>, size: u64) -> Part {
        let Some((first, last)) = range.and_then(|range| range.strip_prefix("bytes=")?.split_once('-')) else {
            return Part::Whole;
        };
        let number = |text: &str| {
            let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
            // A number that is too large for us is beyond the end of any file.
            digits.then(|| text.parse().unwrap_or(u64::MAX))
        };
        let range = match (number(first), number(last)) {
            (None, Some(count)) if first.is_empty() => size.saturating_sub(count)..size,
            (Some(first), None) if last.is_empty() => first..size,
            (Some(first), Some(last)) if first <= last => first..last.saturating_add(1).min(size),
            _ => return Part::Whole,
        };
        if range.start < range.end {
            Part::Range(range)
        } else {
            Part::None
        }
    }
}

/// Whether a file is still the one that a client has a part of.
pub fn is_same(if_range: Option<&str>, etag: &str, modified: Option<SystemTime>) -> bool {
    match if_range {
        None => true,
        Some(tag) if tag.starts_with(['"', 'W']) && tag.contains('"') => tag == etag,
        Some(date) => modified.is_some_and(|modified| httpdate::fmt_http_date(modified) == date),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_cut_to_the_file() {
        let cases = [
            ("bytes=0-9", Part::Range(0..10)),
            ("bytes=90-200", Part::Range(90..100)),
            ("bytes=90-", Part::Range(90..100)),
            ("bytes=-10", Part::Range(90..100)),
            ("bytes=-1000", Part::Range(0..100)),
            ("bytes=99-99999999999999999999999", Part::Range(99..100)),
            ("bytes=100-", Part::None),
            ("bytes=99999999999999999999999-", Part::None),
            ("bytes=-0", Part::None),
            ("bytes=9-0", Part::Whole),
            ("bytes=0-1,5-6", Part::Whole),
            ("bytes=a-b", Part::Whole),
            ("bytes=+1-2", Part::Whole),
            ("bytes=-", Part::Whole),
            ("lines=0-1", Part::Whole),
        ];
        for (range, part) in cases {
            assert_eq!(Part::of(Some(range), 100), part, "{range}");
        }
        assert_eq!(Part::of(None, 100), Part::Whole);
        assert_eq!(Part::of(Some("bytes=0-"), 0), Part::None);
    }

    #[test]
    fn a_part_is_of_the_same_file() {
        let then = SystemTime::UNIX_EPOCH;
        assert!(is_same(None, "\"a\"", None) && is_same(Some("\"a\""), "\"a\"", None));
        assert!(!is_same(Some("\"b\""), "\"a\"", None) && !is_same(Some("W/\"a\""), "\"a\"", None));
        assert!(is_same(Some("Thu, 01 Jan 1970 00:00:00 GMT"), "\"a\"", Some(then)));
        assert!(!is_same(Some("Thu, 01 Jan 1970 00:00:01 GMT"), "\"a\"", Some(then)));
        assert!(!is_same(Some("Thu, 01 Jan 1970 00:00:00 GMT"), "\"a\"", None));
    }
}
