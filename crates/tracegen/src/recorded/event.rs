//! An event's `format` text: its fields, and what its print fmt says about values that make sense.

/// One event.
#[derive(Clone, Debug)]
pub(crate) struct Event {
    pub(crate) system: String,
    pub(crate) name: String,
    pub(crate) id: u16,
    pub(crate) fields: Vec<Field>,
    /// Numbers that `__print_symbolic` and `__print_flags` have names for.
    pub(crate) named: Vec<u64>,
    print_fmt: String,
}

/// One field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Field {
    /// Without `[n]`.
    pub(crate) name: String,
    /// The type with `__data_loc`, `[]` and the like.
    pub(crate) declaration: String,
    pub(crate) offset: usize,
    /// Bytes; 0 where the rest of the record belongs to the field.
    pub(crate) size: usize,
    /// Elements: `Some(0)` for `[]`, `Some(1)` for what cannot be counted; nothing for what is no array.
    pub(crate) elements: Option<usize>,
}

/// What a field must be for the print fmt to have a meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Use {
    /// Anything.
    Any,
    /// A number of bytes or elements, or a width.
    Length,
    /// A divisor.
    Divisor,
    /// A number of bits to shift by.
    Shift,
}

impl Event {
    /// Nothing for a text without name or id.
    pub(crate) fn parse(system: &str, text: &str) -> Option<Event> {
        let value = |key: &str| {
            let line = text.lines().find(|line| line.starts_with(key))?;
            Some(line[key.len()..].trim())
        };
        // A print fmt may hold line breaks.
        let print_fmt = text.split_once("print fmt:").map_or("", |(_, after)| after);
        Some(Event {
            system: system.into(),
            name: value("name:")?.into(),
            id: value("ID:")?.parse().ok()?,
            fields: fields(text),
            named: named(print_fmt),
            print_fmt: print_fmt.into(),
        })
    }

    /// Bytes of the record in front of what has no fixed place.
    pub(crate) fn fixed_size(&self) -> usize {
        let end = |field: &Field| field.offset + field.size;
        self.fields.iter().map(end).max().unwrap_or(0)
    }

    /// Does the print fmt read `field` with a length that does not come from the record?
    pub(crate) fn reads_whole(&self, field: &Field) -> bool {
        let read = |helper: &str| self.print_fmt.contains(&format!("{helper}({})", field.name));
        (read("__get_dynamic_array") || read("__get_sockaddr")) && !read("__get_dynamic_array_len")
            || self.print_fmt.contains("__print_hex")
            || self.print_fmt.contains("__print_array")
    }

    /// Does the print fmt show a socket address?
    pub(crate) fn shows_socket(&self) -> bool {
        self.print_fmt.contains("%pIS")
    }

    /// How the print fmt uses a number.
    pub(crate) fn use_of(&self, field: &Field) -> Use {
        // Function graphs are indented by it.
        if field.name == "depth" && self.name.starts_with("funcgraph") {
            return Use::Length;
        }
        let text = &self.print_fmt;
        let name = format!("REC->{}", field.name);
        let mut found = Use::Any;
        for (at, _) in text.match_indices(&name) {
            let after = text[at + name.len()..].chars().next().unwrap_or(' ');
            if after.is_alphanumeric() || after == '_' {
                continue;
            }
            let before = text[..at].trim_end_matches(['(', ' ']);
            if before.ends_with("<<") || before.ends_with(">>") {
                found = Use::Shift;
            } else if before.ends_with('/') || before.ends_with('%') {
                found = Use::Divisor;
            } else if within_array_call(&text[..at]) {
                return Use::Length;
            }
        }
        // A width may be any of the arguments.
        let width = ["%*", ".*", "%0*", "%-*"].iter().any(|spec| text.contains(spec));
        if width && found == Use::Any {
            return Use::Length;
        }
        found
    }
}

/// Is the end of `text` within the second or a later argument of a helper that prints bytes or elements?
fn within_array_call(text: &str) -> bool {
    let helpers = ["__print_hex", "__print_array", "__print_dynamic_array"];
    let Some(begin) = helpers.iter().filter_map(|helper| text.rfind(helper)).max() else {
        return false;
    };
    let (mut depth, mut arguments) = (0, 0);
    for c in text[begin..].chars() {
        match c {
            '(' => depth += 1,
            ')' if depth == 1 => return false,
            ')' => depth -= 1,
            ',' if depth == 1 => arguments += 1,
            _ => {}
        }
    }
    arguments > 0
}

/// The `field:TYPE NAME; offset:N; size:N; signed:N;` lines of a text.
pub(crate) fn fields(text: &str) -> Vec<Field> {
    text.lines().filter_map(field).collect()
}

