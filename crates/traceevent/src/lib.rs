//! What the kernel writes.
