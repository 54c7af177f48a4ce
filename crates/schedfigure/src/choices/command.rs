//! The command line that makes a figure again, quoted for a POSIX shell.

use super::spec::{Arrows, ColorBy, Kind, LegendOf, Note, Place, Spec};
use paper::Format;
use schedquery::query::{cpu_list, Selection};
use std::borrow::Cow;
use std::fmt::Display;

/// Default resolution of a PNG in dots per inch.
pub const DEFAULT_DPI: u32 = 300;

/// Default number of hops of a chain's arrows, as in `corelane chain`.
pub const DEFAULT_HOPS: u32 = 100;

/// Prefix of a task lane's command that could be taken for a PID.
pub const COMM: &str = "comm:";

/// The parts of a command line that do not concern what is drawn.
#[derive(Clone, Copy, Debug)]
pub struct Call<'a> {
    /// The traces, as the user named them.
    pub files: &'a [&'a str],
    /// The instance that is drawn; `None` for the main buffer.
    pub buffer: Option<&'a str>,
    /// Path of the figure.
    pub output: &'a str,
    /// Resolution in dots per inch; only for PNG.
    pub dpi: u32,
    /// Absolute time of the first record of the first trace, from which a [`Spec`]'s times count.
    pub first_ns: u64,
}

impl Call<'_> {
    /// The command line, with the options that differ from the defaults. Parsed again it gives the same figure; parts
    /// of a spec that its kind does not draw are left out.
    pub fn line(&self, spec: &Spec) -> String {
        let mut words = Words::new(spec.kind.name(), self.files);
        words.value("output", self.output);
        words.maybe("buffer", self.buffer);
        let selection = &spec.selection;
        match spec.kind {
            Kind::Timeline => {
                words.tasks(selection);
                words.maybe("filter", spec.filter.as_ref());
                words.window(selection);
                words.cpus("cpu", selection);
                self.lanes(spec, &mut words);
                words.flag("top-down", spec.top_down);
            }
            Kind::RunningWaiting => {
                words.tasks(selection);
                words.maybe("filter", spec.filter.as_ref());
                words.window(selection);
                words.cpus("cpu", selection);
            }
            Kind::Wakeup => {
                if let Some(Place { cpu, at }) = spec.wakeup {
                    words.value("cpu", cpu);
                    words.value("at", self.time(at));
                }
                words.window(selection);
                words.cpus("cpus", selection);
                words.flag("top-down", spec.top_down);
            }
        }
        words.maybe(
            "socket-order",
            spec.topology.as_ref().map(|topology| topology.canonical()),
        );
        if spec.kind != Kind::Wakeup {
            if spec.color_by != ColorBy::default() {
                words.value("color-by", spec.color_by.name());
            }
            words.maybe("dot", spec.dot);
            words.maybe("columns", spec.columns);
        }
        spec.names.iter().for_each(|name| words.value("name", name));
        self.notes(&spec.notes, &mut words);
        words.paper(spec.width, spec.height, spec.title.as_deref());
        words.dpi(self.output, self.dpi);
        words.line()
    }

    fn notes(&self, notes: &[Note], words: &mut Words) {
        let (marks, notes): (Vec<&Note>, Vec<&Note>) = notes.iter().partition(|note| note.is_mark());
        for Note { at, text, .. } in marks {
            words.value("mark", format!("{text}={}", self.time(*at)));
        }
        for Note { cpu, at, text } in notes {
            let cpu = cpu.map_or(String::new(), |cpu| format!("{cpu}@"));
            words.value("note", format!("{cpu}{}={text}", self.time(*at)));
        }
    }

    /// Adds the options that only timelines take.
    fn lanes(&self, spec: &Spec, words: &mut Words) {
        if spec.legend != LegendOf::default() {
            words.value("legend", spec.legend.name());
        }
        spec.highlight.iter().for_each(|comm| words.value("highlight", comm));
        words.flag("moves", spec.moves);
        spec.with.iter().for_each(|part| words.value("with", part.name()));
        spec.task_lanes.pids.iter().for_each(|pid| words.value("task", pid));
        for comm in &spec.task_lanes.comms {
            let prefix = if comm.parse::<i32>().is_ok() || comm.starts_with(COMM) {
                COMM
            } else {
                ""
            };
            words.value("task", format!("{prefix}{comm}"));
        }
        words.flag("calls", spec.calls);
        words.flag("interrupts", spec.interrupts);
        words.flag("runqueues", spec.runqueues);
        words.maybe("counter", spec.counter.as_ref());
        let place = |Place { cpu, at }: Place| format!("{cpu}@{}", self.time(at));
        match spec.arrows {
            None => {}
            Some(Arrows::Cascade(at)) => words.value("cascade", place(at)),
            Some(Arrows::Chain(at, hops)) => {
                words.value("chain", place(at));
                if hops != DEFAULT_HOPS {
                    words.value("hops", hops);
                }
            }
        }
    }

    fn time(&self, at: u64) -> String {
        seconds(self.first_ns.saturating_add(at))
    }
}

