//! The list of events: the events worker alone prints records.

use std::collections::HashMap;

use crate::source::error::{internal, thrown};
use crate::source::{first_ns, json, JsFile};
use serde::Serialize;
use tracedat::events::{EventList, EventProgress, EventsAnswer, EventsQuery, HandedTurn, Walk};
use tracedat::file::TraceFile;
use tracedat::scan::RecordIndex;
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
        Events {
            list: EventList::new(file, self.base_ns, self.indexes),
            values: Vec::new(),
        }
    }
}

/// The list of a trace's events.
#[wasm_bindgen]
pub struct Events {
    list: EventList<'static, JsFile>,
    /// The numbers of the tile, or of runs, that were answered last.
    values: Vec<u32>,
}

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
        self.list.learn_names(names);
    }

    /// Learns where tasks ran: what `TraceModel.places` returned.
    #[wasm_bindgen(js_name = learnPlaces)]
    pub fn learn_places(&mut self, words: &[u32]) {
        self.list.learn_places(words);
    }

    /// Answers an `EventsQuery` with an `EventsAnswer`, both as JSON, after looking at some `budget` events; `undefined`
    /// when that is not enough: ask again.
    pub fn ask(&mut self, query: &str, budget: usize) -> Result<Option<String>, JsValue> {
        let answer = self
            .list
            .ask(&query_of(query)?, budget)
            .map_err(|error| thrown(&error.into()))?;
        let Some(mut answer) = answer else {
            return Ok(None);
        };
        if let EventsAnswer::Tile { values, .. } | EventsAnswer::EventHitRuns { values, .. } = &mut answer {
            self.values = std::mem::take(values);
        }
        json(&answer).map(Some)
    }

    /// The ranges of the file that are read to answer an `EventsQuery` for rows, both as JSON.
    #[wasm_bindgen(js_name = rowReads)]
    pub fn row_reads(&mut self, query: &str) -> Result<String, JsValue> {
        json(&self.list.row_reads(&query_of(query)?))
    }

    /// The numbers of the tile, or of runs, that were answered last, once.
    #[wasm_bindgen(js_name = takeValues)]
    pub fn take_values(&mut self) -> Vec<u32> {
        std::mem::take(&mut self.values)
    }

    /// The answer to the `EventHits` that was asked for last, as far as it is known, as JSON.
    #[wasm_bindgen(js_name = hitsProgress)]
    pub fn hits_progress(&self) -> Result<String, JsValue> {
        json(&self.list.hits_progress())
    }

    /// What is read next for the `EventHits` that were asked for last, as JSON.
    #[wasm_bindgen(js_name = hitsReads)]
    pub fn hits_reads(&self) -> Result<String, JsValue> {
        json(&self.list.hits_reads())
    }

    /// The answer to the `EventCounter` that was asked for last, as far as it is known, as JSON.
    #[wasm_bindgen(js_name = counterProgress)]
    pub fn counter_progress(&self) -> Result<String, JsValue> {
        json(&self.list.counter_progress())
    }

    /// Goes on with the filter of the list that was asked for last.
    pub fn advance(&mut self, budget: usize) -> Result<(), JsValue> {
        self.list.advance(budget).map_err(|error| thrown(&error.into()))
    }

    /// How far that filter is, as JSON.
    #[wasm_bindgen(js_name = filterProgress)]
    pub fn filter_progress(&self) -> Result<String, JsValue> {
        let (progress, total) = self.list.progress();
        json(&Progress { progress, total })
    }

    /// How far the search is that was asked for last, as JSON.
    #[wasm_bindgen(js_name = searchProgress)]
    pub fn search_progress(&self) -> Result<String, JsValue> {
        let (_, total) = self.list.progress();
        let progress = self.list.search_progress();
        json(&Progress { progress, total })
    }

    /// What is read next for the filter of the list, as JSON.
    #[wasm_bindgen(js_name = filterReads)]
    pub fn filter_reads(&self) -> Result<String, JsValue> {
        json(&self.list.reads())
    }

    /// The same for that search.
    #[wasm_bindgen(js_name = searchReads)]
    pub fn search_reads(&self) -> Result<String, JsValue> {
        json(&self.list.search_reads())
    }

    /// Where the records of a CPU are, by its place in the list, as bytes that another worker's `EventsFile.add` takes: with all of
    /// them it can `seek` for this list. `undefined` behind the last one.
    pub fn index(&self, place: usize) -> Option<Vec<u8>> {
        let index = self.list.indexes().nth(place);
        index.map(RecordIndex::to_bytes)
    }

    /// A part of the filter of the list for another worker to look at, as JSON.
    #[wasm_bindgen(js_name = handOut)]
    pub fn hand_out(&mut self) -> Result<Option<String>, JsValue> {
        self.hand_out_of(Walk::List)
    }

    /// The same for that search.
    #[wasm_bindgen(js_name = handOutSearch)]
    pub fn hand_out_search(&mut self) -> Result<Option<String>, JsValue> {
        self.hand_out_of(Walk::Search)
    }

    /// The same for those `EventHits`.
    #[wasm_bindgen(js_name = handOutHits)]
    pub fn hand_out_hits(&mut self) -> Result<Option<String>, JsValue> {
        self.hand_out_of(Walk::Hits)
    }

    fn hand_out_of(&mut self, walk: Walk) -> Result<Option<String>, JsValue> {
        self.list.hand_out(walk).as_ref().map(json).transpose()
    }

    /// Looks at what another worker's list handed out.
    pub fn seek(&mut self, handed: &str) -> Result<Vec<u64>, JsValue> {
        self.list
            .seek(&handed_of(handed)?)
            .map_err(|error| thrown(&error.into()))
    }

    /// Takes what was found there; `undefined`: it could not be looked at.
    pub fn found(&mut self, handed: &str, words: Option<Vec<u64>>) -> Result<(), JsValue> {
        self.list.found(&handed_of(handed)?, words);
        Ok(())
    }

    /// How far the walk is that finds pairs, as JSON.
    #[wasm_bindgen(js_name = pairsProgress)]
    pub fn pairs_progress(&self) -> Result<String, JsValue> {
        let (_, total) = self.list.progress();
        let progress = self.list.pairs_progress();
        json(&Progress { progress, total })
    }
}

fn query_of(text: &str) -> Result<EventsQuery, JsValue> {
    serde_json::from_str(text).map_err(|error| internal(&format!("not a query of events: {error}")))
}

fn handed_of(text: &str) -> Result<HandedTurn, JsValue> {
    serde_json::from_str(text).map_err(|error| internal(&format!("not a turn: {error}")))
}
