//! Makes a figure of one trace in a few steps, so that the caller can answer other queries in between.

use super::extent::Extent;
use super::plan::Plan;
use crate::choices::command::Call;
use crate::choices::counter::{AskedCounter, CounterValues};
use crate::choices::error::FigureError;
use crate::choices::request::Request;
use crate::choices::spec::Spec;
use crate::choices::subject::Subject;
use paper::Drawing;
use paper::Format;
use paper::MM_PER_INCH;
use schedindex::Passing;
use schedmodel::Trace;
use schedquery::ask::calls::CallTrace;
use schedquery::query::CallNames;
use serde::Serialize;
use std::rc::Rc;
use std::sync::Arc;
use ts_rs::TS;

/// A figure being made.
pub struct FigureJob {
    trace: Arc<Trace>,
    kernel: Option<(Rc<CallTrace>, Rc<CallNames>)>,
    passing: Option<Arc<Passing>>,
    counter: Option<AskedCounter>,
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

/// Facts about a figure, besides its files.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
#[ts(rename = "FigureMade")]
pub struct FigureFacts {
    /// The command line that makes the first of the files.
    pub command: String,
    /// Width in mm.
    pub width: f64,
    /// Height in mm.
    pub height: f64,
    /// Resolution of the preview in dots per inch; 0 if there is none.
    pub preview_dpi: u32,
}

impl FigureJob {
    /// Starts a figure. `calls`: the trace's, which only figures that draw calls or interrupts need; `values`: those of the
    /// counter, see [`AskedCounter`]; empty without one. `passing`: which runs pass the figure's filter, as `Passing::words`; empty without
    /// one.
    pub fn new(
        trace: Arc<Trace>,
        calls: Option<Rc<CallTrace>>,
        values: Vec<f64>,
        passing: &[u32],
        request: Request,
    ) -> Result<FigureJob, FigureError> {
        let spec = request.figure.spec(&trace)?;
        let call = Call {
            files: &[&request.file],
            buffer: None,
            output: &request.out,
            dpi: request.dpi,
            first_ns: trace.origin_ns,
        };
        let command = call.line(&spec);
        Ok(FigureJob {
            passing: Passing::beside(&trace, passing),
            counter: request.counter.map(|counter| counter.with(values)),
            kernel: calls.map(|calls| (Rc::clone(&calls), calls.names())),
            command,
            file: request.file,
            fingerprint: u64::from_str_radix(&request.fingerprint, 16).unwrap_or(0),
            clock_is_ns: request.clock_is_ns,
            formats: request.formats,
            dpi: request.dpi,
            preview: request.preview,
            stage: Stage::Asked(Box::new(spec)),
            files: Vec::new(),
            trace,
        })
    }

    /// Does some of the work; false once finished.
    pub fn step(&mut self) -> Result<bool, FigureError> {
        let subject = Subject {
            trace: &self.trace,
            file: &self.file,
            fingerprint: self.fingerprint,
            clock_is_ns: self.clock_is_ns,
            calls: self.kernel.as_ref().map(|(calls, names)| calls.model(names)),
            passing: self.passing.as_ref(),
            counter: self.counter.as_ref().map(|counter| counter as &dyn CounterValues),
        };
        match &self.stage {
            Stage::Asked(spec) => {
                let extent = Extent::of(&subject, spec);
                let plan = Plan::new(Spec::clone(spec), vec![extent])?;
                self.stage = Stage::Planned(Box::new(plan));
            }
            Stage::Planned(plan) => {
                let panels = vec![plan.panel(0, &subject)?];
                if let Some(roomier) = plan.roomier(&panels)? {
                    self.stage = Stage::Planned(Box::new(roomier));
                    return Ok(true);
                }
                let mut drawing = Plan::clone(plan).assemble(panels);
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

    /// Share of the work that is done, from 0 to 1.
    pub fn share(&self) -> f64 {
        let before = match self.stage {
            Stage::Asked(_) => 0,
            Stage::Planned(_) => 1,
            Stage::Drawn(_) => 2,
        };
        (before + self.files.len()) as f64 / (2 + self.wanted()) as f64
    }

    /// Number of files, with the preview.
    pub fn wanted(&self) -> usize {
        self.formats.len() + usize::from(self.preview.is_some())
    }

    /// The facts, once `step` has returned false.
    pub fn made(&self) -> FigureFacts {
        let (width, height, preview_dpi) = match &self.stage {
            Stage::Drawn(drawing) => {
                let preview_dpi = self.preview.map_or(0, |room| dpi_within(drawing, room));
                (drawing.width, drawing.height, preview_dpi)
            }
            Stage::Asked(_) | Stage::Planned(_) => (0.0, 0.0, 0),
        };
        FigureFacts {
            command: self.command.clone(),
            width,
            height,
            preview_dpi,
        }
    }

    /// Moves out the file with this number, in the order of the formats, the preview last; empty the second time.
    pub fn take_file(&mut self, number: usize) -> Vec<u8> {
        self.files.get_mut(number).map(std::mem::take).unwrap_or_default()
    }
}

/// The longest side of a preview in pixels: a larger one is slow to draw and no clearer on a screen.
const LONGEST_SIDE: u32 = 4096;

/// The highest resolution in dots per inch at which a drawing fits into these pixels.
fn dpi_within(drawing: &Drawing, room: [u32; 2]) -> u32 {
    let [width, height] = paper::size(drawing);
    let fitting = |pixels: u32, mm: f64| f64::from(pixels.min(LONGEST_SIDE)) / mm * MM_PER_INCH;
    (fitting(room[0], width).min(fitting(room[1], height)) as u32).max(1)
}
