//! Decodes fields of a record by the text of its format, without its print fmt:
//!
//!     cargo run --example fields

use std::error::Error;

use ftrace_format::{Endian, EventFormat};

/// `events/sched/sched_process_exec/format`.
const FORMAT: &str = "name: sched_process_exec
ID: 311
format:
\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;
\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;
\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;
\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;

\tfield:__data_loc char[] filename;\toffset:8;\tsize:4;\tsigned:1;
\tfield:pid_t pid;\toffset:12;\tsize:4;\tsigned:1;
\tfield:pid_t old_pid;\toffset:16;\tsize:4;\tsigned:1;

print fmt: \"filename=%s pid=%d old_pid=%d\", __get_str(filename), REC->pid, REC->old_pid
";

/// A record as a little-endian machine writes it.
const RECORD: &[u8] = &[
    0x37, 0x01, // common_type: 311
    0x00, // common_flags
    0x00, // common_preempt_count
    0x27, 0x01, 0x00, 0x00, // common_pid: 295
    0x14, 0x00, 0x08, 0x00, // filename: 8 bytes at offset 20 of the record
    0x27, 0x01, 0x00, 0x00, // pid: 295
    0x26, 0x01, 0x00, 0x00, // old_pid: 294
    b'/', b'b', b'i', b'n', b'/', b's', b'h', 0x00, // the string that `filename` points to
];

/// The pid before and after the exec, and the program.
pub fn exec() -> Result<(i64, i64, String), Box<dyn Error>> {
    let format = EventFormat::parse(FORMAT)?;
    // The names are looked up once; the loads cost a few instructions for each record.
    let field = |name: &str| format.field(name).ok_or_else(|| format!("no field {name}"));
    let old_pid = field("old_pid")?.as_int().ok_or("old_pid is no number")?;
    let pid = field("pid")?.as_int().ok_or("pid is no number")?;
    let filename = field("filename")?.as_text().ok_or("filename is no string")?;

    let short = "the record is too short";
    let name = filename.load(RECORD, Endian::Little).ok_or(short)?;
    Ok((
        old_pid.load(RECORD, Endian::Little).ok_or(short)?,
        pid.load(RECORD, Endian::Little).ok_or(short)?,
        String::from_utf8_lossy(name).into_owned(),
    ))
}

fn main() -> Result<(), Box<dyn Error>> {
    let (old_pid, pid, filename) = exec()?;
    println!("{old_pid} became {pid} and runs {filename}");
    Ok(())
}
