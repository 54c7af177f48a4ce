//! All formats but trace.dat.

use crate::source::{error, JsFile, SourceFile};
use wasm_bindgen::prelude::{wasm_bindgen, JsValue};

/// Opens `file`; an error of the kind `not_a_trace` when no format knows it.
#[wasm_bindgen(js_name = openSource)]
pub fn open_source(file: JsFile) -> Result<SourceFile, JsValue> {
    match formats::open(file) {
        Ok(source) => Ok(SourceFile::new(source)),
        Err(error) => Err(error::thrown(&error)),
    }
}
