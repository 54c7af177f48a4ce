//! What numbers of the kernel's user ABI are called: system calls by machine, and errors.
//!
//! The names are those of `asm/unistd.h` (`__NR_NAME`) and of `errno.h`, which strace prints too. `scripts/syscallTables.mjs`
//! writes the tables from the kernel's headers, and compares them.

use std::sync::LazyLock;

/// A table of system calls. Machines that share one are one here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Machine {
    /// 64-bit x86; knows the calls of x32 as well, which a bit tells.
    X86_64,
    /// 32-bit x86.
    I386,
    /// 64-bit arm.
    Aarch64,
    /// 32-bit arm, EABI.
    Arm,
    /// 64-bit RISC-V.
    Riscv64,
    /// 64-bit s390.
    S390x,
    /// 31-bit s390.
    S390,
    /// 64-bit PowerPC of either byte order.
    Ppc64,
}

/// The bit that tells calls of x32 on x86-64 (`__X32_SYSCALL_BIT`).
const X32_BIT: i32 = 0x4000_0000;

/// Numbers and names of a table, ascending.
type Names = Vec<(i32, &'static str)>;

macro_rules! table {
    ($file:literal) => {{
        static NAMES: LazyLock<Names> = LazyLock::new(|| parse(include_str!(concat!("tables/", $file, ".txt"))));
        &NAMES
    }};
}

fn parse(text: &'static str) -> Names {
    let pairs = text.lines().filter_map(|line| line.split_once(' '));
    pairs
        .filter_map(|(number, name)| Some((number.parse().ok()?, name)))
        .collect()
}

fn name_in(names: &[(i32, &'static str)], number: i32) -> Option<&'static str> {
    let index = names.binary_search_by_key(&number, |&(number, _)| number).ok()?;
    names.get(index).map(|&(_, name)| name)
}

impl Machine {
    /// All of them.
    pub const ALL: [Machine; 8] = [
        Machine::X86_64,
        Machine::I386,
        Machine::Aarch64,
        Machine::Arm,
        Machine::Riscv64,
        Machine::S390x,
        Machine::S390,
        Machine::Ppc64,
    ];

    /// Its name, as `uname -m` has it on most.
    pub fn name(self) -> &'static str {
        match self {
            Machine::X86_64 => "x86_64",
            Machine::I386 => "i386",
            Machine::Aarch64 => "aarch64",
            Machine::Arm => "arm",
            Machine::Riscv64 => "riscv64",
            Machine::S390x => "s390x",
            Machine::S390 => "s390",
            Machine::Ppc64 => "ppc64",
        }
    }

    /// The machine that `uname -m` or a user calls so.
    pub fn of_name(name: &str) -> Option<Machine> {
        Some(match name {
            "x86_64" | "amd64" | "x86-64" => Machine::X86_64,
            "i386" | "i486" | "i586" | "i686" | "x86" => Machine::I386,
            "aarch64" | "arm64" | "aarch64_be" => Machine::Aarch64,
            "riscv64" => Machine::Riscv64,
            "s390x" => Machine::S390x,
            "s390" => Machine::S390,
            "ppc64" | "ppc64le" | "powerpc64" => Machine::Ppc64,
            "arm" => Machine::Arm,
            arm if arm.starts_with("armv") => Machine::Arm,
            _ => return None,
        })
    }

    /// The machine of a system, by its name as `uname -a` prints it: the first word, from the last one on, that is a machine.
    pub fn of_uname(uname: &str) -> Option<Machine> {
        uname.split_whitespace().rev().find_map(Machine::of_name)
    }

    /// The number of `sched_yield`. Scans need it, without the tables.
    pub const fn sched_yield(self) -> i32 {
        match self {
            Machine::X86_64 => 24,
            Machine::Aarch64 | Machine::Riscv64 => 124,
            Machine::I386 | Machine::Arm | Machine::S390x | Machine::S390 | Machine::Ppc64 => 158,
        }
    }

    /// The machine of the kernel whose functions of system calls have this prefix.
    pub fn of_symbol_prefix(prefix: &str) -> Option<Machine> {
        Some(match prefix {
            "__x64_sys_" => Machine::X86_64,
            "__ia32_sys_" => Machine::I386,
            "__arm64_sys_" => Machine::Aarch64,
            "__s390x_sys_" => Machine::S390x,
            "__riscv_sys_" => Machine::Riscv64,
            _ => return None,
        })
    }

    /// Prefixes of functions of system calls, those of 64-bit kernels first: such a kernel has the functions of 32-bit tasks
    /// as well.
    pub const SYMBOL_PREFIXES: [&'static str; 5] = [
        "__x64_sys_",
        "__arm64_sys_",
        "__s390x_sys_",
        "__riscv_sys_",
        "__ia32_sys_",
    ];

    /// The table of 32-bit tasks on a kernel of this machine.
    pub fn compat(self) -> Option<Machine> {
        match self {
            Machine::X86_64 => Some(Machine::I386),
            Machine::Aarch64 => Some(Machine::Arm),
            Machine::S390x => Some(Machine::S390),
            _ => None,
        }
    }

    /// The call with this number.
    pub fn call(self, number: i32) -> Option<&'static str> {
        match self {
            Machine::X86_64 if 0 <= number && number & X32_BIT != 0 => name_in(table!("x32"), number & !X32_BIT),
            _ => name_in(self.names(), number),
        }
    }

    /// The number of the call with this name.
    pub fn number(self, name: &str) -> Option<i32> {
        let found = self.names().iter().find(|&&(_, known)| known == name);
        found.map(|&(number, _)| number)
    }

    /// All calls, by number.
    pub fn names(self) -> &'static [(i32, &'static str)] {
        match self {
            Machine::X86_64 => table!("x86_64"),
            Machine::I386 => table!("i386"),
            Machine::Aarch64 => table!("aarch64"),
            Machine::Arm => table!("arm"),
            Machine::Riscv64 => table!("riscv64"),
            Machine::S390x => table!("s390x"),
            Machine::S390 => table!("s390"),
            Machine::Ppc64 => table!("ppc64"),
        }
    }
}

