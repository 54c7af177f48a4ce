//! The texts of the commonest events in their usual words, each read once, from one end to the other. What is unusual in any
//! way is `None`: [`event`](crate::event) looks for its fields one by one, which takes several times as long.

use schedrows::RowKind;

use crate::event::{state_number, state_of, Second, Told};

/// Reads a text; what it tells is what [`told`](crate::event::told) tells.
pub(crate) fn usual(kind: RowKind, text: &str) -> Option<Told<'_>> {
    match kind {
        RowKind::Switch if text.ends_with(']') => switch_by_plugin(text),
        RowKind::Switch => switch(text),
        RowKind::Waking | RowKind::Wakeup | RowKind::WakeupNew if text.starts_with("comm=") => wakeup(kind, text),
        RowKind::Waking | RowKind::Wakeup | RowKind::WakeupNew => wakeup_by_plugin(kind, text),
        RowKind::Migrate => migration(text),
        _ => None,
    }
}

/// `prev_comm=a prev_pid=1 prev_prio=120 prev_state=S ==> next_comm=b next_pid=2 next_prio=120`
fn switch(text: &str) -> Option<Told<'_>> {
    let mut left = Left(text);
    left.skip("prev_comm=")?;
    let comm = left.name(" prev_pid=")?;
    let pid = left.number()?;
    left.skip(" prev_prio=")?;
    let prev_prio = left.number()?;
    left.skip(" prev_state=")?;
    let state = left.name_before(b' ')?;
    left.skip(" ==> next_comm=")?;
    let next_comm = left.name(" next_pid=")?;
    let arg = left.number()?;
    left.skip(" next_prio=")?;
    let prio = left.number()?;
    Some(Told {
        pid: pid.try_into().ok()?,
        arg: arg.try_into().ok()?,
        comm,
        comm2: Second::Name(next_comm),
        number: state_number(state),
        state: state_of(state).with_prios(prev_prio, prio),
        prio: Some(prio),
        ..left.end(RowKind::Switch)?
    })
}

/// `a:1 [120] S ==> b:2 [120]`
fn switch_by_plugin(text: &str) -> Option<Told<'_>> {
    let mut right = Right(text);
    let (arg, prio) = right.pid_and_prio()?;
    // Names with this letter are unusual.
    let arrow = memchr::memrchr(b'>', right.0.as_bytes())?;
    let (before, next) = right.0.split_at_checked(arrow + 1)?;
    let (before, state) = before.strip_suffix(" ==>")?.rsplit_once(' ')?;
    // Kernels 2.6 print it in brackets.
    if state.starts_with('(') {
        return None;
    }
    right.0 = before;
    let (pid, prev_prio) = right.pid_and_prio()?;
    Some(Told {
        pid,
        arg,
        comm: usual_name(right.0)?,
        comm2: Second::Name(usual_name(next.strip_prefix(' ')?)?),
        number: state_number(state),
        state: state_of(state).with_prios(prev_prio, prio),
        prio: Some(prio),
        by_plugin: true,
        ..Told::of(RowKind::Switch)
    })
}

/// `comm=a pid=1 prio=120 target_cpu=001`, in older kernels with `success=1` before the CPU.
fn wakeup(kind: RowKind, text: &str) -> Option<Told<'_>> {
    let mut left = Left(text);
    let (comm, pid, prio) = left.task()?;
    if left.skip(" success=").is_some() {
        left.number()?;
    }
    left.skip(" target_cpu=")?;
    let cpu = left.number()?;
    Some(Told {
        pid,
        comm,
        prio: Some(prio),
        arg: cpu.try_into().ok()?,
        ..left.end(kind)?
    })
}

/// `a:1 [120] CPU:001`
fn wakeup_by_plugin(kind: RowKind, text: &str) -> Option<Told<'_>> {
    let mut right = Right(text);
    let cpu = right.number()?;
    right.skip(" CPU:")?;
    let (pid, prio) = right.pid_and_prio()?;
    Some(Told {
        pid,
        comm: usual_name(right.0)?,
        prio: Some(prio),
        arg: cpu.try_into().ok()?,
        ..Told::of(kind)
    })
}

/// `comm=a pid=1 prio=120 orig_cpu=0 dest_cpu=2`
fn migration(text: &str) -> Option<Told<'_>> {
    let mut left = Left(text);
    let (comm, pid, prio) = left.task()?;
    left.skip(" orig_cpu=")?;
    let from = left.number()?;
    left.skip(" dest_cpu=")?;
    let to = left.number()?;
    Some(Told {
        pid,
        comm,
        prio: Some(prio),
        comm2: Second::Number(from.try_into().ok()?),
        arg: to.try_into().ok()?,
        ..left.end(RowKind::Migrate)?
    })
}

/// A name that a plugin prints, if it holds nothing that fields of the kernel's words do.
fn usual_name(name: &str) -> Option<&str> {
    let is_usual = !name.starts_with(char::is_whitespace) && !name.bytes().any(|byte| byte == b'=');
    is_usual.then_some(name)
}

/// Digits of a number, so many that it fits.
const DIGITS: std::ops::RangeInclusive<usize> = 1..=18;

fn number_of<'a>(digits: impl Iterator<Item = &'a u8>) -> i64 {
    digits.fold(0, |number, digit| 10 * number + i64::from(digit - b'0'))
}

/// What is left of a text that is read from its begin.
struct Left<'a>(&'a str);

