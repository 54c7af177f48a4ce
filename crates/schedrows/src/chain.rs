//! Rows of a CPU whose source may drop events without a word.

use crate::row::{Row, RowKind};
use crate::rows::{RowPacker, Rows};

/// A [`RowPacker`] that holds the rows since a switch back until the next switch shows whether any is missing: where it takes
/// another task off the CPU than the one that the earlier switch put there, nobody knows how long that one ran, and the CPU
/// is unknown from the earlier switch on. Such a break becomes a [`RowKind::Lost`] right behind the earlier switch.
#[derive(Debug, Default)]
pub struct ChainPacker {
    packer: RowPacker,
    /// Rows since the last switch.
    held: Vec<Row>,
    /// When the last switch was, and who has the CPU since.
    last: Option<(u64, i32)>,
    breaks: u64,
    first: Option<u64>,
}

impl ChainPacker {
    /// Adds a row.
    pub fn push(&mut self, row: &Row) {
        match (row.kind, &mut self.last) {
            (RowKind::Switch, last) => {
                let broken = last.filter(|&(_, running)| row.pid != running && row.pid != Row::UNKNOWN_PID);
                *last = Some((row.ts, row.arg));
                if let Some((at, _)) = broken {
                    self.breaks += 1;
                    self.first.get_or_insert(at);
                    self.packer.push(&Row {
                        arg: -1,
                        ..Row::of(RowKind::Lost, at)
                    });
                }
                self.release();
                self.packer.push(row);
            }
            // What is lost is said: the chain begins anew.
            (RowKind::Lost, last) => {
                *last = None;
                self.release();
                self.packer.push(row);
            }
            // A thread that executes a program takes its leader's pid.
            (RowKind::Exec, Some((_, running))) if row.arg == *running => {
                *running = row.pid;
                self.held.push(*row);
            }
            (_, Some(_)) => self.held.push(*row),
            (_, None) => self.packer.push(row),
        }
    }

    /// See [`RowPacker::enters_yield`].
    pub fn enters_yield(&mut self, pid: i32) {
        self.packer.enters_yield(pid);
    }

    /// See [`RowPacker::call_returns`].
    pub fn call_returns(&mut self) {
        self.packer.call_returns();
    }

    fn release(&mut self) {
        for row in self.held.drain(..) {
            self.packer.push(&row);
        }
    }

    /// Breaks so far, and when the first was.
    pub fn breaks(&self) -> (u64, Option<u64>) {
        (self.breaks, self.first)
    }

    /// The rows that were added.
    pub fn finish(mut self) -> Rows {
        self.release();
        self.packer.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn switch(ts: u64, prev: i32, next: i32) -> Row {
        Row {
            pid: prev,
            arg: next,
            ..Row::of(RowKind::Switch, ts)
        }
    }

    fn packed(rows: &[Row]) -> (Vec<(RowKind, u64)>, u64) {
        let mut chain = ChainPacker::default();
        rows.iter().for_each(|row| chain.push(row));
        let breaks = chain.breaks().0;
        (chain.finish().iter().map(|row| (row.kind, row.ts)).collect(), breaks)
    }

    #[test]
    fn a_break_is_a_gap_from_the_earlier_switch_on() {
        let waking = Row::of(RowKind::Waking, 20);
        let (rows, breaks) = packed(&[switch(10, 1, 2), waking, switch(30, 3, 0), switch(40, 0, 5)]);
        use RowKind::{Lost, Switch, Waking};
        assert_eq!(
            rows,
            [(Switch, 10), (Lost, 10), (Waking, 20), (Switch, 30), (Switch, 40)]
        );
        assert_eq!(breaks, 1);
    }

    #[test]
    fn what_is_told_is_no_break() {
        let exec = Row {
            pid: 7,
            arg: 2,
            ..Row::of(RowKind::Exec, 15)
        };
        let unknown = switch(50, Row::UNKNOWN_PID, 4);
        let lost = Row {
            arg: 3,
            ..Row::of(RowKind::Lost, 60)
        };
        let rows = [
            switch(10, 1, 2),
            exec,
            switch(20, 7, 3),
            unknown,
            lost,
            switch(70, 9, 8),
        ];
        let (found, breaks) = packed(&rows);
        assert_eq!((found.len(), breaks), (rows.len(), 0));
    }
}
