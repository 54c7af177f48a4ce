//! Many traces: they are read in parallel, kept while there is room, and otherwise read again.

use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use formats::AnySource;
use schedfigure::{CounterGrid, CounterValues, Subject, Whose};
use schedindex::{Passing, Runs};
use schedmodel::topology::Topology;
use schedmodel::Trace;
use schedquery::calls::{Calls, KernelLog};
use schedquery::query::{CallModel, CallNames, CallStates};
use schedrows::{ReadAt, Source, Want};
use tracedat::events::{CounterBy, CounterLines, EventNumber};

use super::options::FilesArgs;
use crate::cache::Cache;
use crate::filter::FilterText;
use crate::input::{open_buffer, FileArgs, Input};
use crate::load::{build, Loaded, Loader};
use crate::scan::{data_bytes, ScanOptions, Scanner};
use crate::syscalls::machine_of;
use crate::visible::{visible, warn};
use crate::Failure;

/// The most bytes of traces that are kept from one reading to the next.
const ROOM: usize = 2 << 30;

/// The traces of a command, in the order of their files.
pub struct Traces<'a> {
    paths: Vec<&'a Path>,
    names: Vec<String>,
    /// The traces that earlier questions loaded.
    loaded: Vec<Option<Arc<Trace>>>,
    buffer: Option<&'a str>,
    beside: Beside<'a>,
    options: &'a ScanOptions,
    scanner: Scanner,
    cache: &'a Cache,
    kept: Vec<Mutex<Option<Kept>>>,
    /// How many bytes the kept traces take, and the most that they may.
    used: AtomicUsize,
    room: usize,
}

/// What is wanted beside the models of traces, which kept ones do not have.
#[derive(Clone, Copy, Default)]
pub struct Beside<'a> {
    /// System calls and interrupts.
    pub kernel: bool,
    /// The values of a counter; see [`EventNumber::of`].
    pub counter: Option<&'a str>,
    /// Its values by task, too.
    pub by_task: bool,
    /// The runs that pass this filter.
    pub filter: Option<&'a FilterText>,
    /// The machine, if the user told it, for the filter.
    pub topology: Option<&'a Arc<Topology>>,
}

/// A trace that was read.
struct Kept {
    trace: Arc<Trace>,
    kernel: Option<Kernel>,
    counter: Option<Counter>,
    passing: Option<Arc<Passing>>,
    fingerprint: u64,
    clock_is_ns: bool,
    /// Whether it came through a pipe, and so cannot be read again.
    only_once: bool,
}

impl Kept {
    fn bytes(&self) -> usize {
        let kernel = self.kernel.as_ref().map_or(0, |kernel| kernel.calls.memory_bytes());
        let counter = self.counter.as_ref().map_or(0, Counter::memory_bytes);
        let passing = self.passing.as_ref().map_or(0, |passing| passing.memory_bytes());
        self.trace.memory_bytes() + kernel + counter + passing
    }
}

/// A trace's system calls and interrupts.
struct Kernel {
    runs: Runs,
    calls: Calls,
    names: CallNames,
}

impl Kernel {
    fn of<R: ReadAt>(trace: &Trace, logs: &[KernelLog], source: &AnySource<R>) -> Kernel {
        let runs = Runs::new(trace);
        let calls = Calls::new(trace, &runs, logs);
        let names = CallNames::new(&calls, None, || machine_of(source));
        Kernel { runs, calls, names }
    }
}

/// The values of a figure's counter.
#[derive(Debug)]
struct Counter {
    name: String,
    cpus: CounterLines,
    tasks: CounterLines,
}

