//! Containers and encodings around traces: what is in them reads as it does without them.

use std::io::{Read, Write};

use schedrows::{DiagnosticKind, ErrorKind, Source};

use crate::support::{fixture, open, opened, story};

/// The seven lines that most fixtures here have, read by hand.
fn seven() -> Vec<(u64, &'static str)> {
    let by = |at: u64| 100_000_000_000 + at;
    vec![
        (by(0), "Waking worker:100 Some(0) 120 by Some(0) 0"),
        (by(2_000), "Wakeup worker:100 Some(0) 120 by Some(0) 0"),
        (by(10_000), "swapper/0:0 Rfalse worker:100 120 by Some(0) 0"),
        (by(500_000), "Waking helper:101 Some(0) 120 by Some(100) 0"),
        (by(502_000), "Wakeup helper:101 Some(0) 120 by Some(100) 0"),
        (by(1_010_000), "worker:100 Sfalse helper:101 120 by Some(100) 0"),
        (by(1_510_000), "helper:101 Sfalse swapper/0:0 120 by Some(101) 0"),
    ]
}

fn read(name: &str, bytes: Vec<u8>) -> Vec<(u64, String)> {
    let file = open(bytes).unwrap_or_else(|error| panic!("{name}: {error}: {}", error.advice));
    assert_eq!(file.info().format, "text");
    let mut cpus = story(&file);
    assert_eq!(cpus.len(), 1);
    cpus.remove(&0).unwrap()
}

fn assert_seven(name: &str, bytes: Vec<u8>) {
    let found = read(name, bytes);
    let found: Vec<(u64, &str)> = found.iter().map(|(at, words)| (*at, words.as_str())).collect();
    assert_eq!(found, seven(), "{name}");
}

#[test]
fn each_encoding_gives_the_lines() {
    for name in [
        "quoted-printable.txt",
        "json-system-trace-events.json",
        "utf16.txt",
        "atrace-z.ctrace",
        "wrapped-mail.txt",
    ] {
        assert_seven(name, fixture(&format!("containers/{name}")));
    }
}

/// The same lines without anything around them.
fn plain() -> String {
    let mut text = String::new();
    flate2::read::ZlibDecoder::new(&fixture("containers/atrace-z.ctrace")[7..])
        .read_to_string(&mut text)
        .unwrap();
    text
}

/// Wraps the text at a number of columns, as mail programs do.
fn wrapped(text: &str, columns: usize, quote: &str, soft: &str) -> String {
    let mut out = String::new();
    for line in text.lines() {
        let mut rest = line;
        while columns < rest.len() {
            let Some(at) = rest[..columns].rfind(' ').filter(|&at| !rest[..at].trim().is_empty()) else {
                break;
            };
            out += &format!("{quote}{}{soft}\n", &rest[..at]);
            rest = rest[at..].trim_start();
        }
        out += &format!("{quote}{rest}\n");
    }
    out
}

#[test]
fn wrapped_lines_are_joined_wherever_they_are_broken() {
    assert_seven("plain", plain().into_bytes());
    // Behind 55 columns, the event's name may be the first word of the next line.
    for columns in [50, 55, 60, 66, 72, 76, 78, 100] {
        for (quote, soft) in [("", ""), ("> ", ""), ("", " "), ("> > ", " ")] {
            let text = wrapped(&plain(), columns, quote, soft);
            assert_seven(&format!("{columns} columns, {quote:?}"), text.into_bytes());
        }
    }
}

