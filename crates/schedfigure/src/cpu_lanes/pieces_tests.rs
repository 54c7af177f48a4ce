//! Tests the pieces against their definition, nanosecond by nanosecond.

use super::{ColourGroup, Cutter, Looks, Mark, Piece, What, HIDDEN};
use crate::paint::scale::Scale;
use proptest::prelude::*;
use schedindex::Passing;
use schedmodel::{Lane, TaskCommId, Trace, Who};
use std::ops::Range;

/// Groups of the runs' (task, comm) pairs: two look the same, and the last is not drawn.
const LOOKS: [ColourGroup; 5] = [0, 1, 2, 1, HIDDEN];
/// The groups of the same pairs' runs that do not pass a filter.
const OTHERS: [ColourGroup; 5] = [1, 0, 0, 2, HIDDEN];
const STANDS_OUT: [bool; 3] = [false, false, true];
const ALL: Looks<'_> = Looks {
    of: &LOOKS,
    others: None,
};

/// What passes of a lane: the runs whose bits are set.
fn passing_of(lane: &Lane, words: &[u32]) -> Passing {
    let trace = Trace {
        lanes: vec![lane.clone()],
        ..Trace::default()
    };
    Passing::of_words(&trace, words.to_vec())
}

/// The part of a nanosecond: its number (everything that is not drawn is part 0) and what it is.
type Ns = (usize, Option<What>);

fn nanoseconds(intervals: &[(u64, Who)], window: &Range<u64>, passes: impl Fn(usize) -> bool) -> Vec<Ns> {
    let mut all = Vec::new();
    for (index, &(length, who)) in intervals.iter().enumerate() {
        let what = match who {
            Who::Idle => None,
            Who::Unknown => Some(What::Unknown),
            Who::Run(TaskCommId(id)) => match if passes(index) { LOOKS } else { OTHERS }[id as usize] {
                HIDDEN => None,
                look if index == 0 => Some(What::Inferred(look)),
                look => Some(What::Run(look)),
            },
        };
        let part = what.map_or(0, |_| index + 1);
        all.extend((0..length).map(|_| (part, what)));
    }
    let end = (window.end as usize).min(all.len());
    all.get(window.start as usize..end).unwrap_or_default().to_vec()
}

/// The ranges of the parts of some nanoseconds.
fn parts(all: &[Ns]) -> Vec<(Range<usize>, Option<What>)> {
    let borders: Vec<usize> = (0..=all.len())
        .filter(|&at| at == 0 || at == all.len() || all[at - 1].0 != all[at].0)
        .collect();
    borders
        .windows(2)
        .map(|pair| (pair[0]..pair[1], all[pair[0]].1))
        .collect()
}

fn twin(all: &[Ns], start: u64, dot: usize, merge: bool) -> Vec<Piece> {
    let piece = |range: &Range<usize>, what: What, mark: Mark| Piece {
        from: start + range.start as u64,
        to: start + range.end as u64,
        what,
        mark,
    };
    let mut found = Vec::new();
    let parts = parts(all);
    for group in parts.chunk_by(|a, b| a.0.len() < dot && b.0.len() < dot) {
        let drawn: Vec<_> = group
            .iter()
            .filter_map(|(range, what)| what.map(|what| (range.clone(), what)))
            .collect();
        let (Some(first), Some(last)) = (drawn.first(), drawn.last()) else {
            continue;
        };
        let stretch = first.0.start..last.0.end;
        let mark = match (dot <= first.0.len(), stretch.len() < dot) {
            (true, _) => Mark::None,
            (_, true) => Mark::Full,
            (_, false) => Mark::Faint,
        };
        if drawn.len() == 1 || !merge {
            found.extend(drawn.iter().map(|(range, what)| piece(range, *what, mark)));
            continue;
        }
        let half = dot / 2;
        let inner = (stretch.start + half..=stretch.end - half.min(stretch.end))
            .filter(|&at| at % dot == 0 && stretch.start < at && at < stretch.end);
        let borders: Vec<usize> = [stretch.start].into_iter().chain(inner).chain([stretch.end]).collect();
        let mark = if stretch.len() < dot { Mark::Full } else { Mark::None };
        let begin = found.len();
        for pair in borders.windows(2) {
            let column = pair[0]..pair[1];
            if let Some(what) = dominant(&all[column.clone()]) {
                match found[begin..].last_mut() {
                    Some(last) if last.what == what && last.to == start + column.start as u64 => {
                        last.to = start + column.end as u64;
                    }
                    _ => found.push(piece(&column, what, mark)),
                }
            }
            let unknown: Vec<usize> = column.filter(|&at| all[at].1 == Some(What::Unknown)).collect();
            if let (Some(&from), Some(&to)) = (unknown.first(), unknown.last()) {
                found.push(piece(&(from..to + 1), What::Unknown, Mark::Full));
            }
        }
    }
    found
}

