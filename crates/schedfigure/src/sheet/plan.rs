//! Drives a figure from start to end: layout, panels, drawing.

use super::extent::Extent;
use super::key::{small_print, Key};
use super::layout::{Layout, MARGIN};
use crate::choices::colour::Colours;
use crate::choices::error::FigureError;
use crate::choices::spec::{Kind, Spec};
use crate::paint::theme::{text, ASCENT, TITLE};
use paper::font;
use paper::{About, Anchor, Drawing, Item, Label};

/// One trace's part of a figure.
#[derive(Clone, Debug, Default)]
pub struct Panel {
    /// In the drawing's coordinates.
    pub items: Vec<Item>,
    /// The view of the page that shows the same.
    pub view: String,
    /// The file, as named on the command line.
    pub(crate) file: String,
    /// Sentences without a final full stop.
    pub(crate) small_print: Vec<String>,
}

/// The layout of a figure, and what its panels share.
#[derive(Clone, Debug)]
pub struct Plan {
    pub(crate) spec: Spec,
    pub(crate) extents: Vec<Extent>,
    pub(crate) layout: Layout,
    pub(crate) colours: Colours,
}

impl Plan {
    /// Lays out the panels of all traces.
    pub fn new(spec: Spec, extents: Vec<Extent>) -> Result<Plan, FigureError> {
        if let Some(trace) = extents.iter().position(|extent| extent.cpus.is_empty()) {
            return Err(FigureError::Cpus { trace: trace + 1 });
        }
        let mut failed = extents
            .iter()
            .filter_map(|extent| extent.wakeup.as_ref()?.as_ref().err());
        if let Some(error) = failed.next().cloned() {
            return Err(error);
        }
        let layout = Layout::new(&spec, &extents)?;
        let comms = distinct(extents.iter().flat_map(|extent| &extent.comms));
        let calls = distinct(extents.iter().flat_map(|extent| &extent.call_names));
        let colours = Colours::new(&spec, &comms).with_calls(&calls);
        Ok(Plan {
            spec,
            extents,
            layout,
            colours,
        })
    }

    /// The least and the greatest value of the counter in all traces, so that all panels have one scale.
    pub(crate) fn counter_range(&self) -> Option<[f64; 2]> {
        let ranges = self.extents.iter().filter_map(|extent| extent.counter);
        ranges.reduce(|[least, greatest], [low, high]| [least.min(low), greatest.max(high)])
    }

    /// The plan with room for the small print of these panels, if it has a given height and too little room.
    pub fn roomier(&self, panels: &[Panel]) -> Result<Option<Plan>, FigureError> {
        let (_, height) = small_print(&sentences(panels), [0.0; 2], self.layout.inner_width());
        if self.layout.height.is_none() || height <= self.layout.small_print {
            return Ok(None);
        }
        let layout = Layout::with_small_print(&self.spec, &self.extents, height)?;
        Ok(Some(Plan { layout, ..self.clone() }))
    }

    /// Puts the panels together, in the order of the traces.
    pub fn assemble(self, panels: Vec<Panel>) -> Drawing {
        let files: Vec<&str> = panels.iter().map(|panel| panel.file.as_str()).collect();
        let about = About {
            title: self
                .spec
                .title
                .clone()
                .unwrap_or_else(|| described(self.spec.kind, &files)),
            command: String::new(),
            views: panels.iter().map(|panel| panel.view.clone()).collect(),
        };
        let width = self.layout.inner_width();
        let mut items = Vec::new();
        if let Some(title) = &self.spec.title {
            let at = [MARGIN, MARGIN + ASCENT * TITLE];
            let title = font::ellipsize(title, TITLE, width).into_owned();
            items.push(text("title", at, TITLE, Anchor::Start, title));
        }
        let sentences = sentences(&panels);
        items.extend(panels.into_iter().flat_map(|panel| panel.items));
        let key = Key::new(
            &self.spec,
            &self.extents,
            &self.colours,
            !self.layout.has_legends,
            width,
        );
        let mut y = self.layout.body;
        items.extend(key.draw([MARGIN, y]));
        y += key.height();
        let (small, height) = small_print(&sentences, [MARGIN, y], width);
        if !small.is_empty() {
            items.push(Item::Open(Label::of("small-print")));
            items.extend(small);
            items.push(Item::Close);
        }
        Drawing {
            width: self.layout.width,
            height: self.layout.height.unwrap_or(y + height + MARGIN),
            about,
            items,
        }
    }
}

/// The small print of all panels, each sentence once.
fn sentences(panels: &[Panel]) -> Vec<String> {
    distinct(panels.iter().flat_map(|panel| &panel.small_print))
}

/// All names in order of first appearance.
fn distinct<'a>(names: impl Iterator<Item = &'a String>) -> Vec<String> {
    let mut known = std::collections::HashSet::new();
    names.filter(|name| known.insert(name.as_str())).cloned().collect()
}

fn described(kind: Kind, files: &[&str]) -> String {
    let what = match kind {
        Kind::Timeline => "Tasks on CPUs over time",
        Kind::RunningWaiting => "Running and runnable tasks over time",
        Kind::Wakeup => "A run and the wakeup that led to it",
    };
    format!("{what}: {}", files.join(", "))
}
