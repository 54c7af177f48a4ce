//! Damage of known kinds, each with what has to remain readable.

use schedrows::DiagnosticKind;
use tracedat::file::{OptionValue, TraceFile};

use super::reading::{events, read, whole_file};

/// The place of the section to which an option of that name leads.
fn section(bytes: &[u8], name: &str) -> usize {
    let file = TraceFile::open(bytes).unwrap();
    let option = file.header().options.iter().find(|option| option.name() == Some(name));
    match option.unwrap().value {
        OptionValue::Section(at) => at as usize,
        ref other => panic!("{name} is {other}"),
    }
}

/// Checks that all records are there, whatever else is lost.
fn assert_records(damaged: &[u8], told: &str) {
    let file = TraceFile::open(damaged).unwrap();
    let diagnostics: Vec<String> = file
        .diagnostics()
        .iter()
        .map(|diagnostic| diagnostic.text.clone())
        .collect();
    assert!(diagnostics.iter().any(|text| text.contains(told)), "{diagnostics:?}");
    let scans = read(damaged, 0).unwrap();
    assert_eq!(scans.iter().map(|scan| scan.records).sum::<u64>(), 600);
}

#[test]
fn damaged_formats_cost_names_and_not_records() {
    let bytes = whole_file("version 7\ncompression zstd", 600);
    let mut damaged = bytes.clone();
    // behind the section's header (16 bytes) and its sizes (8): the frame's magic number
    damaged[section(&bytes, "EVENT_FORMATS") + 24] ^= 1;
    assert_records(&damaged, "section 18 does not unpack");
    assert!(read(&damaged, 0).unwrap().iter().all(|scan| scan.rows.is_empty()));
}

#[test]
fn without_the_first_options_the_sections_are_found() {
    for shape in [
        "version 7",
        "version 7\ncompression zlib",
        "version 7\ncompression zstd",
    ] {
        let bytes = whole_file(shape, 600);
        let whole: Vec<_> = read(&bytes, 0).unwrap().iter().map(events).collect();
        // The offset of the first options stands behind the names of the compression; then come the sections.
        let first_section = TraceFile::open(bytes.as_slice()).unwrap().sections()[0].offset as usize;
        for wrong in [0u64, 1, 77, u64::MAX] {
            let mut damaged = bytes.clone();
            damaged[first_section - 8..first_section].copy_from_slice(&wrong.to_le_bytes());
            let found: Vec<_> = read(&damaged, 0).unwrap().iter().map(events).collect();
            assert_eq!(found, whole, "{shape}, {wrong}");
        }
    }
}

#[test]
fn an_options_section_with_a_wrong_size_is_read_around() {
    let bytes = whole_file("version 7\ncompression zstd", 600);
    let file = TraceFile::open(bytes.as_slice()).unwrap();
    let whole: Vec<_> = read(&bytes, 0).unwrap().iter().map(events).collect();
    let option = &file.header().options[3];
    let mut damaged = bytes.clone();
    damaged[option.offset as usize - 1] = 0x7f;
    let found: Vec<_> = read(&damaged, 0).unwrap().iter().map(events).collect();
    assert_eq!(found, whole);
}

#[test]
fn without_its_sizes_version_6_still_finds_its_data() {
    for shape in ["version 6", "version 6\nendian big\nlong 4"] {
        let bytes = whole_file(shape, 600);
        let find = |tag: &[u8]| bytes.windows(tag.len()).position(|window| window == tag).unwrap();
        // the sizes of header_page, of the first format, of kallsyms, and the number of CPUs
        let header_page = find(b"header_page\0") + 12;
        let format = find(b"name: print") - 8;
        let kallsyms = find(b"0000000000001000 t symbol0") - 4;
        let cpus = find(b"options  \0") - 4;
        for (at, told) in [(header_page, ""), (format, ""), (kallsyms, ""), (cpus, "CPUs")] {
            let mut damaged = bytes.clone();
            damaged[at..at + 4].fill(0x7f);
            assert_records(&damaged, told);
        }
        // Formats that precede the damage are there.
        let mut damaged = bytes.clone();
        damaged[kallsyms..kallsyms + 4].fill(0xff);
        let scans = read(&damaged, 0).unwrap();
        assert_eq!(scans.iter().map(|scan| events(scan).len()).sum::<usize>(), 600);
    }
}

#[test]
fn damaged_options_of_version_6_are_skipped() {
    let bytes = whole_file("version 6", 600);
    let file = TraceFile::open(bytes.as_slice()).unwrap();
    let option = &file.header().options[1];
    let mut damaged = bytes.clone();
    let size = option.offset as usize - 4;
    damaged[size..size + 4].fill(0xff);
    assert_records(&damaged, "an option at byte ");
}

#[test]
fn a_chain_of_options_that_bites_its_tail_ends() {
    let bytes = whole_file("version 7", 600);
    let file = TraceFile::open(bytes.as_slice()).unwrap();
    let sections = file.sections();
    let options: Vec<_> = sections.iter().filter(|section| section.id == 0).collect();
    let last = options.last().unwrap();
    let link = (last.offset + 16 + last.size) as usize - 8;
    let mut damaged = bytes.clone();
    damaged[link..link + 8].copy_from_slice(&options[0].offset.to_le_bytes());
    assert_records(&damaged, "an options section that was read before");
    let file = TraceFile::open(damaged.as_slice()).unwrap();
    assert_eq!(file.diagnostics().len(), 1);
    assert_eq!(file.diagnostics()[0].kind, DiagnosticKind::Malformed);
}

/// `trace-cmd convert` of a file of the other byte order swaps the sizes of DONE, the numbers of CPUs and the counts of
/// chunks. trace-cmd cannot read what it wrote; the data is all there.
#[test]
fn what_trace_cmd_convert_swaps_is_read_around() {
    for shape in ["version 7\ncompression zlib", "version 7\ncompression zstd\nendian big"] {
        let bytes = whole_file(shape, 600);
        let file = TraceFile::open(bytes.as_slice()).unwrap();
        let whole: Vec<_> = read(&bytes, 0).unwrap().iter().map(events).collect();
        let mut damaged = bytes.clone();
        let mut swap = |at: u64| damaged[at as usize..at as usize + 4].reverse();
        for section in file.sections().iter().filter(|section| section.id == 0) {
            // The last option is DONE: its size and 8 bytes.
            swap(section.offset + 16 + section.size - 12);
        }
        let buffer = file
            .header()
            .options
            .iter()
            .find(|option| option.name() == Some("BUFFER"))
            .unwrap();
        // The offset of the section, two names and the size of a page; the count of CPUs; the number of the first CPU.
        swap(buffer.offset + 8 + 1 + 6 + 4);
        for extent in file.cpus() {
            swap(extent.offset);
        }
        let found: Vec<_> = read(&damaged, 0).unwrap().iter().map(events).collect();
        assert_eq!(found, whole, "{shape}");
    }
}
