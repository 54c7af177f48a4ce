//! `corelane compare`: two traces in numbers, with differences and how sure they are.

use std::fmt::{self, Write};
use std::path::PathBuf;

use clap::Args;
use schedquery::query::{compare, side, CommandNumbers, Comparison, Shift, Side, SideTotals, Spot};

use crate::input::FileArgs;
use crate::load::Loader;
use crate::selection::SelectionArgs;
use crate::text::{self, quoted, Times};
use crate::visible::{shown, visible};
use crate::Failure;

#[derive(Args)]
pub struct CompareArgs {
    #[command(flatten)]
    file: FileArgs,
    /// The trace that it is compared with
    #[arg(value_name = "OTHER")]
    other: PathBuf,
    /// As JSON, times in nanoseconds
    #[arg(long, conflicts_with = "csv")]
    json: bool,
    /// As comma-separated values, a line for each command, times in nanoseconds
    #[arg(long)]
    csv: bool,
    /// How many commands; JSON and CSV have all
    #[arg(long, value_name = "N", default_value_t = 20)]
    top: usize,
    #[command(flatten)]
    selection: SelectionArgs,
}

pub fn run(args: &CompareArgs, loader: &Loader) -> Result<String, Failure> {
    let other = FileArgs {
        file: args.other.clone(),
        ..args.file.clone()
    };
    let (first, is_ns) = side_of(args, &args.file, loader)?;
    let (other, other_is_ns) = side_of(args, &other, loader)?;
    if is_ns != other_is_ns {
        return Err(Failure(
            "one trace counts nanoseconds and the other ticks of its clock: they cannot be compared".to_owned(),
        ));
    }
    let found = compare(&first, &other);
    if args.json {
        return text::json(&found);
    }
    let mut out = String::new();
    let written = match args.csv {
        true => write_csv(&found, &mut out),
        false => write(&found, args.top, Times::with(is_ns), &mut out),
    };
    written.map_err(|error| Failure(error.to_string()))?;
    Ok(out)
}

/// A trace summed up, and whether its times are nanoseconds.
fn side_of(args: &CompareArgs, file: &FileArgs, loader: &Loader) -> Result<(Side, bool), Failure> {
    let loaded = loader.load(file)?;
    let name = format!("{}: ", shown(&file.file));
    let selection = args.selection.selection_of(&name, &loaded, &loader.options)?;
    Ok((side(&loaded.trace, &selection), loaded.clock_is_ns))
}

/// `-12.5 %`, or what replaces it.
fn change(first: u64, other: u64) -> String {
    match (first, other) {
        (0, 0) => "=".to_owned(),
        (0, _) => "new".to_owned(),
        _ => format!("{:+.1} %", 100.0 * (other as f64 / first as f64 - 1.0)),
    }
}

