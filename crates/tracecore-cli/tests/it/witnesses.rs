//! `corelane` finds in recordings what `docs/witnesses.md` says that it found.

use std::path::Path;
use std::process::Command;

use serde_json::Value;

fn ask(command: &str, fixture: &str, more: &[&str]) -> Value {
    let file = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../tests/fixtures")
        .join(fixture);
    let output = Command::new(env!("CARGO_BIN_EXE_corelane"))
        .args([command, "--json", "--quiet"])
        .arg(file)
        .args(more)
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn a_cascade_of_eight_moves() {
    let found = ask("cascades", "barrier32-badplace.dat", &["--top", "1"]);
    let cascade = &found["cascades"][0];
    assert_eq!(cascade["start_ns"], 290_940_040_731_u64);
    let moves: Vec<String> = cascade["moves"]
        .as_array()
        .unwrap()
        .iter()
        .map(|of| {
            format!(
                "{} {} {} -> {}",
                of["kind"].as_str().unwrap(),
                of["pid"],
                of["from_cpu"],
                of["to_cpu"]
            )
        })
        .collect();
    assert_eq!(
        moves,
        [
            "load_balance 649 11 -> 20",
            "placement 661 20 -> 21",
            "placement 652 21 -> 22",
            "placement 660 22 -> 6",
            "placement 653 6 -> 7",
            "placement 659 7 -> 0",
            "placement 647 0 -> 12",
            "placement 650 12 -> 30",
        ]
    );
}

#[test]
fn a_violation_in_which_a_task_waits_while_cpu_30_idles() {
    // barrier-655 waits from 290.545419974 to 290.708543268.
    let found = ask(
        "overload",
        "barrier32-badplace.dat",
        &["--pid", "655", "--min", "7.9", "--top", "1"],
    );
    let worst = &found["intervals"][0];
    assert_eq!(worst["start_ns"], 290_545_419_974_u64);
    assert_eq!(worst["end_ns"], 290_708_543_268_u64);
    assert_eq!(worst["tasks"][0]["waited_ns"], 163_123_294);
    // The whole wait was behind others, and CPU 30 could have taken the task all the time.
    let behind = &found["behind"][0];
    assert_eq!(behind["start_ns"], worst["start_ns"]);
    assert_eq!(behind["end_ns"], worst["end_ns"]);
    assert_eq!(behind["tasks"], worst["tasks"]);
    let idle = behind["idle_cpus"].as_array().unwrap().iter();
    let of_30 = idle.filter(|idled| idled["cpu"] == 30).map(|idled| &idled["idle_ns"]);
    assert_eq!(of_30.collect::<Vec<_>>(), [163_123_294]);
}

#[test]
fn a_cpu_that_leaves_idle_is_no_violation() {
    // barrier-639 waits from 290.784841974 to 290.807906277, and CPU 14 is idle all that time; the first record is at
    // 282.587979034.
    let only = ["--pid", "639", "--min", "8.196862940", "--max", "8.219927243"];
    let found = ask("overload", "barrier32-badplace.dat", &only);
    assert_eq!(
        (&found["violation_ns"], &found["behind_ns"]),
        (&23_064_303.into(), &0.into())
    );
    assert_eq!(found["leaving_idle_task_ns"], 23_064_303);
    let waits = ask(
        "waits",
        "barrier32-badplace.dat",
        &["--pid", "639", "--min", "8.19686", "--max", "8.19687"],
    );
    let wait = &waits["longest"][0];
    assert_eq!(
        (&wait["wait_ns"], &wait["own_idle_ns"]),
        (&23_064_303.into(), &23_064_303.into())
    );
    assert_eq!(wait["behind_ns"], 0);
}

#[test]
fn a_pinned_workload_is_left_out_with_movable() {
    let all = ask("overload", "pinned-4cpu.dat", &[]);
    let movable = ask("overload", "pinned-4cpu.dat", &["--movable"]);
    assert_eq!(all["cost_task_ns"], 1_383_538_369);
    assert_eq!(movable["cost_task_ns"], 63_397_994);
    // Kernel threads that are bound to CPU 1 wait there, too.
    assert_eq!(all["behind_cost_task_ns"], 1_335_430_508);
    assert_eq!(all["bound_task_ns"], 29_151_410);
    assert_eq!(movable["behind_cost_task_ns"], 45_131_969);
    assert!(all["caveat"].as_str().unwrap().contains("affinity"));
}

#[test]
fn a_wakeup_moved_off_its_free_last_cpu() {
    let found = ask("placement", "scx-lab-fifo-4cpu.dat", &["--comm", "rcu_preempt"]);
    assert_eq!(
        (&found["moved_off_idle"], &found["moved_off_unknown"]),
        (&2.into(), &0.into())
    );
    let moved = &found["moved"][0];
    assert_eq!(
        (&moved["at_ns"], &moved["running_ns"]),
        (&312_832_910_697_u64.into(), &312_836_048_614_u64.into())
    );
    assert_eq!((&moved["previous_cpu"], &moved["chosen_cpu"]), (&2.into(), &0.into()));
    assert!(found["caveat"].as_str().unwrap().contains("affinity"));
}

#[test]
fn a_wakeup_moved_off_a_free_last_cpu_that_it_may_not_use() {
    let found = ask("placement", "barrier32-badplace.dat", &[]);
    assert_eq!(found["moved_off_idle"], 1);
    let moved = &found["moved"][0];
    assert_eq!(moved["at_ns"], 289_288_104_871_u64);
    assert_eq!((&moved["previous_cpu"], &moved["chosen_cpu"]), (&28.into(), &10.into()));
}
