//! `prev_state` of a switch as a number, to a letter. What its bits mean depends on the kernel (`include/linux/sched.h`,
//! `include/trace/events/sched.h`):
//!
//! | kernels | beside S 1, D 2, T 4, t 8 | preempted |
//! |---|---|---|
//! | before 2.6.33 | dead 0x40, wakekill 0x80 | not recorded |
//! | 2.6.33 – 3.8 | waking 0x100 | 0x200 |
//! | 3.9 – 4.1 | parked 0x200 | 0x400 |
//! | 4.2 – 4.7 | noload 0x400: idle is 0x402 | 0x800 |
//! | 4.8 – 4.13 | new 0x800 | 0x1000 |
//! | 4.14 and later | X 0x10, Z 0x20, parked 0x40, idle 0x80 | 0x100 |
//!
//! Before 4.14 the number is the task's state itself, without its exit state: a task that is dead has 0x40. From 4.14 on it
//! is the reported state of both, one bit at a time. 4.15 to 4.19 write the number of that bit instead (`fls`): the decoder
//! recognises it where no single bit has that value.

use crate::row::StateCode;

/// The kernels that a number may be of: a set of the rows of the table above, or `task->__state` itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KernelStates(u8);

impl Default for KernelStates {
    fn default() -> Self {
        KernelStates::UNKNOWN
    }
}

/// The sets of one row, and the first release of each.
const ROWS: [(u8, [u32; 3]); 6] = [
    (1, [0, 0, 0]),
    (2, [2, 6, 33]),
    (4, [3, 9, 0]),
    (8, [4, 2, 0]),
    (16, [4, 8, 0]),
    (32, [4, 14, 0]),
];
const SINCE_4_14: u8 = 32;
const RAW: u8 = 64;
/// Rows whose kernels know idle as 0x402.
const WITH_IDLE: u8 = 8 | 16;

impl KernelStates {
    /// Nothing says which kernel it was.
    pub const UNKNOWN: KernelStates = KernelStates(63);
    /// 4.14 and later.
    pub const NEWEST: KernelStates = KernelStates(SINCE_4_14);
    /// `task->__state`, as BPF programs see it. Whether a task was preempted is not in it.
    pub const RAW: KernelStates = KernelStates(RAW);

    /// Of a kernel's release, as `uname -r` prints it; `None` if it does not begin with a version.
    pub fn of_release(release: &str) -> Option<KernelStates> {
        let mut numbers = release
            .split(|c: char| !c.is_ascii_digit())
            .map(|part| part.parse().ok());
        let (major, minor) = (numbers.next()??, numbers.next()??);
        let version = [major, minor, numbers.next().flatten().unwrap_or(0)];
        let (row, _) = ROWS.iter().rev().find(|(_, first)| *first <= version)?;
        Some(KernelStates(*row))
    }

    /// The kernels among these that write such a number; itself, if none does.
    #[must_use]
    pub fn that_write(self, number: u64) -> KernelStates {
        let rows = match number {
            // What is reported one by one, or the state of a preempted task.
            0x10 | 0x20 | 0x80 | 0x100 => SINCE_4_14,
            0x200 => 2 | 4 | 8 | 16,
            0x400 => 4,
            0x800 => 8,
            0x1000 => 16,
            0x402 => WITH_IDLE,
            // Stopped or blocked, and woken by a fatal signal.
            0x82 | 0x84 | 0x88 => 63 & !SINCE_4_14,
            _ => 63,
        };
        match self.0 & rows {
            0 => self,
            rows => KernelStates(rows),
        }
    }

    /// The state, as the kernel prints it: the letter of the lowest bit, `R` if there is none, and whether a `+` follows. `?`
    /// where these kernels do not mean the same by it.
    #[inline]
    pub fn decode(self, number: u64) -> StateCode {
        match self.0 {
            SINCE_4_14 => since_4_14(number),
            RAW => raw(number),
            rows => by_all(rows, number),
        }
    }
}

fn by_all(rows: u8, number: u64) -> StateCode {
    let mut all = ROWS
        .iter()
        .filter(|(row, _)| rows & row != 0)
        .map(|&(row, _)| match row {
            SINCE_4_14 => since_4_14(number),
            row => before_4_14(row, number),
        });
    let first = all.next().unwrap_or(StateCode(b'?'));
    match all.all(|other| other == first) {
        true => first,
        false => StateCode(b'?'),
    }
}

