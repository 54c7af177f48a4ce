//! `corelane table` prints rows that were counted by hand, and the same rows as other commands.

use tracegen::Story;

use crate::program::{corelane, fixture};

/// A task is woken on CPU 1, preempted there, moved to CPU 0, and runs on there.
const MOVED: &str = r#"
    cpus 2
    start 10s

    0    cpu0  switch swapper/0:0 R -> a:10
    100  cpu0  waking "w,1:11" on 1
    120  cpu0  wakeup "w,1:11" on 1
    150  cpu1  switch swapper/1:0 R -> "w,1:11"
    200  cpu1  switch "w,1:11" R+ -> b:12
    300  cpu1  migrate "w,1:11" 1 -> 0
    400  cpu0  switch a:10 S -> "w,1:11"
    500  cpu0  print end
    500  cpu1  print end
"#;

fn table(name: &str, options: &[&str]) -> String {
    let file = Story::parse(MOVED).unwrap().to_bytes();
    printed(&[&["table", name, "-"], options].concat(), &file)
}

fn printed(args: &[&str], stdin: &[u8]) -> String {
    let output = corelane(&[&["--quiet"], args].concat(), stdin);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn runs() {
    let expected = "\
cpu,start_ns,end_ns,pid,generation,comm,inferred,waited_ns,cause,letters,prio,class
0,10000000000,10000000400,10,0,a,false,,,S,120,fair
0,10000000400,10000000500,11,0,\"w,1\",false,200,preempted,,120,fair
1,10000000150,10000000200,11,0,\"w,1\",false,30,wakeup,R+,120,fair
1,10000000200,10000000500,12,0,b,false,,,,120,fair
";
    assert_eq!(table("runs", &[]), expected);
    assert_eq!(table("runs", &["--csv"]), expected);
}

#[test]
fn runs_of_a_selection_are_clipped() {
    // What happened before the window is left out: first the wait, and later the switch too.
    let options = ["--cpu", "1", "--min", "0.00000018", "--max", "0.00000025"];
    let expected = "\
cpu,start_ns,end_ns,pid,generation,comm,inferred,waited_ns,cause,letters,prio,class
1,10000000180,10000000200,11,0,\"w,1\",false,,,R+,120,fair
1,10000000200,10000000250,12,0,b,false,,,,120,fair
";
    assert_eq!(table("runs", &options), expected);
    assert_eq!(table("runs", &["--comm", "b"]).lines().count(), 2);
}

#[test]
fn waits() {
    let expected = "\
pid,generation,comm,start_ns,end_ns,cause,cpu
11,0,\"w,1\",10000000200,10000000400,preempted,0
11,0,\"w,1\",10000000120,10000000150,wakeup,1
";
    assert_eq!(table("waits", &[]), expected);
}

#[test]
fn wakeups() {
    let expected = "\
at_ns,event,pid,generation,comm,woken_ns,running_ns,latency_ns,waker_pid,waker_generation,waker_comm,waker_context,waker_cpu,previous_cpu,chosen_cpu,cpu
10000000100,sched_waking,11,0,\"w,1\",10000000120,10000000150,50,10,0,a,task,0,1,1,1
";
    assert_eq!(table("wakeups", &[]), expected);
}

#[test]
fn migrations() {
    let expected = "\
at_ns,pid,generation,comm,kind,from_cpu,to_cpu
10000000300,11,0,\"w,1\",load_balance,1,0
";
    assert_eq!(table("migrations", &[]), expected);
    let object =
        r#"{"at_ns":10000000300,"pid":11,"generation":0,"comm":"w,1","kind":"load_balance","from_cpu":1,"to_cpu":0}"#;
    assert_eq!(table("migrations", &["--json"]), format!("{object}\n"));
    assert_eq!(table("migrations", &["--pid", "10", "--json"]), "");
}

#[test]
fn tasks_and_commands() {
    let tasks = "\
pid,generation,comm,execution_ns,waiting_ns,throttled_ns,switches_to,wakeups,latency_ns,max_latency_ns,migrations,placement,load_balance,numa,other
10,0,a,400,0,0,1,0,0,0,0,0,0,0,0
11,0,\"w,1\",150,230,0,2,1,50,50,1,0,1,0,0
12,0,b,300,0,0,1,0,0,0,0,0,0,0,0
";
    assert_eq!(table("tasks", &[]), tasks);
    let commands = "\
comm,first_ns,last_ns,execution_ns,waiting_ns,switches_to,pids
a,10000000000,10000000400,400,0,1,1
b,10000000200,10000000500,300,0,1,1
\"w,1\",10000000150,10000000500,150,230,2,1
";
    assert_eq!(table("commands", &[]), commands);
}

#[test]
fn states_are_those_of_the_command_of_that_name() {
    let file = fixture("barrier32-badplace.dat");
    let file = file.to_str().unwrap();
    let states = printed(&["states", file, "--json"], b"");
    // There is more than one batch of rows.
    assert!(1024 < states.lines().count());
    assert_eq!(printed(&["table", "states", file, "--json"], b""), states);
    let csv = printed(&["table", "states", file], b"");
    assert_eq!(csv.lines().count(), states.lines().count() + 1);
}

#[test]
fn a_table_has_a_name() {
    let output = corelane(&["table", "calls", "-"], b"");
    assert_eq!(output.status.code(), Some(2));
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(
        error.contains("runs, waits, wakeups, migrations, states, tasks, commands"),
        "{error}"
    );
}
