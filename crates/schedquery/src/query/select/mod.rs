//! What a question is about: the tasks, CPUs and times that are selected, walks over them, and what is kept of a walk
//! (the first k, stretches, durations). Imports no other shelf.

pub(super) mod columns;
pub(super) mod durations;
pub(super) mod refs;
pub(super) mod selected;
pub(super) mod selection;
pub(super) mod spread;
pub(super) mod stretches;
pub(super) mod time_window;
pub(super) mod top;
pub(super) mod uncertain;
pub(super) mod walk;
