//! What recordings become, compared with what a prototype made of them that shares nothing with this crate.

use std::path::PathBuf;

use replay::Counts;

use crate::common::{folder, recorded};

/// Of each trace: INIT R, INIT S, FORK, PRIO, YIELD, BLOCK, WAKEUP external and dependent, EXIT; running, runnable and asleep at
/// the end; CPU time, external sleep and distances in ns.
#[rustfmt::skip]
const TABLE: [(&str, [u64; 15]); 19] = [
    ("fair61-1cpu", [2, 6, 25, 23, 20, 141, 115, 26, 26, 1, 0, 6, 20_024_429_624, 99_697_689_917, 278_674]),
    ("resp61-1cpu", [2, 8, 25, 0, 0, 2_108, 2_080, 28, 26, 1, 0, 8, 10_033_069_988, 127_720_843_679, 297_037]),
    ("fair612-1cpu", [2, 7, 25, 20, 2, 121, 110, 11, 26, 1, 0, 7, 20_021_878_048, 99_285_991_748, 148_940]),
    ("resp612-1cpu", [2, 7, 25, 0, 25, 2_104, 2_087, 17, 26, 1, 0, 7, 10_064_727_644, 122_266_266_298, 226_294]),
    ("fork61-1cpu", [2, 7, 572, 0, 0, 3_262, 2_192, 1_070, 573, 1, 0, 7, 3_100_185_048, 16_958_657_802, 378_472_632]),
    ("pipe61-1cpu", [2, 5, 40, 0, 0, 13_023, 98, 12_925, 41, 1, 0, 5, 595_061_312, 1_813_591_760, 107_999_635_664]),
    ("fairbench-2cpu", [4, 8, 25, 28, 2, 210, 165, 43, 26, 1, 0, 10, 25_165_169_240, 152_456_196_880, 15_546_099_334]),
    ("responsebench-4cpu", [3, 11, 25, 0, 2, 1_277, 1_263, 13, 26, 1, 0, 12, 23_668_182_663, 103_354_239_515, 7_269_782]),
    ("t612-response-8cpu", [2, 27, 26, 0, 4, 1_639, 1_618, 21, 27, 1, 0, 27, 27_688_707_218, 130_654_390_610, 125_959_434]),
    ("hackbench-8cpu-sleep", [7, 18, 81, 0, 4, 7_386, 163, 7_218, 82, 1, 0, 23, 9_657_819_448, 25_302_824_026, 832_757_884_063]),
    ("barrier32-after-sleep", [1, 40, 32, 0, 0, 827, 259, 570, 33, 2, 0, 38, 446_711_131_487, 269_999_575_103, 435_072_908_495]),
    ("forkpipe-8cpu", [3, 20, 52, 0, 0, 384, 285, 98, 53, 1, 0, 21, 4_704_564_737, 20_443_477_716, 357_706_802]),
    ("gclike-8cpu", [1, 18, 14, 0, 0, 1_070, 111, 960, 15, 1, 0, 17, 21_520_131_543, 38_280_250_944, 4_369_529_314]),
    ("yieldbarrier32", [3, 69, 34, 0, 5_153, 307, 222, 84, 35, 1, 0, 70, 306_837_754_232, 371_511_615_650, 5_873_174_996]),
    ("schedmix-4cpu", [1, 21, 12, 82, 421, 832, 729, 104, 13, 1, 0, 20, 8_719_130_442, 50_236_077_571, 717_432_392]),
    ("b510-barrier-8cpu", [4, 22, 9, 1, 0, 641, 62, 576, 9, 1, 0, 25, 4_664_676_299, 32_632_890_456, 5_910_293_919]),
    ("forkpipe-s390x", [2, 13, 52, 0, 0, 614, 534, 80, 53, 1, 0, 13, 10_917_825_897, 42_795_339_522, 602_178_958]),
    ("switchonly-4cpu", [53, 0, 0, 0, 0, 1_738, 1_727, 0, 41, 1, 0, 11, 802_671_339, 6_128_068_541, 0]),
    ("big128", [2, 479, 358, 61, 72, 948_346, 2_289, 945_999, 297, 4, 1, 537, 8_630_761_181_848, 22_814_075_927_245, 416_257_393_234_230]),
];

fn row(counts: Counts) -> [u64; 15] {
    [
        counts.init_runnable,
        counts.init_sleeping,
        counts.fork,
        counts.prio,
        counts.yields,
        counts.block,
        counts.wakeup_external,
        counts.wakeup_dependent,
        counts.exit,
        counts.running_at_end,
        counts.runnable_at_end,
        counts.sleeping_at_end,
        counts.cpu_ns,
        counts.external_sleep_ns,
        counts.distance_ns,
    ]
}

#[test]
fn counts_and_sums_are_those_of_the_prototype() {
    let mut fixtures = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    fixtures.extend(["..", "..", "tests", "fixtures"]);
    let folders: Vec<PathBuf> = [Some(fixtures), folder("replay"), folder("traces")]
        .into_iter()
        .flatten()
        .collect();
    let mut seen = 0;
    for (name, expected) in TABLE {
        let names = [format!("{name}.dat"), format!("{name}.dat.zst")];
        let mut paths = folders
            .iter()
            .flat_map(|folder| names.iter().map(move |name| folder.join(name)));
        let Some(path) = paths.find(|path| path.exists()) else {
            continue;
        };
        let (_, workload) = recorded(&path);
        assert_eq!(row(workload.counts()), expected, "{name}");
        seen += 1;
    }
    assert!(1 <= seen);
}
