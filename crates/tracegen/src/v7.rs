//! Version 7: sections that options point to, compressed or not (`trace-cmd.dat.v7(5)`).

use std::io::{self, Read, SeekFrom};

use crate::bytes::Bytes;
use crate::compress::{compress, library_version};
use crate::container::{align, option, push_option, section, Contents, CpuPages, Output, COMPRESSED};

/// Bytes of a section's header: number, flags, description, size.
const SECTION_HEADER: u64 = 16;
pub(crate) fn write(out: &mut dyn Output, contents: &Contents, pages: Vec<CpuPages>) -> io::Result<()> {
    let mut file = Writer {
        out,
        contents,
        strings: contents.bytes(),
        options: contents.options.clone(),
    };
    let first_options = file.head()?;
    for (id, description, section) in contents.metadata.named() {
        file.metadata(id, description, section)?;
    }
    // Two sections of options, chained, as trace-cmd writes them: what the file is, and where the pages are.
    let second_options = file.end_options(first_options)?;
    let mut link = second_options;
    if let Some(text) = &contents.layout.latency_text {
        file.latency(text)?;
    } else if let Some(name) = &contents.layout.instance {
        file.buffer("", Vec::new())?;
        link = file.end_options(link)?;
        file.buffer(name, pages)?;
    } else {
        file.buffer("", pages)?;
    }
    file.end_options(link)?;
    file.strings()
}

struct Writer<'a> {
    out: &'a mut dyn Output,
    contents: &'a Contents<'a>,
    strings: Bytes,
    /// Options for the next section of options.
    options: Bytes,
}

