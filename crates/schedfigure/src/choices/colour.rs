//! Colours of tasks and commands, the same as in the page's `web/timeline/frame/colours.ts` with its light theme. Both are
//! tested against `tests/colours.txt`.

use super::spec::{ColorBy, Spec};
use crate::paint::theme::{OTHER, PAPER, QUIET};
use paper::Rgb;
use schedmodel::{TaskCommId, TaskId, Trace};
use std::collections::{HashMap, HashSet};

/// How much of the paper is mixed into tasks that are not highlighted, and runs that do not pass.
const DIM: f64 = 0.82;

/// Successive multiples of the golden ratio stay as far apart from all earlier ones as possible.
const GOLDEN: f64 = 0.618_033_988_749_895;
/// Lightness and chroma of neighbours: eyes that see few hues distinguish them by lightness.
const TIERS: [(f64, f64); 3] = [(52.0, 62.0), (70.0, 55.0), (40.0, 50.0)];
/// Lightness, chroma and hue of commands. Any two of the first [`BEST`] are far apart, also to eyes that see few hues.
#[rustfmt::skip]
const COMMANDS: [(i32, i32, i32); 40] = [
    (52, 34, 176), (54, 58, 96), (36, 34, 344), (36, 70, 328), (36, 34, 152), (74, 46, 176), (54, 34, 64),
    (38, 58, 56), (54, 70, 304), (50, 46, 8), (74, 34, 208), (54, 70, 344), (74, 34, 16), (52, 34, 224),
    (36, 58, 24), (68, 46, 264), (70, 70, 80), (74, 46, 112), (64, 34, 144), (36, 70, 288),
    (54, 46, 24), (46, 46, 344), (74, 34, 232), (36, 34, 320), (44, 58, 296), (44, 70, 16), (36, 46, 272),
    (68, 58, 64), (74, 58, 152), (58, 46, 320), (56, 34, 352), (38, 46, 120), (72, 34, 344), (44, 34, 80),
    (60, 46, 168), (60, 70, 48), (38, 46, 8), (62, 46, 8), (44, 34, 24), (64, 34, 88),
];
/// How many of these are easiest to distinguish: all of them are used once before any of the others.
const BEST: usize = 20;
/// Step with which a command searches for another colour when its own is taken; coprime to the number of colours.
const STEP: usize = 7;
/// Kernel threads with one thread per CPU, by the part of the name before the slash.
const PER_CPU: [&str; 8] = [
    "swapper",
    "kworker",
    "migration",
    "ksoftirqd",
    "ktimers",
    "cpuhp",
    "idle_inject",
    "irq_work",
];
/// Small differences in hue and lightness within such a family.
const TURNS: [i32; 3] = [0, 9, -9];
const LIFTS: [i32; 3] = [0, 6, -6];

/// The colours of runs.
#[derive(Clone, Debug)]
pub(crate) struct Colours {
    by: ColorBy,
    target: Option<String>,
    highlight: Vec<String>,
    of_comm: HashMap<String, Rgb>,
    of_call: HashMap<String, Rgb>,
}

impl Colours {
    /// For all files of a figure. `comms`: their commands, in any order except that of families' members.
    pub(crate) fn new(spec: &Spec, comms: &[String]) -> Colours {
        Colours {
            by: spec.color_by,
            target: spec.selection.target.clone().filter(|target| !target.is_empty()),
            highlight: spec.highlight.clone(),
            of_comm: command_colours(comms),
            of_call: HashMap::new(),
        }
    }

    /// With colours for system calls of these names, which differ as those of commands do.
    pub(crate) fn with_calls(self, names: &[String]) -> Colours {
        Colours {
            of_call: command_colours(names),
            ..self
        }
    }

    /// The colour of a system call; one of which the name is not known is grey.
    pub(crate) fn of_call(&self, name: &str) -> Rgb {
        self.of_call.get(name).copied().unwrap_or(QUIET)
    }

    /// What the colours distinguish.
    pub(crate) fn by(&self) -> ColorBy {
        self.by
    }

    /// The colour of a run.
    pub(crate) fn of_run(&self, trace: &Trace, id: TaskCommId) -> Rgb {
        let task = trace.task_of(id);
        let comm = trace.comm_of(id);
        let own = match self.by {
            ColorBy::Pid => self.of_pid(task.pid),
            ColorBy::Command => self.of_comm(comm),
            ColorBy::Parent => self.of_parent(trace, task.parent),
        };
        self.among_others(comm, own)
    }

    /// The colour of a command in the legend: that of its runs if colours are by command.
    pub(crate) fn of_command(&self, comm: &str) -> Rgb {
        self.among_others(comm, self.of_comm(comm))
    }

    /// Whether a run must be visible however short it is: it is of the target, or highlighted.
    pub(crate) fn stands_out(&self, comm: &str) -> bool {
        if self.highlight.is_empty() {
            self.target.as_deref().is_some_and(|target| comm.starts_with(target))
        } else {
            self.highlight.iter().any(|name| name == comm)
        }
    }

    /// Makes runs black that are not of the target, and pale that are not highlighted.
    fn among_others(&self, comm: &str, own: Rgb) -> Rgb {
        let stranger = self.target.as_deref().is_some_and(|target| !comm.starts_with(target));
        let colour = if stranger { OTHER } else { own };
        if self.highlight.is_empty() || self.stands_out(comm) {
            colour
        } else {
            pale(colour)
        }
    }

