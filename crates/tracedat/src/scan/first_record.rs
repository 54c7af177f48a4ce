//! When a CPU's first record is, without a scan: to bind formats takes longer than to find it.

use traceevent::PageLayout;

use super::EventIds;
use crate::file::{DataFormat, PageStream, Piece, TimeScale};

/// Looks for the first record of one CPU, as its data comes.
pub(super) struct FirstRecord {
    pages: PageStream,
    first: First,
}

struct First {
    layout: PageLayout,
    ids: EventIds,
    scale: TimeScale,
    ns: Option<u64>,
}

impl FirstRecord {
    pub(super) fn new(format: &DataFormat) -> FirstRecord {
        FirstRecord {
            pages: PageStream::new(format),
            first: First {
                layout: format.layout,
                ids: EventIds::new(format),
                scale: format.scale.clone(),
                ns: None,
            },
        }
    }

    /// Takes the next bytes of the CPU's extent, in pieces of any size; whether more are needed.
    pub(super) fn push(&mut self, bytes: &[u8]) -> bool {
        let first = &mut self.first;
        self.pages.push(bytes, &mut |piece| first.take(&piece));
        self.first.ns.is_none()
    }

    /// When the first record is, in ns; no more bytes come.
    pub(super) fn finish(mut self) -> Option<u64> {
        let first = &mut self.first;
        self.pages.finish(&mut |piece| first.take(&piece));
        self.first.ns
    }
}

impl First {
    /// As a scan does, it passes over damage, and over what is too short for a record.
    fn take(&mut self, piece: &Piece<'_>) {
        let (None, Piece::Page(page, ..)) = (self.ns, piece) else {
            return;
        };
        let Ok((_, records)) = self.layout.open(page) else {
            return;
        };
        let mut whole = records.flatten().filter(|record| self.ids.of(record.data).is_some());
        self.ns = whole.next().map(|record| self.scale.apply(record.timestamp));
    }
}