/// The call whose tracepoints the kernel names after the function of it: `sys_enter_newfstat` is of `fstat`.
pub fn call_of_function(function: &str) -> &str {
    match function {
        "newfstat" => "fstat",
        "newstat" => "stat",
        "newlstat" => "lstat",
        "newuname" => "uname",
        "sendfile64" => "sendfile",
        "umount" => "umount2",
        other => other,
    }
}

/// The largest number that a call returns, negated, as an error (`MAX_ERRNO`).
const MOST_ERRORS: i64 = 4095;

/// Whether a call that returned this failed.
pub fn is_error(ret: i64) -> bool {
    (-MOST_ERRORS..0).contains(&ret)
}

/// Whether a call that returned this was interrupted by a signal: user space sees `EINTR`, or never hears of it, because the
/// call begins again.
pub fn is_interrupted(ret: i64) -> bool {
    matches!(ret, -512 | -513 | -514 | -516)
}

/// Calls that return addresses.
const ADDRESSES: [&str; 5] = ["mmap", "mmap2", "mremap", "brk", "shmat"];

/// What a call returned, for people: an error with its name, an address in hexadecimal, any other number as it is.
pub fn returned(call: &str, ret: i64) -> String {
    match error_name(ret) {
        Some(error) => format!("{ret} {error}"),
        None if !is_error(ret) && ADDRESSES.contains(&call) => format!("{ret:#x}"),
        None => ret.to_string(),
    }
}

