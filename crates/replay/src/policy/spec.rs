//! Policies by name, with their parameters, as users write them: `eevdf:base_slice=0.7ms,exact_slices=on`.

use super::cfs::CfsTimes;
use super::eevdf::EevdfParams;
use super::fifo::Slice;
use super::{Cfs, Ebs, Eevdf, Fifo, Linux24, Ns, Order, Policy, Scx, Usage, MS, O1};
use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// A policy and its parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spec {
    /// First come first served: a queue for each CPU, or one for all.
    Fcfs {
        /// One for all.
        one_queue: bool,
    },
    /// Round robin.
    Rr {
        /// How long each runs.
        slice: Ns,
    },
    /// A global FIFO whose slices shrink with the number of those that wait.
    Rlfifo,
    /// Linux 2.4.
    Linux24 {
        /// Ticks a second.
        hz: u64,
    },
    /// Linux 2.6.0 to 2.6.7.
    O1 {
        /// Ticks a second.
        hz: u64,
    },
    /// Linux 2.6.23 to 6.5.
    Cfs(CfsTimes),
    /// Linux 6.6 and later.
    Eevdf(EevdfParams),
    /// WARP's shares.
    Ebs {
        /// How long each runs.
        slice: Ns,
        /// What counts as used.
        usage: Usage,
    },
    /// sched_ext's simple scheduler.
    Scx {
        /// Of its queue.
        order: Order,
        /// How long each runs.
        slice: Ns,
    },
    /// Every runnable task runs at once, at its weight's share of the CPUs.
    Ideal,
    /// As it was recorded.
    Recorded,
}

/// A policy that cannot be.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PolicyError {
    /// No policy has this name.
    #[error("policy {0}; expected one of {names}", names = Spec::NAMES.join(", "))]
    Name(String),
    /// The policy has no such parameter.
    #[error("policy {policy} has no parameter {key}; expected {expected}")]
    Key {
        /// The policy.
        policy: &'static str,
        /// What was found.
        key: String,
        /// What it has.
        expected: String,
    },
    /// The value is none of the parameter's.
    #[error("policy {policy}: {key}={value}; expected {expected}")]
    Value {
        /// The policy.
        policy: &'static str,
        /// The parameter.
        key: &'static str,
        /// What was found.
        value: String,
        /// What it may be.
        expected: &'static str,
    },
}

/// The value of a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value {
    /// A time.
    Time(Ns),
    /// A number.
    Number(u64),
    /// On or off.
    Switch(bool),
    /// One of some words.
    Word(&'static str),
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Value::Time(ns) => write!(f, "{}ms", ns as f64 / MS as f64),
            Value::Number(number) => write!(f, "{number}"),
            Value::Switch(on) => f.write_str(if on { "on" } else { "off" }),
            Value::Word(word) => f.write_str(word),
        }
    }
}

/// A time with its unit: `0.7ms`, `20us`, `1s`, `500ns`.
pub fn parse_time(text: &str) -> Option<Ns> {
    let unit = text.find(|c: char| c.is_ascii_alphabetic() || c == 'µ')?;
    let (number, unit) = text.split_at_checked(unit)?;
    let scale = match unit {
        "ns" => 1.0,
        "us" | "µs" => 1e3,
        "ms" => 1e6,
        "s" => 1e9,
        _ => return None,
    };
    let ns = number.parse::<f64>().ok()? * scale;
    // A century is more than any run takes, and its sums fit.
    (0.0..3.2e18).contains(&ns).then(|| ns.round() as Ns)
}

/// `on` or `off`.
pub fn parse_switch(text: &str) -> Option<bool> {
    match text {
        "on" => Some(true),
        "off" => Some(false),
        _ => None,
    }
}

const TIME: &str = "a time above 0 of at most 1000 s, such as 0.7ms";
const SWITCH: &str = "on or off";
const HZ: &str = "1 to 10000 ticks a second";

impl Spec {
    /// All names.
    pub const NAMES: [&'static str; 11] = [
        "fcfs", "rr", "rlfifo", "linux24", "o1", "cfs", "eevdf", "ebs", "scx", "ideal", "recorded",
    ];

