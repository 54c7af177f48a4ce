//! The event formats of a file: found by id, and read in full only when asked for.

use std::sync::OnceLock;

use traceevent::{EventFormat, FormatError, FormatHeader};

use super::cursor::Cursor;
use crate::error::OpenError;
use schedrows::ReadAt;

/// All events that the traced kernel knew.
#[derive(Debug, Default)]
pub struct EventTable {
    systems: Vec<String>,
    events: Vec<Entry>,
    /// By id: 1 + index into `events`, 0 for none.
    by_id: Vec<u32>,
    /// Every format's text, one behind the other.
    text: Vec<u8>,
}

#[derive(Debug)]
struct Entry {
    system: usize,
    name: String,
    start: usize,
    len: usize,
    format: OnceLock<Result<EventFormat, FormatError>>,
}

impl EventTable {
    /// The system and the name of the event with that `common_type`.
    pub fn name(&self, id: u16) -> Option<(&str, &str)> {
        let entry = self.entry(id)?;
        Some((self.systems.get(entry.system)?, &entry.name))
    }

    /// The id of a system's event. Other systems may have events of the same name: probes are named freely.
    pub fn id(&self, system: &str, name: &str) -> Option<u16> {
        self.ids().find(|&id| self.name(id) == Some((system, name)))
    }

    /// The fields and the print fmt of an event.
    pub fn format(&self, id: u16) -> Option<&Result<EventFormat, FormatError>> {
        let entry = self.entry(id)?;
        Some(entry.format.get_or_init(|| {
            let text = traceevent::slice(&self.text, entry.start, entry.len).unwrap_or_default();
            EventFormat::parse(&String::from_utf8_lossy(text))
        }))
    }

    /// Any format that can be read, for the fields that all have.
    pub fn any_format(&self) -> Option<&EventFormat> {
        self.ids().find_map(|id| self.format(id)?.as_ref().ok())
    }

    /// Every id up to the highest that an event has; some may have none.
    pub fn ids(&self) -> impl Iterator<Item = u16> {
        (0..=u16::MAX).take(self.by_id.len())
    }

    fn entry(&self, id: u16) -> Option<&Entry> {
        let index = *self.by_id.get(usize::from(id))? as usize;
        self.events.get(index.checked_sub(1)?)
    }

    fn add(&mut self, system: usize, text: &[u8]) -> Result<(), FormatError> {
        let lossy = String::from_utf8_lossy(text);
        let header = FormatHeader::parse(&lossy)?;
        let id = usize::from(header.id);
        let start = self.text.len();
        self.text.extend_from_slice(text);
        self.events.push(Entry {
            system,
            name: header.name.to_owned(),
            start,
            len: text.len(),
            format: OnceLock::new(),
        });
        if self.by_id.len() <= id {
            self.by_id.resize(id + 1, 0);
        }
        if let Some(slot) = self.by_id.get_mut(id).filter(|slot| **slot == 0) {
            *slot = self.events.len() as u32;
        }
        Ok(())
    }

    fn add_system(&mut self, name: String) -> usize {
        self.systems.push(name);
        self.systems.len() - 1
    }

    /// A table of these formats, for tests that bind fields.
    #[cfg(test)]
    pub(crate) fn of_texts(system: &str, texts: &[&str]) -> Self {
        let mut table = EventTable::default();
        let system = table.add_system(system.to_owned());
        for text in texts {
            table.add(system, text.as_bytes()).unwrap();
        }
        table
    }

    /// Reads ftrace's own events: a count, then sized texts. Formats that cannot be used are passed to `bad`.
    pub(super) fn read_ftrace<R: ReadAt + ?Sized>(
        &mut self,
        cursor: &mut Cursor<'_, R>,
        bad: &mut dyn FnMut(OpenError),
    ) -> Result<(), OpenError> {
        let count = cursor.u32("the count of ftrace formats")?;
        let system = self.add_system("ftrace".to_owned());
        for _ in 0..count {
            self.read_format(system, cursor, bad)?;
        }
        Ok(())
    }

    /// Reads all other events: a count of systems, each with a name, a count and sized texts.
    pub(super) fn read_systems<R: ReadAt + ?Sized>(
        &mut self,
        cursor: &mut Cursor<'_, R>,
        bad: &mut dyn FnMut(OpenError),
    ) -> Result<(), OpenError> {
        let systems = cursor.u32("the count of event systems")?;
        for _ in 0..systems {
            let name = cursor.c_str("the name of an event system")?;
            let system = self.add_system(name);
            let count = cursor.u32("the count of event formats")?;
            for _ in 0..count {
                self.read_format(system, cursor, bad)?;
            }
        }
        Ok(())
    }

    fn read_format<R: ReadAt + ?Sized>(
        &mut self,
        system: usize,
        cursor: &mut Cursor<'_, R>,
        bad: &mut dyn FnMut(OpenError),
    ) -> Result<(), OpenError> {
        let size = cursor.u64("the size of an event format")?;
        let place = cursor.place();
        let text = cursor.bytes(size, "an event format")?;
        if let Err(error) = self.add(system, &text) {
            bad(OpenError::Malformed {
                what: format!("an event format without use: {error}"),
                place,
            });
        }
        Ok(())
    }
}
