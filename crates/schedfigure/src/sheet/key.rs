//! The key at the lower end of a figure, which explains its colours and signs for all panels, and the small print.

use super::extent::Extent;
use super::legend::Whose;
use crate::choices::colour::Colours;
use crate::choices::spec::{ColorBy, Kind, Spec};
use crate::cpu_lanes::arrows;
use crate::cpu_lanes::crosses;
use crate::cpu_lanes::runqueues;
use crate::paint::frame::Sample;
use crate::paint::theme::{
    block, coloured, lines, text, ASCENT, BYSTANDER, DEPTH, HARDIRQ, INK, LEADING, LEGEND, OTHER, QUIET, RUNNABLE,
    RUNNING, RUNNING_FILL, SMALL, SOFTIRQ, WAITING_FILL, WAKEE, WAKER,
};
use crate::task_lanes::{calls, tasks};
use paper::font;
use paper::{Anchor, Item, Label, Rgb, Stroke};

/// Gap between entries, in mm.
const GAP: f64 = 4.0;
/// Distance between lines, in mm.
const ROW: f64 = LEGEND * 1.3;
/// The most commands, or calls, that are named.
const MOST_NAMES: usize = 12;

/// The dotted line at the number of CPUs.
pub(crate) const CPU_LINE: Stroke = Stroke {
    width: 0.25,
    colour: INK,
    dash: Some((0.3, 0.8)),
};

/// An entry and its width.
struct Entry {
    items: Vec<Item>,
    width: f64,
}

/// All entries, broken into lines.
pub(crate) struct Key {
    /// Line, distance from its left end, and painter of each entry.
    entries: Vec<(usize, f64, Maker)>,
    rows: usize,
}

type Maker = Box<dyn Fn([f64; 2]) -> Entry>;

impl Key {
    /// The key of a figure `width` mm wide. `commands`: name the commands, because panels have no legends.
    pub(crate) fn new(spec: &Spec, extents: &[Extent], colours: &Colours, commands: bool, width: f64) -> Key {
        let mut makers: Vec<Maker> = Vec::new();
        let shows_runs = spec.kind == Kind::Timeline;
        let target = spec
            .selection
            .target
            .as_deref()
            .filter(|target| shows_runs && !target.is_empty());
        if let Some(target) = target {
            makers.push(words(&format!("in colour: commands that begin with “{target}”"), width));
            makers.push(square(OTHER, "other tasks".to_owned()));
        }
        if shows_runs && !spec.highlight.is_empty() {
            let named = spec.highlight.join(", ");
            makers.push(words(&format!("pale: other tasks than {named}"), width));
        }
        if commands && shows_runs && spec.color_by == ColorBy::Command {
            let legends = extents.iter().filter_map(|extent| extent.legend.as_ref());
            let commands = legends
                .flat_map(|legend| &legend.rows)
                .filter_map(|row| match &row.whose {
                    Whose::Command(comm) => Some((comm.as_str(), row.execution_ns)),
                    _ => None,
                });
            named(commands, |comm| colours.of_command(comm), width, &mut makers);
        }
        if commands && shows_runs && spec.color_by == ColorBy::Parent {
            makers.push(words("colour: the task that forked it", width));
        }
        if shows_runs && spec.runqueues {
            makers.push(words("waiting on the CPU’s runqueue:", width));
            let depths = DEPTH.into_iter().zip(runqueues::NAMES);
            makers.extend(depths.map(|(colour, name)| square(colour, name.to_owned())));
        }
        if spec.has_curve() {
            makers.push(area(RUNNING_FILL, RUNNING, "running"));
            makers.push(area(WAITING_FILL, RUNNABLE, "runnable (running or waiting)"));
            makers.push(dotted());
        }
        if shows_runs && spec.moves {
            let known = spec.topology.is_some();
            makers.extend(crosses::samples(known).into_iter().map(sampled));
        }
        if let Some(wanted) = spec.arrows.filter(|_| shows_runs) {
            let samples = arrows::samples(&wanted, spec.topology.is_some());
            makers.extend(samples.into_iter().map(sampled));
        }
        if spec.has_task_lanes() {
            let throttled = extents.iter().any(|extent| extent.throttled);
            makers.extend(tasks::samples(throttled).into_iter().map(sampled));
        }
        if shows_runs && spec.interrupts {
            makers.push(square(HARDIRQ, "hardirqs".to_owned()));
            makers.push(square(SOFTIRQ, "softirqs".to_owned()));
        }
        if spec.has_task_lanes() && spec.calls {
            makers.extend(calls::samples().into_iter().map(sampled));
            let calls = extents.iter().flat_map(|extent| &extent.calls);
            let calls = calls.map(|(call, ns)| (call.as_str(), *ns));
            named(calls, |call| colours.of_call(call), width, &mut makers);
        }
        if spec.kind == Kind::Wakeup {
            makers.push(square(WAKEE, "woken".to_owned()));
            let found = extents
                .iter()
                .filter_map(|extent| extent.wakeup.as_ref()?.as_ref().ok());
            if found.into_iter().any(|found| found.waker.is_some()) {
                makers.push(square(WAKER, "waker".to_owned()));
            }
            makers.push(square(BYSTANDER, "other tasks".to_owned()));
        }
        let (mut row, mut x) = (0, 0.0);
        let mut entries = Vec::new();
        for maker in makers {
            let needed = maker([0.0, 0.0]).width;
            if 0.0 < x && width < x + needed {
                (row, x) = (row + 1, 0.0);
            }
            entries.push((row, x, maker));
            x += needed + GAP;
        }
        let rows = if entries.is_empty() { 0 } else { row + 1 };
        Key { entries, rows }
    }