#[test]
fn lines_that_say_too_little_stay_as_they_are() {
    let text = plain();
    let cut: String = text
        .lines()
        .map(|line| match line.contains("sched_waking") {
            true => line.split(" prio=").next().unwrap().to_owned() + "\n",
            false => line.to_owned() + "\n",
        })
        .collect();
    let file = open(cut.into_bytes()).unwrap();
    let scans = crate::support::scan(&file);
    let unread: u64 = scans[0]
        .diagnostics
        .iter()
        .filter(|found| found.kind == DiagnosticKind::Malformed)
        .map(|found| found.count)
        .sum();
    assert_eq!((scans[0].records, unread), (7, 2));
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn zip(members: &[(&str, &[u8])], method: rawzip::CompressionMethod) -> Vec<u8> {
    let mut out = Vec::new();
    let mut archive = rawzip::ZipArchiveWriter::new(&mut out);
    for (name, bytes) in members {
        let (mut entry, config) = archive.new_file(*name).compression_method(method).start().unwrap();
        let descriptor = if method == rawzip::CompressionMethod::DEFLATE {
            let encoder = flate2::write::DeflateEncoder::new(&mut entry, flate2::Compression::default());
            let mut writer = config.wrap(encoder);
            writer.write_all(bytes).unwrap();
            let (encoder, descriptor) = writer.finish().unwrap();
            encoder.finish().unwrap();
            descriptor
        } else {
            let mut writer = config.wrap(&mut entry);
            writer.write_all(bytes).unwrap();
            writer.finish().unwrap().1
        };
        entry.finish(descriptor).unwrap();
    }
    archive.finish().unwrap();
    out
}

fn zipped(name: &str, bytes: &[u8]) -> Vec<u8> {
    zip(&[(name, bytes)], rawzip::CompressionMethod::DEFLATE)
}

fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::new();
    for group in bytes.chunks(3) {
        let bits = group.iter().fold(0, |bits, &byte| bits << 8 | u32::from(byte)) << (8 * (3 - group.len()));
        for place in 0..4 {
            let letter = char::from(LETTERS[(bits >> (18 - 6 * place) & 63) as usize]);
            out.push(if place <= group.len() { letter } else { '=' });
        }
        if out.len() % 77 == 76 {
            out.push('\n');
        }
    }
    out
}

fn utf16(text: &str) -> Vec<u8> {
    std::iter::once(0xfeff_u16)
        .chain(text.encode_utf16())
        .flat_map(u16::to_be_bytes)
        .collect()
}

#[test]
fn encodings_may_be_inside_of_each_other() {
    let text = plain();
    let json = format!("{{\"systemTraceEvents\": {:?}}}", text.replace('\t', " "));
    let page = format!("<!DOCTYPE html><html><script class=\"trace-data\">\n{json}\n</script></html>");
    let viewer = format!(
        "<html><script id=\"viewer-data\">\n{}\n</script>",
        base64(&gzip(json.as_bytes()))
    );
    let escaped = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    let mail = format!(
        "Content-Transfer-Encoding: base64\n\n{}",
        base64(&gzip(text.as_bytes()))
    );
    for (name, bytes) in [
        ("JSON in gzip", gzip(json.as_bytes())),
        ("JSON in HTML", page.clone().into_bytes()),
        ("JSON in HTML in zip", zipped("trace.html", page.as_bytes())),
        ("gzip in base64 in HTML", viewer.into_bytes()),
        (
            "the page of an archive",
            format!("<html><pre>{escaped}</pre>").into_bytes(),
        ),
        ("UTF-16 in zstd", zstd::bulk::compress(&utf16(&text), 3).unwrap()),
        ("gzip in a mail", mail.clone().into_bytes()),
        ("a mail in gzip", gzip(mail.as_bytes())),
        (
            "quoted-printable in zip in gzip",
            gzip(&zipped("a.eml", &fixture("containers/quoted-printable.txt"))),
        ),
        ("windows", text.replace('\n', "\r\n").into_bytes()),
        ("carriage returns", text.replace('\n', "\r").into_bytes()),
    ] {
        assert_seven(name, bytes);
    }
}

/// Quoted-printable (RFC 2045, 6.7): `escaped` bytes as `=` and two digits, lines of at most 76 columns by soft breaks.
fn quoted_printable(text: &str, escaped: &[u8], lower: bool) -> String {
    let mut out = String::new();
    for line in text.lines() {
        let mut columns = 0;
        for &byte in line.as_bytes() {
            let word = match byte {
                _ if !escaped.contains(&byte) => char::from(byte).to_string(),
                _ if lower => format!("={byte:02x}"),
                _ => format!("={byte:02X}"),
            };
            if 75 < columns + word.len() {
                out.push_str("=\n");
                columns = 0;
            }
            columns += word.len();
            out.push_str(&word);
        }
        out.push('\n');
    }
    out
}

