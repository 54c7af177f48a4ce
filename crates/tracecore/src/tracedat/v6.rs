//! Version 6: one structure behind the other, trace-cmd.dat.v6(5).

use super::cursor::Cursor;
use super::header::{Buffer, CpuExtent, OptionInfo};
use super::metadata::{Metadata, MAX_CPUS};
use super::options;
use super::read_at::ReadAt;
use crate::error::OpenError;

/// Reads all that follows the initial format.
pub(super) fn read<R: ReadAt + ?Sized>(meta: &mut Metadata, cursor: &mut Cursor<'_, R>) -> Result<(), OpenError> {
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
    cursor.skip(cmdlines, "the saved command lines")?;
    let cpus = cursor.u32("the number of CPUs")?;
    if cpus > MAX_CPUS {
        return Err(cursor.malformed(format!("a count of {cpus} CPUs")));
    }
    meta.header.cpu_count = cpus;

    let mut tag = read_tag(cursor)?;
    let mut instances = Vec::new();
    if tag == "options" {
        instances = read_options(meta, cursor)?;
        tag = read_tag(cursor)?;
    }
    match tag.as_str() {
        "flyrecord" => {}
        "latency" => {
            return Err(OpenError::Unsupported {
                what: "a file of latency text (no per-CPU records)".to_owned(),
                place: cursor.place(),
            })
        }
        other => return Err(cursor.malformed(format!("found {other:?}, expected \"flyrecord\""))),
    }
    let main = Buffer {
        name: String::new(),
        clock: None,
        page_size: None,
        packed: false,
        cpus: read_extents(cursor, cpus)?,
    };
    meta.header.buffers.push(main);
    for (name, offset) in instances {
        match read_instance(cursor, offset, cpus) {
            Ok(extents) => meta.header.buffers.push(Buffer {
                name,
                clock: None,
                page_size: None,
                packed: false,
                cpus: extents,
            }),
            Err(error) => meta.survive(error),
        }
    }
    Ok(())
}

/// Ten bytes: `options  \0`, `latency  \0` or `flyrecord\0`.
fn read_tag<R: ReadAt + ?Sized>(cursor: &mut Cursor<'_, R>) -> Result<String, OpenError> {
    let tag = cursor.bytes(10, "the kind of the next part")?;
    Ok(String::from_utf8_lossy(&tag).trim_end_matches(['\0', ' ']).to_owned())
}

/// Gives the names and offsets of the instances.
fn read_options<R: ReadAt + ?Sized>(
    meta: &mut Metadata,
    cursor: &mut Cursor<'_, R>,
) -> Result<Vec<(String, u64)>, OpenError> {
    let mut instances = Vec::new();
    loop {
        let id = cursor.u16("an option")?;
        if id == options::DONE {
            return Ok(instances);
        }
        let size = cursor.u32("the size of an option")?;
        let option = OptionInfo {
            id,
            size,
            offset: cursor.at(),
        };
        meta.header.options.push(option);
        if id == options::BUFFER && size > 8 {
            let offset = cursor.u64("the offset of an instance")?;
            let name = cursor.bytes(u64::from(size) - 8, "the name of an instance")?;
            let name = String::from_utf8_lossy(traceevent::bytes::until_nul(&name)).into_owned();
            instances.push((name, offset));
            continue;
        }
        let data = cursor.bytes(u64::from(size), "an option")?;
        meta.apply_option(option, &data, meta.header.endian);
    }
}

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

/// An instance's part starts with `flyrecord\0` like the main one, and has as many CPUs.
fn read_instance<R: ReadAt + ?Sized>(
    cursor: &mut Cursor<'_, R>,
    offset: u64,
    cpus: u32,
) -> Result<Vec<CpuExtent>, OpenError> {
    cursor.move_to(offset);
    let tag = read_tag(cursor)?;
    if tag != "flyrecord" {
        return Err(cursor.malformed(format!("an instance: found {tag:?}, expected \"flyrecord\"")));
    }
    read_extents(cursor, cpus)
}
