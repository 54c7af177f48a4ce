//! rt-app's JSON of workloads.

use replay::rtapp::{write, Dialect};
use replay::{generate, text, Workload};
use serde_json::Value;

fn json(workload: &Workload, dialect: Dialect) -> Value {
    let mut out = Vec::new();
    write(workload, dialect, &mut out).unwrap();
    serde_json::from_slice(&out).unwrap()
}

#[test]
fn a_task_is_a_thread_object() {
    let workload = text::read(
        "#: workload version=1 span=2500.0\n#: 7 comm=make prio=110 allowed=0,2\n#: 8 comm=cc\n1 INIT 0 0 7 R\n2 FORK 7 1 8\n\
         3 BLOCK 7 4\n4 WAKEUP 7 10 6 8 2\n5 PRIO 7 1 49\n6 EXIT 8 5\n7 EXIT 7 3\n",
    );
    let workload = workload.unwrap();
    let json = json(&workload, Dialect::RtApp);
    assert_eq!(json["global"]["duration"], 3);
    let make = &json["tasks"]["make-7"];
    assert_eq!(make["cpus"], serde_json::json!([0, 2]));
    let first = serde_json::json!({"priority": -10, "loop": 1, "runtime1": 1000, "fork2": "cc-8", "runtime3": 3000, "sem_wait4": "make-7", "runtime5": 1000});
    let second = serde_json::json!({"policy": "SCHED_FIFO", "priority": 50, "loop": 1, "runtime6": 2000});
    assert_eq!(make["phases"], serde_json::json!({"p0": first, "p1": second}));
    let cc = serde_json::json!({"instance": 0, "priority": 0, "loop": 1, "runtime1": 3000, "sem_post2": "make-7", "runtime3": 2000});
    assert_eq!(json["tasks"]["cc-8"], cc);
}

#[test]
fn readers_that_know_less_get_less() {
    let made = json(&generate::pairs(2, 1_500_000, 6_000_000), Dialect::Plain);
    let first = serde_json::json!({"priority": 0, "loop": 1, "run1": 1500, "suspend2": "pair-1001"});
    assert_eq!(made["tasks"]["pair-1001"]["run1"], first["run1"]);
    let keys: Vec<&String> = made["tasks"]["pair-1002"].as_object().unwrap().keys().collect();
    assert!(
        keys.iter().any(|key| key.starts_with("resume")) && !keys.iter().any(|key| key.starts_with("sem")),
        "{keys:?}"
    );
    let fair = json(&generate::fairbench(), Dialect::RtApp);
    assert_eq!(fair["tasks"].as_object().unwrap().len(), 25);
    assert_eq!(fair["tasks"]["nice19-1025"]["priority"], 19);
    assert_eq!(fair["tasks"]["nice19-1025"]["runtime1"], 180_000_000);
}
