//! The files of the page: those inside the program, or those of a folder.

use std::borrow::Cow;
use std::fs;
use std::path::{Path, PathBuf};

use crate::visible::shown;
use crate::Failure;

/// The page as it was built before the program.
#[cfg(feature = "page")]
#[derive(rust_embed::RustEmbed)]
#[folder = "../../dist"]
#[exclude = "*.map"]
struct Embedded;

/// A file of the page as it is sent.
pub struct Asset {
    pub bytes: Cow<'static, [u8]>,
    /// Its media type.
    pub kind: &'static str,
    /// How `bytes` are packed, as `Content-Encoding` names it.
    pub encoding: Option<&'static str>,
}

pub enum Assets {
    #[cfg(feature = "page")]
    Embedded,
    Folder(PathBuf),
}

impl Assets {
    /// Those of the folder, if one is named.
    pub fn new(folder: Option<&Path>) -> Result<Self, Failure> {
        let Some(folder) = folder else {
            #[cfg(feature = "page")]
            return Ok(Assets::Embedded);
            #[cfg(not(feature = "page"))]
            return Err(Failure(
                "this program was built without the page\nBuild it with `--features page`, or name the built page: \
                 `--page dist`."
                    .to_owned(),
            ));
        };
        let named = |error: String| Failure(format!("{}: {error}", shown(folder)));
        let folder = fs::canonicalize(folder).map_err(|error| named(error.to_string()))?;
        if !folder.join("index.html").is_file() {
            return Err(named("no page is there: it has no index.html".to_owned()));
        }
        Ok(Assets::Folder(folder))
    }

    /// A file by its path; the page itself where that is empty. Where `brotli` says that the client unpacks such files, and
    /// the build has left one beside it (`NAME.br`), it is that one.
    pub fn get(&self, path: &[String], brotli: bool) -> Option<Asset> {
        let path = path.join("/");
        let path = if path.is_empty() { "index.html" } else { &path };
        let packed = if brotli { self.read(&format!("{path}.br")) } else { None };
        let encoding = packed.is_some().then_some("br");
        Some(Asset {
            bytes: packed.or_else(|| self.read(path))?,
            kind: type_of(path),
            encoding,
        })
    }

    fn read(&self, path: &str) -> Option<Cow<'static, [u8]>> {
        match self {
            #[cfg(feature = "page")]
            Assets::Embedded => Some(Embedded::get(path)?.data),
            Assets::Folder(folder) => {
                let place = fs::canonicalize(folder.join(path)).ok()?;
                if !place.starts_with(folder) || !place.is_file() {
                    return None;
                }
                Some(fs::read(place).ok()?.into())
            }
        }
    }
}

fn type_of(path: &str) -> &'static str {
    match path.rsplit_once('.').map_or("", |(_, extension)| extension) {
        "html" => "text/html; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "wasm" => "application/wasm",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "webmanifest" => "application/manifest+json",
        "json" | "map" => "application/json",
        _ => "application/octet-stream",
    }
}
