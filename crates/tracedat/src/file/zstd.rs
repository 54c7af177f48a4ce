//! zstd frames, by the library that suits the machine: the C one natively, a Rust one in wasm. Both give the bytes
//! before the damage, and then an error.

#[cfg(any(target_family = "wasm", test))]
use std::io::Cursor;
use std::io::{self, Read};

use super::compression::ReadAll;

#[cfg(not(target_family = "wasm"))]
pub(super) type Zstd = Native;
#[cfg(target_family = "wasm")]
pub(super) type Zstd = Portable;

/// How hard both pack: what zstd does unless it is told otherwise.
const LEVEL: i32 = 3;

/// One frame of these bytes.
#[cfg(not(target_family = "wasm"))]
pub(super) fn pack(bytes: &[u8]) -> io::Result<Vec<u8>> {
    zstd::bulk::compress(bytes, LEVEL)
}

/// One frame of these bytes.
#[cfg(target_family = "wasm")]
pub(super) fn pack(bytes: &[u8]) -> io::Result<Vec<u8>> {
    pack_portably(bytes)
}

/// The frame that is written where there is no C library.
#[cfg(any(target_family = "wasm", test))]
fn pack_portably(bytes: &[u8]) -> io::Result<Vec<u8>> {
    zrip::compress(bytes, LEVEL).map_err(io::Error::other)
}

/// libzstd; keeps its tables from frame to frame.
#[cfg(not(target_family = "wasm"))]
#[derive(Default)]
pub(super) struct Native {
    context: zstd::zstd_safe::DCtx<'static>,
}

#[cfg(not(target_family = "wasm"))]
impl Native {
    /// Appends at most `limit` bytes of the frame to `out`.
    pub(super) fn unpack(&mut self, packed: &[u8], limit: u64, out: &mut Vec<u8>, read_all: ReadAll) -> io::Result<()> {
        // A frame before this one may have ended early: what is left of it is no part of this one.
        let reset = self.context.reset(zstd::zstd_safe::ResetDirective::SessionOnly);
        reset.map_err(|code| io::Error::other(zstd::zstd_safe::get_error_name(code)))?;
        let frame = zstd::stream::read::Decoder::with_context(packed, &mut self.context).single_frame();
        read_all(&mut frame.take(limit), out)
    }
}

/// zrip; keeps its tables from frame to frame.
#[cfg(any(target_family = "wasm", test))]
pub(super) struct Portable {
    /// Boxed: perf.data's streams are read by the same type, which a module then has once.
    decoder: zrip::FrameDecoder<Box<dyn Read>>,
}

#[cfg(any(target_family = "wasm", test))]
impl Default for Portable {
    fn default() -> Self {
        Portable {
            decoder: zrip::FrameDecoder::new(Box::new(io::empty())),
        }
    }
}

#[cfg(any(target_family = "wasm", test))]
impl Portable {
    /// Appends at most `limit` bytes of the frame to `out`.
    pub(super) fn unpack(&mut self, packed: &[u8], limit: u64, out: &mut Vec<u8>, read_all: ReadAll) -> io::Result<()> {
        self.decoder.reset(Box::new(Cursor::new(packed.to_vec())));
        read_all(&mut (&mut self.decoder).take(limit), out)
    }
}

#[cfg(test)]
mod tests {
    use std::io::{self, Read};

    use super::{Native, Portable};

    fn all(reader: &mut dyn Read, out: &mut Vec<u8>) -> io::Result<()> {
        reader.read_to_end(out).map(drop)
    }

    /// The results of both for the same frame.
    fn unpack(frame: &[u8], limit: u64) -> [(bool, Vec<u8>); 2] {
        let (mut native, mut portable) = (Vec::new(), Vec::new());
        let native_ok = Native::default().unpack(frame, limit, &mut native, all).is_ok();
        let portable_ok = Portable::default().unpack(frame, limit, &mut portable, all).is_ok();
        [(native_ok, native), (portable_ok, portable)]
    }

    fn text() -> Vec<u8> {
        (0..20_000_u32).flat_map(|n| (n / 3).to_le_bytes()).collect()
    }

    #[test]
    fn both_libraries_unpack_the_same() {
        let frame = zstd::bulk::compress(&text(), 3).unwrap();
        for limit in [0, 1, 70_000, 1 << 20] {
            let expected: Vec<u8> = text().into_iter().take(limit as usize).collect();
            for (ok, bytes) in unpack(&frame, limit) {
                assert!(ok);
                assert_eq!(bytes, expected);
            }
        }
    }

    #[test]
    fn what_either_library_packs_both_unpack() {
        for frame in [super::pack(&text()).unwrap(), super::pack_portably(&text()).unwrap()] {
            assert!(frame.len() < text().len());
            for (ok, bytes) in unpack(&frame, 1 << 20) {
                assert!(ok && bytes == text());
            }
        }
    }

    #[test]
    fn a_frame_behind_a_broken_one_is_whole() {
        let frame = zstd::bulk::compress(&text(), 3).unwrap();
        let (mut native, mut portable) = (Native::default(), Portable::default());
        // The frame is cut, damaged in the middle, and longer than wanted.
        let mut damaged = frame.clone();
        damaged[frame.len() / 2] ^= 0xff;
        for (broken, limit) in [(&frame[..frame.len() / 2], 1 << 20), (&damaged, 1 << 20), (&frame, 100)] {
            let (mut first, mut second) = (Vec::new(), Vec::new());
            let _ = native.unpack(broken, limit, &mut first, all);
            let _ = portable.unpack(broken, limit, &mut second, all);
            for out in [&mut first, &mut second] {
                out.clear();
            }
            native.unpack(&frame, 1 << 20, &mut first, all).unwrap();
            portable.unpack(&frame, 1 << 20, &mut second, all).unwrap();
            assert!(first == text() && second == text());
        }
    }

    #[test]
    fn both_libraries_refuse_a_frame_that_is_cut_short_and_keep_what_came_before() {
        let frame = zstd::bulk::compress(&text(), 3).unwrap();
        for end in [0, 3, 8, frame.len() / 2, frame.len() - 1] {
            for (ok, bytes) in unpack(&frame[..end], 1 << 20) {
                assert!(!ok || end == 0, "{end} bytes");
                assert!(text().starts_with(&bytes));
            }
        }
    }

    #[test]
    fn of_a_damaged_frame_neither_gives_what_the_other_does_not() {
        let text: Vec<u8> = (0..3000_u32).flat_map(|n| (n * n / 7).to_le_bytes()).collect();
        let frame = zstd::bulk::compress(&text, 3).unwrap();
        for at in 0..frame.len() {
            for flip in [0x01, 0x80, 0xff] {
                let mut damaged = frame.clone();
                damaged[at] ^= flip;
                let [(native_ok, native), (portable_ok, portable)] = unpack(&damaged, 1 << 20);
                // Not all damage is seen, and one may see what the other does not.
                if native_ok && portable_ok {
                    assert!(native == portable, "byte {at}, {flip:#x}");
                } else if native_ok || portable_ok {
                    let [short, long] = if native_ok {
                        [portable, native]
                    } else {
                        [native, portable]
                    };
                    assert!(long.starts_with(&short), "byte {at}, {flip:#x}");
                }
            }
        }
    }
}
