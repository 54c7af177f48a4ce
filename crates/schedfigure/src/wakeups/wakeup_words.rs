//! Texts on the lanes of a wakeup figure, where they cover nothing.

use super::wakeup_paint::{Painter, Role, CROSS, MIDDLE, WAIT};
use crate::paint::arrow_shapes::label_box;
use crate::paint::theme::{self, coloured, text};
use paper::font;
use paper::Anchor;
use schedmodel::{TaskCommId, Who};
use schedquery::query::task_name;

/// Base lines of texts above and below runs, as shares of a row.
const ABOVE: f64 = 0.26;
const BELOW: f64 = 0.88;
/// Letter size in mm.
const FONT: f64 = 2.3;

impl Painter<'_> {
    /// Writes the latency beside or within the longest bar.
    pub(crate) fn latency(&mut self) {
        let (trace, frame) = (self.trace, self.frame);
        let seen = self.extract.waits.iter().filter_map(|wait| {
            let row = frame.row_of(trace.lane_index(wait.cpu?)?)?;
            let seen = wait.from < frame.window.end && frame.window.start < wait.to;
            seen.then_some((row, wait))
        });
        let longest = seen.max_by_key(|(_, wait)| wait.to - wait.from);
        let Some((row, wait)) = longest else { return };
        let text = format!("wake-up latency {}", self.extract.latency());
        let (left, right) = (frame.x(wait.from).max(frame.left), frame.x(wait.to).min(self.right()));
        let (width, y) = (font::width(&text, FONT), self.y(row, BELOW));
        let inside = [(left + right - width) / 2.0, left + 0.8, right - 0.8 - width];
        let inside = inside.into_iter().filter(|_| width + 1.6 <= right - left);
        let beside = [right + 0.8, left - 0.8 - width];
        let room = frame.left + 0.6..self.right() - width;
        for x in inside.chain(beside.into_iter().filter(|x| room.contains(x))) {
            if self.taken.take([x, y - FONT * 0.8, x + width, y + FONT * 0.2]) {
                let at = [x, y];
                self.items
                    .push(coloured("wait-label", at, FONT, Anchor::Start, theme::RUNNABLE, text));
                return;
            }
        }
    }

    /// Writes that the previous CPU idled, as close to the wakeup as possible.
    pub(crate) fn idle_before(&mut self) {
        let frame = self.frame;
        let Some((lane, idle)) = self.extract.idle_before(self.trace) else {
            return;
        };
        let Some(row) = frame.row_of(lane) else { return };
        let (from, to) = (frame.x(idle.start).max(frame.left), frame.x(idle.end).min(self.right()));
        let text = format!("CPU {} was idle", self.trace.cpu_at(lane));
        let (width, mark, y) = (font::width(&text, FONT), frame.x(self.extract.at), self.y(row, MIDDLE));
        let places = [mark - width / 2.0, mark + CROSS, mark - CROSS - width];
        for left in places.map(|left| left.clamp(from + 0.6, (to - width - 0.6).max(from + 0.6))) {
            let bounds = [left - 0.4, y - FONT * 0.7, left + width + 0.4, y + FONT * 0.6];
            if bounds[2] <= to && self.taken.take(bounds) {
                self.items.push(label_box(bounds));
                self.items.push(coloured(
                    "idle-before",
                    [left, y + FONT * 0.35],
                    FONT,
                    Anchor::Start,
                    theme::QUIET,
                    text,
                ));
                return;
            }
        }
    }

    /// Writes the names of tasks: within a run if there is room, above it if that is free.
    pub(crate) fn names(&mut self) {
        let (trace, frame) = (self.trace, self.frame);
        let mut named: Vec<(Role, f64, usize, f64, f64, TaskCommId)> = Vec::new();
        for (row, &lane_index) in frame.rows.iter().enumerate() {
            let lane = trace.lane_at(lane_index);
            for index in self.in_window(lane_index) {
                let interval = lane.interval(index);
                let Who::Run(id) = interval.who else { continue };
                let left = frame.x(interval.start).max(frame.left);
                let right = frame.x(interval.end).min(self.right());
                named.push((Role::of(self.extract, trace, id), right - left, row, left, right, id));
            }
        }
        for &(_, _, row, left, right, _) in &named {
            self.taken.keep([left, self.y(row, 0.34), right, self.y(row, 0.64)]);
        }
        // The runs that the figure is about come first, then the widest.
        named.sort_by(|a, b| (b.0, b.1).partial_cmp(&(a.0, a.1)).unwrap_or(std::cmp::Ordering::Equal));
        named.truncate(200);
        for (role, width, row, left, right, id) in named {
            let name = task_name(trace.comm_of(id), trace.task_of(id).pid);
            let text_width = font::width(&name, FONT);
            if role != Role::Other && text_width + 1.5 <= width {
                let (x, y) = ((left + right) / 2.0, self.y(row, MIDDLE));
                let bounds = [
                    x - text_width / 2.0,
                    y - FONT * 0.5,
                    x + text_width / 2.0,
                    y + FONT * 0.5,
                ];
                // The × and the arrow's foot keep their place.
                let mark = frame.x(self.extract.at);
                let on_mark = self.extract.waker_lane == frame.rows.get(row).copied()
                    && bounds[0] - CROSS < mark
                    && mark < bounds[2] + CROSS;
                if !on_mark {
                    let colour = if role == Role::Waker { theme::PAPER } else { theme::INK };
                    let at = [x, y + FONT * 0.35];
                    self.items
                        .push(coloured("run-name", at, FONT, Anchor::Middle, colour, name));
                    continue;
                }
            }
            self.name_near(row, [left, right], name);
        }
    }

    /// Writes a name above a run, or else beside or below it, where that is free.
    fn name_near(&mut self, row: usize, [left, right]: [f64; 2], name: String) {
        let width = font::width(&name, FONT);
        let first = self.frame.left + 0.6;
        let last = (self.right() - width).max(first);
        let above = if width <= right - left {
            left
        } else {
            (left + right - width) / 2.0
        };
        let [top, middle, bottom] = [ABOVE, MIDDLE, BELOW].map(|share| self.y(row, share));
        let places = [
            [above.clamp(first, last), top],
            [right.clamp(first, last), top],
            [(left - width).clamp(first, last), top],
            [right + 0.8, middle + FONT * 0.35],
            [left - 0.8 - width, middle + FONT * 0.35],
            [above.clamp(first, last), bottom],
        ];
        for [x, y] in places {
            let bounds = [x - 0.5, y - FONT * 0.85, x + width + 0.5, y + FONT * 0.25];
            let fits = first <= x && x <= last;
            if fits && self.taken.take(bounds) {
                self.items.push(text("run-name", [x, y], FONT, Anchor::Start, name));
                return;
            }
        }
    }

    /// Writes the role of each CPU at the left end of its lane.
    pub(crate) fn roles(&mut self) {
        for (row, &lane) in self.frame.rows.iter().enumerate() {
            let (text, y) = (self.extract.role(self.trace, lane), self.y(row, BELOW));
            let left = self.frame.left + 0.8;
            let bounds = [
                left,
                self.y(row, WAIT.0),
                left + font::width(&text, FONT) + 0.5,
                self.y(row, WAIT.1),
            ];
            if !text.is_empty() && self.taken.take(bounds) {
                self.items
                    .push(coloured("cpu-role", [left, y], FONT, Anchor::Start, theme::QUIET, text));
            }
        }
    }
}
