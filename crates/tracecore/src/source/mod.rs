//! Sources of traces, and what all modules have in common. The classes are exported by `engine` and `io` alike, so that what opens
//! and scans a file need not know which of them it uses.

pub mod error;

#[cfg(any(feature = "engine", feature = "io"))]
mod description;
#[cfg(any(feature = "engine", feature = "io"))]
mod file;
#[cfg(any(feature = "engine", feature = "io"))]
pub mod memory;
#[cfg(any(feature = "engine", feature = "io"))]
pub mod scan;
#[cfg(any(feature = "engine", feature = "io"))]
mod source_file;

#[cfg(any(feature = "engine", feature = "io"))]
pub use {
    description::Description,
    file::JsFile,
    source_file::{Scanned, Scanner, SourceFile},
};

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
