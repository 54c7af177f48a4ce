//! The list against a naive twin, in which the lines of a story are sorted, filtered and searched one by one.

use std::cell::RefCell;
use std::collections::HashMap;
use std::fmt::Write as _;
use std::ops::Range;

use proptest::prelude::*;
use tracegen::Story;

use super::*;
use crate::error::ReadError;
use crate::file::{ReadAt, TraceFile};
use crate::records::MergedRecords;
use crate::report::{Event, LineClock, LineWriter, ReportOptions};
use crate::scan::{scan_cpu_indexed, RecordIndex};

const START: u64 = 5_000_000_000;
/// Names for tasks without a saved command line; task 1 may have one.
const LEARNED: [(i32, &str); 3] = [(1, "One"), (6, "Six"), (7, "Seven")];

/// One event of a story.
#[derive(Clone, Debug)]
struct Step {
    later: u64,
    cpu: u32,
    by: u32,
    kind: Kind,
}

#[derive(Clone, Debug)]
enum Kind {
    Switch(u32, u32),
    Waking(u32),
    Fork(u32, u32),
    Print,
}

/// What the twin knows about a line.
#[derive(Clone, Debug)]
struct Line {
    ts: u64,
    cpu: u32,
    record: u64,
    common_pid: i32,
    pids: Vec<i32>,
    event: &'static str,
    comm: String,
    /// The texts by mode.
    texts: [String; 3],
    /// The text of the report with plugins.
    whole: String,
}

const MODES: [EventTextMode; 3] = [EventTextMode::TraceCmd, EventTextMode::Kernel, EventTextMode::Raw];

impl Line {
    fn text(&self, mode: EventTextMode) -> &str {
        let index = MODES.iter().position(|&known| known == mode).unwrap();
        &self.texts[index]
    }

    fn has(&self, text: &str, mode: EventTextMode) -> bool {
        let line = format!("{}-{} {}: {}", self.comm, self.common_pid, self.event, self.text(mode));
        line.to_ascii_lowercase().contains(&text.to_ascii_lowercase())
    }

    fn passes(&self, filter: &EventFilter, mode: EventTextMode) -> bool {
        let at = (self.ts - START) as f64;
        filter.cpus.as_ref().is_none_or(|cpus| cpus.contains(&self.cpu))
            && filter
                .pids
                .as_ref()
                .is_none_or(|pids| pids.iter().any(|pid| self.pids.contains(pid)))
            && filter
                .events
                .as_ref()
                .is_none_or(|events| events.iter().any(|name| name.ends_with(self.event)))
            && filter.window.is_none_or(|window| window.start <= at && at < window.end)
            && self.has(&filter.text, mode)
            && filter.expression.as_ref().is_none_or(|text| {
                let known = EXPRESSIONS.iter().find(|(known, _)| known == text);
                known.is_some_and(|(_, passes)| passes(self, mode))
            })
    }
}

/// Expressions, and what they mean. Nothing passes one that is wrong.
type Meaning = fn(&Line, EventTextMode) -> bool;
const EXPRESSIONS: [(&str, Meaning); 6] = [
    ("CPU == 1", |line, _| line.cpu == 1),
    ("COMM == \"<...>\" || common_pid > 4", |line, _| {
        line.comm == "<...>" || line.common_pid > 4
    }),
    ("event ~ \"sched_*\" && !(cpu == 0)", |line, _| {
        line.event.starts_with("sched_") && line.cpu != 0
    }),
    ("sched_waking: pid == 3", |line, _| {
        line.event == "sched_waking" && line.pids.first() == Some(&3)
    }),
    ("text ~ TASK3", |line, mode| line.has("task3", mode)),
    ("nothing ==", |_, _| false),
];

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let kind = prop_oneof![
        (1_u32..6, 1_u32..6).prop_map(|(prev, next)| Kind::Switch(prev, next)),
        (1_u32..6).prop_map(Kind::Waking),
        (1_u32..6, 6_u32..9).prop_map(|(parent, child)| Kind::Fork(parent, child)),
        Just(Kind::Print),
    ];
    let step = (prop_oneof![0_u64..2, 0_u64..500], 0_u32..3, 1_u32..9, kind).prop_map(|(later, cpu, by, kind)| Step {
        later,
        cpu,
        by,
        kind,
    });
    prop::collection::vec(step, 1..300)
}

