//! The machine of an opened trace, as the user gives it.

use std::sync::Arc;

use tracecore::query::Understood;
use tracecore::topology::Topology;
use wasm_bindgen::prelude::{wasm_bindgen, JsValue};

use crate::json;
use crate::trace::{window, LoadedTrace};

#[wasm_bindgen]
impl LoadedTrace {
    /// `{ topology, error }` of `web/engine/protocolTopology.ts`; changes nothing.
    #[wasm_bindgen(js_name = parseTopology)]
    pub fn parse_topology(&self, bytes: &[u8]) -> Result<String, JsValue> {
        let parsed = Topology::parse(bytes).map_err(|error| error.to_string());
        json(&Understood::new(
            parsed.as_ref().map_err(String::clone),
            &self.0.trace().cpus,
        ))
    }

    /// As `parseTopology`; from now on the machine is known to be so, if it was understood.
    #[wasm_bindgen(js_name = setTopology)]
    pub fn set_topology(&mut self, bytes: &[u8]) -> Result<String, JsValue> {
        let parsed = Topology::parse(bytes).map_err(|error| error.to_string());
        let answer = json(&Understood::new(
            parsed.as_ref().map_err(String::clone),
            &self.0.trace().cpus,
        ));
        if let Ok(topology) = parsed {
            self.0 = self.0.with_topology(Some(Arc::new(topology)));
        }
        answer
    }

    /// From now on the machine is not known.
    #[wasm_bindgen(js_name = clearTopology)]
    pub fn clear_topology(&mut self) {
        self.0 = self.0.with_topology(None);
    }

    /// `{ counts, moves }` of a window.
    pub fn moves(&self, start: f64, end: f64, cpus: Vec<u32>, most: u32) -> Result<String, JsValue> {
        json(&self.0.moves(window(start, end), &cpus, most as usize))
    }
}
