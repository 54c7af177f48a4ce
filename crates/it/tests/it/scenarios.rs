//! Stories told in text, written by `tracegen` in every shape of file, and read back as rows.

use schedrows::{CpuScan, DiagnosticKind, Row, RowKind};
use tracedat::file::TraceFile;
use tracedat::scan::scan_cpu;
use tracegen::Story;

const STORY: &str = "
    cpus 2
    start 10s
    +0     cpu0  switch  swapper/0:0 R -> bash:100
    +10us  cpu0  waking  'a worker':101 on 1 hardirq
    +12us  cpu1  wakeup  'a worker':101 on 1 prio 98
    +3us   cpu1  switch  swapper/1:0 R -> 'a worker':101
    +1us   cpu0  fork    bash:100 -> bash:102
    +1us   cpu0  wakeup_new bash:102 on 1
    +1us   cpu0  migrate bash:102 1 -> 0
    +1us   cpu0  numa    bash:102 1 -> 0
    +1s    cpu0  exec    bash:100 /usr/bin/true
    +1us   cpu0  rename  100 bash -> true
    +1us   cpu0  print   'something else'
    +1us   cpu0  absolute
    +1us   cpu0  switch  true:100 R+ -> bash:102
    +1us   cpu0  discarded 20
    +1us   cpu1  lost 7
    +1us   cpu1  exit    'a worker':101 nmi
    +1us   cpu1  switch  'a worker':101 Z -> swapper/1:0
    +1us   cpu1  lost
    +1us   cpu1  switch  swapper/1:0 R -> kthread:9 prio 120
    +1us   cpu0  switch  bash:102 D -> swapper/0:0
";

fn read(layout: &str, story: &str) -> Vec<CpuScan> {
    let text = format!("{layout}\n{}", story.replace('\'', "\""));
    let bytes = Story::parse(&text).unwrap().to_bytes();
    let file = TraceFile::open(bytes).unwrap_or_else(|error| panic!("{layout}: {error}"));
    assert!(file.diagnostics().is_empty(), "{layout}: {:?}", file.diagnostics());
    (0..file.cpus().len())
        .map(|cpu| scan_cpu(&file, cpu).unwrap())
        .collect()
}

/// A row in words: only the fields that its kind has.
fn describe(row: &Row, scan: &CpuScan) -> String {
    let name = |index: u32| scan.comms.names[index as usize].as_str();
    let kind = row.kind;
    let what = match kind {
        RowKind::Switch => format!(
            "{}:{} {:?} -> {}:{} [{}]",
            name(row.comm),
            row.pid,
            char::from(row.state & 0x7f).to_string() + if row.state & 0x80 != 0 { "+" } else { "" },
            name(row.comm2),
            row.arg,
            row.prio
        ),
        RowKind::Waking | RowKind::Wakeup | RowKind::WakeupNew => {
            format!("{}:{} on {} [{}]", name(row.comm), row.pid, row.arg, row.prio)
        }
        RowKind::Migrate => format!("{}:{} {} -> {}", name(row.comm), row.pid, row.comm2, row.arg),
        RowKind::Fork | RowKind::Rename => {
            format!("{}:{} -> {}:{}", name(row.comm), row.pid, name(row.comm2), row.arg)
        }
        RowKind::Exec => format!("{} was {} runs {}", row.pid, row.arg, name(row.comm)),
        RowKind::Exit => format!("{}:{} [{}]", name(row.comm), row.pid, row.prio),
        RowKind::Lost => format!("{}", row.arg),
        _ => format!("{} {} -> {}", row.pid, row.comm2, row.arg),
    };
    let context = if row.context == 0 {
        String::new()
    } else {
        format!(" context {}", row.context)
    };
    let by = if kind == RowKind::Lost {
        String::new()
    } else {
        format!(" by {}", row.writer().unwrap_or(-1))
    };
    format!("{} {kind:?} {what}{by}{context}", row.ts)
}

fn rows(scan: &CpuScan) -> Vec<String> {
    scan.rows.iter().map(|row| describe(&row, scan)).collect()
}

