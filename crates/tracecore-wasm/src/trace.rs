//! An opened trace.

use tracecore::query::{CellKey, CellsQuery, CurveQuery, Summary, TimeWindow, View};
use wasm_bindgen::prelude::{wasm_bindgen, JsValue};

use crate::error::internal;
use crate::json;

/// The trace as its current view shows it. All times are since its first record. What returns text returns JSON of the shapes in `web/engine/protocol.ts`,
/// `null` where there is nothing.
#[wasm_bindgen]
pub struct LoadedTrace(pub(crate) View);

#[wasm_bindgen]
impl LoadedTrace {
    /// The model's part of `Summary`, without the arrays by task.
    pub fn summary(&self) -> Result<String, JsValue> {
        json(&Summary::new(self.0.trace()))
    }

    /// Pids by task id.
    #[wasm_bindgen(js_name = taskPids)]
    pub fn task_pids(&self) -> Vec<i32> {
        Summary::task_pids(self.0.trace())
    }

    /// The last comm's id by task id.
    #[wasm_bindgen(js_name = taskComms)]
    pub fn task_comms(&self) -> Vec<u32> {
        Summary::task_comms(self.0.trace())
    }

    /// 1 for tasks that were forked in the trace, by task id.
    #[wasm_bindgen(js_name = taskForked)]
    pub fn task_forked(&self) -> Vec<u8> {
        Summary::task_forked(self.0.trace())
    }

    /// Shows it otherwise from now on; `spec` is a `ViewSpec` as JSON.
    #[wasm_bindgen(js_name = setView)]
    pub fn set_view(&mut self, spec: &str) -> Result<(), JsValue> {
        let spec = serde_json::from_str(spec).map_err(|error| internal(&format!("not a view: {error}")))?;
        self.0 = self.0.with(spec);
        Ok(())
    }

    /// The cells of `CellsAnswer`, by comm instead of task when `by_comm`.
    pub fn cells(&self, level: u32, first_bucket: f64, buckets: u32, cpus: Vec<u32>, by_comm: bool) -> Vec<u32> {
        let key = if by_comm { CellKey::Comm } else { CellKey::Task };
        self.0.cells(&cells_query(level, first_bucket, buckets, cpus, key))
    }

    /// The values of `CurveAnswer`.
    pub fn curve(&self, level: u32, first_bucket: f64, buckets: u32) -> Vec<u32> {
        self.0.curve(&CurveQuery {
            level,
            first_bucket: first_bucket as u64,
            buckets,
        })
    }

    /// The values of `ConservationAnswer`.
    pub fn conservation(&self, level: u32, first_bucket: f64, buckets: u32) -> Vec<u32> {
        self.0.conservation_shares(&CurveQuery {
            level,
            first_bucket: first_bucket as u64,
            buckets,
        })
    }

    /// The greatest runnable of the whole trace.
    #[wasm_bindgen(js_name = maxRunnable)]
    pub fn max_runnable(&self) -> u32 {
        self.0.max_runnable()
    }

    /// `LabelRun[]`: the runs of at least `min_width` ns.
    pub fn labels(&self, start: f64, end: f64, min_width: f64, cpus: Vec<u32>) -> Result<String, JsValue> {
        json(&self.0.labels(window(start, end), min_width as u64, &cpus))
    }

    /// `Interval | null` at an instant.
    pub fn pick(&self, cpu: u32, at: f64) -> Result<String, JsValue> {
        json(&self.0.pick(cpu, at as u64))
    }

    /// `Interval | null`: the run before or after the one at an instant.
    pub fn step(&self, cpu: u32, at: f64, forward: bool) -> Result<String, JsValue> {
        json(&self.0.step(cpu, at as u64, forward))
    }

    /// `Interval | null`: the highlighted run before or after an instant.
    #[wasm_bindgen(js_name = nextHighlighted)]
    pub fn next_highlighted(&self, at: f64, forward: bool) -> Result<String, JsValue> {
        json(&self.0.next_highlighted(at as u64, forward))
    }

    /// `Chain | null` of the run at an instant.
    pub fn chain(&self, cpu: u32, at: f64, hops: u32) -> Result<String, JsValue> {
        json(&self.0.chain(cpu, at as u64, hops))
    }

    /// `CommandRow[]` of the whole trace.
    pub fn commands(&self) -> Result<String, JsValue> {
        json(&self.0.commands(None))
    }

    /// `CommandRow[]` of a window.
    #[wasm_bindgen(js_name = commandsIn)]
    pub fn commands_in(&self, start: f64, end: f64) -> Result<String, JsValue> {
        json(&self.0.commands(Some(window(start, end))))
    }

    /// `WindowStats`.
    pub fn stats(&self, start: f64, end: f64) -> Result<String, JsValue> {
        json(&self.0.window_stats(window(start, end)))
    }
}

/// JavaScript's numbers of ns; negative ones are 0.
pub(crate) fn window(start: f64, end: f64) -> TimeWindow {
    TimeWindow {
        start: start as u64,
        end: end as u64,
    }
}

pub(crate) fn cells_query(level: u32, first_bucket: f64, buckets: u32, cpus: Vec<u32>, key: CellKey) -> CellsQuery {
    CellsQuery {
        level,
        first_bucket: first_bucket as u64,
        buckets,
        cpus,
        key,
    }
}
