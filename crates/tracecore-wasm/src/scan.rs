//! What a scan worker does.

use tracecore::scan::CpuScanner;
use tracecore::tracedat::TraceFile;
use wasm_bindgen::prelude::{wasm_bindgen, JsValue};

use crate::error::{internal, open_error};
use crate::file::JsFile;

/// A file whose CPUs are to be scanned.
#[wasm_bindgen]
pub struct ScanFile(TraceFile<JsFile>);

/// Opens `file` to scan its CPUs.
#[wasm_bindgen(js_name = openForScan)]
pub fn open_for_scan(file: JsFile) -> Result<ScanFile, JsValue> {
    TraceFile::open(file).map(ScanFile).map_err(|error| open_error(&error))
}

#[wasm_bindgen]
impl ScanFile {
    /// Begins with the CPU at this position in the file's list.
    pub fn scanner(&self, index: usize) -> Result<Scanner, JsValue> {
        let scanner = self.0.scanner(index);
        scanner
            .map(|scanner| Scanner(scanner.indexed()))
            .ok_or_else(|| internal("the file has no such CPU"))
    }
}

/// One CPU's scan under way.
#[wasm_bindgen]
pub struct Scanner(CpuScanner);

#[wasm_bindgen]
impl Scanner {
    /// The next bytes of the CPU, in any portions.
    pub fn push(&mut self, bytes: &[u8]) {
        self.0.push(bytes);
    }

    /// Records so far.
    pub fn events(&self) -> f64 {
        self.0.events() as f64
    }

    /// What was found.
    pub fn finish(self) -> Scanned {
        let (scan, index) = self.0.finish_indexed();
        Scanned {
            scan: scan.to_bytes(),
            index: index.to_bytes(),
        }
    }
}

/// A CPU's scan, in parts for different workers.
#[wasm_bindgen]
pub struct Scanned {
    scan: Vec<u8>,
    index: Vec<u8>,
}

#[wasm_bindgen]
impl Scanned {
    /// The `CpuScan`, as bytes for `TraceLoader.add`; it can be taken once.
    #[wasm_bindgen(js_name = takeScan)]
    pub fn take_scan(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.scan)
    }

    /// The `RecordIndex`, as bytes for `EventsFile.add`; it can be taken once.
    #[wasm_bindgen(js_name = takeIndex)]
    pub fn take_index(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.index)
    }
}
