//! Arrows between lanes, as in the page: for wakeups, from where the waker made the wakeup to the wakee's switch-in;
//! for moves, from the CPU that a task left to where it ran next.

use crate::choices::error::FigureError;
use crate::choices::spec::{Arrows, Place};
use crate::paint::arrow_shapes::{arrow, disc, label_box, Style};
use crate::paint::frame::{Drawn, LanesFrame, Sample, Taken};
use crate::paint::theme::{self, coloured, text};
use paper::font;
use paper::{Anchor, Item, Label};
use schedmodel::topology::{Distance, Topology};
use schedmodel::Trace;
use schedquery::query::{task_name, Cascades, Chain, Indexes, WakeupEdge};
use std::sync::Arc;

/// The most wakeups made by the run itself that are drawn; more would hide the lanes.
const MOST_FORWARD: usize = 64;
/// The most arrows.
const MOST_ARROWS: usize = 2000;
/// Lowest lane pitch, in mm, with room for names.
const LABEL_PITCH: f64 = 2.0;
/// Size of the letters of numbers and names, in mm.
const FONT: f64 = 1.9;

/// One arrow. Times are ns since the trace's first record.
#[derive(Clone, Debug, PartialEq)]
struct Arrow {
    from_cpu: u32,
    from: u64,
    to_cpu: u32,
    to: u64,
    /// Whether an interrupt on the waker's CPU made the wakeup.
    interrupt: bool,
    /// Whether it is on the way from the run back to its cause; if not, the run made the wakeup.
    back: bool,
    /// Number in a cascade, from 1.
    number: Option<usize>,
    /// The waker; empty for a move.
    waker: String,
    /// The task that was woken, or moved.
    task: String,
}

/// The arrows of a chain or a cascade that lie on the rows and in the window of a frame.
pub(crate) fn arrows(
    trace: &Arc<Trace>,
    frame: &LanesFrame<'_>,
    wanted: &Arrows,
    topology: Option<&Topology>,
) -> Result<Drawn, FigureError> {
    let (class, all, mut small_print) = match *wanted {
        Arrows::Chain(place, hops) => {
            let chain = Indexes::of(Arc::clone(trace)).chain(place.cpu, place.at, hops);
            let chain = chain.ok_or_else(|| FigureError::no_run(trace, place))?;
            let left_out = chain.forward_total.saturating_sub(MOST_FORWARD as u64);
            let said = (0 < left_out).then(|| format!("{left_out} more wakeups by the run without arrows"));
            ("chain-arrow", of_chain(&chain), said.into_iter().collect())
        }
        Arrows::Cascade(place) => ("cascade-arrow", of_cascade(trace, place)?, Vec::new()),
    };
    let total = all.len();
    let placed = all.into_iter().filter_map(|arrow| Placed::new(trace, frame, arrow));
    let placed: Vec<Placed> = placed.take(MOST_ARROWS).collect();
    if placed.len() < total {
        small_print.push(format!(
            "arrows outside the figure: {} of {total}",
            total - placed.len()
        ));
    }
    let items = draw(trace, frame, class, &placed, topology);
    Ok(Drawn { items, small_print })
}

fn of_chain(chain: &Chain) -> Vec<Arrow> {
    let forward = chain
        .forward
        .iter()
        .take(MOST_FORWARD)
        .filter_map(|hop| of_hop(hop, false));
    // Later ones lie on top.
    let back = chain.back.iter().rev().filter_map(|hop| of_hop(hop, true));
    forward.chain(back).collect()
}

/// `None` if the wakee has no switch-in.
fn of_hop(hop: &WakeupEdge, back: bool) -> Option<Arrow> {
    let waker = hop.waker_name().unwrap_or_else(|| "unknown".to_owned());
    let interrupt = hop.context.is_interrupt();
    Some(Arrow {
        from_cpu: hop.waker_cpu,
        from: hop.at_ns.0,
        to_cpu: hop.cpu?,
        to: hop.running_ns?.0,
        interrupt,
        back,
        number: None,
        waker: if interrupt {
            format!("interrupt of {waker}")
        } else {
            waker
        },
        task: task_name(&hop.wakee.comm, hop.wakee.pid),
    })
}

