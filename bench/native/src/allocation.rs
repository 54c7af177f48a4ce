//! Counts allocated bytes: the only measure of memory that does not rely on the program's own book-keeping.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// The system's allocator with counters.
pub struct Counted;

static HELD: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

/// How many bytes are allocated now.
pub fn held() -> usize {
    HELD.load(Relaxed)
}

/// The most bytes that were ever allocated at a time.
pub fn peak() -> usize {
    PEAK.load(Relaxed)
}

fn add(bytes: usize) {
    PEAK.fetch_max(HELD.fetch_add(bytes, Relaxed) + bytes, Relaxed);
}

#[allow(
    unsafe_code,
    reason = "the trait is unsafe; every call is handed to the system's allocator as it came"
)]
// SAFETY: `System` keeps the contract; counting touches no memory that it manages.
unsafe impl GlobalAlloc for Counted {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        add(layout.size());
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        add(layout.size());
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, ptr: *mut u8, layout: Layout) {
        HELD.fetch_sub(layout.size(), Relaxed);
        unsafe { System.dealloc(ptr, layout) }
    }

    unsafe fn realloc(&self, ptr: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        HELD.fetch_sub(layout.size(), Relaxed);
        add(new_size);
        unsafe { System.realloc(ptr, layout, new_size) }
    }
}
