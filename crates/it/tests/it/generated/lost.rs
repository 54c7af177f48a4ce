//! Gaps: what the kernel recorded about events that it dropped.

use schedrows::{CpuScan, RowKind};
use tracegen::Story;

use super::told::scans;

/// The time and the number of lost events of each gap of the first CPU.
fn gaps(text: &str) -> (CpuScan, Vec<(u64, i32)>) {
    let scan = scans(Story::parse(text).unwrap().to_bytes()).unwrap().remove(0);
    let gaps = scan
        .rows
        .iter()
        .filter(|row| row.kind == RowKind::Lost)
        .map(|row| (row.ts, row.arg))
        .collect();
    (scan, gaps)
}

#[test]
fn a_gap_lies_after_the_last_record_before_it() {
    let (scan, gaps) = gaps("5 cpu0 exit a:1\n 7 cpu0 print x\n 8 cpu0 lost 17\n 9 cpu0 exit b:2");
    assert_eq!(gaps, [(7, 17)]);
    assert_eq!((scan.lost_events, scan.lost_gaps), (17, 1));
}

#[test]
fn a_gap_without_a_number_is_counted_as_one() {
    let (scan, gaps) = gaps("5 cpu0 exit a:1\n 8 cpu0 lost\n 9 cpu0 exit b:2");
    assert_eq!(gaps, [(5, -1)]);
    assert_eq!((scan.lost_events, scan.lost_gaps), (0, 1));
}

#[test]
fn a_stream_may_begin_with_a_gap() {
    let (_, gaps) = gaps("0 cpu0 lost 3\n 9 cpu0 exit b:2");
    assert_eq!(gaps, [(9, 3)]);
}

#[test]
fn numbers_have_the_size_of_a_long() {
    for long in ["4", "8"] {
        for endian in ["little", "big"] {
            let (_, gaps) = gaps(&format!(
                "long {long}\nendian {endian}\n5 cpu0 exit a:1\n 8 cpu0 lost 70000\n 9 cpu0 exit b:2"
            ));
            assert_eq!(gaps, [(5, 70000)], "{long} {endian}");
        }
    }
}
