//! Long questions, answered step by step.

use tracecore::query::RunningJob;
use wasm_bindgen::prelude::{wasm_bindgen, JsValue};

use crate::error::internal;
use crate::json;
use crate::trace::LoadedTrace;

/// A `JobQuery` under way.
#[wasm_bindgen]
pub struct Job(RunningJob);

#[wasm_bindgen]
impl LoadedTrace {
    /// Begins to answer a `JobQuery`, which is JSON.
    pub fn job(&self, query: &str) -> Result<Job, JsValue> {
        let query = serde_json::from_str(query).map_err(|error| internal(&format!("not a question: {error}")))?;
        Ok(Job(self.0.job(query)))
    }
}

#[wasm_bindgen]
impl Job {
    /// Goes on for a millisecond or so; false when nothing is left to do.
    pub fn step(&mut self) -> bool {
        self.0.step()
    }

    /// How much is done, from 0 to 1.
    pub fn share(&self) -> f64 {
        self.0.share()
    }

    /// A `JobAnswer` with what is known already, where that is worth telling and more than the last time.
    pub fn partial(&mut self) -> Result<Option<String>, JsValue> {
        self.0.partial().map(|answer| json(&answer)).transpose()
    }

    /// The `JobAnswer`, once `step` has said that nothing is left. Consumes the job.
    pub fn answer(self) -> Result<String, JsValue> {
        json(&self.0.answer())
    }
}
