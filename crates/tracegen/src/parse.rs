//! The text of a story to steps; the language is described at [`Story`].

use std::collections::HashMap;

use crate::format::Format;
use crate::formats::{self, STATES};
use crate::layout::{Common as CommonFields, Endian, Layout, Strings};
use crate::record::{Common, Value, HARDIRQ, IRQS_OFF, NMI, SOFTIRQ};
use crate::story::{Action, Step, Story, StoryError};

type Parsed<T> = Result<T, String>;

pub(crate) fn story(text: &str) -> Result<Story, StoryError> {
    let mut parser = Parser::default();
    for (number, line) in text.lines().enumerate() {
        let words = words(line);
        if !words.is_empty() {
            parser
                .line(&words)
                .map_err(|text| StoryError { line: number + 1, text })?;
        }
    }
    Ok(parser.finish())
}

struct Parser {
    layout: Layout,
    cpus: u32,
    start_ns: u64,
    now_ns: u64,
    steps: Vec<Step>,
    /// Steps whose common pid the CPU's switches have to say.
    without_pid: Vec<usize>,
}

impl Default for Parser {
    fn default() -> Self {
        Parser {
            layout: Layout::default(),
            cpus: 1,
            start_ns: 0,
            now_ns: 0,
            steps: Vec::new(),
            without_pid: Vec::new(),
        }
    }
}

impl Parser {
    fn line(&mut self, words: &[String]) -> Parsed<()> {
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        match words.as_slice() {
            [time, cpu, verb, rest @ ..] if cpu.starts_with("cpu") && *time != "cpus" => {
                self.step(time, cpu, verb, rest)
            }
            [name, value] => self.setting(name, value),
            _ => Err(format!(
                "`{}` is neither a setting nor `TIME cpuN VERB`",
                words.join(" ")
            )),
        }
    }

    fn setting(&mut self, name: &str, value: &str) -> Parsed<()> {
        let layout = &mut self.layout;
        match (name, value) {
            ("version", _) => layout.version = value.into(),
            ("endian", "little") => layout.endian = Endian::Little,
            ("endian", "big") => layout.endian = Endian::Big,
            ("long", "4" | "8") => {
                layout.long_size = number(value)?;
                layout.user_long_size = layout.long_size;
            }
            ("user_long", "4" | "8") => layout.user_long_size = number(value)?,
            ("page", _) => layout.page_size = number(value)?,
            ("subbuf", _) => layout.subbuf_size = number(value)?,
            ("instance", _) => layout.instance = Some(value.into()),
            ("compression", _) => layout.compression = value.into(),
            ("clock", _) => layout.clock = value.into(),
            ("strings", "fixed") => layout.strings = Strings::Fixed,
            ("strings", "data_loc") => layout.strings = Strings::DataLoc,
            ("strings", "rel_loc") => layout.strings = Strings::RelLoc,
            ("common", "plain") => layout.common = CommonFields::Plain,
            ("common", "lazy") => layout.common = CommonFields::Lazy,
            ("formats", "sched") => layout.sched_formats = true,
            ("formats", "none") => layout.sched_formats = false,
            ("machine", _) => layout.machine = value.into(),
            ("offset", _) => layout.offset_ns = Some(number(value)?),
            ("cpus", _) => self.cpus = number(value)?,
            ("start", _) => {
                self.start_ns = time(value)?;
                self.now_ns = self.start_ns;
            }
            _ => return Err(format!("no setting `{name} {value}`")),
        }
        Ok(())
    }

    fn step(&mut self, at: &str, cpu: &str, verb: &str, rest: &[&str]) -> Parsed<()> {
        self.now_ns = match at.strip_prefix('+') {
            Some(later) => self.now_ns + time(later)?,
            None => self.start_ns + time(at)?,
        };
        let cpu: u32 = number(&cpu["cpu".len()..])?;
        if cpu >= self.cpus {
            return Err(format!("cpu{cpu} of {} CPUs", self.cpus));
        }
        let action = match (verb, rest) {
            ("lost", []) => Action::Lost(None),
            ("lost", [count]) => Action::Lost(Some(number(count)?)),
            ("page", []) => Action::Page,
            ("absolute", []) => Action::Absolute,
            ("discarded", [len]) => Action::Discarded(number(len)?),
            _ => {
                let (rest, suffix) = Suffix::split(rest)?;
                if suffix.by.is_none() {
                    self.without_pid.push(self.steps.len());
                }
                let (format, values) = event(verb, rest, suffix.prio)?;
                let common = Common {
                    pid: suffix.by.unwrap_or(0),
                    flags: IRQS_OFF | suffix.flags,
                };
                Action::Event { format, common, values }
            }
        };
        self.steps.push(Step {
            at_ns: self.now_ns,
            cpu,
            action,
        });
        Ok(())
    }

