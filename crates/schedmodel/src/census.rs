//! How many rows of each kind the scans have.
//!
//! What has to be known before the first event is dealt with is counted here, in one pass: reading all rows takes a few ns
//! each, because the memory they are in is larger than any cache.

use super::takeover;
use schedrows::{Row, RowKind};

/// The rows of one scan, or of several.
#[derive(Clone, Debug, Default)]
pub(crate) struct Census {
    rows: usize,
    by_kind: [usize; RowKind::ALL.len()],
    /// See [`takeover::pids`], in the order of events.
    pub(crate) takeovers: Vec<(i32, i32)>,
}

impl Census {
    /// The rows of one scan.
    pub(crate) fn of(rows: &[Row]) -> Census {
        let mut census = Census {
            rows: rows.len(),
            ..Census::default()
        };
        for row in rows {
            if let Some(count) = census.by_kind.get_mut(usize::from(row.kind)) {
                *count += 1;
            }
            if row.kind == RowKind::Exec as u8 {
                census.takeovers.extend(takeover::pids(row.event()));
            }
        }
        census
    }

    /// The rows of all of these.
    pub(crate) fn sum(all: &[Census]) -> Census {
        let mut sum = Census::default();
        for one in all {
            sum.rows += one.rows;
            for (count, more) in sum.by_kind.iter_mut().zip(one.by_kind) {
                *count += more;
            }
            sum.takeovers.extend(&one.takeovers);
        }
        sum
    }

    /// Rows of a kind.
    pub(crate) fn count(&self, kind: RowKind) -> usize {
        self.by_kind.get(kind as usize).copied().unwrap_or(0)
    }

    /// Rows that open an interval; see [`opens_interval`].
    pub(crate) fn openings(&self) -> usize {
        self.count(RowKind::Switch) + self.count(RowKind::Lost)
    }

    /// Rows that are events.
    pub(crate) fn events(&self) -> usize {
        self.rows - self.count(RowKind::Lost)
    }
}

/// Whether a row opens an interval: a switch or a gap.
pub(crate) fn opens_interval(row: &Row) -> bool {
    row.kind == RowKind::Switch as u8 || row.kind == RowKind::Lost as u8
}
