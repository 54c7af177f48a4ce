//! Questions about pairs of events: all records are looked at once for each pair of a user, and once for those built in.

use eventpairs::{Answer, Declaration, Home, Matched, PairError, TABLE};

use super::query::{EventProgress, EventWindow, EventsAnswer, EventsQuery, OwnPair, OwnPairError};
use crate::error::ReadError;
use crate::file::{ReadAt, TraceFile};
use crate::pairs::PairScan;

/// What was found of the pairs that were asked for last.
pub(super) struct Pairs<'f, R: ReadAt> {
    own: Option<OwnPair>,
    state: State<'f, R>,
}

enum State<'f, R: ReadAt> {
    Wrong(OwnPairError),
    Scanning(Box<PairScan<'f, R>>),
    Done(Matched),
}

impl<'f, R: ReadAt> Pairs<'f, R> {
    fn new(file: &'f TraceFile<R>, own: Option<OwnPair>) -> Self {
        let scan = declarations(own.as_ref()).and_then(|declared| PairScan::new(file, &declared));
        let state = match scan {
            Ok(scan) => State::Scanning(Box::new(scan)),
            Err(error) => State::Wrong(OwnPairError::of(&error)),
        };
        Pairs { own, state }
    }

    /// Answers a question about pairs after looking at no more than `budget` records; `None` when that is not enough.
    pub fn ask(
        this: &mut Option<Self>,
        (file, base_ns): (&'f TraceFile<R>, u64),
        query: &EventsQuery,
        budget: usize,
    ) -> Result<Option<EventsAnswer>, ReadError> {
        let EventsQuery::Pairs {
            own,
            by,
            window,
            cpus,
            pids,
            comms,
            top,
        } = query
        else {
            return Ok(None);
        };
        let mut pairs = match this.take() {
            Some(pairs) if pairs.own == *own => pairs,
            _ => Pairs::new(file, own.clone()),
        };
        if let State::Scanning(mut scan) = pairs.state {
            let more = scan.step(budget);
            if more.as_ref().is_ok_and(|&more| !more) {
                pairs.state = State::Done(scan.finish());
            } else {
                pairs.state = State::Scanning(scan);
                *this = Some(pairs);
                return more.map(|_| None);
            }
        }
        let answer = match &pairs.state {
            State::Done(matched) => {
                let is_task = |home: &Home| {
                    let comm = matched.comm(home);
                    (pids.is_empty() && comms.is_empty())
                        || pids.contains(&home.pid)
                        || comms.iter().any(|beginning| comm.starts_with(beginning))
                };
                let is_wanted = |home: &Home| {
                    lies_in(*window, home.at, base_ns)
                        && cpus.as_ref().is_none_or(|cpus| cpus.contains(&home.cpu))
                        && is_task(home)
                };
                EventsAnswer::Pairs {
                    pairs: since(base_ns, matched.answer(*by, *top, is_wanted)),
                    error: None,
                }
            }
            State::Wrong(error) => EventsAnswer::Pairs {
                pairs: Vec::new(),
                error: Some(error.clone()),
            },
            State::Scanning(_) => return Ok(None),
        };
        *this = Some(pairs);
        Ok(Some(answer))
    }

    /// How far the walk is over `all` records.
    pub fn progress(&self, all: usize) -> EventProgress {
        let done = match &self.state {
            State::Scanning(scan) => scan.done().min(all),
            State::Wrong(_) | State::Done(_) => all,
        };
        EventProgress {
            done,
            all,
            complete: !matches!(self.state, State::Scanning(_)),
        }
    }
}

fn declarations(own: Option<&OwnPair>) -> Result<Vec<Declaration>, PairError> {
    let Some(own) = own else {
        return TABLE.iter().map(Declaration::built_in).collect();
    };
    if own.end.is_empty() && own.value.is_empty() {
        return Err(PairError::new(
            "--end",
            "",
            "expected the second event, or a value of the first",
        ));
    }
    if !own.end.is_empty() && own.key.is_empty() {
        let what = "expected what both events share, as in pid, or fields of them";
        return Err(PairError::new("--key", "", what));
    }
    let OwnPair {
        start,
        end,
        key,
        group,
        value,
        again,
    } = own;
    Ok(vec![Declaration::parse(
        "own",
        [start, end],
        [key, group, value],
        *again,
    )?])
}

fn lies_in(window: Option<EventWindow>, at: u64, base_ns: u64) -> bool {
    let at = at.saturating_sub(base_ns) as f64;
    window.is_none_or(|window| window.start <= at && at < window.end)
}

/// The same answers with times since the trace's first record.
fn since(base_ns: u64, mut answers: Vec<Answer>) -> Vec<Answer> {
    for longest in answers.iter_mut().flat_map(|answer| &mut answer.longest) {
        longest.at_ns = longest.at_ns.saturating_sub(base_ns);
    }
    answers
}
