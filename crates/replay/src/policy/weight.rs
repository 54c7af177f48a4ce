//! Nice values and their weights.

use crate::arith::times;

/// The weight of each nice value from -20 to 19 (`sched_prio_to_weight` in kernel/sched/core.c): each is about 1.25 times the
/// next, so that one step of nice is about 10 % of a CPU.
const WEIGHTS: [u32; 40] = [
    88761, 71755, 56483, 46273, 36291, 29154, 23254, 18705, 14949, 11916, 9548, 7620, 6100, 4904, 3906, 3121, 2501,
    1991, 1586, 1277, 1024, 820, 655, 526, 423, 335, 272, 215, 172, 137, 110, 87, 70, 56, 45, 36, 29, 23, 18, 15,
];

/// The weight of nice 0.
pub const NICE_0: u64 = 1024;

/// The nice value of a kernel priority: that of 100 to 139 is -20 to 19, others count as the nearest.
pub fn nice_of(prio: i16) -> i32 {
    i32::from(prio.clamp(100, 139)) - 120
}

/// The weight of a kernel priority.
pub fn weight_of(prio: i16) -> u32 {
    let at = usize::try_from(nice_of(prio) + 20).unwrap_or(0);
    WEIGHTS.get(at).copied().unwrap_or(15)
}

/// CPU time as virtual time of a task with this weight.
#[inline]
pub fn virtual_time(used: u64, weight: u32) -> i64 {
    if u64::from(weight) == NICE_0 {
        return used as i64;
    }
    (times(used, NICE_0) / u64::from(weight.max(1))) as i64
}
