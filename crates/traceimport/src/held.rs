//! Sources whose bytes are in memory, because they had to be unpacked first.

use std::sync::Arc;

use schedrows::{
    scan_stream, Diagnostic, ReadAt, ReadError, Scan, Scanner, Source, SourceError, SourceInfo, Stream, Want,
};

use crate::unwrap::{Unwrap, Wrapping, STEP};

/// The most bytes that are unpacked: a bomb has more.
const MOST: u64 = 1 << 30;

/// A source of unpacked bytes that can be scanned anywhere.
pub(crate) type Inner = dyn Source + Send + Sync;

/// A file and what was made of it.
pub struct Held<R> {
    outer: R,
    inner: Arc<Inner>,
}

impl<R: ReadAt> Held<R> {
    pub(crate) fn new(outer: R, inner: Arc<Inner>) -> Self {
        Held { outer, inner }
    }

    /// The file's bytes.
    pub fn bytes(&self) -> &R {
        &self.outer
    }
}

/// All bytes of a file.
pub(crate) fn read_all(input: &dyn ReadAt) -> Result<Vec<u8>, ReadError> {
    let mut bytes = vec![0; input.len().min(MOST) as usize];
    input.read_at(0, &mut bytes)?;
    Ok(bytes)
}

/// What packed bytes hold, as far as they can be unpacked; bytes that are not packed stay as they are.
pub(crate) fn unpack(bytes: Vec<u8>) -> Vec<u8> {
    let wrapping = Wrapping::of(&bytes);
    if wrapping == Wrapping::None {
        return bytes;
    }
    let mut unwrap = Unwrap::new(wrapping);
    let mut out = Vec::new();
    for part in bytes.chunks(STEP) {
        // Damage ends the bytes, as a cut does.
        if unwrap
            .push(part, &mut |unpacked| out.extend_from_slice(unpacked))
            .is_err()
            || MOST < out.len() as u64
        {
            break;
        }
    }
    unwrap.finish(&mut |unpacked| out.extend_from_slice(unpacked));
    out.truncate(MOST as usize);
    out
}

/// Scans what is in memory; the file's bytes are only its progress.
struct HeldScanner {
    inner: Arc<Inner>,
    want: Want,
}

impl Scanner for HeldScanner {
    fn push(&mut self, _bytes: &[u8]) {}

    fn events(&self) -> u64 {
        0
    }

    fn finish(self: Box<Self>) -> Scan {
        let mut scan = Scan::default();
        for stream in 0..self.inner.streams().len() {
            // Memory can be read.
            if let Ok(found) = scan_stream(self.inner.as_ref(), stream, self.want, &mut |_| {}) {
                scan.cpus.extend(found.cpus);
            }
        }
        scan
    }
}

impl<R: ReadAt> Source for Held<R> {
    fn info(&self) -> SourceInfo {
        self.inner.info()
    }

    fn select_buffer(&mut self, name: &str) -> Result<(), SourceError> {
        match Arc::get_mut(&mut self.inner) {
            Some(inner) => inner.select_buffer(name),
            // A scan has begun, which is of the buffer that was shown.
            None => Err(SourceError::no_buffers(self.inner.info().format)),
        }
    }

    fn diagnostics(&self) -> &[Diagnostic] {
        self.inner.diagnostics()
    }

    fn input(&self) -> &dyn ReadAt {
        &self.outer
    }

    fn streams(&self) -> Vec<Stream> {
        vec![Stream::whole(&self.outer)]
    }

    fn scanner(&self, stream: usize, want: Want) -> Option<Box<dyn Scanner>> {
        let inner = Arc::clone(&self.inner);
        // Where the records are would be said of the bytes in memory.
        let want = Want { index: false, ..want };
        (stream == 0).then(|| Box::new(HeldScanner { inner, want }) as Box<dyn Scanner>)
    }

    fn first_ns(&self) -> Result<Option<u64>, ReadError> {
        self.inner.first_ns()
    }

    fn event_name(&self, id: u16) -> Option<(&str, &str)> {
        self.inner.event_name(id)
    }
}
