//! `corelane cut`: a part of a trace as a trace.dat of its own.

use std::path::{Path, PathBuf};

use clap::Args;
use schedrows::words::counted;
use schedrows::ReadAt;
use tracedat::cut::{cut, Window, Written};
use tracedat::file::TraceFile;
use tracedat::records::MergedRecords;

use crate::input::FileArgs;
use crate::load::Loader;
use crate::output::{write_whole, Target};
use crate::scan::ScanOptions;
use crate::selection::{cpu_list, warn_of_cpus, CpuList, WindowArgs, NO_SLEEP};
use crate::visible::{shown, warn};
use crate::Failure;

#[derive(Args)]
pub struct CutArgs {
    #[command(flatten)]
    file: FileArgs,
    /// The trace.dat to write
    #[arg(long, short, value_name = "OUT")]
    output: PathBuf,
    #[command(flatten)]
    window: WindowArgs,
    /// Only these CPUs, as in 1,4-7
    #[arg(long, value_name = "LIST", value_parser = cpu_list)]
    cpu: Option<CpuList>,
}

impl CutArgs {
    pub fn output(&self) -> &Path {
        &self.output
    }
}

pub fn run(args: &CutArgs, loader: &Loader) -> Result<String, Failure> {
    let target = Target::new(&args.output, [args.file.file.as_path()])?;
    let aside = target.is_standard();
    let file = args.file.open_trace_dat(&loader.options)?;
    let window = window(&args.file, &args.window, args.cpu.as_ref(), &file, loader)?;
    let cut = write_whole(&args.file, target, |out| cut(&file, &window, out))?;
    let told = told(&args.output, cut, file.clock_is_ns(), file.input().len());
    Ok(beside(told, aside, &loader.options))
}

/// What was written, for people.
pub fn told(output: &Path, written: Written, is_ns: bool, of: u64) -> String {
    let span = written.times.map_or(0, |(first, last)| last - first);
    let span = match is_ns {
        true => format!("{:.6} s", span as f64 / 1e9),
        false => counted(span, "tick"),
    };
    format!(
        "{}: {} in {span}, {} of {}\n",
        shown(output),
        counted(written.records, "record"),
        counted(written.bytes, "byte"),
        counted(of, "byte"),
    )
}

/// What has to be printed on standard output: what was written is not there too if the file itself is (`aside`).
pub fn beside(told: String, aside: bool, options: &ScanOptions) -> String {
    match aside {
        false => return told,
        true if !options.quiet => warn(told.trim_end()),
        true => {}
    }
    String::new()
}

/// The window in the trace's own time; `file` is the trace, or was made of it.
pub fn window<R: ReadAt>(
    trace: &FileArgs,
    window: &WindowArgs,
    cpus: Option<&CpuList>,
    file: &TraceFile<R>,
    loader: &Loader,
) -> Result<Window, Failure> {
    let selection = window.of_clock(file.clock_is_ns())?;
    let shown = file.shown_buffer();
    let first = MergedRecords::new(file, |buffer, _| buffer == shown)
        .peek()?
        .map_or(0, |record| record.ts);
    let mut zero = first;
    if selection.after_sleep {
        // Only the model knows when a task exits.
        match loader.load(trace)?.trace.after_sleep {
            Some(after) => zero = first.saturating_add(after),
            None if !loader.options.quiet => warn(NO_SLEEP),
            None => {}
        }
    }
    if !loader.options.quiet {
        warn_of_cpus(cpus, file);
    }
    let from = selection.min.map(|min| zero.saturating_add(min));
    Ok(Window {
        // Without a beginning the records of other buffers belong to it that are earlier than this one's first.
        from: from.unwrap_or(if selection.after_sleep { zero } else { 0 }),
        to: selection.max.map(|max| zero.saturating_add(max)),
        cpus: cpus.map(|list| list.0.clone()),
        pids: Vec::new(),
    })
}
