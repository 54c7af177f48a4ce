//! Version 7: sections found through options, trace-cmd.dat.v7(5).

use super::compression::{Codec, Unpacker};
use super::cursor::Cursor;
use super::header::{Buffer, CpuExtent, OptionInfo};
use super::metadata::{Metadata, MAX_CPUS};
use super::options;
use super::read_at::ReadAt;
use super::recover;
use crate::error::{OpenError, Place};

/// Bytes of a section's header.
pub(super) const SECTION_HEADER: u64 = 16;
/// Section flag: compressed.
const COMPRESSED: u16 = 1;
/// Files have two or three; a bound for damaged ones that lead on and on.
const MAX_OPTION_SECTIONS: usize = 100;

/// A section's header.
#[derive(Clone, Copy, Debug)]
pub(super) struct Section {
    pub id: u16,
    pub compressed: bool,
    /// Bytes behind the header.
    pub size: u64,
}

/// Where the sections are that are read when a file is opened.
#[derive(Default)]
struct Found {
    header_info: Option<u64>,
    ftrace_events: Option<u64>,
    event_formats: Option<u64>,
    /// The sections of the header's buffers, in their order.
    buffers: Vec<u64>,
    /// Behind the last options section that could be read.
    options_end: u64,
    /// What ended the chain of options too early.
    broken: Option<OpenError>,
}

/// Reads all that follows the names of the compression.
pub(super) fn read<R: ReadAt + ?Sized>(
    meta: &mut Metadata,
    codec: Codec,
    cursor: &mut Cursor<'_, R>,
) -> Result<(), OpenError> {
    let first = cursor.u64("the offset of the options")?;
    let mut found = Found::default();
    read_option_sections(meta, &mut found, cursor, first)?;

    let endian = meta.header.endian;
    let missing = |what: &str| OpenError::Malformed {
        what: format!("the options name no {what} section"),
        place: Place::file(first),
    };
    let at = found.header_info.ok_or_else(|| missing("HEADER_INFO"))?;
    let data = unpack(meta, cursor, at, codec)?;
    let read = meta.read_header_info(&mut Cursor::in_section(&data, endian, at));
    match read {
        Err(error) if meta.layout.is_none() => return Err(error),
        read => read.unwrap_or_else(|error| meta.survive(error)),
    }
    // What is lost of the formats are names and fields of events; all others remain.
    if let Some(at) = found.ftrace_events {
        let read = unpack(meta, cursor, at, codec)
            .and_then(|data| meta.read_ftrace_events(&mut Cursor::in_section(&data, endian, at)));
        read.unwrap_or_else(|error| meta.survive(error));
    }
    let at = found.event_formats.ok_or_else(|| missing("EVENT_FORMATS"))?;
    let read = unpack(meta, cursor, at, codec)
        .and_then(|data| meta.read_event_systems(&mut Cursor::in_section(&data, endian, at)));
    read.unwrap_or_else(|error| meta.survive(error));

    read_packing(meta, &found, cursor, codec);
    if meta.header.buffers.first().is_none_or(|buffer| !buffer.name.is_empty()) {
        let buffer = recover::find_main_buffer(meta, cursor, codec, found.options_end);
        let why = || found.broken.unwrap_or_else(|| missing("main BUFFER"));
        meta.header.buffers.insert(0, buffer.ok_or_else(why)?);
    }
    Ok(())
}

/// Learns from the sections of the buffers which ones are packed.
fn read_packing<R: ReadAt + ?Sized>(meta: &mut Metadata, found: &Found, cursor: &mut Cursor<'_, R>, codec: Codec) {
    let sections: Vec<_> = found.buffers.iter().map(|&at| read_section(cursor, at)).collect();
    for (index, section) in sections.into_iter().enumerate() {
        let packed = match section {
            Ok(section) => section.compressed,
            Err(error) => {
                // The extents are known; how they are packed follows from the file's header.
                meta.survive(error);
                codec != Codec::None
            }
        };
        let Some(buffer) = meta.header.buffers.get_mut(index).filter(|_| packed) else {
            continue;
        };
        buffer.packed = true;
        // trace-cmd leaves the leading word, the count of chunks, out of the size that it gives for a CPU's packed data.
        for extent in buffer.cpus.iter_mut().filter(|extent| extent.size > 0) {
            extent.size = extent.size.saturating_add(4);
        }
    }
}

/// Follows the chain of option sections. Damage in the first is an error, later it ends the chain.
fn read_option_sections<R: ReadAt + ?Sized>(
    meta: &mut Metadata,
    found: &mut Found,
    cursor: &mut Cursor<'_, R>,
    first: u64,
) -> Result<(), OpenError> {
    let mut next = first;
    let mut seen = Vec::new();
    while next != 0 {
        if seen.contains(&next) || seen.len() >= MAX_OPTION_SECTIONS {
            let place = Place::file(next);
            meta.survive(OpenError::Malformed {
                what: "an options section that was read before".to_owned(),
                place,
            });
            break;
        }
        seen.push(next);
        match read_options(meta, found, cursor, next) {
            Ok(following) => next = following,
            Err(error) if seen.len() == 1 => return Err(error),
            Err(error) => {
                meta.survive(error.clone());
                found.broken = Some(error);
                break;
            }
        }
    }
    Ok(())
}