/// The name of the error that a call returned, in the generic numbering, which mips, alpha, sparc and parisc do not have.
pub fn error_name(ret: i64) -> Option<&'static str> {
    // Those that user space does not see (include/linux/errno.h).
    match ret {
        -512 => return Some("ERESTARTSYS"),
        -513 => return Some("ERESTARTNOINTR"),
        -514 => return Some("ERESTARTNOHAND"),
        -516 => return Some("ERESTART_RESTARTBLOCK"),
        _ => {}
    }
    let number = is_error(ret).then(|| -ret as i32)?;
    name_in(table!("errors"), number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_ascending_and_known_from_424_on_everywhere() {
        for machine in Machine::ALL {
            let names = machine.names();
            assert!(300 < names.len(), "{machine:?}");
            assert!(names.windows(2).all(|pair| pair[0].0 < pair[1].0), "{machine:?}");
            for (number, name) in [(424, "pidfd_send_signal"), (435, "clone3"), (462, "mseal")] {
                assert_eq!(machine.call(number), Some(name), "{machine:?}");
                assert_eq!(machine.number(name), Some(number), "{machine:?}");
            }
            assert_eq!(machine.call(machine.sched_yield()), Some("sched_yield"), "{machine:?}");
            assert_eq!(Machine::of_name(machine.name()), Some(machine));
            assert_eq!(machine.call(-1), None);
        }
        assert_eq!(parse(include_str!("tables/errors.txt")).len(), 131);
    }

    #[test]
    fn a_machine_is_found_in_what_uname_prints() {
        let debian = "Linux vm 6.1.0-50-amd64 #1 SMP PREEMPT_DYNAMIC Debian 6.1.1-1 (2026-07-02) x86_64 GNU/Linux";
        assert_eq!(Machine::of_uname(debian), Some(Machine::X86_64));
        assert_eq!(
            Machine::of_uname("Linux vm 6.1.0 #1 SMP aarch64"),
            Some(Machine::Aarch64)
        );
        assert_eq!(Machine::of_uname("Linux vm 6.1.0-amd64 #1 SMP"), None);
    }

    #[test]
    fn names_are_those_of_the_user_abi() {
        assert_eq!(Machine::Aarch64.call(79), Some("newfstatat"));
        assert_eq!(Machine::X86_64.call(262), Some("newfstatat"));
        assert_eq!(Machine::X86_64.call(20), Some("writev"));
        assert_eq!(Machine::I386.call(20), Some("getpid"));
        assert_eq!(Machine::X86_64.call(0x4000_0000), Some("read"));
        assert_eq!(Machine::X86_64.call(0x4000_0000 + 520), Some("execve"));
        for (function, call) in [("newfstat", "fstat"), ("umount", "umount2"), ("futex", "futex")] {
            assert_eq!(call_of_function(function), call);
        }
    }

    /// Both are the kernel's generic table of 64 bits (`asm-generic/unistd.h`), whose numbers 244 to 259 are a machine's own.
    #[test]
    fn arm_and_risc_v_of_64_bits_call_the_same_numbers_alike() {
        for &(number, name) in Machine::Aarch64.names() {
            if let Some(other) = Machine::Riscv64.call(number).filter(|_| !(244..260).contains(&number)) {
                assert_eq!(other, name, "{number}");
            }
        }
    }

    #[test]
    fn what_returns_is_told_by_what_it_is() {
        let told = |call, ret| returned(call, ret);
        assert_eq!(told("mmap", 0x7f00_0000_1000), "0x7f0000001000");
        assert_eq!(told("mmap", -12), "-12 ENOMEM");
        assert_eq!(told("read", 0x7f00_0000_1000), "139637976731648");
        assert_eq!(told("nanosleep", -516), "-516 ERESTART_RESTARTBLOCK");
        assert_eq!(told("brk", -4000), "-4000");
        assert_eq!(told("lseek", -5000), "-5000");
    }

    #[test]
    fn errors_have_names_and_other_values_none() {
        assert_eq!(error_name(-2), Some("ENOENT"));
        assert_eq!(error_name(-11), Some("EAGAIN"));
        assert_eq!(error_name(-512), Some("ERESTARTSYS"));
        assert_eq!([-4096, 0, 7, -4095, i64::MIN].map(error_name), [None; 5]);
        assert!(is_error(-4095) && !is_error(-4096) && !is_error(0));
    }
}
