//! Replays against tables that were made by arithmetic, and against recordings.

mod accuracy;
mod common;
mod ideal_tables;
mod idle_prev;
mod properties;
