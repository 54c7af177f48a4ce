//! How large a buffer's sub-buffers are.
//!
//! Three places of a file say it: the header, header_page, and a buffer's own option. trace-cmd 3.1.6 goes by the header
//! alone. All agree, but where sub-buffers larger than a page (`buffer_subbuf_size_kb`) met a trace-cmd that does not know
//! them, where an instance has a size of its own, and in damaged files: then the data itself has to say.

use traceevent::PageLayout;

use super::compression::{Codec, Unpacker};
use super::cursor::Cursor;
use super::header::{Buffer, Header};
use schedrows::{sort_by_keys, ReadAt};

/// Sub-buffers are at least a page of the smallest kind. The kernel limits them to 128 pages (`buffer_subbuf_size_kb`), which
/// are 8 MiB where pages are largest.
pub(super) const ALLOWED: std::ops::RangeInclusive<usize> = 256..=16 << 20;
/// Where the header has its page size.
pub(super) const IN_HEADER: u64 = 14;

/// Data that is looked at.
const PROBED: u64 = 256 << 10;

/// The size for one buffer.
pub(super) fn of_buffer<R: ReadAt + ?Sized>(
    input: &R,
    header: &Header,
    buffer: &Buffer,
    layout: &PageLayout,
    codec: Codec,
) -> usize {
    let stated = [
        header.page_size as usize,
        layout.page_size(),
        buffer.page_size.unwrap_or(header.page_size) as usize,
    ];
    let mut sizes: Vec<usize> = stated.into_iter().filter(|size| ALLOWED.contains(size)).collect();
    sort_by_keys(&mut sizes, |&size| [size as u64, 0]);
    sizes.dedup();
    match sizes.as_slice() {
        [] => header.page_size as usize,
        &[only] => only,
        // Pages of the smaller size may look like whole ones of a larger size, with the rest left empty.
        [smallest, ..] => {
            let data = probe(input, header, buffer, codec).unwrap_or_default();
            let fits = |size: &&usize| are_pages(&data, **size, layout);
            *sizes.iter().find(fits).unwrap_or(smallest)
        }
    }
}

/// The first bytes of the CPU that has most, unpacked.
fn probe<R: ReadAt + ?Sized>(input: &R, header: &Header, buffer: &Buffer, codec: Codec) -> Option<Vec<u8>> {
    let extent = buffer.cpus.iter().max_by_key(|extent| extent.size)?;
    let mut cursor = Cursor::new(input, header.endian, extent.offset);
    if !buffer.packed {
        return cursor.bytes(extent.size.min(PROBED).min(cursor.left()), "pages").ok();
    }
    let _count = cursor.u32("the count of chunks").ok()?;
    let packed = cursor.u32("a chunk's header").ok()?;
    let unpacked = cursor.u32("a chunk's header").ok()?;
    let bytes = cursor.bytes(u64::from(packed).min(cursor.left()), "a chunk").ok()?;
    let mut data = Vec::new();
    // Of a damaged chunk, what comes before the damage.
    let _ = Unpacker::new(codec).unpack(&bytes, unpacked as usize, &mut data);
    Some(data)
}

/// Whether every whole piece of this size begins a page: its records fit it, and time does not go back.
fn are_pages(data: &[u8], size: usize, layout: &PageLayout) -> bool {
    let mut time = 0;
    data.chunks_exact(size).all(|page| match layout.open(page) {
        Ok((header, records)) => {
            let later = header.timestamp >= time;
            time = header.timestamp;
            later && header.commit <= layout.room(size) && records.into_iter().all(|record| record.is_ok())
        }
        Err(_) => false,
    })
}
