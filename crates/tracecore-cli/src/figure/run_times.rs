//! `corelane figure run-times`: how long many runs took.

use std::path::PathBuf;

use clap::Args;
use schedfigure::{view, Call, Group, Run, RunTimes, Spec, MOST_GROUPS};

use super::check;
use super::options::{FilesArgs, PaperArgs};
use super::output::Output;
use super::traces::{Beside, Then, Traces};
use crate::load::Loader;
use crate::selection::SelectionArgs;
use crate::{text, Failure};

#[derive(Args)]
pub struct RunTimesArgs {
    #[command(flatten)]
    pub files: FilesArgs,
    /// The file to write: its extension, .svg, .pdf or .png, is its format; `-` for SVG on standard output
    #[arg(short, long, value_name = "OUT", required_unless_present = "json")]
    output: Option<PathBuf>,
    /// The numbers on standard output as JSON, times in nanoseconds
    #[arg(long)]
    json: bool,
    /// A series, of the files whose paths contain TEXT; may be repeated
    #[arg(long, value_name = "NAME=TEXT", value_parser = group)]
    group: Vec<Group>,
    #[command(flatten)]
    paper: PaperArgs,
    #[command(flatten)]
    selection: SelectionArgs,
}

fn group(argument: &str) -> Result<Group, String> {
    let (name, text) = argument
        .split_once('=')
        .filter(|(name, text)| !name.is_empty() && !text.is_empty())
        .ok_or_else(|| format!("`{argument}` is no group; expected a name and a part of paths, as in before=5.10"))?;
    Ok(Group {
        name: name.to_owned(),
        text: text.to_owned(),
    })
}

pub fn run(args: &RunTimesArgs, loader: &Loader) -> Result<String, Failure> {
    let chart = args.chart();
    let output = args.output.as_deref().map(Output::new).transpose().map_err(Failure)?;
    let target = output.as_ref().map(|output| output.target(&args.files.files));
    let target = target.transpose()?.flatten();
    let beside = Beside {
        filter: args.selection.filter(),
        ..Beside::default()
    };
    let traces = Traces::new(&args.files, beside, loader)?;
    let mut runs = traces.each(Then::Done, |number, subject| {
        let (file, trace) = (subject.file, subject.trace);
        if !subject.clock_is_ns {
            let error = "its clock counts ticks of unknown length; expected one that counts nanoseconds";
            return Err(Failure(format!("{file}: {error}")));
        }
        for warning in check::warnings(&args.as_spec(), trace, text::Times::with(subject.clock_is_ns)) {
            traces.warn(number, &warning);
        }
        let mut of_passing = args.chart();
        of_passing.selection.runs = subject.passing.cloned();
        let run_time_ns = of_passing
            .run_time(trace)
            .ok_or_else(|| Failure(format!("{file}: no selected task runs: there is no run time")))?;
        Ok(Run {
            file: file.to_owned(),
            group: chart.group_of(file).flatten().map(|group| group.name.clone()),
            run_time_ns,
            view: view(&args.as_spec(), subject),
        })
    })?;
    chart.sort(&mut runs);
    let mut printed = String::new();
    if let (Some(output), Some(path)) = (output, &args.output) {
        let mut drawing = chart.draw(&runs)?;
        drawing.about.command = chart.line(&Call {
            files: &traces.names(),
            buffer: args.files.buffer.as_deref(),
            output: &path.to_string_lossy(),
            dpi: args.paper.dpi,
            first_ns: 0,
        });
        printed = output.write(target, &drawing, args.paper.dpi)?;
    }
    if args.json {
        printed = text::json(&runs)?;
    }
    Ok(printed)
}

impl RunTimesArgs {
    pub fn chart(&self) -> RunTimes {
        RunTimes {
            selection: self.selection.whole(),
            filter: self.selection.filter_text().map(str::to_owned),
            groups: self.group.clone(),
            width: self.paper.width,
            height: self.paper.height,
            title: self.paper.title.clone(),
        }
    }

    /// The selection as the options of a figure, from which the view of the page is made.
    fn as_spec(&self) -> Spec {
        Spec {
            selection: self.selection.whole(),
            filter: self.selection.filter_text().map(str::to_owned),
            ..Spec::default()
        }
    }

    /// What is wrong with the options by themselves, whatever the traces hold.
    pub fn check(&self) -> Result<(), String> {
        self.output.as_deref().map(Output::new).transpose()?;
        let chart = self.chart();
        check::input_once(self.files.files.iter().filter(|file| file.as_os_str() == "-").count())?;
        if self.json && self.output.as_deref().is_some_and(|path| path.as_os_str() == "-") {
            return Err("`--json` and `-o -` both write to standard output; expected one of them".to_owned());
        }
        if MOST_GROUPS < self.group.len() {
            let found = self.group.len();
            return Err(format!(
                "{found} groups; expected at most {MOST_GROUPS}, which colours tell apart"
            ));
        }
        let files: Vec<String> = self
            .files
            .files
            .iter()
            .map(|file| file.to_string_lossy().into_owned())
            .collect();
        let group = |file: &String| chart.group_of(file);
        if let Some(file) = files.iter().find(|file| group(file).is_none()) {
            return Err(format!("`{file}` is in no group: its path contains the text of none"));
        }
        let in_group = |one: &Group| files.iter().any(|file| group(file).flatten() == Some(one));
        match self.group.iter().find(|one| !in_group(one)) {
            None => Ok(()),
            Some(Group { name, text }) => Err(format!(
                "group `{name}` has no file: no path contains `{text}`, or an earlier group has them all"
            )),
        }
    }
}
