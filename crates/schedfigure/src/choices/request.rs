//! A request of the page for a figure, `FigureRequest` in `web/engine/protocol/generated.ts`.

use super::counter::AskedCounter;
use super::error::FigureError;
use super::spec::{Arrows, ColorBy, Kind, LegendOf, Note, Part, Place, Spec, TaskLanes};
use paper::Format;
use schedmodel::topology::Topology;
use schedmodel::Trace;
use schedquery::query::{Selection, TimeWindow};
use serde::Deserialize;
use std::sync::Arc;
use ts_rs::TS;

/// A figure, and the files to make of it.
#[derive(Clone, Debug, Deserialize, TS)]
#[ts(rename = "FigureRequest")]
pub struct Request {
    /// The figure.
    pub figure: Figure,
    /// The trace's file, as the command line is to name it.
    pub file: String,
    /// The fingerprint as 16 hexadecimal digits.
    pub fingerprint: String,
    /// Whether times are nanoseconds; if not, they are raw ticks.
    pub clock_is_ns: bool,
    /// The file that the command line is to write.
    pub out: String,
    /// The formats to write.
    pub formats: Vec<Format>,
    /// Resolution of PNG in dots per inch.
    pub dpi: u32,
    /// What the figure's counter is, if it has one.
    pub counter: Option<AskedCounter>,
    /// Width and height in pixels of a box for a preview, which is another PNG.
    pub preview: Option<[u32; 2]>,
}

/// What a [`Spec`] says, with times in ns since the trace's first record, as in the page's view.
#[derive(Clone, Debug, Default, Deserialize, TS)]
#[serde(default)]
pub struct Figure {
    kind: Kind,
    with: Vec<Part>,
    #[ts(type = "TimeWindow | null")]
    window: Option<TimeWindow>,
    forked: bool,
    after_sleep: bool,
    filter: Option<String>,
    target: Option<String>,
    cpus: Option<Vec<u32>>,
    color_by: ColorBy,
    legend: LegendOf,
    topology: Option<String>,
    width: Option<f64>,
    height: Option<f64>,
    title: Option<String>,
    highlight: Vec<String>,
    moves: bool,
    notes: Vec<Note>,
    arrows: Option<AskedArrows>,
    runqueues: bool,
    calls: bool,
    interrupts: bool,
    counter: Option<String>,
    task_lanes: TaskLanes,
    wakeup: Option<Place>,
    top_down: bool,
}

#[derive(Clone, Copy, Debug, Deserialize, TS)]
#[serde(tag = "of", rename_all = "lowercase")]
#[ts(rename = "FigureArrows")]
enum AskedArrows {
    Chain {
        cpu: u32,
        #[ts(type = "Ns")]
        at: u64,
        hops: u32,
    },
    Cascade {
        cpu: u32,
        #[ts(type = "Ns")]
        at: u64,
    },
}

