//! Texts that trace-cmd's plugins give to events, instead of those of the print fmt: the default of `trace-cmd report`.
//!
//! Each was found by printing records with trace-cmd 3.1.6, with its plugins and without (`-N`). A plugin binds the fields
//! that it needs when the report starts; an event without them prints as its print fmt says.

pub(crate) mod bind;
mod functions;
mod futex;
mod hrtimer;
mod kmem;
mod kvm;
mod kvm_exits;
mod kvm_mmu;
mod mac80211;
mod sched;
mod scsi;
mod state;
mod tlb;
mod xen;

pub use crate::ftrace::GraphExit;
pub use functions::{find as find_function, Arg, Function};
pub use state::PrintState;

use crate::format::EventFormat;
use crate::lookup::Env;

/// A record that is to be printed, and where it stands in the trace.
#[derive(Clone, Copy)]
pub struct Occasion<'a> {
    /// The CPU that wrote it.
    pub cpu: u32,
    /// Its time, in nanoseconds.
    pub ts: u64,
    /// Starts with the common fields.
    pub record: &'a [u8],
    /// What the report would print next, of the same buffer; only for plugins that ask for it ([`Plugin::wants_next`]).
    pub next: Option<Next<'a>>,
}

/// A record that has its turn behind another.
#[derive(Clone, Copy)]
pub struct Next<'a> {
    /// What prints it.
    pub plugin: &'a dyn Plugin,
    /// Its bytes.
    pub record: &'a [u8],
}

/// What a plugin did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The text is whole.
    Whole,
    /// The text is whole and stands for the next record, too, which is not printed.
    WholeWithNext,
    /// The text of the print fmt goes behind what was appended.
    PrintFmt,
}

/// Prints the records of one event.
pub trait Plugin: Send + Sync {
    /// Appends the text that stands behind `name: `.
    fn print(&self, env: &Env<'_>, state: &mut PrintState, at: &Occasion<'_>, out: &mut Vec<u8>) -> Outcome;

    /// Takes notice of a record that is not printed: what later lines depend on.
    fn note(&self, _env: &Env<'_>, _state: &mut PrintState, _at: &Occasion<'_>) {}

    /// Whether [`Occasion::next`] makes a difference.
    fn wants_next(&self) -> bool {
        false
    }

    /// The end of a call, which an entry before it may print.
    fn as_graph_exit(&self) -> Option<&GraphExit> {
        None
    }
}

/// The plugin for an event; `None` where the print fmt is right.
pub fn find(system: &str, format: &EventFormat, env: &Env<'_>) -> Option<Box<dyn Plugin>> {
    match system {
        "ftrace" => crate::ftrace::find(format, env),
        "sched" => sched::find(format),
        "timer" => hrtimer::find(format),
        "kmem" => kmem::find(format),
        "syscalls" => futex::find(format),
        "tlb" => tlb::find(format),
        "kvm" => kvm::find(format),
        "kvmmmu" => kvm_mmu::find(format),
        "mac80211" => mac80211::find(format),
        _ => None,
    }
}
