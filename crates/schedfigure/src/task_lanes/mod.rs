//! Lanes of tasks, and the stacks of states in a narrow column.
//! Imports `paint`, `choices` and `cpu_lanes`.

pub(super) mod calls;
pub(super) mod task_stacks;
pub(super) mod tasks;
