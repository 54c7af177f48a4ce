//! A whole trace.dat: opens and scans it, builds the model, pairs system calls, and prints every record.

use schedindex::Runs;
use schedmodel::{Meta, Trace, TraceBuilder};
use schedquery::calls::{Calls, KernelLog};
use schedquery::query::{call_report, CallNames, CallsBy, CallsQuery, IndexSpec, Indexes};
use schedrows::{scan_stream, Source, Want};
use tracedat::file::TraceFile;
use tracedat::report::{Report, ReportOptions};

/// The most CPUs: more show nothing new and cost time.
const MAX_CPUS: u32 = 64;

pub fn check(bytes: &[u8]) {
    let Ok(file) = TraceFile::open(bytes) else {
        return;
    };
    if file.header().cpu_count > MAX_CPUS {
        return;
    }
    let mut builder = TraceBuilder::new(file.first_ns().expect("a slice can be read").unwrap_or(0));
    let want = Want {
        kernel: true,
        ..Want::default()
    };
    let mut logs = Vec::new();
    for index in 0..file.cpus().len() {
        let scan = scan_stream(&file, index, want, &mut |_| {}).expect("a slice can be read");
        for mut cpu in scan.cpus {
            logs.push(KernelLog::take(&mut cpu));
            builder.add(cpu);
        }
    }
    let meta = Meta {
        cpus: (0..file.header().cpu_count).collect(),
        facts: file.facts(),
    };
    let trace = builder.finish(meta);
    check_calls(&trace, &logs);
    let view = Indexes::new(trace.into(), IndexSpec::default());
    let _ = view.commands(None);
    for raw in [false, true] {
        let options = ReportOptions {
            raw,
            latency: raw,
            ..ReportOptions::default()
        };
        let mut report = Report::new(&file, options).expect("a slice can be read");
        let mut lines = Vec::new();
        while report.next(&mut lines).expect("a slice can be read") {
            lines.clear();
        }
    }
}

fn check_calls(trace: &Trace, logs: &[KernelLog]) {
    let runs = Runs::new(trace);
    let calls = Calls::new(trace, &runs, logs);
    let names = CallNames::new(&calls, None, || None);
    let query = CallsQuery {
        by: CallsBy::Process,
        ..CallsQuery::default()
    };
    let totals = call_report(trace, &runs, &calls, &names, &query).totals;
    assert_eq!(totals.enters, totals.calls + totals.unfinished + totals.lost_exits);
    let exits = totals.calls + totals.child_returns + totals.before_trace + totals.exit_only;
    assert_eq!(totals.exits, exits);
}