fn letter(letters: &[u8], bits: u64) -> u8 {
    letters.get(bits.trailing_zeros() as usize).copied().unwrap_or(b'R')
}

fn plus(is_preempted: bool) -> u8 {
    match is_preempted {
        true => StateCode::PREEMPTED,
        false => 0,
    }
}

#[inline]
fn since_4_14(number: u64) -> StateCode {
    let by_number = match number {
        3 => b'T',
        5 => b'X',
        6 => b'Z',
        7 => b'P',
        _ => letter(b"SDTtXZPI", number),
    };
    StateCode(by_number | plus(number & 0x100 != 0))
}

fn before_4_14(row: u8, number: u64) -> StateCode {
    let preempted = match row {
        2 => 0x200,
        4 => 0x400,
        8 => 0x800,
        16 => 0x1000,
        _ => 0,
    };
    if row & WITH_IDLE != 0 && number & 0x402 == 0x402 {
        return StateCode(b'I');
    }
    StateCode(letter(b"SDTtXZxKWPN", number & !preempted) | plus(number & preempted != 0))
}

fn raw(number: u64) -> StateCode {
    StateCode(match number & 0x402 {
        0x402 => b'I',
        // Bit 0x80 is that of dead tasks.
        _ => letter(b"SDTtXZPX", number),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn letters(states: KernelStates, numbers: &[u64]) -> String {
        let text = |code: StateCode| {
            let plus = if code.preempted() { "+" } else { "" };
            format!("{}{plus} ", char::from(code.letter()))
        };
        numbers.iter().map(|&number| text(states.decode(number))).collect()
    }

    fn of(release: &str) -> KernelStates {
        KernelStates::of_release(release).unwrap()
    }

    #[test]
    fn numbers_mean_what_the_release_says() {
        let new = [0, 1, 2, 4, 8, 0x10, 0x20, 0x40, 0x80, 0x100, 0x200];
        assert_eq!(letters(of("6.14.0"), &new), "R S D T t X Z P I R+ R ");
        assert_eq!(letters(of("4.19.6"), &[3, 5, 6, 7]), "T X Z P ");
        let middle = [
            0, 1, 2, 0x10, 0x20, 0x40, 0x80, 0x100, 0x102, 0x200, 0x400, 0x402, 0x1000, 0x1001,
        ];
        assert_eq!(
            letters(of("4.9.337-android"), &middle),
            "R S D X Z x K W D P N I R+ S+ "
        );
        assert_eq!(letters(of("4.4.0-1"), &[0, 0x800, 0x1000, 0x402]), "R R+ R I ");
        assert_eq!(letters(of("3.18"), &[0x400, 0x40, 0x200, 0x82, 1]), "R+ x P D S ");
        assert_eq!(letters(of("3.2.0"), &[0x200, 0x40]), "R+ x ");
        assert_eq!(letters(of("2.6.32-5-amd64"), &[0, 0x40, 0x82]), "R x D ");
        let raw = [0, 1, 2, 4, 8, 0x10, 0x20, 0x40, 0x80, 0x402, 0x102, 0x2001, 0x100];
        assert_eq!(letters(KernelStates::RAW, &raw), "R S D T t X Z P X I D S R ");
    }

    #[test]
    fn releases_are_compared_as_numbers() {
        assert_eq!(of("7.2.13+deb14-amd64"), KernelStates::NEWEST);
        assert_eq!(of("4.14.0"), KernelStates::NEWEST);
        assert_eq!(of("4.13.16"), of("4.8"));
        assert_eq!(of("4.1.52"), of("3.9.0"));
        assert_eq!(of("2.6.33"), of("3.8.13"));
        assert_ne!(of("2.6.32"), of("2.6.33"));
        for other in ["linux", "", "4", "x.y"] {
            assert_eq!(KernelStates::of_release(other), None);
        }
    }

    #[test]
    fn without_a_release_ambiguous_numbers_are_unknown() {
        let all = KernelStates::UNKNOWN;
        assert_eq!(letters(all, &[0, 1, 2, 4, 8, 0x40, 0x200, 0x400]), "R S D T t ? ? ? ");
        // Other numbers tell which kernel it was.
        let old = all.that_write(0x400);
        assert_eq!(letters(old, &[0x400, 0x40]), "R+ x ");
        assert_eq!(letters(all.that_write(0x100), &[0x100, 0x40, 0x80]), "R+ P I ");
        assert_eq!(letters(all.that_write(0x82), &[0x40, 0x82]), "x D ");
        assert_eq!(old.that_write(0x100), old);
    }
}
