//! Files cut at every kind of place, with flipped bytes, and bytes at random: they open as far as they can, or say why not.

use proptest::prelude::*;
use schedrows::Source;
use traceimport::Import;

use super::{sample, scan};

/// Rows that come out, if the file opens.
fn read(bytes: &[u8]) -> Option<u64> {
    let source = Import::open(bytes).ok()?;
    let _ = (source.info(), source.first_ns(), source.queues().len());
    let scans = scan(&source);
    let rows: u64 = scans.iter().map(|scan| scan.rows.iter().count() as u64).sum();
    // A row comes from more than a byte, packed or not.
    assert!(rows <= 64 << 20);
    Some(rows)
}

#[test]
fn a_file_that_is_cut_gives_what_is_there() {
    for name in ["lost-4cpu.pftrace", "full-4cpu.pftrace", "compact-mix-4cpu.pftrace.gz"] {
        let bytes = sample(name);
        let all = read(&bytes).unwrap();
        let mut last = 0;
        for end in (0..200).map(|step| bytes.len() * step / 200) {
            let found = read(&bytes[..end]).unwrap_or(0);
            // What is cut off adds a row for each CPU that says so.
            assert!(found <= all + 4, "{name} at {end}");
            assert!(last <= found + 8, "{name} at {end}: {found} after {last}");
            last = found;
        }
    }
}

#[test]
fn flipped_bytes_do_no_harm() {
    let plain = zstd::decode_all(sample("scxtop-shaped-4cpu.proto.zst").as_slice()).unwrap();
    let files = [
        sample("lost-4cpu.pftrace"),
        sample("full-4cpu.pftrace"),
        sample("compact-mix-4cpu.pftrace.gz"),
    ];
    for bytes in files.iter().chain([&plain[..40_000].to_vec()]) {
        let mut at = 7_usize;
        for step in 0..300_usize {
            at = (at * 1_103_515_245 + 12_345) % bytes.len();
            let mut damaged = bytes.clone();
            damaged[at] ^= 1 << (step % 8);
            read(&damaged);
        }
    }
}

#[test]
fn damage_in_the_middle_leaves_the_rest() {
    let bytes = sample("compact-4cpu.pftrace");
    let all = read(&bytes).unwrap();
    let mut damaged = bytes.clone();
    damaged[70_000..70_040].fill(0xff);
    let found = read(&damaged).unwrap();
    assert!(all * 9 / 10 < found, "{found} of {all}");
}

proptest! {
    #[test]
    fn arbitrary_packets_are_read(bytes in prop::collection::vec(prop_oneof![0_u8..20, any::<u8>()], 0..300)) {
        let mut file = b"\x0a\x04\x08\x01\x10\x02".to_vec();
        file.extend(&bytes);
        read(&file);
        let mut file = vec![0x0a, bytes.len() as u8 | 0x80, (bytes.len() >> 7) as u8, 0x0a, (bytes.len() as u8).saturating_sub(2) & 0x7f];
        file.extend(&bytes);
        read(&file);
    }
}
