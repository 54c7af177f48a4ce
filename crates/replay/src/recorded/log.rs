//! The events of all tasks while they are being found: a list for each task, so that what a later event reveals can be put
//! where it belongs.

use crate::workload::{WorkEvent, WorkKind};

/// The number of an event; [`NONE`] for none.
pub(super) type Place = u32;

/// No event: before the first one of a list.
pub(super) const NONE: Place = u32::MAX;

struct Node {
    /// Of a [`WorkKind::Woken`], `event` is the last event of the waker before the waking, and `distance` the waker's clock
    /// at it, until all events are known.
    event: WorkEvent,
    next: Place,
}

/// First and last event of a task.
#[derive(Clone, Copy, Debug)]
pub(super) struct List {
    pub first: Place,
    pub last: Place,
}

impl Default for List {
    fn default() -> List {
        List {
            first: NONE,
            last: NONE,
        }
    }
}

/// All events so far.
#[derive(Default)]
pub(super) struct Log {
    nodes: Vec<Node>,
}

impl Log {
    /// Adds an event at the end of a list.
    pub fn push(&mut self, list: &mut List, event: WorkEvent) {
        self.put_behind(list, list.last, event);
    }

    /// Adds an event where it belongs by its clock among those behind `before`, which is a place of `list` or [`NONE`]: behind
    /// what was put there in the same way and is not later.
    pub fn insert(&mut self, list: &mut List, mut before: Place, event: WorkEvent) {
        loop {
            let next = self.behind(list, before);
            match self.get(next) {
                Some(found) if !found.kind.is_wakeup() && found.length < event.length => before = next,
                _ => break,
            }
        }
        self.put_behind(list, before, event);
    }

    fn put_behind(&mut self, list: &mut List, before: Place, event: WorkEvent) {
        let new = self.nodes.len() as Place;
        let next = self.behind(list, before);
        self.nodes.push(Node { event, next });
        match self.nodes.get_mut(before as usize) {
            Some(node) => node.next = new,
            None => list.first = new,
        }
        if next == NONE {
            list.last = new;
        }
    }

    fn behind(&self, list: &List, before: Place) -> Place {
        match self.nodes.get(before as usize) {
            Some(node) => node.next,
            None => list.first,
        }
    }

    fn get(&self, place: Place) -> Option<&WorkEvent> {
        self.nodes.get(place as usize).map(|node| &node.event)
    }

    /// The events of all lists, one list after the other, where each list begins, and, by place, where each event is now.
    pub fn finish(self, lists: &[List]) -> (Vec<WorkEvent>, Vec<u32>) {
        let mut index_of = vec![WorkKind::NO_EVENT; self.nodes.len()];
        let mut events = Vec::with_capacity(self.nodes.len());
        let mut ends = Vec::with_capacity(lists.len());
        for list in lists {
            let mut place = list.first;
            while let Some(node) = self.nodes.get(place as usize) {
                if let Some(index) = index_of.get_mut(place as usize) {
                    *index = events.len() as u32;
                }
                events.push(node.event);
                place = node.next;
            }
            ends.push(events.len() as u32);
        }
        drop(self.nodes);
        for at in 0..events.len() {
            if let Some(dependent) = events
                .get(at)
                .and_then(|event| resolve(event.kind, &events, &ends, &index_of))
            {
                if let Some(event) = events.get_mut(at) {
                    event.kind = dependent;
                }
            }
        }
        (events, ends)
    }
}

/// A wakeup with the event that the waker did next, of what [`Node`] says. Without one, the distance stays the waker's clock.
fn resolve(kind: WorkKind, events: &[WorkEvent], ends: &[u32], index_of: &[u32]) -> Option<WorkKind> {
    let WorkKind::Woken {
        delay,
        waker,
        event: before,
        distance: clock,
    } = kind
    else {
        return None;
    };
    let start = match waker {
        0 => 0,
        _ => *ends.get(waker as usize - 1)?,
    };
    let end = *ends.get(waker as usize)?;
    let first = index_of.get(before as usize).map_or(start, |index| index + 1);
    // What was put in between later may be earlier than the waking. A priority that was seen later held from the run's
    // beginning, before the waking.
    let behind = |event: &WorkEvent| match event.kind {
        WorkKind::Prio { .. } => clock < event.length,
        _ => clock <= event.length,
    };
    let next = (first..end).find(|&index| events.get(index as usize).is_some_and(behind));
    let length = next.and_then(|next| Some(events.get(next as usize)?.length));
    Some(WorkKind::Woken {
        delay,
        waker,
        event: next.unwrap_or(WorkKind::NO_EVENT),
        distance: length.map_or(clock, |length| length - clock),
    })
}
