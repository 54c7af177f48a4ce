//! What belongs together, on made records: against a twin that keeps a plain list of open starts.

#![allow(
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test that panics has failed"
)]

use eventfilter::{Clock, KnownEvent, RecordToFilter};
use eventpairs::{Again, By, Declaration, Matcher, TABLE};
use proptest::prelude::*;
use traceevent::{Endian, Env, EventFormat, NoLookup};

const COMMON: &str = "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n\
    \tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n";
const ENV: Env<'static> = Env {
    endian: Endian::Little,
    long_size: 8,
    lookup: &NoLookup,
};

fn formats() -> Vec<EventFormat> {
    let fields = "\tfield:unsigned int vec;\toffset:8;\tsize:4;\tsigned:0;\n";
    let print_fmt = "\"%s\", __print_symbolic(REC->vec, { 0, \"HI\" }, { 1, \"TIMER\" })";
    let text =
        |name: &str, id: u16| format!("name: {name}\nID: {id}\nformat:\n{COMMON}{fields}\nprint fmt: {print_fmt}\n");
    [("enter", 1), ("leave", 2)]
        .iter()
        .map(|(name, id)| EventFormat::parse(&text(name, *id)).unwrap())
        .collect()
}

fn known(formats: &[EventFormat]) -> Vec<KnownEvent<'_>> {
    formats
        .iter()
        .map(|format| KnownEvent {
            id: format.id,
            system: "made",
            name: &format.name,
            format,
        })
        .collect()
}

/// An event: whether it is a start, CPU, vec, and how long after the one before.
type Made = (bool, u32, u32, u64);

fn found(declared: &Declaration, made: &[Made]) -> Result<eventpairs::Answer, String> {
    let formats = formats();
    let mut matcher = Matcher::new(std::slice::from_ref(declared), &known(&formats), &ENV, Clock::Ticks)
        .map_err(|error| format!("{} {:?} {}", error.option, error.error.at, error.error))?;
    let mut ts = 0;
    for &(start, cpu, vec, after) in made {
        ts += after;
        let mut data = vec![if start { 1 } else { 2 }, 0, 0, 0];
        data.extend(7_i32.to_le_bytes());
        data.extend(vec.to_le_bytes());
        let record = RecordToFilter {
            id: if start { 1 } else { 2 },
            cpu,
            ts,
            data: &data,
        };
        matcher.take(&record, false, &ENV);
    }
    let answers = matcher.finish().answer(By::Group, 3, |_| true);
    Ok(answers.into_iter().next().unwrap())
}

/// Counts and sorted durations, from a list of all open starts in their order.
fn twin(again: Again, made: &[Made]) -> (Vec<i64>, usize, usize, usize) {
    let mut open: Vec<(u32, u32, u64)> = Vec::new();
    let (mut lengths, mut ends, mut restarted, mut ts) = (Vec::new(), 0, 0, 0);
    for &(start, cpu, vec, after) in made {
        ts += after;
        let last = open.iter().rposition(|&(of, key, _)| (of, key) == (cpu, vec));
        match (start, last) {
            (false, None) => ends += 1,
            (false, Some(at)) => lengths.push((ts - open.remove(at).2) as i64),
            (true, Some(at)) if again != Again::Nest => {
                restarted += 1;
                if again == Again::Last {
                    open[at].2 = ts;
                }
            }
            (true, _) => open.push((cpu, vec, ts)),
        }
    }
    lengths.sort_unstable();
    (lengths, open.len(), ends, restarted)
}

proptest! {
    #[test]
    fn pairs_are_those_of_a_plain_list(
        made in prop::collection::vec((any::<bool>(), 0..2u32, 0..3u32, 0..100u64), 0..60),
        again in prop::sample::select(&[Again::Last, Again::First, Again::Nest][..]),
    ) {
        let declared = Declaration::parse("made", ["made:enter", "made:leave"], ["cpu,vec", "vec", ""], again).unwrap();
        let answer = found(&declared, &made).unwrap();
        let (lengths, open, ends, restarted) = twin(again, &made);
        prop_assert_eq!(answer.count, lengths.len());
        prop_assert_eq!((answer.unmatched_starts, answer.unmatched_ends, answer.restarted), (open, ends, restarted));
        prop_assert_eq!(answer.ns.sum, lengths.iter().copied().map(i128::from).sum::<i128>());
        prop_assert_eq!((answer.ns.min, answer.ns.max), (lengths.first().copied(), lengths.last().copied()));
        let half = lengths.len().div_ceil(2).checked_sub(1).map(|at| lengths[at]);
        prop_assert_eq!(answer.ns.p50, half);
        prop_assert_eq!(answer.groups.iter().map(|group| group.count).sum::<usize>(), lengths.len());
        prop_assert_eq!(answer.ns.histogram.iter().map(|(_, count)| count).sum::<u64>(), lengths.len() as u64);
    }
}

