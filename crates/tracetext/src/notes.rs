//! Lines that are no events: lost events, beginnings of buffers, headers.

use schedrows::MOST_CPUS;

use crate::columns::number;
use crate::prefix::name_of;

/// What a line says that is no event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Note<'a> {
    /// Events were lost before the next line: of which instance, of which CPU, how many.
    Lost {
        instance: Option<&'a str>,
        /// `None` where the next event's line says it.
        cpu: Option<u32>,
        count: Option<u64>,
    },
    /// The CPU's buffer begins here.
    Started(u32),
    /// So many events were written that are not in the text.
    Overwritten(u64),
    /// A line of a trace in raw format.
    Raw,
    /// The name of the tracer.
    Tracer(&'a str),
    /// The kernel's log shows the buffer of this instance from here on.
    Dump(Option<&'a str>),
}

/// Reads a line that is no event.
pub(crate) fn note(line: &str) -> Option<Note<'_>> {
    lost(line)
        .or_else(|| buffer_started(line))
        .or_else(|| entries(line))
        .or_else(|| line.strip_prefix("# tracer: ").map(|name| Note::Tracer(name.trim())))
        .or_else(|| dump(line))
        .or_else(|| is_raw(line).then_some(Note::Raw))
}

/// `CPU:3 [LOST 390 EVENTS]`, `CPU:3 [390 EVENTS DROPPED]`, without a number, or without a CPU; behind an instance's name.
fn lost(line: &str) -> Option<Note<'_>> {
    let (before, what) = line.strip_suffix(']')?.rsplit_once('[')?;
    let mut words = what
        .split_whitespace()
        .filter(|&word| word != "LOST" && word != "DROPPED");
    let count = match words.next()? {
        "EVENTS" => None,
        count => Some(number(count)?)
            .filter(|_| words.next() == Some("EVENTS"))
            .map(Some)?,
    };
    if words.next().is_some() || !what.contains("LOST") && !what.contains("DROPPED") {
        return None;
    }
    let before = before.trim();
    let (name, cpu) = match before.rsplit_once("CPU:") {
        Some((name, cpu)) => (
            name.trim(),
            Some(number(cpu)?).filter(|&cpu| cpu < MOST_CPUS).map(Some)?,
        ),
        None => (before, None),
    };
    let named = name_of(name);
    let instance = named.filter(|named| !named.is_empty());
    (name.is_empty() || named.is_some()).then_some(Note::Lost { instance, cpu, count })
}

/// `##### CPU 2 buffer started ####`
fn buffer_started(line: &str) -> Option<Note<'_>> {
    let rest = line.trim_start_matches('#').trim_start().strip_prefix("CPU ")?;
    let (cpu, _) = rest.split_once(" buffer started")?;
    cpu.parse().ok().filter(|&cpu| cpu < MOST_CPUS).map(Note::Started)
}

/// `# entries-in-buffer/entries-written: 10/2154   #P:4`
fn entries(line: &str) -> Option<Note<'_>> {
    let (_, rest) = line.split_once("entries-in-buffer/entries-written: ")?;
    let (there, written) = rest.split_whitespace().next()?.split_once('/')?;
    let (there, written): (u64, u64) = (there.parse().ok()?, written.parse().ok()?);
    Some(Note::Overwritten(written.saturating_sub(there)))
}

/// `Dumping ftrace buffer:`, and for an instance `Dumping ftrace instance NAME buffer:`
fn dump(line: &str) -> Option<Note<'_>> {
    let rest = line.strip_prefix("Dumping ftrace ")?.strip_suffix("buffer:")?;
    Some(Note::Dump(rest.strip_prefix("instance ").map(str::trim)))
}

/// `0 2 453911280796 type: 312`
fn is_raw(line: &str) -> bool {
    let mut words = line.split_whitespace();
    let mut number = || words.next().is_some_and(|word| word.parse::<u64>().is_ok());
    number() && number() && number() && words.next() == Some("type:") && {
        let id = words.next();
        id.is_some_and(|id| id.parse::<u64>().is_ok()) && words.next().is_none()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lost_events_are_read_in_every_form() {
        let lost = |instance, cpu, count| Some(Note::Lost { instance, cpu, count });
        for (line, expected) in [
            ("CPU:3 [LOST 390 EVENTS]", lost(None, Some(3), Some(390))),
            ("CPU:3 [390 EVENTS DROPPED]", lost(None, Some(3), Some(390))),
            ("CPU:3 [LOST EVENTS]", lost(None, Some(3), None)),
            ("CPU:3 [EVENTS DROPPED]", lost(None, Some(3), None)),
            ("fl: CPU:0 [4086 EVENTS DROPPED]", lost(Some("fl"), Some(0), Some(4086))),
            (
                "trace.txt:12:CPU:3 [LOST 390 EVENTS]",
                lost(Some("trace.txt"), Some(3), Some(390)),
            ),
            ("12-CPU:3 [LOST 390 EVENTS]", lost(None, Some(3), Some(390))),
            ("[LOST 390 EVENTS]", lost(None, None, Some(390))),
            ("[12 EVENTS DROPPED]", lost(None, None, Some(12))),
            ("CPU:9999999 [LOST 390 EVENTS]", None),
            ("CPU:x [LOST 390 EVENTS]", None),
            ("CPU:3 [LOST x EVENTS]", None),
            ("the line CPU:3 [LOST 390 EVENTS]", None),
            ("a list of [EVENTS]", None),
        ] {
            assert_eq!(note(line), expected, "{line}");
        }
    }

    #[test]
    fn other_notes_are_read() {
        for (line, expected) in [
            ("##### CPU 2 buffer started ####", Note::Started(2)),
            (
                "# entries-in-buffer/entries-written: 10/2154   #P:4",
                Note::Overwritten(2144),
            ),
            ("# tracer: wakeup_rt", Note::Tracer("wakeup_rt")),
            ("Dumping ftrace buffer:", Note::Dump(None)),
            ("Dumping ftrace instance foo buffer:", Note::Dump(Some("foo"))),
            ("0 2 453911280796 type: 312", Note::Raw),
        ] {
            assert_eq!(note(line), Some(expected), "{line}");
        }
        assert_eq!(note("0 2 453911280796 type: 312 more"), None);
    }
}
