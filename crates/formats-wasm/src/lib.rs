//! All formats but trace.dat for JavaScript: the module that the page loads when a file is no trace.dat file.

use source_wasm::{error, JsFile, SourceFile};
use wasm_bindgen::prelude::{wasm_bindgen, JsValue};

pub use source_wasm::{Scanned, Scanner};

/// Opens `file`; an error of the kind `not_a_trace` when no format knows it.
#[wasm_bindgen(js_name = openSource)]
pub fn open_source(file: JsFile) -> Result<SourceFile, JsValue> {
    match formats::open(file) {
        Ok(source) => Ok(SourceFile::new(source)),
        Err(error) => Err(error::thrown(&error)),
    }
}
