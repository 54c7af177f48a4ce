//! A trace with the indexes of its first view as bytes: opening it again is reading them.

use super::indexes::{Indexes, ShownIndex};
use crate::query::jobs::shared::Shared;
use schedindex::{Curve, Levels, Runs, Shown, Wakers};
use schedmodel::stored::{self, Reader, Stored, Writer};
use schedmodel::Trace;
use std::io::{self, Read, Write};
use std::sync::Arc;

impl Indexes {
    /// Writes the trace and the indexes of its first view; see [`stored::store`].
    pub fn store(&self, out: &mut dyn Write, key: &str) -> io::Result<()> {
        stored::store(&Kept(self.clone()), out, key)
    }

    /// The first view of what [`Indexes::store`] wrote; see [`stored::restore`].
    pub fn restore(input: &mut dyn Read, size: u64, key: &str) -> io::Result<Indexes> {
        stored::restore(input, size, key).map(|Kept(view)| view)
    }
}

/// What is stored of a view.
struct Kept(Indexes);

impl Stored for Kept {
    const LEAST: usize = Trace::LEAST + Runs::LEAST + Wakers::LEAST;

    fn put(&self, out: &mut Writer<'_>) -> io::Result<()> {
        let Kept(view) = self;
        view.trace.put(out)?;
        view.runs().put(out)?;
        view.wakers().put(out)?;
        let levels = view.everything.levels(&view.trace);
        (levels.len() as u64).put(out)?;
        Levels::put_all(levels, out)?;
        view.everything.curve(&view.trace).put_sums(out)
    }

    fn get(reader: &mut Reader<'_>) -> io::Result<Kept> {
        let trace: Arc<Trace> = Stored::get(reader)?;
        let (runs, wakers): (Runs, Wakers) = Stored::get(reader)?;
        let shared = Arc::<Shared>::default();
        let mut everything = ShownIndex::new(&trace, Shown::all(), Arc::clone(&shared.runqueues));
        everything.levels = Vec::get(reader)?.into();
        everything.curve = Curve::get_sums(reader, Arc::clone(&trace.steps))?.into();
        Ok(Kept(Indexes::of_parts(
            trace,
            runs.into(),
            wakers.into(),
            everything,
            shared,
        )))
    }
}
