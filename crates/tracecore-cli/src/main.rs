//! The corelane command line.
fn main() {}
