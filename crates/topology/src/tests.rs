use std::io::Write;

use proptest::prelude::*;

use super::{CpuPlace, Distance, Domain, Topology};

const FIXTURES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/fixtures/topology/");

fn fixture(name: &str) -> Vec<u8> {
    std::fs::read(format!("{FIXTURES}{name}")).unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn parse(text: &str) -> Topology {
    Topology::parse(text.as_bytes()).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn error(bytes: &[u8]) -> String {
    Topology::parse(bytes)
        .expect_err("it should not be understood")
        .to_string()
}

fn place(cpu: u32, socket: u32, node: u32, llc: u32, core: u32) -> CpuPlace {
    CpuPlace {
        cpu,
        socket,
        node,
        llc,
        core,
    }
}

#[test]
fn lscpu_and_sysfs_of_a_machine_say_the_same() {
    // qemu -smp 16,sockets=2,cores=4,threads=2, with one NUMA node.
    let expected = "2x4x2,siblings,nodes:1";
    for name in ["sockets2x4x2.lscpu", "sockets2x4x2.tar.gz"] {
        let topology = Topology::parse(&fixture(name)).expect(name);
        assert_eq!(topology.canonical(), expected, "{name}");
        assert_eq!(topology.place(0), Some(&place(0, 0, 0, 0, 0)), "{name}");
        assert_eq!(topology.place(9), Some(&place(9, 1, 0, 1, 4)), "{name}");
        assert_eq!(
            topology.summary(),
            "2 sockets × 1 LLC × 4 cores × 2 threads = 16 CPUs, 1 NUMA node",
            "{name}"
        );
    }
}

#[test]
fn a_machine_with_several_llcs_in_a_socket_and_a_numa_node_for_each_socket() {
    // qemu -smp 16,sockets=2,dies=2,cores=2,threads=2, and a -numa node for each socket.
    for name in ["nodes2x2x2x2.lscpu", "nodes2x2x2x2.tar.gz"] {
        let topology = Topology::parse(&fixture(name)).expect(name);
        assert_eq!(topology.canonical(), "2x4x2,siblings,llcs:4", "{name}");
        assert_eq!(topology.place(13), Some(&place(13, 1, 1, 3, 6)), "{name}");
    }
}

#[test]
fn a_cpu_that_is_offline_has_no_place() {
    // The same machine after `echo 0 > /sys/devices/system/cpu/cpu5/online`.
    let names = [
        "sockets2x4x2-y.lscpu",
        "sockets2x4x2-offline-a.lscpu",
        "sockets2x4x2-offline-list.lscpu",
        "sockets2x4x2-offline.tar.gz",
    ];
    for name in names {
        let topology = Topology::parse(&fixture(name)).expect(name);
        assert_eq!(topology.place(5), None, "{name}");
        assert_eq!(topology.places().len(), 15, "{name}");
        let core = |cpu| topology.place(cpu).map(|place| (place.socket, place.core));
        assert_eq!(
            [core(4), core(6), core(8), core(15)],
            [Some((0, 2)), Some((0, 3)), Some((1, 4)), Some((1, 7))],
            "{name}"
        );
        let cpus: Vec<u32> = (0..16).collect();
        assert_eq!(topology.unknown_of(&cpus), [5], "{name}");
        assert_eq!(topology.order(&cpus).last(), Some(&5), "{name}");
    }
}

#[test]
fn columns_are_found_by_their_names() {
    let usual = parse("# CPU,Core,Socket,Node,,L1d,L1i,L2,L3\n0,0,0,0,,0,0,0,0\n1,1,0,0,,1,1,1,8\n2,0,1,1,,2,2,2,16\n");
    let other = parse("# Node,SOCKET,cpu,L1d:L1i:L2:L3,Core\n0,0,0,0:0:0:0,0\n0,0,1,1:1:1:1,1\n1,1,2,2:2:2:0,0\n");
    assert_eq!(usual, other);
    assert_eq!(
        usual.places(),
        [place(0, 0, 0, 0, 0), place(1, 0, 0, 1, 1), place(2, 1, 1, 2, 2)]
    );
    // Without its comments, the text equals the output of `lscpu -p` without a list.
    assert_eq!(parse("0,0,0,0,,0,0,0,0\n1,1,0,0,,1,1,1,8\n2,0,1,1,,2,2,2,16\n"), usual);
    // Some virtual machines know no caches: an LLC for each socket is the best guess.
    assert_eq!(
        parse("# CPU,Core,Socket,Node\n0,0,0,\n1,1,0,\n2,2,1,\n").canonical(),
        "socket:0-1/2"
    );
}

#[test]
fn the_last_level_cache_is_that_of_the_highest_level() {
    // Two fast cores share an L3; a slow one has none, so its L2 counts.
    let topology = parse("# CPU,Core,Socket,L2,L3\n0,0,0,0,0\n1,1,0,1,0\n2,2,0,2,\n3,3,0,2,\n");
    assert_eq!(topology.groups(Domain::Llc), [vec![0, 1], vec![2, 3]]);
    assert_eq!(topology.groups(Domain::Socket), [vec![0, 1, 2, 3]]);
}

#[test]
fn three_ways_of_numbering() {
    let cores = |text: &str| -> Vec<(u32, u32)> {
        let topology = parse(text);
        topology
            .places()
            .iter()
            .map(|place| (place.socket, place.core))
            .collect()
    };
    let usual = [(0, 0), (0, 1), (1, 2), (1, 3), (0, 0), (0, 1), (1, 2), (1, 3)];
    let siblings = [(0, 0), (0, 0), (0, 1), (0, 1), (1, 2), (1, 2), (1, 3), (1, 3)];
    let alternate = [(0, 0), (1, 2), (0, 1), (1, 3), (0, 0), (1, 2), (0, 1), (1, 3)];
    assert_eq!(cores("2x2x2"), usual);
    assert_eq!(cores("2x2x2,siblings"), siblings);
    assert_eq!(cores(" 2 × 2 × 2 , alternate "), alternate);
}

#[test]
fn distances_by_what_is_shared() {
    let topology = parse("2x4x2,llcs:4");
    // Socket 0 has CPUs 0-3 and 8-11; its first LLC has CPUs 0, 1, 8 and 9.
    let distance = |a, b| topology.distance(a, b);
    assert_eq!(distance(3, 3), Some(Distance::Cpu));
    assert_eq!(distance(0, 8), Some(Distance::Core));
    assert_eq!(distance(0, 9), Some(Distance::Llc));
    assert_eq!(distance(0, 2), Some(Distance::Socket));
    assert_eq!(distance(12, 0), Some(Distance::Machine));
    assert_eq!(distance(0, 16), None);
    assert_eq!(distance(16, 16), Some(Distance::Cpu));
    assert_eq!(topology.order(&[16, 4, 9, 1, 0, 8, 2]), [0, 8, 1, 9, 2, 4, 16]);
    let near = topology.by_distance(8, &[16, 0, 4, 2, 1, 10, 8]);
    let expected = [
        (Some(Distance::Cpu), vec![8]),
        (Some(Distance::Core), vec![0]),
        (Some(Distance::Llc), vec![1]),
        (Some(Distance::Socket), vec![2, 10]),
        (Some(Distance::Machine), vec![4]),
        (None, vec![16]),
    ];
    assert_eq!(near, expected);
    assert_eq!(topology.other_than(&(1..16).collect::<Vec<_>>()), [0]);
}

#[test]
fn large_machines_have_short_texts() {
    for (text, cpus) in [
        ("2x64x2,llcs:16", 256),
        ("8x32x2", 512),
        ("2x128x2,siblings,llcs:32,nodes:8", 512),
        ("socket:0-30~2*2~1,core:0.2*8~4/1.3*8~4", 32),
    ] {
        let topology = parse(text);
        assert_eq!(topology.places().len(), cpus, "{text}");
        assert!(topology.canonical().len() <= 200, "{}", topology.canonical());
    }
    // Eight fast cores with two threads each, and sixteen slow ones in clusters that each have a cache.
    let hybrid = "socket:0-31,llc:0-15/16-19*4~4,core:0-1*8~2/16*16~1";
    assert_eq!(parse(hybrid).canonical(), hybrid);
    // One core of a large machine is switched off.
    let without = "socket:0-30.32-62.64-94.96-126/31,core:0.64*31~1/32.96*31~1/31";
    let topology = parse(without);
    assert_eq!(topology, parse(&topology.canonical()));
    assert!(topology.canonical().len() < 80, "{}", topology.canonical());
}

#[test]
fn what_is_wrong_is_said_with_its_place() {
    let cases: [(&[u8], &str); 14] = [
        (b"", "``; expected SOCKETSxCORESxTHREADS, as in 2x16x2, or the text of `lscpu -p`"),
        (b"2x16", "`2x16`; expected SOCKETSxCORESxTHREADS"),
        (b"2x0x1", "`2x0x1`; expected SOCKETSxCORESxTHREADS"),
        (b"64x1024x8", "`64x1024x8` is 524288 CPUs; expected at most 8192"),
        (b"2x16x2,llcs:5", "`llcs:5`; expected a multiple of 2 that divides the 32 cores of the machine"),
        (b"2x16x2,smt", "`smt`; expected siblings, alternate, llcs:N or nodes:N"),
        (b"socket:0-3,core:0-1/2", "CPU 3 is missing in core:; expected every CPU of socket:"),
        (b"socket:0-3/3", "CPU 3 is there twice; expected once"),
        (b"socket:0*9000~1", "`9000~1` in `0*9000~1`; expected a repetition, as in *8~2"),
        (b"# CPU,Core,Socket\n0,0,0\n1,1\n", "line 3: `1,1` has 2 columns; expected 3, as the header names them"),
        (b"# CPU,Core,Socket\n0,0,x\n", "line 2: `x` in column 3; expected a number"),
        (b"0,0,0,0\n0,1,0,0\n", "CPU 0 is there twice; expected once"),
        (
            b"Architecture: x86_64\nCPU(s): 8\n",
            "line 1: `Architecture: x86_64` is no line of `lscpu -p`; expected numbers as in 0,0,0,0; this looks like `lscpu` without -p",
        ),
        (b"2x1\xff", "at 0x3: neither text nor a tar file; expected"),
    ];
    for (bytes, expected) in cases {
        let found = error(bytes);
        assert!(found.starts_with(expected), "{found}\nexpected {expected}");
    }
}

/// A member of a tar in the POSIX format.
fn member(path: &str, kind: u8, content: &[u8]) -> Vec<u8> {
    let mut header = vec![0_u8; 512];
    header[..path.len()].copy_from_slice(path.as_bytes());
    header[124..135].copy_from_slice(format!("{:011o}", content.len()).as_bytes());
    header[156] = kind;
    header[257..263].copy_from_slice(b"ustar\0");
    header[148..156].fill(b' ');
    let sum: u32 = header.iter().map(|&byte| u32::from(byte)).sum();
    header[148..155].copy_from_slice(format!("{sum:06o}\0").as_bytes());
    header.extend_from_slice(content);
    header.resize(header.len().next_multiple_of(512), 0);
    header
}

fn small_tar() -> Vec<u8> {
    let mut tar = Vec::new();
    for (cpu, package) in [("cpu0", "0\n"), ("cpu1", "-1\n"), ("cpu2", "7\n")] {
        tar.extend(member(
            &format!("./{cpu}/topology/physical_package_id"),
            b'0',
            package.as_bytes(),
        ));
        tar.extend(member(&format!("./{cpu}/topology/core_id"), b'0', b"0\n\0\0\0"));
    }
    tar
}

#[test]
fn tars_have_long_names_in_two_ways() {
    let path = format!("{}/cpu1/topology/die_id", "a".repeat(120));
    let mut gnu = small_tar();
    gnu.extend(member("././@LongLink", b'L', path.as_bytes()));
    gnu.extend(member("cut", b'0', b"3\n"));
    let record = format!(" path={path}\n");
    let mut pax = small_tar();
    pax.extend(member(
        "PaxHeaders/1",
        b'x',
        format!("{}{record}", record.len() + 3).as_bytes(),
    ));
    pax.extend(member("cut", b'0', b"3\n"));
    for tar in [gnu, pax] {
        let topology = Topology::parse(&tar).expect("it is understood");
        // There is one socket, since -1 means unknown and becomes 0; CPU 1 has the core with that number on another
        // die.
        assert_eq!(
            topology.places(),
            [place(0, 0, 0, 0, 0), place(1, 0, 0, 0, 1), place(2, 1, 1, 1, 2)]
        );
    }
}

#[test]
fn tars_that_are_damaged_say_where() {
    let tar = small_tar();
    assert_eq!(
        error(&tar[..600]),
        "at 0x258: the tar ends inside a member; expected the rest of it"
    );
    let mut flipped = tar.clone();
    flipped[1024 + 3] ^= 1;
    assert_eq!(
        error(&flipped),
        "at 0x400: a header whose check sum is wrong; expected a member of a tar"
    );
    let other = member("etc/passwd", b'0', b"root");
    assert_eq!(
        error(&other),
        "no cpuN/topology/physical_package_id among 1 members; expected a tar of /sys/devices/system/cpu"
    );
    let strange = member("cpu3/topology/physical_package_id", b'0', b"zero");
    assert_eq!(
        error(&strange),
        "cpu3/topology/physical_package_id: `zero`; expected a number"
    );
    assert!(error(&[0x1f, 0x8b, 8, 0]).starts_with("at 0x0: it cannot be unpacked"));
}

#[test]
fn a_tar_of_zeros_ends_in_bounded_time_and_memory() {
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    packed
        .write_all(&member("cpu0/topology/core_id", b'0', &[0; 1 << 20]))
        .expect("it is packed");
    assert!(error(&packed.finish().expect("it is packed")).contains("expected a number"));
}

/// Possible machines: socket, node, LLC and core of each CPU, as arbitrary numbers.
fn machines() -> impl Strategy<Value = Topology> {
    let regular =
        (1..5_u32, 1..9_u32, 1..5_u32, 0..3_usize, 1..3_u32).prop_map(|(sockets, cores, threads, numbering, nodes)| {
            let name = ["", ",siblings", ",alternate"][numbering];
            parse(&format!(
                "{sockets}x{}x{threads}{name},llcs:{},nodes:{nodes}",
                2 * cores,
                2 * sockets
            ))
        });
    let cpu = proptest::option::weighted(0.9, (0..3_u32, 0..3_u32, 0..2_u32, 0..6_u32));
    let irregular = proptest::collection::vec(cpu, 1..40).prop_filter_map("at least one CPU", |cpus| {
        let lines = cpus.iter().enumerate().filter_map(|(cpu, ids)| {
            let (socket, node, llc, core) = (*ids)?;
            Some(format!("{cpu},{core},{socket},{node},,0,0,0,{llc}\n"))
        });
        Topology::parse(lines.collect::<String>().as_bytes()).ok()
    });
    prop_oneof![regular, irregular]
}

proptest! {
    #[test]
    fn the_compact_text_is_the_topology(topology in machines()) {
        let text = topology.canonical();
        let again = parse(&text);
        prop_assert_eq!(&again, &topology);
        prop_assert_eq!(again.canonical(), text);
    }

    #[test]
    fn numbers_are_dense_and_nested(topology in machines()) {
        let places = topology.places();
        let distinct = |of: fn(&CpuPlace) -> u32| places.iter().map(of).collect::<std::collections::BTreeSet<_>>();
        let counts = [topology.sockets(), topology.nodes(), topology.llcs(), topology.cores()];
        let sets = [distinct(|p| p.socket), distinct(|p| p.node), distinct(|p| p.llc), distinct(|p| p.core)];
        for (count, set) in counts.into_iter().zip(sets) {
            prop_assert_eq!(set.into_iter().collect::<Vec<_>>(), (0..count).collect::<Vec<_>>());
        }
        for (a, b) in places.iter().flat_map(|a| places.iter().map(move |b| (a, b))) {
            prop_assert!(a.core != b.core || a.llc == b.llc);
            prop_assert!(a.llc != b.llc || a.socket == b.socket);
            prop_assert_eq!(topology.distance(a.cpu, b.cpu), topology.distance(b.cpu, a.cpu));
        }
    }

    #[test]
    fn nothing_makes_it_panic(mut bytes in proptest::collection::vec(any::<u8>(), 0..200), at in 0..2000_usize, tar in any::<bool>()) {
        let _ = Topology::parse(&bytes);
        if tar {
            let mut damaged = small_tar();
            let place = at.min(damaged.len() - bytes.len());
            damaged[place..place + bytes.len()].copy_from_slice(&bytes);
            bytes = damaged;
        }
        let _ = Topology::parse(&bytes);
    }

    #[test]
    fn nothing_like_a_topology_makes_it_panic(text in "[0-9x,./*~=#:\n a-z-]{0,80}", field in "(socket|llc|core|node)=[0-9./*~-]{1,30}") {
        let _ = Topology::parse(text.as_bytes());
        let _ = Topology::parse(format!("socket:0-99,{field}").as_bytes());
        let _ = Topology::parse(field.as_bytes());
        let _ = Topology::parse(format!("2x16x2,{text}").as_bytes());
    }
}
