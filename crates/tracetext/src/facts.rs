//! What a text says besides its rows.

use std::collections::{BTreeMap, BTreeSet};

use schedrows::{CannotTell, Diagnostic, DiagnosticKind, KernelStates, RowKind};

use crate::columns::Columns;
use crate::event::Told;
use crate::head::Head;
use crate::scan::Settings;
use crate::unread::Unread;

/// Names of tasks that are kept.
const MOST_TASKS: usize = 1 << 20;
/// Names of instances that are kept; lines of further ones are counted as those of the last.
const MOST_INSTANCES: usize = 256;
/// Kinds of numbers of states that are kept.
const MOST_NUMBERS: usize = 64;

/// Lines of events of an instance.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Count {
    pub lines: u64,
    /// Those of the scheduler's events.
    pub rows: u64,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Facts {
    /// The highest CPU, and one more.
    pub cpu_count: u32,
    pub first_ns: Option<u64>,
    /// Lines of events.
    pub events: u64,
    /// Those of the scheduler's events that say what they need.
    pub rows: u64,
    /// Switches and wakeups that a tracer wrote, and those of the scheduler's events.
    pub by_tracer: u64,
    pub by_event: u64,
    /// System and name, by number.
    pub names: Vec<(String, String)>,
    /// Name and, where it is known, the process of each task that wrote a line.
    pub tasks: BTreeMap<i32, (String, Option<i32>)>,
    pub has_flags: bool,
    pub lacks_flags: bool,
    /// Lines of perf's text with a pid, and without one.
    pub with_pid: u64,
    pub without_pid: u64,
    /// A task was switched out as R, in the words of a plugin; or as R+.
    pub runnable: bool,
    pub preempted: bool,
    pub wakings: u64,
    pub wakeups: u64,
    /// What the columns are, as far as lines have said.
    pub columns: Columns,
    /// Lines whose flags and time are one word.
    pub glued: u64,
    /// Times are ticks; `None` before the first event.
    pub is_ticks: Option<bool>,
    /// Lines with an earlier time than the line before.
    pub falls: u64,
    /// The first line that is not empty, and the number of the first that looks like raw format.
    pub first_line: Option<String>,
    pub raw_line: Option<u64>,
    /// The tracer that the header names.
    pub tracer: Option<String>,
    pub lines: u64,
    pub unread: Unread,
    /// Lines of the instances that are not shown, by name.
    pub others: BTreeMap<String, Count>,
    /// Lost before the text begins.
    pub overwritten: u64,
    /// The kernels that the text may be of, by what it says and by the numbers of states in it.
    pub states: KernelStates,
    /// Numbers of states that do not mean the same in all of these, and the switches that have them.
    pub unclear: BTreeSet<u32>,
    pub unclear_switches: u64,
}

impl Facts {
    /// Reads a state that is a number, and learns from it which kernel the text is of.
    #[inline]
    pub fn state(&mut self, told: &mut Told<'_>) {
        let Some(number) = told.number else { return };
        self.states = self.states.that_write(number.into());
        let state = self.states.decode(number.into());
        // A throttled task's letter is the same.
        if told.state.letter() != state.letter() || told.state.preempted() != state.preempted() {
            told.state = state;
        }
        if told.state.letter() == b'?' {
            self.unclear_switches += 1;
            if self.unclear.len() < MOST_NUMBERS {
                self.unclear.insert(number);
            }
        }
    }

    #[inline]
    pub fn learn(&mut self, head: &Head<'_>, ts: u64, told: &Option<Result<Told<'_>, ()>>, by_tracer: bool) {
        self.cpu_count = self.cpu_count.max(head.place.cpu + 1);
        self.first_ns = Some(self.first_ns.map_or(ts, |first| first.min(ts)));
        self.events += 1;
        match head.place.context {
            Some(_) => self.has_flags = true,
            None => self.lacks_flags = true,
        }
        self.columns.latency = self.columns.latency.max(head.place.latency);
        self.glued += u64::from(head.is_glued);
        if head.of_perf {
            let count = if head.pid == -1 && !head.comm.starts_with(':') {
                &mut self.without_pid
            } else {
                &mut self.with_pid
            };
            *count += 1;
        }
        let Some(Ok(told)) = told else { return };
        self.rows += 1;
        self.by_tracer += u64::from(by_tracer);
        let is_both = matches!(told.kind, RowKind::Switch | RowKind::Waking | RowKind::Wakeup);
        self.by_event += u64::from(is_both && !by_tracer);
        match told.kind {
            RowKind::Waking => self.wakings += 1,
            RowKind::Wakeup => self.wakeups += 1,
            RowKind::Switch if told.pid != 0 && told.state.letter() == b'R' => {
                self.runnable |= told.by_plugin;
                self.preempted |= told.state.preempted();
            }
            _ => {}
        }
    }