#[test]
fn every_shape_of_file_tells_the_same_story() {
    let mut shapes = 0;
    for version in [
        "version 6",
        "version 7",
        "version 7\ncompression zlib",
        "version 7\ncompression zstd",
    ] {
        for endian in ["little", "big"] {
            for long in [4, 8] {
                for strings in ["fixed", "data_loc", "rel_loc"] {
                    for common in ["plain", "lazy"] {
                        let layout =
                            format!("{version}\nendian {endian}\nlong {long}\nstrings {strings}\ncommon {common}");
                        check_story(&layout);
                        shapes += 1;
                    }
                }
            }
        }
    }
    assert_eq!(shapes, 96);
}

fn check_story(layout: &str) {
    let scans = read(layout, STORY);
    assert_eq!(
        rows(&scans[0]),
        [
            "10000000000 Switch swapper/0:0 \"R\" -> bash:100 [120] by 0",
            "10000010000 Waking a worker:101 on 1 [120] by 100 context 1",
            "10000026000 Fork bash:100 -> bash:102 by 100",
            "10000027000 WakeupNew bash:102 on 1 [120] by 100",
            "10000028000 Migrate bash:102 1 -> 0 by 100",
            "10000029000 MoveNuma 102 1 -> 0 by 100",
            "11000029000 Exec 100 was 100 runs /usr/bin/true by 100",
            "11000030000 Rename bash:100 -> true:0 by 100",
            "11000033000 Switch true:100 \"R+\" -> bash:102 [120] by 100",
            "11000040000 Switch bash:102 \"D\" -> swapper/0:0 [120] by 102",
        ],
        "{layout}"
    );
    assert_eq!(
        rows(&scans[1]),
        [
            "10000022000 Wakeup a worker:101 on 1 [98] by 0",
            "10000025000 Switch swapper/1:0 \"R\" -> a worker:101 [120] by 0",
            "10000025000 Lost 7",
            "11000036000 Exit a worker:101 [120] by 101 context 4",
            "11000037000 Switch a worker:101 \"Z\" -> swapper/1:0 [120] by 101",
            "11000037000 Lost -1",
            "11000039000 Switch swapper/1:0 \"R\" -> kthread:9 [120] by 0",
        ],
        "{layout}"
    );
    assert_eq!((scans[0].records, scans[1].records), (11, 5), "{layout}");
    assert_eq!((scans[1].lost_events, scans[1].lost_gaps), (7, 2), "{layout}");
}

#[test]
fn a_gap_before_the_first_record_has_its_time() {
    let scans = read("version 7", "start 5s\n+0 cpu0 lost 3\n+1us cpu0 exit a:1\n");
    assert_eq!(rows(&scans[0]), ["5000001000 Lost 3", "5000001000 Exit a:1 [120] by 0"]);
}

#[test]
fn time_that_goes_back_is_kept_and_told() {
    let scans = read("version 7", "20us cpu0 exit a:1\n10us cpu0 page\n10us cpu0 exit b:2\n");
    assert_eq!(
        scans[0].rows.iter().map(|row| row.ts).collect::<Vec<_>>(),
        [20_000, 10_000]
    );
    let told = &scans[0].diagnostics[0];
    assert_eq!(
        (told.kind, told.count, told.at_ns),
        (DiagnosticKind::TimeBackwards, 1, Some(10_000))
    );
}

#[test]
fn formats_that_are_missing_leave_counts() {
    let scans = read("formats none", "1us cpu0 exit a:1\n2us cpu0 print x\n");
    assert!(scans[0].rows.is_empty());
    assert_eq!(scans[0].records, 2);
}

#[test]
fn the_offset_option_moves_every_time() {
    let scans = read("offset -500", "1us cpu0 exit a:1\n");
    assert_eq!(scans[0].first_ns, Some(500));
}

#[test]
fn bytes_may_come_in_pieces_of_any_size() {
    for layout in ["version 6", "compression zstd"] {
        let text = format!("{layout}\n{}", STORY.replace('\'', "\""));
        let bytes = Story::parse(&text).unwrap().to_bytes();
        let file = TraceFile::open(bytes.as_slice()).unwrap();
        for (index, extent) in file.cpus().iter().enumerate() {
            let whole = scan_cpu(&file, index).unwrap();
            let data = &bytes[extent.offset as usize..][..extent.size as usize];
            for size in [1, 7, 4096, data.len()] {
                let mut scanner = file.cpu_scanner(index).unwrap();
                data.chunks(size).for_each(|piece| scanner.push(piece));
                assert_eq!(scanner.finish().to_bytes(), whole.to_bytes(), "{layout}, {size}");
            }
        }
    }
}
