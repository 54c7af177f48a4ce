//! Version 6: one structure behind the other, trace-cmd.dat.v6(5).
//!
//! A damaged size loses the place of all that follows it, but not the trace data: the table that says where that is stands
//! behind a tag that can be searched for.

use super::clock::chosen_clock;
use super::cursor::Cursor;
use super::header::{Buffer, CpuExtent, LatencyText};
use super::metadata::{Metadata, MAX_CPUS};
use super::option_value::OptionValue;
use super::options;
use crate::error::OpenError;
use schedrows::ReadAt;

pub(crate) const OPTIONS: &[u8] = b"options  \0";
const LATENCY: &[u8] = b"latency  \0";
pub(crate) const FLYRECORD: &[u8] = b"flyrecord\0";

/// Bytes of the list of a kernel's clocks, which has some dozen names.
const MAX_CLOCK: u64 = 4096;

/// What comes before the trace data is some 10 MB, nearly all of it kallsyms.
const MAX_METADATA: u64 = 256 << 20;

/// Reads all that follows the initial format.
pub(super) fn read<R: ReadAt + ?Sized>(meta: &mut Metadata, cursor: &mut Cursor<'_, R>) -> Result<(), OpenError> {
    let start = cursor.at();
    let read = read_metadata(meta, cursor).and_then(|()| read_tail(meta, cursor));
    let Err(error) = read else {
        return Ok(());
    };
    // The number of CPUs stands before any of the tags.
    let Some((tag, _)) = cursor.find(&[OPTIONS, FLYRECORD, LATENCY], start, MAX_METADATA) else {
        return Err(error);
    };
    meta.survive(error);
    meta.header.options.clear();
    meta.header.buffers.clear();
    cursor.move_to(tag.saturating_sub(4));
    read_tail(meta, cursor)
}

/// Formats, and where the tables of text are.
fn read_metadata<R: ReadAt + ?Sized>(meta: &mut Metadata, cursor: &mut Cursor<'_, R>) -> Result<(), OpenError> {
    meta.read_header_info(cursor)?;
    meta.read_ftrace_events(cursor)?;
    meta.read_event_systems(cursor)?;
    meta.tables.kallsyms = Some(cursor.at());
    let kallsyms = cursor.u32("the size of kallsyms")?;
    cursor.skip(u64::from(kallsyms), "kallsyms")?;
    meta.tables.printk = Some(cursor.at());
    let printk = cursor.u32("the size of the printk formats")?;
    cursor.skip(u64::from(printk), "the printk formats")?;
    meta.tables.cmdlines = Some(cursor.at());
    let cmdlines = cursor.u64("the size of the saved command lines")?;
    cursor.skip(cmdlines, "the saved command lines")
}

/// The number of CPUs, options, and where the trace data is.
fn read_tail<R: ReadAt + ?Sized>(meta: &mut Metadata, cursor: &mut Cursor<'_, R>) -> Result<(), OpenError> {
    let place = cursor.place();
    let stated = cursor.u32("the number of CPUs")?;
    let mut tag = read_tag(cursor)?;
    let mut instances = Vec::new();
    if tag == OPTIONS {
        let start = cursor.at();
        if let Err(error) = read_options(meta, cursor, &mut instances) {
            let Some((behind, _)) = cursor.find(&[FLYRECORD, LATENCY], start, MAX_METADATA) else {
                return Err(error);
            };
            meta.survive(error);
            cursor.move_to(behind);
        }
        tag = read_tag(cursor)?;
    }
    if tag == LATENCY {
        let text = LatencyText {
            name: String::new(),
            clock: None,
            offset: cursor.at(),
            size: cursor.left(),
            packed: false,
        };
        meta.header.texts.push(text);
        meta.header.cpu_count = meta.header.cpu_count.max(stated.min(MAX_CPUS));
        return Ok(());
    }
    if tag != FLYRECORD {
        let found = String::from_utf8_lossy(&tag).into_owned();
        return Err(cursor.malformed(format!("found {found:?}, expected \"flyrecord\"")));
    }
    let cpus = match stated {
        1..=MAX_CPUS => stated,
        _ => {
            let found = count_extents(cursor, u64::from(meta.header.page_size));
            meta.survive(OpenError::Malformed {
                what: format!("a count of {stated} CPUs; the table of their data has {found}"),
                place,
            });
            found
        }
    };
    meta.header.cpu_count = meta.header.cpu_count.max(cpus);
    meta.header
        .buffers
        .push(buffer(String::new(), read_extents(cursor, cpus)?));
    let mut known = meta.header.options.iter();
    if known.any(|option| option.id == options::TRACECLOCK) {
        read_clock(meta, cursor);
    }
    for (name, offset) in instances {
        match read_instance(cursor, offset, cpus) {
            Ok(extents) => meta.header.buffers.push(buffer(name, extents)),
            Err(error) => meta.survive(error),
        }
    }
    Ok(())
}

