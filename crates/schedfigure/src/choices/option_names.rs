//! Names of the choices of a figure on the command line.

use super::spec::{ColorBy, Kind, LegendOf, Part};

impl Kind {
    /// As in `corelane figure KIND`.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Timeline => "timeline",
            Kind::RunningWaiting => "running-waiting",
            Kind::Wakeup => "wakeup",
        }
    }
}

impl Part {
    /// All values.
    pub const ALL: [Part; 2] = [Part::RunningWaiting, Part::Tasks];

    /// As in `--with`.
    pub fn name(self) -> &'static str {
        match self {
            Part::RunningWaiting => "running-waiting",
            Part::Tasks => "tasks",
        }
    }
}

impl ColorBy {
    /// All values.
    pub const ALL: [ColorBy; 3] = [ColorBy::Pid, ColorBy::Command, ColorBy::Parent];

    /// As in `--color-by`.
    pub fn name(self) -> &'static str {
        match self {
            ColorBy::Pid => "pid",
            ColorBy::Command => "command",
            ColorBy::Parent => "parent",
        }
    }
}

impl LegendOf {
    /// All values.
    pub const ALL: [LegendOf; 4] = [LegendOf::Window, LegendOf::ToEnd, LegendOf::Trace, LegendOf::None];

    /// As in `--legend`.
    pub fn name(self) -> &'static str {
        match self {
            LegendOf::Window => "window",
            LegendOf::ToEnd => "to-end",
            LegendOf::Trace => "trace",
            LegendOf::None => "none",
        }
    }
}
