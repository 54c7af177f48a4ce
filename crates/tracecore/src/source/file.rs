//! A file that JavaScript reads.

use js_sys::Uint8Array;
use schedrows::{ReadAt, ReadError};
use wasm_bindgen::prelude::{wasm_bindgen, JsValue};
use wasm_bindgen::JsCast;

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r"
/** Random access to a file's bytes, without waiting. */
export interface FileBytes {
  readonly size: number;
  readAt(offset: number, length: number): Uint8Array;
}
";

#[wasm_bindgen]
extern "C" {
    /// The `FileBytes` of the caller.
    #[wasm_bindgen(typescript_type = "FileBytes")]
    pub type JsFile;

    #[wasm_bindgen(method, getter)]
    fn size(this: &JsFile) -> f64;

    #[wasm_bindgen(method, catch, js_name = readAt)]
    fn read_at(this: &JsFile, offset: f64, length: f64) -> Result<Uint8Array, JsValue>;
}

impl ReadAt for JsFile {
    fn len(&self) -> u64 {
        self.size() as u64
    }

    fn read_at(&self, offset: u64, buf: &mut [u8]) -> Result<(), ReadError> {
        let failed = |message: String| ReadError {
            offset,
            len: buf.len(),
            message,
        };
        let bytes =
            JsFile::read_at(self, offset as f64, buf.len() as f64).map_err(|thrown| failed(message(&thrown)))?;
        if bytes.length() as usize != buf.len() {
            return Err(failed(format!("the file gave {} bytes", bytes.length())));
        }
        bytes.copy_to(buf);
        Ok(())
    }
}

fn message(thrown: &JsValue) -> String {
    match thrown.dyn_ref::<js_sys::Error>() {
        Some(error) => String::from(error.message()),
        None => format!("{thrown:?}"),
    }
}
