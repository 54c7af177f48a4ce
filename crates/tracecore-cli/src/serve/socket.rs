//! A Unix socket in place of an address: only this user can connect to it.

use std::io::{self, ErrorKind, Write};
use std::os::unix::fs::FileTypeExt;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::{env, fs};

use rustix::fs::Mode;
use rustix::process::umask;
use tokio::net::UnixListener;

use super::{accept, link, runtime, say, Server, PORT};
use crate::record::quoted;
use crate::signals::RemovedBySignal;
use crate::visible::shown;
use crate::Failure;

/// Listens on a socket, prints how to reach it, and answers.
pub fn serve_at(path: &Path, server: Server, trace: Option<&Path>, out: &mut dyn Write) -> Result<(), Failure> {
    let failed = |error: io::Error| Failure(format!("listening on {}: {error}", shown(path)));
    runtime().map_err(failed)?.block_on(async {
        let listener = bind(path).map_err(failed)?;
        let _removed = RemovedBySignal::new(path);
        let place = env::current_dir().map_or_else(|_| path.to_owned(), |folder| folder.join(path));
        let (place, link) = (quoted(place.as_os_str()), link(&server, trace));
        say(
            out,
            &format!("http://localhost:{PORT}{link}\nafter: ssh -L {PORT}:{place} HOST\n"),
        )?;
        accept(server, async || Ok(listener.accept().await?.0)).await;
        Ok(())
    })
}

/// Makes the socket, in place of one on which no program listens any more.
fn bind(path: &Path) -> io::Result<UnixListener> {
    let is_left = |path: &Path| {
        fs::symlink_metadata(path).is_ok_and(|metadata| metadata.file_type().is_socket())
            && UnixStream::connect(path).is_err_and(|error| error.kind() == ErrorKind::ConnectionRefused)
    };
    if is_left(path) {
        fs::remove_file(path)?;
    }
    // It must not be open to others even for a moment. No other thread makes files yet.
    let before = umask(Mode::from_raw_mode(0o177));
    let listener = UnixListener::bind(path);
    umask(before);
    listener
}
