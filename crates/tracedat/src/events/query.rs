//! What the list of events is asked, and what it answers; as JSON the shapes of `web/engine/protocol.ts`.
//!
//! Times are nanoseconds since the trace's first record.

use crate::arguments::Argument;
use eventfilter::FilterError;
use eventpairs::{Again, Answer, By, PairError};
use serde::{Deserialize, Serialize, Serializer};
use traceevent::Missed;
use ts_rs::TS;

/// How a record is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, TS)]
#[serde(rename_all = "kebab-case")]
pub enum EventTextMode {
    /// As `trace-cmd report` does, with its plugins.
    TraceCmd,
    /// As the kernel's `print fmt` says (`-N`).
    Kernel,
    /// Field by field (`-R`).
    Raw,
}

/// Which events are listed: those to which all of it applies.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize, TS)]
pub struct EventFilter {
    /// By number.
    pub cpus: Option<Vec<u32>>,
    /// The task that an event happened in, or one that its fields name.
    pub pids: Option<Vec<i32>>,
    /// `system:name`, or a name in any system.
    pub events: Option<Vec<String>>,
    /// In the line as it is printed: `comm-pid name: text`. ASCII letters are the same in either case.
    pub text: String,
    /// An expression of the filter language; nothing passes one that is wrong.
    #[serde(default)]
    #[ts(optional)]
    pub expression: Option<String>,
    /// Half-open.
    #[ts(type = "TimeWindow | null")]
    pub window: Option<EventWindow>,
}

/// A span of time; JavaScript's numbers.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, Serialize)]
pub struct EventWindow {
    /// The first instant of it.
    pub start: f64,
    /// The first instant behind it.
    pub end: f64,
}

/// The list that a query is about.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize, TS)]
pub struct EventSelection {
    /// Which rows it has.
    pub filter: EventFilter,
    /// How the rows are printed.
    pub mode: EventTextMode,
}

/// The most lines that are made into one text.
pub const MAX_LINES: usize = 10_000;

/// A question.
#[derive(Clone, Debug, PartialEq, Deserialize, TS)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum EventsQuery {
    /// Rows, as far as they are known.
    EventRows {
        /// The list.
        #[serde(flatten)]
        of: EventSelection,
        /// The first one's number in the filtered list.
        first: usize,
        /// How many.
        count: usize,
    },
    /// The first row at or after a time.
    EventRowAt {
        /// The list.
        #[serde(flatten)]
        of: EventSelection,
        /// The time.
        #[ts(type = "Ns")]
        at: f64,
        /// Only rows of this CPU.
        cpu: Option<u32>,
    },
    /// The nearest row after (1) or before (-1) another whose line holds a text.
    EventSearch {
        /// The list.
        #[serde(flatten)]
        of: EventSelection,
        /// ASCII letters are the same in either case.
        text: String,
        /// Is not looked at itself; -1 is before the first row.
        from: i64,
        /// 1 or -1.
        #[ts(type = "-1 | 1")]
        direction: i8,
    },
    /// Rows as whole lines of `trace-cmd report`.
    EventLines {
        /// The list.
        #[serde(flatten)]
        of: EventSelection,
        /// The first one's number in the filtered list.
        first: usize,
        /// How many; no more than [`MAX_LINES`] are given.
        count: usize,
    },
    /// The trace's events.
    EventNames,
    /// What is wrong with an expression, if anything is.
    EventFilterCheck {
        /// The expression.
        expression: String,
    },
    /// The names that an expression may have: built-in ones, and fields of the events that were recorded.
    EventFields,
    /// How many events pass an expression; found in the order of time. The latest such expressions are those whose tiles and
    /// hits are known.
    EventHits {
        /// The expression.
        expression: String,
    },
    /// Some of the events of a CPU that pass an expression, each with the run that it stands for. Asked when all are found.
    EventHitRuns {
        /// The expression.
        expression: String,
        /// Which of the CPUs, from 0 on.
        place: usize,
        /// The first one's number on the CPU.
        first: usize,
    },
    /// The next hit after an instant of a CPU (1), or the one before it (-1), by time, then by CPU.
    EventHitAt {
        /// The expression.
        expression: String,
        /// The instant.
        #[ts(type = "Ns")]
        at: f64,
        /// The CPU; null: before (1) or after (-1) all of them.
        cpu: Option<u32>,
        /// 1 or -1.
        #[ts(type = "-1 | 1")]
        direction: i8,
    },
    /// The numbers in the fields of the trace's events, each of which can be a counter.
    EventNumbers,
    /// The values of a number over time; found in the order of time. The latest such numbers are those whose tiles are known.
    EventCounter {
        /// Which.
        number: EventNumber,
        /// Whose values.
        by: CounterBy,
    },
    /// Numbers for each bucket of time of some tracks, as far as they are known.
    Tile(EventTileQuestion),
    /// The arguments of system calls, in their order.
    CallArguments {
        /// Which calls; no more than [`MAX_CALLS`] are told.
        calls: Vec<EnteredCall>,
    },
    /// Pairs of events that belong together, and how long was between them.
    Pairs {
        /// The pair of a user; without it those built in that the trace has.
        own: Option<OwnPair>,
        /// What they are put together by.
        by: By,
        /// Only those that begin in it. Half-open.
        #[ts(type = "TimeWindow | null")]
        window: Option<EventWindow>,
        /// Only those that begin on one of these CPUs; null: on any.
        cpus: Option<Vec<u32>>,
        /// Only those that begin in one of these threads, or in one of these commands; of all where both are empty.
        pids: Vec<i32>,
        /// Beginnings of the commands' names.
        comms: Vec<String>,
        /// How many of the longest.
        top: usize,
    },
}

