//! Texts of STaKTAU.

use std::io::{self, BufRead, BufReader, Read};

use crate::source::{error::internal, json, JsFile};
use schedrows::ReadAt;
use wasm_bindgen::prelude::{wasm_bindgen, JsValue};

/// Bytes that are read at a time.
const PIECE: usize = 1 << 16;

/// A file's bytes in order.
struct InOrder<'a> {
    file: &'a JsFile,
    at: u64,
}

impl Read for InOrder<'_> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        let left = usize::try_from(self.file.len().saturating_sub(self.at)).unwrap_or(usize::MAX);
        let length = buf.len().min(left);
        let part = buf.get_mut(..length).unwrap_or_default();
        if !part.is_empty() {
            self.file.read_at(self.at, part).map_err(io::Error::other)?;
            self.at += length as u64;
        }
        Ok(length)
    }
}

/// What a text of STaKTAU tells, as JSON of a `StaktauText`; null if the file is none.
#[wasm_bindgen(js_name = readStaktau)]
pub fn read_staktau(file: JsFile) -> Result<Option<String>, JsValue> {
    let failed = |error: io::Error| internal(&error.to_string());
    let mut input = BufReader::with_capacity(PIECE, InOrder { file: &file, at: 0 });
    let head = input.fill_buf().map_err(failed)?;
    let head = head.get(..head.len().min(staktau::HEAD)).unwrap_or_default();
    let Some(layout) = staktau::layout_of(head) else {
        return Ok(None);
    };
    let text = staktau::read(layout, &mut input).map_err(failed)?;
    json(&text).map(Some)
}
