//! Evaluates a print fmt for a record: the text up to the first NUL is the print fmt of an event that has every shape
//! of field, and the rest is the record.

use std::time::{Duration, Instant};

use traceevent::{trace_cmd, Endian, Env, EventFormat, EventText, Function, Lookup, Symbol};

const FIELDS: &str = "name: fuzzed\nID: 1\nformat:\n\
    \tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n\
    \tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n\
    \tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n\
    \tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n\
    \tfield:int a;\toffset:8;\tsize:4;\tsigned:1;\n\
    \tfield:unsigned long b;\toffset:16;\tsize:8;\tsigned:0;\n\
    \tfield:char c[16];\toffset:24;\tsize:16;\tsigned:0;\n\
    \tfield:u16 d[4];\toffset:40;\tsize:8;\tsigned:0;\n\
    \tfield:__data_loc char[] e;\toffset:48;\tsize:4;\tsigned:0;\n\
    \tfield:__rel_loc u32[] f;\toffset:52;\tsize:4;\tsigned:0;\n\
    \tfield:void * g;\toffset:56;\tsize:8;\tsigned:0;\n\n";

/// A context that finds everything.
struct Everything;

impl Lookup for Everything {
    fn symbol(&self, address: u64) -> Option<Symbol<'_>> {
        Some(Symbol {
            name: "symbol",
            module: Some("module"),
            start: address & !0xff,
        })
    }

    fn address(&self, _: &str) -> Option<u64> {
        Some(0xffff_ffff_8100_0000)
    }

    fn printk(&self, _: u64) -> Option<&str> {
        Some("%s %d\n")
    }

    fn comm(&self, _: i32) -> Option<&[u8]> {
        Some(b"comm")
    }
}

fn functions(name: &str) -> Option<Function> {
    trace_cmd::find_function(name)
}

pub fn check(bytes: &[u8]) {
    let end = bytes.iter().position(|&byte| byte == 0).unwrap_or(bytes.len());
    let (print_fmt, rest) = bytes.split_at(end);
    let record = rest.get(1..).unwrap_or_default();
    let text = format!("{FIELDS}print fmt: {}\n", String::from_utf8_lossy(print_fmt));
    let Ok(format) = EventFormat::parse(&text) else {
        return;
    };
    for (endian, long_size) in [(Endian::Little, 8), (Endian::Big, 4)] {
        let env = Env {
            endian,
            long_size,
            lookup: &Everything,
        };
        let began = Instant::now();
        let mut out = Vec::new();
        for event in [
            EventText::compile(&format, long_size),
            EventText::compile_with(&format, long_size, functions),
        ] {
            event.print(&env, record, &mut out);
            event.print_raw(&env, record, &mut out);
        }
        traceevent::print_bprint(&env, &String::from_utf8_lossy(print_fmt), record, &mut out);
        // Print fmt and record are a few KB long: if the text is longer than this, or takes longer, something else
        // makes it grow.
        assert!(out.len() < 16 << 20, "{} bytes of text", out.len());
        assert!(
            began.elapsed() < Duration::from_secs(5),
            "{:?} for one record",
            began.elapsed()
        );
    }
}
