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
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio_io_timeout::TimeoutStream;

use crate::record::folder_of;
use crate::{heard, Failure};

use self::answer::{answer, Server};
use self::guard::Guard;
pub use self::page::Assets;
use self::site::Site;

/// Connections at a time; others wait.
const CONNECTIONS: usize = 64;
/// Threads that read files.
const READERS: usize = 4;
/// How long a request may take to come, and how long a client may take nothing of its answer.
const PATIENCE: Duration = Duration::from_secs(60);
/// The most bytes of a request.
const REQUEST: usize = 16 << 10;

#[derive(Args)]
pub struct ServeArgs {
    /// The folder whose traces are served, with all folders in it
    #[arg(default_value = ".")]
    dir: PathBuf,
    /// The address and the port to listen on; port 0 is any that is free
    #[arg(long, value_name = "ADDR:PORT", default_value = "127.0.0.1:7710")]
    listen: SocketAddr,
    /// Answer to this name of the machine, too, besides localhost and addresses; may be repeated
    #[arg(long, value_name = "NAME")]
    host: Vec<String>,
    /// The page's files, as `npm run build` makes them, instead of those inside the program
    #[arg(long, value_name = "DIST")]
    page: Option<PathBuf>,
}

/// Serves until the program is ended.
pub fn run(args: &ServeArgs, out: &mut dyn Write) -> Result<(), Failure> {
    let server = Server {
        guard: Guard::new(&args.host),
        site: Site::new(&args.dir)?,
        assets: Assets::new(args.page.as_deref())?,
    };
    serve(args.listen, server, |address| {
        let written = writeln!(out, "http://{address}/").and_then(|()| out.flush());
        heard(written).map(|_| ())
    })
}

/// Serves the folder of one trace, at any free port, and prints the address at which the trace opens.
pub fn open(trace: &Path, assets: Assets, out: &mut dyn Write) -> Result<(), Failure> {
    let server = Server {
        guard: Guard::new(&[]),
        site: Site::new(folder_of(trace))?,
        assets,
    };
    let name = trace.file_name().unwrap_or_default().to_string_lossy().into_owned();
    serve(SocketAddr::from(([127, 0, 0, 1], 0)), server, |address| {
        let written = writeln!(out, "http://{address}{}", listing::link(&[], &name)).and_then(|()| out.flush());
        heard(written).map(|_| ())
    })
}

/// Listens at `address`, says where, and answers.
fn serve(
    address: SocketAddr,
    server: Server,
    listening: impl FnOnce(SocketAddr) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let failed = |error: std::io::Error| Failure(format!("listening on {address}: {error}"));
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .max_blocking_threads(READERS)
        .build()
        .map_err(failed)?;
    runtime.block_on(async {
        let listener = TcpListener::bind(address).await.map_err(failed)?;
        listening(listener.local_addr().map_err(failed)?)?;
        accept(listener, Arc::new(server)).await;
        Ok(())
    })
}

async fn accept(listener: TcpListener, server: Arc<Server>) {
    let free = Arc::new(Semaphore::new(CONNECTIONS));
    while let Ok(permit) = Arc::clone(&free).acquire_owned().await {
        match listener.accept().await {
            Ok((stream, _)) => {
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
fn connection(stream: TcpStream, server: Arc<Server>) -> impl Future<Output = ()> {
    let mut stream = TimeoutStream::new(stream);
    stream.set_write_timeout(Some(PATIENCE));
    let service = service_fn(move |request| {
        let server = Arc::clone(&server);
        async move { Ok::<_, Infallible>(answer(server, request).await) }
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(PATIENCE)
        .max_buf_size(REQUEST)
        .max_headers(64)
        .serve_connection(TokioIo::new(Box::pin(stream)), service);
    async move {
        // A client that breaks off, or that sends what is no request, is told so by hyper; nothing else is to be done.
        let _ = connection.await;
    }
}
