//! The texts of `trace-cmd report`: what its plugins print for some events in place of the print fmt, and what its lines
//! depend on beside the record.
//!
//! Each text was found by printing records with trace-cmd 3.1.6, with its plugins and without (`-N`). A [`Plugin`] binds
//! the fields that it needs when the report starts; an event without them prints as its print fmt says.
//!
//! This module follows that program, whatever it does next: its items may change in any release of this crate.

mod bind;
mod ftrace;
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
mod text;
mod tlb;
mod xen;

pub use crate::print_fmt::RawHistory;
pub use functions::find_function;
pub use state::PrintState;
pub use text::{push_blanks, push_hex, push_hex_padded, push_i64, push_u64, push_u64_padded};

use crate::format::EventFormat;
use crate::lookup::Env;

/// A record to print, and where it stands in the trace.
#[derive(Clone, Copy)]
pub struct Occasion<'a> {
    /// The CPU that wrote it.
    pub cpu: u32,
    /// Its time, in nanoseconds.
    pub ts: u64,
    /// Starts with the common fields.
    pub record: &'a [u8],
    /// The record that the report would print next, of the same buffer. Only plugins that say so look at it
    /// ([`Plugin::wants_next`]).
    pub next: Option<Next<'a>>,
}

/// The record behind another one.
#[derive(Clone, Copy)]
pub struct Next<'a> {
    /// The plugin of its event.
    pub plugin: &'a Plugin,
    /// Its bytes.
    pub record: &'a [u8],
}

/// What [`Plugin::print`] did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The text is whole.
    Whole,
    /// The text is whole and stands for the next record, too, which must not be printed.
    WholeWithNext,
    /// The caller must append the text of the print fmt.
    PrintFmt,
}

/// Prints the records of one event; from [`find_plugin`].
pub struct Plugin(Box<dyn Printer>);

impl Plugin {
    /// Appends the text that stands behind `name: `.
    #[inline]
    pub fn print(&self, env: &Env<'_>, state: &mut PrintState, at: &Occasion<'_>, out: &mut Vec<u8>) -> Outcome {
        self.0.print(env, state, at, out)
    }

    /// Takes notice of a record that is not printed, since later lines may depend on it.
    #[inline]
    pub fn note(&self, env: &Env<'_>, state: &mut PrintState, at: &Occasion<'_>) {
        self.0.note(env, state, at);
    }

    /// Whether [`Occasion::next`] makes a difference.
    #[inline]
    pub fn wants_next(&self) -> bool {
        self.0.wants_next()
    }
}

/// What a [`Plugin`] does; the defaults are those of most.
trait Printer: Send + Sync {
    fn print(&self, env: &Env<'_>, state: &mut PrintState, at: &Occasion<'_>, out: &mut Vec<u8>) -> Outcome;

    fn note(&self, _env: &Env<'_>, _state: &mut PrintState, _at: &Occasion<'_>) {}

    fn wants_next(&self) -> bool {
        false
    }

    /// The end of a call, which an entry before it may print.
    fn as_graph_exit(&self) -> Option<&ftrace::GraphExit> {
        None
    }
}

/// The plugin for an event of that system (`sched`, `kvm`, ...); `None` where trace-cmd prints the print fmt.
pub fn find_plugin(system: &str, format: &EventFormat, env: &Env<'_>) -> Option<Plugin> {
    find_printer(system, format, env).map(Plugin)
}

fn find_printer(system: &str, format: &EventFormat, env: &Env<'_>) -> Option<Box<dyn Printer>> {
    match system {
        "ftrace" => ftrace::find(format, env),
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