fn dominant(column: &[Ns]) -> Option<What> {
    let groups: Vec<ColourGroup> = column
        .iter()
        .filter_map(|(_, what)| match what {
            Some(What::Run(look) | What::Inferred(look)) => Some(*look),
            _ => None,
        })
        .collect();
    let rank = |look: ColourGroup| {
        let ran = groups.iter().filter(|&&other| other == look).count();
        let first = groups.iter().position(|&other| other == look);
        (STANDS_OUT[look as usize], ran, std::cmp::Reverse(first))
    };
    let best = groups.iter().copied().max_by_key(|&look| rank(look))?;
    let share = groups.len() as f64 / column.len() as f64;
    let tint = [0.25, 0.5, 0.75].iter().filter(|&&border| border < share).count() as u8 + 1;
    Some(What::Merged(
        best,
        if STANDS_OUT[best as usize] { tint.max(3) } else { tint },
    ))
}

fn who() -> impl Strategy<Value = Who> {
    prop_oneof![
        5 => (0..LOOKS.len() as u32).prop_map(|id| Who::Run(TaskCommId(id))),
        3 => Just(Who::Idle),
        1 => Just(Who::Unknown),
    ]
}

/// Mostly short intervals, some long ones, and some of length 0.
fn intervals() -> impl Strategy<Value = Vec<(u64, Who)>> {
    let length = prop_oneof![8 => 0_u64..6, 2 => 5_u64..40];
    prop::collection::vec((length, who()), 0..80)
}

fn scale(window: &Range<u64>, dot: u64) -> Scale {
    let length = (window.end - window.start) as f64;
    Scale::new(window, length, Some(dot as f64))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn pieces_are_what_their_definition_says(
        intervals in intervals(),
        start in 0_u64..60,
        length in 40_u64..300,
        dot in 2_u64..16,
        merge in any::<bool>(),
        passing in prop::option::of(prop::array::uniform4(any::<u32>())),
    ) {
        let window = start..start + length;
        let scale = scale(&window, dot);
        prop_assert_eq!((scale.unit, scale.dot), (1, dot));
        let mut found = Vec::new();
        let lane = Lane::of(&intervals);
        let passing = passing.map(|words| passing_of(&lane, &words));
        let looks = Looks { others: passing.as_ref().map(|passing| (passing, &OTHERS[..])), ..ALL };
        Cutter::new(looks, &STANDS_OUT, &scale, merge).lane(0, &lane, |piece| found.push(piece));
        let passes = |index: usize| passing.as_ref().is_none_or(|passing| passing.has(0, index));
        prop_assert_eq!(found, twin(&nanoseconds(&intervals, &window, passes), start, dot as usize, merge));
    }

    #[test]
    fn nothing_is_lost_and_there_are_few_pieces(intervals in intervals(), dot in 2_u64..16) {
        let lane = Lane::of(&intervals);
        let window = 0..lane.end().max(dot);
        let scale = scale(&window, dot);
        let mut found = Vec::new();
        Cutter::new(ALL, &STANDS_OUT, &scale, true).lane(0, &lane, |piece| found.push(piece));
        let covered = |at: u64, what: fn(&What) -> bool| {
            found.iter().any(|piece| piece.from <= at && at < piece.to && what(&piece.what))
        };
        for (at, (_, what)) in nanoseconds(&intervals, &window, |_| true).into_iter().enumerate() {
            match what {
                None => {}
                Some(What::Unknown) => prop_assert!(covered(at as u64, |what| *what == What::Unknown)),
                Some(_) => prop_assert!(covered(at as u64, |what| *what != What::Unknown)),
            }
        }
        let runs = found.iter().filter(|piece| piece.what != What::Unknown).count() as u64;
        prop_assert!(runs <= 2 * (window.end / dot + 1), "{} pieces in {} dots", runs, window.end / dot);
    }
}

/// Cuts a lane of ten dots of 10 ns.
fn cut(intervals: &[(u64, Who)]) -> Vec<(u64, u64, What, Mark)> {
    let window = 0..100;
    let mut found = Vec::new();
    Cutter::new(ALL, &STANDS_OUT, &scale(&window, 10), true).lane(0, &Lane::of(intervals), |piece| {
        found.push((piece.from, piece.to, piece.what, piece.mark));
    });
    found
}

#[test]
fn a_lone_run_is_exact_and_a_crowd_is_not() {
    let [a, b] = [0, 1].map(|id| Who::Run(TaskCommId(id)));
    // First a run alone; then a b a b .. of 2 and 1 ns from 23 to 53, without any gap.
    let mut lane = vec![(12, Who::Idle), (1, a), (10, Who::Idle)];
    lane.extend((0..10).flat_map(|_| [(2, b), (1, a)]));
    lane.extend([(10, Who::Idle), (15, a)]);
    assert_eq!(
        cut(&lane),
        [
            (12, 13, What::Run(0), Mark::Full),
            (23, 53, What::Merged(1, 4), Mark::None),
            (63, 78, What::Run(0), Mark::None),
        ]
    );
}

#[test]
fn what_must_be_seen_wins_however_short_it_is() {
    let [a, target] = [0, 2].map(|id| Who::Run(TaskCommId(id)));
    let lane = [
        (20, Who::Idle),
        (3, a),
        (1, target),
        (5, Who::Idle),
        (3, a),
        (8, Who::Idle),
        (2, a),
    ];
    assert_eq!(
        cut(&lane),
        [
            (20, 30, What::Merged(2, 3), Mark::None),
            (30, 42, What::Merged(0, 2), Mark::None),
        ]
    );
}
