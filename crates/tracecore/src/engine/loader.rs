//! A trace while it loads.

use crate::source::memory::{reserve, Growth};
use crate::source::scan::of_array;
use crate::source::{first_ns, JsFile, SourceFile};
use js_sys::Uint8Array;
use schedmodel::{Building, Meta, TraceBuilder};
use schedquery::query::{Indexes, Preview};
use schedrows::{CpuScan, FileFacts};
use tracedat::file::TraceFile;
use wasm_bindgen::prelude::{wasm_bindgen, JsValue};

use super::trace::LoadedTrace;
use crate::source::error::{internal, thrown};
use crate::source::json;

/// Opens a trace.dat file; [`open_source`](crate::io::formats::open_source) opens all others.
#[wasm_bindgen(js_name = openTrace)]
pub fn open_trace(file: JsFile) -> Result<SourceFile, JsValue> {
    match TraceFile::open(file) {
        Ok(file) => Ok(SourceFile::new(file)),
        Err(error) => Err(thrown(&error.into())),
    }
}

/// About what a model takes for each event while the events are still there.
const MODEL_BYTES: usize = 14;

/// What a file of any format says, and the CPUs scanned so far. It answers from these until the trace is there.
#[wasm_bindgen]
pub struct TraceLoader {
    meta: Meta,
    builder: TraceBuilder,
    preview: Preview,
    growth: Growth,
    /// Once all CPUs were scanned.
    building: Option<Building>,
}

#[wasm_bindgen]
impl TraceLoader {
    /// Of a file with these CPUs and this first time (`Metadata`), and with what `SourceFile.facts` returned.
    #[wasm_bindgen(constructor)]
    pub fn new(cpus: Vec<u32>, base_ns: &str, facts: &[u8]) -> Result<TraceLoader, JsValue> {
        let base_ns = first_ns(base_ns)?;
        Ok(TraceLoader {
            meta: Meta {
                cpus,
                facts: FileFacts::from_bytes(facts).map_err(|error| internal(&error.to_string()))?,
            },
            builder: TraceBuilder::new(base_ns),
            preview: Preview::new(base_ns),
            growth: Growth::default(),
            building: None,
        })
    }

    /// Takes what `Scanned.takeScan` returned.
    pub fn add(&mut self, scan: &Uint8Array) -> Result<(), JsValue> {
        let scan = of_array(scan).map_err(|error| internal(&error.to_string()))?;
        self.preview.add(&scan);
        self.builder.add(scan);
        self.growth.ahead();
        Ok(())
    }

    /// How many events the model will be made of, so far.
    pub fn rows(&self) -> usize {
        self.builder.events()
    }

    /// Takes what `SourceFile.sample` returned.
    #[wasm_bindgen(js_name = addSample)]
    pub fn add_sample(&mut self, scan: &[u8]) -> Result<(), JsValue> {
        let scan = CpuScan::from_bytes(scan).map_err(|error| internal(&error.to_string()))?;
        self.preview.add_sample(&scan);
        Ok(())
    }

    /// The CPUs that can be previewed.
    #[wasm_bindgen(js_name = previewCpus)]
    pub fn preview_cpus(&self) -> Vec<u32> {
        self.preview.cpus().collect()
    }

    /// Pids by provisional task id.
    #[wasm_bindgen(js_name = previewPids)]
    pub fn preview_pids(&self) -> Vec<i32> {
        self.preview.pids().to_vec()
    }

    /// Names by provisional comm id, without the first `told`: a JSON array.
    #[wasm_bindgen(js_name = previewComms)]
    pub fn preview_comms(&self, told: usize) -> Result<String, JsValue> {
        json(&self.preview.comms().names().get(told..).unwrap_or_default())
    }

    /// End of the longest lane so far.
    #[wasm_bindgen(js_name = previewEnd)]
    pub fn preview_end(&self) -> f64 {
        self.preview.end() as f64
    }

    /// Builds the trace of the scans, for about a millisecond; returns whether there is more to do. Nothing can be added any more.
    #[wasm_bindgen(js_name = buildStep)]
    pub fn build_step(&mut self) -> bool {
        let building = self.building.get_or_insert_with(|| {
            let builder = std::mem::take(&mut self.builder);
            reserve(builder.events() * MODEL_BYTES);
            builder.begin(std::mem::take(&mut self.meta))
        });
        building.step()
    }

    /// How much of the building is done, from 0 to 1.
    pub fn built(&self) -> f64 {
        self.building.as_ref().map_or(0.0, Building::share)
    }

    /// The trace; makes what is left of building it, and indexes later. Consumes the loader.
    pub fn trace(self) -> LoadedTrace {
        let TraceLoader {
            meta,
            builder,
            preview,
            building,
            ..
        } = self;
        drop(preview);
        let building = building.unwrap_or_else(|| builder.begin(meta));
        Indexes::of(building.finish().into()).into()
    }

    pub(crate) fn preview(&self) -> &Preview {
        &self.preview
    }
}
