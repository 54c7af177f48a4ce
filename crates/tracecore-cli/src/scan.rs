//! Scans all streams of a file in parallel.

use std::num::NonZeroUsize;
use std::sync::mpsc;

use clap::Args;
use indicatif::ProgressBar;
use schedrows::{scan_stream, CpuScan, Source, Want};

use crate::progress::byte_bar;
use crate::Failure;

/// More only wait for each other: a machine that has as many cores does not read faster.
const MOST_THREADS: usize = 256;

/// How files are read; the same for every command.
#[derive(Args)]
pub struct ScanOptions {
    /// Neither warnings nor progress on standard error
    #[arg(short, long, global = true)]
    pub quiet: bool,
    /// Read the file itself, whether or not its model is kept, and keep none (see corelane cache)
    #[arg(long, global = true)]
    pub no_cache: bool,
    /// Threads that read and build, at most 256 [default: one for each core]
    #[arg(long, global = true, value_name = "N")]
    pub threads: Option<NonZeroUsize>,
}

impl ScanOptions {
    /// How many threads may work.
    pub fn thread_count(&self) -> usize {
        let machine = || std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
        self.threads.map_or_else(machine, NonZeroUsize::get).min(MOST_THREADS)
    }
}

/// The threads that scan, and their progress.
pub struct Scanner {
    pool: rayon::ThreadPool,
    progress: ProgressBar,
}

impl Scanner {
    /// `bytes`: how many will be scanned in all, for the progress bar.
    pub fn new(bytes: u64, options: &ScanOptions) -> Result<Scanner, Failure> {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(options.thread_count())
            .build()
            .map_err(|error| Failure(format!("starting threads: {error}")))?;
        Ok(Scanner {
            pool,
            progress: byte_bar(bytes, options.quiet),
        })
    }

    /// How many threads there are.
    pub fn threads(&self) -> usize {
        self.pool.current_num_threads()
    }

    /// The progress bar.
    pub fn progress(&self) -> &ProgressBar {
        &self.progress
    }

    /// Scans every stream, the largest first; the results are in the file's order of streams.
    pub fn scan(&self, source: &(impl Source + Sync), want: Want) -> Result<Vec<CpuScan>, Failure> {
        let streams = source.streams();
        let mut order: Vec<(usize, u64)> = streams.iter().map(|stream| stream.size).enumerate().collect();
        order.sort_by_key(|&(_, size)| std::cmp::Reverse(size));
        let (sender, receiver) = mpsc::channel();
        self.pool.scope_fifo(|scope| {
            for (index, _) in order {
                let (sender, progress) = (sender.clone(), &self.progress);
                scope.spawn_fifo(move |_| {
                    let scan = scan_stream(source, index, want, &mut |bytes| progress.inc(bytes));
                    // The receiver lives until the scope ends.
                    let _ = sender.send((index, scan));
                });
            }
        });
        drop(sender);
        let mut scans = receiver
            .into_iter()
            .map(|(index, scan)| Ok((index, scan?)))
            .collect::<Result<Vec<_>, Failure>>()?;
        scans.sort_by_key(|&(index, _)| index);
        Ok(scans.into_iter().flat_map(|(_, scan)| scan.cpus).collect())
    }
}

/// Scans all streams of one file.
pub fn scan_all(source: &(impl Source + Sync), want: Want, options: &ScanOptions) -> Result<Vec<CpuScan>, Failure> {
    let scanner = Scanner::new(data_bytes(source), options)?;
    let scans = scanner.scan(source, want);
    scanner.progress.finish_and_clear();
    scans
}

/// How many bytes a scan of a file reads.
pub fn data_bytes(source: &impl Source) -> u64 {
    source.streams().iter().map(|stream| stream.size).sum()
}
