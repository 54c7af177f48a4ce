//! Files of every format that are cut anywhere, and with wrong bytes: they open as far as they can, or say why not, in
//! bounded time and memory.

use std::time::Duration;

use schedrows::{scan_stream, Source, Want};
use traceimport::Import;

use super::{dat, formats, STORY};
use crate::damage::{watch, Random};

/// Memory that a file may take whatever its size: buffers for reading and unpacking.
const MEMORY: usize = 8 << 20;
/// Memory that it may take for each of its bytes, unpacked.
const MEMORY_PER_BYTE: usize = 128;
/// What a byte of deflate's may become.
const UNPACKED: usize = 1032;
/// Far more than such a file takes on a busy machine.
const TIME: Duration = Duration::from_secs(10);

/// Opens and reads all; how many rows there are, if it opens.
fn read(name: &str, bytes: &[u8]) -> Option<u64> {
    let ((rows, told), cost) = watch(|| {
        let file = match Import::open(bytes) {
            Ok(file) => file,
            Err(error) => return (None, !error.message.is_empty() && !error.advice.is_empty()),
        };
        let _ = (file.info(), file.first_ns().unwrap(), file.queues().len());
        let want = Want {
            kernel: true,
            ..Want::default()
        };
        let mut rows = 0;
        for stream in 0..file.streams().len() {
            let scan = scan_stream(&file, stream, want, &mut |_| {}).unwrap();
            rows += scan.cpus.iter().map(|cpu| cpu.rows.iter().count() as u64).sum::<u64>();
        }
        (Some(rows), true)
    });
    assert!(told, "{name}: refused without a reason");
    let unpacked = if name.contains(',') { UNPACKED } else { 1 };
    let most = MEMORY + MEMORY_PER_BYTE * bytes.len() * unpacked;
    assert!(
        cost.most < most && cost.time < TIME,
        "{name}: {cost:?} for {} bytes",
        bytes.len()
    );
    rows
}

/// Places of a file; all, unless there are more than `most`.
fn places(len: usize, most: usize) -> impl Iterator<Item = usize> {
    (0..len).step_by(len.div_ceil(most))
}

#[test]
fn files_that_are_cut_open_up_to_the_cut() {
    for (name, _, bytes) in formats(&dat(STORY)) {
        let whole = read(name, &bytes).unwrap();
        let mut opened = 0;
        // Files of a few thousand bytes: nearly every place, so every boundary too.
        for cut in places(bytes.len(), 4000) {
            if let Some(rows) = read(name, &bytes[..cut]) {
                opened += 1;
                // Each CPU says that its end is missing.
                assert!(rows <= whole + 2, "{name}, cut at {cut}: {rows} of {whole} rows");
            }
        }
        // Of zstd nothing comes out before a block is all there.
        assert!(0 < opened || name.ends_with("zstd"), "{name}");
    }
}

#[test]
fn wrong_bytes_do_no_harm() {
    let mut random = Random(0x2545_f491_4f6c_dd1d);
    for (name, _, bytes) in formats(&dat(STORY)) {
        let mut opened = 0;
        for _ in 0..10_000 {
            let mut damaged = bytes.clone();
            let at = random.below(bytes.len());
            damaged[at] ^= 1 + random.below(255) as u8;
            if let Some(rows) = read(name, &damaged) {
                opened += 1;
                assert!(rows < 4000 * bytes.len() as u64, "{name}, byte {at}: {rows} rows");
            }
        }
        assert!(1000 < opened, "{name}: {opened} of 10000 opened");
    }
}
