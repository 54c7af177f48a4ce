//! Texts: a sample of what the script writes, written by hand, and others made from it.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test that panics has failed"
)]

use proptest::prelude::*;
use staktau::{canonical, layout_of, read, write, Layout, Profile, MOST_DAMAGE};

const SAMPLE: &str = include_str!("sample.txt");

fn profile(text: &str) -> Profile {
    let head = &text.as_bytes()[..text.len().min(64)];
    read(layout_of(head).unwrap(), &mut text.as_bytes()).unwrap()
}

/// A thread's time and those of its calls.
fn times(profile: &Profile, tid: i32) -> (Option<u64>, Vec<(&str, u64)>) {
    let thread = profile.threads.iter().find(|thread| thread.tid == tid).unwrap();
    let calls = thread.calls.iter().map(|call| (call.name.as_str(), call.ns));
    (thread.application_ns, calls.collect())
}

#[test]
fn the_sample_has_the_times_that_were_added_up_by_hand() {
    let found = profile(SAMPLE);
    assert_eq!(found.layout, Layout::Raw);
    let first = vec![
        ("execve", 417_912),
        ("openat", 37_108),
        ("mmap2", 11_862),
        ("futex", 9_000),
        ("write", 40_250),
    ];
    assert_eq!(times(&found, 2899), (Some(1_393_988), first));
    let second = vec![("set_robust_list", 4_760), ("futex", 350_500)];
    assert_eq!(times(&found, 2900), (Some(450_500), second));
    // The exit of rt_sigsuspend; a dump repeats the enter and the exit of openat.
    assert_eq!((found.unmatched_exits, found.repeated, found.left_open), (1, 2, 0));
    assert_eq!((found.threads.len(), found.damaged), (2, 0));
}

#[test]
fn tables_are_read_as_they_are_written() {
    let found = profile(SAMPLE);
    let text = write(&found.threads);
    // The longest name is that of the application row, of 19 letters.
    assert!(text.starts_with(&format!(
        "----- TID 2899 -----\n{:22} | time\n{}\n",
        "call",
        "-".repeat(32)
    )));
    let again = profile(&text);
    assert_eq!((again.layout, again.damaged), (Layout::Tables, 0));
    assert_eq!(again.threads, found.threads);
    let other = text.replace("STaKTAU application", "STaK-TAU application");
    assert_eq!(profile(&other).threads, found.threads);
}

#[test]
fn the_older_form_has_the_same_times() {
    let mut older = String::new();
    for line in SAMPLE.lines() {
        match line.split_once("] 1665") {
            Some((call, time)) => older += &format!("{call}] time 1665{} 123456\n", time.trim()),
            None => older += &format!("{line}\n"),
        }
    }
    assert!(older.contains(" [2899] time 1665535875621300000 123456\n"));
    assert_eq!(profile(&older).threads, profile(SAMPLE).threads);
}

#[test]
fn what_belongs_to_nothing_is_counted() {
    let text = "0 read(3) [7] 100\n0 write(1) [7] 110\n1 write(1) [7] 130\n1 close(9) [7] 140\n0 poll() [7] 150\n";
    let found = profile(text);
    // read was never left, and neither was poll.
    assert_eq!(times(&found, 7), (Some(50), vec![("write", 20)]));
    assert_eq!((found.left_open, found.unmatched_exits), (2, 1));
    // An exit comes before the enter of the same time.
    let found = profile("0 read(3) [7] 100\n0 write(1) [7] 110\n1 read(3) [7] 110\n1 write(1) [7] 110\n");
    assert_eq!(times(&found, 7).1, [("read", 10)]);
    assert_eq!((found.left_open, found.unmatched_exits), (1, 1));
}

#[test]
fn arguments_may_hold_anything() {
    let found = profile("0 write(1, \") [9] 5 \", 2) [7] 100 \n1 write(1, \") [9] 5 \", 2) [7] 130 \n");
    assert_eq!(times(&found, 7), (Some(30), vec![("write", 30)]));
}

