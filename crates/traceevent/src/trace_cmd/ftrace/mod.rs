//! The texts of ftrace's own events (`kernel/trace/trace_entries.h`), where they are not what the print fmt says.

mod function;
mod graph;
mod raw_data;
mod stack;

pub(super) use graph::Exit as GraphExit;

use crate::format::EventFormat;
use crate::lookup::Env;
use crate::trace_cmd::Printer;

/// The plugin for one of ftrace's events.
pub(super) fn find(format: &EventFormat, env: &Env<'_>) -> Option<Box<dyn Printer>> {
    match format.name.as_str() {
        "function" => function::find(format),
        "func_repeats" => function::find_repeats(format),
        "funcgraph_entry" => graph::find_entry(format),
        "funcgraph_exit" => graph::find_exit(format),
        "kernel_stack" => stack::find(format, env),
        "raw_data" => raw_data::find(format),
        _ => None,
    }
}