/// `None` for a fork, where the task had no CPU before.
fn of_cascade(trace: &Trace, place: Place) -> Result<Vec<Arrow>, FigureError> {
    let runs = trace.lane(place.cpu).is_some_and(|lane| {
        let run = lane.find(place.at).and_then(|index| lane.run(index));
        run.is_some()
    });
    if !runs {
        return Err(FigureError::no_run(trace, place));
    }
    let cascade = Cascades::new(trace).of_run(place.cpu, place.at);
    let cascade = cascade.ok_or_else(|| FigureError::no_move(trace, place))?;
    let moves = cascade.moves.iter().enumerate();
    let arrows = moves.filter_map(|(index, moved)| {
        Some(Arrow {
            from_cpu: moved.from_cpu?,
            from: moved.at_ns.0,
            to_cpu: moved.to_cpu,
            to: moved.running_ns.0,
            interrupt: false,
            back: true,
            number: Some(index + 1),
            waker: String::new(),
            task: format!("{}-{}", moved.task.comm, moved.task.pid),
        })
    });
    Ok(arrows.collect())
}

/// An arrow on the paper.
#[derive(Clone, Debug)]
struct Placed {
    arrow: Arrow,
    tail: [f64; 2],
    head: [f64; 2],
    /// Whether the tail and the head lie in the window; otherwise the arrow is cut at its edge.
    whole: (bool, bool),
    /// Middle of the head's lane.
    lane: f64,
}

impl Placed {
    fn new(trace: &Trace, frame: &LanesFrame<'_>, arrow: Arrow) -> Option<Placed> {
        let row = |cpu: u32| frame.row_of(trace.lane_index(cpu)?);
        let (from, to) = (row(arrow.from_cpu)?, row(arrow.to_cpu)?);
        let lies_in = |at: u64| frame.window.start <= at && at <= frame.window.end;
        let before = arrow.from.max(arrow.to) < frame.window.start;
        if before || frame.window.end < arrow.from.min(arrow.to) {
            return None;
        }
        // The head touches the run from above, from below, or from its left on the same lane.
        let side = match from.cmp(&to) {
            std::cmp::Ordering::Less => -0.4,
            std::cmp::Ordering::Equal => 0.0,
            std::cmp::Ordering::Greater => 0.4,
        };
        let tail = [frame.x(arrow.from), frame.middle(from)];
        let head = [frame.x(arrow.to), frame.middle(to) + side * frame.pitch];
        let edges = (frame.left, frame.left + frame.width);
        let whole = (lies_in(arrow.from), lies_in(arrow.to));
        Some(Placed {
            arrow,
            tail: cut(tail, head, edges),
            head: cut(head, tail, edges),
            whole,
            lane: frame.middle(to),
        })
    }

    fn style(&self, topology: Option<&Topology>) -> Style {
        let Arrow {
            interrupt,
            back,
            from_cpu,
            to_cpu,
            ..
        } = self.arrow;
        let distance = topology.and_then(|topology| topology.distance(from_cpu, to_cpu));
        Style {
            arched: from_cpu == to_cpu,
            headed: self.whole.1,
            ..style(interrupt, back, distance == Some(Distance::Machine))
        }
    }

    fn label(&self, trace: &Trace, class: &'static str) -> Label {
        let Arrow {
            from_cpu,
            from,
            to_cpu,
            to,
            interrupt,
            back,
            number,
            ref waker,
            ref task,
        } = self.arrow;
        let absolute = |at: u64| (trace.origin_ns + at).to_string();
        let mut data = vec![
            ("from-cpu", from_cpu.to_string()),
            ("from-ns", absolute(from)),
            ("to-cpu", to_cpu.to_string()),
            ("to-ns", absolute(to)),
            ("task", task.clone()),
        ];
        match number {
            Some(number) => data.push(("number", number.to_string())),
            None => data.extend([
                ("waker", waker.clone()),
                ("interrupt", interrupt.to_string()),
                ("direction", if back { "back" } else { "forward" }.to_owned()),
            ]),
        }
        if self.whole != (true, true) {
            data.push(("cut", "true".to_owned()));
        }
        let title = match number {
            Some(number) => format!("{number}: {task} moved from CPU {from_cpu} to CPU {to_cpu}"),
            None => format!("{waker} on CPU {from_cpu} woke {task}, which ran on CPU {to_cpu}"),
        };
        Label { class, data, title }
    }

    /// A point on the arrow, given as a share of its length.
    fn at(&self, share: f64) -> [f64; 2] {
        let [(ax, bx), (ay, by)] = [(self.tail[0], self.head[0]), (self.tail[1], self.head[1])];
        [ax + (bx - ax) * share, ay + (by - ay) * share]
    }
}

/// `point`, or the place where the line from it to `other` enters the window.
fn cut(point: [f64; 2], other: [f64; 2], (left, right): (f64, f64)) -> [f64; 2] {
    let x = point[0].clamp(left, right);
    if x == point[0] || other[0] == point[0] {
        return [x, point[1]];
    }
    let share = (x - point[0]) / (other[0] - point[0]);
    [x, point[1] + share * (other[1] - point[1])]
}

