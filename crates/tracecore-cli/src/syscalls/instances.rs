//! Calls one by one, a line each.

use std::io::{self, BufWriter, Write};

use tracecore::query::{each_call, CallInstance, CallNames, CallsQuery};

use super::rows::{quoted, split, SPLIT};
use super::{LoadedCalls, SyscallsArgs};
use crate::text::{self, Times};
use crate::{heard, Failure};

pub fn write(
    args: &SyscallsArgs,
    all: &LoadedCalls,
    names: &CallNames,
    query: &CallsQuery,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let times = Times::of(&all.loaded);
    // There may be more lines than memory.
    let mut out = BufWriter::with_capacity(1 << 16, out);
    let header = match args.csv {
        true => writeln!(
            out,
            "at_ns,duration_ns,cpu,pid,generation,comm,call,nr,ret,error,{SPLIT}"
        ),
        false => Ok(()),
    };
    let written = header.and_then(|()| {
        each_call(&all.loaded.trace, &all.runs, &all.calls, names, query, |call| {
            if args.json {
                serde_json::to_writer(&mut out, &times.in_json(call))?;
                out.write_all(b"\n")
            } else if args.csv {
                csv(&mut out, times, call)
            } else {
                line(&mut out, times, call)
            }
        })
    });
    heard(written.and_then(|()| out.flush())).map(|_| ())
}

fn csv(out: &mut impl Write, times: Times, call: &CallInstance<'_>) -> io::Result<()> {
    writeln!(
        out,
        "{},{},{},{},{},{},{},{},{},{},{}",
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
        split(&call.split).join(",")
    )
}

fn line(out: &mut impl Write, times: Times, call: &CallInstance<'_>) -> io::Result<()> {
    let returned = match call.error {
        Some(error) => format!("{} {error}", call.ret),
        // Addresses are easier to tell so.
        None if !(-0x1_0000..0x1_0000_0000).contains(&call.ret) => format!("{:#x}", call.ret),
        None => call.ret.to_string(),
    };
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
    writeln!(
        out,
        "{:>20}  {:>14}  CPU {:<3} {:24} {:20} = {:24} {}",
        times.at(call.at_ns),
        times.digits(call.duration_ns),
        call.cpu,
        text::task(&call.comm, call.pid),
        call.call,
        returned,
        parts.join(", ")
    )
}
