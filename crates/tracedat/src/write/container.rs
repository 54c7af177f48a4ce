//! A trace.dat of either version around pages: what both say, and where each says it.

use std::io::{self, Cursor, Seek, Write};

use traceevent::Endian;

use super::writer::Writer;
use super::FileVersion;
use crate::file::{options as option, Codec, COMPRESSED, FLYRECORD, OPTIONS};

const MAGIC: &[u8] = b"\x17\x08\x44tracing";
/// The version of zstd's format that the file names; trace-cmd looks at the name alone.
const ZSTD_VERSION: &str = "1.5.0";

/// Formats and tables of text, in the order in which both versions have them: their sections, as version 7 numbers and
/// describes them.
pub(crate) const SECTIONS: [(u16, &str); 6] = [
    (option::HEADER_INFO, "headers"),
    (option::FTRACE_EVENTS, "ftrace events"),
    (option::EVENT_FORMATS, "events format"),
    (option::KALLSYMS, "kallsyms"),
    (option::PRINTK, "printk"),
    (option::CMDLINES, "command lines"),
];

/// All that a file says besides records.
pub(crate) struct Contents {
    pub endian: Endian,
    pub long_size: u8,
    pub page_size: u32,
    /// Of the records, which may be larger.
    pub data_page_size: u32,
    /// The bytes of [`SECTIONS`].
    pub sections: [Vec<u8>; SECTIONS.len()],
    /// But for those that say where something is.
    pub options: Vec<(u16, Vec<u8>)>,
    /// The kernel's word for the clock.
    pub clock: String,
    pub cpu_count: u32,
    /// Those with data.
    pub cpus: Vec<u32>,
}

