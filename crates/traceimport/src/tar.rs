//! The trace in a tar that has files of any format.

use std::io::Read;

use containers::{is_of_the_system, only_trace, Blocks, Peel, Place, Problem, Rank, Unpacked, MOST};
use schedrows::{DiagnosticKind, ReadAt, SourceError};
use topology::tar::walk_stream;

use crate::HEAD;

/// Unpacks the only member that is a trace, by what `rank` says of its first bytes; `None` if none is one.
pub(crate) fn trace_in(
    input: &dyn ReadAt,
    place: &Place,
    rank: &dyn Fn(&[u8]) -> Rank,
) -> Result<Option<Unpacked>, SourceError> {
    let mut files: Vec<(Rank, String)> = Vec::new();
    // What is behind damage is not looked at; what was found before it counts.
    let _ = walk_stream(place.reader(input), HEAD, &mut |member| {
        let is_file = !member.content.is_empty() && !is_of_the_system(&member.path);
        let rank = if is_file {
            rank(&inside(&member.content))
        } else {
            Rank::No
        };
        files.push((rank, member.path));
    });
    let ranks: Vec<(Rank, &str)> = files.iter().map(|(rank, name)| (*rank, name.as_str())).collect();
    let Some(wanted) = only_trace("tar", &ranks)? else {
        return Ok(None);
    };
    let (mut at, mut bytes) = (0, Blocks::default());
    let mut reader = place.reader(input);
    let walked = walk_stream(reader.by_ref(), MOST, &mut |member| {
        if at == wanted {
            bytes.extend(&member.content);
        }
        at += 1;
    });
    let mut problems = reader.problems();
    if let Err(error) = walked {
        problems.push(Problem {
            kind: DiagnosticKind::Truncated,
            text: format!("the tar is damaged: {error}"),
        });
    }
    Ok(Some(Unpacked { bytes, problems }))
}

/// First bytes of what is in a member, which may be packed itself.
fn inside(head: &[u8]) -> Vec<u8> {
    let mut found = Vec::new();
    let mut take = |bytes: &[u8]| {
        let room = (HEAD as usize).saturating_sub(found.len());
        found.extend_from_slice(bytes.get(..room).unwrap_or(bytes));
    };
    let mut peel = Peel::new();
    peel.push(head, &mut take);
    // The member goes on: its layers end early here, which says nothing.
    let _ = peel.finish(&mut take);
    found
}