impl<'a> Left<'a> {
    #[inline(always)]
    fn skip(&mut self, what: &str) -> Option<()> {
        self.0 = self.0.strip_prefix(what)?;
        Some(())
    }

    /// What stands before a key, which is the next one with an equals sign; goes on behind it.
    fn name(&mut self, key: &str) -> Option<&'a str> {
        let at = self.0.bytes().position(|byte| byte == b'=')?;
        let (name, rest) = self.0.split_at_checked(at + 1)?;
        self.0 = rest;
        name.strip_suffix(key)
    }

    /// What stands before a byte, which is next then.
    fn name_before(&mut self, end: u8) -> Option<&'a str> {
        let at = self.0.bytes().position(|byte| byte == end)?;
        let (name, rest) = self.0.split_at_checked(at)?;
        self.0 = rest;
        Some(name)
    }

    fn number(&mut self) -> Option<i64> {
        let bytes = self.0.as_bytes();
        let len = bytes.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let number = number_of(bytes.iter().take(len).filter(|_| DIGITS.contains(&len)));
        self.0 = self.0.get(len..)?;
        DIGITS.contains(&len).then_some(number)
    }

    /// `comm=a pid=1 prio=120`
    fn task(&mut self) -> Option<(&'a str, i32, i64)> {
        self.skip("comm=")?;
        let comm = self.name(" pid=")?;
        let pid = self.number()?;
        self.skip(" prio=")?;
        Some((comm, pid.try_into().ok()?, self.number()?))
    }

    /// An event without fields, if nothing is left.
    fn end(&self, kind: RowKind) -> Option<Told<'a>> {
        self.0.is_empty().then(|| Told::of(kind))
    }
}

/// What is left of a text that is read from its end.
struct Right<'a>(&'a str);

impl Right<'_> {
    #[inline(always)]
    fn skip(&mut self, what: &str) -> Option<()> {
        self.0 = self.0.strip_suffix(what)?;
        Some(())
    }

    fn number(&mut self) -> Option<i64> {
        let bytes = self.0.as_bytes();
        let len = bytes.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
        let start = bytes.len() - len;
        let number = number_of(bytes.iter().skip(start).filter(|_| DIGITS.contains(&len)));
        self.0 = self.0.get(..start)?;
        DIGITS.contains(&len).then_some(number)
    }

    /// `:1 [120]`
    fn pid_and_prio(&mut self) -> Option<(i32, i64)> {
        self.skip("]")?;
        let prio = self.number()?;
        self.skip(" [")?;
        let pid = self.number()?;
        self.skip(":")?;
        Some((pid.try_into().ok()?, prio))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::told;
    use proptest::prelude::*;

    /// Names of what could be taken for something else.
    fn name() -> impl Strategy<Value = String> {
        "[-a:=\\[\\]( >é1]{0,6}|kworker/0:1|a pid=3|b \\[7\\]|<idle>| ==> |x:1 \\[2\\] S ==> y"
    }

    fn number() -> impl Strategy<Value = String> {
        "[0-9]{1,4}|-1|0x1f||99999999999999999999|4294967296"
    }

    proptest! {
        #[test]
        fn what_is_usual_is_what_is_told(
            names in [name(), name()], numbers in [number(), number(), number(), number()], state in "[A-Zt|+]{1,3}|[0-9]{1,3}| |\\([RSD]\\)",
            success in any::<bool>(), more in "| |x",
        ) {
            let ([a, b], [pid, prio, arg, last]) = (names, numbers);
            let success = if success { " success=1" } else { "" };
            for (kind, text) in [
                (RowKind::Switch, format!("prev_comm={a} prev_pid={pid} prev_prio={prio} prev_state={state} ==> next_comm={b} next_pid={arg} next_prio={last}{more}")),
                (RowKind::Switch, format!("{a}:{pid} [{prio}] {state} ==> {b}:{arg} [{last}]{more}")),
                (RowKind::Wakeup, format!("comm={a} pid={pid} prio={prio}{success} target_cpu={arg}{more}")),
                (RowKind::Waking, format!("{a}:{pid} [{prio}]{success} CPU:{arg}{more}")),
                (RowKind::Migrate, format!("comm={a} pid={pid} prio={prio} orig_cpu={arg} dest_cpu={last}{more}")),
            ] {
                // Lines end with no space.
                let text = text.trim();
                if let Some(found) = usual(kind, text) {
                    prop_assert_eq!(Some(found), told(kind, text), "{}", text);
                }
            }
        }
    }

    #[test]
    fn usual_texts_are_usual() {
        for (kind, text) in [
            (RowKind::Switch, "prev_comm=kworker/0:1 prev_pid=7 prev_prio=120 prev_state=R+ ==> next_comm=swapper/0 next_pid=0 next_prio=120"),
            (RowKind::Switch, "bash:169 [120] S ==> kworker/1:2:645 [98]"),
            (RowKind::Wakeup, "comm=ls pid=645 prio=120 target_cpu=001"),
            (RowKind::Waking, "comm=ls pid=645 prio=120 success=1 target_cpu=001"),
            (RowKind::WakeupNew, "ls:645 [120] CPU:001"),
            (RowKind::Migrate, "comm=k-1 pid=12 prio=120 orig_cpu=0 dest_cpu=2"),
        ] {
            assert!(usual(kind, text).is_some(), "{text}");
        }
    }
}
