//! `prev_state` of a switch to a letter, by way of the event's own print fmt.

use traceevent::{Endian, Env, EventFormat, EventText, NoLookup};

use schedrows::StateCode;

use crate::file::{ReadAt, TraceFile};

/// What is not a letter of the kernel's.
const UNKNOWN: StateCode = StateCode(b'?');
/// Traces hold fewer than ten different values, each of them a bit or two. The powers of two have 36 different remainders by 37,
/// none of which is 0.
const SLOTS: usize = 37;
const FIELD: &str = "prev_state";

/// Decodes through the print fmt once for each value, then from memory.
pub struct StateDecoder {
    printer: Option<Printer>,
    /// Values and what they mean: one probe, no second chances. No state has code 0.
    known: [(i64, StateCode); SLOTS],
}

impl Default for StateDecoder {
    fn default() -> StateDecoder {
        StateDecoder {
            printer: None,
            known: [(0, StateCode(0)); SLOTS],
        }
    }
}

#[inline]
fn slot(value: i64) -> usize {
    (value as u64 % SLOTS as u64) as usize
}

/// Prints what stands behind `prev_state=`, of a record that has nothing else.
struct Printer {
    text: EventText,
    offset: usize,
    size: usize,
}

/// Byte order of the record made for printing, and the bytes of its `long`.
const ENV: Env<'static> = Env {
    endian: Endian::Little,
    long_size: 8,
    lookup: &NoLookup,
};

impl Printer {
    fn new(format: &EventFormat) -> Result<Self, String> {
        let text = EventText::compile(format, ENV.long_size);
        if let Some(problem) = text.problem() {
            return Err(problem.to_string());
        }
        let text = text.labelled("prev_state=").ok_or("no `prev_state=` in it")?;
        let field = format.field(FIELD).ok_or("no field `prev_state`")?;
        Ok(Printer {
            text,
            offset: field.offset,
            size: field.size,
        })
    }

    fn print(&self, value: i64) -> Vec<u8> {
        let mut record = vec![0; self.offset];
        record.extend(value.to_le_bytes().into_iter().take(self.size));
        let mut text = Vec::new();
        self.text.print(&ENV, &record, &mut text);
        text
    }
}

impl StateDecoder {
    /// By the format of the file's `sched_switch`; one that knows no state, where there is none that can be read.
    pub fn of_file<R: ReadAt>(file: &TraceFile<R>) -> Self {
        let named = |&id: &u16| file.event_name(id) == Some(("sched", "sched_switch"));
        let format = file.event_ids().find(named).and_then(|id| file.event_format(id));
        format
            .and_then(|format| StateDecoder::new(format).ok())
            .unwrap_or_default()
    }

    /// The error says why the print fmt does not define what `prev_state` means.
    pub(super) fn new(format: &EventFormat) -> Result<Self, String> {
        Ok(StateDecoder {
            printer: Some(Printer::new(format)?),
            ..StateDecoder::default()
        })
    }

    /// What a value means.
    #[inline]
    pub fn decode(&mut self, value: i64) -> StateCode {
        match self.known.get(slot(value)) {
            Some(&(known, code)) if known == value && code.0 != 0 => code,
            _ => self.decode_new(value),
        }
    }

    #[cold]
    fn decode_new(&mut self, value: i64) -> StateCode {
        let code = self
            .printer
            .as_ref()
            .map_or(UNKNOWN, |printer| code_of(&printer.print(value)));
        if let Some(known) = self.known.get_mut(slot(value)) {
            *known = (value, code);
        }
        code
    }
}

