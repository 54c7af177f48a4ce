//! The text of an event's `format` file, or of `header_page`.
#![no_main]

use libfuzzer_sys::fuzz_target;
use traceevent::print_fmt::PrintFmt;
use traceevent::{Endian, EventFormat, FormatHeader, PageLayout};

fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    let header = FormatHeader::parse(&text);
    if let Ok(format) = EventFormat::parse(&text) {
        assert!(header.is_ok(), "a format without its header");
        let _ = PrintFmt::parse(&format.print_fmt);
    }
    let _ = PageLayout::parse(&text, Endian::Little);
});
