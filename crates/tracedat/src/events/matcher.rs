//! A filter made ready: numbers of CPUs and events instead of names.

use std::collections::HashSet;
use std::sync::Arc;

use eventfilter::Places;
use traceevent::{Endian, IntField};

use super::query::EventFilter;
use crate::file::{ReadAt, TraceFile};
use crate::filter::{bind, BoundFilter, Filter};
use crate::records::RecordRef;

/// Fields that name a task, in addition to `common_pid`.
const PID_FIELDS: [&str; 5] = ["pid", "prev_pid", "next_pid", "parent_pid", "child_pid"];

/// The conditions of a filter on a record, except for its text.
#[derive(Debug, Default)]
pub(super) struct Matcher {
    /// By stream; `None` for any.
    streams: Option<Vec<bool>>,
    /// Trace time: `[start, end)`.
    window: Option<(u64, u64)>,
    /// By event id.
    events: Option<Vec<bool>>,
    pids: Option<Pids>,
    /// The expression; nothing passes a wrong one.
    expression: Option<Expression>,
}

/// An expression, made ready.
#[derive(Debug)]
enum Expression {
    Bound(BoundFilter),
    Wrong,
}

#[derive(Debug)]
struct Pids {
    wanted: HashSet<i64>,
    /// By event id: the fields that name tasks.
    fields: Vec<Vec<IntField>>,
    endian: Endian,
}

impl Matcher {
    /// `cpus` are the CPUs' numbers by stream, `ids` the events that the trace has.
    pub fn new<R: ReadAt>(
        filter: &EventFilter,
        base_ns: u64,
        file: &TraceFile<R>,
        cpus: &[u32],
        ids: impl Iterator<Item = u16> + Clone,
        places: &Arc<Places>,
    ) -> Self {
        let highest = ids.clone().max().map_or(0, |id| usize::from(id) + 1);
        let by_id = |wanted: &dyn Fn(u16) -> bool| -> Vec<bool> {
            let mut flags = vec![false; highest];
            for id in ids.clone().filter(|&id| wanted(id)) {
                if let Some(flag) = flags.get_mut(usize::from(id)) {
                    *flag = true;
                }
            }
            flags
        };
        Matcher {
            streams: filter
                .cpus
                .as_ref()
                .map(|wanted| cpus.iter().map(|cpu| wanted.contains(cpu)).collect()),
            window: filter.window.map(|window| {
                let at = |time: f64| base_ns.saturating_add(time.ceil() as u64);
                (at(window.start), at(window.end))
            }),
            events: filter
                .events
                .as_ref()
                .map(|wanted| by_id(&|id| wanted.iter().any(|name| is_event(file, id, name)))),
            pids: filter.pids.as_ref().map(|wanted| Pids {
                wanted: wanted.iter().copied().map(i64::from).collect(),
                fields: (0..highest).map(|id| pid_fields(file, id as u16)).collect(),
                endian: file.header().endian,
            }),
            expression: filter.expression.as_ref().map(|text| {
                let bound = Filter::parse(text).and_then(|filter| bind(file, &filter));
                bound.map_or(Expression::Wrong, |bound| {
                    Expression::Bound(bound.knowing(Arc::clone(places)))
                })
            }),
        }
    }

    /// Whether all rows pass.
    pub fn takes_all(&self) -> bool {
        self.streams.is_none() && self.window.is_none() && !self.needs_record()
    }

    /// Whether [`Matcher::takes_record`] has anything to decide.
    pub fn needs_record(&self) -> bool {
        self.events.is_some() || self.pids.is_some() || self.expression.is_some()
    }

    /// The expression, where records have to pass one.
    pub fn bound(&self) -> Option<&BoundFilter> {
        match &self.expression {
            Some(Expression::Bound(filter)) => Some(filter),
            Some(Expression::Wrong) | None => None,
        }
    }

    /// The time before which no row passes.
    pub fn start(&self) -> Option<u64> {
        self.window.map(|(start, _)| start)
    }

    /// What is known without reading the record.
    #[inline]
    pub fn takes_row(&self, stream: usize, ts: u64) -> bool {
        self.streams
            .as_ref()
            .is_none_or(|streams| streams.get(stream) == Some(&true))
            && self.window.is_none_or(|(start, end)| start <= ts && ts < end)
    }

    /// The remaining conditions, except for the text and [`Matcher::bound`].
    #[inline]
    pub fn takes_record(&self, record: &RecordRef<'_>) -> bool {
        let id = usize::from(record.id);
        let may_take = match &self.expression {
            Some(Expression::Bound(filter)) => filter.may_take(record.id),
            Some(Expression::Wrong) => false,
            None => true,
        };
        may_take
            && self.events.as_ref().is_none_or(|events| events.get(id) == Some(&true))
            && self.pids.as_ref().is_none_or(|pids| {
                let mut fields = pids.fields.get(id).into_iter().flatten();
                fields.any(|field| {
                    let pid = field.load(record.data, pids.endian);
                    pid.is_some_and(|pid| pids.wanted.contains(&pid))
                })
            })
    }
}

/// `name` is `system:name`, or a name alone.
fn is_event<R: ReadAt>(file: &TraceFile<R>, id: u16, name: &str) -> bool {
    file.event_name(id)
        .is_some_and(|(system, event)| match name.split_once(':') {
            Some((wanted, name)) => wanted == system && name == event,
            None => name == event,
        })
}

fn pid_fields<R: ReadAt>(file: &TraceFile<R>, id: u16) -> Vec<IntField> {
    let Some(format) = file.event_format(id) else {
        return Vec::new();
    };
    let names = std::iter::once("common_pid").chain(PID_FIELDS);
    names.filter_map(|name| format.field(name)?.as_int()).collect()
}
