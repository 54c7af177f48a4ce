//! Tasks and their states over time: the answers of `web/engine/protocolTasks.ts`.

use tracecore::query::TaskCellsQuery;
use wasm_bindgen::prelude::{wasm_bindgen, JsValue};

use crate::json;
use crate::trace::{window, LoadedTrace};

/// Cells of tasks, and which tasks have none yet.
#[wasm_bindgen]
pub struct TaskCells(tracecore::query::TaskCells);

#[wasm_bindgen]
impl TaskCells {
    /// Tasks whose states are still being worked out.
    pub fn missing(&self) -> Vec<u32> {
        self.0.missing.clone()
    }

    /// The cells of `TaskCellsAnswer`; the object ends.
    #[wasm_bindgen(js_name = takeCells)]
    pub fn take_cells(self) -> Vec<u32> {
        self.0.cells
    }
}

#[wasm_bindgen]
impl LoadedTrace {
    /// `TaskInfo[]`.
    pub fn tasks(&self, ids: Option<Vec<u32>>, comm: Option<String>) -> Result<String, JsValue> {
        json(&self.0.tasks(ids.as_deref(), comm.as_deref()))
    }

    /// Cells of tasks; goes on with what is missing at each call.
    #[wasm_bindgen(js_name = taskCells)]
    pub fn task_cells(&self, level: u32, first_bucket: f64, buckets: u32, tasks: Vec<u32>) -> TaskCells {
        TaskCells(self.0.task_cells(&TaskCellsQuery {
            level,
            first_bucket: first_bucket as u64,
            buckets,
            tasks,
        }))
    }

    /// `{ runs: TaskRun[], missing }`; goes on with what is missing at each call.
    #[wasm_bindgen(js_name = taskRuns)]
    pub fn task_runs(&self, tasks: Vec<u32>, start: f64, end: f64, min_width: f64) -> Result<String, JsValue> {
        json(&self.0.task_runs(&tasks, window(start, end), min_width as u64))
    }

    /// `TaskInterval | null` at an instant.
    #[wasm_bindgen(js_name = taskStateAt)]
    pub fn task_state_at(&self, task: u32, at: f64) -> Result<String, JsValue> {
        json(&self.0.task_state_at(task, at as u64))
    }

    /// `TaskInterval | null`: the state before or after the one at an instant.
    #[wasm_bindgen(js_name = taskStep)]
    pub fn task_step(&self, task: u32, at: f64, forward: bool) -> Result<String, JsValue> {
        json(&self.0.task_step(task, at as u64, forward))
    }
}
