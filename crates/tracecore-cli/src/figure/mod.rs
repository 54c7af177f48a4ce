//! `corelane figure`: pictures of traces, as files.

mod check;
mod options;
mod output;
#[cfg(test)]
#[cfg(unix)]
mod round_trip;
mod run_times;
mod traces;
mod values;

use std::path::PathBuf;

use schedfigure::{Call, Extent, Part, Plan, Spec};

use self::options::{KindArgs, Panels};
use self::output::Output;
use self::traces::{Beside, Then, Traces};
use crate::load::Loader;
use crate::text::Times;
use crate::Failure;

pub use self::options::FigureArgs;

/// Draws a figure whose options agree; returns what has to be printed.
pub fn run(args: &FigureArgs, loader: &Loader) -> Result<String, Failure> {
    match &args.kind {
        KindArgs::Timeline(args) => draw(args, loader),
        KindArgs::RunningWaiting(args) => draw(args, loader),
        KindArgs::Wakeup(args) => draw(args, loader),
        KindArgs::RunTimes(args) => run_times::run(args, loader),
    }
}

impl FigureArgs {
    /// Checks the options against each other, whatever the traces hold; the error says what is wrong.
    pub fn check(&self) -> Result<(), String> {
        let panels = |asked: &dyn Panels| {
            Output::new(&asked.panels().output)?;
            check::options(asked)
        };
        match &self.kind {
            KindArgs::Timeline(args) => panels(args),
            KindArgs::RunningWaiting(args) => panels(args),
            KindArgs::Wakeup(args) => panels(args),
            KindArgs::RunTimes(args) => args.check(),
        }
    }

    /// The traces that are drawn.
    pub fn files(&self) -> &[PathBuf] {
        let files = match &self.kind {
            KindArgs::Timeline(args) => &args.panels().files,
            KindArgs::RunningWaiting(args) => &args.panels().files,
            KindArgs::Wakeup(args) => &args.panels().files,
            KindArgs::RunTimes(args) => &args.files,
        };
        &files.files
    }
}

/// What must be known about every trace before any is drawn.
struct Seen {
    extent: Extent,
    spec: Spec,
    first_ns: u64,
    cpus: Vec<u32>,
}

fn draw(asked: &(impl Panels + Sync), loader: &Loader) -> Result<String, Failure> {
    let panels = asked.panels();
    let output = Output::new(&panels.output).map_err(Failure)?;
    let target = output.target(&panels.files.files)?;
    // No time matters here.
    let wanted = asked.spec(0);
    let beside = Beside {
        kernel: wanted.calls || wanted.interrupts,
        counter: wanted.counter.as_deref(),
        by_task: wanted.with.contains(&Part::Tasks),
        filter: asked.filter(),
        topology: wanted.topology.as_ref(),
    };
    let traces = Traces::new(&panels.files, beside, loader)?;
    let seen = traces.each(Then::Again, |number, subject| {
        let spec = asked.spec(subject.trace.origin_ns);
        check::trace(asked, &spec, subject)?;
        for warning in check::warnings(&spec, subject.trace, Times::with(subject.clock_is_ns)) {
            traces.warn(number, &warning);
        }
        Ok(Seen {
            extent: Extent::of(subject, &spec),
            spec,
            first_ns: subject.trace.origin_ns,
            cpus: subject.trace.cpus.clone(),
        })
    })?;
    // All are the same: times that count from a trace's first record are only taken where there is one trace.
    let Some(Seen { spec, first_ns, .. }) = seen.first() else {
        return Err(Failure("no trace".to_owned()));
    };
    let (spec, first_ns) = (spec.clone(), *first_ns);
    check::cpus(&spec, seen.iter().flat_map(|seen| seen.cpus.iter().copied()))?;
    let mut plan = Plan::new(spec.clone(), seen.into_iter().map(|seen| seen.extent).collect())?;
    let then = if spec.height.is_some() { Then::Again } else { Then::Done };
    let mut drawn = traces.each(then, |number, subject| Ok(plan.panel(number, subject)?))?;
    while let Some(roomier) = plan.roomier(&drawn)? {
        drawn = traces.each(Then::Again, |number, subject| Ok(roomier.panel(number, subject)?))?;
        plan = roomier;
    }
    let mut drawing = plan.assemble(drawn);
    drawing.about.command = Call {
        files: &traces.names(),
        buffer: panels.files.buffer.as_deref(),
        output: &panels.output.to_string_lossy(),
        dpi: panels.paper.dpi,
        first_ns,
    }
    .line(&spec);
    output.write(target, &drawing, panels.paper.dpi)
}
