//! Packets, and the file that they make.

use std::io::{self, Write};

use flate2::write::ZlibEncoder;
use flate2::Compression;
use schedrows::CannotTell;

use super::proto::Proto;
use super::{Extra, Known};

/// Bytes that are packed together at most.
const CHUNK: usize = 512 << 10;
/// We write one sequence of packets.
const SEQUENCE: u64 = 1;
/// Of the first track; numbers are as good as random ones, since nobody merges our files.
const FIRST_TRACK: u64 = 0xc0de_0001;
/// `BUILTIN_CLOCK_BOOTTIME`, the clock of traces in which nothing else is said.
const BOOTTIME: u64 = 6;
/// From this release on `prev_state` is what we write.
const OLDEST: (u32, u32) = (4, 14);

// Trace.
const PACKET: u32 = 1;
// TracePacket.
const FTRACE_EVENTS: u32 = 1;
const PROCESS_TREE: u32 = 2;
const CLOCK_SNAPSHOT: u32 = 6;
const TIMESTAMP: u32 = 8;
const SEQUENCE_ID: u32 = 10;
const TRACK_EVENT: u32 = 11;
const SEQUENCE_FLAGS: u32 = 13;
const TRACE_CONFIG: u32 = 33;
const FTRACE_STATS: u32 = 34;
const SYSTEM_INFO: u32 = 45;
const COMPRESSED_PACKETS: u32 = 50;
const TRACK_DESCRIPTOR: u32 = 60;

/// Collects packets, and writes them packed.
pub(super) struct Packets<'w, W: Write> {
    out: &'w mut W,
    /// Those that are not written yet, as a whole `Trace`.
    pending: Vec<u8>,
    written: u64,
}

impl<'w, W: Write> Packets<'w, W> {
    pub fn new(out: &'w mut W) -> Self {
        Packets {
            out,
            pending: Vec::new(),
            written: 0,
        }
    }

    /// What everything else is read by: the clock, the kernel, the tasks.
    pub fn head(&mut self, ts: u64, uname: Option<&str>, cpus: u32, extra: &Extra<'_>) -> io::Result<()> {
        let mut clock = Vec::new();
        clock.number(1, BOOTTIME);
        clock.number(2, ts);
        let mut snapshot = Vec::new();
        snapshot.bytes(1, &clock);
        snapshot.number(2, BOOTTIME);
        let mut packet = Vec::new();
        packet.number(TIMESTAMP, ts);
        packet.bytes(CLOCK_SNAPSHOT, &snapshot);
        packet.number(SEQUENCE_FLAGS, 1);
        self.push(packet)?;

        let mut info = Vec::new();
        info.bytes(1, &utsname(uname));
        info.number(8, u64::from(cpus));
        self.at(ts, SYSTEM_INFO, &info)?;

        let mut tree = Vec::new();
        for task in &extra.tasks {
            match task.tgid.filter(|&tgid| tgid != task.pid) {
                Some(tgid) => tree.bytes(2, &thread(task, tgid)),
                None => tree.bytes(1, &process(task)),
            }
            if CHUNK / 2 < tree.len() {
                self.at(ts, PROCESS_TREE, &tree)?;
                tree.clear();
            }
        }
        self.at(ts, PROCESS_TREE, &tree)?;
        let mut packet = Vec::new();
        packet.bytes(TRACE_CONFIG, &config(extra.cannot_tell));
        self.push(packet)
    }

    /// The events of a CPU.
    pub fn bundle(&mut self, bundle: &[u8]) -> io::Result<()> {
        let mut packet = Vec::with_capacity(bundle.len() + 16);
        packet.bytes(FTRACE_EVENTS, bundle);
        self.push(packet)
    }

    /// Declares the counter with that number.
    pub fn track(&mut self, number: usize, name: &str) -> io::Result<()> {
        let mut track = Vec::new();
        track.number(1, FIRST_TRACK + number as u64);
        track.bytes(2, name.as_bytes());
        let mut counter = Vec::new();
        // UNIT_COUNT
        counter.number(3, 2);
        track.bytes(8, &counter);
        let mut packet = Vec::new();
        packet.bytes(TRACK_DESCRIPTOR, &track);
        self.push(packet)
    }

    /// The counter's value from then on.
    pub fn count(&mut self, number: usize, ts: u64, value: i64) -> io::Result<()> {
        let mut event = Vec::new();
        // TYPE_COUNTER
        event.number(9, 4);
        event.number(11, FIRST_TRACK + number as u64);
        event.number(30, value as u64);
        self.at(ts, TRACK_EVENT, &event)
    }

    /// The totals of each CPU: what was lost.
    pub fn stats(&mut self, lost: impl Iterator<Item = (u32, u64)>) -> io::Result<()> {
        let mut stats = Vec::new();
        // END_OF_TRACE
        stats.number(1, 2);
        for (cpu, lost) in lost {
            let mut of = Vec::new();
            of.number(1, u64::from(cpu));
            of.number(3, lost);
            stats.bytes(2, &of);
        }
        let mut packet = Vec::new();
        packet.bytes(FTRACE_STATS, &stats);
        self.push(packet)
    }

