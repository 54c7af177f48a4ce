//! Version 7: sections found through options, trace-cmd.dat.v7(5).

use traceevent::until_nul;

use super::compression::{Codec, Unpacker};
use super::cursor::Cursor;
use super::header::{Buffer, CpuExtent, LatencyText};
use super::metadata::{Metadata, MAX_CPUS};
use super::option_value::OptionValue;
use super::options;
use super::recover;
use super::sections::walk;
use crate::error::{OpenError, Place};
use schedrows::{sort_by_keys, ReadAt};

/// Bytes of a section's header.
pub(crate) const SECTION_HEADER: u64 = 16;
/// Section flag: compressed.
pub(crate) const COMPRESSED: u16 = 1;
/// Files have two or three; a bound for damaged ones that lead on and on.
const MAX_OPTION_SECTIONS: usize = 100;

/// A section's header.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Section {
    pub id: u16,
    pub compressed: bool,
    /// Where its description is in the sections of strings.
    pub description: u32,
    /// Bytes behind the header.
    pub size: u64,
}

/// What the options lead to.
#[derive(Default)]
struct Found {
    header_info: Option<u64>,
    ftrace_events: Option<u64>,
    event_formats: Option<u64>,
    /// The sections of the header's buffers, in their order.
    buffers: Vec<u64>,
    /// Options sections that were read.
    seen: Vec<u64>,
}

/// Reads everything after the names of the compression; returns where the sections begin.
pub(super) fn read<R: ReadAt + ?Sized>(
    meta: &mut Metadata,
    codec: Codec,
    cursor: &mut Cursor<'_, R>,
) -> Result<u64, OpenError> {
    let first = cursor.u64("the offset of the options")?;
    let sections = cursor.at();
    let mut found = Found::default();
    let broken = read_option_sections(meta, &mut found, cursor, first).err();
    if let Some(error) = &broken {
        // The sections stand one behind the other, whatever points to them.
        find_sections(meta, &mut found, cursor, sections);
        meta.survive(error.clone());
    }

    let endian = meta.header.endian;
    // What is lost of formats is names and fields of events; all others remain.
    let read = unpack_found(meta, cursor, found.header_info, "HEADER_INFO", codec)
        .and_then(|(at, data)| meta.read_header_info(&mut Cursor::in_section(&data, endian, at)));
    read.unwrap_or_else(|error| meta.survive(error));
    if found.ftrace_events.is_some() {
        let read = unpack_found(meta, cursor, found.ftrace_events, "FTRACE_EVENTS", codec)
            .and_then(|(at, data)| meta.read_ftrace_events(&mut Cursor::in_section(&data, endian, at)));
        read.unwrap_or_else(|error| meta.survive(error));
    }
    let read = unpack_found(meta, cursor, found.event_formats, "EVENT_FORMATS", codec)
        .and_then(|(at, data)| meta.read_event_systems(&mut Cursor::in_section(&data, endian, at)));
    read.unwrap_or_else(|error| meta.survive(error));

    read_packing(meta, &found, cursor, codec);
    let has_main = meta.header.buffers.first().is_some_and(|first| first.name.is_empty());
    if !has_main && meta.header.texts.is_empty() {
        let why = broken.unwrap_or_else(|| missing("main BUFFER", first));
        match recover::find_main_buffer(meta, cursor, codec, sections) {
            Some(buffer) => meta.header.buffers.insert(0, buffer),
            None if meta.header.buffers.is_empty() => return Err(why),
            None => meta.survive(why),
        }
    }
    Ok(sections)
}

fn missing(what: &str, options: u64) -> OpenError {
    OpenError::Malformed {
        what: format!("the options name no {what} section"),
        place: Place::file(options),
    }
}

/// A section that the options should have led to, and where it is.
fn unpack_found<R: ReadAt + ?Sized>(
    meta: &mut Metadata,
    cursor: &mut Cursor<'_, R>,
    at: Option<u64>,
    what: &str,
    codec: Codec,
) -> Result<(u64, Vec<u8>), OpenError> {
    let at = at.ok_or_else(|| missing(what, 0))?;
    let mut damage = None;
    let data = unpack_section(cursor, at, codec, &mut damage);
    damage.into_iter().for_each(|error| meta.survive(error));
    Ok((at, data?))
}

