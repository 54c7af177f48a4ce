//! The compression algorithms that version 7 names in its header.

use std::io::{self, Read, Write};

use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;
use flate2::Compression;

/// What trace-cmd compresses with: libzstd's default.
const ZSTD_LEVEL: i32 = 3;

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
        "zstd" => zstd::bulk::compress(data, ZSTD_LEVEL).unwrap_or_default(),
        _ => data.to_vec(),
    }
}

/// The `size` bytes of a block.
pub(crate) fn decompress(name: &str, packed: &[u8], size: usize) -> io::Result<Vec<u8>> {
    let mut data = Vec::new();
    match name {
        "zlib" => ZlibDecoder::new(packed).take(size as u64).read_to_end(&mut data)?,
        "zstd" => zstd::stream::read::Decoder::new(packed)?
            .take(size as u64)
            .read_to_end(&mut data)?,
        _ => return Err(io::Error::other(format!("compression {name} is not known"))),
    };
    if data.len() != size {
        let got = data.len();
        return Err(io::Error::other(format!("a block of {size} bytes has only {got}")));
    }
    Ok(data)
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
