//! `prev_state` of a switch to a letter. Perfetto writes the kernel's number; what its bits mean depends on the release.

use schedrows::StateCode;

/// Whose bits they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum States {
    /// Kernels from 4.14 on.
    Since414,
    /// 4.8 to 4.13.
    Since48,
    /// Before 4.8.
    Before48,
    /// `task->__state` itself, as BPF programs see it.
    Raw,
}

impl States {
    /// Of a kernel's release, as `uname -r` prints it; one that cannot be read is a new one.
    pub fn of_release(release: &str) -> States {
        let mut numbers = release.split(|c: char| !c.is_ascii_digit());
        let mut number = || numbers.next()?.parse::<u32>().ok();
        match (number(), number()) {
            (Some(major), Some(minor)) if (major, minor) < (4, 8) => States::Before48,
            (Some(major), Some(minor)) if (major, minor) < (4, 14) => States::Since48,
            _ => States::Since414,
        }
    }

    /// As the kernel prints the number: the letter of its lowest bit, `R` if there is none, and whether a `+` follows.
    #[inline]
    pub fn decode(self, state: u64) -> StateCode {
        const IDLE: u64 = 0x402;
        let (letters, preempted): (&[u8], u64) = match self {
            States::Since414 => (b"SDTtXZPI", 0x100),
            States::Since48 => (b"SDTtXZxKWPN", 0x1000),
            States::Before48 => (b"SDTtXZxKWPN", 0x800),
            // Bit 0x80 is that of dead tasks.
            States::Raw => (b"SDTtXZPX", 0),
        };
        let is_idle = self != States::Since414 && state & IDLE == IDLE;
        let letter = match letters.get(state.trailing_zeros() as usize) {
            _ if is_idle => b'I',
            Some(&letter) => letter,
            None => b'R',
        };
        let plus = if state & preempted != 0 {
            StateCode::PREEMPTED
        } else {
            0
        };
        StateCode(letter | plus)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn letters(states: States, numbers: &[u64]) -> String {
        let text = |code: StateCode| {
            let plus = if code.preempted() { "+" } else { "" };
            format!("{}{plus} ", char::from(code.letter()))
        };
        numbers.iter().map(|&number| text(states.decode(number))).collect()
    }

    #[test]
    fn numbers_mean_what_the_release_says() {
        let new = [0, 1, 2, 4, 8, 0x10, 0x20, 0x40, 0x80, 0x100, 0x200];
        assert_eq!(letters(States::Since414, &new), "R S D T t X Z P I R+ R ");
        let middle = [
            0, 1, 2, 0x10, 0x20, 0x40, 0x80, 0x100, 0x102, 0x200, 0x400, 0x402, 0x1000, 0x1001,
        ];
        assert_eq!(letters(States::Since48, &middle), "R S D X Z x K W D P N I R+ S+ ");
        assert_eq!(letters(States::Before48, &[0, 0x800, 0x1000]), "R R+ R ");
        let raw = [0, 1, 2, 4, 8, 0x10, 0x20, 0x40, 0x80, 0x402, 0x102, 0x2001, 0x100];
        assert_eq!(letters(States::Raw, &raw), "R S D T t X Z P X I D S R ");
    }

    #[test]
    fn releases_are_compared_as_numbers() {
        let of = States::of_release;
        assert_eq!(of("7.2.13+deb14-amd64"), States::Since414);
        assert_eq!(of("4.14.0"), States::Since414);
        assert_eq!(of("4.9.337-android"), States::Since48);
        assert_eq!(of("3.18"), States::Before48);
        assert_eq!(of("4.4.0-1"), States::Before48);
        assert_eq!(of("linux"), States::Since414);
        assert_eq!(of(""), States::Since414);
    }
}
