//! Explanations that are answered at once.

use wasm_bindgen::prelude::{wasm_bindgen, JsValue};

use crate::json;
use crate::trace::LoadedTrace;

#[wasm_bindgen]
impl LoadedTrace {
    /// `WaitInfo | null`: the wait before the run of a CPU at an instant.
    pub fn wait(&self, cpu: u32, at: f64) -> Result<String, JsValue> {
        json(&self.0.wait(cpu, at as u64))
    }

    /// `Placement | null` of the wakeup that led to the run of a CPU at an instant.
    pub fn placement(&self, cpu: u32, at: f64) -> Result<String, JsValue> {
        json(&self.0.placement(cpu, at as u64))
    }
}
