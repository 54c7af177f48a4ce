//! `corelane export`: a trace for other viewers.

use std::fs;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use fileask::{counters, tasks};
use formats::AnySource;
use tracecore::cut::{cut, cut_as, CutError, Window};
use tracecore::scan::{ReadAt, Source, SourceInfo, Want};
use tracecore::tracedat::TraceFile;
use tracecore::write::{write, FileVersion, Recording, Written};
use traceexport::perfetto::{self, Extra};

use crate::as_dat::{names, records_as_trace_dat, rows_as_trace_dat};
use crate::cut::{told, window, write_whole};
use crate::input::{FileArgs, Input};
use crate::load::Loader;
use crate::scan::scan_all;
use crate::selection::{cpu_list, CpuList, WindowArgs};
use crate::Failure;

#[derive(Args)]
pub struct ExportArgs {
    #[command(flatten)]
    file: FileArgs,
    #[command(flatten)]
    output: Output,
    /// Which trace.dat [default: 7, packed with zstd; of a trace.dat its own]
    #[arg(long, value_name = "N", conflicts_with = "perfetto")]
    file_version: Option<Version>,
    #[command(flatten)]
    window: WindowArgs,
    /// Only these CPUs, as in 1,4-7
    #[arg(long, value_name = "LIST", value_parser = cpu_list)]
    cpu: Option<CpuList>,
}

#[derive(Args)]
#[group(required = true, multiple = false)]
struct Output {
    /// The file to write for the Perfetto UI
    #[arg(long, value_name = "OUT")]
    perfetto: Option<PathBuf>,
    /// The trace.dat to write, for trace-cmd and KernelShark
    #[arg(long, value_name = "OUT")]
    tracedat: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Version {
    #[value(name = "6")]
    V6,
    #[value(name = "7")]
    V7,
}

impl Version {
    fn of_writer(self) -> FileVersion {
        match self {
            Version::V6 => FileVersion::V6,
            Version::V7 => FileVersion::V7,
        }
    }
}

pub fn run(args: &ExportArgs, loader: &Loader) -> Result<String, Failure> {
    let source = args.file.open()?;
    let size = source.bytes().len();
    match (&args.output.perfetto, &args.output.tracedat) {
        (Some(out), _) => {
            refuse_same(&args.file.file, out)?;
            let info = source.info();
            let written = match source {
                AnySource::TraceDat(file) => args.write_perfetto(&file, &info, out, loader),
                other => match records_as_trace_dat(&other)? {
                    Some(file) => args.write_perfetto(&file, &info, out, loader),
                    None => args.write_perfetto(&rows_as_trace_dat(&other, &loader.options)?, &info, out, loader),
                },
            }?;
            Ok(told(out, written, true, size))
        }
        (None, Some(out)) => {
            refuse_same(&args.file.file, out)?;
            let is_ns = source.info().clock_is_ns;
            let written = match source {
                AnySource::TraceDat(file) => args.cut(&file, out, loader),
                other => match records_as_trace_dat(&other)? {
                    Some(file) => args.cut(&file, out, loader),
                    None => args.write_rows(&other, out, loader),
                },
            }?;
            Ok(told(out, written, is_ns, size))
        }
        // clap sees to it that there is one.
        (None, None) => Err(Failure("give --perfetto OUT or --tracedat OUT".to_owned())),
    }
}

impl ExportArgs {
    fn window(&self, file: &TraceFile<Input>, loader: &Loader) -> Result<Window, Failure> {
        window(&self.file, &self.window, self.cpu.as_ref(), file, loader)
    }

    /// A trace.dat's records stay as they are.
    fn cut(&self, file: &TraceFile<Input>, out: &Path, loader: &Loader) -> Result<Written, Failure> {
        let window = self.window(file, loader)?;
        write_whole(&self.file, out, |out| match self.file_version {
            Some(version) => cut_as(file, &window, version.of_writer(), out),
            None => cut(file, &window, out),
        })
    }

    /// The scheduler's events of another format, as a kernel would have written them.
    fn write_rows(&self, source: &AnySource<Input>, out: &Path, loader: &Loader) -> Result<Written, Failure> {
        // Only a file has times that a window can count from.
        let whole = rows_as_trace_dat(source, &loader.options)?;
        let window = self.window(&whole, loader)?;
        let version = self.file_version.map_or(FileVersion::V7, Version::of_writer);
        let scans = scan_all(source, Want::default(), &loader.options)?;
        let info = source.info();
        let recording = Recording {
            scans: &scans,
            window,
            cpu_count: info.cpu_count,
            clock: info.clock.as_deref(),
            uname: info.uname.as_deref(),
            comms: &names(&info),
            marker: None,
        };
        write_whole(&self.file, out, |out| match write(&recording, version, out) {
            Ok(written) if written.records == 0 => Err(CutError::Empty),
            Ok(written) => Ok(written),
            Err(error) => Err(CutError::Write(error)),
        })
    }

    /// `info` is the source's own.
    fn write_perfetto(
        &self,
        file: &TraceFile<Input>,
        info: &SourceInfo,
        out: &Path,
        loader: &Loader,
    ) -> Result<Written, Failure> {
        let window = self.window(file, loader)?;
        let extra = |trace| Extra {
            tasks: tasks(file, trace, info),
            counters: counters(trace, &window),
        };
        // A clock that is refused needs no model.
        let loaded = file.clock_is_ns().then(|| loader.load(&self.file)).transpose()?;
        let extra = loaded.as_ref().map(|loaded| extra(&loaded.trace)).unwrap_or_default();
        write_whole(&self.file, out, |out| perfetto::write(file, &window, extra, out))
    }
}

/// The trace itself is not overwritten: what is written may be a part of it.
fn refuse_same(trace: &Path, out: &Path) -> Result<(), Failure> {
    let same = match (fs::canonicalize(trace), fs::canonicalize(out)) {
        (Ok(trace), Ok(out)) => trace == out,
        _ => false,
    };
    if same {
        return Err(Failure(format!(
            "{}: is the trace itself; write to another file",
            out.display()
        )));
    }
    Ok(())
}
