//! The seeds that are mutated: parts of files that tracegen writes, and the print fmts that fuzzing starts from.

use std::path::PathBuf;

use tracegen::{Endian, Layout, Story};

const STORY: &str = r#"
    cpus 2
    start 10s
    +0      cpu0  switch  "swapper/0:0" R -> bash:100
    +10us   cpu0  waking  worker:101 on 1 hardirq
    +1us    cpu1  wakeup  worker:101 on 1
    +3us    cpu1  switch  swapper/1:0 R -> worker:101
    +900ms  cpu1  switch  worker:101 R+ -> "my comm:102"
    +1us    cpu0  fork    bash:100 -> bash:103
    +1us    cpu0  exec    bash:100 /usr/bin/ls
    +1us    cpu0  rename  100 bash -> ls
    +1us    cpu0  page
    +1us    cpu0  exit    ls:100
    +1us    cpu0  lost 17
    +1us    cpu1  numa    worker:101 0 -> 1
    +5s     cpu1  wakeup_new late:104 on 2
"#;

/// A story of system calls, which libFuzzer starts from too.
const CALLS: &str = include_str!("../../../../../fuzz/calls.scenario");

fn file(story: &str, layout: Layout) -> Vec<u8> {
    let mut story = Story::parse(story).unwrap();
    story.layout = layout;
    story.to_bytes()
}

/// The story in files of several shapes.
pub fn files() -> Vec<Vec<u8>> {
    let layout = |version: &str, compression: &str, endian| Layout {
        version: version.into(),
        compression: compression.into(),
        endian,
        ..Layout::default()
    };
    vec![
        file(STORY, layout("6", "none", Endian::Little)),
        file(STORY, layout("6", "none", Endian::Big)),
        file(STORY, layout("7", "none", Endian::Little)),
        file(STORY, layout("7", "zlib", Endian::Big)),
        file(STORY, layout("7", "zstd", Endian::Little)),
        file(CALLS, layout("7", "none", Endian::Little)),
    ]
}

/// The texts of the story's event formats, which a file of version 6 holds unpacked.
pub fn formats() -> Vec<Vec<u8>> {
    let file = &files()[0];
    let text = String::from_utf8_lossy(file);
    let formats = text.match_indices("name: ").filter_map(|(at, _)| {
        let rest = &text[at..];
        let print_fmt = rest.find("\nprint fmt: ")?;
        let end = print_fmt + 1 + rest[print_fmt + 1..].find('\n')?;
        Some(rest.as_bytes()[..=end].to_vec())
    });
    formats.collect()
}

/// The story's pages, each behind a byte that chooses the machine.
pub fn pages() -> Vec<Vec<u8>> {
    let machines = [(Endian::Little, 0), (Endian::Big, 1)];
    let pages = machines.into_iter().flat_map(|(endian, machine)| {
        let layout = Layout {
            version: "6".into(),
            endian,
            ..Layout::default()
        };
        let bytes = file(STORY, layout);
        let opened = tracedat::file::TraceFile::open(bytes.as_slice()).unwrap();
        let extents: Vec<_> = opened
            .cpus()
            .iter()
            .map(|cpu| cpu.offset as usize..(cpu.offset + cpu.size) as usize)
            .collect();
        let pages = extents.into_iter().flat_map(move |extent| {
            let pages = bytes[extent].chunks(4096).map(|page| [&[machine], page].concat());
            pages.collect::<Vec<_>>()
        });
        pages.collect::<Vec<_>>()
    });
    pages.collect()
}

/// Print fmts of every kind, each with the same bytes for a record.
pub fn print_fmts() -> Vec<Vec<u8>> {
    with_a_record("print_fmts.txt")
}

/// Filters of every kind, likewise.
pub fn filters() -> Vec<Vec<u8>> {
    with_a_record("filters.txt")
}

