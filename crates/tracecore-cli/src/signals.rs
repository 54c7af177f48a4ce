//! What happens when a signal asks the program to end: hidden files are removed first, and a recording is ended properly.
//!
//! One thread receives SIGINT, SIGTERM and SIGHUP. SIGXFSZ is caught so that the write fails and says why. The thread starts
//! with the first hidden file or recording; before that, signals end the program as they do any other.

use std::io;
use std::path::{Path, PathBuf};
#[cfg(unix)]
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// What a signal has to take care of.
struct State {
    /// Whether the thread was started.
    started: bool,
    /// Hidden files that are being written.
    files: Vec<PathBuf>,
    /// A recording, during which signals do not end the program.
    recording: Option<Recording>,
    /// The signal that ended a recording, if the thread has yet to receive it: it must not end the program as well.
    #[cfg(unix)]
    late: Option<i32>,
}

#[derive(Default)]
struct Recording {
    /// The process to interrupt, while it has not been waited for.
    #[cfg(unix)]
    child: Option<rustix::process::Pid>,
    /// The last signal that the thread received.
    asked: Option<i32>,
}

/// A signal that the thread has not received yet, 0 for none. The signal handler sets it: on a busy machine a recording can
/// end before the thread runs.
#[cfg(unix)]
static CAME: AtomicUsize = AtomicUsize::new(0);

/// Takes what the signal handler noted.
#[cfg(unix)]
fn came() -> Option<i32> {
    let signal = CAME.swap(0, Ordering::SeqCst);
    i32::try_from(signal).ok().filter(|&signal| signal != 0)
}

static STATE: Mutex<State> = Mutex::new(State {
    started: false,
    files: Vec::new(),
    recording: None,
    #[cfg(unix)]
    late: None,
});

/// Locks the state, and sees to it that signals are received.
fn state() -> MutexGuard<'static, State> {
    let mut state = STATE.lock().unwrap_or_else(PoisonError::into_inner);
    if !state.started {
        state.started = true;
        #[cfg(unix)]
        unix::start();
    }
    state
}

/// Has a file removed by any signal that ends the program, until this is dropped.
pub struct RemovedBySignal(PathBuf);

impl RemovedBySignal {
    pub fn new(path: &Path) -> RemovedBySignal {
        state().files.push(path.to_owned());
        RemovedBySignal(path.to_owned())
    }

    /// For a file that `make` makes if it can: there is no moment at which a signal leaves it.
    pub fn with<T>(
        path: &Path,
        make: impl FnOnce() -> io::Result<Option<T>>,
    ) -> io::Result<Option<(T, RemovedBySignal)>> {
        let mut state = state();
        let made = make()?;
        Ok(made.map(|made| {
            state.files.push(path.to_owned());
            (made, RemovedBySignal(path.to_owned()))
        }))
    }
}

impl Drop for RemovedBySignal {
    fn drop(&mut self) {
        state().files.retain(|path| *path != self.0);
    }
}

#[cfg(unix)]
impl State {
    /// Notes a signal for the recording ahead of the thread.
    fn hear(&mut self) {
        if let (Some(recording), Some(signal)) = (&mut self.recording, came()) {
            recording.asked = Some(signal);
            self.late = Some(signal);
        }
    }

    /// Ends the recording; what came until now came during it.
    fn end_recording(&mut self) {
        self.hear();
        self.recording = None;
    }
}

/// While this exists, signals interrupt a child process and do not end the program.
#[cfg(unix)]
pub struct Held(());

#[cfg(unix)]
impl Held {
    pub fn new() -> Held {
        state().recording = Some(Recording::default());
        Held(())
    }

    /// The last signal that came.
    pub fn signal(&self) -> Option<i32> {
        let mut state = state();
        state.hear();
        state.recording.as_ref().and_then(|recording| recording.asked)
    }

    /// Runs a program to its end. A signal that comes before it was started keeps it from being started.
    pub fn run(&self, command: &mut std::process::Command) -> std::io::Result<std::process::ExitStatus> {
        if self.signal().is_some() {
            return Err(std::io::ErrorKind::Interrupted.into());
        }
        let mut child = command.spawn()?;
        let pid = rustix::process::Pid::from_child(&child);
        self.set_child(Some(pid));
        if self.signal().is_some() {
            unix::interrupt(pid);
        }
        unix::wait_for_end(pid);
        // It was not reaped yet: no other process has its number.
        self.set_child(None);
        child.wait()
    }

    fn set_child(&self, child: Option<rustix::process::Pid>) {
        if let Some(recording) = &mut state().recording {
            recording.child = child;
        }
    }
}

#[cfg(unix)]
impl Drop for Held {
    fn drop(&mut self) {
        state().end_recording();
    }
}

#[cfg(unix)]
mod unix {
    use std::fs;
    use std::thread::Builder;

