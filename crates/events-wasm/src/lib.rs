//! The list of events for JavaScript: the module of the events worker, which alone prints records.

use std::collections::HashMap;

use serde::Serialize;
use source_wasm::error::{internal, thrown};
use source_wasm::{first_ns, json, JsFile};
use tracecore::events::{EventList, EventProgress, EventsQuery};
use tracecore::scan::RecordIndex;
use tracecore::tracedat::TraceFile;
use wasm_bindgen::prelude::{wasm_bindgen, JsValue};

/// A file whose events are to be listed, while its CPUs are scanned.
#[wasm_bindgen]
pub struct EventsFile {
    file: TraceFile<JsFile>,
    base_ns: u64,
    indexes: Vec<RecordIndex>,
}

/// Opens a trace.dat `file` to list its events; `base_ns` is that of `Metadata`.
#[wasm_bindgen(js_name = openForEvents)]
pub fn open_for_events(file: JsFile, base_ns: &str) -> Result<EventsFile, JsValue> {
    Ok(EventsFile {
        file: TraceFile::open(file).map_err(|error| thrown(&error.into()))?,
        base_ns: first_ns(base_ns)?,
        indexes: Vec::new(),
    })
}

#[wasm_bindgen]
impl EventsFile {
    /// Takes what `Scanned.takeIndex` returned.
    pub fn add(&mut self, index: &[u8]) -> Result<(), JsValue> {
        let index = RecordIndex::from_bytes(index).map_err(|error| internal(&error.to_string()))?;
        self.indexes.push(index);
        Ok(())
    }

    /// Puts the events in order. Consumes the file.
    pub fn list(self) -> Events {
        // The list reads the file for as long as its worker lives.
        let file: &'static TraceFile<JsFile> = Box::leak(Box::new(self.file));
        Events(EventList::new(file, self.base_ns, self.indexes))
    }
}

/// The list of a trace's events.
#[wasm_bindgen]
pub struct Events(EventList<'static, JsFile>);

/// The numbers of the protocol's `eventProgress`.
#[derive(Serialize)]
struct Progress {
    #[serde(flatten)]
    progress: EventProgress,
    total: usize,
}

#[wasm_bindgen]
impl Events {
    /// Learns the names of the tasks with these `pids`, for those without a saved command line.
    #[wasm_bindgen(js_name = learnNames)]
    pub fn learn_names(&mut self, pids: &[i32], comms: Vec<String>) {
        let names: HashMap<i32, String> = pids.iter().copied().zip(comms).collect();
        self.0.learn_names(names);
    }

    /// Answers an `EventsQuery` with an `EventsAnswer`, both as JSON, after looking at some `budget` events; `undefined`
    /// when that is not enough: ask again.
    pub fn ask(&mut self, query: &str, budget: usize) -> Result<Option<String>, JsValue> {
        let query: EventsQuery =
            serde_json::from_str(query).map_err(|error| internal(&format!("not a query of events: {error}")))?;
        let answer = self.0.ask(&query, budget).map_err(|error| thrown(&error.into()))?;
        answer.map(|answer| json(&answer)).transpose()
    }

    /// Goes on with the filter of the list that was asked for last.
    pub fn advance(&mut self, budget: usize) -> Result<(), JsValue> {
        self.0.advance(budget).map_err(|error| thrown(&error.into()))
    }

    /// How far that filter is, as JSON.
    #[wasm_bindgen(js_name = filterProgress)]
    pub fn filter_progress(&self) -> Result<String, JsValue> {
        let (progress, total) = self.0.progress();
        json(&Progress { progress, total })
    }

    /// How far the search is that was asked for last, as JSON.
    #[wasm_bindgen(js_name = searchProgress)]
    pub fn search_progress(&self) -> Result<String, JsValue> {
        let (_, total) = self.0.progress();
        let progress = self.0.search_progress();
        json(&Progress { progress, total })
    }

    /// How far the walk is that finds pairs, as JSON.
    #[wasm_bindgen(js_name = pairsProgress)]
    pub fn pairs_progress(&self) -> Result<String, JsValue> {
        let (_, total) = self.0.progress();
        let progress = self.0.pairs_progress();
        json(&Progress { progress, total })
    }
}
