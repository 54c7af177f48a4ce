//! Reads a filter and decides on a record: the text up to the first NUL is the filter, and the rest is a record of an event
//! that has every shape of field.

use std::time::{Duration, Instant};

use eventfilter::{Clock, Context, Filter, KnownEvent, RecordToFilter};
use traceevent::{Endian, EventFormat};

const FORMAT: &str = "name: fuzzed\nID: 1\nformat:\n\
    \tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n\
    \tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n\
    \tfield:int a;\toffset:8;\tsize:4;\tsigned:1;\n\
    \tfield:unsigned long b;\toffset:16;\tsize:8;\tsigned:0;\n\
    \tfield:char c[16];\toffset:24;\tsize:16;\tsigned:0;\n\
    \tfield:u16 d[4];\toffset:40;\tsize:8;\tsigned:0;\n\
    \tfield:__data_loc char[] e;\toffset:48;\tsize:4;\tsigned:0;\n\
    \tfield:__rel_loc char[] f;\toffset:52;\tsize:4;\tsigned:0;\n\
    \tfield:void * g;\toffset:56;\tsize:8;\tsigned:0;\n\nprint fmt: \"\"\n";

/// A context that finds everything.
struct Everything;

impl Context for Everything {
    fn comm(&self, _: i32) -> &[u8] {
        b"comm"
    }

    fn function(&self, _: u64) -> Option<&str> {
        Some("function")
    }

    fn line(&mut self) -> &[u8] {
        b"comm-1 fuzzed: text"
    }
}

pub fn check(bytes: &[u8]) {
    let end = bytes.iter().position(|&byte| byte == 0).unwrap_or(bytes.len());
    let (text, rest) = bytes.split_at(end);
    let data = rest.get(1..).unwrap_or_default();
    let Ok(text) = std::str::from_utf8(text) else {
        return;
    };
    let began = Instant::now();
    let filter = match Filter::parse(text) {
        Ok(filter) => filter,
        Err(error) => {
            assert!(text.get(error.at.clone()).is_some(), "{error:?}");
            return;
        }
    };
    let printed = filter.to_string();
    let again = Filter::parse(&printed).map(|again| again.to_string());
    assert_eq!(again.as_ref(), Ok(&printed));
    let format = EventFormat::parse(FORMAT).expect("a format");
    let event = KnownEvent {
        id: 1,
        system: "made",
        name: "fuzzed",
        format: &format,
    };
    for (endian, clock) in [(Endian::Little, Clock::Nanoseconds), (Endian::Big, Clock::Ticks)] {
        match filter.bind([event], endian, clock) {
            Ok(bound) => {
                let record = RecordToFilter {
                    id: 1,
                    cpu: 3,
                    ts: 5,
                    data,
                };
                bound.takes(&record, &mut Everything);
            }
            Err(error) => assert!(text.get(error.at.clone()).is_some(), "{error:?}"),
        }
    }
    assert!(began.elapsed() < Duration::from_secs(5), "{:?}", began.elapsed());
}
