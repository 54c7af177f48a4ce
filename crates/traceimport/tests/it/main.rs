//! Recordings of other tools, opened and scanned.

mod perfetto;
mod speed;