    /// Height in mm.
    pub(crate) fn height(&self) -> f64 {
        self.rows as f64 * ROW
    }

    /// Draws it with its upper left corner at this point.
    pub(crate) fn draw(&self, [left, top]: [f64; 2]) -> Vec<Item> {
        if self.entries.is_empty() {
            return Vec::new();
        }
        let mut items = vec![Item::Open(Label::of("key"))];
        for (row, x, maker) in &self.entries {
            let baseline = top + *row as f64 * ROW + ASCENT * LEGEND;
            items.extend(maker([left + x, baseline]).items);
        }
        items.push(Item::Close);
        items
    }
}

fn sampled(sample: Sample) -> Maker {
    Box::new(move |at| {
        let (items, width) = sample(at, LEGEND);
        Entry { items, width }
    })
}

/// A text of at most `most` mm.
fn words(content: &str, most: f64) -> Maker {
    let content = font::ellipsize(content, LEGEND, most).into_owned();
    Box::new(move |at| Entry {
        items: vec![text("key-text", at, LEGEND, Anchor::Start, content.as_str())],
        width: font::width(&content, LEGEND),
    })
}

fn square(colour: Rgb, content: String) -> Maker {
    Box::new(move |[x, y]| {
        let size = LEGEND * 0.72;
        let after = size * 1.25 + 0.8;
        Entry {
            items: vec![
                block("key-swatch", colour, [x, y - size + 0.05], [size * 1.25, size]),
                text("key-text", [x + after, y], LEGEND, Anchor::Start, content.as_str()),
            ],
            width: after + font::width(&content, LEGEND),
        }
    })
}

/// A patch that looks like the curve; in grey, too, the two kinds differ by their filling.
fn area(fill: Rgb, edge: Rgb, content: &'static str) -> Maker {
    let below = square(fill, content.to_owned());
    Box::new(move |[x, y]| {
        let Entry { mut items, width } = below([x, y]);
        let size = LEGEND * 0.72;
        items.push(block("key-swatch", edge, [x, y - size + 0.05], [size * 1.25, 0.25]));
        Entry { items, width }
    })
}

fn dotted() -> Maker {
    Box::new(|[x, y]| {
        let (length, middle) = (5.0, y - LEGEND * 0.3);
        let content = "number of CPUs";
        Entry {
            items: vec![
                lines("key-line", CPU_LINE, vec![vec![[x, middle], [x + length, middle]]]),
                text("key-text", [x + length + 0.8, y], LEGEND, Anchor::Start, content),
            ],
            width: length + 0.8 + font::width(content, LEGEND),
        }
    })
}

/// Names with their times in ns, those of all traces together, the longest first.
fn named<'a>(
    times: impl Iterator<Item = (&'a str, u64)>,
    colour: impl Fn(&str) -> Rgb,
    width: f64,
    makers: &mut Vec<Maker>,
) {
    let mut all: Vec<(&str, u64)> = Vec::new();
    for (name, ns) in times {
        match all.iter_mut().find(|(known, _)| *known == name) {
            Some((_, sum)) => *sum += ns,
            None => all.push((name, ns)),
        }
    }
    all.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(b.0)));
    for (name, _) in all.iter().take(MOST_NAMES) {
        makers.push(square(colour(name), (*name).to_owned()));
    }
    if MOST_NAMES < all.len() {
        makers.push(words(&format!("{} more", all.len() - MOST_NAMES), width));
    }
}