#[test]
fn damaged_lines_are_told_and_the_rest_counts() {
    let text =
        "0 read(3) [7] 100\n0 read(3) [x] 100\n1 read(3) [7] later\n1 read(3 [7] 9\nwhat is this\n1 read(3) [7] 120\n";
    let found = profile(text);
    assert_eq!(times(&found, 7), (Some(20), vec![("read", 20)]));
    let told: Vec<(u64, &str)> = found.damage.iter().map(|damage| (damage.line, damage.reason)).collect();
    assert_eq!(
        told,
        [
            (2, "the thread id is not a number"),
            (3, "the time is not a number of ns"),
            (4, "the call's arguments do not end in `) [TID] NS`"),
            (
                5,
                "neither an enter or exit (`0 NAME(ARGS) [TID] NS`) nor a line of a backtrace"
            ),
        ]
    );
    let many = format!("0 read(3) [7] 1\n{}", "?\n".repeat(2 * MOST_DAMAGE));
    let found = profile(&many);
    assert_eq!(
        (found.damaged, found.damage.len()),
        (2 * MOST_DAMAGE as u64, MOST_DAMAGE)
    );
    let found = profile("----- TID 5 -----\nread | 5\nread | five\nread\n");
    assert_eq!((found.damaged, found.threads[0].calls.len()), (2, 1));
    let long = format!(
        "0 read(3) [7] 1\n0 write({}) [7] 2\n1 read(3) [7] 3\n",
        "x".repeat(2 << 20)
    );
    let found = profile(&long);
    assert_eq!(
        (times(&found, 7).1, found.damage[0].reason),
        (vec![("read", 2)], "the line is too long")
    );
}

#[test]
fn other_texts_are_not_taken_for_it() {
    for text in [
        "",
        "0 ",
        "0 (",
        "2 read(",
        "0 re ad(",
        "# tracer: nop",
        "sleep-1 [0] 1.0: sched_switch: x",
        "{\"0 a(\": 1}",
    ] {
        assert_eq!(layout_of(text.as_bytes()), None, "{text}");
    }
    for (name, call) in [
        ("mmap2", "mmap"),
        ("pread", "pread64"),
        ("umount", "umount2"),
        ("newfstat", "fstat"),
        ("read", "read"),
    ] {
        assert_eq!(canonical(name), call);
    }
}

/// A thread's calls one after another: `(name, gap before it, its length)`.
fn calls() -> impl Strategy<Value = Vec<(usize, u64, u64)>> {
    prop::collection::vec((0..3_usize, 1..9_u64, 1..9_u64), 1..20)
}

proptest! {
    #[test]
    fn any_order_and_any_repeats_give_the_same_sums(threads in prop::collection::vec(calls(), 1..4), seed in any::<u64>()) {
        const NAMES: [&str; 3] = ["read", "write", "futex"];
        let mut lines = Vec::new();
        let mut sums = Vec::new();
        for (tid, calls) in threads.iter().enumerate() {
            let mut at = 1000;
            let mut sum = [0; 3];
            for &(name, gap, length) in calls {
                at += gap;
                lines.push(format!("0 {}(3, \")\") [{tid}] {at} ", NAMES[name]));
                at += length;
                lines.push(format!("1 {}(3, \")\") [{tid}] {at} ", NAMES[name]));
                sum[name] += length;
            }
            sums.push(sum);
        }
        let repeats = lines.len() / 3;
        lines.extend_from_within(..repeats);
        let count = lines.len();
        for index in 1..count {
            lines.swap(index, (seed.wrapping_mul(index as u64 + 7) >> 7) as usize % count);
        }
        let found = profile(&lines.join("\n"));
        prop_assert_eq!(found.repeated, repeats as u64);
        prop_assert_eq!((found.left_open, found.unmatched_exits, found.damaged), (0, 0, 0));
        for (thread, sum) in found.threads.iter().zip(&sums) {
            for call in &thread.calls {
                let name = NAMES.iter().position(|name| *name == call.name).unwrap();
                prop_assert_eq!(call.ns, sum[name]);
            }
            prop_assert_eq!(thread.calls.len(), sum.iter().filter(|&&ns| ns != 0).count());
        }
    }

    #[test]
    fn any_bytes_are_read(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        for layout in [Layout::Raw, Layout::Tables] {
            let found = read(layout, &mut bytes.as_slice()).unwrap();
            prop_assert!(found.damage.len() as u64 <= found.damaged);
        }
        layout_of(&bytes);
    }
}
