//! What is read into memory as a whole, as traces that come through pipes are: there may be more of it than memory.

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use formats::HEAD;

/// Bytes that are read at a time.
const PIECE: u64 = 1 << 20;
/// A text whose first bytes, as many as this, hold no line of a trace is none.
const TEXT: usize = 1 << 20;
/// The limit where the system does not say how much memory is free.
const USUAL: u64 = 4 << 30;

/// Reads a pipe to its end. It reads no more than is needed to see that it is no trace, and no more than half of the memory
/// that is free.
pub fn read_all(from: impl Read) -> io::Result<Vec<u8>> {
    read(from, half_of_memory())
}

fn half_of_memory() -> u64 {
    free_memory().map_or(USUAL, |free| free / 2)
}

fn read(mut from: impl Read, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    (&mut from).take(HEAD).read_to_end(&mut bytes)?;
    let Some(format) = formats::format_of(&bytes) else {
        // Opening it says what it begins with.
        return Ok(bytes);
    };
    let mut before = bytes.len();
    while read_piece(&mut from, &mut bytes, most)? {
        let is_looked_at = format == formats::TEXT && before < TEXT && TEXT <= bytes.len();
        if is_looked_at && formats::open(bytes.clone()).is_err() {
            break;
        }
        before = bytes.len();
    }
    Ok(bytes)
}

/// Reads on; says whether there was something to read.
fn read_piece(from: &mut impl Read, bytes: &mut Vec<u8>, most: u64) -> io::Result<bool> {
    let before = bytes.len();
    bytes
        .try_reserve(PIECE as usize)
        .map_err(|_| too_large(before as u64))?;
    from.take(PIECE).read_to_end(bytes)?;
    match most < bytes.len() as u64 {
        true => Err(too_large(most)),
        false => Ok(before < bytes.len()),
    }
}

fn too_large(most: u64) -> io::Error {
    let most = most >> 20;
    let error = format!(
        "it has more than {most} MiB, and half of the memory that is free holds no more\n\
         If it comes through a pipe, write it to a file, and name the file: traces in files are read piece by piece."
    );
    io::Error::new(io::ErrorKind::OutOfMemory, error)
}

/// Bytes that this process can still use: those of the machine, or of the control groups that it is in.
fn free_memory() -> Option<u64> {
    let info = fs::read_to_string("/proc/meminfo").ok()?;
    let available = info.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let of_machine = number(available.trim_end_matches("kB"))?.saturating_mul(1024);
    let groups = fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
    let own = groups
        .lines()
        .find_map(|line| line.strip_prefix("0::/"))
        .unwrap_or_default();
    let root = Path::new("/sys/fs/cgroup");
    let group = root.join(own);
    let of_groups = group
        .ancestors()
        .take_while(|group| group.starts_with(root))
        .filter_map(|group| {
            let read = |name: &str| number(&fs::read_to_string(PathBuf::from(group).join(name)).ok()?);
            Some(read("memory.max")?.saturating_sub(read("memory.current")?))
        });
    of_groups.chain([of_machine]).min()
}

fn number(text: &str) -> Option<u64> {
    text.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_never_ends_is_not_read_for_ever() {
        // No trace: its beginning is enough.
        assert_eq!(read(io::repeat(0), u64::MAX).unwrap().len() as u64, HEAD);
        // It could be the text of a trace, but has no line of one.
        let text = read(io::repeat(b'y'), u64::MAX).unwrap();
        assert!(text.len() <= TEXT + PIECE as usize);
        // A trace followed by what never ends.
        let mut trace = b"\x17\x08\x44tracing6\0".to_vec();
        trace.resize(1000, 0);
        let error = read(trace.chain(io::repeat(0)), 64 << 20).unwrap_err().to_string();
        assert!(error.starts_with("it has more than 64 MiB"), "{error}");
    }

    #[test]
    fn memory_is_a_number() {
        assert!(!cfg!(target_os = "linux") || free_memory().is_some_and(|free| 0 < free));
    }
}
