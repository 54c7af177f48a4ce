//! A trace while it loads.

use serde::Serialize;
use tracecore::query::{CellKey, Preview, View, ViewSpec};
use tracecore::scan::CpuScan;
use tracecore::sched::{Meta, TraceBuilder};
use tracecore::tracedat::TraceFile;
use wasm_bindgen::prelude::{wasm_bindgen, JsValue};

use crate::error::{internal, open_error};
use crate::file::JsFile;
use crate::json;
use crate::trace::{cells_query, LoadedTrace};

/// `Metadata` of the protocol, without what the caller knows (name and size).
#[derive(Serialize)]
struct Metadata<'a> {
    fingerprint: String,
    cpus: Vec<u32>,
    base_ns: String,
    clock_is_ns: bool,
    clock: &'a str,
    version: u32,
    uname: Option<&'a str>,
}

/// `ScanJob` of the scan pool.
#[derive(Serialize)]
struct Job {
    index: usize,
    start: u64,
    end: u64,
}

/// An opened file and the CPUs scanned so far.
#[wasm_bindgen]
pub struct TraceLoader {
    file: TraceFile<JsFile>,
    base_ns: u64,
    fingerprint: u64,
    builder: TraceBuilder,
    preview: Preview,
}

/// Reads the metadata of `file`.
#[wasm_bindgen(js_name = openTrace)]
pub fn open_trace(file: JsFile) -> Result<TraceLoader, JsValue> {
    let file = TraceFile::open(file).map_err(|error| open_error(&error))?;
    let fingerprint = file.fingerprint().map_err(|error| open_error(&error.into()))?;
    let first_ns = file.first_ns().map_err(|error| open_error(&error.into()))?;
    let base_ns = first_ns.unwrap_or(0);
    Ok(TraceLoader {
        file,
        base_ns,
        fingerprint,
        builder: TraceBuilder::new(base_ns),
        preview: Preview::new(base_ns),
    })
}

#[wasm_bindgen]
impl TraceLoader {
    /// `Metadata` without `name` and `size`, as JSON.
    pub fn metadata(&self) -> Result<String, JsValue> {
        let header = self.file.header();
        json(&Metadata {
            fingerprint: format!("{:016x}", self.fingerprint),
            cpus: self.cpus(),
            base_ns: self.base_ns.to_string(),
            clock_is_ns: self.file.clock_is_ns(),
            clock: self.file.clock().unwrap_or_default(),
            version: header.version,
            uname: header.uname.as_deref(),
        })
    }

    /// `ScanJob[]` as JSON: where the data of each CPU that has any is.
    pub fn jobs(&self) -> Result<String, JsValue> {
        let extents = self.file.cpus().iter().enumerate();
        let jobs = extents
            .filter(|(_, extent)| extent.size != 0)
            .map(|(index, extent)| Job {
                index,
                start: extent.offset,
                end: extent.offset + extent.size,
            });
        json(&jobs.collect::<Vec<_>>())
    }

    /// Takes what `Scanner.finish` returned.
    pub fn add(&mut self, scan: &[u8]) -> Result<(), JsValue> {
        let scan = CpuScan::from_bytes(scan).map_err(|error| internal(&error.to_string()))?;
        self.preview.add(&scan);
        self.builder.add(scan);
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

    /// End of the longest lane so far.
    #[wasm_bindgen(js_name = previewEnd)]
    pub fn preview_end(&self) -> f64 {
        self.preview.end() as f64
    }

    /// As `LoadedTrace.cells`, by provisional task id.
    #[wasm_bindgen(js_name = previewCells)]
    pub fn preview_cells(&self, level: u32, first_bucket: f64, buckets: u32, cpus: Vec<u32>) -> Vec<u32> {
        self.preview
            .cells(&cells_query(level, first_bucket, buckets, cpus, CellKey::Task))
    }

    /// Builds the trace and the indexes of its first view. Consumes the loader.
    pub fn build(self) -> LoadedTrace {
        // Before the build, which is when most memory is needed.
        drop(self.preview);
        let meta = Meta {
            cpus: cpus_of(&self.file),
            diagnostics: self.file.diagnostics().to_vec(),
        };
        let trace = self.builder.finish(meta);
        LoadedTrace(View::new(trace.into(), ViewSpec::default()))
    }

    fn cpus(&self) -> Vec<u32> {
        cpus_of(&self.file)
    }
}

/// All CPUs of the traced system, with or without data.
fn cpus_of(file: &TraceFile<JsFile>) -> Vec<u32> {
    (0..file.header().cpu_count).collect()
}
