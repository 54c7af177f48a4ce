//! The list of a trace's events: rows in merged order, filtered and searched step by step, printed on demand.

mod counters;
mod filtered;
mod hits;
mod lines;
mod list;
mod matcher;
mod over_time;
mod pairs;
mod passing;
mod query;
mod row_set;
mod search;
mod seek;
#[cfg(test)]
mod tests;
mod times;

pub use counters::CounterLines;
pub use list::EventList;
pub use query::{
    CounterBy, EnteredCall, EventCounterInfo, EventField, EventFilter, EventFilterError, EventHit, EventName,
    EventNumber, EventProgress, EventRow, EventSelection, EventTextMode, EventTileQuestion, EventTrack, EventWindow,
    EventsAnswer, EventsQuery, Lost, OwnPair, OwnPairError,
};
pub use seek::{HandedTurn, Walk};
