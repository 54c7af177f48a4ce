//! Reads a pair of events and takes records: up to the first NUL stand the texts of the options, a line each, and then
//! records of two events that have a number, a name and a text of variable length.

use eventfilter::{Clock, KnownEvent, RecordToFilter};
use eventpairs::{Again, By, Declaration, Matcher};
use traceevent::{Endian, Env, EventFormat, NoLookup};

const FIELDS: &str = "format:\n\
    \tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n\
    \tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n\
    \tfield:int a;\toffset:8;\tsize:4;\tsigned:1;\n\
    \tfield:unsigned long b;\toffset:16;\tsize:8;\tsigned:0;\n\
    \tfield:char c[4];\toffset:24;\tsize:4;\tsigned:0;\n\
    \tfield:__data_loc char[] e;\toffset:28;\tsize:4;\tsigned:0;\n\nprint fmt: \"a=%d\", REC->a\n";

/// The bytes of a record.
const RECORD: usize = 40;

pub fn check(bytes: &[u8]) {
    let end = bytes.iter().position(|&byte| byte == 0).unwrap_or(bytes.len());
    let (text, rest) = bytes.split_at(end);
    let Ok(text) = std::str::from_utf8(text) else {
        return;
    };
    let mut lines = text.split('\n');
    let [start, end, key, group, value] = std::array::from_fn(|_| lines.next().unwrap_or(""));
    let again = match lines.next() {
        Some("first") => Again::First,
        Some("nest") => Again::Nest,
        _ => Again::Last,
    };
    let declared = match Declaration::parse("fuzzed", [start, end], [key, group, value], again) {
        Ok(declared) => declared,
        Err(error) => {
            assert!(error.text.get(error.error.at.clone()).is_some(), "{error:?}");
            let _ = error.error.pointed(&error.text);
            return;
        }
    };
    let format = |id: u16| EventFormat::parse(&format!("name: e{id}\nID: {id}\n{FIELDS}")).expect("a format");
    let formats = [(1, "one", format(1)), (2, "two", format(2))];
    let known: Vec<KnownEvent<'_>> = formats
        .iter()
        .map(|(id, name, format)| KnownEvent {
            id: *id,
            system: "made",
            name,
            format,
        })
        .collect();
    for endian in [Endian::Little, Endian::Big] {
        let env = Env {
            endian,
            long_size: 8,
            lookup: &NoLookup,
        };
        let mut matcher = match Matcher::new(std::slice::from_ref(&declared), &known, &env, Clock::Nanoseconds) {
            Ok(matcher) => matcher,
            Err(error) => {
                assert!(error.text.get(error.error.at.clone()).is_some(), "{error:?}");
                continue;
            }
        };
        let records = rest.get(1..).unwrap_or_default().chunks(RECORD);
        let count = records.len();
        for (ts, data) in records.enumerate() {
            let first = data.first().copied().unwrap_or(0);
            let record = RecordToFilter {
                id: u16::from(first & 1) + 1,
                cpu: u32::from(first >> 6),
                ts: ts as u64 * 10,
                data,
            };
            matcher.take(&record, first & 2 != 0, &env);
        }
        for pair in matcher.finish().answer(By::Group, 5, |_| true) {
            assert!(pair.count + pair.unmatched_starts <= count, "{pair:?}");
            assert_eq!(pair.count, pair.groups.iter().map(|group| group.count).sum::<usize>());
        }
    }
}
