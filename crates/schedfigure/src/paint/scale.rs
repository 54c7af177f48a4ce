//! Integer coordinates of time.

use paper::decimals;
use paper::number::push_decimal;
use std::ops::Range;

/// The smallest size in mm that pens and printers resolve: narrower things get a mark of this width, and merging uses
/// it unless the user sets another dot.
pub(crate) const PRINTED_DOT: f64 = 0.1;

/// A length in words, to a µm and without needless zeros.
pub(crate) fn millimetres(mm: f64) -> String {
    let digits = format!("{mm:.3}");
    digits.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// Maps times to integers in a space that begins at a window's start.
#[derive(Clone, Debug)]
pub(crate) struct Scale {
    /// The window, in ns since the trace's first record.
    pub(crate) window: Range<u64>,
    /// ns per unit.
    pub(crate) unit: u64,
    /// ns per printed dot, a multiple of the unit.
    pub(crate) dot: u64,
    /// Width of the window in mm.
    width: f64,
}

impl Scale {
    /// A scale for a window of this width in mm. `merged`: the dot in mm, within which everything is merged; `None`:
    /// every time is exact.
    pub(crate) fn new(window: &Range<u64>, width: f64, merged: Option<f64>) -> Scale {
        let window = window.start..window.end.max(window.start);
        let length = (window.end - window.start) as f64;
        let dot = length * (merged.unwrap_or(PRINTED_DOT) / width).clamp(0.0, 1.0);
        let mut unit = 1_u64;
        if merged.is_some() {
            while unit as f64 * 10_000.0 <= dot {
                unit *= 10;
            }
        }
        let dot = (dot / unit as f64).round().max(1.0) as u64 * unit;
        Scale {
            window,
            unit,
            dot,
            width,
        }
    }

    /// The unit nearest to an instant of the window.
    pub(crate) fn x(&self, at: u64) -> i64 {
        let inside = at.clamp(self.window.start, self.window.end) - self.window.start;
        let units = inside / self.unit + u64::from(self.unit.div_ceil(2) <= inside % self.unit);
        i64::try_from(units).unwrap_or(i64::MAX)
    }

    /// The window in columns of a dot, of which the last may be narrower.
    pub(crate) fn columns(&self) -> Vec<Range<u64>> {
        let Range { start, end } = self.window;
        let starts = (0..(end - start).div_ceil(self.dot)).map(|column| start + column * self.dot);
        starts
            .map(|from| from..from.saturating_add(self.dot).min(end))
            .collect()
    }

    /// Width of a unit in mm.
    pub(crate) fn unit_mm(&self) -> f64 {
        let length = (self.window.end - self.window.start).max(1) as f64;
        self.width / length * self.unit as f64
    }

    /// Distance of an instant from the window's start, in mm.
    pub(crate) fn mm(&self, at: u64) -> f64 {
        let length = (self.window.end - self.window.start).max(1) as f64;
        let inside = at.clamp(self.window.start, self.window.end) - self.window.start;
        inside as f64 / length * self.width
    }

    /// The `data-` attributes of this scale. `first_ns`: absolute time of the trace's first record; `merged`: mm.
    pub(crate) fn data(&self, first_ns: u64, merged: Option<f64>) -> Vec<(&'static str, String)> {
        let absolute = |at: u64| first_ns.saturating_add(at).to_string();
        // Coordinates are written as decimals.
        let decimals = decimals(self.unit_mm());
        let written = self.unit.saturating_mul(10_u64.saturating_pow(decimals));
        let mut data = vec![
            ("start-ns", absolute(self.window.start)),
            ("end-ns", absolute(self.window.end)),
            ("unit-ns", written.to_string()),
            ("precision-ns", self.unit.to_string()),
        ];
        if let Some(dot) = merged {
            let mut units = String::new();
            push_decimal(
                &mut units,
                i64::try_from(self.dot / self.unit).unwrap_or(i64::MAX),
                decimals,
            );
            data.push(("merged-dot-mm", millimetres(dot)));
            data.push(("merged-dot-units", units));
        }
        data
    }
}