impl Counter {
    fn read(source: &AnySource<Input>, beside: Beside<'_>, base_ns: u64) -> Result<Option<Counter>, Failure> {
        let Some(text) = beside.counter else {
            return Ok(None);
        };
        let AnySource::TraceDat(file) = source else {
            let words = "`--counter` reads the fields of events, which only a trace.dat has; `corelane export --tracedat` makes one";
            return Err(Failure(words.to_owned()));
        };
        let number = EventNumber::of(file, text).map_err(|error| Failure(format!("`--counter`: {error}")))?;
        let lines = |by| CounterLines::read(file, &number, by, base_ns);
        let tasks = beside.by_task.then(|| lines(CounterBy::Task)).transpose()?;
        Ok(Some(Counter {
            cpus: lines(CounterBy::Cpu)?,
            tasks: tasks.unwrap_or_default(),
            name: format!("{}:{}:{}", number.system, number.event, number.field),
        }))
    }

    fn memory_bytes(&self) -> usize {
        self.cpus.memory_bytes() + self.tasks.memory_bytes()
    }
}

impl CounterValues for Counter {
    fn name(&self) -> &str {
        &self.name
    }

    fn range(&self) -> Option<[f64; 2]> {
        self.cpus.extremes().map(|(least, greatest)| [least, greatest])
    }

    fn extremes(&self, whose: Whose, grid: &CounterGrid) -> Vec<[f64; 2]> {
        let (lines, key) = match whose {
            Whose::Cpu(cpu) => (&self.cpus, cpu),
            Whose::Task(pid) => (&self.tasks, pid as u32),
        };
        let mut extremes = Vec::with_capacity(grid.buckets);
        lines.buckets(key, grid.level, grid.first, grid.buckets, |least, greatest| {
            extremes.push([least, greatest]);
        });
        extremes
    }
}

/// Whether a trace is needed once more.
#[derive(Clone, Copy, PartialEq)]
pub enum Then {
    Again,
    Done,
}

