//! A story told in text, and the file that a kernel would leave of it.

use std::collections::BTreeMap;
use std::io::Cursor;

use thiserror::Error;

use crate::container::{self, Contents, CpuPages};
use crate::format::Format;
use crate::layout::Layout;
use crate::record::{record, Common, Value};
use crate::ring::RingWriter;

/// A parsed scenario.
///
/// The text of a story is read line by line; `#` begins a comment. First comes what the file is like, one setting per line,
/// all of them optional:
///
/// | setting | values (the first is taken when the line is missing) |
/// |---|---|
/// | `version V` | `7`, `6`; any other is laid out like 7 |
/// | `endian E` | `little`, `big` |
/// | `long N` | `8`, `4`: bytes in a long of the kernel (and of user space, unless `user_long` follows) |
/// | `user_long N` | as `long`: what the file's header says |
/// | `page N` | `4096`: bytes in a page |
/// | `subbuf N` | bytes in a sub-buffer, where they are larger than a page |
/// | `instance NAME` | all events are in that instance, and none in the main buffer |
/// | `compression C` | `none`, `zlib`, `zstd`; any other name is written, over plain data |
/// | `clock NAME` | `local` |
/// | `strings S` | `fixed`, `data_loc`, `rel_loc`: how events store names |
/// | `common C` | `plain`, `lazy`: without or with PREEMPT_RT's extra common field |
/// | `formats F` | `sched`, `none`: are the sched events' formats in the file? |
/// | `machine NAME` | the end of the UNAME option, as `x86_64`; absent by default |
/// | `offset NS` | the OFFSET option, absent by default |
/// | `cpus N` | `1` |
/// | `start TIME` | `0` |
///
/// Then follow the events, one per line: `TIME cpuN VERB ...`. A time is a number with `ns`, `us`, `ms` or `s` (or
/// nothing, for ns), counted from `start`, or with a `+` from the line above. A task is `comm:pid`, in quotes when there
/// is a space in it.
///
/// | verb | |
/// |---|---|
/// | `switch PREV STATE -> NEXT` | `STATE`: `R R+ S D T t X Z P I`, or a raw number |
/// | `waking TASK on CPU` | the CPU that it last ran on |
/// | `wakeup TASK on CPU`, `wakeup_new TASK on CPU` | the CPU chosen for it |
/// | `migrate TASK FROM -> TO`, `numa TASK FROM -> TO` | `sched_migrate_task`, `sched_move_numa` |
/// | `fork PARENT -> CHILD`, `exit TASK`, `exec TASK FILE` | |
/// | `exec TASK FILE from PID` | of a thread that had that pid, and takes over its leader's |
/// | `rename PID OLD -> NEW` | `task_rename` |
/// | `sys_enter NUMBER`, `sys_enter NUMBER ARGUMENT`, `sys_exit NUMBER RETURNED` | a system call begins, or ends |
/// | `print TEXT` | a marker, which is no scheduling event |
/// | `lost`, `lost N` | the buffer dropped events here, N of them |
/// | `page` | the next event begins a page |
/// | `absolute` | the next event carries a full time stamp |
/// | `discarded N` | N bytes that were reserved and not used |
///
/// Events may end with `hardirq`, `softirq` or `nmi` (what interrupted the task), `prio N` (120 by default; of the wakee,
/// or of the next task, which is switched out with it), and `by PID`: the task that the CPU ran, by default the one that its
/// switches say.
#[derive(Clone, Debug)]
pub struct Story {
    /// The shape of the file; change it to write the same story in another shape.
    pub layout: Layout,
    pub(crate) cpus: u32,
    /// In the order of the text; of one CPU also in the order of time, unless the story wants it otherwise.
    pub(crate) steps: Vec<Step>,
}

/// What happens at one time on one CPU.
#[derive(Clone, Debug)]
pub(crate) struct Step {
    pub(crate) at_ns: u64,
    pub(crate) cpu: u32,
    pub(crate) action: Action,
}

/// What a line says.
#[derive(Clone, Debug)]
pub(crate) enum Action {
    Event {
        format: &'static Format,
        common: Common,
        values: Vec<Value>,
    },
    Lost(Option<u64>),
    Page,
    Absolute,
    Discarded(usize),
}

/// A line that is not understood.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("line {line}: {text}")]
pub struct StoryError {
    /// Counted from 1.
    pub line: usize,
    /// What was found, and what was expected.
    pub text: String,
}

impl Story {
    /// Reads scenario text.
    pub fn parse(text: &str) -> Result<Story, StoryError> {
        crate::parse::story(text)
    }

    /// The trace.dat file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut rings: Vec<RingWriter> = (0..self.cpus).map(|_| RingWriter::new(&self.layout)).collect();
        for Step { at_ns, cpu, action } in &self.steps {
            let ring = &mut rings[*cpu as usize];
            match action {
                Action::Event { format, common, values } => {
                    ring.record(*at_ns, &record(&self.layout, format, *common, values));
                }
                Action::Lost(count) => ring.lose(*count),
                Action::Page => ring.end_page(),
                Action::Absolute => ring.absolute(),
                Action::Discarded(len) => ring.discarded(*at_ns, *len),
            }
        }
        let pages: Vec<Vec<u8>> = rings.into_iter().map(RingWriter::finish).collect();
        let pages = pages.iter().enumerate().map(|(cpu, pages)| CpuPages {
            cpu: cpu as u32,
            len: pages.len() as u64,
            pages: Box::new(pages.as_slice()),
        });
        let contents = Contents::invented(&self.layout, self.cpus, &self.comms());
        let mut file = Cursor::new(Vec::new());
        container::write(&mut file, &contents, pages.collect()).expect("a Vec takes all that is written");
        file.into_inner()
    }

    /// The saved command lines: the last name that each pid was switched in with.
    fn comms(&self) -> Vec<(i32, String)> {
        let mut comms = BTreeMap::new();
        for step in &self.steps {
            let Action::Event { format, values, .. } = &step.action else {
                continue;
            };
            if format.id != crate::formats::SWITCH.id {
                continue;
            }
            if let [.., Value::Text(comm), Value::Number(pid), _] = values.as_slice() {
                if *pid != 0 {
                    comms.insert(*pid as i32, comm.clone());
                }
            }
        }
        comms.into_iter().collect()
    }
}
