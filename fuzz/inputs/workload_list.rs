//! Reads a list of workloads, and what its lines ask to be made.

use replay::recipe::Recipe;
use replay::wsf::{is_list, read};

pub fn check(bytes: &[u8]) {
    is_list(bytes);
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let Ok(entries) = read(text) else { return };
    assert!(!entries.is_empty());
    for entry in &entries {
        assert!((1..=10_000).contains(&entry.copies) && (1..=1_000_000).contains(&entry.speed));
        assert!(entry.line as usize <= text.lines().count());
        let _ = Recipe::of(&entry.name);
    }
}
