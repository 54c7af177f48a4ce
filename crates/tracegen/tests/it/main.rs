//! What the crate promises, as one program: it is linked once for all tests.

mod sweep;
mod trace_cmd;
