//! The commonest records of little-endian machines to rows without asking at each field whether it is there: where fields have
//! the types that kernels give them, and the record is not at the end of its page. All others are read by
//! [`push_row`](super::decode::push_row).

use traceevent::{IntField, Near, TextField, Window};

use super::bind::{BoundEvent, SecondField};
use super::decode::writer_bits;
use super::names::Names;
use super::state::StateDecoder;
use schedrows::{Context, Row, RowKind, RowPacker};

/// An event whose fields are all near the record's start, and of the usual types.
#[derive(Clone, Copy, Debug)]
pub(super) struct NearEvent {
    /// Where the last of its fields ends: shorter records lack something.
    end: usize,
    flags: Near<1>,
    pid: Near<4>,
    arg: Near<4>,
    comm: Near<16>,
    prio: Near<4>,
    fields: Fields,
}

/// What only some events have.
#[derive(Clone, Copy, Debug)]
enum Fields {
    Switch {
        prev_prio: Near<4>,
        state: Near<8>,
        next_comm: Near<16>,
    },
    /// `comm2`: where a migration has it.
    Task {
        kind: RowKind,
        common_pid: Near<4>,
        comm2: Option<Near<4>>,
    },
}

/// Binds fields, and finds where the last of them ends.
#[derive(Default)]
struct Binder {
    end: usize,
}

impl Binder {
    fn found<const N: usize>(&mut self, place: Near<N>) -> Near<N> {
        self.end = self.end.max(place.end());
        place
    }

    /// An `int`.
    fn int(&mut self, field: IntField) -> Option<Near<4>> {
        let signed = Some(field).filter(|field| field.is_signed())?;
        Near::of_int(signed).map(|place| self.found(place))
    }

    fn comm(&mut self, field: TextField) -> Option<Near<16>> {
        Near::of_array(field).map(|place| self.found(place))
    }
}

#[inline(always)]
fn int(window: Window<'_>, place: Near<4>) -> i32 {
    i32::from_le_bytes(window.load(place))
}

impl NearEvent {
    /// An event of a little-endian machine. `None` where it has to be read field by field.
    pub fn bind(event: &BoundEvent) -> Option<NearEvent> {
        let mut binder = Binder::default();
        let common_pid = binder.int(event.common_pid)?;
        let fields = match (event.kind, event.comm2) {
            (RowKind::Switch, SecondField::Name(next_comm)) => Fields::Switch {
                prev_prio: binder.int(event.prev_prio?)?,
                // A `long`: those of 32 bits are few enough.
                state: binder.found(Near::of_int(event.state?)?),
                next_comm: binder.comm(next_comm)?,
            },
            (kind @ (RowKind::Waking | RowKind::Wakeup | RowKind::WakeupNew), SecondField::None) => Fields::Task {
                kind,
                common_pid,
                comm2: None,
            },
            (kind @ RowKind::Migrate, SecondField::Number(comm2)) => Fields::Task {
                kind,
                common_pid,
                comm2: Some(binder.int(comm2)?),
            },
            _ => return None,
        };
        Some(NearEvent {
            flags: binder.found(Near::of_int(event.common_flags)?),
            pid: binder.int(event.pid)?,
            arg: binder.int(event.arg?)?,
            comm: binder.comm(event.comm?)?,
            prio: binder.int(event.prio?)?,
            fields,
            end: binder.end,
        })
    }

