//! The text of `events/SYSTEM/NAME/format` (written by `kernel/trace/trace_events.c`, `f_show`).
//!
//! ```text
//! name: sched_waking
//! ID: 322
//! format:
//!         field:unsigned short common_type;       offset:0;       size:2; signed:0;
//!         field:__data_loc char[] comm;   offset:8;       size:4; signed:0;
//!
//! print fmt: "comm=%s", __get_str(comm)
//! ```

use thiserror::Error;

use crate::field::{Field, FieldShape};

/// Records fit a sub-buffer (at most 64 KiB x 2^n in practice); a bound on what is declared keeps sums from overflowing.
const MAX_OFFSET: usize = 1 << 26;

/// Why a `format` text cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum FormatError {
    /// A line is missing that every format has.
    #[error("no `{0}` line")]
    NoLine(&'static str),
    /// A number is none, or is out of range.
    #[error("`{line}`: {what} is not a number in range")]
    BadNumber {
        /// The line.
        line: String,
        /// Which number.
        what: &'static str,
    },
    /// A field has no name.
    #[error("`{0}`: no field name")]
    NoName(String),
}

/// The two lines of a format that tell events apart; cheap to find without parsing the rest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FormatHeader<'a> {
    /// The event's name, without its system.
    pub name: &'a str,
    /// What `common_type` holds in its records.
    pub id: u16,
}

impl<'a> FormatHeader<'a> {
    /// Reads the `name:` and `ID:` lines. [`FormatError`] when one is missing, or the id is no 16-bit number.
    pub fn parse(text: &'a str) -> Result<Self, FormatError> {
        let mut lines = text.lines();
        let name = lines
            .find_map(|line| line.strip_prefix("name:"))
            .ok_or(FormatError::NoLine("name:"))?;
        let id = lines
            .find_map(|line| line.strip_prefix("ID:"))
            .ok_or(FormatError::NoLine("ID:"))?;
        Ok(FormatHeader {
            name: name.trim(),
            id: id.trim().parse().map_err(|_| FormatError::BadNumber {
                line: format!("ID:{id}"),
                what: "ID",
            })?,
        })
    }
}

/// An event's format: the text of `events/SYSTEM/NAME/format` (`f_show` in `kernel/trace/trace_events.c`).
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct EventFormat {
    /// The event's name, without its system.
    pub name: String,
    /// What `common_type` holds in its records.
    pub id: u16,
    /// In declared order, the common header's first.
    pub fields: Vec<Field>,
    /// What follows `print fmt: `; empty when there is none.
    pub print_fmt: String,
}

impl EventFormat {
    /// Reads all of it. The print fmt is taken as it is: see [`EventText::compile`](crate::EventText::compile).
    pub fn parse(text: &str) -> Result<Self, FormatError> {
        let header = FormatHeader::parse(text)?;
        let (fields, print_fmt) = match text.split_once("print fmt:") {
            Some((fields, print_fmt)) => (fields, print_fmt.trim()),
            None => (text, ""),
        };
        Ok(EventFormat {
            name: header.name.to_owned(),
            id: header.id,
            fields: parse_fields(fields)?,
            print_fmt: print_fmt.to_owned(),
        })
    }

    /// The field of that name.
    pub fn field(&self, name: &str) -> Option<&Field> {
        self.fields.iter().find(|field| field.name == name)
    }
}

/// Reads every `field:` line of a text, in order. `events/header_page` and `events/header_event` have such lines without
/// being formats.
pub fn parse_fields(text: &str) -> Result<Vec<Field>, FormatError> {
    text.lines()
        .filter_map(|line| line.trim_start().strip_prefix("field:"))
        .map(parse_field)
        .collect()
}

