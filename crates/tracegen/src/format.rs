//! An event's format: its fields, where they lie in a record, and the text that says so.

use crate::layout::{Common, Layout, Strings};

/// The kernel type of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Type {
    /// A task's name, stored as [`Strings`] says.
    Comm,
    /// A string of any length: `__data_loc` on every kernel.
    Path,
    /// `pid_t`.
    Pid,
    /// `int`.
    Int,
    /// `long`.
    Long,
    /// `unsigned long`.
    Address,
    /// `unsigned long args[6]`, of which the first is told.
    Args,
    /// `short`.
    Short,
    /// A string that ends the record: `char buf[]`.
    Tail,
}

/// An event as the kernel declares it with `TRACE_EVENT`.
#[derive(Debug)]
pub(crate) struct Format {
    pub(crate) name: &'static str,
    pub(crate) id: u16,
    pub(crate) fields: &'static [(&'static str, Type)],
    /// The print fmt's string, and the names of the fields or expressions that it prints.
    pub(crate) print: (&'static str, &'static [&'static str]),
}

/// Where a field lies in a record.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    pub(crate) offset: usize,
    pub(crate) size: usize,
}

impl Type {
    /// Size in the fixed part of a record, ending strings excepted; also the alignment of numbers.
    fn size(self, layout: &Layout) -> usize {
        match (self, layout.strings) {
            (Type::Comm, Strings::Fixed) => 16,
            (Type::Comm | Type::Path | Type::Pid | Type::Int, _) => 4,
            (Type::Long | Type::Address, _) => layout.long_size.into(),
            (Type::Args, _) => 6 * usize::from(layout.long_size),
            (Type::Short, _) => 2,
            (Type::Tail, _) => 0,
        }
    }

    fn alignment(self, layout: &Layout) -> usize {
        match (self, layout.strings) {
            (Type::Comm, Strings::Fixed) | (Type::Tail, _) => 1,
            (Type::Args, _) => layout.long_size.into(),
            _ => self.size(layout),
        }
    }

    fn declaration(self, name: &str, layout: &Layout) -> String {
        match (self, layout.strings) {
            (Type::Comm, Strings::Fixed) => format!("char {name}[16]"),
            (Type::Comm, Strings::RelLoc) => format!("__rel_loc char[] {name}"),
            (Type::Comm, Strings::DataLoc) | (Type::Path, _) => format!("__data_loc char[] {name}"),
            (Type::Pid, _) => format!("pid_t {name}"),
            (Type::Int, _) => format!("int {name}"),
            (Type::Long, _) => format!("long {name}"),
            (Type::Address, _) => format!("unsigned long {name}"),
            (Type::Args, _) => format!("unsigned long {name}[6]"),
            (Type::Short, _) => format!("short {name}"),
            (Type::Tail, _) => format!("char {name}[]"),
        }
    }
}

/// Bytes in front of an event's own fields.
pub(crate) fn common_size(layout: &Layout) -> usize {
    match layout.common {
        Common::Plain => 8,
        Common::Lazy => 9,
    }
}

impl Format {
    /// The places of the fields, in their order, and the end of the fixed part.
    pub(crate) fn places(&self, layout: &Layout) -> (Vec<Place>, usize) {
        let mut end = common_size(layout);
        let places = self
            .fields
            .iter()
            .map(|(_, kind)| {
                let offset = end.next_multiple_of(kind.alignment(layout));
                let size = kind.size(layout);
                end = offset + size;
                Place { offset, size }
            })
            .collect();
        (places, end)
    }

    /// The text of `events/SYSTEM/NAME/format`.
    pub(crate) fn text(&self, layout: &Layout) -> String {
        let mut common = vec![
            field_line("unsigned short common_type", 0, 2, false),
            field_line("unsigned char common_flags", 2, 1, false),
            field_line("unsigned char common_preempt_count", 3, 1, false),
            field_line("int common_pid", 4, 4, true),
        ];
        if layout.common == Common::Lazy {
            common.push(field_line("unsigned char common_preempt_lazy_count", 8, 1, false));
        }
        let own = self
            .fields
            .iter()
            .zip(self.places(layout).0)
            .map(|((name, kind), Place { offset, size })| {
                field_line(&kind.declaration(name, layout), offset, size, *kind != Type::Address)
            });
        let args: String = self
            .print
            .1
            .iter()
            .map(|arg| format!(", {}", self.argument(arg, layout)))
            .collect();
        format!(
            "name: {}\nID: {}\nformat:\n{}\n{}\nprint fmt: \"{}\"{args}\n",
            self.name,
            self.id,
            common.concat(),
            own.collect::<String>(),
            self.print.0
        )
    }

    /// A field's name as the print fmt says it; anything else is an expression and stays.
    fn argument(&self, name: &str, layout: &Layout) -> String {
        let kind = self.fields.iter().find(|(field, _)| *field == name).map(|f| f.1);
        match (kind, layout.strings) {
            (None, _) => name.to_owned(),
            (Some(Type::Comm), Strings::RelLoc) => format!("__get_rel_str({name})"),
            (Some(Type::Comm), Strings::DataLoc) | (Some(Type::Path), _) => {
                format!("__get_str({name})")
            }
            _ => format!("REC->{name}"),
        }
    }
}

fn field_line(declaration: &str, offset: usize, size: usize, signed: bool) -> String {
    let signed = u8::from(signed);
    format!("\tfield:{declaration};\toffset:{offset};\tsize:{size};\tsigned:{signed};\n")
}
