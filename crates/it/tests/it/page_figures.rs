//! Figures as the page asks for them equal those of the command line, whatever the trace's times count from, and
//! however often the work is interrupted and resumed.

use crate::figure_kernel;
use crate::support::trace;
use schedfigure::{Call, Extent, FigureJob, Format, Plan, Request, Subject};
use schedmodel::Trace;
use schedquery::ask::calls::CallTrace;
use std::rc::Rc;
use std::sync::Arc;

const STORY: &str = "1000000100 cpu0 switch a:10 S -> b:11
     1000000130 cpu0 switch b:11 R+ -> idle
     1000000140 cpu1 switch idle -> c:12
     1000000150 cpu0 switch idle -> a:10
     1000000180 cpu1 switch c:12 S -> idle
     1000000190 cpu0 other";

/// A figure with everything that contains absolute times: marks, notes, the command, the view.
const FIGURE: &str = r#"{"with":["running-waiting"],"window":{"start":10,"end":80},"color_by":"command","title":"t","top_down":true,
    "notes":[{"cpu":null,"at":20,"text":"A"},{"cpu":null,"at":60,"text":"B"},{"cpu":1,"at":50,"text":"here"}]}"#;

fn request(formats: &str) -> Request {
    let text = format!(
        r#"{{"type":"figure","figure":{FIGURE},"file":"x.dat","fingerprint":"00000000000000ab","clock_is_ns":true,
            "out":"x-timeline.svg","formats":[{formats}],"dpi":100}}"#
    );
    serde_json::from_str(&text).expect("a request")
}

fn files(trace: Trace, formats: &str) -> (Vec<Vec<u8>>, String) {
    let count = formats.split(',').count();
    let mut making = FigureJob::new(Arc::new(trace), None, Vec::new(), &[], request(formats)).expect("a figure");
    let mut shares = vec![making.share()];
    while making.step().expect("a step") {
        shares.push(making.share());
    }
    assert!(
        shares.is_sorted() && shares.iter().all(|share| (0.0..1.0).contains(share)),
        "{shares:?}"
    );
    assert!((making.share() - 1.0).abs() < 1e-9);
    (
        (0..count).map(|number| making.take_file(number)).collect(),
        making.made().command,
    )
}

#[test]
fn the_page_makes_the_files_of_the_command_line() {
    let absolute = trace(2, STORY);
    let (made, command) = files(absolute.clone(), r#""svg","pdf","png""#);

    let spec = request("").figure.spec(&absolute).expect("a spec");
    let absolute = Arc::new(absolute);
    let subject = Subject {
        trace: &absolute,
        file: "x.dat",
        fingerprint: 0xab,
        clock_is_ns: true,
        calls: None,
        passing: None,
        counter: None,
    };
    let call = Call {
        files: &["x.dat"],
        buffer: None,
        output: "x-timeline.svg",
        dpi: 100,
        first_ns: absolute.origin_ns,
    };
    assert_eq!(command, call.line(&spec));
    assert!(command.contains("1.00000012"), "{command}");
    let plan = Plan::new(
        spec,
        vec![Extent::of(
            &subject,
            &request("").figure.spec(&absolute).expect("a spec"),
        )],
    )
    .expect("a plan");
    let panel = plan.panel(0, &subject).expect("a panel");
    let mut drawing = plan.assemble(vec![panel]);
    drawing.about.command = command;
    for (format, made) in Format::ALL.into_iter().zip(made) {
        assert!(!made.is_empty());
        assert!(drawing.to(format, 100).expect("a file") == made, "{format:?}");
    }
}

/// The page's figures have calls and interrupts from another worker, which stores them for the one that draws.
#[test]
fn the_page_draws_calls_and_interrupts_as_the_command_line() {
    let asked = || {
        let figure = r#"{"with":["tasks"],"task_lanes":{"pids":[10],"comms":[]},"calls":true,"interrupts":true,"top_down":true}"#;
        let text = format!(
            r#"{{"figure":{figure},"file":"trace.dat","fingerprint":"0","clock_is_ns":true,"out":"x.svg",
                "formats":["svg"],"dpi":100,"preview":null}}"#
        );
        serde_json::from_str::<Request>(&text).expect("a request")
    };
    let traced = figure_kernel::traced();
    let trace = Arc::new(traced.model(&traced.names()).trace.clone());
    for has_calls in [true, false] {
        let calls = has_calls.then(|| {
            let mut bytes = Vec::new();
            traced.store(&mut bytes, "key").expect("stored");
            let restored = CallTrace::restore(Arc::clone(&trace), &mut &bytes[..], bytes.len() as u64, "key");
            Rc::new(restored.expect("restored"))
        });
        let mut making = FigureJob::new(Arc::clone(&trace), calls, Vec::new(), &[], asked()).expect("a figure");
        while making.step().expect("a step") {}
        let mut drawing = figure_kernel::drawn(&asked().figure.spec(&trace).expect("a spec"), has_calls);
        drawing.about.command = making.made().command;
        assert!(drawing.about.command.contains("--calls --interrupts"));
        assert!(
            drawing.to(Format::Svg, 100).expect("a file") == making.take_file(0),
            "with calls: {has_calls}"
        );
    }
}

