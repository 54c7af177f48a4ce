//! Figures of the opened trace.

use std::sync::Arc;

use tracecore::figure::{FigureError, Making};
use wasm_bindgen::prelude::{wasm_bindgen, JsValue};

use crate::error::{internal, unsupported};
use crate::json;
use crate::trace::LoadedTrace;

/// A `FigureQuery` under way.
#[wasm_bindgen]
pub struct FigureJob(Making);

#[wasm_bindgen]
impl LoadedTrace {
    /// Begins to answer a `FigureQuery`, which is JSON.
    pub fn figure(&self, query: &str) -> Result<FigureJob, JsValue> {
        let query = serde_json::from_str(query).map_err(|error| internal(&format!("not a figure: {error}")))?;
        let making = Making::new(Arc::clone(self.0.shared_trace()), query);
        making.map(FigureJob).map_err(|error| refused(&error))
    }
}

#[wasm_bindgen]
impl FigureJob {
    /// Goes on; false when nothing is left to do.
    pub fn step(&mut self) -> Result<bool, JsValue> {
        self.0.step().map_err(|error| refused(&error))
    }

    /// How much is done, from 0 to 1.
    pub fn share(&self) -> f64 {
        self.0.share()
    }

    /// `command`, `width`, `height` and `previewDpi` of `FigureAnswer`, once `step` has said that nothing is left.
    pub fn about(&self) -> Result<String, JsValue> {
        json(&self.0.made())
    }

    /// Hands over the file of the query's format with this number, after all of them the preview.
    #[wasm_bindgen(js_name = takeFile)]
    pub fn take_file(&mut self, number: usize) -> Vec<u8> {
        self.0.take_file(number)
    }
}

fn refused(error: &FigureError) -> JsValue {
    unsupported(&error.to_string(), "Choose another size, or another part of the trace.")
}
