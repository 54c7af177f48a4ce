//! Mails and mailboxes: quoted-printable and base64 (RFC 2045), in each part of its own.
//!
//! What was copied out of a mail without its headers is known by what only quoted-printable writes: `pid=3D100`.

pub(crate) mod base64;

use memchr::memmem;

use crate::peel::{Broken, Decode, Peel, Take};

/// Longer lines are cut: no mail has them.
const LINE: usize = 64 << 10;
/// Boundaries that are known at a time.
const BOUNDARIES: usize = 64;
/// First bytes by which an attachment is known to be text.
const TEXT: usize = 4096;

const ENCODING: &[u8] = b"content-transfer-encoding:";
/// What follows `pid` and `prio` in quoted-printable, with a `D` of either case: in plain text a number does.
const QUOTED: &[u8] = b"=3";

/// Whether a text with these first bytes is a mail, or was copied out of one, whose lines are encoded.
pub(crate) fn is_mail(head: &[u8]) -> bool {
    let is_header = |line: &[u8]| match strip(line, ENCODING) {
        Some(value) => Encoding::of(value) != Encoding::None,
        None => false,
    };
    is_quoted(head) || head.split(|&byte| byte == b'\n').any(is_header)
}

/// Whether numbers of a trace follow a quoted equals sign. They may be quoted themselves.
fn is_quoted(head: &[u8]) -> bool {
    let mut numbers = memmem::find_iter(head, QUOTED).filter(|&at| {
        let before = head.get(..at).unwrap_or_default();
        let [b'd' | b'D', next, ..] = head.get(at + QUOTED.len()..).unwrap_or_default() else {
            return false;
        };
        let is_number = matches!(next, b'0'..=b'9' | b'=');
        is_number && (before.ends_with(b"pid") || before.ends_with(b"prio") || before.ends_with(b"cpu"))
    });
    // One may be part of a name.
    numbers.next().is_some() && numbers.next().is_some()
}

/// What follows a header's name.
fn strip<'a>(line: &'a [u8], name: &[u8]) -> Option<&'a [u8]> {
    let (start, value) = line.split_at_checked(name.len())?;
    start.eq_ignore_ascii_case(name).then_some(value)
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Encoding {
    #[default]
    None,
    Quoted,
    Base64,
}

impl Encoding {
    fn of(value: &[u8]) -> Encoding {
        match value.trim_ascii().to_ascii_lowercase().as_slice() {
            b"quoted-printable" => Encoding::Quoted,
            b"base64" => Encoding::Base64,
            _ => Encoding::None,
        }
    }
}

/// Decodes a mail's lines.
pub(crate) struct Mail {
    /// The beginning of a line.
    held: Vec<u8>,
    /// The next line is one of headers.
    in_headers: bool,
    encoding: Encoding,
    boundaries: Vec<Vec<u8>>,
    /// The line before was empty, behind which a mailbox's next mail may begin.
    blank: bool,
    /// The first bytes were seen: they are headers or not.
    begun: bool,
    attachment: Option<Attachment>,
    depth: u8,
    left_out: bool,
}

/// A part in base64: what is in it, if it is text.
struct Attachment {
    groups: base64::Groups,
    peel: Peel,
    head: Vec<u8>,
    is_text: Option<bool>,
}

impl Attachment {
    fn new(depth: u8) -> Attachment {
        Attachment {
            groups: base64::Groups::default(),
            peel: Peel::nested(depth),
            head: Vec::new(),
            is_text: None,
        }
    }

    fn push(&mut self, line: &[u8], take: Take<'_>) {
        let Attachment {
            groups,
            peel,
            head,
            is_text,
        } = self;
        peel.push(&groups.decode(line), &mut |bytes| {
            Self::unpacked(head, is_text, bytes, false, take)
        });
    }

    /// The part ends; returns whether it was left out.
    fn finish(mut self, take: Take<'_>) -> bool {
        let Attachment {
            peel, head, is_text, ..
        } = &mut self;
        peel.finish(&mut |bytes| Self::unpacked(head, is_text, bytes, false, take));
        Self::unpacked(head, is_text, &[], true, take);
        take(b"\n");
        *is_text == Some(false)
    }

    fn unpacked(head: &mut Vec<u8>, is_text: &mut Option<bool>, bytes: &[u8], ends: bool, take: Take<'_>) {
        match is_text {
            Some(true) => take(bytes),
            Some(false) => {}
            None => {
                head.extend_from_slice(bytes);
                if TEXT <= head.len() || ends {
                    let found = memchr::memchr(0, head).is_none();
                    *is_text = Some(found);
                    if found {
                        take(head);
                    }
                    *head = Vec::new();
                }
            }
        }
    }
}

