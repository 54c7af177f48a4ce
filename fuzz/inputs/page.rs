//! A ring-buffer page: the first byte chooses the machine, the rest is the page.

use traceevent::{Endian, PageLayout};

/// The texts of `events/header_page` of a 32-bit and of a 64-bit kernel.
fn layout(long_size: usize, endian: Endian) -> PageLayout {
    let data = 8 + long_size;
    let text = format!(
        "\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n\
         \tfield: local_t commit;\toffset:8;\tsize:{long_size};\tsigned:1;\n\
         \tfield: char data;\toffset:{data};\tsize:{};\tsigned:1;\n",
        4096 - data
    );
    PageLayout::parse(&text, endian).expect("a layout that kernels write")
}

pub fn check(bytes: &[u8]) {
    let Some((&machine, page)) = bytes.split_first() else {
        return;
    };
    let endian = if machine & 1 == 0 { Endian::Little } else { Endian::Big };
    let layout = layout(if machine & 2 == 0 { 8 } else { 4 }, endian);
    let Ok((_, records)) = layout.open(page) else {
        return;
    };
    let mut total = 0;
    for record in records.flatten() {
        total += record.data.len() + 4;
    }
    assert!(
        total <= page.len(),
        "{total} bytes of records in {} of a page",
        page.len()
    );
}
