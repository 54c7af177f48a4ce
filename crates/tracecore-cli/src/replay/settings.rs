//! `--set KEY=VALUE`: what is neither the policy's nor has an option of its own.

use std::str::FromStr;

use ::replay::machine::{Machine, Place, Sync};
use ::replay::policy::{parse_switch, parse_time};
use ::replay::CpuSet;

/// One setting of the machine.
#[derive(Clone)]
pub enum Setting {
    Place(Place),
    IdlePrev(bool),
    Sync(Sync),
    WakeWide(bool),
    Groups(bool),
    Balance(bool),
    Wake(u64),
    IdleExit(u64),
    Switch(u64),
    MigrateCore(u64),
    MigrateLlc(u64),
    MigrateSocket(u64),
    Smt(u32),
    Aligned(bool),
    Seed(u64),
    Capacity(CpuSet, u32),
}

const KEYS: &str =
    "place, idle_prev, sync, wake_wide, groups, balance, wake, idle_exit, switch, migrate_core, migrate_llc, \
                    migrate_socket, smt, aligned, seed or capacity";

impl Setting {
    /// Changes the machine.
    pub fn apply(&self, machine: &mut Machine) {
        let placement = &mut machine.placement;
        match self {
            Setting::Place(place) => placement.place = *place,
            Setting::IdlePrev(on) => placement.idle_prev = *on,
            Setting::Sync(sync) => placement.sync = sync.clone(),
            Setting::WakeWide(on) => placement.wake_wide = *on,
            Setting::Groups(on) => placement.groups = *on,
            Setting::Balance(on) => placement.balance = *on,
            Setting::Wake(ns) => machine.wake_ns = *ns,
            Setting::IdleExit(ns) => machine.idle_exit_ns = *ns,
            Setting::Switch(ns) => machine.switch_ns = *ns,
            Setting::MigrateCore(ns) => machine.migration.core_ns = *ns,
            Setting::MigrateLlc(ns) => machine.migration.llc_ns = *ns,
            Setting::MigrateSocket(ns) => machine.migration.socket_ns = *ns,
            Setting::Smt(speed) => machine.smt = *speed,
            Setting::Aligned(on) => machine.aligned = *on,
            Setting::Seed(seed) => machine.seed = Some(*seed),
            Setting::Capacity(cpus, capacity) => {
                machine.capacities.resize(machine.places.len(), 1024);
                for cpu in cpus.iter() {
                    if let Some(of_cpu) = machine.capacities.get_mut(cpu as usize) {
                        *of_cpu = *capacity;
                    }
                }
            }
        }
    }
}

impl FromStr for Setting {
    type Err = String;

    fn from_str(text: &str) -> Result<Setting, String> {
        let (key, value) = text.split_once('=').unwrap_or((text, ""));
        let wrong = |expected: &str| format!("{key}=\"{value}\"; expected {expected}");
        let switch = || parse_switch(value).ok_or_else(|| wrong("on or off"));
        let time = || {
            let found = parse_time(value).filter(|&ns| ns <= 1_000_000_000);
            found.ok_or_else(|| wrong("a time of at most 1 s, such as 5us"))
        };
        Ok(match key {
            "place" => Setting::Place(match value {
                "linux" => Place::Linux,
                "stay" => Place::Stay,
                "idlest" => Place::Idlest,
                "shared" => Place::Shared,
                _ => return Err(wrong("linux, stay, idlest or shared")),
            }),
            "idle_prev" => Setting::IdlePrev(switch()?),
            "sync" => Setting::Sync(match value {
                "off" => Sync::Off,
                "on" => Sync::On,
                "" => return Err(wrong("off, on, or names of wakers")),
                comms => Sync::By(comms.split(',').map(str::to_owned).collect()),
            }),
            "wake_wide" => Setting::WakeWide(switch()?),
            "groups" => Setting::Groups(match value {
                "none" => false,
                "parent" => true,
                _ => return Err(wrong("none or parent")),
            }),
            "balance" => Setting::Balance(switch()?),
            "wake" => Setting::Wake(time()?),
            "idle_exit" => Setting::IdleExit(time()?),
            "switch" => Setting::Switch(time()?),
            "migrate_core" => Setting::MigrateCore(time()?),
            "migrate_llc" => Setting::MigrateLlc(time()?),
            "migrate_socket" => Setting::MigrateSocket(time()?),
            "smt" => {
                let factor = value.parse::<f64>().ok().filter(|factor| (0.1..=1.0).contains(factor));
                let factor = factor.ok_or_else(|| wrong("a factor from 0.1 to 1"))?;
                Setting::Smt((factor * 1024.0).round() as u32)
            }
            "aligned" => Setting::Aligned(switch()?),
            "seed" => Setting::Seed(value.parse().map_err(|_| wrong("a whole number"))?),
            "capacity" => {
                let found = value.split_once(':').and_then(|(cpus, capacity)| {
                    let capacity = capacity.parse().ok().filter(|capacity| (1..=1024).contains(capacity))?;
                    Some(Setting::Capacity(CpuSet::parse(cpus)?, capacity))
                });
                found.ok_or_else(|| wrong("CPUs and their speed in 1024ths, as in 0-3:512"))?
            }
            _ => return Err(format!("no setting \"{key}\"; expected {KEYS}")),
        })
    }
}
