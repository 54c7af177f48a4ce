//! HTML: reports of systrace and of catapult's `trace2html`, whose scripts hold a trace, and pages that show one, as archives of
//! mailing lists do.

use memchr::memmem;

use crate::mail::base64;
use crate::peel::{Broken, Decode, Peel, Take};

/// Longer tags are no tags.
const TAG: usize = 4096;
/// Longer names of characters are none.
const ENTITY: usize = 10;
/// What marks a script that holds a trace: systrace's, and `trace2html`'s, which packs it.
const TRACE: &[u8] = b"trace-data";
const PACKED: &[u8] = b"viewer-data";

/// Gives the text of a page, and the traces in its scripts.
pub(crate) struct Html {
    at: At,
    /// What came of a tag, of a character's name, or of the end of what is raw.
    held: Vec<u8>,
    /// Layers that may be in a script.
    depth: u8,
}

enum At {
    Text,
    Tag,
    Entity,
    /// In an element whose content is no HTML, until this end comes.
    Raw(&'static [u8], Script),
}

/// What the content of an element is.
enum Script {
    /// Not a trace.
    Other,
    /// A trace.
    Trace(Peel),
    /// A trace in base64.
    Packed(base64::Groups, Peel),
}

impl Script {
    fn push(&mut self, bytes: &[u8], take: Take<'_>) {
        match self {
            Script::Other => {}
            Script::Trace(peel) => peel.push(bytes, take),
            Script::Packed(groups, peel) => peel.push(&groups.decode(bytes), take),
        }
    }

    fn finish(&mut self, take: Take<'_>) {
        if let Script::Trace(peel) | Script::Packed(_, peel) = self {
            peel.finish(take);
        }
    }
}

impl Html {
    pub fn new(depth: u8) -> Html {
        Html {
            at: At::Text,
            held: Vec::new(),
            depth,
        }
    }

    /// The end of a tag: what follows it.
    fn tag(&mut self, out: &mut Vec<u8>) {
        let tag = std::mem::take(&mut self.held).to_ascii_lowercase();
        let letters = tag
            .iter()
            .skip(1)
            .take_while(|byte| byte.is_ascii_alphanumeric())
            .count();
        let name = tag.get(..=letters).unwrap_or_default();
        self.at = match name {
            b"script" => {
                let has = |word| memmem::find(&tag, word).is_some();
                let script = match () {
                    () if has(TRACE) => Script::Trace(Peel::nested(self.depth)),
                    () if has(PACKED) => Script::Packed(base64::Groups::default(), Peel::nested(self.depth)),
                    () => Script::Other,
                };
                At::Raw(b"</script", script)
            }
            b"style" => At::Raw(b"</style", Script::Other),
            _ => At::Text,
        };
        let begins_line = matches!(
            name,
            b"br" | b"p" | b"/p" | b"div" | b"/div" | b"li" | b"/li" | b"tr" | b"/tr" | b"pre" | b"/pre"
        );
        match name {
            // The kernel's name of idle, in a page that was not written with care.
            b"idle" => out.extend_from_slice(b"<idle>"),
            _ if begins_line => out.push(b'\n'),
            _ => {}
        }
    }

    /// A character's name between `&` and `;`, or what looked like one.
    fn entity(&mut self, closed: bool, out: &mut Vec<u8>) {
        let name = std::mem::take(&mut self.held);
        self.at = At::Text;
        let number = |digits: &[u8], radix| {
            let digits = std::str::from_utf8(digits).ok()?;
            char::from_u32(u32::from_str_radix(digits, radix).ok()?)
        };
        let letter = match name.as_slice() {
            _ if !closed => None,
            b"lt" => Some('<'),
            b"gt" => Some('>'),
            b"amp" => Some('&'),
            b"quot" => Some('"'),
            b"apos" => Some('\''),
            b"nbsp" => Some(' '),
            [b'#', b'x' | b'X', digits @ ..] => number(digits, 16),
            [b'#', digits @ ..] => number(digits, 10),
            _ => None,
        };
        match letter {
            Some(letter) => out.extend_from_slice(letter.encode_utf8(&mut [0; 4]).as_bytes()),
            None => {
                out.push(b'&');
                out.extend_from_slice(&name);
                out.extend(closed.then_some(b';'));
            }
        }
    }

