//! Draws a wakeup figure: lanes with room for names, the wait, the × and the arrow.
//!
//! A row has, from the top: names; runs, of which those of the wakee and the waker are high and all others thin; the
//! wait.

use super::wakeup::Extract;
use crate::cpu_lanes::painter::hatched;
use crate::paint::arrow_shapes::{arrow, cross, Style};
use crate::paint::frame::{Drawn, LanesFrame, Taken};
use crate::paint::scale::Scale;
use crate::paint::theme;
use paper::{Fill, Item, Label, Rect, Rgb, Space, Stroke};
use schedmodel::{TaskCommId, Trace, Who};
use schedquery::query::task_name;
use std::collections::BTreeMap;

/// Height of a row in mm.
pub(crate) const PITCH: f64 = 13.0;
/// Units per row in the lanes' space.
const ROW: i64 = 100;
/// Upper edge and height of the wakee's and waker's runs, and of all others.
const STRONG: (i64, i64) = (32, 34);
const THIN: (i64, i64) = (43, 12);
/// Upper and lower edge of a wait, as shares of a row.
pub(crate) const WAIT: (f64, f64) = (0.72, 0.92);
/// Middle of the runs.
pub(crate) const MIDDLE: f64 = 0.49;
/// Size of the × in mm.
pub(crate) const CROSS: f64 = 2.6;
/// If there are more runs, those narrower than a dot are not drawn one by one.
const MOST_EXACT: usize = 50_000;

/// How a run is drawn, in the order of drawing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Role {
    Other,
    Waker,
    Wakee,
}

impl Role {
    pub(crate) fn of(extract: &Extract, trace: &Trace, id: TaskCommId) -> Role {
        let task = trace.task_comm(id).task;
        match task {
            _ if task == extract.wakee => Role::Wakee,
            _ if Some(task) == extract.waker => Role::Waker,
            _ => Role::Other,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Role::Other => "other",
            Role::Waker => "waker",
            Role::Wakee => "wakee",
        }
    }

    fn colour(self) -> Rgb {
        match self {
            Role::Other => theme::BYSTANDER,
            Role::Waker => theme::WAKER,
            Role::Wakee => theme::WAKEE,
        }
    }

    fn band(self) -> (i64, i64) {
        match self {
            Role::Other => THIN,
            Role::Waker | Role::Wakee => STRONG,
        }
    }
}

/// Draws an extract; the frame has its lanes and its window.
pub(crate) fn draw(trace: &Trace, extract: &Extract, frame: &LanesFrame<'_>) -> Drawn {
    let mut painter = Painter {
        trace,
        extract,
        frame,
        scale: Scale::new(&frame.window, frame.width, None),
        items: Vec::new(),
        taken: Taken::default(),
        small_print: Vec::new(),
    };
    painter.lanes();
    painter.instant();
    painter.wait();
    painter.wakeup();
    painter.latency();
    painter.idle_before();
    painter.names();
    painter.roles();
    Drawn {
        items: painter.items,
        small_print: painter.small_print,
    }
}

/// Draws one figure.
pub(crate) struct Painter<'a> {
    pub(crate) trace: &'a Trace,
    pub(crate) extract: &'a Extract,
    pub(crate) frame: &'a LanesFrame<'a>,
    pub(crate) scale: Scale,
    pub(crate) items: Vec<Item>,
    pub(crate) taken: Taken,
    pub(crate) small_print: Vec<String>,
}

