//! The numbered subtleties of what the numbers mean, one by one: events go in (the scenario text of `tracegen`), and
//! the whole story comes out (lanes, wakeups, waits, migrations, conflicts), read from files of several shapes.
//!
//! The numbers are those of `docs/numbers.md`.

mod conflicts;
mod deadline;
mod execs;
mod files;
mod identity;
mod lanes;
mod story;
mod unseen;
mod wakeups;
