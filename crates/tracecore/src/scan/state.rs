//! `prev_state` of a switch to a letter, by way of the event's own print fmt.

use traceevent::print_fmt::{Fields, PrintFmt};

use super::row::StateCode;

/// What is not a letter of the kernel's.
const UNKNOWN: StateCode = StateCode(b'?');
/// Traces hold fewer than ten different values; damaged ones may hold any.
const MAX_CACHED: usize = 64;

/// Decodes through the print fmt once for each value, then from memory.
#[derive(Default)]
pub(super) struct StateDecoder {
    print_fmt: Option<PrintFmt>,
    cache: Vec<(i64, StateCode)>,
}

/// A record that has `prev_state` and nothing else.
struct OnlyState(i64);

impl Fields for OnlyState {
    fn int(&self, name: &str) -> Option<i64> {
        (name == "prev_state").then_some(self.0)
    }
}

impl StateDecoder {
    /// `None` when the print fmt prints no `prev_state=`.
    pub fn new(print_fmt: PrintFmt) -> Option<Self> {
        print_fmt.labelled("prev_state=")?;
        Some(StateDecoder {
            print_fmt: Some(print_fmt),
            cache: Vec::new(),
        })
    }

    #[inline]
    pub fn decode(&mut self, value: i64) -> StateCode {
        for &(known, code) in &self.cache {
            if known == value {
                return code;
            }
        }
        self.decode_new(value)
    }

    #[cold]
    fn decode_new(&mut self, value: i64) -> StateCode {
        let text = self
            .print_fmt
            .as_ref()
            .and_then(|print_fmt| print_fmt.labelled("prev_state=")?.print(&OnlyState(value)).ok());
        let code = text.as_deref().map_or(UNKNOWN, code_of);
        if self.cache.len() < MAX_CACHED {
            self.cache.push((value, code));
        }
        code
    }
}

/// `S`, `R+`, `D|I`: the first letter, and whether there is a `+`.
fn code_of(text: &str) -> StateCode {
    let letter = match text.bytes().next() {
        Some(letter) if letter.is_ascii_alphabetic() => letter,
        _ => UNKNOWN.letter(),
    };
    let preempted = if text.ends_with('+') { StateCode::PREEMPTED } else { 0 };
    StateCode(letter | preempted)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_come_from_the_print_fmt() {
        let text = r#""prev_state=%s%s ==>", REC->prev_state & 3 ? __print_flags(REC->prev_state & 3, "|", { 1, "S" }, { 2, "D" }) : "R", REC->prev_state & 4 ? "+" : """#;
        let mut decoder = StateDecoder::new(PrintFmt::parse(text).unwrap()).unwrap();
        let letters: Vec<(u8, bool)> = [0, 1, 2, 3, 4, 1]
            .map(|value| decoder.decode(value))
            .map(|code| (code.letter(), code.preempted()))
            .to_vec();
        assert_eq!(
            letters,
            [
                (b'R', false),
                (b'S', false),
                (b'D', false),
                (b'S', false),
                (b'R', true),
                (b'S', false)
            ]
        );
        assert_eq!(decoder.cache.len(), 5);
    }

    #[test]
    fn without_a_print_fmt_states_are_unknown() {
        assert_eq!(StateDecoder::default().decode(1).letter(), b'?');
        assert!(StateDecoder::new(PrintFmt::parse(r#""x=%d", REC->x"#).unwrap()).is_none());
    }
}
