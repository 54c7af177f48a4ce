//! Rules of kernels, one at a time: a policy is asked by hand, and what it answers was worked out from the formulas.

use replay::policy::{Cpu, CpuView, Off, On, Policy, Spec, Stop, TaskId, TaskView, View};

const MS: u64 = 1_000_000;
const US: u64 = 1000;

/// Tasks of nice 0 on some CPUs.
struct Kernel {
    policy: Box<dyn Policy>,
    view: View,
}

impl Kernel {
    fn new(policy: &str, cpus: u32, tasks: usize) -> Kernel {
        let task = TaskView {
            prio: 120,
            weight: 1024,
            ..TaskView::default()
        };
        let mut kernel = Kernel {
            policy: policy.parse::<Spec>().unwrap().build(cpus).unwrap(),
            view: View {
                tick_ns: 4 * MS,
                cpus: vec![CpuView::default(); cpus as usize].into(),
                phases: vec![0; cpus as usize].into(),
                tasks: vec![task; tasks].into(),
                ..View::default()
            },
        };
        for task in 0..tasks as TaskId {
            kernel.policy.attach(&kernel.view, task, None);
        }
        kernel
    }

    fn come(&mut self, cpu: Cpu, task: TaskId, on: On) {
        self.policy.enqueue(&self.view, cpu, task, on);
        self.view.tasks[task].cpu = cpu;
    }

    /// A task that waits runs for some time.
    fn run(&mut self, cpu: Cpu, task: TaskId, ns: u64) {
        self.policy.start(&self.view, cpu, task);
        self.view.cpus[cpu].current = Some(task);
        self.view.now += ns;
        self.policy.ran(&self.view, cpu, task, ns);
    }

    fn stop(&mut self, cpu: Cpu, task: TaskId) {
        self.policy.stop(&self.view, cpu, task, Stop::Used);
        self.view.cpus[cpu].current = None;
    }

    fn sleep(&mut self, cpu: Cpu, task: TaskId) {
        self.policy.dequeue(&self.view, cpu, task, Off::Sleeps(b'S'));
        self.view.cpus[cpu].current = None;
    }

    /// A task wakes; whether it preempts.
    fn wake(&mut self, cpu: Cpu, task: TaskId) -> bool {
        self.come(cpu, task, On::Woken);
        self.policy.preempts(&self.view, cpu, task)
    }

    fn pick(&mut self, cpu: Cpu) -> Option<TaskId> {
        let current = self.view.cpus[cpu].current;
        self.policy.pick(&self.view, cpu, current)
    }
}

/// Task 1 waits with a virtual runtime of 5 ms, task 2 sleeps with so many µs, and task 0 runs and has 8 ms.
fn three(slept_us: u64) -> Kernel {
    let mut kernel = Kernel::new("cfs", 1, 4);
    kernel.come(0, 1, On::First);
    kernel.run(0, 1, 5 * MS);
    kernel.stop(0, 1);
    for (task, us) in [(2, slept_us), (3, 5200)] {
        kernel.come(0, task, On::First);
        kernel.run(0, task, (us - 5000) * US);
        kernel.sleep(0, task);
    }
    kernel.come(0, 0, On::First);
    kernel.run(0, 0, 3 * MS);
    kernel
}

/// The wakee that preempts is picked before the leftmost task (`set_next_buddy` in `check_preempt_wakeup`), whatever the feature
/// NEXT_BUDDY, as long as it is not more than the wakeup granularity behind that: 1 ms.
#[test]
fn cfs_picks_the_wakee_that_preempts() {
    for (us, picked) in [(5500, 2), (6000, 2), (6001, 1)] {
        let mut kernel = three(us);
        assert!(kernel.wake(0, 2), "8 ms against {us} us");
        assert_eq!(kernel.pick(0), Some(picked), "{us} us");
    }
    // Who does not preempt is no buddy.
    let mut kernel = three(7500);
    assert!(!kernel.wake(0, 2));
    assert_eq!(kernel.pick(0), Some(1));
}

/// A second wakee finds the switch due already (`test_tsk_need_resched`): the first one stays the buddy. Once it has run, the leftmost
/// is next.
#[test]
fn cfs_keeps_the_first_wakee_that_preempts() {
    let mut kernel = three(5500);
    assert!(kernel.wake(0, 2));
    assert!(!kernel.wake(0, 3));
    assert_eq!(kernel.pick(0), Some(2));
    kernel.stop(0, 0);
    kernel.run(0, 2, MS);
    assert_eq!(kernel.pick(0), Some(1));
}

