//! How the module's memory grows.
//!
//! Each time that it does, a browser makes another buffer of all of it, which counts as newly allocated: where it grows by what an
//! allocator needs at the moment, some thousand times, collecting garbage takes a fifth of the time of a scan. So memory is asked
//! for ahead of need, and given back to the allocator, which keeps it.

/// Bytes of a page of wasm.
const PAGE: usize = 1 << 16;
/// At most so many bytes are asked for ahead.
const MOST: usize = 32 << 20;

/// Watches for growth.
#[derive(Debug)]
pub struct Growth {
    pages: usize,
}

impl Default for Growth {
    fn default() -> Growth {
        Growth { pages: pages() }
    }
}

impl Growth {
    /// Where the memory has grown since the last call, lets it grow by a quarter more.
    pub fn ahead(&mut self) {
        let pages = pages();
        if self.pages < pages {
            reserve((pages * PAGE / 4).min(MOST));
            self.pages = self::pages();
        }
    }
}

/// Lets the memory grow by so many bytes, unless as many are free. Where there is not that much, who needs it will say so.
pub fn reserve(bytes: usize) {
    let mut room = Vec::<u8>::new();
    let _ = room.try_reserve_exact(bytes);
    // Without it, a compiler sees that nothing is done with the room.
    std::hint::black_box(room);
}

#[cfg(target_arch = "wasm32")]
fn pages() -> usize {
    core::arch::wasm32::memory_size(0)
}

/// Other machines have no need of it.
#[cfg(not(target_arch = "wasm32"))]
fn pages() -> usize {
    0
}
