//! What is printed of a record.

use super::query::EventTextMode;
use crate::records::RecordRef;

/// Prints records one by one, in any order.
pub trait EventTexts {
    /// Appends what `trace-cmd report` prints behind `name: `. It depends on nothing that was printed before.
    fn text(&mut self, mode: EventTextMode, record: &RecordRef<'_>, out: &mut Vec<u8>);
}
