//! Progress on standard error, if that is a terminal. No handler catches Ctrl-C: it ends the program at once.

use std::io::{self, IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle};

/// All bars, so that none is drawn over another.
static BARS: LazyLock<MultiProgress> = LazyLock::new(MultiProgress::new);

/// A command that takes less says nothing.
const SOON: Duration = Duration::from_secs(1);

/// The length of a [`fraction_bar`].
pub const FRACTIONS: u64 = 1000;

fn is_shown(quiet: bool) -> bool {
    !quiet && io::stderr().is_terminal()
}

/// A bar for work whose length in bytes is known.
pub fn byte_bar(bytes: u64, quiet: bool) -> ProgressBar {
    bar(bytes, quiet, "{bar:40} {bytes}/{total_bytes} {eta}")
}

/// A bar for work of which only the part that is done is known.
pub fn fraction_bar(quiet: bool) -> ProgressBar {
    bar(FRACTIONS, quiet, "{bar:40} {percent} % {elapsed} {eta}")
}

fn bar(length: u64, quiet: bool, template: &str) -> ProgressBar {
    let bar = match is_shown(quiet) {
        true => BARS.add(ProgressBar::new(length)),
        false => ProgressBar::with_draw_target(Some(length), ProgressDrawTarget::hidden()),
    };
    styled(bar, template)
}

fn styled(bar: ProgressBar, template: &str) -> ProgressBar {
    match ProgressStyle::with_template(template) {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

/// Prints a line on standard error, beside bars.
pub fn note(line: &str) {
    BARS.suspend(|| eprintln!("{line}"));
}

/// The time that a command takes before it writes its answer.
pub struct Busy {
    bar: ProgressBar,
    is_done: Arc<AtomicBool>,
}

impl Busy {
    /// From now on; `None` where nobody would see it.
    pub fn begin(quiet: bool) -> Option<Busy> {
        is_shown(quiet).then(|| {
            let bar = styled(BARS.add(ProgressBar::new_spinner()), "{spinner} {elapsed}");
            let is_done = Arc::new(AtomicBool::new(false));
            let (ticking, stop) = (bar.clone(), Arc::clone(&is_done));
            std::thread::spawn(move || {
                std::thread::sleep(SOON);
                if !stop.load(Ordering::Relaxed) {
                    ticking.enable_steady_tick(Duration::from_millis(200));
                }
            });
            Busy { bar, is_done }
        })
    }
}

impl Drop for Busy {
    fn drop(&mut self) {
        self.is_done.store(true, Ordering::Relaxed);
        self.bar.finish_and_clear();
    }
}

/// Standard output: its first byte ends what [`Busy`] shows.
pub struct Answer<W> {
    /// Where the answer goes.
    pub out: W,
    /// Until it begins.
    pub busy: Option<Busy>,
}

impl<W: Write> Write for Answer<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.busy = None;
        self.out.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}
