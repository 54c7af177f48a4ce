//! Which event a record is.

use traceevent::{Endian, IntField};

use crate::file::DataFormat;

/// Reads `common_type`, which is at the same place in every event.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EventIds {
    field: Option<IntField>,
    endian: Endian,
}

impl EventIds {
    pub fn new(format: &DataFormat) -> Self {
        let any = format.events.any_format();
        EventIds {
            field: any.and_then(|format| format.field("common_type")?.as_int()),
            endian: format.layout.endian(),
        }
    }

    /// The event's id; `None` if the record is too short to have one, in which case it does not count as a record.
    #[inline]
    pub fn of(self, record: &[u8]) -> Option<u16> {
        let id = match self.field {
            Some(field) => field.load(record, self.endian)?,
            None => i64::from(self.endian.u16(record, 0)?),
        };
        u16::try_from(id).ok()
    }
}
