//! Events of sched_ext, as sources have them that hold none of ftrace's records: where there are records, they are read there.

/// What an event says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SchedExtTold {
    /// A counter was raised.
    Counter {
        /// Its name.
        name: String,
        /// By how much.
        delta: i64,
    },
    /// A line of a dump.
    Dump(String),
    /// A scheduler ended, and why.
    Exit(String),
}

/// Which event, by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SchedExtKind {
    /// `sched_ext_event`.
    Counter,
    /// `sched_ext_dump`.
    Dump,
    /// `sched_ext_exit`.
    Exit,
}

impl SchedExtKind {
    /// The kind of the event with that system, if it is told, and that name.
    pub fn of(system: Option<&str>, event: &str) -> Option<SchedExtKind> {
        let kind = match event {
            "sched_ext_event" => SchedExtKind::Counter,
            "sched_ext_dump" => SchedExtKind::Dump,
            "sched_ext_exit" => SchedExtKind::Exit,
            _ => return None,
        };
        system.is_none_or(|system| system == "sched_ext").then_some(kind)
    }
}

/// An event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SchedExtEvent {
    /// Trace time.
    pub ts: u64,
    /// The task that was on the CPU.
    pub writer: i32,
    /// What it says.
    pub told: SchedExtTold,
}
