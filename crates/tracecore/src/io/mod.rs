//! What reads files for other reasons than the model of a trace.dat: the list of events, all other formats, exports.

pub mod events;
pub mod files;
pub mod formats;
pub mod staktau_text;