impl Painter<'_> {
    pub(crate) fn y(&self, row: usize, share: f64) -> f64 {
        self.frame.top + (row as f64 + share) * self.frame.pitch
    }

    pub(crate) fn right(&self) -> f64 {
        self.frame.left + self.frame.width
    }

    /// Range of the intervals of a lane that lie in the window.
    pub(crate) fn in_window(&self, lane: usize) -> std::ops::Range<usize> {
        let (lane, window) = (self.trace.lane_at(lane), &self.frame.window);
        let first = lane.find(window.start).unwrap_or(0);
        first..lane.starts().partition_point(|start| start < window.end).max(first)
    }

    /// Draws runs at exact times, with a mark of one dot below those that are narrower, so that none is lost on paper.
    fn lanes(&mut self) {
        let (trace, frame) = (self.trace, self.frame);
        let count: usize = frame.rows.iter().map(|&lane| self.in_window(lane).len()).sum();
        let mut groups: BTreeMap<(Role, bool, u32), Vec<Rect>> = BTreeMap::new();
        let mut unknowns = Vec::new();
        let mut left_out = 0;
        for (row, &lane_index) in frame.rows.iter().enumerate() {
            let lane = trace.lane_at(lane_index);
            let mut marked = i64::MIN;
            for index in self.in_window(lane_index) {
                let interval = lane.interval(index);
                let (x, end) = (self.scale.x(interval.start), self.scale.x(interval.end));
                let dot = (self.scale.dot / self.scale.unit) as i64;
                let id = match interval.who {
                    Who::Idle => continue,
                    Who::Unknown => {
                        let (top, height) = STRONG;
                        let y = row as i64 * ROW + top;
                        let width = end - x;
                        unknowns.extend((0 < width).then_some(Rect { y, x, width, height }));
                        continue;
                    }
                    Who::Run(id) => id,
                };
                let role = Role::of(self.extract, trace, id);
                let (top, height) = role.band();
                let y = row as i64 * ROW + top;
                let narrow = end - x < dot;
                if narrow && (MOST_EXACT < count || role == Role::Other) && x < marked {
                    left_out += usize::from(MOST_EXACT < count);
                } else if narrow {
                    marked = x + dot;
                    let tick = Rect {
                        y,
                        x,
                        width: dot,
                        height,
                    };
                    groups.entry((role, false, id.0)).or_default().push(tick);
                }
                if x < end && (count <= MOST_EXACT || !narrow) {
                    let run = Rect {
                        y,
                        x,
                        width: end - x,
                        height,
                    };
                    groups.entry((role, true, id.0)).or_default().push(run);
                }
            }
        }
        if 0 < left_out {
            self.small_print.push(format!(
                "{left_out} runs narrower than {} mm left out",
                crate::paint::scale::PRINTED_DOT
            ));
        }
        self.paint_runs(groups, unknowns);
    }

    fn paint_runs(&mut self, groups: BTreeMap<(Role, bool, u32), Vec<Rect>>, unknowns: Vec<Rect>) {
        let (trace, frame) = (self.trace, self.frame);
        let rows: Vec<String> = frame.rows.iter().map(|&lane| trace.cpu_at(lane).to_string()).collect();
        let base = |row: usize| vec![[frame.left, self.y(row, MIDDLE)], [self.right(), self.y(row, MIDDLE)]];
        self.items.push(Item::Lines {
            label: Label {
                class: "lane-lines",
                ..Label::default()
            },
            stroke: Stroke {
                width: 0.15,
                colour: theme::HATCH,
                dash: None,
            },
            lines: (0..frame.rows.len()).map(base).collect(),
        });
        let space = Space {
            left: frame.left,
            top: frame.top,
            unit_x: self.scale.unit_mm(),
            unit_y: frame.pitch / ROW as f64,
        };
        let mut data = self.scale.data(trace.origin_ns, None);
        data.push(("rows", rows.join(" ")));
        self.items.push(Item::Open(Label {
            class: "lanes",
            data,
            title: String::new(),
        }));
        if !unknowns.is_empty() {
            self.items.extend(hatched(space, unknowns));
        }
        for ((role, exact, id), rects) in groups {
            let id = TaskCommId(id);
            let (task, comm) = (trace.task_of(id), trace.comm_of(id));
            let colour = role.colour();
            self.items.push(Item::Rects {
                label: Label {
                    class: if exact { "runs" } else { "ticks" },
                    data: vec![
                        ("pid", task.pid.to_string()),
                        ("generation", task.generation.to_string()),
                        ("comm", comm.to_owned()),
                        ("role", role.name().to_owned()),
                    ],
                    title: task_name(comm, task.pid),
                },
                space,
                fill: Fill::Solid(colour),
                rects,
            });
        }
        self.items.push(Item::Close);
    }

    /// Draws the instant of the wakeup, across all lanes.
    fn instant(&mut self) {
        let (frame, at) = (self.frame, self.extract.at);
        if frame.window.contains(&at) {
            let x = frame.x(at);
            self.items.push(Item::Lines {
                label: Label {
                    class: "wakeup-instant",
                    data: vec![("at-ns", self.trace.origin_ns.saturating_add(at).to_string())],
                    title: String::new(),
                },
                stroke: Stroke {
                    width: 0.18,
                    colour: theme::QUIET,
                    dash: Some((0.6, 0.6)),
                },
                lines: vec![vec![[x, frame.top], [x, frame.bottom()]]],
            });
        }
    }

    /// Draws an open red bar on each lane where the wakee waited.
    fn wait(&mut self) {
        let (trace, frame) = (self.trace, self.frame);
        for wait in &self.extract.waits {
            let row = wait.cpu.and_then(|cpu| frame.row_of(trace.lane_index(cpu)?));
            let (Some(row), Some(cpu)) = (row, wait.cpu) else {
                continue;
            };
            if wait.to <= frame.window.start || frame.window.end <= wait.from {
                continue;
            }
            let (left, right) = (frame.x(wait.from).max(frame.left), frame.x(wait.to).min(self.right()));
            let (top, bottom) = (self.y(row, WAIT.0), self.y(row, WAIT.1));
            self.items.push(Item::Lines {
                label: Label {
                    class: "wait",
                    data: vec![
                        ("cpu", cpu.to_string()),
                        ("from-ns", trace.origin_ns.saturating_add(wait.from).to_string()),
                        ("to-ns", trace.origin_ns.saturating_add(wait.to).to_string()),
                    ],
                    title: "waits".to_owned(),
                },
                stroke: Stroke {
                    width: 0.35,
                    colour: theme::RUNNABLE,
                    dash: None,
                },
                lines: vec![vec![
                    [left, top],
                    [right, top],
                    [right, bottom],
                    [left, bottom],
                    [left, top],
                ]],
            });
            let edge = |x: f64| [x - 0.2, top, x + 0.2, bottom];
            self.taken.keep(edge(left));
            self.taken.keep(edge(right));
        }
    }

    /// Draws a × where the waker was, and an arrow from there to the begin of the wakee's run.
    fn wakeup(&mut self) {
        let (trace, frame, extract) = (self.trace, self.frame, self.extract);
        let Some(from) = extract.waker_lane.and_then(|lane| frame.row_of(lane)) else {
            return;
        };
        let at = extract.at;
        let tail = [frame.x(at), self.y(from, MIDDLE)];
        let absolute = |at: u64| trace.origin_ns.saturating_add(at).to_string();
        if let Some(to) = frame.row_of(extract.lane) {
            let (top, height) = STRONG;
            let share = match from.cmp(&to) {
                std::cmp::Ordering::Greater => (top + height) as f64 / ROW as f64,
                std::cmp::Ordering::Less | std::cmp::Ordering::Equal => top as f64 / ROW as f64,
            };
            let head = [frame.x(extract.run.start), self.y(to, share)];
            let seen = |at: u64| frame.window.start <= at && at <= frame.window.end;
            if seen(at) && seen(extract.run.start) {
                let style = Style {
                    colour: if extract.interrupt {
                        theme::ARROW_INTERRUPT
                    } else {
                        theme::INK
                    },
                    width: 0.45,
                    dashed: extract.interrupt,
                    double: false,
                    arched: from == to,
                    headed: true,
                };
                self.items.push(Item::Open(Label {
                    class: "wakeup-arrow",
                    data: vec![
                        (
                            "from-cpu",
                            trace.cpu_at(extract.waker_lane.unwrap_or(extract.lane)).to_string(),
                        ),
                        ("from-ns", absolute(at)),
                        ("to-cpu", trace.cpu_at(extract.lane).to_string()),
                        ("to-ns", absolute(extract.run.start)),
                        ("interrupt", extract.interrupt.to_string()),
                    ],
                    title: String::new(),
                }));
                self.items.extend(arrow(tail, head, &style));
                self.items.push(Item::Close);
                self.keep_free(tail, head);
            }
        }
        if frame.window.contains(&at) {
            let cross = |class, width, colour, data| Item::Lines {
                label: Label {
                    class,
                    data,
                    title: String::new(),
                },
                stroke: Stroke {
                    width,
                    colour,
                    dash: None,
                },
                lines: cross(tail, CROSS),
            };
            let cpu = extract
                .waker_lane
                .map_or(String::new(), |lane| trace.cpu_at(lane).to_string());
            let half = CROSS / 2.0;
            self.taken
                .keep([tail[0] - half, tail[1] - half, tail[0] + half, tail[1] + half]);
            self.items.push(cross("wakeup-halo", 1.2, theme::PAPER, Vec::new()));
            let data = vec![("cpu", cpu), ("at-ns", absolute(at))];
            self.items.push(cross("wakeup-mark", 0.6, theme::INK, data));
        }
    }

    /// Keeps texts off the line between two points.
    fn keep_free(&mut self, [ax, ay]: [f64; 2], [bx, by]: [f64; 2]) {
        const PIECES: usize = 40;
        for piece in 0..PIECES {
            let [from, to] = [piece, piece + 1].map(|end| end as f64 / PIECES as f64);
            let ([x0, x1], [y0, y1]) = (
                [from, to].map(|t| ax + (bx - ax) * t),
                [from, to].map(|t| ay + (by - ay) * t),
            );
            self.taken.keep([x0.min(x1), y0.min(y1), x0.max(x1), y0.max(y1)]);
        }
    }
}
