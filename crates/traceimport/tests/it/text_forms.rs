//! One story in every form of text that programs print: each tells the same, as far as it has the columns for it.

use std::fmt::Write;

use schedrows::{CannotTell, Context, DiagnosticKind, Row, Source};

use crate::support::{open, scan_source};

/// An event of the story.
struct Event {
    us: u64,
    cpu: u32,
    comm: &'static str,
    pid: i32,
    /// The letter of the context.
    context: char,
    what: What,
}

enum What {
    Waking(&'static str, i32, i64, i32),
    Wakeup(&'static str, i32, i64, i32),
    Switch((&'static str, i32, i64), &'static str, (&'static str, i32, i64)),
    Migrate(&'static str, i32, i64, i32, i32),
    Fork((&'static str, i32), (&'static str, i32)),
    Exit(&'static str, i32, i64),
}

/// Where the story begins, in microseconds.
const BEGIN: u64 = 123_450_890_489;

fn story() -> Vec<Event> {
    use What::*;
    let event = |us, cpu, comm, pid, context, what| Event {
        us,
        cpu,
        comm,
        pid,
        context,
        what,
    };
    vec![
        event(0, 2, "<idle>", 0, 'h', Waking("a=b pid=7", 100, 120, 2)),
        event(2, 2, "<idle>", 0, 'h', Wakeup("a=b pid=7", 100, 120, 2)),
        event(
            10,
            2,
            "<idle>",
            0,
            '.',
            Switch(("swapper/2", 0, 120), "R", ("a=b pid=7", 100, 120)),
        ),
        event(
            40,
            2,
            "a=b pid=7",
            100,
            '.',
            Fork(("a=b pid=7", 100), ("k:1 [2] x", 103)),
        ),
        event(400, 2, "a=b pid=7", 100, 's', Waking("kworker/3:1H", 101, 100, 3)),
        event(450, 3, "<idle>", 0, 'H', Wakeup("kworker/3:1H", 101, 100, 3)),
        event(
            460,
            3,
            "<idle>",
            0,
            '.',
            Switch(("swapper/3", 0, 120), "R", ("kworker/3:1H", 101, 100)),
        ),
        event(
            900,
            2,
            "a=b pid=7",
            100,
            '.',
            Switch(("a=b pid=7", 100, 120), "S", ("-x 1-", 102, -1)),
        ),
        event(950, 3, "kworker/3:1H", 101, 'z', Waking("-x 1-", 102, -1, 2)),
        event(990, 3, "kworker/3:1H", 101, 'Z', Migrate("a=b pid=7", 100, 120, 2, 3)),
        event(1000, 3, "kworker/3:1H", 101, '.', Exit("kworker/3:1H", 101, 100)),
        event(
            1010,
            3,
            "kworker/3:1H",
            101,
            '.',
            Switch(("kworker/3:1H", 101, 100), "X", ("swapper/3", 0, 120)),
        ),
    ]
}

impl What {
    fn name(&self) -> &'static str {
        match self {
            What::Waking(..) => "sched_waking",
            What::Wakeup(..) => "sched_wakeup",
            What::Switch(..) => "sched_switch",
            What::Migrate(..) => "sched_migrate_task",
            What::Fork(..) => "sched_process_fork",
            What::Exit(..) => "sched_process_exit",
        }
    }

    /// As the kernel's print fmt writes it.
    fn kernel(&self) -> String {
        match self {
            What::Waking(comm, pid, prio, cpu) | What::Wakeup(comm, pid, prio, cpu) => {
                format!("comm={comm} pid={pid} prio={prio} target_cpu={cpu:03}")
            }
            What::Switch(prev, state, next) => format!(
                "prev_comm={} prev_pid={} prev_prio={} prev_state={state} ==> next_comm={} next_pid={} next_prio={}",
                prev.0, prev.1, prev.2, next.0, next.1, next.2
            ),
            What::Migrate(comm, pid, prio, from, to) => {
                format!("comm={comm} pid={pid} prio={prio} orig_cpu={from} dest_cpu={to}")
            }
            What::Fork(parent, child) => format!(
                "comm={} pid={} child_comm={} child_pid={}",
                parent.0, parent.1, child.0, child.1
            ),
            What::Exit(comm, pid, prio) => format!("comm={comm} pid={pid} prio={prio}"),
        }
    }

    /// As the kernel's option `fields` does, in either of the orders that kernels have had.
    fn fields(&self, is_reversed: bool) -> String {
        let hex = |number: i64| format!("0x{:x} ({number})", number as u32);
        let text = |text: &str| text.to_owned();
        let mut fields = match *self {
            What::Waking(comm, pid, prio, cpu) | What::Wakeup(comm, pid, prio, cpu) => vec![
                ("comm", text(comm)),
                ("pid", hex(pid.into())),
                ("prio", hex(prio)),
                ("target_cpu", hex(cpu.into())),
            ],
            What::Switch(prev, state, next) => vec![
                ("prev_comm", text(prev.0)),
                ("prev_pid", hex(prev.1.into())),
                ("prev_prio", hex(prev.2)),
                (
                    "prev_state",
                    hex(match state {
                        "S" => 1,
                        "X" => 16,
                        _ => 0,
                    }),
                ),
                ("next_comm", text(next.0)),
                ("next_pid", hex(next.1.into())),
                ("next_prio", hex(next.2)),
            ],
            What::Migrate(comm, pid, prio, from, to) => vec![
                ("comm", text(comm)),
                ("pid", hex(pid.into())),
                ("prio", hex(prio)),
                ("orig_cpu", hex(from.into())),
                ("dest_cpu", hex(to.into())),
            ],
            What::Fork(parent, child) => vec![
                ("parent_comm", text(parent.0)),
                ("parent_pid", hex(parent.1.into())),
                ("child_comm", text(child.0)),
                ("child_pid", hex(child.1.into())),
            ],
            What::Exit(comm, pid, prio) => vec![("comm", text(comm)), ("pid", hex(pid.into())), ("prio", hex(prio))],
        };
        if is_reversed {
            fields.reverse();
        }
        let fields: Vec<String> = fields.iter().map(|(key, value)| format!("{key}={value}")).collect();
        fields.join(" ")
    }

    /// As plugins of trace-cmd and of perf do.
    fn plugin(&self) -> String {
        match self {
            What::Wakeup(comm, pid, prio, cpu) => format!("{comm}:{pid} [{prio}] CPU:{cpu:03}"),
            What::Switch(prev, state, next) => {
                format!(
                    "{}:{} [{}] {state} ==> {}:{} [{}]",
                    prev.0, prev.1, prev.2, next.0, next.1, next.2
                )
            }
            other => other.kernel(),
        }
    }

    /// As kernels 2.6.31 do.
    fn old(&self) -> String {
        match self {
            What::Waking(comm, pid, prio, cpu) | What::Wakeup(comm, pid, prio, cpu) => {
                format!("task {comm}:{pid} [{prio}] success=1 [{cpu:03}]")
            }
            What::Switch(prev, state, next) => {
                format!(
                    "task {}:{} [{}] ({state}) ==> {}:{} [{}]",
                    prev.0, prev.1, prev.2, next.0, next.1, next.2
                )
            }
            What::Migrate(comm, pid, prio, from, to) => format!("task {comm}:{pid} [{prio}] from: {from}  to: {to}"),
            What::Fork(parent, child) => format!("parent {}:{}  child {}:{}", parent.0, parent.1, child.0, child.1),
            What::Exit(comm, pid, prio) => format!("task {comm}:{pid} [{prio}]"),
        }
    }
}

/// A row with all that it says, but for the letter of a context and the waker, which are apart.
type Told = (u64, u32, String);

/// What a source says, in the order of times; and who wrote the rows, in which context.
fn told(source: &dyn Source) -> (Vec<Told>, Vec<(Option<i32>, u8)>) {
    let mut rows: Vec<(Told, (Option<i32>, u8))> = Vec::new();
    for scan in scan_source(source) {
        let name = |comm: u32| scan.comms.names[comm as usize].as_str();
        for row in scan.rows.iter() {
            let has_name = matches!(row.kind, schedrows::RowKind::Switch | schedrows::RowKind::Fork);
            let second = if has_name {
                name(row.comm2).to_owned()
            } else {
                row.comm2.to_string()
            };
            let Row {
                pid,
                arg,
                state,
                prio,
                kind,
                ..
            } = row;
            let text = format!("{kind:?} {}:{pid} {arg} {second} {state} {prio}", name(row.comm));
            rows.push(((row.ts, scan.cpu, text), (row.writer(), row.context)));
        }
    }
    rows.sort();
    rows.into_iter().unzip()
}

fn seconds(us: u64) -> String {
    format!("{}.{:06}", us / 1_000_000, us % 1_000_000)
}

/// The story in one form: the line of each event, from it, its time in microseconds and that since the event before.
fn printed(line: impl Fn(&Event, u64, u64) -> String) -> String {
    let mut text = String::new();
    let mut last = None;
    for event in story() {
        let us = BEGIN + event.us;
        writeln!(text, "{}", line(&event, us, us - last.unwrap_or(us))).unwrap();
        last = Some(us);
    }
    text
}

fn tracefs(event: &Event, us: u64, flags: &str) -> String {
    let Event {
        cpu, comm, pid, what, ..
    } = event;
    format!(
        "{comm:>16}-{pid:<7} [{cpu:03}] {flags} {:>12}: {}: {}",
        seconds(us),
        what.name(),
        what.kernel()
    )
}

fn flags(context: char) -> String {
    format!("d.{context}2.")
}

/// The usual form, against which the others are checked; what it says is checked by other tests.
fn usual() -> String {
    printed(|event, us, _| tracefs(event, us, &flags(event.context)))
}

fn opened(text: &str) -> traceimport::Import<Vec<u8>> {
    let file = open(text.as_bytes().to_vec()).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let unread: Vec<_> = file
        .diagnostics()
        .iter()
        .filter(|found| found.kind == DiagnosticKind::Malformed)
        .collect();
    assert!(unread.is_empty(), "{unread:?}\n{text}");
    for scan in scan_source(&file) {
        assert!(scan.diagnostics.is_empty(), "{:?}\n{text}", scan.diagnostics);
    }
    file
}

/// What the usual form says.
fn expected() -> (Vec<Told>, Vec<(Option<i32>, u8)>) {
    let found = told(&opened(&usual()));
    assert_eq!(found.0.len(), story().len());
    let contexts: Vec<u8> = found.1.iter().map(|&(_, context)| context).collect();
    let of = |context| match context {
        'h' => Context::HARDIRQ,
        'H' => Context::HARDIRQ | Context::SOFTIRQ,
        's' => Context::SOFTIRQ,
        'z' => Context::NMI,
        'Z' => Context::NMI | Context::HARDIRQ,
        _ => 0,
    };
    let letters: Vec<u8> = story().iter().map(|event| of(event.context)).collect();
    assert_eq!(contexts, letters);
    found
}

/// Checks that a form says all.
fn check_all(name: &str, text: &str) {
    assert_eq!(told(&opened(text)), expected(), "{name}:\n{text}");
}

/// Checks that a form says all but the contexts, and the writers if these are unknown.
fn check_rows(name: &str, text: &str, has_writers: bool) {
    let file = opened(text);
    let (rows, writers) = told(&file);
    let (expected_rows, expected_writers) = expected();
    assert_eq!(rows, expected_rows, "{name}:\n{text}");
    for ((writer, context), (known, _)) in writers.into_iter().zip(expected_writers) {
        assert!(context & Context::UNKNOWN != 0, "{name}");
        assert!(writer == known || !has_writers && writer.is_none(), "{name}");
    }
    assert!(file.info().cannot_tell.has(CannotTell::CONTEXT), "{name}");
    assert_eq!(file.info().cannot_tell.has(CannotTell::WAKER), !has_writers, "{name}");
}

#[test]
fn texts_of_the_kernel_and_of_trace_cmd_tell_the_same() {
    let latency = |event: &Event, columns: &str, rest: &str| {
        let Event {
            cpu, comm, pid, what, ..
        } = event;
        format!(
            "{comm:>8.8}-{pid:<7} {cpu:3}{columns}{rest}: {}: {}",
            what.name(),
            what.kernel()
        )
    };
    let difference = |us: u64| if us == 0 { String::new() } else { format!("(+{us})") };
    for (name, text) in [
        (
            "tgid",
            printed(|event, us, _| {
                let Event {
                    cpu, comm, pid, what, ..
                } = event;
                let flags = flags(event.context);
                format!(
                    "{comm:>16}-{pid:<7} ({pid:7}) [{cpu:03}] {flags} {:>12}: {}: {}",
                    seconds(us),
                    what.name(),
                    what.kernel()
                )
            }),
        ),
        (
            "latency",
            printed(|event, us, _| latency(event, &flags(event.context), &format!(" {}", seconds(us)))),
        ),
        (
            "latency, many digits",
            printed(|event, us, _| latency(event, &flags(event.context), &seconds(us))),
        ),
        (
            "differences",
            printed(|event, us, since| {
                let Event {
                    cpu, comm, pid, what, ..
                } = event;
                let flags = flags(event.context);
                format!(
                    "{comm:>16}-{pid:<5} [{cpu:03}] {flags} {:>12}: {:8} {}: {}",
                    seconds(us),
                    difference(since),
                    what.name(),
                    what.kernel()
                )
            }),
        ),
        (
            "fields",
            printed(|event, us, _| {
                tracefs(event, us, &flags(event.context)).replace(&event.what.kernel(), &event.what.fields(false))
            }),
        ),
        (
            "fields, reversed",
            printed(|event, us, _| {
                tracefs(event, us, &flags(event.context)).replace(&event.what.kernel(), &event.what.fields(true))
            }),
        ),
        (
            "plugins",
            printed(|event, us, _| {
                tracefs(event, us, &flags(event.context)).replace(&event.what.kernel(), &event.what.plugin())
            }),
        ),
        (
            "kernel 2.6",
            printed(|event, us, _| {
                tracefs(event, us, &flags(event.context)).replace(&event.what.kernel(), &event.what.old())
            }),
        ),
        (
            "verbose",
            printed(|event, us, since| {
                let Event {
                    cpu, comm, pid, what, ..
                } = event;
                let flags = match event.context {
                    'h' => 0x08,
                    's' => 0x10,
                    'H' => 0x18,
                    'z' => 0x40,
                    'Z' => 0x48,
                    _ => 0,
                } | 1;
                let ms = |us: u64| format!("{}.{:03}ms", us / 1000, us % 1000);
                let (at, since) = (ms(us - BEGIN), ms(since));
                format!(
                    "{comm:>16} {pid:7} {cpu:3} {flags} {:08x} {:08x} [{us:08x}] {at} (+{since}): {}: {}",
                    2,
                    7,
                    what.name(),
                    what.kernel()
                )
            }),
        ),
        (
            "an instance alone",
            printed(|event, us, _| format!("sched: {}", tracefs(event, us, &flags(event.context)))),
        ),
    ] {
        check_all(name, &text);
    }
}

#[test]
fn prefixes_of_other_programs_change_nothing() {
    let number = |format: fn(usize, &str) -> String| -> String {
        usual()
            .lines()
            .enumerate()
            .map(|(at, line)| format(at + 8, line) + "\n")
            .collect()
    };
    for (name, text) in [
        ("grep -n", number(|at, line| format!("{at}:{line}"))),
        (
            "grep -n, lines around",
            number(|at, line| format!("{at}{}{line}", if at % 3 == 0 { ':' } else { '-' })),
        ),
        ("grep -H", number(|_, line| format!("trace.txt:{line}"))),
        ("grep -Hn", number(|at, line| format!("a/trace-1.txt:{at}:{line}"))),
        (
            "grep -Hn, lines around",
            number(|at, line| format!("a/trace.txt-{at}-{line}")),
        ),
        ("dmesg", number(|at, line| format!("[103{at}.661702] {line}"))),
        (
            "dmesg with callers",
            number(|at, line| format!("[103{at}.661702][ T1{at}] {line}")),
        ),
        (
            "a serial console",
            number(|at, line| format!("[2026-11-30 10:00:{at:02}] <4>[   {at}.661702] {line}")),
        ),
        (
            "syslog",
            number(|at, line| format!("Nov 30 10:00:{at:02} host kernel: [103{at}.661702] {line}")),
        ),
        (
            "a journal",
            number(|at, line| format!("2026-11-30T10:00:{at:02}+0000 host kernel: {line}")),
        ),
        ("ts", number(|at, line| format!("Nov 30 10:00:{at:02} {line}"))),
        ("a mail", number(|_, line| format!("> > {line}\r"))),
    ] {
        check_all(name, &text);
        // Lost events are seen behind the same prefix.
        let lost = "CPU:2 [LOST 12 EVENTS]";
        let first = usual().lines().next().unwrap().to_owned();
        let gap = text.lines().next().unwrap().replace(&first, lost);
        let found = scan_source(&opened_with_gap(&format!("{gap}\n{text}")));
        let found = found.iter().find(|scan| scan.cpu == 2).unwrap();
        assert_eq!((found.lost_gaps, found.lost_events), (1, 12), "{name}: {gap}");
    }
}

fn opened_with_gap(text: &str) -> traceimport::Import<Vec<u8>> {
    open(text.as_bytes().to_vec()).unwrap()
}

#[test]
fn texts_of_perf_tell_what_they_have_columns_for() {
    let line = |event: &Event, time: &str, columns: &str| {
        let Event {
            cpu, comm, pid, what, ..
        } = event;
        let comm = if *pid == 0 { "swapper" } else { comm };
        columns
            .replace("COMM", &format!("{comm:>16}"))
            .replace("PID", &format!("{pid:7}"))
            .replace("CPU", &format!("[{cpu:03}]"))
            .replace("TIME", &format!("{time:>12}:"))
            .replace("EVENT", &format!("{:>34}:", format!("sched:{}", what.name())))
            + &format!(" {}", what.kernel())
    };
    let of = |columns: &str| printed(|event, us, _| line(event, &seconds(us), columns));
    for (columns, has_writers) in [
        ("COMM PID CPU TIME EVENT", true),
        ("COMM PID/PID   CPU TIME EVENT", true),
        ("COMM PID CPU K       TIME EVENT", true),
        ("COMM PID CPU TIME          1 EVENT", true),
        ("COMM PID CPU TIME EVENT      ", true),
        ("PID CPU TIME EVENT", true),
        ("CPU TIME EVENT", false),
        ("COMM CPU TIME EVENT", false),
    ] {
        check_rows(columns, &of(columns), has_writers);
    }
    // Since the first event, and since the one before.
    let zero = |text: &str| {
        let (rows, _) = told(&opened_with_gap(text));
        rows.into_iter()
            .map(|(ts, cpu, row)| (ts + 1000 * BEGIN, cpu, row))
            .collect::<Vec<_>>()
    };
    let since_first = printed(|event, us, _| line(event, &seconds(us - BEGIN), "COMM PID CPU TIME EVENT"));
    assert_eq!(zero(&since_first), expected().0);
    let since_last = printed(|event, _, since| line(event, &seconds(since), "COMM PID CPU TIME EVENT"));
    assert_eq!(zero(&since_last), expected().0);
    let file = open(since_last.into_bytes()).unwrap();
    assert!(file
        .diagnostics()
        .iter()
        .any(|found| found.text.contains("--deltatime")));
    // What cannot be read is named.
    for (columns, what, advice) in [
        ("COMM PID TIME EVENT", "the CPU column", "-F +cpu"),
        ("TIME EVENT", "the CPU column", "-F +cpu"),
        ("COMM PID CPU EVENT", "the time column", "-F +time"),
        ("COMM PID CPU TIME", "the event column", "-F +event"),
    ] {
        let error = open(of(columns).into_bytes())
            .err()
            .unwrap_or_else(|| panic!("{columns}"));
        assert!(
            error.message.contains(what) && error.advice.contains(advice),
            "{columns}: {error}"
        );
    }
}

#[test]
fn lines_that_are_not_read_are_counted() {
    let odd = "    swapper     0   100.000000: sched:sched_waking: comm=worker pid=100 prio=120 target_cpu=000\n";
    let text = format!("{}{odd}{odd}{}", usual(), "and this is said of it:\n=> schedule\n");
    let file = open(text.into_bytes()).unwrap();
    let [found] = file.diagnostics() else {
        panic!("{:?}", file.diagnostics())
    };
    assert_eq!((found.kind, found.count), (DiagnosticKind::Malformed, 2));
    let line = story().len() + 1;
    assert!(
        found
            .text
            .contains(&format!("line {line}: \"swapper     0   100.000000")),
        "{}",
        found.text
    );
}

#[test]
fn function_graph_tells_events_in_comments() {
    let line = |event: &Event, columns: &str, us: u64| {
        let Event {
            cpu, comm, pid, what, ..
        } = event;
        columns
            .replace("TIME", &format!("{:>12} |", seconds(us)))
            .replace("CPU", &format!("{cpu:3})"))
            .replace("TASK", &format!("{comm:>9.7}-{pid:<6} |"))
            .replace("FLAGS", &format!("{} |", flags(event.context)))
            + &format!("               |  /* {}: {} */", what.name(), what.kernel())
    };
    let of = |columns: &str| printed(|event, us, _| line(event, columns, us));
    check_all("all", &of(" TIME CPU TASK FLAGS "));
    check_rows("no flags", &of(" TIME CPU TASK "), true);
    let (rows, _) = told(&opened(&of(" TIME CPU FLAGS ")));
    assert_eq!(rows, expected().0);
    for (columns, what, advice) in [
        (
            " CPU TASK FLAGS ",
            "the times of the function_graph tracer's events",
            "funcgraph-abstime",
        ),
        (
            " TIME TASK FLAGS ",
            "the CPU column of the function_graph tracer",
            "funcgraph-cpu",
        ),
    ] {
        let error = open(of(columns).into_bytes()).err().unwrap();
        assert!(
            error.message.contains(what) && error.advice.contains(advice),
            "{columns}: {error}"
        );
    }
}

#[test]
fn more_columns_of_flags_change_nothing() {
    const IRQS: &str = "irqs-off/BH-disabled";
    let layouts: [&[(&str, &str)]; 6] = [
        &[
            ("irqs-off", "d"),
            ("need-resched", "N"),
            ("hardirq/softirq", ""),
            ("preempt-depth", "1"),
        ],
        &[
            ("irqs-off", "d"),
            ("need-resched", "."),
            ("hardirq/softirq", ""),
            ("preempt-depth", "."),
            ("lock-depth", "."),
        ],
        &[
            (IRQS, "D"),
            ("need-resched", "n"),
            ("hardirq/softirq", ""),
            ("preempt-depth", "a"),
            ("migrate-disable", "1"),
        ],
        &[
            (IRQS, "b"),
            ("need-resched", "L"),
            ("hardirq/softirq", ""),
            ("preempt-depth", "."),
            ("migrate-disable", "."),
        ],
        &[
            (IRQS, "d"),
            ("need-resched", "."),
            ("need-resched-lazy", "."),
            ("hardirq/softirq", ""),
            ("preempt-depth", "3"),
            ("preempt-lazy-depth", "."),
            ("migrate-disable", "."),
        ],
        &[
            (IRQS, "."),
            ("need-resched", "p"),
            ("need-resched_lazy", "L"),
            ("hardirq/softirq", ""),
            ("preempt-depth", "f"),
            ("preempt-lazy-depth", "1"),
            ("migrate-disable", "2"),
            ("something-new", "9"),
        ],
    ];
    for layout in layouts {
        let flags = |context: char| -> String {
            layout
                .iter()
                .map(|&(_, letter)| {
                    if letter.is_empty() {
                        context.to_string()
                    } else {
                        letter.to_owned()
                    }
                })
                .collect()
        };
        let text = printed(|event, us, _| tracefs(event, us, &flags(event.context)));
        let mut header = String::from("# tracer: nop\n#\n");
        for (at, (name, _)) in layout.iter().enumerate() {
            writeln!(header, "#                              {:|<at$} / _----=> {name}", "").unwrap();
        }
        check_all("without a header", &text);
        check_all("with its header", &format!("{header}{text}"));
        // Text of another kernel behind it.
        check_all(
            "with the header of another",
            &format!("{header}#  / _----=> irqs-off\n#  / _----=> hardirq/softirq\n{text}"),
        );
    }
}

#[test]
fn times_of_many_digits_need_no_blank_before_them() {
    let text = printed(|event, us, _| {
        let Event {
            cpu, comm, pid, what, ..
        } = event;
        format!(
            "{comm:>16}-{pid:<5} [{cpu:03}]{}: {}: {}",
            seconds(us),
            what.name(),
            what.kernel()
        )
    });
    check_rows("seconds", &text, true);
    // The first lines do not tell how many flags there are; what comes later does.
    let depth = |us: u64| if us < BEGIN + 100 { "d..31" } else { "d..2." };
    let ticks = printed(|event, us, _| {
        let Event {
            cpu, comm, pid, what, ..
        } = event;
        format!(
            "{comm:>8.8}-{pid:<5} {cpu:3}{}{}: {}: {}",
            depth(us),
            us * 100,
            what.name(),
            what.kernel()
        )
    });
    let file = opened(&ticks);
    assert!(!file.info().clock_is_ns);
    let expected: Vec<Told> = expected()
        .0
        .into_iter()
        .map(|(ts, cpu, row)| (ts / 10, cpu, row))
        .collect();
    assert_eq!(told(&file).0, expected);
}
