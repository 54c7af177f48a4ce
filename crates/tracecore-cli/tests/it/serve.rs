//! `corelane serve` over real connections: what it gives, and what it refuses.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::program::fixture;

/// A running server, and the folder with all that it serves.
struct Served {
    child: Child,
    address: String,
    folder: PathBuf,
    trace: Vec<u8>,
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// An answer: the status, the head in lower case, the body.
struct Answer {
    status: u16,
    head: String,
    body: Vec<u8>,
}

/// A server, and the line that it prints when it listens.
fn started(command: &mut Command) -> (Child, String) {
    let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap())
        .read_line(&mut line)
        .unwrap();
    (child, line)
}

impl Served {
    /// A folder `traces` with traces, links and other files, beside a secret; a page of one file.
    fn new(name: &str, more: &[&str]) -> Served {
        let folder = std::env::temp_dir().join(format!("corelane-serve-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        let traces = folder.join("traces");
        fs::create_dir_all(traces.join("sub/.hidden")).unwrap();
        fs::create_dir_all(folder.join("dist")).unwrap();
        fs::write(folder.join("dist/index.html"), "<title>page</title>").unwrap();
        fs::write(folder.join("dist/index.html.br"), "packed").unwrap();
        fs::write(folder.join("dist/plain.css"), "p {}").unwrap();
        let trace = fs::read(fixture("pinned-4cpu.dat")).unwrap();
        for name in [
            "traces/a.dat",
            "traces/sub/b & <c>.dat",
            "traces/sub/.hidden/d.dat",
            "traces/.e.dat",
            "secret.dat",
        ] {
            fs::write(folder.join(name), &trace).unwrap();
        }
        fs::write(traces.join("notes.txt"), "no trace").unwrap();
        #[cfg(unix)]
        for (to, name) in [
            ("../secret.dat", "out.dat"),
            ("..", "up"),
            ("sub/b & <c>.dat", "in.dat"),
            ("/", "sub/root"),
        ] {
            std::os::unix::fs::symlink(to, traces.join(name)).unwrap();
        }
        let (child, line) = started(
            Command::new(env!("CARGO_BIN_EXE_corelane"))
                .args(["serve", "--listen", "127.0.0.1:0", "--page"])
                .arg(folder.join("dist"))
                .args(more)
                .arg(&traces),
        );
        let address = line
            .trim()
            .trim_start_matches("http://")
            .trim_end_matches('/')
            .to_owned();
        Served {
            child,
            address,
            folder,
            trace,
        }
    }

    fn send(&self, request: &str) -> Answer {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        stream.write_all(request.as_bytes()).unwrap();
        let mut bytes = Vec::new();
        // A server that refuses a request may close before all of it came.
        let _ = stream.read_to_end(&mut bytes);
        let end = bytes
            .windows(4)
            .position(|four| four == b"\r\n\r\n")
            .unwrap_or(bytes.len());
        let head = String::from_utf8_lossy(&bytes[..end]).to_lowercase();
        Answer {
            status: head.split(' ').nth(1).map_or(0, |status| status.parse().unwrap()),
            body: bytes.get(end + 4..).unwrap_or_default().to_vec(),
            head,
        }
    }

    fn ask(&self, method: &str, path: &str, headers: &str) -> Answer {
        let host = &self.address;
        self.send(&format!(
            "{method} {path} HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n{headers}\r\n"
        ))
    }

    fn get(&self, path: &str) -> Answer {
        self.ask("GET", path, "")
    }
}

impl Answer {
    fn header(&self, name: &str) -> Option<&str> {
        self.head
            .lines()
            .find_map(|line| line.strip_prefix(&format!("{name}: ")))
    }

    fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }
}

#[test]
fn traces_and_the_page_are_there() {
    let served = Served::new("there", &[]);
    assert_eq!(served.get("/").header("location"), Some("/traces/"));
    let listing = served.get("/traces/").text();
    assert!(
        listing.contains("href=\"/page/?trace=%2Ftraces%2Fa.dat\">a.dat</a>"),
        "{listing}"
    );
    assert!(
        listing.contains("href=\"sub/\">sub/</a>") && listing.contains(">in.dat</a>"),
        "{listing}"
    );
    let sub = served.get("/traces/sub/").text();
    assert!(
        sub.contains(">b &amp; &lt;c&gt;.dat</a>") && !sub.contains("<c>"),
        "{sub}"
    );
    for path in ["/traces/a.dat", "/traces/in.dat", "/traces/sub/b%20%26%20%3Cc%3E.dat"] {
        let whole = served.get(path);
        assert_eq!((whole.status, whole.body == served.trace), (200, true), "{path}");
    }
    let page = served.get("/page/");
    assert_eq!((page.status, page.text().as_str()), (200, "<title>page</title>"));
    let policy = page.header("content-security-policy").unwrap();
    assert!(policy.contains("default-src 'none'") && policy.contains("connect-src 'self'"));
    assert_eq!(page.header("x-content-type-options"), Some("nosniff"));
    let again = served.ask(
        "GET",
        "/page/",
        &format!("if-none-match: {}\r\n", page.header("etag").unwrap()),
    );
    assert_eq!((again.status, again.body.len()), (304, 0));
    let head = served.ask("HEAD", "/traces/a.dat", "");
    let size = served.trace.len().to_string();
    assert_eq!(
        (head.status, head.header("content-length"), head.body.len()),
        (200, Some(size.as_str()), 0)
    );
    assert_eq!(head.header("accept-ranges"), Some("bytes"));
}

#[test]
fn what_the_build_packed_is_sent_so_to_who_unpacks_it() {
    let served = Served::new("packed", &[]);
    let ask = |path: &str, takes: &str| served.ask("GET", path, &format!("accept-encoding: {takes}\r\n"));
    for takes in ["br", "gzip, deflate, br, zstd", "gzip, BR;q=0.5"] {
        let page = ask("/page/", takes);
        assert_eq!((page.status, page.text().as_str()), (200, "packed"), "{takes}");
        assert_eq!(page.header("content-encoding"), Some("br"), "{takes}");
        assert_eq!(page.header("content-type"), Some("text/html; charset=utf-8"), "{takes}");
        assert_eq!(page.header("vary"), Some("accept-encoding"), "{takes}");
    }
    for takes in ["gzip", "br;q=0", "gzip, br; q=0.000", "brotli"] {
        let page = ask("/page/", takes);
        assert_eq!(page.text(), "<title>page</title>", "{takes}");
        assert_eq!(page.header("content-encoding"), None, "{takes}");
        assert_eq!(page.header("vary"), Some("accept-encoding"), "{takes}");
    }
    let plain = ask("/page/plain.css", "br");
    assert_eq!(
        (plain.text().as_str(), plain.header("content-encoding")),
        ("p {}", None)
    );
}

/// Hidden, outside, not a trace, or written so that it could be one of these.
#[test]
fn what_is_not_listed_is_not_served() {
    let served = Served::new("hidden", &[]);
    let listing = served.get("/traces/").text();
    for name in ["out.dat", "up", "notes.txt", ".e.dat"] {
        assert!(!listing.contains(&format!(">{name}")), "{listing}");
    }
    assert!(!served.get("/traces/sub/").text().contains("root"));
    for path in [
        "/traces/out.dat",
        "/traces/up/",
        "/traces/up/secret.dat",
        "/traces/up/traces/a.dat",
        "/traces/sub/root/etc/passwd",
        "/traces/notes.txt",
        "/traces/.e.dat",
        "/traces/sub/.hidden/",
        "/traces/sub/.hidden/d.dat",
        "/traces/../secret.dat",
        "/traces/%2e%2e/secret.dat",
        "/traces/..%2fsecret.dat",
        "/traces/sub/..%2f..%2fsecret.dat",
        "/traces/%2e%2e%5csecret.dat",
        "/traces/a.dat%00",
        "/traces/a.dat%00.txt",
        "/traces//a.dat",
        "/traces/./a.dat",
        "/traces/a.dat/",
        "/traces/sub",
        "/traces/%ff%fe",
        "/traces/nothing.dat",
        "/page/../traces/a.dat",
        "/page/%2e%2e/secret.dat",
        "/page/nothing.js",
        "/etc/passwd",
        "/a.dat",
    ] {
        let answer = served.get(path);
        assert_eq!(answer.status, 404, "{path}");
        assert_eq!(answer.text(), "nothing is here that can be seen\n");
        assert_eq!(answer.header("x-content-type-options"), Some("nosniff"));
    }
}

#[test]
fn no_other_site_reads() {
    let served = Served::new("sites", &["--host", "Lab.example"]);
    let of = |headers: &str| {
        let request = format!("GET /traces/a.dat HTTP/1.1\r\nconnection: close\r\n{headers}\r\n");
        served.send(&request).status
    };
    for host in [
        "localhost",
        "LOCALHOST:8000",
        "127.0.0.1:1",
        "[::1]:80",
        "[::1]",
        "192.0.2.7:8000",
        "lab.example:9",
    ] {
        assert_eq!(of(&format!("host: {host}\r\n")), 200, "{host}");
    }
    for host in [
        "evil.example",
        "localhost.evil.example",
        "127.0.0.1.evil.example",
        "127.0.0.1:80@evil",
        "",
        "[::1",
        ":80",
    ] {
        assert_eq!(of(&format!("host: {host}\r\n")), 421, "{host}");
    }
    assert_eq!(of(""), 421);
    assert_eq!(of("host: localhost\r\nhost: evil.example\r\n"), 421);
    assert_eq!(
        of("host: localhost:8000\r\norigin: http://localhost:8000\r\nsec-fetch-site: same-origin\r\n"),
        200
    );
    for origin in [
        "http://evil.example",
        "null",
        "https://localhost:8000",
        "http://localhost:9",
        "http://localhost:8000.evil",
    ] {
        assert_eq!(
            of(&format!("host: localhost:8000\r\norigin: {origin}\r\n")),
            403,
            "{origin}"
        );
    }
    assert_eq!(
        of("host: localhost\r\nsec-fetch-site: none\r\nsec-fetch-mode: navigate\r\n"),
        200
    );
    assert_eq!(
        of("host: localhost\r\nsec-fetch-site: cross-site\r\nsec-fetch-mode: navigate\r\n"),
        200
    );
    for site in ["cross-site", "same-site"] {
        assert_eq!(
            of(&format!(
                "host: localhost\r\nsec-fetch-site: {site}\r\nsec-fetch-mode: no-cors\r\n"
            )),
            403
        );
    }
    let answer = served.get("/traces/a.dat");
    assert_eq!(answer.header("cross-origin-resource-policy"), Some("same-origin"));
    assert_eq!(answer.header("access-control-allow-origin"), None);
    for method in ["POST", "PUT", "DELETE", "OPTIONS", "PATCH", "X"] {
        let answer = served.ask(method, "/traces/a.dat", "content-length: 0\r\n");
        assert_eq!(
            (answer.status, answer.header("allow")),
            (405, Some("get, head")),
            "{method}"
        );
    }
}

#[test]
fn ranges_are_parts_of_the_file() {
    let served = Served::new("ranges", &[]);
    let (trace, size) = (&served.trace, served.trace.len());
    let ask = |range: &str, more: &str| served.ask("GET", "/traces/a.dat", &format!("range: {range}\r\n{more}"));
    for (range, place) in [
        ("bytes=0-9".to_owned(), 0..10),
        ("bytes=100-299".to_owned(), 100..300),
        (format!("bytes={}-", size - 7), size - 7..size),
        ("bytes=-7".to_owned(), size - 7..size),
        (format!("bytes=0-{}", size + 1000), 0..size),
    ] {
        let answer = ask(&range, "");
        let told = format!("bytes {}-{}/{size}", place.start, place.end - 1);
        assert_eq!(
            (answer.status, answer.header("content-range")),
            (206, Some(told.as_str())),
            "{range}"
        );
        assert_eq!(answer.body, trace[place], "{range}");
    }
    let beyond = ask(&format!("bytes={size}-"), "");
    let told = format!("bytes */{size}");
    assert_eq!(
        (beyond.status, beyond.header("content-range"), beyond.body.len()),
        (416, Some(told.as_str()), 0)
    );
    for range in ["bytes=5-1", "bytes=0-1,4-5", "lines=1-2", "bytes"] {
        assert_eq!(ask(range, "").status, 200, "{range}");
    }
    let etag = served.get("/traces/a.dat").header("etag").unwrap().to_owned();
    assert_eq!(ask("bytes=0-9", &format!("if-range: {etag}\r\n")).status, 206);
    assert_eq!(ask("bytes=0-9", "if-range: \"other\"\r\n").status, 200);
    fs::write(served.folder.join("traces/a.dat"), &trace[..size - 1]).unwrap();
    let changed = ask("bytes=0-9", &format!("if-range: {etag}\r\n"));
    assert_eq!((changed.status, changed.body.len()), (200, size - 1));
}

#[test]
fn what_is_no_request_is_refused() {
    let served = Served::new("requests", &[]);
    assert_eq!(served.send("nonsense\r\n\r\n").status, 400);
    let long = "x".repeat(100_000);
    assert!([400, 414, 431].contains(&served.get(&format!("/{long}")).status));
    assert_eq!(served.ask("GET", "/", &format!("x: {long}\r\n")).status, 431);
    let many: String = (0..200).map(|at| format!("x-{at}: y\r\n")).collect();
    assert_eq!(served.ask("GET", "/", &many).status, 431);
    // Clients that say nothing keep nobody else from being answered.
    let _silent: Vec<TcpStream> = (0..20).map(|_| TcpStream::connect(&served.address).unwrap()).collect();
    assert_eq!(served.get("/traces/").status, 200);
}

#[test]
fn a_folder_and_a_page_that_are_none_are_told() {
    let told = |args: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_corelane"))
            .arg("serve")
            .args(args)
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(1));
        String::from_utf8(output.stderr).unwrap()
    };
    let here = Path::new(env!("CARGO_MANIFEST_DIR")).to_str().unwrap();
    assert!(told(&["/nowhere/at/all"]).contains("/nowhere/at/all: "));
    assert!(told(&[&format!("{here}/Cargo.toml")]).contains("only trace.dat"));
    assert!(told(&[here, "--page", here]).contains("it has no index.html"));
}

