//! `corelane export`: a trace for other viewers.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use fileask::{counters, field_counter, pids_of, tasks};
use formats::AnySource;
use schedrows::{ReadAt, Source, SourceInfo};
use tracedat::cut::{cut, cut_as, Window};
use tracedat::file::TraceFile;
use tracedat::write::{FileVersion, Written};
use traceexport::perfetto::{self, Extra};

use crate::as_dat::as_trace_dat;
use crate::cut::{beside, told, window};
use crate::input::{FileArgs, Input};
use crate::load::Loader;
use crate::output::{write_whole, Target};
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
    /// Only what tasks of this command did and what was done to them, and all switches; may be repeated
    #[arg(long, value_name = "NAME")]
    comm: Vec<String>,
    /// The same of the task with this thread id; may be repeated
    #[arg(long, value_name = "N")]
    pid: Vec<i32>,
    /// A field of an event as a track of numbers, as in sched_stat_runtime.runtime; may be repeated
    #[arg(long, value_name = "EVENT.FIELD", conflicts_with = "tracedat")]
    counter: Vec<String>,
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
    // clap sees to it that there is one.
    let Some(out) = args.output() else {
        return Err(Failure("give --perfetto OUT or --tracedat OUT".to_owned()));
    };
    let target = Target::new(out, [args.file.file.as_path()])?;
    let aside = target.is_standard();
    let source = args.file.open()?;
    let (size, info) = (source.bytes().len(), source.info());
    let is_own = matches!(source, AnySource::TraceDat(_));
    let file = as_trace_dat(source, &loader.options)?;
    let (written, is_ns) = match &args.output.perfetto {
        Some(_) => (args.write_perfetto(&file, &info, target, loader)?, true),
        None => (args.cut(&file, is_own, target, loader)?, info.clock_is_ns),
    };
    Ok(beside(told(out, written, is_ns, size), aside, &loader.options))
}

impl ExportArgs {
    pub fn output(&self) -> Option<&Path> {
        let Output { perfetto, tracedat } = &self.output;
        perfetto.as_deref().or(tracedat.as_deref())
    }

    fn window(&self, file: &TraceFile<Input>, loader: &Loader) -> Result<Window, Failure> {
        let window = window(&self.file, &self.window, self.cpu.as_ref(), file, loader)?;
        if self.comm.is_empty() && self.pid.is_empty() {
            return Ok(window);
        }
        let pids = pids_of(&loader.load(&self.file)?.trace, &self.comm, &self.pid);
        match pids.is_empty() {
            true => Err(Failure(format!("no task is called {}", self.comm.join(" or ")))),
            false => Ok(Window { pids, ..window }),
        }
    }

    /// The records stay as they are. `is_own`: the file is the trace itself, whose version is kept.
    fn cut(&self, file: &TraceFile<Input>, is_own: bool, target: Target, loader: &Loader) -> Result<Written, Failure> {
        let window = self.window(file, loader)?;
        let version = match self.file_version {
            None if is_own => None,
            version => Some(version.map_or(FileVersion::V7, Version::of_writer)),
        };
        write_whole(&self.file, target, |out| match version {
            Some(version) => cut_as(file, &window, version, out),
            None => cut(file, &window, out),
        })
    }

    /// `info` is the source's own.
    fn write_perfetto(
        &self,
        file: &TraceFile<Input>,
        info: &SourceInfo,
        target: Target,
        loader: &Loader,
    ) -> Result<Written, Failure> {
        let window = self.window(file, loader)?;
        let extra = |trace| -> Result<_, Failure> {
            let mut all = counters(trace, &window);
            for field in &self.counter {
                all.push(field_counter(file, &window, field).map_err(Failure)?);
            }
            Ok(Extra {
                tasks: tasks(file, trace, info),
                counters: all,
                cannot_tell: info.cannot_tell,
            })
        };
        // A clock that is refused needs no model.
        let loaded = file.clock_is_ns().then(|| loader.load(&self.file)).transpose()?;
        let extra = loaded.as_ref().map(|loaded| extra(&loaded.trace)).transpose()?;
        write_whole(&self.file, target, |out| {
            perfetto::write(file, &window, extra.unwrap_or_default(), out)
        })
    }
}
