//! Version 7: sections are copied, except for those of options and of data, which are written anew behind them.

use std::collections::HashMap;
use std::io::{self, Seek, Write};

use super::{copy, pages, CutError, Window, Written};
use crate::file::{options as option, Codec, OptionValue, ReadAt, Section, TraceFile, COMPRESSED, SECTION_HEADER};
use crate::write::Writer;

pub(super) fn write<R: ReadAt, W: Write + Seek>(
    file: &TraceFile<R>,
    window: &Window,
    comms: Option<&[u8]>,
    out: &mut Writer<'_, W>,
) -> Result<Written, CutError> {
    let sections = file.section_headers();
    // Magic, version, byte order, sizes, compression: up to the offset of the options.
    copy(file.input(), out, 0, file.first_section().saturating_sub(8))?;
    let first_options = out.later_u64()?;
    let mut cut = Cut {
        file,
        sections: &sections,
        moved: HashMap::new(),
    };
    for &(at, section) in &sections {
        cut.copy_section(at, section, comms, out)?;
    }
    let mut written = Written::default();
    let mut buffers = Vec::new();
    for index in 0..file.buffers().len() {
        buffers.push(cut.write_buffer(index, window, out, &mut written)?);
    }
    let options = out.at()?;
    out.go_back(first_options, |out| out.u64(options))?;
    cut.write_options(&buffers, out)?;
    Ok(written)
}

struct Cut<'f, R: ReadAt> {
    file: &'f TraceFile<R>,
    sections: &'f [(u64, Section)],
    /// Where sections were, and where they are now.
    moved: HashMap<u64, u64>,
}

impl<R: ReadAt> Cut<'_, R> {
    fn copy_section<W: Write + Seek>(
        &mut self,
        at: u64,
        section: Section,
        comms: Option<&[u8]>,
        out: &mut Writer<'_, W>,
    ) -> Result<(), CutError> {
        if matches!(section.id, option::DONE | option::BUFFER) {
            return Ok(());
        }
        self.moved.insert(at, out.at()?);
        match comms {
            Some(comms) if self.file.saved_comms_at() == Some(at) => Ok(self.write_comms(comms, out)?),
            _ => copy(self.file.input(), out, at, SECTION_HEADER.saturating_add(section.size)),
        }
    }

    /// Other saved command lines, packed as the file is.
    fn write_comms<W: Write + Seek>(&self, comms: &[u8], out: &mut Writer<'_, W>) -> io::Result<()> {
        let mut plain = out.of_u64(comms.len() as u64).to_vec();
        plain.extend_from_slice(comms);
        let codec = self.file.codec();
        let size = self.begin(option::CMDLINES, codec != Codec::None, out)?;
        if codec != Codec::None {
            let packed = codec.pack(&plain)?;
            out.u32(packed.len() as u32)?;
            out.u32(plain.len() as u32)?;
            out.bytes(&packed)?;
        } else {
            out.bytes(&plain)?;
        }
        end(size, out)
    }

    /// A section's header, described as the first section of its kind was; gives the place of its size.
    fn begin<W: Write + Seek>(&self, id: u16, packed: bool, out: &mut Writer<'_, W>) -> io::Result<u64> {
        let alike = self.sections.iter().find(|(_, section)| section.id == id);
        out.u16(id)?;
        out.u16(if packed { COMPRESSED } else { 0 })?;
        out.u32(alike.map_or(0, |(_, section)| section.description))?;
        out.later_u64()
    }

    /// The data of a buffer; gives where its section is, and each CPU's number, place and size.
    fn write_buffer<W: Write + Seek>(
        &self,
        index: usize,
        window: &Window,
        out: &mut Writer<'_, W>,
        written: &mut Written,
    ) -> Result<(u64, Vec<[u64; 3]>), CutError> {
        let start = out.at()?;
        let Some(buffer) = self.file.buffers().get(index) else {
            return Ok((start, Vec::new()));
        };
        let size = self.begin(option::BUFFER, buffer.packed, out)?;
        let mut extents = Vec::new();
        for (at, extent) in buffer.cpus.iter().enumerate() {
            let offset = out.align(self.file.alignment(index))?;
            let size = pages::write(self.file, (index, at), None, window, out, written)?;
            // trace-cmd leaves the count of chunks out of the size of packed data.
            let size = if buffer.packed { size.saturating_sub(4) } else { size };
            extents.push([u64::from(extent.cpu), offset, size]);
        }
        end(size, out)?;
        Ok((start, extents))
    }

    /// One section with all options: those of the file, then where the buffers are.
    fn write_options<W: Write + Seek>(
        &self,
        buffers: &[(u64, Vec<[u64; 3]>)],
        out: &mut Writer<'_, W>,
    ) -> Result<(), CutError> {
        let size = self.begin(option::DONE, false, out)?;
        for info in &self.file.header().options {
            let len = u64::from(info.size);
            let to = match info.value {
                OptionValue::Section(at) | OptionValue::Buffer { offset: at, .. } => match self.moved.get(&at) {
                    Some(&to) => Some(to),
                    // A buffer, which follows, or a section that was not found.
                    None => continue,
                },
                _ => None,
            };
            out.u16(info.id)?;
            out.u32(info.size)?;
            let start = out.at()?;
            copy(self.file.input(), out, info.offset, len)?;
            if let Some(to) = to {
                out.go_back(start, |out| out.u64(to))?;
            }
        }
        for (buffer, (at, extents)) in self.file.buffers().iter().zip(buffers) {
            let clock = buffer.clock.as_deref().unwrap_or_default();
            let len = 8 + buffer.name.len() + 1 + clock.len() + 1 + 8 + 20 * extents.len();
            out.u16(option::BUFFER)?;
            out.u32(len as u32)?;
            out.u64(*at)?;
            out.c_str(&buffer.name)?;
            out.c_str(clock)?;
            out.u32(buffer.page_size.unwrap_or(0))?;
            out.u32(extents.len() as u32)?;
            for &[cpu, offset, size] in extents {
                out.u32(cpu as u32)?;
                out.u64(offset)?;
                out.u64(size)?;
            }
        }
        // The last one leads to the next section of options: there is none.
        out.u16(option::DONE)?;
        out.u32(8)?;
        out.u64(0)?;
        Ok(end(size, out)?)
    }
}

/// Writes the size of the section that ends here.
fn end<W: Write + Seek>(size: u64, out: &mut Writer<'_, W>) -> io::Result<()> {
    let len = out.at()?.saturating_sub(size + 8);
    out.go_back(size, |out| out.u64(len))
}
