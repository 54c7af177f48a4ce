//! The fields of the scheduling events, bound once to offsets and sizes of this file's formats.

use traceevent::{Endian, EventFormat, IntField, TextField};

use super::near::NearEvent;
use super::state::StateDecoder;
use crate::file::EventTable;
use schedrows::{Diagnostic, DiagnosticKind, RowKind};

/// Where the values of a row come from, by field name; the first name that the format has is taken.
struct Recipe {
    /// Without it, `common_pid` is the task's.
    pid: &'static [&'static str],
    arg: &'static [&'static str],
    comm: &'static [&'static str],
    comm2: Second,
    prio: &'static [&'static str],
    state: &'static [&'static str],
}

/// What `Row::comm2` is.
enum Second {
    None,
    Name(&'static str),
    Number(&'static [&'static str]),
}

const PLAIN: Recipe = Recipe {
    pid: &["pid"],
    arg: &[],
    comm: &[],
    comm2: Second::None,
    prio: &[],
    state: &[],
};

const WAKEUP: Recipe = Recipe {
    arg: &["target_cpu", "cpu"],
    comm: &["comm"],
    prio: &["prio"],
    ..PLAIN
};

/// `sched_move_numa` names one task's fields plainly, the other two events name a source and a destination.
const NUMA: Recipe = Recipe {
    pid: &["pid", "src_pid"],
    arg: &["dst_cpu"],
    comm2: Second::Number(&["src_cpu"]),
    ..PLAIN
};

/// How the event of a kind is read; `None` for what is no event.
fn recipe(kind: RowKind) -> Option<Recipe> {
    Some(match kind {
        RowKind::Switch => Recipe {
            pid: &["prev_pid"],
            arg: &["next_pid"],
            comm: &["prev_comm"],
            comm2: Second::Name("next_comm"),
            prio: &["next_prio"],
            state: &["prev_state"],
        },
        RowKind::Waking | RowKind::Wakeup | RowKind::WakeupNew => WAKEUP,
        RowKind::Migrate => Recipe {
            arg: &["dest_cpu"],
            comm: &["comm"],
            comm2: Second::Number(&["orig_cpu"]),
            prio: &["prio"],
            ..PLAIN
        },
        RowKind::Fork => Recipe {
            pid: &["parent_pid"],
            arg: &["child_pid"],
            comm: &["parent_comm"],
            comm2: Second::Name("child_comm"),
            ..PLAIN
        },
        RowKind::Exec => Recipe {
            arg: &["old_pid"],
            comm: &["filename"],
            ..PLAIN
        },
        RowKind::Exit => Recipe {
            comm: &["comm"],
            prio: &["prio"],
            ..PLAIN
        },
        RowKind::Rename => Recipe {
            comm: &["oldcomm"],
            comm2: Second::Name("newcomm"),
            ..PLAIN
        },
        RowKind::MoveNuma | RowKind::StickNuma | RowKind::SwapNuma => NUMA,
        RowKind::Lost => return None,
    })
}

/// Where `Row::comm2` comes from.
#[derive(Clone, Copy, Debug)]
pub(super) enum SecondField {
    None,
    Name(TextField),
    Number(IntField),
}

/// One event's fields.
#[derive(Clone, Copy, Debug)]
pub(super) struct BoundEvent {
    pub kind: RowKind,
    pub common_pid: IntField,
    pub common_flags: IntField,
    pub pid: IntField,
    pub arg: Option<IntField>,
    pub comm: Option<TextField>,
    pub comm2: SecondField,
    pub prio: Option<IntField>,
    /// Of the previous task of a switch.
    pub prev_prio: Option<IntField>,
    pub state: Option<IntField>,
    /// The same for records in pages, where it can be read so.
    pub near: Option<NearEvent>,
}

/// All scheduling events of a file.
pub(super) struct SchedFormats {
    /// By id: 1 + index into `bound`, 0 for events of no interest.
    pub by_id: Vec<u8>,
    pub bound: Vec<BoundEvent>,
    pub states: StateDecoder,
    /// Formats that could not be bound.
    pub diagnostics: Vec<Diagnostic>,
}

impl SchedFormats {
    pub fn bind(events: &EventTable, endian: Endian) -> Self {
        let mut formats = SchedFormats {
            by_id: Vec::new(),
            bound: Vec::new(),
            states: StateDecoder::default(),
            diagnostics: Vec::new(),
        };
        for kind in RowKind::ALL {
            let (Some((system, event)), Some(recipe)) = (kind.event_name(), recipe(kind)) else {
                continue;
            };
            let Some(id) = events.id(system, event) else {
                continue;
            };
            let result = match events.format(id) {
                Some(Ok(format)) => formats.bind_event(id, kind, &recipe, format, endian),
                Some(Err(error)) => Err(error.to_string()),
                None => continue,
            };
            if let Err(why) = result {
                formats.diagnose(DiagnosticKind::Malformed, format!("{event} is not read: {why}"));
            }
        }
        formats
    }

