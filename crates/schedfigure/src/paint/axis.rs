//! Axes: which instants, CPUs and counts have labels, and their texts. Labels never overlap.

use paper::font;

/// 1, 2 and 5 times the powers of ten, ascending.
fn round_numbers() -> impl Iterator<Item = u64> {
    (0..=19).flat_map(|power| {
        let power = 10_u64.checked_pow(power);
        [1, 2, 5]
            .into_iter()
            .filter_map(move |factor| power?.checked_mul(factor))
    })
}

/// `value / unit` with this many decimals, rounded half up; `unit` is a power of ten, at least `10^decimals`.
pub(crate) fn fixed(value: u64, unit: u64, decimals: u32) -> String {
    let last = (unit / 10_u64.pow(decimals)).max(1);
    let rounded = value.saturating_add(last / 2) / last;
    let per_unit = unit / last;
    match decimals {
        0 => format!("{rounded}"),
        _ => format!(
            "{}.{:0width$}",
            rounded / per_unit,
            rounded % per_unit,
            width = decimals as usize
        ),
    }
}

const UNITS: [u64; 4] = [1, 1_000, 1_000_000, 1_000_000_000];
const NAMES: [&str; 4] = ["ns", "µs", "ms", "s"];
/// Units for clocks that count raw ticks.
const TICK_NAMES: [&str; 4] = ["ticks", "k ticks", "M ticks", "G ticks"];

/// Index of the largest unit that does not exceed a value.
fn unit_for(value: u64) -> usize {
    UNITS.iter().rposition(|&unit| unit <= value).unwrap_or(0)
}

/// How much a unit is.
fn unit_size(unit: usize) -> u64 {
    UNITS.get(unit).copied().unwrap_or(1)
}

fn unit_name(unit: usize, clock_is_ns: bool) -> &'static str {
    let names = if clock_is_ns { NAMES } else { TICK_NAMES };
    names.get(unit).copied().unwrap_or_default()
}

/// A time with all its digits, in the largest unit that it reaches: `3.2 s`, `512 ns`.
pub(crate) fn time(value: u64, clock_is_ns: bool) -> String {
    let unit = unit_for(value);
    let digits = fixed(value, unit_size(unit), 3 * unit as u32);
    let short = match digits.contains('.') {
        true => digits.trim_end_matches('0').trim_end_matches('.'),
        false => &digits,
    };
    format!("{short} {}", unit_name(unit, clock_is_ns))
}

/// A duration with four significant digits: `72.40 s`, `12.35 ms`; with all digits below a µs and for raw ticks.
pub(crate) fn duration(value: u64, clock_is_ns: bool) -> String {
    if !clock_is_ns {
        return format!("{value} ticks");
    }
    for (size, name) in UNITS.into_iter().zip(NAMES).skip(1).rev() {
        for (decimals, least) in [(0, 1000 * size), (1, 100 * size), (2, 10 * size), (3, size)] {
            // A number that rounds up to the least one counts as that.
            let half = size / 10_u64.pow(decimals + 1) / 2;
            if least - half <= value {
                return format!("{} {}", fixed(value, size, decimals), name);
            }
        }
    }
    format!("{value} ns")
}

/// A labelled instant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TimeTick {
    /// ns from time 0.
    pub(crate) at: u64,
    pub(crate) label: String,
}

/// The labels of a time axis. Numbers have the axis's unit, which its title names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TimeAxis {
    pub(crate) ticks: Vec<TimeTick>,
    /// Index of the labels' unit.
    unit: usize,
    /// The origin of the labels, if that is not time 0.
    base: Option<u64>,
}

/// Labels with more decimals count from a round time instead of time 0.
const MOST_DECIMALS: u32 = 4;

impl TimeAxis {
    /// The densest round ticks in `[from, to]` (ns from time 0) whose labels, in letters of `size` mm, fit beside each
    /// other on `width` mm.
    pub(crate) fn new(from: u64, to: u64, width: f64, size: f64) -> TimeAxis {
        let span = to.saturating_sub(from).max(1);
        let least = (width / 6.0).clamp(6.0, 16.0);
        let mut axis = TimeAxis {
            ticks: Vec::new(),
            unit: unit_for(to),
            base: None,
        };
        for step in round_numbers() {
            let room = step as f64 / span as f64 * width;
            if room < least {
                continue;
            }
            axis = TimeAxis::with_step(from, to, step);
            if axis.widest(size) + size <= room || axis.ticks.len() < 2 {
                break;
            }
        }
        axis
    }

