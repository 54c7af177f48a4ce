//! The formats of `trace_printk` and the strings of `trace_puts` that the kernel keeps itself, from the text of
//! `tracing/printk_formats`.
//!
//! ```text
//! 0xffffffff82a1b2c0 : "woken %d\n"
//! ```

use crate::tables::{bisect, hex, lines};

/// Formats of `trace_printk` by their address in the kernel.
#[derive(Clone, Debug, Default)]
pub struct PrintkFormats {
    /// By address; of those at one address the last one of the text first.
    formats: Vec<(u64, String)>,
}

impl PrintkFormats {
    /// Reads the text; lines without a colon are skipped.
    pub fn parse(text: &[u8]) -> Self {
        let mut formats: Vec<(u64, String)> = lines(text).filter_map(parse_line).collect();
        formats.reverse();
        formats.sort_by_key(|&(address, _)| address);
        PrintkFormats { formats }
    }

    /// How many formats there are.
    pub fn len(&self) -> usize {
        self.formats.len()
    }

    /// Whether the text had no formats.
    pub fn is_empty(&self) -> bool {
        self.formats.is_empty()
    }

    /// The format that the kernel keeps at exactly this address.
    pub fn find(&self, address: u64) -> Option<&str> {
        let compare = |index: usize| self.formats.get(index).map_or(0, |&(at, _)| at).cmp(&address);
        let (_, format) = self.formats.get(bisect(self.formats.len(), compare)?)?;
        Some(format)
    }
}

/// The address and what is between the quotes, but for a newline at its end: that is the record's own. Other escapes stay
/// as they are; trace-cmd prints them so.
fn parse_line(line: &[u8]) -> Option<(u64, String)> {
    let start = line.iter().position(|&byte| byte != b':')?;
    let line = line.get(start..)?;
    let colon = line.iter().position(|&byte| byte == b':')?;
    let address = hex(line.get(..colon)?, usize::MAX).map_or(0, |(address, _)| address);
    // A space, and then a quote.
    let text = line.get(colon + 2..).unwrap_or_default();
    let text = text.strip_prefix(b"\"").unwrap_or(text);
    let text = match text.strip_suffix(b"\"") {
        None => text,
        Some(quoted) => quoted.strip_suffix(b"\\n").unwrap_or(quoted),
    };
    Some((address, String::from_utf8_lossy(text).into_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_are_what_is_between_the_quotes() {
        // Each line as `trace-cmd report` 3.1.6 prints it for a `trace_puts` of the address.
        let cases = [
            (r#"0xffffffff81000010 : "hello\n""#, 0xffff_ffff_8100_0010, "hello"),
            (r#"0x20 : "no newline""#, 0x20, "no newline"),
            (
                r#"0x30 : "tab\tq\"uote\" back\\slash oct\033 x\x41""#,
                0x30,
                r#"tab\tq\"uote\" back\\slash oct\033 x\x41"#,
            ),
            (r#"0x40 : """#, 0x40, ""),
            (r#"0x50 : a b"#, 0x50, "a b"),
            (r#"0x60 : "x : y""#, 0x60, "x : y"),
            (r#"0x70:"tight""#, 0x70, "tight"),
            (r#"0x80 :  "two spaces""#, 0x80, r#" "two spaces"#),
            (r#"0x90 : "unterminated\n"#, 0x90, r"unterminated\n"),
            (r#"0xa0 : "trail" x"#, 0xa0, r#"trail" x"#),
            (r#"b0 : "a\n\n""#, 0xb0, r"a\n"),
            (r#"0xc0 : "a\\n""#, 0xc0, r"a\"),
            (r#"0xd0 : "\"#, 0xd0, r"\"),
            (r#"0xe0 :: "y""#, 0xe0, r#" "y"#),
            (r#"::0xf0 : "z""#, 0xf0, "z"),
            (r#"-0x10 : "neg""#, 0x10u64.wrapping_neg(), "neg"),
            (r#"0xzz : "bad""#, 0, "bad"),
        ];
        let text: String = cases.iter().map(|(line, ..)| format!("{line}\n\n")).collect();
        let formats = PrintkFormats::parse(text.as_bytes());
        assert_eq!(formats.len(), cases.len());
        for (line, address, expected) in cases {
            assert_eq!(formats.find(address), Some(expected), "{line}");
        }
        assert_eq!(formats.find(0x21), None);
    }

    #[test]
    fn of_formats_at_one_address_trace_cmd_chooses() {
        let text = b"0x10 : \"a\"\n0x10 : \"b\"\n0x10 : \"c\"\n0x20 : \"last\"\n0x5 : \"unsorted\"\n";
        assert_eq!(PrintkFormats::parse(text).find(0x10), Some("b"));
    }

    #[test]
    fn lines_without_a_format_are_skipped() {
        let formats = PrintkFormats::parse(b"0x70 \"nocolon\"\n:\n::\n0x80 :\n0x90 : \"after\"\0\n0xa0 : \"behind\"\n");
        assert_eq!(formats.len(), 2);
        assert_eq!((formats.find(0x80), formats.find(0x90)), (Some(""), Some("after")));
        assert!(PrintkFormats::parse(b"").is_empty());
    }
}
