//! The compression algorithms that version 7 names in its header.

use std::io::Write;

use flate2::write::ZlibEncoder;
use flate2::Compression;
use ruzstd::encoding::{compress_to_vec, CompressionLevel};

/// One block, compressed as the name says; under an unknown name the bytes stay as they are.
pub(crate) fn compress(name: &str, data: &[u8]) -> Vec<u8> {
    match name {
        "zlib" => {
            let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
            // Writing to a Vec cannot fail.
            encoder
                .write_all(data)
                .and_then(|()| encoder.finish())
                .unwrap_or_default()
        }
        "zstd" => compress_to_vec(data, CompressionLevel::Fastest),
        _ => data.to_vec(),
    }
}

/// The library's version, which trace-cmd writes beside the name.
pub(crate) fn library_version(name: &str) -> &'static str {
    match name {
        "none" => "",
        "zlib" => "1.2.13",
        "zstd" => "1.5.4",
        _ => "2.10",
    }
}
