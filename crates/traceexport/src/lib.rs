//! Traces in the formats of other viewers. What goes out is read from a trace.dat; rows that came from another format become
//! one first ([`tracedat::write`]), so that there is one way from records to any format.

pub mod perfetto;
