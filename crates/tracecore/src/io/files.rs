//! Questions about the file of an open trace of any format: for an export, for a scheduler of sched_ext, and for the list of
//! events of a format whose records have no text.

use std::sync::Arc;
use std::vec::IntoIter;

use crate::source::error::{internal, thrown};
use crate::source::{json, JsFile, SAME_PAGE};
use fileask::{listed, Bytes, FileQuestion};
use js_sys::{Array, Float64Array, Uint8Array};
use schedmodel::Trace;
use wasm_bindgen::prelude::{wasm_bindgen, JsValue};

/// A trace.dat that was made of another format, and where its records are.
#[wasm_bindgen]
pub struct Listed {
    bytes: Vec<u8>,
    indexes: IntoIter<Vec<u8>>,
}

/// Makes a trace.dat of a `file` of another format, for the list of its events.
#[wasm_bindgen(js_name = listedAs)]
pub fn listed_as(file: JsFile) -> Result<Listed, JsValue> {
    let listed = formats_open(file).and_then(listed).map_err(|error| thrown(&error))?;
    Ok(Listed {
        bytes: listed.bytes,
        indexes: listed.indexes.into_iter(),
    })
}

#[wasm_bindgen]
impl Listed {
    /// The file; once.
    #[wasm_bindgen(js_name = takeBytes)]
    pub fn take_bytes(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.bytes)
    }

    /// The next CPU's index, as `Scanned.takeIndex` returns it.
    #[wasm_bindgen(js_name = takeIndex)]
    pub fn take_index(&mut self) -> Option<Vec<u8>> {
        self.indexes.next()
    }
}

/// The model of the open trace.
#[wasm_bindgen]
pub struct FileSource(Arc<Trace>);

/// An answer: JSON, and what comes beside it.
#[wasm_bindgen]
pub struct FileAnswered {
    json: String,
    numbers: Array,
    file: Option<Uint8Array>,
}

#[wasm_bindgen]
impl FileSource {
    /// Of the bytes that `LoadedTrace.model` returned.
    #[wasm_bindgen(constructor)]
    pub fn new(model: &[u8]) -> Result<FileSource, JsValue> {
        let mut bytes = model;
        match Trace::restore(&mut bytes, model.len() as u64, SAME_PAGE) {
            Ok(trace) => Ok(FileSource(Arc::new(trace))),
            Err(error) => Err(internal(&error.to_string())),
        }
    }

    /// Answers a `FileQuestion`, which is JSON, about the trace's `file`.
    pub fn ask(&self, question: &str, file: JsFile) -> Result<FileAnswered, JsValue> {
        let question: FileQuestion = serde_json::from_str(question)
            .map_err(|error| internal(&format!("not a question about a file: {error}")))?;
        let (answer, given) = question
            .answer(&self.0, || formats_open(file))
            .map_err(|error| thrown(&error))?;
        let numbers = Array::new();
        for array in given.numbers {
            numbers.push(&Float64Array::from(array.as_slice()));
        }
        Ok(FileAnswered {
            json: json(&answer)?,
            numbers,
            file: given.file.map(|bytes| Uint8Array::from(bytes.as_slice())),
        })
    }
}

#[wasm_bindgen]
impl FileAnswered {
    /// The answer.
    pub fn json(&self) -> String {
        self.json.clone()
    }

    /// `Float64Array`s with buffers of their own.
    pub fn numbers(&self) -> Array {
        self.numbers.clone()
    }

    /// The file, if one was made.
    pub fn file(&self) -> Option<Uint8Array> {
        self.file.clone()
    }
}

fn formats_open(file: JsFile) -> Result<fileask::AnySource<Bytes<JsFile>>, schedrows::SourceError> {
    fileask::open(Bytes::File(file))
}