#[test]
fn a_trace_is_served_with_its_folder_and_a_port_alone_is_of_this_machine() {
    let server = Served::new("trace", &[]);
    let program = || {
        let mut command = Command::new(env!("CARGO_BIN_EXE_corelane"));
        command
            .args(["serve", "--port", "0", "--page"])
            .arg(server.folder.join("dist"));
        command
    };
    let (mut child, line) = started(program().arg(server.folder.join("traces/sub/b & <c>.dat")));
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(line.starts_with("http://127.0.0.1:"), "{line}");
    assert!(
        line.contains("/page/?trace=%2Ftraces%2Fb%2520%2526%2520%253Cc%253E.dat"),
        "{line}"
    );
    let refused = program().arg(server.folder.join("traces/notes.txt")).output().unwrap();
    let told = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert_eq!(refused.status.code(), Some(1));
    assert!(told.contains("notes.txt: only trace.dat"), "{told}");
}

/// A client that sends a byte now and then, and one that sends nothing.
#[test]
fn slow_requests_are_closed() {
    let served = Served::new("slow", &[]);
    let started = Instant::now();
    let mut silent = TcpStream::connect(&served.address).unwrap();
    let mut slow = TcpStream::connect(&served.address).unwrap();
    slow.set_read_timeout(Some(Duration::from_millis(200))).unwrap();
    let mut request = format!("GET /traces/ HTTP/1.1\r\nhost: {}\r\nx: ", served.address).into_bytes();
    request.extend([b'y'; 200]);
    for byte in request {
        // The server has closed the connection, or says something of it first.
        if slow.write_all(&[byte]).is_err() || slow.read(&mut [0; 256]).is_ok() {
            break;
        }
        assert!(
            started.elapsed() < Duration::from_secs(20),
            "the connection is still open"
        );
    }
    assert!(Duration::from_secs(3) < started.elapsed());
    silent.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    let mut rest = Vec::new();
    silent.read_to_end(&mut rest).unwrap();
    assert!(started.elapsed() < Duration::from_secs(20));
    assert_eq!(served.get("/traces/").status, 200);
}

