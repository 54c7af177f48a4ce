//! The ids that events without a message of their own have, kept by each CPU, since all CPUs share [`NamedEvents`].

use std::collections::HashMap;

use super::events::NamedEvents;
use super::proto::{Fields, Value};

/// More different names than this are damage: they are asked for again and again.
const MOST_KEPT: usize = 1024;

#[derive(Default)]
pub(super) struct NamedIds {
    by_name: HashMap<Vec<u8>, u16>,
    by_field: HashMap<u32, u16>,
}

impl NamedIds {
    /// Of a `GenericFtraceEvent`.
    pub fn of_generic(&mut self, event: &[u8], events: &NamedEvents) -> u16 {
        let name = Fields::new(event).find_map(|(field, value)| match (field, value) {
            (1, Value::Bytes(name)) => Some(name),
            _ => None,
        });
        let name = name.unwrap_or_default();
        if let Some(&id) = self.by_name.get(name) {
            return id;
        }
        let id = events.id_of_name(name);
        if self.by_name.len() < MOST_KEPT {
            self.by_name.insert(name.to_vec(), id);
        }
        id
    }

    /// Of an event that has this field.
    pub fn of_field(&mut self, field: u32, events: &NamedEvents) -> u16 {
        if let Some(&id) = self.by_field.get(&field) {
            return id;
        }
        let id = events.id_of_field(field);
        if self.by_field.len() < MOST_KEPT {
            self.by_field.insert(field, id);
        }
        id
    }
}