/// The words of a command line, quoted for the shell.
pub(crate) struct Words<'a> {
    words: Vec<String>,
    /// Files whose names look like options.
    last: Vec<&'a str>,
}

impl<'a> Words<'a> {
    pub(crate) fn new(kind: &str, files: &[&'a str]) -> Words<'a> {
        let (last, first): (Vec<&str>, Vec<&str>) = if files.iter().any(|file| file.starts_with('-') && *file != "-") {
            (files.to_vec(), Vec::new())
        } else {
            (Vec::new(), files.to_vec())
        };
        let mut words = vec!["corelane".to_owned(), "figure".to_owned(), kind.to_owned()];
        words.extend(first.iter().map(|file| quoted(file).into_owned()));
        Words { words, last }
    }

    pub(crate) fn flag(&mut self, name: &str, on: bool) {
        if on {
            self.words.push(format!("--{name}"));
        }
    }

    pub(crate) fn value(&mut self, name: &str, value: impl Display) {
        let value = value.to_string();
        if value.starts_with('-') && value != "-" {
            // Otherwise it would be taken for an option.
            self.words.push(format!("--{name}={}", quoted(&value)));
        } else {
            self.words.push(if name == "output" {
                "-o".to_owned()
            } else {
                format!("--{name}")
            });
            self.words.push(quoted(&value).into_owned());
        }
    }

    pub(crate) fn maybe(&mut self, name: &str, value: Option<impl Display>) {
        if let Some(value) = value {
            self.value(name, value);
        }
    }

    pub(crate) fn tasks(&mut self, selection: &Selection) {
        self.flag("forked", selection.forked);
        self.flag("movable", selection.movable);
        self.flag("no-kernel-threads", selection.no_kernel_threads);
        self.maybe("target", selection.target.as_ref());
        selection.comms.iter().for_each(|comm| self.value("comm", comm));
        selection.pids.iter().for_each(|pid| self.value("pid", pid));
    }

    pub(crate) fn window(&mut self, selection: &Selection) {
        self.flag("after-sleep", selection.after_sleep);
        self.maybe("min", selection.min.map(seconds));
        self.maybe("max", selection.max.map(seconds));
    }

    pub(crate) fn cpus(&mut self, name: &str, selection: &Selection) {
        self.maybe(name, selection.cpus.as_deref().map(cpu_list));
    }

    pub(crate) fn paper(&mut self, width: Option<f64>, height: Option<f64>, title: Option<&str>) {
        self.maybe("width", width);
        self.maybe("height", height);
        self.maybe("title", title);
    }

    pub(crate) fn dpi(&mut self, output: &str, dpi: u32) {
        if Format::of_file(output) == Some(Format::Png) && dpi != DEFAULT_DPI {
            self.value("dpi", dpi);
        }
    }

    pub(crate) fn line(mut self) -> String {
        if !self.last.is_empty() {
            self.words.push("--".to_owned());
            self.words
                .extend(self.last.iter().map(|file| quoted(file).into_owned()));
        }
        self.words.join(" ")
    }
}

/// Seconds, exactly and without trailing zeros.
fn seconds(ns: u64) -> String {
    let text = format!("{}.{:09}", ns / 1_000_000_000, ns % 1_000_000_000);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// A word that the shell reads as this text.
fn quoted(text: &str) -> Cow<'_, str> {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"_@%+=:,./-".contains(&byte);
    if !text.is_empty() && text.bytes().all(plain) {
        Cow::Borrowed(text)
    } else {
        Cow::Owned(format!("'{}'", text.replace('\'', r"'\''")))
    }
}

#[cfg(test)]
mod tests {
    use super::{quoted, seconds};

    #[test]
    fn what_the_shell_would_read_otherwise_is_quoted() {
        for (text, word) in [
            ("a/b-1.dat", "a/b-1.dat"),
            ("", "''"),
            ("ua.C.x run", "'ua.C.x run'"),
            ("it's", r"'it'\''s'"),
            ("$HOME", "'$HOME'"),
            ("~", "'~'"),
            ("κ", "'κ'"),
        ] {
            assert_eq!(quoted(text), word);
        }
    }

    #[test]
    fn times_are_exact_and_short() {
        for (ns, text) in [
            (0, "0"),
            (10_000_000_000, "10"),
            (1_500_000_000, "1.5"),
            (1, "0.000000001"),
            (1_000_000_001, "1.000000001"),
        ] {
            assert_eq!(seconds(ns), text);
        }
    }
}
