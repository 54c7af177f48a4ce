//! What is answered to a request.
//!
//! ```text
//! /                      to /traces/
//! /traces/FOLDER/        the listing of a folder
//! /traces/FOLDER/NAME    a trace, whole or a range of it
//! /page/FILE             the page
//! ```
//!
//! With a token, all of these are below `/TOKEN`.

use std::hash::{DefaultHasher, Hasher};
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{ready, Context, Poll};
use std::time::UNIX_EPOCH;

use http_body_util::{Either, Full};
use hyper::body::{Body, Bytes, Frame, SizeHint};
use hyper::header::{self, HeaderMap, HeaderName, HeaderValue};
use hyper::{Method, Request, Response, StatusCode};
use percent_encoding::percent_decode_str;
use tokio::fs::File;
use tokio::io::{AsyncRead, AsyncSeekExt, ReadBuf};

use super::guard::Guard;
use super::listing;
use super::page::Assets;
use super::ranges::{is_same, Part};
use super::site::{Found, Site};

/// Bytes of a file that are read at a time.
const PIECE: u64 = 256 << 10;

/// The page may run its own code and connect to this server, and to nothing else; no site may frame it.
const POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; \
     img-src 'self' data: blob:; connect-src 'self'; worker-src 'self'; manifest-src 'self'; \
     base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// What is served, and to whom.
pub struct Server {
    pub guard: Guard,
    pub site: Site,
    pub assets: Assets,
    /// What all paths begin with: a slash and a secret, or nothing.
    pub prefix: String,
}

impl Server {
    /// The rest of a path; `None` if it does not begin as all do.
    fn below<'p>(&self, path: &'p str) -> Option<&'p str> {
        let (first, rest) = path.split_at_checked(self.prefix.len())?;
        // How long it takes says nothing of how much is right.
        let pairs = first.bytes().zip(self.prefix.bytes());
        let differs = pairs.fold(0, |differs, (one, other)| differs | (one ^ other));
        (differs == 0 && (rest.is_empty() || rest.starts_with('/'))).then_some(rest)
    }
}

type Answer = Response<Either<Full<Bytes>, FileBody>>;

/// Answers a request, with the headers that every answer has.
pub async fn answer(server: Arc<Server>, request: Request<impl Body>) -> Answer {
    let mut answer = match server.guard.refuses(request.method(), request.headers()) {
        Some((status, why)) => told(status, why),
        None => route(server, &request).await,
    };
    let headers = answer.headers_mut();
    for (name, value) in [
        ("content-security-policy", POLICY),
        ("x-content-type-options", "nosniff"),
        ("cross-origin-resource-policy", "same-origin"),
        ("cross-origin-opener-policy", "same-origin"),
        ("referrer-policy", "no-referrer"),
        ("cache-control", "no-cache"),
    ] {
        headers.insert(HeaderName::from_static(name), HeaderValue::from_static(value));
    }
    if request.method() == Method::HEAD {
        *answer.body_mut() = Either::Left(Full::default());
    }
    answer
}

async fn route(server: Arc<Server>, request: &Request<impl Body>) -> Answer {
    let Some(asked) = server.below(request.uri().path()) else {
        return missing();
    };
    let Some(path) = parts(if asked.is_empty() { "/" } else { asked }) else {
        return missing();
    };
    let to = |place: &str| redirect(&format!("{}{place}", server.prefix));
    let headers = request.headers();
    match path.split_first() {
        None => to("/traces/"),
        Some((first, [])) if first == "listing.css" => content(
            headers,
            "text/css; charset=utf-8",
            listing::STYLE.as_bytes().to_vec().into(),
        ),
        Some((first, rest)) if first == "page" || first == "traces" => {
            let is_folder = asked.ends_with('/');
            if rest.is_empty() && !is_folder {
                return to(if first == "page" { "/page/" } else { "/traces/" });
            }
            let (is_page, rest) = (first == "page", rest.to_vec());
            if is_page {
                let brotli = takes_brotli(headers);
                let asset = blocking(move || server.assets.get(&rest, brotli)).await;
                return asset.map_or_else(missing, |asset| {
                    let mut answer = content(headers, asset.kind, asset.bytes.into_owned().into());
                    let sent = answer.headers_mut();
                    sent.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
                    if let Some(encoding) = asset.encoding {
                        sent.insert(header::CONTENT_ENCODING, HeaderValue::from_static(encoding));
                    }
                    answer
                });
            }
            let path = rest.clone();
            let prefix = server.prefix.clone();
            match blocking(move || server.site.find(&path)).await {
                Some(Found::Folder(listed)) if is_folder => {
                    let html = listing::html(&prefix, &rest, &listed);
                    content(headers, "text/html; charset=utf-8", html.into())
                }
                Some(Found::Trace(file, metadata)) if !is_folder => trace(headers, file, &metadata).await,
                _ => missing(),
            }
        }
        Some(_) => missing(),
    }
}

/// Whether the client says that it unpacks brotli: browsers do where nobody on the way can spoil it, on this machine or by TLS.
fn takes_brotli(headers: &HeaderMap) -> bool {
    let values = headers.get_all(header::ACCEPT_ENCODING);
    let mut codings = values
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','));
    codings.any(|coding| {
        let mut parts = coding.split(';').map(str::trim);
        let named = parts.next().is_some_and(|name| name.eq_ignore_ascii_case("br"));
        let refused = parts.any(|part| part.strip_prefix("q=").is_some_and(|q| q.parse() == Ok(0.0)));
        named && !refused
    })
}

