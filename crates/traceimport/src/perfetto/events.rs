//! Which events there are, by the field of `FtraceEvent` that each has, and names for those that have none.

use std::sync::OnceLock;

use schedrows::SchedExtKind;

use super::proto::{Fields, Value};

pub(super) const PRINT: u32 = 3;
pub(super) const SWITCH: u32 = 4;
pub(super) const WAKEUP: u32 = 17;
pub(super) const WAKING: u32 = 20;
pub(super) const SOFTIRQ_ENTRY: u32 = 24;
pub(super) const SOFTIRQ_EXIT: u32 = 25;
pub(super) const IRQ_ENTRY: u32 = 36;
pub(super) const IRQ_EXIT: u32 = 37;
pub(super) const WAKEUP_NEW: u32 = 114;
pub(super) const NEW_TASK: u32 = 235;
pub(super) const RENAME: u32 = 236;
pub(super) const EXEC: u32 = 237;
pub(super) const EXIT: u32 = 238;
pub(super) const FORK: u32 = 239;
pub(super) const GENERIC: u32 = 327;
pub(super) const SYS_ENTER: u32 = 329;
pub(super) const SYS_EXIT: u32 = 330;
pub(super) const MIGRATE: u32 = 491;

/// Events with a message of their own, ascending: field, system and name. Further ones are counted by their number.
const NAMES: &[(u32, &str, &str)] = &[
    (PRINT, "ftrace", "print"),
    (SWITCH, "sched", "sched_switch"),
    (11, "power", "cpu_frequency"),
    (12, "power", "cpu_frequency_limits"),
    (13, "power", "cpu_idle"),
    (WAKEUP, "sched", "sched_wakeup"),
    (18, "sched", "sched_blocked_reason"),
    (19, "sched", "sched_cpu_hotplug"),
    (WAKING, "sched", "sched_waking"),
    (21, "ipi", "ipi_entry"),
    (22, "ipi", "ipi_exit"),
    (23, "ipi", "ipi_raise"),
    (SOFTIRQ_ENTRY, "irq", "softirq_entry"),
    (SOFTIRQ_EXIT, "irq", "softirq_exit"),
    (26, "irq", "softirq_raise"),
    (IRQ_ENTRY, "irq", "irq_handler_entry"),
    (IRQ_EXIT, "irq", "irq_handler_exit"),
    (113, "power", "suspend_resume"),
    (WAKEUP_NEW, "sched", "sched_wakeup_new"),
    (NEW_TASK, "task", "task_newtask"),
    (RENAME, "task", "task_rename"),
    (EXEC, "sched", "sched_process_exec"),
    (EXIT, "sched", "sched_process_exit"),
    (FORK, "sched", "sched_process_fork"),
    (240, "sched", "sched_process_free"),
    (241, "sched", "sched_process_hang"),
    (242, "sched", "sched_process_wait"),
    (SYS_ENTER, "raw_syscalls", "sys_enter"),
    (SYS_EXIT, "raw_syscalls", "sys_exit"),
    (353, "sched", "sched_pi_setprio"),
    (MIGRATE, "sched", "sched_migrate_task"),
    (542, "ftrace", "kprobe"),
];

/// Ids below are the fields of events; those from here on are given to events with a name in the file.
pub(super) const FIRST_NAMED: u16 = 1024;
/// As many events may have names in the file; all others share the last id.
const MOST_NAMED: usize = 512;
/// No event has more fields.
const MOST_FIELDS: usize = 128;

/// What an event without a message of its own is known by.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Key {
    /// A generic event says its name.
    Name(Vec<u8>),
    /// A described event has a field, and its name is elsewhere.
    Field(u32),
}

#[derive(Debug, Default)]
struct Slot {
    key: OnceLock<Key>,
    /// System and name.
    name: OnceLock<(String, String)>,
    /// Numbers and names of a described event's fields.
    fields: OnceLock<Vec<(u32, Vec<u8>)>>,
}

/// The events of a file that have no message of their own, as they are found, by all scans of it.
#[derive(Debug)]
pub(super) struct NamedEvents(Vec<Slot>);

impl Default for NamedEvents {
    fn default() -> Self {
        NamedEvents((0..MOST_NAMED).map(|_| Slot::default()).collect())
    }
}

impl NamedEvents {
    /// The id of the event, which it gets the first time it is asked for.
    fn slot(&self, key: &Key) -> (u16, Option<&Slot>) {
        for (id, slot) in (FIRST_NAMED..).zip(&self.0) {
            // A scan on another thread may be faster: then the slot is that one's.
            if slot.key.get_or_init(|| key.clone()) == key {
                return (id, Some(slot));
            }
        }
        (FIRST_NAMED + MOST_NAMED as u16, None)
    }

    /// Of a generic event with this name, `SYSTEM/NAME` or `NAME`.
    pub fn id_of_name(&self, name: &[u8]) -> u16 {
        let (id, slot) = self.slot(&Key::Name(name.to_vec()));
        if let Some(slot) = slot {
            slot.name.get_or_init(|| {
                let name = String::from_utf8_lossy(name);
                match name.split_once(['/', ':']) {
                    Some((system, name)) => (system.to_owned(), name.to_owned()),
                    None => (String::new(), name.into_owned()),
                }
            });
        }
        id
    }