/// All that is there is below the token, and nothing else.
#[test]
fn a_token_is_part_of_every_address() {
    let mut served = Served::new("token", &["--token"]);
    let (address, token) = served.address.split_once('/').unwrap();
    let (address, token) = (address.to_owned(), format!("/{token}"));
    served.address = address;
    assert_eq!(token.len(), 33, "{token}");
    assert!(token[1..].bytes().all(|byte| byte.is_ascii_hexdigit()), "{token}");
    let other = format!("/{}", "0".repeat(32));
    for path in ["/", "/traces/", "/traces/a.dat", "/page/", "/listing.css"] {
        assert!(served.get(&format!("{token}{path}")).status < 400, "{path}");
        for wrong in [
            "",
            other.as_str(),
            &token[..32],
            &format!("{token}0"),
            &token.to_uppercase(),
            "//",
        ] {
            if *wrong != *token {
                assert_eq!(served.get(&format!("{wrong}{path}")).status, 404, "{wrong}{path}");
            }
        }
    }
    let traces = format!("{token}/traces/");
    for from in ["", "/", "/traces"] {
        assert_eq!(
            served.get(&format!("{token}{from}")).header("location"),
            Some(traces.as_str()),
            "{from}"
        );
    }
    let listing = served.get(&traces).text();
    let link = format!("href=\"{token}/page/?trace=%2F{}%2Ftraces%2Fa.dat\"", &token[1..]);
    assert!(listing.contains(&link), "{listing}");
    assert!(
        !listing.contains("\"/page/") && !listing.contains("\"/listing.css"),
        "{listing}"
    );
    assert!(served.get(&format!("{token}/traces/a.dat")).body == served.trace);
    let again = Served::new("token-again", &["--token"]);
    assert!(!again.address.ends_with(&token));
}

