//! What is printed of a record.

use traceevent::{Env, EventText};

use super::query::EventTextMode;
use crate::records::RecordRef;
use crate::tracedat::{ReadAt, TraceFile};

/// Prints records one by one, in any order.
pub trait EventTexts {
    /// Appends what `trace-cmd report` prints behind `name: `. It depends on nothing that was printed before.
    fn text(&mut self, mode: EventTextMode, record: &RecordRef<'_>, out: &mut Vec<u8>);
}

/// By the formats of a file, each made ready when it is first needed.
pub struct FormatTexts<'f, R: ReadAt> {
    file: &'f TraceFile<R>,
    env: Env<'f>,
    /// By event id.
    texts: Vec<Option<Box<EventText>>>,
}

impl<'f, R: ReadAt> FormatTexts<'f, R> {
    /// Of this file.
    pub fn new(file: &'f TraceFile<R>) -> Self {
        FormatTexts {
            file,
            env: Env {
                endian: file.endian(),
                long_size: file.long_size(),
                lookup: file.lookup(),
            },
            texts: Vec::new(),
        }
    }

    #[cold]
    fn compile(&mut self, id: u16) {
        let slot = usize::from(id);
        if self.texts.len() <= slot {
            self.texts.resize_with(slot + 1, || None);
        }
        let format = self.file.event_format(id);
        if let (Some(slot), Some(format)) = (self.texts.get_mut(slot), format) {
            *slot = Some(Box::new(EventText::compile(
                format,
                self.env.endian,
                self.env.long_size,
            )));
        }
    }
}

impl<R: ReadAt> EventTexts for FormatTexts<'_, R> {
    fn text(&mut self, mode: EventTextMode, record: &RecordRef<'_>, out: &mut Vec<u8>) {
        let slot = usize::from(record.id);
        if self.texts.get(slot).is_none_or(Option::is_none) {
            self.compile(record.id);
        }
        let Some(Some(text)) = self.texts.get(slot) else {
            return;
        };
        match mode {
            EventTextMode::Raw => text.print_raw(&self.env, record.data, out),
            EventTextMode::Kernel | EventTextMode::TraceCmd => text.print(&self.env, record.data, out),
        }
    }
}
