//! Which event a record is.

use traceevent::{load, Endian, IntField};

use crate::file::DataFormat;

/// Reads `common_type`, which is at the same place in every event.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EventIds {
    field: Option<IntField>,
    endian: Endian,
    /// It is where all kernels have it, of two bytes, and little-endian.
    usual: bool,
}

impl EventIds {
    pub fn new(format: &DataFormat) -> Self {
        let any = format.events.any_format();
        let field = any.and_then(|format| format.field("common_type")?.as_int());
        let endian = format.layout.endian();
        let at_the_start = |field: IntField| field.end() == 2 && field.width() == 2 && !field.is_signed();
        EventIds {
            field,
            endian,
            usual: endian == Endian::Little && field.is_none_or(at_the_start),
        }
    }

    /// The event's id; `None` if the record is too short to have one, in which case it does not count as a record.
    #[inline]
    pub fn of(self, record: &[u8]) -> Option<u16> {
        if self.usual {
            return load(record, 0).map(u16::from_le_bytes);
        }
        self.of_field(record)
    }

    fn of_field(self, record: &[u8]) -> Option<u16> {
        let id = match self.field {
            Some(field) => field.load(record, self.endian)?,
            None => i64::from(self.endian.u16(record, 0)?),
        };
        u16::try_from(id).ok()
    }
}
