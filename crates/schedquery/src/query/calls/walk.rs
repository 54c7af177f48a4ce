//! A walk over the calls that a query is about, thread by thread, some of them at a time.

use super::rows::Keys;
use super::split::ThreadStates;
use super::Asked;
use crate::calls::{Call, Thread};
use std::ops::Range;

/// Calls of a step: about a millisecond, mostly for what their threads did meanwhile.
const SOME: usize = if cfg!(debug_assertions) { 3 } else { 4096 };

/// What a walk calls on its way, in this order for each thread.
pub(super) trait Visitor {
    /// A thread comes.
    fn begin(&mut self, asked: &Asked<'_>, at: &Here<'_>);
    /// A complete call of it that begins or ends in the window.
    fn call(&mut self, asked: &Asked<'_>, at: &Here<'_>, call: &Call);
    /// That was all.
    fn end(&mut self, asked: &Asked<'_>, at: &Here<'_>);
}

/// The thread at which a walk is.
pub(super) struct Here<'a> {
    /// Its place among all.
    pub(super) index: usize,
    pub(super) thread: &'a Thread,
    pub(super) states: &'a ThreadStates,
    pub(super) keys: &'a Keys,
}

impl Here<'_> {
    /// Whether a call of the thread is wanted, also by its name, its number and whose it is.
    pub(super) fn is_wanted(&self, asked: &Asked<'_>, call: &Call) -> bool {
        let query = asked.query;
        if !asked.has_call(call) || query.nr.is_some_and(|nr| nr != call.number) {
            return false;
        }
        let key = self.keys.key(asked, self.thread, call.number, call.comm);
        asked.has_name(&asked.names.name(key.number, key.is_compat))
            && query.of.as_ref().is_none_or(|of| key.of(asked) == *of)
    }
}

struct Under {
    states: ThreadStates,
    keys: Keys,
    /// Its calls that are left.
    left: Range<usize>,
}

/// How far the walk is.
#[derive(Default)]
pub(super) struct CallWalk {
    thread: usize,
    under: Option<Under>,
}

impl CallWalk {
    /// Goes on; false once finished.
    pub(super) fn step(&mut self, asked: &Asked<'_>, visitor: &mut impl Visitor) -> bool {
        let mut steps = SOME;
        while let Some(thread) = asked.calls.threads.get(self.thread) {
            if steps == 0 {
                return true;
            }
            if !asked.has_thread(thread) {
                self.thread += 1;
                steps -= 1;
                continue;
            }
            let is_new = self.under.is_none();
            let under = self.under.get_or_insert_with(|| Under {
                states: ThreadStates::new(asked, thread),
                keys: Keys::of(asked, thread),
                left: asked.calls.overlapping(thread, &asked.chosen.window),
            });
            let here = Here {
                index: self.thread,
                thread,
                states: &under.states,
                keys: &under.keys,
            };
            if is_new {
                visitor.begin(asked, &here);
            }
            let Range { start, end } = under.left;
            let part = start..end.min(start.saturating_add(steps)).max(start);
            for call in asked.calls.some(thread, part.clone()) {
                visitor.call(asked, &here, &call);
            }
            steps -= part.len();
            under.left.start = part.end;
            if end <= part.end {
                visitor.end(asked, &here);
                self.under = None;
                self.thread += 1;
                steps = steps.saturating_sub(1);
            }
        }
        false
    }

    /// Share of the threads that are done.
    pub(super) fn share(&self, threads: usize) -> f64 {
        self.thread as f64 / threads.max(1) as f64
    }
}
