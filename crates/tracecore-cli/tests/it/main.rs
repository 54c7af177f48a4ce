//! What the command line promises, as one program: it is linked once for all tests.

mod batch;
mod cut;
mod figure;
mod info;
mod program;
mod queries;
mod report;
mod scenario;
mod witnesses;