impl<'a> Traces<'a> {
    /// Prepares the traces without reading any.
    pub fn new(files: &'a FilesArgs, beside: Beside<'a>, loader: &'a Loader) -> Result<Traces<'a>, Failure> {
        let paths: Vec<&Path> = files.files.iter().map(AsRef::as_ref).collect();
        let bytes = paths.iter().map(|path| size(path)).sum();
        let loaded = |path: &&Path| {
            let file = FileArgs {
                file: path.to_path_buf(),
                buffer: files.buffer.clone(),
            };
            loader.kept(&file).map(|kept| Arc::clone(&kept.trace))
        };
        let options = &loader.options;
        Ok(Traces {
            names: paths.iter().map(|path| path.to_string_lossy().into_owned()).collect(),
            loaded: paths.iter().map(loaded).collect(),
            kept: paths.iter().map(|_| Mutex::new(None)).collect(),
            paths,
            buffer: files.buffer.as_deref(),
            beside,
            options,
            scanner: Scanner::new(bytes, options)?,
            cache: &loader.cache,
            used: AtomicUsize::new(0),
            room: ROOM,
        })
    }

    /// The names of the traces as the user gave them.
    pub fn names(&self) -> Vec<&str> {
        self.names.iter().map(String::as_str).collect()
    }

    /// Calls a function for every trace, with as many at a time as there are threads; the results are in the order of
    /// the files. All failures are reported: after the first one, the other files are still opened but no longer read.
    pub fn each<T: Send>(
        &self,
        then: Then,
        work: impl Fn(usize, &Subject<'_>) -> Result<T, Failure> + Sync,
    ) -> Result<Vec<T>, Failure> {
        let answers: Mutex<Vec<Option<T>>> = Mutex::new(self.names.iter().map(|_| None).collect());
        let failures: Mutex<Vec<(usize, Failure)>> = Mutex::default();
        let (next, failed) = (AtomicUsize::new(0), AtomicBool::new(false));
        let one = |number: usize| {
            let kept = self.take(number, &failed)?;
            let states = CallStates::default();
            let answer = kept
                .as_ref()
                .map(|kept| work(number, &self.subject(number, kept, &states)))
                .transpose()?;
            if let Some(kept) = kept.filter(|_| then == Then::Again) {
                self.keep(number, kept);
            }
            Ok(answer)
        };
        let worker = || loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if self.names.len() <= number {
                break;
            }
            match one(number) {
                Ok(answer) => {
                    if let Some(slot) = locked(&answers).get_mut(number) {
                        *slot = answer;
                    }
                }
                Err(failure) => {
                    failed.store(true, Ordering::Relaxed);
                    locked(&failures).push((number, failure));
                }
            }
        };
        std::thread::scope(|scope| {
            for _ in 0..self.scanner.threads().min(self.names.len()) {
                scope.spawn(worker);
            }
        });
        let mut failures = failures.into_inner().unwrap_or_else(PoisonError::into_inner);
        failures.sort_by_key(|&(number, _)| number);
        if failures.is_empty() {
            let answers = answers.into_inner().unwrap_or_else(PoisonError::into_inner);
            return Ok(answers.into_iter().flatten().collect());
        }
        let texts: Vec<String> = failures.into_iter().map(|(_, Failure(text))| text).collect();
        Err(Failure(texts.join("\ncorelane: ")))
    }

    /// Prints a warning about a trace, unless warnings are off.
    pub fn warn(&self, number: usize, warning: &str) {
        if !self.options.quiet {
            let say = || warn(&format!("{}: {warning}", visible(self.name(number))));
            self.scanner.progress().suspend(say);
        }
    }

    /// The name of a trace as the user gave it.
    fn name(&self, number: usize) -> &str {
        self.names.get(number).map_or("", String::as_str)
    }

    fn subject<'s>(&'s self, number: usize, kept: &'s Kept, states: &'s CallStates) -> Subject<'s> {
        let calls = kept.kernel.as_ref().map(|Kernel { runs, calls, names }| CallModel {
            trace: &kept.trace,
            runs,
            calls,
            names,
            states,
        });
        Subject {
            trace: &kept.trace,
            file: self.name(number),
            fingerprint: kept.fingerprint,
            clock_is_ns: kept.clock_is_ns,
            calls,
            passing: kept.passing.as_ref(),
            counter: kept.counter.as_ref().map(|counter| counter as &dyn CounterValues),
        }
    }

    /// A trace, if it was kept, else read again; `None`: no longer needed, because another failed.
    fn take(&self, number: usize, failed: &AtomicBool) -> Result<Option<Kept>, Failure> {
        let Some((path, slot)) = self.paths.get(number).zip(self.kept.get(number)) else {
            return Ok(None);
        };
        if let Some(kept) = locked(slot).take() {
            self.used.fetch_sub(kept.bytes(), Ordering::Relaxed);
            return Ok(Some(kept));
        }
        let file = open_buffer(path, self.buffer)?;
        if failed.load(Ordering::Relaxed) {
            return Ok(None);
        }
        let named = |failure: Failure| Failure(format!("{}: {failure}", self.name(number)));
        let mut kernel = None;
        let trace = match self.loaded.get(number) {
            _ if self.beside.kernel => {
                let want = Want {
                    kernel: true,
                    ..Want::default()
                };
                let mut scans = self.scanner.scan(&file, want).map_err(named)?;
                let logs: Vec<KernelLog> = scans.iter_mut().map(KernelLog::take).collect();
                let trace = build(&file, scans, file.facts(), 1);
                kernel = Some(Kernel::of(&trace, &logs, &file));
                self.scanner
                    .progress()
                    .inc(size(path).saturating_sub(data_bytes(&file)));
                Arc::new(trace)
            }
            Some(Some(loaded)) => Arc::clone(loaded),
            _ => {
                // Scanning tells of its progress itself.
                let mut scanned = 0;
                let make = || {
                    let scans = self.scanner.scan(&file, Want::default()).map_err(named)?;
                    scanned = data_bytes(&file);
                    Ok(build(&file, scans, file.facts(), 1))
                };
                let trace = self.cache.trace(path, self.buffer, &file, make)?;
                self.scanner.progress().inc(size(path).saturating_sub(scanned));
                trace
            }
        };
        Ok(Some(Kept {
            passing: self.passing(path, &file, &trace).map_err(named)?,
            counter: Counter::read(&file, self.beside, trace.origin_ns).map_err(named)?,
            trace,
            kernel,
            fingerprint: file.fingerprint().map_err(|error| named(error.into()))?,
            clock_is_ns: file.info().clock_is_ns,
            only_once: matches!(file.bytes(), Input::Memory(_)),
        }))
    }

    /// The runs that pass the filter, if there is one.
    fn passing(
        &self,
        path: &Path,
        source: &AnySource<Input>,
        trace: &Arc<Trace>,
    ) -> Result<Option<Arc<Passing>>, Failure> {
        let Beside { filter, topology, .. } = self.beside;
        let Some(filter) = filter else { return Ok(None) };
        let file = FileArgs {
            file: path.to_path_buf(),
            buffer: self.buffer.map(str::to_owned),
        };
        let mut loaded = Loaded::of_source(Arc::clone(trace), source).read_from(&file);
        loaded.topology = topology.cloned().or(loaded.topology);
        filter.passing(&loaded, self.options).map(Some)
    }

    /// Keeps a trace for the next reading, if there is room.
    fn keep(&self, number: usize, kept: Kept) {
        let Some((path, slot)) = self.paths.get(number).zip(self.kept.get(number)) else {
            return;
        };
        let bytes = kept.bytes();
        let used = self.used.fetch_add(bytes, Ordering::Relaxed) + bytes;
        if used <= self.room || kept.only_once {
            *locked(slot) = Some(kept);
        } else {
            self.used.fetch_sub(bytes, Ordering::Relaxed);
            self.scanner.progress().inc_length(size(path));
        }
    }
}

