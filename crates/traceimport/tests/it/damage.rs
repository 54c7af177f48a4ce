//! Every file opens as far as it can, or says why not, in bounded time.

use std::time::{Duration, Instant};

use crate::support::{fixture, open, scan};

const FILES: [&str; 5] = [
    "record-z-4cpu.perf.data",
    "pipe-4cpu.perf.data",
    "sched-record-4cpu.perf.data.gz",
    "mail.txt",
    "tracefs-latency.txt",
];

fn records(bytes: Vec<u8>) -> u64 {
    let begun = Instant::now();
    let records = match open(bytes) {
        Ok(file) => scan(&file).iter().map(|scan| scan.records).sum(),
        Err(error) => {
            assert!(!error.message.is_empty() && !error.advice.is_empty());
            0
        }
    };
    assert!(begun.elapsed() < Duration::from_secs(20));
    records
}

/// Numbers that look random and are the same each time.
fn numbers(mut seed: u64) -> impl FnMut(usize) -> usize {
    move |below| {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        (seed % below as u64) as usize
    }
}

#[test]
fn cut_files_open_up_to_the_cut() {
    for name in FILES {
        let whole = fixture(name);
        let all = records(whole.clone());
        let mut random = numbers(7);
        let mut places: Vec<usize> = (0..40).map(|_| random(whole.len())).collect();
        places.extend(0..30);
        for place in places {
            assert!(records(whole[..place].to_vec()) <= all, "{name} at {place}");
        }
    }
}

#[test]
fn wrong_bytes_do_no_harm() {
    for name in FILES {
        let whole = fixture(name);
        let mut random = numbers(11);
        for round in 0..60 {
            let mut damaged = whole.clone();
            // The head is where most of the structure is.
            let at = if round % 2 == 0 {
                random(whole.len())
            } else {
                random(2048.min(whole.len()))
            };
            damaged[at] ^= 1 << random(8);
            damaged[(at + 1) % whole.len()] = random(256) as u8;
            records(damaged);
        }
    }
}

#[test]
fn a_bomb_and_an_endless_line_are_bounded() {
    let line = vec![b'a'; 8 << 20];
    assert_eq!(records(line), 0);
    let line = [b"a-1 [000] d..2. 1.0: sched_waking: ".to_vec(), vec![b'x'; 8 << 20]].concat();
    assert_eq!(records(line), 0);
    let bomb = zstd::bulk::compress(&vec![b'\n'; 16 << 20], 3).unwrap();
    assert_eq!(records(bomb), 0);
}