/// Writes the pages of a CPU, packed so; gives their bytes.
pub(crate) type WritePages<'p, W> = &'p mut dyn FnMut(u32, Codec, &mut Writer<'_, W>) -> io::Result<u64>;

/// Each CPU's number, and where its data is: place and size.
type Extents = Vec<(u32, u64, u64)>;

impl Contents {
    pub fn write<W: Write + Seek>(
        &self,
        version: FileVersion,
        pages: WritePages<'_, W>,
        out: &mut Writer<'_, W>,
    ) -> io::Result<()> {
        out.bytes(MAGIC)?;
        out.c_str(match version {
            FileVersion::V6 => "6",
            FileVersion::V7 => "7",
        })?;
        out.bytes(&[u8::from(self.endian == Endian::Big), self.long_size])?;
        out.u32(self.page_size)?;
        match version {
            FileVersion::V6 => self.write_v6(pages, out),
            FileVersion::V7 => self.write_v7(pages, out),
        }
    }

    fn alignment(&self) -> u64 {
        u64::from(self.page_size.max(self.data_page_size))
    }

    /// One structure behind the other, trace-cmd.dat.v6(5).
    fn write_v6<W: Write + Seek>(&self, pages: WritePages<'_, W>, out: &mut Writer<'_, W>) -> io::Result<()> {
        for section in &self.sections {
            out.bytes(section)?;
        }
        out.u32(self.cpu_count)?;
        out.bytes(OPTIONS)?;
        for (id, data) in &self.options {
            write_option(*id, data, out)?;
        }
        out.u16(option::DONE)?;
        out.bytes(FLYRECORD)?;
        let table = out.at()?;
        for _ in 0..self.cpu_count {
            out.u64(0)?;
            out.u64(0)?;
        }
        let clock = format!("[{}]\n", self.clock);
        out.u64(clock.len() as u64)?;
        out.bytes(clock.as_bytes())?;
        for cpu in 0..self.cpu_count {
            let start = out.align(self.alignment())?;
            let size = if self.cpus.contains(&cpu) {
                pages(cpu, Codec::None, out)?
            } else {
                0
            };
            out.go_back(table + 16 * u64::from(cpu), |out| {
                out.u64(start)?;
                out.u64(size)
            })?;
        }
        Ok(())
    }

    /// Sections that options lead to, trace-cmd.dat.v7(5).
    fn write_v7<W: Write + Seek>(&self, pages: WritePages<'_, W>, out: &mut Writer<'_, W>) -> io::Result<()> {
        out.c_str("zstd")?;
        out.c_str(ZSTD_VERSION)?;
        let first_options = out.later_u64()?;
        let mut strings = Vec::new();
        let mut places = Vec::new();
        for ((id, description), data) in SECTIONS.into_iter().zip(&self.sections) {
            places.push((id, out.at()?));
            write_packed(id, description, data, &mut strings, out)?;
        }
        let (at, extents) = self.write_buffer(pages, &mut strings, out)?;

        let options = out.at()?;
        out.go_back(first_options, |out| out.u64(options))?;
        let size = begin(option::DONE, 0, "options", &mut strings, out)?;
        for (id, place) in places {
            write_option(id, &out.of_u64(place), out)?;
        }
        for (id, data) in &self.options {
            write_option(*id, data, out)?;
        }
        // The main buffer has no name.
        let len = 8 + 1 + self.clock.len() + 1 + 8 + 20 * extents.len();
        out.u16(option::BUFFER)?;
        out.u32(len as u32)?;
        out.u64(at)?;
        out.c_str("")?;
        out.c_str(&self.clock)?;
        out.u32(self.data_page_size)?;
        out.u32(extents.len() as u32)?;
        for (cpu, offset, size) in extents {
            out.u32(cpu)?;
            out.u64(offset)?;
            out.u64(size)?;
        }
        // The last one leads to the next section of options: there is none.
        write_option(option::DONE, &[0; 8], out)?;
        end(size, out)?;
        let mut described = strings.clone();
        described.extend_from_slice(b"strings\0");
        write_packed(option::STRINGS, "strings", &described, &mut strings, out)
    }

    /// The data of all CPUs; gives where its section is, and each CPU's number, place and size.
    fn write_buffer<W: Write + Seek>(
        &self,
        pages: WritePages<'_, W>,
        strings: &mut Vec<u8>,
        out: &mut Writer<'_, W>,
    ) -> io::Result<(u64, Extents)> {
        let start = out.at()?;
        let size = begin(option::BUFFER, COMPRESSED, "buffer flyrecord ", strings, out)?;
        let mut extents = Extents::new();
        for &cpu in &self.cpus {
            let offset = out.align(self.alignment())?;
            // trace-cmd leaves the count of chunks out of the size.
            let size = pages(cpu, Codec::Zstd, out)?.saturating_sub(4);
            extents.push((cpu, offset, size));
        }
        end(size, out)?;
        Ok((start, extents))
    }
}

fn write_option<W: Write + Seek>(id: u16, data: &[u8], out: &mut Writer<'_, W>) -> io::Result<()> {
    out.u16(id)?;
    out.u32(data.len() as u32)?;
    out.bytes(data)
}

/// A section's header; gives the place of its size.
fn begin<W: Write + Seek>(
    id: u16,
    flags: u16,
    description: &str,
    strings: &mut Vec<u8>,
    out: &mut Writer<'_, W>,
) -> io::Result<u64> {
    out.u16(id)?;
    out.u16(flags)?;
    out.u32(strings.len() as u32)?;
    strings.extend_from_slice(description.as_bytes());
    strings.push(0);
    out.later_u64()
}

/// Writes the size of the section that ends here.
fn end<W: Write + Seek>(size: u64, out: &mut Writer<'_, W>) -> io::Result<()> {
    let len = out.at()?.saturating_sub(size + 8);
    out.go_back(size, |out| out.u64(len))
}

/// A section in one packed piece.
fn write_packed<W: Write + Seek>(
    id: u16,
    description: &str,
    data: &[u8],
    strings: &mut Vec<u8>,
    out: &mut Writer<'_, W>,
) -> io::Result<()> {
    let size = begin(id, COMPRESSED, description, strings, out)?;
    let packed = Codec::Zstd.pack(data)?;
    out.u32(packed.len() as u32)?;
    out.u32(data.len() as u32)?;
    out.bytes(&packed)?;
    end(size, out)
}

/// What `write` writes, as bytes.
pub(super) fn bytes(
    endian: Endian,
    write: impl FnOnce(&mut Writer<'_, Cursor<Vec<u8>>>) -> io::Result<()>,
) -> io::Result<Vec<u8>> {
    let mut out = Cursor::new(Vec::new());
    write(&mut Writer::new(&mut out, endian))?;
    Ok(out.into_inner())
}