#[cfg(unix)]
#[test]
fn a_socket_is_of_one_user_and_goes_with_the_server() {
    use std::os::unix::fs::{FileTypeExt, PermissionsExt};
    use std::os::unix::net::{UnixListener, UnixStream};

    let served = Served::new("socket", &[]);
    let socket = served.folder.join("socket");
    let mut command = Command::new(env!("CARGO_BIN_EXE_corelane"));
    command
        .arg("serve")
        .arg("--socket")
        .arg(&socket)
        .arg("--page")
        .arg(served.folder.join("dist"));
    command.arg(served.folder.join("traces"));
    // One on which no program listens is in the way of nothing.
    drop(UnixListener::bind(&socket).unwrap());
    let (mut child, line) = started(&mut command);
    assert_eq!(line, "http://localhost:7710/\n");
    let metadata = fs::symlink_metadata(&socket).unwrap();
    assert!(metadata.file_type().is_socket());
    assert_eq!(metadata.permissions().mode() & 0o777, 0o600);
    let mut stream = UnixStream::connect(&socket).unwrap();
    stream
        .write_all(b"GET /traces/a.dat HTTP/1.1\r\nhost: localhost:7710\r\nconnection: close\r\n\r\n")
        .unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).unwrap();
    assert!(answer.starts_with(b"HTTP/1.1 200 ") && answer.ends_with(&served.trace));
    // One on which a program listens stays.
    let second = command.output().unwrap();
    assert_eq!(second.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&second.stderr).contains("listening on "));
    rustix::process::kill_process(rustix::process::Pid::from_child(&child), rustix::process::Signal::TERM).unwrap();
    child.wait().unwrap();
    assert!(!socket.exists());
}

#[test]
fn a_listing_that_stops_says_so() {
    let served = Served::new("many", &[]);
    let many = served.folder.join("traces/many");
    fs::create_dir(&many).unwrap();
    for number in 0..10_000 {
        fs::write(many.join(format!("{number}.txt")), "").unwrap();
    }
    let told = "only 10,000 of its entries were looked at";
    assert!(!served.get("/traces/many/").text().contains(told));
    fs::write(many.join("one-more.txt"), "").unwrap();
    assert!(served.get("/traces/many/").text().contains(told));
}
