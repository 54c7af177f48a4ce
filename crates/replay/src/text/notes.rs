//! The comment lines that say what WARP has no field for.

use super::line::{instant, number, pid_of, prio, time, unquoted};
use super::read::{Draft, Reader};
use super::{VERSION, WHOLE};
use crate::delay::Delay;
use crate::machine::MOST_CPUS;
use crate::workload::{CpuSet, Ending, Task};

impl Reader {
    /// A comment line, behind its mark.
    pub(super) fn note(&mut self, text: &str, line: u64) -> Result<(), String> {
        let mut words = text.split_ascii_whitespace();
        let first = words.next().ok_or("expected `workload` or a pid")?;
        if first == WHOLE {
            return words.try_for_each(|word| self.note_whole(word));
        }
        let pid = pid_of(first)?;
        let who = self.who(pid, line);
        for word in words {
            let (key, value) = word.split_once('=').unwrap_or((word, ""));
            let comm = match key {
                "comm" => Some(self.comm(unquoted(value)?)),
                _ => None,
            };
            if key == "names" {
                for entry in value.split(',') {
                    let (since, name) = entry.split_once(':').ok_or("expected names as in 1.5:make,2.5:cc")?;
                    let renamed = (time(since)?, self.comm(unquoted(name)?));
                    if let Some(draft) = self.drafts.get_mut(who) {
                        draft.task.renames.push(renamed);
                    }
                }
                continue;
            }
            let Some(draft) = self.drafts.get_mut(who) else {
                continue;
            };
            match comm {
                Some(comm) => (draft.task.comm, draft.named) = (comm, true),
                None => note(draft, key, value)?,
            }
        }
        Ok(())
    }

    fn note_whole(&mut self, word: &str) -> Result<(), String> {
        let (key, value) = word.split_once('=').unwrap_or((word, ""));
        let workload = &mut self.workload;
        let count = || number(value, "a number");
        match key {
            "version" => match number::<u32>(value, "a version")? {
                VERSION => {}
                other => return Err(format!("version {other} of workloads: expected {VERSION}")),
            },
            "first" => workload.first_ns = instant(value)?,
            "span" => workload.span_ns = Some(time(value)?),
            "cpus" => {
                let cpus = Some(number(value, "a number of CPUs")?).filter(|cpus| (1..=MOST_CPUS).contains(cpus));
                workload.cpus = Some(cpus.ok_or_else(|| format!("{value} CPUs: expected 1 to {MOST_CPUS}"))?);
            }
            "wake" => workload.costs.wake_ns = Some(time(value)?),
            "idle_exit" => workload.costs.idle_exit_ns = Some(time(value)?),
            "yields" => workload.notes.inferred_yields = count()?,
            "missing" => workload.notes.wakeup_missing = count()?,
            "left_out" => workload.notes.left_out = count()?,
            "cut" => workload.notes.cut_dependencies = count()?,
            "gaps" => workload.notes.gaps = count()?,
            "clean" => {
                let (from, to) = value.split_once('-').ok_or("expected clean=FROM-TO")?;
                workload.notes.clean = Some((time(from)?, time(to)?));
            }
            _ => return Err(format!("`{key}` says nothing about a workload")),
        }
        Ok(())
    }
}

fn note(draft: &mut Draft, key: &str, value: &str) -> Result<(), String> {
    let task: &mut Task = &mut draft.task;
    match key {
        "pid" => task.pid = pid_of(value)?,
        "gen" => task.generation = number(value, "a generation")?,
        "prio" => task.prio = Some(prio(value)?),
        "cpu" => task.cpu = Some(number(value, "a CPU")?),
        "allowed" => {
            let allowed =
                CpuSet::parse(value).ok_or_else(|| format!("`{value}` is no list of CPUs: expected 0,2-5"))?;
            task.allowed = Some(allowed);
        }
        "born" => task.born_ns = time(value)?,
        "birth" => task.birth_delay = time(value)?,
        "end" => {
            task.ending = match value {
                "running" => Ending::Running,
                "runnable" => Ending::Runnable,
                "asleep" => Ending::Asleep,
                _ => return Err(format!("`{value}` is no end: expected running, runnable or asleep")),
            }
        }
        "endless" => task.endless = true,
        "uncertain" => task.uncertain = true,
        "aliases" => {
            for entry in value.split(',') {
                let (pid, generation) = entry.split_once(':').ok_or("expected aliases as in 178:1")?;
                task.aliases.push((pid_of(pid)?, number(generation, "a generation")?));
            }
        }
        "letters" => {
            for entry in value.split(',') {
                let at = entry.bytes().take_while(u8::is_ascii_digit).count();
                let (count, letter) = entry.split_at_checked(at).unwrap_or_default();
                let letter = match (letter.as_bytes(), letter.strip_prefix('#')) {
                    (_, Some(code)) => number(code, "a byte")?,
                    (&[letter], None) => letter,
                    _ => {
                        return Err(format!(
                            "`{entry}` are no states: expected a count and a letter, as in 12S"
                        ))
                    }
                };
                draft.letters.push_back((number(count, "a count")?, letter));
            }
        }
        "delays" => {
            for entry in value.split(',') {
                draft.delays.push_back(Delay::of(time(entry)?));
            }
        }
        _ => return Err(format!("`{key}` says nothing about a task")),
    }
    Ok(())
}