/// The file of a story, and its lines.
fn story(steps: &[Step]) -> (Vec<u8>, Vec<Line>) {
    let mut text = "version 7\ncompression zstd\ncpus 3\nstart 5s\n".to_owned();
    let (mut now, mut records, mut saved) = (0, [0; 3], HashMap::new());
    let mut lines = Vec::new();
    for (index, Step { later, cpu, by, kind }) in steps.iter().enumerate() {
        now += if index == 0 { 0 } else { *later };
        let (event, line, mut pids) = match kind {
            Kind::Switch(prev, next) => {
                saved.insert(*next as i32, format!("Task{next}"));
                (
                    "sched_switch",
                    format!("switch Task{prev}:{prev} S -> Task{next}:{next}"),
                    vec![*prev, *next],
                )
            }
            Kind::Waking(pid) => ("sched_waking", format!("waking Task{pid}:{pid} on 0"), vec![*pid]),
            Kind::Fork(parent, child) => (
                "sched_process_fork",
                format!("fork Task{parent}:{parent} -> Task{child}:{child}"),
                vec![*parent, *child],
            ),
            Kind::Print => ("print", "print hello".to_owned(), vec![]),
        };
        writeln!(text, "{now} cpu{cpu} {line} by {by}").unwrap();
        pids.push(*by);
        let count = &mut records[*cpu as usize];
        lines.push(Line {
            ts: START + now,
            cpu: *cpu,
            record: *count,
            common_pid: *by as i32,
            pids: pids.into_iter().map(|pid| pid as i32).collect(),
            event,
            comm: String::new(),
            texts: Default::default(),
            whole: String::new(),
        });
        *count += 1;
    }
    for line in &mut lines {
        let learned = LEARNED.iter().find(|&&(pid, _)| pid == line.common_pid);
        line.comm = saved
            .get(&line.common_pid)
            .cloned()
            .or(learned.map(|&(_, name)| name.to_owned()))
            .unwrap_or("<...>".to_owned());
    }
    lines.sort_by_key(|line| (line.ts, line.cpu));
    let bytes = Story::parse(&text).unwrap().to_bytes();
    print(&mut lines, &bytes);
    (bytes, lines)
}

/// Prints the records as they come from a merge.
fn print(lines: &mut [Line], bytes: &[u8]) {
    let file = TraceFile::open(bytes).unwrap();
    let writers = [(false, false), (false, true), (true, false)].map(|(raw, no_plugins)| {
        LineWriter::new(
            &file,
            &ReportOptions {
                raw,
                no_plugins,
                ..ReportOptions::default()
            },
        )
    });
    let clock = LineClock::new(&file, false);
    let mut records = MergedRecords::new(&file, |_, _| true);
    for line in lines {
        let record = records.next().unwrap().unwrap();
        let event = Event::from(record);
        for (writer, text) in writers.iter().zip(&mut line.texts) {
            let mut out = Vec::new();
            writer.text(&event, &mut out);
            *text = String::from_utf8(out).unwrap().trim_end().to_owned();
        }
        let mut out = Vec::new();
        LineWriter::new(&file, &ReportOptions::default()).line(&event, None, &clock, &mut out);
        line.whole = String::from_utf8(out).unwrap();
    }
}

fn list(file: &TraceFile<Vec<u8>>) -> EventList<'_, Vec<u8>> {
    // The order does not matter: the list finds the place of each CPU.
    let indexes = [2, 0, 1].map(|cpu| RecordIndex::from_bytes(&scan_cpu_indexed(file, cpu).unwrap().1).unwrap());
    named(EventList::new(file, START, indexes.to_vec()))
}

fn named<'f>(mut list: EventList<'f, Vec<u8>>) -> EventList<'f, Vec<u8>> {
    let names = LEARNED.iter().map(|&(pid, name)| (pid, name.to_owned())).collect();
    list.learn_names(names);
    list
}

/// The list of another worker, which looks at turns of a list.
struct Other<'f> {
    list: EventList<'f, Vec<u8>>,
    handed: Vec<HandedTurn>,
    seeks: usize,
}

impl<'f> Other<'f> {
    fn of(file: &'f TraceFile<Vec<u8>>, list: &EventList<'f, Vec<u8>>) -> Self {
        let indexes = list
            .indexes()
            .map(|index| RecordIndex::from_bytes(&index.to_bytes()).unwrap());
        let list = named(EventList::new(file, START, indexes.collect()));
        assert_eq!(list.progress().0.all, 0);
        let (handed, seeks) = (Vec::new(), 0);
        Other { list, handed, seeks }
    }