fn field(line: &str) -> Option<Field> {
    let line = line.trim_start().strip_prefix("field:")?;
    let (declaration, rest) = line.split_once(';')?;
    let number = |key: &str| -> Option<usize> {
        let (_, after) = rest.split_once(key)?;
        after.split(';').next()?.trim().parse().ok()
    };
    let (offset, size) = (number("offset:")?, number("size:")?);
    let name_begin = declaration.rfind([' ', '\t', '*'])? + 1;
    // `char comm[16]`, `__u8 mac[32 + 2]`, but `__data_loc char[] name`.
    let array = declaration.rfind('[').filter(|at| declaration[*at..].ends_with(']'));
    let (name, elements) = match array {
        Some(open) => {
            let begin = declaration[..open].rfind([' ', '\t', '*'])? + 1;
            let inside = &declaration[open + 1..declaration.len() - 1];
            let count = if inside.is_empty() {
                0
            } else {
                inside.parse().unwrap_or(1)
            };
            (&declaration[begin..open], Some(count))
        }
        None => (&declaration[name_begin..], None),
    };
    Some(Field {
        name: name.into(),
        declaration: declaration.into(),
        offset,
        size,
        elements,
    })
}

/// The numbers at the beginnings of `{ NUMBER, "name" }`, also where they are spelled as shifts.
fn named(print_fmt: &str) -> Vec<u64> {
    let entries = print_fmt.split('{').skip(1);
    entries
        .filter_map(|entry| {
            let (spelled, _) = entry.split_once(", \"").or_else(|| entry.split_once(",\""))?;
            let mut numbers = spelled.split(|c: char| !c.is_ascii_alphanumeric()).filter_map(number);
            let first = numbers.next()?;
            match numbers.next() {
                Some(by) if spelled.contains("<<") => first.checked_shl(by as u32),
                _ if spelled.trim_start().starts_with('-') => Some(first.wrapping_neg()),
                _ => Some(first),
            }
        })
        .collect()
}

/// `10`, `0x10`, `010`, with `U` and `L` behind.
fn number(word: &str) -> Option<u64> {
    let word = word.trim_end_matches(['u', 'U', 'l', 'L']);
    match word.strip_prefix("0x").or_else(|| word.strip_prefix("0X")) {
        Some(hex) => u64::from_str_radix(hex, 16).ok(),
        None if word.len() > 1 && word.starts_with('0') => u64::from_str_radix(word, 8).ok(),
        None => word.parse().ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "name: probe\nID: 77\nformat:\n\
        \tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n\n\
        \tfield:char comm[16];\toffset:8;\tsize:16;\tsigned:1;\n\
        \tfield:__data_loc char[] name;\toffset:24;\tsize:4;\tsigned:1;\n\
        \tfield:const char * where;\toffset:32;\tsize:8;\tsigned:0;\n\
        \tfield:__u8 mac[32 + 2];\toffset:40;\tsize:34;\tsigned:0;\n\
        \tfield:u32 len;\toffset:76;\tsize:4;\tsigned:0;\n\
        \tfield:char buf[];\toffset:80;\tsize:0;\tsigned:1;\n\n\
        print fmt: \"%s %d %s %s\", __get_str(name), REC->common_type / REC->len, \
        __print_symbolic(REC->where, { 3, \"a\" }, { (1UL << 4), \"b\" }, {0x20u, \"c\"}, { -1, \"d\" }), \
        __print_hex(REC->mac, REC->len)\n";

    #[test]
    fn fields_have_names_places_and_elements() {
        let event = Event::parse("sys", TEXT).unwrap();
        assert_eq!((event.name.as_str(), event.id), ("probe", 77));
        let seen: Vec<_> = event
            .fields
            .iter()
            .map(|field| (field.name.as_str(), field.offset, field.size, field.elements))
            .collect();
        let expected = [
            ("common_type", 0, 2, None),
            ("comm", 8, 16, Some(16)),
            ("name", 24, 4, None),
            ("where", 32, 8, None),
            ("mac", 40, 34, Some(1)),
            ("len", 76, 4, None),
            ("buf", 80, 0, Some(0)),
        ];
        assert_eq!(seen, expected);
        assert_eq!(event.fixed_size(), 80);
    }

    #[test]
    fn the_print_fmt_tells_values_that_make_sense() {
        let event = Event::parse("sys", TEXT).unwrap();
        assert_eq!(event.named, [3, 16, 0x20, u64::MAX]);
        let uses: Vec<Use> = event.fields.iter().map(|field| event.use_of(field)).collect();
        assert_eq!(uses[5], Use::Length);
        assert!(uses[..5].iter().all(|used| *used == Use::Any), "{uses:?}");
    }
}
