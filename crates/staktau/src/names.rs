//! What SystemTap calls system calls.

/// The name that `asm/unistd.h` has for a call that SystemTap, or a tracepoint, calls so: texts and traces are compared by
/// these.
pub fn canonical(name: &str) -> &str {
    match name {
        "mmap2" => "mmap",
        "pread" => "pread64",
        "pwrite" => "pwrite64",
        "fstatat" => "newfstatat",
        "getdents" => "getdents64",
        other => sysnames::call_of_function(other),
    }
}