    /// Adds the row of a record of so many bytes; `None` when it is shorter than its format.
    #[inline(always)]
    pub fn push(
        &self,
        rows: &mut RowPacker,
        states: &mut StateDecoder,
        names: &mut Names,
        ts: u64,
        window: Window<'_>,
        len: usize,
    ) -> Option<()> {
        if len < self.end {
            return None;
        }
        let [flags] = window.load(self.flags);
        let context = Context::of_flags(flags).0;
        let comm = names.intern_bytes(window.load(self.comm));
        let prio = int(window, self.prio).into();
        let row = Row {
            pid: int(window, self.pid),
            arg: int(window, self.arg),
            comm,
            context,
            prio: Row::prio_code(prio),
            ..Row::of(RowKind::Switch, ts)
        };
        let row = match self.fields {
            Fields::Switch {
                prev_prio,
                state,
                next_comm,
            } => {
                let prev_prio = int(window, prev_prio).into();
                let state = states.decode(i64::from_le_bytes(window.load(state)));
                Row {
                    common_pid: Row::of_prev_prio(Row::prio_code(prev_prio)),
                    comm2: names.intern_bytes(window.load(next_comm)),
                    state: state.with_prios(prev_prio, prio).0,
                    ..row
                }
            }
            Fields::Task {
                kind,
                common_pid,
                comm2,
            } => {
                let common_pid = int(window, common_pid);
                Row {
                    kind,
                    common_pid,
                    comm2: comm2.map_or(0, |place| int(window, place) as u32),
                    context: context | writer_bits(common_pid),
                    ..row
                }
            }
        };
        rows.push(&row);
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::bind::SchedFormats;
    use super::super::decode::push_row;
    use super::*;
    use crate::file::EventTable;
    use crate::write::formats::event;
    use proptest::prelude::*;
    use schedrows::Rows;
    use traceevent::Endian;

    /// Kinds of events that are read at once.
    const KINDS: [RowKind; 5] = [
        RowKind::Switch,
        RowKind::Waking,
        RowKind::Wakeup,
        RowKind::WakeupNew,
        RowKind::Migrate,
    ];

    fn formats() -> SchedFormats {
        let texts = KINDS.map(|kind| event(kind).unwrap().text());
        SchedFormats::bind(
            &EventTable::of_texts("sched", &texts.each_ref().map(String::as_str)),
            Endian::Little,
        )
    }

    /// Bytes of which numbers are small, negative, or anything.
    fn bytes() -> impl Strategy<Value = Vec<u8>> {
        let byte = prop_oneof![3 => Just(0_u8), 1 => Just(0xff_u8), 1 => any::<u8>(), 1 => b'a'..b'd'];
        let word = prop::collection::vec(byte, 4);
        prop::collection::vec(word, 80).prop_map(|words| words.concat())
    }

    proptest! {
        #[test]
        fn rows_are_those_that_are_read_field_by_field(
            page in bytes(),
            records in prop::collection::vec((0..KINDS.len(), 0_usize..12, 0_usize..20), 1..20),
        ) {
            let (mut near, mut far) = (formats(), formats());
            prop_assert_eq!(near.bound.len(), KINDS.len());
            let (mut near_names, mut far_names) = (Names::new(), Names::new());
            let (mut near_rows, mut far_rows) = (RowPacker::default(), RowPacker::default());
            for (event, at, words) in records {
                let data = &page[4 * at..][..4 * words];
                let window = Window::new(&page, 4 * at).unwrap();
                let (bound, states) = (&near.bound[event], &mut near.states);
                let quickly = bound.near.unwrap().push(&mut near_rows, states, &mut near_names, 7, window, data.len());
                let (bound, states) = (&far.bound[event], &mut far.states);
                let slowly = push_row(&mut far_rows, bound, states, &mut far_names, Endian::Little, 7, data);
                prop_assert_eq!(quickly, slowly);
            }
            let named = |rows: Rows, names: Names| -> Vec<(Row, String, String)> {
                let names = names.into_table().names;
                let name = |row: &Row, index: u32| match row.kind {
                    RowKind::Migrate => index.to_string(),
                    _ => names[index as usize].clone(),
                };
                let told = |row: Row| {
                    let texts = (names[row.comm as usize].clone(), name(&row, row.comm2));
                    (Row { comm: 0, comm2: 0, ..row }, texts.0, texts.1)
                };
                rows.iter().map(told).collect()
            };
            prop_assert_eq!(named(near_rows.finish(), near_names), named(far_rows.finish(), far_names));
        }
    }
}