/// Tracks of which the records tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum EventTrack {
    /// How many events of a CPU pass an expression; the key is the CPU's number.
    Hits,
    /// The same of all CPUs together; without a key.
    AllHits,
    /// The least and the greatest value of a number, each a double of two words, low word first; not a number where none is
    /// known. The key is the CPU's number, the variant the number as `system:event:field`.
    Counter,
    /// The same of a task; the key is its PID.
    TaskCounter,
}

/// Whose values a counter has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum CounterBy {
    /// Each CPU's: the one that the event is about (`cpu_id`, `cpu`), else the one that wrote it.
    Cpu,
    /// Each task's: the one that the number is about (`next_pid` of `next_prio`, `pid`), else the one that wrote it.
    Task,
}

/// As the model's `TileQuestion`.
#[derive(Clone, Debug, PartialEq, Deserialize, TS)]
pub struct EventTileQuestion {
    /// What kind of tracks.
    pub kind: EventTrack,
    /// The expression.
    pub variant: String,
    /// Tracks from top to bottom.
    pub keys: Vec<u32>,
    /// The width of a bucket, as a power of two.
    pub level: u32,
    /// The first bucket; JavaScript's number.
    pub first_bucket: f64,
    /// How many buckets; no more than [`MAX_BUCKETS`] are given.
    pub buckets: usize,
}

/// The most buckets of a tile.
pub const MAX_BUCKETS: usize = 1 << 14;

/// A system call that was entered.
#[derive(Clone, Debug, PartialEq, Deserialize, TS)]
pub struct EnteredCall {
    /// When.
    #[ts(type = "Ns")]
    pub at: f64,
    /// On which CPU.
    pub cpu: u32,
    /// By which thread.
    pub pid: i32,
    /// Its name.
    pub call: String,
    /// Whether it is named by the table of 32-bit tasks.
    pub compat: bool,
}

/// The most events whose runs are told at once: some ten ms of the engine's time.
pub const MAX_RUNS: usize = 1 << 16;

/// The most calls whose arguments are told at once.
pub const MAX_CALLS: usize = 200;

/// A pair of a user, in the words of `corelane pairs`; what was not given is empty.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, TS)]
pub struct OwnPair {
    /// `SYSTEM:EVENT[FILTER]`.
    pub start: String,
    /// The same of the end.
    pub end: String,
    /// `FIELD[=ENDFIELD],...`
    pub key: String,
    /// `FIELD,...`
    pub group: String,
    /// A field, or the difference of two.
    pub value: String,
    /// Which start counts where a second one comes before the end.
    pub again: Again,
}

/// How far a filter or a search is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
pub struct EventProgress {
    /// Events that were looked at.
    pub done: usize,
    /// Events there are to look at.
    pub all: usize,
    /// Whether that is all.
    pub complete: bool,
}

