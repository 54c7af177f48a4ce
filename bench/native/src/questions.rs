//! The questions of `bench/plan.mjs`, step by step.

use std::time::Instant;

use schedquery::ask::{Asked, Question};
use schedquery::query::Indexes;
use serde::{Deserialize, Serialize};

/// Questions of one kind, as `bench/plan.mjs` writes them.
#[derive(Deserialize)]
pub struct Planned {
    name: String,
    /// How often each is asked; the shortest time counts, because what the others take longer is due to the machine.
    repeats: usize,
    questions: Vec<Question>,
}

/// The numbers that `bench/measure.mjs` reads, in milliseconds.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Times {
    name: String,
    /// 95 of 100 questions take at most this.
    ms: f64,
    /// The longest step of any: another question waits at most this long.
    step_ms: f64,
    /// The longest time when they are asked first, with what is made on demand.
    first_ms: f64,
    /// The longest step of any of these.
    first_step_ms: f64,
}

struct Took {
    ms: f64,
    step_ms: f64,
}

/// Asks all questions of a kind.
pub fn ask(view: &Indexes, planned: Planned) -> Result<Times, serde_json::Error> {
    let mut view = view.clone();
    let (mut each, mut step_ms) = (Vec::new(), 0.0_f64);
    let (mut first_ms, mut first_step_ms) = (0.0_f64, 0.0_f64);
    for question in &planned.questions {
        let mut best = answer(&mut view, question.clone())?;
        first_ms = first_ms.max(best.ms);
        first_step_ms = first_step_ms.max(best.step_ms);
        for _ in 1..planned.repeats {
            let took = answer(&mut view, question.clone())?;
            best = Took {
                ms: best.ms.min(took.ms),
                step_ms: best.step_ms.min(took.step_ms),
            };
        }
        each.push(best.ms);
        step_ms = step_ms.max(best.step_ms);
    }
    each.sort_by(f64::total_cmp);
    let ms = each.get((each.len() * 95 / 100).min(each.len().saturating_sub(1)));
    Ok(Times {
        name: planned.name,
        ms: ms.copied().unwrap_or(f64::NAN),
        step_ms,
        first_ms,
        first_step_ms,
    })
}

/// The whole way of an answer to the client: its arrays apart, the rest as JSON.
fn answer(view: &mut Indexes, question: Question) -> Result<Took, serde_json::Error> {
    let start = Instant::now();
    let mut job = Asked::new(view, question, &[]);
    let mut longest = 0.0_f64;
    let mut more = true;
    while more {
        let step = Instant::now();
        more = job.step();
        longest = longest.max(step.elapsed().as_secs_f64() * 1e3);
    }
    let last = Instant::now();
    if let Some(mut answer) = job.answer() {
        std::hint::black_box((answer.take_words(), answer.take_numbers()));
        std::hint::black_box(serde_json::to_string(&answer)?);
    }
    Ok(Took {
        step_ms: longest.max(last.elapsed().as_secs_f64() * 1e3),
        ms: start.elapsed().as_secs_f64() * 1e3,
    })
}
