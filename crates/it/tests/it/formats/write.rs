//! A trace.dat in the formats of other tools, written here: the writers share no code with the readers.

use std::collections::BTreeMap;
use std::io::Write;

use schedrows::{CpuScan, Row, RowKind, StateCode};
use tracedat::file::TraceFile;
use tracedat::records::MergedRecords;
use tracedat::report::{Report, ReportOptions};
use tracedat::scan::scan_cpu;

/// Bytes of a message of protocol buffers.
#[derive(Clone, Default)]
pub struct Message(Vec<u8>);

fn varint(out: &mut Vec<u8>, mut number: u64) {
    loop {
        let low = number as u8 & 0x7f;
        number >>= 7;
        out.push(if number == 0 { low } else { low | 0x80 });
        if number == 0 {
            return;
        }
    }
}

impl Message {
    fn number(mut self, field: u32, number: u64) -> Message {
        varint(&mut self.0, u64::from(field) << 3);
        varint(&mut self.0, number);
        self
    }

    fn bytes(mut self, field: u32, bytes: &[u8]) -> Message {
        varint(&mut self.0, u64::from(field) << 3 | 2);
        varint(&mut self.0, bytes.len() as u64);
        self.0.extend(bytes);
        self
    }

    fn text(self, field: u32, text: &str) -> Message {
        self.bytes(field, text.as_bytes())
    }

    fn message(self, field: u32, message: &Message) -> Message {
        self.bytes(field, &message.0)
    }

    fn packed(self, field: u32, numbers: impl IntoIterator<Item = u64>) -> Message {
        let mut packed = Vec::new();
        numbers.into_iter().for_each(|number| varint(&mut packed, number));
        self.bytes(field, &packed)
    }
}

fn packet(packet: &Message) -> Vec<u8> {
    Message::default().message(1, packet).0
}

/// The kernel's release, and as many CPUs.
fn system_info(cpus: usize) -> Message {
    let utsname = Message::default().text(1, "Linux").text(3, "6.12.0");
    let info = Message::default().message(1, &utsname).number(8, cpus as u64);
    Message::default().message(45, &info)
}

/// The scans of all CPUs.
pub fn scans(file: &TraceFile<&[u8]>) -> Vec<CpuScan> {
    (0..file.cpus().len()).map(|cpu| scan_cpu(file, cpu).unwrap()).collect()
}

fn name(scan: &CpuScan, comm: u32) -> &str {
    &scan.comms.names[comm as usize]
}

/// `prev_state` as kernels since 4.14 write it.
fn state(row: &Row) -> u64 {
    let state = StateCode(row.state);
    match (state.preempted(), char::from(state.letter())) {
        (true, _) => 0x100,
        (false, 'R') => 0,
        (false, 'S') => 1,
        (false, 'D') => 2,
        (false, 'T') => 4,
        (false, 'X') => 0x10,
        (false, 'Z') => 0x20,
        (false, 'I') => 0x80,
        (false, other) => panic!("state {other}"),
    }
}

/// Numbers as differences, the first one from 0.
fn deltas(times: impl Iterator<Item = u64>) -> Vec<u64> {
    let mut last = 0;
    times.map(|ts| ts - std::mem::replace(&mut last, ts)).collect()
}

/// Switches and wakings as Perfetto's compact events.
pub fn compact(scans: &[CpuScan]) -> Vec<u8> {
    let mut out = packet(&system_info(scans.len()));
    for scan in scans {
        let rows: Vec<Row> = scan.rows.iter().collect();
        let of = |kind: RowKind| rows.iter().filter(move |row| row.kind == kind);
        let (switches, wakings) = (of(RowKind::Switch), of(RowKind::Waking));
        let mut compact = Message::default();
        for name in &scan.comms.names {
            compact = compact.text(5, name);
        }
        let flags = |row: &Row| u64::from(row.context & 3) << 3;
        let compact = compact
            .packed(1, deltas(switches.clone().map(|row| row.ts)))
            .packed(2, switches.clone().map(state))
            .packed(3, switches.clone().map(|row| row.arg as u64))
            .packed(4, switches.clone().map(|row| u64::from(row.prio)))
            .packed(6, switches.map(|row| u64::from(row.comm2)))
            .packed(7, deltas(wakings.clone().map(|row| row.ts)))
            .packed(8, wakings.clone().map(|row| row.pid as u64))
            .packed(9, wakings.clone().map(|row| row.arg as u64))
            .packed(10, wakings.clone().map(|row| u64::from(row.prio)))
            .packed(11, wakings.clone().map(|row| u64::from(row.comm)))
            .packed(12, wakings.map(flags));
        let bundle = Message::default().number(1, u64::from(scan.cpu)).message(4, &compact);
        out.extend(packet(&Message::default().message(1, &bundle)));
    }
    out
}

