//! Brackets left of the lanes, which show the CPUs of each socket and, if sockets have several, of each last-level
//! cache.

use super::theme::{lines, text, upwards, AXIS, HALF_CAP, LEGEND};
use paper::font;
use paper::{Anchor, Item, Label};
use schedmodel::topology::{CpuPlace, Domain, Topology};

/// Width of a bracket with its label, in mm.
const WIDTH: f64 = 3.4;
/// Length of a bracket's hooks, in mm.
const HOOK: f64 = 0.7;
/// Gap between neighbouring brackets, in mm.
const GAP: f64 = 0.25;
/// Lowest bracket in mm; lower ones cannot be told apart.
const LEAST: f64 = 0.9;

/// The levels that have brackets, innermost first.
pub(crate) fn levels(topology: Option<&Topology>) -> &'static [Domain] {
    match topology {
        None => &[],
        // LLCs that are as many as cores show nothing new.
        Some(machine) if machine.sockets() < machine.llcs() && machine.llcs() < machine.cores() => {
            &[Domain::Llc, Domain::Socket]
        }
        Some(_) => &[Domain::Socket],
    }
}

/// Width of all brackets in mm.
pub(crate) fn width(topology: Option<&Topology>) -> f64 {
    levels(topology).len() as f64 * WIDTH
}

/// Neighbouring rows of the same socket or LLC.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stretch {
    /// Number of the socket or LLC; `None` if the topology does not have these CPUs.
    pub(crate) number: Option<u32>,
    pub(crate) first: usize,
    pub(crate) rows: usize,
}

/// The stretches that tile some rows (CPU numbers).
pub(crate) fn stretches(topology: &Topology, level: Domain, rows: &[u32]) -> Vec<Stretch> {
    let number = |place: &CpuPlace| match level {
        Domain::Llc => place.llc,
        Domain::Socket => place.socket,
    };
    let numbers: Vec<Option<u32>> = rows.iter().map(|&cpu| topology.place(cpu).map(number)).collect();
    let mut found: Vec<Stretch> = Vec::new();
    for (first, chunk) in numbers.chunk_by(|a, b| a == b).scan(0, |row, chunk| {
        *row += chunk.len();
        Some((*row - chunk.len(), chunk))
    }) {
        found.push(Stretch {
            number: chunk.first().copied().flatten(),
            first,
            rows: chunk.len(),
        });
    }
    found
}

/// The brackets of lanes whose first row is at `top`; they end at `right`.
pub(crate) fn brackets(topology: &Topology, rows: &[u32], [right, top]: [f64; 2], pitch: f64) -> Vec<Item> {
    let mut items = Vec::new();
    for (column, &level) in levels(Some(topology)).iter().enumerate() {
        let name = match level {
            Domain::Socket => "socket",
            Domain::Llc => "LLC",
        };
        let x = right - column as f64 * WIDTH - HOOK;
        for stretch in stretches(topology, level, rows) {
            let Some(number) = stretch.number else { continue };
            let from = top + stretch.first as f64 * pitch + GAP;
            let to = top + (stretch.first + stretch.rows) as f64 * pitch - GAP;
            if to - from < LEAST {
                continue;
            }
            items.push(Item::Open(
                Label::of("bracket").with("level", name).with("number", number),
            ));
            let hook = x + HOOK;
            items.push(lines(
                "bracket",
                AXIS,
                vec![vec![[hook, from], [x, from], [x, to], [hook, to]]],
            ));
            let (middle, full) = ((from + to) / 2.0, format!("{name} {number}"));
            if font::width(&full, LEGEND) <= to - from {
                items.push(upwards("bracket", [x - 0.5, middle], LEGEND, full));
            } else if LEGEND * 0.75 <= to - from {
                let at = [x - 0.4, middle + HALF_CAP * LEGEND];
                items.push(text("bracket", at, LEGEND, Anchor::End, number.to_string()));
            }
            items.push(Item::Close);
        }
    }
    items
}
