//! Strips of a story whose waits are counted by hand.

use super::*;
use schedmodel::{Meta, TraceBuilder};
use tracedat::file::TraceFile;
use tracedat::scan::scan_cpu;

/// On CPU 0 one task waits from 10 to 20 µs, two until 30 µs, one until 40 µs.
const STORY: &str = "
    version 7
    cpus 2
    start 10s
    +0     cpu0  switch  swapper/0:0 R -> a:100
    +10us  cpu0  wakeup  b:101 on 0
    +10us  cpu0  wakeup  c:102 on 0
    +10us  cpu0  switch  a:100 S -> b:101
    +10us  cpu0  switch  b:101 S -> c:102
    +10us  cpu0  switch  c:102 S -> swapper/0:0
";

fn trace() -> Trace {
    let bytes = tracegen::Story::parse(STORY).unwrap().to_bytes();
    let file = TraceFile::open(bytes).unwrap();
    let scans = (0..file.cpus().len()).map(|cpu| scan_cpu(&file, cpu).unwrap());
    let scans: Vec<_> = scans.collect();
    let mut builder = TraceBuilder::new(scans[0].first_ns.unwrap());
    let cpus = scans.iter().map(|scan| scan.cpu).collect();
    scans.into_iter().for_each(|scan| builder.add(scan));
    builder.finish(Meta {
        cpus,
        ..Meta::default()
    })
}

/// Depth, colour, and (row, x, width, height) of each rectangle. CPU 0 is in row 1; 1 mm is 1 µs.
fn strips(pitch: f64, dot: Option<f64>) -> Vec<(String, Fill, Vec<[i64; 4]>)> {
    let frame = LanesFrame {
        window: 0..50_000,
        left: 0.0,
        top: 0.0,
        width: 50.0,
        pitch,
        rows: &[1, 0],
        dot,
    };
    let [_, band] = Band::of(pitch).parted();
    let items = runqueues(&trace(), &frame, &Shown::all(), 1000, band).items;
    let found = items.into_iter().filter_map(|item| match item {
        Item::Rects { label, fill, rects, .. } if label.class == "runqueue" => {
            let places = rects.iter().map(|rect| {
                // The strip ends at the lane's lower edge, without the gap.
                assert_eq!(rect.y + rect.height, rect.y / 100 * 100 + 93);
                [rect.y / 100, rect.x, rect.width, rect.height]
            });
            Some((label.data[0].1.clone(), fill, places.collect()))
        }
        _ => None,
    });
    found.collect()
}

#[test]
fn exact_strips_are_the_waits() {
    let expected =
        |depth: &str, colour: Rgb, places: &[[i64; 4]]| (depth.to_owned(), Fill::Solid(colour), places.to_vec());
    assert_eq!(
        strips(2.0, None),
        [
            expected("1", DEPTH[0], &[[1, 10_000, 10_000, 34], [1, 30_000, 10_000, 34]]),
            expected("2", DEPTH[1], &[[1, 20_000, 10_000, 34]]),
        ]
    );
    // In tall lanes the height is logarithmic: 34 * log 2 / log 3 is 21.
    let heights: Vec<i64> = strips(3.0, None).iter().map(|(_, _, places)| places[0][3]).collect();
    assert_eq!(heights, [21, 34]);
}

#[test]
fn merged_strips_are_the_most_and_paler_for_a_part() {
    // Dots are 20 µs in units of 10 ns: in the first, one task waits for half of it; in the second, 1.5 on average.
    let found = strips(2.0, Some(20.0));
    let half = DEPTH[0].mixed(PAPER, PALEST / 2.0);
    assert_eq!(
        found,
        [
            ("1".to_owned(), Fill::Solid(half), vec![[1, 0, 2000, 34]]),
            ("2".to_owned(), Fill::Solid(DEPTH[1]), vec![[1, 2000, 2000, 34]]),
        ]
    );
}
