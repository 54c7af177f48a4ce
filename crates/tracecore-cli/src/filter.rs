//! Filters as options: wrong ones are shown with marks below what is wrong.

use std::collections::BTreeMap;
use std::sync::Arc;

use schedindex::{Passing, PassingBuilder, PassingEvent, RunOf, Runs};
use schedmodel::topology::Topology;
use schedquery::query::run_places;
use tracedat::file::TraceFile;
use tracedat::filter::{bind, BoundFilter, Filter, FilterError, Places, RunCodes, DERIVED};
use tracedat::report::{Report, ReportOptions};

use crate::input::Input;
use crate::load::Loaded;
use crate::scan::ScanOptions;
use crate::Failure;

/// A filter, and how the user wrote it.
#[derive(Clone)]
pub struct FilterText {
    text: String,
    filter: Filter,
}

/// Reads a filter.
pub fn filter(text: &str) -> Result<FilterText, String> {
    match Filter::parse(text) {
        Ok(filter) => Ok(FilterText {
            text: text.to_owned(),
            filter,
        }),
        Err(error) => Err(pointed(text, &error)),
    }
}

impl FilterText {
    /// As it was written.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether it names fields that are derived from where tasks ran, which only the model knows.
    pub fn needs_places(&self) -> bool {
        self.filter.names(|name| DERIVED.contains(&name))
    }

    /// Makes it ready for the formats of a file. `loaded`: the same trace, if [`FilterText::needs_places`].
    pub fn bind(
        &self,
        file: &TraceFile<Input>,
        loaded: Option<&Loaded>,
        topology: Option<&Arc<Topology>>,
    ) -> Result<BoundFilter, Failure> {
        let bound = bind(file, &self.filter).map_err(|error| Failure(pointed(&self.text, &error)))?;
        Ok(match loaded.filter(|_| self.needs_places()) {
            Some(loaded) => bound.knowing(Arc::new(places(loaded, topology))),
            None => bound,
        })
    }

    /// The runs of a trace for which an event stands that passes.
    pub fn passing(&self, loaded: &Loaded, options: &ScanOptions) -> Result<Arc<Passing>, Failure> {
        let Some(args) = &loaded.file else {
            return Err(Failure("--filter: this reads no file with events".to_owned()));
        };
        if args.is_standard_input() {
            return Err(Failure(
                "--filter: the events of standard input were read already; give a file".to_owned(),
            ));
        }
        let file = args.open_trace_dat(options)?;
        let report = ReportOptions {
            filter: Some(self.bind(&file, Some(loaded), loaded.topology.as_ref())?),
            buffer: Some(file.shown_buffer()),
            ..ReportOptions::default()
        };
        let trace = &loaded.trace;
        let mut by_cpu: BTreeMap<u32, Vec<PassingEvent>> = BTreeMap::new();
        let codes = RunCodes::new(&file, &self.filter);
        Report::new(&file, report)?.each_run(&codes, |cpu, ts, code| {
            let event = PassingEvent {
                at: ts.saturating_sub(trace.origin_ns),
                of: RunOf::of_code(code),
            };
            by_cpu.entry(cpu).or_default().push(event);
        })?;
        let runs = Runs::new(trace);
        let mut builder = PassingBuilder::new(trace);
        for (cpu, events) in by_cpu {
            builder.add(trace, &runs, cpu, events.into_iter());
        }
        Ok(Arc::new(builder.finish()))
    }
}

/// Where the tasks of a trace ran.
fn places(loaded: &Loaded, topology: Option<&Arc<Topology>>) -> Places {
    let trace = &loaded.trace;
    let words = run_places(trace, &Runs::new(trace), topology.map(Arc::as_ref));
    Places::of_words(&words, trace.origin_ns)
}

fn pointed(text: &str, error: &FilterError) -> String {
    format!("{error}\n{}", error.pointed(text))
}
