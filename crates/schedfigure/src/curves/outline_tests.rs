//! Tests merged curves against their definition, nanosecond by nanosecond.

use super::{columns, exact, Top};
use crate::paint::scale::Scale;
use proptest::prelude::*;
use schedmodel::{Counts, Steps, StepsBuilder};

fn steps(lengths: &[(u64, u32, u32)]) -> Steps {
    let mut steps = StepsBuilder::default();
    let mut at = 0;
    for &(length, running, waiting) in lengths {
        steps.set(
            at,
            Counts {
                running,
                waiting,
                idle: 0,
            },
        );
        at += length;
    }
    steps.finish(at)
}

/// The columns by their definition: minimum and maximum of each, equal neighbours joined.
fn twin(lengths: &[(u64, u32, u32)], start: u64, end: u64, dot: u64) -> Vec<Top> {
    let all: Vec<(u32, u32)> = lengths
        .iter()
        .flat_map(|&(length, running, waiting)| (0..length).map(move |_| (running, waiting)))
        .collect();
    let end = end.min(all.len() as u64);
    let mut found: Vec<Top> = Vec::new();
    for from in (start..end).step_by(dot as usize) {
        let to = (from + dot).min(end);
        let within = &all[from as usize..to as usize];
        let top = Top {
            from,
            to,
            running_min: within.iter().map(|one| one.0).min().unwrap(),
            running_max: within.iter().map(|one| one.0).max().unwrap(),
            waiting: within.iter().map(|one| one.1).max().unwrap(),
            runnable: within.iter().map(|one| one.0 + one.1).max().unwrap(),
        };
        match found.last_mut() {
            Some(last) if (Top { from: last.from, ..top }) == (Top { to, ..*last }) => last.to = to,
            _ => found.push(top),
        }
    }
    found
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn columns_are_what_their_definition_says(
        lengths in prop::collection::vec((prop_oneof![6 => 1_u64..5, 1 => 1_u64..80], 0_u32..4, 0_u32..3), 0..60),
        start in 0_u64..50,
        length in 1_u64..200,
        dot in 1_u64..20,
    ) {
        let window = start..start + length;
        let width = length as f64;
        let scale = Scale::new(&window, width, Some((dot.min(length)) as f64));
        let found = columns(&steps(&lengths), &scale);
        prop_assert_eq!(&found, &twin(&lengths, window.start, window.end, dot.min(length)));
        // Red is as high as the most tasks that waited, and lies on green that was there.
        for top in found {
            prop_assert!(top.running_min <= top.green() && top.green() <= top.running_max);
        }
        prop_assert_eq!(exact(&steps(&lengths), &window), twin(&lengths, window.start, window.end, 1));
    }
}
