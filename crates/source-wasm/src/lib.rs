//! Sources of traces for JavaScript: the classes that wasm modules export, so that what opens and scans a file need not
//! know which of them it uses.
//!
//! Objects cross as JSON text: serde writes them as the native command line's are written, and for the sizes that cross
//! here `JSON.parse` is faster than building objects property by property from wasm. Scans are copied out once into buffers
//! of their own, which a worker can hand over; no view of wasm memory escapes a call.

mod description;
pub mod error;
mod file;
pub mod memory;
pub mod scan;
mod source;

pub use description::Description;
pub use file::JsFile;
pub use source::{Scanned, Scanner, SourceFile};

use serde::Serialize;
use wasm_bindgen::prelude::{wasm_bindgen, JsValue};

/// The key of a model that goes from one module to another of the same page: they are of the same build.
pub const SAME_PAGE: &str = "";

/// Runs when a module is instantiated: a panic is thrown as a JavaScript error with Rust's message, where otherwise only
/// "unreachable executed" would be seen.
#[wasm_bindgen(start)]
pub fn start() {
    std::panic::set_hook(Box::new(|info| wasm_bindgen::throw_str(&info.to_string())));
}

/// An answer as JSON text.
pub fn json<T: Serialize>(answer: &T) -> Result<String, JsValue> {
    serde_json::to_string(answer).map_err(|error| error::internal(&error.to_string()))
}

/// `Metadata.base_ns` as a number.
pub fn first_ns(base_ns: &str) -> Result<u64, JsValue> {
    base_ns
        .parse()
        .map_err(|_| error::internal("the first event's time is no number"))
}
