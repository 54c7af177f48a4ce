//! The URL fragment of the page's view that shows what a figure shows; `web/state/url/` reads it.

use super::spec::{Arrows, ColorBy, Kind, Place, Spec};
use super::subject::Subject;
use std::fmt::Write;

/// Budget for what users choose and write, which must leave the URL below 2 KB; the page has a budget of the same size.
const MOST_FREE: usize = 1000;
const MOST_NAME: usize = 48;
const MOST_COMM: usize = 64;
const MOST_HIGHLIGHTED: usize = 16;
const MOST_TASKS: usize = 256;
const MOST_TASK_COMMS: usize = 16;
const MOST_MARKS: usize = 24;
const MOST_NOTE: usize = 40;
const MOST_FILTER: usize = 300;
const MOST_TOPOLOGY: usize = 600;

/// `#v=1&trace=…`. Leaves out what a view cannot hold (chosen CPUs and commands, colours by parent, notes without a
/// CPU), and what would make it too long.
pub fn fragment(spec: &Spec, subject: &Subject<'_>) -> String {
    let mut view = Fragment {
        text: "#v=1".to_owned(),
        free: 0,
    };
    let trace = subject.trace;
    let name = subject.file.rsplit(['/', '\\']).next().unwrap_or_default();
    view.field("trace", &name.chars().take(MOST_NAME).collect::<String>());
    view.field("fp", &format!("{:016x}", subject.fingerprint));
    let time = |at: u64| subject.absolute(at);
    let selection = &spec.selection;
    if selection.min.is_some() || selection.max.is_some() {
        let window = selection.window(trace);
        let end = window.end.min(trace.span_ns);
        if window.start < end {
            view.field("window", &format!("{}-{}", time(window.start), time(end)));
        }
    }
    let arrows_of = match spec.arrows {
        Some(Arrows::Chain(place, _) | Arrows::Cascade(place)) => Some(place),
        None => spec.wakeup.filter(|_| spec.kind == Kind::Wakeup),
    };
    if let Some(Place { cpu, at }) = arrows_of {
        // A view names a run by its start.
        let lane = trace.lane(cpu);
        let start = lane.and_then(|lane| Some(lane.interval(lane.find(at)?).start));
        view.field("select", &format!("{cpu}@{}", time(start.unwrap_or(at))));
    }
    for note in spec.notes.iter().filter(|note| note.is_mark()) {
        view.field(&note.text.to_ascii_lowercase(), &time(note.at));
    }
    let target = selection.target.as_deref().unwrap_or_default();
    match spec.color_by {
        _ if !target.is_empty() => view.field("colour", "target"),
        ColorBy::Command => view.field("colour", "command"),
        ColorBy::Pid | ColorBy::Parent => {}
    }
    let flags = [
        ("forked", selection.forked),
        ("after-sleep", selection.after_sleep && trace.after_sleep.is_some()),
        ("depth", spec.runqueues),
        ("movable", selection.movable),
    ];
    for (name, _) in flags.iter().filter(|(_, on)| *on) {
        view.field(name, "1");
    }
    if let Some(filter) = spec
        .filter
        .as_deref()
        .filter(|text| text.encode_utf16().count() <= MOST_FILTER)
    {
        view.free("filter", filter);
    }
    if let Some(counter) = subject.counter {
        view.free("counter", counter.name());
    }
    if let Some(Arrows::Cascade(_)) = spec.arrows {
        view.field("arrows", "cascade");
    }
    view.chosen(spec);
    view.notes(spec, subject);
    view.text
}

impl Subject<'_> {
    /// A time as the page writes it: absolute seconds, or ticks of a clock without a scale.
    fn absolute(&self, at: u64) -> String {
        let at = self.trace.origin_ns.saturating_add(at);
        if self.clock_is_ns {
            format!("{}.{:09}", at / 1_000_000_000, at % 1_000_000_000)
        } else {
            at.to_string()
        }
    }
}

struct Fragment {
    text: String,
    /// Remaining bytes for what users choose and write.
    free: usize,
}

impl Fragment {
    fn field(&mut self, name: &str, value: &str) {
        let _ = write!(self.text, "&{name}={}", escaped(value));
    }

    /// Adds a field of any length; leaves it out if it does not fit.
    fn free(&mut self, name: &str, value: &str) {
        let length = name.len() + escaped(value).len() + 2;
        if self.free + length <= MOST_FREE {
            self.free += length;
            self.field(name, value);
        }
    }

    /// Adds target, machine, commands and tasks.
    fn chosen(&mut self, spec: &Spec) {
        let comm = |comm: &&str| !comm.is_empty() && comm.encode_utf16().count() <= MOST_COMM;
        if let Some(target) = spec.selection.target.as_deref().filter(comm) {
            self.free("target", target);
        }
        let topology = spec.topology.as_ref().map(|topology| topology.canonical());
        if let Some(text) = topology.filter(|text| text.len() <= MOST_TOPOLOGY) {
            self.free("topology", &text);
            if !spec.moves {
                self.field("moves", "0");
            }
        }
        for comm in spec
            .highlight
            .iter()
            .map(String::as_str)
            .filter(comm)
            .take(MOST_HIGHLIGHTED)
        {
            self.free("highlight", comm);
        }
        let mut pids: Vec<i32> = spec.task_lanes.pids.iter().copied().filter(|pid| 0 <= *pid).collect();
        pids.sort_unstable();
        pids.dedup();
        pids.truncate(MOST_TASKS);
        let ranges = pids.chunk_by(|a, b| a + 1 == *b).map(|run| match run {
            [first, .., last] => format!("{first}-{last}"),
            _ => run.iter().map(i32::to_string).collect(),
        });
        let list = ranges.collect::<Vec<_>>().join(",");
        if !list.is_empty() {
            self.free("tasks", &list);
        }
        let comms = spec.task_lanes.comms.iter().map(String::as_str).filter(comm);
        for comm in comms.take(MOST_TASK_COMMS) {
            self.free("tasks", &format!("comm:{comm}"));
        }
    }