    /// Of an event with this field.
    pub fn id_of_field(&self, field: u32) -> u16 {
        self.slot(&Key::Field(field)).0
    }

    /// Takes a `GenericEventDescriptor`.
    pub fn describe(&self, descriptor: &[u8]) {
        let (mut field, mut system, mut name, mut message) = (0, &[][..], None, &[][..]);
        for (number, value) in Fields::new(descriptor) {
            match (number, value) {
                (1, Value::Varint(id)) => field = u32::try_from(id).unwrap_or(0),
                (2, Value::Bytes(bytes)) => (name, message) = (name_of(bytes), bytes),
                (3, Value::Bytes(group)) => system = group,
                _ => {}
            }
        }
        let Some(name) = name.filter(|_| field != 0) else {
            return;
        };
        if let (_, Some(slot)) = self.slot(&Key::Field(field)) {
            let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
            slot.name.get_or_init(|| (text(system), text(name)));
            slot.fields.get_or_init(|| fields_of(message));
        }
    }

    /// System and name of an event.
    pub fn name(&self, id: u16) -> Option<(&str, &str)> {
        if let Ok(at) = NAMES.binary_search_by_key(&u32::from(id), |&(field, ..)| field) {
            return NAMES.get(at).map(|&(_, system, name)| (system, name));
        }
        let name = self.of(id)?.name.get();
        name.map(|(system, name)| (system.as_str(), name.as_str()))
    }

    fn of(&self, id: u16) -> Option<&Slot> {
        self.0.get(usize::from(id.checked_sub(FIRST_NAMED)?))
    }

    /// Which event of sched_ext has this id.
    pub fn sched_ext(&self, id: u16) -> Option<SchedExtKind> {
        let (system, name) = self.of(id)?.name.get()?;
        SchedExtKind::of(Some(system.as_str()).filter(|system| !system.is_empty()), name)
    }

    /// The fields of a described event, by name.
    pub fn described<'e>(&'e self, id: u16, event: &'e [u8]) -> impl Iterator<Item = (&'e [u8], Value<'e>)> {
        let fields = self.of(id).and_then(|slot| slot.fields.get());
        let fields = fields.map_or(&[][..], Vec::as_slice);
        Fields::new(event).filter_map(|(number, value)| {
            let (_, name) = fields.iter().find(|(field, _)| *field == number)?;
            Some((name.as_slice(), value))
        })
    }
}

/// Numbers and names of the fields in a `DescriptorProto`.
fn fields_of(descriptor: &[u8]) -> Vec<(u32, Vec<u8>)> {
    let fields = Fields::new(descriptor).filter_map(|(field, value)| match (field, value) {
        (2, Value::Bytes(field)) => Some(field),
        _ => None,
    });
    let one = |field| {
        let (mut number, mut name) = (0, &[][..]);
        for (of, value) in Fields::new(field) {
            match (of, value) {
                (1, Value::Bytes(text)) => name = text,
                (3, Value::Varint(is)) => number = u32::try_from(is).unwrap_or(0),
                _ => {}
            }
        }
        (number, name.to_vec())
    };
    fields.map(one).take(MOST_FIELDS).collect()
}

/// The name in a `DescriptorProto`.
fn name_of(descriptor: &[u8]) -> Option<&[u8]> {
    Fields::new(descriptor).find_map(|(field, value)| match (field, value) {
        (1, Value::Bytes(name)) => Some(name),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_ascend() {
        assert!(NAMES.is_sorted_by_key(|&(field, ..)| field));
    }

    #[test]
    fn events_get_ids_as_they_come() {
        let events = NamedEvents::default();
        let a = events.id_of_name(b"scx/exit");
        let b = events.id_of_field(70_000);
        assert_eq!((a, b), (FIRST_NAMED, FIRST_NAMED + 1));
        assert_eq!(events.id_of_name(b"scx/exit"), a);
        assert_eq!(events.name(a), Some(("scx", "exit")));
        assert_eq!(events.name(b), None);
        // field_id 70000, event_descriptor {name "e"}, group_name "g"
        events.describe(&[0x08, 0xf0, 0xa2, 0x04, 0x12, 3, 0x0a, 1, b'e', 0x1a, 1, b'g']);
        assert_eq!(events.name(b), Some(("g", "e")));
        assert_eq!(events.name(4), Some(("sched", "sched_switch")));
        assert_eq!(events.name(5), None);
    }

    #[test]
    fn there_are_no_more_ids_than_places() {
        let events = NamedEvents::default();
        let ids: Vec<u16> = (0..600).map(|field| events.id_of_field(100_000 + field)).collect();
        assert_eq!(ids[511], FIRST_NAMED + 511);
        assert!(ids[512..].iter().all(|&id| id == FIRST_NAMED + 512));
        assert_eq!(events.name(FIRST_NAMED + 512), None);
    }
}