fn buffer(name: String, cpus: Vec<CpuExtent>) -> Buffer {
    Buffer {
        name,
        clock: None,
        page_size: None,
        packed: false,
        cpus,
    }
}

fn read_tag<R: ReadAt + ?Sized>(cursor: &mut Cursor<'_, R>) -> Result<Vec<u8>, OpenError> {
    cursor.bytes(FLYRECORD.len() as u64, "the kind of the next part")
}

/// Gives the names and offsets of the instances.
fn read_options<R: ReadAt + ?Sized>(
    meta: &mut Metadata,
    cursor: &mut Cursor<'_, R>,
    instances: &mut Vec<(String, u64)>,
) -> Result<(), OpenError> {
    loop {
        let id = cursor.u16("an option")?;
        if id == options::DONE {
            return Ok(());
        }
        let size = cursor.u32("the size of an option")?;
        let offset = cursor.at();
        let data = cursor.bytes(u64::from(size), "an option")?;
        meta.take_option(id, offset, &data);
        if let Some(OptionValue::Buffer { offset, name }) = meta.header.options.last().map(|option| &option.value) {
            instances.push((name.clone(), *offset));
        }
    }
}

/// Each CPU's offset and size.
fn read_extents<R: ReadAt + ?Sized>(cursor: &mut Cursor<'_, R>, cpus: u32) -> Result<Vec<CpuExtent>, OpenError> {
    let mut extents = Vec::new();
    for cpu in 0..cpus {
        extents.push(CpuExtent {
            cpu,
            offset: cursor.u64("the offset of a CPU's data")?,
            size: cursor.u64("the size of a CPU's data")?,
            missing: 0,
        });
    }
    Ok(extents)
}

/// Behind the table, in files with a TRACECLOCK option, is the text of `tracing/trace_clock` again, behind its size (seen in
/// files of trace-cmd 2.9.1, whose option is empty, and 3.1.6; the man page does not tell). Where it cannot be read there is
/// nothing to tell: trace-cmd takes none.
fn read_clock<R: ReadAt + ?Sized>(meta: &mut Metadata, cursor: &mut Cursor<'_, R>) {
    let size = cursor.u64("the size of the clock's text").unwrap_or(0);
    let text = match size {
        1..=MAX_CLOCK => cursor.bytes(size, "the clock's text").unwrap_or_default(),
        _ => return,
    };
    if let Some(clock) = chosen_clock(&String::from_utf8_lossy(&text)) {
        meta.take_clock(clock);
    }
}

/// How many entries of the table here are places of data: page-aligned, one behind the other, behind the table itself.
fn count_extents<R: ReadAt + ?Sized>(cursor: &mut Cursor<'_, R>, page_size: u64) -> u32 {
    let table = cursor.at();
    let mut count = 0;
    let mut least = table;
    while count < MAX_CPUS {
        let (Ok(offset), Ok(size)) = (cursor.u64("a CPU's data"), cursor.u64("a CPU's data")) else {
            break;
        };
        if offset < least || offset > cursor.end() || offset % page_size.max(1) != 0 {
            break;
        }
        least = offset.saturating_add(size);
        count += 1;
    }
    cursor.move_to(table);
    count
}

/// An instance's part starts with `flyrecord\0` like the main one, and has the same number of CPUs.
fn read_instance<R: ReadAt + ?Sized>(
    cursor: &mut Cursor<'_, R>,
    offset: u64,
    cpus: u32,
) -> Result<Vec<CpuExtent>, OpenError> {
    cursor.move_to(offset);
    let tag = read_tag(cursor)?;
    if tag != FLYRECORD {
        let found = String::from_utf8_lossy(&tag).into_owned();
        return Err(cursor.malformed(format!("an instance: found {found:?}, expected \"flyrecord\"")));
    }
    read_extents(cursor, cpus)
}