impl Drop for Traces<'_> {
    /// Ends the progress display: what is printed next begins on a new line.
    fn drop(&mut self) {
        self.scanner.progress().finish_and_clear();
    }
}

/// The size of a file in bytes; 0 if it does not exist or is no file.
fn size(path: &Path) -> u64 {
    std::fs::metadata(path).map_or(0, |metadata| if metadata.is_file() { metadata.len() } else { 0 })
}

/// Locks a mutex even after a panic, because a panic leaves nothing here half done.
fn locked<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::{locked, Beside, FilesArgs, Loader, Ordering, Subject, Then, Traces};
    use crate::scan::ScanOptions;
    use crate::Failure;
    use std::path::Path;

    fn seen(number: usize, subject: &Subject<'_>) -> Result<(usize, u64, u64, u64), Failure> {
        let trace = subject.trace;
        Ok((number, trace.origin_ns, trace.records, subject.fingerprint))
    }

    fn kept(traces: &Traces<'_>) -> usize {
        traces.kept.iter().filter(|kept| locked(kept).is_some()).count()
    }

    #[test]
    fn traces_without_room_are_read_again_and_are_the_same() {
        let fixture = |name| {
            Path::new(env!("CARGO_MANIFEST_DIR"))
                .join("../../tests/fixtures")
                .join(name)
        };
        let files = FilesArgs {
            files: ["barrier-i686.dat", "barrier-s390x.dat", "lost-s390x.dat"]
                .map(fixture)
                .to_vec(),
            buffer: None,
        };
        let loader = Loader::new(ScanOptions {
            quiet: true,
            no_cache: true,
            threads: std::num::NonZeroUsize::new(2),
        });
        let answers = [usize::MAX, 0].map(|room| {
            let mut traces = Traces::new(&files, Beside::default(), &loader).unwrap_or_else(|error| panic!("{error}"));
            traces.room = room;
            let first = traces.each(Then::Again, seen).unwrap_or_else(|error| panic!("{error}"));
            assert_eq!(kept(&traces), if room == 0 { 0 } else { 3 });
            let second = traces.each(Then::Done, seen).unwrap_or_else(|error| panic!("{error}"));
            assert_eq!((kept(&traces), traces.used.load(Ordering::Relaxed)), (0, 0));
            assert_eq!(first, second);
            first
        });
        assert_eq!(answers[0], answers[1]);
        assert_eq!(answers[0].iter().map(|answer| answer.0).collect::<Vec<_>>(), [0, 1, 2]);
    }
}
