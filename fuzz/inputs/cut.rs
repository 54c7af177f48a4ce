//! Parts of a whole trace.dat in each format that is written: no more than a multiple of the file, whatever it says.

use std::io::{self, Seek, SeekFrom, Write};

use tracedat::cut::{cut, cut_as, Window};
use tracedat::file::TraceFile;
use tracedat::write::FileVersion;
use traceexport::perfetto;

/// How many times the bytes of a file are written, and how many bytes at least.
const MOST: (u64, u64) = (64, 16 << 20);

/// Counts what is written, and keeps nothing.
#[derive(Default)]
struct Counted {
    at: u64,
    written: u64,
}

impl Write for Counted {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.at += bytes.len() as u64;
        self.written += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Seek for Counted {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        match to {
            SeekFrom::Start(at) => self.at = at,
            SeekFrom::Current(0) => {}
            _ => panic!("nothing is written from the end"),
        }
        Ok(self.at)
    }
}

pub fn check(bytes: &[u8]) {
    let Ok(file) = TraceFile::open(bytes) else {
        return;
    };
    let window = Window::default();
    let most = MOST.0 * bytes.len() as u64 + MOST.1;
    let check = |write: &dyn Fn(&mut Counted)| {
        let mut out = Counted::default();
        write(&mut out);
        assert!(out.written <= most, "{} bytes of {}", out.written, bytes.len());
    };
    // An error is an answer, too.
    check(&|out| drop(cut(&file, &window, out)));
    check(&|out| drop(cut_as(&file, &window, FileVersion::V6, out)));
    check(&|out| drop(cut_as(&file, &window, FileVersion::V7, out)));
    check(&|out| drop(perfetto::write(&file, &window, perfetto::Extra::default(), out)));
}
