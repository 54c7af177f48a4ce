//! Wakeup edges as the command line's JSON has them: flat, and with the waker as a pid and a comm.

use schedmodel::{Time, WakeEvent, WakerContext};
use schedquery::query::{TaskName, Waker, WakeupEdge};
use serde::Serialize;

/// The waker's pid and comm; -1 and an empty text if it is not known, 0 for idle.
fn waker(edge: &WakeupEdge) -> (i32, String) {
    match &edge.waker {
        Waker::Task(task) => (task.pid, task.comm.clone()),
        Waker::Idle => (0, format!("swapper/{}", edge.waker_cpu)),
        Waker::Unknown => (-1, String::new()),
    }
}

fn idle_cpus(edge: &WakeupEdge) -> Vec<u32> {
    edge.choice
        .as_ref()
        .map_or(Vec::new(), |choice| choice.idle_cpus.clone())
}

/// A hop of a chain.
#[derive(Serialize)]
pub struct Hop {
    pub wakee_pid: i32,
    pub wakee_comm: String,
    /// The time from which the latency counts.
    pub woken_ns: Time,
    /// Null if the wakee did not come onto a CPU, or was not seen to.
    pub running_ns: Option<Time>,
    pub latency_ns: Option<u64>,
    pub waker_pid: i32,
    pub waker_comm: String,
    pub waker_context: WakerContext,
    pub waker_cpu: u32,
    /// The CPU onto which the wakee came.
    pub cpu: Option<u32>,
    /// The event from which the latency counts.
    pub event: WakeEvent,
}

impl From<WakeupEdge> for Hop {
    fn from(edge: WakeupEdge) -> Hop {
        let (waker_pid, waker_comm) = waker(&edge);
        Hop {
            wakee_pid: edge.wakee.pid,
            wakee_comm: edge.wakee.comm,
            woken_ns: edge.at_ns,
            running_ns: edge.running_ns,
            latency_ns: edge.latency_ns,
            waker_pid,
            waker_comm,
            waker_context: edge.context,
            waker_cpu: edge.waker_cpu,
            cpu: edge.cpu,
            event: edge.event,
        }
    }
}

/// One of the longest latencies.
#[derive(Serialize)]
pub struct Worst {
    pub at_ns: Time,
    pub latency_ns: Option<u64>,
    /// Only where interrupts are left out of latencies: what they took.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub irq_ns: Option<u64>,
    pub event: WakeEvent,
    pub woken_ns: Option<Time>,
    pub running_ns: Option<Time>,
    pub wakee_pid: i32,
    pub wakee_generation: u32,
    pub wakee_comm: String,
    pub waker_pid: i32,
    pub waker_comm: String,
    pub waker_context: WakerContext,
    pub waker_cpu: u32,
    pub previous_cpu: Option<u32>,
    pub chosen_cpu: Option<u32>,
    pub cpu: Option<u32>,
    pub idle_cpus: Vec<u32>,
    pub previous_was_free: Option<bool>,
    pub uncertain: bool,
}

impl Worst {
    /// Of an edge whose latency is without what interrupts took.
    pub fn net(edge: WakeupEdge) -> Worst {
        let whole = edge.running_ns.map(|running| running - edge.at_ns);
        let irq_ns = whole.zip(edge.latency_ns).map(|(whole, net)| whole.saturating_sub(net));
        Worst {
            irq_ns,
            ..Worst::from(edge)
        }
    }
}

impl From<WakeupEdge> for Worst {
    fn from(edge: WakeupEdge) -> Worst {
        let ((waker_pid, waker_comm), idle_cpus) = (waker(&edge), idle_cpus(&edge));
        Worst {
            at_ns: edge.at_ns,
            latency_ns: edge.latency_ns,
            irq_ns: None,
            event: edge.event,
            woken_ns: edge.woken_ns,
            running_ns: edge.running_ns,
            wakee_pid: edge.wakee.pid,
            wakee_generation: edge.wakee.generation,
            wakee_comm: edge.wakee.comm,
            waker_pid,
            waker_comm,
            waker_context: edge.context,
            waker_cpu: edge.waker_cpu,
            previous_cpu: edge.previous_cpu,
            chosen_cpu: edge.chosen_cpu,
            cpu: edge.cpu,
            idle_cpus,
            previous_was_free: edge.choice.and_then(|choice| choice.previous_was_free),
            uncertain: edge.uncertain,
        }
    }
}

/// A wakeup that placed its task elsewhere, although the last CPU was free.
#[derive(Serialize)]
pub struct Moved {
    pub at_ns: Time,
    pub latency_ns: Option<u64>,
    pub running_ns: Option<Time>,
    pub wakee: TaskName,
    pub waker_pid: i32,
    pub waker_comm: String,
    pub waker_context: WakerContext,
    pub previous_cpu: Option<u32>,
    pub waker_cpu: u32,
    pub chosen_cpu: Option<u32>,
    pub cpu: Option<u32>,
    pub idle_cpus: Vec<u32>,
    pub previous_was_free: Option<bool>,
    pub chosen_was_free: Option<bool>,
    pub uncertain: bool,
}

impl From<WakeupEdge> for Moved {
    fn from(edge: WakeupEdge) -> Moved {
        let ((waker_pid, waker_comm), idle_cpus) = (waker(&edge), idle_cpus(&edge));
        Moved {
            at_ns: edge.at_ns,
            latency_ns: edge.latency_ns,
            running_ns: edge.running_ns,
            wakee: TaskName {
                pid: edge.wakee.pid,
                generation: edge.wakee.generation,
                comm: edge.wakee.comm,
            },
            waker_pid,
            waker_comm,
            waker_context: edge.context,
            previous_cpu: edge.previous_cpu,
            waker_cpu: edge.waker_cpu,
            chosen_cpu: edge.chosen_cpu,
            cpu: edge.cpu,
            idle_cpus,
            previous_was_free: edge.choice.as_ref().and_then(|choice| choice.previous_was_free),
            chosen_was_free: edge.choice.as_ref().and_then(|choice| choice.chosen_was_free),
            uncertain: edge.uncertain,
        }
    }
}