    /// Takes turns, and tells later what was found, in another order; each seventh is not looked at.
    fn help(&mut self, list: &mut EventList<'f, Vec<u8>>) {
        let walks = [Walk::List, Walk::Search, Walk::Hits];
        self.handed
            .extend(walks.into_iter().filter_map(|walk| list.hand_out(walk)));
        let waits = |list: &EventList<'_, Vec<u8>>| {
            let reads = [list.reads(), list.search_reads(), list.hits_reads()];
            reads.into_iter().any(|reads| reads.elsewhere)
        };
        while 3 <= self.handed.len() || waits(list) {
            let place = self.seeks % self.handed.len();
            let handed = self.handed.remove(place);
            self.seeks += 1;
            let text = serde_json::to_string(&handed).unwrap();
            let handed: HandedTurn = serde_json::from_str(&text).unwrap();
            let words = (!self.seeks.is_multiple_of(7)).then(|| self.list.seek(&handed).unwrap());
            list.found(&handed, words);
        }
    }
}

fn answer(list: &mut EventList<'_, Vec<u8>>, query: &EventsQuery, budget: usize) -> EventsAnswer {
    answer_with(list, None, query, budget)
}

/// Asks what is known already, and then again and again until there is an answer.
fn answer_with<'f>(
    list: &mut EventList<'f, Vec<u8>>,
    mut other: Option<&mut Other<'f>>,
    query: &EventsQuery,
    budget: usize,
) -> EventsAnswer {
    for budget in std::iter::once(0).chain(std::iter::repeat_n(budget, 10_000)) {
        if let Some(answer) = list.ask(query, budget).unwrap() {
            return answer;
        }
        if let Some(other) = &mut other {
            other.help(list);
        }
    }
    panic!("no answer to {query:?}");
}

fn filters() -> impl Strategy<Value = EventFilter> {
    let texts = [
        "",
        "",
        "",
        "9",
        "task3",
        "PRINT: ",
        "Six-6 sched_w",
        "nothing",
        "<...>",
        "next_comm=task2",
    ];
    let events = ["print", "sched:sched_switch", "sched_waking", "sched_process_fork"].map(str::to_owned);
    let window = (0_f64..20_000.0, 0_f64..20_000.0).prop_map(|(start, end)| EventWindow { start, end });
    (
        prop::option::of(prop::collection::vec(0_u32..4, 0..3)),
        prop::option::of(prop::collection::vec(0_i32..9, 0..3)),
        prop::option::of(prop::sample::subsequence(events.to_vec(), 0..4)),
        prop::sample::select(texts.to_vec()),
        prop::option::of(window),
        prop::option::of(prop::sample::select(EXPRESSIONS.map(|(text, _)| text).to_vec())),
    )
        .prop_map(|(cpus, pids, events, text, window, expression)| EventFilter {
            expression: expression.map(str::to_owned),
            cpus,
            pids,
            events,
            text: text.to_owned(),
            window,
        })
}

