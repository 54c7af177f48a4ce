//! What was found wrong in a trace, by its reader and by the model.

use schedrows::DiagnosticKind;

use crate::stored::stored;
use crate::time::Time;

/// Something that was found wrong, counted and kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// What kind.
    pub kind: DiagnosticKind,
    /// On which CPU, where it belongs to one.
    pub cpu: Option<u32>,
    /// When, where known; the first of `count`.
    pub at: Option<Time>,
    /// How many times.
    pub count: u64,
    /// When some more of them were, in the order in which they were found; a few at most.
    pub more: Vec<Time>,
    /// For people: what, where (file offset), what to do.
    pub text: String,
}

impl Diagnostic {
    /// What a reader found, whose times are the trace clock's.
    pub(crate) fn of_reader(found: schedrows::Diagnostic, origin_ns: u64) -> Diagnostic {
        Diagnostic {
            kind: found.kind,
            cpu: found.cpu,
            at: found.at_ns.map(|at| Time(at.saturating_sub(origin_ns))),
            count: found.count,
            more: Vec::new(),
            text: found.text,
        }
    }
}

stored!(Diagnostic {
    kind: DiagnosticKind,
    cpu: Option<u32>,
    at: Option<Time>,
    count: u64,
    more: Vec<Time>,
    text: String,
});