impl Writer<'_> {
    fn is_compressed(&self) -> bool {
        self.contents.layout.compression != "none"
    }

    /// The file's first bytes; gives the place for the offset of the first section of options.
    fn head(&mut self) -> io::Result<u64> {
        let compression = &self.contents.layout.compression;
        let mut head = self.contents.initial();
        head.c_string(compression);
        head.c_string(library_version(compression));
        self.out.write_all(&head.data)?;
        let link = self.out.stream_position()?;
        self.out.write_all(&[0; 8])?;
        Ok(link)
    }

    /// A section, and an option that points to it.
    fn metadata(&mut self, id: u16, description: &str, data: &Bytes) -> io::Result<()> {
        let offset = self.out.stream_position()?;
        self.section(id, description, data)?;
        let mut pointer = self.contents.bytes();
        pointer.u64(offset);
        push_option(&mut self.options, id, &pointer);
        Ok(())
    }

    fn section(&mut self, id: u16, description: &str, data: &Bytes) -> io::Result<()> {
        let mut body = self.contents.bytes();
        if self.is_compressed() {
            self.chunk(&mut body, &data.data);
        } else {
            body.raw(&data.data);
        }
        let header = self.section_header(id, self.is_compressed(), description, body.len() as u64);
        self.out.write_all(&header.data)?;
        self.out.write_all(&body.data)
    }

    fn section_header(&mut self, id: u16, compressed: bool, description: &str, size: u64) -> Bytes {
        let name = self.strings.len() as u32;
        self.strings.c_string(description);
        let mut header = self.contents.bytes();
        header.u16(id);
        header.u16(if compressed { COMPRESSED } else { 0 });
        header.u32(name);
        header.u64(size);
        header
    }

    /// Compressed size, plain size, compressed bytes.
    fn chunk(&self, body: &mut Bytes, data: &[u8]) {
        let compressed = compress(&self.contents.layout.compression, data);
        body.u32(compressed.len() as u32);
        body.u32(data.len() as u32);
        body.raw(&compressed);
    }

    /// Writes the options collected so far, links them from `link`; gives the place for the next link.
    fn end_options(&mut self, link: u64) -> io::Result<u64> {
        let offset = self.out.stream_position()?;
        self.patch(link, offset)?;
        let mut data = std::mem::replace(&mut self.options, self.contents.bytes());
        let mut none = self.contents.bytes();
        none.u64(0);
        push_option(&mut data, option::DONE, &none);
        // Options are never compressed: they are patched in place.
        let header = self.section_header(section::OPTIONS, false, "options", data.len() as u64);
        self.out.write_all(&header.data)?;
        self.out.write_all(&data.data)?;
        Ok(self.out.stream_position()? - 8)
    }

    /// The pages of all CPUs, and the BUFFER option that says where each CPU's are.
    fn buffer(&mut self, name: &str, pages: Vec<CpuPages>) -> io::Result<()> {
        let layout = self.contents.layout;
        let page_size = u64::from(layout.page_size);
        let start = self.out.stream_position()?;
        let header = self.section_header(section::BUFFER, self.is_compressed(), "buffer flyrecord ", 0);
        self.out.write_all(&header.data)?;
        let mut extents = self.contents.bytes();
        for of in pages {
            let offset = align(self.out, page_size)?;
            self.cpu(of.len, of.pages)?;
            extents.u32(of.cpu);
            extents.u64(offset);
            extents.u64(self.out.stream_position()? - offset);
        }
        let end = self.out.stream_position()?;
        self.patch(start + 8, end - start - SECTION_HEADER)?;

        let mut buffer = self.contents.bytes();
        buffer.u64(start);
        buffer.c_string(name);
        buffer.c_string(&layout.clock);
        buffer.u32(layout.page_size);
        // Each CPU takes 20 bytes.
        buffer.u32((extents.len() / 20) as u32);
        buffer.raw(&extents.data);
        push_option(&mut self.options, section::BUFFER, &buffer);
        Ok(())
    }

    /// A latency tracer's text, packed in one chunk, and the BUFFER_TEXT option that leads to it.
    fn latency(&mut self, text: &str) -> io::Result<()> {
        let offset = self.out.stream_position()?;
        let mut body = self.contents.bytes();
        if self.is_compressed() {
            body.u32(1);
            self.chunk(&mut body, text.as_bytes());
        } else {
            body.raw(text.as_bytes());
        }
        let packed = self.is_compressed();
        let header = self.section_header(section::BUFFER_TEXT, packed, "buffer latency", body.len() as u64);
        self.out.write_all(&header.data)?;
        self.out.write_all(&body.data)?;
        let mut option = self.contents.bytes();
        option.u64(offset);
        option.c_string("");
        option.c_string(&self.contents.layout.clock);
        push_option(&mut self.options, section::BUFFER_TEXT, &option);
        Ok(())
    }

    fn cpu(&mut self, len: u64, mut pages: Box<dyn Read + '_>) -> io::Result<()> {
        if !self.is_compressed() {
            io::copy(&mut pages, self.out)?;
            return Ok(());
        }
        if len == 0 {
            return Ok(());
        }
        let chunk_len = (self.contents.chunk_pages * self.contents.layout.subbuf() as usize) as u64;
        let mut count = self.contents.bytes();
        count.u32(len.div_ceil(chunk_len) as u32);
        self.out.write_all(&count.data)?;
        let mut data = Vec::new();
        for at in (0..len).step_by(chunk_len as usize) {
            data.resize(chunk_len.min(len - at) as usize, 0);
            pages.read_exact(&mut data)?;
            let mut chunk = self.contents.bytes();
            self.chunk(&mut chunk, &data);
            self.out.write_all(&chunk.data)?;
        }
        Ok(())
    }

    fn strings(&mut self) -> io::Result<()> {
        // The description of this very section is among them.
        let mut strings = self.strings.clone();
        strings.c_string("strings");
        self.section(section::STRINGS, "strings", &strings)
    }

    /// Writes a 64-bit number at a place passed before.
    fn patch(&mut self, at: u64, value: u64) -> io::Result<()> {
        let mut bytes = self.contents.bytes();
        bytes.u64(value);
        self.out.seek(SeekFrom::Start(at))?;
        self.out.write_all(&bytes.data)?;
        self.out.seek(SeekFrom::End(0))?;
        Ok(())
    }
}
