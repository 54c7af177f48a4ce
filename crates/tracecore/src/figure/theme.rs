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
