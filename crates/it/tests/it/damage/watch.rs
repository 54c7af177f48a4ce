//! Measures what reading a file costs: the most memory that it holds at once, and the time.

#![allow(unsafe_code, reason = "an allocator that counts can only be written so")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::time::{Duration, Instant};

struct Counting;

// Tests run on separate threads, so memory that other tests hold does not count. The variable has no destructor and may
// therefore be used at any time.
thread_local! {
    static HELD: Cell<isize> = const { Cell::new(0) };
    static MOST: Cell<isize> = const { Cell::new(0) };
}

fn count(bytes: isize) {
    HELD.set(HELD.get() + bytes);
    MOST.set(MOST.get().max(HELD.get()));
}

// SAFETY: every call goes on to the system's allocator unchanged. `realloc` is the trait's own: it comes here.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as isize);
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as isize);
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, ptr: *mut u8, layout: Layout) {
        count(-(layout.size() as isize));
        unsafe { System.dealloc(ptr, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// The cost of a call.
#[derive(Clone, Copy, Debug)]
pub struct Cost {
    /// The most bytes beyond those that were held before.
    pub most: usize,
    pub time: Duration,
}

/// Measures the cost of a call.
pub fn watch<T>(call: impl FnOnce() -> T) -> (T, Cost) {
    let before = HELD.get();
    MOST.set(before);
    let start = Instant::now();
    let result = call();
    let most = (MOST.get() - before).max(0) as usize;
    let time = start.elapsed();
    (result, Cost { most, time })
}