    /// Its name.
    pub fn name(&self) -> &'static str {
        match self {
            Spec::Fcfs { .. } => "fcfs",
            Spec::Rr { .. } => "rr",
            Spec::Rlfifo => "rlfifo",
            Spec::Linux24 { .. } => "linux24",
            Spec::O1 { .. } => "o1",
            Spec::Cfs(_) => "cfs",
            Spec::Eevdf(_) => "eevdf",
            Spec::Ebs { .. } => "ebs",
            Spec::Scx { .. } => "scx",
            Spec::Ideal => "ideal",
            Spec::Recorded => "recorded",
        }
    }

    /// What it is unless told otherwise.
    pub fn of_name(name: &str) -> Result<Spec, PolicyError> {
        Ok(match name {
            "fcfs" => Spec::Fcfs { one_queue: false },
            "rr" => Spec::Rr { slice: 100 * MS },
            "rlfifo" => Spec::Rlfifo,
            "linux24" => Spec::Linux24 { hz: 100 },
            "o1" => Spec::O1 { hz: 1000 },
            "cfs" => Spec::Cfs(CfsTimes::default()),
            "eevdf" => Spec::Eevdf(EevdfParams::default()),
            "ebs" => Spec::Ebs {
                slice: 100 * MS,
                usage: Usage::Exact,
            },
            "scx" => Spec::Scx {
                order: Order::Vtime,
                slice: 20 * MS,
            },
            "ideal" => Spec::Ideal,
            "recorded" => Spec::Recorded,
            _ => return Err(PolicyError::Name(name.to_owned())),
        })
    }

    /// All its parameters.
    pub fn params(&self) -> Vec<(&'static str, Value)> {
        match *self {
            Spec::Fcfs { one_queue } => vec![("queue", Value::Word(if one_queue { "global" } else { "cpu" }))],
            Spec::Rr { slice } => vec![("slice", Value::Time(slice))],
            Spec::Linux24 { hz } | Spec::O1 { hz } => vec![("hz", Value::Number(hz))],
            Spec::Cfs(times) => vec![
                ("latency", Value::Time(times.latency)),
                ("min_granularity", Value::Time(times.min_granularity)),
                ("wakeup_granularity", Value::Time(times.wakeup_granularity)),
                ("last_buddy", Value::Switch(times.last_buddy)),
                ("slice_floor", Value::Switch(times.slice_floor)),
            ],
            Spec::Eevdf(params) => vec![
                ("base_slice", Value::Time(params.base_slice)),
                ("exact_slices", Value::Switch(params.exact_slices)),
                ("run_to_parity", Value::Switch(params.run_to_parity)),
                ("delay_dequeue", Value::Switch(params.delay_dequeue)),
                ("rel_deadline", Value::Switch(params.rel_deadline)),
            ],
            Spec::Ebs { slice, usage } => {
                let (word, half_life) = match usage {
                    Usage::Exact => ("exact", None),
                    Usage::Estimated(half_life) => ("estimated", Some(half_life)),
                };
                let half_life = half_life.map(|time| ("half_life", Value::Time(time)));
                let known = [("slice", Value::Time(slice)), ("usage", Value::Word(word))];
                known.into_iter().chain(half_life).collect()
            }
            Spec::Scx { order, slice } => {
                let word = if order == Order::Fifo { "fifo" } else { "vtime" };
                vec![("order", Value::Word(word)), ("slice", Value::Time(slice))]
            }
            Spec::Rlfifo | Spec::Ideal | Spec::Recorded => Vec::new(),
        }
    }

    fn set(&mut self, key: &str, value: &str) -> Result<(), PolicyError> {
        let policy = self.name();
        let wrong = |key: &'static str, expected: &'static str| PolicyError::Value {
            policy,
            key,
            value: value.to_owned(),
            expected,
        };
        let time = |key| {
            let found = parse_time(value).filter(|&ns| 0 < ns && ns <= 1_000_000 * MS);
            found.ok_or_else(|| wrong(key, TIME))
        };
        let switch = |key| parse_switch(value).ok_or_else(|| wrong(key, SWITCH));
        match (self, key) {
            (Spec::Fcfs { one_queue }, "queue") => {
                *one_queue = match value {
                    "cpu" => false,
                    "global" => true,
                    _ => return Err(wrong("queue", "cpu or global")),
                }
            }
            (Spec::Rr { slice } | Spec::Ebs { slice, .. } | Spec::Scx { slice, .. }, "slice") => {
                *slice = time("slice")?
            }
            (Spec::Linux24 { hz } | Spec::O1 { hz }, "hz") => {
                let found = value.parse().ok().filter(|hz| (1..=10_000).contains(hz));
                *hz = found.ok_or_else(|| wrong("hz", HZ))?;
            }
            (Spec::Cfs(times), "latency") => times.latency = time("latency")?,
            (Spec::Cfs(times), "min_granularity") => times.min_granularity = time("min_granularity")?,
            (Spec::Cfs(times), "wakeup_granularity") => times.wakeup_granularity = time("wakeup_granularity")?,
            (Spec::Cfs(times), "last_buddy") => times.last_buddy = switch("last_buddy")?,
            (Spec::Cfs(times), "slice_floor") => times.slice_floor = switch("slice_floor")?,
            (Spec::Eevdf(params), "base_slice") => params.base_slice = time("base_slice")?,
            (Spec::Eevdf(params), "exact_slices") => params.exact_slices = switch("exact_slices")?,
            (Spec::Eevdf(params), "run_to_parity") => params.run_to_parity = switch("run_to_parity")?,
            (Spec::Eevdf(params), "delay_dequeue") => params.delay_dequeue = switch("delay_dequeue")?,
            (Spec::Eevdf(params), "rel_deadline") => params.rel_deadline = switch("rel_deadline")?,
            (Spec::Ebs { usage, .. }, "usage") => {
                *usage = match value {
                    "exact" => Usage::Exact,
                    "estimated" => Usage::Estimated(1000 * MS),
                    _ => return Err(wrong("usage", "exact or estimated")),
                }
            }
            (Spec::Ebs { usage, .. }, "half_life") => *usage = Usage::Estimated(time("half_life")?),
            (Spec::Scx { order, .. }, "order") => {
                *order = match value {
                    "fifo" => Order::Fifo,
                    "vtime" => Order::Vtime,
                    _ => return Err(wrong("order", "vtime or fifo")),
                }
            }
            (spec, key) => {
                let mut known: Vec<&str> = spec.params().into_iter().map(|(key, _)| key).collect();
                if matches!(spec, Spec::Ebs { .. }) && !known.contains(&"half_life") {
                    known.push("half_life");
                }
                return Err(PolicyError::Key {
                    policy,
                    key: key.to_owned(),
                    expected: if known.is_empty() {
                        "none".to_owned()
                    } else {
                        known.join(", ")
                    },
                });
            }
        }
        Ok(())
    }

    /// Does something with the policy itself, for so many CPUs; the ideal and the recorded ones are none that an engine could ask.
    pub fn with<W: WithPolicy>(&self, cpus: u32, what: W) -> Option<W::Done> {
        Some(match *self {
            Spec::Fcfs { one_queue } => what.with(Fifo::new(Slice::None, one_queue, cpus)),
            Spec::Rr { slice } => what.with(Fifo::new(Slice::Ticks(slice), false, cpus)),
            Spec::Rlfifo => what.with(Fifo::new(Slice::Shared(5 * MS), true, cpus)),
            Spec::Linux24 { hz } => what.with(Linux24::new(hz, cpus)),
            Spec::O1 { hz } => what.with(O1::new(hz, cpus)),
            Spec::Cfs(times) => what.with(Cfs::new(times, cpus)),
            Spec::Eevdf(params) => what.with(Eevdf::new(params, cpus)),
            Spec::Ebs { slice, usage } => what.with(Ebs::new(slice, usage, cpus)),
            Spec::Scx { order, slice } => what.with(Scx::new(order, slice, cpus)),
            Spec::Ideal | Spec::Recorded => return None,
        })
    }

    /// The policy in a box, as [`Spec::with`] has it.
    pub fn build(&self, cpus: u32) -> Option<Box<dyn Policy>> {
        self.with(cpus, Boxed)
    }
}

