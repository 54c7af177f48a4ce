//! Tables of a window and runqueues.

use tracecore::query::{CpuRow, DepthQuery, TaskRow};
use wasm_bindgen::prelude::wasm_bindgen;

use crate::trace::{window, LoadedTrace};

#[wasm_bindgen]
impl LoadedTrace {
    /// Works for a millisecond or so on what questions about runqueues need; true once they are answered at once.
    #[wasm_bindgen(js_name = prepareRunqueues)]
    pub fn prepare_runqueues(&self) -> bool {
        self.0.prepare_runqueues()
    }

    /// The same for questions about the waiting of commands and tasks.
    #[wasm_bindgen(js_name = prepareWaits)]
    pub fn prepare_waits(&self) -> bool {
        self.0.prepare_waits()
    }

    /// The same for questions about work conservation, and about one wait.
    #[wasm_bindgen(js_name = prepareConservation)]
    pub fn prepare_conservation(&self) -> bool {
        self.0.prepare_conservation()
    }

    /// The values of `taskTable`; without times, of the whole trace.
    #[wasm_bindgen(js_name = taskTable)]
    pub fn task_table(&self, start: Option<f64>, end: Option<f64>) -> Vec<f64> {
        let rows = self.0.task_table(start.zip(end).map(|(start, end)| window(start, end)));
        rows.iter().flat_map(TaskRow::values).collect()
    }

    /// The values of `cpuTable`; without times, of the whole trace.
    #[wasm_bindgen(js_name = cpuTable)]
    pub fn cpu_table(&self, start: Option<f64>, end: Option<f64>) -> Vec<f64> {
        let rows = self.0.cpu_table(start.zip(end).map(|(start, end)| window(start, end)));
        rows.iter().flat_map(CpuRow::values).collect()
    }

    /// The values of `DepthAnswer`.
    pub fn depth(&self, level: u32, first_bucket: f64, buckets: u32, cpus: Vec<u32>) -> Vec<u32> {
        self.0.depth(&DepthQuery {
            level,
            first_bucket: first_bucket as u64,
            buckets,
            cpus,
        })
    }

    /// The most tasks that ever wait on one CPU's runqueue.
    #[wasm_bindgen(js_name = mostWaiting)]
    pub fn most_waiting(&self) -> u32 {
        self.0.most_waiting()
    }

    /// How many tasks wait on a CPU's runqueue at an instant.
    #[wasm_bindgen(js_name = waitingAt)]
    pub fn waiting_at(&self, cpu: u32, at: f64) -> u32 {
        self.0.waiting_at(cpu, at as u64)
    }
}
