//! Colours of tasks and commands: the twin of the page's `web/timeline/colours.ts` in its light theme. Both are held to
//! `tests/colours.txt`.

use super::drawing::Rgb;
use super::spec::{ColorBy, Spec};
use super::theme::{OTHER, PAPER};
use crate::sched::{TaskCommId, TaskId, Trace};
use std::collections::{HashMap, HashSet};

/// How far tasks that are not highlighted are mixed with the paper.
const DIM: f64 = 0.82;

/// Successive multiples of the golden ratio are as far apart from all earlier ones as can be.
const GOLDEN: f64 = 0.618_033_988_749_895;
/// Lightness and chroma of neighbours: eyes that see few hues tell them apart by lightness.
const TIERS: [(f64, f64); 3] = [(52.0, 62.0), (70.0, 55.0), (40.0, 50.0)];
/// Families of commands have one of so many hues.
const HUES: u32 = 18;
/// Its first three members differ in lightness; the next are turned a little, by so much of the way to the next hue.
const TURNS: [f64; 3] = [0.0, 1.0 / 3.0, -1.0 / 3.0];

/// Which colour a run has.
#[derive(Clone, Debug)]
pub(super) struct Colours {
    by: ColorBy,
    target: Option<String>,
    highlight: Vec<String>,
    of_comm: HashMap<String, Rgb>,
}

impl Colours {
    /// For all files of a figure: `comms` are their commands, in order of first appearance.
    pub(super) fn new(spec: &Spec, comms: &[String]) -> Colours {
        Colours {
            by: spec.color_by,
            target: spec.selection.target.clone().filter(|target| !target.is_empty()),
            highlight: spec.highlight.clone(),
            of_comm: command_colours(comms),
        }
    }

    /// What the colours tell.
    pub(super) fn by(&self) -> ColorBy {
        self.by
    }

    /// The colour of a run.
    pub(super) fn of_run(&self, trace: &Trace, id: TaskCommId) -> Rgb {
        let task = trace.task_of(id);
        let comm = trace.comm_of(id);
        let own = match self.by {
            ColorBy::Pid => self.of_pid(task.pid),
            ColorBy::Command => self.of_comm(comm),
            ColorBy::Parent => self.of_parent(trace, task.parent),
        };
        self.among_others(comm, own)
    }

    /// The colour of a command in the legend: as its runs have it where colours are of commands.
    pub(super) fn of_command(&self, comm: &str) -> Rgb {
        self.among_others(comm, self.of_comm(comm))
    }

    /// A run that must be seen however short it is: of the target, or highlighted.
    pub(super) fn stands_out(&self, comm: &str) -> bool {
        if self.highlight.is_empty() {
            self.target.as_deref().is_some_and(|target| comm.starts_with(target))
        } else {
            self.highlight.iter().any(|name| name == comm)
        }
    }

    /// What is not the target is black, what is not highlighted is pale.
    fn among_others(&self, comm: &str, own: Rgb) -> Rgb {
        let stranger = self.target.as_deref().is_some_and(|target| !comm.starts_with(target));
        let colour = if stranger { OTHER } else { own };
        if self.highlight.is_empty() || self.stands_out(comm) {
            colour
        } else {
            colour.mixed(PAPER, DIM)
        }
    }

    /// The colour of all tasks that `parent` forked.
    pub(super) fn of_parent(&self, trace: &Trace, parent: Option<TaskId>) -> Rgb {
        parent.map_or(OTHER, |parent| self.of_pid(trace.task(parent).pid))
    }

    /// The colour of a PID: the same in every trace.
    pub(super) fn of_pid(&self, pid: i32) -> Rgb {
        tier_colour((f64::from(pid) * GOLDEN) % 1.0, pid)
    }

    /// The colour of a command.
    pub(super) fn of_comm(&self, comm: &str) -> Rgb {
        self.of_comm.get(comm).copied().unwrap_or(OTHER)
    }
}

/// What a legend calls a parent: its PID and the last comm it had.
pub(super) fn parent_name(trace: &Trace, parent: Option<TaskId>) -> String {
    match parent.map(|parent| trace.task(parent)) {
        Some(task) => format!("{} {}", trace.comms.name(task.comm), task.pid),
        None => "not forked in the trace".to_owned(),
    }
}

/// Colours of all commands: those of a family have one hue, as long as there are enough.
fn command_colours(comms: &[String]) -> HashMap<String, Rgb> {
    let mut families: HashMap<&str, (u32, i32)> = HashMap::new();
    let mut taken = HashSet::new();
    let mut colours = HashMap::new();
    for comm in comms {
        if colours.contains_key(comm) {
            continue;
        }
        let family = family_of(comm);
        let (slot, members) = families.entry(family).or_insert_with(|| {
            let mut slot = hash(family) % HUES;
            let mut tries = 0;
            // All are taken: several families share a hue, and differ in lightness at most.
            while taken.contains(&slot) && tries < HUES {
                slot = (slot + 7) % HUES;
                tries += 1;
            }
            taken.insert(slot);
            (slot, 0)
        });
        let turn = TURNS[*members as usize / 3 % TURNS.len()];
        let colour = tier_colour((f64::from(*slot) + turn) / f64::from(HUES), *slot as i32 + *members);
        *members += 1;
        colours.insert(comm.clone(), colour);
    }
    colours
}

