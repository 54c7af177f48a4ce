//! What one record leaves behind for the lines of later ones.

use std::collections::HashMap;

use crate::lookup::{Env, Symbol};

/// What the records of a report leave behind for the lines of later ones: names of tasks, and calls on each CPU. Grows
/// with both.
#[derive(Debug, Default)]
pub struct PrintState {
    forgets: bool,
    /// Times inside of texts have nanoseconds.
    pub(crate) nanoseconds: bool,
    comms: HashMap<i32, Box<[u8]>>,
    names: HashMap<Box<str>, u32>,
    /// By CPU: the functions that are being called, the outermost first.
    calls: HashMap<u32, Vec<u32>>,
}

impl PrintState {
    /// For a report in the order of its lines. `nanoseconds`: times inside of texts have nine decimals, otherwise six.
    pub fn new(nanoseconds: bool) -> Self {
        PrintState {
            nanoseconds,
            ..PrintState::default()
        }
    }

    /// For records that are printed in any order: each prints as if it were the first.
    pub fn forgetful() -> Self {
        PrintState {
            forgets: true,
            ..PrintState::default()
        }
    }

    /// The comm of a task that the saved command lines do not have, if a `sched` event said it before.
    pub fn comm(&self, pid: i32) -> Option<&[u8]> {
        self.comms.get(&pid).map(AsRef::as_ref)
    }

    /// The names that events have told so far, in no order.
    pub fn comms(&self) -> impl Iterator<Item = (i32, &[u8])> {
        self.comms.iter().map(|(&pid, comm)| (pid, comm.as_ref()))
    }

    /// Whether a task's name, or that it is idle, is known by now.
    fn knows(&self, env: &Env<'_>, pid: i32) -> bool {
        pid == 0 || self.comms.contains_key(&pid) || env.lookup.comm(pid).is_some()
    }

    /// Takes a task's comm for the lines that follow, unless it has one: trace-cmd keeps the first.
    #[inline]
    pub(crate) fn learn(&mut self, env: &Env<'_>, pid: i32, comm: &[u8]) {
        if !self.forgets && !self.knows(env, pid) {
            self.comms.insert(pid, comm.into());
        }
    }

    /// How deep below the others of its CPU a call is printed: behind the place where its caller stands. What is not a
    /// symbol is not kept.
    pub(crate) fn depth(&mut self, cpu: u32, callee: Option<Symbol<'_>>, caller: Option<Symbol<'_>>) -> usize {
        if self.forgets {
            return 0;
        }
        let Some(caller) = caller.map(|symbol| self.name(symbol)) else {
            return 0;
        };
        let callee = callee.map(|symbol| self.name(symbol));
        let calls = self.calls.entry(cpu).or_default();
        let depth = calls.iter().position(|&name| name == caller).unwrap_or(0);
        put(calls, depth, caller);
        if let Some(callee) = callee {
            // What stands behind stays: a sibling's calls are found again.
            put(calls, depth + 1, callee);
        }
        depth
    }

    /// Functions are told apart by name, as in trace-cmd: static ones of one name are one.
    fn name(&mut self, symbol: Symbol<'_>) -> u32 {
        if let Some(&name) = self.names.get(symbol.name) {
            return name;
        }
        let name = self.names.len() as u32;
        self.names.insert(symbol.name.into(), name);
        name
    }
}

fn put(calls: &mut Vec<u32>, at: usize, name: u32) {
    match calls.get_mut(at) {
        Some(slot) => *slot = name,
        None => calls.push(name),
    }
}
