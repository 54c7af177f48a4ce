//! The one entry for questions about an opened trace.

use std::sync::Arc;

use js_sys::{Array, Float64Array, Uint32Array, Uint8Array};
use serde::{Deserialize, Serialize};
use tracecore::ask::{Answer, Asked, Question};
use tracecore::figure::{FigureError, FigureFacts, FigureJob, Request};
use wasm_bindgen::prelude::{wasm_bindgen, JsValue};

use crate::error::{internal, unsupported};
use crate::json;
use crate::loader::TraceLoader;
use crate::trace::LoadedTrace;

/// A question of the page: about the trace, or for a figure of it.
#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum PageQuestion {
    Figure(Box<Request>),
    Trace(Question),
}

/// `FigureAnswer` without the query and the files.
#[derive(Serialize)]
struct FigureAnswer {
    r#type: &'static str,
    #[serde(flatten)]
    made: FigureFacts,
}

/// A question that is being answered.
#[wasm_bindgen]
pub struct Job(Work);

enum Work {
    Trace(Asked),
    Figure(Box<FigureJob>),
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
        Ok(Job(match parse(query)? {
            PageQuestion::Trace(question) => Work::Trace(Asked::new(&mut self.0, question, bytes)),
            PageQuestion::Figure(request) => {
                let making = FigureJob::new(Arc::clone(self.0.shared_trace()), *request);
                Work::Figure(Box::new(making.map_err(|error| refused(&error))?))
            }
        }))
    }
}

#[wasm_bindgen]
impl TraceLoader {
    /// Begins to answer a query from the CPUs that have been scanned; `undefined` where they do not say.
    pub fn ask(&self, query: &str) -> Result<Option<Job>, JsValue> {
        let PageQuestion::Trace(question) = parse(query)? else {
            return Ok(None);
        };
        Ok(Asked::preview(self.preview(), &question).map(|asked| Job(Work::Trace(asked))))
    }
}

#[wasm_bindgen]
impl Job {
    /// Whether somebody watches the screen for the answer. Others take longer, and can wait.
    #[wasm_bindgen(getter, js_name = isUrgent)]
    pub fn is_urgent(&self) -> bool {
        matches!(&self.0, Work::Trace(asked) if asked.is_urgent())
    }

    /// Works for a millisecond or so; false when nothing is left to do.
    pub fn step(&mut self) -> Result<bool, JsValue> {
        match &mut self.0 {
            Work::Trace(asked) => Ok(asked.step()),
            Work::Figure(making) => making.step().map_err(|error| refused(&error)),
        }
    }

    /// How much is done, from 0 to 1.
    pub fn share(&self) -> f64 {
        match &self.0 {
            Work::Trace(asked) => asked.share(),
            Work::Figure(making) => making.share(),
        }
    }

    /// An answer with what is known already, where that is worth telling and more than the last time.
    pub fn partial(&mut self) -> Result<Option<String>, JsValue> {
        match &mut self.0 {
            Work::Trace(asked) => asked.partial().map(|answer| json(&answer)).transpose(),
            Work::Figure(_) => Ok(None),
        }
    }

    /// The answer, once `step` has said that nothing is left. Consumes the job.
    pub fn answer(self) -> Result<Answered, JsValue> {
        match self.0 {
            Work::Trace(asked) => {
                let answer = asked
                    .answer()
                    .ok_or_else(|| internal("a question was not answered yet"))?;
                trace_answer(answer)
            }
            Work::Figure(making) => figure_answer(*making),
        }
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

fn parse(query: &str) -> Result<PageQuestion, JsValue> {
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

fn figure_answer(mut making: FigureJob) -> Result<Answered, JsValue> {
    let buffers = Array::new();
    for number in 0..making.wanted() {
        buffers.push(&Uint8Array::from(making.take_file(number).as_slice()));
    }
    let made = making.made();
    let json = json(&FigureAnswer { r#type: "figure", made })?;
    Ok(Answered { json, buffers })
}

fn refused(error: &FigureError) -> JsValue {
    unsupported(&error.to_string(), "Choose another size, or another part of the trace.")
}