#[test]
fn quoted_printable_is_decoded_however_it_is_written() {
    let text = plain();
    for escaped in [&b"="[..], b"= ", b"=[]:", b"=0123456789"] {
        for lower in [false, true] {
            let body = quoted_printable(&text, escaped, lower);
            let name = format!("{escaped:?}, lower case {lower}");
            let mail = format!("Subject: a\nContent-Transfer-Encoding: quoted-printable\n\n{body}");
            assert_seven(&name, mail.into_bytes());
            // Text that was copied out of a mail has no header.
            assert_seven(&format!("{name}, without a header"), body.into_bytes());
        }
    }
}

fn containers(bytes: &[u8]) -> Vec<(&'static str, Vec<u8>)> {
    vec![
        ("gzip", gzip(bytes)),
        ("zstd", zstd::bulk::compress(bytes, 3).unwrap()),
        ("zip", zipped("trace", bytes)),
        ("stored zip", zip(&[("trace", bytes)], rawzip::CompressionMethod::STORE)),
        ("zip in gzip", gzip(&zipped("trace", bytes))),
        ("gzip in zip", zipped("trace.gz", &gzip(bytes))),
        (
            "tar in gzip",
            gzip(&tar(&[("README", b"how it was recorded\n"), ("run/trace", bytes)])),
        ),
        (
            "gzip in tar",
            tar(&[("notes.txt", b"how it was recorded\n"), ("trace.gz", &gzip(bytes))]),
        ),
        ("tar in zip", zipped("trace.tar", &tar(&[("trace", bytes)]))),
    ]
}