fn write(found: &Comparison, top: usize, times: Times, out: &mut String) -> fmt::Result {
    writeln!(out, "{:24}{:>20}{:>20}{:>12}", "", "first", "other", "change")?;
    type Row = (&'static str, fn(&SideTotals) -> u64, bool);
    let rows: [Row; 8] = [
        ("length", |of| of.length_ns, true),
        ("CPUs", |of| u64::from(of.cpus), false),
        ("execution x tasks", |of| of.execution_ns, true),
        ("waiting x tasks", |of| of.waiting_ns, true),
        ("behind, CPUs spare", |of| of.behind_ns, true),
        ("its cost x tasks", |of| of.behind_cost_task_ns, true),
        ("runs", |of| of.runs, false),
        ("migrations", |of| of.migrations, false),
    ];
    for (name, of, is_time) in rows {
        let (first, other) = (of(&found.first), of(&found.other));
        let told = |value: u64| if is_time { times.time(value) } else { value.to_string() };
        writeln!(
            out,
            "{name:24}{:>20}{:>20}{:>12}",
            told(first),
            told(other),
            change(first, other)
        )?;
    }
    writeln!(
        out,
        "\n{:17}{:11}{:>17}{:>17}{:>12}   {:17}{:>13}{:>13}  other longer",
        "command", "", "first", "other", "change", "", "first", "other"
    )?;
    for of in found.commands.iter().take(top) {
        let CommandNumbers {
            execution_ns,
            waiting_ns,
            ..
        } = of.first;
        let other = &of.other;
        let rows = [
            (
                "ran",
                execution_ns,
                other.execution_ns,
                "latency p50",
                of.first.latency,
                other.latency,
                of.latency,
            ),
            (
                "waited",
                waiting_ns,
                other.waiting_ns,
                "wait p50",
                of.first.wait,
                other.wait,
                of.wait,
            ),
        ];
        for (place, (what, first, other, spot, a, b, sure)) in rows.into_iter().enumerate() {
            writeln!(
                out,
                "{:17}{what:11}{:>17}{:>17}{:>12}   {spot:17}{:>13}{:>13}  {}",
                if place == 0 { visible(&of.comm) } else { "".into() },
                times.digits(first),
                times.digits(other),
                change(first, other),
                median(a, times),
                median(b, times),
                sure.map_or_else(|| "too few".to_owned(), shift),
            )?;
        }
        let counts = [
            (of.first.migrations, other.migrations),
            (of.first.behind_ns, other.behind_ns),
        ];
        let [(moved, moves), (behind, behinds)] = counts;
        if moved + moves + behind + behinds != 0 {
            writeln!(
                out,
                "{:17}{:11}{moved:>17}{moves:>17}{:>12}   {:17}{:>13}{:>13}",
                "",
                "migrations",
                change(moved, moves),
                "behind, spare",
                times.digits(behind),
                times.digits(behinds),
            )?;
        }
    }
    if let Some(left) = found.commands.len().checked_sub(top).filter(|&left| 0 < left) {
        writeln!(out, "and {left} more commands (--top sets how many are listed)")?;
    }
    writeln!(
        out,
        "\nOther longer: the probability that a latency or wait of the other trace is longer than one of the first, and p of the test\n\
         of Mann and Whitney. Within a run they depend on each other, so p is too small; one run of each may differ by chance."
    )
}

fn median(of: Spot, times: Times) -> String {
    of.p50.map_or_else(|| "-".to_owned(), |ns| times.digits(ns))
}

fn shift(Shift { other_longer, p }: Shift) -> String {
    let p = if p < 0.001 {
        "p < 0.001".to_owned()
    } else {
        format!("p = {p:.3}")
    };
    format!("{:.0} %, {p}", 100.0 * other_longer)
}

fn write_csv(found: &Comparison, out: &mut String) -> fmt::Result {
    let numbers = [
        "execution_ns",
        "waiting_ns",
        "behind_ns",
        "runs",
        "migrations",
        "latency_count",
        "latency_p50_ns",
        "latency_p99_ns",
        "wait_count",
        "wait_p50_ns",
        "wait_p99_ns",
    ];
    let heads = ["first", "other"].map(|side| numbers.map(|name| format!("{side}_{name}")).join(","));
    writeln!(
        out,
        "comm,{},latency_other_longer,latency_p,wait_other_longer,wait_p",
        heads.join(",")
    )?;
    for of in &found.commands {
        let sides = [of.first, of.other].map(values);
        let sure = [of.latency, of.wait].map(|shift| {
            shift.map_or_else(
                || ",".to_owned(),
                |Shift { other_longer, p }| format!("{other_longer},{p}"),
            )
        });
        writeln!(out, "{},{},{}", quoted(&of.comm), sides.join(","), sure.join(","))?;
    }
    Ok(())
}

fn values(of: CommandNumbers) -> String {
    let maybe = |ns: Option<u64>| ns.map_or_else(String::new, |ns| ns.to_string());
    [
        of.execution_ns.to_string(),
        of.waiting_ns.to_string(),
        of.behind_ns.to_string(),
        of.runs.to_string(),
        of.migrations.to_string(),
        of.latency.count.to_string(),
        maybe(of.latency.p50),
        maybe(of.latency.p99),
        of.wait.count.to_string(),
        maybe(of.wait.p50),
        maybe(of.wait.p99),
    ]
    .join(",")
}
