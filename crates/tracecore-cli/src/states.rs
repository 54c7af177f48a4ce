//! `corelane states`: every state of every task over time, for scripts and for checking.

use std::io::{self, BufWriter, Write};

use clap::Args;
use schedindex::TaskState;
use schedquery::query::relations::Relation;
use schedquery::query::{each_state, StateRow};

use crate::input::FileArgs;
use crate::load::Loader;
use crate::selection::SelectionArgs;
use crate::table::{self, Format};
use crate::text::{self, Times};
use crate::{heard, Failure};

/// States of tasks: `unknown`, `unborn` (before the fork), `new` (forked, not yet woken), `running`, `runnable` (on a
/// runqueue, not on a CPU), `sleeping` (S, I), `blocked` (D), `stopped` (T, t, P), `throttled` (a deadline task, off its
/// runqueue until its next period) and `dead` (X, Z). Those of one task follow each other without gap or overlap, from the
/// trace's first record to its last.
///
/// With --cpu only what ran there, and the waits that ended there.
#[derive(Args)]
pub struct StatesArgs {
    #[command(flatten)]
    file: FileArgs,
    #[command(flatten)]
    selection: SelectionArgs,
    /// As lines of JSON, one object for each state, times in nanoseconds: pid, generation, comm, state, start_ns, end_ns,
    /// cpu, letters (prev_state at the end of a run, or at the begin of another state), cause (wakeup or preempted, of
    /// runnable), prio and class (of running; -1 is deadline)
    #[arg(long)]
    json: bool,
}

pub fn run(args: &StatesArgs, loader: &Loader, out: &mut dyn Write) -> Result<(), Failure> {
    let loaded = loader.load(&args.file)?;
    let selection = args.selection.selection(&loaded, &loader.options)?;
    if args.json {
        return table::write(&loaded, Relation::States, &selection, Format::JsonLines, out);
    }
    let times = Times::of(&loaded);
    // There may be more lines than memory.
    let mut out = BufWriter::with_capacity(1 << 16, out);
    let written = each_state(&loaded.trace, &selection, |row| line(&mut out, times, row));
    heard(written.and_then(|()| out.flush())).map(|_| ())
}

fn line(out: &mut impl Write, times: Times, row: &StateRow<'_>) -> io::Result<()> {
    let task = text::task(row.comm(), row.task().pid);
    let generation = match row.task().generation {
        0 => String::new(),
        generation => format!("#{generation}"),
    };
    let [start, end] = [row.start_ns, row.end_ns].map(|at| times.at(at));
    let letters = row.letters().unwrap_or_default();
    let more = match (row.state, row.cpu, row.cause) {
        (TaskState::Running, Some(cpu), _) => format!(" on CPU {cpu} {letters}"),
        (TaskState::Runnable, _, Some(cause)) => format!(" ({}) {letters}", cause.name()),
        _ => format!(" {letters}"),
    };
    writeln!(
        out,
        "{task}{generation}  {start}  {end}  {}{}",
        row.state.name(),
        more.trim_end()
    )
}