/// `kworker/3:1H` and `kworker/u8:2` are one family: what is before the first `/`, `:` or digits at the end.
fn family_of(comm: &str) -> &str {
    let stem = comm.split(['/', ':']).next().unwrap_or(comm);
    let letters = stem.trim_end_matches(|letter: char| letter.is_ascii_digit());
    let stem = if letters.len() == stem.len() {
        stem
    } else {
        letters.strip_suffix(['-', '_', '.']).unwrap_or(letters)
    };
    if stem.is_empty() {
        comm
    } else {
        stem
    }
}

/// FNV-1a over UTF-16 units, as JavaScript counts letters.
fn hash(text: &str) -> u32 {
    let value = text.encode_utf16().fold(0x811c_9dc5_u32, |value, unit| {
        (value ^ u32::from(unit)).wrapping_mul(0x0100_0193)
    });
    // Short names differ in their low bits: stir them into the high ones, and back.
    (value ^ (value >> 15)).wrapping_mul(0x2c1b_3c6d) >> 8
}

fn tier_colour(turn: f64, tier: i32) -> Rgb {
    let tier = usize::try_from(tier % 3).ok();
    let (lightness, chroma) = tier.and_then(|tier| TIERS.get(tier).copied()).unwrap_or_default();
    from_lch(lightness, chroma, 360.0 * turn)
}

/// From CIE LCh (D50; hue in degrees) to sRGB, clamped: CIE 15 for Lab to XYZ, Lindbloom's matrix from XYZ under D50 to
/// linear sRGB, IEC 61966-2-1 for its gamma.
fn from_lch(lightness: f64, chroma: f64, hue: f64) -> Rgb {
    const WHITE: [f64; 3] = [0.964_22, 1.0, 0.825_21];
    const TO_LINEAR: [[f64; 3]; 3] = [
        [3.133_856_1, -1.616_866_7, -0.490_614_6],
        [-0.978_768_4, 1.916_141_5, 0.033_454_0],
        [0.071_945_3, -0.228_991_4, 1.405_242_7],
    ];
    let radians = hue * std::f64::consts::PI / 180.0;
    let (a, b) = (libm::cos(radians) * chroma, libm::sin(radians) * chroma);
    let y = (lightness + 16.0) / 116.0;
    let part = |t: f64| {
        let knee = 6.0 / 29.0;
        if knee < t {
            t * t * t
        } else {
            3.0 * knee * knee * (t - 4.0 / 29.0)
        }
    };
    let xyz = [y + a / 500.0, y, y - b / 200.0].map(part);
    let channel = |row: [f64; 3]| {
        let linear: f64 = (0..3).map(|axis| row[axis] * WHITE[axis] * xyz[axis]).sum();
        let share = if linear <= 0.003_130_8 {
            12.92 * linear
        } else {
            1.055 * libm::pow(linear, 1.0 / 2.4) - 0.055
        };
        (255.0 * share).round().clamp(0.0, 255.0) as u8
    };
    let [red, green, blue] = TO_LINEAR.map(channel);
    Rgb(red, green, blue)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Kind, colour, name.
    fn facts(kind: &str) -> Vec<(String, String)> {
        let text = include_str!("../../../../tests/colours.txt");
        let lines = text.lines().filter(|line| !line.starts_with('#'));
        let words = lines.map(|line| line.splitn(3, ' ').collect::<Vec<_>>());
        let wanted = words.filter(|words| words[0] == kind);
        wanted.map(|words| (words[1].to_owned(), words[2].to_owned())).collect()
    }

    fn hex(Rgb(red, green, blue): Rgb) -> String {
        format!("#{red:02x}{green:02x}{blue:02x}")
    }

    #[test]
    fn pids_have_the_colours_of_the_page() {
        let colours = Colours::new(&Spec::default(), &[]);
        let facts = facts("pid");
        assert!(100 < facts.len());
        for (colour, pid) in facts {
            assert_eq!((hex(colours.of_pid(pid.parse().unwrap())), &pid), (colour, &pid));
        }
    }

    #[test]
    fn commands_have_the_colours_of_the_page() {
        let (expected, comms): (Vec<_>, Vec<_>) = facts("command").into_iter().unzip();
        let colours = Colours::new(&Spec::default(), &comms);
        let found: Vec<String> = comms.iter().map(|comm| hex(colours.of_comm(comm))).collect();
        assert!(50 < found.len());
        assert_eq!(found, expected);
        assert_eq!(colours.of_comm("no such command"), OTHER);
    }

    #[test]
    fn other_tasks_are_black_and_those_not_highlighted_pale() {
        let comms = ["one", "two"].map(str::to_owned);
        let mut spec = Spec::default();
        let plain = Colours::new(&spec, &comms);
        spec.selection.target = Some("o".to_owned());
        let targeted = Colours::new(&spec, &comms);
        assert_eq!(targeted.of_command("one"), plain.of_command("one"));
        assert_eq!(targeted.of_command("two"), OTHER);
        assert!(targeted.stands_out("one") && !targeted.stands_out("two"));
        spec.selection.target = None;
        spec.highlight = vec!["two".to_owned()];
        let highlighted = Colours::new(&spec, &comms);
        assert_eq!(highlighted.of_command("two"), plain.of_command("two"));
        assert!(!highlighted.stands_out("one"));
        let [Rgb(red, ..), Rgb(pale, ..)] = [plain.of_command("one"), highlighted.of_command("one")];
        assert!(red < pale, "{red} {pale}");
    }
}
