//! Loads a whole file as the model sees it.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

use schedmodel::topology::Topology;
use schedmodel::{Meta, Trace, TraceBuilder};
use schedquery::calls::Interrupts;
use schedquery::query::{Model, Shared};
use schedrows::{CpuScan, FileFacts, Source, Want};

use crate::cache::Cache;
use crate::damage;
use crate::input::FileArgs;
use crate::scan::{scan_all, ScanOptions};
use crate::syscalls::{self, LoadedCalls};
use crate::text::Times;
use crate::visible::warn;
use crate::Failure;

/// A built trace.
pub struct Loaded {
    pub trace: Arc<Trace>,
    /// Indexes that questions about the trace share.
    kept: Shared,
    /// Whether times are nanoseconds; otherwise they are raw ticks of a clock without a scale.
    pub clock_is_ns: bool,
    /// The machine's topology, where the file has it.
    pub topology: Option<Arc<Topology>>,
    /// The file, for what asks its records.
    pub file: Option<FileArgs>,
}

impl Loaded {
    /// A trace that was built.
    pub fn of(trace: impl Into<Arc<Trace>>, clock_is_ns: bool) -> Loaded {
        Loaded {
            trace: trace.into(),
            kept: Shared::default(),
            clock_is_ns,
            topology: None,
            file: None,
        }
    }

    /// The same, with what its file says besides.
    pub fn of_source(trace: impl Into<Arc<Trace>>, source: &impl Source) -> Loaded {
        let about = source.info();
        let topology = about.topology.and_then(|text| Topology::parse(text.as_bytes()).ok());
        Loaded {
            topology: topology.map(Arc::new),
            ..Loaded::of(trace, about.clock_is_ns)
        }
    }

    /// The same, with the file that it was read from.
    pub fn read_from(self, file: &FileArgs) -> Loaded {
        Loaded {
            file: Some(file.clone()),
            ..self
        }
    }

    /// Prints on standard error how much of it is missing, if that is much.
    pub fn warn(&self, options: &ScanOptions) {
        let warning = damage::warning(&self.trace, Times::of(self));
        if let Some(warning) = warning.filter(|_| !options.quiet) {
            warn(&warning);
        }
    }

    /// The trace as a model that answers questions.
    pub fn model(&self) -> Model<'_> {
        Model::new(&self.trace, &self.kept)
    }
}

/// Loads each trace once, and keeps it for the next question.
pub struct Loader {
    pub options: ScanOptions,
    pub cache: Cache,
    kept: RefCell<HashMap<FileArgs, Rc<Loaded>>>,
    kept_calls: RefCell<HashMap<FileArgs, Rc<LoadedCalls>>>,
}

impl Loader {
    /// A loader that has not loaded anything yet.
    pub fn new(options: ScanOptions) -> Loader {
        Loader {
            cache: if options.no_cache {
                Cache::default()
            } else {
                Cache::of_user(options.thread_count())
            },
            options,
            kept: RefCell::default(),
            kept_calls: RefCell::default(),
        }
    }

    /// The trace as it was loaded before; else opens it, scans its streams in parallel and builds the model.
    pub fn load(&self, file: &FileArgs) -> Result<Rc<Loaded>, Failure> {
        if let Some(kept) = self.kept(file) {
            return Ok(kept);
        }
        let loaded = Rc::new(self.open(file)?);
        self.kept.borrow_mut().insert(file.clone(), Rc::clone(&loaded));
        Ok(loaded)
    }

    fn open(&self, file: &FileArgs) -> Result<Loaded, Failure> {
        let source = file.open()?;
        let make = || {
            let scans = scan_all(&source, Want::default(), &self.options)?;
            Ok(build(&source, scans, source.facts(), self.options.thread_count()))
        };
        let trace = self.cache.trace(&file.file, file.buffer.as_deref(), &source, make)?;
        let loaded = Loaded::of_source(trace, &source).read_from(file);
        loaded.warn(&self.options);
        Ok(loaded)
    }

    /// The trace with its system calls, as it was loaded before, or read again.
    pub fn load_calls(&self, file: &FileArgs) -> Result<Rc<LoadedCalls>, Failure> {
        let kept = self.kept_calls.borrow().get(file).map(Rc::clone);
        if let Some(kept) = kept {
            return Ok(kept);
        }
        let loaded = Rc::new(LoadedCalls::open(file, self)?);
        let plain = Rc::clone(&loaded.loaded);
        self.kept.borrow_mut().entry(file.clone()).or_insert(plain);
        self.kept_calls.borrow_mut().insert(file.clone(), Rc::clone(&loaded));
        Ok(loaded)
    }

    /// The same, if the trace has system calls. A file without formats of their events is not read for that.
    pub fn load_calls_if_any(&self, file: &FileArgs) -> Result<Option<Rc<LoadedCalls>>, Failure> {
        let kept = self.kept_calls.borrow().contains_key(file);
        // What comes through a pipe cannot be looked at and read again.
        if !kept && !file.is_standard_input() && !syscalls::may_have_calls(&file.open()?) {
            return Ok(None);
        }
        let all = self.load_calls(file)?;
        Ok(all.calls.recorded.is_some().then_some(all))
    }

    /// The trace, and what interrupts took, which has to be in it.
    pub fn load_interrupts(&self, file: &FileArgs) -> Result<(Rc<Loaded>, Option<Arc<Interrupts>>), Failure> {
        let all = self.load_calls(file)?;
        let interrupts = &all.calls.interrupts;
        if !interrupts.recorded() {
            return Err(Failure(NO_INTERRUPTS.to_owned()));
        }
        Ok((Rc::clone(&all.loaded), Some(Arc::clone(interrupts))))
    }

    /// The trace, if it was loaded before.
    pub fn kept(&self, file: &FileArgs) -> Option<Rc<Loaded>> {
        self.kept.borrow().get(file).map(Rc::clone)
    }
}

/// The message for a trace whose interrupts are to be left out.
const NO_INTERRUPTS: &str =
    "--net leaves out what interrupts took, and the trace has no events of them; record them with\n\
    trace-cmd record -e sched -e irq -e irq_vectors COMMAND";

/// The model of a file's scans, and of what it says besides, made by so many threads.
pub fn build(file: &impl Source, scans: Vec<CpuScan>, facts: FileFacts, threads: usize) -> Trace {
    // Asking the file would scan the beginning of every stream again.
    let first_ns = scans.iter().filter_map(|scan| scan.first_ns).min().unwrap_or(0);
    let mut builder = TraceBuilder::new(first_ns).threads(threads);
    for scan in scans {
        builder.add(scan);
    }
    builder.finish(Meta {
        cpus: (0..file.info().cpu_count).collect(),
        facts,
    })
}
