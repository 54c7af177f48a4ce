//! `corelane serve`: the page and the traces of a machine over HTTP, for a browser there or at the other end of ssh.
//!
//! One thread answers all connections, and a few read files for it. What may be asked is in `guard`, what there is in
//! `site` (traces) and `page`, how it is answered in `answer` and `ranges`.

mod answer;
mod guard;
mod listing;
mod page;
mod ranges;
mod site;
#[cfg(unix)]
mod socket;

use std::convert::Infallible;
use std::future::Future;
use std::io::Write;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpListener;
use tokio::runtime::{Builder, Runtime};
use tokio::sync::Semaphore;
use tokio_io_timeout::TimeoutStream;

use crate::part::folder_of;
use crate::visible::shown;
use crate::{heard, Failure};

use self::answer::{answer, Server};
use self::guard::Guard;
pub use self::page::Assets;
use self::site::Site;

/// Connections at a time; others wait.
const CONNECTIONS: usize = 64;
/// Threads that read files.
const READERS: usize = 4;
/// How long a request may take to come, and how long a connection may be without one.
const HEADERS: Duration = Duration::from_secs(5);
/// How long a client may take nothing of its answer.
const PATIENCE: Duration = Duration::from_secs(60);
/// The most bytes of a request.
const REQUEST: usize = 16 << 10;
/// Random bytes of a token.
const TOKEN: usize = 16;
/// The port of this server, and in what it says of a socket, that of the machine with the browser.
const PORT: u16 = 7710;

#[derive(Args)]
pub struct ServeArgs {
    /// The folder whose traces are served, with all folders in it; or a trace: then its folder is, and the address printed opens it
    #[arg(value_name = "DIR|FILE", default_value = ".")]
    served: PathBuf,
    /// The address and the port to listen on; port 0 is any that is free
    #[arg(long, value_name = "ADDR:PORT", default_value_t = on_this_machine(PORT))]
    listen: SocketAddr,
    /// The port alone, on this machine
    #[arg(long, value_name = "N", conflicts_with = "listen")]
    port: Option<u16>,
    /// Answer to this name of the machine, too, besides localhost and addresses; may be repeated
    #[arg(long, value_name = "NAME")]
    host: Vec<String>,
    /// Begin all addresses with a random token, for machines with other users: only the printed address opens anything
    #[arg(long)]
    token: bool,
    /// Listen on this Unix socket, which only this user can connect to, in place of an address: ssh -L 7710:PATH HOST
    #[cfg(unix)]
    #[arg(long, value_name = "PATH", conflicts_with_all = ["listen", "port"])]
    socket: Option<PathBuf>,
    /// The page's files, as `npm run build` makes them, instead of those inside the program
    #[arg(long, value_name = "DIST")]
    page: Option<PathBuf>,
}

/// Serves until the program is ended.
pub fn run(args: &ServeArgs, out: &mut dyn Write) -> Result<(), Failure> {
    let trace = args.served.is_file().then_some(args.served.as_path());
    let site = Site::new(trace.map_or(&args.served, folder_of))?;
    if let Some(trace) = trace.filter(|trace| site.find(&[name_of(trace)]).is_none()) {
        let error = "only trace.dat and perf.data files and scenarios are served; drop others onto the page";
        return Err(Failure(format!("{}: {error}", shown(trace))));
    }
    let server = Server {
        guard: Guard::new(&args.host),
        site,
        assets: Assets::new(args.page.as_deref())?,
        prefix: if args.token {
            format!("/{}", token()?)
        } else {
            String::new()
        },
    };
    #[cfg(unix)]
    if let Some(path) = &args.socket {
        return socket::serve_at(path, server, trace, out);
    }
    serve_at(args.port.map_or(args.listen, on_this_machine), server, trace, out)
}

/// Serves the folder of one trace, at any free port, and prints the address at which the trace opens.
pub fn open(trace: &Path, assets: Assets, out: &mut dyn Write) -> Result<(), Failure> {
    let server = Server {
        guard: Guard::new(&[]),
        site: Site::new(folder_of(trace))?,
        assets,
        prefix: String::new(),
    };
    serve_at(on_this_machine(0), server, Some(trace), out)
}

/// A random secret in hexadecimal.
fn token() -> Result<String, Failure> {
    let mut bytes = [0; TOKEN];
    getrandom::fill(&mut bytes).map_err(|error| Failure(format!("making a token: {error}")))?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

fn name_of(trace: &Path) -> String {
    trace.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

fn on_this_machine(port: u16) -> SocketAddr {
    SocketAddr::from(([127, 0, 0, 1], port))
}

/// The path of the page, or that at which a trace opens.
fn link(server: &Server, trace: Option<&Path>) -> String {
    let prefix = &server.prefix;
    trace.map_or_else(
        || format!("{prefix}/"),
        |trace| listing::link(prefix, &[], &name_of(trace)),
    )
}

/// Listens at an address, prints that of the page or of the trace, and answers.
fn serve_at(address: SocketAddr, server: Server, trace: Option<&Path>, out: &mut dyn Write) -> Result<(), Failure> {
    let failed = |error: std::io::Error| Failure(format!("listening on {address}: {error}"));
    runtime().map_err(failed)?.block_on(async {
        let listener = TcpListener::bind(address).await.map_err(failed)?;
        let address = listener.local_addr().map_err(failed)?;
        say(out, &format!("http://{address}{}\n", link(&server, trace)))?;
        accept(server, async || Ok(listener.accept().await?.0)).await;
        Ok(())
    })
}

fn say(out: &mut dyn Write, text: &str) -> Result<(), Failure> {
    heard(out.write_all(text.as_bytes()).and_then(|()| out.flush())).map(|_| ())
}

fn runtime() -> std::io::Result<Runtime> {
    Builder::new_current_thread()
        .enable_all()
        .max_blocking_threads(READERS)
        .build()
}

/// Answers all clients that `next` gives.
async fn accept<S: AsyncRead + AsyncWrite + Send + 'static>(
    server: Server,
    next: impl AsyncFn() -> std::io::Result<S>,
) {
    let server = Arc::new(server);
    let free = Arc::new(Semaphore::new(CONNECTIONS));
    while let Ok(permit) = Arc::clone(&free).acquire_owned().await {
        match next().await {
            Ok(stream) => {
                let connection = connection(stream, Arc::clone(&server));
                tokio::spawn(async move {
                    connection.await;
                    drop(permit);
                });
            }
            // Too many files are open, or the client is gone: others may come.
            Err(_) => tokio::time::sleep(Duration::from_millis(100)).await,
        }
    }
}

/// Answers the requests of one client.
fn connection<S: AsyncRead + AsyncWrite + Send + 'static>(stream: S, server: Arc<Server>) -> impl Future<Output = ()> {
    let mut stream = TimeoutStream::new(stream);
    stream.set_write_timeout(Some(PATIENCE));
    let service = service_fn(move |request| {
        let server = Arc::clone(&server);
        async move { Ok::<_, Infallible>(answer(server, request).await) }
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEADERS)
        .max_buf_size(REQUEST)
        .max_headers(64)
        .serve_connection(TokioIo::new(Box::pin(stream)), service);
    async move {
        // A client that breaks off, or that sends what is no request, is told so by hyper; nothing else is to be done.
        let _ = connection.await;
    }
}
