//! Writes trace.dat files from scenario text.