/// In the shape of scxtop's files: `prev_state` is the task's own, the pid of an event is the wakee's, its CPU where it fired.
pub fn scxtop(scans: &[CpuScan]) -> Vec<u8> {
    let topology = r#"scxtop_topo:{"cpu_to_llc":{"0":0,"1":0},"cpu_to_numa":{"0":0,"1":0},"cpu_to_core":{"0":0,"1":1},"nr_cpus":2,"nr_llcs":1,"nr_numa_nodes":1}"#;
    let track = Message::default().number(1, 7).text(2, topology);
    let mut out = packet(&Message::default().message(60, &track));
    for scan in scans {
        let mut bundle = Message::default().number(1, u64::from(scan.cpu));
        for row in scan.rows.iter() {
            let task = |comm: u32, pid: i32| (name(scan, comm), pid as u64);
            let event = |pid: i32| Message::default().number(1, row.ts).number(2, pid as u64);
            let event = match row.kind {
                RowKind::Switch => {
                    let ((prev, prev_pid), (next, next_pid)) = (task(row.comm, row.pid), task(row.comm2, row.arg));
                    let mut fields = Message::default();
                    if prev_pid != 0 {
                        fields = fields.text(1, prev).number(2, prev_pid).number(3, 120);
                    }
                    fields = fields.number(4, state(&row) & 0xff);
                    if next_pid != 0 {
                        fields = fields.text(5, next).number(6, next_pid).number(7, u64::from(row.prio));
                    }
                    event(row.pid).message(4, &fields)
                }
                RowKind::Waking => {
                    let (comm, pid) = task(row.comm, row.pid);
                    let fields = Message::default()
                        .text(1, comm)
                        .number(2, pid)
                        .number(3, u64::from(row.prio));
                    event(row.pid).message(20, &fields.number(5, u64::from(scan.cpu)))
                }
                _ => continue,
            };
            bundle = bundle.message(2, &event);
        }
        out.extend(packet(&Message::default().message(1, &bundle)));
    }
    out
}

/// Packets in a packed packet each, as Perfetto writes them with `compress_from_cli`.
pub fn packed(trace: &[u8]) -> Vec<u8> {
    let mut packer = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::default());
    packer.write_all(trace).unwrap();
    packet(&Message::default().bytes(50, &packer.finish().unwrap()))
}

/// The packets that were packed.
pub fn unpacked(trace: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut rest = trace;
    let take = |rest: &mut &[u8]| {
        let mut number = 0_u64;
        for shift in (0..).step_by(7) {
            let byte = rest[0];
            *rest = &rest[1..];
            number |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                break;
            }
        }
        number
    };
    while !rest.is_empty() {
        // Trace.packet, then TracePacket.compressed_packets.
        for tag in [1 << 3 | 2, 50 << 3 | 2] {
            assert_eq!(take(&mut rest), tag);
            let len = take(&mut rest) as usize;
            if tag == 50 << 3 | 2 {
                let mut inflate = flate2::read::ZlibDecoder::new(&rest[..len]);
                std::io::Read::read_to_end(&mut inflate, &mut out).unwrap();
                rest = &rest[len..];
            }
        }
    }
    out
}

pub fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    packer.write_all(bytes).unwrap();
    packer.finish().unwrap()
}

