//! Reads whole files up to a limit: a device or a pipe may never end.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// All bytes of a file of at most `most` bytes.
pub fn read_file(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    read_rest(File::open(path)?, &mut bytes, most)?;
    Ok(bytes)
}

/// The same of a file that holds UTF-8.
pub fn read_text(path: &Path, most: u64) -> io::Result<String> {
    let bytes = read_file(path, most)?;
    String::from_utf8(bytes).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error.utf8_error()))
}

/// Appends the rest of a stream, unless `bytes` then exceed `most`.
pub fn read_rest(from: impl Read, bytes: &mut Vec<u8>, most: u64) -> io::Result<()> {
    let room = most.saturating_sub(bytes.len() as u64);
    from.take(room.saturating_add(1)).read_to_end(bytes)?;
    if most < bytes.len() as u64 {
        let error = format!("it has more than {} MiB, the most that is read of it", most >> 20);
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, error));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::read_rest;

    #[test]
    fn streams_end_at_the_limit() {
        let mut bytes = vec![1];
        read_rest([2, 3].as_slice(), &mut bytes, 3).unwrap();
        assert_eq!(bytes, [1, 2, 3]);
        assert!(read_rest([4].as_slice(), &mut bytes, 3).is_err());
        let endless = read_rest(std::io::repeat(0), &mut Vec::new(), 1 << 20).unwrap_err();
        assert_eq!(
            endless.to_string(),
            "it has more than 1 MiB, the most that is read of it"
        );
    }
}
