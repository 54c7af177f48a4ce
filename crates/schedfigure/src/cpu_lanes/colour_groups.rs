//! Groups runs that share a colour.

use super::pieces::{ColourGroup, Looks, HIDDEN};
use crate::choices::colour::{pale, parent_name, Colours};
use crate::choices::spec::ColorBy;
use paper::{Label, Rgb};
use schedindex::{Passing, Shown};
use schedmodel::{TaskCommId, Trace};
use std::collections::HashMap;
use std::sync::Arc;

/// The groups of all runs: one per task and comm, per command or per parent.
pub(crate) struct ColourGroups {
    /// By [`TaskCommId`].
    of: Vec<ColourGroup>,
    /// With a filter: what passes, and the groups of runs that do not.
    others: Option<(Arc<Passing>, Vec<ColourGroup>)>,
    /// Colour by group.
    pub(crate) colour: Vec<Rgb>,
    /// By group, whether its runs must be visible however short they are.
    pub(crate) stands_out: Vec<bool>,
    /// By group: one of its (task, comm) pairs, and whether it is of runs that pass.
    example: Vec<(TaskCommId, bool)>,
    by: ColorBy,
}

impl ColourGroups {
    /// The groups of `who`; those of its runs that do not pass are pale.
    pub(crate) fn new(trace: &Trace, who: &Shown, colours: &Colours) -> ColourGroups {
        let mut groups = ColourGroups {
            of: Vec::with_capacity(trace.task_comms.len()),
            others: None,
            colour: Vec::new(),
            stands_out: Vec::new(),
            example: Vec::new(),
            by: colours.by(),
        };
        groups.of = groups.of_pairs(trace, who, colours, true);
        if let Some(passing) = who.runs() {
            groups.others = Some((Arc::clone(passing), groups.of_pairs(trace, who, colours, false)));
        }
        groups
    }

    /// Adds the groups of all pairs, of their runs that pass or of the others.
    fn of_pairs(&mut self, trace: &Trace, who: &Shown, colours: &Colours, passes: bool) -> Vec<ColourGroup> {
        let mut ids = HashMap::new();
        let mut group_of = |id: TaskCommId| {
            if !who.has_pair(id) {
                return HIDDEN;
            }
            let own = colours.of_run(trace, id);
            let colour = if passes { own } else { pale(own) };
            let comm = trace.comm_of(id);
            // What passes a filter must be seen, as what is highlighted.
            let stands_out = passes && (colours.stands_out(comm) || who.runs().is_some());
            let group = match self.by {
                ColorBy::Pid => id.0,
                ColorBy::Command => trace.task_comm(id).comm.0,
                ColorBy::Parent => trace.task_of(id).parent.map_or(u32::MAX, |parent| parent.0),
            };
            // A parent's tasks may differ in whether they are the target.
            *ids.entry((group, stands_out, colour)).or_insert_with(|| {
                self.colour.push(colour);
                self.stands_out.push(stands_out);
                self.example.push((id, passes));
                self.example.len() as ColourGroup - 1
            })
        };
        (0..trace.task_comms.len())
            .map(|index| group_of(TaskCommId(index as u32)))
            .collect()
    }

    /// Which runs have which group.
    pub(crate) fn looks(&self) -> Looks<'_> {
        let others = self.others.as_ref();
        Looks {
            of: &self.of,
            others: others.map(|(passing, of)| (&**passing, of.as_slice())),
        }
    }

    /// Number of groups.
    pub(crate) fn len(&self) -> usize {
        self.example.len()
    }

    /// The label of a group's rectangles.
    pub(crate) fn label(&self, trace: &Trace, look: ColourGroup, class: &'static str) -> Label {
        let Some(&(id, passes)) = self.example.get(look as usize) else {
            return Label::of(class);
        };
        let task = trace.task_of(id);
        let comm = trace.comm_of(id);
        let (mut data, mut title) = match self.by {
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
        if !passes {
            data.push(("passes", "no".to_owned()));
            title.push_str(", does not pass the filter");
        }
        Label { class, data, title }
    }
}