/// Who yielded is skipped until it is picked (`clear_buddies`), not for one pick alone.
#[test]
fn cfs_skips_who_yielded_until_it_runs() {
    let mut kernel = Kernel::new("cfs", 1, 3);
    for task in 0..3 {
        kernel.come(0, task, On::First);
    }
    kernel.run(0, 0, 10 * US);
    kernel.stop(0, 0);
    kernel.run(0, 1, 20 * US);
    kernel.stop(0, 1);
    // Leftmost with 5 us, before 10 and 20.
    kernel.run(0, 2, 5 * US);
    kernel.policy.yields(&kernel.view, 0, 2);
    assert_eq!(kernel.pick(0), Some(0));
    kernel.stop(0, 2);
    kernel.run(0, 0, 100 * US);
    assert_eq!(kernel.pick(0), Some(1));
    kernel.stop(0, 0);
    kernel.run(0, 1, 200 * US);
    kernel.sleep(0, 1);
    assert_eq!(kernel.pick(0), Some(0));
    kernel.sleep(0, 0);
    assert_eq!(kernel.pick(0), Some(2));
}

/// Two tasks of nice -20 and one of nice 19 on one CPU: the share of the latter in 6 ms is 6 ms * 15 / 177537 = 506 ns. A tick at 300 us
/// ends its slice, unless BASE_SLICE makes that 0.75 ms.
#[test]
fn cfs_has_a_least_slice_since_5_13() {
    for (policy, ends) in [("cfs:slice_floor=off", true), ("cfs", false)] {
        let mut kernel = Kernel::new(policy, 1, 3);
        for (task, (prio, weight)) in [(100, 88761), (100, 88761), (139, 15)].into_iter().enumerate() {
            let view = &mut kernel.view.tasks[task as TaskId];
            (view.prio, view.weight) = (prio, weight);
            kernel.come(0, task as TaskId, On::First);
        }
        kernel.run(0, 2, 300 * US);
        assert_eq!(kernel.policy.tick(&kernel.view, 0, 2), ends, "{policy}");
    }
}

/// Task 0 has used 1 of its 1.4 ms when it moves to CPU 1, where task 1 waits with a whole slice. Both are eligible. With 0.4 ms up to its
/// deadline task 0 goes first (PLACE_REL_DEADLINE, 6.12); with a slice of its own it goes second, since it came later.
#[test]
fn eevdf_moves_deadlines_along() {
    for (policy, picked) in [("eevdf", 0), ("eevdf:rel_deadline=off", 1)] {
        let mut kernel = Kernel::new(policy, 2, 2);
        kernel.come(0, 0, On::First);
        kernel.run(0, 0, MS);
        kernel.stop(0, 0);
        kernel.come(1, 1, On::First);
        kernel.policy.dequeue(&kernel.view, 0, 0, Off::Moves);
        kernel.come(1, 0, On::Moved);
        assert_eq!(kernel.pick(1), Some(picked), "{policy}");
    }
}

/// Task 0 sleeps delayed on CPU 0, having had more than its share. As one of real time it wakes on CPU 1, and has another weight when it
/// is a fair one again. CPU 0 loses the weight that it had there: its average is then that of task 1 alone, which may run.
#[test]
fn eevdf_knows_the_weight_of_who_sleeps_delayed() {
    for (prio, weight) in [(119, 1277), (121, 820), (139, 15)] {
        let mut kernel = Kernel::new("eevdf", 2, 2);
        kernel.come(0, 0, On::First);
        kernel.come(0, 1, On::First);
        kernel.run(0, 0, 3 * MS);
        kernel.sleep(0, 0);
        let view = &mut kernel.view.tasks[0];
        (view.prio, view.weight, view.cpu) = (prio, weight, 1);
        kernel.policy.reprio(&kernel.view, 1, 0, 120);
        kernel.come(1, 0, On::Woken);
        kernel.run(0, 1, 20 * MS);
        kernel.stop(0, 1);
        assert_eq!(kernel.pick(0), Some(1), "{prio}");
        assert_eq!(kernel.pick(1), Some(0), "{prio}");
    }
}
