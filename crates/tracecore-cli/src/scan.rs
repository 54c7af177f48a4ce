//! All CPUs of a file, scanned in parallel.

use std::io::IsTerminal;
use std::num::NonZeroUsize;
use std::sync::mpsc;

use clap::Args;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use tracecore::scan::{scan_cpu_watched, CpuScan};
use tracecore::tracedat::TraceFile;

use crate::input::Input;
use crate::Failure;

/// How files are read; the same for every command.
#[derive(Args)]
pub struct ScanOptions {
    /// Neither warnings nor progress on standard error
    #[arg(short, long, global = true)]
    pub quiet: bool,
    /// Threads that scan CPUs [default: one for each core]
    #[arg(long, global = true, value_name = "N")]
    pub threads: Option<NonZeroUsize>,
}

/// Scans every CPU of the main buffer, the one with most data first; the result is in the file's order of CPUs.
pub fn scan_all(file: &TraceFile<Input>, options: &ScanOptions) -> Result<Vec<CpuScan>, Failure> {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(options.threads.map_or(0, NonZeroUsize::get))
        .build()
        .map_err(|error| Failure(format!("starting threads: {error}")))?;
    let mut order: Vec<usize> = (0..file.cpus().len()).collect();
    order.sort_by_key(|&index| std::cmp::Reverse(file.cpus()[index].size));
    let progress = progress_bar(file.cpus().iter().map(|extent| extent.size).sum(), options.quiet);

    let (sender, receiver) = mpsc::channel();
    pool.scope_fifo(|scope| {
        for index in order {
            let (sender, progress) = (sender.clone(), &progress);
            scope.spawn_fifo(move |_| {
                let scan = scan_cpu_watched(file, index, &mut |bytes| progress.inc(bytes));
                // The receiver lives until the scope ends.
                let _ = sender.send((index, scan));
            });
        }
    });
    drop(sender);
    progress.finish_and_clear();
    let mut scans = receiver
        .into_iter()
        .map(|(index, scan)| Ok((index, scan?)))
        .collect::<Result<Vec<_>, Failure>>()?;
    scans.sort_by_key(|&(index, _)| index);
    Ok(scans.into_iter().map(|(_, scan)| scan).collect())
}

fn progress_bar(bytes: u64, quiet: bool) -> ProgressBar {
    let bar = if quiet || !std::io::stderr().is_terminal() {
        ProgressBar::with_draw_target(Some(bytes), ProgressDrawTarget::hidden())
    } else {
        ProgressBar::new(bytes)
    };
    match ProgressStyle::with_template("{bar:40} {bytes}/{total_bytes} {eta}") {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}