/// Reads one options section; gives the offset of the next.
fn read_options<R: ReadAt + ?Sized>(
    meta: &mut Metadata,
    found: &mut Found,
    cursor: &mut Cursor<'_, R>,
    at: u64,
) -> Result<u64, OpenError> {
    let section = read_section(cursor, at)?;
    if section.id != 0 {
        return Err(OpenError::Malformed {
            what: format!("section {} where the options section 0 was expected", section.id),
            place: Place::file(at),
        });
    }
    let end = cursor.at().saturating_add(section.size);
    while cursor.at() < end {
        let id = cursor.u16("an option")?;
        let size = cursor.u32("the size of an option")?;
        let option = OptionInfo {
            id,
            size,
            offset: cursor.at(),
        };
        let data = cursor.bytes(u64::from(size), "an option")?;
        let endian = meta.header.endian;
        let offset = endian.u64(&data, 0);
        if id == options::DONE {
            found.options_end = end;
            return Ok(offset.unwrap_or(0));
        }
        meta.header.options.push(option);
        match id {
            options::HEADER_INFO => found.header_info = offset,
            options::FTRACE_EVENTS => found.ftrace_events = offset,
            options::EVENT_FORMATS => found.event_formats = offset,
            options::KALLSYMS => meta.tables.kallsyms = offset,
            options::PRINTK => meta.tables.printk = offset,
            options::CMDLINES => meta.tables.cmdlines = offset,
            options::BUFFER => match read_buffer(&mut Cursor::in_section(&data, endian, option.offset)) {
                Ok((at, buffer)) => add_buffer(meta, found, at, buffer),
                Err(error) => meta.survive(error),
            },
            _ => meta.apply_option(option, &data, endian),
        }
    }
    Ok(0)
}

fn add_buffer(meta: &mut Metadata, found: &mut Found, at: u64, buffer: Buffer) {
    let has_main = meta.header.buffers.first().is_some_and(|first| first.name.is_empty());
    if buffer.name.is_empty() && !has_main {
        if buffer.clock.is_some() {
            meta.header.clock.clone_from(&buffer.clock);
        }
        meta.header.buffers.insert(0, buffer);
        found.buffers.insert(0, at);
    } else {
        found.buffers.push(at);
        meta.header.buffers.push(buffer);
    }
}

/// The data of a BUFFER option: where its section is, and the buffer.
fn read_buffer<R: ReadAt + ?Sized>(cursor: &mut Cursor<'_, R>) -> Result<(u64, Buffer), OpenError> {
    let at = cursor.u64("the offset of a buffer")?;
    let name = cursor.c_str("the name of a buffer")?;
    let clock = cursor.c_str("the clock of a buffer")?;
    let page_size = cursor.u32("the page size of a buffer")?;
    let count = cursor.u32("the number of CPUs of a buffer")?;
    let mut cpus = Vec::new();
    for _ in 0..count {
        let cpu = cursor.u32("a CPU's number")?;
        if cpu >= MAX_CPUS {
            return Err(cursor.malformed(format!("a CPU of number {cpu}")));
        }
        cpus.push(CpuExtent {
            cpu,
            offset: cursor.u64("the offset of a CPU's data")?,
            size: cursor.u64("the size of a CPU's data")?,
            missing: 0,
        });
    }
    let mut numbers: Vec<u32> = cpus.iter().map(|extent| extent.cpu).collect();
    numbers.sort_unstable();
    if numbers.windows(2).any(|pair| pair.first() == pair.last()) {
        return Err(cursor.malformed("a buffer that has a CPU twice"));
    }
    let buffer = Buffer {
        name,
        clock: (!clock.is_empty()).then_some(clock),
        page_size: (page_size != 0).then_some(page_size),
        packed: false,
        cpus,
    };
    Ok((at, buffer))
}

/// Reads a section's header; the cursor is then behind it.
pub(super) fn read_section<R: ReadAt + ?Sized>(cursor: &mut Cursor<'_, R>, at: u64) -> Result<Section, OpenError> {
    cursor.move_to(at);
    let id = cursor.u16("a section header")?;
    let flags = cursor.u16("a section header")?;
    let _description = cursor.u32("a section header")?;
    let size = cursor.u64("a section header")?;
    Ok(Section {
        id,
        compressed: flags & COMPRESSED != 0,
        size,
    })
}

/// As [`unpack_section`], for sections that are read when the file is opened.
fn unpack<R: ReadAt + ?Sized>(
    meta: &mut Metadata,
    cursor: &mut Cursor<'_, R>,
    at: u64,
    codec: Codec,
) -> Result<Vec<u8>, OpenError> {
    let mut damage = None;
    let data = unpack_section(cursor, at, codec, &mut damage);
    damage.into_iter().for_each(|error| meta.survive(error));
    data
}

/// The whole of a section, unpacked; of a damaged one, what comes before the damage, which is noted.
pub(super) fn unpack_section<R: ReadAt + ?Sized>(
    cursor: &mut Cursor<'_, R>,
    at: u64,
    codec: Codec,
    damage: &mut Option<OpenError>,
) -> Result<Vec<u8>, OpenError> {
    let section = read_section(cursor, at)?;
    if !section.compressed {
        return cursor.bytes(section.size.min(cursor.left()), "a section");
    }
    let packed_size = cursor.u32("a compressed section's sizes")?;
    let size = cursor.u32("a compressed section's sizes")?;
    let place = cursor.place();
    let packed = cursor.bytes(u64::from(packed_size).min(cursor.left()), "a compressed section")?;
    let mut data = Vec::new();
    if let Err(error) = Unpacker::new(codec).unpack(&packed, size as usize, &mut data) {
        *damage = Some(OpenError::Malformed {
            what: format!("section {} does not unpack: {error}", section.id),
            place,
        });
    }
    Ok(data)
}
