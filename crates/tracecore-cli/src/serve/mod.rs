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
    /// The folder whose traces are served, with all folders in it; or a trace: then its folder is, and the address printed opens it
    #[arg(value_name = "DIR|FILE", default_value = ".")]
    served: PathBuf,
    /// The address and the port to listen on; port 0 is any that is free
    #[arg(long, value_name = "ADDR:PORT", default_value = "127.0.0.1:7710")]
    listen: SocketAddr,
    /// The port alone, on this machine
    #[arg(long, value_name = "N", conflicts_with = "listen")]
    port: Option<u16>,
    /// Answer to this name of the machine, too, besides localhost and addresses; may be repeated
    #[arg(long, value_name = "NAME")]
    host: Vec<String>,
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
        return Err(Failure(format!("{}: {error}", trace.display())));
    }
    let server = Server {
        guard: Guard::new(&args.host),
        site,
        assets: Assets::new(args.page.as_deref())?,
    };
    serve_at(args.port.map_or(args.listen, on_this_machine), server, trace, out)
}

/// Serves the folder of one trace, at any free port, and prints the address at which the trace opens.
pub fn open(trace: &Path, assets: Assets, out: &mut dyn Write) -> Result<(), Failure> {
    let server = Server {
        guard: Guard::new(&[]),
        site: Site::new(folder_of(trace))?,
        assets,
    };
    serve_at(on_this_machine(0), server, Some(trace), out)
}

fn name_of(trace: &Path) -> String {
    trace.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

fn on_this_machine(port: u16) -> SocketAddr {
    SocketAddr::from(([127, 0, 0, 1], port))
}

/// Prints the address of the page, or that at which a trace opens.
fn serve_at(address: SocketAddr, server: Server, trace: Option<&Path>, out: &mut dyn Write) -> Result<(), Failure> {
    let link = trace.map_or("/".to_owned(), |trace| listing::link(&[], &name_of(trace)));
    serve(address, server, |address| {
        let written = writeln!(out, "http://{address}{link}").and_then(|()| out.flush());
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
