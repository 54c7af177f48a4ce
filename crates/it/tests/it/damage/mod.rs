//! Cut and changed files: they open up to the damage or say what is wrong; never a panic, a hang or a wild allocation.

mod cuts;
mod flips;
mod named;
mod reading;
mod rows;
mod watch;

pub use reading::Random;
pub use watch::watch;