impl Mail {
    pub fn new(depth: u8) -> Mail {
        Mail {
            held: Vec::new(),
            in_headers: false,
            encoding: Encoding::None,
            boundaries: Vec::new(),
            blank: true,
            begun: false,
            attachment: None,
            depth,
            left_out: false,
        }
    }

    /// A line without its end. Headers are of no use behind it, where they would be those of another mail.
    fn line(&mut self, line: &[u8], out: &mut Vec<u8>, take: Take<'_>) {
        if self.begins_part(line) {
            self.end_part(out, take);
            self.in_headers = true;
            self.encoding = Encoding::None;
        } else if self.in_headers && line.is_empty() {
            self.in_headers = false;
            self.attachment = (self.encoding == Encoding::Base64).then(|| Attachment::new(self.depth));
        } else if self.in_headers {
            self.header(line);
        } else {
            self.body(line, out, take);
        }
        self.blank = line.is_empty();
    }

    /// Whether the line is a boundary, or begins the next mail of a mailbox.
    fn begins_part(&self, line: &[u8]) -> bool {
        let is_boundary = || {
            let name = line.strip_prefix(b"--").unwrap_or_default();
            let name = name.trim_ascii_end();
            self.boundaries
                .iter()
                .any(|known| name == known || name.strip_suffix(b"--") == Some(known))
        };
        match line {
            [b'-', b'-', ..] => is_boundary(),
            [b'F', b'r', b'o', b'm', b' ', ..] => {
                self.blank && !self.in_headers && memchr::memchr(b'@', line).is_some()
            }
            _ => false,
        }
    }

    fn header(&mut self, line: &[u8]) {
        if let Some(value) = strip(line, ENCODING) {
            self.encoding = Encoding::of(value);
        }
        // It may be on a line that continues another one.
        let lower = line.to_ascii_lowercase();
        if let Some(at) = memmem::find(&lower, b"boundary=") {
            let value = line.get(at + b"boundary=".len()..).unwrap_or_default();
            let boundary = match value.strip_prefix(b"\"") {
                Some(quoted) => quoted.split(|&byte| byte == b'"').next(),
                None => value.split(|&byte| byte == b';' || byte.is_ascii_whitespace()).next(),
            };
            let boundary = boundary.unwrap_or_default();
            if !boundary.is_empty() {
                self.boundaries.truncate(BOUNDARIES - 1);
                self.boundaries.insert(0, boundary.to_vec());
            }
        }
    }

    fn body(&mut self, line: &[u8], out: &mut Vec<u8>, take: Take<'_>) {
        match (self.encoding, &mut self.attachment) {
            (Encoding::Base64, Some(attachment)) => {
                take(out);
                out.clear();
                attachment.push(line, take);
            }
            (Encoding::Quoted, _) => unquote(line, out),
            _ => {
                out.extend_from_slice(line);
                out.push(b'\n');
            }
        }
    }

    fn end_part(&mut self, out: &mut Vec<u8>, take: Take<'_>) {
        if let Some(attachment) = self.attachment.take() {
            take(out);
            out.clear();
            self.left_out |= attachment.finish(take);
        }
    }

    /// Where headers come first, they are read; what was copied out of a mail is in quoted-printable from the start.
    fn begin(&mut self, bytes: &[u8]) {
        if std::mem::replace(&mut self.begun, true) {
            return;
        }
        let first = bytes.split(|&byte| byte == b'\n').next().unwrap_or_default();
        let has_header = is_header(first.trim_ascii_end());
        match has_header {
            true => self.in_headers = true,
            false if is_quoted(bytes) => self.encoding = Encoding::Quoted,
            false => {}
        }
    }
}

/// `Name: value`, with a name as headers have it.
fn is_header(line: &[u8]) -> bool {
    let name = line.split(|&byte| byte == b':').next().unwrap_or_default();
    let is_name = name.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'-');
    let is_mbox = line.starts_with(b"From ");
    is_mbox || is_name && !name.is_empty() && name.len() < line.len()
}

/// A line of quoted-printable, whose end is soft behind an equals sign.
fn unquote(line: &[u8], out: &mut Vec<u8>) {
    let hex = |byte: &u8| char::from(*byte).to_digit(16).map(|digit| digit as u8);
    let mut rest = line.trim_ascii_end();
    while let Some(at) = memchr::memchr(b'=', rest) {
        let (before, from) = rest.split_at_checked(at).unwrap_or((rest, &[]));
        out.extend_from_slice(before);
        rest = match from {
            [_, high, low, more @ ..] => match (hex(high), hex(low)) {
                (Some(high), Some(low)) => {
                    out.push(high << 4 | low);
                    more
                }
                _ => {
                    out.push(b'=');
                    from.get(1..).unwrap_or_default()
                }
            },
            [_] => return,
            _ => {
                out.extend_from_slice(from);
                &[]
            }
        };
    }
    out.extend_from_slice(rest);
    out.push(b'\n');
}