    fn bind_event(
        &mut self,
        id: u16,
        kind: RowKind,
        recipe: &Recipe,
        format: &EventFormat,
        endian: Endian,
    ) -> Result<(), String> {
        let int = |names: &[&str]| names.iter().find_map(|name| format.field(name)?.as_int());
        let text = |names: &[&str]| names.iter().find_map(|name| format.field(name)?.as_text());
        // What a recipe names and the format lacks is an error: the row would say something that the trace does not.
        let wanted = |names: &'static [&'static str], found: bool| match names.first() {
            Some(name) if !found => Err(format!("its format has no usable field `{name}`")),
            _ => Ok(()),
        };
        let common_pid = int(&["common_pid"]).ok_or("its format has no usable field `common_pid`")?;
        let mut bound = BoundEvent {
            kind,
            common_pid,
            common_flags: int(&["common_flags"]).ok_or("its format has no usable field `common_flags`")?,
            pid: int(recipe.pid).unwrap_or(common_pid),
            arg: int(recipe.arg),
            comm: text(recipe.comm),
            comm2: match recipe.comm2 {
                Second::None => SecondField::None,
                Second::Name(name) => text(&[name]).map_or(SecondField::None, SecondField::Name),
                Second::Number(names) => int(names).map_or(SecondField::None, SecondField::Number),
            },
            prio: int(recipe.prio),
            prev_prio: int(&["prev_prio"]),
            state: int(recipe.state),
            near: None,
        };
        if endian == Endian::Little {
            bound.near = NearEvent::bind(&bound);
        }
        wanted(recipe.arg, bound.arg.is_some())?;
        wanted(recipe.comm, bound.comm.is_some())?;
        wanted(recipe.state, bound.state.is_some())?;
        if bound.state.is_some() {
            match StateDecoder::new(format) {
                Ok(decoder) => self.states = decoder,
                Err(why) => self.diagnose(
                    DiagnosticKind::Unsupported,
                    format!("the print fmt of sched_switch does not say what prev_state means: {why}"),
                ),
            }
        }
        let slot = usize::from(id);
        if self.by_id.len() <= slot {
            self.by_id.resize(slot + 1, 0);
        }
        self.bound.push(bound);
        if let Some(entry) = self.by_id.get_mut(slot) {
            // There are no more than there are recipes.
            *entry = self.bound.len() as u8;
        }
        Ok(())
    }

    fn diagnose(&mut self, kind: DiagnosticKind, text: String) {
        self.diagnostics.push(Diagnostic {
            kind,
            cpu: None,
            at_ns: None,
            count: 1,
            text,
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::file::EventTable;

    /// Binds a table of one event with that name, which has these fields behind the common ones.
    fn bind(system: &str, name: &str, fields: &str, print_fmt: &str) -> SchedFormats {
        let text = format!(
            "name: {name}\nID: 300\nformat:\n\
             \tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n\
             \tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n\
             \tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n{fields}\nprint fmt: {print_fmt}\n"
        );
        SchedFormats::bind(&EventTable::of_texts(system, &[&text]), Endian::Little)
    }

    #[test]
    fn a_rename_without_a_pid_is_the_current_tasks() {
        let comm = |name, at| format!("\tfield:char {name}[16];\toffset:{at};\tsize:16;\tsigned:0;\n");
        let formats = bind(
            "task",
            "task_rename",
            &(comm("oldcomm", 8) + &comm("newcomm", 24)),
            "\"\"",
        );
        let [event] = formats.bound.as_slice() else {
            panic!("{} events", formats.bound.len());
        };
        assert_eq!(event.pid, event.common_pid);
        assert!(formats.diagnostics.is_empty());
    }

    #[test]
    fn every_kind_of_event_is_read() {
        for kind in RowKind::ALL {
            assert_eq!(recipe(kind).is_some(), kind.event_name().is_some(), "{kind:?}");
        }
    }

    #[test]
    fn events_of_other_systems_are_left_alone() {
        assert!(bind("kprobes", "sched_waking", "", "\"\"").diagnostics.is_empty());
    }

    #[test]
    fn what_cannot_be_bound_is_told() {
        let formats = bind("sched", "sched_waking", "", "\"\"");
        assert!(formats.bound.is_empty());
        let told = &formats.diagnostics[0].text;
        assert_eq!(
            told,
            "sched_waking is not read: its format has no usable field `target_cpu`"
        );
    }

    #[test]
    fn a_print_fmt_that_is_not_understood_costs_only_the_states() {
        let fields = "\tfield:char prev_comm[16];\toffset:8;\tsize:16;\tsigned:0;\n\
            \tfield:long prev_state;\toffset:24;\tsize:8;\tsigned:1;\n\
            \tfield:char next_comm[16];\toffset:32;\tsize:16;\tsigned:0;\n\
            \tfield:int next_pid;\toffset:48;\tsize:4;\tsigned:1;\n";
        let mut formats = bind("sched", "sched_switch", fields, "\"prev_state=%s\", $");
        assert_eq!(formats.bound.len(), 1);
        assert_eq!(formats.states.decode(0).letter(), b'?');
        assert!(formats.diagnostics[0].text.contains("`$` instead of a token"));
    }
}