impl Figure {
    /// The spec for a trace.
    pub fn spec(self, trace: &Trace) -> Result<Spec, FigureError> {
        let selection = Selection {
            forked: self.forked,
            after_sleep: self.after_sleep,
            target: self.target,
            cpus: self.cpus,
            ..Selection::default()
        };
        let zero = selection.time_zero(trace);
        let since_zero = |at: u64| at.saturating_sub(zero);
        let topology = self.topology.map(|text| Topology::parse(text.as_bytes())).transpose();
        let topology = topology.map_err(|error| FigureError::Topology(error.to_string()))?;
        Ok(Spec {
            kind: self.kind,
            with: self.with,
            selection: Selection {
                min: self.window.map(|window| since_zero(window.start)),
                max: self.window.map(|window| since_zero(window.end)),
                ..selection
            },
            filter: self.filter,
            color_by: self.color_by,
            legend: self.legend,
            topology: topology.map(Arc::new),
            width: self.width,
            height: self.height,
            title: self.title,
            highlight: self.highlight,
            moves: self.moves,
            notes: self.notes,
            arrows: self.arrows.map(|arrows| match arrows {
                AskedArrows::Chain { cpu, at, hops } => Arrows::Chain(Place { cpu, at }, hops),
                AskedArrows::Cascade { cpu, at } => Arrows::Cascade(Place { cpu, at }),
            }),
            runqueues: self.runqueues,
            calls: self.calls,
            interrupts: self.interrupts,
            counter: self.counter,
            task_lanes: self.task_lanes,
            wakeup: self.wakeup,
            top_down: self.top_down,
            // The page has one panel, of what is on the screen. All fields are here: no option is forgotten.
            names: Vec::new(),
            columns: None,
            dot: None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trace() -> Trace {
        Trace {
            origin_ns: 5_000,
            span_ns: 10_000,
            after_sleep: Some(1_000),
            ..Trace::default()
        }
    }

    fn spec_of(figure: &str) -> Spec {
        let figure: Figure = serde_json::from_str(figure).expect("a figure");
        figure.spec(&trace()).expect("a spec")
    }

    #[test]
    fn a_request_without_wishes_is_the_default() {
        assert_eq!(spec_of("{}"), Spec::default());
    }

    #[test]
    fn windows_count_from_time_zero() {
        let window = r#""window":{"start":1500,"end":4000}"#;
        let plain = spec_of(&format!("{{{window}}}")).selection;
        assert_eq!((plain.min, plain.max), (Some(1500), Some(4000)));
        let after_sleep = spec_of(&format!(r#"{{"after_sleep":true,{window}}}"#)).selection;
        assert_eq!((after_sleep.min, after_sleep.max), (Some(500), Some(3000)));
        assert!(after_sleep.after_sleep);
        // Both mean the same part of the trace.
        assert_eq!(plain.window(&trace()), after_sleep.window(&trace()));
    }

    #[test]
    fn every_wish_of_the_page_arrives() {
        let spec = spec_of(
            r#"{"kind":"running-waiting","with":["tasks","running-waiting"],"window":null,"forked":true,"filter":"prio < 100",
                "target":"ua","cpus":[3,1],"color_by":"command","legend":"to-end","topology":"2x2x2","width":85,"height":60.5,"counter":"sched:sched_switch.next_prio",
                "title":"slow","highlight":["a","b"],"moves":true,"notes":[{"cpu":null,"at":7,"text":"A"},{"cpu":2,"at":9,"text":"x"}],
                "arrows":{"of":"chain","cpu":1,"at":5,"hops":32},"runqueues":true,"task_lanes":{"pids":[7],"comms":["make"]},
                "wakeup":{"cpu":1,"at":5},"top_down":true}"#,
        );
        assert_eq!(
            spec,
            Spec {
                kind: Kind::RunningWaiting,
                with: vec![Part::Tasks, Part::RunningWaiting],
                selection: Selection {
                    forked: true,
                    target: Some("ua".into()),
                    cpus: Some(vec![3, 1]),
                    ..Selection::default()
                },
                filter: Some("prio < 100".into()),
                color_by: ColorBy::Command,
                legend: LegendOf::ToEnd,
                topology: Some(Arc::new(Topology::parse(b"2x2x2").expect("a machine"))),
                width: Some(85.0),
                height: Some(60.5),
                title: Some("slow".into()),
                highlight: vec!["a".into(), "b".into()],
                moves: true,
                notes: vec![
                    Note {
                        cpu: None,
                        at: 7,
                        text: "A".into()
                    },
                    Note {
                        cpu: Some(2),
                        at: 9,
                        text: "x".into()
                    },
                ],
                arrows: Some(Arrows::Chain(Place { cpu: 1, at: 5 }, 32)),
                runqueues: true,
                counter: Some("sched:sched_switch.next_prio".into()),
                task_lanes: TaskLanes {
                    pids: vec![7],
                    comms: vec!["make".into()]
                },
                wakeup: Some(Place { cpu: 1, at: 5 }),
                top_down: true,
                ..Spec::default()
            }
        );
        let cascade = spec_of(r#"{"arrows":{"of":"cascade","cpu":1,"at":5}}"#);
        assert_eq!(cascade.arrows, Some(Arrows::Cascade(Place { cpu: 1, at: 5 })));
    }

    #[test]
    fn a_machine_that_is_not_understood_is_said() {
        let figure: Figure = serde_json::from_str(r#"{"topology":"2x"}"#).expect("a figure");
        let error = figure.spec(&trace()).expect_err("no machine");
        assert!(error.to_string().contains("2x"), "{error}");
    }
}