/// `unsigned long args[6];`, then `offset:16;`, `size:48;` and `signed:0;` behind tabs.
fn parse_field(line: &str) -> Result<Field, FormatError> {
    let (declaration, properties) = line.split_once(';').unwrap_or((line, ""));
    let property = |key: &'static str| {
        properties
            .split(';')
            .find_map(|part| part.trim().strip_prefix(key)?.strip_prefix(':'))
            .map(str::trim)
    };
    let number = |key: &'static str| -> Result<usize, FormatError> {
        property(key)
            .and_then(|digits| digits.parse().ok())
            .filter(|&number| number <= MAX_OFFSET)
            .ok_or_else(|| FormatError::BadNumber {
                line: line.to_owned(),
                what: key,
            })
    };
    let declaration = declaration.trim();
    let (declaration, located) = if let Some(rest) = declaration.strip_prefix("__data_loc ") {
        (rest, Some(FieldShape::DataLoc))
    } else if let Some(rest) = declaration.strip_prefix("__rel_loc ") {
        (rest, Some(FieldShape::RelLoc))
    } else {
        (declaration, None)
    };
    // `char comm[16]` brackets the name, `__data_loc char[] comm` the type.
    let (declaration, behind_name) = match declaration.strip_suffix(']').and_then(|d| d.rsplit_once('[')) {
        Some((before, inside)) => (before.trim_end(), Some(inside.trim())),
        None => (declaration, None),
    };
    let split = declaration
        .rfind(|c: char| !(c.is_alphanumeric() || c == '_'))
        .map_or(0, |at| at + 1);
    let (type_name, name) = declaration.split_at_checked(split).unwrap_or_default();
    if name.is_empty() {
        return Err(FormatError::NoName(line.to_owned()));
    }
    let type_name = type_name.trim();
    let (type_name, behind_type) = match type_name.strip_suffix("[]") {
        Some(element) => (element, Some("")),
        None => (type_name, None),
    };
    Ok(Field {
        name: name.to_owned(),
        type_name: type_name.to_owned(),
        offset: number("offset")?,
        size: number("size")?,
        signed: property("signed") == Some("1"),
        shape: located.unwrap_or(match behind_name {
            Some(_) => FieldShape::Array,
            None => FieldShape::Scalar,
        }),
        brackets: behind_name.or(behind_type).map(str::to_owned),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const FORK: &str = "name: sched_process_fork\nID: 258\nformat:\n\
        \tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n\
        \tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n\
        \tfield:__data_loc char[] parent_comm;\toffset:8;\tsize:4;\tsigned:0;\n\
        \tfield:char child_comm[16];\toffset:28;\tsize:16;\tsigned:0;\n\
        \tfield:const char * why;\toffset:48;\tsize:8;\tsigned:0;\n\
        \tfield:char buf[];\toffset:56;\tsize:0;\tsigned:0;\n\n\
        print fmt: \"comm=%s\", __get_str(parent_comm)\n";

    #[test]
    fn a_format_is_read() {
        let format = EventFormat::parse(FORK).unwrap();
        assert_eq!((format.name.as_str(), format.id), ("sched_process_fork", 258));
        assert_eq!(format.print_fmt, "\"comm=%s\", __get_str(parent_comm)");
        let pid = format.field("common_pid").unwrap();
        assert_eq!(
            (pid.offset, pid.size, pid.signed, pid.shape),
            (4, 4, true, FieldShape::Scalar)
        );
        assert_eq!(pid.type_name, "int");
        assert_eq!(format.field("parent_comm").unwrap().shape, FieldShape::DataLoc);
        assert_eq!(format.field("parent_comm").unwrap().type_name, "char");
        assert_eq!(format.field("child_comm").unwrap().shape, FieldShape::Array);
        assert_eq!(format.field("why").unwrap().type_name, "const char *");
        assert_eq!(format.field("buf").unwrap().shape, FieldShape::Array);
    }

    #[test]
    fn damage_is_named() {
        assert_eq!(FormatHeader::parse("ID: 3\n"), Err(FormatError::NoLine("name:")));
        assert_eq!(
            FormatHeader::parse("name: a\nformat:\n"),
            Err(FormatError::NoLine("ID:"))
        );
        let error = FormatHeader::parse("name: a\nID: 70000\n").unwrap_err();
        assert_eq!(error.to_string(), "`ID: 70000`: ID is not a number in range");
        let error = parse_fields("field:int a;\toffset:x;\tsize:4;").unwrap_err();
        assert_eq!(
            error.to_string(),
            "`int a;\toffset:x;\tsize:4;`: offset is not a number in range"
        );
        assert!(matches!(
            parse_fields("field:;\toffset:0;"),
            Err(FormatError::NoName(_))
        ));
    }

    #[test]
    fn names_may_hold_any_letters() {
        let fields = parse_fields("field: héé;\toffset:0;\tsize:4;\n").unwrap();
        assert_eq!(fields[0].name, "héé");
    }
}
