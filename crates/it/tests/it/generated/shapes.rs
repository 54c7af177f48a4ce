//! The same story is read from files of every shape.

use tracedat::file::TraceFile;
use tracegen::{Common, Endian, Layout, Story, Strings};

use super::told::{scans, told, STORY};

/// What the story is read as from a plain little-endian file of version 7.
fn plain() -> Vec<String> {
    told(&scans(Story::parse(STORY).unwrap().to_bytes()).unwrap())
}

fn reads_the_same(change: impl FnOnce(&mut Layout)) {
    let mut story = Story::parse(STORY).unwrap();
    change(&mut story.layout);
    let scans = scans(story.to_bytes()).unwrap();
    assert_eq!(told(&scans), plain());
    // Each CPU with a gap has one diagnostic about lost events; there may be no other.
    let found: Vec<&str> = scans
        .iter()
        .flat_map(|scan| &scan.diagnostics)
        .map(|d| d.text.as_str())
        .collect();
    assert_eq!(found.len(), 2, "{found:?}");
}

#[test]
fn the_story_is_told_in_full() {
    let lines = plain();
    let has = |part: &str| {
        assert!(
            lines.iter().any(|line| line.contains(part)),
            "no `{part}` in {lines:#?}"
        )
    };
    has("cpu0 9 records Some(10000000000)..Some(10900026000), lost 17 in 1");
    has("cpu1 6 records Some(10000013000)..Some(15900029000), lost 0 in 1");
    has("10000010000 kind 1 by 100 context 1 pid 101 Some(\"worker\")");
    has("10900016000 kind 0 by 101 context 0 pid 101 Some(\"worker\") Some(\"my comm\") arg 102 state 'R'+ prio 120");
}

#[test]
fn version_6() {
    reads_the_same(|layout| layout.version = "6".into());
}

#[test]
fn version_6_big_endian() {
    reads_the_same(|layout| {
        layout.version = "6".into();
        layout.endian = Endian::Big;
    });
}

#[test]
fn zlib() {
    reads_the_same(|layout| layout.compression = "zlib".into());
}

#[test]
fn zstd() {
    reads_the_same(|layout| layout.compression = "zstd".into());
}

#[test]
fn big_endian() {
    reads_the_same(|layout| layout.endian = Endian::Big);
}

#[test]
fn longs_of_4_bytes() {
    reads_the_same(|layout| {
        layout.long_size = 4;
        layout.user_long_size = 4;
    });
}

#[test]
fn longs_of_4_bytes_big_endian_zlib() {
    reads_the_same(|layout| {
        layout.long_size = 4;
        layout.user_long_size = 4;
        layout.endian = Endian::Big;
        layout.compression = "zlib".into();
    });
}

/// The header gives the size of the recorder's long; pages and fields use the kernel's.
#[test]
fn a_32_bit_recorder_on_a_64_bit_kernel() {
    reads_the_same(|layout| layout.user_long_size = 4);
}

#[test]
fn pages_of_64_kib() {
    reads_the_same(|layout| layout.page_size = 65536);
}

#[test]
fn names_at_a_data_loc() {
    reads_the_same(|layout| layout.strings = Strings::DataLoc);
}

#[test]
fn names_at_a_rel_loc() {
    reads_the_same(|layout| layout.strings = Strings::RelLoc);
}

#[test]
fn one_more_common_field() {
    reads_the_same(|layout| layout.common = Common::Lazy);
}

#[test]
fn an_offset_moves_every_time() {
    let mut story = Story::parse("+5s cpu0 exit a:1").unwrap();
    story.layout.offset_ns = Some(1_700_000_000_000_000_000);
    let scans = scans(story.to_bytes()).unwrap();
    assert_eq!(scans[0].first_ns, Some(1_700_000_005_000_000_000));
}

/// The bytes of a CPU may come in pieces of any size.
#[test]
fn pieces_of_any_size() {
    for compression in ["none", "zlib", "zstd"] {
        let mut story = Story::parse(STORY).unwrap();
        story.layout.compression = compression.into();
        let bytes = story.to_bytes();
        let file = TraceFile::open(bytes.clone()).unwrap();
        for size in [1, 3, 4, 16, 4095, 4096, 4097] {
            let scans: Vec<_> = file
                .cpus()
                .iter()
                .enumerate()
                .map(|(index, extent)| {
                    let data = &bytes[extent.offset as usize..][..extent.size as usize];
                    let mut scanner = file.cpu_scanner(index).unwrap();
                    data.chunks(size).for_each(|piece| scanner.push(piece));
                    scanner.finish()
                })
                .collect();
            assert_eq!(told(&scans), plain(), "{compression}, pieces of {size}");
        }
    }
}

/// There are enough events for many pages and chunks.
#[test]
fn many_pages() {
    let mut text = String::from("cpus 2\nstart 1s\n");
    for round in 0..2000 {
        text.push_str(&format!(
            "+1us cpu{} waking a:1 on 0\n+1ns cpu{} exit b:2\n",
            round % 2,
            round % 2
        ));
    }
    let mut story = Story::parse(&text).unwrap();
    let plain = told(&scans(story.to_bytes()).unwrap());
    assert_eq!(plain.len(), 2 + 4000);
    for compression in ["zlib", "zstd"] {
        story.layout.compression = compression.into();
        assert_eq!(told(&scans(story.to_bytes()).unwrap()), plain, "{compression}");
    }
}

/// An absolute stamp has 59 bits; the higher ones come from the time before it. `trace-cmd report -t` prints these times,
/// in every one of these shapes.
#[test]
fn stamps_beyond_59_bits() {
    for start in [10u64, 570_000_000, 600_000_000, 1_200_000_000, 17_000_000_000] {
        for shape in ["", "long 4", "endian big", "page 65536", "compression zstd"] {
            let story = format!(
                "{shape}\nstart {start}s\n+0 cpu0 exit a:1\n+5us cpu0 absolute\n+1us cpu0 exit b:2\n\
                 +1us cpu0 discarded 40\n+300ms cpu0 absolute\n+1us cpu0 exit c:3\n+2000s cpu0 exit d:4\n"
            );
            let scans = scans(Story::parse(&story).unwrap().to_bytes()).unwrap();
            let times: Vec<u64> = scans[0].rows.iter().map(|row| row.ts - start * 1_000_000_000).collect();
            assert_eq!(times, [0, 6_000, 300_008_000, 2_000_300_008_000], "{start} {shape}");
        }
    }
}
