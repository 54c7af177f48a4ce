//! Long questions, step by step, and explanations of single runs.

use std::time::Instant;

use serde::Serialize;
use tracecore::ask::{Asked, Question};
use tracecore::query::Indexes;

/// The questions of `bench/plan.mjs`.
const QUESTIONS: [&str; 5] = ["findings", "latency", "overload", "cascades", "waits"];
/// How often a question is asked; the shortest of the runs' longest steps counts, because more is due to the machine.
const REPEATS: usize = 3;
/// How many runs are explained.
const PLACES: usize = 200;

/// The numbers that `bench/measure.mjs` reads.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct JobTimes {
    name: &'static str,
    total_ms: f64,
    step_ms: f64,
}

/// Asks every long question about the whole trace.
pub fn job_times(view: &Indexes) -> Result<Vec<JobTimes>, serde_json::Error> {
    QUESTIONS.into_iter().map(|name| job(view, name)).collect()
}

fn job(view: &Indexes, name: &'static str) -> Result<JobTimes, serde_json::Error> {
    let mut times = JobTimes {
        name,
        total_ms: f64::INFINITY,
        step_ms: f64::INFINITY,
    };
    for _ in 0..REPEATS {
        let query: Question = serde_json::from_value(serde_json::json!({
            name: {"top": 20, "by": "command", "min_duration": 0, "selection": {
                "window": null, "forked": false, "movable": false, "target": null, "comms": [], "pids": [], "cpus": null,
            }},
        }))?;
        let start = Instant::now();
        let mut job = Asked::new(&mut view.clone(), query, &[]);
        let mut longest = 0.0_f64;
        let mut more = true;
        while more {
            let step = Instant::now();
            more = job.step();
            longest = longest.max(step.elapsed().as_secs_f64() * 1e3);
        }
        let last = Instant::now();
        std::hint::black_box(serde_json::to_string(&job.answer())?);
        longest = longest.max(last.elapsed().as_secs_f64() * 1e3);
        times.total_ms = times.total_ms.min(start.elapsed().as_secs_f64() * 1e3);
        times.step_ms = times.step_ms.min(longest);
    }
    Ok(times)
}

/// Milliseconds in which 95 of 100 runs, spread over the trace, are explained: their wait and their placement.
pub fn explain_ms(view: &Indexes) -> f64 {
    let trace = view.trace();
    let mut times: Vec<f64> = (0..PLACES)
        .map(|place| {
            let fraction = (place as f64 * 0.618_033_988_75).fract();
            let cpu = trace.cpus[place % trace.cpus.len()];
            let at = (trace.span_ns as f64 * fraction) as u64;
            let start = Instant::now();
            std::hint::black_box((view.wait(cpu, at), view.placement(cpu, at)));
            start.elapsed().as_secs_f64() * 1e3
        })
        .collect();
    times.sort_by(f64::total_cmp);
    times[PLACES * 95 / 100]
}
