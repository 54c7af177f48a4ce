//! A figure of one trace, made in a few steps: whoever waits for it can answer other questions in between.

use super::command::Call;
use super::error::FigureError;
use super::extent::Extent;
use super::plan::{Plan, Subject};
use super::request::Request;
use super::spec::Spec;
use paper::Drawing;
use paper::Format;
use paper::MM_PER_INCH;
use schedmodel::Trace;
use serde::Serialize;
use std::sync::Arc;

/// A figure under way.
#[derive(Clone, Debug)]
pub struct Making {
    trace: Arc<Trace>,
    file: String,
    fingerprint: u64,
    clock_is_ns: bool,
    command: String,
    formats: Vec<Format>,
    dpi: u32,
    preview: Option<[u32; 2]>,
    stage: Stage,
    files: Vec<Vec<u8>>,
}

#[derive(Clone, Debug)]
enum Stage {
    Asked(Box<Spec>),
    Planned(Box<Plan>),
    Drawn(Drawing),
}

/// What is told of a figure beside its files.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Made {
    /// The command line that makes the first of the files.
    pub command: String,
    /// mm.
    pub width: f64,
    /// mm.
    pub height: f64,
    /// Dots an inch of the preview; 0: there is none.
    pub preview_dpi: u32,
}

impl Making {
    /// Begins.
    pub fn new(trace: Arc<Trace>, request: Request) -> Result<Making, FigureError> {
        let spec = request.figure.spec(&trace)?;
        let call = Call {
            files: &[&request.file],
            buffer: None,
            output: &request.out,
            dpi: request.dpi,
            first_ns: trace.first_ns,
        };
        let command = call.line(&spec);
        Ok(Making {
            trace,
            command,
            file: request.file,
            fingerprint: u64::from_str_radix(&request.fingerprint, 16).unwrap_or(0),
            clock_is_ns: request.clock_is_ns,
            formats: request.formats,
            dpi: request.dpi,
            preview: request.preview,
            stage: Stage::Asked(Box::new(spec)),
            files: Vec::new(),
        })
    }

    /// Does some more; false when nothing is left to do.
    pub fn step(&mut self) -> Result<bool, FigureError> {
        let subject = Subject {
            trace: &self.trace,
            file: &self.file,
            fingerprint: self.fingerprint,
            clock_is_ns: self.clock_is_ns,
        };
        match &self.stage {
            Stage::Asked(spec) => {
                let extent = Extent::of(&subject, spec);
                let plan = Plan::new(Spec::clone(spec), vec![extent])?;
                self.stage = Stage::Planned(Box::new(plan));
            }
            Stage::Planned(plan) => {
                let panel = plan.panel(0, &subject)?;
                let mut drawing = Plan::clone(plan).assemble(vec![panel]);
                drawing.about.command.clone_from(&self.command);
                self.stage = Stage::Drawn(drawing);
            }
            Stage::Drawn(drawing) => {
                let file = match (self.formats.get(self.files.len()), self.preview) {
                    (Some(format), _) => Some(drawing.to(*format, self.dpi)?),
                    (None, Some(room)) if self.files.len() == self.formats.len() => {
                        Some(drawing.to_png(dpi_within(drawing, room))?)
                    }
                    (None, _) => None,
                };
                self.files.extend(file);
                return Ok(self.files.len() < self.wanted());
            }
        }
        Ok(true)
    }

    /// How much is done, from 0 to 1.
    pub fn share(&self) -> f64 {
        let before = match self.stage {
            Stage::Asked(_) => 0,
            Stage::Planned(_) => 1,
            Stage::Drawn(_) => 2,
        };
        (before + self.files.len()) as f64 / (2 + self.wanted()) as f64
    }

    /// How many files.
    fn wanted(&self) -> usize {
        self.formats.len() + usize::from(self.preview.is_some())
    }

    /// What was made, once `step` has said that nothing is left.
    pub fn made(&self) -> Made {
        let (width, height, preview_dpi) = match &self.stage {
            Stage::Drawn(drawing) => {
                let preview_dpi = self.preview.map_or(0, |room| dpi_within(drawing, room));
                (drawing.width, drawing.height, preview_dpi)
            }
            Stage::Asked(_) | Stage::Planned(_) => (0.0, 0.0, 0),
        };
        Made {
            command: self.command.clone(),
            width,
            height,
            preview_dpi,
        }
    }

    /// Hands over the file of the format with this number, after all of them the preview; empty the second time.
    pub fn take_file(&mut self, number: usize) -> Vec<u8> {
        self.files.get_mut(number).map(std::mem::take).unwrap_or_default()
    }
}

/// Most pixels of a preview's side: what is larger is slow to draw and no clearer on a screen.
const LONGEST_SIDE: u32 = 4096;

/// The most dots an inch with which a drawing fits into so many pixels.
fn dpi_within(drawing: &Drawing, room: [u32; 2]) -> u32 {
    let [width, height] = paper::size(drawing);
    let fitting = |pixels: u32, mm: f64| f64::from(pixels.min(LONGEST_SIDE)) / mm * MM_PER_INCH;
    (fitting(room[0], width).min(fitting(room[1], height)) as u32).max(1)
}
