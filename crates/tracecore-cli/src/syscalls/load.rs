//! A trace with its system calls.

use std::rc::Rc;

use formats::AnySource;
use schedindex::Runs;
use schedquery::calls::{Calls, KernelLog};
use schedquery::query::{CallModel, CallNames, CallStates};
use schedrows::{ReadAt, Source, Want};
use sysnames::Machine;
use tracedat::filter::known_events;

use crate::input::FileArgs;
use crate::load::{build, Loaded, Loader};
use crate::scan::scan_all;
use crate::Failure;

/// A trace and its calls. Kept models have none, so the file is scanned.
pub struct LoadedCalls {
    pub loaded: Rc<Loaded>,
    pub runs: Runs,
    pub calls: Calls,
    /// The machine that the file says it was recorded on.
    pub machine: Option<Machine>,
}

impl LoadedCalls {
    pub fn open(file: &FileArgs, loader: &Loader) -> Result<LoadedCalls, Failure> {
        let source = file.open()?;
        let want = Want {
            kernel: true,
            ..Want::default()
        };
        let mut scans = scan_all(&source, want, &loader.options)?;
        let logs: Vec<KernelLog> = scans.iter_mut().map(KernelLog::take).collect();
        let trace = build(&source, scans, source.facts(), loader.options.thread_count());
        let loaded = Rc::new(Loaded::of_source(trace, &source).read_from(file));
        loaded.warn(&loader.options);
        let runs = Runs::new(&loaded.trace);
        let calls = Calls::new(&loaded.trace, &runs, &logs);
        Ok(LoadedCalls {
            machine: machine_of(&source),
            loaded,
            runs,
            calls,
        })
    }
}

impl LoadedCalls {
    /// What answers about calls are found in.
    pub fn model<'a>(&'a self, names: &'a CallNames, states: &'a CallStates) -> CallModel<'a> {
        CallModel {
            trace: &self.loaded.trace,
            runs: &self.runs,
            calls: &self.calls,
            names,
            states,
        }
    }
}

/// Whether a file has formats of events of system calls.
pub fn may_have_calls<R: ReadAt>(source: &AnySource<R>) -> bool {
    let AnySource::TraceDat(file) = source else {
        // Nothing tells before it is read.
        return true;
    };
    known_events(file).any(|event| ["raw_syscalls", "syscalls"].contains(&event.system))
}

/// What `uname` said when the trace was recorded, or else what the functions of the kernel's calls are named after.
pub fn machine_of<R: ReadAt>(source: &AnySource<R>) -> Option<Machine> {
    let uname = source.info().uname;
    let last = uname.as_deref().and_then(|uname| uname.split_whitespace().last());
    last.and_then(Machine::of_name).or_else(|| machine_of_symbols(source))
}

fn machine_of_symbols<R: ReadAt>(source: &AnySource<R>) -> Option<Machine> {
    let AnySource::TraceDat(file) = source else {
        return None;
    };
    let has = |prefix: &&&str| file.lookup().address(&format!("{prefix}getpid")).is_some();
    Machine::of_symbol_prefix(Machine::SYMBOL_PREFIXES.iter().find(has)?)
}