fn modes() -> impl Strategy<Value = EventTextMode> {
    prop::sample::select(&MODES[..])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn rows_and_searches_are_the_twins(
        steps in steps(),
        filters in prop::collection::vec((filters(), modes()), 1..6),
        budget in 1_usize..50,
        from in -1_i64..300,
        text in prop::sample::select(vec!["task", "1", "prev_pid=3", "Seven", "none of it", "==> ", ""]),
        at in 0_f64..20_000.0,
        cpu in prop::option::of(0_u32..4),
        is_helped in any::<bool>(),
    ) {
        let (bytes, lines) = story(&steps);
        let file = TraceFile::open(bytes).unwrap();
        let mut list = list(&file);
        let mut other = is_helped.then(|| Other::of(&file, &list));

        // Each filter is used twice, so that lists which are already known are asked again.
        for (filter, mode) in filters.iter().chain(&filters) {
            let of = EventSelection { filter: filter.clone(), mode: *mode };
            let expected: Vec<&Line> = lines.iter().filter(|line| line.passes(filter, *mode)).collect();

            if *mode == EventTextMode::TraceCmd {
                let first = from.max(0) as usize;
                let lines = EventsQuery::EventLines { of: of.clone(), first, count: 3 };
                let EventsAnswer::EventLines { text } = answer_with(&mut list, other.as_mut(), &lines, budget) else {
                    panic!("other lines");
                };
                // A comm from an earlier line is known in later ones, so only the first line can be compared by itself.
                prop_assert_eq!(text.lines().next(), expected.get(first).map(|line| line.whole.trim_end()));
                prop_assert_eq!(text.lines().count(), expected.len().saturating_sub(first).min(3));
            }

            let search = |direction| EventsQuery::EventSearch { of: of.clone(), text: text.to_owned(), from, direction };
            let has = |row: &usize| !text.is_empty() && expected[*row].has(text, *mode);
            let behind = (0..expected.len()).filter(|&row| from < row as i64).find(has);
            prop_assert_eq!(answer_with(&mut list, other.as_mut(), &search(1), budget), EventsAnswer::EventSearch { row: behind });

            let row_at = EventsQuery::EventRowAt { of: of.clone(), at, cpu };
            let row = expected.iter().position(|line| at <= (line.ts - START) as f64 && cpu.is_none_or(|cpu| line.cpu == cpu));
            prop_assert_eq!(answer_with(&mut list, other.as_mut(), &row_at, budget), EventsAnswer::EventRowAt { row });

            let rows = EventsQuery::EventRows { of: of.clone(), first: from.max(0) as usize, count: 40 };
            let _ = answer_with(&mut list, other.as_mut(), &rows, budget);
            for _ in 0..10_000 {
                list.advance(budget).unwrap();
                if let Some(other) = &mut other {
                    other.help(&mut list);
                }
            }
            let EventsAnswer::EventRows { progress, total, first, rows } = answer_with(&mut list, other.as_mut(), &rows, budget) else {
                panic!("other rows");
            };
            prop_assert_eq!((progress.done, progress.complete, total), (lines.len(), true, expected.len()));
            prop_assert_eq!(rows.len(), expected.len().saturating_sub(first).min(40));
            for (found, (number, line)) in rows.iter().zip(expected.iter().enumerate().skip(first)) {
                prop_assert_eq!(found, &EventRow {
                    row: number,
                    cpu: line.cpu,
                    record: line.record,
                    at: line.ts - START,
                    pid: line.common_pid,
                    comm: line.comm.clone(),
                    event: line.event.to_owned(),
                    text: line.text(*mode).to_owned(),
                    lost: None,
                });
            }

            // Backwards, only what is already known is searched: by now, all of it.
            let before = (0..expected.len()).rev().filter(|&row| (row as i64) < from).find(has);
            prop_assert_eq!(answer_with(&mut list, other.as_mut(), &search(-1), budget), EventsAnswer::EventSearch { row: before });
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn hits_are_the_twins(
        steps in steps(),
        asked in prop::collection::vec(0..EXPRESSIONS.len(), 1..4),
        budget in 1_usize..60,
        level in 0_u32..16,
        first in 0_u64..40,
        is_helped in any::<bool>(),
    ) {
        let (bytes, lines) = story(&steps);
        let file = TraceFile::open(bytes).unwrap();
        let mut list = list(&file);
        let mut other = is_helped.then(|| Other::of(&file, &list));
        for index in asked {
            let (text, passes) = EXPRESSIONS[index];
            let expression = text.to_owned();
            let found: Vec<&Line> = lines.iter().filter(|line| passes(line, EventTextMode::TraceCmd)).collect();

            // Walked through before anything is known, forwards; then all is known, and backwards.
            let mut places: Vec<(u64, u32)> = found.iter().map(|line| (line.ts - START, line.cpu)).collect();
            places.dedup();
            for (direction, wanted) in [(1, places.clone()), (-1, places.into_iter().rev().collect())] {
                let mut at = (if direction > 0 { 0.0 } else { 1e9 }, None);
                for place in wanted.into_iter().map(Some).chain([None]) {
                    let query = EventsQuery::EventHitAt { expression: expression.clone(), at: at.0, cpu: at.1, direction };
                    let EventsAnswer::EventHitAt { hit } = answer_with(&mut list, other.as_mut(), &query, budget) else { panic!("another answer") };
                    prop_assert_eq!(hit.as_ref().map(|hit| (hit.at, hit.cpu)), place);
                    if let Some(hit) = hit {
                        let line = found[hit.number];
                        prop_assert_eq!((hit.at, hit.cpu, hit.pid), (line.ts - START, line.cpu, line.common_pid));
                        prop_assert_eq!((&hit.comm, hit.event.as_str()), (&line.comm, line.event));
                        at = (hit.at as f64, Some(hit.cpu));
                    }
                }
            }

            let EventsAnswer::EventHits { progress, total, error } =
                answer_with(&mut list, other.as_mut(), &EventsQuery::EventHits { expression: expression.clone() }, budget)
            else {
                panic!("another answer");
            };
            prop_assert_eq!((progress.complete, total, error.is_some()), (true, found.len(), text == "nothing =="));

            for (kind, keys) in [(EventTrack::Hits, vec![1, 7, 0]), (EventTrack::AllHits, vec![])] {
                let tile = EventsQuery::Tile(EventTileQuestion {
                    kind, variant: expression.clone(), keys: keys.clone(), level, first_bucket: first as f64, buckets: 9,
                });
                let EventsAnswer::Tile { values, .. } = answer_with(&mut list, other.as_mut(), &tile, budget) else { panic!("another answer") };
                let count = |bucket: u64, cpu: Option<u32>| {
                    let there = |line: &&&Line| (line.ts - START) >> level == bucket && cpu.is_none_or(|cpu| line.cpu == cpu);
                    found.iter().filter(there).count() as u32
                };
                let tracks: Vec<Option<u32>> = if keys.is_empty() { vec![None] } else { keys.into_iter().map(Some).collect() };
                let naive: Vec<u32> = tracks.iter().flat_map(|&cpu| (first..first + 9).map(move |bucket| (bucket, cpu)))
                    .map(|(bucket, cpu)| count(bucket, cpu)).collect();
                prop_assert_eq!(values, naive);
            }
        }
    }
}

#[test]
fn most_of_a_long_list_can_be_looked_at_by_another_worker() {
    let steps: Vec<Step> = (0..6000)
        .map(|step| Step {
            later: 3,
            cpu: step % 3,
            by: 1 + step % 5,
            kind: if step % 100 == 0 { Kind::Print } else { Kind::Waking(2) },
        })
        .collect();
    let (bytes, _) = story(&steps);
    let file = TraceFile::open(bytes).unwrap();
    let mut list = list(&file);
    let mut other = Other::of(&file, &list);
    let events = Some(vec!["print".to_owned()]);
    let all = EventSelection {
        filter: EventFilter::default(),
        mode: EventTextMode::TraceCmd,
    };
    let prints = EventSelection {
        filter: EventFilter {
            events,
            ..EventFilter::default()
        },
        ..all.clone()
    };
    let search = EventsQuery::EventSearch {
        of: all,
        text: "in no line".to_owned(),
        from: -1,
        direction: 1,
    };
    let found = answer_with(&mut list, Some(&mut other), &search, 50);
    assert_eq!(found, EventsAnswer::EventSearch { row: None });
    let of_search = std::mem::take(&mut other.seeks);
    let rows = EventsQuery::EventRows {
        of: prints,
        first: 0,
        count: 1,
    };
    answer_with(&mut list, None, &rows, 50);
    while !list.progress().0.complete {
        list.advance(50).unwrap();
        other.help(&mut list);
    }
    assert_eq!(list.progress().1, 60);
    let of_list = std::mem::take(&mut other.seeks);
    let expression = "common_pid == 3".to_owned();
    let hits = EventsQuery::EventHits { expression };
    let EventsAnswer::EventHits { total, .. } = answer_with(&mut list, Some(&mut other), &hits, 50) else {
        panic!("another answer");
    };
    assert_eq!(total, 1200);
    let mut alone = self::list(&file);
    answer(&mut alone, &hits, 50);
    for place in 0..3 {
        let (expression, first) = ("common_pid == 3".to_owned(), 0);
        let runs = EventsQuery::EventHitRuns {
            expression,
            place,
            first,
        };
        assert_eq!(answer(&mut list, &runs, 1), answer(&mut alone, &runs, 1));
    }
    // All but the turns that are read next where they are asked for.
    let seeks = [of_search, of_list, other.seeks];
    assert!(seeks.iter().all(|&seeks| 10 < seeks), "{seeks:?}");
}

/// An input that notes what is read of it.
struct Noted(Vec<u8>, RefCell<Vec<Range<u64>>>);

impl ReadAt for Noted {
    fn len(&self) -> u64 {
        self.0.len() as u64
    }

    fn read_at(&self, offset: u64, buf: &mut [u8]) -> Result<(), ReadError> {
        self.1.borrow_mut().push(offset..offset + buf.len() as u64);
        self.0.read_at(offset, buf)
    }
}

#[test]
fn what_rows_read_is_told_before() {
    let steps: Vec<Step> = (0..6000)
        .map(|step| Step {
            later: 3,
            cpu: step % 3,
            by: 1,
            kind: Kind::Waking(2),
        })
        .collect();
    let (bytes, _) = story(&steps);
    let file = TraceFile::open(Noted(bytes, RefCell::default())).unwrap();
    let indexes = [0, 1, 2].map(|cpu| RecordIndex::from_bytes(&scan_cpu_indexed(&file, cpu).unwrap().1).unwrap());
    let mut list = EventList::new(&file, START, indexes.to_vec());
    let rows = |first: usize| {
        let of = EventSelection {
            filter: EventFilter::default(),
            mode: EventTextMode::Raw,
        };
        EventsQuery::EventRows { of, first, count: 40 }
    };
    // The first line that is printed needs names of the file's head.
    list.ask(&rows(5990), 0).unwrap();
    for first in [0, 3, 5000, 2500, 5990] {
        let rows = rows(first);
        let mut told = list.row_reads(&rows);
        file.input().1.take();
        list.ask(&rows, 0).unwrap();
        let mut read = file.input().1.take();
        for ranges in [&mut told, &mut read] {
            ranges.sort_by_key(|range| range.start);
            ranges.dedup();
        }
        assert_eq!(told, read);
        // The same rows are in memory then.
        assert_eq!(list.row_reads(&rows), []);
    }
}

#[test]
fn names_are_counted() {
    let steps: Vec<Step> = (0..30)
        .map(|step| Step {
            later: 3,
            cpu: step % 3,
            by: 1,
            kind: if step % 2 == 0 { Kind::Print } else { Kind::Waking(2) },
        })
        .collect();
    let (bytes, _) = story(&steps);
    let file = TraceFile::open(bytes).unwrap();
    let EventsAnswer::EventNames { names } = answer(&mut list(&file), &EventsQuery::EventNames, 1) else {
        panic!("other names");
    };
    let told: Vec<String> = names
        .iter()
        .map(|event| format!("{}:{} {}", event.system, event.name, event.count))
        .collect();
    assert_eq!(told, ["ftrace:print 15", "sched:sched_waking 15"]);
}

#[test]
fn queries_and_answers_are_the_protocols() {
    let query = r#"{"type":"event_search","filter":{"cpus":[1],"pids":null,"events":["sched:a"],"text":"x","window":
        {"start":0,"end":1.5}},"mode":"trace-cmd","text":"y","from":-1,"direction":-1}"#;
    let EventsQuery::EventSearch {
        of,
        text,
        from,
        direction,
    } = serde_json::from_str(query).unwrap()
    else {
        panic!("another query");
    };
    assert_eq!(
        (text.as_str(), from, direction, of.mode),
        ("y", -1, -1, EventTextMode::TraceCmd)
    );
    assert_eq!((of.filter.cpus, of.filter.pids), (Some(vec![1]), None));
    let row = |lost| EventRow {
        row: 3,
        cpu: 1,
        record: 2,
        at: 5,
        pid: -1,
        comm: "c".to_owned(),
        event: "e".to_owned(),
        text: "t".to_owned(),
        lost,
    };
    let answer = EventsAnswer::EventRows {
        progress: EventProgress {
            done: 1,
            all: 2,
            complete: false,
        },
        total: 1,
        first: 3,
        rows: [
            None,
            Some(Lost(traceevent::Missed::Unknown)),
            Some(Lost(traceevent::Missed::Count(9))),
        ]
        .map(row)
        .to_vec(),
    };
    let line = |lost| {
        format!(r#"{{"row":3,"cpu":1,"record":2,"at":5,"pid":-1,"comm":"c","event":"e","text":"t","lost":{lost}}}"#)
    };
    assert_eq!(
        serde_json::to_string(&answer).unwrap(),
        format!(
            r#"{{"type":"event_rows","done":1,"all":2,"complete":false,"total":1,"first":3,"rows":[{},{},{}]}}"#,
            line("null"),
            line("\"some\""),
            line("9")
        )
    );
}