/// The decoded names of a path; `None` where a name would be another path.
fn parts(path: &str) -> Option<Vec<String>> {
    let path = path.strip_prefix('/')?;
    let path = path.strip_suffix('/').unwrap_or(path);
    if path.is_empty() {
        return Some(Vec::new());
    }
    let name = |part: &str| {
        let name = percent_decode_str(part).decode_utf8().ok()?.into_owned();
        let is_path = name.is_empty() || name == "." || name == ".." || name.contains(['/', '\\', '\0']);
        (!is_path).then_some(name)
    };
    path.split('/').map(name).collect()
}

/// Reads the file system beside the thread that answers.
async fn blocking<T: Send + 'static>(work: impl FnOnce() -> Option<T> + Send + 'static) -> Option<T> {
    tokio::task::spawn_blocking(work).await.ok().flatten()
}

/// A trace, or the part of it that was asked for.
async fn trace(headers: &HeaderMap, file: std::fs::File, metadata: &std::fs::Metadata) -> Answer {
    let size = metadata.len();
    let modified = metadata.modified().ok();
    let age = modified.and_then(|modified| modified.duration_since(UNIX_EPOCH).ok());
    let etag = format!("\"{size:x}-{:x}\"", age.unwrap_or_default().as_nanos());
    let of = |name: HeaderName| headers.get(name).and_then(|value| value.to_str().ok());
    let mut known = vec![
        (header::ETAG, etag.clone()),
        (header::ACCEPT_RANGES, "bytes".to_owned()),
    ];
    known.extend(modified.map(|modified| (header::LAST_MODIFIED, httpdate::fmt_http_date(modified))));
    let part = match Part::of(of(header::RANGE), size) {
        Part::Whole => Part::Whole,
        part if is_same(of(header::IF_RANGE), &etag, modified) => part,
        _ => Part::Whole,
    };
    let (status, range) = match part {
        _ if of(header::IF_NONE_MATCH) == Some(&etag) => (StatusCode::NOT_MODIFIED, None),
        Part::Whole => (StatusCode::OK, Some(0..size)),
        Part::Range(range) => {
            let place = format!("bytes {}-{}/{size}", range.start, range.end.saturating_sub(1));
            known.push((header::CONTENT_RANGE, place));
            (StatusCode::PARTIAL_CONTENT, Some(range))
        }
        Part::None => {
            known.push((header::CONTENT_RANGE, format!("bytes */{size}")));
            (StatusCode::RANGE_NOT_SATISFIABLE, None)
        }
    };
    let body = match range {
        None => Either::Left(Full::default()),
        Some(range) => {
            let mut file = File::from_std(file);
            if file.seek(io::SeekFrom::Start(range.start)).await.is_err() {
                return told(StatusCode::INTERNAL_SERVER_ERROR, "the file cannot be read");
            }
            known.push((header::CONTENT_LENGTH, (range.end - range.start).to_string()));
            known.push((header::CONTENT_TYPE, "application/octet-stream".to_owned()));
            let left = range.end - range.start;
            Either::Right(FileBody { file, left })
        }
    };
    with(status, known, body)
}

/// Something that is in memory; nothing, if the client has it.
fn content(headers: &HeaderMap, kind: &'static str, bytes: Bytes) -> Answer {
    let mut hasher = DefaultHasher::new();
    hasher.write(&bytes);
    let etag = format!("\"{:x}\"", hasher.finish());
    if headers
        .get(header::IF_NONE_MATCH)
        .is_some_and(|known| known == etag.as_str())
    {
        return with(
            StatusCode::NOT_MODIFIED,
            vec![(header::ETAG, etag)],
            Either::Left(Full::default()),
        );
    }
    let known = vec![
        (header::ETAG, etag),
        (header::CONTENT_TYPE, kind.to_owned()),
        (header::CONTENT_LENGTH, bytes.len().to_string()),
    ];
    with(StatusCode::OK, known, Either::Left(Full::new(bytes)))
}

fn missing() -> Answer {
    told(StatusCode::NOT_FOUND, "nothing is here that can be seen")
}

fn told(status: StatusCode, what: &str) -> Answer {
    let text = format!("{what}\n");
    let known = vec![
        (header::CONTENT_TYPE, "text/plain; charset=utf-8".to_owned()),
        (header::CONTENT_LENGTH, text.len().to_string()),
        (header::ALLOW, "GET, HEAD".to_owned()),
    ];
    with(status, known, Either::Left(Full::from(text)))
}

fn redirect(to: &str) -> Answer {
    let known = vec![
        (header::LOCATION, to.to_owned()),
        (header::CONTENT_LENGTH, "0".to_owned()),
    ];
    with(StatusCode::FOUND, known, Either::Left(Full::default()))
}

fn with(status: StatusCode, headers: Vec<(HeaderName, String)>, body: Either<Full<Bytes>, FileBody>) -> Answer {
    let mut answer = Response::new(body);
    *answer.status_mut() = status;
    for (name, value) in headers {
        if let Ok(value) = HeaderValue::try_from(value) {
            answer.headers_mut().insert(name, value);
        }
    }
    answer
}

/// A part of a file, read as it is sent.
pub struct FileBody {
    file: File,
    left: u64,
}

impl Body for FileBody {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<io::Result<Frame<Bytes>>>> {
        let body = self.get_mut();
        if body.left == 0 {
            return Poll::Ready(None);
        }
        let mut bytes = vec![0; body.left.min(PIECE) as usize];
        let mut piece = ReadBuf::new(&mut bytes);
        ready!(Pin::new(&mut body.file).poll_read(context, &mut piece))?;
        let read = piece.filled().len();
        if read == 0 {
            // The file was cut since it was opened: the connection breaks off, so that the client sees it.
            return Poll::Ready(Some(Err(io::ErrorKind::UnexpectedEof.into())));
        }
        bytes.truncate(read);
        body.left = body.left.saturating_sub(read as u64);
        Poll::Ready(Some(Ok(Frame::data(bytes.into()))))
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.left)
    }
}
