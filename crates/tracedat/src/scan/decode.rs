//! One record to one row.

use traceevent::{Endian, IntField, TextField};

use super::bind::{BoundEvent, SecondField};
use super::names::Names;
use super::state::StateDecoder;
use schedrows::{Context, Row, RowPacker};

/// Adds the row of a record; `None` when the record is shorter than its format.
#[inline]
pub(super) fn push_row(
    rows: &mut RowPacker,
    event: &BoundEvent,
    states: &mut StateDecoder,
    names: &mut Names,
    endian: Endian,
    ts: u64,
    data: &[u8],
) -> Option<()> {
    let int = |field: Option<IntField>, default: i64| match field {
        Some(field) => field.load(data, endian),
        None => Some(default),
    };
    let mut name = |field: TextField| match field.array_offset(16) {
        Some(at) => names.intern_comm(data, at),
        None => Some(names.intern_text(field.load(data, endian)?)),
    };
    let comm = match event.comm {
        Some(field) => name(field)?,
        None => 0,
    };
    let comm2 = match event.comm2 {
        SecondField::None => 0,
        SecondField::Name(field) => name(field)?,
        SecondField::Number(field) => field.load(data, endian)? as u32,
    };
    let prio = match event.prio {
        Some(field) => Some(field.load(data, endian)?),
        None => None,
    };
    let mut common_pid = event.common_pid.load(data, endian)? as i32;
    let state = match event.state {
        Some(field) => {
            let state = states.decode(field.load(data, endian)?);
            match event.prev_prio {
                Some(prev) => {
                    let prev = prev.load(data, endian)?;
                    common_pid = Row::of_prev_prio(Row::prio_code(prev));
                    prio.map_or(state, |next| state.with_prios(prev, next)).0
                }
                None => state.0,
            }
        }
        None => 0,
    };
    let context = Context::of_flags(event.common_flags.load(data, endian)? as u8).0;
    rows.push(&Row {
        ts,
        common_pid,
        pid: event.pid.load(data, endian)? as i32,
        arg: int(event.arg, 0)? as i32,
        comm,
        comm2,
        kind: event.kind,
        context: context | writer_bits(common_pid),
        state,
        prio: prio.map_or(Row::NO_PRIO, Row::prio_code),
    });
    Some(())
}

/// What a record's `common_pid` adds to its context. No kernel writes -1, but `crate::write` does where nobody knows who it was.
pub(super) fn writer_bits(common_pid: i32) -> u8 {
    if common_pid == -1 {
        Context::NO_WRITER
    } else {
        0
    }
}