/// An answer.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum EventsAnswer {
    /// To `EventRows`.
    EventRows {
        /// Progress of the filter.
        #[serde(flatten)]
        progress: EventProgress,
        /// Rows known so far.
        total: usize,
        /// As asked.
        first: usize,
        /// Fewer than requested if there are no more.
        rows: Vec<EventRow>,
    },
    /// To `EventRowAt`.
    EventRowAt {
        /// Its number in the filtered list.
        row: Option<usize>,
    },
    /// To `EventSearch`.
    EventSearch {
        /// Its number in the filtered list.
        row: Option<usize>,
    },
    /// To `EventLines`.
    EventLines {
        /// Each ends with a newline.
        text: String,
    },
    /// To `EventNames`.
    EventNames {
        /// By system and name.
        names: Vec<EventName>,
    },
    /// To `EventFilterCheck`.
    EventFilterCheck {
        /// What is wrong.
        error: Option<EventFilterError>,
    },
    /// To `EventFields`.
    EventFields {
        /// In the order of the alphabet.
        fields: Vec<EventField>,
    },
    /// To `EventHits`, and on the way to it.
    EventHits {
        /// How far it is.
        #[serde(flatten)]
        progress: EventProgress,
        /// Events that pass, of those.
        total: usize,
        /// What is wrong with the expression: nothing passes then.
        error: Option<EventFilterError>,
    },
    /// To `EventHitRuns`; what they stand for is given beside it, as `FilterStep::Add` takes it.
    EventHitRuns {
        /// The CPU; null: there are no more.
        cpu: Option<u32>,
        /// How many.
        count: usize,
        /// There are more.
        more: bool,
        /// Three words for each.
        #[serde(skip)]
        #[ts(skip)]
        values: Vec<u32>,
    },
    /// To `EventHitAt`.
    EventHitAt {
        /// The hit; null where there is none.
        hit: Option<EventHit>,
    },
    /// To `EventNumbers`.
    EventNumbers {
        /// By system, event and field.
        numbers: Vec<EventNumber>,
    },
    /// To `EventCounter`, and on the way to it.
    EventCounter(EventCounterInfo),
    /// To `Tile`; its numbers are given beside it.
    Tile {
        /// One for each bucket of each track.
        #[serde(skip)]
        #[ts(skip)]
        values: Vec<u32>,
        /// 0: there is no scale.
        most: u32,
    },
    /// To `CallArguments`.
    CallArguments {
        /// Of each call; null where no record tells of any.
        arguments: Vec<Option<Vec<Argument>>>,
    },
    /// To `Pairs`.
    Pairs {
        /// Those that are there.
        pairs: Vec<Answer>,
        /// What is wrong with the user's pair.
        error: Option<OwnPairError>,
    },
}

/// A number in a field of an event.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize, TS)]
pub struct EventNumber {
    /// The event's system.
    pub system: String,
    /// Its name.
    pub event: String,
    /// The field.
    pub field: String,
}

/// What is known of a number's values.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
pub struct EventCounterInfo {
    /// Events that were looked at.
    pub done: usize,
    /// Events there are to look at.
    pub all: usize,
    /// Whether that is all.
    pub complete: bool,
    /// How many values there are.
    pub samples: usize,
    /// The least of them.
    pub least: f64,
    /// The greatest.
    pub greatest: f64,
}

/// What is wrong with a pair of a user.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
pub struct OwnPairError {
    /// Which of its texts, as in `--start`.
    pub option: &'static str,
    /// Where in that text, and what.
    #[serde(flatten)]
    pub error: EventFilterError,
}

/// One line of the list.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
pub struct EventRow {
    /// Number in the filtered list.
    pub row: usize,
    /// The CPU's number.
    pub cpu: u32,
    /// Which record of its CPU it is.
    pub record: u64,
    /// When.
    #[ts(type = "Ns")]
    pub at: u64,
    /// `common_pid`.
    pub pid: i32,
    /// That task's name, as far as it is known.
    pub comm: String,
    /// The event's name.
    pub event: String,
    /// What is printed behind it.
    pub text: String,
    /// Events that were lost on the CPU just before.
    #[ts(type = "number | \"some\" | null")]
    pub lost: Option<Lost>,
}

/// An event that passes an expression.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
pub struct EventHit {
    /// How many come before it.
    pub number: usize,
    /// The CPU's number.
    pub cpu: u32,
    /// When.
    #[ts(type = "Ns")]
    pub at: u64,
    /// `common_pid`.
    pub pid: i32,
    /// That task's name, as far as it is known.
    pub comm: String,
    /// The event's name.
    pub event: String,
    /// What is printed behind it.
    pub text: String,
}

/// How many events were lost: a number, or `some` if it is not known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lost(pub Missed);

impl Serialize for Lost {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Missed::Count(count) => serializer.serialize_u64(count),
            Missed::Unknown => serializer.serialize_str("some"),
        }
    }
}

/// What is wrong with an expression.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
pub struct EventFilterError {
    /// The first character that is wrong, as JavaScript counts them.
    pub start: usize,
    /// The first one behind it; the same where something is missing.
    pub end: usize,
    /// What is wrong, and what was expected.
    pub message: String,
}

impl EventFilterError {
    pub(super) fn of(text: &str, error: &FilterError) -> Self {
        let units = |end: usize| text.get(..end).map_or(0, |part| part.encode_utf16().count());
        EventFilterError {
            start: units(error.at.start),
            end: units(error.at.end),
            message: error.message.clone(),
        }
    }
}

impl OwnPairError {
    pub(super) fn of(error: &PairError) -> Self {
        OwnPairError {
            option: error.option,
            error: EventFilterError::of(&error.text, &error.error),
        }
    }
}

/// A name that an expression may have.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
pub struct EventField {
    /// The name.
    pub name: String,
    /// Recorded events that have the field; 0 for what every event has.
    pub events: usize,
}

/// An event of the trace.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
pub struct EventName {
    /// Its name.
    pub name: String,
    /// The system it belongs to.
    pub system: String,
    /// Records of it.
    pub count: u64,
}