    /// Writes what is left; gives the bytes of the file.
    pub fn finish(mut self) -> io::Result<u64> {
        self.flush()?;
        Ok(self.written)
    }

    fn at(&mut self, ts: u64, field: u32, message: &[u8]) -> io::Result<()> {
        let mut packet = Vec::with_capacity(message.len() + 24);
        packet.number(TIMESTAMP, ts);
        packet.bytes(field, message);
        self.push(packet)
    }

    fn push(&mut self, mut packet: Vec<u8>) -> io::Result<()> {
        packet.number(SEQUENCE_ID, SEQUENCE);
        if CHUNK < self.pending.len() + packet.len() + 8 {
            self.flush()?;
        }
        self.pending.bytes(PACKET, &packet);
        Ok(())
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.pending.is_empty() {
            return Ok(());
        }
        let mut packer = ZlibEncoder::new(Vec::new(), Compression::default());
        packer.write_all(&self.pending)?;
        self.pending.clear();
        let mut packet = Vec::new();
        packet.bytes(COMPRESSED_PACKETS, &packer.finish()?);
        let mut outer = Vec::new();
        outer.bytes(PACKET, &packet);
        self.written += outer.len() as u64;
        self.out.write_all(&outer)
    }
}

/// Which of the scheduler's events were recorded, as far as readers go by it: where there is none of these, none happened.
fn config(cannot_tell: CannotTell) -> Vec<u8> {
    let recorded = [
        ("sched/sched_switch", true),
        ("sched/sched_waking", true),
        ("sched/sched_wakeup", !cannot_tell.has(CannotTell::CHOSEN_CPU)),
        ("sched/sched_migrate_task", !cannot_tell.has(CannotTell::MIGRATIONS)),
    ];
    let mut ftrace = Vec::new();
    for (name, _) in recorded.into_iter().filter(|(_, is_recorded)| *is_recorded) {
        ftrace.bytes(1, name.as_bytes());
    }
    let mut source = Vec::new();
    source.bytes(1, b"linux.ftrace");
    source.bytes(100, &ftrace);
    let mut data_source = Vec::new();
    data_source.bytes(1, &source);
    let mut config = Vec::new();
    config.bytes(2, &data_source);
    config
}

/// `ProcessTree.Process`: a leader, or a task whose leader is not known.
fn process(task: &Known) -> Vec<u8> {
    let mut process = Vec::new();
    process.number(1, task.pid as u64);
    process.number(2, 0);
    process.bytes(3, task.comm.as_bytes());
    if task.is_kernel_thread {
        process.number(8, 1);
    }
    process
}

/// `ProcessTree.Thread`.
fn thread(task: &Known, tgid: i32) -> Vec<u8> {
    let mut thread = Vec::new();
    thread.number(1, task.pid as u64);
    thread.bytes(2, task.comm.as_bytes());
    thread.number(3, tgid as u64);
    thread
}

/// The system, from what `uname -a` or trace-cmd says: sysname, name of the machine, release, ..., architecture.
fn utsname(uname: Option<&str>) -> Vec<u8> {
    let words: Vec<&str> = uname.unwrap_or_default().split_whitespace().collect();
    let word = |at: usize| words.get(at).copied().unwrap_or_default();
    let mut message = Vec::new();
    message.bytes(1, if word(0).is_empty() { "Linux" } else { word(0) }.as_bytes());
    message.bytes(3, release(word(2)).as_bytes());
    if let [_, _, _, .., machine] = words.as_slice() {
        message.bytes(4, machine.as_bytes());
    }
    message
}

/// The kernel's release. Readers take the meaning of `prev_state` from it: an older kernel's is written as that of the one
/// which this file's `prev_state` is of, with its own behind it.
fn release(own: &str) -> String {
    let mut numbers = own.split(|c: char| !c.is_ascii_digit()).map(str::parse::<u32>);
    let found = match (numbers.next(), numbers.next()) {
        (Some(Ok(major)), Some(Ok(minor))) => Some((major, minor)),
        _ => None,
    };
    let (major, minor) = OLDEST;
    match found {
        Some(found) if OLDEST <= found => own.to_owned(),
        _ if own.is_empty() => format!("{major}.{minor}.0"),
        _ => format!("{major}.{minor}.0-of-{own}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_release_says_what_prev_state_means() {
        for (own, written) in [
            ("6.12.107+deb13-amd64", "6.12.107+deb13-amd64"),
            ("4.14.0", "4.14.0"),
            ("4.9.0-19-amd64", "4.14.0-of-4.9.0-19-amd64"),
            ("", "4.14.0"),
            ("x", "4.14.0-of-x"),
        ] {
            assert_eq!(release(own), written);
        }
    }
}
