//! Version 6: everything in one fixed order, the pages last (`trace-cmd.dat.v6(5)`).

use std::io::{self, SeekFrom};

use crate::container::{align, option, Contents, CpuPages, Output};

/// Bytes of one CPU in the flyrecord table: offset and size.
const CPU_ENTRY: u64 = 16;

pub(crate) fn write(out: &mut dyn Output, contents: &Contents, pages: Vec<CpuPages>) -> io::Result<()> {
    let layout = contents.layout;
    out.write_all(&contents.initial().data)?;
    for (.., section) in contents.metadata.named() {
        out.write_all(&section.data)?;
    }

    let mut tail = contents.bytes();
    tail.u32(contents.cpus);
    tail.raw(b"options  \0");
    tail.raw(&contents.options.data);
    let mut place_of_instance = 0;
    if let Some(name) = &layout.instance {
        tail.u16(option::BUFFER);
        tail.u32(8 + name.len() as u32 + 1);
        place_of_instance = out.stream_position()? + tail.len() as u64;
        tail.u64(0);
        tail.c_string(name);
    }
    tail.u16(option::DONE);
    if let Some(text) = &layout.latency_text {
        tail.raw(b"latency  \0");
        tail.raw(text.as_bytes());
        return out.write_all(&tail.data);
    }
    tail.raw(b"flyrecord\0");
    out.write_all(&tail.data)?;
    if layout.instance.is_none() {
        return write_data(out, contents, pages);
    }
    write_data(out, contents, Vec::new())?;
    let instance = out.stream_position()?;
    let mut place = contents.bytes();
    place.u64(instance);
    out.seek(SeekFrom::Start(place_of_instance))?;
    out.write_all(&place.data)?;
    out.seek(SeekFrom::End(0))?;
    out.write_all(b"flyrecord\0")?;
    write_data(out, contents, pages)
}

/// The table of each CPU's offset and size, the clock, and the data.
fn write_data(out: &mut dyn Output, contents: &Contents, pages: Vec<CpuPages>) -> io::Result<()> {
    let page_size = u64::from(contents.layout.page_size);
    let mut clock = contents.bytes();
    clock.file(&contents.layout.clock_text());
    let table_end = out.stream_position()? + CPU_ENTRY * u64::from(contents.cpus) + clock.len() as u64;
    let mut offset = table_end.next_multiple_of(page_size);
    let mut table = contents.bytes();
    for cpu in 0..contents.cpus {
        let len = pages.iter().find(|of| of.cpu == cpu).map_or(0, |of| of.len);
        table.u64(offset);
        table.u64(len);
        offset += len;
    }
    out.write_all(&table.data)?;
    out.write_all(&clock.data)?;
    align(out, page_size)?;
    for mut of in pages {
        io::copy(&mut of.pages, out)?;
    }
    Ok(())
}