    /// The colour of all tasks that `parent` forked.
    pub(crate) fn of_parent(&self, trace: &Trace, parent: Option<TaskId>) -> Rgb {
        parent.map_or(OTHER, |parent| self.of_pid(trace.task(parent).pid))
    }

    /// The colour of a PID: the same in every trace.
    pub(crate) fn of_pid(&self, pid: i32) -> Rgb {
        tier_colour((f64::from(pid) * GOLDEN) % 1.0, pid)
    }

    /// The colour of a command.
    pub(crate) fn of_comm(&self, comm: &str) -> Rgb {
        self.of_comm.get(comm).copied().unwrap_or(OTHER)
    }
}

/// The colour of what is there, but not meant.
pub(crate) fn pale(colour: Rgb) -> Rgb {
    colour.mixed(PAPER, DIM)
}

/// The name of a parent in a legend: its PID and its last comm.
pub(crate) fn parent_name(trace: &Trace, parent: Option<TaskId>) -> String {
    match parent.map(|parent| trace.task(parent)) {
        Some(task) => format!("{} {}", trace.comms.name(task.comm), task.pid),
        None => "not forked in the trace".to_owned(),
    }
}

/// Colours of all commands.
fn command_colours(comms: &[String]) -> HashMap<String, Rgb> {
    let slots = command_slots(comms);
    let mut members: HashMap<&str, usize> = HashMap::new();
    let mut colours = HashMap::new();
    for comm in comms {
        if colours.contains_key(comm) {
            continue;
        }
        let name = family_of(comm);
        let slot = slots.get(name).copied().unwrap_or_default();
        let (lightness, chroma, hue) = COMMANDS.get(slot).copied().unwrap_or_default();
        let (mut lift, mut turn) = (0, 0);
        if name != comm {
            let member = members.entry(name).or_default();
            lift = LIFTS.get(*member / 3 % 3).copied().unwrap_or_default();
            turn = TURNS.get(*member % 3).copied().unwrap_or_default();
            *member += 1;
        }
        let colour = from_lch(f64::from(lightness + lift), f64::from(chroma), f64::from(hue + turn));
        colours.insert(comm.clone(), colour);
    }
    colours
}

/// The colour's index for each command or family. It depends on the set of names, not on the order in which they ran.
fn command_slots(comms: &[String]) -> HashMap<&str, usize> {
    let named = |is_family: bool| {
        let names = comms.iter().map(|comm| (comm.as_str(), family_of(comm)));
        let wanted = names.filter(|(comm, name)| (comm != name) == is_family);
        wanted.map(|(_, name)| name).collect::<HashSet<_>>()
    };
    let families = named(true);
    // The key of the comparison comes first.
    let commands = named(false)
        .into_iter()
        .filter(|name| !families.contains(name))
        .collect();
    let mut claims = Claims::default();
    for names in [commands, families.clone()] {
        claims.settle(names);
    }
    claims.slots
}

/// Which names have which colours.
#[derive(Default)]
struct Claims<'a> {
    slots: HashMap<&'a str, usize>,
    /// How many names have each of the best colours, or its substitute.
    taken: [usize; BEST],
}

impl<'a> Claims<'a> {
    /// Gives colours first to the names whose preferred colour is free, then to the others.
    fn settle(&mut self, names: HashSet<&'a str>) {
        let mut sorted: Vec<&str> = names.into_iter().collect();
        // In the order in which JavaScript sorts.
        sorted.sort_by(|a, b| a.encode_utf16().cmp(b.encode_utf16()));
        let wanted = |name: &str| hash(name) as usize % BEST;
        let mut displaced = Vec::new();
        for name in sorted {
            match self.taken.get(wanted(name)) {
                Some(0) => self.claim(name, wanted(name)),
                _ => displaced.push(name),
            }
        }
        for name in displaced {
            let least = self.taken.iter().min().copied().unwrap_or_default();
            let mut slot = wanted(name);
            while self.taken.get(slot).is_some_and(|&taken| taken != least) {
                slot = (slot + STEP) % BEST;
            }
            self.claim(name, slot);
        }
    }

    fn claim(&mut self, name: &'a str, slot: usize) {
        if let Some(taken) = self.taken.get_mut(slot) {
            self.slots.insert(name, slot + BEST * (*taken % 2));
            *taken += 1;
        }
    }
}

/// `kworker/3:1H` and `kworker/u8:2` are of one family, `kworker`; other commands are families of their own.
fn family_of(comm: &str) -> &str {
    match comm.split_once('/') {
        Some((name, _)) if PER_CPU.contains(&name) || is_rcu(name) => name,
        _ => comm,
    }
}

/// `rcuc/3`, `rcuop/3` and the like.
fn is_rcu(name: &str) -> bool {
    let rest = name.strip_prefix("rcu");
    rest.is_some_and(|rest| rest.bytes().all(|letter| letter == b'_' || letter.is_ascii_lowercase()))
}

/// FNV-1a over UTF-16 units, which are what JavaScript strings consist of.
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
        let linear: f64 = row
            .iter()
            .zip(WHITE)
            .zip(xyz)
            .map(|((row, white), part)| row * white * part)
            .sum();
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

    /// Kind, colour and name.
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
