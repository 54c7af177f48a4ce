//! Cuts of written files against the records of the whole that are in the window.

use std::fmt::Write;
use std::io::Cursor;

use proptest::prelude::*;
use traceevent::{Endian, Missed, PageLayout, PageWriter};

use super::*;
use crate::records::CpuRecords;

const SHAPES: [&str; 7] = [
    "version 6",
    "version 6\nendian big\nlong 4",
    "version 7",
    "version 7\ncompression zlib\nendian big",
    "version 7\ncompression zstd",
    "version 7\ncompression zstd\nendian big\nlong 4",
    "version 7\ncompression zlib\noffset 1000",
];

/// Time, data, and what was lost before.
type Found = Vec<(u64, Vec<u8>, Option<Missed>)>;

fn records<R: ReadAt>(file: &TraceFile<R>, index: usize) -> Found {
    let mut records = CpuRecords::new(file, 0, index).unwrap();
    let mut found = Found::new();
    while let Some(record) = records.peek().unwrap() {
        found.push((record.ts, record.data.to_vec(), record.missed));
        records.advance();
    }
    found
}

fn written(file: &TraceFile<impl ReadAt>, window: &Window) -> Result<(Written, Vec<u8>), CutError> {
    let mut out = Cursor::new(Vec::new());
    let written = cut(file, window, &mut out)?;
    Ok((written, out.into_inner()))
}

/// Steps as (CPU, ns since the step before, length of a text, events that are lost first, whether they are counted).
type Story = Vec<(u32, u64, usize, Option<u64>)>;

fn stories() -> impl Strategy<Value = Story> {
    let later = prop_oneof![3 => 0_u64..3, 2 => 0_u64..5000, 1 => Just(1 << 28)];
    let lost = prop_oneof![9 => Just(None), 1 => (0_u64..9).prop_map(Some)];
    prop::collection::vec((0_u32..3, later, 0_usize..300, lost), 1..400)
}