    fn byte(&mut self, byte: u8, out: &mut Vec<u8>) {
        match self.at {
            At::Text => match byte {
                b'<' => self.at = At::Tag,
                b'&' => self.at = At::Entity,
                _ => out.push(byte),
            },
            At::Tag => {
                let is_tag = !self.held.is_empty() || byte.is_ascii_alphabetic() || matches!(byte, b'/' | b'!' | b'?');
                if byte == b'>' && is_tag {
                    self.tag(out);
                } else if is_tag && self.held.len() < TAG {
                    self.held.push(byte);
                } else {
                    out.push(b'<');
                    out.append(&mut self.held);
                    self.at = At::Text;
                    self.byte(byte, out);
                }
            }
            At::Entity if byte == b';' => self.entity(true, out),
            At::Entity if self.held.len() < ENTITY && (byte.is_ascii_alphanumeric() || byte == b'#') => {
                self.held.push(byte)
            }
            At::Entity => {
                self.entity(false, out);
                self.byte(byte, out);
            }
            At::Raw(..) => {}
        }
    }

    /// Takes bytes of a script; returns those behind its end.
    fn raw<'a>(&mut self, bytes: &'a [u8], take: Take<'_>) -> &'a [u8] {
        let At::Raw(end, script) = &mut self.at else {
            return bytes;
        };
        // The end tag may begin in the bytes before, which are held.
        let before = self.held.len();
        self.held.extend_from_slice(bytes);
        let held = std::mem::take(&mut self.held);
        let found = memchr::memchr_iter(b'<', &held).find(|&at| {
            held.get(at..at + end.len())
                .is_some_and(|found| found.eq_ignore_ascii_case(end))
        });
        if let Some(at) = found {
            script.push(held.get(..at).unwrap_or_default(), take);
            script.finish(take);
            let behind = (at + end.len()).saturating_sub(before);
            // The end's own tag goes on from there.
            self.at = At::Tag;
            self.held = b"/".to_vec();
            return bytes.get(behind..).unwrap_or_default();
        }
        let keep = held.len().saturating_sub(end.len() - 1);
        let (done, rest) = held.split_at_checked(keep).unwrap_or((&held, &[]));
        script.push(done, take);
        self.held = rest.to_vec();
        &[]
    }
}

impl Decode for Html {
    fn push(&mut self, mut bytes: &[u8], take: Take<'_>) -> Result<(), Broken> {
        let mut out = Vec::new();
        while let [first, rest @ ..] = bytes {
            if let At::Raw(..) = self.at {
                take(&out);
                out.clear();
                bytes = self.raw(bytes, take);
            } else {
                self.byte(*first, &mut out);
                bytes = rest;
            }
        }
        take(&out);
        Ok(())
    }

    fn finish(&mut self, take: Take<'_>) -> Result<(), Broken> {
        let held = std::mem::take(&mut self.held);
        match &mut self.at {
            At::Raw(_, script) => {
                script.push(&held, take);
                script.finish(take);
            }
            At::Text => {}
            At::Tag => take(&[b"<", held.as_slice()].concat()),
            At::Entity => take(&[b"&", held.as_slice()].concat()),
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text_in(page: &[u8], step: usize) -> String {
        let (mut html, mut out) = (Html::new(3), Vec::new());
        for part in page.chunks(step) {
            html.push(part, &mut |bytes| out.extend_from_slice(bytes)).unwrap();
        }
        html.finish(&mut |bytes| out.extend_from_slice(bytes)).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn pages_give_their_text() {
        let page = "<html><style>a > b</style><script>if (a < b) x('sched');</script><pre>\
                    &lt;idle&gt;-0 a &amp;&amp; b&#x3d;&#61;&nbsp;&unknown; a&b <b>c</b> 1 < 2<br/>d<idle>-0</pre>";
        let expected = "\n<idle>-0 a && b== &unknown; a&b c 1 < 2\nd<idle>-0\n";
        for step in [1, 2, 7, 4000] {
            assert_eq!(text_in(page.as_bytes(), step), expected, "{step}");
        }
    }

    #[test]
    fn scripts_give_their_traces_and_nothing_else() {
        let json = r#"{"traceEvents": [], "systemTraceEvents": "a-1\n"}"#;
        let page = format!(
            "<!DOCTYPE html><script>no</script>\
             <script class=\"trace-data\" type=\"application/text\">\n# tracer: nop\n<idle>-0 a && b\n</script>\n\
             <SCRIPT class='trace-data'>{json}</SCRIPT>"
        );
        for step in [1, 2, 7, 4000] {
            assert_eq!(
                text_in(page.as_bytes(), step),
                "\n# tracer: nop\n<idle>-0 a && b\n\na-1\n",
                "{step}"
            );
        }
    }

    #[test]
    fn a_page_may_end_anywhere() {
        for (page, expected) in [
            ("a &lt", "a &lt"),
            ("a <b", "a <b"),
            ("a <script class=trace-data>b</scr", "a b</scr"),
        ] {
            assert_eq!(text_in(page.as_bytes(), 3), expected);
        }
    }
}
