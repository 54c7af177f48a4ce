//! Models in files of the browser: what was built once is read when the trace is opened again.

use std::io::{self, Read, Write};

use crate::source::{JsFile, SAME_PAGE};
use schedquery::query::Indexes;
use schedrows::ReadAt;
use wasm_bindgen::prelude::{wasm_bindgen, JsValue};

use super::trace::LoadedTrace;
use crate::source::error::{internal, out_of_memory};

/// The most bytes that are read at once: what JavaScript returns them in is garbage then.
const PIECE: usize = 1 << 20;

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r"
/** Takes bytes one after the other. They are only valid until the call returns. */
export interface ByteSink {
  write(bytes: Uint8Array): void;
}
";

#[wasm_bindgen]
extern "C" {
    /// The `ByteSink` of the caller.
    #[wasm_bindgen(typescript_type = "ByteSink")]
    pub type JsSink;

    #[wasm_bindgen(method, catch)]
    fn write(this: &JsSink, bytes: &[u8]) -> Result<(), JsValue>;
}

#[wasm_bindgen]
impl LoadedTrace {
    /// Writes the model and the indexes of its first view; what `sink` throws ends it. `key` names this build and the file of the trace.
    #[wasm_bindgen(js_name = storeModel)]
    pub fn store_model(&self, sink: &JsSink, key: &str) -> Result<(), JsValue> {
        let mut sink = Sink { sink, thrown: None };
        let stored = self.indexes.store(&mut sink, key);
        match sink.thrown {
            Some(thrown) => Err(thrown),
            None => stored.map_err(|error| internal(&error.to_string())),
        }
    }

    /// The model, for another module of this page.
    pub fn model(&self) -> Result<Vec<u8>, JsValue> {
        let trace = self.indexes.trace();
        let mut model = Vec::new();
        // A failure to reserve would end the module: for the largest part, it is an error.
        if model.try_reserve_exact(trace.memory_bytes()).is_err() {
            return Err(out_of_memory("there is no memory for a copy of the trace's model"));
        }
        let stored = trace.store(&mut model, SAME_PAGE);
        stored.map_err(|error| internal(&error.to_string()))?;
        Ok(model)
    }

    /// Reads a model that was written with the same key; `undefined` for anything else.
    #[wasm_bindgen(js_name = ofModel)]
    pub fn of_model(file: &JsFile, key: &str) -> Option<LoadedTrace> {
        let mut input = InOrder { file, at: 0 };
        Indexes::restore(&mut input, file.len(), key)
            .ok()
            .map(LoadedTrace::from)
    }
}

struct Sink<'a> {
    sink: &'a JsSink,
    thrown: Option<JsValue>,
}

impl Write for Sink<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self.sink.write(bytes) {
            Ok(()) => Ok(bytes.len()),
            Err(thrown) => {
                self.thrown = Some(thrown);
                Err(io::ErrorKind::Other.into())
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A file's bytes one after the other.
struct InOrder<'a> {
    file: &'a JsFile,
    at: u64,
}

impl Read for InOrder<'_> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let left = self.file.len().saturating_sub(self.at);
        let count = bytes.len().min(PIECE).min(usize::try_from(left).unwrap_or(usize::MAX));
        let piece = bytes.get_mut(..count).unwrap_or_default();
        let read = self.file.read_at(self.at, piece);
        read.map_err(|error| io::Error::other(error.message))?;
        self.at += count as u64;
        Ok(count)
    }
}
