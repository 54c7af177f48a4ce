//! Which layer bytes begin with.

use memchr::memmem;

use crate::carriage::{self, Carriage};
use crate::html::Html;
use crate::json::Json;
use crate::mail::{is_mail, Mail};
use crate::packed::{Packed, Packing};
use crate::peel::{Decode, Layer};
use crate::utf16::{order_of, Utf16};

/// Where `atrace -z` says that packed data follows.
const ATRACE: &[u8] = b"TRACE:";
/// What precedes that: a line or two of `atrace` and `adb`.
const ATRACE_HEAD: usize = 4096;

/// The layer that these first bytes are the beginning of. `depth`: layers that there may be, with this one.
pub(crate) fn layer_of(head: &[u8], depth: u8) -> Option<Layer> {
    let layer = |what, decode: Box<dyn Decode>| Some(Layer { what, decode });
    match head {
        [0x1f, 0x8b, ..] => return layer("gzip file", Box::new(Packed::new(Packing::Gzip))),
        [0x28, 0xb5, 0x2f, 0xfd, ..] => return layer("zstd file", Box::new(Packed::new(Packing::Zstd))),
        _ => {}
    }
    if let Some((order, skip)) = order_of(head) {
        return layer("text in UTF-16", Box::new(Utf16::new(order, skip)));
    }
    if let Some(skip) = atrace(head) {
        return layer(
            "packed data of atrace",
            Box::new(Packed::new(Packing::Zlib).behind(skip)),
        );
    }
    // Other layers are texts.
    if memchr::memchr(0, head).is_some() {
        return None;
    }
    if carriage::ends_lines(head) {
        return layer("text with carriage returns", Box::<Carriage>::default());
    }
    let start = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head).trim_ascii_start();
    let begins = |word: &[u8]| {
        start
            .get(..word.len())
            .is_some_and(|start| start.eq_ignore_ascii_case(word))
    };
    if start
        .strip_prefix(b"{")
        .is_some_and(|rest| rest.trim_ascii_start().starts_with(b"\""))
    {
        return layer("JSON", Box::<Json>::default());
    }
    if begins(b"<!doctype html") || begins(b"<html") {
        return layer("HTML page", Box::new(Html::new(depth - 1)));
    }
    if is_mail(head) {
        return layer("mail", Box::new(Mail::new(depth - 1)));
    }
    None
}

/// Bytes in front of the zlib stream that `atrace -z` writes.
fn atrace(head: &[u8]) -> Option<usize> {
    let start = head.get(..head.len().min(ATRACE_HEAD)).unwrap_or_default();
    let at = memmem::find(start, ATRACE)?;
    let before = start.get(..at).unwrap_or_default();
    let is_text = before
        .iter()
        .all(|byte| matches!(byte, b'\t' | b'\n' | b'\r' | 0x20..=0x7e));
    let is_line = before.is_empty() || before.ends_with(b"\n");
    let mut rest = head.get(at + ATRACE.len()..)?;
    // A terminal puts a carriage return in front of the line's end.
    while let [b'\r', more @ ..] = rest {
        rest = more;
    }
    let zlib = rest.strip_prefix(b"\n")?;
    let [method, flags] = *zlib.first_chunk::<2>()?;
    let is_zlib = method & 0x0f == 8 && u16::from_be_bytes([method, flags]) % 31 == 0;
    (is_text && is_line && is_zlib).then_some(head.len() - zlib.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layers_are_known_by_their_first_bytes() {
        let what = |head: &[u8]| layer_of(head, 3).map_or("none", |layer| layer.what);
        for (head, expected) in [
            (&b""[..], "none"),
            (b"\x1f\x8b\x08\0", "gzip file"),
            (b"\x28\xb5\x2f\xfd", "zstd file"),
            (b"\xff\xfea\0-\0", "text in UTF-16"),
            (b"\xfe\xff\0a\0-", "text in UTF-16"),
            (b"TRACE:\n\x78\x9c", "packed data of atrace"),
            (
                b"capturing trace... done\r\r\nTRACE:\r\n\x78\xda",
                "packed data of atrace",
            ),
            (b"TRACE:\nxyz", "none"),
            (b"# TRACE: of\n", "none"),
            (b"{\"traceEvents\": []}", "JSON"),
            (b" {\n  \"a\"", "JSON"),
            (b"{noformat}\n a-1 [000] 1.0: x: y\n", "none"),
            (b"# tracer: nop\ra-1 [000] 1.0: x: y\r", "text with carriage returns"),
            (b"a-1 [000] 1.0: x: y\r\n", "none"),
            (b"<!DOCTYPE html>", "HTML page"),
            (b"<HTML>", "HTML page"),
            (b"<idle>-0 [000] 1.0: x: y\n", "none"),
            (b"From: a\nContent-Transfer-Encoding: base64\n\n", "mail"),
            (
                b"a-1 [000] d..2. 1.0: sched_wakeup: comm=3Dx pid=3D7 prio=3D120",
                "mail",
            ),
            (b"a-1 [000] d..2. 1.0: sched_wakeup: comm=3Dx pid=7 prio=120", "none"),
            (b"PERFILE2\x68\0\0\0", "none"),
        ] {
            assert_eq!(what(head), expected, "{:?}", String::from_utf8_lossy(head));
        }
    }
}