/// Takes the sections from `at` on for what the options did not lead to.
fn find_sections<R: ReadAt + ?Sized>(meta: &mut Metadata, found: &mut Found, cursor: &mut Cursor<'_, R>, at: u64) {
    let sections = walk(cursor, at);
    for &(at, section) in &sections {
        let at = Some(at);
        match section.id {
            options::HEADER_INFO => found.header_info = found.header_info.or(at),
            options::FTRACE_EVENTS => found.ftrace_events = found.ftrace_events.or(at),
            options::EVENT_FORMATS => found.event_formats = found.event_formats.or(at),
            options::KALLSYMS => meta.tables.kallsyms = meta.tables.kallsyms.or(at),
            options::PRINTK => meta.tables.printk = meta.tables.printk.or(at),
            options::CMDLINES => meta.tables.cmdlines = meta.tables.cmdlines.or(at),
            _ => {}
        }
    }
    for (at, section) in &sections {
        if section.id == options::DONE && !found.seen.contains(at) {
            // Its link leads to a section that is among these.
            if let Err(error) = read_options(meta, found, cursor, *at) {
                meta.survive(error);
            }
        }
    }
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

/// Follows the chain of option sections.
fn read_option_sections<R: ReadAt + ?Sized>(
    meta: &mut Metadata,
    found: &mut Found,
    cursor: &mut Cursor<'_, R>,
    first: u64,
) -> Result<(), OpenError> {
    let mut next = first;
    loop {
        if found.seen.contains(&next) || found.seen.len() >= MAX_OPTION_SECTIONS {
            return Err(OpenError::Malformed {
                what: "an options section that was read before".to_owned(),
                place: Place::file(next),
            });
        }
        next = read_options(meta, found, cursor, next)?;
        if next == 0 {
            return Ok(());
        }
    }
}

/// Reads one options section; gives the offset of the next.
fn read_options<R: ReadAt + ?Sized>(
    meta: &mut Metadata,
    found: &mut Found,
    cursor: &mut Cursor<'_, R>,
    at: u64,
) -> Result<u64, OpenError> {
    let section = read_section(cursor, at)?;
    if section.id != options::DONE {
        return Err(OpenError::Malformed {
            what: format!("section {} where the options section 0 was expected", section.id),
            place: Place::file(at),
        });
    }
    found.seen.push(at);
    let end = cursor.at().saturating_add(section.size);
    while cursor.at() < end {
        let id = cursor.u16("an option")?;
        let size = cursor.u32("the size of an option")?;
        if id == options::DONE {
            // Always 8 bytes. `trace-cmd convert` of a file of the other byte order swaps the size.
            return cursor.u64("the offset of the next options");
        }
        let offset = cursor.at();
        let data = cursor.bytes(u64::from(size), "an option")?;
        meta.take_option(id, offset, &data);
        let endian = meta.header.endian;
        let option = meta.header.options.last().map(|option| (option.id, &option.value));
        match option {
            Some((options::HEADER_INFO, &OptionValue::Section(at))) => found.header_info = Some(at),
            Some((options::FTRACE_EVENTS, &OptionValue::Section(at))) => found.ftrace_events = Some(at),
            Some((options::EVENT_FORMATS, &OptionValue::Section(at))) => found.event_formats = Some(at),
            Some((options::BUFFER, &OptionValue::Buffer { offset: at, .. })) => {
                match read_buffer(&mut Cursor::in_section(&data, endian, offset)) {
                    Ok(buffer) => add_buffer(meta, found, at, buffer),
                    Err(error) => meta.survive(error),
                }
            }
            Some((options::BUFFER_TEXT, OptionValue::Buffer { offset: at, name })) => {
                let (at, name) = (*at, name.clone());
                let text = read_text(cursor, at, name, &data);
                cursor.move_to(offset.saturating_add(u64::from(size)));
                match text {
                    Ok(text) => meta.header.texts.push(text),
                    Err(error) => meta.survive(error),
                }
            }
            _ => {}
        }
    }
    Ok(0)
}

/// What a BUFFER_TEXT option leads to; its data is an offset, a name and a clock.
fn read_text<R: ReadAt + ?Sized>(
    cursor: &mut Cursor<'_, R>,
    at: u64,
    name: String,
    data: &[u8],
) -> Result<LatencyText, OpenError> {
    let section = read_section(cursor, at)?;
    let clock = data.get(8 + name.len() + 1..).map(until_nul).unwrap_or_default();
    Ok(LatencyText {
        clock: (!clock.is_empty()).then(|| String::from_utf8_lossy(clock).into_owned()),
        name,
        offset: cursor.at(),
        size: section.size.min(cursor.left()),
        packed: section.compressed,
    })
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

/// The data of a BUFFER option, behind the offset of its section.
fn read_buffer<R: ReadAt + ?Sized>(cursor: &mut Cursor<'_, R>) -> Result<Buffer, OpenError> {
    cursor.skip(8, "the offset of a buffer")?;
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
    sort_by_keys(&mut numbers, |&number| [number.into(), 0]);
    if numbers.windows(2).any(|pair| pair.first() == pair.last()) {
        return Err(cursor.malformed("a buffer that has a CPU twice"));
    }
    Ok(Buffer {
        name,
        clock: (!clock.is_empty()).then_some(clock),
        page_size: (page_size != 0).then_some(page_size),
        packed: false,
        cpus,
    })
}

/// Reads a section's header; the cursor is then behind it.
pub(super) fn read_section<R: ReadAt + ?Sized>(cursor: &mut Cursor<'_, R>, at: u64) -> Result<Section, OpenError> {
    cursor.move_to(at);
    let id = cursor.u16("a section header")?;
    let flags = cursor.u16("a section header")?;
    let description = cursor.u32("a section header")?;
    let size = cursor.u64("a section header")?;
    Ok(Section {
        id,
        compressed: flags & COMPRESSED != 0,
        description,
        size,
    })
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
