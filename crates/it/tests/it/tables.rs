//! Kernel symbols, printk formats and saved command lines of recorded files, as `trace-cmd dump --kallsyms`, `--printk`
//! and `--cmd-lines` show them.

use std::path::Path;

use schedrows::DiagnosticKind;
use tracedat::file::TraceFile;
use traceevent::Lookup;

fn fixture(name: &str) -> Vec<u8> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../tests/fixtures")
        .join(name);
    std::fs::read(path).unwrap()
}

fn symbol(lookup: &dyn Lookup, address: u64) -> Option<(&str, Option<&str>, u64)> {
    let found = lookup.symbol(address)?;
    Some((found.name, found.module, found.start))
}

#[test]
fn the_tables_of_a_packed_file_are_found() {
    let file = TraceFile::open(fixture("instances-4cpu.dat")).unwrap();
    let lookup = file.lookup();
    // ffffffff810e2820 T wake_up_new_task, and the next symbol
    let start = 0xffff_ffff_810e_2820;
    let wake = Some(("wake_up_new_task", None, start));
    assert_eq!(symbol(lookup, start), wake);
    assert_eq!(symbol(lookup, 0xffff_ffff_810e_2b8f), wake);
    assert_eq!(symbol(lookup, 0xffff_ffff_810e_2b90).unwrap().0, "schedule_tail");
    // ffffffffc0201010 t __virtqueue_break	[virtio_ring]
    let start = 0xffff_ffff_c020_1010;
    assert_eq!(
        symbol(lookup, start + 15),
        Some(("__virtqueue_break", Some("virtio_ring"), start))
    );
    assert_eq!(symbol(lookup, 0x1000), None, "an offset of per-CPU data");
    assert_eq!(lookup.printk(0xffff_ffff_8234_9b30), Some("CPU_ON"));
    assert_eq!(lookup.printk(0xffff_ffff_8234_9b31), None);
    assert_eq!(lookup.comm(55), Some(&b"kworker/3:1"[..]));
    assert_eq!(lookup.comm(213), Some(&b"hackbench"[..]));
    assert_eq!(lookup.comm(9999), None);
    assert_eq!(file.lookup_diagnostics(), vec![]);
}

#[test]
fn a_big_endian_file_has_them_too() {
    let file = TraceFile::open(fixture("barrier-s390x.dat")).unwrap();
    assert_eq!(
        symbol(file.lookup(), 0x18_a957),
        Some(("wake_up_new_task", None, 0x18_a560))
    );
    assert_eq!(file.lookup().comm(14), Some(&b"rcu_sched"[..]));
}

#[test]
fn version_6_has_them_one_behind_the_other() {
    let story = "version 6\ncpus 1\nstart 1s\n+0 cpu0 switch swapper/0:0 R -> \"my task:100\"\n";
    let bytes = tracegen::Story::parse(story).unwrap().to_bytes();
    let file = TraceFile::open(bytes).unwrap();
    assert_eq!(file.lookup().comm(100), Some(&b"my task"[..]));
    assert_eq!(symbol(file.lookup(), 0x1000), None);
}

#[test]
fn a_damaged_table_is_empty_and_told() {
    let mut bytes = fixture("instances-4cpu.dat");
    let file = TraceFile::open(bytes.as_slice()).unwrap();
    let options = &file.header().options;
    let kallsyms = options.iter().find(|option| option.name() == Some("KALLSYMS")).unwrap();
    let at = kallsyms.offset as usize;
    let section = u64::from_le_bytes(*bytes[at..].first_chunk().unwrap()) as usize;
    // behind the section's header and its sizes: the magic number of the zstd frame
    bytes[section + 24] ^= 1;
    let file = TraceFile::open(bytes).unwrap();
    assert_eq!(file.lookup_diagnostics(), vec![], "nobody asked");
    assert_eq!(symbol(file.lookup(), 0xffff_ffff_810e_2820), None);
    let told = file.lookup_diagnostics();
    assert_eq!(told.len(), 1);
    assert_eq!(told[0].kind, DiagnosticKind::Malformed);
    assert!(told[0].text.contains("section 19 does not unpack"), "{}", told[0].text);
    assert_eq!(file.lookup().comm(55), Some(&b"kworker/3:1"[..]), "the others are fine");
}
