//! The one entry for questions about an opened trace.

use crate::source::memory::Growth;
use js_sys::{Array, Float64Array, Uint32Array};
use schedquery::ask::{Answer, Asked, Question};
use wasm_bindgen::prelude::{wasm_bindgen, JsValue};

use super::loader::TraceLoader;
use super::trace::LoadedTrace;
use crate::source::error::internal;
use crate::source::json;

/// A question that is being answered.
#[wasm_bindgen]
pub struct Job {
    asked: Asked,
    growth: Growth,
}

impl From<Asked> for Job {
    fn from(asked: Asked) -> Job {
        Job {
            asked,
            growth: Growth::default(),
        }
    }
}

/// An answer: JSON, and what crosses beside it.
#[wasm_bindgen]
pub struct Answered {
    json: String,
    buffers: Array,
}

#[wasm_bindgen]
impl LoadedTrace {
    /// Begins to answer a `Query`, which is JSON; `bytes` come with it.
    pub fn ask(&mut self, query: &str, bytes: &[u8]) -> Result<Job, JsValue> {
        Ok(Asked::new(&mut self.indexes, parse(query)?, bytes).into())
    }
}

#[wasm_bindgen]
impl TraceLoader {
    /// Begins to answer a query from the CPUs that have been scanned; `undefined` where they do not say.
    pub fn ask(&self, query: &str) -> Result<Option<Job>, JsValue> {
        Ok(Asked::preview(self.preview(), &parse(query)?).map(Job::from))
    }
}

#[wasm_bindgen]
impl Job {
    /// Whether somebody watches the screen for the answer. Others take longer, and can wait.
    #[wasm_bindgen(getter, js_name = isUrgent)]
    pub fn is_urgent(&self) -> bool {
        self.asked.is_urgent()
    }

    /// Works for a millisecond or so; false when nothing is left to do.
    pub fn step(&mut self) -> bool {
        let more = self.asked.step();
        self.growth.ahead();
        more
    }

    /// How much is done, from 0 to 1.
    pub fn share(&self) -> f64 {
        self.asked.share()
    }

    /// An answer with what is known already, where that is worth telling and more than the last time.
    pub fn partial(&mut self) -> Result<Option<String>, JsValue> {
        self.asked.partial().map(|answer| json(&answer)).transpose()
    }

    /// The answer, once `step` has said that nothing is left. Consumes the job.
    pub fn answer(self) -> Result<Answered, JsValue> {
        let answer = self.asked.answer();
        trace_answer(answer.ok_or_else(|| internal("a question was not answered yet"))?)
    }
}

#[wasm_bindgen]
impl Answered {
    /// The answer; null where buffers belong.
    pub fn json(&self) -> String {
        self.json.clone()
    }

    /// Typed arrays with buffers of their own, in the order of the answer's fields.
    pub fn buffers(&self) -> Array {
        self.buffers.clone()
    }
}

fn parse(query: &str) -> Result<Question, JsValue> {
    serde_json::from_str(query).map_err(|error| internal(&format!("not a question: {error}")))
}

fn trace_answer(mut answer: Answer) -> Result<Answered, JsValue> {
    let buffers = Array::new();
    if let Some(words) = answer.take_words() {
        buffers.push(&Uint32Array::from(words.as_slice()));
    }
    if let Some(numbers) = answer.take_numbers() {
        buffers.push(&Float64Array::from(numbers.as_slice()));
    }
    let json = json(&answer)?;
    Ok(Answered { json, buffers })
}
