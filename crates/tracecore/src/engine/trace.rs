//! An opened trace.

use crate::source::memory::Growth;
use schedquery::query::{Indexes, Summary};
use wasm_bindgen::prelude::{wasm_bindgen, JsValue};

use crate::source::json;

/// The trace as its current view shows it. Questions about it are in [`ask`](super::ask).
#[wasm_bindgen]
pub struct LoadedTrace {
    pub(crate) indexes: Indexes,
    growth: Growth,
}

impl From<Indexes> for LoadedTrace {
    fn from(indexes: Indexes) -> LoadedTrace {
        LoadedTrace {
            indexes,
            growth: Growth::default(),
        }
    }
}

#[wasm_bindgen]
impl LoadedTrace {
    /// `ModelSummary`, as JSON.
    pub fn summary(&self) -> Result<String, JsValue> {
        json(&Summary::new(self.indexes.trace()))
    }

    /// `Metadata.base_ns` of the trace's file.
    #[wasm_bindgen(js_name = baseNs)]
    pub fn base_ns(&self) -> String {
        self.indexes.trace().origin_ns.to_string()
    }

    /// Works for about a millisecond on indexes that the first picture does not need; true once all of them are there.
    pub fn prepare(&mut self) -> bool {
        let ready = self.indexes.prepare();
        self.growth.ahead();
        ready
    }

    /// Size of the model in bytes, without indexes.
    #[wasm_bindgen(js_name = memoryBytes)]
    pub fn memory_bytes(&self) -> usize {
        self.indexes.trace().memory_bytes()
    }

    /// Pids by task id.
    #[wasm_bindgen(js_name = taskPids)]
    pub fn task_pids(&self) -> Vec<i32> {
        Summary::task_pids(self.indexes.trace())
    }

    /// The last comm's id by task id.
    #[wasm_bindgen(js_name = taskComms)]
    pub fn task_comms(&self) -> Vec<u32> {
        Summary::task_comms(self.indexes.trace())
    }

    /// The kernel priority at the last switch-in by task id, -1 for deadline; 32767 if no event tells.
    #[wasm_bindgen(js_name = taskPrios)]
    pub fn task_prios(&self) -> Vec<i16> {
        Summary::task_prios(self.indexes.trace())
    }

    /// 1 for tasks that were forked in the trace, by task id.
    #[wasm_bindgen(js_name = taskForked)]
    pub fn task_forked(&self) -> Vec<u8> {
        Summary::task_forked(self.indexes.trace())
    }
}
