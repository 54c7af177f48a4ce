//! Which file of an archive is the trace.

use schedrows::{ErrorKind, SourceError};

use crate::place::Rank;

/// Names in a message.
const MOST_NAMES: usize = 4;

/// What to do with an archive that is not read.
pub(crate) const UNPACK: &str = "Unpack it, and open the trace that is in it.";

/// Says why an archive is not read.
pub(crate) fn refusal(archive: &str, kind: ErrorKind, what: String, advice: &'static str) -> SourceError {
    SourceError {
        kind,
        message: what.clone(),
        what,
        // Other formats are tried too; this error is about this file.
        place: (kind == ErrorKind::NotATrace).then(|| format!("in the {archive}")),
        advice,
    }
}

/// Whether a system put this file into the archive by itself.
pub fn is_of_the_system(name: &str) -> bool {
    let file = name.rsplit('/').next().unwrap_or(name);
    name.starts_with("__MACOSX/") || file.starts_with("._") || matches!(file, ".DS_Store" | "Thumbs.db" | "desktop.ini")
}

/// Returns the index of the only trace among an archive's files, whose ranks and names these are; `None` if none is one.
/// `archive` names the kind, as in "zip archive".
pub fn only_trace(archive: &str, files: &[(Rank, &str)]) -> Result<Option<usize>, SourceError> {
    for wanted in [Rank::Certain, Rank::Text, Rank::Prose] {
        let is_wanted = |&(_, &(rank, _)): &(usize, &(Rank, &str))| rank == wanted;
        let found: Vec<(usize, &str)> = files
            .iter()
            .enumerate()
            .filter(is_wanted)
            .map(|(index, (_, name))| (index, *name))
            .collect();
        match found.as_slice() {
            [] => {}
            [(index, _)] => return Ok(Some(*index)),
            several => {
                let names: Vec<&str> = several.iter().take(MOST_NAMES).map(|(_, name)| *name).collect();
                let more = if MOST_NAMES < several.len() { ", …" } else { "" };
                let what = format!("a {archive} with {} traces: {}{more}", several.len(), names.join(", "));
                let advice = "Unpack it, and open one of them.";
                return Err(refusal(archive, ErrorKind::Unsupported, what, advice));
            }
        }
    }
    Ok(None)
}