/// What is done with a policy, whichever it is, in code that is compiled for each of them.
pub trait WithPolicy {
    /// What comes of it.
    type Done;

    /// Does it.
    fn with<P: Policy + 'static>(self, policy: P) -> Self::Done;
}

struct Boxed;

impl WithPolicy for Boxed {
    type Done = Box<dyn Policy>;

    fn with<P: Policy + 'static>(self, policy: P) -> Self::Done {
        Box::new(policy)
    }
}

/// `NAME` or `NAME:KEY=VALUE,...`.
impl FromStr for Spec {
    type Err = PolicyError;

    fn from_str(text: &str) -> Result<Spec, PolicyError> {
        let (name, params) = text.split_once(':').unwrap_or((text, ""));
        let mut spec = Spec::of_name(name)?;
        for param in params.split(',').filter(|param| !param.is_empty()) {
            let (key, value) = param.split_once('=').unwrap_or((param, ""));
            spec.set(key, value)?;
        }
        Ok(spec)
    }
}

/// As it is read, with all parameters.
impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())?;
        for (number, (key, value)) in self.params().into_iter().enumerate() {
            let before = if number == 0 { ':' } else { ',' };
            write!(f, "{before}{key}={value}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        for name in Spec::NAMES {
            let spec = Spec::of_name(name).unwrap();
            assert_eq!(spec.to_string().parse(), Ok(spec), "{spec}");
        }
        let spec: Spec = "eevdf:base_slice=0.65ms,exact_slices=on".parse().unwrap();
        assert_eq!(
            spec,
            Spec::Eevdf(EevdfParams {
                base_slice: 650_000,
                exact_slices: true,
                ..EevdfParams::default()
            })
        );
        assert_eq!(spec.to_string().parse(), Ok(spec));
    }

    #[test]
    fn errors_say_what_was_expected() {
        let error = |text: &str| text.parse::<Spec>().unwrap_err().to_string();
        assert!(error("cf").starts_with("policy cf; expected one of fcfs, rr, "));
        assert_eq!(
            error("rr:slize=2ms"),
            "policy rr has no parameter slize; expected slice"
        );
        assert_eq!(
            error("rr:slice=2"),
            "policy rr: slice=2; expected a time above 0 of at most 1000 s, such as 0.7ms"
        );
        assert_eq!(error("ideal:x=1"), "policy ideal has no parameter x; expected none");
        assert_eq!(error("o1:hz=0"), "policy o1: hz=0; expected 1 to 10000 ticks a second");
    }
}
