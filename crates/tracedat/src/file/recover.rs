//! The main buffer of a version 7 file that has lost the option that describes it: trace-cmd writes that option behind the
//! trace data, so every file that was cut short has lost it.
//!
//! ```text
//! options | sections ... | BUFFER FLYRECORD section header | to a page boundary: CPU data | to a page boundary: CPU data ...
//! ```
//! Packed data says by itself where it ends. It does not say whose it is: that is read from the name of the idle task,
//! `swapper/N`, which only CPU N switches to. Data that is not packed is pages without a boundary between CPUs: a CPU
//! begins where time goes back, or where another idle task is named.

use super::compression::{Codec, Unpacker};
use super::cursor::Cursor;
use super::header::{Buffer, CpuExtent};
use super::metadata::{Metadata, MAX_CPUS};
use super::options::BUFFER;
use super::sections::walk;
use super::v7::SECTION_HEADER;
use crate::error::OpenError;
use schedrows::words::{counted, grouped};
use schedrows::DiagnosticKind;
use schedrows::ReadAt;

/// Chunks that are unpacked in search of the idle task's name.
const MAX_PROBED_CHUNKS: usize = 4;

/// Finds the buffer in the first section from `at` on that holds records, and reports it. `None` if there is no trace
/// data left.
pub(super) fn find_main_buffer<R: ReadAt + ?Sized>(
    meta: &mut Metadata,
    cursor: &mut Cursor<'_, R>,
    codec: Codec,
    at: u64,
) -> Option<Buffer> {
    let sections = walk(cursor, at);
    let (at, section) = *sections.iter().find(|(_, section)| section.id == BUFFER)?;
    let data = at.checked_add(SECTION_HEADER)?;
    let cpus = if section.compressed {
        find_packed_cpus(meta, cursor, codec, data)
    } else {
        find_cpus(meta, cursor, data, data.checked_add(section.size)?)
    };
    if cpus.is_empty() {
        return None;
    }
    meta.diagnose(
        DiagnosticKind::Truncated,
        format!(
            "the file is cut off: its end, which says where the data of each CPU is, is missing; data of {} of {} was \
             found from byte {} on",
            cpus.len(),
            counted(u64::from(meta.header.cpu_count), "CPU"),
            grouped(at)
        ),
    );
    Some(Buffer {
        name: String::new(),
        clock: None,
        page_size: None,
        packed: section.compressed,
        cpus,
    })
}

/// The extents of all CPUs from `at` on; the last one may be cut.
fn find_packed_cpus<R: ReadAt + ?Sized>(
    meta: &mut Metadata,
    cursor: &mut Cursor<'_, R>,
    codec: Codec,
    mut at: u64,
) -> Vec<CpuExtent> {
    let page_size = u64::from(meta.header.page_size.max(1));
    let mut cpus = Vec::new();
    while cpus.len() < MAX_CPUS as usize {
        at = at.next_multiple_of(page_size);
        // Behind the last CPU there is a section, whose header is no count of chunks that lead anywhere.
        let Some(data) = walk_chunks(cursor, codec, at) else {
            break;
        };
        add_cpu(meta, &mut cpus, at, &data);
        at = data.end;
    }
    cpus
}

/// The same for pages that are not packed, between `at` and `end`.
fn find_cpus<R: ReadAt + ?Sized>(meta: &mut Metadata, cursor: &mut Cursor<'_, R>, at: u64, end: u64) -> Vec<CpuExtent> {
    let mut cpus = Vec::new();
    let Some(layout) = meta.layout else {
        return cpus;
    };
    let page_size = layout.page_size().max(meta.header.page_size as usize).max(1) as u64;
    let mut start = at.next_multiple_of(page_size);
    let mut time = 0;
    let mut data = CpuData {
        end: start,
        idle_cpu: None,
    };
    cursor.move_to(start);
    while cursor.at() < end && cursor.left() > 0 {
        let len = cursor.left().min(end - cursor.at()).min(page_size);
        let Ok(page) = cursor.bytes(len, "a page") else {
            break;
        };
        let Ok((header, _)) = layout.open(&page) else {
            break;
        };
        let idle_cpu = find_idle_task(&page);
        let another = idle_cpu.is_some() && data.idle_cpu.is_some() && idle_cpu != data.idle_cpu;
        if header.timestamp < time || another {
            add_cpu(meta, &mut cpus, start, &data);
            start = data.end;
            data.idle_cpu = None;
        }
        time = header.timestamp;
        data.end = cursor.at();
        data.idle_cpu = data.idle_cpu.or(idle_cpu);
    }
    if data.end > start {
        add_cpu(meta, &mut cpus, start, &data);
    }
    if let Some(last) = cpus.last_mut() {
        // Cut between two pages: whether more of this CPU's followed is not known, that more followed is.
        last.missing = end.saturating_sub(cursor.end());
    }
    cpus
}

