//! Small files that make a careless program run without end, take all memory or write without end. See `tests/fixtures/hostile`.

use crate::program::fixture;
use std::fs;
use std::process::{Command, Output};

/// Runs `corelane` in 1 GiB of address space, which is 20 times what these files need. Its files may have 64 MiB.
fn bounded(command: &str, name: &str, more: &str) -> Output {
    let file = fixture("hostile").join(name);
    let shell = format!(
        "ulimit -v 1048576; ulimit -f 131072; exec '{}' {command} '{}' {more}",
        env!("CARGO_BIN_EXE_corelane"),
        file.display()
    );
    let mut timeout = Command::new("timeout");
    timeout.args(["120", "sh", "-c", &shell]).env("CORELANE_CACHE", "");
    // Each thread that looks for memory of its own reserves 64 MiB of addresses.
    timeout.env("MALLOC_ARENA_MAX", "1").output().unwrap()
}

fn errors(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Of each file what one of these commands once did without end.
#[test]
fn every_command_ends() {
    for (command, name) in [
        ("features", "features-by-second.dat.zst"),
        ("replay", "sixteen-days.dat.zst"),
        ("replay", "idle-for-years.pftrace.zst"),
        ("replay", "gap-of-years.dat.zst"),
        ("replay --decisions", "gap-of-years.dat.zst"),
        ("replay --decisions", "two-cpus.scenario"),
        ("replay --policy rlfifo", "two-cpus.scenario"),
        ("replay", "cpu-8191.txt"),
        ("replay --decisions", "cpu-8191.txt"),
        ("replay", "cpu-numbers.script.txt"),
        ("replay --decisions", "cpu-numbers.script.txt"),
    ] {
        let output = bounded(command, name, "");
        let code = output.status.code();
        assert_eq!(code, Some(0), "{command} {name}: {}", errors(&output));
        assert!(!output.stdout.is_empty(), "{command} {name}");
    }
}

/// Each policy of a fit would simulate 104 days by ticks.
#[test]
fn a_fit_over_a_gap_of_days_says_what_to_do() {
    let output = bounded("replay --fit", "gap-of-years.dat.zst", "");
    let errors = errors(&output);
    assert_eq!(output.status.code(), Some(1), "{errors}");
    assert!(errors.contains("of 104 days") && errors.contains("--max"), "{errors}");
}

/// Its header claims pages of 256 MiB.
#[test]
fn pages_that_no_kernel_has_are_refused() {
    let out = std::env::temp_dir().join(format!("corelane-hostile-{}.dat", std::process::id()));
    let path = out.display();
    for (command, more) in [
        ("stats".to_owned(), String::new()),
        ("cut".to_owned(), format!("-o '{path}'")),
        (format!("export --tracedat '{path}'"), String::new()),
    ] {
        let output = bounded(&command, "huge-page.dat.zst", &more);
        assert_eq!(output.status.code(), Some(1), "{command}");
        assert!(errors(&output).contains("page"), "{command}: {}", errors(&output));
        assert!(fs::metadata(&out).is_err(), "{command} leaves no file");
    }
}