/// `S`, `R+`, `D|I`: the first letter, and whether there is a `+`.
fn code_of(text: &[u8]) -> StateCode {
    let letter = match text.first() {
        Some(&letter) if letter.is_ascii_alphabetic() => letter,
        _ => UNKNOWN.letter(),
    };
    let preempted = if text.ends_with(b"+") { StateCode::PREEMPTED } else { 0 };
    StateCode(letter | preempted)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decoder(print_fmt: &str) -> Result<StateDecoder, String> {
        let text = format!(
            "name: sched_switch\nID: 300\nformat:\n\
             \tfield:int prev_pid;\toffset:8;\tsize:4;\tsigned:1;\n\
             \tfield:long prev_state;\toffset:16;\tsize:8;\tsigned:1;\n\nprint fmt: {print_fmt}\n"
        );
        StateDecoder::new(&EventFormat::parse(&text).unwrap())
    }

    fn states(print_fmt: &str, values: &[i64]) -> String {
        let mut decoder = decoder(print_fmt).unwrap();
        let text = |code: StateCode| {
            format!(
                "{}{}",
                char::from(code.letter()),
                if code.preempted() { "+" } else { "" }
            )
        };
        values.iter().map(|&value| text(decoder.decode(value)) + " ").collect()
    }

    /// The print fmt of kernel 6.1, shortened to the part that matters.
    const NEW: &str = r#""prev_pid=%d prev_state=%s%s ==> next_pid=%d", REC->prev_pid, (REC->prev_state & ((((0x00000000 | 0x00000001 | 0x00000002 | 0x00000004 | 0x00000008 | 0x00000010 | 0x00000020 | 0x00000040) + 1) << 1) - 1)) ? __print_flags(REC->prev_state & ((((0x00000000 | 0x00000001 | 0x00000002 | 0x00000004 | 0x00000008 | 0x00000010 | 0x00000020 | 0x00000040) + 1) << 1) - 1), "|", { 0x00000001, "S" }, { 0x00000002, "D" }, { 0x00000004, "T" }, { 0x00000008, "t" }, { 0x00000010, "X" }, { 0x00000020, "Z" }, { 0x00000040, "P" }, { 0x00000080, "I" }) : "R", REC->prev_state & (((0x00000000 | 0x00000001 | 0x00000002 | 0x00000004 | 0x00000008 | 0x00000010 | 0x00000020 | 0x00000040) + 1) << 1) ? "+" : "", REC->prev_pid"#;
    /// The print fmt of kernels 3.x, with a cast added, and a string in two parts.
    const OLD: &str = r#""prev_pid=%d " "prev_state=%s%s ==> next_pid=%d", REC->prev_pid, (unsigned int)REC->prev_state & (1024-1) ? __print_flags(REC->prev_state & (1024-1), "|", { 1, "S"} , { 2, "D" }, { 4, "T" }, { 8, "t" }, { 16, "Z" }, { 32, "X" }, { 64, "x" }, { 128, "K"}, { 256, "W" }, { 512, "P" }) : "R", REC->prev_state & 1024 ? "+" : "", REC->prev_pid"#;

    #[test]
    fn letters_are_what_the_kernel_prints() {
        assert_eq!(states(NEW, &[0, 1, 2, 0x80, 0x100, 0x20, 0x81, 1]), "R S D I R+ Z S S ");
        assert_eq!(states(OLD, &[0, 256, 1024, 1 | 1024]), "R W R+ S+ ");
    }

    #[test]
    fn values_of_kernels_have_slots_of_their_own() {
        let mut slots: Vec<usize> = (0..32).map(|bit| slot(1 << bit)).chain([slot(0)]).collect();
        slots.sort_unstable();
        slots.dedup();
        assert_eq!(slots.len(), 33);
    }

    #[test]
    fn values_are_decoded_once() {
        let mut decoder = decoder(NEW).unwrap();
        for value in [0, 1, 0, 1, 2] {
            decoder.decode(value);
        }
        assert_eq!(decoder.known.iter().filter(|(_, code)| code.0 != 0).count(), 3);
        // What is known is not asked for again.
        decoder.printer = None;
        assert_eq!([0, 1, 2].map(|value| decoder.decode(value).letter()), *b"RSD");
    }

    #[test]
    fn values_that_share_a_slot_are_told_apart() {
        let mut decoder = decoder(NEW).unwrap();
        let other = (3..)
            .find(|&value| slot(value) == slot(2) && value & 0xff == 1)
            .unwrap();
        for _ in 0..2 {
            assert_eq!(decoder.decode(2).letter(), b'D');
            assert_eq!(decoder.decode(other).letter(), b'S');
        }
    }

    #[test]
    fn what_is_no_letter_is_unknown() {
        assert_eq!(states("\"prev_state=%ld\", REC->prev_state", &[1]), "? ");
        assert_eq!(StateDecoder::default().decode(1).letter(), b'?');
    }

    #[test]
    fn without_a_label_there_is_no_decoder() {
        let why = decoder(r#""next_prev_state=%d", REC->prev_state"#).err().unwrap();
        assert_eq!(why, "no `prev_state=` in it");
    }
}
