//! The text of latency tracers.

use super::compression::{Codec, Unpacker};
use super::cursor::Cursor;
use super::trace_file::TraceFile;
use crate::error::OpenError;
use schedrows::ReadAt;

impl<R: ReadAt> TraceFile<R> {
    /// What `tracing/trace` held: `self.header().texts[index]`, unpacked. Empty when there is no such text.
    pub fn latency_text(&self, index: usize) -> Result<Vec<u8>, OpenError> {
        let Some(text) = self.header().texts.get(index) else {
            return Ok(Vec::new());
        };
        let mut cursor = Cursor::new(self.input(), self.header().endian, text.offset);
        let size = text.size.min(cursor.left());
        if !text.packed {
            return cursor.bytes(size, "a latency tracer's text");
        }
        unpack_chunks(&mut cursor, self.codec)
    }
}

/// A count of chunks; for each its packed size, its unpacked size, and its bytes.
fn unpack_chunks<R: ReadAt + ?Sized>(cursor: &mut Cursor<'_, R>, codec: Codec) -> Result<Vec<u8>, OpenError> {
    let mut unpacker = Unpacker::new(codec);
    let mut text = Vec::new();
    let mut chunk = Vec::new();
    for _ in 0..cursor.u32("the count of chunks")? {
        let packed = cursor.u32("a chunk's header")?;
        let unpacked = cursor.u32("a chunk's header")?;
        let place = cursor.place();
        let bytes = cursor.bytes(u64::from(packed), "a chunk")?;
        if let Err(error) = unpacker.unpack(&bytes, unpacked as usize, &mut chunk) {
            return Err(OpenError::Malformed {
                what: format!("a chunk of text does not unpack: {error}"),
                place,
            });
        }
        text.extend_from_slice(&chunk);
    }
    Ok(text)
}
