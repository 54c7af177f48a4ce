//! Questions about whole traces: a worker of their own answers them from a copy of the model.

use std::rc::Rc;

use crate::source::error::internal;
use crate::source::{json, SAME_PAGE};
use schedmodel::Trace;
use schedquery::ask::studies::{StudiedTrace, StudyAsked};
use wasm_bindgen::prelude::{wasm_bindgen, JsValue};

/// A trace that is asked about.
#[wasm_bindgen]
pub struct StudySource(Rc<StudiedTrace>);

/// A question that is being answered.
#[wasm_bindgen]
pub struct StudyJob(StudyAsked);

/// An answer: JSON, and the words beside it.
#[wasm_bindgen]
pub struct Studied(String, Vec<u32>);

#[wasm_bindgen]
impl StudySource {
    /// Of the bytes that `LoadedTrace.model` returned.
    #[wasm_bindgen(constructor)]
    pub fn new(model: &[u8]) -> Result<StudySource, JsValue> {
        let mut bytes = model;
        let trace = Trace::restore(&mut bytes, model.len() as u64, SAME_PAGE);
        let trace = trace.map_err(|error| internal(&error.to_string()))?;
        Ok(StudySource(Rc::new(StudiedTrace::new(trace))))
    }

    /// Begins to answer a `StudyQuestion`, which is JSON; `words` come with it: events, or the runs that pass the filter.
    pub fn ask(&self, question: &str, words: &[u32]) -> Result<StudyJob, JsValue> {
        let question = serde_json::from_str(question);
        let question = question.map_err(|error| internal(&format!("not a question about a trace: {error}")))?;
        let asked = StudyAsked::new(&self.0, question, words);
        asked.map(StudyJob).map_err(|error| internal(&error.to_string()))
    }
}

#[wasm_bindgen]
impl StudyJob {
    /// Works for some milliseconds; false when nothing is left to do.
    pub fn step(&mut self) -> bool {
        self.0.step()
    }

    /// How much is done, from 0 to 1.
    pub fn share(&self) -> f64 {
        self.0.share()
    }

    /// The answer, once `step` has said that nothing is left. Consumes the job.
    pub fn answer(self) -> Result<Studied, JsValue> {
        let (answer, words) = self.0.answer();
        Ok(Studied(json(&answer)?, words))
    }
}

#[wasm_bindgen]
impl Studied {
    /// The answer as JSON.
    pub fn json(&self) -> String {
        self.0.clone()
    }

    /// The words beside it, in a buffer of their own. Consumes the answer.
    pub fn words(self) -> Vec<u32> {
        self.1
    }
}
