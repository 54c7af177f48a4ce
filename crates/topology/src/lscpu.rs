//! The text of `lscpu -p`: a comment that names the columns, then a line for each CPU.
//!
//! Caches have columns of their own, after an empty one (`CPU,Core,Socket,Node,,L1d,L1i,L2,L3`), or, with a list of
//! columns in older versions, share one column with colons (`L1d:L1i:L2:L3`). Values that do not apply are empty or
//! `-`: an offline CPU has nothing but its number, and so no place.

use super::error::quoted;
use super::{At, Claim, Topology, TopologyError, MOST_CPUS};

/// The columns of `lscpu -p` without a list, where the comment was cut off.
const USUAL: &str = "CPU,Core,Socket,Node,,L1d,L1i,L2,L3";

/// Which columns hold what.
struct Columns {
    cpu: usize,
    core: Option<usize>,
    socket: Option<usize>,
    node: Option<usize>,
    drawer: Option<usize>,
    book: Option<usize>,
    /// Level and column, from the last level to the first.
    caches: Vec<(u32, usize)>,
    count: usize,
}

/// Whether a text is a table, rather than a compact text.
pub(super) fn looks_like(text: &str) -> bool {
    let text = text.trim();
    let is_row = text
        .split(',')
        .all(|cell| cell.bytes().all(|byte| byte.is_ascii_digit()))
        && text.contains(',');
    text.starts_with('#') || text.contains('\n') || is_row
}

pub(super) fn parse(text: &str) -> Result<Topology, TopologyError> {
    let mut columns = None;
    let mut claims = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let at = || At::Line(index + 1);
        let line = line.trim();
        if let Some(comment) = line.strip_prefix('#') {
            columns = Columns::named(comment).or(columns);
            continue;
        }
        if line.is_empty() {
            continue;
        }
        if !line.starts_with(|first: char| first.is_ascii_digit()) {
            let advice = if line.contains(':') || line.contains(' ') {
                "; this looks like `lscpu` without -p"
            } else {
                ""
            };
            let what = format!(
                "{} is no line of `lscpu -p`; expected numbers as in 0,0,0,0{advice}",
                quoted(line)
            );
            return Err(TopologyError::new(at(), what));
        }
        let columns = match &columns {
            Some(columns) => columns,
            None => columns.insert(Columns::named(USUAL).ok_or_else(|| TopologyError::whole("no columns"))?),
        };
        claims.extend(columns.claim(line).map_err(|what| TopologyError::new(at(), what))?);
    }
    if claims.is_empty() {
        return Err(TopologyError::whole(
            "no CPU that is online in this text; expected lines as `lscpu -p` prints them: 0,0,0,0,,0,0,0,0",
        ));
    }
    Topology::from_claims(claims)
}

fn cells(line: &str) -> impl Iterator<Item = &str> {
    line.split([',', ':']).map(str::trim)
}

impl Columns {
    /// The columns that a comment names; `None` if the comment is not about columns.
    fn named(comment: &str) -> Option<Columns> {
        let names: Vec<String> = cells(comment).map(str::to_ascii_lowercase).collect();
        let find = |name: &str| names.iter().position(|other| other == name);
        let cpu = find("cpu")?;
        let mut caches: Vec<(u32, usize)> = names
            .iter()
            .enumerate()
            .filter_map(|(index, name)| {
                let level = name.strip_prefix('l')?.trim_end_matches('d');
                Some((level.parse().ok()?, index))
            })
            .collect();
        // The farthest first, of several of a level the last one; by one number, as other sorts are, whose code this shares.
        caches.reverse();
        caches.sort_by_cached_key(|&(level, _)| u32::MAX - level);
        Some(Columns {
            cpu,
            core: find("core"),
            socket: find("socket"),
            node: find("node"),
            drawer: find("drawer"),
            book: find("book"),
            caches,
            count: names.len(),
        })
    }

    /// The values of a line; `None` for an offline CPU.
    fn claim(&self, line: &str) -> Result<Option<Claim>, String> {
        let cells: Vec<&str> = cells(line).collect();
        // lscpu leaves out the columns of caches on machines where it knows of none, but never any before them.
        let least = self
            .caches
            .last()
            .map_or(self.count, |&(_, first)| first.saturating_sub(1));
        if cells.len() < least {
            let (found, expected) = (cells.len(), self.count);
            return Err(format!(
                "{} has {found} columns; expected {expected}, as the header names them",
                quoted(line)
            ));
        }
        let number = |index: usize| match cells.get(index) {
            None | Some(&("" | "-")) => Ok(None),
            Some(cell) => match cell.parse::<u32>() {
                Ok(number) => Ok(Some(number)),
                Err(_) => Err(format!("{} in column {}; expected a number", quoted(cell), index + 1)),
            },
        };
        let maybe = |index: Option<usize>| index.map_or(Ok(None), number);
        let cpu = number(self.cpu)?.ok_or("no CPU number; expected one")?;
        if MOST_CPUS <= cpu {
            return Err(format!("CPU {cpu}; expected a number below {MOST_CPUS}"));
        }
        let (socket, core) = (maybe(self.socket)?, maybe(self.core)?);
        if (self.socket.is_some() && socket.is_none()) || (self.core.is_some() && core.is_none()) {
            return Ok(None);
        }
        let mut llc = None;
        for &(level, index) in &self.caches {
            llc = llc.or(number(index)?.map(|id| (level, id)));
        }
        Ok(Some(Claim {
            cpu,
            // With -y sockets count within their book, and books within their drawer.
            socket: (
                maybe(self.drawer)?.unwrap_or(0),
                maybe(self.book)?.unwrap_or(0),
                socket.unwrap_or(0),
            ),
            node: maybe(self.node)?,
            llc,
            core: core.map(|core| (0, core)),
        }))
    }
}
