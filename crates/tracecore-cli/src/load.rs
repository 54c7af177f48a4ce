//! Loads a whole file as the model sees it.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

use tracecore::query::{Model, Shared};
use tracecore::scan::{CpuScan, Diagnostic, Source};
use tracecore::sched::{Meta, Trace, TraceBuilder};

use crate::cache::Cache;
use crate::damage;
use crate::input::FileArgs;
use crate::scan::{scan_all, ScanOptions};
use crate::text::Times;
use crate::Failure;

/// A built trace.
pub struct Loaded {
    pub trace: Arc<Trace>,
    /// Indexes that questions about the trace share.
    kept: Shared,
    /// Whether times are nanoseconds; otherwise they are raw ticks of a clock without a scale.
    pub clock_is_ns: bool,
}

impl Loaded {
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
}

impl Loader {
    /// A loader that has not loaded anything yet.
    pub fn new(options: ScanOptions) -> Loader {
        Loader {
            cache: if options.no_cache {
                Cache::default()
            } else {
                Cache::of_user()
            },
            options,
            kept: RefCell::default(),
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
            let scans = scan_all(&source, &self.options)?;
            Ok(build(&source, scans, source.diagnostics().to_vec()))
        };
        let loaded = Loaded {
            trace: Arc::new(self.cache.trace(&file.file, file.buffer.as_deref(), &source, make)?),
            kept: Shared::default(),
            clock_is_ns: source.info().clock_is_ns,
        };
        let warning = damage::warning(&loaded.trace, Times::of(&loaded));
        if let Some(warning) = warning.filter(|_| !self.options.quiet) {
            eprintln!("corelane: {warning}");
        }
        Ok(loaded)
    }

    /// The trace, if it was loaded before.
    pub fn kept(&self, file: &FileArgs) -> Option<Rc<Loaded>> {
        self.kept.borrow().get(file).map(Rc::clone)
    }
}

/// The model of a file's scans; `diagnostics` of the file come first in the model's.
pub fn build(file: &impl Source, scans: Vec<CpuScan>, diagnostics: Vec<Diagnostic>) -> Trace {
    // Asking the file would scan the beginning of every stream again.
    let mut builder = TraceBuilder::new(scans.iter().filter_map(|scan| scan.first_ns).min().unwrap_or(0));
    for scan in scans {
        builder.add(scan);
    }
    builder.finish(Meta {
        cpus: (0..file.info().cpu_count).collect(),
        diagnostics,
    })
}