/// `back`: on the way from the run back to its cause; `far`: to another socket.
fn style(interrupt: bool, back: bool, far: bool) -> Style {
    let colour = if interrupt {
        theme::ARROW_INTERRUPT
    } else {
        theme::ARROW
    };
    Style {
        colour: if back { colour } else { colour.mixed(theme::PAPER, 0.4) },
        width: if back { 0.4 } else { 0.25 },
        dashed: interrupt,
        double: far,
        arched: false,
        headed: true,
    }
}

fn draw(
    trace: &Trace,
    frame: &LanesFrame<'_>,
    class: &'static str,
    placed: &[Placed],
    topology: Option<&Topology>,
) -> Vec<Item> {
    let mut items = Vec::new();
    for each in placed {
        items.push(Item::Open(each.label(trace, class)));
        items.extend(arrow(each.tail, each.head, &each.style(topology)));
        items.push(Item::Close);
    }
    let mut taken = Taken::default();
    for each in placed {
        if let Some(number) = each.arrow.number {
            items.extend(numbered(number, each, &mut taken));
        }
    }
    if LABEL_PITCH <= frame.pitch {
        for each in placed.iter().rev().filter(|each| each.arrow.back) {
            items.extend(names(frame, each, &mut taken));
        }
    }
    items
}

/// The number of a move, on its arrow, if that covers no other text.
fn numbered(number: usize, placed: &Placed, taken: &mut Taken) -> Vec<Item> {
    let content = number.to_string();
    let radius = (font::width(&content, FONT) / 2.0 + 0.35).max(FONT * 0.65);
    let free = [0.5, 0.35, 0.65, 0.2].into_iter().find_map(|share| {
        let [x, y] = placed.at(share);
        let free = taken.take([x - radius, y - radius, x + radius, y + radius]);
        free.then_some([x, y])
    });
    let Some([x, y]) = free else { return Vec::new() };
    let mut items = disc([x, y], radius, theme::ARROW);
    let at = [x, y + FONT * 0.36];
    items.push(coloured(
        "arrow-number",
        at,
        FONT,
        Anchor::Middle,
        theme::PAPER,
        content,
    ));
    items
}

/// The wakee's name, right of the head, and the waker's, left of the tail.
fn names(frame: &LanesFrame<'_>, placed: &Placed, taken: &mut Taken) -> Vec<Item> {
    let mut items = Vec::new();
    let right = frame.left + frame.width;
    let ends = [
        (
            &placed.arrow.task,
            [placed.head[0], placed.lane],
            placed.whole.1,
            Anchor::Start,
        ),
        (&placed.arrow.waker, placed.tail, placed.whole.0, Anchor::End),
    ];
    for (name, [x, y], whole, anchor) in ends {
        let width = font::width(name, FONT);
        let (left, at) = match anchor {
            Anchor::End => (x - 1.0 - width, x - 1.0),
            Anchor::Start | Anchor::Middle => (x + 1.0, x + 1.0),
        };
        let bounds = [left - 0.2, y - FONT * 0.6, left + width + 0.2, y + FONT * 0.6];
        let fits = frame.left <= bounds[0] && bounds[2] <= right;
        if whole && !name.is_empty() && fits && taken.take(bounds) {
            items.push(label_box(bounds));
            let at = [at, y + FONT * 0.36];
            items.push(text("arrow-name", at, FONT, anchor, name.as_str()));
        }
    }
    items
}

/// Entries of the key for arrows.
pub(crate) fn samples(wanted: &Arrows, topology_is_known: bool) -> Vec<Sample> {
    let mut samples = match wanted {
        Arrows::Chain(..) => vec![
            (style(false, true, false), "wakeup, to where the wakee ran"),
            (style(true, true, false), "by an interrupt"),
            (style(false, false, false), "wakeups by the run"),
        ],
        Arrows::Cascade(_) => vec![(style(false, true, false), "moves of a cascade, in order")],
    };
    if topology_is_known {
        samples.push((style(false, true, true), "to another socket"));
    }
    samples.into_iter().map(|(style, words)| sample(style, words)).collect()
}

fn sample(style: Style, words: &'static str) -> Sample {
    const LENGTH: f64 = 5.0;
    Box::new(move |[left, baseline], size| {
        let y = baseline - size * 0.3;
        let mut items = vec![Item::Open(Label::of("arrow-key"))];
        items.extend(arrow([left, y], [left + LENGTH, y], &style));
        let x = left + LENGTH + size * 0.4;
        items.push(text("key-text", [x, baseline], size, Anchor::Start, words));
        items.push(Item::Close);
        (items, x - left + font::width(words, size))
    })
}