    use rustix::process::{getpgrp, kill_process, waitid, Pid, Signal, WaitId, WaitIdOptions};
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGXFSZ};
    use signal_hook::flag::register_usize;
    use signal_hook::iterator::exfiltrator::origin::{Origin, WithOrigin};
    use signal_hook::iterator::SignalsInfo;
    use signal_hook::low_level::emulate_default_handler;
    use signal_hook::low_level::siginfo::Cause;

    use super::{came, PoisonError, CAME, STATE};
    use crate::part::remove_part;

    /// Receives signals from now on. Without it they end the program, and the next run removes what is left.
    pub fn start() {
        let ignored = ignored();
        // What nohup and background jobs have ignored stays so.
        let handled = [SIGINT, SIGTERM, SIGHUP, SIGXFSZ]
            .into_iter()
            .filter(|signal| ignored & (1 << (signal - 1)) == 0);
        for signal in handled.clone().filter(|signal| *signal != SIGXFSZ) {
            // Before the thread's own: what it receives was noted.
            let _ = register_usize(signal, &CAME, usize::try_from(signal).unwrap_or_default());
        }
        if let Ok(mut signals) = SignalsInfo::<WithOrigin>::new(handled) {
            let receive = move || signals.forever().for_each(|origin| received(&origin));
            let _ = Builder::new().name("signals".to_owned()).spawn(receive);
        }
    }

    /// The signals that the program was started to ignore, a bit for each; none where `/proc` does not say.
    pub fn ignored() -> u64 {
        let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
        let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
        mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok())
            .unwrap_or(0)
    }

    fn received(origin: &Origin) {
        if origin.signal == SIGXFSZ {
            return;
        }
        let mut state = STATE.lock().unwrap_or_else(PoisonError::into_inner);
        if state.late == Some(origin.signal) {
            state.late = None;
            return;
        }
        let _ = came();
        if let Some(recording) = &mut state.recording {
            recording.asked = Some(origin.signal);
            // A terminal sends its signals to the child as well; a second one would hurry some programs.
            if let (Some(child), Cause::Sent(_)) = (recording.child, origin.cause) {
                interrupt(child);
            }
            return;
        }
        state.files.iter().for_each(|path| remove_part(path));
        // The lock is held until the end: no file is begun meanwhile.
        let _ = emulate_default_handler(origin.signal);
    }

    /// Does what Ctrl-C on a terminal does: SIGINT for the process and its descendants, as far as they are in its process
    /// group.
    pub fn interrupt(root: Pid) {
        let parents = processes();
        let mut family = vec![root];
        let mut at = 0;
        while let Some(&parent) = family.get(at) {
            family.extend(parents.iter().filter(|(_, of)| *of == parent).map(|(child, _)| *child));
            at += 1;
        }
        for process in family {
            // It may have ended since.
            let _ = kill_process(process, Signal::INT);
        }
    }

    /// The processes of this one's group with their parents; none where there is no `/proc`.
    fn processes() -> Vec<(Pid, Pid)> {
        let own = getpgrp().as_raw_nonzero().get();
        let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
        let process = |entry: fs::DirEntry| {
            let number: i32 = entry.file_name().to_str()?.parse().ok()?;
            let stat = fs::read(entry.path().join("stat")).ok()?;
            let stat = String::from_utf8_lossy(&stat);
            // `PID (COMM) STATE PPID PGRP ...`; a name may hold anything.
            let (_, rest) = stat.rsplit_once(')')?;
            let mut numbers = rest.split_ascii_whitespace().skip(1).map(str::parse::<i32>);
            let (parent, group) = (numbers.next()?.ok()?, numbers.next()?.ok()?);
            (group == own).then_some((Pid::from_raw(number)?, Pid::from_raw(parent)?))
        };
        entries.filter_map(process).collect()
    }

    /// Waits until a child has ended, and leaves it to be waited for.
    pub fn wait_for_end(child: Pid) {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
        while matches!(waitid(WaitId::Pid(child), options), Err(rustix::io::Errno::INTR)) {}
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::time::Duration;

    use rustix::process::{getpid, kill_process, Signal};

    use super::*;

    /// The thread receives the signal after the recording: it would end these tests.
    #[test]
    fn a_signal_that_ends_a_recording_does_not_end_the_program_later() {
        // Where a background job was started to ignore Ctrl-C, none comes.
        if unix::ignored() & (1 << (signal_hook::consts::SIGINT - 1)) != 0 {
            return;
        }
        let held = Held::new();
        {
            // The thread cannot receive anything while the state is locked.
            let mut state = state();
            kill_process(getpid(), Signal::INT).unwrap();
            while CAME.load(Ordering::SeqCst) == 0 {
                std::thread::sleep(Duration::from_millis(1));
            }
            state.end_recording();
            assert_eq!(state.late, Some(signal_hook::consts::SIGINT));
        }
        while state().late.is_some() {
            std::thread::sleep(Duration::from_millis(1));
        }
        drop(held);
    }
}
