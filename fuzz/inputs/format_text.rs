//! The text of an event's `format` file, or of `header_page`.

use traceevent::{Endian, Env, EventFormat, EventText, FormatHeader, NoLookup, PageLayout};

pub fn check(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let header = FormatHeader::parse(&text);
    if let Ok(format) = EventFormat::parse(&text) {
        assert!(header.is_ok(), "a format without its header");
        let env = Env {
            endian: Endian::Little,
            long_size: 8,
            lookup: &NoLookup,
        };
        let event = EventText::compile(&format, env.long_size);
        let mut text = Vec::new();
        // Any bytes will do as a record, such as the format itself.
        event.print(&env, bytes, &mut text);
        event.print_raw(&env, bytes, &mut text);
    }
    let _ = PageLayout::parse(&text, Endian::Little);
}
