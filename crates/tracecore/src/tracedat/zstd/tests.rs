//! Held against `ruzstd`, on every frame of the recorded fixtures, whole and damaged.

use std::path::Path;

use super::*;

/// Every frame of the fixtures, with the size it unpacks to: chunks of pages, sections, and kallsyms of many blocks.
fn frames() -> Vec<(Vec<u8>, usize)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures");
    let mut frames = Vec::new();
    for file in std::fs::read_dir(folder).unwrap() {
        let path = file.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "dat") {
            let bytes = std::fs::read(path).unwrap();
            // Magic (10 bytes), "7\0", byte order; both sizes are before each frame.
            let endian = if bytes[12] == 0 { Endian::Little } else { Endian::Big };
            let starts = bytes
                .windows(4)
                .enumerate()
                .filter(|(_, window)| *window == MAGIC.to_le_bytes());
            for (at, _) in starts {
                let (packed, unpacked) = (endian.u32(&bytes, at - 8).unwrap(), endian.u32(&bytes, at - 4).unwrap());
                frames.push((bytes[at..at + packed as usize].to_vec(), unpacked as usize));
            }
        }
    }
    frames
}

fn unpack(frame: &[u8], limit: usize) -> Result<Vec<u8>, ZstdError> {
    let mut out = vec![7; 3];
    Decoder::new().decode(frame, limit, &mut out).map(|()| out)
}

fn twin(frame: &[u8], limit: usize) -> Option<Vec<u8>> {
    let mut out = vec![0; limit];
    let len = ruzstd::decoding::FrameDecoder::new().decode_all(frame, &mut out).ok()?;
    out.truncate(len);
    Some(out)
}

#[test]
fn every_recorded_frame_unpacks_as_with_the_twin() {
    let frames = frames();
    assert!(frames.len() > 100, "{}", frames.len());
    let mut decoder = Decoder::new();
    let mut out = Vec::new();
    for (frame, size) in &frames {
        decoder.decode(frame, *size, &mut out).unwrap();
        assert_eq!(out.len(), *size);
        assert!(twin(frame, *size).as_ref() == Some(&out));
    }
}

#[test]
fn changed_frames_never_panic_and_never_differ() {
    let mut state = 0x9e37_79b9_7f4a_7c15u64;
    let mut random = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state as usize
    };
    let mut both = 0;
    let frames = frames();
    let small: Vec<_> = frames
        .iter()
        .filter(|(frame, _)| frame.len() < 8000)
        .step_by(7)
        .collect();
    for (frame, size) in small {
        for _ in 0..20 {
            let mut damaged = frame.clone();
            let at = random() % damaged.len();
            damaged[at] = random() as u8;
            if random() % 4 == 0 {
                damaged.truncate(random() % frame.len());
            }
            if let (Ok(found), Some(expected)) = (unpack(&damaged, *size), twin(&damaged, *size)) {
                both += 1;
                assert!(found == expected);
            }
        }
    }
    assert!(both > 10, "{both}");
}

/// Magic, a header without checksum whose window is the least, then blocks.
fn frame(blocks: &[&[u8]]) -> Vec<u8> {
    let mut frame = MAGIC.to_le_bytes().to_vec();
    frame.extend([0x00, 0x00]); // descriptor: nothing; window: 1 KiB
    frame.extend(blocks.concat());
    frame
}

#[test]
fn plain_and_repeated_blocks_are_copied() {
    // size 3, plain; then size 5, one byte again and again, last
    let bytes = frame(&[&[3 << 3, 0, 0], b"abc", &[5 << 3 | 1 << 1 | 1, 0, 0], b"x"]);
    assert_eq!(unpack(&bytes, 8).unwrap(), b"abcxxxxx");
    assert_eq!(unpack(&bytes, 7), Err(ZstdError::TooLong(7)));
    // two frames, and one to skip between them
    let mut twice = bytes.clone();
    twice.extend(SKIPPABLE_MAGIC.to_le_bytes());
    twice.extend([2, 0, 0, 0, 9, 9]);
    twice.extend(&bytes);
    assert_eq!(unpack(&twice, 16).unwrap(), b"abcxxxxxabcxxxxx");
}

#[test]
fn matches_repeat_what_came_before() {
    // compressed, last: 4 plain literals; 1 sequence; all tables of one symbol: literal length 4, offset code 2 (offset
    // 4 + 1 extra bit read as 0 + ... - 3 = 1), match length code 7 (10 bytes); the stream holds two offset bits and its mark
    let block = [4 << 3, b'a', b'b', b'c', b'd', 1, 0b0101_0100, 4, 2, 7, 0b100];
    let bytes = frame(&[&[(block.len() as u8) << 3 | 2 << 1 | 1, 0, 0], &block]);
    assert_eq!(unpack(&bytes, 14).unwrap(), b"abcddddddddddd");
    assert_eq!(twin(&bytes, 14).unwrap(), b"abcddddddddddd");
}

#[test]
fn what_is_not_zstd_is_refused() {
    assert!(matches!(unpack(b"1234567", 10), Err(ZstdError::Damaged(_))));
    assert!(matches!(unpack(b"12", 10), Err(ZstdError::Short(_))));
    let mut bytes = frame(&[&[1, 0, 0]]);
    bytes[4] = 1;
    assert_eq!(unpack(&bytes, 10), Err(ZstdError::Unsupported("a dictionary")));
}
