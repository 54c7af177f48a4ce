//! Files that end too early: at every place where something that the file lists begins or ends, and at a thousand other
//! places.

use schedrows::RowKind;
use tracedat::file::{OptionValue, TraceFile};

use super::reading::{events, read, whole_file, SHAPES};

/// The places at which the file is cut.
fn cuts(bytes: &[u8]) -> Vec<usize> {
    let file = TraceFile::open(bytes).unwrap();
    let mut edges = Vec::new();
    for option in &file.header().options {
        edges.extend([option.offset - 6, option.offset, option.offset + u64::from(option.size)]);
        if let OptionValue::Section(at) | OptionValue::Buffer { offset: at, .. } = option.value {
            edges.push(at);
        }
    }
    for section in file.sections() {
        edges.extend([section.offset, section.offset + 16, section.offset + 16 + section.size]);
    }
    for extent in file.buffers().iter().flat_map(|buffer| &buffer.cpus) {
        edges.extend([
            extent.offset,
            extent.offset + 4,
            extent.offset + 12,
            extent.offset + extent.size,
        ]);
    }
    let around = edges.iter().flat_map(|&edge| [edge.saturating_sub(1), edge, edge + 1]);
    let between = (0..bytes.len() as u64).step_by(bytes.len().div_ceil(1000));
    let mut cuts: Vec<usize> = around.chain(between).map(|cut| cut as usize).collect();
    cuts.retain(|&cut| cut < bytes.len());
    cuts.sort_unstable();
    cuts.dedup();
    cuts
}

#[test]
fn cut_files_open_up_to_the_cut() {
    for shape in SHAPES {
        let bytes = whole_file(shape, 300);
        let whole = read(&bytes, 0).unwrap();
        assert_eq!(whole.iter().map(|scan| scan.records).sum::<u64>(), 300, "{shape}");
        let mut opened = 0;
        let cuts = cuts(&bytes);
        assert!(cuts.len() > 1000, "{}", cuts.len());
        for cut in cuts {
            let scans = match read(&bytes[..cut], cut) {
                Ok(scans) => scans,
                Err(error) => {
                    let kind = error.kind().name();
                    let clear = kind == "truncated" || (cut < 10 && kind == "not_a_trace");
                    assert!(clear, "{shape}, cut at {cut}: {error}");
                    continue;
                }
            };
            opened += 1;
            for scan in scans {
                let full = whole.iter().find(|full| full.cpu == scan.cpu).unwrap();
                let (found, all) = (events(&scan), events(full));
                assert!(
                    all.starts_with(&found),
                    "{shape}, cut at {cut}: CPU {} tells another story",
                    scan.cpu
                );
                if found.len() < all.len() && !found.is_empty() {
                    let last = scan.rows.iter().last().map(|row| row.kind);
                    assert_eq!(last, Some(RowKind::Lost), "{shape}, cut at {cut}: no gap at the end");
                }
            }
        }
        assert!(opened > 10, "{shape}: {opened}");
    }
}