    fn notes(&mut self, spec: &Spec, subject: &Subject<'_>) {
        let on_cpus = spec.notes.iter().filter_map(|note| Some((note.cpu?, note)));
        for (cpu, note) in on_cpus.take(MOST_MARKS) {
            let text: String = note.text.chars().take(MOST_NOTE).collect();
            let colon = if text.is_empty() { "" } else { ":" };
            self.free("mark", &format!("{cpu}@{}{colon}{text}", subject.absolute(note.at)));
        }
    }
}

/// Like `encodeURIComponent`, except that characters which are legal in a fragment stay readable.
fn escaped(value: &str) -> String {
    let mut text = String::with_capacity(value.len());
    for &byte in value.as_bytes() {
        if byte.is_ascii_alphanumeric() || b"-_.!~*'()@,/:".contains(&byte) {
            text.push(char::from(byte));
        } else {
            let _ = write!(text, "%{byte:02X}");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::fragment;
    use crate::{Arrows, ColorBy, Kind, Note, Place, Spec, Subject, TaskLanes};
    use schedmodel::topology::Topology;
    use schedmodel::Trace;
    use schedquery::query::Selection;
    use std::sync::Arc;

    /// The fragment of a figure of ten seconds from 1234.5 s on, of which the first two are the leading sleep.
    fn of(spec: &Spec, clock_is_ns: bool) -> String {
        let trace = Arc::new(Trace {
            origin_ns: 1_234_500_000_000,
            span_ns: 10_000_000_000,
            after_sleep: Some(2_000_000_000),
            ..Trace::default()
        });
        let subject = Subject {
            trace: &trace,
            file: "runs/ua slow.dat",
            fingerprint: 0xabc,
            clock_is_ns,
            calls: None,
            passing: None,
            counter: None,
        };
        fragment(spec, &subject)
    }

    fn note(cpu: Option<u32>, at: u64, text: &str) -> Note {
        let text = text.to_owned();
        Note { cpu, at, text }
    }

    fn texts(texts: &[&str]) -> Vec<String> {
        texts.iter().map(|&text| text.to_owned()).collect()
    }

    /// The lines of `tests/views.txt`, which the page's tests read too.
    fn facts() -> Vec<String> {
        let everything = Spec {
            selection: Selection {
                forked: true,
                movable: true,
                after_sleep: true,
                min: Some(500_000_000),
                max: Some(1_500_000_000),
                target: Some("ua.C".to_owned()),
                ..Selection::default()
            },
            topology: Topology::parse(b"2x16x2").ok().map(Arc::new),
            highlight: texts(&["kworker/0:1", "a&b=c%"]),
            notes: vec![
                note(None, 2_600_000_000, "A"),
                note(None, 2_700_000_000, "B"),
                note(Some(3), 2_650_000_001, "late: 5 µs"),
                note(None, 2_660_000_000, "on no CPU"),
            ],
            arrows: Some(Arrows::Cascade(Place {
                cpu: 7,
                at: 2_800_000_000,
            })),
            runqueues: true,
            task_lanes: TaskLanes {
                pids: vec![14, 12, 13, 20],
                comms: texts(&["hackbench"]),
            },
            ..Spec::default()
        };
        let by_command = Spec {
            kind: Kind::RunningWaiting,
            color_by: ColorBy::Command,
            selection: Selection {
                max: Some(9),
                ..Selection::default()
            },
            moves: true,
            ..Spec::default()
        };
        let wakeup = Spec {
            kind: Kind::Wakeup,
            wakeup: Some(Place { cpu: 1, at: 5 }),
            ..Spec::default()
        };
        vec![
            of(&Spec::default(), true),
            of(&everything, true),
            of(&by_command, false),
            of(&wakeup, true),
        ]
    }

    #[test]
    fn views_are_those_that_the_page_reads() {
        let text = include_str!("../../../../tests/views.txt");
        let expected: Vec<&str> = text.lines().filter(|line| line.starts_with("#v=")).collect();
        assert_eq!(facts(), expected);
    }

    #[test]
    fn no_view_is_longer_than_a_url_may_be() {
        let spec = Spec {
            highlight: (0..40).map(|number| format!("κόσμος {number}")).collect(),
            notes: (0..40).map(|cpu| note(Some(cpu), 5, &"€".repeat(60))).collect(),
            task_lanes: TaskLanes {
                pids: (0..4000).map(|pid| pid * 2).collect(),
                comms: Vec::new(),
            },
            ..Spec::default()
        };
        let view = of(&spec, true);
        assert!(view.len() <= 2048, "{}", view.len());
        // Everything that fits is there.
        assert!(view.contains("highlight="), "{view}");
    }
}
