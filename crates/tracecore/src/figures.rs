//! Figures, of a copy of the model of the open trace, and of its calls where a figure draws some.

use std::rc::Rc;
use std::sync::Arc;

use crate::source::error::{internal, unsupported};
use crate::source::{json, SAME_PAGE};
use js_sys::{Array, Uint8Array};
use schedfigure::{FigureError, FigureFacts, FigureJob, Request};
use schedmodel::Trace;
use schedquery::ask::calls::CallTrace;
use serde::Serialize;
use wasm_bindgen::prelude::{wasm_bindgen, JsValue};

/// A trace that figures are made of.
#[wasm_bindgen]
pub struct FigureSource {
    trace: Arc<Trace>,
    calls: Option<Rc<CallTrace>>,
}

/// `FigureAnswer` without the query and the files.
#[derive(Serialize)]
struct FigureAnswer {
    r#type: &'static str,
    #[serde(flatten)]
    made: FigureFacts,
}

/// A figure being made.
#[wasm_bindgen]
pub struct Making(FigureJob);

/// A figure: JSON, and what crosses beside it.
#[wasm_bindgen]
pub struct Figure {
    json: String,
    files: Array,
}

#[wasm_bindgen]
impl FigureSource {
    /// Of the bytes that `LoadedTrace.model` returned.
    #[wasm_bindgen(constructor)]
    pub fn new(model: &[u8]) -> Result<FigureSource, JsValue> {
        let mut bytes = model;
        match Trace::restore(&mut bytes, model.len() as u64, SAME_PAGE) {
            Ok(trace) => Ok(FigureSource {
                trace: Arc::new(trace),
                calls: None,
            }),
            Err(error) => Err(internal(&error.to_string())),
        }
    }

    /// Takes what `CallsSource.stored` returned, for figures that draw calls or interrupts.
    #[wasm_bindgen(js_name = addCalls)]
    pub fn add_calls(&mut self, stored: &[u8]) -> Result<(), JsValue> {
        let mut bytes = stored;
        let calls = CallTrace::restore(Arc::clone(&self.trace), &mut bytes, stored.len() as u64, SAME_PAGE);
        self.calls = Some(Rc::new(calls.map_err(|error| internal(&error.to_string()))?));
        Ok(())
    }

    /// Begins to make the figure of a `FigureRequest`, which is JSON. `values`: those of its counter, if it has one; `passing`: the words
    /// of `passing_runs`, if it has a filter.
    pub fn make(&self, request: &str, values: Vec<f64>, passing: &[u32]) -> Result<Making, JsValue> {
        let request: Request =
            serde_json::from_str(request).map_err(|error| internal(&format!("not a request for a figure: {error}")))?;
        match FigureJob::new(Arc::clone(&self.trace), self.calls.clone(), values, passing, request) {
            Ok(job) => Ok(Making(job)),
            Err(error) => Err(refused(&error)),
        }
    }
}

#[wasm_bindgen]
impl Making {
    /// Works for some milliseconds; false when nothing is left to do.
    pub fn step(&mut self) -> Result<bool, JsValue> {
        self.0.step().map_err(|error| refused(&error))
    }

    /// How much is done, from 0 to 1.
    pub fn share(&self) -> f64 {
        self.0.share()
    }

    /// The figure, once `step` has said that nothing is left. Consumes the job.
    pub fn answer(mut self) -> Result<Figure, JsValue> {
        let files = Array::new();
        for number in 0..self.0.wanted() {
            files.push(&Uint8Array::from(self.0.take_file(number).as_slice()));
        }
        let made = self.0.made();
        let json = json(&FigureAnswer { r#type: "figure", made })?;
        Ok(Figure { json, files })
    }
}

#[wasm_bindgen]
impl Figure {
    /// The answer without its files.
    pub fn json(&self) -> String {
        self.json.clone()
    }

    /// In the order of the request's formats; the preview comes last.
    pub fn files(&self) -> Array {
        self.files.clone()
    }
}

fn refused(error: &FigureError) -> JsValue {
    unsupported(&error.to_string(), "Choose another size, or another part of the trace.")
}