    fn with_step(from: u64, to: u64, step: u64) -> TimeAxis {
        let far = unit_for(to);
        let decimals_in = |unit: usize| {
            (0..)
                .find(|&digits| unit_size(unit) / 10_u64.pow(digits) <= step)
                .unwrap_or(0)
        };
        let (unit, base) = if decimals_in(far) <= MOST_DECIMALS {
            (far, None)
        } else {
            let near = unit_for(step);
            let round = unit_size(near) * 1000;
            (near, Some(from / round * round).filter(|&base| 0 < base))
        };
        let decimals = decimals_in(unit);
        let ticks = (from.div_ceil(step)..=to / step).map(|number| TimeTick {
            at: number * step,
            label: fixed(number * step - base.unwrap_or(0), unit_size(unit), decimals),
        });
        TimeAxis {
            ticks: ticks.collect(),
            unit,
            base,
        }
    }

    /// Width of the widest label in mm.
    pub(crate) fn widest(&self, size: f64) -> f64 {
        let widths = self.ticks.iter().map(|tick| font::width(&tick.label, size));
        widths.fold(0.0, f64::max)
    }

    /// `time (s)`, or `time (µs after 3.147 s)`; `zero` says what time 0 is.
    pub(crate) fn title(&self, clock_is_ns: bool, zero: &str) -> String {
        let unit = unit_name(self.unit, clock_is_ns);
        let zero_unit = if clock_is_ns { "0 s" } else { "0" };
        match self.base {
            None => format!("time ({unit}), 0 = {zero}"),
            Some(base) => format!("time ({unit} after {}), {zero_unit} = {zero}", time(base, clock_is_ns)),
        }
    }

    /// A shorter title.
    pub(crate) fn short_title(&self, clock_is_ns: bool) -> String {
        let unit = unit_name(self.unit, clock_is_ns);
        match self.base {
            None => format!("time ({unit})"),
            Some(base) => format!("time ({unit} after {})", time(base, clock_is_ns)),
        }
    }
}

/// Distances between labelled CPUs: machines have powers of two.
const CPU_STEPS: [usize; 13] = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096];
/// Distances where the number of CPUs is not a power of two.
const OTHER_STEPS: [usize; 13] = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000];

/// The rows with a label, ascending. `groups`: sizes of the stretches of rows (one per socket), counted from the row of
/// the first CPU; each stretch begins with a label if there is room.
pub(crate) fn labelled_rows(groups: &[usize], pitch: f64, size: f64) -> Vec<usize> {
    let least = size * 1.05;
    let steps = if groups.iter().all(|rows| rows % 4 == 0) {
        CPU_STEPS
    } else {
        OTHER_STEPS
    };
    let step = steps.into_iter().find(|&step| least <= step as f64 * pitch);
    let step = step.unwrap_or(usize::MAX);
    let mut labelled: Vec<usize> = Vec::new();
    let mut first = 0;
    for &rows in groups {
        for row in (first..first + rows).step_by(step) {
            let has_room = |last: &usize| least <= (row - last) as f64 * pitch;
            if labelled.last().is_none_or(has_room) {
                labelled.push(row);
            }
        }
        first += rows;
    }
    labelled
}

/// Round counts from 0 to `top` that fit on `height` mm.
pub(crate) fn count_ticks(top: u64, height: f64, size: f64) -> Vec<u64> {
    let least = (1.6 * size).max(height / 6.0);
    let step = round_numbers().find(|&step| least <= step as f64 / top.max(1) as f64 * height);
    (0..=top).step_by(step.unwrap_or(u64::MAX).max(1) as usize).collect()
}

/// Absolute trace time, as in the trace's events.
pub(crate) fn instant(ns: u64, clock_is_ns: bool) -> String {
    if clock_is_ns {
        format!("{}.{:09} s", ns / 1_000_000_000, ns % 1_000_000_000)
    } else {
        format!("{ns} ticks")
    }
}

#[cfg(test)]
mod tests {
    use super::{count_ticks, duration, fixed, labelled_rows, time, TimeAxis};
    use crate::paint::theme::{LABEL, LEGEND};

    /// Labels and title of an axis 100 mm wide.
    fn axis(from: u64, to: u64) -> (Vec<String>, String) {
        let axis = TimeAxis::new(from, to, 100.0, LABEL);
        let title = axis.title(true, "exit of sleep");
        (axis.ticks.into_iter().map(|tick| tick.label).collect(), title)
    }

    #[test]
    fn a_whole_trace_is_labelled_in_seconds() {
        let (labels, title) = axis(0, 5_000_000_000);
        assert_eq!(labels, ["0", "1", "2", "3", "4", "5"]);
        assert_eq!(title, "time (s), 0 = exit of sleep");
    }