impl Decode for Mail {
    fn push(&mut self, bytes: &[u8], take: Take<'_>) -> Result<(), Broken> {
        self.begin(bytes);
        let mut out = Vec::new();
        let mut rest = bytes;
        while let Some(end) = memchr::memchr(b'\n', rest) {
            let (line, more) = rest.split_at_checked(end).unwrap_or((rest, &[]));
            rest = more.get(1..).unwrap_or_default();
            let mut held = std::mem::take(&mut self.held);
            let line = if held.is_empty() {
                line
            } else {
                held.extend_from_slice(line);
                &held
            };
            self.line(line.strip_suffix(b"\r").unwrap_or(line), &mut out, take);
        }
        let room = LINE.saturating_sub(self.held.len());
        self.held.extend_from_slice(rest.get(..room).unwrap_or(rest));
        take(&out);
        Ok(())
    }

    fn finish(&mut self, take: Take<'_>) -> Result<(), Broken> {
        let mut out = Vec::new();
        let held = std::mem::take(&mut self.held);
        if !held.is_empty() {
            self.line(held.strip_suffix(b"\r").unwrap_or(&held), &mut out, take);
        }
        self.end_part(&mut out, take);
        take(&out);
        Ok(())
    }

    fn left_out(&self) -> Option<&'static str> {
        const TEXT: &str = "an attachment of the mail that is no text is left out: save it, and open it by itself";
        self.left_out.then_some(TEXT)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text_in(mail: &str, step: usize) -> (String, bool) {
        let (mut decode, mut out) = (Mail::new(3), Vec::new());
        decode.begin(mail.as_bytes());
        for part in mail.as_bytes().chunks(step) {
            decode.push(part, &mut |bytes| out.extend_from_slice(bytes)).unwrap();
        }
        decode.finish(&mut |bytes| out.extend_from_slice(bytes)).unwrap();
        (String::from_utf8(out).unwrap(), decode.left_out().is_some())
    }

    #[test]
    fn quoted_printable_is_read_with_its_soft_ends() {
        let mail = "Subject: =?utf-8?q?x?=\r\nContent-Transfer-Encoding: Quoted-Printable\r\n\r\n\
                    > comm=3Dworker pid=3D1=\r\n00 a =3D=3D> b=20\r\ncaf=C3=A9 1=2 =\nend=3";
        let expected = "> comm=worker pid=100 a ==> b \ncafé 1=2 end=3\n";
        for step in [1, 5, 1000] {
            assert_eq!(text_in(mail, step), (expected.to_owned(), false), "{step}");
        }
    }

    #[test]
    fn what_was_copied_out_of_a_mail_needs_no_headers() {
        let body = "  a-1 [000] 1.0: x: pid=3D1 prio=3D120\n";
        assert!(is_mail(body.as_bytes()));
        assert_eq!(text_in(body, 7).0, "  a-1 [000] 1.0: x: pid=1 prio=120\n");
        assert!(!is_mail(b"  a-1 [000] 1.0: x: comm=3Dprint pid=1 prio=120\n"));
    }

    #[test]
    fn each_part_has_its_own_encoding() {
        let mail = "MIME-Version: 1.0\nContent-Type: multipart/mixed;\n boundary=\"b=1\"\n\n\
                    --b=1\nContent-Type: text/plain\n\na=3Db\n\
                    --b=1\nContent-Transfer-Encoding: base64\n\nc2NoZWRf\nc3dpdGNo\n\
                    --b=1\nContent-Transfer-Encoding: base64\n\nAAECAwQ=\n\
                    --b=1\nContent-Transfer-Encoding: quoted-printable\n\nc=3Dd\n--b=1--\n";
        for step in [1, 3, 1000] {
            let (text, left_out) = text_in(mail, step);
            for part in ["a=3Db\n", "sched_switch\n", "\nc=d\n"] {
                assert!(text.contains(part), "{part:?} in {text:?}");
            }
            assert!(left_out);
        }
    }

    #[test]
    fn a_mailbox_has_headers_again() {
        let mails = "From a@b Mon\nContent-Transfer-Encoding: quoted-printable\n\na=3Db\n\n\
                     From c@d Tue\nContent-Transfer-Encoding: 7bit\n\na=3Db\n";
        let (text, _) = text_in(mails, 4);
        assert_eq!(text, "a=b\n\na=3Db\n");
    }
}
