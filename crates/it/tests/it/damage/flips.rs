//! Files with wrong bytes. Whether the result is true cannot be checked, but they must be read to the end.

use schedrows::CpuScan;

use super::reading::{read, whole_file, Random, SHAPES};

fn rows(scans: &[CpuScan]) -> usize {
    scans.iter().map(|scan| scan.rows.len()).sum()
}

/// Changes one byte at ten thousand places of one file.
fn flip(shape: &str, seed: u64) {
    let bytes = whole_file(shape, 60);
    let mut random = Random(seed);
    let mut opened = 0;
    for turn in 0..10_000 {
        let mut damaged = bytes.clone();
        let at = random.below(bytes.len());
        damaged[at] ^= 1 + random.below(255) as u8;
        match read(&damaged, turn) {
            Ok(scans) => {
                opened += 1;
                assert!(rows(&scans) < 4 * bytes.len(), "byte {at}");
            }
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    }
    // Only few bytes are so important that without them the file does not open.
    assert!(opened > 9_900, "{shape}: {opened} of 10000 opened");
}

#[test]
fn a_wrong_byte_in_version_6() {
    flip("version 6", 0x2545_f491_4f6c_dd1d);
}

#[test]
fn a_wrong_byte_in_version_7_with_zlib() {
    flip("version 7\ncompression zlib", 0x9e37_79b9_7f4a_7c15);
}

#[test]
fn a_wrong_byte_in_version_7_with_zstd() {
    flip("version 7\ncompression zstd", 0xbf58_476d_1ce4_e5b9);
}

/// Changes some bytes, or sets a whole number to ones: small numbers are sizes and counts, which single bytes rarely
/// hit.
#[test]
fn many_wrong_bytes() {
    let mut random = Random(0x94d0_49bb_1331_11eb);
    for shape in SHAPES {
        let bytes = whole_file(shape, 300);
        for turn in 0..300 {
            let mut damaged = bytes.clone();
            for _ in 0..=random.below(3) {
                damaged[random.below(bytes.len())] = random.below(256) as u8;
            }
            if random.below(2) == 0 {
                let at = random.below(bytes.len() - 4);
                damaged[at..at + 4].fill(0xff);
            }
            if let Ok(scans) = read(&damaged, turn) {
                assert!(rows(&scans) < 10 * bytes.len());
            }
        }
    }
}