/// The text of `trace-cmd report -t -N`, and with flags, as `-l` prints them.
pub fn text(file: &TraceFile<&[u8]>, has_flags: bool) -> Vec<u8> {
    let options = ReportOptions {
        latency: has_flags,
        nanoseconds: true,
        no_plugins: true,
        ..ReportOptions::default()
    };
    let mut report = Report::new(file, options).unwrap();
    let mut text = Vec::new();
    report.title(&mut text).unwrap();
    while report.next(&mut text).unwrap() {}
    text
}

/// As an answer to a mail quotes it.
pub fn quoted(text: &[u8]) -> Vec<u8> {
    let text = String::from_utf8(text.to_vec()).unwrap();
    let lines = text.lines().map(|line| format!("> > {line}\r\n"));
    format!("On Monday, somebody wrote:\r\n{}", lines.collect::<String>()).into_bytes()
}

/// The parts of a little-endian trace.dat of version 6 before its command lines: what perf calls tracing data.
fn head(dat: &[u8]) -> &[u8] {
    let end = [&b"options  \0"[..], b"flyrecord\0"]
        .iter()
        .filter_map(|word| dat.windows(word.len()).position(|found| found == *word))
        .min()
        .unwrap();
    // In front of it is the number of CPUs.
    &dat[..end - 4]
}

const N: usize = 2;
const SAMPLE_TYPE: u64 = 1 << 16 | 1 << 10 | 1 << 7 | 1 << 2 | 1 << 1;

fn record(kind: u32, body: &[u8]) -> Vec<u8> {
    let size = 8 + body.len() as u16;
    [&kind.to_le_bytes()[..], &[0, 0], &size.to_le_bytes(), body].concat()
}

fn samples(file: &TraceFile<&[u8]>) -> Vec<u8> {
    let mut out = Vec::new();
    let mut records = MergedRecords::new(file, |buffer, _| buffer == 0);
    while let Some(found) = records.next().unwrap() {
        if let Some(traceevent::Missed::Count(lost)) = found.missed {
            // Its id and how many; then IDENTIFIER's place, as of samples: TID, TIME, CPU, IDENTIFIER.
            let cpu = u64::from(found.cpu);
            let words = [77, lost, 0, found.ts, cpu, 77].map(u64::to_le_bytes);
            out.extend(record(2, &words.concat()));
        }
        let size = (found.data.len() + 4).next_multiple_of(8) - 4;
        let mut body = [77_u64, 0, found.ts, u64::from(found.cpu)]
            .map(u64::to_le_bytes)
            .concat();
        body.extend((size as u32).to_le_bytes());
        body.extend(found.data);
        body.resize(body.len() + size - found.data.len(), 0);
        out.extend(record(9, &body));
    }
    out.extend(record(68, &[]));
    out
}

fn attr() -> Vec<u8> {
    let words = [2 | 136 << 32, 310, 1, SAMPLE_TYPE, 0, 1 << 18].map(u64::to_le_bytes);
    let mut attr = words.concat();
    attr.resize(136, 0);
    attr
}

fn tracing(dat: &[u8]) -> Vec<u8> {
    let rest = head(dat).strip_prefix(b"\x17\x08\x44tracing6\0").unwrap();
    [b"\x17\x08\x44tracing0.6\0", rest].concat()
}

/// A perf.data file; its records may be packed.
pub fn perf(dat: &[u8], file: &TraceFile<&[u8]>, is_packed: bool) -> Vec<u8> {
    let mut data = samples(file);
    if is_packed {
        let packed = zstd::bulk::compress(&data, 3).unwrap();
        // The stream goes on from record to record.
        data = packed.chunks(1000).flat_map(|part| record(81, part)).collect();
    }
    let section = |at: usize, size: usize| [at as u64, size as u64].map(u64::to_le_bytes).concat();
    let (ids_at, attrs_at) = (104, 112);
    let data_at = attrs_at + 136 + 16;
    let table = data_at + data.len();
    let tracing = tracing(dat);
    let features = 1_u64 << 1 | if is_packed { 1 << 27 } else { 0 };
    let sections = if is_packed { N } else { 1 };
    let tracing_at = table + 16 * sections;
    let mut out = [
        b"PERFILE2".to_vec(),
        104_u64.to_le_bytes().to_vec(),
        (136_u64 + 16).to_le_bytes().to_vec(),
        section(attrs_at, 136 + 16),
        section(data_at, data.len()),
        section(0, 0),
        features.to_le_bytes().to_vec(),
        vec![0; 24],
        77_u64.to_le_bytes().to_vec(),
        attr(),
        section(ids_at, 8),
        data,
        section(tracing_at, tracing.len()),
    ]
    .concat();
    if is_packed {
        out.extend(section(tracing_at + tracing.len(), 20));
    }
    out.extend(tracing);
    if is_packed {
        // Version, type (zstd), level, ratio, length of the buffer.
        out.extend([1_u32, 1, 1, 1, 1 << 20].map(u32::to_le_bytes).concat());
    }
    out
}

