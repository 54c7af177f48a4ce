//! A figure of one trace, made in a few steps: whoever waits for it can answer other questions in between.

use super::command::Call;
use super::drawing::Drawing;
use super::error::FigureError;
use super::extent::Extent;
use super::format::Format;
use super::plan::{Plan, Subject};
use super::request::Request;
use super::spec::Spec;
use crate::sched::Trace;
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
pub struct Made {
    /// The command line that makes the first of the files.
    pub command: String,
    /// mm.
    pub width: f64,
    /// mm.
    pub height: f64,
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
                if let Some(format) = self.formats.get(self.files.len()) {
                    self.files.push(drawing.to(*format, self.dpi)?);
                }
                return Ok(self.files.len() < self.formats.len());
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
        (before + self.files.len()) as f64 / (2 + self.formats.len()) as f64
    }

    /// What was made, once `step` has said that nothing is left.
    pub fn made(&self) -> Made {
        let (width, height) = match &self.stage {
            Stage::Drawn(drawing) => (drawing.width, drawing.height),
            Stage::Asked(_) | Stage::Planned(_) => (0.0, 0.0),
        };
        Made {
            command: self.command.clone(),
            width,
            height,
        }
    }

    /// Hands over the file of the format with this number; empty the second time.
    pub fn take_file(&mut self, number: usize) -> Vec<u8> {
        self.files.get_mut(number).map(std::mem::take).unwrap_or_default()
    }
}
