//! Version 6: everything in one fixed order, the pages last (`trace-cmd.dat.v6(5)`).

use std::io;

use crate::container::{align, option, Contents, CpuPages, Output};

/// Bytes of one CPU in the flyrecord table: offset and size.
const CPU_ENTRY: u64 = 16;

pub(crate) fn write(out: &mut dyn Output, contents: &Contents, pages: Vec<CpuPages>) -> io::Result<()> {
    out.write_all(&contents.initial().data)?;
    out.write_all(&contents.header_info().data)?;
    out.write_all(&contents.ftrace_formats().data)?;
    out.write_all(&contents.event_formats().data)?;
    out.write_all(&contents.empty_text().data)?;
    out.write_all(&contents.empty_text().data)?;
    out.write_all(&contents.command_lines().data)?;

    let mut tail = contents.bytes();
    tail.u32(contents.cpus);
    tail.raw(b"options  \0");
    tail.raw(&contents.options().data);
    tail.u16(option::DONE);
    tail.raw(b"flyrecord\0");
    out.write_all(&tail.data)?;

    let page_size = u64::from(contents.layout.page_size);
    let table_end = out.stream_position()? + CPU_ENTRY * u64::from(contents.cpus);
    let mut offset = table_end.next_multiple_of(page_size);
    let mut table = contents.bytes();
    for cpu in 0..contents.cpus {
        let len = pages.iter().find(|of| of.cpu == cpu).map_or(0, |of| of.len);
        table.u64(offset);
        table.u64(len);
        offset += len;
    }
    out.write_all(&table.data)?;
    align(out, page_size)?;
    for mut of in pages {
        io::copy(&mut of.pages, out)?;
    }
    Ok(())
}
