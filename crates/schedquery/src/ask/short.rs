//! Questions that are answered at once, when the indexes that they need are there.

use super::answer::{Answer, Numbers, TileAnswer};
use super::question::Question;
use super::track::Tile;
use crate::query::{CpuRow, Indexes, TaskRow, TimeWindow, TopologySummary};
use schedmodel::topology::Topology;

/// Works for about a millisecond on the index that a question needs; true once it is there, and for questions that need
/// none.
pub(crate) fn prepare(view: &Indexes, question: &Question) -> bool {
    match question {
        Question::Tile(asked) => asked.kind.track().prepare(view),
        Question::Labels(asked) => asked.kind.track().prepare(view),
        Question::At(asked) => asked.kind.track().prepare(view),
        Question::Step(asked) => asked.from.kind.track().prepare(view),
        Question::Commands { .. } => view.prepare_waits(),
        Question::TaskTable { .. } => view.prepare_tasks(),
        Question::CpuTable { .. } => view.prepare_cpus(),
        Question::Stats { .. } => view.prepare_conservation() && view.prepare_known(),
        Question::Wait { .. } => view.prepare_wait(),
        Question::Tasks { .. } => view.prepare_runs(),
        Question::Placement { .. } => view.prepare_placement(),
        Question::Moves { .. } => view.prepare_moves(),
        Question::Chain { .. } => view.prepare_chains(),
        Question::SetView { .. }
        | Question::FilterRuns { .. }
        | Question::ParseTopology { .. }
        | Question::SetTopology { .. }
        // Jobs make what they need themselves.
        | Question::Findings { .. }
        | Question::Latency { .. }
        | Question::Overload { .. }
        | Question::Behind { .. }
        | Question::Domains { .. }
        | Question::Cascades { .. }
        | Question::CascadeOf { .. }
        | Question::Waits { .. } => true,
    }
}

/// The answer; `None`: not yet, or the question is a long one, which [`Long`](super::long::Long) answers.
pub(crate) fn answer(view: &Indexes, question: &Question) -> Option<Answer> {
    Some(match question {
        Question::Tile(asked) => {
            let mut tile = Tile::default();
            asked.kind.track().add(view, asked, &mut tile)?;
            Answer::Tile(TileAnswer::new(asked.kind, tile))
        }
        Question::Labels(asked) => Answer::Labels {
            kind: asked.kind,
            labels: asked.kind.track().labels(view, asked)?,
        },
        Question::At(asked) => Answer::At {
            kind: asked.kind,
            item: asked.kind.track().at(view, asked),
        },
        Question::Step(asked) => Answer::Step {
            kind: asked.from.kind,
            item: asked.from.kind.track().step(view, &asked.from, 0 < asked.direction),
        },
        Question::Chain { cpu, at, hops } => Answer::Chain {
            chain: view.chain(*cpu, *at, *hops).map(Box::new),
        },
        Question::Commands { window } => Answer::Commands {
            rows: view.commands(*window),
        },
        Question::Stats { window } => Answer::Stats {
            stats: view.window_stats(*window),
        },
        Question::TaskTable { window } => Answer::TaskTable {
            values: task_table(view, *window),
        },
        Question::CpuTable { window } => Answer::CpuTable {
            values: cpu_table(view, *window),
        },
        Question::Tasks { ids, comm } => Answer::Tasks {
            tasks: view.tasks(ids.as_deref(), comm.as_deref()),
        },
        Question::Moves { window, cpus, most } => Answer::Moves(view.moves(*window, cpus, *most)),
        Question::Wait { cpu, at } => Answer::Wait {
            wait: view.wait(*cpu, *at),
        },
        Question::Placement { cpu, at } => Answer::Placement {
            placement: view.placement(*cpu, *at).map(Box::new),
        },
        Question::Findings { .. }
        | Question::Latency { .. }
        | Question::Overload { .. }
        | Question::Behind { .. }
        | Question::Domains { .. }
        | Question::Cascades { .. }
        | Question::CascadeOf { .. }
        | Question::Waits { .. } => return None,
        // These change the view, and are done before.
        Question::SetView { .. }
        | Question::FilterRuns { .. }
        | Question::ParseTopology { .. }
        | Question::SetTopology { .. } => return None,
    })
}

fn task_table(view: &Indexes, window: Option<TimeWindow>) -> Numbers {
    Numbers(view.task_table(window).iter().flat_map(TaskRow::values).collect())
}

fn cpu_table(view: &Indexes, window: Option<TimeWindow>) -> Numbers {
    Numbers(view.cpu_table(window).iter().flat_map(CpuRow::values).collect())
}

/// What is understood of a topology, and the topology.
pub(crate) fn understand(view: &Indexes, bytes: &[u8]) -> (TopologySummary, Option<Topology>) {
    let parsed = Topology::parse(bytes).map_err(|error| error.to_string());
    let understood = TopologySummary::new(parsed.as_ref().map_err(String::clone), &view.trace().cpus);
    (understood, parsed.ok())
}
