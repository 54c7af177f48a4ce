//! System calls and interrupts: a worker of their own finds them in a copy of the model and the rows that the scans left.

use std::rc::Rc;

use crate::source::error::internal;
use crate::source::{json, SAME_PAGE};
use js_sys::{Array, Uint32Array, Uint8Array};
use schedmodel::Trace;
use schedquery::ask::calls::{CallTrace, CallsAsked};
use schedrows::KernelLog;
use wasm_bindgen::prelude::{wasm_bindgen, JsValue};

/// What calls are found in, until all of it is there.
#[wasm_bindgen]
pub struct CallsLoader {
    trace: Trace,
    logs: Vec<KernelLog>,
}

/// A trace's calls.
#[wasm_bindgen]
pub struct CallsSource(Rc<CallTrace>);

/// A question that is being answered.
#[wasm_bindgen]
pub struct CallsJob(CallsAsked);

/// An answer: JSON, and what crosses beside it.
#[wasm_bindgen]
pub struct CallsAnswered {
    json: String,
    buffers: Array,
}

#[wasm_bindgen]
impl CallsLoader {
    /// Of the bytes that `LoadedTrace.model` returned.
    #[wasm_bindgen(constructor)]
    pub fn new(model: &[u8]) -> Result<CallsLoader, JsValue> {
        let mut bytes = model;
        let trace = Trace::restore(&mut bytes, model.len() as u64, SAME_PAGE);
        let trace = trace.map_err(|error| internal(&error.to_string()))?;
        Ok(CallsLoader {
            trace,
            logs: Vec::new(),
        })
    }

    /// Takes what `Scanned.takeKernel` returned.
    pub fn add(&mut self, log: &[u8]) -> Result<(), JsValue> {
        let log = KernelLog::from_bytes(log).map_err(|error| internal(&error.to_string()))?;
        self.logs.push(log);
        Ok(())
    }

    /// Finds the calls. `machine`: what the file says that it was recorded on. Consumes the loader.
    pub fn build(self, machine: Option<String>) -> CallsSource {
        CallsSource(Rc::new(CallTrace::new(self.trace, self.logs, machine.as_deref())))
    }
}

#[wasm_bindgen]
impl CallsSource {
    /// Begins to answer a `CallsQuestion`, which is JSON. `passing`: the words of `passing_runs`; none if there is no filter.
    pub fn ask(&self, question: &str, passing: &[u32]) -> Result<CallsJob, JsValue> {
        let question = serde_json::from_str(question);
        let question = question.map_err(|error| internal(&format!("not a question about calls: {error}")))?;
        Ok(CallsJob(CallsAsked::new(&self.0, question, passing)))
    }

    /// All calls and interrupts as bytes, which `FigureSource.addCalls` takes beside the model.
    pub fn stored(&self) -> Result<Uint8Array, JsValue> {
        let mut bytes = Vec::new();
        let stored = self.0.store(&mut bytes, SAME_PAGE);
        stored.map_err(|error| internal(&error.to_string()))?;
        Ok(Uint8Array::from(bytes.as_slice()))
    }
}

#[wasm_bindgen]
impl CallsJob {
    /// Whether somebody watches the screen for the answer.
    #[wasm_bindgen(getter, js_name = isUrgent)]
    pub fn is_urgent(&self) -> bool {
        self.0.is_urgent()
    }

    /// Works for some milliseconds; false when nothing is left to do.
    pub fn step(&mut self) -> bool {
        self.0.step()
    }

    /// How much is done, from 0 to 1.
    pub fn share(&self) -> f64 {
        self.0.share()
    }

    /// The answer, once `step` has said that nothing is left. Consumes the job.
    pub fn answer(self) -> Result<CallsAnswered, JsValue> {
        let answer = self.0.answer();
        let mut answer = answer.ok_or_else(|| internal("a question about calls was not answered yet"))?;
        let buffers = Array::new();
        if let Some(words) = answer.take_words() {
            buffers.push(&Uint32Array::from(words.as_slice()));
        }
        let json = json(&answer)?;
        Ok(CallsAnswered { json, buffers })
    }
}

#[wasm_bindgen]
impl CallsAnswered {
    /// The answer; null where buffers belong.
    pub fn json(&self) -> String {
        self.json.clone()
    }

    /// Typed arrays with buffers of their own.
    pub fn buffers(&self) -> Array {
        self.buffers.clone()
    }
}
