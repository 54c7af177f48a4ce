//! How a task's states are drawn over time: as bars of each state's height and, where many states fall within a dot, as
//! a stack of bars, each as high as its state's height times its share of the time.

use crate::paint::scale::Scale;
use crate::paint::theme;
use paper::Rgb;
use schedindex::{Passing, Runs, StateInterval, StateSpans, StateTimes, TaskState, TaskStates, TimesWalk};
use schedmodel::TaskCommId;
use std::ops::Range;

/// How a state is drawn; later shapes cover earlier ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Shape {
    Unknown,
    Sleeping,
    Stopped,
    Throttled,
    Running,
    Runnable,
    Blocked,
}

/// Least height of a visible share of a column, relative to the lane's height.
const LEAST: f64 = 0.14;

impl Shape {
    /// The shape of a state; `None` if the task does not exist.
    pub(crate) fn of(state: TaskState) -> Option<Shape> {
        match state {
            TaskState::Unknown => Some(Shape::Unknown),
            TaskState::Running => Some(Shape::Running),
            TaskState::Runnable => Some(Shape::Runnable),
            TaskState::Sleeping => Some(Shape::Sleeping),
            TaskState::Blocked => Some(Shape::Blocked),
            TaskState::Stopped => Some(Shape::Stopped),
            TaskState::Throttled => Some(Shape::Throttled),
            TaskState::Unborn | TaskState::New | TaskState::Dead => None,
        }
    }

    fn state(self) -> TaskState {
        match self {
            Shape::Unknown => TaskState::Unknown,
            Shape::Sleeping => TaskState::Sleeping,
            Shape::Stopped => TaskState::Stopped,
            Shape::Throttled => TaskState::Throttled,
            Shape::Running => TaskState::Running,
            Shape::Runnable => TaskState::Runnable,
            Shape::Blocked => TaskState::Blocked,
        }
    }

    pub(crate) fn name(self) -> &'static str {
        self.state().name()
    }

    /// Text in the key.
    pub(crate) fn words(self) -> &'static str {
        match self {
            Shape::Running => "task running, in its colour, on the CPU said",
            Shape::Throttled => "throttled, until its next period",
            shape => shape.name(),
        }
    }

    pub(crate) fn class(self) -> &'static str {
        match self {
            Shape::Unknown => "state-unknown",
            Shape::Sleeping => "state-sleeping",
            Shape::Stopped => "state-stopped",
            Shape::Throttled => "state-throttled",
            Shape::Running => "state-running",
            Shape::Runnable => "state-runnable",
            Shape::Blocked => "state-blocked",
        }
    }

    /// Height relative to the lane, if the state lasts.
    pub(crate) fn height(self) -> f64 {
        match self {
            Shape::Unknown | Shape::Running => 1.0,
            Shape::Runnable => 0.55,
            Shape::Blocked | Shape::Throttled => 0.34,
            Shape::Stopped => 0.2,
            Shape::Sleeping => 0.06,
        }
    }

    /// Colour of the area; runs have colours of their own.
    pub(crate) fn fill(self) -> Rgb {
        match self {
            Shape::Unknown => theme::HATCHED,
            Shape::Running => theme::RUNNING,
            Shape::Runnable => theme::WAITING_FILL,
            Shape::Blocked => theme::BLOCKED_FILL,
            Shape::Stopped => theme::QUIET,
            Shape::Sleeping | Shape::Throttled => theme::HATCH,
        }
    }

    /// Colour of the strong upper edge of states that keep a task from running.
    pub(crate) fn edge(self) -> Option<Rgb> {
        match self {
            Shape::Runnable => Some(theme::RUNNABLE),
            Shape::Blocked => Some(theme::BLOCKED),
            Shape::Throttled => Some(theme::QUIET),
            _ => None,
        }
    }
}

/// A bar over some time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Bar {
    pub(crate) shape: Shape,
    /// The task with its comm, which gives runs their colour.
    pub(crate) who: TaskCommId,
    /// Start in the scale's units.
    pub(crate) x: i64,
    pub(crate) width: i64,
    /// Lower and upper edge, as shares of the lane's height from the bottom.
    pub(crate) low: f64,
    pub(crate) high: f64,
    /// Whether it is of runs that do not pass the filter.
    pub(crate) pale: bool,
    /// Whether it only marks something too narrow to be visible.
    pub(crate) tick: bool,
}

/// The runs that pass the filter.
#[derive(Clone, Copy)]
pub(crate) struct Filter<'a> {
    pub(crate) passing: &'a Passing,
    pub(crate) runs: &'a Runs,
}

impl Filter<'_> {
    /// Whether the run, or the wait for it, passes.
    pub(crate) fn passes(&self, run: Option<u32>) -> bool {
        run.is_some_and(|run| self.passing.has_run(self.runs, run))
    }
}

/// The bars of some intervals: merged within the scale's dot, or exact, with a dot for narrow ones. Runs that do not pass the filter
/// are pale, and the waits for them are left out.
pub(crate) fn stacks(
    states: &TaskStates,
    within: Range<usize>,
    filter: Option<Filter<'_>>,
    scale: &Scale,
    merged: bool,
) -> Vec<Bar> {
    if merged {
        let passing = filter.map(|filter| states.passing(filter.runs, filter.passing));
        columns(states, passing.as_ref(), scale)
    } else {
        let exact = |index| exact(&states.interval(index), filter, scale);
        within.flat_map(exact).flatten().collect()
    }
}