/// A tar by POSIX.1-1988: headers of 512 bytes with octal numbers, contents padded to as many.
fn tar(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut out = Vec::new();
    for (name, content) in files {
        let mut header = [0; 512];
        header[..name.len()].copy_from_slice(name.as_bytes());
        header[100..108].copy_from_slice(b"0000644\0");
        header[124..136].copy_from_slice(format!("{:011o}\0", content.len()).as_bytes());
        header[148..156].fill(b' ');
        header[156] = b'0';
        header[257..265].copy_from_slice(b"ustar\x0000");
        let sum: u32 = header.iter().map(|&byte| u32::from(byte)).sum();
        header[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
        out.extend(header);
        out.extend(*content);
        out.resize(out.len().next_multiple_of(512), 0);
    }
    out.resize(out.len() + 1024, 0);
    out
}

#[test]
fn of_several_files_in_a_tar_the_only_trace_is_taken() {
    let text = plain();
    let text = text.as_bytes();
    assert_seven("alone", tar(&[("trace.txt", text)]));
    assert_seven(
        "beside a picture",
        tar(&[("._trace.txt", text), ("a.png", b"\x89PNG\0"), ("trace.txt", text)]),
    );
    let error = open(tar(&[("a.txt", text), ("b.txt", text)])).err().unwrap();
    assert_eq!(error.what, "a tar with 2 traces: a.txt, b.txt");
    let error = open(tar(&[("a.png", b"\x89PNG\0")])).err().unwrap();
    assert_eq!(error.what, "a tar without pages of a trace and their formats");
    let cut = tar(&[("trace.txt", text), ("more", &[b'x'; 600])]);
    let (kind, text, rows) = problem("a cut tar", cut[..cut.len() - 1500].to_vec());
    assert_eq!((kind, rows), (DiagnosticKind::Truncated, 7), "{text}");
    // A tar in a tar in a tar ends.
    let mut nested = tar(&[("trace.txt", b"a-1 [000] 1.0: x: y\n")]);
    for _ in 0..10 {
        nested = tar(&[("trace.tar", &nested)]);
    }
    assert!(open(nested).is_err());
}

#[test]
fn any_container_around_any_format_gives_the_same() {
    let dat = tracegen::Story::parse("1s cpu0 exit a:1").unwrap().to_bytes();
    let mut tar = Vec::new();
    flate2::read::GzDecoder::new(fixture("test.tar.gz").as_slice())
        .read_to_end(&mut tar)
        .unwrap();
    let perf = fixture("record-z-4cpu.perf.data");
    let perfetto = std::fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/samples/full-4cpu.pftrace")).unwrap();
    let scenario = b"# corelane scenario 1\n1s cpu0 a:1 exit\n".to_vec();
    let stories = |source: &dyn Source| (source.info().format, story(source));
    for (name, bytes, expected) in [
        ("text", plain().into_bytes(), None),
        ("perf.data", perf, None),
        ("perfetto", perfetto, None),
        ("schedviz", tar, None),
        (
            "scenario",
            scenario.clone(),
            Some(stories(&schedtext::ScenarioFile::open(scenario).unwrap())),
        ),
        (
            "trace.dat",
            dat.clone(),
            Some(stories(&tracedat::file::TraceFile::open(dat).unwrap())),
        ),
    ] {
        let expected = expected.unwrap_or_else(|| stories(&open(bytes.clone()).unwrap()));
        assert_eq!(expected.0, name);
        assert!(expected.1.values().any(|rows| !rows.is_empty()), "{name}");
        for (container, packed) in containers(&bytes) {
            let file = open(packed).unwrap_or_else(|error| panic!("{name} in {container}: {error}"));
            assert_eq!(stories(&file), expected, "{name} in {container}");
        }
    }
}

#[test]
fn of_several_files_in_an_archive_the_only_trace_is_taken() {
    let text = plain();
    let method = rawzip::CompressionMethod::DEFLATE;
    let perf = fixture("record-z-4cpu.perf.data");
    let with_notes = zip(
        &[
            ("__MACOSX/._a", b"\0\x05"),
            ("icon.png", b"\x89PNG\r\n\0\0"),
            ("a/trace.txt", text.as_bytes()),
        ],
        method,
    );
    assert_seven("beside others", with_notes);
    let binary = zip(&[("README.txt", b"my trace"), ("perf.data", &perf)], method);
    assert_eq!(open(binary).unwrap().info().format, "perf.data");
    let beside_prose = zip(&[("README.txt", b"my trace"), ("a.txt", text.as_bytes())], method);
    assert_seven("beside prose", beside_prose);
    let two = zip(&[("a.txt", text.as_bytes()), ("b.txt", text.as_bytes())], method);
    let error = open(two).err().unwrap();
    assert_eq!(error.what, "a zip archive with 2 traces: a.txt, b.txt");
    assert_eq!(error.advice, "Unpack it, and open one of them.");
    let none = open(zip(&[("a.png", b"\x89PNG\0"), ("b.png", b"\x89PNG\0")], method))
        .err()
        .unwrap();
    assert_eq!(none.kind, ErrorKind::NotATrace);
}

fn problem(name: &str, bytes: Vec<u8>) -> (DiagnosticKind, String, usize) {
    let file = open(bytes).unwrap();
    let found = file.diagnostics().first().cloned();
    let found = found.unwrap_or_else(|| panic!("{name}: nothing is said"));
    let rows = story(&file).values().map(Vec::len).sum();
    (found.kind, found.text, rows)
}

#[test]
fn damaged_containers_open_as_far_as_they_can_and_say_so() {
    let text = plain().repeat(2000);
    let cut = |bytes: Vec<u8>| bytes[..bytes.len() / 2].to_vec();
    for (name, bytes) in [
        ("gzip file", cut(gzip(text.as_bytes()))),
        ("zip archive", cut(zipped("a.txt", text.as_bytes()))),
        (
            "packed data of atrace",
            cut([b"TRACE:\n".to_vec(), zlib(text.as_bytes())].concat()),
        ),
    ] {
        let (kind, text, rows) = problem(name, bytes);
        assert_eq!(kind, DiagnosticKind::Truncated, "{name}: {text}");
        assert!(text.contains(name) && text.contains("ends early"), "{text}");
        assert!((1000..14_000).contains(&rows), "{name}: {rows}");
    }
    let mut wrong = zip(&[("a.txt", plain().as_bytes())], rawzip::CompressionMethod::STORE);
    let at = wrong.windows(6).position(|bytes| bytes == b"helper").unwrap();
    wrong[at] = b'H';
    let (kind, text, _) = problem("a wrong byte", wrong);
    assert_eq!(kind, DiagnosticKind::Malformed);
    assert!(text.contains("check sum"), "{text}");
}

fn zlib(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

#[test]
fn what_is_not_read_is_named() {
    for (bytes, expected) in [
        (b"\xfd7zXZ\0\0\x04".to_vec(), "xz"),
        (b"BZh91AY&SY".to_vec(), "bzip2"),
        (b"\x04\x22\x4d\x18d@".to_vec(), "lz4"),
        (b"7z\xbc\xaf\x27\x1c".to_vec(), "7-Zip"),
        (gzip(b"\xfd7zXZ\0\0\x04"), "xz"),
        (gzip(b"\x7fELF\0\0"), "holds no trace"),
        (gzip(b""), "nothing in it"),
        (b"{\"traceEvents\": []}".to_vec(), "JSON"),
        (
            b"From: a\nContent-Transfer-Encoding: base64\n\nAAECAwQ=\n".to_vec(),
            "attachment",
        ),
    ] {
        let error = open(bytes).err().unwrap();
        assert!(error.what.contains(expected), "{expected}: {error}");
        assert!(!error.advice.is_empty());
    }
}

#[test]
fn numbers_of_states_are_those_of_the_kernel() {
    let states = |name: &str| -> Vec<String> {
        let rows = story(&opened(name)).remove(&0).unwrap();
        let words = |row: &str| row.split(' ').nth(1).unwrap().to_owned();
        rows.iter().map(|(_, row)| words(row)).collect()
    };
    let name = "containers/raw-prev-state-3.18.txt";
    assert_eq!(states(name), ["Rfalse", "Rtrue", "xfalse", "Sfalse"]);
    let text = String::from_utf8(fixture(name)).unwrap();
    let of = |text: String| -> Vec<String> {
        let file = open(text.into_bytes()).unwrap();
        let rows = story(&file).remove(&0).unwrap();
        // Where lines are left out, the chain of switches is broken.
        let switches = rows.iter().filter(|(_, row)| row != "Lost");
        switches
            .map(|(_, row)| row.split(' ').nth(1).unwrap().to_owned())
            .collect()
    };
    // What says which kernel it was may come behind: the lines in another order, and the times with them.
    let lines: Vec<&str> = text.lines().collect();
    let moved = [lines[0], lines[3], lines[2], lines[4]].join("\n");
    assert_eq!(of(moved)[0], "xfalse");
    // Nothing says it: dead before 4.14, parked since then.
    let unclear = [lines[0], lines[1], lines[3], lines[4]].join("\n");
    assert_eq!(of(unclear.clone()), ["Rfalse", "?false", "Sfalse"]);
    let file = open(unclear.clone().into_bytes()).unwrap();
    assert!(file
        .diagnostics()
        .iter()
        .any(|found| found.text.contains("which kernel") && found.count == 1));
    for (head, expected) in [
        ("# os release : 3.10.0-957.el7\n", "xfalse"),
        ("# os release : 6.1.0-13-amd64\n", "Pfalse"),
        ("# irqsoff latency trace v1.1.5 on 3.8.0-test\n", "xfalse"),
        ("Linux version 5.15.0 (a@b)\n", "Pfalse"),
        ("Linux box 4.9.0-8-amd64 #1 SMP\n", "xfalse"),
    ] {
        assert_eq!(of(format!("{head}{unclear}"))[1], expected, "{head}");
    }
}