/// What `perf record -o -` writes.
pub fn perf_pipe(dat: &[u8], file: &TraceFile<&[u8]>) -> Vec<u8> {
    let tracing = tracing(dat);
    let padded = tracing.len().next_multiple_of(8);
    let mut out = [&b"PERFILE2"[..], &16_u64.to_le_bytes()].concat();
    out.extend(record(64, &[attr(), 77_u64.to_le_bytes().to_vec()].concat()));
    out.extend(record(66, &(tracing.len() as u32).to_le_bytes()));
    out.extend(&tracing);
    out.resize(out.len() + padded - tracing.len(), 0);
    out.extend(samples(file));
    out
}

/// A tar of SchedViz: the pages of each CPU, and the formats.
pub fn schedviz(dat: &[u8], file: &TraceFile<&[u8]>) -> Vec<u8> {
    let mut members: BTreeMap<String, Vec<u8>> = BTreeMap::new();
    let text = |name: &[u8]| {
        let at = dat.windows(name.len()).position(|found| found == name).unwrap() + name.len();
        let size = u64::from_le_bytes(dat[at..at + 8].try_into().unwrap()) as usize;
        dat[at + 8..at + 8 + size].to_vec()
    };
    members.insert("formats/header_page".into(), text(b"header_page\0"));
    for id in 0..=u16::MAX {
        let Some((system, event)) = file.event_name(id) else {
            continue;
        };
        let marker = format!("name: {event}\nID: {id}\n");
        let at = dat
            .windows(marker.len())
            .position(|found| found == marker.as_bytes())
            .unwrap();
        let size = u64::from_le_bytes(dat[at - 8..at].try_into().unwrap()) as usize;
        members.insert(format!("formats/{system}/{event}/format"), dat[at..at + size].to_vec());
    }
    for cpu in file.cpus() {
        let pages = dat[cpu.offset as usize..(cpu.offset + cpu.size) as usize].to_vec();
        members.insert(format!("traces/cpu{}", cpu.cpu), pages);
    }
    let mut tar = Vec::new();
    for (name, content) in members {
        let mut header = [0; 512];
        header[..name.len()].copy_from_slice(name.as_bytes());
        header[124..136].copy_from_slice(format!("{:011o}\0", content.len()).as_bytes());
        header[156] = b'0';
        header[257..263].copy_from_slice(b"ustar\0");
        header[148..156].fill(b' ');
        let sum: u32 = header.iter().map(|&byte| u32::from(byte)).sum();
        header[148..155].copy_from_slice(format!("{sum:06o}\0").as_bytes());
        tar.extend(header);
        tar.extend(&content);
        tar.resize(tar.len().next_multiple_of(512), 0);
    }
    tar.resize(tar.len() + 1024, 0);
    tar
}

/// A kind of text besides that of trace-cmd.
#[derive(Clone, Copy, PartialEq)]
pub enum Lines {
    /// The file `trace` of tracefs.
    Tracefs,
    /// The same under `noirq-info`.
    TracefsWithoutFlags,
    /// `perf script`.
    PerfScript,
}