    #[test]
    fn a_window_near_time_0_has_the_unit_that_fits() {
        assert_eq!(axis(0, 5_000_000).0, ["0", "1", "2", "3", "4", "5"]);
        assert_eq!(axis(0, 5_000_000).1, "time (ms), 0 = exit of sleep");
        assert_eq!(axis(0, 40).0, ["0", "10", "20", "30", "40"]);
        assert_eq!(axis(0, 40).1, "time (ns), 0 = exit of sleep");
    }

    #[test]
    fn a_window_far_from_time_0_stays_in_seconds_while_digits_are_few() {
        assert_eq!(
            axis(3_000_000_000, 3_200_000_000).0,
            ["3.00", "3.05", "3.10", "3.15", "3.20"]
        );
        assert_eq!(axis(3_147_000_000, 3_152_000_000).0[..2], ["3.147", "3.148"]);
    }

    #[test]
    fn a_deep_zoom_counts_from_a_round_time_that_the_title_says() {
        let (labels, title) = axis(3_147_741_000, 3_147_746_000);
        assert_eq!(labels, ["741", "742", "743", "744", "745", "746"]);
        assert_eq!(title, "time (µs after 3.147 s), 0 s = exit of sleep");
    }

    #[test]
    fn raw_ticks_are_no_seconds() {
        let axis = TimeAxis::new(0, 6_000_000_000, 100.0, LABEL);
        assert_eq!(axis.title(false, "first record"), "time (G ticks), 0 = first record");
        assert_eq!(axis.short_title(false), "time (G ticks)");
    }

    #[test]
    fn ticks_begin_within_the_window_and_are_as_dense_as_labels_allow() {
        assert_eq!(axis(100_000_000, 900_000_000).0, ["200", "400", "600", "800"]);
        let narrow = TimeAxis::new(0, 20_000_000_000, 30.0, LABEL);
        let labels: Vec<&str> = narrow.ticks.iter().map(|tick| tick.label.as_str()).collect();
        assert_eq!(labels, ["0", "5", "10", "15", "20"]);
    }

    #[test]
    fn windows_of_any_size_have_few_ticks() {
        for to in [1, 7, 1_000, u64::from(u32::MAX), u64::MAX] {
            for from in [0, to / 2, to - 1] {
                let axis = TimeAxis::new(from, to, 100.0, LABEL);
                assert!(axis.ticks.len() <= 17, "{from}..{to}: {}", axis.ticks.len());
            }
        }
    }

    #[test]
    fn durations_have_four_significant_digits() {
        let all = [
            (72_400_000_000, "72.40 s"),
            (2_054_321_000_000, "2054 s"),
            (999_950_000, "1.000 s"),
            (999_949_999, "999.9 ms"),
            (12_345_678, "12.35 ms"),
            (1_000, "1.000 µs"),
            (999, "999 ns"),
            (0, "0 ns"),
        ];
        for (value, text) in all {
            assert_eq!(duration(value, true), text);
        }
        assert_eq!(duration(12_345, false), "12345 ticks");
    }

    #[test]
    fn times_have_all_their_digits() {
        assert_eq!(time(3_200_000_000, true), "3.2 s");
        assert_eq!(time(700_000_000, true), "700 ms");
        assert_eq!(time(1_234_567, true), "1.234567 ms");
        assert_eq!(time(512, false), "512 ticks");
        assert_eq!(fixed(15, 10, 0), "2");
        assert_eq!(fixed(1_999_999_999, 1_000_000_000, 4), "2.0000");
    }

    #[test]
    fn every_cpu_is_labelled_where_there_is_room() {
        assert_eq!(labelled_rows(&[4], 2.5, LEGEND), [0, 1, 2, 3]);
        assert_eq!(labelled_rows(&[8], 1.2, LEGEND), [0, 2, 4, 6]);
        assert_eq!(labelled_rows(&[10], 0.5, LEGEND), [0, 5]);
    }

    #[test]
    fn each_socket_begins_with_a_label_unless_that_is_too_near_the_last() {
        assert_eq!(labelled_rows(&[4, 4], 0.6, LEGEND), [0, 4]);
        assert_eq!(labelled_rows(&[6, 6], 1.2, LEGEND), [0, 2, 4, 6, 8, 10]);
        assert_eq!(labelled_rows(&[3, 3, 3], 0.7, LEGEND), [0, 6]);
        assert_eq!(labelled_rows(&[2, 2], 0.01, LEGEND), [0]);
    }

    #[test]
    fn counts_are_round() {
        assert_eq!(count_ticks(36, 50.0, LEGEND), [0, 10, 20, 30]);
        assert_eq!(count_ticks(2, 10.0, LEGEND), [0, 1, 2]);
        assert_eq!(count_ticks(144, 12.0, LEGEND), [0, 50, 100]);
    }
}
