//! Cut and broken files: whatever is intact is shown, and nothing panics.

use schedrows::{CpuScan, RowKind};
use tracedat::file::TraceFile;
use tracegen::{Endian, Layout, Story};

use super::told::{scans, told, STORY};

fn files() -> impl Iterator<Item = (String, Vec<u8>)> {
    let shape = |version: &str, compression: &str, endian| Layout {
        version: version.into(),
        compression: compression.into(),
        endian,
        ..Layout::default()
    };
    [
        shape("6", "none", Endian::Little),
        shape("7", "none", Endian::Big),
        shape("7", "zlib", Endian::Little),
        shape("7", "zstd", Endian::Little),
    ]
    .into_iter()
    .map(|layout| {
        let name = format!("version {} {}", layout.version, layout.compression);
        let mut story = Story::parse(STORY).unwrap();
        story.layout = layout;
        (name, story.to_bytes())
    })
}

#[test]
fn every_cut_is_an_error_or_opens_with_a_beginning_of_the_story() {
    for (name, bytes) in files() {
        let whole = events(&scans(bytes.clone()).unwrap());
        // Trying every length would mean 40 000 tries; a prime step meets all kinds of places.
        for len in (0..bytes.len()).step_by(89) {
            if let Ok(scans) = scans(bytes[..len].to_vec()) {
                for event in events(&scans) {
                    assert!(whole.contains(&event), "{name} cut at {len}: {event}");
                }
            }
        }
    }
}

/// The events of a file without its gaps, because the missing end is a gap too.
fn events(scans: &[CpuScan]) -> Vec<String> {
    let gap = format!(" kind {} ", RowKind::Lost as u8);
    told(scans)
        .into_iter()
        .filter(|line| line.contains(" kind ") && !line.contains(&gap))
        .collect()
}

#[test]
fn a_file_without_its_last_page_says_so() {
    let mut story = Story::parse(STORY).unwrap();
    story.layout.version = "6".into();
    let bytes = story.to_bytes();
    let cut = bytes[..bytes.len() - 4096].to_vec();
    let file = TraceFile::open(cut.clone()).unwrap();
    let scans = scans(cut).unwrap();
    let said = file
        .diagnostics()
        .iter()
        .chain(scans.iter().flat_map(|scan| &scan.diagnostics));
    assert!(
        said.clone()
            .any(|diagnostic| format!("{:?}", diagnostic.kind) == "Truncated"),
        "{:?}",
        said.collect::<Vec<_>>()
    );
    assert!(scans[0].records > 0, "what is there is read");
}

#[test]
fn no_broken_byte_makes_the_reader_panic() {
    for (name, bytes) in files() {
        for at in (0..bytes.len()).step_by(61) {
            for value in [0x00, 0xff, bytes[at] ^ 0x10] {
                let mut broken = bytes.clone();
                broken[at] = value;
                // Any answer will do: an error, or a story that is right or wrong.
                let answer = scans(broken).map(|scans| told(&scans).len());
                assert!(answer.is_err() || answer.is_ok(), "{name} {at}");
            }
        }
    }
}
