//! Calls one by one, a line each.

use std::io::{self, BufWriter, Write};

use formats::AnySource;
use schedquery::query::{each_call, CallInstance, CallNames, CallsQuery};
use serde::Serialize;
use tracedat::arguments::{self, Argument, Arguments, ArgumentsWalk, Entered};
use tracedat::file::TraceFile;

use super::rows::{split, SPLIT};
use super::{LoadedCalls, SyscallsArgs};
use crate::input::{self, Input};
use crate::text::{self, quoted, Times};
use crate::visible::shown;
use crate::{heard, Failure};

/// A call with its arguments.
#[derive(Serialize)]
struct Told<'a> {
    #[serde(flatten)]
    call: &'a CallInstance<'a>,
    arguments: Option<&'a [Argument]>,
}

pub fn write(
    args: &SyscallsArgs,
    all: &LoadedCalls,
    names: &CallNames,
    query: &CallsQuery,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let times = Times::of(&all.loaded);
    let file = args.file.open_again()?;
    let mut walk = match &file {
        Some(AnySource::TraceDat(file)) => Some(ArgumentsWalk::new(file.as_ref(), bound(args, file)?)),
        _ => None,
    };
    // There may be more lines than memory.
    let mut out = BufWriter::with_capacity(1 << 16, out);
    let header = match args.csv {
        true => writeln!(
            out,
            "at_ns,duration_ns,cpu,pid,generation,comm,call,nr,ret,error,{SPLIT},arguments"
        ),
        false => Ok(()),
    };
    let mut unread = None;
    let written = header.and_then(|()| {
        each_call(&all.loaded.trace, &all.runs, &all.calls, names, query, |call| {
            let entered = Entered {
                ts: times.absolute(call.at_ns),
                cpu: call.cpu,
                pid: call.pid,
                call: &call.call,
                compat: call.compat,
            };
            let found = walk.as_mut().map(|walk| walk.find(&entered)).transpose();
            let found = match found {
                Ok(found) => found.flatten(),
                Err(error) => {
                    unread = Some(error);
                    return Err(io::ErrorKind::Other.into());
                }
            };
            let arguments = found.as_deref();
            if args.json {
                serde_json::to_writer(&mut out, &times.in_json(&Told { call, arguments }))?;
                out.write_all(b"\n")
            } else if args.csv {
                csv(&mut out, times, call, arguments)
            } else {
                line(&mut out, times, call, arguments)
            }
        })
    });
    if let Some(error) = unread {
        return Err(error.into());
    }
    heard(written.and_then(|()| out.flush())).map(|_| ())
}

/// What tells of a file's arguments.
fn bound(args: &SyscallsArgs, file: &TraceFile<Input>) -> Result<Arguments, Failure> {
    let mut bound = Arguments::new(file);
    if let Some(path) = &args.formats {
        match input::open(path)? {
            AnySource::TraceDat(other) => bound.learn(&other),
            _ => {
                return Err(Failure(format!(
                    "{}: no formats of events; a trace.dat has some",
                    shown(path)
                )))
            }
        }
    }
    Ok(bound)
}

fn csv(out: &mut impl Write, times: Times, call: &CallInstance<'_>, arguments: Option<&[Argument]>) -> io::Result<()> {
    writeln!(
        out,
        "{},{},{},{},{},{},{},{},{},{},{},{}",
        times.absolute(call.at_ns),
        call.duration_ns,
        call.cpu,
        call.pid,
        call.generation,
        quoted(&call.comm),
        quoted(&call.call),
        call.nr,
        call.ret,
        call.error.unwrap_or(""),
        split(&call.split).join(","),
        quoted(&arguments.map_or_else(String::new, arguments::text))
    )
}

fn line(out: &mut impl Write, times: Times, call: &CallInstance<'_>, arguments: Option<&[Argument]>) -> io::Result<()> {
    let parts = [
        ("on CPU", call.split.oncpu_ns),
        ("irq", call.split.irq_ns),
        ("runnable", call.split.runnable_ns),
        ("sleeping", call.split.sleeping_ns),
        ("blocked", call.split.blocked_ns),
        ("stopped", call.split.stopped_ns),
        ("unknown", call.split.unknown_ns),
    ];
    let parts = parts
        .into_iter()
        .filter_map(|(name, ns)| Some((name, ns.filter(|&ns| 0 < ns)?)));
    let parts: Vec<String> = parts.map(|(name, ns)| format!("{name} {}", times.digits(ns))).collect();
    let told = match arguments {
        Some(arguments) => format!("{}({})", call.call, arguments::text(arguments)),
        None => call.call.to_string(),
    };
    writeln!(
        out,
        "{:>20}  {:>14}  CPU {:<3} {:24} {told:20} = {:24} {}",
        times.at(call.at_ns),
        times.digits(call.duration_ns),
        call.cpu,
        text::task(&call.comm, call.pid),
        call.returned,
        parts.join(", ")
    )
}
