//! Which of a file's buffers is shown.

use super::header::{Buffer, CpuExtent};
use super::trace_file::TraceFile;
use schedrows::{Diagnostic, DiagnosticKind, NoBuffer, ReadAt};

/// The main buffer, or the first instance with data when the main one has none (`trace-cmd record -B NAME -e sched`);
/// and what to say about it.
pub(super) fn choose(buffers: &[Buffer]) -> (usize, Option<Diagnostic>) {
    let has_data = |buffer: &Buffer| buffer.cpus.iter().any(|extent| extent.size > 0);
    if buffers.first().is_none_or(has_data) {
        return (0, None);
    }
    let Some((index, shown)) = buffers.iter().enumerate().find(|(_, buffer)| has_data(buffer)) else {
        return (0, None);
    };
    let text = format!(
        "the main buffer is empty; instance {:?} is shown instead of it",
        shown.name
    );
    let diagnostic = Diagnostic {
        kind: DiagnosticKind::MissingEvent,
        cpu: None,
        at_ns: None,
        count: 1,
        text,
    };
    (index, Some(diagnostic))
}

impl<R: ReadAt> TraceFile<R> {
    /// The main buffer, then the instances.
    pub fn buffers(&self) -> &[Buffer] {
        &self.header().buffers
    }

    /// Index of the buffer that is shown: the main one, unless it is empty and an instance is not.
    pub fn shown_buffer(&self) -> usize {
        self.shown
    }

    /// Where the data of each CPU of the buffer that is shown is.
    pub fn cpus(&self) -> &[CpuExtent] {
        self.buffers().get(self.shown).map_or(&[], |buffer| &buffer.cpus)
    }

    /// Shows another buffer; the main one has the empty name.
    pub fn select_buffer(&mut self, name: &str) -> Result<(), NoBuffer> {
        let names = || self.buffers().iter().map(|buffer| buffer.name.as_str());
        let found = names().position(|there| there == name);
        let index = found.ok_or_else(|| NoBuffer {
            name: name.to_owned(),
            there: names().map(str::to_owned).collect(),
        })?;
        self.show_buffer(index);
        Ok(())
    }

    /// Shows `self.buffers()[index]`; with an index beyond, nothing.
    pub fn show_buffer(&mut self, index: usize) {
        self.shown = index;
        // It was chosen, not fallen back to.
        if let Some(fallback) = self.fallback.take() {
            self.diagnostics.retain(|diagnostic| *diagnostic != fallback);
        }
    }

    /// The clock of the buffer that is shown, when the file says.
    pub fn clock(&self) -> Option<&str> {
        let own = self
            .buffers()
            .get(self.shown)
            .and_then(|buffer| buffer.clock.as_deref());
        own.or(self.header().clock.as_deref())
    }
}