/// Pairs of events of every kind, likewise.
pub fn pairs() -> Vec<Vec<u8>> {
    let lines = with_a_record("pairs.txt").into_iter();
    let lines = lines.map(|line| {
        line.iter()
            .map(|&byte| if byte == b'|' { b'\n' } else { byte })
            .collect()
    });
    lines.collect()
}

/// A text of STaKTAU, and a table of its.
pub fn staktau_texts() -> Vec<Vec<u8>> {
    let records = include_bytes!("../../../../staktau/tests/sample.txt").to_vec();
    let table = b"----- TID 7 -----\ncall | time\n-----------\nSTaKTAU application | 5\nread | 3\n".to_vec();
    vec![records, table]
}

/// Texts of odd forms.
pub fn text_cases() -> Vec<Vec<u8>> {
    let folder: PathBuf = [env!("CARGO_MANIFEST_DIR"), "../../tests/fixtures/import/cases"]
        .iter()
        .collect();
    let mut paths: Vec<PathBuf> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "txt"));
    paths.sort();
    paths.iter().map(|path| std::fs::read(path).unwrap()).collect()
}

/// The texts of a file of `fuzz`, between lines of three dashes.
pub fn parts_of(file: &str) -> Vec<Vec<u8>> {
    let path: PathBuf = [env!("CARGO_MANIFEST_DIR"), "../../fuzz", file].iter().collect();
    let texts = std::fs::read_to_string(path).unwrap();
    texts.split("---\n").map(|text| text.as_bytes().to_vec()).collect()
}

/// The lines of a file of `fuzz`, each with the same bytes for a record.
fn with_a_record(file: &str) -> Vec<Vec<u8>> {
    let path: PathBuf = [env!("CARGO_MANIFEST_DIR"), "../../fuzz", file].iter().collect();
    let record: Vec<u8> = (0..96).map(|at: u8| at.wrapping_mul(37)).collect();
    let texts = std::fs::read_to_string(path).unwrap();
    texts
        .lines()
        .map(|text| [text.as_bytes(), &[0], &record].concat())
        .collect()
}

/// A seed with some bytes changed, removed or repeated.
pub fn changed(seed: &[u8], number: u64) -> Vec<u8> {
    let mut random = Random(number.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let mut bytes = seed.to_vec();
    for _ in 0..=random.below(4) {
        if bytes.is_empty() {
            break;
        }
        let at = random.below(bytes.len());
        let end = (at + 1 + random.below(16)).min(bytes.len());
        match random.below(5) {
            0 => bytes[at] ^= 1 << random.below(8),
            1 => bytes[at] = [0, 1, 0x7f, 0x80, 0xff][random.below(5)],
            2 => drop(bytes.drain(at..end)),
            3 => {
                let repeated = bytes[at..end].to_vec();
                let to = random.below(bytes.len());
                bytes.splice(to..to, repeated);
            }
            _ => bytes.truncate(at),
        }
    }
    bytes
}

/// Xorshift (Marsaglia, 2003).
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound as u64) as usize
    }
}

/// Task 2 is switched in on CPU 0 while it is current on CPU 1.
pub fn switches() -> Vec<Vec<u8>> {
    let rows = [
        [0, 0, 2, 0, 20, 0, 64, 0],
        [1, 2, 2, 0, 20, 0, 64, 0],
        [0, 2, 3, 1, 20, 0, 64, 0],
        [1, 2, 2, 1, 20, 0, 64, 0],
    ];
    vec![rows.concat()]
}

/// Recordings of Perfetto.
pub fn perfetto_traces() -> Vec<Vec<u8>> {
    let folder: PathBuf = [env!("CARGO_MANIFEST_DIR"), "../traceimport/tests/samples"]
        .iter()
        .collect();
    let names = ["lost-4cpu.pftrace", "full-4cpu.pftrace", "compact-mix-4cpu.pftrace.gz"];
    names.map(|name| std::fs::read(folder.join(name)).unwrap()).into()
}
