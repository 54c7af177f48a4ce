//! The contents of a file as text that can be compared.

use schedrows::{CpuScan, Row, RowKind, StateCode};
use tracedat::error::OpenError;
use tracedat::file::TraceFile;
use tracedat::scan::scan_cpu;

/// A story with every kind of scheduling event, times that need extends, and several pages.
pub const STORY: &str = r#"
    cpus 3
    start 10s
    +0      cpu0  switch  "swapper/0:0" R -> bash:100
    +10us   cpu0  waking  worker:101 on 1 hardirq prio 90
    +2us    cpu0  migrate worker:101 1 -> 0
    +1us    cpu1  wakeup  worker:101 on 1 softirq
    +3us    cpu1  switch  swapper/1:0 R -> worker:101
    +900ms  cpu1  switch  worker:101 R+ -> "my comm:102"
    +1us    cpu0  fork    bash:100 -> bash:103
    +1us    cpu0  absolute
    +1us    cpu0  exec    bash:100 /usr/bin/a/rather/long/name/of/a/program/that/does/not/fit/into/a/short/record/at/all/whatever/comes
    +1us    cpu0  discarded 40
    +1us    cpu0  rename  100 bash -> ls
    +1us    cpu0  page
    +1us    cpu0  exit    ls:100 nmi
    +1us    cpu0  lost 17
    +1us    cpu0  print   here
    +1us    cpu0  switch  ls:100 Z -> swapper/0:0
    +1us    cpu1  lost
    +1us    cpu1  numa    worker:101 0 -> 1
    +5s     cpu1  wakeup_new late:104 on 2
    +1us    cpu1  switch  "my comm:102" D -> late:104
"#;

/// All scans of a file.
pub fn scans(bytes: Vec<u8>) -> Result<Vec<CpuScan>, OpenError> {
    let file = TraceFile::open(bytes)?;
    (0..file.cpus().len())
        .map(|cpu| scan_cpu(&file, cpu).map_err(OpenError::from))
        .collect()
}

/// Everything that the scans of a file contain, except diagnostics, with a line for each row.
pub fn told(scans: &[CpuScan]) -> Vec<String> {
    scans
        .iter()
        .flat_map(|scan| {
            let head = format!(
                "cpu{} {} records {:?}..{:?}, lost {} in {}",
                scan.cpu, scan.records, scan.first_ns, scan.last_ns, scan.lost_events, scan.lost_gaps
            );
            [head].into_iter().chain(scan.rows.iter().map(|row| line(scan, &row)))
        })
        .collect()
}

/// A row with names in place of their numbers.
fn line(scan: &CpuScan, row: &Row) -> String {
    let name = |index: u32| scan.comms.names.get(index as usize).cloned();
    let second = if [RowKind::Migrate, RowKind::MoveNuma].contains(&row.kind) {
        format!("{}", row.comm2)
    } else {
        format!("{:?}", name(row.comm2))
    };
    let state = StateCode(row.state);
    format!(
        "{} kind {} by {} context {} pid {} {:?} {second} arg {} state {:?}{} prio {} after {}",
        row.ts,
        row.kind as u8,
        row.writer().unwrap_or(-1),
        row.context,
        row.pid,
        name(row.comm),
        row.arg,
        state.letter() as char,
        if state.preempted() { "+" } else { "" },
        row.prio,
        row.prev_prio(),
    )
}
