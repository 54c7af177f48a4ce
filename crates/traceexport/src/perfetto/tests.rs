//! Written files, read back by a walk over their fields.

use std::io::Read;

use flate2::read::ZlibDecoder;
use tracegen::Story;

use super::*;

/// A field's value.
#[derive(Debug, PartialEq)]
enum Field {
    Number(u64),
    Bytes(Vec<u8>),
}

fn varint(bytes: &mut &[u8]) -> u64 {
    let (mut number, mut shift) = (0, 0);
    loop {
        let (byte, rest) = bytes.split_first().unwrap();
        *bytes = rest;
        number |= u64::from(byte & 0x7f) << shift;
        shift += 7;
        if byte & 0x80 == 0 {
            return number;
        }
    }
}

fn fields(mut bytes: &[u8]) -> Vec<(u64, Field)> {
    let mut found = Vec::new();
    while !bytes.is_empty() {
        let tag = varint(&mut bytes);
        found.push(match tag & 7 {
            0 => (tag >> 3, Field::Number(varint(&mut bytes))),
            2 => {
                let len = varint(&mut bytes) as usize;
                let (piece, rest) = bytes.split_at(len);
                bytes = rest;
                (tag >> 3, Field::Bytes(piece.to_vec()))
            }
            other => panic!("wire type {other}"),
        });
    }
    found
}

fn number(of: &[(u64, Field)], wanted: u64) -> Option<u64> {
    of.iter().find_map(|(field, value)| match value {
        Field::Number(number) if *field == wanted => Some(*number),
        _ => None,
    })
}

fn messages(of: &[(u64, Field)], wanted: u64) -> Vec<Vec<(u64, Field)>> {
    let pieces = of.iter().filter_map(|(field, value)| match value {
        Field::Bytes(bytes) if *field == wanted => Some(fields(bytes)),
        _ => None,
    });
    pieces.collect()
}

fn text(of: &[(u64, Field)], wanted: u64) -> String {
    let found = of.iter().find_map(|(field, value)| match value {
        Field::Bytes(bytes) if *field == wanted => Some(String::from_utf8(bytes.clone()).unwrap()),
        _ => None,
    });
    found.unwrap_or_default()
}

fn messages_as_text(of: &[(u64, Field)], wanted: u64) -> Vec<String> {
    let texts = of.iter().filter_map(|(field, value)| match value {
        Field::Bytes(bytes) if *field == wanted => Some(String::from_utf8(bytes.clone()).unwrap()),
        _ => None,
    });
    texts.collect()
}

/// All packets of a file.
fn packets(file: &[u8]) -> Vec<Vec<(u64, Field)>> {
    let mut found = Vec::new();
    for packet in messages(&fields(file), 1) {
        let [(50, Field::Bytes(packed))] = packet.as_slice() else {
            panic!("not packed");
        };
        let mut plain = Vec::new();
        ZlibDecoder::new(packed.as_slice()).read_to_end(&mut plain).unwrap();
        assert!(plain.len() <= 512 << 10);
        found.extend(messages(&fields(&plain), 1));
    }
    found
}

fn export(story: &str, window: &Window, extra: Extra<'_>) -> Result<Vec<u8>, PerfettoError> {
    let bytes = Story::parse(story).unwrap().to_bytes();
    let file = TraceFile::open(bytes.as_slice()).unwrap();
    let mut out = Vec::new();
    let written = write(&file, window, extra, &mut out)?;
    assert_eq!(written.bytes, out.len() as u64);
    Ok(out)
}

const STORY: &str = "cpus 2\nstart 10s\n\
    +0 cpu0 switch swapper/0:0 R -> bash:100\n\
    +5us cpu0 waking bash:101 on 1 hardirq\n\
    +1s cpu0 lost 7\n\
    +0 cpu0 switch bash:100 R+ -> swapper/0:0\n\
    +1us cpu1 switch swapper/1:0 R -> sh:9\n\
    +3s cpu1 exit sh:9\n";

#[test]
fn bundles_are_by_cpu_and_second_and_begin_behind_gaps() {
    let packets = packets(&export(STORY, &Window::default(), Extra::default()).unwrap());
    assert_eq!(messages(&packets[0], 6).len(), 1);
    assert_eq!(text(&messages(&messages(&packets[1], 45)[0], 1)[0], 3), "6.1.0");
    let bundles: Vec<_> = packets.iter().flat_map(|packet| messages(packet, 1)).collect();
    let told: Vec<_> = bundles
        .iter()
        .map(|bundle| {
            (
                number(bundle, 1),
                messages(bundle, 2).len(),
                number(bundle, 3),
                number(bundle, 10),
            )
        })
        .collect();
    let second = 1_000_000_000;
    assert_eq!(
        told,
        [
            (Some(0), 2, None, Some(0)),
            (Some(0), 1, Some(1), Some(10 * second + 5000)),
            (Some(1), 1, None, Some(0)),
            (Some(1), 1, None, Some(11 * second + 6000)),
        ]
    );
    let events = messages(&bundles[0], 2);
    let switch = &messages(&events[0], 4)[0];
    assert_eq!(
        (text(switch, 1).as_str(), number(switch, 2), number(switch, 4)),
        ("swapper/0", Some(0), Some(0))
    );
    // The context of the waker stands behind the event: a hardirq, interrupts off.
    assert_eq!(events[1].last(), Some(&(5, Field::Number(9))));
    let preempted = &messages(&messages(&bundles[1], 2)[0], 4)[0];
    assert_eq!(number(preempted, 4), Some(0x100));
    let stats = messages(packets.last().unwrap(), 34);
    let overruns: Vec<_> = messages(&stats[0], 2).iter().map(|cpu| number(cpu, 3)).collect();
    assert_eq!(overruns, [Some(7), Some(0)]);
}