#[test]
fn groups_are_named_as_the_print_fmt_names_them() {
    let declared = Declaration::parse(
        "made",
        ["made:enter[vec < 9]", "made:leave"],
        ["cpu,vec", "vec", ""],
        Again::Last,
    )
    .unwrap();
    let made = [
        (true, 0, 1, 0),
        (false, 0, 1, 5),
        (true, 0, 0, 1),
        (false, 0, 0, 2),
        (true, 0, 9, 1),
    ];
    let answer = found(&declared, &made).unwrap();
    let groups: Vec<_> = answer
        .groups
        .iter()
        .map(|group| (group.group.as_str(), group.ns.sum))
        .collect();
    assert_eq!(groups, [("TIMER", 5), ("HI", 2)]);
    assert_eq!(answer.unmatched_starts, 0);
}

#[test]
fn values_need_no_second_event_and_may_be_negative() {
    let declared = Declaration::parse("made", ["made:enter", ""], ["", "", "vec - cpu"], Again::Last).unwrap();
    let answer = found(&declared, &[(true, 1, 4, 0), (true, 3, 0, 0)]).unwrap();
    assert_eq!((answer.count, answer.ns.min, answer.ns.max), (2, Some(-3), Some(3)));
    assert_eq!(answer.ns.histogram, [(-2, 1), (2, 1)]);
    assert_eq!(answer.end, None);
}

#[test]
fn numbers_of_a_value_may_be_multiplied() {
    let declared = Declaration::parse("made", ["made:enter", ""], ["", "", "vec * 1000 - cpu*3"], Again::Last).unwrap();
    let answer = found(&declared, &[(true, 1, 4, 0), (true, 2, 0, 0)]).unwrap();
    assert_eq!((answer.ns.min, answer.ns.max), (Some(-6), Some(3997)));
    for (value, expected) in [
        ("vec * ", "--value 5..6 expected a whole number after `*`, found ``"),
        (
            "vec * 1.5 - cpu",
            "--value 5..10 expected a whole number after `*`, found `1.5`",
        ),
        (
            "1000 * vec",
            "--value 6..10 expected a whole number after `*`, found `vec`",
        ),
    ] {
        let error = Declaration::parse("made", ["made:enter", ""], ["", "", value], Again::Last).unwrap_err();
        assert_eq!(
            format!("{} {:?} {}", error.option, error.error.at, error.error),
            expected
        );
    }
}

#[test]
fn what_an_event_lacks_is_told_with_its_place() {
    for (events, words, expected) in [
        (
            ["made:entr", "made:leave"],
            ["vec", "", ""],
            "--start 0..9 the trace knows no event `made/entr`; the closest is enter",
        ),
        (
            ["made:enter[ve == 1]", "made:leave"],
            ["vec", "", ""],
            "--start 11..13 no event has a field `ve`; the closest is vec",
        ),
        (
            ["made:enter", "made:leave"],
            ["cpu,vec=vex", "", ""],
            "--key 8..11 leave has no field `vex`; the closest is vec",
        ),
        (
            ["made:enter", "made:leave"],
            ["vec", "vek", ""],
            "--group 0..3 enter has no field `vek`; the closest is vec",
        ),
        (
            ["made:enter", "made:leave"],
            ["vec", "", "end.vek"],
            "--value 4..7 leave has no field `vek`; the closest is vec",
        ),
        (
            ["made:enter", "made:leave"],
            ["vec=comm", "", ""],
            "--key 0..8 `vec` and `comm` are a number and a text",
        ),
    ] {
        let declared = Declaration::parse("made", events, words, Again::Last).unwrap();
        assert_eq!(found(&declared, &[]).unwrap_err(), expected);
    }
}

#[test]
fn the_table_can_be_read() {
    for row in TABLE {
        Declaration::built_in(row).unwrap_or_else(|error| panic!("{}: {error:?}", row.name));
        assert_eq!(TABLE.iter().filter(|other| other.name == row.name).count(), 1);
    }
}
