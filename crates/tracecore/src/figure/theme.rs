//! Colours and sizes of what figures are made of. Colours are those of the page's light theme
//! (`web/timeline/theme.ts`), lengths mm.

use super::drawing::Rgb;

/// Idle, and what is below all else.
pub(super) const PAPER: Rgb = Rgb(0xff, 0xff, 0xff);
/// Text and what stands out.
pub(super) const INK: Rgb = Rgb(0x14, 0x18, 0x1f);
/// Wakeups and moves.
pub(super) const ARROW: Rgb = Rgb(0x0b, 0x57, 0xd0);
/// Wakeups made by interrupts.
pub(super) const ARROW_INTERRUPT: Rgb = Rgb(0xb3, 0x26, 0x1e);
/// Wakeups that put a task on another CPU of its socket.
pub(super) const NEAR: Rgb = Rgb(0x00, 0x69, 0x5c);
/// The same on another socket.
pub(super) const FAR: Rgb = Rgb(0xb0, 0x00, 0x6d);
/// Runs of tasks that are not the target; where colours are of parents, of those that nobody forked.
pub(super) const OTHER: Rgb = Rgb(0x23, 0x27, 0x2e);
/// Stripes of what is unknown, and what lies under them.
pub(super) const HATCH: Rgb = Rgb(0xa9, 0xb1, 0xbd);
/// See [`HATCH`].
pub(super) const HATCHED: Rgb = Rgb(0xf1, 0xf3, 0xf5);
/// Running tasks: the line along their number.
pub(super) const RUNNING: Rgb = Rgb(0x00, 0x78, 0x5a);
/// Running tasks: the area below the line.
pub(super) const RUNNING_FILL: Rgb = Rgb(0xbf, 0xe6, 0xd8);
/// Runnable tasks: the line along their number where some wait.
pub(super) const RUNNABLE: Rgb = Rgb(0xd6, 0x30, 0x1f);
/// Tasks that wait: from the running to the runnable ones.
pub(super) const WAITING_FILL: Rgb = Rgb(0xf4, 0x86, 0x6f);
