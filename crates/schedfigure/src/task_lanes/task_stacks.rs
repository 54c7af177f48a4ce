//! How a task's states are drawn over time: as bars of each state's height and, where many states fall within a dot, as
//! a stack of bars, each as high as its state's height times its share of the time.

use crate::paint::scale::Scale;
use crate::paint::theme;
use paper::Rgb;
use schedindex::{TaskState, TaskStates, TimesWalk};
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
    /// Whether it only marks something too narrow to be visible.
    pub(crate) tick: bool,
}

/// The bars of some intervals: merged within the scale's dot, or exact, with a dot for narrow ones.
pub(crate) fn stacks(states: &TaskStates, within: Range<usize>, scale: &Scale, merged: bool) -> Vec<Bar> {
    if merged {
        columns(states, scale)
    } else {
        within.flat_map(|index| exact(states, index, scale)).flatten().collect()
    }
}

fn exact(states: &TaskStates, index: usize, scale: &Scale) -> [Option<Bar>; 2] {
    let interval = states.interval(index);
    let Some(shape) = Shape::of(interval.state) else {
        return [None, None];
    };
    let (from, to) = (scale.x(interval.start), scale.x(interval.end));
    let bar = Bar {
        shape,
        who: interval.who,
        x: from,
        width: to - from,
        low: 0.0,
        high: shape.height(),
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

fn columns(states: &TaskStates, scale: &Scale) -> Vec<Bar> {
    let mut bars: Vec<Bar> = Vec::new();
    // The bars of the previous column, which this one may continue.
    let mut before: Range<usize> = 0..0;
    let mut walk = TimesWalk::new(states, scale.window.start);
    let mut from = scale.window.start;
    while from < scale.window.end && !walk.at_end() {
        let to = from.saturating_add(scale.dot).min(scale.window.end);
        let (times, _) = walk.until(to);
        let shares = |shape: Shape| {
            let time = times.get(shape.state() as usize).copied().unwrap_or_default();
            time as f64 / (to - from) as f64
        };
        // In a column of many runs the last one gives the name.
        let who = states.find(to - 1).or(states.len().checked_sub(1));
        let who = who.map_or(TaskCommId(0), |index| states.interval(index).who);
        let (x, end) = (scale.x(from), scale.x(to));
        let stack = stack(shares).into_iter().map(|(shape, low, high)| Bar {
            shape,
            who,
            x,
            width: end - x,
            low,
            high,
            tick: false,
        });
        let stack: Vec<Bar> = stack.filter(|bar| 0 < bar.width).collect();
        let look = |bar: &Bar| (bar.shape, bar.who, bar.low.to_bits(), bar.high.to_bits());
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

/// The stack from the bottom up; waiting and blocked states never give way to running.
fn stack(share: impl Fn(Shape) -> f64) -> Vec<(Shape, f64, f64)> {
    let mut room = 1.0;
    let mut height = |shape: Shape| {
        let share = share(shape);
        if share <= 0.0 {
            return 0.0;
        }
        // Steps of a hundredth: neighbours that look alike are one.
        let height = ((share * shape.height() * 100.0).round() / 100.0).max(LEAST).min(room);
        room -= height;
        height
    };
    let blocked = height(Shape::Blocked);
    let runnable = height(Shape::Runnable);
    let running = height(Shape::Running);
    let throttled = height(Shape::Throttled);
    let stopped = height(Shape::Stopped);
    let mut bars = Vec::new();
    let mut foot = 0.0;
    let stacked = [
        (Shape::Running, running),
        (Shape::Runnable, runnable),
        (Shape::Blocked, blocked),
        (Shape::Throttled, throttled),
        (Shape::Stopped, stopped),
    ];
    for (shape, height) in stacked {
        if 0.0 < height {
            bars.push((shape, foot, foot + height));
            foot += height;
        }
    }
    if foot == 0.0 && 0.0 < share(Shape::Sleeping) {
        foot = Shape::Sleeping.height();
        bars.push((Shape::Sleeping, 0.0, foot));
    }
    if foot < 1.0 && 0.0 < share(Shape::Unknown) {
        bars.push((Shape::Unknown, foot, 1.0));
    }
    bars
}
