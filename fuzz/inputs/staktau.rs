//! Reads a text as records and as tables; what comes out is written and read again.

use staktau::{layout_of, read, write, Layout};

pub fn check(bytes: &[u8]) {
    let _ = layout_of(bytes);
    for layout in [Layout::Raw, Layout::Tables] {
        let mut input = bytes;
        let profile = read(layout, &mut input).expect("bytes in memory");
        assert!(profile.damage.len() as u64 <= profile.damaged);
        assert!(profile.unmatched_exits + profile.left_open <= profile.records);
        if layout == Layout::Raw && !profile.threads.is_empty() {
            let text = write(&profile.threads);
            let again = read(Layout::Tables, &mut text.as_bytes()).expect("bytes in memory");
            assert_eq!(again.threads, profile.threads);
        }
    }
}
