//! The engine: trace.dat files, the model of the open trace, and the questions about it.

pub mod ask;
pub mod calls;
pub mod loader;
pub mod stored;
pub mod studies;
pub mod trace;