#[test]
fn no_interrupt_is_told_of_where_the_source_cannot_tell() {
    let flags = |cannot_tell| {
        let extra = Extra {
            cannot_tell,
            ..Extra::default()
        };
        let packets = packets(&export(STORY, &Window::default(), extra).unwrap());
        let bundles = packets.iter().flat_map(|packet| messages(packet, 1));
        let events = bundles.flat_map(|bundle| messages(&bundle, 2));
        events.map(|event| number(&event, 5)).collect::<Vec<_>>()
    };
    // All of these events are written with interrupts off (1).
    let hardirq = Some(1 | 8);
    let (none, unknown) = (Some(1), None);
    assert_eq!(flags(CannotTell::NOTHING), [none, hardirq, none, none, none]);
    let told = flags(CannotTell::CONTEXT);
    assert_eq!(told, [unknown, hardirq, unknown, unknown, unknown]);
}

#[test]
fn a_bundle_that_is_too_long_is_split() {
    let mut story = "cpus 1\nstart 1s\n".to_owned();
    for _ in 0..12_000 {
        story.push_str("+1 cpu0 print xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\n");
    }
    let packets = packets(&export(&story, &Window::default(), Extra::default()).unwrap());
    let counts: Vec<_> = packets
        .iter()
        .flat_map(|packet| messages(packet, 1))
        .map(|bundle| messages(&bundle, 2).len())
        .collect();
    assert!(1 < counts.len(), "{counts:?}");
    assert_eq!(counts.iter().sum::<usize>(), 12_000);
}

#[test]
fn counters_and_tasks_go_along() {
    let extra = Extra {
        tasks: vec![
            Known {
                pid: 2,
                tgid: None,
                comm: "kthreadd".to_owned(),
                is_kernel_thread: true,
            },
            Known {
                pid: 8,
                tgid: Some(7),
                comm: "reader".to_owned(),
                is_kernel_thread: false,
            },
        ],
        counters: vec![Counter {
            name: "running",
            values: Box::new([(10_000_000_000, 1), (10_000_005_000, 0)].into_iter()),
        }],
        cannot_tell: CannotTell::MIGRATIONS,
    };
    let packets = packets(&export(STORY, &Window::default(), extra).unwrap());
    let process = &messages(&messages(&packets[2], 2)[0], 1)[0];
    assert_eq!(
        (number(process, 1), text(process, 3).as_str(), number(process, 8)),
        (Some(2), "kthreadd", Some(1))
    );
    let thread = &messages(&messages(&packets[2], 2)[0], 2)[0];
    assert_eq!(
        (number(thread, 1), text(thread, 2).as_str(), number(thread, 3)),
        (Some(8), "reader", Some(7))
    );
    // What can be told is named as recorded, also where there is none of it.
    let config = messages(&messages(&messages(&packets[3], 33)[0], 2)[0], 1);
    let names = messages_as_text(&messages(&config[0], 100)[0], 1);
    assert_eq!(
        names,
        ["sched/sched_switch", "sched/sched_waking", "sched/sched_wakeup"]
    );
    let tracks: Vec<_> = packets.iter().flat_map(|packet| messages(packet, 60)).collect();
    assert_eq!(text(&tracks[0], 2), "running");
    let values: Vec<_> = packets
        .iter()
        .flat_map(|packet| {
            messages(packet, 11)
                .into_iter()
                .map(|event| (number(packet, 8), number(&event, 30)))
        })
        .collect();
    assert_eq!(
        values,
        [(Some(10_000_000_000), Some(1)), (Some(10_000_005_000), Some(0))]
    );
}

#[test]
fn what_cannot_be_said_is_refused() {
    let nothing = Window {
        from: 1 << 60,
        ..Window::default()
    };
    assert!(matches!(
        export(STORY, &nothing, Extra::default()),
        Err(PerfettoError::Empty)
    ));
    let ticks = format!("clock x86-tsc\n{STORY}");
    assert!(matches!(
        export(&ticks, &Window::default(), Extra::default()),
        Err(PerfettoError::NotNs(_))
    ));
}
