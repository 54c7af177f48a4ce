//! One story in the formats of all tools: the same answers, less what each cannot tell; and the same files with damage.

mod damage;
mod story;
mod write;

use tracedat::file::TraceFile;
use tracegen::{Layout, Story};

/// Two CPUs that wake, preempt, fork, rename, move and lose tasks, and interrupts. No two events are at the same time.
const STORY: &str = r#"
    cpus 2
    start 10s
    +0      cpu0  switch  "swapper/0:0" R -> bash:100
    +2us    cpu1  switch  swapper/1:0 R -> "my comm:102"
    +10us   cpu0  waking  worker:101 on 1 hardirq
    +1us    cpu1  wakeup  worker:101 on 1
    +3us    cpu1  switch  "my comm:102" R+ -> worker:101
    +9us    cpu0  waking  my:103 on 0 softirq
    +1us    cpu0  wakeup  my:103 on 0 softirq
    +4us    cpu0  switch  bash:100 R+ -> my:103
    +7us    cpu1  switch  worker:101 S -> "my comm:102"
    +900us  cpu0  switch  my:103 D -> bash:100
    +1us    cpu0  fork    bash:100 -> bash:104
    +1us    cpu0  wakeup_new bash:104 on 0
    +2us    cpu0  migrate bash:104 0 -> 1
    +5us    cpu1  switch  "my comm:102" S -> bash:104
    +1us    cpu0  exec    bash:100 /usr/bin/ls
    +1us    cpu0  rename  100 bash -> ls
    +6us    cpu0  exit    ls:100
    +1us    cpu0  switch  ls:100 X -> swapper/0:0
    +8us    cpu1  waking  ls:103 on 0
    +1us    cpu0  wakeup  my:103 on 0
    +2us    cpu0  switch  swapper/0:0 R -> my:103
    +30ms   cpu0  switch  my:103 S -> swapper/0:0
    +1us    cpu1  switch  bash:104 Z -> swapper/1:0
"#;

/// The story as a trace.dat of version 6.
fn dat(story: &str) -> Vec<u8> {
    let mut story = Story::parse(story).unwrap();
    story.layout = Layout {
        version: "6".into(),
        compression: "none".into(),
        ..Layout::default()
    };
    story.to_bytes()
}

/// What survives in a format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Tells {
    /// All of it.
    All,
    /// Who ran, and who woke whom.
    Wakings,
    /// Who ran, and as what it was left.
    States,
    /// Who ran.
    Runs,
}

/// The story in every format.
fn formats(dat: &[u8]) -> Vec<(&'static str, Tells, Vec<u8>)> {
    let file = TraceFile::open(dat).unwrap();
    let mut perfetto = Vec::new();
    let window = tracedat::cut::Window::default();
    traceexport::perfetto::write(&file, &window, Default::default(), &mut perfetto).unwrap();
    let plain = write::unpacked(&perfetto);
    let scans = write::scans(&file);
    let text = |has_flags| write::text(&file, has_flags);
    let compact = write::compact(&scans);
    vec![
        ("perf.data", Tells::All, write::perf(dat, &file, false)),
        ("perf.data, packed", Tells::All, write::perf(dat, &file, true)),
        ("perf.data, pipe", Tells::All, write::perf_pipe(dat, &file)),
        ("schedviz", Tells::All, write::schedviz(dat, &file)),
        ("schedviz, gzip", Tells::All, write::gzip(&write::schedviz(dat, &file))),
        ("perfetto", Tells::All, perfetto),
        ("perfetto, gzip", Tells::All, write::gzip(&plain)),
        ("perfetto, zstd", Tells::All, zstd::bulk::compress(&plain, 3).unwrap()),
        ("perfetto, plain", Tells::All, plain),
        ("compact, packed", Tells::Wakings, write::packed(&compact)),
        ("compact", Tells::Wakings, compact),
        ("scxtop", Tells::Runs, write::scxtop(&scans)),
        ("text, quoted", Tells::All, write::quoted(&text(true))),
        ("text", Tells::All, text(true)),
        ("text without flags", Tells::States, text(false)),
        ("tracefs", Tells::All, write::lines(&scans, write::Lines::Tracefs)),
        (
            "tracefs without flags",
            Tells::States,
            write::lines(&scans, write::Lines::TracefsWithoutFlags),
        ),
        (
            "perf script",
            Tells::States,
            write::lines(&scans, write::Lines::PerfScript),
        ),
    ]
}

/// The story in every format, for other tests.
pub fn story_files() -> Vec<(&'static str, Vec<u8>)> {
    let files = formats(&dat(STORY)).into_iter();
    files.map(|(name, _, bytes)| (name, bytes)).collect()
}