    /// Fills in with which priority the previous task of each switch ran: that of the last switch to it.
    fn fill_prev_prios(&mut self) {
        let mut prios: HashMap<i32, i64> = HashMap::new();
        for step in &mut self.steps {
            let Some((prev, next)) = step.switch() else {
                continue;
            };
            let Action::Event { values, .. } = &mut step.action else {
                continue;
            };
            if let (Some(Value::Number(prio)), Some(&known)) = (values.get_mut(2), prios.get(&prev)) {
                *prio = known;
            }
            if let Some(Value::Number(prio)) = values.get(6) {
                prios.insert(next, *prio);
            }
        }
    }

    /// Fills in the tasks that ran, once all switches are known: before a CPU's first switch, the task that it switches
    /// out.
    fn finish(mut self) -> Story {
        self.fill_prev_prios();
        let mut running: HashMap<u32, i32> = HashMap::new();
        for step in self.steps.iter().rev() {
            if let Some((prev, _)) = step.switch() {
                running.insert(step.cpu, prev);
            }
        }
        let mut without_pid = self.without_pid.into_iter().peekable();
        for (index, step) in self.steps.iter_mut().enumerate() {
            let switch = step.switch();
            // The thread has its new pid when it writes the event.
            running.extend(step.exec().map(|pid| (step.cpu, pid)));
            if without_pid.next_if_eq(&index).is_some() {
                if let Action::Event { common, .. } = &mut step.action {
                    common.pid = match switch {
                        Some((prev, _)) => prev,
                        None => running.get(&step.cpu).copied().unwrap_or(0),
                    };
                }
            }
            if let Some((_, next)) = switch {
                running.insert(step.cpu, next);
            }
        }
        Story {
            layout: self.layout,
            cpus: self.cpus,
            steps: self.steps,
        }
    }
}

impl Step {
    /// The pid that an exec gives.
    fn exec(&self) -> Option<i32> {
        match &self.action {
            Action::Event { format, values, .. } if format.id == formats::EXEC.id => match values.get(1) {
                Some(Value::Number(pid)) => Some(*pid as i32),
                _ => None,
            },
            _ => None,
        }
    }

    /// The previous and the next pid of a switch.
    fn switch(&self) -> Option<(i32, i32)> {
        match &self.action {
            Action::Event { format, values, .. } if format.id == formats::SWITCH.id => {
                match (values.get(1), values.get(5)) {
                    (Some(Value::Number(prev)), Some(Value::Number(next))) => Some((*prev as i32, *next as i32)),
                    _ => None,
                }
            }
            _ => None,
        }
    }
}

/// The words that may end any event's line.
struct Suffix {
    by: Option<i32>,
    flags: u8,
    prio: i64,
}

impl Suffix {
    fn split<'a, 'b>(mut words: &'a [&'b str]) -> Parsed<(&'a [&'b str], Suffix)> {
        let mut suffix = Suffix {
            by: None,
            flags: 0,
            prio: 120,
        };
        loop {
            words = match words {
                [rest @ .., "hardirq"] => {
                    suffix.flags |= HARDIRQ;
                    rest
                }
                [rest @ .., "softirq"] => {
                    suffix.flags |= SOFTIRQ;
                    rest
                }
                [rest @ .., "nmi"] => {
                    suffix.flags |= NMI;
                    rest
                }
                [rest @ .., "by", pid] => {
                    suffix.by = Some(number(pid)?);
                    rest
                }
                [rest @ .., "prio", prio] => {
                    suffix.prio = number(prio)?;
                    rest
                }
                _ => return Ok((words, suffix)),
            };
        }
    }
}

/// The event of a verb, with the values of its fields.
fn event(verb: &str, rest: &[&str], prio: i64) -> Parsed<(&'static Format, Vec<Value>)> {
    let prio = Value::Number(prio);
    let ordinary = Value::Number(120);
    let mut values = Vec::new();
    let format = match (verb, rest) {
        ("switch", [prev, state, "->", next]) => {
            values.extend(task(prev)?);
            values.extend([ordinary, raw_state(state)?]);
            values.extend(task(next)?);
            values.push(prio);
            &formats::SWITCH
        }
        ("waking" | "wakeup" | "wakeup_new", [wakee, "on", cpu]) => {
            values.extend(task(wakee)?);
            values.extend([prio, Value::Number(number(cpu)?)]);
            match verb {
                "waking" => &formats::WAKING,
                "wakeup" => &formats::WAKEUP,
                _ => &formats::WAKEUP_NEW,
            }
        }
        ("migrate", [of, from, "->", to]) => {
            values.extend(task(of)?);
            values.extend([prio, Value::Number(number(from)?), Value::Number(number(to)?)]);
            &formats::MIGRATE
        }
        ("numa", [of, from, "->", to]) => {
            let [_, pid] = task(of)?;
            let (from, to) = (Value::Number(number(from)?), Value::Number(number(to)?));
            values.extend([pid.clone(), pid.clone(), pid]);
            values.extend([from, Value::Number(0), to, Value::Number(1)]);
            &formats::MOVE_NUMA
        }
        ("fork", [parent, "->", child]) => {
            values.extend(task(parent)?);
            values.extend(task(child)?);
            &formats::FORK
        }
        ("exec", [of, file]) => {
            let [_, pid] = task(of)?;
            values.extend([Value::Text((*file).into()), pid.clone(), pid]);
            &formats::EXEC
        }
        ("exec", [of, file, "from", old]) => {
            let [_, pid] = task(of)?;
            values.extend([Value::Text((*file).into()), pid, Value::Number(number(old)?)]);
            &formats::EXEC
        }
        ("exit", [of]) => {
            values.extend(task(of)?);
            values.push(prio);
            &formats::EXIT
        }
        ("rename", [pid, old, "->", new]) => {
            values.extend([Value::Number(number(pid)?), Value::Text((*old).into())]);
            values.extend([Value::Text((*new).into()), Value::Number(0)]);
            &formats::RENAME
        }
        ("sys_enter", [call]) => {
            values.extend([Value::Number(number(call)?), Value::Number(0)]);
            &formats::SYS_ENTER
        }
        ("sys_enter", [call, argument]) => {
            values.extend([Value::Number(number(call)?), Value::Number(number(argument)?)]);
            &formats::SYS_ENTER
        }
        ("sys_exit", [call, ret]) => {
            values.extend([Value::Number(number(call)?), Value::Number(number(ret)?)]);
            &formats::SYS_EXIT
        }
        ("print", [text]) => {
            values.extend([Value::Number(0), Value::Text((*text).into())]);
            &formats::PRINT
        }
        _ => return Err(format!("no event `{verb} {}`", rest.join(" "))),
    };
    Ok((format, values))
}