/// Sentences broken into lines of `width` mm, in the smallest readable letters.
pub(crate) fn small_print(sentences: &[String], at: [f64; 2], width: f64) -> (Vec<Item>, f64) {
    let all: Vec<String> = sentences.iter().map(|sentence| capitalised(sentence)).collect();
    let all = all.join(" ");
    (
        paragraph("small-print", &all, at, (SMALL, QUIET), width),
        paragraph_height(&all, SMALL, width),
    )
}

/// Lines of at most `width` mm, with their upper left corner at this point.
pub(crate) fn paragraph(
    class: &'static str,
    content: &str,
    [left, top]: [f64; 2],
    (size, colour): (f64, Rgb),
    width: f64,
) -> Vec<Item> {
    let baselines = (0..).map(|row| top + f64::from(row) * size * LEADING + ASCENT * size);
    let rows = wrapped(content, size, width).into_iter().zip(baselines);
    let items = rows.map(|(row, y)| {
        let row = font::ellipsize(&row, size, width).into_owned();
        coloured(class, [left, y], size, Anchor::Start, colour, row)
    });
    items.collect()
}

/// Height of these lines in mm.
pub(crate) fn paragraph_height(content: &str, size: f64, width: f64) -> f64 {
    wrapped(content, size, width).len() as f64 * size * LEADING
}

fn wrapped(content: &str, size: f64, width: f64) -> Vec<String> {
    let mut rows: Vec<String> = Vec::new();
    for word in content.split(' ').filter(|word| !word.is_empty()) {
        match rows.last_mut() {
            Some(row) if font::width(&format!("{row} {word}"), size) <= width => {
                row.push(' ');
                row.push_str(word);
            }
            _ => rows.push(word.to_owned()),
        }
    }
    rows
}

/// The sentence with an initial capital and a full stop.
fn capitalised(sentence: &str) -> String {
    let mut letters = sentence.chars();
    match letters.next() {
        Some(first) => format!("{}{}.", first.to_uppercase(), letters.as_str()),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::{small_print, Colours, Key};
    use crate::choices::spec::{Arrows, Kind, Part, Place, Spec};
    use crate::paint::theme::{LEGEND, SMALL};
    use crate::TaskLanes;
    use paper::font;
    use paper::Item;
    use schedquery::query::Selection;

    #[test]
    fn a_narrow_figure_has_its_key_in_several_lines() {
        let spec = Spec {
            kind: Kind::Timeline,
            with: vec![Part::RunningWaiting, Part::Tasks],
            selection: Selection {
                target: Some(
                    "a target with a name much longer than any command ever is on Linux, and longer".to_owned(),
                ),
                ..Selection::default()
            },
            highlight: (0..40).map(|number| format!("command-{number}")).collect(),
            moves: true,
            arrows: Some(Arrows::Chain(Place { cpu: 0, at: 0 }, 3)),
            task_lanes: TaskLanes {
                pids: vec![1],
                comms: Vec::new(),
            },
            ..Spec::default()
        };
        let width = 83.0;
        let key = Key::new(&spec, &[], &Colours::new(&spec, &[]), false, width);
        assert!(5 < key.rows, "{}", key.rows);
        for (_, x, maker) in &key.entries {
            let right = x + maker([0.0, 0.0]).width;
            assert!(right <= width, "{right}");
        }
        let drawn = key.draw([0.0, 0.0]);
        let lowest = drawn.iter().map(|item| match item {
            Item::Text { text, .. } => text.y + 0.2 * LEGEND,
            _ => 0.0,
        });
        assert!(lowest.fold(0.0, f64::max) <= key.height());
    }

    #[test]
    fn small_print_is_broken_between_words() {
        let sentences = ["runs within 0.1 mm merged", "striped: not known what ran"].map(str::to_owned);
        let (items, height) = small_print(&sentences, [1.0, 2.0], 30.0);
        let lines: Vec<&str> = items
            .iter()
            .filter_map(|item| match item {
                Item::Text { text, .. } => Some(text.content.as_str()),
                _ => None,
            })
            .collect();
        assert_eq!(
            lines.join(" "),
            "Runs within 0.1 mm merged. Striped: not known what ran."
        );
        assert!(1 < lines.len());
        assert!(lines.iter().all(|line| font::width(line, SMALL) <= 30.0));
        assert!((height - lines.len() as f64 * SMALL * 1.2).abs() < 1e-9);
        assert_eq!(small_print(&[], [0.0, 0.0], 30.0).1, 0.0);
    }
}