/// Records the data at `at` under the CPU number that it gives, or the next one.
fn add_cpu(meta: &mut Metadata, cpus: &mut Vec<CpuExtent>, at: u64, data: &CpuData) {
    let following = cpus.last().map_or(0, |last| last.cpu + 1);
    let cpu = data.idle_cpu.unwrap_or(following);
    let known = cpus.iter().any(|known| known.cpu == cpu);
    if known {
        let text = format!(
            "the data at byte {} is of CPU {cpu}, like earlier data; it is left out",
            grouped(at)
        );
        meta.diagnose(DiagnosticKind::Contradiction, text);
        return;
    }
    if data.idle_cpu.is_none() {
        let text = format!(
            "the data at byte {} does not tell its CPU; it is shown as CPU {cpu}",
            grouped(at)
        );
        meta.diagnose(DiagnosticKind::Contradiction, text);
    }
    cpus.push(CpuExtent {
        cpu,
        offset: at,
        size: data.end - at,
        missing: 0,
    });
}

struct CpuData {
    end: u64,
    /// N of the first `swapper/N` in the data.
    idle_cpu: Option<u32>,
}

/// Follows the chunks of one CPU. `None` when there is not one whole chunk at `at` that unpacks.
fn walk_chunks<R: ReadAt + ?Sized>(cursor: &mut Cursor<'_, R>, codec: Codec, at: u64) -> Option<CpuData> {
    cursor.move_to(at);
    let count = cursor.u32("a count of chunks").ok().filter(|&count| count > 0)?;
    let mut unpacker = Unpacker::new(codec);
    let mut pages = Vec::new();
    let mut idle_cpu = None;
    for index in 0..count as usize {
        let at = cursor.at();
        let header = read_chunk_header(cursor);
        if matches!(header, Ok((0, _))) {
            // Nothing packs to nothing: the count is wrong, and this is the padding behind the data.
            return (index > 0).then_some(CpuData { end: at, idle_cpu });
        }
        let Ok((packed, unpacked)) = header else {
            // Cut between two chunks or in a header: what there is belongs to this CPU.
            return (index > 0).then_some(CpuData {
                end: cursor.at() + cursor.left(),
                idle_cpu,
            });
        };
        if index == 0 || (index < MAX_PROBED_CHUNKS && idle_cpu.is_none()) {
            let place = cursor.at();
            let found = cursor
                .bytes(packed.min(cursor.left()), "a chunk")
                .is_ok_and(|bytes| unpacker.unpack(&bytes, unpacked, &mut pages).is_ok());
            cursor.move_to(place);
            if !found && index == 0 {
                return None;
            }
            idle_cpu = idle_cpu.or(find_idle_task(&pages));
        }
        if cursor.skip(packed, "a chunk").is_err() {
            return Some(CpuData {
                end: cursor.at() + cursor.left(),
                idle_cpu,
            });
        }
    }
    Some(CpuData {
        end: cursor.at(),
        idle_cpu,
    })
}

fn read_chunk_header<R: ReadAt + ?Sized>(cursor: &mut Cursor<'_, R>) -> Result<(u64, usize), OpenError> {
    let packed = cursor.u32("a chunk's header")?;
    let unpacked = cursor.u32("a chunk's header")?;
    Ok((u64::from(packed), unpacked as usize))
}

/// N of the first NUL-terminated `swapper/N`.
fn find_idle_task(pages: &[u8]) -> Option<u32> {
    const NAME: &[u8] = b"swapper/";
    pages.windows(NAME.len()).enumerate().find_map(|(at, window)| {
        if window != NAME {
            return None;
        }
        let digits = traceevent::until_nul(pages.get(at + NAME.len()..)?.get(..8)?);
        let cpu = std::str::from_utf8(digits).ok()?.parse().ok()?;
        (cpu < MAX_CPUS).then_some(cpu)
    })
}

#[cfg(test)]
mod tests {
    use super::find_idle_task;

    #[test]
    fn the_idle_task_names_its_cpu() {
        assert_eq!(
            find_idle_task(b"..swapper/x\0\0\0\0\0\0\0\0swapper/12\0\0\0\0\0\0\0"),
            Some(12)
        );
        assert_eq!(find_idle_task(b"swapper/1"), None);
    }
}