/// `comm:pid`; names may hold colons.
fn task(text: &str) -> Parsed<[Value; 2]> {
    let (comm, pid) = text
        .rsplit_once(':')
        .ok_or_else(|| format!("`{text}` is not a task, comm:pid"))?;
    Ok([Value::Text(comm.into()), Value::Number(number(pid)?)])
}

fn raw_state(text: &str) -> Parsed<Value> {
    match STATES.iter().find(|(letter, _)| *letter == text) {
        Some((_, raw)) => Ok(Value::Number(*raw)),
        None => Ok(Value::Number(number(text)?)),
    }
}

/// A time in ns: a number and its unit.
fn time(text: &str) -> Parsed<u64> {
    let units = [("ns", 1), ("us", 1_000), ("ms", 1_000_000), ("s", 1_000_000_000)];
    let (digits, scale) = units
        .iter()
        .find_map(|(unit, scale)| Some((text.strip_suffix(unit)?, *scale)))
        .unwrap_or((text, 1));
    Ok(number::<u64>(digits)? * scale)
}

/// A number, with `_` between its digits where that helps to read it.
fn number<T: std::str::FromStr>(text: &str) -> Parsed<T> {
    text.replace('_', "")
        .parse()
        .map_err(|_| format!("`{text}` is not a number here"))
}

/// Words between white space; quotes hold words together, `#` ends the line.
fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quoted = false;
    for c in line.chars() {
        match c {
            '"' => {
                quoted = !quoted;
                word.get_or_insert_with(String::new);
            }
            '#' if !quoted && word.is_none() => break,
            c if c.is_whitespace() && !quoted => words.extend(word.take()),
            c => word.get_or_insert_with(String::new).push(c),
        }
    }
    words.extend(word);
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse_error(text: &str) -> String {
        Story::parse(text).map(|_| ()).unwrap_err().to_string()
    }

    #[test]
    fn times_count_from_the_start_or_from_the_line_above() {
        let story = Story::parse("start 2s\n 5us cpu0 page\n +1_000 cpu0 page\n 1ms cpu0 page").unwrap();
        let times: Vec<u64> = story.steps.iter().map(|step| step.at_ns).collect();
        assert_eq!(times, [2_000_005_000, 2_000_006_000, 2_001_000_000]);
    }

    #[test]
    fn switches_say_who_wrote_an_event() {
        let story = Story::parse(
            "0 cpu0 waking b:2 on 0   # before the first switch
             1 cpu0 switch a:1 S -> b:2
             2 cpu0 exit b:2
             3 cpu0 exit b:2 by 9 hardirq",
        )
        .unwrap();
        let common: Vec<(i32, u8)> = story
            .steps
            .iter()
            .filter_map(|step| match &step.action {
                Action::Event { common, .. } => Some((common.pid, common.flags)),
                _ => None,
            })
            .collect();
        assert_eq!(common, [(1, 1), (1, 1), (2, 1), (9, 9)]);
    }

    #[test]
    fn names_may_hold_colons_and_spaces() {
        assert_eq!(
            task("kworker/0:1:12").unwrap(),
            [Value::Text("kworker/0:1".into()), Value::Number(12)]
        );
        assert_eq!(words(r#"exit "my comm:3" # gone"#), ["exit", "my comm:3"]);
    }

    #[test]
    fn errors_say_where_and_what() {
        assert_eq!(
            parse_error("version 7\nendian middle"),
            "line 2: no setting `endian middle`"
        );
        assert_eq!(parse_error("0 cpu1 page"), "line 1: cpu1 of 1 CPUs");
        assert_eq!(
            parse_error("0 cpu0 exit bash"),
            "line 1: `bash` is not a task, comm:pid"
        );
    }
}