fn file_of(shape: &str, story: &Story) -> Vec<u8> {
    // CPU 3 has no records.
    let mut text = format!("{shape}\ncpus 4\nstart 1s\n");
    let mut now = 0;
    for (cpu, later, len, lost) in story {
        now += later;
        match lost {
            Some(0) => writeln!(text, "{now} cpu{cpu} lost").unwrap(),
            Some(count) => writeln!(text, "{now} cpu{cpu} lost {count}").unwrap(),
            None => {}
        }
        writeln!(text, "{now} cpu{cpu} print {}", "x".repeat(len + 1)).unwrap();
    }
    tracegen::Story::parse(&text).unwrap().to_bytes()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    /// The cut has the records of the window, with their times, bytes and marks, and all that the whole says of itself.
    #[test]
    fn a_cut_is_the_window(
        shape in prop::sample::select(&SHAPES[..]),
        story in stories(),
        ends in (0.0_f64..1.0, 0.0_f64..1.0),
        cpus in prop::option::of(prop::collection::vec(0_u32..4, 1..3)),
    ) {
        let bytes = file_of(shape, &story);
        let whole = TraceFile::open(bytes.as_slice()).unwrap();
        let all: Vec<Found> = (0..4).map(|index| records(&whole, index)).collect();
        let mut times: Vec<u64> = all.iter().flatten().map(|(ts, ..)| *ts).collect();
        times.sort_unstable();
        let at = |share: f64| times[(share * times.len() as f64) as usize];
        let window = Window { from: at(ends.0.min(ends.1)), to: Some(at(ends.0.max(ends.1))), cpus, pids: Vec::new() };
        let inside = |ts: u64| window.from <= ts && window.to.is_none_or(|to| ts < to);
        let expected: Vec<Found> = all
            .iter()
            .enumerate()
            .map(|(cpu, found)| {
                let kept = found.iter().filter(|(ts, ..)| window.has_cpu(cpu as u32) && inside(*ts));
                kept.cloned().collect()
            })
            .collect();
        let count = expected.iter().map(Vec::len).sum::<usize>() as u64;
        let result = written(&whole, &window);
        if count == 0 {
            prop_assert!(matches!(result, Err(CutError::Empty)));
            return Ok(());
        }
        let (told, part) = result.unwrap();
        prop_assert_eq!((told.records, told.bytes), (count, part.len() as u64));
        let part = TraceFile::open(part).unwrap();
        prop_assert_eq!(part.diagnostics(), &[]);
        let found: Vec<Found> = (0..4).map(|index| records(&part, index)).collect();
        prop_assert_eq!(found, expected);
        let says = |file: &crate::file::Header| {
            let options = file.options.iter().filter(|option| option.name() != Some("BUFFER"));
            let values = options.filter(|option| !matches!(option.value, crate::file::OptionValue::Section(_)));
            (file.version, file.endian, file.long_size, file.clock.clone(), file.uname.clone(), file.trace_id,
                file.cpu_count, values.map(|option| (option.id, option.value.clone())).collect::<Vec<_>>())
        };
        prop_assert_eq!(says(part.header()), says(whole.header()));
    }

    /// Damage anywhere: a cut is made or refused, and what is made opens.
    #[test]
    fn damage_is_survived(
        shape in prop::sample::select(&SHAPES[..]),
        story in stories(),
        flips in prop::collection::vec((0.0_f64..1.0, any::<u8>()), 0..8),
        end in 0.0_f64..1.5,
    ) {
        let mut bytes = file_of(shape, &story);
        for (share, byte) in flips {
            let at = (share * bytes.len() as f64) as usize;
            bytes[at] ^= byte;
        }
        bytes.truncate((end * bytes.len() as f64) as usize);
        if let Ok(whole) = TraceFile::open(bytes.as_slice()) {
            if let Ok((_, part)) = written(&whole, &Window::default()) {
                let _ = TraceFile::open(part);
            }
        }
    }

    /// Pages that are written are read with the same records, whatever their layout.
    #[test]
    fn pages_hold_what_was_pushed(
        big in any::<bool>(),
        long in prop::sample::select(&[4_u8, 8][..]),
        pushed in prop::collection::vec(
            (0_u64..1 << 40, prop::collection::vec(any::<u8>(), 2..200), prop::option::weighted(0.1, 0_u64..1 << 33)),
            1..60,
        ),
    ) {
        let endian = if big { Endian::Big } else { Endian::Little };
        let layout = PageLayout::standard(long, 512, endian).unwrap();
        let mut writer = PageWriter::new(layout, 512);
        let (mut pages, mut expected) = (Vec::new(), Found::new());
        let mut now = 0;
        for (later, data, missed) in pushed {
            now = if later % 7 == 0 { now / 2 } else { now + later };
            let missed = missed.map(|count| if count == 0 { Missed::Unknown } else { Missed::Count(count) });
            while !writer.push(now, missed, &data) {
                prop_assert!(writer.finish(&mut pages), "a record of {} bytes", data.len());
            }
            let too_many = matches!(missed, Some(Missed::Count(count)) if long == 4 && count > u64::from(u32::MAX));
            expected.push((now, data, if too_many { Some(Missed::Unknown) } else { missed }));
        }
        writer.finish(&mut pages);
        let mut found = Found::new();
        for page in pages.chunks(512) {
            let (header, records) = layout.open(page).unwrap();
            let mut missed = header.missed;
            for record in records {
                let record = record.unwrap();
                found.push((record.timestamp, record.data.to_vec(), missed.take()));
            }
        }
        prop_assert_eq!(found, expected);
    }
}

/// A task that only an event before the window names has its name in the cut.
#[test]
fn names_from_before_the_window_are_kept() {
    let story = "cpus 1\nstart 1s\n\
        100 cpu0 switch worker:7 S -> swapper/0:0\n200 cpu0 switch swapper/0:0 R -> other:8\n300 cpu0 print x\n";
    for shape in SHAPES {
        let bytes = tracegen::Story::parse(&format!("{shape}\n{story}")).unwrap().to_bytes();
        let whole = TraceFile::open(bytes.as_slice()).unwrap();
        let last = records(&whole, 0).last().unwrap().0;
        let window = Window {
            from: last,
            ..Window::default()
        };
        let (_, part) = written(&whole, &window).unwrap();
        let part = TraceFile::open(part).unwrap();
        for pid in [7, 8] {
            let name = if pid == 7 { "worker" } else { "other" };
            assert_eq!(part.lookup().comm(pid), Some(name.as_bytes()), "{shape}");
        }
    }
}
