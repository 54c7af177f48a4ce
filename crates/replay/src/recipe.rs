//! Workloads that are made, by name, with their parameters, as users write them: `pairs:threads=400,burst=1ms`.

use std::fmt;
use std::str::FromStr;

use crate::generate;
use crate::policy::{parse_time, MS};
use crate::workload::Workload;

/// The most tasks that a parameter may ask for: more than any machine that is simulated can run.
const MOST_TASKS: u32 = 100_000;

/// A workload that is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Recipe {
    /// See [`generate::shares`].
    Fairbench {
        /// Tasks of each nice value.
        each: u32,
    },
    /// See [`generate::responses`].
    Responsebench {
        /// Tasks of each kind.
        each: u32,
        /// How long they run, in ns.
        run: u64,
    },
    /// See [`generate::pairs`].
    Pairs {
        /// Number of tasks.
        threads: u32,
        /// How long each runs, in ns.
        burst: u64,
    },
    /// See [`generate::gzip_like`].
    Gzip {
        /// How long it runs, in ns.
        run: u64,
        /// How long it sleeps, in ns.
        sleep: u64,
    },
}

impl Recipe {
    /// Their names.
    pub const NAMES: [&'static str; 4] = ["fairbench", "responsebench", "pairs", "gzip"];

    /// What a text that begins with one of the names asks for; `None` for any other text, which may be a file's name.
    pub fn of(text: &str) -> Option<Result<Recipe, String>> {
        let name = text.split(':').next().unwrap_or_default();
        Recipe::NAMES.contains(&name).then(|| text.parse())
    }

    /// Makes it, with events for so much undisturbed running and sleeping.
    pub fn make(self, span_ns: u64) -> Workload {
        match self {
            Recipe::Fairbench { each } => generate::shares(each),
            Recipe::Responsebench { each, run } => generate::responses(each, run, span_ns),
            Recipe::Pairs { threads, burst } => generate::pairs(threads, burst, span_ns),
            Recipe::Gzip { run, sleep } => generate::runs_and_sleeps(run, sleep, span_ns),
        }
    }

    fn by_name(name: &str) -> Option<Recipe> {
        Some(match name {
            "fairbench" => Recipe::Fairbench { each: 5 },
            "responsebench" => Recipe::Responsebench { each: 5, run: 5 * MS },
            "pairs" => Recipe::Pairs {
                threads: 400,
                burst: MS,
            },
            "gzip" => Recipe::Gzip {
                run: 20 * MS,
                sleep: MS,
            },
            _ => return None,
        })
    }

    fn set(&mut self, key: &str, value: &str) -> Result<(), String> {
        let wrong = |expected: &str| format!("{key}=\"{value}\"; expected {expected}");
        let time = || {
            let found = parse_time(value).filter(|ns| (1000..=1_000_000 * MS).contains(ns));
            found.ok_or_else(|| wrong("a time from 1us to 1000s, such as 5ms"))
        };
        let tasks = |least: u32| {
            let found = value
                .parse()
                .ok()
                .filter(|&count| least <= count && count <= MOST_TASKS);
            found.ok_or_else(|| wrong(&format!("a number of tasks from {least} to {MOST_TASKS}")))
        };
        match (self, key) {
            (Recipe::Fairbench { each } | Recipe::Responsebench { each, .. }, "each") => *each = tasks(1)?,
            (Recipe::Responsebench { run, .. } | Recipe::Gzip { run, .. }, "run") => *run = time()?,
            (Recipe::Pairs { threads, .. }, "threads") => *threads = tasks(2)?,
            (Recipe::Pairs { burst, .. }, "burst") => *burst = time()?,
            (Recipe::Gzip { sleep, .. }, "sleep") => *sleep = time()?,
            (recipe, _) => {
                return Err(format!(
                    "{} has no parameter \"{key}\"; expected {}",
                    recipe.name(),
                    recipe.keys()
                ))
            }
        }
        Ok(())
    }

    fn name(self) -> &'static str {
        match self {
            Recipe::Fairbench { .. } => "fairbench",
            Recipe::Responsebench { .. } => "responsebench",
            Recipe::Pairs { .. } => "pairs",
            Recipe::Gzip { .. } => "gzip",
        }
    }

    fn keys(self) -> &'static str {
        match self {
            Recipe::Fairbench { .. } => "each",
            Recipe::Responsebench { .. } => "each or run",
            Recipe::Pairs { .. } => "threads or burst",
            Recipe::Gzip { .. } => "run or sleep",
        }
    }
}

impl FromStr for Recipe {
    type Err = String;

    fn from_str(text: &str) -> Result<Recipe, String> {
        let (name, params) = text.split_once(':').unwrap_or((text, ""));
        let mut recipe = Recipe::by_name(name)
            .ok_or_else(|| format!("\"{name}\" is not made; expected {}", Recipe::NAMES.join(", ")))?;
        for param in params.split(',').filter(|param| !param.is_empty()) {
            let (key, value) = param.split_once('=').unwrap_or((param, ""));
            recipe.set(key, value)?;
        }
        Ok(recipe)
    }
}

impl fmt::Display for Recipe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.name();
        match self {
            Recipe::Fairbench { each } => write!(f, "{name}:each={each}"),
            Recipe::Responsebench { each, run } => write!(f, "{name}:each={each},run={run}ns"),
            Recipe::Pairs { threads, burst } => write!(f, "{name}:threads={threads},burst={burst}ns"),
            Recipe::Gzip { run, sleep } => write!(f, "{name}:run={run}ns,sleep={sleep}ns"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_read_and_written() {
        for name in Recipe::NAMES {
            let recipe: Recipe = name.parse().unwrap();
            assert_eq!(recipe.to_string().parse(), Ok(recipe));
        }
        let pairs: Recipe = "pairs:threads=8,burst=2ms".parse().unwrap();
        assert_eq!(
            pairs,
            Recipe::Pairs {
                threads: 8,
                burst: 2 * MS
            }
        );
        assert_eq!(pairs.make(32 * MS).tasks.len(), 8);
        assert_eq!("fairbench:each=2".parse::<Recipe>().unwrap().make(0).tasks.len(), 10);
        assert_eq!(Recipe::of("trace.dat"), None);
        let wrong = |text: &str| Recipe::of(text).unwrap().unwrap_err();
        assert_eq!(
            wrong("pairs:thread=8"),
            "pairs has no parameter \"thread\"; expected threads or burst"
        );
        assert!(wrong("fairbench:each=0").contains("from 1 to 100000"));
        assert!(wrong("gzip:run=5").contains("such as 5ms"));
    }
}