/// The events as lines, as the kernel and perf print them. The story's times are whole microseconds.
pub fn lines(scans: &[CpuScan], kind: Lines) -> Vec<u8> {
    let mut rows: Vec<(Row, &CpuScan)> = scans
        .iter()
        .flat_map(|scan| scan.rows.iter().map(move |row| (row, scan)))
        .collect();
    rows.sort_by_key(|(row, scan)| (row.ts, scan.cpu));
    let mut running: BTreeMap<u32, (String, i32)> = BTreeMap::new();
    for (row, scan) in rows.iter().filter(|(row, _)| row.kind == RowKind::Switch) {
        running
            .entry(scan.cpu)
            .or_insert((name(scan, row.comm).to_owned(), row.pid));
    }
    let mut out = match kind {
        Lines::PerfScript => String::new(),
        _ => format!(
            "# tracer: nop\n#\n# entries-in-buffer/entries-written: {0}/{0}   #P:{1}\n#\n",
            rows.len(),
            scans.len()
        ),
    };
    for (row, scan) in rows {
        let text = event_text(&row, scan);
        let (comm, pid) = match running.get(&scan.cpu) {
            Some((_, 0)) if kind == Lines::PerfScript => ("swapper", 0),
            Some((_, 0)) => ("<idle>", 0),
            Some((comm, pid)) => (comm.as_str(), *pid),
            None => ("<...>", row.common_pid),
        };
        let (event, cpu) = (row.kind.event_name().unwrap(), scan.cpu);
        let (s, us) = (row.ts / 1_000_000_000, row.ts / 1000 % 1_000_000);
        let interrupt = ['.', 'h', 's', 'H'][usize::from(row.context & 3)];
        out += &match kind {
            Lines::Tracefs => format!(
                "{comm:>16}-{pid:<7} [{cpu:03}] d.{interrupt}2. {s:>5}.{us:06}: {}: {text}\n",
                event.1
            ),
            Lines::TracefsWithoutFlags => {
                format!("{comm:>16}-{pid:<7} [{cpu:03}] {s:>5}.{us:06}: {}: {text}\n", event.1)
            }
            Lines::PerfScript => format!(
                "{comm:>16} {pid:>6} [{cpu:03}] {s:>5}.{us:06}: {:>20}:{}: {text}\n",
                event.0, event.1
            ),
        };
        match (row.kind, running.get_mut(&scan.cpu)) {
            (RowKind::Switch, Some(running)) => *running = (name(scan, row.comm2).to_owned(), row.arg),
            (RowKind::Rename, Some(running)) if running.1 == row.pid => running.0 = name(scan, row.comm2).to_owned(),
            _ => {}
        }
    }
    out.into_bytes()
}

/// What follows an event's name, by the print fmt of the kernel.
fn event_text(row: &Row, scan: &CpuScan) -> String {
    let (comm, pid, arg) = (name(scan, row.comm), row.pid, row.arg);
    let second = || name(scan, row.comm2);
    match row.kind {
        RowKind::Switch => {
            let state = StateCode(row.state);
            let plus = if state.preempted() { "+" } else { "" };
            let (letter, next) = (char::from(state.letter()), second());
            format!(
                "prev_comm={comm} prev_pid={pid} prev_prio={} prev_state={letter}{plus} ==> next_comm={next} next_pid={arg} next_prio={}",
                row.prev_prio(),
                row.prio
            )
        }
        RowKind::Waking | RowKind::Wakeup | RowKind::WakeupNew => {
            format!("comm={comm} pid={pid} prio={} target_cpu={arg:03}", row.prio)
        }
        RowKind::Migrate => format!(
            "comm={comm} pid={pid} prio={} orig_cpu={} dest_cpu={arg}",
            row.prio, row.comm2
        ),
        RowKind::Fork => format!("comm={comm} pid={pid} child_comm={} child_pid={arg}", second()),
        RowKind::Exec => format!("filename={comm} pid={pid} old_pid={arg}"),
        RowKind::Exit => format!("comm={comm} pid={pid} prio={}", row.prio),
        RowKind::Rename => format!("pid={pid} oldcomm={comm} newcomm={} oom_score_adj=0", second()),
        other => panic!("no {other:?} in the story"),
    }
}
