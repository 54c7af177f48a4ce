//! The sections of a version 7 file, one behind the other: how options point to them does not matter here.

use traceevent::until_nul;

use super::cursor::Cursor;
use super::options;
use super::trace_file::TraceFile;
use super::v7::{read_section, unpack_section, Section, SECTION_HEADER};
use crate::error::OpenError;
use schedrows::ReadAt;

/// Files have some dozens, three for each instance; a bound for damaged ones.
const MAX_SECTIONS: usize = 4096;

/// A section as the file lists it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SectionInfo {
    /// See trace-cmd.dat.v7(5).
    pub id: u16,
    /// Where its header is in the file.
    pub offset: u64,
    /// Bytes behind its header.
    pub size: u64,
    /// It is packed.
    pub packed: bool,
    /// What the file calls it; empty when it does not say.
    pub description: String,
}

impl SectionInfo {
    /// The man page's name for it; `None` for an unknown one.
    pub fn name(&self) -> Option<&'static str> {
        match self.id {
            0 => Some("OPTIONS"),
            3 => Some("BUFFER FLYRECORD"),
            22 => Some("BUFFER TEXT"),
            id => options::name(id),
        }
    }
}

/// The headers of the sections from `at` on, with where they are; the last one may be cut. Ends at what is no section.
pub(super) fn walk<R: ReadAt + ?Sized>(cursor: &mut Cursor<'_, R>, mut at: u64) -> Vec<(u64, Section)> {
    let mut found = Vec::new();
    while found.len() < MAX_SECTIONS {
        let Ok(section) = read_section(cursor, at) else {
            break;
        };
        let known = section.id == options::DONE || options::name(section.id).is_some();
        let end = at.saturating_add(SECTION_HEADER).saturating_add(section.size);
        // Sections of a kind that is not known are stepped over; bytes that are none do not fit the file, or are zeros. The
        // section of a buffer without data has size 0.
        let zeros = section.id == options::DONE && section.size == 0;
        if zeros || !known && end > cursor.end() {
            break;
        }
        found.push((at, section));
        at = end;
    }
    found
}

impl<R: ReadAt> TraceFile<R> {
    /// The headers of all sections, with where they are, in the file's order.
    pub(crate) fn section_headers(&self) -> Vec<(u64, Section)> {
        let mut cursor = Cursor::new(self.input(), self.header().endian, 0);
        walk(&mut cursor, self.first_section)
    }

    /// What is in the section at that place, unpacked.
    pub(crate) fn section_bytes(&self, at: u64) -> Result<Vec<u8>, OpenError> {
        let mut cursor = Cursor::new(self.input(), self.header().endian, 0);
        let mut damage = None;
        let bytes = unpack_section(&mut cursor, at, self.codec, &mut damage)?;
        damage.map_or(Ok(bytes), Err)
    }

    /// All sections, in the file's order; none in version 6. Reads one place of the file per section.
    pub fn sections(&self) -> Vec<SectionInfo> {
        if self.header().version < 7 {
            return Vec::new();
        }
        let mut cursor = Cursor::new(self.input(), self.header().endian, 0);
        let found = self.section_headers();
        let mut strings = Vec::new();
        for (at, section) in &found {
            if section.id == options::STRINGS {
                let text = unpack_section(&mut cursor, *at, self.codec, &mut None);
                strings.extend(text.unwrap_or_default());
            }
        }
        let describe = |section: &Section| {
            let text = strings.get(section.description as usize..).unwrap_or_default();
            String::from_utf8_lossy(until_nul(text)).trim().to_owned()
        };
        let info = |(offset, section): &(u64, Section)| SectionInfo {
            id: section.id,
            offset: *offset,
            size: section.size,
            packed: section.compressed,
            description: describe(section),
        };
        found.iter().map(info).collect()
    }
}
