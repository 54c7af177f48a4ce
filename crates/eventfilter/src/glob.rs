//! Patterns as the kernel's `glob_match` reads them (`lib/glob.c`): `*`, `?`, `[a-z]`, `[!a-z]`, and `\` before a
//! character that stands for itself.

/// Whether ASCII letters are the same in either case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Case {
    /// They are told apart.
    Told,
    /// They are the same.
    Same,
}

/// A pattern, made ready.
#[derive(Clone, Debug)]
pub struct Glob {
    parts: Vec<Part>,
    case: Case,
}

#[derive(Clone, Debug)]
enum Part {
    /// `*`
    Many,
    /// `?`
    One,
    Byte(u8),
    /// Ranges, first and last; whether those in them are meant, or all others.
    Set(Vec<(u8, u8)>, bool),
}

impl Part {
    fn takes(&self, byte: u8) -> bool {
        match self {
            Part::Many | Part::One => true,
            Part::Byte(own) => *own == byte,
            Part::Set(ranges, inside) => ranges.iter().any(|&(a, b)| a <= byte && byte <= b) == *inside,
        }
    }
}

impl Glob {
    /// A pattern that has to fit a text from end to end.
    pub fn new(pattern: &str, case: Case) -> Self {
        let lower;
        let mut rest = match case {
            Case::Told => pattern.as_bytes(),
            Case::Same => {
                lower = pattern.to_ascii_lowercase();
                lower.as_bytes()
            }
        };
        let mut parts = Vec::new();
        while let Some((&byte, after)) = rest.split_first() {
            let (part, after) = match (byte, after) {
                (b'*', _) => (Part::Many, after),
                (b'?', _) => (Part::One, after),
                (b'\\', [escaped, after @ ..]) => (Part::Byte(*escaped), after),
                (b'[', _) => set(after).unwrap_or((Part::Byte(b'['), after)),
                _ => (Part::Byte(byte), after),
            };
            let again = matches!((&part, parts.last()), (Part::Many, Some(Part::Many)));
            if !again {
                parts.push(part);
            }
            rest = after;
        }
        Glob { parts, case }
    }

    /// A pattern that may fit any part of a text.
    pub fn within(pattern: &str, case: Case) -> Self {
        Glob::new(&format!("*{pattern}*"), case)
    }

    /// Whether the pattern fits. Each `*` takes as little as possible, and only the last one is tried again: so this
    /// costs at most the product of both lengths.
    pub fn matches(&self, text: &[u8]) -> bool {
        let (mut part, mut at) = (0, 0);
        // Behind the last `*`: its part, and the end of what it takes.
        let mut again: Option<(usize, usize)> = None;
        loop {
            let byte = text.get(at).map(|byte| match self.case {
                Case::Told => *byte,
                Case::Same => byte.to_ascii_lowercase(),
            });
            match (self.parts.get(part), byte) {
                (Some(Part::Many), _) => {
                    part += 1;
                    at = self.candidate(part, text, at);
                    again = Some((part, at));
                    continue;
                }
                (Some(wanted), Some(byte)) if wanted.takes(byte) => {
                    part += 1;
                    at += 1;
                    continue;
                }
                (None, None) => return true,
                _ => {}
            }
            let Some((behind, taken)) = again.filter(|&(_, taken)| taken < text.len()) else {
                return false;
            };
            let next = self.candidate(behind, text, taken + 1);
            again = Some((behind, next));
            (part, at) = (behind, next);
        }
    }

    /// The first place from `at` on where a part may fit.
    fn candidate(&self, part: usize, text: &[u8], at: usize) -> usize {
        let (Some(Part::Byte(byte)), Some(rest)) = (self.parts.get(part), text.get(at..)) else {
            return at;
        };
        let found = rest.iter().position(|other| match self.case {
            Case::Told => other == byte,
            Case::Same => other.eq_ignore_ascii_case(byte),
        });
        found.map_or(text.len(), |found| at + found)
    }
}

/// A set, behind its `[`, and what follows it; `None` when it has no end, and `[` then stands for itself.
fn set(text: &[u8]) -> Option<(Part, &[u8])> {
    let (inside, mut rest) = match text {
        [b'!', rest @ ..] => (false, rest),
        _ => (true, text),
    };
    let mut ranges = Vec::new();
    loop {
        match rest {
            // First in a set, `]` stands for itself.
            [b']', after @ ..] if !ranges.is_empty() => return Some((Part::Set(ranges, inside), after)),
            [first, b'-', last, after @ ..] if *last != b']' => {
                ranges.push((*first, *last));
                rest = after;
            }
            [only, after @ ..] => {
                ranges.push((*only, *only));
                rest = after;
            }
            [] => return None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Each `*` takes all that it can take, in turn.
    fn naive(parts: &[Part], text: &[u8], case: Case) -> bool {
        let same = |byte: u8| {
            if case == Case::Same {
                byte.to_ascii_lowercase()
            } else {
                byte
            }
        };
        match (parts, text) {
            ([], text) => text.is_empty(),
            ([Part::Many, rest @ ..], text) => (0..=text.len()).any(|taken| naive(rest, &text[taken..], case)),
            ([_, ..], []) => false,
            ([part, parts @ ..], [byte, text @ ..]) => part.takes(same(*byte)) && naive(parts, text, case),
        }
    }

    proptest! {
        #[test]
        fn a_pattern_fits_if_some_share_of_the_text_for_each_star_does(
            pattern in r"[abA*?\[\]!-]{0,7}",
            text in "[abAB]{0,9}",
            case in prop::sample::select(vec![Case::Told, Case::Same]),
            within in any::<bool>(),
        ) {
            let glob = if within { Glob::within(&pattern, case) } else { Glob::new(&pattern, case) };
            prop_assert_eq!(glob.matches(text.as_bytes()), naive(&glob.parts, text.as_bytes(), case));
        }
    }

    #[test]
    fn patterns_fit_from_end_to_end() {
        for (pattern, text, fits) in [
            ("ua*", "ua.B.x", true),
            ("ua*", "lua", false),
            ("*ua*", "lua", true),
            ("", "", true),
            ("", "a", false),
            ("*", "", true),
            ("?", "", false),
            ("a?c", "abc", true),
            ("*a*b", "xaxxb", true),
            ("*a*b", "xaxxbc", false),
            ("[a-c]x", "bx", true),
            ("[!a-c]x", "bx", false),
            ("[]]", "]", true),
            ("[a", "[a", true),
            (r"\*", "*", true),
            (r"\*", "x", false),
            ("A", "a", false),
        ] {
            assert_eq!(
                Glob::new(pattern, Case::Told).matches(text.as_bytes()),
                fits,
                "{pattern} {text}"
            );
        }
        assert!(Glob::within("b?D", Case::Same).matches(b"aBcde"));
    }
}
