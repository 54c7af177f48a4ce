//! Version 6: what stands before the options is copied; options, the tables of the CPUs and the data follow.

use std::io::{Seek, Write};

use super::{copy, pages, CutError, Window, Written};
use crate::error::{OpenError, Place};
use crate::file::{options as option, OptionValue, ReadAt, TraceFile, FLYRECORD, OPTIONS};
use crate::write::Writer;

/// Of an entry of a table of CPUs: offset and size.
const ENTRY: u64 = 16;

pub(super) fn write<R: ReadAt, W: Write + Seek>(
    file: &TraceFile<R>,
    window: &Window,
    comms: Option<&[u8]>,
    out: &mut Writer<'_, W>,
) -> Result<Written, CutError> {
    let header = file.header();
    let comms_at = file.saved_comms_at().ok_or(OpenError::Malformed {
        what: "the places of the tables of text are not known".to_owned(),
        place: Place::file(0),
    })?;
    copy(file.input(), out, 0, comms_at)?;
    match comms {
        Some(comms) => {
            out.u64(comms.len() as u64)?;
            out.bytes(comms)?;
        }
        None => {
            let text = file.saved_comms_text();
            out.u64(text.len() as u64)?;
            out.bytes(&text)?;
        }
    }

    let cpus = file.buffers().first().map_or(0, |main| main.cpus.len());
    out.u32(cpus as u32)?;
    out.bytes(OPTIONS)?;
    // Where the options of the instances say where their tables are.
    let mut places = Vec::new();
    for info in &header.options {
        out.u16(info.id)?;
        out.u32(info.size)?;
        if let (option::BUFFER, OptionValue::Buffer { name, .. }) = (info.id, &info.value) {
            places.push((name.clone(), out.at()?));
        }
        copy(file.input(), out, info.offset, u64::from(info.size))?;
    }
    out.u16(option::DONE)?;

    let mut written = Written::default();
    for (at, buffer) in file.buffers().iter().enumerate() {
        if 0 < at {
            let table = out.at()?;
            let place = places.iter().find(|(name, _)| *name == buffer.name);
            let Some(&(_, place)) = place else {
                continue;
            };
            out.go_back(place, |out| out.u64(table))?;
        }
        out.bytes(FLYRECORD)?;
        let table = out.at()?;
        for _ in &buffer.cpus {
            out.u64(0)?;
            out.u64(0)?;
        }
        let has_clock = header.options.iter().any(|info| info.id == option::TRACECLOCK);
        if at == 0 && has_clock {
            // The text of `tracing/trace_clock`, of which only the clock in use matters.
            let clock = format!("[{}]\n", header.clock.as_deref().unwrap_or_default());
            out.u64(clock.len() as u64)?;
            out.bytes(clock.as_bytes())?;
        }
        for index in 0..buffer.cpus.len() {
            let start = out.align(file.alignment(at))?;
            let size = pages::write(file, (at, index), None, window, out, &mut written)?;
            out.go_back(table + ENTRY * index as u64, |out| {
                out.u64(start)?;
                out.u64(size)
            })?;
        }
    }
    Ok(written)
}
