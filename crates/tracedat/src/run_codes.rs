//! Whose run an event stands for: what a filter of events makes of lanes, curves and tables.

use eventfilter::Filter;
use traceevent::IntField;

use crate::file::{ReadAt, TraceFile};
use crate::records::RecordRef;

/// Says of events whose run they stand for: a pid, of a task that is woken with its bits turned over.
///
/// - A switch stands for the run that it ends; for the one that it begins, if the filter names a field of the next task.
/// - A wakeup and a migration stand for the run of the task that they are about.
/// - Any other event stands for the run in which it happened.
pub struct RunCodes {
    /// By event id: a field that holds a pid, and whether that task is on its way.
    fields: Vec<Option<(IntField, bool)>>,
}

/// Events about a task that is on its way to a run.
const ON_THE_WAY: [&str; 4] = ["sched_waking", "sched_wakeup", "sched_wakeup_new", "sched_migrate_task"];

impl RunCodes {
    /// For a filter of a file's events.
    pub fn new<R: ReadAt>(file: &TraceFile<R>, filter: &Filter) -> Self {
        let begins = filter.names(|name| name.starts_with("next_"));
        let mut fields = Vec::new();
        for id in file.event_ids() {
            let (Some((system, name)), Some(format)) = (file.event_name(id), file.event_format(id)) else {
                continue;
            };
            let is_on_the_way = system == "sched" && ON_THE_WAY.contains(&name);
            let field = match (system, name) {
                ("sched", "sched_switch") if begins => "next_pid",
                ("sched", "sched_switch") => "prev_pid",
                _ if is_on_the_way => "pid",
                _ => "common_pid",
            };
            let id = usize::from(id);
            if fields.len() <= id {
                fields.resize(id + 1, None);
            }
            if let Some(slot) = fields.get_mut(id) {
                let field = format.field(field).and_then(|field| field.as_int());
                *slot = field.map(|field| (field, is_on_the_way));
            }
        }
        RunCodes { fields }
    }

    /// The code of a record; 0, the idle task, where it does not say.
    #[inline]
    pub fn of<R: ReadAt>(&self, file: &TraceFile<R>, record: &RecordRef<'_>) -> i32 {
        let field = self.fields.get(usize::from(record.id)).copied().flatten();
        let pid = |field: IntField| field.load(record.data, file.endian()).unwrap_or(0) as i32;
        match field {
            Some((field, true)) => !pid(field),
            Some((field, false)) => pid(field),
            None => 0,
        }
    }
}
