//! An opened file, and the scans of its streams.

use std::vec::IntoIter;

use js_sys::Uint8Array;
use schedrows::{CpuScan, KernelLog, Source, Want};
use serde::Serialize;
use wasm_bindgen::prelude::{wasm_bindgen, JsValue};

use super::description::{fingerprint, Description};
use super::error::{internal, thrown};
use super::memory::Growth;
use super::scan::to_array;
use super::{first_ns, json};

/// `ScanJob` of the scan pool.
#[derive(Serialize)]
struct Job {
    index: usize,
    start: u64,
    end: u64,
}

/// An opened file of any format.
#[wasm_bindgen]
pub struct SourceFile(Box<dyn Source>);

impl SourceFile {
    /// Of an opened file.
    pub fn new(source: impl Source + 'static) -> SourceFile {
        SourceFile(Box::new(source))
    }
}

#[wasm_bindgen]
impl SourceFile {
    /// `Metadata.fingerprint`.
    pub fn fingerprint(&self) -> Result<String, JsValue> {
        fingerprint(self.0.as_ref()).map_err(|error| thrown(&error.into()))
    }

    /// `Metadata` without `name` and `size`, as JSON. `base_ns`: where it is known, nothing is read for it.
    pub fn description(&self, base_ns: Option<String>) -> Result<String, JsValue> {
        let base_ns = base_ns.as_deref().map(first_ns).transpose()?;
        let description = Description::of(self.0.as_ref(), base_ns).map_err(|error| thrown(&error.into()))?;
        json(&description)
    }

    /// What the file says besides its streams, and what was wrong with it as a whole, as bytes for a `TraceLoader`.
    pub fn facts(&self) -> Vec<u8> {
        self.0.facts().to_bytes()
    }

    /// `ScanJob[]` as JSON: where each stream that has data is.
    pub fn jobs(&self) -> Result<String, JsValue> {
        let jobs = self.0.streams().into_iter().enumerate();
        let jobs = jobs.filter(|(_, stream)| stream.size != 0).map(|(index, stream)| Job {
            index,
            start: stream.offset,
            end: stream.offset + stream.size,
        });
        json(&jobs.collect::<Vec<_>>())
    }

    /// Scans what is at a share (0 to 1) of a stream's bytes, as bytes for `TraceLoader.addSample`; `undefined` where the
    /// format has no such thing.
    pub fn sample(&self, index: usize, share: f64) -> Result<Option<Vec<u8>>, JsValue> {
        let sample = self.0.sample(index, share).map_err(|error| thrown(&error.into()))?;
        Ok(sample.map(|scan| scan.to_bytes()))
    }

    /// Begins with the stream at this position in the file's list.
    pub fn scanner(&self, index: usize) -> Result<Scanner, JsValue> {
        let scanner = self.0.scanner(
            index,
            Want {
                index: true,
                kernel: true,
            },
        );
        let scanner = scanner.map(|scan| Scanner {
            scan,
            growth: Growth::default(),
        });
        scanner.ok_or_else(|| internal("the file has no such stream"))
    }
}

/// A stream's scan under way.
#[wasm_bindgen]
pub struct Scanner {
    scan: Box<dyn schedrows::Scanner>,
    growth: Growth,
}

#[wasm_bindgen]
impl Scanner {
    /// The next bytes of the stream, in any portions.
    pub fn push(&mut self, bytes: &[u8]) {
        self.scan.push(bytes);
        self.growth.ahead();
    }

    /// Records so far.
    pub fn events(&self) -> f64 {
        self.scan.events() as f64
    }

    /// What was found.
    pub fn finish(self) -> Scanned {
        let scan = self.scan.finish();
        Scanned {
            cpus: scan.cpus.into_iter(),
            logs: Vec::new(),
            index: scan.index,
        }
    }
}

/// A stream's scan, in parts for different workers.
#[wasm_bindgen]
pub struct Scanned {
    cpus: IntoIter<CpuScan>,
    /// What calls and interrupts are found in, of the CPUs that were taken.
    logs: Vec<Vec<u8>>,
    index: Option<Vec<u8>>,
}

#[wasm_bindgen]
impl Scanned {
    /// The next `CpuScan`, as bytes for `TraceLoader.add`; `undefined` when all were taken.
    #[wasm_bindgen(js_name = takeScan)]
    pub fn take_scan(&mut self) -> Option<Uint8Array> {
        let mut scan = self.cpus.next()?;
        let log = KernelLog::take(&mut scan);
        if !log.rows.is_empty() {
            self.logs.push(log.to_bytes());
        }
        Some(to_array(scan))
    }

    /// System calls and interrupts of one of the CPUs that `takeScan` returned, as bytes for `CallsLoader.add`, whose first
    /// says what is there (`KernelLog::to_bytes`); `undefined` when all were taken.
    #[wasm_bindgen(js_name = takeKernel)]
    pub fn take_kernel(&mut self) -> Option<Vec<u8>> {
        self.logs.pop()
    }

    /// Where the records are, as bytes for `EventsFile.add`; `undefined` of a file without their text, and the second time.
    #[wasm_bindgen(js_name = takeIndex)]
    pub fn take_index(&mut self) -> Option<Vec<u8>> {
        self.index.take()
    }
}