    pub fn learn_task(&mut self, head: &Head<'_>) {
        // `<idle>` and `<...>`, which is printed for a name that was forgotten.
        let is_named = 0 < head.pid && !head.comm.is_empty() && !head.comm.starts_with('<');
        if is_named && (self.tasks.len() < MOST_TASKS || self.tasks.contains_key(&head.pid)) {
            let task = self.tasks.entry(head.pid).or_default();
            if task.0 != head.comm {
                head.comm.clone_into(&mut task.0);
            }
            task.1 = head.tgid.or(task.1);
        }
    }

    /// Counts a line of an instance that is not shown.
    #[cold]
    pub fn count_other(&mut self, instance: &str, is_row: bool) {
        if self.others.len() < MOST_INSTANCES && !self.others.contains_key(instance) {
            self.others.insert(instance.to_owned(), Count::default());
        }
        let last = || self.others.keys().next_back().cloned();
        let found = match self.others.contains_key(instance) {
            true => self.others.get_mut(instance),
            false => last().and_then(|name| self.others.get_mut(&name)),
        };
        if let Some(count) = found {
            count.lines += 1;
            count.rows += u64::from(is_row);
        }
    }

    /// How the text is to be read, where it was not read so: what only the whole text tells.
    pub fn better(&self, settings: &Settings) -> Option<Settings> {
        let mut better = settings.clone();
        // As of a trace.dat: the main buffer is shown, unless it has nothing and an instance does.
        if !settings.is_chosen && self.rows == 0 {
            let most = self
                .others
                .iter()
                .max_by_key(|(_, count)| (count.rows, if self.events == 0 { count.lines } else { 0 }));
            if let Some((name, _)) = most.filter(|(_, count)| 0 < count.rows || self.events == 0) {
                name.clone_into(&mut better.instance);
                better.is_chosen = true;
            }
        }
        // Lines before the first one that says how many flags there are.
        if 0 < self.glued + self.unread.count && self.columns.latency != settings.columns.latency {
            better.columns.latency = self.columns.latency;
        }
        // A comm's last word was taken for a pid.
        better.columns.no_pid |= self.with_pid < self.without_pid && 0 < self.with_pid;
        // `perf script --deltatime`: times begin at zero, and those of a merged text do not fall.
        let of_perf = self.with_pid + self.without_pid;
        better.sums |= self.first_ns == Some(0) && of_perf == self.events && self.events < 4 * self.falls;
        // The text may name its kernel after the numbers that depend on it.
        let is_clear = |&number: &u32| self.states.decode(number.into()).letter() != b'?';
        if self.unclear.iter().any(is_clear) {
            better.states = self.states;
        }
        better.without_tracer |= 0 < self.by_tracer && 0 < self.by_event;
        (better != *settings).then_some(better)
    }

    /// What the text has no way to say.
    pub fn cannot_tell(&self) -> CannotTell {
        let no_context = CannotTell::CONTEXT.if_so(self.lacks_flags && !self.has_flags);
        let no_waker = CannotTell::WAKER.if_so(0 < self.without_pid && self.with_pid == 0);
        let no_plus = CannotTell::PREEMPTION.if_so(self.runnable && !self.preempted);
        let no_choice = CannotTell::CHOSEN_CPU.if_so(0 < self.wakings && self.wakeups == 0);
        no_context.and(no_waker).and(no_plus).and(no_choice)
    }

    /// What is to be said of the text as a whole.
    pub fn diagnostics(&self, settings: &Settings) -> Vec<Diagnostic> {
        let say = |kind, count, text: String| Diagnostic {
            kind,
            cpu: None,
            at_ns: None,
            count,
            text,
        };
        let mut found: Vec<Diagnostic> = self.unread.diagnostic().into_iter().collect();
        if 0 < self.overwritten {
            let text = "events that were written and are not in the text: the buffer was full";
            found.push(say(DiagnosticKind::LostEvents, self.overwritten, text.to_owned()));
        }
        if self.is_ticks == Some(true) {
            let text = "times are whole numbers, which are ticks of a clock that the text does not name; `trace-cmd report --raw-ts` prints nanoseconds so, too";
            found.push(say(DiagnosticKind::Unsupported, 1, text.to_owned()));
        }
        if settings.sums {
            let text = "times are those since the line before (`perf script --deltatime`); they are summed up, and lines that are left out make later ones too early";
            found.push(say(DiagnosticKind::Unsupported, 1, text.to_owned()));
        }
        if 0 < self.unclear_switches {
            let text = "states that are numbers, which kernels do not mean the same by, and the text does not say which kernel it is of; these are unknown";
            found.push(say(
                DiagnosticKind::MissingEvent,
                self.unclear_switches,
                text.to_owned(),
            ));
        }
        found.extend(self.others.iter().map(|(name, count)| {
            let text = match name.as_str() {
                "" => "lines of the main buffer are not shown; choose it by `--buffer ''`".to_owned(),
                name => format!("lines of instance {name:?} are not shown; choose it by `--buffer`"),
            };
            say(DiagnosticKind::Unsupported, count.lines, text)
        }));
        found
    }
}