fn exact(interval: &StateInterval, filter: Option<Filter<'_>>, scale: &Scale) -> [Option<Bar>; 2] {
    let Some(shape) = Shape::of(interval.state) else {
        return [None, None];
    };
    let left_out =
        matches!(shape, Shape::Running | Shape::Runnable) && filter.is_some_and(|filter| !filter.passes(interval.run));
    if left_out && shape == Shape::Runnable {
        return [None, None];
    }
    let (from, to) = (scale.x(interval.start), scale.x(interval.end));
    let bar = Bar {
        shape,
        who: interval.who,
        x: from,
        width: to - from,
        low: 0.0,
        high: shape.height(),
        pale: left_out,
        tick: false,
    };
    let dot = i64::try_from(scale.dot / scale.unit).unwrap_or(i64::MAX);
    let last = (scale.x(scale.window.end) - dot).max(0);
    let tick = Bar {
        x: (from + (to - from) / 2 - dot / 2).clamp(0, last),
        width: dot,
        tick: true,
        ..bar
    };
    let narrow = to - from < dot && !matches!(shape, Shape::Sleeping | Shape::Unknown);
    [narrow.then_some(tick), (from < to).then_some(bar)]
}

/// `passing`: the states without the runs that do not pass, and the waits for them.
fn columns(states: &TaskStates, passing: Option<&StateSpans>, scale: &Scale) -> Vec<Bar> {
    let mut bars: Vec<Bar> = Vec::new();
    // The bars of the previous column, which this one may continue.
    let mut before: Range<usize> = 0..0;
    let mut walk = TimesWalk::new(states.spans(), scale.window.start);
    let mut passing = passing.map(|spans| TimesWalk::new(spans, scale.window.start));
    let of = |times: &StateTimes, state: TaskState| times.get(state as usize).copied().unwrap_or_default();
    let mut from = scale.window.start;
    while from < scale.window.end && !walk.at_end() {
        let to = from.saturating_add(scale.dot).min(scale.window.end);
        let (all, _) = walk.until(to);
        let times = passing.as_mut().map_or(all, |walk| walk.until(to).0);
        let share = |time: u64| time as f64 / (to - from) as f64;
        let others = share(of(&all, TaskState::Running) - of(&times, TaskState::Running));
        let shares = |shape: Shape| share(of(&times, shape.state()));
        // In a column of many runs the last one gives the name.
        let who = states.spans().find(to - 1).or(states.len().checked_sub(1));
        let who = who.map_or(TaskCommId(0), |index| states.interval(index).who);
        let (x, end) = (scale.x(from), scale.x(to));
        let stack = stack(shares, others).into_iter().map(|(shape, pale, low, high)| Bar {
            shape,
            who,
            x,
            width: end - x,
            low,
            high,
            pale,
            tick: false,
        });
        let stack: Vec<Bar> = stack.filter(|bar| 0 < bar.width).collect();
        let look = |bar: &Bar| (bar.shape, bar.pale, bar.who, bar.low.to_bits(), bar.high.to_bits());
        let continued = bars.get_mut(before.clone()).unwrap_or_default();
        if !stack.is_empty() && stack.iter().map(look).eq(continued.iter().map(look)) {
            continued.iter_mut().for_each(|bar| bar.width = end - bar.x);
        } else {
            before = bars.len()..bars.len() + stack.len();
            bars.extend(stack);
        }
        from = to;
    }
    bars
}

/// The stack from the bottom up: shapes, whether they are pale, and their edges. Waiting and blocked states never give way to
/// running. `others`: the share of runs that do not pass the filter.
fn stack(share: impl Fn(Shape) -> f64, others: f64) -> Vec<(Shape, bool, f64, f64)> {
    let mut room = 1.0;
    let mut height = |shape: Shape, share: f64| {
        if share <= 0.0 {
            return 0.0;
        }
        // Steps of a hundredth: neighbours that look alike are one.
        let height = ((share * shape.height() * 100.0).round() / 100.0).max(LEAST).min(room);
        room -= height;
        height
    };
    let blocked = height(Shape::Blocked, share(Shape::Blocked));
    let runnable = height(Shape::Runnable, share(Shape::Runnable));
    let running = height(Shape::Running, share(Shape::Running));
    let left_out = height(Shape::Running, others);
    let throttled = height(Shape::Throttled, share(Shape::Throttled));
    let stopped = height(Shape::Stopped, share(Shape::Stopped));
    let mut bars = Vec::new();
    let mut foot = 0.0;
    let stacked = [
        (Shape::Running, false, running),
        (Shape::Running, true, left_out),
        (Shape::Runnable, false, runnable),
        (Shape::Blocked, false, blocked),
        (Shape::Throttled, false, throttled),
        (Shape::Stopped, false, stopped),
    ];
    for (shape, pale, height) in stacked {
        if 0.0 < height {
            bars.push((shape, pale, foot, foot + height));
            foot += height;
        }
    }
    if foot == 0.0 && 0.0 < share(Shape::Sleeping) {
        foot = Shape::Sleeping.height();
        bars.push((Shape::Sleeping, false, 0.0, foot));
    }
    if foot < 1.0 && 0.0 < share(Shape::Unknown) {
        bars.push((Shape::Unknown, false, foot, 1.0));
    }
    bars
}
