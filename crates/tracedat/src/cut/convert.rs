//! A part of the buffer that is shown, as a file of the other version: formats, tables of text and records keep their bytes,
//! and are put where that version has them.

use std::io::{self, Seek, Write};

use super::{names, pages, CutError, Window, Written};
use crate::error::{OpenError, Place};
use crate::file::{options as option, ReadAt, TraceFile};
use crate::write::{Contents, FileVersion, Writer, SECTIONS};

/// Bytes of version 6 before the formats: magic, version, byte order, size of a long, page size.
const HEAD: u64 = 18;
/// What stands before each of the two texts of a page's and an event's header, and the sizes of these texts.
const TAGS: [u64; 2] = [12, 13];
/// Options longer than this are none: trace-cmd's longest is the text of a process's maps.
const MAX_OPTION: u32 = 1 << 24;

pub(super) fn write<R: ReadAt, W: Write + Seek>(
    file: &TraceFile<R>,
    window: &Window,
    version: FileVersion,
    out: &mut Writer<'_, W>,
) -> Result<Written, CutError> {
    let header = file.header();
    let shown = file.shown_buffer();
    let mut sections = match header.version {
        6 => sections_of_v6(file)?,
        _ => sections_of_v7(file)?,
    };
    if let (Some(comms), Some(last)) = (names::known_at(file, window.from)?, sections.last_mut()) {
        *last = out.of_u64(comms.len() as u64).to_vec();
        last.extend_from_slice(&comms);
    }
    let mut options = Vec::new();
    for info in &header.options {
        let is_place = matches!(
            info.id,
            option::DONE | option::BUFFER | option::STRINGS | option::HEADER_INFO..=option::BUFFER_TEXT
        );
        if !is_place && info.size <= MAX_OPTION {
            let mut data = vec![0; info.size as usize];
            file.input().read_at(info.offset, &mut data)?;
            options.push((info.id, data));
        }
    }
    if !options.iter().any(|(id, _)| *id == option::CPUCOUNT) {
        options.push((option::CPUCOUNT, out.of_u32(header.cpu_count).to_vec()));
    }
    let contents = Contents {
        endian: file.endian(),
        long_size: header.long_size,
        page_size: header.page_size,
        data_page_size: file.data_format(shown, 0).page_size as u32,
        sections,
        options,
        clock: file.clock().unwrap_or("local").to_owned(),
        cpu_count: header.cpu_count,
        cpus: file.cpus().iter().map(|extent| extent.cpu).collect(),
    };
    let mut written = Written::default();
    let mut failed = None;
    let result = contents.write(
        version,
        &mut |cpu, codec, out| {
            let index = file
                .cpus()
                .iter()
                .position(|extent| extent.cpu == cpu)
                .unwrap_or(usize::MAX);
            match pages::write(file, (shown, index), Some(codec), window, out, &mut written) {
                Ok(size) => Ok(size),
                Err(CutError::Write(error)) => Err(error),
                Err(error) => {
                    failed = Some(error);
                    Err(io::ErrorKind::Other.into())
                }
            }
        },
        out,
    );
    match failed {
        Some(error) => Err(error),
        None => Ok(result.map(|()| written)?),
    }
}

fn sections_of_v7<R: ReadAt>(file: &TraceFile<R>) -> Result<[Vec<u8>; SECTIONS.len()], CutError> {
    let found = file.section_headers();
    let mut sections = <[Vec<u8>; SECTIONS.len()]>::default();
    for (to, (id, _)) in sections.iter_mut().zip(SECTIONS) {
        *to = match found.iter().find(|(_, section)| section.id == id) {
            Some(&(at, _)) => file.section_bytes(at)?,
            // None, of what is counted.
            None => vec![0; if id == option::CMDLINES { 8 } else { 4 }],
        };
    }
    Ok(sections)
}

fn sections_of_v6<R: ReadAt>(file: &TraceFile<R>) -> Result<[Vec<u8>; SECTIONS.len()], CutError> {
    let lost = || OpenError::Malformed {
        what: "the places of the tables of text are not known".to_owned(),
        place: Place::file(0),
    };
    let [Some(kallsyms), Some(printk), Some(comms)] = file.table_places() else {
        return Err(lost().into());
    };
    let input = file.input();
    let word = |at: u64| -> Result<u32, CutError> {
        let mut bytes = [0; 4];
        input.read_at(at, &mut bytes)?;
        Ok(file.endian().u32(&bytes, 0).unwrap_or(0))
    };
    let long = |at: u64| -> Result<u64, CutError> {
        let mut bytes = [0; 8];
        input.read_at(at, &mut bytes)?;
        Ok(file.endian().u64(&bytes, 0).unwrap_or(0))
    };
    let mut at = HEAD;
    for tag in TAGS {
        at += tag;
        at = at.saturating_add(8).saturating_add(long(at)?);
    }
    let ftrace = at;
    let count = word(at)?;
    at += 4;
    for _ in 0..count {
        at = at.saturating_add(8).saturating_add(long(at)?);
        if kallsyms < at {
            return Err(lost().into());
        }
    }
    let end = comms.saturating_add(8).saturating_add(long(comms)?).min(input.len());
    let places = [HEAD, ftrace, at, kallsyms, printk, comms, end];
    let mut sections = <[Vec<u8>; SECTIONS.len()]>::default();
    for (to, place) in sections.iter_mut().zip(places.windows(2)) {
        let [from, until] = place else { continue };
        // All of them are within the file: it was opened.
        to.resize(until.checked_sub(*from).ok_or_else(lost)?.min(input.len()) as usize, 0);
        input.read_at(*from, to)?;
    }
    Ok(sections)
}