#[test]
fn files_are_handed_over_once() {
    let mut making =
        FigureJob::new(Arc::new(trace(2, STORY)), None, Vec::new(), &[], request(r#""svg""#)).expect("a figure");
    assert!(making.take_file(0).is_empty());
    while making.step().expect("a step") {}
    assert!(making.take_file(0).starts_with(b"<"));
    assert!(making.take_file(0).is_empty() && making.take_file(7).is_empty());
}

/// Width and height from the file's header.
fn pixels(png: &[u8]) -> [u32; 2] {
    [16, 20].map(|at| u32::from_be_bytes(png[at..at + 4].try_into().expect("four bytes")))
}

#[test]
fn a_preview_is_the_figure_as_large_as_its_room_allows() {
    let preview = |room: [u32; 2]| {
        let mut asked = request(r#""svg""#);
        asked.preview = Some(room);
        let mut making = FigureJob::new(Arc::new(trace(2, STORY)), None, Vec::new(), &[], asked).expect("a figure");
        while making.step().expect("a step") {}
        assert!((making.share() - 1.0).abs() < 1e-9);
        (making.take_file(0), making.take_file(1), making.made())
    };
    // A figure of 178 mm is more than twice as wide as it is high.
    for (room, full) in [([1000, 900], 0), ([4000, 100], 1), ([1_000_000, 1_000_000], 0)] {
        let (svg, png, made) = preview(room);
        assert!(svg.starts_with(b"<"));
        let mm = [made.width, made.height];
        let side = |side: usize, dpi: u32| mm[side] / 25.4 * f64::from(dpi);
        let room = room.map(|pixels| pixels.min(4096));
        for (pixels, room) in pixels(&png).into_iter().zip(room) {
            assert!(pixels <= room, "{pixels} in {room}");
        }
        assert!(f64::from(room[full]) < side(full, made.preview_dpi + 1) + 0.5);
        // The picture equals the file with that many dots per inch.
        let mut asked = request(r#""png""#);
        asked.dpi = made.preview_dpi;
        let mut making = FigureJob::new(Arc::new(trace(2, STORY)), None, Vec::new(), &[], asked).expect("a figure");
        while making.step().expect("a step") {}
        assert_eq!(pixels(&making.take_file(0)), pixels(&png));
        assert_eq!(making.made().preview_dpi, 0);
    }
    assert_eq!(preview([0, 0]).2.preview_dpi, 1);
}

#[test]
fn what_cannot_be_drawn_is_said() {
    let text = r#"{"figure":{"window":{"start":10,"end":80},"width":1},"file":"x","fingerprint":"0","clock_is_ns":true,"out":"x",
        "formats":["svg"],"dpi":100}"#;
    let request: Request = serde_json::from_str(text).expect("a request");
    let mut making = FigureJob::new(Arc::new(trace(2, STORY)), None, Vec::new(), &[], request).expect("a figure");
    let error = loop {
        match making.step() {
            Ok(true) => {}
            Ok(false) => panic!("a figure of 1 mm"),
            Err(error) => break error,
        }
    };
    assert!(error.to_string().contains("width of 1 mm"), "{error}");
}
