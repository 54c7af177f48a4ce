//! Files inside gzip or zstd, unpacked as they come.

use std::io::{self, Write};

use crate::zstd::ZstdStream;

/// What a file is packed with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wrapping {
    None,
    Gzip,
    Zstd,
}

impl Wrapping {
    /// By the first bytes.
    pub fn of(head: &[u8]) -> Wrapping {
        match head {
            [0x1f, 0x8b, ..] => Wrapping::Gzip,
            [0x28, 0xb5, 0x2f, 0xfd, ..] => Wrapping::Zstd,
            _ => Wrapping::None,
        }
    }
}

/// Takes what comes out.
pub(crate) type Take<'a> = &'a mut dyn FnMut(&[u8]);

/// Bytes on their way from one place to the other: what a decoder writes to.
#[derive(Default)]
pub(crate) struct Out(Vec<u8>);

impl Write for Out {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Unpacks a file as it comes.
pub(crate) enum Unwrap {
    Plain,
    Gzip(Box<flate2::write::MultiGzDecoder<Out>>),
    Zstd(Box<ZstdStream>),
    /// What comes after damage is left out.
    Broken,
}

/// Bytes given to a decoder at a time: a thousand times as many may come out.
pub(crate) const STEP: usize = 16 << 10;

impl Unwrap {
    pub fn new(wrapping: Wrapping) -> Unwrap {
        match wrapping {
            Wrapping::None => Unwrap::Plain,
            Wrapping::Gzip => Unwrap::Gzip(Box::new(flate2::write::MultiGzDecoder::new(Out::default()))),
            Wrapping::Zstd => Unwrap::Zstd(Box::new(ZstdStream::new())),
        }
    }

    /// Takes the next bytes; the error says that they are damaged, and that all further ones are left out.
    pub fn push(&mut self, bytes: &[u8], take: Take<'_>) -> io::Result<()> {
        if let Unwrap::Plain = self {
            take(bytes);
            return Ok(());
        }
        for part in bytes.chunks(STEP) {
            let result = match self {
                Unwrap::Gzip(decoder) => {
                    let result = decoder.write_all(part).and_then(|()| decoder.flush());
                    let out = decoder.get_mut();
                    take(&out.0);
                    out.0.clear();
                    result
                }
                Unwrap::Zstd(decoder) => decoder.push(part, take).map_err(|_| io::Error::other("no zstd")),
                Unwrap::Plain | Unwrap::Broken => return Ok(()),
            };
            if let Err(error) = result {
                *self = Unwrap::Broken;
                return Err(error);
            }
        }
        Ok(())
    }

    /// No more bytes come: whether they were all that there are.
    pub fn finish(self, take: Take<'_>) -> bool {
        match self {
            Unwrap::Plain => true,
            Unwrap::Gzip(mut decoder) => {
                let whole = decoder.try_finish().is_ok();
                take(&decoder.get_ref().0);
                whole
            }
            Unwrap::Zstd(decoder) => decoder.is_whole(),
            Unwrap::Broken => false,
        }
    }
}
