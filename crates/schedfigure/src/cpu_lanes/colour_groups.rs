//! Groups runs that share a colour.

use super::pieces::{ColourGroup, HIDDEN};
use crate::choices::colour::{parent_name, Colours};
use crate::choices::spec::ColorBy;
use paper::{Label, Rgb};
use schedindex::Shown;
use schedmodel::{TaskCommId, Trace};
use std::collections::HashMap;

/// The groups of all runs: one per task and comm, per command or per parent.
pub(crate) struct ColourGroups {
    /// By [`TaskCommId`].
    pub(crate) of: Vec<ColourGroup>,
    /// Colour by group.
    pub(crate) colour: Vec<Rgb>,
    /// By group, whether its runs must be visible however short they are.
    pub(crate) stands_out: Vec<bool>,
    /// By group: one of its (task, comm) pairs.
    example: Vec<TaskCommId>,
    by: ColorBy,
}

impl ColourGroups {
    /// The groups of `who`.
    pub(crate) fn new(trace: &Trace, who: &Shown, colours: &Colours) -> ColourGroups {
        let mut groups = ColourGroups {
            of: Vec::with_capacity(trace.task_comms.len()),
            colour: Vec::new(),
            stands_out: Vec::new(),
            example: Vec::new(),
            by: colours.by(),
        };
        let mut ids = HashMap::new();
        for id in (0..trace.task_comms.len()).map(|index| TaskCommId(index as u32)) {
            if !who.has(id) {
                groups.of.push(HIDDEN);
                continue;
            }
            let colour = colours.of_run(trace, id);
            let stands_out = colours.stands_out(trace.comm_of(id));
            let group = match groups.by {
                ColorBy::Pid => id.0,
                ColorBy::Command => trace.task_comm(id).comm.0,
                ColorBy::Parent => trace.task_of(id).parent.map_or(u32::MAX, |parent| parent.0),
            };
            // A parent's tasks may differ in whether they are the target.
            let look = *ids.entry((group, stands_out, colour)).or_insert_with(|| {
                groups.colour.push(colour);
                groups.stands_out.push(stands_out);
                groups.example.push(id);
                groups.example.len() as ColourGroup - 1
            });
            groups.of.push(look);
        }
        groups
    }

    /// Number of groups.
    pub(crate) fn len(&self) -> usize {
        self.example.len()
    }

    /// The label of a group's rectangles.
    pub(crate) fn label(&self, trace: &Trace, look: ColourGroup, class: &'static str) -> Label {
        let Some(&id) = self.example.get(look as usize) else {
            return Label::of(class);
        };
        let task = trace.task_of(id);
        let comm = trace.comm_of(id);
        let (data, title) = match self.by {
            ColorBy::Pid => (
                vec![
                    ("pid", task.pid.to_string()),
                    ("generation", task.generation.to_string()),
                    ("comm", comm.to_owned()),
                ],
                format!("{comm} {}", task.pid),
            ),
            ColorBy::Command => (vec![("comm", comm.to_owned())], comm.to_owned()),
            ColorBy::Parent => {
                let name = parent_name(trace, task.parent);
                (vec![("parent", name.clone())], format!("forked by {name}"))
            }
        };
        Label { class, data, title }
    }
}
